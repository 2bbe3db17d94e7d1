//! Resolves the result of an edit again: every name in the changed files must mean what it meant before.
//!
//! The joined bindings of the changed texts are put in the place of those before; a place then has moved by what was
//! replaced before it, and must lead to the place of the same declaration. Names elsewhere are looked at where they are
//! spelled like the old or the new name: no other look-up can have another result.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use codecortex_bind::facts::{DefKind, Expr, Role, flag};
use codecortex_resolve::{ExprRef, FileNo, Name, Resolver, Workspace};
use rustc_hash::FxHashMap;

use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::{KeptPiece, ReboundVariables, SourceChange};

/// The most names of changed files that are all resolved again; of more, those spelled like the old or new name are.
const MAX_RESOLVED: usize = 6_000;

/// How far names stand from where their place is by the replacements before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MovedName {
    /// What is defined there.
    pub(crate) defs: i64,
    /// What is looked up there in what stands before it, or in a type.
    pub(crate) members: i64,
    /// What else is used there.
    pub(crate) uses: i64,
}

impl MovedName {
    /// All names of the place, by so many bytes.
    pub(crate) fn by(bytes: i64) -> Self {
        Self {
            defs: bytes,
            members: bytes,
            uses: bytes,
        }
    }
}

/// How far the two names of a pair stand from where its one word is by the replacements before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MovedPair {
    /// The key or field.
    pub(crate) key: i64,
    /// The value or variable.
    pub(crate) value: i64,
}

/// Places of one word for two names that are written apart afterwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MovedNames {
    names: FxHashMap<(FileNo, u32), MovedName>,
    pairs: FxHashMap<(FileNo, u32), MovedPair>,
}

impl MovedNames {
    pub(crate) fn note(&mut self, file: FileNo, at: u32, moved: MovedName) {
        self.names.insert((file, at), moved);
    }

    /// Notes a place where a key and a value had one word.
    pub(crate) fn note_pair(&mut self, file: FileNo, at: u32, moved: MovedPair) {
        self.pairs.insert((file, at), moved);
    }

    fn at(&self, resolver: &Resolver<'_>, file: FileNo, at: u32) -> MovedName {
        if let Some(moved) = self.names.get(&(file, at)) {
            return *moved;
        }
        let Some(pair) = self.pairs.get(&(file, at)).copied() else {
            return MovedName::default();
        };
        let bound = resolver.workspace().file(file);
        let mut defs = bound.iter().flat_map(|bound| bound.defs_at(at));
        let is_literal =
            defs.any(|def| resolver.is_shorthand(codecortex_resolve::DefRef { file, def }));
        MovedName {
            defs: if is_literal { pair.key } else { pair.value },
            members: pair.key,
            uses: pair.value,
        }
    }
}

/// What is meant at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Meaning {
    /// Places of declarations and of the imports on the way.
    places: BTreeSet<(FileNo, u32)>,
    modules: BTreeSet<FileNo>,
    namespaces: BTreeSet<Name>,
    /// Whether an import leads out of the workspace; told where imports may be others.
    leads_outside: bool,
}

impl Meaning {
    fn add(&mut self, other: Self) {
        self.places.extend(other.places);
        self.modules.extend(other.modules);
        self.namespaces.extend(other.namespaces);
        self.leads_outside |= other.leads_outside;
    }

    /// What expressions mean; `with_imports` counts the imports on the way.
    fn of(resolver: &Resolver<'_>, file: FileNo, exprs: &[u32], with_imports: bool) -> Self {
        let mut meaning = Self::default();
        for expr in exprs {
            let target = resolver.target(ExprRef { file, expr: *expr });
            let imports = target.via_aliases.iter().filter(|_| with_imports);
            let met = target.defs.iter().chain(imports);
            let place = |def: &codecortex_resolve::DefRef| {
                let found = resolver.definition(*def)?;
                Some((def.file, found.at))
            };
            meaning.places.extend(met.filter_map(place));
            meaning.leads_outside |= !with_imports
                && target.defs.is_empty()
                && target.module.is_none()
                && !target.via_aliases.is_empty();
            meaning.modules.extend(target.module);
            meaning.namespaces.extend(target.namespace);
        }
        meaning
    }
}

