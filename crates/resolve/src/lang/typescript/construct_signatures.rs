//! What `new` makes of a value of the library: `declare var Map: MapConstructor`, whose interface says
//! `new <K, V>(entries?: …): Map<K, V>`.

use codecortex_bind::facts::{Expr, space};

use super::library;
use crate::call;
use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::standard_library::results::leads_into_library;
use crate::ty::{Ty, Typed};

/// What `new` of a name gives; nothing where it is no value of the library.
pub(super) fn constructed(resolver: &Resolver<'_>, of: ExprRef, args: u32) -> Option<Typed> {
    let file = of.file;
    let signatures = signatures(resolver, of)?;
    if !matches!(resolver.expr(of), Expr::Apply { .. }) {
        let name = resolver.file(file)?.head_name(of.expr);
        let class = name.map_or("", |name| resolver.workspace.text(name));
        if let Some(made) = library::collected(resolver, file, class, args) {
            return Some(Typed::inferred(made));
        }
    }
    let made = call::result_of(resolver, file, &signatures, args);
    (!made.ty.is_unknown()).then_some(made)
}

/// The construct signatures of a value of the library, with the type arguments that are written.
pub(super) fn signatures(resolver: &Resolver<'_>, of: ExprRef) -> Option<Ty> {
    let file = of.file;
    let (plain, types) = match resolver.expr(of) {
        Expr::Apply { of, args } => {
            let types = resolver.each(file, args, |at| resolver.lower_type(at).ty);
            (ExprRef { file, expr: of }, types)
        }
        _ => (of, Vec::new()),
    };
    if !leads_into_library(&resolver.find(plain).defs) {
        return None;
    }
    let name = resolver.workspace.name("(new)")?;
    let value = resolver.type_of(plain).ty;
    let found = resolver.member(&value, name, space::ANY, file);
    let takes_types =
        |def: &DefRef| types.is_empty() || resolver.params_of(*def).len() >= types.len();
    let signatures: Vec<DefRef> = found.defs.into_iter().filter(takes_types).collect();
    let mut subst = found.subst.to_vec();
    for signature in &signatures {
        let params = resolver.params_of(*signature).into_iter();
        subst.extend(params.zip(types.iter().cloned()));
    }
    (!signatures.is_empty()).then(|| Ty::Function(signatures.into(), subst.into()))
}
