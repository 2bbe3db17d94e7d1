//! The text of a selection.
//!
//! A file is a line with its path; then a row for each container with the names that are said; then lines of code in source
//! order, of which the first of every run has its number.
//!
//! ```text
//! src/store.rs
//! Store: open, close
//! 41: pub fn insert(&mut self, node: Node) -> Id {
//!  self.nodes.push(node);
//! ```

use std::fmt::Write;

use crate::select::{SelectedFile, SelectedSymbol};

/// The text of files.
pub(crate) fn text_of(files: &[SelectedFile]) -> String {
    let mut text = String::new();
    for file in files {
        text.push_str(&file.path);
        text.push('\n');
        rows(&file.symbols, &mut text);
        code(&file.symbols, &mut text);
    }
    text
}

fn rows(symbols: &[SelectedSymbol], text: &mut String) {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for symbol in symbols.iter().filter(|symbol| symbol.in_row) {
        match rows
            .iter_mut()
            .find(|(container, _)| *container == symbol.container)
        {
            Some((_, names)) if names.contains(&symbol.name.as_str()) => {}
            Some((_, names)) => names.push(&symbol.name),
            None => rows.push((&symbol.container, vec![&symbol.name])),
        }
    }
    for (container, names) in rows {
        if !container.is_empty() {
            text.push_str(container);
            text.push_str(": ");
        }
        text.push_str(&names.join(", "));
        text.push('\n');
    }
}

fn code(symbols: &[SelectedSymbol], text: &mut String) {
    let mut lines: Vec<&(u32, String)> = symbols.iter().flat_map(|symbol| &symbol.lines).collect();
    lines.sort_by_key(|(number, _)| *number);
    text.push_str(&numbered(lines));
}

/// Lines of code by their numbers, in their order: the first of every run has its number.
pub fn numbered<'l>(lines: impl IntoIterator<Item = &'l (u32, String)>) -> String {
    let mut text = String::new();
    let mut before = 0;
    for (number, line) in lines {
        if *number != before + 1 {
            // A failing write to a string is not possible.
            let _ = write!(text, "{number}: ");
        }
        text.push_str(line);
        text.push('\n');
        before = *number;
    }
    text
}
