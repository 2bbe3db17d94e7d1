//! Classes: linearisation (C3), constructors, instance attributes.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, flag, space};

use super::metaclasses;
use super::support::is_enumeration;
use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::overrides;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, none};

/// Longer lines of ancestors nobody writes.
const LONGEST: usize = 64;

/// Puts in the place of a class's bases all its ancestors in the order in which they are searched.
pub(super) fn linearise(resolver: &Resolver<'_>, of: DefRef, bases: &mut Vec<(Ty, bool)>) {
    let mut open = vec![of];
    let line = merged(resolver, bases, &mut open);
    *bases = line;
}

/// C3: the lines of the bases and the bases themselves, merged so that each keeps its order.
fn merged(
    resolver: &Resolver<'_>,
    bases: &[(Ty, bool)],
    open: &mut Vec<DefRef>,
) -> Vec<(Ty, bool)> {
    let mut lines: Vec<Vec<(Ty, bool)>> = Vec::new();
    for (base, is_declared) in bases {
        lines.push(line_of(resolver, base, *is_declared, open));
    }
    lines.push(bases.to_vec());
    let mut line = Vec::new();
    while line.len() < LONGEST {
        lines.retain(|line| !line.is_empty());
        let Some(first) = lines.first() else { break };
        let behind = |ty: &Ty| {
            lines
                .iter()
                .any(|line| line[1..].iter().any(|(other, _)| same(other, ty)))
        };
        let good = lines
            .iter()
            .map(|line| &line[0])
            .find(|head| !behind(&head.0));
        // Bases that contradict one another: Python refuses, we go on.
        let next = good.unwrap_or(&first[0]).clone();
        for line in &mut lines {
            line.retain(|(other, _)| !same(other, &next.0));
        }
        line.push(next);
    }
    line
}

fn same(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Instance(a, _) | Ty::Type(a, _), Ty::Instance(b, _) | Ty::Type(b, _)) => a == b,
        _ => a == b,
    }
}

/// A class and its ancestors.
fn line_of(
    resolver: &Resolver<'_>,
    of: &Ty,
    is_declared: bool,
    open: &mut Vec<DefRef>,
) -> Vec<(Ty, bool)> {
    let own = (of.clone(), is_declared);
    let (Ty::Instance(def, args) | Ty::Type(def, args)) = of else {
        return vec![own];
    };
    if open.contains(def) || open.len() >= LONGEST {
        return vec![own];
    }
    open.push(*def);
    let bases = resolver.bases(&resolver.parts(*def), &resolver.substitution_of(*def, args));
    let line = merged(resolver, &bases, open);
    open.pop();
    std::iter::once(own).chain(line).collect()
}

/// An attribute that a class only assigns is the one that an ancestor declares, if one does.
pub(super) fn declared_member(
    resolver: &Resolver<'_>,
    at: ExprRef,
    receiver: &Ty,
) -> Option<LookupResult> {
    let (Ty::Instance(def, args) | Ty::Type(def, args)) = receiver else {
        return None;
    };
    let bound = resolver.file(at.file)?;
    let Expr::Member {
        of, name, spaces, ..
    } = bound.expr(at.expr)
    else {
        return None;
    };
    let name = bound.name(name);
    // What every class says of itself comes before what it says of its instances.
    let is_of_class =
        matches!(receiver, Ty::Type(..)) || matches!(bound.expr(of), Expr::TypeOf { .. });
    if is_of_class && OF_CLASSES.contains(&resolver.workspace.text(name)) {
        return Some(LookupResult::external());
    }
    let found = resolver.member_of_type(*def, args, name, spaces);
    if found.defs.is_empty() || found.defs.iter().any(|def| is_declared(resolver, *def)) {
        return None;
    }
    let subst = resolver.substitution_of(*def, args);
    let mut bases = resolver.bases(&resolver.parts(*def), &subst);
    linearise(resolver, *def, &mut bases);
    bases.iter().find_map(|(base, _)| {
        let Ty::Instance(base, args) = base else {
            return None;
        };
        let own = resolver.own_members(&resolver.parts(*base), name, spaces);
        let is_there = own.iter().any(|def| is_declared(resolver, *def));
        is_there.then(|| LookupResult {
            subst: resolver.substitution_of(*base, args),
            ..LookupResult::defs(own)
        })
    })
}

