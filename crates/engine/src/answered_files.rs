//! The files that an answer names: what its reader would have opened without it (SPEC X8).

use codecortex_analysis::Analysis;
use codecortex_protocol::Answer;
use rustc_hash::FxHashSet;

/// Of a longer answer only so much is looked through.
const MAX_BYTES: usize = 256 << 10;

/// The files of the workspace that an answer names by their shown paths (SPEC TC2): how many, and their bytes in all.
pub(crate) fn answered_files(code: &Analysis, answer: &Answer) -> (u32, u64) {
    let Some(text) = answer.json.as_ref().or(answer.text.as_ref()) else {
        return (0, 0);
    };
    let text = text.get(..MAX_BYTES).unwrap_or(text);
    let workspace = code.workspace();
    let mut seen = FxHashSet::default();
    let mut bytes = 0;
    for path in shown_paths(text) {
        let Some((root, relative)) = path.split_once('/') else {
            continue;
        };
        let mut roots = workspace.roots.iter().zip(0..);
        let Some((_, root)) = roots.find(|(known, _)| known.name == root) else {
            continue;
        };
        if let Some(file) = workspace.file(root, relative)
            && seen.insert((root, relative))
        {
            bytes += file.stat.size;
        }
    }
    (seen.len() as u32, bytes)
}

/// Words that may be paths: with a slash, between what no path of ours is written with.
fn shown_paths(text: &str) -> impl Iterator<Item = &str> {
    let is_border =
        |c: char| c.is_whitespace() || matches!(c, '"' | '`' | ',' | ':' | '(' | ')' | '\\' | '#');
    text.split(is_border).filter(|word| word.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_between_quotes_blanks_and_positions() {
        let text =
            r#"{"filePath":"app/src/a.ts","text":"// app/b.py:12\n// see `lib/c.rs`, (app/d.go)"}"#;
        let found: Vec<&str> = shown_paths(text).filter(|word| word.len() > 3).collect();
        assert_eq!(found, ["app/src/a.ts", "app/b.py", "lib/c.rs", "app/d.go"]);
    }
}
