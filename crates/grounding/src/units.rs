//! Which types are described together, as they are in this moment (SPEC D19).

use codecortex_analysis::artefacts::needs::{id_of_type, type_around};
use codecortex_analysis::view::AnalysisView;
use codecortex_index::{HashRules, Symbol, render};
use codecortex_ledger::{Seen, TextState, UnitView};
use codecortex_protocol::{ErrorCode, Failure, Missing, ToolError};
use codecortex_semantics::{Gathered, SemanticJobs};

use crate::gather::{Gatherer, declarations};

/// What units need of the folder `.context/` of each root.
pub trait DescribedFolders {
    /// Whether the folder of a root is there and was not read yet.
    fn is_unread(&self, root: u32) -> bool;

    /// The rules by which a root's types are hashed.
    fn hash_rules(&self, root: u32) -> HashRules;

    /// The jobs of a root; none where there is no such root.
    fn semantic_jobs(&self, root: u32) -> Option<&SemanticJobs>;
}

/// A unit with the declarations of its types.
pub struct SemanticUnit {
    /// Index of the root.
    pub root: u32,
    /// The types with their hashes as they are now, whatever the ledger was told last.
    pub view: UnitView,
    /// Ids and declarations.
    pub types: Vec<(String, Symbol)>,
    rules: HashRules,
}

impl SemanticUnit {
    /// The unit of the type that a symbol is or is in.
    ///
    /// # Errors
    /// Waits for the folder `.context/`; fails where there is no type.
    pub fn resolve(
        view: &AnalysisView<'_>,
        folders: &dyn DescribedFolders,
        symbol: Symbol,
        named: &str,
    ) -> Result<Self, Failure> {
        view.memory().need_bodies()?;
        let no_type = || {
            let message = format!("'{}' is neither a type nor in one.", named.trim());
            ToolError::new(ErrorCode::NotFound, message)
                .hint("Texts are about types; name one, or a member of one.")
        };
        let around = type_around(view, symbol).ok_or_else(no_type)?;
        let root = view
            .index
            .file(around.file)
            .map(|file| file.root)
            .ok_or_else(no_type)?;
        if folders.is_unread(root) {
            return Err(Failure::Missing(Missing::Context(root)));
        }
        let id = id_of_type(view, around).ok_or_else(no_type)?;
        let rules = folders.hash_rules(root);
        let ledger = view.ledgers.get(root as usize).copied().flatten();
        let known = ledger.and_then(|ledger| ledger.unit(&id));
        let known = known.and_then(|unit| Some((declarations(view, root, &unit).ok()?, unit)));
        // A type that the ledger was not told of is described alone.
        let (types, unit) = known.unwrap_or_else(|| (vec![(id.clone(), around)], alone(&id)));
        let mut unit = Self {
            root,
            view: unit,
            types,
            rules,
        };
        unit.look(view, folders);
        Ok(unit)
    }

    /// The unit of an id, as a ticket has it.
    ///
    /// # Errors
    /// As [`Self::resolve`].
    pub fn of_id(
        view: &AnalysisView<'_>,
        folders: &dyn DescribedFolders,
        id: &str,
    ) -> Result<Self, Failure> {
        let roots = view.workspace.roots.len() as u32;
        if let Some(unread) = (0..roots).find(|root| folders.is_unread(*root)) {
            return Err(Failure::Missing(Missing::Context(unread)));
        }
        let ledgers = view.ledgers.iter().flatten();
        let group = ledgers
            .filter_map(|ledger| ledger.unit(id))
            .find(|unit| unit.group.as_deref() == Some(id));
        let of_type = match &group {
            Some(unit) => unit.types[0].id.as_str(),
            None => id,
        };
        let found = view.find_symbol(of_type)?;
        let unit = Self::resolve(view, folders, found.symbols[0], of_type)?;
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
    fn look(&mut self, view: &AnalysisView<'_>, folders: &dyn DescribedFolders) {
        self.view
            .implementations
            .resize(self.types.len(), String::new());
        for (at, (_, symbol)) in self.types.iter().enumerate() {
            let hashes = view.index.type_hashes(*symbol, self.rules);
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
        let jobs = folders.semantic_jobs(self.root);
        if let Some(brought) = jobs.and_then(|jobs| jobs.brought(self.view.id())) {
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
    pub fn gather(
        &self,
        view: &AnalysisView<'_>,
        folders: &dyn DescribedFolders,
    ) -> Result<Gathered, Failure> {
        Gatherer::new(
            view,
            self.root,
            folders.semantic_jobs(self.root),
            self.rules,
        )
        .gather(&self.view, &self.types)
    }

    /// What went wrong last, and how often.
    pub fn last_error(&self, view: &AnalysisView<'_>) -> (Option<String>, u8) {
        let ledger = view.ledgers.get(self.root as usize).copied().flatten();
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