/// A definition as it must be found again: its place, kind and spaces of names.
type FoundAgain = (u32, u8, u8);

/// What names meant before an edit, in terms of the places afterwards.
#[derive(Clone, Debug)]
pub struct MeaningCheck {
    meanings: BTreeMap<(FileNo, u32), Meaning>,
    /// The place before, for who is told of it.
    before: FxHashMap<(FileNo, u32), (FileNo, u32)>,
    /// The definitions of changed files, with their places before.
    defs: BTreeMap<FileNo, BTreeMap<FoundAgain, (FileNo, u32)>>,
    /// Uses that must mean a variable that is defined in a stretch of their file.
    local: BTreeMap<(FileNo, u32), Range<u32>>,
    /// Whether names alone are compared, not members.
    names_only: bool,
    /// Whether the imports on the way to a declaration must be the same.
    with_imports: bool,
}

impl MeaningCheck {
    /// Takes down what is meant before a change of a name.
    #[must_use]
    pub fn new(resolver: &Resolver<'_>, change: &SourceChange, names: [&str; 2]) -> Self {
        let moves = Moves::new(resolver, change);
        let mut check = Self {
            meanings: BTreeMap::new(),
            before: FxHashMap::default(),
            defs: BTreeMap::new(),
            local: BTreeMap::new(),
            names_only: change.rebound.is_some(),
            with_imports: !change.replaces_imports,
        };
        let workspace = resolver.workspace();
        let spelled = names.map(|name| workspace.name(name));
        let is_spelled = |name: Name| spelled.contains(&Some(name));
        let changed = change.files.iter().map(|change| change.file);
        let named = spelled.iter().flatten();
        let named = named.flat_map(|name| workspace.files_with(*name).iter().copied());
        let files: BTreeSet<FileNo> = changed.chain(named).collect();
        let count = change
            .files
            .iter()
            .filter_map(|change| workspace.file(change.file));
        let count: usize = count.map(|bound| bound.uses().count()).sum();
        for file in files {
            let Some(bound) = workspace.file(file) else {
                continue;
            };
            let is_changed = change.file(file).is_some();
            let takes_all = is_changed && count <= MAX_RESOLVED;
            // By the place afterwards, and the one before.
            let mut by_place: BTreeMap<((FileNo, u32), u32), Vec<u32>> = BTreeMap::new();
            for (expr, name, at, role) in bound.uses() {
                // A link in documentation is a comment's, which an edit may leave.
                // What a member means depends on types alone, which a new function has from the variables it shares.
                let is_free =
                    change.rebound.is_some() && !matches!(bound.expr(expr), Expr::Name { .. });
                let is_code = role != Role::Doc && !is_free;
                if is_code && (takes_all || is_spelled(bound.name(name))) {
                    let is_member = matches!(bound.expr(expr), Expr::Member { .. });
                    if let Some(after) = moves.use_at(file, at, is_member) {
                        by_place.entry((after, at)).or_default().push(expr);
                    }
                }
            }
            for ((after, at), exprs) in by_place {
                let meaning = Meaning::of(resolver, file, &exprs, check.with_imports);
                check.before.insert(after, (file, at));
                let is_rebound = |rebound: &&ReboundVariables| {
                    let mut places = meaning.places.iter();
                    places.any(|place| place.0 == file && rebound.defs.contains(&place.1))
                };
                if let Some(rebound) = change.rebound.as_ref().filter(is_rebound) {
                    let is_moved = rebound.moved.contains(&at);
                    let region = if is_moved {
                        &rebound.function
                    } else {
                        &rebound.host
                    };
                    check.local.insert(after, region.clone());
                    continue;
                }
                let meaning = moves.meaning(&meaning);
                // Two names that are one word afterwards mean both.
                check.meanings.entry(after).or_default().add(meaning);
            }
            if is_changed {
                let defs = bound.defs().iter().filter(|def| is_written(def));
                for def in defs {
                    // An import that is replaced is compared by what is used through it.
                    let is_replaced = change.replaces_imports && def.kind == DefKind::Alias
                        || change
                            .rebound
                            .as_ref()
                            .is_some_and(|of| of.defs.contains(&def.at));
                    let Some((into, after)) = moves.def_at(file, def.at).filter(|_| !is_replaced)
                    else {
                        continue;
                    };
                    let again = (after, def.kind as u8, def.spaces);
                    let defs = check.defs.entry(into).or_default();
                    defs.insert(again, (file, def.at));
                }
            }
        }
        check
    }

