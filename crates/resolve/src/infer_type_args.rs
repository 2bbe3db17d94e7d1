//! Inference of type arguments: parameter types are unified with argument types.

use codecortex_bind::facts::{Expr, ListId, NONE, flag, space};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::library_types;
use crate::mapped_types::keys;
use crate::narrow::guards;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::{Substitution, Ty, no_substitution};

/// Infers a function's type arguments in a call. Lambdas are looked into only if asked: what
/// they get depends on what the others give.
pub(crate) fn type_args_of_call(
    resolver: &Resolver<'_>,
    file: FileNo,
    def: DefRef,
    subst: &Substitution,
    args: ListId,
    lambdas: bool,
) -> Substitution {
    let mut params = resolver.params_of(def);
    params.extend(resolver.rules(def.file).params_around(resolver, def));
    if params.is_empty() {
        return no_substitution();
    }
    type_args_for(resolver, file, def, subst, args, lambdas, &params)
}

/// What is known of the type parameters of a function or type, with what the others are by default: `get<T, R = T>()`.
pub(crate) fn with_defaults(
    resolver: &Resolver<'_>,
    of: DefRef,
    subst: &Substitution,
    known: Substitution,
) -> Substitution {
    let is_known = |param: &DefRef, known: &[(DefRef, Ty)]| {
        subst.iter().chain(known).any(|(known, _)| known == param)
    };
    let mut all: Option<Vec<(DefRef, Ty)>> = None;
    for param in resolver.params_of(of) {
        let expr = resolver.def(param).map_or(NONE, |param| param.value);
        if expr == NONE || is_known(&param, all.as_deref().unwrap_or(&known)) {
            continue;
        }
        let file = param.file;
        let default = resolver.lower_type(ExprRef { file, expr }).ty;
        let all = all.get_or_insert_with(|| known.to_vec());
        let default = default.with(subst).with(all);
        if !default.is_unknown() {
            all.push((param, default));
        }
    }
    let known = all.map_or(known, Substitution::from);
    // What no argument tells of a library's parameter, nobody knows.
    let is_open = is_library(of.file) && resolver.rules(of.file).defaults_fill_types();
    let params = resolver.params_of(of).into_iter().filter(|_| is_open);
    let mut params = params.filter(|param| !is_known(param, &known)).peekable();
    if params.peek().is_none() {
        return known;
    }
    let unknown = params.map(|param| (param, Ty::Unknown));
    known.iter().cloned().chain(unknown).collect()
}

/// The same for these type parameters, those of a type that is constructed for example.
pub(crate) fn type_args_for(
    resolver: &Resolver<'_>,
    file: FileNo,
    def: DefRef,
    subst: &Substitution,
    args: ListId,
    lambdas: bool,
    params: &[DefRef],
) -> Substitution {
    let Some(bound) = resolver.file(def.file) else {
        return no_substitution();
    };
    let mut bindings: Vec<(DefRef, Ty)> = subst
        .iter()
        .filter(|(param, _)| params.contains(param))
        .cloned()
        .collect();
    let mut value_params: Vec<u32> = bound
        .params(def.def)
        .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
        .collect();
    let given = resolver.each(file, args, |at| at);
    if bound.def(def.def).flags & flag::EXTENSION != 0 && value_params.len() > given.len() {
        value_params.remove(0);
    }
    for (index, at) in given.iter().enumerate() {
        let Some(param) = value_params.get(index).or(value_params.last()) else {
            break;
        };
        let declared = bound.def(*param).ty;
        let is_lambda = matches!(resolver.expr(*at), Expr::Function { .. });
        if declared == NONE || (is_lambda && !lambdas) {
            continue;
        }
        let pattern = resolver.lower_type(ExprRef {
            file: def.file,
            expr: declared,
        });
        let actual = resolver.type_of(*at).ty;
        let is_last = index + 1 == given.len() && index + 1 == value_params.len();
        let is_variadic = is_last && bound.def(*param).flags & flag::VARIADIC != 0;
        let actual = match &actual {
            // An array of objects is all arguments.
            Ty::Array(of) if is_variadic && is_array_of_objects(resolver, file, of) => of,
            actual => actual,
        };
        infer_type_args(
            resolver,
            &pattern.ty.with(subst),
            actual,
            params,
            &mut bindings,
            6,
        );
    }
    resolver
        .rules(def.file)
        .infer_from_bounds(resolver, params, &mut bindings);
    bindings.into()
}

/// Whether an array that is passed in the place of several arguments is these, in languages whose type parameters stand
/// for no values: `Arrays.asList(items)`.
fn is_array_of_objects(resolver: &Resolver<'_>, file: FileNo, element: &Ty) -> bool {
    let rules = resolver.rules(file);
    let is_value = matches!(element, Ty::External(Some(name), _)
        if rules.is_value_type(resolver.workspace.text(*name)));
    rules.boxes_type_args() && !is_value
}

