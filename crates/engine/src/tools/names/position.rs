//! `codecortex_resolveSymbolAtPosition`: what the name at a place is and where it is declared (SPEC R1).

use codecortex_bind::facts::NONE;
use codecortex_index::FileId;
use codecortex_resolve::{DefRef, Query};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Aliases, LspRange, Subject, kind_word, name_bytes, name_of, preview, range_of, shown_line,
};
use crate::Engine;
use crate::error::{ErrorCode, ToolError};
use crate::tools::args::{check_text, parse};
use crate::tools::common::{Common, Reply};
use crate::tools::symbols::{EditorPosition, ResolvedSymbol};
use crate::tools::{Failure, Handled};

/// Arguments of `codecortex_resolveSymbolAtPosition`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PositionArgs {
    /// A file, best as `rootName/relative/path`.
    file_path: String,
    /// A place in a name.
    position: EditorPosition,
    /// Yes unless false.
    include_documentation: Option<bool>,
}

/// Answer of `codecortex_resolveSymbolAtPosition`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PositionData {
    /// The symbol's path and ids; absent for locals.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<ResolvedSymbol>,
    /// What the name means.
    symbol: SymbolData,
    /// The innermost declaration around the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    enclosing: Option<Enclosing>,
    #[serde(flatten)]
    common: Common,
}

/// A symbol and its declarations.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SymbolData {
    /// `class`, `method`, `variable` …
    kind: &'static str,
    name: String,
    /// Full path; of a local, its name.
    path: String,
    /// As the language writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    /// Where it is declared.
    definition: Definition,
    /// Its other declarations: overloads, parts, prototypes, other candidates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    definitions: Vec<Definition>,
    /// Its documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    doc: Option<String>,
}

/// One declaration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Definition {
    file_path: String,
    /// From 1.
    start_line: u32,
    /// From 1.
    end_line: u32,
    /// Of the whole declaration; from 0, UTF-16.
    range: LspRange,
    /// Of its name.
    name_range: LspRange,
    /// Its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<String>,
}

/// A declaration around a place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Enclosing {
    kind: &'static str,
    name: String,
    path: String,
    /// From 1.
    start_line: u32,
    /// From 1.
    end_line: u32,
    /// Of its name; from 0, UTF-16.
    name_range: LspRange,
}

struct At {
    resolved: Option<ResolvedSymbol>,
    symbol: SymbolData,
    enclosing: Option<Enclosing>,
    unsaved: bool,
}

/// Declarations that an answer lists; thousands of overloads help nobody.
const MOST: usize = 20;

pub(crate) fn handle(engine: &Engine, args: Value) -> Handled {
    let args: PositionArgs = parse(args)?;
    check_text("filePath", &args.file_path)?;
    engine.need_projects()?;
    let (file, byte) = engine.byte_at(&args.file_path, args.position)?;
    let names = engine.names();
    let query = Query::new(names.workspace());
    let subject = engine.subject_of(&query, file, byte, Aliases::Followed);
    let enclosing = enclosing(engine, file, byte);
    let Some(subject) = subject else {
        return Err(nothing(engine, &query, &args, (file, byte), enclosing).into());
    };
    let mut declarations: Vec<DefRef> = Vec::new();
    for def in &subject.defs {
        for part in query.symbol(*def) {
            if !declarations.contains(&part) && query.place(part).is_some() {
                declarations.push(part);
            }
        }
    }
    // What defines a type comes before what only announces it.
    declarations.sort_by_key(|def| query.is_announcement(*def));
    declarations.truncate(MOST);
    engine.need_texts(declarations.iter().map(|def| def.file))?;
    let mut definitions = Vec::new();
    for def in &declarations {
        if let Some(definition) = definition(engine, &query, *def)? {
            definitions.push(definition);
        }
    }
    let symbol = describe(engine, &query, &subject, definitions, &args)?;
    Ok(Box::new(At {
        resolved: subject.resolved,
        symbol,
        enclosing,
        unsaved: engine.is_unsaved(FileId(file)),
    }))
}

fn describe(
    engine: &Engine,
    query: &Query<'_>,
    subject: &Subject,
    mut definitions: Vec<Definition>,
    args: &PositionArgs,
) -> Result<SymbolData, Failure> {
    let names = engine.names();
    let first = subject.defs.first().copied();
    let (Some(first), false) = (first, definitions.is_empty()) else {
        return Err(
            ToolError::new(ErrorCode::InternalError, "The index lost a declaration.").into(),
        );
    };
    let definition = definitions.remove(0);
    let item = engine.symbol_of(query, first).and_then(|symbol| {
        let (file, item) = engine.index.get(symbol)?;
        Some((file, item))
    });
    let name = name_of(names.workspace(), first);
    let with_doc = args.include_documentation.unwrap_or(true);
    let text = |string| item.map(|(file, _)| file.facts.str(string).to_owned());
    let signature = item.and_then(|(_, item)| text(item.signature));
    let doc = item
        .and_then(|(_, item)| text(item.doc))
        .filter(|doc| with_doc && !doc.is_empty());
    let kind = match item {
        Some((_, item)) => item.kind.as_str(),
        None => names
            .workspace()
            .file(first.file)
            .map_or("variable", |file| kind_word(file.def(first.def).kind)),
    };
    Ok(SymbolData {
        kind,
        path: subject
            .resolved
            .as_ref()
            .map_or_else(|| name.clone(), |resolved| resolved.path.clone()),
        name,
        signature: signature.or_else(|| first_line(&definition)),
        definition,
        definitions,
        doc,
    })
}

