//! The symbol that a question is about, its places and previews.

use codecortex_bind::facts::{DefKind, NONE};
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver, Workspace};
use codecortex_syntax::language::language_of_path;
use codecortex_syntax::{Item, Language};
use schemars::JsonSchema;
use serde::Serialize;

use crate::symbols::files::FoundFile;
use crate::symbols::{EditorPosition, ResolvedSymbol};
use crate::texts::TextRef;
use crate::view::View;

/// A place as the Language Server Protocol has it: from 0, in UTF-16 units (SPEC TC7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LspPosition {
    /// Line, from 0.
    pub line: u32,
    /// UTF-16 units, from 0.
    pub character: u32,
}

impl From<(u32, u32)> for LspPosition {
    fn from((line, character): (u32, u32)) -> Self {
        Self { line, character }
    }
}

/// A range as the Language Server Protocol has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LspRange {
    /// Where it begins.
    pub start: LspPosition,
    /// Where it ends.
    pub end: LspPosition,
}

/// Lines of a preview at most (SPEC PV1).
const PREVIEW_LINES: usize = 20;
/// What stands for source that cannot be read (SPEC PV1).
pub const UNAVAILABLE: &str = "<source unavailable>";
/// Macros of the Unreal engine that belong to the declaration in the line below (SPEC PV1).
const UNREAL_MACROS: [&str; 5] = ["UCLASS", "UPROPERTY", "UFUNCTION", "UENUM", "USTRUCT"];

/// The symbol that a call is about: by a place or by its path.
pub struct Subject {
    /// Its definitions.
    pub defs: Vec<DefRef>,
    /// What the caller meant, where it is in the index.
    pub resolved: Option<ResolvedSymbol>,
}

impl Subject {
    /// What the index does not know.
    pub fn unknown() -> Self {
        Self {
            defs: Vec::new(),
            resolved: None,
        }
    }
}

/// Whether the name that an import gives is a symbol of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aliases {
    /// It is: its uses are wanted.
    Kept,
    /// It stands for what it names: that declaration is wanted.
    Followed,
}