/// What `type` keeps for every class, whatever is written in it.
const OF_CLASSES: [&str; 5] = [
    "__name__",
    "__qualname__",
    "__bases__",
    "__mro__",
    "__dict__",
];

/// Whether a member says its type: by an annotation, or by what it is.
fn is_declared(resolver: &Resolver<'_>, def: DefRef) -> bool {
    resolver
        .def(def)
        .is_some_and(|def| def.flags & flag::IMPLICIT == 0 || def.kind == DefKind::EnumMember)
}

/// A parameter without annotation is what the same parameter of the method is that this one replaces.
pub(super) fn inherited_param(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    let bound = resolver.file(at.file)?;
    let function = bound.scope(def.scope).owner;
    if function == NONE || bound.def(function).kind != DefKind::Method {
        return None;
    }
    let function = DefRef {
        file: at.file,
        def: function,
    };
    let name = resolver.name_of(at)?;
    overrides::overridden(resolver, function)
        .into_iter()
        .find_map(|other| {
            let bound = resolver.file(other.file)?;
            let param = bound.params(other.def).find(|param| {
                let param = bound.def(*param);
                bound.name(param.name) == name && param.ty != NONE
            })?;
            Some(resolver.type_of_def(DefRef {
                file: other.file,
                def: param,
            }))
        })
}

/// `__init__`, or `__new__` if there is none.
pub(super) fn constructors(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    for name in ["__init__", "__new__"] {
        let Some(name) = resolver.workspace.name(name) else {
            continue;
        };
        let found = resolver.member_of_type(of, &none(), name, space::ANY);
        if !found.defs.is_empty() {
            return found.defs;
        }
    }
    Vec::new()
}

/// What the class makes that a variable holds: `Base = None`, and `Base = A` further down.
pub(super) fn made_by(class: &Ty) -> Option<Ty> {
    match class {
        Ty::Type(def, args) => Some(Ty::Instance(*def, args.clone())),
        Ty::Union(parts) => {
            let made = parts.iter().filter_map(made_by);
            Some(Ty::choice(made.collect())).filter(|made| !made.is_unknown())
        }
        _ => None,
    }
}

/// The field of a dataclass that a named argument sets.
pub(super) fn named_field(resolver: &Resolver<'_>, of: DefRef, name: Name) -> Option<DefRef> {
    if !constructors(resolver, of).is_empty() || !is_record(resolver, of) {
        return None;
    }
    let found = resolver.member_of_type(of, &none(), name, space::ANY);
    found.defs.first().copied()
}

/// Whether a class or one of its ancestors has its fields as parameters of its constructor.
pub(super) fn is_record(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let is_one = |def: DefRef| {
        resolver
            .def(def)
            .is_some_and(|def| def.kind == DefKind::Record)
    };
    if is_one(of) {
        return true;
    }
    let mut bases = resolver.bases(&resolver.parts(of), &crate::ty::no_substitution());
    linearise(resolver, of, &mut bases);
    bases
        .iter()
        .any(|(ty, _)| matches!(ty, Ty::Instance(def, _) if is_one(*def)))
}

/// The entry of a named tuple.
pub(super) fn entry(resolver: &Resolver<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
    let Ty::Instance(def, _) = of else {
        return library_types::unwrap(resolver, file, of, "iter");
    };
    if let Some(fields) = record_fields(resolver, *def) {
        let field = *fields.get(index as usize)?;
        return Some(resolver.type_of_def(field).ty);
    }
    library_types::unwrap(resolver, file, of, "iter")
}

/// The fields of a record in their order; none of another class.
fn record_fields(resolver: &Resolver<'_>, of: DefRef) -> Option<Vec<DefRef>> {
    let known = resolver.def(of)?;
    if known.kind != DefKind::Record {
        return None;
    }
    let bound = resolver.file(of.file)?;
    let is_field = |field: &u32| {
        let field = bound.def(*field);
        field.kind == DefKind::Field && field.flags & flag::IMPLICIT == 0
    };
    let mut fields: Vec<u32> = bound.all_in(known.inner).filter(is_field).collect();
    fields.sort_unstable();
    let at = |def| DefRef { file: of.file, def };
    Some(fields.into_iter().map(at).collect())
}

