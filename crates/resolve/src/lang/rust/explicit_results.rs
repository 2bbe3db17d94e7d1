//! Methods of the library that give what is written behind `::<`: `collect::<HashMap<_, _>>()`, `parse::<u8>()`.

use codecortex_bind::facts::Expr;

use super::inference_placeholders;
use crate::ids::ExprRef;
use crate::library_types;
use crate::resolver::Resolver;
use crate::standard_library::results::is_of_library;
use crate::ty::{Ty, Typed};

/// Methods, and what they give it in.
const METHODS: [(&str, &str); 8] = [
    ("collect", ""),
    ("try_collect", "Result"),
    ("sum", ""),
    ("product", ""),
    ("parse", "Result"),
    ("downcast", "Result"),
    ("downcast_ref", "Option"),
    ("downcast_mut", "Option"),
];

/// What such a call gives, with what its receiver says of the holes in it.
pub(super) fn result(resolver: &Resolver<'_>, callee: ExprRef, name: &str) -> Option<Typed> {
    let Expr::Apply { of, args } = resolver.expr(callee) else {
        return None;
    };
    let (_, around) = METHODS.iter().find(|(method, _)| *method == name)?;
    let member = ExprRef { expr: of, ..callee };
    let Expr::Member { of: receiver, .. } = resolver.expr(member) else {
        return None;
    };
    let found = resolver.find(member);
    if !found.is_empty() && !is_of_library(&found) {
        return None;
    }
    let [written] = *resolver.file(callee.file)?.list(args) else {
        return None;
    };
    let written = resolver.lower_type(ExprRef {
        expr: written,
        ..callee
    });
    let of = resolver.type_of(ExprRef {
        expr: receiver,
        ..callee
    });
    let element = library_types::unwrap(resolver, callee.file, &of.ty, "iter");
    let elements = element.map_or(Ty::Unknown, Ty::array);
    let ty = inference_placeholders::with_holes_filled(resolver, &written.ty, &elements);
    let ty = match *around {
        "" => ty,
        around => Ty::External(resolver.workspace.name(around), [ty, Ty::Unknown].into()),
    };
    Some(Typed::inferred(ty))
}
