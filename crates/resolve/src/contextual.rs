//! Contextual types (bidirectional inference): of arguments, of lambdas' parameters, by a parameter's name.

use codecortex_bind::facts::{Expr, ListId, NONE, flag, space};

use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::infer_type_args;
use crate::library_functions;
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::outside;
use crate::overloads::{self, arity};
use crate::overrides;
use crate::resolver::Resolver;
use crate::standard_library::results::leads_into_library;
use crate::ty::{Substitution, Ty, Typed, no_substitution, union};

/// The contextual type of an argument.
pub(crate) fn contextual_type(
    resolver: &Resolver<'_>,
    file: FileNo,
    call: u32,
    index: u32,
) -> Typed {
    let (of, args, is_new) = match resolver.expr(ExprRef { file, expr: call }) {
        Expr::Call { of, args } => (of, args, false),
        Expr::New { of, args } => (of, args, true),
        _ => return Typed::unknown(),
    };
    let callee = ExprRef { file, expr: of };
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    if let Expr::Member { of, name, .. } = resolver.expr(plain) {
        let receiver = resolver.type_of(ExprRef { file, expr: of });
        let member = resolver.file(file).map(|bound| bound.name(name));
        let member = member.map_or("", |name| resolver.workspace.text(name));
        let known = library_types::contextual_type(resolver, file, &receiver.ty, member, index);
        let known = known.or_else(|| {
            resolver
                .rules(file)
                .contextual_argument(resolver, &receiver.ty, member, index)
        });
        if let Some(ty) = known {
            return Typed::inferred(ty);
        }
        if let Some(container) = call::library_type_for(resolver, file, plain, &receiver.ty)
            && let Some(ty) =
                library_types::contextual_type(resolver, file, &container, member, index)
        {
            return Typed::inferred(ty);
        }
        let call = (member, args);
        if let Some(ty) = outside::handed_by_container(resolver, file, &receiver.ty, call, index) {
            return Typed::inferred(ty);
        }
    }
    let by_signature = library_functions::contextual_type(resolver, callee, args, index);
    if let Some(ty) = by_signature.or_else(|| {
        resolver
            .rules(file)
            .contextual_argument_by_call(resolver, callee, args, index)
    }) {
        return Typed::inferred(ty);
    }
    let made = |ty: Ty| match ty {
        Ty::Instance(def, args) => Ty::Type(def, args),
        ty => ty,
    };
    let function = match resolver.expr(callee) {
        _ if is_new => {
            let value = resolver.rules(file).constructor_of_value(resolver, callee);
            value.unwrap_or_else(|| made(resolver.lower_type(callee).ty))
        }
        // Another constructor: `base(…)`, `super(…)`.
        Expr::Super { .. } | Expr::This { .. } => made(resolver.type_of(callee).ty),
        _ => resolver.type_of(callee).ty,
    };
    if let Some(ty) = outside::contextual_function(resolver, file, &function, (args, index)) {
        return Typed::inferred(ty);
    }
    contextual_type_from(
        resolver,
        ExprRef { file, expr: call },
        &function,
        args,
        index,
    )
}

