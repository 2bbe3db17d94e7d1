//! What is selected, and what it becomes.

use std::ops::Range;
use std::slice;

use codecortex_bind::Dialect;
use codecortex_resolve::{ExprRef, FileNo, Resolver};

use crate::extract::forms::forms_of;
use crate::extract::names::check_name;
use crate::extract::selection::SelectedCode;
use crate::extract::{method, variable};
use crate::located_edit::LocatedEdit;
use crate::refusal::{Refusal, RefusalKind};
use crate::rename::RenameTexts;
use crate::source_change::SourceChange;
use crate::tree::need_tree;

/// What a selection becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractedAs {
    /// A variable before the statement; the selection is an expression.
    Variable,
    /// A function beside the one around; the selection is statements of one block, or an expression.
    Method,
}

/// A selection of a file and the name that it gets.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// Which file.
    pub file: FileNo,
    /// The selected bytes; blanks at the ends do not count.
    pub range: Range<u32>,
    /// The new name.
    pub name: String,
    /// What it becomes.
    pub as_what: ExtractedAs,
}

/// So many bytes before a selection variables are looked at, and so many files of what is called there.
const MAX_BEFORE: u32 = 8 << 10;
const MAX_CALLED: usize = 32;

impl Extraction {
    /// Files that say what calls before the selection give, where the language needs types. The plan does without a text
    /// that is not given.
    #[must_use]
    pub fn called_files(&self, resolver: &Resolver<'_>) -> Vec<FileNo> {
        if resolver.dialect(self.file) != Some(Dialect::Rust) {
            return Vec::new();
        }
        let start = self.range.start.saturating_sub(MAX_BEFORE);
        let uses = resolver.uses_between(self.file, start, self.range.end);
        let targets = uses.into_iter().flat_map(|(expr, ..)| {
            let file = self.file;
            resolver.target(ExprRef { file, expr }).defs
        });
        let mut files: Vec<FileNo> = targets
            .map(|def| def.file)
            .filter(|file| *file != self.file && !resolver.workspace().is_external(*file))
            .collect();
        files.sort_unstable();
        files.dedup();
        files.truncate(MAX_CALLED);
        files
    }
}

impl LocatedEdit for Extraction {
    fn files(&self) -> &[FileNo] {
        slice::from_ref(&self.file)
    }

    fn names(&self) -> [&str; 2] {
        [&self.name, &self.name]
    }

    fn plan(&self, resolver: &Resolver<'_>, texts: &RenameTexts) -> Result<SourceChange, Refusal> {
        let text = texts.get(&self.file).map_or("", String::as_str);
        let refuse = |kind, message: &str| {
            Err(Refusal::new(kind, message).at([(self.file, self.range.start)]))
        };
        let workspace = resolver.workspace();
        let (Some(dialect), Some(path)) = (resolver.dialect(self.file), workspace.path(self.file))
        else {
            return refuse(RefusalKind::Unsupported, "The file is not in the index.");
        };
        let Some(forms) = forms_of(dialect) else {
            let message = "Code of this language is not extracted yet.";
            return refuse(RefusalKind::Unsupported, message);
        };
        check_name(dialect, &self.name)?;
        let Some(range) = trimmed(text, self.range.clone()) else {
            return refuse(RefusalKind::Unsupported, "Nothing is selected.");
        };
        let tree = need_tree(path, text)?;
        let selected = SelectedCode {
            resolver,
            file: self.file,
            dialect,
            forms,
            text,
            texts,
            tree: &tree,
            range,
            name: &self.name,
        };
        let planned = match self.as_what {
            ExtractedAs::Variable => variable::plan(&selected)?,
            ExtractedAs::Method => method::plan(&selected)?,
        };
        selected.change(&planned)
    }
}

/// A range without blanks at its ends; nothing where it is empty or not in the text.
fn trimmed(text: &str, range: Range<u32>) -> Option<Range<u32>> {
    let code = text.get(range.start as usize..range.end as usize)?;
    let start = range.start + (code.len() - code.trim_start().len()) as u32;
    let code = code.trim();
    (!code.is_empty()).then(|| start..start + code.len() as u32)
}
