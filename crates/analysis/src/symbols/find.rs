//! What a symbol path or id means, and why it means nothing (SPEC S2, S5).

use codecortex_answer::Detour;
use codecortex_answer::Meaning;
use codecortex_answer::args::check_text;
use codecortex_index::{FileId, Match, Resolution, Resolved, Symbol, SymbolPath};
use codecortex_protocol::{ErrorCode, ToolError};
use serde::Serialize;
use serde_json::Value;

use crate::artefacts::needs::{id_of_type, type_around};
use crate::generated::{is_less_than_generated, note_sought};
use crate::place::Location;
use crate::symbols::ids::{by_id, resolved_symbol};
use crate::symbols::other_paths::by_other_path;
use crate::view::AnalysisView;

/// The most candidates that an error lists.
const MAX_CANDIDATES: usize = 20;

impl AnalysisView<'_> {
    /// What a symbol path or id means, or the error that says why it means nothing (SPEC S2, S5).
    pub fn find_symbol(&self, symbol: &str) -> Result<Resolved, ToolError> {
        check_text("symbol", symbol)?;
        let found = self.look_up(symbol)?;
        if let Some(symbol) = found.symbols.first() {
            self.note_subject(*symbol);
            self.note_use(*symbol);
        }
        Ok(found)
    }

    /// The same where only some symbols can be meant: of several meanings those count that can.
    pub fn find_symbol_that(
        &self,
        symbol: &str,
        can_be_meant: impl Fn(&Symbol) -> bool,
    ) -> Result<Resolved, ToolError> {
        let error = match self.find_symbol(symbol) {
            Err(error) if error.code == ErrorCode::AmbiguousSymbol => error,
            found => return found,
        };
        let path = SymbolPath::parse(symbol).map(|path| self.resolve(&path));
        let Some(Resolution::Many(mut groups)) = path else {
            return Err(error);
        };
        groups.retain(|group| group.symbols.iter().any(&can_be_meant));
        match &groups[..] {
            [] => Err(error),
            [only] => {
                let first = only.symbols[0];
                self.note_subject(first);
                self.note_use(first);
                Ok(groups.remove(0))
            }
            several => Err(self.ambiguous(symbol, several)),
        }
    }

    /// The symbol of a path or id in one folder of the workspace.
    pub fn find_symbol_in(&self, symbol: &str, root: u32) -> Result<Symbol, ToolError> {
        check_text("symbol", symbol)?;
        let found = match self.look_up(symbol) {
            Ok(found) => {
                let mut symbols = found.symbols.iter().copied();
                // An id stands for what has its path in every folder.
                match symbols.find(|symbol| self.is_in(root, *symbol)) {
                    Some(found) => found,
                    None => self.namesake_in(root, &found.path)?,
                }
            }
            Err(error) if error.code == ErrorCode::AmbiguousSymbol => {
                self.namesake_in(root, symbol)?
            }
            Err(error) => return Err(error),
        };
        self.note_subject(found);
        self.note_use(found);
        Ok(found)
    }

    /// What a path means in a folder of the workspace.
    fn namesake_in(&self, root: u32, path: &str) -> Result<Symbol, ToolError> {
        self.meant_in(root, path).map(|found| found.symbols[0])
    }

    /// The same with all declarations.
    fn meant_in(&self, root: u32, path: &str) -> Result<Resolved, ToolError> {
        let mut groups = match SymbolPath::parse(path).map(|path| self.resolve(&path)) {
            Some(Resolution::One(found)) => vec![found],
            Some(Resolution::Many(found)) => found,
            _ => Vec::new(),
        };
        for group in &mut groups {
            group.symbols.retain(|symbol| self.is_in(root, *symbol));
        }
        groups.retain(|group| !group.symbols.is_empty());
        match groups.len() {
            0 => Err(self.symbol_not_found(path, Vec::new())),
            1 => Ok(groups.remove(0)),
            _ => Err(self.ambiguous(path, &groups)),
        }
    }

    /// What `rootName/path` means: paths alone do not tell several folders of a workspace apart (SPEC TC2).
    fn in_named_root(&self, symbol: &str) -> Option<Result<Resolved, ToolError>> {
        let roots = &self.workspace.roots;
        let mut named = roots.iter().zip(0..).filter_map(|(root, index)| {
            let rest = symbol.trim().strip_prefix(root.name.as_str())?;
            Some(self.meant_in(index, rest.strip_prefix('/')?))
        });
        named.next()
    }

    /// Those that are in one folder of the workspace: a namespace is in all that declare something in it.
    fn without_namespaces(&self, symbols: &[Symbol]) -> Vec<Symbol> {
        let is_namespace = |symbol: &Symbol| {
            let item = self.index.get(*symbol).map(|(_, item)| item);
            item.is_some_and(|item| item.kind.is_namespace())
        };
        symbols
            .iter()
            .copied()
            .filter(|symbol| !is_namespace(symbol))
            .collect()
    }

    /// Refuses to choose between symbols of one path in several folders, unless they are parts of one type (SPEC TC2).
    pub fn check_one_root(&self, symbol: &str, types: &[Symbol]) -> Result<(), ToolError> {
        let Some(first) = types.first() else {
            return Ok(());
        };
        let root_of = |symbol: &Symbol| self.index.file(symbol.file).map(|file| file.root);
        let is_elsewhere = |other: &&Symbol| root_of(other) != root_of(first);
        if types.iter().find(is_elsewhere).is_none() {
            return Ok(());
        }
        let parts = self.index.parts_in(*first, self.overlay());
        let mut candidates: Vec<Resolved> = Vec::new();
        for found in types {
            let is_part = found != first && parts.iter().any(|part| part.symbol == *found);
            let root = root_of(found).and_then(|root| self.workspace.roots.get(root as usize));
            let Some(root) = root.filter(|_| !is_part) else {
                continue;
            };
            let path = format!("{}/{}", root.name, self.index.path_of(*found));
            if candidates.iter().all(|known| known.path != path) {
                candidates.push(Resolved {
                    path,
                    symbols: vec![*found],
                    matched: Match::Exact,
                });
            }
        }
        match candidates.len() {
            0 | 1 => Ok(()),
            _ => Err(self.ambiguous(symbol, &candidates)),
        }
    }

    /// What a path or id means now, for who only compares: nothing counts as used.
    pub fn peek_symbol(&self, symbol: &str) -> Option<Resolved> {
        self.look_up(symbol).ok()
    }

    /// The declarations that a place means, where the call gave one for a symbol (SPEC D20).
    pub fn placed(&self, symbol: &str) -> Option<Resolved> {
        let placed = self.call.placed.borrow();
        let (_, declarations) = placed.iter().find(|(written, _)| written == symbol)?;
        let symbols = declarations.iter().map(|(file, item)| Symbol {
            file: FileId(*file),
            item: *item,
        });
        let symbols: Vec<Symbol> = symbols.collect();
        Some(Resolved {
            path: self.index.path_of(*symbols.first()?),
            symbols,
            matched: Match::Exact,
        })
    }

    fn look_up(&self, symbol: &str) -> Result<Resolved, ToolError> {
        if let Some(found) = self.placed(symbol) {
            return Ok(found);
        }
        if let Some(found) = by_id(self, symbol.trim()) {
            return Ok(found);
        }
        if let Some(found) = self.by_remembered_id(symbol.trim()) {
            return Ok(found);
        }
        let path = SymbolPath::parse(symbol).ok_or_else(|| {
            ToolError::invalid("`symbol` is not a symbol path.")
                .hint("Give a name or a path such as `Core.NodeStore.Add`.")
        })?;
        let found = self.resolve_as_written(&path, symbol);
        let meanings = match &found {
            Resolution::One(found) => std::slice::from_ref(found),
            Resolution::Many(found) => found,
            Resolution::None(_) => &[],
        };
        if !meanings.is_empty() && is_less_than_generated(self, symbol, meanings) {
            return Err(self.symbol_not_found(symbol, Vec::new()));
        }
        match found {
            Resolution::One(found) => {
                self.check_one_root(symbol, &self.without_namespaces(&found.symbols))?;
                self.note_spelling(&path, symbol, &found);
                Ok(found)
            }
            Resolution::Many(found) => Err(self.ambiguous(symbol, &found)),
            Resolution::None(suggestions) => match self.in_named_root(symbol) {
                Some(found) => found,
                None => self
                    .by_detour(&path, symbol)
                    .ok_or_else(|| self.symbol_not_found(symbol, suggestions)),
            },
        }
    }

    /// What a path means, where what a module exports under it as it is written comes before what is declared there in
    /// other letters: of `mod deep; pub use deep::Deep;` the type.
    pub fn resolve_as_written(&self, path: &SymbolPath, symbol: &str) -> Resolution {
        let found = self.resolve(path);
        let is_other = match &found {
            Resolution::One(found) => found.is_other_spelling(path),
            Resolution::Many(all) => all.iter().all(|found| found.is_other_spelling(path)),
            Resolution::None(_) => false,
        };
        if !is_other {
            return found;
        }
        match by_other_path(self, path) {
            Some((exported, by)) if !exported.is_other_spelling(path) => {
                let first = exported.symbols.first();
                if let Some(ids) = first.and_then(|first| resolved_symbol(self, *first)) {
                    self.note_detour(ids.id().to_owned(), symbol.trim().to_owned(), by);
                }
                Resolution::One(exported)
            }
            _ => found,
        }
    }

    /// What was called so before, is exported under this path, or is inherited by the type in it (SPEC A1, D20).
    pub fn by_detour(&self, path: &SymbolPath, symbol: &str) -> Option<Resolved> {
        if let Some(found) = self.by_old_path(symbol.trim()) {
            return Some(found);
        }
        let (found, by) = by_other_path(self, path)?;
        let ids = resolved_symbol(self, *found.symbols.first()?)?;
        self.note_detour(ids.id().to_owned(), symbol.trim().to_owned(), by);
        Some(found)
    }

    /// Notes that what was found is written with other letters than what was asked for (SPEC D20).
    pub fn note_spelling(&self, path: &SymbolPath, symbol: &str, found: &Resolved) {
        if found.is_other_spelling(path)
            && let Some(ids) = found
                .symbols
                .first()
                .and_then(|first| resolved_symbol(self, *first))
        {
            let asked = symbol.trim().to_owned();
            self.note_detour(ids.id().to_owned(), asked, Detour::OtherCase);
        }
    }

    /// What a path means; of several meanings those first that were used lately, a member where its type
    /// was.
    pub fn resolve(&self, path: &SymbolPath) -> Resolution {
        let access = self.access.borrow();
        let is_any_used = access.latest().next().is_some();
        let recency = |symbol| {
            if !is_any_used {
                return 0;
            }
            self.used_type(symbol)
                .map_or(0, |(root, id)| access.recency(root, &id))
        };
        let found = self.index.resolve_recent(path, &recency, self.overlay());
        self.nameable(path, found)
    }

    /// Notes what the call is about, unless that is known: the first symbol that it names (SPEC X8).
    pub fn note_subject(&self, symbol: Symbol) {
        let mut subject = self.call.subject.borrow_mut();
        if subject.is_none() {
            *subject = Some(self.index.path_of(symbol));
        }
    }

    /// Notes that a caller named a type, or a member of it.
    fn note_use(&self, symbol: Symbol) {
        if let Some((root, id)) = self.used_type(symbol) {
            if let Some(around) = type_around(self, symbol) {
                // The window finds it by its id.
                self.ids.borrow_mut().known.insert(id.clone(), around);
            }
            if self.call.is_editor || self.call.is_for_each.get() {
                return;
            }
            self.call.uses.borrow_mut().push((root, id));
        }
    }

    /// Root and id of the type that a symbol is or is in; namespaces and modules are none.
    fn used_type(&self, symbol: Symbol) -> Option<(u32, String)> {
        let around = type_around(self, symbol)?;
        Some((
            self.index.file(around.file)?.root,
            id_of_type(self, around)?,
        ))
    }

    /// The error for a symbol that is not there.
    pub fn symbol_not_found(&self, symbol: &str, suggestions: Vec<String>) -> ToolError {
        note_sought(self, symbol);
        let symbol: String = symbol.trim().chars().take(200).collect();
        if let Some(busy) = self.busy(&format!("'{symbol}' is not in the index so far.")) {
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

    /// The error for a name of several meanings, which the call notes: a tool may answer for each of a few.
    fn ambiguous(&self, symbol: &str, found: &[Resolved]) -> ToolError {
        let meanings = found.iter().take(MAX_CANDIDATES).map(|meaning| Meaning {
            path: meaning.path.clone(),
            declarations: meaning
                .symbols
                .iter()
                .map(|symbol| (symbol.file.0, symbol.item))
                .collect(),
        });
        *self.call.meanings.borrow_mut() = meanings.collect();
        let candidates: Vec<Value> = found
            .iter()
            .take(MAX_CANDIDATES)
            .filter_map(|candidate| {
                let (file, item) = self.index.get(candidate.symbols[0])?;
                serde_json::to_value(SymbolCandidate {
                    path: &candidate.path,
                    kind: item.kind.as_str(),
                    type_id: resolved_symbol(self, candidate.symbols[0])?.type_id,
                    location: self.location(file, item),
                })
                .ok()
            })
            .collect();
        ToolError::new(
            ErrorCode::AmbiguousSymbol,
            format!("'{}' matches {} symbols.", symbol.trim(), found.len()),
        )
        .hint(
            "Give a candidate's id, more of the path, a type's arguments (`Map<K, V>`), or an overload's \
             parameter types (`Type.Method(int)`).",
        )
        .detail("candidates", candidates)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SymbolCandidate<'a> {
    path: &'a str,
    kind: &'a str,
    type_id: String,
    #[serde(flatten)]
    location: Location,
}
