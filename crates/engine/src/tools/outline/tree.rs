//! The form with one entry for each declaration.

use codecortex_analysis::place::{Location, ResolvedSymbol};
use codecortex_analysis::symbols::alternatives::is_accessible;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::cursor::write_cursor;
use codecortex_answer::reply::{Common, Reply};
use codecortex_index::Symbol;
use codecortex_protocol::counts::counted;
use codecortex_protocol::{ErrorCode, ToolError};
use codecortex_syntax::{Facts, Item, ItemFlags, ItemIndex};
use serde_json::Value;

use crate::invocation::Invocation;
use crate::tools::outline::data::{
    Declaration, Docs, FileFacts, OutlineData, OutlineSubject, Ranges, Which, check_start,
};
use crate::tools::several::SeveralData;

/// An outline that was found, before the budget.
pub(super) struct OutlineTree {
    pub(super) resolved: Option<ResolvedSymbol>,
    pub(super) location: Location,
    pub(super) language: &'static str,
    /// Where it is not UTF-8.
    pub(super) encoding: Option<&'static str>,
    package: String,
    doc: String,
    parts: Vec<Location>,
    pub(super) syntax_errors: u16,
    /// All of them; the page starts at `start`.
    pub(super) declarations: Vec<Declaration>,
    start: usize,
    docs: Docs,
    pub(super) revision: u32,
    pub(super) unsaved: bool,
}

impl OutlineTree {
    /// The outline of a subject.
    pub(super) fn new(
        cx: &Invocation<'_>,
        subject: &OutlineSubject<'_>,
        which: Which,
    ) -> Result<Self, ToolError> {
        match subject {
            OutlineSubject::Symbols(symbols) => of_symbols(cx, symbols, which),
            OutlineSubject::File(file) => Ok(of_file(cx, file, which)),
        }
    }

    /// What follows the first `start` declarations.
    pub(super) fn from(mut self, start: usize) -> Result<Self, ToolError> {
        check_start(start, self.declarations.len())?;
        self.start = start;
        Ok(self)
    }
}

fn of_file(cx: &Invocation<'_>, file: &FileFacts<'_>, which: Which) -> OutlineTree {
    let facts = file.facts;
    let around = file
        .around
        .map(|index| (index, &facts.items[index as usize]));
    let top = around.map_or(0, |(index, _)| depth(facts, index));
    let is_within = |item: &Item| {
        around.is_none_or(|(_, around)| {
            around.start_byte <= item.start_byte && item.end_byte <= around.end_byte
        })
    };
    let declarations = (0..facts.items.len() as ItemIndex)
        .filter(|index| is_within(&facts.items[*index as usize]) && is_shown(facts, *index, which))
        .map(|index| Declaration {
            ranges: cx.for_editor(|| Ranges::from_item(&facts.items[index as usize])),
            ..declaration(facts, index, depth(facts, index).saturating_sub(top), None)
        })
        .collect();
    OutlineTree {
        resolved: None,
        location: Location {
            file_path: file.display.clone(),
            start_line: around.map_or(1, |(_, item)| item.start.line + 1),
            end_line: around.map_or(facts.lines, |(_, item)| item.end.line + 1),
            name_range: None,
            source: None,
        },
        language: facts.language.info().id,
        encoding: facts.encoding(),
        package: facts.str(facts.package).to_owned(),
        doc: facts.str(facts.doc).to_owned(),
        parts: Vec::new(),
        syntax_errors: facts.syntax_errors,
        declarations,
        start: 0,
        docs: Docs::Summary,
        revision: cx.revision,
        unsaved: file.unsaved,
    }
}

