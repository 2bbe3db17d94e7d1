//! What functions of the library give that look into what they are given: `Object.values`, `Promise.all`, `flat`. Their
//! signatures are mapped and conditional types over tuples, keys and numbers.

use codecortex_bind::facts::{Expr, space};

use super::{globals, indexed_access, support};
use crate::contextual;
use crate::ids::{ExprRef, FileNo};
use crate::lang::LanguageRules;
use crate::library_types;
use crate::overloads::arity;
use crate::resolver::Resolver;
use crate::standard_library::tables;
use crate::ty::{Ty, Typed, none};

/// What calling such a function gives; nothing where it is another one.
pub(super) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    if let Some(ty) = flattened(resolver, callee) {
        return Some(Typed::inferred(ty));
    }
    let (head, name) = called(resolver, callee)?;
    let given = resolver.each(file, args, |at| at);
    let first = *given.first()?;
    let of_first = || resolver.type_of(first).ty;
    let promise = |of: Ty| globals::instance(resolver, file, "Promise", vec![of]);
    let text = || Ty::External(resolver.workspace.name("string"), none());
    let ty = match (head, name) {
        ("Object", "values") => Ty::array(value_of(resolver, file, &of_first())?),
        ("Object", "entries") => {
            let value = value_of(resolver, file, &of_first())?;
            Ty::array(Ty::Tuple([text(), value].into()))
        }
        ("Promise", "allSettled") => {
            let one = library_types::unwrap(resolver, file, &of_first(), "iter")?;
            let one = settled(resolver, file, one);
            let result = globals::instance(resolver, file, "PromiseFulfilledResult", vec![one]);
            promise(Ty::array(result))
        }
        ("Promise", "all") => promise(all_settled(resolver, first)?),
        ("Promise", "race" | "any") => {
            let one = library_types::unwrap(resolver, file, &of_first(), "iter")?;
            promise(settled(resolver, file, one))
        }
        _ => return None,
    };
    Some(Typed::inferred(ty))
}

/// What `flat` of an array gives, which the library says by a condition over numbers.
fn flattened(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Ty> {
    let (of, "flat") = member_of(resolver, callee)? else {
        return None;
    };
    let (Ty::Array(_) | Ty::Tuple(_)) = resolver.type_of(of).ty else {
        return None;
    };
    let inner = library_types::unwrap(resolver, of.file, &resolver.type_of(of).ty, "iter")?;
    let element = match inner {
        Ty::Array(_) | Ty::Tuple(_) => library_types::unwrap(resolver, of.file, &inner, "iter")?,
        one => one,
    };
    Some(Ty::array(element))
}

/// What a member is called of, and the member's name.
fn member_of<'q>(resolver: &Resolver<'q>, callee: ExprRef) -> Option<(ExprRef, &'q str)> {
    let file = callee.file;
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    let Expr::Member { of, name, .. } = resolver.expr(plain) else {
        return None;
    };
    let name = resolver.workspace.text(resolver.file(file)?.name(name));
    Some((ExprRef { file, expr: of }, name))
}

/// What a function takes.
pub(super) fn parameters(resolver: &Resolver<'_>, file: FileNo, function: &Ty) -> Option<Ty> {
    let Ty::Function(defs, _) = function else {
        return None;
    };
    let function = Typed::inferred(function.clone());
    let taken = 0..arity::arity(resolver, *defs.first()?) as u32;
    let taken =
        taken.map(|index| contextual::contextual_param(resolver, file, &function, index).ty);
    Some(Ty::Tuple(taken.collect()))
}

/// The object of the language and the function of it that are called.
fn called<'q>(resolver: &Resolver<'q>, callee: ExprRef) -> Option<(&'q str, &'q str)> {
    let bound = resolver.file(callee.file)?;
    let text = |name| resolver.workspace.text(bound.name(name));
    let (of, name) = match resolver.expr(callee) {
        Expr::Member { of, name, .. } => (of, name),
        _ => return None,
    };
    let Expr::Name { name: head, .. } = resolver.expr(ExprRef { expr: of, ..callee }) else {
        return None;
    };
    let (head, name) = (text(head), text(name));
    let is_known =
        matches!(head, "Object" | "Promise") && support::leads_out(&resolver.find(callee));
    is_known.then_some((head, name))
}