    /// Compares with what is meant after the change, in bindings that have the changed texts.
    ///
    /// # Errors
    /// The places that mean something else.
    pub fn verify(&self, after: &Workspace) -> Result<(), Refusal> {
        for (file, wanted) in &self.defs {
            let Some(bound) = after.file(*file) else {
                return Err(unreadable());
            };
            let defs = bound.defs().iter().filter(|def| is_written(def));
            let found: BTreeSet<FoundAgain> = defs
                .map(|def| (def.at, def.kind as u8, def.spaces))
                .collect();
            if let Some((_, place)) = wanted.iter().find(|(def, _)| !found.contains(def)) {
                let message = "A declaration would be read as something else.";
                let refusal = Refusal::new(RefusalKind::Captured, message);
                return Err(refusal.at([*place]));
            }
        }
        let resolver = Resolver::new(after);
        let mut uses: Option<(FileNo, FxHashMap<u32, Vec<u32>>)> = None;
        let mut wrong = Vec::new();
        for ((file, at), wanted) in &self.meanings {
            let of_file = match &mut uses {
                Some((of, found)) if of == file => found,
                other => {
                    &mut other
                        .insert((*file, uses_of(after, *file, self.names_only)))
                        .1
                }
            };
            let exprs = of_file.get(at).map_or(&[][..], Vec::as_slice);
            if exprs.is_empty()
                || Meaning::of(&resolver, *file, exprs, self.with_imports) != *wanted
            {
                wrong.push(self.place_before(*file, *at));
            }
        }
        let local = self
            .local
            .keys()
            .next()
            .map(|(file, _)| uses_of(after, *file, self.names_only));
        for ((file, at), region) in &self.local {
            let exprs = local
                .as_ref()
                .and_then(|uses| uses.get(at))
                .cloned()
                .unwrap_or_default();
            let meant = Meaning::of(&resolver, *file, &exprs, true).places;
            let is_local = meant
                .iter()
                .all(|place| place.0 == *file && region.contains(&place.1));
            // An assignment may be the definition itself afterwards.
            let is_definition = after
                .file(*file)
                .is_some_and(|bound| bound.defs_at(*at).next().is_some());
            if !is_definition && !is_local {
                wrong.push(self.place_before(*file, *at));
            }
        }
        match wrong.is_empty() {
            true => Ok(()),
            false => {
                let message = match wrong.len() {
                    1 => "A name would mean something else afterwards.".to_owned(),
                    count => format!("{count} names would mean something else afterwards."),
                };
                Err(Refusal::new(RefusalKind::Captured, message).at(wrong))
            }
        }
    }

    fn place_before(&self, file: FileNo, at: u32) -> (FileNo, u32) {
        let place = (file, at);
        self.before.get(&place).copied().unwrap_or(place)
    }
}

fn unreadable() -> Refusal {
    let message = "A changed file could not be read as code any more.";
    Refusal::new(RefusalKind::Captured, message)
}

fn is_written(def: &codecortex_bind::facts::Def) -> bool {
    def.at != codecortex_bind::facts::NONE && def.flags & flag::UNWRITTEN == 0
}

