//! Object literals that are one type to TypeScript: with the same keys, of the same types. Of several that may be
//! meant the first stands for all.

use codecortex_bind::facts::{Expr, NONE};

use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::{DefRef, ExprRef, Sym};

/// What a literal has: its keys, and what they hold.
type Shape = Vec<(Sym, Held)>;

#[derive(PartialEq)]
enum Held {
    Null,
    Value(Ty),
    Object(Shape),
}

/// Values without those that are like an earlier one.
pub(super) fn first(query: &Query<'_>, values: Vec<Typed>) -> Vec<Typed> {
    let is_literal = |value: &&Typed| matches!(value.ty, Ty::Object(..));
    if values.iter().filter(is_literal).count() < 2 {
        return values;
    }
    let mut shapes: Vec<Shape> = Vec::new();
    let mut distinct = Vec::new();
    for value in values {
        if let Some(shape) = shape(query, &value.ty, 3) {
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
fn shape(query: &Query<'_>, of: &Ty, depth: u32) -> Option<Shape> {
    let Ty::Object(file, scope, _) = *of else {
        return None;
    };
    let bound = query.file(file)?;
    if depth == 0 || bound.glob_imports().iter().any(|star| star.scope == scope) {
        return None;
    }
    let mut keys: Vec<u32> = bound.all_in(scope).collect();
    keys.sort_unstable_by_key(|key| bound.def(*key).name);
    let held = keys.into_iter().map(|key| {
        let def = bound.def(key);
        if def.value == NONE || def.kind.is_callable() {
            return None;
        }
        let value = query.expr(ExprRef {
            file,
            expr: def.value,
        });
        let held = match value {
            _ if query.is_null(file, def.value) => Held::Null,
            Expr::Function { .. } => return None,
            _ => match query.type_of_def(DefRef { file, def: key }).ty {
                Ty::Unknown => return None,
                object @ Ty::Object(..) => Held::Object(shape(query, &object, depth - 1)?),
                ty => Held::Value(ty),
            },
        };
        Some((bound.sym(def.name), held))
    });
    let shape: Shape = held.collect::<Option<_>>()?;
    (!shape.is_empty()).then_some(shape)
}