/// A collection that is made of others, by the name of its class: `new Set(list)`, `new Map(pairs)`. The pairs of an
/// array that is written are arrays of two here.
pub(super) fn collected(
    resolver: &Resolver<'_>,
    file: FileNo,
    class: &str,
    args: u32,
) -> Option<Ty> {
    let is_pairs = match class {
        "Map" | "WeakMap" => true,
        "Set" | "WeakSet" => false,
        _ => return None,
    };
    let first = resolver.each(file, args, |at| at).first().copied()?;
    let written = match is_pairs {
        true => written_pair(resolver, first),
        false => None,
    };
    let entry = || library_types::unwrap(resolver, file, &resolver.type_of(first).ty, "iter");
    let held = match written.or_else(entry)? {
        Ty::Tuple(pair) if is_pairs => pair.to_vec(),
        entry if !is_pairs => vec![entry],
        _ => return None,
    };
    Some(globals::instance(resolver, file, class, held))
}

/// The first of the pairs that are written side by side.
fn written_pair(resolver: &Resolver<'_>, pairs: ExprRef) -> Option<Ty> {
    let pair = *elements(resolver, pairs)?.first()?;
    let parts = elements(resolver, pair).filter(|parts| parts.len() == 2)?;
    Some(Ty::Tuple(
        parts
            .iter()
            .map(|part| resolver.type_of(*part).ty)
            .collect(),
    ))
}

/// The elements of an array that is written.
fn elements(resolver: &Resolver<'_>, at: ExprRef) -> Option<Vec<ExprRef>> {
    let file = at.file;
    let Expr::Array { of } = resolver.expr(at) else {
        return None;
    };
    let of = ExprRef { file, expr: of };
    Some(match resolver.expr(of) {
        Expr::Union { of: list } => resolver.each(file, list, |at| at),
        _ => vec![of],
    })
}

/// What the keys of an object are given, each of them or one that is not known.
fn value_of(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    match of {
        Ty::Object(object, scope, subst) => match resolver.indexed(*object, *scope) {
            Some(ty) => Some(ty.with(subst)),
            None => indexed_access::values(resolver, file, of),
        },
        Ty::Instance(def, args) => {
            let inner = resolver.def(*def)?.inner;
            match resolver.indexed(def.file, inner) {
                Some(ty) => Some(ty.with(&resolver.substitution_of(*def, args))),
                None => indexed_access::values(resolver, file, of),
            }
        }
        Ty::Type(..) => indexed_access::values(resolver, file, of),
        _ => library_types::unwrap(resolver, file, of, "iter"),
    }
}

/// What promises give once all of them are kept: of those that are written side by side each by itself.
fn all_settled(resolver: &Resolver<'_>, promises: ExprRef) -> Option<Ty> {
    let file = promises.file;
    if let Some(all) = elements(resolver, promises).filter(|all| all.len() > 1) {
        let each = |at: &ExprRef| settled(resolver, file, resolver.type_of(*at).ty);
        return Some(Ty::Tuple(all.iter().map(each).collect()));
    }
    match resolver.type_of(promises).ty {
        Ty::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| settled(resolver, file, part.clone()));
            Some(Ty::Tuple(parts.collect()))
        }
        of => {
            let one = library_types::unwrap(resolver, file, &of, "iter")?;
            Some(Ty::array(settled(resolver, file, one)))
        }
    }
}

/// What awaiting a value gives: itself if it is no promise.
pub(super) fn settled(resolver: &Resolver<'_>, file: FileNo, of: Ty) -> Ty {
    if let Some(held) = library_types::unwrap(resolver, file, &of, "await") {
        return held;
    }
    let is_kept_later = |name| !resolver.member(&of, name, space::ANY, file).is_empty();
    match of {
        // What can be waited for in its own way gives what nobody knows.
        Ty::Instance(..) | Ty::Object(..)
            if resolver.workspace.name("then").is_some_and(is_kept_later) =>
        {
            Ty::Unknown
        }
        of => of,
    }
}

/// What a member is that functions or objects have of a type of the library.
pub(super) fn apparent(resolver: &Resolver<'_>, of: &str, member: &str) -> Option<Typed> {
    let workspace = resolver.workspace;
    let family = super::TypeScriptRules.family();
    let file = workspace.library_file_at(family, &format!("{of}.d.ts"))?;
    let of = Ty::External(workspace.shared_name(of), none());
    let of = tables::as_declared(resolver, of, file);
    let found = resolver.member(&of, workspace.name(member)?, space::VALUE, file);
    (!found.defs.is_empty()).then(|| resolver.type_of_found(&found))
}
