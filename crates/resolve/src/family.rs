//! What is one symbol, and what overrides or implements it.

use codecortex_bind::facts::{DefKind, NONE, ScopeKind, flag, space};

use crate::lang::Relates;
use crate::lookup::LookupRequest;
use crate::overloads::Conversion;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty, no_substitution, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Name};

/// Adds what is not in a list yet.
pub(crate) fn push<T: PartialEq>(list: &mut Vec<T>, entry: T) {
    if !list.contains(&entry) {
        list.push(entry);
    }
}

impl Resolver<'_> {
    /// The type that a member belongs to.
    pub(crate) fn owner(&self, def: DefRef) -> Option<DefRef> {
        let found = self.def(def)?;
        if found.container != NONE && found.flags & flag::EXPLICIT == 0 {
            let container = self.lower_type(ExprRef {
                file: def.file,
                expr: found.container,
            });
            if let Ty::Instance(owner, _) | Ty::Type(owner, _) = container.ty {
                return Some(owner);
            }
        }
        let bound = self.file(def.file)?;
        let scope = bound.scope(found.scope);
        if scope.kind != ScopeKind::Class || scope.owner == NONE {
            return None;
        }
        let owner = DefRef {
            file: def.file,
            def: scope.owner,
        };
        Some(self.type_of_block(owner).unwrap_or(owner))
    }

    /// Whether two functions take the same number of parameters.
    pub(crate) fn same_shape(&self, a: DefRef, b: DefRef) -> bool {
        let shape = |def: DefRef| {
            let bound = self.file(def.file)?;
            let params = bound.params(def.def);
            let params = params.filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
            Some((bound.def(def.def).kind.is_callable(), params.count()))
        };
        shape(a) == shape(b)
    }

    /// Whether two functions take parameters of the same types, as far as these are written.
    pub(crate) fn same_params(&self, a: DefRef, b: DefRef) -> bool {
        if !self.same_shape(a, b) {
            return false;
        }
        let heads = |def: DefRef| {
            let bound = self.file(def.file)?;
            let params = bound.params(def.def);
            let params = params.filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
            let names = params.map(|param| bound.head_name(bound.def(param).ty));
            Some(names.collect::<Vec<_>>())
        };
        let (Some(a_heads), Some(b_heads)) = (heads(a), heads(b)) else {
            return true;
        };
        // A type parameter of the base is anything in the derived type, except what no parameter stands for.
        let stands_for = |near: DefRef, param: Option<Name>, other: Option<Name>| {
            self.is_type_param(near, param) && !self.is_no_argument(near, other)
        };
        // A type parameter of the derived type is not what the base says.
        let goes_for = |near: DefRef, param, far: DefRef, other| {
            stands_for(near, param, other)
                && (self.is_type_param(far, other) || self.may_be_inherited(near, far))
        };
        let have_same_heads = a_heads.iter().zip(&b_heads).all(|(x, y)| {
            x == y || x.is_none() || y.is_none() || goes_for(a, *x, b, *y) || goes_for(b, *y, a, *x)
        });
        have_same_heads
            && (!self.rules(a.file).resolves_by_conversion()
                || (self.have_as_many_type_params(a, b) && self.take_same_types(a, b)))
    }

    /// Whether the type of the second member may have the first one from a base.
    fn may_be_inherited(&self, of: DefRef, by: DefRef) -> bool {
        match (self.owner(of), self.owner(by)) {
            (Some(base), Some(derived)) => base == derived || self.is_subtype(derived, base),
            _ => true,
        }
    }

    /// Whether two functions have the same number of type parameters, where that tells them apart.
    fn have_as_many_type_params(&self, a: DefRef, b: DefRef) -> bool {
        !self.rules(a.file).types_differ_by_arity()
            || self.params_of(a).len() == self.params_of(b).len()
    }

    /// Whether no parameter's written type is surely another one than that of the other function.
    fn take_same_types(&self, a: DefRef, b: DefRef) -> bool {
        let types = |of: DefRef| {
            let Some(bound) = self.file(of.file) else {
                return Vec::new();
            };
            let params = bound
                .params(of.def)
                .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
            let type_of = |def| match bound.def(def).ty {
                NONE => Ty::Unknown,
                _ => self.type_of_def(DefRef { file: of.file, def }).ty,
            };
            params.map(type_of).collect()
        };
        let (a_types, b_types): (Vec<Ty>, Vec<Ty>) = (types(a), types(b));
        let (mut a_subst, mut b_subst) = (no_substitution(), no_substitution());
        // A function's own type parameter stands for nothing but that of the other function in its place.
        let mut own = Vec::new();
        if self.rules(a.file).types_differ_by_arity() {
            own = self.params_of(a);
            b_subst = self
                .params_of(b)
                .into_iter()
                .zip(own.iter().map(|own| Ty::Param(*own)))
                .collect();
            match (self.owner(a), self.owner(b)) {
                (Some(a), Some(b)) if a != b => {
                    b_subst = [b_subst.to_vec(), self.seen_from(a, b).to_vec()]
                        .concat()
                        .into();
                    a_subst = self.seen_from(b, a);
                }
                _ => {}
            }
        }
        let mut pairs = a_types.iter().zip(&b_types);
        pairs.all(|(x, y)| !self.differ(&x.with(&a_subst), &y.with(&b_subst), (a.file, &own)))
    }

    /// What the type parameters of a base stand for in a type that derives from it.
    fn seen_from(&self, of: DefRef, base: DefRef) -> Substitution {
        const MOST: usize = 64;
        let wanted = self.parts(base);
        // Each part of a partial type has type parameters of its own.
        let own: Vec<Ty> = self.params_of(of).into_iter().map(Ty::Param).collect();
        let parts = self.parts(of);
        let same = parts
            .types
            .iter()
            .flat_map(|part| self.substitution_of(*part, &own).to_vec());
        let mut open = vec![(of, same.collect())];
        for _ in 0..MOST {
            let Some((def, subst)) = open.pop() else {
                break;
            };
            for (ty, _) in self.bases(&self.parts(def), &subst) {
                let Ty::Instance(def, args) = ty else {
                    continue;
                };
                if wanted.types.contains(&def) {
                    return self.substitution_of(base, &args);
                }
                open.push((def, self.substitution_of(def, &args)));
            }
        }
        no_substitution()
    }

    /// Whether two types are surely different. A type parameter may stand for any but what is made of it, if it is
    /// none that stands for itself alone.
    fn differ(&self, a: &Ty, b: &Ty, (file, own): (FileNo, &[DefRef])) -> bool {
        let differ = |a: &Ty, b: &Ty| self.differ(a, b, (file, own));
        let any_differ = |a: &[Ty], b: &[Ty]| a.iter().zip(b).any(|(a, b)| differ(a, b));
        match (a, b) {
            (Ty::Param(param), other) | (other, Ty::Param(param)) => {
                let is_known = !matches!(other, Ty::Unknown | Ty::External(None, _));
                let is_made_of_it = || !matches!(other, Ty::Function(..)) && other.mentions(*param);
                is_known && a != b && (own.contains(param) || is_made_of_it())
            }
            (Ty::External(Some(x), x_args), Ty::External(Some(y), y_args)) => {
                let text = |name| self.workspace.text(name);
                let is_one = x == y
                    || self.rules(file).external_conversion(text(*x), text(*y)) == Conversion::Same;
                // `Action<T>` is no `Action<T, int>`.
                let have_as_many =
                    x_args.len() == y_args.len() || !self.rules(file).types_differ_by_arity();
                !is_one || !have_as_many || any_differ(x_args, y_args)
            }
            (Ty::Instance(x, x_args), Ty::Instance(y, y_args)) => {
                let is_one = x == y || self.parts(*x).types.contains(y);
                !is_one || any_differ(x_args, y_args)
            }
            (Ty::Array(a), Ty::Array(b)) => differ(a, b),
            (Ty::External(Some(_), _), Ty::Instance(..) | Ty::Array(_))
            | (Ty::Instance(..), Ty::External(Some(_), _) | Ty::Array(_))
            | (Ty::Array(_), Ty::External(Some(_), _) | Ty::Instance(..)) => true,
            _ => false,
        }
    }

    /// Whether a name is that of a type that type parameters never stand for (`int` in Java).
    fn is_no_argument(&self, near: DefRef, name: Option<Name>) -> bool {
        let rules = self.rules(near.file);
        rules.params_are_objects()
            && name.is_some_and(|name| rules.is_value_type(self.workspace.text(name)))
    }

    fn is_type_param(&self, near: DefRef, name: Option<Name>) -> bool {
        let (Some(name), Some(def)) = (name, self.def(near)) else {
            return false;
        };
        let scope = if def.inner == NONE {
            def.scope
        } else {
            def.inner
        };
        let request = LookupRequest::any(name, u32::MAX, space::TYPE);
        let found = self.lookup(near.file, scope, request);
        found.defs.iter().any(|def| {
            self.def(*def)
                .is_some_and(|def| def.kind == DefKind::TypeParam)
        })
    }

    /// Whether two definitions are one symbol: the same place in the text, or twins.
    pub(crate) fn is_same_symbol(&self, a: DefRef, b: DefRef) -> bool {
        if a == b {
            return true;
        }
        let (Some(a_def), Some(b_def)) = (self.def(a), self.def(b)) else {
            return false;
        };
        if a.file == b.file && a_def.at == b_def.at && a_def.at != NONE {
            return true;
        }
        self.symbol(a).contains(&b)
    }

    /// Every declaration of the symbol that a definition declares.
    #[must_use]
    pub fn symbol(&self, of: DefRef) -> Vec<DefRef> {
        let mut all = vec![of];
        let (Some(bound), Some(def)) = (self.file(of.file), self.def(of)) else {
            return all;
        };
        let name = def.name;
        // At one place of the text: a parameter that is a field too, a key that is a variable.
        let here = bound.defs_at(def.at);
        for other in here.filter(|other| bound.def(*other).name == name) {
            let def = DefRef {
                file: of.file,
                def: other,
            };
            push(&mut all, def);
        }
        if def.kind.is_type() {
            self.parts(of)
                .types
                .iter()
                .for_each(|part| push(&mut all, *part));
        }
        let rules = self.rules(of.file);
        for redeclaration in rules.redeclarations(self, of) {
            push(&mut all, redeclaration);
        }
        all
    }

    /// What overrides, implements or is overridden by a member, not itself.
    #[must_use]
    pub fn related(&self, of: DefRef) -> Vec<DefRef> {
        const MOST: usize = 2000;
        let symbol = self.symbol(of);
        let mut family = symbol.clone();
        // What has the methods of an interface by chance has nothing to do with what else has them.
        let is_narrow =
            self.rules(of.file).is_structural() || self.rules(of.file).lists_overridden();
        let mut next = 0;
        if is_narrow {
            family.extend(self.above_and_below(&symbol));
            next = family.len();
        }
        while next < family.len() && family.len() < MOST {
            let member = family[next];
            next += 1;
            for other in self
                .overridden(member)
                .into_iter()
                .chain(self.overriding(member))
            {
                for redeclaration in self.symbol(other) {
                    push(&mut family, redeclaration);
                }
            }
        }
        family.retain(|def| !symbol.contains(def));
        family
    }

    /// The related members whose uses are listed with those of a member.
    pub(crate) fn listed_with(&self, of: DefRef) -> Vec<DefRef> {
        match self.rules(of.file).relates_uses() {
            Relates::All => self.related(of),
            Relates::Below => {
                let symbol = self.symbol(of);
                let mut below = self.in_steps(&symbol, Resolver::overriding);
                below.retain(|def| !symbol.contains(def));
                below
            }
            Relates::None => Vec::new(),
        }
    }

    /// What a member replaces and what replaces it, but not what replaces the same besides it.
    fn above_and_below(&self, symbol: &[DefRef]) -> Vec<DefRef> {
        let mut all = self.in_steps(symbol, Resolver::overridden);
        all.extend(self.in_steps(symbol, Resolver::overriding));
        all
    }

    /// A symbol and all that steps of one kind lead to from it.
    fn in_steps(
        &self,
        symbol: &[DefRef],
        step: impl Fn(&Self, DefRef) -> Vec<DefRef>,
    ) -> Vec<DefRef> {
        const MOST: usize = 2000;
        let mut family = symbol.to_vec();
        let mut next = 0;
        while next < family.len() && family.len() < MOST {
            for other in step(self, family[next]) {
                for redeclaration in self.symbol(other) {
                    push(&mut family, redeclaration);
                }
            }
            next += 1;
        }
        family
    }

    /// Members of bases that a member replaces or implements.
    pub(crate) fn overridden(&self, of: DefRef) -> Vec<DefRef> {
        let (Some(owner), Some(name)) = (self.owner(of), self.name_of(of)) else {
            return Vec::new();
        };
        if self
            .def(of)
            .is_some_and(|def| def.kind == DefKind::Constructor)
        {
            return Vec::new();
        }
        let mut found = Vec::new();
        if let Some(bases) = self.rules(of.file).supertypes(self, owner) {
            for base in bases {
                found.extend(self.member_of_type(base, &none(), name, space::ANY).defs);
            }
            found.retain(|other| self.may_override(of, *other));
            return found;
        }
        for (ty, _) in self.bases(&self.parts(owner), &no_substitution()) {
            match ty {
                Ty::Instance(base, args) | Ty::Type(base, args) => {
                    let members = self.member_of_type(base, &args, name, space::ANY);
                    found.extend(members.defs);
                }
                // `implements` of an alias: the type that is written there.
                Ty::Object(file, ..) => {
                    found.extend(self.member(&ty, name, space::ANY, file).defs);
                }
                _ => {}
            }
        }
        found.retain(|other| self.may_override(of, *other));
        found
    }

    fn may_override(&self, a: DefRef, b: DefRef) -> bool {
        let hides = self.rules(a.file).private_hides();
        let is_hidden = |def: DefRef| {
            self.def(def).is_none_or(|def| {
                (hides && def.flags & flag::PRIVATE != 0)
                    || def.kind == DefKind::Constructor
                    || def.kind.is_type()
            })
        };
        let separate = self.rules(a.file).overloads_are_separate();
        !is_hidden(a)
            && !is_hidden(b)
            && (!separate || self.same_params(a, b))
            && self.rules(a.file).overrides(self, a, b)
    }

    /// Members of derived types that replace or implement a member.
    pub(crate) fn overriding(&self, of: DefRef) -> Vec<DefRef> {
        let (Some(owner), Some(name)) = (self.owner(of), self.name_of(of)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some(derived) = self.rules(of.file).subtypes(self, owner) {
            for derived in derived {
                found.extend(self.member_of_type(derived, &none(), name, space::ANY).defs);
            }
            found.retain(|other| *other != of && self.may_override(*other, of));
            return found;
        }
        for derived in self.derived(owner) {
            let own = self.own_members(&self.parts(derived), name, space::ANY);
            let own = own
                .into_iter()
                .filter(|other| self.may_override(*other, of));
            found.extend(own);
        }
        let explicit = self.explicit_implementations(owner, name).into_iter();
        found.extend(explicit.filter(|other| self.may_override(*other, of)));
        found
    }

    /// Members that say that they implement this one of an interface.
    pub(crate) fn explicit_implementations(&self, owner: DefRef, name: Name) -> Vec<DefRef> {
        let Some(of) = self.name_of(owner) else {
            return Vec::new();
        };
        let outside = self.workspace.outside_of(of).iter().copied();
        let implements = |other: &DefRef| {
            let Some(def) = self.def(*other) else {
                return false;
            };
            let is_named = def.flags & flag::EXPLICIT != 0 && self.name_of(*other) == Some(name);
            is_named
                && matches!(
                    self.lower_type(ExprRef { file: other.file, expr: def.container }).ty,
                    Ty::Instance(to, _) if to == owner || self.parts(owner).types.contains(&to)
                )
        };
        outside.filter(implements).collect()
    }
}