fn contextual_type_from(
    resolver: &Resolver<'_>,
    call: ExprRef,
    function: &Ty,
    args: ListId,
    index: u32,
) -> Typed {
    let file = call.file;
    let (defs, subst) = match function {
        Ty::Function(defs, subst) => (defs.to_vec(), subst.clone()),
        Ty::Type(def, given) => (
            resolver.constructors(*def),
            resolver.substitution_of(*def, given),
        ),
        Ty::Union(parts) => {
            let types = parts
                .iter()
                .map(|part| contextual_type_from(resolver, call, part, args, index));
            return union(types.collect());
        }
        // What can be called as a function is.
        Ty::Instance(..) | Ty::Object(..) => {
            let name = resolver.workspace.name(resolver.rules(file).call_member());
            let found = name.map(|name| resolver.member(function, name, space::ANY, file));
            match found.filter(|found| !found.defs.is_empty()) {
                Some(found) => (found.defs, found.subst),
                None => return Typed::unknown(),
            }
        }
        _ => return Typed::unknown(),
    };
    let mut fitting = match leads_into_library(&defs) && resolver.rules(file).narrows_unions() {
        // What a library declares is told apart as what the call gives is.
        true => overloads::resolve_overloads(resolver, file, &defs, &subst, args),
        false => fitting(resolver, file, &defs, args),
    };
    fitting.truncate(4);
    let is_one = fitting.len() == 1;
    let types = fitting.into_iter().filter_map(|def| {
        let bound = resolver.file(def.file)?;
        let mut params = bound
            .params(def.def)
            .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
        let is_extension = bound.def(def.def).flags & flag::EXTENSION != 0;
        let given = resolver.each(file, args, |at| at).len();
        let total = bound.params(def.def).count();
        let shift = u32::from(is_extension && total > given);
        let at = resolver
            .each(file, args, |at| at)
            .get(index as usize)
            .copied();
        let name = at.and_then(|at| match resolver.expr(at) {
            Expr::Keyword { name, .. } => Some(resolver.file(file)?.name(name)),
            _ => None,
        });
        let param = match name {
            Some(name) => params.find(|param| bound.name(bound.def(*param).name) == name)?,
            None => {
                let all: Vec<u32> = params.collect();
                let last = all
                    .last()
                    .copied()
                    .filter(|last| bound.def(*last).flags & flag::VARIADIC != 0);
                all.get((index + shift) as usize).copied().or(last)?
            }
        };
        if bound.def(param).ty == NONE {
            return None;
        }
        let declared = resolver.lower_type(ExprRef {
            file: def.file,
            expr: bound.def(param).ty,
        });
        let mut more = infer_type_args::type_args_of_call(resolver, file, def, &subst, args, false);
        if let (Ty::Param(param), Some(at)) = (&declared.ty, at) {
            more = without_own(resolver, at, *param, more);
        }
        let more = with_wanted_result(resolver, call, def, &subst, more);
        let ty = declared.ty.with(&subst).with(&more);
        let function = resolver.rules(def.file).callable_bound(resolver, &ty);
        Some(Typed {
            ty: function.map_or(ty, |function| function.with(&subst).with(&more)),
            is_declared: declared.is_declared && is_one,
        })
    });
    union(types.collect())
}

/// What an object literal or function is says nothing about its own contextual type.
fn without_own(
    resolver: &Resolver<'_>,
    at: ExprRef,
    param: DefRef,
    known: Substitution,
) -> Substitution {
    if !matches!(
        resolver.expr(at),
        Expr::Object { .. } | Expr::Function { .. }
    ) {
        return known;
    }
    let own = resolver.type_of(at).ty;
    let kept = known.iter().filter(|(of, ty)| *of != param || *ty != own);
    kept.cloned().collect()
}

/// What a function's type parameters stand for, those that no argument tells by what its result is wanted for:
/// `const a: A<B> = make(b => …)`.
fn with_wanted_result(
    resolver: &Resolver<'_>,
    call: ExprRef,
    def: DefRef,
    subst: &Substitution,
    known: Substitution,
) -> Substitution {
    let params = resolver.params_of(def);
    if params.len() <= known.len() {
        return known;
    }
    let wanted = resolver
        .file(call.file)
        .and_then(|bound| bound.declared_for(call.expr));
    let Some(expr) = wanted else {
        return known;
    };
    let wanted = resolver.lower_type(ExprRef { expr, ..call }).ty;
    let gives = resolver.declared_result(def).ty.with(subst);
    let mut known = known.to_vec();
    infer_type_args::infer_type_args(resolver, &gives, &wanted, &params, &mut known, 6);
    known.into()
}

/// The overloads that a call may mean: the best ones where types tell them apart.
fn of_call(
    resolver: &Resolver<'_>,
    file: FileNo,
    defs: &[DefRef],
    subst: &Substitution,
    args: ListId,
) -> Vec<DefRef> {
    if resolver.rules(file).resolves_by_conversion() {
        let chosen = overloads::resolve_overloads(resolver, file, defs, subst, args);
        return overrides::without_overridden(resolver, chosen);
    }
    fitting(resolver, file, defs, args)
}

/// The overloads that take so many arguments.
fn fitting(resolver: &Resolver<'_>, file: FileNo, defs: &[DefRef], args: ListId) -> Vec<DefRef> {
    if defs.len() < 2 {
        return defs.to_vec();
    }
    let given = resolver.each(file, args, |at| at);
    let fitting: Vec<DefRef> = defs
        .iter()
        .copied()
        .filter(|def| arity::accepts_arity(resolver, *def, &given))
        .collect();
    if fitting.is_empty() {
        defs.to_vec()
    } else {
        fitting
    }
}

