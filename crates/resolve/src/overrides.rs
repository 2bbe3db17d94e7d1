//! What overrides or implements a member, and what it overrides or implements itself.

use codecortex_bind::facts::{DefKind, NONE, flag, space};

use crate::hierarchy;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lang::Relates;
use crate::list::push;
use crate::lookup::request::LookupRequest;
use crate::overloads::arity::MAX_COMPARED;
use crate::overloads::conversion::Conversion;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::symbol_identity;
use crate::ty::{Substitution, Ty, no_substitution, none};

/// Whether two functions take the same number of parameters.
pub(crate) fn same_shape(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let shape = |def: DefRef| {
        let bound = resolver.file(def.file)?;
        let params = bound.params(def.def);
        let params = params.filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
        Some((bound.def(def.def).kind.is_callable(), params.count()))
    };
    shape(a) == shape(b)
}

/// Whether two functions take parameters of the same types, as far as these are written.
pub(crate) fn same_params(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    if !same_shape(resolver, a, b) {
        return false;
    }
    let heads = |def: DefRef| {
        let bound = resolver.file(def.file)?;
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
        is_type_param(resolver, near, param) && !is_no_argument(resolver, near, other)
    };
    // A type parameter of the derived type is not what the base says.
    let goes_for = |near: DefRef, param, far: DefRef, other| {
        stands_for(near, param, other)
            && (is_type_param(resolver, far, other) || may_be_inherited(resolver, near, far))
    };
    let have_same_heads = a_heads.iter().zip(&b_heads).all(|(x, y)| {
        x == y || x.is_none() || y.is_none() || goes_for(a, *x, b, *y) || goes_for(b, *y, a, *x)
    });
    have_same_heads
        && (!resolver.rules(a.file).resolves_by_conversion()
            || (have_as_many_type_params(resolver, a, b) && take_same_types(resolver, a, b)))
}

/// Whether the type of the second member may have the first one from a base.
fn may_be_inherited(resolver: &Resolver<'_>, of: DefRef, by: DefRef) -> bool {
    match (resolver.owner(of), resolver.owner(by)) {
        (Some(base), Some(derived)) => base == derived || resolver.is_subtype(derived, base),
        _ => true,
    }
}

/// Whether two functions have the same number of type parameters, where that tells them apart.
fn have_as_many_type_params(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    !resolver.rules(a.file).types_differ_by_arity()
        || resolver.params_of(a).len() == resolver.params_of(b).len()
}

/// Whether no parameter's written type is surely another one than that of the other function.
fn take_same_types(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let types = |of: DefRef| {
        let Some(bound) = resolver.file(of.file) else {
            return Vec::new();
        };
        let params = bound
            .params(of.def)
            .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
        let type_of = |def| match bound.def(def).ty {
            NONE => Ty::Unknown,
            _ => resolver.type_of_def(DefRef { file: of.file, def }).ty,
        };
        params.map(type_of).collect()
    };
    let (a_types, b_types): (Vec<Ty>, Vec<Ty>) = (types(a), types(b));
    let (mut a_subst, mut b_subst) = (no_substitution(), no_substitution());
    // A function's own type parameter stands for nothing but that of the other function in its place.
    let mut own = Vec::new();
    if resolver.rules(a.file).types_differ_by_arity() {
        own = resolver.params_of(a);
        b_subst = resolver
            .params_of(b)
            .into_iter()
            .zip(own.iter().map(|own| Ty::Param(*own)))
            .collect();
        match (resolver.owner(a), resolver.owner(b)) {
            (Some(a), Some(b)) if a != b => {
                b_subst = [b_subst.to_vec(), seen_from(resolver, a, b).to_vec()]
                    .concat()
                    .into();
                a_subst = seen_from(resolver, b, a);
            }
            _ => {}
        }
    }
    let mut pairs = a_types.iter().zip(&b_types);
    pairs.all(|(x, y)| {
        !differ(
            resolver,
            &x.with(&a_subst),
            &y.with(&b_subst),
            (a.file, &own),
        )
    })
}

/// The substitution of the type parameters of a base in a type that derives from it.
fn seen_from(resolver: &Resolver<'_>, of: DefRef, base: DefRef) -> Substitution {
    const MAX: usize = 64;
    let wanted = resolver.parts(base);
    // Each part of a partial type has type parameters of its own.
    let own: Vec<Ty> = resolver.params_of(of).into_iter().map(Ty::Param).collect();
    let parts = resolver.parts(of);
    let same = parts
        .types
        .iter()
        .flat_map(|part| resolver.substitution_of(*part, &own).to_vec());
    let mut open = vec![(of, same.collect())];
    for _ in 0..MAX {
        let Some((def, subst)) = open.pop() else {
            break;
        };
        for (ty, _) in resolver.bases(&resolver.parts(def), &subst) {
            let Ty::Instance(def, args) = ty else {
                continue;
            };
            if wanted.types.contains(&def) {
                return resolver.substitution_of(base, &args);
            }
            open.push((def, resolver.substitution_of(def, &args)));
        }
    }
    no_substitution()
}

