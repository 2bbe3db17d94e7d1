//! Extension methods beside a type's own, and from where they are seen.

use std::rc::Rc;

use codecortex_bind::facts::{DefKind, Expr, ListId, NONE, ScopeKind};

use super::{functions, usings};
use crate::overloads::Fit;
use crate::query::{Found, Query};
use crate::ty::{Ty, no_env};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// What has extension methods that a file can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The classes of a namespace; nothing: those in none.
    Namespace(Option<Sym>),
    /// A class of which a directive brings the members.
    Class(DefRef),
}

/// Where a file finds extension methods, with how far that is from it.
pub(crate) type Homes = Rc<[(Home, u32)]>;

/// How far from a file an extension method is; nothing where the file does not see it. C# looks into the namespaces
/// around a call from inside out, into each before what its directives bring, and takes the first in which there is one
/// that can be called. Of a file with several namespaces the nearest counts.
pub(super) fn distance(query: &Query<'_>, def: DefRef, from: FileNo) -> Option<u32> {
    let class = query.owner(def)?;
    let home = Home::Namespace(namespace_of(query, class));
    let homes = query.kept(&query.extension_homes, from, || homes(query, from));
    let is_seen = |known: &Home| match known {
        Home::Class(of) => query.parts(*of).types.contains(&class),
        Home::Namespace(_) => *known == home,
    };
    let seen = homes.iter().filter(|(known, _)| is_seen(known));
    seen.map(|(_, distance)| *distance).min()
}

fn namespace_of(query: &Query<'_>, class: DefRef) -> Option<Sym> {
    let bound = query.file(class.file)?;
    let scope = bound.scope(bound.def(class.def).scope);
    let is_open = scope.kind == ScopeKind::Namespace && scope.owner != NONE;
    is_open.then(|| bound.sym(bound.def(scope.owner).name))
}

fn homes(query: &Query<'_>, from: FileNo) -> Homes {
    let Some(bound) = query.file(from) else {
        return Rc::default();
    };
    let text = |path: Sym| query.workspace.text(path);
    let depth = |path: &str| 1 + path.matches('.').count() as u32;
    // The namespaces of the file by their scopes, what is around all of them with none.
    let path_of = |scope: &codecortex_bind::facts::Scope| {
        (scope.kind == ScopeKind::Namespace && scope.owner != NONE)
            .then(|| bound.sym(bound.def(scope.owner).name))
    };
    let paths: Vec<Sym> = bound.scopes().iter().filter_map(path_of).collect();
    let deepest = paths.iter().map(|path| depth(text(*path))).max();
    let deepest = deepest.unwrap_or(0);
    // Two steps for each namespace outwards: to what it has itself, to what directives in it bring.
    let steps_to = |path: Option<Sym>| 2 * (deepest - path.map_or(0, |path| depth(text(path))));
    let mut homes = vec![(Home::Namespace(None), steps_to(None))];
    for path in paths {
        let mut outer = text(path);
        loop {
            let home = query.workspace.sym(outer);
            if home.is_some() {
                homes.push((Home::Namespace(home), steps_to(home)));
            }
            match outer.rsplit_once('.') {
                Some((rest, _)) => outer = rest,
                None => break,
            }
        }
    }
    let mut bring = |brought: Ty, steps: u32| match brought {
        Ty::Namespace(path) => homes.push((Home::Namespace(Some(path)), steps)),
        Ty::Type(class, _) | Ty::Instance(class, _) => homes.push((Home::Class(class), steps)),
        _ => {}
    };
    for star in bound.glob_imports() {
        let around = path_of(bound.scope(star.scope));
        let of = ExprRef {
            file: from,
            expr: star.of,
        };
        bring(query.type_of(of).ty, steps_to(around) + 1);
    }
    for brought in usings::brought(query, from) {
        bring(brought, steps_to(None) + 1);
    }
    homes.into()
}

/// Extension methods that a call may mean on what a member of a type from outside gives, of which nothing is known.
fn of_anything(query: &Query<'_>, at: ExprRef, name: Sym, args: ListId) -> Option<Found> {
    if !is_value(query, at) {
        return None;
    }
    let adds_itself = |def: &DefRef| {
        let bound = query.file(def.file)?;
        let param = DefRef {
            file: def.file,
            def: bound.params(def.def).next()?,
        };
        let of = query.type_of_def(param).ty;
        let fit = query.fit(&of, &Ty::external(), at.file, 6);
        (fit <= Fit::Maybe).then_some(())
    };
    let may_be_meant = |def: &DefRef| {
        distance(query, *def, at.file).is_some()
            && adds_itself(def).is_some()
            && query.can_take(*def, &no_env(), at, args)
    };
    let all = query.workspace.extensions(name).iter().copied();
    let found = Found::defs(all.filter(may_be_meant).collect());
    (!found.is_empty()).then(|| found.guessed())
}

/// Whether what stands before a member is a value rather than a type or a namespace from outside.
fn is_value(query: &Query<'_>, member: ExprRef) -> bool {
    const LONGEST: usize = 32;
    let mut at = member;
    for _ in 0..LONGEST {
        match query.expr(at) {
            Expr::Member { of, .. } => at.expr = of,
            Expr::Name { .. } => return !query.find(at).defs.is_empty(),
            _ => return true,
        }
    }
    false
}

/// Whether what a property or field holds may be called: a call does not mean one that holds data.
fn may_hold_function(query: &Query<'_>, of: DefRef) -> bool {
    match query.type_of_def(of).ty {
        Ty::Unknown | Ty::Param(_) => true,
        ty => functions::arity(query, &ty).is_some(),
    }
}

/// Extension methods that a call means because nothing that the type itself has can be called with its arguments.
pub(super) fn instead(query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
    let Expr::Member { name, spaces, .. } = query.expr(at) else {
        return None;
    };
    let name = query.file(at.file)?.sym(name);
    if query.workspace.extensions(name).is_empty() {
        return None;
    }
    let Expr::Call { args, .. } = query.expr(query.call_of(at)?) else {
        return None;
    };
    if matches!(receiver, Ty::External(None, _) | Ty::ExternalType(None, _)) {
        return of_anything(query, at, name, args);
    }
    if !matches!(receiver, Ty::Instance(..)) {
        return None;
    }
    let own = query.member(receiver, name, spaces, at.file);
    let takes = |found: &Found| {
        let mut defs = found.defs.iter();
        defs.any(|def| query.can_take(*def, &found.env, at, args))
    };
    let is_called = |def: &DefRef| match query.def(*def).map(|def| def.kind) {
        Some(DefKind::Property | DefKind::Field | DefKind::Constant) => {
            may_hold_function(query, *def)
        }
        Some(kind) if kind.is_callable() => query.can_take(*def, &own.env, at, args),
        _ => true,
    };
    if own.is_empty() || own.defs.iter().any(is_called) {
        return None;
    }
    let added = query.extension(receiver, name, at.file);
    takes(&added).then_some(added)
}
