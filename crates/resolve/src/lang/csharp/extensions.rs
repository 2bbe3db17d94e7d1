//! Extension methods beside a type's own, and from where they are seen.

use std::rc::Rc;

use codecortex_bind::facts::{Expr, NONE, ScopeKind};

use super::usings;
use crate::query::{Found, Query};
use crate::ty::Ty;
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
    for star in bound.stars() {
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

/// Extension methods that a call means because no method that the type itself has can take its arguments.
pub(super) fn instead(query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
    let Expr::Member { name, spaces, .. } = query.expr(at) else {
        return None;
    };
    let name = query.file(at.file)?.sym(name);
    if !matches!(receiver, Ty::Instance(..)) || query.workspace.extensions(name).is_empty() {
        return None;
    }
    let Expr::Call { args, .. } = query.expr(query.call_of(at)?) else {
        return None;
    };
    let own = query.member(receiver, name, spaces, at.file);
    let takes = |found: &Found| {
        let mut defs = found.defs.iter();
        defs.any(|def| query.can_take(*def, &found.env, at, args))
    };
    let are_methods = own
        .defs
        .iter()
        .all(|def| query.def(*def).is_some_and(|def| def.kind.is_callable()));
    if own.is_empty() || !are_methods || takes(&own) {
        return None;
    }
    let added = query.extension(receiver, name, at.file);
    takes(&added).then_some(added)
}
