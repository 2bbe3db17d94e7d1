//! Type hierarchy: supertypes, and subtypes directly or not.

use std::collections::VecDeque;

use codecortex_bind::facts::{Def, DefKind, Expr, flag};
use rustc_hash::FxHashSet;

use crate::ids::{DefRef, ExprRef, Name};
use crate::list::push;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::symbol_identity;
use crate::symbol_names;
use crate::ty::{Ty, no_substitution};

/// Types that derive from a type, directly or not.
#[must_use]
pub(crate) fn derived(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    const MAX: usize = 2000;
    let mut all: Vec<DefRef> = Vec::new();
    let mut open = vec![of];
    while let Some(base) = open.pop() {
        for derived in subtypes(resolver, base) {
            if !all.contains(&derived) && derived != of && all.len() < MAX {
                all.push(derived);
                open.push(derived);
            }
        }
    }
    all
}

/// Types that name a type as a base.
#[must_use]
pub(crate) fn subtypes(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    if let Some(found) = resolver.rules(of.file).subtypes(resolver, of) {
        return found;
    }
    let parts = resolver.parts(of);
    // Of an alias of an object type there is no other definition.
    let object = resolver
        .def(of)
        .filter(|def| def.kind == DefKind::TypeAlias)
        .map(|def| ExprRef {
            file: of.file,
            expr: def.ty,
        })
        .map(|target| resolver.lower_type(target).ty)
        .filter(|ty| matches!(ty, Ty::Object(..)));
    let mut found = Vec::new();
    for_each_base_called(resolver, of, |ty, derived| {
        let shown = |def: &DefRef| resolver.rules(def.file).shown(resolver, *def);
        let is_it = |ty: &Ty| match ty {
            Ty::Instance(def, _) | Ty::Type(def, _) => parts.types.contains(&shown(def)),
            ty => object.as_ref() == Some(ty),
        };
        if given_by_base(resolver, ty).iter().any(is_it) {
            push(&mut found, shown(&derived));
        }
    });
    found
}

/// The types that a base is: of one that a mixin gives the class that it makes, and the one that it is given.
fn given_by_base(resolver: &Resolver<'_>, base: &Ty) -> Vec<Ty> {
    /// Mixins around one another.
    const MAX: usize = 16;
    let mut open = vec![base.clone()];
    let mut given = Vec::new();
    while let Some(ty) = open.pop() {
        if given.len() >= MAX {
            break;
        }
        match &ty {
            Ty::Union(parts) => {
                open.extend(parts.iter().rev().cloned());
                continue;
            }
            Ty::Instance(def, args) | Ty::Type(def, args)
                if !args.is_empty()
                    && !resolver
                        .rules(def.file)
                        .outer_params(resolver, *def)
                        .is_empty() =>
            {
                let parts = resolver.parts(*def);
                let written = resolver.bases(&parts, &no_substitution());
                let bases = resolver.bases(&parts, &resolver.substitution_of(*def, args));
                let is_open = |(written, _): &(Ty, bool)| matches!(written, Ty::Param(_));
                let bases = written
                    .iter()
                    .zip(bases)
                    .filter(|(written, _)| is_open(written));
                open.extend(bases.map(|(_, (base, _))| base));
            }
            _ => {}
        }
        if !given.contains(&ty) {
            given.push(ty);
        }
    }
    given
}

/// What has a base of a type's name that is not known to be that type (SPEC X3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnsureSubtypes {
    /// Types of which it is not known what their base of that name is.
    pub by_name: Vec<DefRef>,
    /// Types whose base of that name provably comes from outside the workspace.
    pub outside: Vec<DefRef>,
}

/// Types that have a base of this type's name, without it being known that it is this one.
#[must_use]
pub(crate) fn unsure_subtypes(resolver: &Resolver<'_>, of: DefRef) -> UnsureSubtypes {
    let mut found = UnsureSubtypes::default();
    for_each_base_called(resolver, of, |ty, derived| match ty {
        Ty::Unknown => push(&mut found.by_name, derived),
        Ty::External(..) | Ty::ExternalType(..) => push(&mut found.outside, derived),
        Ty::Instance(base, _) if is_library(base.file) && !is_library(of.file) => {
            push(&mut found.outside, derived);
        }
        _ => {}
    });
    // What derives from it by another of its bases is known.
    let known = match found.by_name.is_empty() && found.outside.is_empty() {
        true => Vec::new(),
        false => subtypes(resolver, of),
    };
    found.by_name.retain(|derived| !known.contains(derived));
    found.outside.retain(|derived| !known.contains(derived));
    found
}

/// Calls `each` with every base that is written under one of a type's names: what it means, and the type whose base
/// it is.
fn for_each_base_called(resolver: &Resolver<'_>, of: DefRef, mut each: impl FnMut(&Ty, DefRef)) {
    for name in names_of_base(resolver, of) {
        for (file, index) in resolver.workspace.derived_from(name) {
            let bases = resolver.file(*file).map(|bound| bound.bases());
            let Some(base) = bases.and_then(|bases| bases.get(*index as usize)) else {
                continue;
            };
            let mut lowered = resolver.lower_type(ExprRef {
                file: *file,
                expr: base.of,
            });
            lowered.ty = tables::as_declared(resolver, lowered.ty, *file);
            let derived = DefRef {
                file: *file,
                def: base.def,
            };
            let derived = resolver.type_of_block(derived).unwrap_or(derived);
            // A block for a type from outside, or for all types, has no name to show.
            let is_block = |def: &Def| def.kind == DefKind::Impl;
            let is_type = resolver.def(derived).is_some_and(|def| !is_block(def));
            if is_type && !is_replaced(resolver, derived) {
                each(&lowered.ty, derived);
            }
        }
    }
}

