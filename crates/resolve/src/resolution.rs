//! Name resolution of a written use: lookup, alias resolution, then overload resolution.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, Role, flag, space};
use rustc_hash::FxHashSet;

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::list::push;
use crate::lookup::result::{AliasTarget, LookupResult};
use crate::overloads::arity::{self, MAX_COMPARED};
use crate::overloads::{self, by_conversion};
use crate::overrides;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::symbol_identity;
use crate::ty::{Ty, no_substitution, none};

/// Where a use leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedTarget {
    /// Definitions, best first. Of an import both what it names and its own alias are steps, only the ends are here.
    pub defs: Vec<DefRef>,
    /// Aliases on the way.
    pub via_aliases: Vec<DefRef>,
    /// A file that a module path stands for.
    pub module: Option<FileNo>,
    /// The first part of an open namespace.
    pub namespace: Option<Name>,
    /// Whether every step was declared and there is one target.
    pub is_exact: bool,
    /// Whether it is known to be outside of the workspace.
    pub external: bool,
}

/// The constructors that a written `new A(…)` may mean, by its `A`: one where its arguments decide. Nothing
/// where the language does not tell them from their type.
#[must_use]
pub(crate) fn constructed_by(resolver: &Resolver<'_>, at: ExprRef) -> Vec<DefRef> {
    if !resolver.rules(at.file).uses_constructors() {
        return Vec::new();
    }
    let Some(call) = resolver.call_of(at) else {
        return Vec::new();
    };
    let Expr::New { args, .. } = resolver.expr(call) else {
        return Vec::new();
    };
    let target = target(resolver, at);
    let types = target.defs.into_iter().filter(|def| resolver.is_type(*def));
    let all: Vec<DefRef> = types.flat_map(|def| resolver.constructors(def)).collect();
    match all.len() {
        0 | 1 => all,
        _ => overloads::resolve_overloads(resolver, at.file, &all, &no_substitution(), args),
    }
}

/// The type of the workspace in which a member is looked up, through what languages write to pointers.
#[must_use]
pub(crate) fn receiver_type(resolver: &Resolver<'_>, at: ExprRef) -> Option<DefRef> {
    let Expr::Member { of, .. } = resolver.expr(at) else {
        return None;
    };
    let file = at.file;
    expression_type(resolver, ExprRef { file, expr: of })
}

/// The type of the workspace that an expression has, or names; of a pointer the one that it points to.
#[must_use]
pub(crate) fn expression_type(resolver: &Resolver<'_>, at: ExprRef) -> Option<DefRef> {
    resolver.reset_budget();
    declared_type(resolver.type_of(at).ty)
}

/// The same of what a definition defines.
#[must_use]
pub(crate) fn value_type(resolver: &Resolver<'_>, of: DefRef) -> Option<DefRef> {
    resolver.reset_budget();
    declared_type(resolver.type_of_def(of).ty)
}

fn declared_type(mut ty: Ty) -> Option<DefRef> {
    while let Ty::Pointer(to) = ty {
        ty = (*to).clone();
    }
    match ty {
        Ty::Instance(def, _) | Ty::Type(def, _) => Some(def),
        _ => None,
    }
}

/// Where a written use leads.
#[must_use]
pub(crate) fn target(resolver: &Resolver<'_>, at: ExprRef) -> ResolvedTarget {
    resolver.reset_budget();
    let found = resolver.find(at);
    let mut target = target_of(resolver, at, &found);
    target.is_exact = is_unambiguous(resolver, at, &found, &target);
    target
}

/// Whether nothing else may be meant than what was found. Costs more than finding it, so it is asked last.
pub(crate) fn is_unambiguous(
    resolver: &Resolver<'_>,
    at: ExprRef,
    found: &LookupResult,
    target: &ResolvedTarget,
) -> bool {
    let doubts = |of: &DefRef| {
        resolver
            .rules(at.file)
            .is_ambiguous(resolver, at, found, *of)
    };
    target.is_exact && !target.defs.first().is_some_and(doubts)
}

