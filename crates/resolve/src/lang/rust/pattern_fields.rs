//! Fields in destructuring patterns: the path says which, the matched value the substitution of type parameters.

use codecortex_bind::facts::space;

use super::variants;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::tables;
use crate::ty::{Substitution, Ty, no_substitution};

/// What a field of a pattern means: `path { name, .. }` or `path(…)` of a value.
pub(super) fn field(
    resolver: &Resolver<'_>,
    file: FileNo,
    path: u32,
    value: u32,
    name: Name,
) -> Option<LookupResult> {
    let value = resolver.type_of(ExprRef { file, expr: value });
    let told = value.is_declared.then_some(&value.ty);
    if let Some(found) = variants::of_variant(resolver, file, path, name) {
        let subst = told.map_or_else(no_substitution, |ty| {
            let ty = tables::as_declared(resolver, ty.clone(), file);
            arguments(resolver, &ty, found.defs.first().copied())
        });
        return Some(LookupResult { subst, ..found });
    }
    let path = resolver.lower_type(ExprRef { file, expr: path });
    match path.ty {
        Ty::Instance(def, args) => {
            let args = match told {
                Some(Ty::Instance(of, told)) if *of == def => told.clone(),
                _ => args,
            };
            let ty = Ty::Instance(def, args);
            Some(resolver.member(&ty, name, space::FIELD, file))
        }
        ty if ty.is_external() => outside(resolver, file, &value.ty, name),
        ty => Some(resolver.member(&ty, name, space::FIELD, file)),
    }
}

/// What a variant of a type from outside holds, where the table knows it: `Poll::Ready(x)`.
fn outside(resolver: &Resolver<'_>, file: FileNo, of: &Ty, name: Name) -> Option<LookupResult> {
    let is_first = resolver.workspace.text(name) == "0";
    let is_known = matches!(of, Ty::External(Some(_), args) if !args.is_empty());
    if !is_first || !is_known {
        return Some(LookupResult::external());
    }
    let held = library_types::unwrap(resolver, file, of, "unwrap")?;
    Some(LookupResult::typed(held).inferred())
}

/// What the parameters of a type stand for in a value of it, where a field is written in that type.
fn arguments(resolver: &Resolver<'_>, of: &Ty, field: Option<DefRef>) -> Substitution {
    let is_around = |of: DefRef| field.is_some_and(|field| is_in(resolver, field, of));
    match of {
        Ty::Instance(def, args) if is_around(*def) => resolver.substitution_of(*def, args),
        Ty::Union(parts) => {
            let around = |part: &&Ty| matches!(part, Ty::Instance(def, _) if is_around(*def));
            match parts.iter().find(around) {
                Some(Ty::Instance(def, args)) => resolver.substitution_of(*def, args),
                _ => no_substitution(),
            }
        }
        _ => no_substitution(),
    }
}

/// Whether a definition is written in another one.
fn is_in(resolver: &Resolver<'_>, def: DefRef, around: DefRef) -> bool {
    let Some(bound) = resolver.file(def.file).filter(|_| def.file == around.file) else {
        return false;
    };
    let mut scopes = resolver.scopes_up(bound, bound.def(def.def).scope);
    scopes.any(|scope| bound.scope(scope).owner == around.def)
}
