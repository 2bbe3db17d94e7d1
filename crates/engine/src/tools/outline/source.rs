//! The form `source`: the lines of declarations themselves, numbered, with what they need of their container.

use std::ops::Range;

use codecortex_analysis::disk_text::TextRef;
use codecortex_analysis::place::{Location, ResolvedSymbol};
use codecortex_analysis::preview::UNAVAILABLE;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::cursor::write_cursor;
use codecortex_answer::reply::{Common, Reply};
use codecortex_edit::DeclarationPlace;
use codecortex_index::{IndexedFile, Symbol};
use codecortex_protocol::{Failure, ToolError};
use codecortex_syntax::{Facts, Item, ItemIndex, ItemKind};
use codecortex_text::{TextDocument, numbered_whole};
use serde_json::Value;

use crate::invocation::Invocation;
use crate::tools::outline::data::{
    FileFacts, OutlineData, OutlineSubject, SourceData, check_start,
};
use crate::tools::several::{Candidate, SeveralData, candidates_text};

/// Lines of documentation above a declaration that are shown with it.
const MAX_DOC_LINES: u32 = 40;
/// Fields of the container that are shown because the declaration names them.
const MAX_FIELDS: usize = 16;
/// Lines of a head: what is longer is no head.
const MAX_HEAD_LINES: u32 = 8;

/// A line: its number from 1, and its text without its end.
type NumberedLine = (u32, String);

/// The source of one declaration.
struct DeclarationSource {
    resolved: Option<ResolvedSymbol>,
    location: Location,
    /// Of the declaration with its documentation; none of a whole file.
    hash: Option<String>,
    language: &'static str,
    /// Where it is not UTF-8.
    encoding: Option<&'static str>,
    lines: Vec<NumberedLine>,
}

/// The source of declarations, before the budget. Its pieces are lines.
pub(super) struct SourceReply {
    found: Vec<DeclarationSource>,
    /// Symbols that were asked for and are not there.
    missing: Vec<String>,
    /// The meanings of names that have several.
    candidates: Vec<Candidate>,
    start: usize,
    revision: u32,
    unsaved: bool,
}

