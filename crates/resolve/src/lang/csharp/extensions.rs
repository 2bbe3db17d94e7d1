//! Extension methods beside a type's own, and from where they are seen.

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_bind::facts::{DefKind, Expr, ListId, NONE, ScopeKind};
use rustc_hash::FxHashMap;

use super::{delegates, usings};
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::memo::LanguageMemo;
use crate::overloads::by_conversion;
use crate::overloads::conversion::Conversion;
use crate::overloads::type_comparison;
use crate::resolver::Resolver;
use crate::ty::{Ty, no_substitution};

/// What has extension methods that a file can call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// The classes of a namespace; nothing: those in none.
    Namespace(Option<Name>),
    /// A class of which a directive brings the members.
    Class(DefRef),
}

/// Where a file finds extension methods, with how far that is from it.
type Homes = Rc<[(Home, u32)]>;

/// Where files find extension methods.
#[derive(Debug, Default)]
struct ExtensionMemo {
    homes: RefCell<FxHashMap<FileNo, Homes>>,
}

impl LanguageMemo for ExtensionMemo {
    fn clear(&mut self) {
        self.homes.get_mut().clear();
    }
}

/// How far from a file an extension method is; nothing where the file does not see it. C# looks into the namespaces
/// around a call from inside out, into each before what its directives bring, and takes the first in which there is one
/// that can be called. Of a file with several namespaces the nearest counts.
pub(super) fn distance(resolver: &Resolver<'_>, def: DefRef, from: FileNo) -> Option<u32> {
    let class = resolver.owner(def)?;
    let home = Home::Namespace(namespace_of(resolver, class));
    let memo = resolver.languages.get::<ExtensionMemo>();
    let homes = resolver.memoize(&memo.homes, from, || homes(resolver, from));
    let is_seen = |known: &Home| match known {
        Home::Class(of) => resolver.parts(*of).types.contains(&class),
        Home::Namespace(_) => *known == home,
    };
    let seen = homes.iter().filter(|(known, _)| is_seen(known));
    seen.map(|(_, distance)| *distance).min()
}

fn namespace_of(resolver: &Resolver<'_>, class: DefRef) -> Option<Name> {
    let bound = resolver.file(class.file)?;
    let scope = bound.scope(bound.def(class.def).scope);
    let is_open = scope.kind == ScopeKind::Namespace && scope.owner != NONE;
    is_open.then(|| bound.name(bound.def(scope.owner).name))
}

fn homes(resolver: &Resolver<'_>, from: FileNo) -> Homes {
    let Some(bound) = resolver.file(from) else {
        return Rc::default();
    };
    let text = |path: Name| resolver.workspace.text(path);
    let depth = |path: &str| 1 + path.matches('.').count() as u32;
    // The namespaces of the file by their scopes, what is around all of them with none.
    let path_of = |scope: &codecortex_bind::facts::Scope| {
        (scope.kind == ScopeKind::Namespace && scope.owner != NONE)
            .then(|| bound.name(bound.def(scope.owner).name))
    };
    let paths: Vec<Name> = bound.scopes().iter().filter_map(path_of).collect();
    let deepest = paths.iter().map(|path| depth(text(*path))).max();
    let deepest = deepest.unwrap_or(0);
    // Two steps for each namespace outwards: to what it has itself, to what directives in it bring.
    let steps_to = |path: Option<Name>| 2 * (deepest - path.map_or(0, |path| depth(text(path))));
    let mut homes = vec![(Home::Namespace(None), steps_to(None))];
    for path in paths {
        let mut outer = text(path);
        loop {
            let home = resolver.workspace.name(outer);
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
    for glob in bound.glob_imports() {
        let around = path_of(bound.scope(glob.scope));
        let of = ExprRef {
            file: from,
            expr: glob.of,
        };
        bring(resolver.type_of(of).ty, steps_to(around) + 1);
    }
    for brought in usings::brought(resolver, from) {
        bring(brought, steps_to(None) + 1);
    }
    homes.into()
}

/// Extension methods that a call may mean on what a member of a type from outside gives, of which nothing is known.
fn of_anything(
    resolver: &Resolver<'_>,
    at: ExprRef,
    name: Name,
    args: ListId,
) -> Option<LookupResult> {
    if !is_value(resolver, at) {
        return None;
    }
    let adds_itself = |def: &DefRef| {
        let bound = resolver.file(def.file)?;
        let param = DefRef {
            file: def.file,
            def: bound.params(def.def).next()?,
        };
        let of = resolver.type_of_def(param).ty;
        let conversion = type_comparison::conversion(resolver, &of, &Ty::external(), at.file, 6);
        (conversion <= Conversion::Maybe).then_some(())
    };
    let may_be_meant = |def: &DefRef| {
        distance(resolver, *def, at.file).is_some()
            && adds_itself(def).is_some()
            && by_conversion::can_take(resolver, *def, &no_substitution(), at, args)
    };
    let all = resolver.workspace.extensions(name).iter().copied();
    let found = LookupResult::defs(all.filter(may_be_meant).collect());
    (!found.is_empty()).then(|| found.inferred())
}

/// Whether what stands before a member is a value rather than a type or a namespace from outside.
fn is_value(resolver: &Resolver<'_>, member: ExprRef) -> bool {
    const LONGEST: usize = 32;
    let mut at = member;
    for _ in 0..LONGEST {
        match resolver.expr(at) {
            Expr::Member { of, .. } => at.expr = of,
            Expr::Name { .. } => return !resolver.find(at).defs.is_empty(),
            _ => return true,
        }
    }
    false
}

/// Whether what a property or field holds may be called: a call does not mean one that holds data.
fn may_hold_function(resolver: &Resolver<'_>, of: DefRef) -> bool {
    match resolver.type_of_def(of).ty {
        Ty::Unknown | Ty::Param(_) => true,
        ty => delegates::arity(resolver, &ty).is_some(),
    }
}

/// Extension methods that a call means because nothing that the type itself has can be called with its arguments.
pub(super) fn instead(resolver: &Resolver<'_>, at: ExprRef, receiver: &Ty) -> Option<LookupResult> {
    let Expr::Member { name, spaces, .. } = resolver.expr(at) else {
        return None;
    };
    let name = resolver.file(at.file)?.name(name);
    if resolver.workspace.extensions(name).is_empty() {
        return None;
    }
    let Expr::Call { args, .. } = resolver.expr(resolver.call_of(at)?) else {
        return None;
    };
    if matches!(receiver, Ty::External(None, _) | Ty::ExternalType(None, _)) {
        return of_anything(resolver, at, name, args);
    }
    if !matches!(receiver, Ty::Instance(..)) {
        return None;
    }
    let own = resolver.member(receiver, name, spaces, at.file);
    let takes = |found: &LookupResult| {
        let mut defs = found.defs.iter();
        defs.any(|def| by_conversion::can_take(resolver, *def, &found.subst, at, args))
    };
    let is_called = |def: &DefRef| match resolver.def(*def).map(|def| def.kind) {
        Some(DefKind::Property | DefKind::Field | DefKind::Constant) => {
            may_hold_function(resolver, *def)
        }
        Some(kind) if kind.is_callable() => {
            by_conversion::can_take(resolver, *def, &own.subst, at, args)
        }
        _ => true,
    };
    if own.is_empty() || own.defs.iter().any(is_called) {
        return None;
    }
    let added = resolver.extension(receiver, name, at.file);
    takes(&added).then_some(added)
}
