//! What a change takes away, and the uses that it had before the change.

use codecortex_analysis::AnalysisView;
use codecortex_analysis::other_states::names_in_state;
use codecortex_bind::facts::{DefKind, Role, flag};
use codecortex_resolve::{ConfidenceTier, DefRef, ExprRef, FileNo, Reference, Resolver};
use codecortex_syntax::{Facts, ItemIndex, ItemKind, Visibility};
use rustc_hash::FxHashMap;

use super::reexports::passed_on_no_more;
use super::states::{States, old_path};
use super::{Cause, FormerUse, Holder, Suspect, UseLocation};
use crate::diff::PatchType;
use crate::parameters::checks_types;
use crate::source::{has_word, is_local};
use crate::touched_declarations::{DeclarationsByPath, Touched};
use crate::unit::ReviewUnit;

/// Declarations of a change whose former uses are looked for.
const MAX_SUSPECTS: usize = 300;
/// Declarations of a change whose calls are compared with their new parameters.
const MAX_CALLED: usize = 60;
/// Types above one that are looked at.
const MAX_SUPERTYPES: usize = 50;
/// Uses of one declaration.
const MAX_USES: usize = 500;

/// The former uses of a function whose parameters changed.
#[derive(Debug)]
pub(super) struct Called {
    /// Unit and place among its declarations.
    pub(super) of: (usize, usize),
    /// Whether it makes values of its type: then its uses are those of the type.
    pub(super) is_constructor: bool,
    pub(super) uses: Vec<UseLocation>,
}

/// A declaration in the state before the change.
struct FormerDeclaration<'t> {
    unit: usize,
    name: &'t str,
    cause: Cause,
    file: FileNo,
    /// First byte of its name.
    at: u32,
    /// The same of the type that it is a member of.
    owner: Option<u32>,
}

/// What may be missed, with its uses, and functions that are called in another way now. Nothing where the names cannot be
/// joined.
pub(super) fn suspects(
    view: &AnalysisView<'_>,
    states: &States<'_>,
    units: &[ReviewUnit],
) -> Option<(Vec<Suspect>, Vec<Called>)> {
    if !units.iter().any(|unit| states.knows(unit.file)) {
        return None;
    }
    names_in_state(view, states.root, &states.before(), |workspace| {
        let query = Resolver::new(workspace);
        let numbers = states.numbers(view, workspace, true);
        let before = FormerState {
            states,
            units,
            query: &query,
            files: numbers.iter().map(|(number, at)| (*at, *number)).collect(),
            numbers,
        };
        let mut suspects = before.files_gone();
        suspects.extend(before.declarations_gone());
        suspects.extend(before.components_gone());
        let told = suspects.iter().flat_map(|suspect| &suspect.uses);
        let told = told.map(|used| used.place).collect();
        suspects.extend(passed_on_no_more(&before, &told));
        (suspects, before.called())
    })
}

/// The state before a change.
pub(super) struct FormerState<'s> {
    pub(super) states: &'s States<'s>,
    pub(super) units: &'s [ReviewUnit],
    pub(super) query: &'s Resolver<'s>,
    /// Numbers of the files of the change, by their places in it.
    pub(super) files: FxHashMap<usize, FileNo>,
    numbers: FxHashMap<FileNo, usize>,
}