/// Where a use leads, from what was found for it: its definitions, or some of them, or where they lead.
pub(crate) fn target_of(
    resolver: &Resolver<'_>,
    at: ExprRef,
    found: &LookupResult,
) -> ResolvedTarget {
    let mut target = ResolvedTarget {
        defs: Vec::new(),
        via_aliases: Vec::new(),
        module: None,
        namespace: None,
        is_exact: found.is_declared,
        external: found.external && found.is_empty(),
    };
    let chosen = chosen(resolver, at, found);
    let count = chosen.len();
    let chosen = those_called(resolver, at, found, chosen);
    target.external |= chosen.is_empty() && count > 0;
    if let [only] = *chosen
        && found.ty.is_none()
        && is_an_end(resolver, at, only)
    {
        target.defs = chosen;
        return target;
    }
    let mut ty = found.ty.clone();
    let mut ends = Vec::new();
    for followed in followed_of_spaces(resolver, at, chosen) {
        target.via_aliases.extend(followed.via_aliases);
        target.is_exact &= followed.is_declared;
        target.external |= followed.external && followed.ends.is_empty();
        ty = ty.or(followed.ty);
        for end in followed.ends {
            push(&mut ends, end);
        }
    }
    // Several imports may bring overloads of one name.
    target.defs = chosen_ends(resolver, at, ends);
    if target.defs.len() > 1 {
        let dormant = |of: &DefRef| resolver.def(*of).map(|def| def.flags & flag::INACTIVE);
        target.defs.sort_by_key(dormant);
    }
    match ty {
        Some(Ty::Module(file, 0)) => target.module = Some(file),
        Some(Ty::Namespace(path)) => target.namespace = Some(path),
        _ => {}
    }
    doubt_several(resolver, &mut target);
    target
}

/// Several targets are exact only where they are declarations of one symbol.
fn doubt_several(resolver: &Resolver<'_>, target: &mut ResolvedTarget) {
    let Some(first) = target.defs.first().filter(|_| target.defs.len() > 1) else {
        return;
    };
    target.is_exact &= if target.defs.len() > MAX_COMPARED {
        let symbol: FxHashSet<DefRef> = symbol_identity::symbol(resolver, *first)
            .into_iter()
            .collect();
        target.defs.iter().all(|def| symbol.contains(def))
    } else {
        let mut defs = target.defs.iter();
        defs.all(|def| symbol_identity::is_same_symbol(resolver, *def, *first))
    };
}

/// The overloads that a call resolves to.
fn chosen(resolver: &Resolver<'_>, at: ExprRef, found: &LookupResult) -> Vec<DefRef> {
    if is_dangling_link(resolver, at, found) {
        return Vec::new();
    }
    if found.defs.len() < 2 || !resolver.rules(at.file).overloads_are_separate() {
        return found.defs.clone();
    }
    let are_functions = found
        .defs
        .iter()
        .all(|def| resolver.def(*def).is_some_and(|def| def.kind.is_callable()));
    let call = resolver.call_of(at).map(|call| resolver.expr(call));
    let Some(Expr::Call { args, .. } | Expr::New { args, .. }) = call else {
        // Any overload may be meant, but none that another one replaces.
        let is_of_library = || found.defs.iter().any(|def| is_library(def.file));
        return match are_functions || is_of_library() {
            true => referred_to(
                resolver,
                at,
                overrides::without_overridden(resolver, found.defs.clone()),
            ),
            false => found.defs.clone(),
        };
    };
    if !are_functions {
        return found.defs.clone();
    }
    let reachable = reachable(resolver, at, &found.defs);
    let chosen = overloads::resolve_overloads(resolver, at.file, &reachable, &found.subst, args);
    let chosen = resolver.rules(at.file).by_receiver(resolver, at, chosen);
    // Of equally good ones the most derived: a method before the one it replaces.
    overrides::without_overridden(resolver, chosen)
}

/// Whether a link in documentation writes parameters that none of the functions has: `{@link List#clear(int)}`.
fn is_dangling_link(resolver: &Resolver<'_>, at: ExprRef, found: &LookupResult) -> bool {
    let is_link = resolver
        .expr(at)
        .written()
        .is_some_and(|(.., role)| role == Role::Doc);
    let call = resolver.call_of(at).filter(|_| is_link);
    let Some(Expr::Call { args, .. }) = call.map(|call| resolver.expr(call)) else {
        return false;
    };
    let given = resolver.each(at.file, args, |at| at);
    let rejects = |def: &DefRef| {
        let is_callable = resolver.def(*def).is_some_and(|def| def.kind.is_callable());
        is_callable && !arity::may_accept(resolver, *def, &given)
    };
    !found.defs.is_empty()
        && resolver.rules(at.file).checks_arity()
        && found.defs.iter().all(rejects)
}

