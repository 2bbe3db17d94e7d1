//! Candidates by explicit template arguments: which functions a name can mean with or without them.

use codecortex_bind::facts::{NONE, flag, space};

use super::template_values::{self, Sort};
use crate::ids::{DefRef, ExprRef};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;

/// `f<T>` means templates alone, `f` what needs no arguments that nobody can tell.
pub(super) fn by_form(resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
    let are_functions = |def: &DefRef| resolver.def(*def).is_some_and(|def| def.kind.is_callable());
    if !found.defs.iter().all(are_functions) {
        return found;
    }
    let is_applied = resolver.applied_to(at).is_some();
    let is_called = resolver.call_of(at).is_some();
    let can_be_meant = |def: &DefRef| match is_applied {
        true => is_template(resolver, *def) && takes_arguments(resolver, *def, at),
        false => !is_called || can_be_deduced(resolver, *def),
    };
    let defs: Vec<DefRef> = found.defs.iter().copied().filter(can_be_meant).collect();
    if defs.is_empty() {
        return found;
    }
    LookupResult { defs, ..found }
}

/// Whether a function has template parameters of its own. Of one that is defined outside of its class the class's
/// count too, so it may.
fn is_template(resolver: &Resolver<'_>, def: DefRef) -> bool {
    !resolver.params_of(def).is_empty()
}

/// Whether a template has a parameter of its sort for each argument that is written: types for types, values for values.
/// Of one that is defined outside of its class the class's come first, so nothing is known.
fn takes_arguments(resolver: &Resolver<'_>, def: DefRef, at: ExprRef) -> bool {
    let (Some(bound), Some(from)) = (resolver.file(def.file), resolver.file(at.file)) else {
        return true;
    };
    if bound.def(def.def).container != NONE {
        return true;
    }
    let params = resolver.params_of(def);
    let written = from
        .arguments_of(at.expr)
        .map_or(&[][..], |list| from.list(list));
    let mut given = written.iter().enumerate();
    given.all(|(index, expr)| {
        let last = params.last().filter(|last| {
            let last = resolver.def(**last);
            last.is_some_and(|last| last.flags & flag::VARIADIC != 0)
        });
        let Some(param) = params.get(index).or(last) else {
            return false;
        };
        let expr = ExprRef { expr: *expr, ..at };
        let spaces = resolver.def(*param).map_or(space::ANY, |def| def.spaces);
        let is_either = spaces & space::TYPE != 0 && spaces & space::VALUE != 0;
        match template_values::sort(resolver, expr) {
            Sort::Value => spaces & space::VALUE != 0,
            // `template <Enum e>`, which is written as `template <Concept T>` is.
            Sort::Type if is_either => !is_of_type(resolver, *param),
            Sort::Type => spaces & space::TYPE != 0,
            Sort::Unknown => true,
        }
    })
}

/// Whether a parameter is a value of some type.
fn is_of_type(resolver: &Resolver<'_>, param: DefRef) -> bool {
    let Some(def) = resolver.def(param) else {
        return false;
    };
    let of = ExprRef {
        file: param.file,
        expr: def.ty,
    };
    template_values::is_type(resolver, of)
}

/// Whether a call's arguments can tell what all parameters of a template stand for, or they have defaults.
fn can_be_deduced(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let own = resolver.params_of(def);
    let Some(bound) = resolver.file(def.file).filter(|_| !own.is_empty()) else {
        return true;
    };
    if bound.def(def.def).container != NONE {
        return true;
    }
    let takes: Vec<_> = bound
        .params(def.def)
        .map(|param| {
            let expr = bound.def(param).ty;
            resolver
                .lower_type(ExprRef {
                    file: def.file,
                    expr,
                })
                .ty
        })
        .collect();
    own.iter().all(|param| {
        let param_def = bound.def(param.def);
        let is_told = |ty: &crate::ty::Ty| ty.is_unknown() || ty.mentions(*param);
        param_def.value != NONE
            || param_def.flags & flag::VARIADIC != 0
            || takes.iter().any(is_told)
    })
}
