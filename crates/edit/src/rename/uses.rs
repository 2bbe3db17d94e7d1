//! Every place that means one of a family of declarations, and every place that may.

use codecortex_resolve::{ConfidenceTier, DefRef, ExprRef, FileNo, Reference, Resolver};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::refusal::{Refusal, RefusalKind};
use crate::rename::RenameOptions;
use crate::rename::unsure::UsableAs;

/// The places of a family's name.
pub(crate) struct RenamePlaces {
    /// Places that mean one of the family, by file and byte.
    pub(crate) places: Vec<(FileNo, u32)>,
    /// Uses of the name whose receiver nobody can type.
    pub(crate) unsure: Vec<(FileNo, u32)>,
}

impl RenamePlaces {
    /// The same, or a refusal where a use may mean the declaration and is not to be left.
    pub(crate) fn sure_enough(self, name: &str, options: RenameOptions) -> Result<Self, Refusal> {
        if self.unsure.is_empty() || options.leaves_unsure {
            return Ok(self);
        }
        let count = match self.unsure.len() {
            1 => "A use".to_owned(),
            count => format!("{count} uses"),
        };
        let message = format!(
            "{count} of `{name}` may mean this declaration: the type of the receiver is not known."
        );
        Err(Refusal::new(RefusalKind::Unsure, message).at(self.unsure))
    }
}

/// Collects the places of a family.
pub(crate) fn collect(resolver: &Resolver<'_>, family: &[DefRef]) -> Result<RenamePlaces, Refusal> {
    let references = resolver.references_and_related_of(family);
    collect_from(resolver, family, references)
}

/// Collects the places of a family among references.
pub(crate) fn collect_from(
    resolver: &Resolver<'_>,
    family: &[DefRef],
    references: Vec<Reference>,
) -> Result<RenamePlaces, Refusal> {
    let members: FxHashSet<DefRef> = family.iter().copied().collect();
    let site = |def: &DefRef| Some((def.file, resolver.place(*def)?));
    let sites: FxHashSet<(FileNo, u32)> = family.iter().filter_map(site).collect();
    let (mut places, mut unsure) = (sites.clone(), Vec::new());
    let in_bases = family.iter().flat_map(|def| resolver.mixin_uses(*def));
    let in_bases: FxHashSet<(FileNo, u32)> = in_bases.collect();
    let usable = UsableAs::new(resolver, family);
    let mut doubtful = DoubtfulUses {
        resolver,
        members: &members,
        sites: &sites,
        by_file: FxHashMap::default(),
    };
    for reference in references {
        let place = (reference.file, reference.at);
        match reference.tier {
            ConfidenceTier::Exact => drop(places.insert(place)),
            ConfidenceTier::Name if sites.contains(&place) => {}
            ConfidenceTier::Name if in_bases.contains(&place) => drop(places.insert(place)),
            ConfidenceTier::Name => {
                if doubtful.may_mean_family(&reference, &usable) {
                    unsure.push(place);
                }
            }
            ConfidenceTier::Inferred | ConfidenceTier::Related => {
                if doubtful.means_family_alone(&reference)? {
                    places.insert(place);
                }
            }
        }
    }
    let mut places: Vec<(FileNo, u32)> = places.into_iter().collect();
    places.sort_unstable();
    unsure.sort_unstable();
    Ok(RenamePlaces { places, unsure })
}

/// Uses of which more than one thing may be meant.
struct DoubtfulUses<'r, 'w> {
    resolver: &'r Resolver<'w>,
    members: &'r FxHashSet<DefRef>,
    sites: &'r FxHashSet<(FileNo, u32)>,
    /// The uses of a file by their first byte.
    by_file: FxHashMap<FileNo, FxHashMap<u32, Vec<u32>>>,
}

impl DoubtfulUses<'_, '_> {
    /// Whether all that a use may mean is of the family. False where it means nothing of it.
    fn means_family_alone(&mut self, reference: &Reference) -> Result<bool, Refusal> {
        let file = reference.file;
        let resolver = self.resolver;
        let here = self.uses_at(reference);
        let mut is_of_family = here.is_empty();
        for expr in here {
            let target = resolver.target(ExprRef { file, expr });
            let is_member = |def: &DefRef| {
                let place = resolver.place(*def).map(|at| (def.file, at));
                self.members.contains(def) || place.is_some_and(|at| self.sites.contains(&at))
            };
            let is_met = target.defs.iter().chain(&target.via_aliases).any(is_member);
            is_of_family |= is_met;
            let other = target.defs.iter().find(|def| !is_member(def));
            if let Some(other) = other.filter(|_| is_met && target.defs.iter().any(is_member)) {
                let name = resolver.name(*other);
                let path = resolver.workspace().path(other.file).unwrap_or_default();
                let message =
                    format!("A use may mean this declaration, or another `{name}` in {path}.");
                let refusal = Refusal::new(RefusalKind::Unsure, message);
                return Err(refusal.at([(file, reference.at)]));
            }
        }
        Ok(is_of_family)
    }

    /// The uses at a place.
    fn uses_at(&mut self, reference: &Reference) -> Vec<u32> {
        let file = reference.file;
        let resolver = self.resolver;
        let uses = self.by_file.entry(file).or_insert_with(|| {
            let mut uses: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            let bound = resolver.workspace().file(file);
            for (expr, _, at, _) in bound.iter().flat_map(|bound| bound.uses()) {
                uses.entry(at).or_default().push(expr);
            }
            uses
        });
        uses.get(&reference.at).cloned().unwrap_or_default()
    }

    /// Whether a use by name alone can mean the family, by its form.
    fn may_mean_family(&mut self, reference: &Reference, usable: &UsableAs) -> bool {
        let bound = self.resolver.workspace().file(reference.file);
        let here = self.uses_at(reference);
        let mut forms = here.iter().filter_map(|expr| Some(bound?.expr(*expr)));
        here.is_empty() || forms.any(|expr| usable.may_be_meant(expr))
    }
}