/// Of the overloads that a reference to a method names (`a::m`) those that the functional type takes which is asked for
/// there: none where nothing is known of that, since each is as likely as the others.
fn referred_to(resolver: &Resolver<'_>, at: ExprRef, overloads: Vec<DefRef>) -> Vec<DefRef> {
    let is_reference = matches!(
        resolver.expr(at),
        Expr::Member {
            role: Role::Call,
            ..
        }
    );
    if overloads.len() < 2 || !is_reference || !resolver.rules(at.file).refers_to_methods() {
        return overloads;
    }
    let Some(bound) = resolver.file(at.file) else {
        return overloads;
    };
    let asked = match (bound.outer_of(at.expr), bound.declared_for(at.expr)) {
        (Some((call, index)), _) => resolver.asked_of_argument(at.file, call, index),
        (None, Some(ty)) => resolver.lower_type(ExprRef { expr: ty, ..at }),
        // What a function returns and the like: any may be meant.
        (None, None) => return overloads,
    };
    by_conversion::referred_to(resolver, at, &overloads, &asked.ty)
}

/// Of functions those that a call can mean. Others may have what is called: a base from outside, or the type
/// from outside that an extension method adds itself to.
fn those_called(
    resolver: &Resolver<'_>,
    at: ExprRef,
    found: &LookupResult,
    mut chosen: Vec<DefRef>,
) -> Vec<DefRef> {
    let rules = resolver.rules(at.file);
    if chosen.is_empty() {
        return chosen;
    }
    if !rules.prefers_members_to_extensions() {
        if !found.is_declared && rules.checks_arity() {
            retain_by_arity(resolver, at, &mut chosen);
        }
        return chosen;
    }
    let Some(call) = resolver.call_of(at) else {
        // A property of a type from outside is likelier than its extension as a value, where that is a method.
        if is_of_outside(resolver, at) {
            let is_called =
                |def: DefRef| resolver.def(def).is_some_and(|def| def.kind.is_callable());
            chosen.retain(|def| !is_extension(resolver, *def) || !is_called(*def));
        }
        return chosen;
    };
    let Expr::Call { args, .. } = resolver.expr(call) else {
        return chosen;
    };
    let given = resolver.each(at.file, args, |at| at);
    chosen.retain(|def| {
        let Some(function) = resolver.def(*def).filter(|def| def.kind == DefKind::Method) else {
            return true;
        };
        if function.flags & flag::EXTENSION != 0 {
            return by_conversion::can_take(resolver, *def, &found.subst, at, args);
        }
        arity::accepts_arity(resolver, *def, &given) || !may_be_outside(resolver, *def)
    });
    chosen
}

/// Drops functions that a call of a member has too many or too few arguments for.
fn retain_by_arity(resolver: &Resolver<'_>, at: ExprRef, functions: &mut Vec<DefRef>) {
    let call = resolver.call_of(at).map(|call| resolver.expr(call));
    let (Expr::Member { .. }, Some(Expr::Call { args, .. })) = (resolver.expr(at), call) else {
        return;
    };
    let given = resolver.each(at.file, args, |at| at);
    functions.retain(|def| {
        let is_callable = resolver.def(*def).is_some_and(|def| def.kind.is_callable());
        !is_callable || arity::may_accept(resolver, *def, &given)
    });
}

/// Whether a call can mean none of the functions that were found for it, because a base from outside may have what is
/// called: C#'s `Equals(a, b)` in a type with an `Equals` of its own.
pub(crate) fn is_of_outside_base(
    resolver: &Resolver<'_>,
    at: ExprRef,
    found: &LookupResult,
) -> bool {
    let is_method = |def: &DefRef| {
        resolver
            .def(*def)
            .is_some_and(|def| def.kind == DefKind::Method && def.flags & flag::EXTENSION == 0)
    };
    let has_rule = resolver.rules(at.file).prefers_members_to_extensions();
    has_rule
        && !found.defs.is_empty()
        && found.defs.iter().all(is_method)
        && resolver.call_of(at).is_some()
        && those_called(resolver, at, found, found.defs.clone()).is_empty()
}

/// Whether a function adds itself to a type.
pub(crate) fn is_extension(resolver: &Resolver<'_>, def: DefRef) -> bool {
    resolver
        .def(def)
        .is_some_and(|def| def.flags & flag::EXTENSION != 0)
}

