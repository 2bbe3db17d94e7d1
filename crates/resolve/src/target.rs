//! Where a written use leads: lookups, aliases followed, overloads chosen.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, Role, flag, space};
use rustc_hash::FxHashSet;

use crate::choose::MOST_COMPARED;
use crate::family::push;
use crate::lookup::Followed;
use crate::query::{Found, Query};
use crate::ty::{Ty, no_env, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// Where a use leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Definitions, best first. Of an import both what it names and its own alias are steps, only the ends are here.
    pub defs: Vec<DefRef>,
    /// Aliases on the way.
    pub steps: Vec<DefRef>,
    /// A file that a module path stands for.
    pub module: Option<FileNo>,
    /// The first part of an open namespace.
    pub namespace: Option<Sym>,
    /// Whether every step was declared and there is one target.
    pub sure: bool,
    /// Whether it is known to be outside of the workspace.
    pub external: bool,
}

impl Query<'_> {
    /// Where a written use leads.
    #[must_use]
    pub fn target(&self, at: ExprRef) -> Target {
        self.refuel();
        let found = self.find(at);
        let mut target = self.target_of(at, &found);
        target.sure = self.is_sure(at, &found, &target);
        target
    }

    /// Whether nothing else may be meant than what was found. Costs more than finding it, so it is asked last.
    pub(crate) fn is_sure(&self, at: ExprRef, found: &Found, target: &Target) -> bool {
        let doubts = |of: &DefRef| self.policy(at.file).may_mean_another(self, at, found, *of);
        target.sure && !target.defs.first().is_some_and(doubts)
    }

    /// Where a use leads, from what was found for it: its definitions, or some of them, or where they lead.
    pub(crate) fn target_of(&self, at: ExprRef, found: &Found) -> Target {
        let mut target = Target {
            defs: Vec::new(),
            steps: Vec::new(),
            module: None,
            namespace: None,
            sure: found.sure,
            external: found.external && found.is_empty(),
        };
        let chosen = self.chosen(at, found);
        let count = chosen.len();
        let chosen = self.those_called(at, found, chosen);
        target.external |= chosen.is_empty() && count > 0;
        if let [only] = *chosen
            && found.ty.is_none()
            && self.is_an_end(at, only)
        {
            target.defs = chosen;
            return target;
        }
        let mut ty = found.ty.clone();
        let mut ends = Vec::new();
        for followed in self.followed_of_spaces(at, chosen) {
            target.steps.extend(followed.steps);
            target.sure &= followed.sure;
            target.external |= followed.external && followed.ends.is_empty();
            ty = ty.or(followed.ty);
            for end in followed.ends {
                push(&mut ends, end);
            }
        }
        // Several imports may bring overloads of one name.
        target.defs = self.chosen_ends(at, ends);
        if target.defs.len() > 1 {
            let dormant = |of: &DefRef| self.def(*of).map(|def| def.flags & flag::INACTIVE);
            target.defs.sort_by_key(dormant);
        }
        match ty {
            Some(Ty::Module(file, 0)) => target.module = Some(file),
            Some(Ty::Namespace(path)) => target.namespace = Some(path),
            _ => {}
        }
        self.doubt_several(&mut target);
        target
    }

    /// Several targets are sure only where they are declarations of one symbol.
    fn doubt_several(&self, target: &mut Target) {
        let Some(first) = target.defs.first().filter(|_| target.defs.len() > 1) else {
            return;
        };
        target.sure &= if target.defs.len() > MOST_COMPARED {
            let symbol: FxHashSet<DefRef> = self.symbol(*first).into_iter().collect();
            target.defs.iter().all(|def| symbol.contains(def))
        } else {
            let mut defs = target.defs.iter();
            defs.all(|def| self.is_same_symbol(*def, *first))
        };
    }

    /// The overloads that a call means.
    fn chosen(&self, at: ExprRef, found: &Found) -> Vec<DefRef> {
        if found.defs.len() < 2 || !self.policy(at.file).overloads_are_separate() {
            return found.defs.clone();
        }
        let Some(call) = self.call_of(at) else {
            return found.defs.clone();
        };
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = self.expr(call) else {
            return found.defs.clone();
        };
        let are_functions = found
            .defs
            .iter()
            .all(|def| self.def(*def).is_some_and(|def| def.kind.is_callable()));
        if !are_functions {
            return found.defs.clone();
        }
        let reachable = self.reachable(at, &found.defs);
        let chosen = self.choose(at.file, &reachable, &found.env, args);
        let chosen = self.policy(at.file).of_receiver(self, at, chosen);
        // Of equally good ones the most derived: a method before the one it replaces.
        self.without_overridden(chosen)
    }

    /// Of functions those that a call can mean. Others may have what is called: a base from outside, or the type
    /// from outside that an extension method adds itself to.
    fn those_called(&self, at: ExprRef, found: &Found, mut chosen: Vec<DefRef>) -> Vec<DefRef> {
        let policy = self.policy(at.file);
        if !policy.members_come_first() || chosen.is_empty() {
            return chosen;
        }
        let Some(call) = self.call_of(at) else {
            // A property of a type from outside is likelier than its extension as a value.
            if self.is_of_outside(at) {
                chosen.retain(|def| !self.is_extension(*def));
            }
            return chosen;
        };
        let Expr::Call { args, .. } = self.expr(call) else {
            return chosen;
        };
        let given = self.each(at.file, args, |at| at);
        chosen.retain(|def| {
            let Some(function) = self.def(*def).filter(|def| def.kind == DefKind::Method) else {
                return true;
            };
            if function.flags & flag::EXTENSION != 0 {
                return self.can_take(*def, &found.env, at, args);
            }
            self.fits(*def, &given) || !self.may_be_outside(*def)
        });
        chosen
    }

    /// Whether a function adds itself to a type.
    pub(crate) fn is_extension(&self, def: DefRef) -> bool {
        self.def(def)
            .is_some_and(|def| def.flags & flag::EXTENSION != 0)
    }

    /// Whether it is a member of a value from outside.
    fn is_of_outside(&self, at: ExprRef) -> bool {
        let Expr::Member { of, .. } = self.expr(at) else {
            return false;
        };
        let of = ExprRef { expr: of, ..at };
        matches!(self.type_of(of).ty, Ty::External(..))
    }

    /// Whether a base from outside may have a member of this name too.
    fn may_be_outside(&self, def: DefRef) -> bool {
        let (Some(owner), Some(name)) = (self.owner(def), self.name_of(def)) else {
            return false;
        };
        let of_all = self.policy(def.file).members_of_all();
        of_all.contains(&self.workspace.text(name))
            || !self.outside_bases(&Ty::Instance(owner, none())).is_empty()
    }

    /// Without private members that the place is not in the type of; all where none is left.
    fn reachable(&self, at: ExprRef, defs: &[DefRef]) -> Vec<DefRef> {
        let place = self.expr(at).written().map(|(_, place, _)| place);
        let Some(place) = place.filter(|_| self.policy(at.file).members_come_first()) else {
            return defs.to_vec();
        };
        let is_reachable = |of: &DefRef| {
            let is_private = |def: &Def| def.flags & flag::PRIVATE != 0;
            let Some(owner) = self
                .def(*of)
                .filter(|def| is_private(def))
                .and_then(|_| self.owner(*of))
            else {
                return true;
            };
            self.parts(owner).scopes.iter().any(|(file, scope)| {
                let scope = self.file(*file).map(|bound| bound.scope(*scope));
                *file == at.file
                    && scope.is_some_and(|scope| scope.start <= place && place < scope.end)
            })
        };
        let reachable: Vec<DefRef> = defs.iter().copied().filter(is_reachable).collect();
        if reachable.is_empty() {
            return defs.to_vec();
        }
        reachable
    }

    fn chosen_ends(&self, at: ExprRef, ends: Vec<DefRef>) -> Vec<DefRef> {
        if ends.len() < 2 {
            return ends;
        }
        let found = Found {
            env: no_env(),
            ..Found::defs(ends)
        };
        self.chosen(at, &found)
    }

    /// Whether a definition is no alias and in the space that a use looks in: what nearly every use leads to.
    fn is_an_end(&self, at: ExprRef, def: DefRef) -> bool {
        let Some(found) = self.def(def) else {
            return false;
        };
        let is_alias = found.kind == DefKind::Alias && found.value != NONE;
        !is_alias
            && match self.expr(at) {
                Expr::Name { spaces, .. } | Expr::Member { spaces, .. } => {
                    found.spaces & spaces != 0
                }
                _ => true,
            }
    }

    /// Where definitions lead, without what is in other spaces than the name is looked up in: an import
    /// brings all of its name.
    fn followed_of_spaces(&self, at: ExprRef, defs: Vec<DefRef>) -> Vec<Followed> {
        let mut all: Vec<Followed> = defs.into_iter().map(|def| self.follow(def)).collect();
        let (Expr::Name { spaces, .. } | Expr::Member { spaces, .. }) = self.expr(at) else {
            return all;
        };
        let fits = |def: &DefRef| self.def(*def).is_some_and(|def| def.spaces & spaces != 0);
        // An import of what is defined right there is no other name of it.
        let own: Vec<DefRef> = all
            .iter()
            .filter(|followed| followed.steps.is_empty())
            .flat_map(|followed| followed.ends.iter().copied())
            .collect();
        if !own.is_empty() {
            all.retain(|followed| {
                let is_own = followed.ends.iter().all(|end| own.contains(end));
                followed.steps.is_empty() || followed.ends.is_empty() || !is_own
            });
        }
        if all.iter().any(|followed| followed.ends.iter().any(fits)) {
            for followed in &mut all {
                followed.ends.retain(fits);
            }
            all.retain(|followed| !followed.ends.is_empty());
        } else if self.is_namespace_in_documentation(at) {
            all.retain(|followed| followed.ends.is_empty());
        }
        all
    }

    /// Whether it stands where documentation can only name a namespace.
    pub(crate) fn is_namespace_in_documentation(&self, at: ExprRef) -> bool {
        let role = Role::Doc;
        matches!(self.expr(at), Expr::Name { role: of, spaces: space::NAMESPACE, .. } if of == role)
    }

    /// Without methods that another one among them overrides.
    fn without_overridden(&self, defs: Vec<DefRef>) -> Vec<DefRef> {
        if defs.len() > MOST_COMPARED {
            return defs;
        }
        let mut kept: Vec<DefRef> = Vec::new();
        for def in defs {
            let overridden = kept
                .iter()
                .any(|other| !self.share_owner(*other, def) && self.same_shape(*other, def));
            if !overridden {
                kept.push(def);
            }
        }
        kept
    }

    /// Whether two members are of one type, in whichever of its parts.
    fn share_owner(&self, a: DefRef, b: DefRef) -> bool {
        match (self.owner(a), self.owner(b)) {
            (Some(a), Some(b)) => a == b || self.parts(a).types.contains(&b),
            (a, b) => a == b,
        }
    }
}