/// The declarations of one path: a type with its members, or a member with its overloads.
fn of_symbols(
    cx: &Invocation<'_>,
    found: &[Symbol],
    which: Which,
) -> Result<OutlineTree, ToolError> {
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a symbol.");
    let symbol = *found.first().ok_or_else(lost)?;
    let (file, item) = cx.index.get(symbol).ok_or_else(lost)?;
    let mut outline = OutlineTree {
        resolved: resolved_symbol(cx, symbol),
        location: cx.location(file, item),
        language: file.facts.language.info().id,
        encoding: file.facts.encoding(),
        package: String::new(),
        doc: String::new(),
        parts: Vec::new(),
        syntax_errors: file.facts.syntax_errors,
        declarations: Vec::new(),
        start: 0,
        docs: Docs::Summary,
        revision: cx.revision,
        unsaved: cx.is_unsaved(symbol.file),
    };
    let home = outline.location.file_path.clone();
    let elsewhere = |symbol: Symbol| {
        let path = cx.index.file(symbol.file).map(|file| cx.display_path(file));
        path.filter(|path| *path != home)
    };
    if item.kind.is_type() || item.kind.is_namespace() {
        outline
            .declarations
            .push(declaration(&file.facts, symbol.item, 0, None));
        // The first part is the symbol itself.
        for part in cx.index.parts_in(symbol, cx.overlay()).iter().skip(1) {
            if let Some((file, item)) = cx.index.get(part.symbol) {
                outline.parts.push(cx.location(file, item));
                outline.unsaved |= cx.is_unsaved(part.symbol.file);
            }
        }
        for member in cx.index.members_in(symbol, cx.overlay()) {
            push_tree(cx, member, 1, which, &elsewhere, &mut outline);
        }
    } else {
        for overload in found {
            push_tree(cx, *overload, 0, Which::All, &elsewhere, &mut outline);
        }
    }
    Ok(outline)
}

/// A member and, for types and functions, what is in it.
fn push_tree(
    cx: &Invocation<'_>,
    symbol: Symbol,
    depth: u8,
    which: Which,
    elsewhere: &dyn Fn(Symbol) -> Option<String>,
    outline: &mut OutlineTree,
) {
    let Some(file) = cx.index.file(symbol.file) else {
        return;
    };
    if !is_shown(&file.facts, symbol.item, which) {
        return;
    }
    outline.unsaved |= cx.is_unsaved(symbol.file);
    outline.declarations.push(declaration(
        &file.facts,
        symbol.item,
        depth,
        elsewhere(symbol),
    ));
    for index in symbol.item + 1..file.facts.items.len() as ItemIndex {
        if file.facts.items[index as usize].parent == Some(symbol.item) {
            push_tree(
                cx,
                Symbol {
                    file: symbol.file,
                    item: index,
                },
                depth + 1,
                which,
                elsewhere,
                outline,
            );
        }
    }
}

fn is_shown(facts: &Facts, index: ItemIndex, which: Which) -> bool {
    which == Which::All || is_accessible(facts, index)
}

fn depth(facts: &Facts, index: ItemIndex) -> u8 {
    let mut depth = 0u8;
    let mut parent = facts.items[index as usize].parent;
    while let Some(index) = parent {
        depth = depth.saturating_add(1);
        parent = facts.items[index as usize].parent;
    }
    depth
}

fn declaration(
    facts: &Facts,
    index: ItemIndex,
    depth: u8,
    file_path: Option<String>,
) -> Declaration {
    let item = &facts.items[index as usize];
    Declaration {
        name: facts.str(item.name).to_owned(),
        kind: item.kind.as_str(),
        depth,
        signature: (!item.signature.is_empty()).then(|| facts.str(item.signature).to_owned()),
        start_line: item.start.line + 1,
        end_line: item.end.line + 1,
        file_path,
        ranges: None,
        doc: (!item.doc.is_empty()).then(|| facts.str(item.doc).to_owned()),
        tags: facts.marks_of(item).map(str::to_owned).collect(),
        visibility: item.visibility,
        is_local: item.flags.contains(ItemFlags::LOCAL),
    }
}

impl OutlineTree {
    /// With so much documentation.
    pub(super) fn with_docs(mut self, docs: Docs) -> Self {
        self.docs = docs;
        self
    }

    /// Levels that are not wanted in the first place.
    fn passed_over(&self) -> usize {
        match self.docs {
            Docs::Full => 0,
            Docs::Summary => 1,
            Docs::None => 2,
        }
    }

    fn shown(&self, level: usize, pieces: usize) -> impl Iterator<Item = Declaration> {
        self.declarations[self.start..][..pieces]
            .iter()
            .map(move |declaration| at_level(declaration, level))
    }
}