impl FormerState<'_> {
    /// Files that are gone or elsewhere, with the imports that led to them.
    fn files_gone(&self) -> Vec<Suspect> {
        let mut found = Vec::new();
        let mut known = Vec::new();
        for (unit, of) in self.units.iter().enumerate() {
            let file = &self.states.change.files[of.file];
            let is_gone = matches!(file.diff.kind, PatchType::Delete | PatchType::Rename);
            let Some(number) = self.files.get(&of.file).filter(|_| is_gone) else {
                continue;
            };
            if known.contains(&of.file) {
                continue;
            }
            known.push(of.file);
            let imports = self.query.imports_of_file(*number).into_iter();
            let uses =
                imports.filter_map(|(file, at)| self.former_use((file, at), ConfidenceTier::Exact));
            let is_moved = file.diff.kind == PatchType::Rename;
            found.push(Suspect {
                unit,
                name: old_path(file).unwrap_or_default().to_owned(),
                cause: Cause::File {
                    now: is_moved.then(|| file.path.clone()),
                },
                uses: uses.take(MAX_USES).collect(),
            });
        }
        found
    }

    fn declarations_gone(&self) -> Vec<Suspect> {
        let mut candidates = Vec::new();
        for (unit, of) in self.units.iter().enumerate() {
            let file = &self.states.change.files[of.file];
            let old = file.old.as_ref().and_then(|old| old.facts.as_ref());
            let (Some(number), Some(old)) = (self.files.get(&of.file), old) else {
                continue;
            };
            let new = file.new.as_ref().and_then(|new| new.facts.as_ref());
            let paths = (
                DeclarationsByPath::from_facts(Some(old)),
                DeclarationsByPath::from_facts(new),
            );
            for touched in &of.touched {
                let Some(cause) = cause_of(touched, old, &paths) else {
                    continue;
                };
                let was = touched.old.and_then(|was| old.items.get(was as usize));
                let Some(was) = was else { continue };
                candidates.push(FormerDeclaration {
                    unit,
                    name: old.str(was.name),
                    cause,
                    file: *number,
                    at: was.name_byte,
                    owner: owner_of(old, was.parent),
                });
            }
            if file.diff.kind == PatchType::Rename {
                candidates.extend(self.moved(unit, old, *number));
            }
        }
        candidates.truncate(MAX_SUSPECTS);
        let suspects = candidates.into_iter();
        suspects.filter_map(|of| self.suspect(of)).collect()
    }

    /// What a file declares that is elsewhere now.
    fn moved<'f>(&self, unit: usize, old: &'f Facts, file: FileNo) -> Vec<FormerDeclaration<'f>> {
        let is_of_file = |index: Option<ItemIndex>| {
            let parent = index.and_then(|index| old.items.get(index as usize));
            parent.is_none_or(|parent| parent.kind.is_namespace())
        };
        let file_now = &self.states.change.files[self.units[unit].file];
        let new = file_now.new.as_ref().and_then(|new| new.facts.as_ref());
        let is_kept = |name: &str| {
            new.is_some_and(|new| new.items.iter().any(|item| new.str(item.name) == name))
        };
        let items = old.items.iter().filter(|item| {
            let is_declared = !is_local(item) && !item.kind.is_namespace();
            // What is gone altogether is told as gone.
            let is_moved = is_kept(old.str(item.name));
            is_declared && is_moved && item.kind != ItemKind::Extension && is_of_file(item.parent)
        });
        let now = &file_now.path;
        let candidates = items.map(|item| FormerDeclaration {
            unit,
            name: old.str(item.name),
            cause: Cause::Moved { now: now.clone() },
            file,
            at: item.name_byte,
            owner: None,
        });
        candidates.collect()
    }

    /// Members that a parameter declares, such as a record's components, of types whose head changed.
    fn components_gone(&self) -> Vec<Suspect> {
        let mut found = Vec::new();
        for (unit, of) in self.units.iter().enumerate() {
            let file = &self.states.change.files[of.file];
            let Some(number) = self.files.get(&of.file) else {
                continue;
            };
            let versions = file.old.as_ref().zip(file.new.as_ref());
            let facts = versions.and_then(|(old, new)| old.facts.as_ref().zip(new.facts.as_ref()));
            let Some((old, new)) = facts else { continue };
            for touched in &of.touched {
                let pair = touched.old.zip(touched.new).and_then(|(was, is)| {
                    old.items.get(was as usize).zip(new.items.get(is as usize))
                });
                let Some((was, is)) = pair else { continue };
                if touched.class.is_none() {
                    continue;
                }
                let text = file.new.as_ref().map_or("", |new| &new.text);
                let head = text
                    .get(is.start_byte as usize..is.end_byte as usize)
                    .unwrap_or("");
                for (name, at) in self.components(*number, was.start_byte..was.end_byte) {
                    if has_word(head, name) {
                        continue;
                    }
                    found.extend(self.suspect(FormerDeclaration {
                        unit,
                        name,
                        cause: Cause::Gone,
                        file: *number,
                        at,
                        owner: None,
                    }));
                }
            }
        }
        found
    }

    /// The parameters between two bytes of a file that are members as well: name and first byte.
    fn components(&self, file: FileNo, extent: std::ops::Range<u32>) -> Vec<(&str, u32)> {
        let is_component = |def: &DefRef| {
            let found = self.query.definition(*def);
            found.is_some_and(|found| {
                found.kind == DefKind::Parameter
                    && found.flags & flag::MEMBER != 0
                    && extent.contains(&found.at)
            })
        };
        let defs = self.query.definitions_in(file).into_iter();
        let components = defs.filter(is_component);
        components
            .filter_map(|def| Some((self.query.name(def), self.query.place(def)?)))
            .collect()
    }

    fn suspect(&self, of: FormerDeclaration<'_>) -> Option<Suspect> {
        let def = self.query.definition_at(of.file, of.at)?;
        if self.query.is_by_name(of.file) || self.query.is_local(def) {
            return None;
        }
        // Where types are written, what has none comes from a library; where they are not, anything may.
        let language = self.states.change.files[self.units[of.unit].file].language;
        let is_distinctive = || {
            !checks_types(language)
                && is_distinctive(of.name)
                && self.is_alone(def)
                && self.is_of_workspace(&of)
        };
        let mut by_name = None;
        let mut uses = Vec::new();
        for found in self.query.references_of(&[def]) {
            if found.role == Role::Doc.into() || uses.len() == MAX_USES {
                continue;
            }
            // What is used by its name alone counts where nobody else has the name.
            let is_own_name = found.len as usize == of.name.len();
            let is_by_name = found.tier == ConfidenceTier::Name;
            if is_by_name && !(is_own_name && *by_name.get_or_insert_with(is_distinctive)) {
                continue;
            }
            let Some(mut used) = self.former_use((found.file, found.at), found.tier) else {
                continue;
            };
            used.is_import = found.role == Role::Import.into();
            let (expr, _) = self.query.at(found.file, found.at);
            if let Some(expr) = expr {
                let file = found.file;
                let at = ExprRef { file, expr };
                used.is_accepted_call = self.query.accepts_call(at, def) == Some(true);
                used.had_import = !self.query.target(at).via_aliases.is_empty();
            }
            uses.push(used);
        }
        Some(Suspect {
            unit: of.unit,
            name: of.name.to_owned(),
            cause: of.cause,
            uses,
        })
    }

    /// Whether all that a member's type derives from is known: else the name may be one of a library's.
    fn is_of_workspace(&self, of: &FormerDeclaration<'_>) -> bool {
        let Some(owner) = of.owner else { return true };
        let owner = self.query.definition_at(of.file, owner);
        owner.is_some_and(|owner| {
            let (_, outside) = self.query.all_supertypes(owner, MAX_SUPERTYPES);
            outside.is_empty()
        })
    }

    /// Whether no other declaration has the name of one.
    fn is_alone(&self, def: DefRef) -> bool {
        let name = self.query.name(def);
        let own = self.query.symbol(def);
        let workspace = self.query.workspace();
        let Some(name) = workspace.name(name) else {
            return false;
        };
        let is_other = |file: &FileNo| {
            let Some(bound) = workspace.file(*file) else {
                return false;
            };
            let local = bound.names().iter().position(|known| *known == name);
            let local = local.and_then(|local| u32::try_from(local).ok());
            let mut defs = local.into_iter().flat_map(|local| bound.defs_of(local));
            defs.any(|other| {
                let is_alias = bound.def(other).kind == DefKind::Alias;
                let other = DefRef {
                    file: *file,
                    def: other,
                };
                !is_alias && other != def && !own.contains(&other)
            })
        };
        !workspace.files_with(name).iter().any(is_other)
    }

    /// A use where it stands now; nothing where its line changed.
    pub(super) fn former_use(
        &self,
        (file, at): (FileNo, u32),
        tier: ConfidenceTier,
    ) -> Option<FormerUse> {
        let place = match self.numbers.get(&file) {
            Some(changed) => self.states.now(*changed, at)?,
            None => UseLocation {
                file: Holder::Other(file),
                at,
            },
        };
        Some(FormerUse {
            place,
            tier,
            is_accepted_call: false,
            had_import: false,
            is_import: false,
        })
    }

    /// Functions whose parameters changed, with their former uses.
    fn called(&self) -> Vec<Called> {
        let mut found = Vec::new();
        for (unit, of) in self.units.iter().enumerate() {
            let file = &self.states.change.files[of.file];
            let old = file.old.as_ref().and_then(|old| old.facts.as_ref());
            let (Some(number), Some(old)) = (self.files.get(&of.file), old) else {
                continue;
            };
            for (place, touched) in of.touched.iter().enumerate() {
                let is_asked = touched.new.is_some()
                    && touched.old_name.is_none()
                    && touched.kind.is_callable()
                    && (touched.is_called_otherwise() || touched.results.is_some());
                let was = touched.old.filter(|_| is_asked);
                let was = was.and_then(|was| old.items.get(was as usize));
                let def = was.and_then(|was| self.query.definition_at(*number, was.name_byte));
                let Some(def) = def.filter(|_| !self.query.is_by_name(*number)) else {
                    continue;
                };
                if found.len() == MAX_CALLED {
                    return found;
                }
                let is_constructor =
                    touched.kind == ItemKind::Constructor || touched.name == "__init__";
                let around = was.filter(|_| is_constructor).and_then(|was| {
                    let owner = owner_of(old, was.parent)?;
                    self.query.definition_at(*number, owner)
                });
                let asked: Vec<DefRef> = std::iter::once(def).chain(around).collect();
                let references = self.query.references_of(&asked).into_iter();
                let is_use = |used: &Reference| {
                    let is_told = [Role::Doc, Role::Import].map(Into::into);
                    used.tier != ConfidenceTier::Name && !is_told.contains(&used.role)
                };
                let uses = references
                    .filter(is_use)
                    .filter_map(|used| self.former_use((used.file, used.at), used.tier))
                    .map(|used| used.place);
                found.push(Called {
                    of: (unit, place),
                    is_constructor,
                    uses: uses.take(MAX_USES).collect(),
                });
            }
        }
        found
    }
}

