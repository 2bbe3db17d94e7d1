//! What functions of the language's own objects give that look into what they are given: `Object.values`,
//! `Array.from`, `Promise.all`.

use codecortex_bind::facts::{Expr, space};

use super::{indexed_access, support};
use crate::contextual;
use crate::ids::{ExprRef, FileNo};
use crate::library_types;
use crate::library_types::table::LibraryMember;
use crate::narrow::guards;
use crate::overloads::arity;
use crate::lang::LanguageRules;
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
    if let Some(ty) = of_array(resolver, callee, args) {
        return Some(Typed::inferred(ty));
    }
    let (head, name) = called(resolver, callee)?;
    let given = resolver.each(file, args, |at| at);
    let first = *given.first()?;
    let of_first = || resolver.type_of(first).ty;
    let promise = |of: Ty| Ty::External(resolver.workspace.name("Promise"), [of].into());
    let text = || Ty::External(resolver.workspace.name("string"), none());
    let ty = match (head, name) {
        ("Object", "values") => Ty::array(value_of(resolver, file, &of_first())?),
        ("Object", "entries") => {
            let value = value_of(resolver, file, &of_first())?;
            Ty::array(Ty::Tuple([text(), value].into()))
        }
        ("Object", "keys" | "getOwnPropertyNames") => Ty::array(text()),
        ("Object", "freeze" | "seal" | "preventExtensions") => of_first(),
        ("Object", "assign") => {
            Ty::union(given.iter().map(|at| resolver.type_of(*at).ty).collect())
        }
        ("Array", "from" | "fromAsync") if given.len() == 1 => {
            Ty::array(library_types::unwrap(resolver, file, &of_first(), "iter")?)
        }
        ("Array", "from" | "fromAsync") => {
            Ty::array(library_types::returned(resolver, file, args)?)
        }
        ("Iterator", "from" | "concat") => {
            let one = library_types::unwrap(resolver, file, &of_first(), "iter")?;
            Ty::External(resolver.workspace.name("Iterator"), [one].into())
        }
        ("Object", "fromEntries") => {
            match library_types::unwrap(resolver, file, &of_first(), "iter")? {
                Ty::Tuple(pair) => Ty::Map((pair.first()?.clone(), pair.get(1)?.clone()).into()),
                _ => return None,
            }
        }
        ("Object" | "Map", "groupBy") => {
            let one = library_types::unwrap(resolver, file, &of_first(), "iter")?;
            Ty::Map((text(), Ty::array(one)).into())
        }
        ("", "structuredClone") => of_first(),
        ("Promise", "allSettled") => {
            let one = library_types::unwrap(resolver, file, &of_first(), "iter")?;
            let one = settled(resolver, file, one);
            let result = resolver.workspace.name("PromiseSettledResult");
            promise(Ty::array(Ty::External(result, [one].into())))
        }
        ("Promise", "resolve") => promise(settled(resolver, file, of_first())),
        ("Promise", "all") => promise(all_settled(resolver, first)?),
        ("Promise", "race" | "any") => {
            let one = library_types::unwrap(resolver, file, &of_first(), "iter")?;
            promise(settled(resolver, file, one))
        }
        _ => return None,
    };
    Some(Typed::inferred(ty))
}

/// What such a function expects: `Array.from(list, x => …)` hands over one element after the other.
pub(super) fn contextual_type(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    args: u32,
    index: u32,
) -> Option<Ty> {
    let number = || Ty::External(resolver.workspace.name("number"), none());
    if let Some((sum, element)) = reduced(resolver, callee, args) {
        return (index == 0).then(|| Ty::External(None, [sum, element, number()].into()));
    }
    match called(resolver, callee)? {
        ("Array", "from" | "fromAsync") | ("Object" | "Map", "groupBy") => {}
        _ => return None,
    }
    let first = resolver.each(callee.file, args, |at| at).first().copied()?;
    let element =
        library_types::unwrap(resolver, callee.file, &resolver.type_of(first).ty, "iter")?;
    (index == 1).then(|| Ty::External(None, [element, number()].into()))
}

