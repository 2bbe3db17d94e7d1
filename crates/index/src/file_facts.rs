//! A file's facts, which are read when somebody looks into them where a cache keeps them.
//!
//! A start on a million lines took most of its time to read facts that nobody asked for. What counts and compares
//! files asks for [`FileFacts::brief`]; whoever goes through all files and needs more of each looks for another way
//! ([`FactsSource::each_documented`]), because what is read stays.

use std::cell::OnceCell;
use std::fmt::Debug;
use std::ops::Deref;
use std::sync::Arc;

use codecortex_syntax::{Facts, FileSummary, ItemFlags, ItemIndex, ItemKind};
use serde::{Deserialize, Serialize};

/// A cache that keeps facts, each file's by a number of its own.
pub trait FactsSource: Debug + Send + Sync {
    /// The facts of a file; `None` where they cannot be read any more.
    fn facts(&self, number: u32) -> Option<Facts>;

    /// Hands out what is documented of every file that documents anything.
    fn each_documented(&self, visit: &mut dyn FnMut(u32, &[DocumentedItem<'_>]));
}

/// A declaration with documentation, as a cache has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentedItem<'a> {
    /// Its place in the file's facts.
    pub item: ItemIndex,
    /// What it declares.
    pub kind: ItemKind,
    /// Whether it is declared inside running code.
    pub is_local: bool,
    /// Its name as written.
    pub name: &'a str,
    /// The documentation as plain text.
    pub doc: &'a str,
}

impl<'a> DocumentedItem<'a> {
    /// What is documented in a file, in the order of its declarations.
    pub fn all_of(facts: &'a Facts) -> impl Iterator<Item = Self> {
        let items = facts.items.iter().enumerate();
        let items = items.filter(|(_, item)| !item.doc.is_empty());
        items.map(|(index, item)| Self {
            item: index as ItemIndex,
            kind: item.kind,
            is_local: item.flags.contains(ItemFlags::LOCAL),
            name: facts.str(item.name),
            doc: facts.str(item.doc),
        })
    }
}

/// A file and what it says.
#[derive(Clone, Debug)]
pub struct IndexedFile {
    /// Index of its workspace folder.
    pub root: u32,
    /// Path relative to the folder, with `/`.
    pub path: Box<str>,
    /// What it says.
    pub facts: FileFacts,
}

/// The facts of a file of the index.
#[derive(Clone, Debug)]
pub struct FileFacts {
    brief: FileSummary,
    read: OnceCell<Box<Facts>>,
    source: Option<(Arc<dyn FactsSource>, u32)>,
    /// Whether digests are let go of.
    is_without_layers: bool,
}

impl FileFacts {
    /// Facts that a cache keeps under a number; read when somebody looks into them.
    #[must_use]
    pub fn lazy(brief: FileSummary, source: Arc<dyn FactsSource>, number: u32) -> Self {
        Self {
            brief,
            read: OnceCell::new(),
            source: Some((source, number)),
            is_without_layers: false,
        }
    }

    /// What is known without looking into them.
    #[must_use]
    pub fn summary(&self) -> &FileSummary {
        &self.brief
    }

    /// The number under which a cache keeps them.
    #[must_use]
    pub fn cached_number(&self) -> Option<u32> {
        self.source.as_ref().map(|(_, number)| *number)
    }

    /// Whether they are in memory.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.read.get().is_some()
    }

    /// Lets go of every digest.
    pub fn drop_layers(&mut self) {
        self.is_without_layers = true;
        if let Some(facts) = self.read.get_mut() {
            facts.layers = Vec::new();
        }
    }

    /// Bytes of memory they hold, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.read.get().map_or(0, |facts| facts.memory()) + size_of::<Self>()
    }
}

impl From<Facts> for FileFacts {
    fn from(facts: Facts) -> Self {
        Self {
            brief: facts.summary(),
            read: OnceCell::from(Box::new(facts)),
            source: None,
            is_without_layers: false,
        }
    }
}

impl Deref for FileFacts {
    type Target = Facts;

    /// The facts; read, where they were not. A cache that does not have them any more knows that it was asked: until
    /// somebody mends that, the file declares nothing.
    fn deref(&self) -> &Facts {
        self.read.get_or_init(|| {
            let source = self.source.as_ref();
            let facts = source.and_then(|(source, number)| source.facts(*number));
            let mut facts = facts.unwrap_or_else(|| Facts::of_summary(&self.brief));
            if self.is_without_layers {
                facts.layers = Vec::new();
            }
            Box::new(facts)
        })
    }
}
