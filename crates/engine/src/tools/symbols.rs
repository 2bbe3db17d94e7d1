//! Symbols as callers name them and as answers show them (SPEC D20, TC4).

use codecortex_index::{
    File, FileId, Resolution, Resolved, SegmentKind, Symbol, SymbolPath, member_id, type_id,
};
use codecortex_syntax::{Flags, Item, ItemKind};
use codecortex_text::Utf16Position;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::check_text;
use super::{Awaited, Failure};
use crate::Engine;
use crate::engine::Ids;
use crate::error::{ErrorCode, ToolError};
use crate::paths::{Place, display, place_of, places};
use crate::protocol::Phase;
use crate::workspace::Status;

/// More ids than this are not kept from answers.
const MAX_KNOWN_IDS: usize = 100_000;

/// The most candidates that an error lists.
const MAX_CANDIDATES: usize = 20;

/// A place in a file as an editor shows it.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub(crate) struct EditorPosition {
    /// Line from 1.
    #[schemars(range(min = 1))]
    pub(crate) line: u32,
    /// Character from 1, in UTF-16 units.
    #[schemars(range(min = 1))]
    pub(crate) character: u32,
}

impl EditorPosition {
    pub(crate) fn zero_based(self) -> Result<Utf16Position, ToolError> {
        if self.line == 0 || self.character == 0 {
            return Err(ToolError::invalid("`position` counts from 1.")
                .hint("Give line and character as an editor shows them, from 1."));
        }
        Ok(Utf16Position {
            line: self.line - 1,
            character: self.character - 1,
        })
    }
}

/// Which symbol an answer is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolvedSymbol {
    /// Full path.
    pub(crate) path: String,
    /// Id of the type, or of the type or module that the member is in.
    pub(crate) type_id: String,
    /// Id of the member, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) member_id: Option<String>,
}

impl ResolvedSymbol {
    /// The id of the symbol itself.
    fn id(&self) -> &str {
        self.member_id.as_ref().unwrap_or(&self.type_id)
    }
}

/// Where something is declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Location {
    /// `rootName/relative/path`.
    pub(crate) file_path: String,
    /// First line, from 1.
    pub(crate) start_line: u32,
    /// Last line, from 1.
    pub(crate) end_line: u32,
}

impl Location {
    /// `path:12-40`, or `path:12` for one line.
    pub(crate) fn short(&self) -> String {
        let Self {
            file_path,
            start_line,
            end_line,
        } = self;
        if end_line > start_line {
            format!("{file_path}:{start_line}-{end_line}")
        } else {
            format!("{file_path}:{start_line}")
        }
    }
}

/// What a member's id is made of (SPEC H2, `000` §4.4): accessibility, modifiers sorted, the type it
/// gives, its full name, the types of its parameters, how many of its own type parameters it has. Neither
/// names nor default values of parameters count.
fn canonical_signature(file: &File, item: &Item, path: &str) -> String {
    let mut words = vec![item.visibility.as_str()];
    words.extend(item.flags.modifiers());
    let text = |string| file.facts.str(string);
    let (result, params) = (text(item.result), text(item.params));
    let words = words.join(" ");
    // A language without types tells a method from a field by its kind.
    let kind = item.kind.as_str();
    format!("{words} {kind} {result} {path}({params}) {}", item.arity)
}

impl Engine {
    /// `rootName/relative/path` of a file.
    pub(crate) fn display_path(&self, file: &File) -> String {
        self.workspace
            .roots
            .get(file.root as usize)
            .map_or_else(|| file.path.to_string(), |root| display(root, &file.path))
    }

    pub(crate) fn location(&self, file: &File, item: &Item) -> Location {
        Location {
            file_path: self.display_path(file),
            start_line: item.start.line + 1,
            end_line: item.end.line + 1,
        }
    }

    /// The ids of a symbol (SPEC H2, TC4), which are kept: the caller may come back with them.
    pub(crate) fn resolved_symbol(&self, symbol: Symbol) -> Option<ResolvedSymbol> {
        let resolved = self.ids_of(symbol)?;
        let mut ids = self.memo.ids.borrow_mut();
        if ids.known.len() >= MAX_KNOWN_IDS && ids.all_of != Some(self.revision) {
            *ids = Ids::default();
        }
        ids.known.insert(resolved.id().to_owned(), symbol);
        Some(resolved)
    }

