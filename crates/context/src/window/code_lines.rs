//! The lines of code that a piece of the window shows, each as it stands in its file (SPEC RM1, CP1, PW1): of a function
//! all, of a type and a file those that declare them and their members.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use codecortex_index::{FileId, Symbol};
use codecortex_syntax::{Facts, Item};
use codecortex_text::{TextDocument, gap_width, numbered, numbered_width};

use crate::sources::Sources;
use crate::window::file_texts::{ShownText, shown_text};

/// Lines of a declaration that are shown as its head at most.
const MAX_HEAD_LINES: u32 = 8;
/// Lines of attributes above a declaration's name that are shown with it; with more of them none is.
const MAX_ATTRIBUTE_LINES: u32 = 2;
/// A declaration with more lines than this is not shown whole, however much room there is.
const MAX_SOURCE_LINES: u32 = 2_000;
/// A declaration with more lines than this is shown in part where it has no room whole.
const EXCERPT_FROM: u32 = 40;
/// The first lines that are shown of a declaration in part, before its last one.
const EXCERPT_LINES: u32 = 24;

/// A line between two that are shown is shown as well where it costs at most so many times what stands for it.
const FILLED: usize = 4;

/// A line: its number from 1, and its text without its end.
type NumberedLine = (u32, String);

/// Lines of one file.
#[derive(Clone, Debug)]
struct FileLines {
    /// As answers show it.
    path: String,
    text: TextDocument,
    /// Lines that declare the piece itself.
    heads: Vec<NumberedLine>,
    /// Lines that declare a member, member by member.
    members: Vec<Vec<NumberedLine>>,
}

/// The lines of code of a piece.
#[derive(Clone, Debug, Default)]
pub struct CodeLines {
    /// Declaring lines, by file: the piece's own first.
    declaring: Vec<FileLines>,
    /// All lines, of what is no type and no file.
    source: Vec<NumberedLine>,
    /// Its first lines and its last, where there are many.
    excerpt: Vec<NumberedLine>,
    /// The files of the piece and its members.
    pub files: Vec<FileId>,
    /// Those whose text has to be read first; there are no lines then.
    pub missing: Vec<FileId>,
    /// Whether text that is not saved was looked at, or would have been.
    pub is_unsaved: bool,
}

/// What a piece shows lines of.
pub struct ShownDeclarations {
    /// Its parts, the one that it is named by first; none for a file.
    pub own: Vec<Symbol>,
    /// Its members that others see.
    pub members: Vec<Symbol>,
    /// Whether all of its lines may be shown.
    pub has_body: bool,
}

impl CodeLines {
    /// The lines of a piece; none where the text of a file is not there in the state that the index has of it.
    pub fn new(sources: &Sources<'_>, shown: &ShownDeclarations) -> Self {
        let symbols = shown.own.iter().chain(&shown.members);
        let files: BTreeSet<FileId> = symbols.map(|symbol| symbol.file).collect();
        let mut lines = Self {
            is_unsaved: files.iter().any(|file| sources.code.is_unsaved(*file)),
            files: files.iter().copied().collect(),
            ..Self::default()
        };
        let mut texts = BTreeMap::new();
        for file in files {
            match shown_text(sources, file) {
                ShownText::Here(text) => drop(texts.insert(file, text)),
                ShownText::Unavailable => {}
                ShownText::Missing => lines.missing.push(file),
            }
        }
        lines.declaring = declaring(sources, shown, &texts).unwrap_or_default();
        let own = shown.own.first().filter(|_| shown.has_body);
        let own =
            own.and_then(|own| Some((sources.code.index().get(*own)?.1, texts.get(&own.file)?)));
        if let Some((item, text)) = own {
            lines.add_source(item, text);
        }
        lines
    }