/// Level 0: everything; 1: the first line of documentation; 2: none; 3: no signature either.
fn at_level(declaration: &Declaration, level: usize) -> Declaration {
    let mut shown = declaration.clone();
    match level {
        0 => {}
        1 => {
            shown.doc = shown
                .doc
                .and_then(|doc| doc.lines().next().map(str::to_owned))
        }
        2 => shown.doc = None,
        _ => {
            shown.doc = None;
            shown.signature = None;
            shown.tags.clear();
        }
    }
    shown
}

impl Reply for OutlineTree {
    fn levels(&self) -> &'static [&'static str] {
        match self.docs {
            Docs::Full => &["full", "doc:firstLine", "doc:none", "signature:none"],
            Docs::Summary => &["full", "doc:none", "signature:none"],
            Docs::None => &["full", "signature:none"],
        }
    }

    fn pieces(&self) -> usize {
        self.declarations.len() - self.start
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let level = level + self.passed_over();
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let data = OutlineData {
            resolved: self.resolved.clone(),
            location: self.location.clone(),
            language: self.language.to_owned(),
            encoding: self.encoding,
            package: text(&self.package),
            doc: match level {
                0 => text(&self.doc),
                1 => self.doc.lines().next().map(str::to_owned),
                _ => None,
            },
            parts: self.parts.clone(),
            syntax_errors: self.syntax_errors,
            total: self.declarations.len() as u32,
            declarations: Some(self.shown(level, pieces).collect()),
            outline_text: None,
            sources: Vec::new(),
            several: SeveralData::default(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let level = level + self.passed_over();
        let location = &self.location;
        let mut out = match &self.resolved {
            Some(resolved) => format!(
                "// {} {} · {} · {}\n",
                resolved.path,
                resolved.member_id.as_ref().unwrap_or(&resolved.type_id),
                location.short(),
                self.language
            ),
            None => format!(
                "// {} · {} · {}\n",
                location.file_path,
                self.language,
                counted(location.end_line, "line")
            ),
        };
        if !self.package.is_empty() {
            out.push_str(&format!("// package {}\n", self.package));
        }
        for part in &self.parts {
            out.push_str(&format!("// also {}\n", part.short()));
        }
        if let Some(encoding) = self.encoding {
            out.push_str(&format!("// read as {encoding}\n"));
        }
        if self.syntax_errors > 0 {
            let verb = if self.syntax_errors == 1 {
                "does"
            } else {
                "do"
            };
            let places = counted(self.syntax_errors, "place");
            out.push_str(&format!("// {places} {verb} not parse\n"));
        }
        if level < 2 {
            let lines = if level == 0 { usize::MAX } else { 1 };
            for line in self.doc.lines().take(lines) {
                out.push_str(&format!("/// {line}\n"));
            }
        }
        let mut file: Option<String> = None;
        for declaration in self.shown(level, pieces) {
            if declaration.file_path != file {
                let path = declaration
                    .file_path
                    .as_deref()
                    .unwrap_or(&location.file_path);
                out.push_str(&format!("// in {path}\n"));
                file.clone_from(&declaration.file_path);
            }
            push_declaration(&mut out, &declaration);
        }
        if (pieces as u32) < self.pieces() as u32 || self.start > 0 {
            out.push_str(&format!(
                "// {} in all\n",
                counted(self.declarations.len(), "declaration")
            ));
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

/// `12-40: public class Foo`, documentation above, indented by depth.
fn push_declaration(out: &mut String, declaration: &Declaration) {
    let indent = "  ".repeat(declaration.depth.into());
    for line in declaration.doc.iter().flat_map(|doc| doc.lines()) {
        out.push_str(&format!("{indent}/// {line}\n"));
    }
    out.push_str(&indent);
    out.push_str(&declaration.start_line.to_string());
    if declaration.end_line > declaration.start_line {
        out.push_str(&format!("-{}", declaration.end_line));
    }
    out.push_str(": ");
    match &declaration.signature {
        Some(signature) => out.push_str(signature),
        None => out.push_str(&format!("{} {}", declaration.kind, declaration.name)),
    }
    if !declaration.tags.is_empty() {
        out.push_str(&format!(" // {}", declaration.tags.join(", ")));
    }
    out.push('\n');
}
