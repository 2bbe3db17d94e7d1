//! Writes the archives that `codecortex_external::standard_library` reads; the layout is described there.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use codecortex_external::standard_library::ARCHIVE_MAGIC;
use miniz_oxide::deflate::compress_to_vec;

/// A block ends with the file that makes it this long. Larger blocks compress better, and are read for one file of theirs.
const BLOCK_BYTES: usize = 64 << 10;
/// The slowest and best.
const COMPRESSION_LEVEL: u8 = 10;

/// The archive of files that are in order of their paths.
pub(super) fn archive(version: &str, files: &[(String, String)]) -> Result<Vec<u8>> {
    let mut index = format!("{version}\n");
    let mut blocks = Vec::new();
    let mut rest = files;
    while !rest.is_empty() {
        let mut length = 0;
        let is_last = |(_, text): &(String, String)| {
            length += text.len();
            length >= BLOCK_BYTES
        };
        let count = rest
            .iter()
            .position(is_last)
            .map_or(rest.len(), |last| last + 1);
        let (block, others) = rest.split_at(count);
        let text: String = block.iter().map(|(_, text)| text.as_str()).collect();
        let compressed = compress_to_vec(text.as_bytes(), COMPRESSION_LEVEL);
        writeln!(index, "*{} {}", compressed.len(), text.len())?;
        for (path, text) in block {
            if path.contains('\n') {
                bail!("a path has a line break: {path:?}");
            }
            writeln!(index, "{} {path}", text.len())?;
        }
        blocks.extend(compressed);
        rest = others;
    }
    let compressed = compress_to_vec(index.as_bytes(), COMPRESSION_LEVEL);
    let mut archive = ARCHIVE_MAGIC.to_vec();
    for length in [compressed.len(), index.len()] {
        archive.extend(u32::try_from(length)?.to_le_bytes());
    }
    archive.extend(compressed);
    archive.extend(blocks);
    Ok(archive)
}