    fn add_source(&mut self, item: &Item, text: &TextDocument) {
        let (first, end) = (item.start.line, item.end.line + 1);
        if end - first <= MAX_SOURCE_LINES {
            self.source = lines_of(text, first..end);
        }
        if end - first > EXCERPT_FROM {
            self.excerpt = lines_of(text, first..first + EXCERPT_LINES);
            self.excerpt.extend(lines_of(text, end - 1..end));
        }
    }

    /// All lines; none where they are not there, or where there are too many.
    pub fn source(&self) -> Option<String> {
        (!self.source.is_empty()).then(|| rendered(&self.source))
    }

    /// The first lines and the last.
    pub fn excerpt(&self) -> Option<String> {
        (!self.excerpt.is_empty()).then(|| rendered(&self.excerpt))
    }

    /// The lines that declare it and its first members, with the path of a file before those that are not in the first
    /// one; none where they are not there.
    pub fn outline(&self, members: usize) -> Option<String> {
        let first = self.declaring.first()?;
        let mut left = members;
        let mut out = String::new();
        for file in &self.declaring {
            let taken = file.members.len().min(left);
            left -= taken;
            let members = file.members[..taken].iter().flatten();
            let mut lines: BTreeMap<u32, Cow<'_, str>> =
                file.heads.iter().chain(members).map(borrowed).collect();
            if lines.is_empty() {
                continue;
            }
            if file.path != first.path {
                out += &format!("{}\n", file.path);
            }
            fill_gaps(&mut lines, &file.text);
            out += &numbered(lines.iter().map(|(number, line)| (*number, &**line)));
        }
        Some(out)
    }

    /// How many members have declaring lines.
    pub fn member_count(&self) -> usize {
        self.declaring.iter().map(|file| file.members.len()).sum()
    }
}

fn borrowed((number, line): &NumberedLine) -> (u32, Cow<'_, str>) {
    (*number, Cow::Borrowed(line))
}

/// Adds single lines between others that cost hardly more than the line that stands for them, such as blank ones.
fn fill_gaps(lines: &mut BTreeMap<u32, Cow<'_, str>>, text: &TextDocument) {
    let numbers: Vec<u32> = lines.keys().copied().collect();
    for pair in numbers.windows(2).filter(|pair| pair[1] == pair[0] + 2) {
        let between = lines_of(text, pair[0]..pair[0] + 1);
        let cheap = between
            .into_iter()
            .filter(|(number, line)| numbered_width(*number, line) <= FILLED * gap_width(1));
        lines.extend(cheap.map(|(number, line)| (number, Cow::Owned(line))));
    }
}

fn rendered(lines: &[NumberedLine]) -> String {
    numbered(lines.iter().map(|(number, line)| (*number, &**line)))
}

/// The declaring lines by file, that of the piece itself first; none where the text of one is not there.
fn declaring(
    sources: &Sources<'_>,
    shown: &ShownDeclarations,
    texts: &BTreeMap<FileId, TextDocument>,
) -> Option<Vec<FileLines>> {
    let mut files: Vec<(FileId, FileLines)> = Vec::new();
    let own = shown.own.iter().map(|symbol| (*symbol, true));
    let members = shown.members.iter().map(|symbol| (*symbol, false));
    for (symbol, is_own) in own.chain(members) {
        let (file, item) = sources.code.index().get(symbol)?;
        let text = texts.get(&symbol.file)?;
        let lines = lines_of(text, head(&file.facts, item, text));
        let at = match files.iter().position(|(id, _)| *id == symbol.file) {
            Some(at) => at,
            None => {
                let path = sources.code.display_path(file);
                files.push((
                    symbol.file,
                    FileLines {
                        path,
                        text: text.clone(),
                        heads: Vec::new(),
                        members: Vec::new(),
                    },
                ));
                files.len() - 1
            }
        };
        match is_own {
            true => files[at].1.heads.extend(lines),
            false => files[at].1.members.push(lines),
        }
    }
    Some(files.into_iter().map(|(_, lines)| lines).collect())
}

