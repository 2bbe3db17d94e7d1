//! Which types are described together, as they are in this moment (SPEC D19).

use codecortex_analysis::artefacts::needs::{id_of_type, type_around};
use codecortex_answer::reply::ToolResult;
use codecortex_index::{HashRules, Symbol, render};
use codecortex_ledger::{Seen, TextState, UnitView};
use codecortex_protocol::{ErrorCode, Failure, Missing, ToolError};

use crate::artifacts::schedule::is_context_unread;
use crate::invocation::Invocation;
use crate::semantics::gather::{Gathered, Gatherer, declarations};

/// A unit with the declarations of its types.
pub(crate) struct SemanticUnit {
    /// Index of the root.
    pub(crate) root: u32,
    /// The types with their hashes as they are now, whatever the ledger was told last.
    pub(crate) view: UnitView,
    /// Ids and declarations.
    pub(crate) types: Vec<(String, Symbol)>,
    rules: HashRules,
}

impl SemanticUnit {
    /// The unit of the type that a symbol is or is in.
    ///
    /// # Errors
    /// Waits for the folder `.context/`; fails where there is no type.
    pub(crate) fn resolve(
        cx: &Invocation<'_>,
        symbol: Symbol,
        named: &str,
    ) -> Result<Self, Failure> {
        cx.memory.need_bodies()?;
        let no_type = || {
            let message = format!("'{}' is neither a type nor in one.", named.trim());
            ToolError::new(ErrorCode::NotFound, message)
                .hint("Texts are about types; name one, or a member of one.")
        };
        let around = type_around(&cx.view, symbol).ok_or_else(no_type)?;
        let root = cx
            .index
            .file(around.file)
            .map(|file| file.root)
            .ok_or_else(no_type)?;
        if is_context_unread(cx.session, root) {
            return Err(Failure::Missing(Missing::Context(root)));
        }
        let id = id_of_type(&cx.view, around).ok_or_else(no_type)?;
        let folder = cx.session.contexts.folders.get(root as usize);
        let rules = folder.map_or_else(HashRules::default, |folder| {
            folder.config.switches().hash_rules()
        });
        let ledger = cx.view.ledgers.get(root as usize).copied().flatten();
        let known = ledger.and_then(|ledger| ledger.unit(&id));
        let known = known.and_then(|view| Some((declarations(&cx.view, root, &view).ok()?, view)));
        // A type that the ledger was not told of is described alone.
        let (types, view) = known.unwrap_or_else(|| (vec![(id.clone(), around)], alone(&id)));
        let mut unit = Self {
            root,
            view,
            types,
            rules,
        };
        unit.look(cx);
        Ok(unit)
    }

    /// The unit of an id, as a ticket has it.
    ///
    /// # Errors
    /// As [`Self::resolve`].
    pub(crate) fn of_id(cx: &Invocation<'_>, id: &str) -> Result<Self, Failure> {
        let roots = cx.workspace.roots.len() as u32;
        if let Some(unread) = (0..roots).find(|root| is_context_unread(cx.session, *root)) {
            return Err(Failure::Missing(Missing::Context(unread)));
        }
        let ledgers = cx.view.ledgers.iter().flatten();
        let group = ledgers
            .filter_map(|ledger| ledger.unit(id))
            .find(|unit| unit.group.as_deref() == Some(id));
        let of_type = match &group {
            Some(unit) => unit.types[0].id.as_str(),
            None => id,
        };
        let found = cx.find_symbol(of_type)?;
        let unit = Self::resolve(cx, found.symbols[0], of_type)?;
        match unit.view.id() == id {
            true => Ok(unit),
            false => Err(ToolError::new(
                ErrorCode::VersionConflict,
                "These types are described together with others by now.",
            )
            .hint("Call `codecortex_getSemantic` again for a new prompt and ticket.")
            .into()),
        }
    }

    /// Looks at the hashes of the types as they are now.
    fn look(&mut self, cx: &Invocation<'_>) {
        self.view
            .implementations
            .resize(self.types.len(), String::new());
        for (at, (_, symbol)) in self.types.iter().enumerate() {
            let hashes = cx.index.type_hashes(*symbol, self.rules);
            let now = [hashes.structure, hashes.public_impl, hashes.internal_impl];
            let of = &mut self.view.types[at];
            for (place, (known, digest)) in of.hashes.iter_mut().zip(&now).enumerate() {
                let shown = render(digest);
                // The ledger's may have more letters.
                if !known.starts_with(&shown) {
                    *known = shown;
                    self.view.is_described = false;
                    if place < 2 && self.view.state == TextState::Cached {
                        self.view.state = TextState::Stale;
                    }
                }
            }
            self.view.implementations[at] = render(&hashes.implementation());
        }
        let folder = cx.session.contexts.folders.get(self.root as usize);
        if let Some(brought) = folder.and_then(|of| of.semantic_jobs.brought(self.view.id())) {
            self.take_in(&brought.seen);
        }
    }

    /// Somebody brought a text of this state; the ledger hears of it with the next update.
    fn take_in(&mut self, seen: &[Seen]) {
        let is_same = |(then, now): (&Seen, &Seen)| {
            let mut hashes = then.hashes.iter().zip(&now.hashes);
            let is_same = |(a, b): (&String, &String)| a.starts_with(b) || b.starts_with(a);
            then.id == now.id && hashes.all(|of| !of.0.is_empty() && is_same(of))
        };
        let is_current =
            seen.len() == self.view.types.len() && seen.iter().zip(&self.view.types).all(is_same);
        self.view.is_described = true;
        self.view.state = TextState::Stale;
        if is_current {
            self.view.state = TextState::Cached;
            self.view.classes.clear();
        }
    }

    /// Everything that a prompt is made of.
    ///
    /// # Errors
    /// Waits for texts.
    pub(crate) fn gather(&self, cx: &Invocation<'_>) -> Result<Gathered, Failure> {
        let folder = cx.session.contexts.folders.get(self.root as usize);
        let semantic_jobs = folder.map(|folder| &folder.semantic_jobs);
        Gatherer::new(&cx.view, self.root, semantic_jobs, self.rules)
            .gather(&self.view, &self.types)
    }

    /// What went wrong last, and how often.
    pub(crate) fn last_error(&self, cx: &Invocation<'_>) -> (Option<String>, u8) {
        let ledger = cx.view.ledgers.get(self.root as usize).copied().flatten();
        let known = ledger.and_then(|ledger| ledger.get(&self.view.types[0].id));
        known.map_or((None, 0), |known| (known.last_error, known.retries))
    }
}

fn alone(id: &str) -> UnitView {
    UnitView {
        group: None,
        types: vec![Seen {
            id: id.to_owned(),
            ..Seen::default()
        }],
        implementations: Vec::new(),
        classes: Vec::new(),
        state: TextState::None,
        is_described: false,
    }
}

/// A reply, boxed.
pub(crate) fn reply(reply: impl codecortex_answer::reply::Reply + 'static) -> ToolResult {
    Ok(Box::new(reply))
}
