//! The texts of files of which the window shows lines (SPEC PW1, RM1): the editor's where it is open, else the disk's,
//! which is kept as long as the index has the file in the same state. Nothing is read here: a text that is not at hand is
//! reported, and whoever builds the window has it read.

use codecortex_analysis::Analysis;
use codecortex_analysis::disk_text::DiskText;
use codecortex_index::FileId;
use codecortex_protocol::{Failure, FetchedFile};
use codecortex_syntax::content_hash;
use codecortex_text::TextDocument;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::sources::{Context, Sources};

/// Bytes of kept texts beyond which those that a window does not show are dropped.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// The text of a file for its lines.
pub enum ShownText {
    /// In the state that the index has of the file.
    Here(TextDocument),
    /// There is none in that state: the file changed on the disk a moment ago, or cannot be read.
    Unavailable,
    /// It has to be read first.
    Missing,
}

/// Texts that were read for the window, by root and path.
#[derive(Debug, Default)]
pub struct FileTexts(FxHashMap<u32, FxHashMap<Box<str>, KeptText>>);

#[derive(Debug)]
struct KeptText {
    /// The state of the file in the index for which it was read.
    hash: [u8; 16],
    /// None where the disk had another state.
    text: Option<TextDocument>,
}

impl FileTexts {
    fn get(&self, root: u32, path: &str, hash: [u8; 16]) -> Option<&KeptText> {
        let kept = self.0.get(&root)?.get(path)?;
        (kept.hash == hash).then_some(kept)
    }

    fn keep(&mut self, root: u32, path: &str, text: KeptText) {
        self.0.entry(root).or_default().insert(path.into(), text);
    }

    /// Bytes of all kept texts.
    pub fn bytes(&self) -> usize {
        let kept = self.0.values().flat_map(FxHashMap::values);
        kept.filter_map(|kept| kept.text.as_ref().map(TextDocument::len))
            .sum()
    }

    /// Drops the texts that are not of these files, if there are too many.
    pub fn shrink_to(&mut self, shown: &FxHashSet<(u32, &str)>) {
        if self.bytes() > MAX_KEPT_BYTES {
            for (root, kept) in &mut self.0 {
                kept.retain(|path, _| shown.contains(&(*root, &**path)));
            }
        }
    }
}

impl Context {
    /// Keeps texts of files of a root that were read for the window, each with its path.
    pub fn load_file_texts(
        &mut self,
        code: &Analysis,
        root: u32,
        paths: &[String],
        files: &[FetchedFile],
    ) {
        let texts = self.file_texts.get_mut();
        for (path, file) in paths.iter().zip(files) {
            let known = code.index().file_id(root, path);
            let known = known.and_then(|id| code.index().file(id));
            if let Some(known) = known {
                let hash = known.facts.summary().hash;
                let text = text_in_state(&DiskText::from_file(file), hash);
                texts.keep(root, path, KeptText { hash, text });
            }
        }
    }
}

/// The text of an indexed file, in the state that the index has of it.
pub fn shown_text(sources: &Sources<'_>, id: FileId) -> ShownText {
    let file = sources.code.index().file(id);
    let (Some(file), Some(located)) = (file, sources.code.located_file(id)) else {
        return ShownText::Unavailable;
    };
    if let Some(document) = sources.code.documents().get(&located.path) {
        return match document.stale || sources.saved_only && document.dirty {
            true => ShownText::Unavailable,
            false => ShownText::Here(document.now().text.clone()),
        };
    }
    let hash = file.facts.summary().hash;
    let mut texts = sources.context.file_texts.borrow_mut();
    if let Some(kept) = texts.get(file.root, &file.path, hash) {
        return shown(kept.text.clone());
    }
    match sources.code.disk_text(&located) {
        Ok(disk) => {
            let text = text_in_state(disk, hash);
            let kept = KeptText {
                hash,
                text: text.clone(),
            };
            texts.keep(file.root, &file.path, kept);
            shown(text)
        }
        Err(Failure::Missing(_)) => ShownText::Missing,
        Err(Failure::Error(_)) => ShownText::Unavailable,
    }
}

fn shown(text: Option<TextDocument>) -> ShownText {
    text.map_or(ShownText::Unavailable, ShownText::Here)
}

/// The disk's text of a file, where it is the state with this hash: of the bytes, or of the text alone if the index has
/// the file from an editor, whose text has no byte order mark.
fn text_in_state(disk: &DiskText, hash: [u8; 16]) -> Option<TextDocument> {
    let DiskText::Text {
        snapshot, bytes, ..
    } = disk
    else {
        return None;
    };
    let text = &snapshot.text;
    let is_it = content_hash(bytes) == hash || content_hash(text.text().as_bytes()) == hash;
    is_it.then(|| text.clone())
}
