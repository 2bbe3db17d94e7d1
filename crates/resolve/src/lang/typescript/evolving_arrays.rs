//! Evolving array types: arrays that are filled after they were created, `const found = []; found.push(x)`.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// What a variable holds that begins as an empty array: what is put into it under its name.
pub(super) fn evolving_array(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    const MAX: usize = 8;
    let file = at.file;
    let part = |expr| ExprRef { file, expr };
    let is_empty = matches!(resolver.expr(part(def.value)), Expr::Array { of: NONE });
    if !is_empty || def.kind != DefKind::Variable {
        return None;
    }
    let bound = resolver.file(file)?;
    let all = resolver
        .assignments_to(file, resolver.name_of(at)?)
        .into_iter();
    let all = all.filter_map(|index| bound.assignments().get(index as usize));
    let put = all.filter_map(|assignment| match bound.expr(assignment.to) {
        Expr::Index { of, .. } if resolver.find(part(of)).defs.contains(&at) => {
            Some(assignment.value)
        }
        _ => None,
    });
    let types: Vec<Ty> = put
        .take(MAX)
        .map(|value| resolver.type_of(part(value)).ty)
        .collect();
    let element = Ty::union(types);
    (!element.is_unknown()).then(|| Typed::inferred(Ty::array(element)))
}
