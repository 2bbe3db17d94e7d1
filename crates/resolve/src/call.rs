//! Type inference of calls: return types, instances of constructed types, explicit type arguments.

use codecortex_bind::facts::{Expr, ListId, space};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::infer_type_args;
use crate::library_functions;
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::outside;
use crate::overloads;
use crate::overrides;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, results};
use crate::ty::{Substitution, Ty, Typed, no_substitution, union};

/// The type of a call: of library types by their tables, else by its callee.
pub(crate) fn type_of_call(resolver: &Resolver<'_>, at: ExprRef, of: u32, args: ListId) -> Typed {
    let file = at.file;
    let callee = ExprRef { file, expr: of };
    if let Some(typed) = resolver
        .rules(file)
        .type_of_call(resolver, at, callee, args)
    {
        return typed;
    }
    if let Some(typed) = library_functions::call(resolver, callee, args) {
        return typed;
    }
    // What members of library types give depends on the receiver.
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => callee,
    };
    if let Expr::Member { of, name, .. } = resolver.expr(plain)
        && !is_of_workspace(resolver, plain)
    {
        let receiver = resolver.type_of(ExprRef { file, expr: of });
        let member = resolver.file(file).map(|bound| bound.name(name));
        let member = member.map_or("", |name| resolver.workspace.text(name));
        if let Some(ty) = library_types::call(resolver, file, &receiver.ty, member, args) {
            return Typed::inferred(ty);
        }
        if let Some(container) = library_type_for(resolver, file, plain, &receiver.ty)
            && let Some(ty) = library_types::call(resolver, file, &container, member, args)
        {
            return Typed::inferred(ty);
        }
        let call = (member, args);
        if let Some(ty) = outside::given_by_container(resolver, file, &receiver.ty, call) {
            return Typed::inferred(ty);
        }
    }
    let function = resolver.type_of(callee);
    let called = called_on(resolver, plain, function.ty, args);
    let result = result_of(resolver, file, &called, args);
    result.and(function.is_declared)
}

/// Whether a call means functions of the workspace: then these say what it gives, whatever a table has under their name.
fn is_of_workspace(resolver: &Resolver<'_>, callee: ExprRef) -> bool {
    let found = resolver.find(callee);
    let is_own = |def: &DefRef| {
        let function = resolver.def(*def);
        !is_library(def.file) && function.is_some_and(|def| def.kind.is_callable())
    };
    !found.defs.is_empty() && found.defs.iter().all(is_own)
}

/// Of several functions those that can be called on the receiver that is written.
fn called_on(resolver: &Resolver<'_>, at: ExprRef, function: Ty, args: ListId) -> Ty {
    let rules = resolver.rules(at.file);
    match function {
        Ty::Function(defs, subst) if defs.len() > 1 && rules.resolves_by_receiver() => {
            let chosen = overloads::resolve_overloads(resolver, at.file, &defs, &subst, args);
            Ty::Function(rules.by_receiver(resolver, at, chosen).into(), subst)
        }
        function => function,
    }
}

/// What the receiver of a member that it has not itself is to the tables.
pub(crate) fn library_type_for(
    resolver: &Resolver<'_>,
    file: FileNo,
    member: ExprRef,
    receiver: &Ty,
) -> Option<Ty> {
    let container = resolver
        .rules(file)
        .as_library_type(resolver, file, receiver)?;
    let found = resolver.find(member);
    let is_outside = found.is_empty() || results::is_of_library(&found);
    is_outside.then_some(container)
}

/// What calling something gives.
pub(crate) fn result_of(
    resolver: &Resolver<'_>,
    file: FileNo,
    function: &Ty,
    args: ListId,
) -> Typed {
    match function {
        Ty::Function(defs, subst) => result_of_functions(resolver, file, defs, subst, args),
        Ty::Type(def, given) => constructed(resolver, file, *def, given, args),
        Ty::ExternalType(name, given) if is_constructed(resolver, file, *name) => {
            Typed::declared(Ty::External(*name, given.clone()))
        }
        Ty::ExternalType(..) => Typed::declared(outside::result(resolver, file, function, args)),
        Ty::External(..) => {
            let result = resolver.rules(file).functional_result(resolver, function);
            let result = result.unwrap_or_else(|| outside::result(resolver, file, function, args));
            Typed::declared(result)
        }
        Ty::Instance(..) | Ty::Object(..) => {
            let name = resolver.rules(file).call_member();
            let found = match resolver.workspace.name(name) {
                Some(name) => resolver.member(function, name, space::ANY, file),
                None => LookupResult::nothing(),
            };
            if found.defs.is_empty() {
                return resolver
                    .rules(file)
                    .call_of_instance(resolver, file, function, args);
            }
            result_of_functions(resolver, file, &found.defs, &found.subst, args)
        }
        Ty::Union(parts) => {
            let results = parts
                .iter()
                .map(|part| result_of(resolver, file, part, args));
            union(results.collect())
        }
        Ty::Pointer(of) => result_of(resolver, file, of, args),
        _ => Typed::unknown(),
    }
}

