//! An archive of many small texts, of which one is read without the others.
//!
//! - [`ARCHIVE_MAGIC`];
//! - two numbers of four bytes, little-endian: the length of the index compressed, and as it is;
//! - the index: a line with the version, then for each block a line `*`, its length compressed, a space, its length as it is, and
//!   for each file in it a line of its length, a space and its path; all files in order of their paths;
//! - the blocks, one behind the other, each the texts of its files.
//!
//! Index and blocks are compressed by Deflate. Lengths are checked before memory is reserved by them.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// What an archive begins with; the last byte is the layout's version.
pub const ARCHIVE_MAGIC: &[u8; 8] = b"CCSTDLB\x01";
/// A larger index or block is none that `cargo xtask stdlib` writes.
const MAX_BYTES: usize = 16 << 20;

/// Why bytes are no archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveProblem {
    /// They begin otherwise, or with another version of the layout.
    Magic,
    /// They are cut off, or a length or the index is wrong.
    Malformed,
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Magic => "it is no archive of a standard library, or one of another version",
            Self::Malformed => "the archive is cut off or damaged",
        })
    }
}

/// A part of the archive that is compressed by itself.
struct Block {
    /// Where it stands in the archive.
    bytes: Range<usize>,
    /// Its length when it is decompressed.
    length: usize,
}

/// A file of the archive.
struct ArchivedFile {
    /// Where its path stands in the index.
    path: Range<usize>,
    block: usize,
    /// Where its text stands in the block.
    text: Range<usize>,
}

/// An opened archive.
pub(super) struct DeclarationArchive {
    bytes: Cow<'static, [u8]>,
    index: String,
    version: Range<usize>,
    blocks: Vec<Block>,
    /// By path.
    files: Vec<ArchivedFile>,
}

impl DeclarationArchive {
    pub(super) fn read(bytes: Cow<'static, [u8]>) -> Result<Self, ArchiveProblem> {
        let rest = bytes
            .strip_prefix(ARCHIVE_MAGIC)
            .ok_or(ArchiveProblem::Magic)?;
        let (compressed, rest) = number(rest).ok_or(ArchiveProblem::Malformed)?;
        let (length, rest) = number(rest).ok_or(ArchiveProblem::Malformed)?;
        let index = rest
            .get(..compressed)
            .and_then(|bytes| decompress(bytes, length));
        let index = index.ok_or(ArchiveProblem::Malformed)?;
        let start = ARCHIVE_MAGIC.len() + 8 + compressed;
        let mut archive = Self {
            bytes,
            index: String::new(),
            version: 0..0,
            blocks: Vec::new(),
            files: Vec::new(),
        };
        archive
            .read_index(&index, start)
            .ok_or(ArchiveProblem::Malformed)?;
        archive.index = index;
        Ok(archive)
    }

    fn read_index(&mut self, index: &str, start: usize) -> Option<()> {
        let (mut block_start, mut text_start, mut line_start) = (start, 0, 0);
        for line in index.split_inclusive('\n') {
            let at = line_start;
            line_start += line.len();
            let line = line.strip_suffix('\n')?;
            if at == 0 {
                self.version = 0..line.len();
                continue;
            }
            let (head, tail) = line.split_once(' ')?;
            if let Some(compressed) = head.strip_prefix('*') {
                let end = block_start.checked_add(compressed.parse().ok()?)?;
                let length = tail.parse().ok().filter(|&length| length <= MAX_BYTES)?;
                self.blocks.push(Block {
                    bytes: block_start..end,
                    length,
                });
                (block_start, text_start) = (end, 0);
                continue;
            }
            let block = self.blocks.len().checked_sub(1)?;
            let end = text_start
                + head
                    .parse::<usize>()
                    .ok()
                    .filter(|&length| length <= MAX_BYTES)?;
            let path = line_start - 1 - tail.len()..line_start - 1;
            let before = self
                .files
                .last()
                .and_then(|file| index.get(file.path.clone()));
            if end > self.blocks.get(block)?.length || before.is_some_and(|before| before >= tail) {
                return None;
            }
            self.files.push(ArchivedFile {
                path,
                block,
                text: text_start..end,
            });
            text_start = end;
        }
        (block_start <= self.bytes.len() && !index.is_empty()).then_some(())
    }

    pub(super) fn version(&self) -> &str {
        self.index.get(self.version.clone()).unwrap_or_default()
    }

    fn path(&self, file: &ArchivedFile) -> &str {
        self.index.get(file.path.clone()).unwrap_or_default()
    }

    fn file(&self, path: &str) -> Option<&ArchivedFile> {
        let found = self
            .files
            .binary_search_by(|file| self.path(file).cmp(path))
            .ok()?;
        self.files.get(found)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| self.path(file))
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.file(path).is_some()
    }

    pub(super) fn text(&self, path: &str) -> Option<String> {
        let file = self.file(path)?;
        let block = self.blocks.get(file.block)?;
        let text = decompress(self.bytes.get(block.bytes.clone())?, block.length)?;
        text.get(file.text.clone()).map(str::to_owned)
    }
}

fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u32::from_le_bytes(*number)).ok()?, rest))
}

/// Text of exactly `length` bytes.
fn decompress(bytes: &[u8], length: usize) -> Option<String> {
    if length > MAX_BYTES {
        return None;
    }
    let mut text = vec![0; length];
    let inflated = decompress_slice_iter_to_slice(&mut text, std::iter::once(bytes), false, false);
    if inflated.ok()? != length {
        return None;
    }
    String::from_utf8(text).ok()
}