/// The source of subjects, in their order.
pub(super) fn source_reply(
    cx: &Invocation<'_>,
    subjects: &[OutlineSubject<'_>],
    missing: Vec<String>,
    candidates: Vec<Candidate>,
) -> Result<SourceReply, Failure> {
    let files = subjects.iter().flat_map(|subject| match subject {
        OutlineSubject::Symbols(symbols) => symbols.iter().map(|symbol| symbol.file.0).collect(),
        OutlineSubject::File(file) => file.id.iter().map(|id| id.0).collect::<Vec<u32>>(),
    });
    cx.need_texts(files)?;
    let mut source = SourceReply {
        found: Vec::new(),
        missing,
        candidates,
        start: 0,
        revision: cx.revision,
        unsaved: false,
    };
    for subject in subjects {
        match subject {
            OutlineSubject::Symbols(symbols) => {
                for symbol in with_parts(cx, symbols) {
                    source.push_symbol(cx, symbol)?;
                }
            }
            OutlineSubject::File(file) => source.push_file(cx, file)?,
        }
    }
    Ok(source)
}

/// The hash that an edit of a declaration is keyed by.
fn hash_of(file: &IndexedFile, item: &Item, text: &TextRef<'_>) -> Option<String> {
    let text = text.snapshot.text.text();
    let name = file.facts.str(item.name);
    let code = item.start_byte..item.end_byte;
    let place = DeclarationPlace::new((&file.path, &text), name, item.name_byte, code)?;
    Some(place.hash(&text))
}

/// Overloads as they were found; of a type all its parts.
fn with_parts(cx: &Invocation<'_>, symbols: &[Symbol]) -> Vec<Symbol> {
    let Some(first) = symbols.first() else {
        return Vec::new();
    };
    let is_type = cx
        .index
        .get(*first)
        .is_some_and(|(_, item)| item.kind.is_type());
    match is_type {
        true => cx
            .index
            .parts(*first)
            .iter()
            .map(|part| part.symbol)
            .collect(),
        false => symbols.to_vec(),
    }
}

impl SourceReply {
    fn push_symbol(&mut self, cx: &Invocation<'_>, symbol: Symbol) -> Result<(), Failure> {
        let Some((file, item)) = cx.index.get(symbol) else {
            return Ok(());
        };
        let text = cx.text_of_file(symbol.file)?;
        self.unsaved |= cx.is_unsaved(symbol.file);
        self.found.push(DeclarationSource {
            resolved: resolved_symbol(cx, symbol),
            location: cx.location(file, item),
            hash: hash_of(file, item, &text),
            language: file.facts.language.info().id,
            encoding: file.facts.encoding(),
            lines: lines_of(&file.facts, symbol.item, &text),
        });
        Ok(())
    }

    /// A file whole, or a declaration of one that is not in the index.
    fn push_file(&mut self, cx: &Invocation<'_>, file: &FileFacts<'_>) -> Result<(), Failure> {
        let text = match file.id {
            Some(id) => cx.text_of_file(id)?,
            None => cx.text_of(&cx.located(&file.path))?,
        };
        let lines = match file.around {
            Some(item) => lines_of(file.facts, item, &text),
            None => {
                let count = text.snapshot.text.line_count() as u32;
                numbered(&text.snapshot.text, 0..count)
            }
        };
        let ends = (lines.first(), lines.last());
        self.unsaved |= file.unsaved;
        self.found.push(DeclarationSource {
            resolved: None,
            location: Location {
                file_path: file.display.clone(),
                start_line: ends.0.map_or(1, |line| line.0),
                end_line: ends.1.map_or(1, |line| line.0),
                name_range: None,
                source: None,
            },
            hash: None,
            language: file.facts.language.info().id,
            encoding: file.facts.encoding(),
            lines,
        });
        Ok(())
    }

    /// What follows the first `start` lines.
    pub(super) fn from(mut self, start: usize) -> Result<Self, ToolError> {
        check_start(start, self.total())?;
        self.start = start;
        Ok(self)
    }

    fn total(&self) -> usize {
        self.found.iter().map(|piece| piece.lines.len()).sum()
    }

    /// The declarations of which some of `pieces` lines from the start are, with these lines.
    fn shown(&self, pieces: usize) -> impl Iterator<Item = (&DeclarationSource, &[NumberedLine])> {
        let wanted = self.start..self.start + pieces;
        let mut before = 0;
        self.found.iter().filter_map(move |piece| {
            let own = before..before + piece.lines.len();
            before = own.end;
            let shown = own.start.max(wanted.start)..own.end.min(wanted.end);
            let shown = (shown.start < shown.end)
                .then(|| &piece.lines[shown.start - own.start..shown.end - own.start]);
            Some((piece, shown?))
        })
    }
}

/// The lines of a declaration, after the heads of what it is in and the fields there that it names.
fn lines_of(facts: &Facts, index: ItemIndex, text: &TextRef<'_>) -> Vec<NumberedLine> {
    let document = &text.snapshot.text;
    let item = &facts.items[index as usize];
    let first = first_line(document, item);
    let own = first..item.end.line + 1;
    if numbered(document, own.clone()).is_empty() {
        // The file is another one by now, of which nobody told yet.
        return vec![(item.start.line + 1, UNAVAILABLE.to_owned())];
    }
    let mut around: Vec<Range<u32>> = heads(facts, index, document);
    let body = document.lines(own.start as usize..(own.end as usize).min(document.line_count()));
    around.extend(fields(facts, index, &body));
    around.retain(|lines| lines.end <= own.start || lines.start >= own.end);
    around.push(own.clone());
    around.sort_by_key(|lines| lines.start);
    let mut shown: Vec<NumberedLine> = Vec::new();
    let mut next = None;
    for lines in around {
        let start = next.map_or(lines.start, |next: u32| lines.start.max(next));
        if start >= lines.end {
            continue;
        }
        next = Some(lines.end);
        shown.extend(numbered(document, start..lines.end));
    }
    shown
}

/// The first line of a declaration: of its documentation, where that stands above it.
fn first_line(document: &TextDocument, item: &Item) -> u32 {
    let mut first = item.start.line;
    if item.doc.is_empty() {
        return first;
    }
    while first > 0 && item.start.line - first < MAX_DOC_LINES {
        let above = document.line(first as usize - 1);
        let above = above.trim();
        let is_comment = ["//", "/*", "*", "#", "--", "\"\"\""]
            .iter()
            .any(|mark| above.starts_with(mark));
        if !is_comment || above.starts_with("#[") {
            break;
        }
        first -= 1;
    }
    first
}

/// The heads of the declarations around one, namespaces left out, the outermost first: from where each begins to its name's line.
fn heads(facts: &Facts, index: ItemIndex, document: &TextDocument) -> Vec<Range<u32>> {
    let mut heads = Vec::new();
    let mut parent = facts.items[index as usize].parent;
    while let Some(at) = parent {
        let item = &facts.items[at as usize];
        parent = item.parent;
        if item.kind.is_namespace() {
            continue; // the path says it
        }
        let end = head_end(item, document);
        heads.push(item.start.line.max(end.saturating_sub(MAX_HEAD_LINES))..end);
    }
    heads.reverse();
    heads
}

/// The line behind a head: behind the one where its body opens, or behind its name.
fn head_end(item: &Item, document: &TextDocument) -> u32 {
    let named = item.name_start.line;
    let last = item.end.line.min(named + MAX_HEAD_LINES);
    let opens = |line: &u32| {
        let text = document.line(*line as usize);
        let text = text.trim_end();
        text.ends_with('{') || text.ends_with(':') || text.ends_with("where")
    };
    (named..=last).find(opens).unwrap_or(named) + 1
}

/// Fields beside a declaration whose names its text has.
fn fields(facts: &Facts, index: ItemIndex, body: &str) -> Vec<Range<u32>> {
    let item = &facts.items[index as usize];
    let Some(parent) = item.parent else {
        return Vec::new();
    };
    let is_value = |kind: ItemKind| {
        matches!(
            kind,
            ItemKind::Field | ItemKind::Property | ItemKind::Constant
        )
    };
    let words: std::collections::BTreeSet<&str> = body
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .collect();
    let beside = facts.items.iter().filter(|beside| {
        beside.parent == Some(parent)
            && is_value(beside.kind)
            && beside.start_byte != item.start_byte
            && words.contains(facts.str(beside.name))
    });
    // Of a property with a body its first line says what it is.
    let line = |beside: &Item| beside.name_start.line..beside.name_start.line + 1;
    beside.take(MAX_FIELDS).map(line).collect()
}

fn numbered(document: &TextDocument, lines: Range<u32>) -> Vec<NumberedLine> {
    let last = (lines.end as usize).min(document.line_count()) as u32;
    (lines.start..last.max(lines.start))
        .map(|line| {
            let text = document.line(line as usize);
            (line + 1, text.trim_end_matches(['\n', '\r']).to_owned())
        })
        .collect()
}

/// Lines as every answer shows them, each whole: an edit is made from them.
fn render(lines: &[NumberedLine]) -> String {
    let lines = lines.iter();
    numbered_whole(lines.map(|(number, text)| (*number, text.as_str())))
}

impl Reply for SourceReply {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.total() - self.start
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let sources = self.shown(pieces).map(|(piece, lines)| SourceData {
            resolved: piece.resolved.clone(),
            location: piece.location.clone(),
            hash: piece.hash.clone(),
            source: render(lines),
        });
        let first = self.found.first();
        let data = OutlineData {
            resolved: first.and_then(|piece| piece.resolved.clone()),
            location: first.map_or_else(Location::default, |piece| piece.location.clone()),
            language: first.map_or("", |piece| piece.language).to_owned(),
            encoding: first.and_then(|piece| piece.encoding),
            package: None,
            doc: None,
            parts: Vec::new(),
            syntax_errors: 0,
            total: self.total() as u32,
            declarations: None,
            outline_text: None,
            sources: sources.collect(),
            several: SeveralData {
                candidates: self.candidates.clone(),
                missing: self.missing.clone(),
                ..SeveralData::default()
            },
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let mut out = match self.start {
            0 => candidates_text(&self.candidates),
            _ => String::new(),
        };
        for (piece, lines) in self.shown(pieces) {
            let path = match &piece.resolved {
                Some(resolved) => format!("{} ", resolved.path),
                None => String::new(),
            };
            let (place, language) = (piece.location.short(), piece.language);
            out.push_str(&format!("// {path}· {place} · {language}\n"));
            out.push_str(&render(lines));
        }
        for symbol in &self.missing {
            out.push_str(&format!("// not found: {symbol}\n"));
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        (shown < self.pieces()).then(|| write_cursor(self.start + shown, self.revision))
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}