/// What a member of an array gives by what it is called with, or by what is in its elements.
fn of_array(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Ty> {
    if let Some((sum, _)) = reduced(resolver, callee, args) {
        return (!sum.is_unknown()).then_some(sum);
    }
    if let Some(left) = left_by_guard(resolver, callee, args) {
        return Some(left);
    }
    let (of, "flat") = member_of(resolver, callee)? else {
        return None;
    };
    let inner = element_of(resolver, of)?;
    let element = match inner {
        Ty::Array(_) | Ty::Tuple(_) => library_types::unwrap(resolver, of.file, &inner, "iter")?,
        one => one,
    };
    Some(Ty::array(element))
}

/// `list.filter(isRow)`: what the guard says of the elements that are left.
fn left_by_guard(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Ty> {
    let (of, name @ ("filter" | "find" | "findLast")) = member_of(resolver, callee)? else {
        return None;
    };
    let first = *resolver.each(callee.file, args, |at| at).first()?;
    let function = resolver.type_of(first).ty;
    let told = guards::guarded_by_function(resolver, callee.file, &function)?;
    // Only of what is known to be a list.
    element_of(resolver, of)?;
    Some(match (name, resolver.type_of(of).ty) {
        ("filter", Ty::External(name, _)) => Ty::External(name, [told.ty].into()),
        ("filter", _) => Ty::array(told.ty),
        _ => told.ty,
    })
}

/// `list.reduce((sum, element) => …, first)`: what the sum is, by its first value or as a type argument says it, and an
/// element. Of a first value that says nothing (`{}`, `[]`) the sum is not known.
fn reduced(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<(Ty, Ty)> {
    let (of, "reduce" | "reduceRight") = member_of(resolver, callee)? else {
        return None;
    };
    let element = element_of(resolver, of)?;
    let said = match resolver.expr(callee) {
        Expr::Apply { args, .. } => {
            resolver.each(callee.file, args, |at| resolver.lower_type(at).ty)
        }
        _ => Vec::new(),
    };
    let first = resolver.each(callee.file, args, |at| at).get(1).copied();
    let sum = match (said.into_iter().next(), first) {
        (Some(said), _) => said,
        (None, Some(first)) => match resolver.type_of(first).ty {
            Ty::Array(of) if of.is_unknown() => Ty::Unknown,
            Ty::Object(..) => Ty::Unknown,
            ty => ty,
        },
        (None, None) => element.clone(),
    };
    Some((sum, element))
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

/// An element of what is an array.
fn element_of(resolver: &Resolver<'_>, of: ExprRef) -> Option<Ty> {
    match resolver.type_of(of).ty {
        ty @ (Ty::Array(_) | Ty::Tuple(_)) => library_types::unwrap(resolver, of.file, &ty, "iter"),
        Ty::External(Some(name), args) if !args.is_empty() => {
            let name = resolver.workspace.text(name);
            let is_iterated = |row: &LibraryMember| row.2 == "0";
            let table = resolver.rules(of.file).library_types();
            let has = table.find(name, "reduce").is_some();
            let row = table
                .find(name, "@iter")
                .filter(|row| has && is_iterated(row));
            row.and_then(|_| args.first().cloned())
        }
        _ => None,
    }
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
        Expr::Name { name, .. } if text(name) == "structuredClone" => {
            let is_known = support::leads_out(&resolver.find(callee));
            return is_known.then_some(("", "structuredClone"));
        }
        _ => return None,
    };
    let Expr::Name { name: head, .. } = resolver.expr(ExprRef { expr: of, ..callee }) else {
        return None;
    };
    let (head, name) = (text(head), text(name));
    let is_known = matches!(head, "Object" | "Array" | "Promise" | "Map" | "Iterator")
        && support::leads_out(&resolver.find(callee));
    is_known.then_some((head, name))
}

/// What a collection that is made of others holds: `new Set(list)`, `new Map(pairs)`.
pub(super) fn collected(resolver: &Resolver<'_>, file: FileNo, of: &Ty, args: u32) -> Option<Ty> {
    let Ty::External(Some(name), arguments) = of else {
        return None;
    };
    let is_pairs = match resolver.workspace.text(*name) {
        "Map" | "WeakMap" => true,
        "Set" | "WeakSet" => false,
        _ => return None,
    };
    let first = resolver.each(file, args, |at| at).first().copied()?;
    if !arguments.is_empty() {
        return None;
    }
    let written = match is_pairs {
        true => written_pair(resolver, first),
        false => None,
    };
    let entry = || library_types::unwrap(resolver, file, &resolver.type_of(first).ty, "iter");
    match written.or_else(entry)? {
        Ty::Tuple(pair) if is_pairs => Some(Ty::External(Some(*name), pair)),
        entry if !is_pairs => Some(Ty::External(Some(*name), [entry].into())),
        _ => None,
    }
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