impl View<'_> {
    /// What is at a place in a file.
    pub fn subject_at(
        &self,
        path: &str,
        position: EditorPosition,
    ) -> Result<Option<Subject>, Failure> {
        let (file, byte) = self.byte_at(path, position)?;
        let names = self.names();
        let query = Resolver::new(names.workspace());
        // Uses are wanted of the variable that a pattern binds, not of the field that it takes it from.
        if let (Some(_), Some(bound)) = query.at(file, byte)
            && query.is_bound_from_field(bound)
        {
            return Ok(Some(Subject {
                defs: vec![bound],
                resolved: None,
            }));
        }
        let mut subject = self.subject_of(&query, file, byte, Aliases::Kept);
        // `{ a }` names a variable and a key, and both have uses.
        if let (Some(subject), Some(key)) = (&mut subject, query.at(file, byte).1)
            && query.is_shorthand(key)
        {
            let keys = query.contextual_definitions(key).into_iter();
            let more: Vec<DefRef> = keys.filter(|key| !subject.defs.contains(key)).collect();
            subject.defs.extend(more);
        }
        Ok(subject)
    }

    /// What is at a byte: what is used there, else what is declared there.
    pub fn subject_of(
        &self,
        query: &Resolver<'_>,
        file: FileNo,
        byte: u32,
        aliases: Aliases,
    ) -> Option<Subject> {
        // Behind the last letter of a name an editor still means the name.
        let mut found = query.at(file, byte);
        if found == (None, None) && byte > 0 {
            found = query.at(file, byte - 1);
        }
        let (used, defined) = found;
        let mut defs = Vec::new();
        if let Some(expr) = used {
            let target = query.target_of_written(ExprRef { file, expr });
            defs = target.defs;
            if defs.is_empty() {
                defs = target.via_aliases;
            }
        }
        if let Some(defined) = defined.filter(|_| defs.is_empty()) {
            defs = query.contextual_definitions(defined);
            if aliases == Aliases::Followed {
                defs = query.without_aliases(defs);
            }
        }
        let first = *defs.first()?;
        let symbol = self.symbol_of(query, first);
        if let Some(symbol) = symbol {
            self.note_subject(symbol);
        }
        Some(Subject {
            resolved: symbol.and_then(|symbol| self.resolved_symbol(symbol)),
            defs,
        })
    }

    /// What a symbol path or id means.
    pub fn subject_named(&self, symbol: &str) -> Result<Subject, Failure> {
        let found = self.find_symbol(symbol)?;
        let names = self.names();
        let query = Resolver::new(names.workspace());
        let defs: Vec<DefRef> = found
            .symbols
            .iter()
            .filter_map(|symbol| self.def_of(&query, *symbol))
            .collect();
        let resolved = found
            .symbols
            .first()
            .and_then(|symbol| self.resolved_symbol(*symbol));
        if defs.is_empty() {
            let language = found.symbols.first().and_then(|symbol| {
                let file = self.index.file(symbol.file)?;
                Some(file.facts.language)
            });
            let id = language.map_or("this language", |language| language.info().id);
            return Err(ToolError::new(
                ErrorCode::Unavailable,
                format!("Uses of '{}' are not followed: {id}.", found.path),
            )
            .hint("`codecortex_searchApi` and `codecortex_getOutline` know its declarations.")
            .into());
        }
        Ok(Subject { defs, resolved })
    }

    /// Whether uses of these definitions are found by their name alone: their language is of the second rank.
    pub fn is_by_name(&self, defs: &[DefRef]) -> bool {
        let names = self.names();
        let query = Resolver::new(names.workspace());
        defs.first().is_some_and(|def| query.is_by_name(def.file))
    }

    /// The innermost declaration around a byte of a file that has a path.
    pub fn around(&self, file: FileNo, byte: u32) -> Option<(Symbol, &Item)> {
        let facts = &self.index.file(FileId(file))?.facts;
        let around = facts.items.iter().enumerate().rev().find(|(_, item)| {
            item.start_byte <= byte && byte < item.end_byte && !item.name.is_empty()
        });
        let (index, item) = around?;
        Some((
            Symbol {
                file: FileId(file),
                item: index as u32,
            },
            item,
        ))
    }

    /// The byte that a place means.
    pub fn byte_at(&self, path: &str, position: EditorPosition) -> Result<(FileNo, u32), Failure> {
        let at = position.zero_based()?;
        let id = match self.find_file(path)? {
            FoundFile::Indexed(id) | FoundFile::Names(id) => id,
            FoundFile::Outside { .. } => {
                return Err(ToolError::new(
                    ErrorCode::Unavailable,
                    format!("`{path}` is outside the workspace: its names are not followed."),
                )
                .into());
            }
        };
        let text = self.text_of_file(id)?;
        let byte = text.snapshot.text.offset(at).map_err(|_| {
            ToolError::invalid(format!(
                "`{path}` has no line {} with a character {}.",
                position.line, position.character
            ))
            .hint("Lines and characters count from 1, characters in UTF-16 units.")
        })?;
        // A sign in front of a name belongs to it: C#'s `@class`, annotations, decorators.
        let text = &text.snapshot.text;
        let line = text.line_of(byte);
        let column = byte - text.line_start(line);
        let rest = text.line(line);
        let is_sign = rest.get(column..).is_some_and(|rest| rest.starts_with('@'));
        Ok((id.0, byte as u32 + u32::from(is_sign)))
    }
}

/// The range of some bytes of a text, clamped to it.
pub fn range_of(text: &TextRef<'_>, bytes: std::ops::Range<u32>) -> LspRange {
    let document = &text.snapshot.text;
    let position = |byte: u32| {
        let at = document.position((byte as usize).min(document.len()));
        LspPosition {
            line: at.line,
            character: at.character,
        }
    };
    LspRange {
        start: position(bytes.start),
        end: position(bytes.end),
    }
}

impl LspRange {
    /// Of a place that a language provider names outside of the index.
    pub fn of_outside(range: [(u32, u32); 2]) -> Self {
        let [start, end] = range.map(LspPosition::from);
        Self { start, end }
    }

