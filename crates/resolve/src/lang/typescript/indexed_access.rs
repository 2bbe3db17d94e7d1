//! What stands under keys of a type: `T[keyof T]`, `T["a" | "b"]`, `Object.values(x)`.

use codecortex_bind::facts::{Def, DefKind, Expr, FILE_SCOPE, Literal, NONE, flag, space};

use super::support;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::list::push;
use crate::mapped_types::keys;
use crate::meant_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Keys of one type are looked at up to this many.
const MAX: usize = 256;

/// Types that keys are taken of are followed this far.
const FARTHEST: u32 = 6;

/// What a type has under all of its keys.
pub(super) fn values(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    let mut keys = Vec::new();
    add_keys(resolver, of, &mut keys, FARTHEST);
    under(resolver, file, of, &keys)
}

/// The type of what stands under the keys that are written: `of[by]`.
pub(super) fn lower(resolver: &Resolver<'_>, of: ExprRef, by: ExprRef) -> Option<Typed> {
    let mut keys = Vec::new();
    add_written(resolver, by, &mut keys, FARTHEST)?;
    let ty = resolver.lower_type(of).ty;
    under(resolver, of.file, &ty, &keys).map(Typed::inferred)
}

/// What stands under the keys that are written.
pub(super) fn under_written(resolver: &Resolver<'_>, of: &Ty, by: ExprRef) -> Option<Ty> {
    under(resolver, by.file, of, &written_keys(resolver, by)?)
}

/// The keys that a type of keys stands for, or a text that is one; nothing where these are not known.
pub(super) fn written_keys(resolver: &Resolver<'_>, at: ExprRef) -> Option<Vec<Name>> {
    let mut keys = Vec::new();
    add_written(resolver, at, &mut keys, FARTHEST)?;
    Some(keys)
}

/// The members of what an alias means, in the order in which they are written.
pub(super) fn members_of_alias(resolver: &Resolver<'_>, alias: DefRef) -> Vec<DefRef> {
    let Some(def) = resolver.def(alias) else {
        return Vec::new();
    };
    if def.kind != DefKind::TypeAlias {
        return members_of_class_value(resolver, alias);
    }
    if def.ty == NONE {
        return Vec::new();
    }
    let at = ExprRef {
        file: alias.file,
        expr: def.ty,
    };
    let mut members = Vec::new();
    for key in keys_of(resolver, at, FARTHEST) {
        let of = resolver.lower_type(at).ty;
        let found = resolver.member(&of, key, space::VALUE, alias.file);
        for def in found.defs {
            push(&mut members, def);
        }
    }
    members
}

/// The members of the classes that a variable holds. Of several it is all of them: a mixin gives the class that it makes
/// and the one that it is given.
fn members_of_class_value(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let mut members = Vec::new();
    for class in meant_types::types_meant(resolver, of) {
        for member in meant_types::members_of(resolver, class) {
            push(&mut members, member);
        }
    }
    members
}