/// First byte of the name of the type that a member is in.
fn owner_of(facts: &Facts, parent: Option<ItemIndex>) -> Option<u32> {
    let parent = facts.items.get(parent? as usize)?;
    parent.kind.is_type().then_some(parent.name_byte)
}

/// Why a declaration may be missed; nothing where nobody can miss it, or where what it is in is missed.
fn cause_of(
    touched: &Touched,
    old: &Facts,
    paths: &(DeclarationsByPath<'_>, DeclarationsByPath<'_>),
) -> Option<Cause> {
    let was = touched.old?;
    if touched.is_closure {
        return None;
    }
    if touched.new.is_none() || touched.old_name.is_some() {
        return (!is_in_gone(was, old, paths)).then_some(Cause::Gone);
    }
    let rank = |visibility| match visibility {
        Visibility::Public => 0,
        Visibility::Internal => 1,
        Visibility::Protected => 2,
        Visibility::Private => 3,
    };
    let (before, after) = touched.visibility?;
    (rank(after) > rank(before)).then_some(Cause::Hidden)
}

/// Whether what a declaration is in is gone as well.
fn is_in_gone(
    was: ItemIndex,
    old: &Facts,
    (before, after): &(DeclarationsByPath<'_>, DeclarationsByPath<'_>),
) -> bool {
    let mut at = old.items.get(was as usize).and_then(|item| item.parent);
    while let Some(item) = at.and_then(|at| old.items.get(at as usize)) {
        let is_block = item.kind == ItemKind::Extension || item.kind.is_namespace();
        if let Some(index) = at.filter(|_| !is_block)
            && before.counterpart(index, after).is_none()
        {
            return true;
        }
        at = item.parent;
    }
    false
}

/// Whether a name has several words: one of one word is what libraries call things, too.
pub(super) fn is_distinctive(name: &str) -> bool {
    let name = name.trim_matches('_');
    let is_inner = |(at, c): (usize, char)| at > 0 && (c == '_' || c.is_uppercase());
    name.len() >= 6 && name.char_indices().any(is_inner) && name.chars().any(char::is_lowercase)
}