/// Whether two types are surely different. A type parameter may stand for any but what is made of it, if it is
/// none that stands for itself alone.
fn differ(resolver: &Resolver<'_>, a: &Ty, b: &Ty, (file, own): (FileNo, &[DefRef])) -> bool {
    let differ = |a: &Ty, b: &Ty| differ(resolver, a, b, (file, own));
    let any_differ = |a: &[Ty], b: &[Ty]| a.iter().zip(b).any(|(a, b)| differ(a, b));
    match (a, b) {
        (Ty::Param(param), other) | (other, Ty::Param(param)) => {
            let is_known = !matches!(other, Ty::Unknown | Ty::External(None, _));
            let is_made_of_it = || !matches!(other, Ty::Function(..)) && other.mentions(*param);
            is_known && a != b && (own.contains(param) || is_made_of_it())
        }
        (Ty::External(Some(x), x_args), Ty::External(Some(y), y_args)) => {
            let text = |name| resolver.workspace.text(name);
            let is_one = x == y
                || resolver.rules(file).external_conversion(text(*x), text(*y)) == Conversion::Same;
            // `Action<T>` is no `Action<T, int>`.
            let have_as_many =
                x_args.len() == y_args.len() || !resolver.rules(file).types_differ_by_arity();
            !is_one || !have_as_many || any_differ(x_args, y_args)
        }
        (Ty::Instance(x, x_args), Ty::Instance(y, y_args)) => {
            let is_one = x == y || resolver.parts(*x).types.contains(y);
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
fn is_no_argument(resolver: &Resolver<'_>, near: DefRef, name: Option<Name>) -> bool {
    let rules = resolver.rules(near.file);
    rules.boxes_type_args()
        && name.is_some_and(|name| rules.is_value_type(resolver.workspace.text(name)))
}

fn is_type_param(resolver: &Resolver<'_>, near: DefRef, name: Option<Name>) -> bool {
    let (Some(name), Some(def)) = (name, resolver.def(near)) else {
        return false;
    };
    let scope = if def.inner == NONE {
        def.scope
    } else {
        def.inner
    };
    let request = LookupRequest::any(name, u32::MAX, space::TYPE);
    let found = resolver.lookup(near.file, scope, request);
    found.defs.iter().any(|def| {
        resolver
            .def(*def)
            .is_some_and(|def| def.kind == DefKind::TypeParam)
    })
}

/// What overrides, implements or is overridden by a member, not itself.
#[must_use]
pub(crate) fn related(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    const MAX: usize = 2000;
    let symbol = symbol_identity::symbol(resolver, of);
    let mut family = symbol.clone();
    // What has the methods of an interface by chance has nothing to do with what else has them.
    let is_narrow =
        resolver.rules(of.file).is_structural() || resolver.rules(of.file).lists_overridden();
    let mut next = 0;
    if is_narrow {
        family.extend(above_and_below(resolver, &symbol));
        next = family.len();
    }
    while next < family.len() && family.len() < MAX {
        let member = family[next];
        next += 1;
        // What has a method of the language's own library has nothing to do with what else has it.
        let below = match is_library(member.file) {
            true => Vec::new(),
            false => overriding(resolver, member),
        };
        for other in overridden(resolver, member).into_iter().chain(below) {
            for redeclaration in symbol_identity::symbol(resolver, other) {
                push(&mut family, redeclaration);
            }
        }
    }
    family.retain(|def| !symbol.contains(def));
    family
}

/// The related members whose uses are listed with those of a member.
pub(crate) fn listed_with(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    match resolver.rules(of.file).relates_uses() {
        Relates::All => related(resolver, of),
        Relates::Below => {
            let symbol = symbol_identity::symbol(resolver, of);
            let mut below = in_steps(resolver, &symbol, overriding);
            below.retain(|def| !symbol.contains(def));
            below
        }
        Relates::None => Vec::new(),
    }
}

/// What a member replaces and what replaces it, but not what replaces the same besides it.
fn above_and_below(resolver: &Resolver<'_>, symbol: &[DefRef]) -> Vec<DefRef> {
    let mut all = in_steps(resolver, symbol, overridden);
    all.extend(in_steps(resolver, symbol, overriding));
    all
}

/// A symbol and all that steps of one kind lead to from it.
fn in_steps(
    resolver: &Resolver<'_>,
    symbol: &[DefRef],
    step: impl Fn(&Resolver<'_>, DefRef) -> Vec<DefRef>,
) -> Vec<DefRef> {
    const MAX: usize = 2000;
    let mut family = symbol.to_vec();
    let mut next = 0;
    while next < family.len() && family.len() < MAX {
        for other in step(resolver, family[next]) {
            for redeclaration in symbol_identity::symbol(resolver, other) {
                push(&mut family, redeclaration);
            }
        }
        next += 1;
    }
    family
}

/// Members of bases that a member replaces or implements.
pub(crate) fn overridden(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(owner), Some(name)) = (resolver.owner(of), resolver.name_of(of)) else {
        return Vec::new();
    };
    if resolver
        .def(of)
        .is_some_and(|def| def.kind == DefKind::Constructor)
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(bases) = resolver.rules(of.file).supertypes(resolver, owner) {
        for base in bases {
            found.extend(
                resolver
                    .member_of_type(base, &none(), name, space::ANY)
                    .defs,
            );
        }
        found.retain(|other| may_override(resolver, of, *other));
        return found;
    }
    let bases = resolver.bases(&resolver.parts(owner), &no_substitution());
    // An intersection is a base by each of its parts.
    let bases = bases.into_iter().flat_map(|(ty, _)| ty.alternatives());
    for ty in bases {
        match ty {
            Ty::Instance(base, args) | Ty::Type(base, args) => {
                let members = resolver.member_of_type(base, &args, name, space::ANY);
                found.extend(members.defs);
            }
            // `implements` of an alias: the type that is written there.
            Ty::Object(file, ..) => {
                found.extend(resolver.member(&ty, name, space::ANY, file).defs);
            }
            _ => {}
        }
    }
    for base in tables::implied_bases(resolver, owner) {
        let members = resolver.member_of_type(base, &none(), name, space::ANY);
        members
            .defs
            .into_iter()
            .for_each(|def| push(&mut found, def));
    }
    found.retain(|other| may_override(resolver, of, *other));
    found
}

fn may_override(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let hides = resolver.rules(a.file).private_hides();
    let is_hidden = |def: DefRef| {
        resolver.def(def).is_none_or(|def| {
            (hides && def.flags & flag::PRIVATE != 0)
                || def.kind == DefKind::Constructor
                || def.kind.is_type()
        })
    };
    let separate = resolver.rules(a.file).overloads_are_separate();
    !is_hidden(a)
        && !is_hidden(b)
        && (!separate || same_params(resolver, a, b))
        && resolver.rules(a.file).overrides(resolver, a, b)
}

/// Members of derived types that replace or implement a member.
pub(crate) fn overriding(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(owner), Some(name)) = (resolver.owner(of), resolver.name_of(of)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if let Some(derived) = resolver.rules(of.file).subtypes(resolver, owner) {
        for derived in derived {
            found.extend(
                resolver
                    .member_of_type(derived, &none(), name, space::ANY)
                    .defs,
            );
        }
        found.retain(|other| *other != of && may_override(resolver, *other, of));
        return found;
    }
    for derived in hierarchy::derived(resolver, owner) {
        let own = resolver.own_members(&resolver.parts(derived), name, space::ANY);
        let own = own
            .into_iter()
            .filter(|other| may_override(resolver, *other, of));
        found.extend(own);
    }
    let explicit = explicit_implementations(resolver, owner, name).into_iter();
    found.extend(explicit.filter(|other| may_override(resolver, *other, of)));
    found
}

/// Members that say that they implement this one of an interface.
pub(crate) fn explicit_implementations(
    resolver: &Resolver<'_>,
    owner: DefRef,
    name: Name,
) -> Vec<DefRef> {
    let Some(of) = resolver.name_of(owner) else {
        return Vec::new();
    };
    let outside = resolver.workspace.outside_of(of).iter().copied();
    let implements = |other: &DefRef| {
        let Some(def) = resolver.def(*other) else {
            return false;
        };
        let is_named = def.flags & flag::EXPLICIT != 0 && resolver.name_of(*other) == Some(name);
        is_named
            && matches!(
                resolver.lower_type(ExprRef { file: other.file, expr: def.container }).ty,
                Ty::Instance(to, _) if to == owner || resolver.parts(owner).types.contains(&to)
            )
    };
    outside.filter(implements).collect()
}

/// Without methods that another one among them overrides.
pub(crate) fn without_overridden(resolver: &Resolver<'_>, defs: Vec<DefRef>) -> Vec<DefRef> {
    if defs.len() > MAX_COMPARED {
        return defs;
    }
    let mut kept: Vec<DefRef> = Vec::new();
    for def in defs {
        let overridden = kept
            .iter()
            .any(|other| !share_owner(resolver, *other, def) && same_shape(resolver, *other, def));
        if !overridden {
            kept.push(def);
        }
    }
    kept
}

/// Whether two members are of one type, in whichever of its parts.
fn share_owner(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    match (resolver.owner(a), resolver.owner(b)) {
        (Some(a), Some(b)) => a == b || resolver.parts(a).types.contains(&b),
        (a, b) => a == b,
    }
}