/// A local has no entry of its own in the index; its line says what it is.
fn first_line(definition: &Definition) -> Option<String> {
    let preview = definition.preview.as_ref()?;
    preview.lines().next().map(|line| line.trim().to_owned())
}

fn definition(
    engine: &Engine,
    query: &Query<'_>,
    def: DefRef,
) -> Result<Option<Definition>, Failure> {
    let names = engine.names();
    let Some(name) = name_bytes(names.workspace(), def) else {
        return Ok(None);
    };
    let found = names
        .workspace()
        .file(def.file)
        .map(|file| file.def(def.def));
    let whole = found.map_or(name.clone(), |found| found.start..found.end);
    // The index knows where attributes and modifiers begin.
    let whole = match engine
        .symbol_of(query, def)
        .and_then(|symbol| engine.index.get(symbol))
    {
        Some((_, item)) => item.start_byte..item.end_byte,
        None => whole,
    };
    let text = match engine.text_of_file(FileId(def.file)) {
        Ok(text) => text,
        Err(Failure::Error(_)) => return Ok(None),
        Err(waits) => return Err(waits),
    };
    let range = range_of(&text, whole);
    let start_line = shown_line(&text, range.start_line());
    let end_line = range.end_line();
    Ok(Some(Definition {
        file_path: engine.shown_path(def.file),
        start_line,
        end_line,
        range,
        name_range: range_of(&text, name),
        preview: Some(preview(&text, start_line, end_line)),
    }))
}

fn enclosing(engine: &Engine, file: u32, byte: u32) -> Option<Enclosing> {
    let facts = &engine.index.file(FileId(file))?.facts;
    let around = facts.items.iter().enumerate().rev().find(|(_, item)| {
        let counts = item.kind.is_type()
            || item.kind.is_callable()
            || item.kind == codecortex_syntax::ItemKind::Extension;
        counts && item.start_byte <= byte && byte < item.end_byte
    });
    let (index, item) = around?;
    let symbol = codecortex_index::Symbol {
        file: FileId(file),
        item: index as u32,
    };
    Some(Enclosing {
        kind: item.kind.as_str(),
        name: facts.str(item.name).to_owned(),
        path: engine.index.path_of(symbol),
        start_line: item.start.line + 1,
        end_line: item.end.line + 1,
        name_range: LspRange::of_name(item),
    })
}

/// Why there is no symbol: no name, or one from outside.
fn nothing(
    engine: &Engine,
    query: &Query<'_>,
    args: &PositionArgs,
    (file, byte): (u32, u32),
    enclosing: Option<Enclosing>,
) -> ToolError {
    let place = format!(
        "{}:{}:{}",
        args.file_path.trim(),
        args.position.line,
        args.position.character
    );
    if let Some(busy) = engine.busy(&format!("What is at {place} is not indexed so far.")) {
        return busy;
    }
    let (used, _) = query.at(file, byte);
    let names = engine.names();
    let name = used.and_then(|expr| {
        let file = names.workspace().file(file)?;
        let (name, at, _) = file.expr(expr).written()?;
        (at != NONE).then(|| names.workspace().text(file.sym(name)).to_owned())
    });
    let error = match name {
        Some(name) => ToolError::new(
            ErrorCode::SymbolNotFound,
            format!("`{name}` at {place} is declared outside the workspace, or not known."),
        )
        .hint("`codecortex_searchApi` finds declarations of that name in the workspace."),
        None => ToolError::new(
            ErrorCode::SymbolNotFound,
            format!("There is no name at {place}."),
        )
        .hint("Give a place inside of a name; lines and characters count from 1."),
    };
    match enclosing {
        Some(enclosing) => error.detail(
            "enclosing",
            serde_json::to_value(enclosing).unwrap_or_default(),
        ),
        None => error,
    }
}

impl Reply for At {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "definitions:first", "doc:none", "preview:none"]
    }

    fn pieces(&self) -> usize {
        0
    }

    fn data(&self, level: usize, _pieces: usize, common: Common) -> Value {
        let data = PositionData {
            resolved: self.resolved.clone(),
            symbol: self.shown(level),
            enclosing: self.enclosing.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, _pieces: usize) -> String {
        let symbol = self.shown(level);
        let mut out = format!("// {} {}\n", symbol.kind, symbol.path);
        if let Some(doc) = &symbol.doc {
            for line in doc.lines() {
                out.push_str(&format!("// {line}\n"));
            }
        }
        for definition in std::iter::once(&symbol.definition).chain(&symbol.definitions) {
            out.push_str(&format!(
                "// {}:{}-{}\n",
                definition.file_path, definition.start_line, definition.end_line
            ));
            match &definition.preview {
                Some(preview) => {
                    out.push_str(preview);
                    out.push('\n');
                }
                None => out.push_str(&format!("{}\n", symbol.signature.as_deref().unwrap_or(""))),
            }
        }
        if let Some(enclosing) = &self.enclosing {
            out.push_str(&format!(
                "// named in {} {}\n",
                enclosing.kind, enclosing.path
            ));
        }
        out
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

impl At {
    fn shown(&self, level: usize) -> SymbolData {
        let mut symbol = self.symbol.clone();
        if level >= 1 {
            symbol.definitions.clear();
        }
        if level >= 2 {
            symbol.doc = None;
        }
        if level >= 3 {
            symbol.definition.preview = None;
        }
        symbol
    }
}