fn uses_of(workspace: &Workspace, file: FileNo, names_only: bool) -> FxHashMap<u32, Vec<u32>> {
    let mut uses: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let bound = workspace.file(file);
    for (expr, _, at, role) in bound.iter().flat_map(|bound| bound.uses()) {
        let is_name = || bound.is_some_and(|bound| matches!(bound.expr(expr), Expr::Name { .. }));
        if role != Role::Doc && (!names_only || is_name()) {
            uses.entry(at).or_default().push(expr);
        }
    }
    uses
}

/// Where places are after a change.
struct Moves<'m, 'w> {
    resolver: &'m Resolver<'w>,
    change: &'m SourceChange,
    /// Of each file, the bytes that the first so many replacements add.
    shifts: FxHashMap<FileNo, Vec<i64>>,
}

impl<'m, 'w> Moves<'m, 'w> {
    fn new(resolver: &'m Resolver<'w>, change: &'m SourceChange) -> Self {
        let of_file = |change: &crate::source_change::FileChange| {
            let added = |edit: &crate::source_change::TextEdit| {
                edit.text.len() as i64 - i64::from(edit.end - edit.start)
            };
            let mut sum = 0;
            let sums = change.edits.iter().map(|edit| {
                sum += added(edit);
                sum
            });
            let sums: Vec<i64> = std::iter::once(0).chain(sums).collect();
            (change.file, sums)
        };
        Self {
            resolver,
            change,
            shifts: change.files.iter().map(of_file).collect(),
        }
    }

    fn meaning(&self, before: &Meaning) -> Meaning {
        let places = before.places.iter();
        Meaning {
            places: places
                // What is taken away is meant nowhere afterwards: its place can only be missed.
                .map(|(file, at)| self.def_at(*file, *at).unwrap_or((*file, u32::MAX)))
                .collect(),
            ..before.clone()
        }
    }

    fn def_at(&self, file: FileNo, at: u32) -> Option<(FileNo, u32)> {
        let moved = self.change.moved.at(self.resolver, file, at);
        self.shifted(file, at, moved.defs)
    }

    fn use_at(&self, file: FileNo, at: u32, is_member: bool) -> Option<(FileNo, u32)> {
        let moved = self.change.moved.at(self.resolver, file, at);
        let moved = if is_member { moved.members } else { moved.uses };
        self.shifted(file, at, moved)
    }

    /// A place by what was replaced before it; nothing where it is taken away.
    fn shifted(&self, file: FileNo, at: u32, moved: i64) -> Option<(FileNo, u32)> {
        if let Some(piece) = self.change.kept.at(file, at) {
            return self.in_piece(piece, at);
        }
        let Some(change) = self.change.file(file) else {
            return Some((file, at));
        };
        // What is inserted in front of a name is a part of it in a rename.
        let inserts_apart = self.change.drops_replaced;
        let done = change
            .edits
            .partition_point(|edit| edit.end <= at && (edit.start < at || inserts_apart));
        let around = change.edits.get(done);
        let is_replaced = around.is_some_and(|edit| edit.start <= at && at < edit.end);
        if is_replaced && self.change.drops_replaced {
            return None;
        }
        let shift = self.shift_before(file, done);
        Some((
            file,
            u32::try_from(i64::from(at) + shift + moved).unwrap_or(at),
        ))
    }

    fn in_piece(&self, piece: &KeptPiece, at: u32) -> Option<(FileNo, u32)> {
        let edits = self.change.file(piece.into).map(|change| &change.edits);
        let start = match edits.and_then(|edits| edits.get(piece.edit)) {
            Some(edit) => i64::from(edit.start) + self.shift_before(piece.into, piece.edit),
            None => 0, // a new file
        };
        let at = start + i64::from(piece.offset) + i64::from(at) - i64::from(piece.from.start);
        Some((piece.into, u32::try_from(at).ok()?))
    }

    /// The bytes that the first so many replacements of a file add.
    fn shift_before(&self, file: FileNo, edits: usize) -> i64 {
        let shifts = self.shifts.get(&file);
        let shift = shifts.and_then(|shifts| shifts.get(edits).copied());
        shift.unwrap_or_default()
    }
}