/// Unifies a parameter type with an argument type, and adds what type parameters in it stand for.
pub(crate) fn infer_type_args(
    resolver: &Resolver<'_>,
    pattern: &Ty,
    actual: &Ty,
    params: &[DefRef],
    bindings: &mut Vec<(DefRef, Ty)>,
    depth: u32,
) {
    if depth == 0 || actual.is_unknown() {
        return;
    }
    match (pattern, actual) {
        (Ty::Param(param), _) => {
            let is_open =
                params.contains(param) && !bindings.iter().any(|(bound, _)| bound == param);
            if is_open && actual != pattern {
                bindings.push((*param, actual.clone()));
            }
        }
        (Ty::Union(parts), _) => {
            // Of `T | PromiseLike<T>` what a promise is given for says what `T` is.
            let has_form = |part: &&Ty| has_form(resolver, part, actual);
            let is_told = parts.iter().any(|part| has_form(&part));
            for part in parts.iter().filter(|part| !is_told || has_form(part)) {
                infer_type_args(resolver, part, actual, params, bindings, depth - 1);
            }
        }
        (_, Ty::Union(parts)) => {
            for part in parts.iter() {
                infer_type_args(resolver, pattern, part, params, bindings, depth - 1);
            }
        }
        (Ty::Pointer(a), b) => {
            let b = if let Ty::Pointer(b) = b { b } else { b };
            infer_type_args(resolver, a, b, params, bindings, depth - 1);
        }
        (a, Ty::Pointer(b)) => infer_type_args(resolver, a, b, params, bindings, depth - 1),
        (Ty::Instance(a, args), Ty::Instance(..)) => {
            if let Some(actual) = as_base_or_form(resolver, actual, *a) {
                infer_all(resolver, args, &actual, params, bindings, depth);
            }
        }
        (
            Ty::Instance(a, args),
            Ty::Array(_) | Ty::Tuple(_) | Ty::External(..) | Ty::Object(..),
        ) if is_library(a.file) => {
            if let Some(actual) = as_base_or_form(resolver, actual, *a) {
                infer_all(resolver, args, &actual, params, bindings, depth);
            }
        }
        (Ty::External(a, pattern_args), Ty::External(b, actual_args)) if a == b => {
            infer_all(resolver, pattern_args, actual_args, params, bindings, depth);
        }
        (Ty::Array(a), Ty::Array(b)) => {
            infer_type_args(resolver, a, b, params, bindings, depth - 1)
        }
        (Ty::Object(file, scope, subst), Ty::Instance(..) | Ty::Object(..)) => {
            if let Some(source) = keys::mapped_source(resolver, *file, *scope) {
                infer_type_args(
                    resolver,
                    &source.with(subst),
                    actual,
                    params,
                    bindings,
                    depth - 1,
                );
            }
        }
        (Ty::Array(a), Ty::Tuple(parts)) => {
            for part in parts.iter() {
                infer_type_args(resolver, a, part, params, bindings, depth - 1);
            }
        }
        (Ty::Tuple(a), Ty::Tuple(b)) => infer_all(resolver, a, b, params, bindings, depth),
        (Ty::Map(a), Ty::Map(b)) => {
            infer_type_args(resolver, &a.0, &b.0, params, bindings, depth - 1);
            infer_type_args(resolver, &a.1, &b.1, params, bindings, depth - 1);
        }
        (Ty::Function(a, a_subst), Ty::Function(b, b_subst)) => {
            let (Some(a), Some(b)) = (a.first(), b.first()) else {
                return;
            };
            let pattern = resolver.declared_result(*a).ty.with(a_subst);
            let actual = resolver.declared_result(*b).ty.with(b_subst);
            infer_type_args(resolver, &pattern, &actual, params, bindings, depth - 1);
            infer_from_guards(
                resolver,
                (*a, a_subst),
                (*b, b_subst),
                params,
                bindings,
                depth,
            );
            infer_from_params(resolver, *a, a_subst, *b, params, bindings, depth);
        }
        (_, Ty::Function(b, b_subst)) => {
            let Some(b) = b.first() else { return };
            // Functional interfaces: what they give is what the lambda gives.
            if let Some(pattern) = resolver.rules(b.file).functional_result(resolver, pattern) {
                let actual = resolver.declared_result(*b).ty.with(b_subst);
                infer_type_args(resolver, &pattern, &actual, params, bindings, depth - 1);
            }
        }
        // `new () => T`, `{ new (): T }` and interfaces with such a signature: a class as a value.
        (Ty::Function(..) | Ty::Object(..) | Ty::Instance(..), Ty::Type(def, given)) => {
            if let Some(made) = made_by(resolver, pattern, *def) {
                let instance = Ty::Instance(*def, given.clone());
                infer_type_args(resolver, &made, &instance, params, bindings, depth - 1);
            }
        }
        // `Type[T]`: a class as a value.
        (Ty::External(_, args), Ty::Type(def, given)) if args.len() == 1 => {
            let instance = Ty::Instance(*def, given.clone());
            infer_type_args(resolver, &args[0], &instance, params, bindings, depth - 1);
        }
        (Ty::External(_, args), _) if args.len() == 1 => {
            if let Some(element) = library_types::unwrap(resolver, 0, actual, "iter") {
                infer_type_args(resolver, &args[0], &element, params, bindings, depth - 1);
            }
        }
        (Ty::Array(a), _) => {
            if let Some(element) = library_types::unwrap(resolver, 0, actual, "iter") {
                infer_type_args(resolver, a, &element, params, bindings, depth - 1);
            }
        }
        _ => {}
    }
}

