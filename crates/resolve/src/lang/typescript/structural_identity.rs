//! Structural identity: object literals with the same keys of the same types are one type. Of several that may be
//! meant the first represents all.

use codecortex_bind::facts::{Expr, NONE, ScopeId};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::object_keys;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// What a literal has: its keys, and what they hold.
type LiteralShape = Vec<(Name, LiteralValues)>;

#[derive(PartialEq)]
enum LiteralValues {
    Null,
    Value(Ty),
    Object(LiteralShape),
}

/// Values without the literals of which the type is expected that another value has: the default of what is
/// destructured has the type of that.
pub(super) fn without_expected(resolver: &Resolver<'_>, values: Vec<Typed>) -> Vec<Typed> {
    let is_literal = |value: &Typed| literal(&value.ty).is_some();
    if !values.iter().any(is_literal) || values.iter().all(is_literal) {
        return values;
    }
    let is_expected = |value: &Typed| {
        let Some((file, scope, is_list)) = literal(&value.ty) else {
            return false;
        };
        let others = values.iter().filter(|other| !is_literal(other));
        let others = others.flat_map(|other| other.ty.alternatives());
        let others: Vec<Ty> = match is_list {
            true => others.filter_map(element).collect(),
            false => others.collect(),
        };
        let expected = expected_of(resolver, file, scope).map(|expected| expected.alternatives());
        expected.is_some_and(|expected| expected.iter().all(|of| others.contains(of)))
    };
    let kept = values.iter().filter(|value| !is_expected(value));
    kept.cloned().collect()
}

/// The object literal that a type is, or that its elements are.
fn literal(of: &Ty) -> Option<(FileNo, ScopeId, bool)> {
    match of {
        Ty::Object(file, scope, _) => Some((*file, *scope, false)),
        Ty::Array(of) => match **of {
            Ty::Object(file, scope, _) => Some((file, scope, true)),
            _ => None,
        },
        _ => None,
    }
}

fn element(of: Ty) -> Option<Ty> {
    match of {
        Ty::Array(of) => Some((*of).clone()),
        _ => None,
    }
}

/// What an object literal is expected to be by what is declared. What is assigned elsewhere tells nothing of itself.
fn expected_of(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Option<Ty> {
    let at = object_keys::contextual_object_type(resolver, file, scope)?;
    let is_declared = matches!(
        resolver.expr(at),
        Expr::Member { at: NONE, .. } | Expr::Entry { .. } | Expr::Iter { .. } | Expr::Value { .. }
    );
    let expected = is_declared.then(|| resolver.type_of(at).ty)?;
    (!expected.is_unknown()).then_some(expected)
}

/// Values without those that are like an earlier one.
pub(super) fn first(resolver: &Resolver<'_>, values: Vec<Typed>) -> Vec<Typed> {
    let is_literal = |value: &&Typed| matches!(value.ty, Ty::Object(..));
    if values.iter().filter(is_literal).count() < 2 {
        return values;
    }
    let mut shapes: Vec<LiteralShape> = Vec::new();
    let mut distinct = Vec::new();
    for value in values {
        if let Some(shape) = shape(resolver, &value.ty, 3) {
            if shapes.contains(&shape) {
                continue;
            }
            shapes.push(shape);
        }
        distinct.push(value);
    }
    distinct
}

/// None where something in it is not known, or of which no two are the same.
fn shape(resolver: &Resolver<'_>, of: &Ty, depth: u32) -> Option<LiteralShape> {
    let Ty::Object(file, scope, _) = *of else {
        return None;
    };
    let bound = resolver.file(file)?;
    if depth == 0 || bound.glob_imports().iter().any(|glob| glob.scope == scope) {
        return None;
    }
    let mut keys: Vec<u32> = bound.all_in(scope).collect();
    keys.sort_unstable_by_key(|key| bound.def(*key).name);
    let held = keys.into_iter().map(|key| {
        let def = bound.def(key);
        if def.value == NONE || def.kind.is_callable() {
            return None;
        }
        let value = resolver.expr(ExprRef {
            file,
            expr: def.value,
        });
        let held = match value {
            _ if resolver.is_null(file, def.value) => LiteralValues::Null,
            Expr::Function { .. } => return None,
            _ => match resolver.type_of_def(DefRef { file, def: key }).ty {
                Ty::Unknown => return None,
                object @ Ty::Object(..) => {
                    LiteralValues::Object(shape(resolver, &object, depth - 1)?)
                }
                ty => LiteralValues::Value(ty),
            },
        };
        Some((bound.name(def.name), held))
    });
    let shape: LiteralShape = held.collect::<Option<_>>()?;
    (!shape.is_empty()).then_some(shape)
}
