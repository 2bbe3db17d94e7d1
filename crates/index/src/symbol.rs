//! What the index calls files and declarations by.

use codecortex_syntax::ItemIndex;

/// A file of the index. Ids are reused after a file is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A declaration in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// The file it is in.
    pub file: FileId,
    /// Its place in the file's facts.
    pub item: ItemIndex,
}