    fn ids_of(&self, symbol: Symbol) -> Option<ResolvedSymbol> {
        let (file, item) = self.index.get(symbol)?;
        let path = self.index.path_of(symbol);
        if item.kind.is_type() || item.kind.is_namespace() {
            let type_id = type_id(&path, item.kind.as_str(), item.arity);
            return Some(ResolvedSymbol {
                path,
                type_id,
                member_id: None,
            });
        }
        let owner = self.owner_id(symbol, file, item);
        let signature = canonical_signature(file, item, &path);
        Some(ResolvedSymbol {
            member_id: Some(member_id(&owner, &signature)),
            path,
            type_id: owner,
        })
    }

    /// The id of what a member is in: the type around it, the type that it is written outside of,
    /// or the module.
    fn owner_id(&self, symbol: Symbol, file: &File, item: &Item) -> String {
        let mut parent = item.parent;
        while let Some(index) = parent {
            let around = &file.facts.items[index as usize];
            if around.kind.is_type() {
                let owner = Symbol {
                    file: symbol.file,
                    item: index,
                };
                return type_id(
                    &self.index.path_of(owner),
                    around.kind.as_str(),
                    around.arity,
                );
            }
            parent = around.parent;
        }
        let segments = self.index.segments(symbol);
        let owner: Vec<&str> = segments[..segments.len().saturating_sub(1)]
            .iter()
            .map(|s| s.text)
            .collect();
        let in_type = segments
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|segment| segment.kind == SegmentKind::Type);
        if in_type
            && let Some(path) = SymbolPath::parse(&owner.join("."))
            && let Resolution::One(found) = self.index.resolve(&path)
            && let Some((_, item)) = self.index.get(found.symbols[0])
            && item.kind.is_type()
        {
            return type_id(&found.path, item.kind.as_str(), item.arity);
        }
        type_id(&owner.join("."), "module", 0)
    }

    /// What a symbol path or id means, or the error that says why it means nothing (SPEC S2, S5).
    pub(crate) fn find_symbol(&self, symbol: &str) -> Result<Resolved, ToolError> {
        check_text("symbol", symbol)?;
        if let Some(found) = self.by_id(symbol.trim()) {
            return Ok(found);
        }
        let path = SymbolPath::parse(symbol).ok_or_else(|| {
            ToolError::invalid("`symbol` is not a symbol path.")
                .hint("Give a name or a path such as `Core.NodeStore.Add`.")
        })?;
        match self.index.resolve(&path) {
            Resolution::One(found) => Ok(found),
            Resolution::Many(found) => Err(self.ambiguous(symbol, &found)),
            Resolution::None(suggestions) => Err(self.symbol_not_found(symbol, suggestions)),
        }
    }

    pub(crate) fn symbol_not_found(&self, symbol: &str, suggestions: Vec<String>) -> ToolError {
        let symbol: String = symbol.trim().chars().take(200).collect();
        if let Some(busy) = self.busy(&format!("'{symbol}' is not in what is indexed so far.")) {
            return busy;
        }
        let hint = match suggestions.first() {
            Some(first) => format!(
                "Did you mean `{first}`? `codecortex_searchApi` finds symbols by part of their name."
            ),
            None => "`codecortex_searchApi` finds symbols by part of their name.".to_owned(),
        };
        ToolError::new(ErrorCode::SymbolNotFound, format!("'{symbol}' not found."))
            .hint(hint)
            .detail("suggestions", suggestions)
    }

    fn ambiguous(&self, symbol: &str, found: &[Resolved]) -> ToolError {
        let candidates: Vec<Value> = found
            .iter()
            .take(MAX_CANDIDATES)
            .filter_map(|candidate| {
                let (file, item) = self.index.get(candidate.symbols[0])?;
                serde_json::to_value(Candidate {
                    path: &candidate.path,
                    kind: item.kind.as_str(),
                    type_id: self.resolved_symbol(candidate.symbols[0])?.type_id,
                    location: self.location(file, item),
                })
                .ok()
            })
            .collect();
        ToolError::new(
            ErrorCode::AmbiguousSymbol,
            format!("'{}' means {} symbols.", symbol.trim(), found.len()),
        )
        .hint("Give more of the path, or an overload's parameter types: `Type.Method(int)`.")
        .detail("candidates", candidates)
    }

    /// The error for an answer that would be wrong now and right later (SPEC P4).
    pub(crate) fn busy(&self, message: &str) -> Option<ToolError> {
        if !matches!(self.phase(), Phase::Scanning | Phase::Indexing) {
            return None;
        }
        let done = self.index.file_count();
        let total = done + self.workspace.pending();
        let progress = (done * 100).checked_div(total).unwrap_or(0);
        Some(
            ToolError::new(
                ErrorCode::Busy,
                format!("{message} The workspace is being indexed."),
            )
            .hint("Call again in a moment.")
            .retryable()
            .detail("progress", progress),
        )
    }

    fn by_id(&self, id: &str) -> Option<Resolved> {
        if !id.starts_with("T_") {
            return None;
        }
        let id = id.to_ascii_lowercase().replacen("t_", "T_", 1);
        let symbol = self.known_id(&id).or_else(|| {
            let is_complete = self.memo.ids.borrow().all_of == Some(self.revision);
            if is_complete {
                return None;
            }
            let ids = self.all_ids();
            let symbol = ids.known.get(&id).copied();
            *self.memo.ids.borrow_mut() = ids;
            symbol
        })?;
        Some(Resolved {
            path: self.index.path_of(symbol),
            symbols: vec![symbol],
            matched: codecortex_index::Match::Exact,
        })
    }

    /// The symbol of an id that was given out, if it is still somewhere in the same file.
    fn known_id(&self, id: &str) -> Option<Symbol> {
        let before = *self.memo.ids.borrow().known.get(id)?;
        let is_it = |symbol: &Symbol| self.ids_of(*symbol).is_some_and(|now| now.id() == id);
        if is_it(&before) {
            return Some(before);
        }
        let file = self.index.file(before.file)?;
        (0..file.facts.items.len() as u32)
            .map(|item| Symbol { item, ..before })
            .filter(|symbol| self.has_id(*symbol))
            .find(is_it)
    }

    fn has_id(&self, symbol: Symbol) -> bool {
        let item = self.index.get(symbol).map(|(_, item)| item);
        item.is_some_and(|item| {
            item.kind != ItemKind::Extension && !item.flags.contains(Flags::LOCAL)
        })
    }

    /// Every id; half a second on a million lines.
    fn all_ids(&self) -> Ids {
        let mut known = FxHashMap::default();
        for (file_id, file) in self.index.files() {
            for item in 0..file.facts.items.len() as u32 {
                let symbol = Symbol {
                    file: file_id,
                    item,
                };
                if self.has_id(symbol)
                    && let Some(resolved) = self.ids_of(symbol)
                {
                    let id = resolved.id().to_owned();
                    known.entry(id).or_insert(symbol);
                }
            }
        }
        Ids {
            known,
            all_of: Some(self.revision),
        }
    }

    /// The indexed file that a caller's path means (SPEC TC2, D12).
    pub(crate) fn find_file(&self, input: &str) -> Result<FoundFile<'_>, Failure> {
        check_text("filePath", input)?;
        let readings = match places(input, &self.workspace.roots) {
            Ok(readings) => readings,
            // An open document may lie anywhere.
            Err(error) => {
                let open = self.outside.get(&input.trim().replace('\\', "/"));
                return open
                    .map(|facts| FoundFile::Outside {
                        path: input.trim().replace('\\', "/"),
                        facts,
                    })
                    .ok_or(Failure::Error(error));
            }
        };
        let known: Vec<&Place> = readings
            .iter()
            .filter(|place| self.workspace.file(place.root, &place.path).is_some())
            .collect();
        match known.as_slice() {
            [place] => self.known_file(input, place),
            [] => self.missing_file(input, &readings),
            several => {
                let candidates: Vec<String> = several
                    .iter()
                    .map(|place| display(&self.workspace.roots[place.root as usize], &place.path))
                    .collect();
                Err(
                    ToolError::invalid(format!("`{input}` is in several workspace folders."))
                        .hint("Begin the path with the folder's name, as the candidates do.")
                        .detail("candidates", candidates)
                        .into(),
                )
            }
        }
    }

    fn known_file(&self, input: &str, place: &Place) -> Result<FoundFile<'_>, Failure> {
        let state = self.workspace.file(place.root, &place.path);
        match state.map(|state| &state.status) {
            Some(Status::Indexed) => match self.index.file_id(place.root, &place.path) {
                Some(id) => Ok(FoundFile::Indexed(id)),
                None => {
                    Err(ToolError::new(ErrorCode::InternalError, "The index lost a file.").into())
                }
            },
            Some(Status::Pending) => Err(Failure::Waits(Awaited::File(place.clone()))),
            Some(Status::Skipped(codecortex_syntax::SkipReason::Symlink)) => {
                self.linked_file(input, place)
            }
            Some(Status::Skipped(reason)) => Err(ToolError::new(
                ErrorCode::Unavailable,
                format!("`{input}` is not in the index: {}.", explain(reason)),
            )
            .hint("`codecortex_status` with `list: \"skipped\"` shows what was left out.")
            .detail("reason", reason.as_str())
            .into()),
            None => self.missing_file(input, std::slice::from_ref(place)),
        }
    }

    fn linked_file(&self, input: &str, place: &Place) -> Result<FoundFile<'_>, Failure> {
        let target = self
            .workspace
            .through_link(place.root, &place.path)
            .flatten();
        let inside = target
            .as_deref()
            .and_then(|target| place_of(target, &self.workspace.roots));
        match (inside, target) {
            // A link to a link is already followed: `target` is final.
            (Some(target), _) if target != *place => self.known_file(input, &target),
            (_, Some(_)) => Err(ToolError::new(
                ErrorCode::AccessDenied,
                format!("`{input}` is a link that leads out of the workspace."),
            )
            .into()),
            _ => Err(ToolError::new(
                ErrorCode::NotFound,
                format!("`{input}` is a link that leads nowhere."),
            )
            .into()),
        }
    }

    fn missing_file(&self, input: &str, readings: &[Place]) -> Result<FoundFile<'_>, Failure> {
        for place in readings {
            if self
                .workspace
                .through_link(place.root, &place.path)
                .is_some()
            {
                return self.linked_file(input, place);
            }
        }
        Err(self.not_found(input, readings))
    }

    fn not_found(&self, input: &str, readings: &[Place]) -> Failure {
        let around = readings
            .iter()
            .find_map(|place| self.workspace.left_out_around(place.root, &place.path));
        if let Some((folder, reason)) = around {
            return ToolError::new(
                ErrorCode::Unavailable,
                format!(
                    "`{input}` is not in the index: its folder `{folder}` is left out, {}.",
                    explain(reason)
                ),
            )
            .hint("`codecortex_status` with `list: \"skipped\"` shows what was left out.")
            .detail("reason", reason.as_str())
            .into();
        }
        if readings
            .iter()
            .any(|place| self.workspace.is_dir(place.root, &place.path))
        {
            return ToolError::invalid(format!("`{input}` is a folder."))
                .hint("Give a file's path.")
                .into();
        }
        if let Some(busy) = self.busy(&format!("`{input}` is not known yet.")) {
            return busy.into();
        }
        let name = input
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or(input)
            .to_lowercase();
        let mut near: Vec<String> = self
            .workspace
            .files()
            .filter(|(_, path, _)| {
                path.rsplit('/')
                    .next()
                    .is_some_and(|file| file.to_lowercase() == name)
            })
            .map(|(root, path, _)| display(&self.workspace.roots[root as usize], path))
            .take(5)
            .collect();
        near.sort();
        let error = ToolError::new(
            ErrorCode::NotFound,
            format!("`{input}` does not exist in the workspace."),
        );
        match near.first() {
            Some(first) => error
                .hint(format!("Did you mean `{first}`?"))
                .detail("suggestions", near),
            None => error
                .hint("Give a path relative to a workspace folder, or `rootName/relative/path`."),
        }
        .into()
    }
}