    /// Of a declaration's name.
    pub fn of_name(item: &Item) -> Self {
        Self::between(item.name_start, item.name_end)
    }

    /// Of a whole declaration.
    pub fn of_item(item: &Item) -> Self {
        Self::between(item.start, item.end)
    }

    fn between(start: codecortex_text::Utf16Position, end: codecortex_text::Utf16Position) -> Self {
        let position = |at: codecortex_text::Utf16Position| LspPosition {
            line: at.line,
            character: at.character,
        };
        Self {
            start: position(start),
            end: position(end),
        }
    }

    /// First line, from 1.
    pub fn start_line(self) -> u32 {
        self.start.line + 1
    }

    /// Last line, from 1.
    pub fn end_line(self) -> u32 {
        self.end.line + 1
    }
}

/// The source of some lines, from 1, at most twenty (SPEC PV1).
pub fn preview(text: &TextRef<'_>, start_line: u32, end_line: u32) -> String {
    let document = &text.snapshot.text;
    let first = start_line.saturating_sub(1) as usize;
    let last = (end_line as usize).min(document.line_count());
    if first >= document.line_count() || first >= last {
        return UNAVAILABLE.to_owned();
    }
    let shown = last.min(first + PREVIEW_LINES);
    let mut out = document.lines(first..shown);
    while out.ends_with(['\n', '\r']) {
        out.pop();
    }
    if shown < last {
        out.push_str("\n... (truncated)");
    }
    out
}

/// Whether a file may have macros of the Unreal engine: C++, and AngelScript, which is not indexed. Other
/// languages have functions of these names.
pub fn has_unreal_macros(path: &str, language: Option<Language>) -> bool {
    let language = language.or_else(|| language_of_path(path));
    match language {
        Some(language) => matches!(language, Language::Cpp | Language::C),
        None => path.ends_with(".as"),
    }
}

/// The line at which a definition is shown: one up where an Unreal macro stands there (SPEC PV1, D22).
pub fn shown_line(text: &TextRef<'_>, has_macros: bool, start_line: u32) -> u32 {
    let document = &text.snapshot.text;
    let Some(above) = start_line.checked_sub(2).filter(|_| has_macros) else {
        return start_line;
    };
    let line = document.line(above as usize);
    let line = line.trim_start();
    let is_macro = UNREAL_MACROS.iter().any(|name| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    });
    if is_macro { start_line - 1 } else { start_line }
}

/// The word for what a definition defines.
pub fn kind_word(kind: DefKind) -> &'static str {
    match kind {
        DefKind::Namespace => "namespace",
        DefKind::Module => "module",
        DefKind::Class => "class",
        DefKind::Struct => "struct",
        DefKind::Interface => "interface",
        DefKind::Trait => "trait",
        DefKind::Enum => "enum",
        DefKind::Record => "record",
        DefKind::Union => "union",
        DefKind::Delegate => "delegate",
        DefKind::TypeAlias => "typeAlias",
        DefKind::TypeParam => "typeParameter",
        DefKind::Impl => "extension",
        DefKind::Function => "function",
        DefKind::Method => "method",
        DefKind::Constructor => "constructor",
        DefKind::Lambda => "lambda",
        DefKind::Property => "property",
        DefKind::Field => "field",
        DefKind::Constant => "constant",
        DefKind::EnumMember => "enumMember",
        DefKind::Event => "event",
        DefKind::Variable => "variable",
        DefKind::Parameter => "parameter",
        DefKind::Macro => "macro",
        DefKind::Alias => "alias",
        DefKind::Label => "label",
    }
}

/// The name of a definition.
pub fn name_of(workspace: &Workspace, def: DefRef) -> String {
    workspace.file(def.file).map_or_else(String::new, |file| {
        workspace.text(file.name(file.def(def.def).name)).to_owned()
    })
}

/// The bytes of a definition's name.
pub fn name_bytes(workspace: &Workspace, def: DefRef) -> Option<std::ops::Range<u32>> {
    let file = workspace.file(def.file)?;
    let found = file.def(def.def);
    if found.at == NONE {
        return None;
    }
    let length = workspace.text(file.name(found.name)).len() as u32;
    Some(found.at..found.at + length)
}