/// A base class that a call returns: `class A(base_of(B))`.
pub(super) fn base_of_call(resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
    if !matches!(resolver.expr(at), Expr::Call { .. }) {
        return None;
    }
    let returned = resolver.type_of(at);
    let ty = match returned.ty {
        Ty::Type(def, args) => Ty::Instance(def, args),
        Ty::ExternalType(name, args) | Ty::External(name, args) => Ty::External(name, args),
        _ => return None,
    };
    Some(Typed::inferred(ty))
}

/// What iterating, indexing, awaiting an instance gives: what its special methods give.
pub(super) fn unwrapped(resolver: &Resolver<'_>, file: FileNo, of: &Ty, how: &str) -> Option<Ty> {
    let (def, args) = match of {
        Ty::Instance(def, args) => (*def, args.clone()),
        Ty::Type(def, _) if how == "iter" && is_enumeration(resolver, *def) => {
            return Some(Ty::Instance(*def, none()));
        }
        Ty::Type(def, _) if how == "index" && is_enumeration(resolver, *def) => {
            return Some(Ty::Instance(*def, none()));
        }
        Ty::Type(def, _) => {
            let of = metaclasses::instance(resolver, *def)?;
            return unwrapped(resolver, file, &of, how);
        }
        _ => return None,
    };
    let methods: &[&str] = match how {
        "iter" => &["__iter__", "__aiter__", "__getitem__"],
        "index" => &["__getitem__"],
        "await" => &["__await__"],
        _ => return None,
    };
    for method in methods {
        let Some(name) = resolver.workspace.name(method) else {
            continue;
        };
        let found = resolver.member_of_type(def, &args, name, space::ANY);
        if found.defs.is_empty() {
            continue;
        }
        let function = resolver.type_of_found(&found);
        let result = call::result_of(resolver, file, &function.ty, NONE).ty;
        return match *method {
            "__iter__" | "__aiter__" => iterated(resolver, file, of, result),
            "__await__" => Some(given_at_last(resolver, &result)),
            _ => Some(result),
        };
    }
    // Which entry is meant is not known of `pair[at]`, and of `pair[1]` no more than that it is one of them.
    if how != "await"
        && let Some(fields) = record_fields(resolver, def)
    {
        let types = fields
            .into_iter()
            .map(|field| resolver.type_of_def(field).ty);
        return Some(Ty::union(types.collect()));
    }
    of_outside_base(resolver, file, def, &args, how)
}

/// What the generator gives at last that `__await__` gave.
fn given_at_last(resolver: &Resolver<'_>, generator: &Ty) -> Ty {
    let (name, args) = match generator {
        Ty::External(Some(name), args) => (resolver.workspace.text(*name), args),
        Ty::Instance(def, args) => (resolver.name(*def), args),
        _ => return Ty::Unknown,
    };
    let given = args.get(2).filter(|_| name == "Generator");
    given.cloned().unwrap_or(Ty::Unknown)
}

/// What an iterator gives that `__iter__` gave.
fn iterated(resolver: &Resolver<'_>, file: FileNo, of: &Ty, iterator: Ty) -> Option<Ty> {
    if iterator != *of {
        return library_types::unwrap(resolver, file, &iterator, "iter");
    }
    for next in ["__next__", "__anext__"] {
        let name = resolver.workspace.name(next);
        let found = name.map(|name| resolver.member(of, name, space::ANY, file));
        if let Some(found) = found.filter(|found| !found.defs.is_empty()) {
            let function = resolver.type_of_found(&found);
            return Some(call::result_of(resolver, file, &function.ty, NONE).ty);
        }
    }
    None
}

/// `class Lines(List[Line])`: what the list gives.
fn of_outside_base(
    resolver: &Resolver<'_>,
    file: FileNo,
    def: DefRef,
    args: &[Ty],
    how: &str,
) -> Option<Ty> {
    let mut bases = resolver.bases(&resolver.parts(def), &resolver.substitution_of(def, args));
    linearise(resolver, def, &mut bases);
    bases.iter().find_map(|(base, _)| match base {
        Ty::External(_, args) if args.is_empty() => None,
        Ty::External(..) | Ty::Array(_) | Ty::Map(_) => {
            // What is awaited of a base that nobody can await is the base.
            library_types::unwrap(resolver, file, base, how).filter(|given| given != base)
        }
        _ => None,
    })
}