/// A file that a caller named.
pub(crate) enum FoundFile<'a> {
    /// In the index.
    Indexed(FileId),
    /// Open in an editor, outside every folder.
    Outside {
        /// Absolute path.
        path: String,
        /// What it says.
        facts: &'a codecortex_syntax::Facts,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'a> {
    path: &'a str,
    kind: &'a str,
    type_id: String,
    #[serde(flatten)]
    location: Location,
}

/// Why a file is left out, for the end of a sentence.
pub(crate) fn explain(reason: &codecortex_syntax::SkipReason) -> String {
    use codecortex_syntax::SkipReason as R;
    match reason {
        R::Ignored => "an ignore file leaves it out".to_owned(),
        R::Excluded => "the settings leave it out".to_owned(),
        R::Tooling => "it is a folder of dependencies, build output or version control".to_owned(),
        R::UnknownLanguage => "it is in no language that is indexed".to_owned(),
        R::GrammarLeftOut => "this build was made without its grammar".to_owned(),
        R::Binary => "it is not text".to_owned(),
        R::Generated => "it is generated".to_owned(),
        R::Minified => "it is minified".to_owned(),
        R::Oversized => "it is larger than the size limit".to_owned(),
        R::Symlink => "it is a link; what it leads to is indexed where it is".to_owned(),
        R::NotAFile => "it is no regular file".to_owned(),
        R::TooComplex => "it is too ambiguous to parse in bounded time".to_owned(),
        R::Unreadable(problem) => format!("it could not be read ({problem})"),
    }
}