/// Names under which a type may be a base: its own, and those of aliases that it is a part of.
fn names_of_base(resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
    const MAX: usize = 64;
    let mut names = symbol_names::names_of(resolver, of);
    let mut next = 0;
    while next < names.len() && names.len() < MAX {
        let name = names[next];
        next += 1;
        let aliases = resolver.workspace.renamings(name).iter();
        let aliases = aliases.filter(|alias| {
            let alias = resolver.def(**alias);
            alias.is_some_and(|alias| match is_alias(alias) {
                true => alias.flags & flag::NAMES_BASES != 0,
                false => alias.flags & flag::HOLDS_CLASS != 0 && alias.kind != DefKind::Alias,
            })
        });
        for alias in aliases {
            if let Some(name) = resolver.name_of(*alias) {
                push(&mut names, name);
            }
        }
    }
    names
}

fn is_alias(def: &Def) -> bool {
    def.kind == DefKind::TypeAlias
}

/// Whether a type from outside of the workspace has the name of one that the workspace declares itself and means by it.
fn is_replaced(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let workspace = resolver.workspace;
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return false;
    };
    let is_own = |own: &DefRef| {
        let rules = resolver.rules(of.file);
        !workspace.is_external(own.file)
            && rules.sees(resolver.rules(own.file).family())
            && resolver.def(*own).is_some_and(|own| own.kind.is_type())
    };
    workspace.is_external(of.file) && workspace.globals(bound.name(def.name)).iter().any(is_own)
}

/// Every type above a type, nearest first, each once and so many at most, with the names of those that are outside.
#[must_use]
pub(crate) fn all_supertypes(
    resolver: &Resolver<'_>,
    of: DefRef,
    most: usize,
) -> (Vec<DefRef>, Vec<Name>) {
    let mut seen: FxHashSet<DefRef> = symbol_identity::symbol(resolver, of).into_iter().collect();
    let (mut above, mut outside) = (Vec::new(), Vec::new());
    let mut next = VecDeque::from([of]);
    while let Some(def) = next.pop_front() {
        let (bases, names) = supertypes(resolver, def);
        outside.extend(names);
        for base in bases {
            if above.len() < most && seen.insert(base) {
                above.push(base);
                next.push_back(base);
            }
        }
    }
    (above, outside)
}

/// The types that a type names as bases, with names of those that are outside.
#[must_use]
pub(crate) fn supertypes(resolver: &Resolver<'_>, of: DefRef) -> (Vec<DefRef>, Vec<Name>) {
    if let Some(found) = resolver.rules(of.file).supertypes(resolver, of) {
        return (found, Vec::new());
    }
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (file, index) in &resolver.parts(of).bases {
        let bases = resolver.file(*file).map(|bound| bound.bases());
        let Some(base) = bases.and_then(|bases| bases.get(*index as usize)) else {
            continue;
        };
        let base = ExprRef {
            file: *file,
            expr: base.of,
        };
        if !resolver.rules(*file).is_base(resolver, base) {
            continue;
        }
        let alias = alias_of(resolver, base);
        for part in written_parts(resolver, base, alias) {
            if !resolver.rules(part.file).is_base(resolver, part) {
                continue;
            }
            for base in given_by_base(resolver, &resolver.lower_type(part).ty) {
                match tables::as_named(resolver, &base) {
                    Ty::Instance(def, _) | Ty::Type(def, _) => {
                        push(&mut inside, resolver.rules(def.file).shown(resolver, def));
                    }
                    Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
                        push(&mut outside, name);
                    }
                    Ty::Object(..) => inside.extend(alias.filter(|alias| !inside.contains(alias))),
                    _ => {}
                }
            }
        }
    }
    (inside, outside)
}

/// What a base is of: the parts of an intersection that an alias stands for, else itself.
fn written_parts(resolver: &Resolver<'_>, base: ExprRef, alias: Option<DefRef>) -> Vec<ExprRef> {
    let Some((alias, def)) = alias.and_then(|alias| Some((alias, resolver.def(alias)?))) else {
        return vec![base];
    };
    let part = |expr| ExprRef {
        file: alias.file,
        expr,
    };
    let is_of_parts = def.flags & flag::NAMES_BASES != 0;
    match resolver.expr(part(def.ty)) {
        Expr::Operator { left, .. } if is_of_parts => match resolver.expr(part(left)) {
            Expr::Union { of } => resolver.each(alias.file, of, |at| at),
            _ => vec![base],
        },
        _ => vec![base],
    }
}

/// The alias that a base names: where it stands for an object type, that has no other definition.
fn alias_of(resolver: &Resolver<'_>, base: ExprRef) -> Option<DefRef> {
    let head = match resolver.expr(base) {
        Expr::Apply { of, .. } => ExprRef { expr: of, ..base },
        _ => base,
    };
    let found = resolver.find(head);
    let [end] = resolver.resolve_alias(*found.defs.first()?).ends[..] else {
        return None;
    };
    resolver.def(end).filter(|def| is_alias(def)).map(|_| end)
}