/// What a type guard tells that stands for another one: `(value: T) => value is S`.
fn infer_from_guards(
    resolver: &Resolver<'_>,
    (pattern, pattern_subst): (DefRef, &Substitution),
    (actual, actual_subst): (DefRef, &Substitution),
    params: &[DefRef],
    bindings: &mut Vec<(DefRef, Ty)>,
    depth: u32,
) {
    let told = |def: DefRef, subst: &Substitution| {
        let function = Ty::Function([def].into(), subst.clone());
        guards::guarded_by_function(resolver, def.file, &function)
    };
    if let Some(pattern) = told(pattern, pattern_subst)
        && let Some(actual) = told(actual, actual_subst)
    {
        infer_type_args(
            resolver,
            &pattern.ty,
            &actual.ty,
            params,
            bindings,
            depth - 1,
        );
    }
}

/// Whether a value has the form of a part of what a parameter may be, other than one that anything may be.
fn has_form(resolver: &Resolver<'_>, part: &Ty, actual: &Ty) -> bool {
    match (part, actual) {
        (Ty::Array(_), Ty::Array(_) | Ty::Tuple(_))
        | (Ty::Tuple(_), Ty::Tuple(_))
        | (Ty::Function(..), Ty::Function(..)) => true,
        (Ty::Instance(of, args), Ty::Instance(..) | Ty::Array(_) | Ty::Tuple(_)) => {
            !args.is_empty() && as_base_or_form(resolver, actual, *of).is_some()
        }
        _ => false,
    }
}

/// The type arguments with which a type is a base, or has what makes it one.
fn as_base_or_form(resolver: &Resolver<'_>, actual: &Ty, base: DefRef) -> Option<Vec<Ty>> {
    let declared = tables::as_declared(resolver, actual.clone(), base.file);
    let known = as_base(resolver, &declared, base);
    known.or_else(|| {
        let rules = resolver.rules(base.file);
        let form = resolver.with_depth(|| rules.args_by_form(resolver, base, actual));
        form.flatten()
    })
}

/// What a type that a class is given for says that its instances are.
fn made_by(resolver: &Resolver<'_>, asked: &Ty, class: DefRef) -> Option<Ty> {
    let made = |def: DefRef, subst: &Substitution| resolver.declared_result(def).ty.with(subst);
    if let Ty::Function(defs, subst) = asked {
        return defs.first().map(|def| made(*def, subst));
    }
    let signature = resolver.rules(class.file).construct_member()?;
    let name = resolver.workspace.name(signature)?;
    let found = resolver.member(asked, name, space::ANY, class.file);
    found.defs.first().map(|def| made(*def, &found.subst))
}

fn infer_from_params(
    resolver: &Resolver<'_>,
    a: DefRef,
    a_subst: &Substitution,
    b: DefRef,
    params: &[DefRef],
    bindings: &mut Vec<(DefRef, Ty)>,
    depth: u32,
) {
    let (Some(a_file), Some(b_file)) = (resolver.file(a.file), resolver.file(b.file)) else {
        return;
    };
    for (a_param, b_param) in a_file.params(a.def).zip(b_file.params(b.def)) {
        // What the lambda says itself; what it is given comes from the pattern.
        let declared = b_file.def(b_param).ty;
        if declared == NONE {
            continue;
        }
        let actual = resolver.lower_type(ExprRef {
            file: b.file,
            expr: declared,
        });
        let pattern = resolver.type_of_def(DefRef {
            file: a.file,
            def: a_param,
        });
        infer_type_args(
            resolver,
            &pattern.ty.with(a_subst),
            &actual.ty,
            params,
            bindings,
            depth - 1,
        );
    }
}

fn infer_all(
    resolver: &Resolver<'_>,
    patterns: &[Ty],
    actuals: &[Ty],
    params: &[DefRef],
    bindings: &mut Vec<(DefRef, Ty)>,
    depth: u32,
) {
    for (pattern, actual) in patterns.iter().zip(actuals) {
        infer_type_args(resolver, pattern, actual, params, bindings, depth - 1);
    }
}

/// The type arguments with which a type is (or derives from) a base.
pub(crate) fn as_base(resolver: &Resolver<'_>, ty: &Ty, base: DefRef) -> Option<Vec<Ty>> {
    let target = resolver.parts(base);
    let mut open = vec![ty.clone()];
    let mut steps = 0;
    while let Some(ty) = open.pop() {
        let Ty::Instance(def, args) = &ty else {
            continue;
        };
        if target.types.contains(def) {
            return Some(args.to_vec());
        }
        steps += 1;
        if steps > 64 {
            return None;
        }
        let subst = resolver.substitution_of(*def, args);
        let bases = resolver.bases(&resolver.parts(*def), &subst);
        open.extend(bases.into_iter().map(|(ty, _)| ty));
    }
    None
}
