//! The symbol that a question is about, its places and previews.

use codecortex_bind::facts::NONE;
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver, Workspace};
use codecortex_syntax::Item;

use crate::disk_text::TextRef;
use crate::found_file::FoundFile;
use crate::place::{EditorPosition, ResolvedSymbol};
use crate::symbols::ids::{resolved_set, resolved_symbol};
use crate::view::AnalysisView;

/// The symbol that a call is about: by a place or by its path.
pub struct CallSubject {
    /// Its definitions.
    pub defs: Vec<DefRef>,
    /// What the caller meant, where it is in the index.
    pub resolved: Option<ResolvedSymbol>,
}

impl CallSubject {
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
pub enum ImportedNamePolicy {
    /// It is: its uses are wanted.
    Kept,
    /// It stands for what it names: that declaration is wanted.
    Followed,
}

impl AnalysisView<'_> {
    /// What is at a place in a file.
    pub fn subject_at(
        &self,
        path: &str,
        position: EditorPosition,
    ) -> Result<Option<CallSubject>, Failure> {
        let (file, byte) = self.byte_at(path, position)?;
        let names = self.names();
        let query = Resolver::new(names.workspace());
        // Uses are wanted of the variable that a pattern binds, not of the field that it takes it from.
        if let (Some(_), Some(bound)) = query.at(file, byte)
            && query.is_bound_from_field(bound)
        {
            return Ok(Some(CallSubject {
                defs: vec![bound],
                resolved: None,
            }));
        }
        let mut subject = self.subject_of(&query, file, byte, ImportedNamePolicy::Kept);
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
        aliases: ImportedNamePolicy,
    ) -> Option<CallSubject> {
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
            if aliases == ImportedNamePolicy::Followed {
                defs = query.without_aliases(defs);
            }
        }
        let first = *defs.first()?;
        let symbol = self.symbol_of(query, first);
        if let Some(symbol) = symbol {
            self.note_subject(symbol);
        }
        Some(CallSubject {
            resolved: symbol.and_then(|symbol| resolved_symbol(self, symbol)),
            defs,
        })
    }

    /// What a symbol path or id means.
    pub fn subject_named(&self, symbol: &str) -> Result<CallSubject, Failure> {
        let found = self.find_symbol(symbol)?;
        let names = self.names();
        let query = Resolver::new(names.workspace());
        let defs: Vec<DefRef> = found
            .symbols
            .iter()
            .filter_map(|symbol| self.def_of(&query, *symbol))
            .collect();
        let resolved = resolved_set(self, &found.symbols);
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
        Ok(CallSubject { defs, resolved })
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

    /// The indexed file that a caller names, and its text.
    pub fn text_at(&self, path: &str) -> Result<(FileId, TextRef<'_>), Failure> {
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
        Ok((id, self.text_of_file(id)?))
    }

    /// The byte that a place means.
    pub fn byte_at(&self, path: &str, position: EditorPosition) -> Result<(FileNo, u32), Failure> {
        let at = position.zero_based()?;
        let (id, text) = self.text_at(path)?;
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