/// The names of what a written type has; of one of several types those that all have.
fn keys_of(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> Vec<Name> {
    let Some(depth) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let mut keys = Vec::new();
    match resolver.expr(at) {
        Expr::Union { of } => {
            let is_null = |at: &ExprRef| resolver.is_null(at.file, at.expr);
            let parts = resolver.each(at.file, of, |at| at).into_iter();
            let mut parts = parts.filter(|at| !is_null(at));
            let first = parts.next();
            keys = first.map_or_else(Vec::new, |first| keys_of(resolver, first, depth));
            for part in parts {
                let others = keys_of(resolver, part, depth);
                keys.retain(|key| others.contains(key));
            }
        }
        _ => match support::parts_of_intersection(resolver, at) {
            Some(parts) => {
                let Expr::Union { of } = resolver.expr(parts) else {
                    return keys;
                };
                for part in resolver.each(at.file, of, |at| at) {
                    for key in keys_of(resolver, part, depth) {
                        add(&mut keys, key);
                    }
                }
            }
            None => add_keys(resolver, &resolver.lower_type(at).ty, &mut keys, depth),
        },
    }
    keys
}

fn under(resolver: &Resolver<'_>, file: FileNo, of: &Ty, keys: &[Name]) -> Option<Ty> {
    if let Ty::Map(of) = of {
        return Some(of.1.clone());
    }
    let values = keys.iter().map(|key| {
        let found = resolver.member(of, *key, space::VALUE, file);
        resolver.type_of_found(&found).ty
    });
    let all = Ty::choice(values.collect());
    (!all.is_unknown()).then_some(all)
}

/// Adds the keys that a type of keys stands for; none where these are not known.
fn add_written(
    resolver: &Resolver<'_>,
    at: ExprRef,
    keys: &mut Vec<Name>,
    depth: u32,
) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let part = |expr| ExprRef { expr, ..at };
    match resolver.expr(at) {
        Expr::Constant {
            of: Literal::Text,
            value,
        } => add(keys, resolver.file(at.file)?.name(value)),
        Expr::Operator { name, left, .. } => {
            if let Some(parts) = support::parts_of_intersection(resolver, at) {
                // `keyof T & string`
                let Expr::Union { of } = resolver.expr(parts) else {
                    return None;
                };
                let parts = resolver.each(at.file, of, |at| at).into_iter();
                let known = parts.filter_map(|one| add_written(resolver, one, keys, depth));
                return known.reduce(|first, ()| first);
            }
            let name = resolver.file(at.file)?.name(name);
            if resolver.workspace.text(name) != "keyof" {
                return None;
            }
            let of = resolver.lower_type(part(left)).ty;
            add_keys(resolver, &of, keys, depth);
        }
        Expr::Union { of } => {
            for one in resolver.each(at.file, of, |at| at) {
                add_written(resolver, one, keys, depth)?;
            }
        }
        Expr::Apply { of, args } => {
            let name = resolver.file(at.file)?.head_name(of)?;
            let args = resolver.each(at.file, args, |at| at);
            let is_known = support::leads_out(&resolver.find(part(of)));
            let ([from, of], true) = (&args[..], is_known) else {
                return None;
            };
            let (mut all, mut named) = (Vec::new(), Vec::new());
            add_written(resolver, *from, &mut all, depth)?;
            add_written(resolver, *of, &mut named, depth)?;
            match resolver.workspace.text(name) {
                "Exclude" => all.retain(|key| !named.contains(key)),
                "Extract" => all.retain(|key| named.contains(key)),
                _ => return None,
            }
            all.into_iter().for_each(|key| add(keys, key));
        }
        Expr::Name { .. } | Expr::Member { .. } => {
            let found = resolver.find(at);
            let [end] = resolver.resolve_alias(*found.defs.first()?).ends[..] else {
                return None;
            };
            let def = resolver.def(end)?;
            // A parameter may be any of the keys that bound it.
            if !matches!(def.kind, DefKind::TypeAlias | DefKind::TypeParam) || def.ty == NONE {
                return None;
            }
            let target = ExprRef {
                file: end.file,
                expr: def.ty,
            };
            add_written(resolver, target, keys, depth)?;
        }
        _ => return None,
    }
    Some(())
}

fn add(keys: &mut Vec<Name>, key: Name) {
    if keys.len() < MAX && !keys.contains(&key) {
        keys.push(key);
    }
}

/// Adds the names of what a type has.
fn add_keys(resolver: &Resolver<'_>, of: &Ty, keys: &mut Vec<Name>, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match of {
        Ty::Object(file, scope, subst) => {
            add_keys_in(resolver, *file, *scope, false, keys);
            if let Some(source) = keys::mapped_source(resolver, *file, *scope) {
                add_keys(resolver, &source.with(subst), keys, depth);
            }
            let named = keys::named_keys(resolver, *file, *scope);
            named.into_iter().flatten().for_each(|key| add(keys, key));
            // `{ ...other }` has the keys of the other.
            let globs = resolver.file(*file).into_iter();
            let globs = globs.flat_map(|bound| bound.glob_imports());
            let globs = globs.filter(|glob| glob.scope == *scope && *scope != FILE_SCOPE);
            for glob in globs {
                let spread = ExprRef {
                    file: *file,
                    expr: glob.of,
                };
                add_keys(resolver, &resolver.type_of(spread).ty, keys, depth);
            }
        }
        Ty::Instance(def, args) | Ty::Type(def, args) => {
            let parts = resolver.parts(*def);
            let is_static = matches!(of, Ty::Type(..));
            for (file, scope) in &parts.scopes {
                add_keys_in(resolver, *file, *scope, is_static, keys);
            }
            let subst = resolver.substitution_of(*def, args);
            for (base, _) in resolver.bases(&parts, &subst) {
                add_keys(resolver, &base, keys, depth);
            }
        }
        Ty::Union(parts) => parts
            .iter()
            .for_each(|part| add_keys(resolver, part, keys, depth)),
        _ => {}
    }
}

fn add_keys_in(
    resolver: &Resolver<'_>,
    file: FileNo,
    scope: u32,
    of_class: bool,
    keys: &mut Vec<Name>,
) {
    let Some(bound) = resolver.file(file) else {
        return;
    };
    let defs = bound.all_in(scope).map(|at| bound.def(at));
    let mut defs: Vec<&Def> = defs.take(MAX).collect();
    // In the order in which they are written.
    defs.sort_by_key(|def| def.at);
    for def in defs {
        let is_key = !matches!(def.kind, DefKind::Constructor | DefKind::TypeParam)
            && def.at != NONE
            && def.flags & (flag::UNWRITTEN | flag::PRIVATE) == 0
            && def.spaces & space::VALUE != 0;
        let is_of_class = def.flags & flag::STATIC != 0 || def.kind == DefKind::EnumMember;
        if is_key && is_of_class == of_class {
            add(keys, bound.name(def.name));
        }
    }
}