/// Whether calling something from outside by its name makes an instance of a type of that name.
fn is_constructed(resolver: &Resolver<'_>, file: FileNo, name: Option<Name>) -> bool {
    let name = name.map_or("", |name| resolver.workspace.text(name));
    resolver.rules(file).call_constructs(name)
}

fn result_of_functions(
    resolver: &Resolver<'_>,
    file: FileNo,
    defs: &[DefRef],
    subst: &Substitution,
    args: ListId,
) -> Typed {
    let chosen = overloads::resolve_overloads(resolver, file, defs, subst, args);
    // What a base declares of a member that a nearer type declares again says less.
    let chosen = match chosen.len() {
        0 | 1 => chosen,
        _ => overrides::without_overridden(resolver, chosen),
    };
    let results = chosen.iter().take(4).map(|def| {
        let result = resolver.declared_result(*def);
        let more = infer_type_args::type_args_of_call(resolver, file, *def, subst, args, true);
        let more = infer_type_args::with_defaults(resolver, *def, subst, more);
        Typed {
            ty: result.ty.with(subst).with(&more),
            is_declared: result.is_declared,
        }
    });
    let results: Vec<Typed> = results.collect();
    // Whichever is meant, where all give the same.
    let is_one =
        chosen.len() <= results.len() && results.windows(2).all(|pair| pair[0].ty == pair[1].ty);
    let result = union(results).and(is_one);
    match outside::given_by_described(resolver, defs, subst) {
        Some(given) if result.ty.is_unknown() => given,
        _ => result,
    }
}

/// The type of `new A(…)`: an instance, its type arguments inferred.
pub(crate) fn type_of_new(resolver: &Resolver<'_>, file: FileNo, of: u32, args: ListId) -> Typed {
    let lowered = resolver.lower_type(ExprRef { file, expr: of });
    let value = ExprRef { file, expr: of };
    if let Some(made) = resolver
        .rules(file)
        .constructed_by_value(resolver, value, args)
    {
        return made;
    }
    match &lowered.ty {
        // `new this()` in what belongs to a class makes one of it.
        Ty::Instance(def, given) | Ty::Type(def, given) => {
            let made = constructed(resolver, file, *def, given, args);
            made.and(lowered.is_declared)
        }
        Ty::Unknown => {
            // A class as a value: `new this.type()`.
            let value = resolver.type_of(ExprRef { file, expr: of });
            result_of(resolver, file, &value.ty, args).and(false)
        }
        outside => match resolver
            .rules(file)
            .constructed_external(resolver, file, outside, args)
        {
            Some(ty) => Typed::inferred(ty),
            None => lowered,
        },
    }
}

/// An instance, its type arguments inferred from what its constructor gets.
fn constructed(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: DefRef,
    given: &[Ty],
    args: ListId,
) -> Typed {
    if !given.is_empty() {
        return Typed::declared(Ty::Instance(of, given.into()));
    }
    let params = resolver.params_of(of);
    if params.is_empty() {
        return Typed::declared(Ty::Instance(of, [].into()));
    }
    if let Some(deduced) = resolver.rules(of.file).deduced(resolver, file, of, args) {
        return Typed::declared(deduced);
    }
    let constructors = resolver.constructors(of);
    let chosen =
        overloads::resolve_overloads(resolver, file, &constructors, &no_substitution(), args);
    let subst = chosen.first().map_or_else(no_substitution, |def| {
        infer_type_args::type_args_for(
            resolver,
            file,
            *def,
            &no_substitution(),
            args,
            true,
            &params,
        )
    });
    let subst = infer_type_args::with_defaults(resolver, of, &no_substitution(), subst);
    let args = params.iter().map(|param| {
        let known = subst.iter().find(|(known, _)| known == param);
        known.map_or(Ty::Unknown, |(_, ty)| ty.clone())
    });
    Typed::declared(Ty::Instance(of, args.collect()))
}

/// Explicit type arguments on a function or type.
pub(crate) fn applied(resolver: &Resolver<'_>, file: FileNo, of: Typed, args: ListId) -> Typed {
    let args = resolver.each(file, args, |at| resolver.lower_type(at).ty);
    let ty = match of.ty {
        Ty::Type(def, _) => Ty::Type(def, args.into()),
        Ty::ExternalType(name, _) => Ty::ExternalType(name, args.into()),
        Ty::Function(defs, subst) => {
            let mut more: Vec<(DefRef, Ty)> = subst.to_vec();
            for def in defs.iter() {
                more.extend(
                    resolver
                        .params_of(*def)
                        .into_iter()
                        .zip(args.iter().cloned()),
                );
            }
            Ty::Function(defs, more.into())
        }
        ty => ty,
    };
    Typed { ty, ..of }
}