/// Whether it is a member of a value from outside.
fn is_of_outside(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let Expr::Member { of, .. } = resolver.expr(at) else {
        return false;
    };
    let of = ExprRef { expr: of, ..at };
    matches!(resolver.type_of(of).ty, Ty::External(..))
}

/// Whether a base from outside may have a member of this name too.
fn may_be_outside(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let (Some(owner), Some(name)) = (resolver.owner(def), resolver.name_of(def)) else {
        return false;
    };
    let of_all = resolver.rules(def.file).members_of_all();
    of_all.contains(&resolver.workspace.text(name))
        || !resolver
            .external_bases(&Ty::Instance(owner, none()))
            .is_empty()
}

/// Without private members that the place is not in the type of; all where none is left.
fn reachable(resolver: &Resolver<'_>, at: ExprRef, defs: &[DefRef]) -> Vec<DefRef> {
    let place = resolver.expr(at).written().map(|(_, place, _)| place);
    let Some(place) = place.filter(|_| resolver.rules(at.file).prefers_members_to_extensions())
    else {
        return defs.to_vec();
    };
    let is_reachable = |of: &DefRef| {
        let is_private = |def: &Def| def.flags & flag::PRIVATE != 0;
        let Some(owner) = resolver
            .def(*of)
            .filter(|def| is_private(def))
            .and_then(|_| resolver.owner(*of))
        else {
            return true;
        };
        resolver.parts(owner).scopes.iter().any(|(file, scope)| {
            let scope = resolver.file(*file).map(|bound| bound.scope(*scope));
            *file == at.file && scope.is_some_and(|scope| scope.start <= place && place < scope.end)
        })
    };
    let reachable: Vec<DefRef> = defs.iter().copied().filter(is_reachable).collect();
    if reachable.is_empty() {
        return defs.to_vec();
    }
    reachable
}

fn chosen_ends(resolver: &Resolver<'_>, at: ExprRef, ends: Vec<DefRef>) -> Vec<DefRef> {
    if ends.len() < 2 {
        return ends;
    }
    let found = LookupResult {
        subst: no_substitution(),
        ..LookupResult::defs(ends)
    };
    chosen(resolver, at, &found)
}

/// Whether a definition is no alias and in the space that a use looks in: what nearly every use leads to.
fn is_an_end(resolver: &Resolver<'_>, at: ExprRef, def: DefRef) -> bool {
    let Some(found) = resolver.def(def) else {
        return false;
    };
    let is_alias = found.kind == DefKind::Alias && found.value != NONE;
    !is_alias
        && match resolver.expr(at) {
            Expr::Name { spaces, .. } | Expr::Member { spaces, .. } => found.spaces & spaces != 0,
            _ => true,
        }
}

/// Where definitions lead, without what is in other spaces than the name is looked up in: an import
/// brings all of its name.
fn followed_of_spaces(resolver: &Resolver<'_>, at: ExprRef, defs: Vec<DefRef>) -> Vec<AliasTarget> {
    let mut all: Vec<AliasTarget> = defs
        .into_iter()
        .map(|def| resolver.resolve_alias(def))
        .collect();
    let (Expr::Name { spaces, .. } | Expr::Member { spaces, .. }) = resolver.expr(at) else {
        return all;
    };
    let fits = |def: &DefRef| {
        resolver
            .def(*def)
            .is_some_and(|def| def.spaces & spaces != 0)
    };
    // An import of what is defined right there is no other name of it.
    let own: Vec<DefRef> = all
        .iter()
        .filter(|followed| followed.via_aliases.is_empty())
        .flat_map(|followed| followed.ends.iter().copied())
        .collect();
    if !own.is_empty() {
        all.retain(|followed| {
            let is_own = followed.ends.iter().all(|end| own.contains(end));
            followed.via_aliases.is_empty() || followed.ends.is_empty() || !is_own
        });
    }
    if all.iter().any(|followed| followed.ends.iter().any(fits)) {
        for followed in &mut all {
            followed.ends.retain(fits);
        }
        all.retain(|followed| !followed.ends.is_empty());
    } else if is_namespace_in_documentation(resolver, at) {
        all.retain(|followed| followed.ends.is_empty());
    }
    all
}

/// Whether it stands where documentation can only name a namespace.
pub(crate) fn is_namespace_in_documentation(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let role = Role::Doc;
    matches!(resolver.expr(at), Expr::Name { role: of, spaces: space::NAMESPACE, .. } if of == role)
}
