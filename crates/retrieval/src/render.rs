//! The text of a selection.
//!
//! A file is a line with its path; then a row for each container with the names that are said; then lines of code in source
//! order, each as in the file and with its number.
//!
//! ```text
//! src/store.rs
//! Store: open, close
//! 41:     pub fn insert(&mut self, node: Node) -> Id {
//! 42:         self.nodes.push(node);
//! … 3 lines
//! ```

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
    text.push_str(&code_lines(lines));
}

/// Lines of code by their numbers, in their order, as [`codecortex_text::numbered`] shows them.
pub fn code_lines<'l>(lines: impl IntoIterator<Item = &'l (u32, String)>) -> String {
    let lines = lines.into_iter();
    codecortex_text::numbered(lines.map(|(number, line)| (*number, line.as_str())))
}