/// The lines of a declaration's head, from 0: from its attributes, where these are few, to where its signature ends.
fn head(facts: &Facts, item: &Item, text: &TextDocument) -> Range<u32> {
    let named = item.name_start.line;
    let first = match named.saturating_sub(item.start.line) <= MAX_ATTRIBUTE_LINES {
        true => item.start.line.min(named),
        false => named,
    };
    let last = item.end.line.min(named + MAX_HEAD_LINES - 1).max(named);
    let from = item.name_byte as usize;
    let to = text
        .line_start(last as usize + 1)
        .min(item.end_byte as usize);
    let after_name = text.slice(from..to.max(from));
    let end = signature_end(&after_name, facts.str(item.signature), facts.str(item.name));
    let end = end.map(|bytes| text.line_of(from + bytes.saturating_sub(1)) as u32);
    first..end.unwrap_or_else(|| opening_line(named..last + 1, text)) + 1
}

/// Where a signature ends in the text that begins with its name: a signature is written without the white space between
/// its parts. None where something else stands between them, such as a comment.
fn signature_end(text: &str, signature: &str, name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let ends = signature.match_indices(name).filter_map(|(at, _)| {
        let mut end = 0;
        let mut written = text.char_indices().filter(|(_, c)| !c.is_whitespace());
        for wanted in signature[at..].chars().filter(|c| !c.is_whitespace()) {
            let (place, c) = written.next()?;
            if c != wanted {
                return None;
            }
            end = place + c.len_utf8();
        }
        Some(end)
    });
    ends.max()
}

/// The first of some lines that ends by opening a body, else the first.
fn opening_line(lines: Range<u32>, text: &TextDocument) -> u32 {
    let opens = |line: &u32| text.line(*line as usize).trim_end().ends_with(['{', ':']);
    lines.clone().find(opens).unwrap_or(lines.start)
}

fn lines_of(text: &TextDocument, lines: Range<u32>) -> Vec<NumberedLine> {
    let last = lines.end.min(text.line_count() as u32);
    (lines.start..last)
        .map(|line| {
            let written = text.line(line as usize);
            (line + 1, written.trim_end_matches(['\n', '\r']).to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_ends_where_its_last_letter_stands() {
        let text = "add(\n    int a,\n    int b)\n{\n";
        assert_eq!(
            signature_end(text, "int add(int a, int b)", "add"),
            Some(26)
        );
        assert_eq!(signature_end("x: u32,", "x: u32", "x"), Some(6));
        assert_eq!(signature_end("x /* of all */: u32", "x: u32", "x"), None);
        // The name stands in the signature twice, and not first as a name.
        let twice = "Order(Order other)";
        assert_eq!(
            signature_end("Order(Order other) { }", twice, "Order"),
            Some(18)
        );
        assert_eq!(
            signature_end("Total() => 3;", "Total Total()", "Total"),
            Some(7)
        );
        assert_eq!(signature_end("", "x", ""), None);
    }

    #[test]
    fn a_line_between_two_is_shown_where_it_is_cheap() {
        let long = "x".repeat(40);
        let text = TextDocument::new(&format!("a\n\nb\n  // short\nc\n{long}\nd\n1\n2\ne\n"));
        let shown = [(1, "a"), (3, "b"), (5, "c"), (7, "d"), (10, "e")];
        let mut lines: BTreeMap<u32, Cow<'_, str>> = shown
            .into_iter()
            .map(|(number, line)| (number, line.into()))
            .collect();
        fill_gaps(&mut lines, &text);
        let numbers: Vec<u32> = lines.keys().copied().collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 7, 10]);
        assert_eq!(lines[&4], "  // short");
    }

    #[test]
    fn without_a_signature_a_head_ends_where_a_body_opens() {
        let text = TextDocument::new("def f(\n  a, # first\n):\n    pass\n");
        assert_eq!(opening_line(0..4, &text), 2);
        assert_eq!(opening_line(1..2, &text), 1);
    }
}