/// The contextual type of a parameter: what a function is called with.
pub(crate) fn contextual_param(
    resolver: &Resolver<'_>,
    file: FileNo,
    function: &Typed,
    index: u32,
) -> Typed {
    match &function.ty {
        Ty::Function(defs, subst) => {
            let Some(def) = defs.first() else {
                return Typed::unknown();
            };
            let Some(bound) = resolver.file(def.file) else {
                return Typed::unknown();
            };
            let params: Vec<u32> = bound
                .params(def.def)
                .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
                .collect();
            let last = params
                .last()
                .copied()
                .filter(|last| bound.def(*last).flags & flag::VARIADIC != 0);
            let Some(param) = params.get(index as usize).copied().or(last) else {
                return Typed::unknown();
            };
            let declared = bound.def(param).ty;
            if declared == NONE {
                return Typed::unknown();
            }
            let typed = resolver.lower_type(ExprRef {
                file: def.file,
                expr: declared,
            });
            Typed {
                ty: typed.ty.with(subst),
                is_declared: typed.is_declared && function.is_declared,
            }
        }
        Ty::Union(parts) => {
            let types = parts.iter().map(|part| {
                contextual_param(resolver, file, &Typed::inferred(part.clone()), index)
            });
            union(types.collect())
        }
        ty => match resolver
            .rules(file)
            .functional_param(resolver, file, ty, index)
        {
            Some(ty) => Typed {
                ty,
                is_declared: function.is_declared,
            },
            None => contextual_param_of_bound(resolver, file, function, index),
        },
    }
}

/// What a function gets whose type is a parameter: what its bound says.
fn contextual_param_of_bound(
    resolver: &Resolver<'_>,
    file: FileNo,
    function: &Typed,
    index: u32,
) -> Typed {
    let Ty::Param(param) = function.ty else {
        return Typed::unknown();
    };
    let bound = resolver.bound_of(param).map(Typed::inferred);
    let given = bound
        .and_then(|bound| resolver.with_depth(|| contextual_param(resolver, file, &bound, index)));
    given.unwrap_or_else(Typed::unknown)
}

/// The parameter that a named argument names.
pub(crate) fn named_parameter(
    resolver: &Resolver<'_>,
    file: FileNo,
    call: u32,
    name: Name,
) -> LookupResult {
    let (callee, is_new, args) = match resolver.expr(ExprRef { file, expr: call }) {
        Expr::Call { of, args } => (of, false, args),
        Expr::New { of, args } => (of, true, args),
        _ => return LookupResult::nothing(),
    };
    let at = ExprRef { file, expr: callee };
    let function = if is_new {
        match resolver.lower_type(at).ty {
            Ty::Instance(def, args) => Ty::Type(def, args),
            ty => ty,
        }
    } else {
        resolver.type_of(at).ty
    };
    let mut found = Vec::new();
    let mut external = function.is_external();
    for part in match &function {
        Ty::Union(parts) => parts.to_vec(),
        ty => vec![ty.clone()],
    } {
        let defs = match &part {
            Ty::Function(defs, subst) => of_call(resolver, file, defs, subst, args),
            Ty::Type(def, _) => {
                let field = resolver.rules(file).named_field(resolver, *def, name);
                if let Some(field) = field {
                    found.push(field);
                    continue;
                }
                let constructors = resolver.constructors(*def);
                external |= constructors.is_empty();
                of_call(resolver, file, &constructors, &no_substitution(), args)
            }
            _ => continue,
        };
        for def in defs {
            let Some(bound) = resolver.file(def.file) else {
                continue;
            };
            let params = bound.params(def.def);
            let named = params.filter(|param| bound.name(bound.def(*param).name) == name);
            found.extend(named.map(|param| DefRef {
                file: def.file,
                def: param,
            }));
        }
    }
    if found.is_empty() && external {
        let assumed = resolver
            .rules(file)
            .assumed_field(resolver, &function, name);
        return assumed.map_or_else(LookupResult::external, |field| {
            LookupResult::defs(vec![field]).inferred()
        });
    }
    LookupResult::defs(found)
}
