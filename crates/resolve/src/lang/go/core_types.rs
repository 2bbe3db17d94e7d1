//! Type sets: what a constraint says that its type parameter is made of, `func First[S ~[]E, E any](s S) E`.

use codecortex_bind::facts::NONE;

use super::underlying;
use crate::ids::{DefRef, ExprRef};
use crate::infer_type_args;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Parameters that follow from one another are looked at this often.
const ROUNDS: usize = 4;

/// Adds the type parameters that follow from what is known of others by their constraints.
pub(super) fn infer(resolver: &Resolver<'_>, params: &[DefRef], bindings: &mut Vec<(DefRef, Ty)>) {
    for _ in 0..ROUNDS {
        let known = bindings.len();
        for param in params {
            let given = bindings.iter().find(|(known, _)| known == param);
            let Some(given) = given.map(|(_, ty)| ty.clone()) else {
                continue;
            };
            let bound = resolver.def(*param).map_or(NONE, |def| def.ty);
            let core = resolver.lower_type(ExprRef {
                file: param.file,
                expr: bound,
            });
            if matches!(core.ty, Ty::Array(_) | Ty::Map(_) | Ty::Function(..)) {
                let made_of = underlying(resolver, &given).unwrap_or(given);
                infer_type_args::infer_type_args(resolver, &core.ty, &made_of, params, bindings, 6);
            }
        }
        if bindings.len() == known {
            break;
        }
    }
}
