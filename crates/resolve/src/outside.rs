//! Values from outside over types of the workspace: what `Repository<Item>` gives may be an `Item`.
//!
//! A library that no reader of packages covers gives no result types, so the result of a generic's member is unknown.
//! If the generic has exactly one type argument of the workspace, the result is a `Ty::External` without a name whose
//! only argument is that type, and members taken from it have the same type. If that type has a member of the requested
//! name, the use is `inferred` by this evidence, unless the language's containers have such a member too. The members of
//! the generic itself belong to the library. A value that is called like a container, with a lambda, counts as one. A
//! use without evidence or a declaration is no proof that a name leads out of the workspace, so it has the tier `name`
//! (SPEC X3, D35).

use codecortex_bind::facts::{DefKind, Expr, ListId, Literal, NONE, ScopeId};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lang::ClassScope;
use crate::library_types::{self, ContainerCall, container_members};
use crate::lookup::result::LookupResult;
use crate::resolution::{self, ResolvedTarget};
use crate::resolver::Resolver;
use crate::standard_library::tables;
use crate::ty::{Ty, Typed, none};

/// Type arguments of type arguments are looked at this deep.
const DEEPEST: u32 = 6;

/// So many parameters of a lambda may be what it is given over a type.
const MAX_PARAMS: usize = 3;

/// Something from outside of which nothing is known but the type of the workspace that it is made over, if that.
pub(crate) fn instantiate(held: Option<Ty>) -> Ty {
    Ty::External(None, held.map_or_else(none, |held| [held].into()))
}

/// Whether a value is from outside and made over a type of the workspace.
pub(crate) fn is_made_over(of: &Ty) -> bool {
    matches!(of, Ty::External(None, args) if !args.is_empty())
}

/// What a member, an element or a result of something from outside is.
pub(crate) fn type_argument(resolver: &Resolver<'_>, of: &Ty) -> Ty {
    instantiate(element_type(resolver, of))
}

/// The one type of the workspace that something from outside is made over: its only argument of that kind, or that
/// of the outside type that a type of the workspace derives from.
pub(crate) fn element_type(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let mut found = Vec::new();
    collect(resolver, of, &mut found);
    one_of(found)
}

/// The same for a function that is called by its name alone: that of the type around, which may have it from a base,
/// where members are called so.
pub(crate) fn element_type_around(
    resolver: &Resolver<'_>,
    at: ExprRef,
    scope: ScopeId,
) -> Option<Ty> {
    if resolver.rules(at.file).class_scope() != ClassScope::Members {
        return None;
    }
    resolver.call_of(at)?;
    let owner = resolver.type_around(at.file, scope)?;
    element_type(resolver, &Ty::Instance(owner, none()))
}

/// The same for what a function from outside gives: by its own type, else by the class that it is called with. What
/// it is given instances of, it need not give.
fn element_type_of_call(
    resolver: &Resolver<'_>,
    file: FileNo,
    function: &Ty,
    args: ListId,
) -> Option<Ty> {
    element_type(resolver, function).or_else(|| {
        let mut found = Vec::new();
        for arg in resolver.each(file, args, |at| at) {
            let value = argument(resolver, arg);
            // What a lambda gives is known when its parameters are, which is what may be asked here.
            if !matches!(
                resolver.expr(value),
                Expr::Function { .. } | Expr::Object { .. }
            ) {
                let given = resolver.type_of(value).ty;
                if is_class_object(resolver, &given) {
                    collect_argument(&given, &mut found, DEEPEST);
                }
            }
        }
        one_of(found)
    })
}

/// Whether a value is a type: a class of the workspace, or the object that stands for one (`Item.class`).
fn is_class_object(resolver: &Resolver<'_>, of: &Ty) -> bool {
    match of {
        Ty::Type(..) => true,
        Ty::External(Some(name), _) => resolver.workspace.text(*name) == "Class",
        _ => false,
    }
}

fn one_of(mut found: Vec<Ty>) -> Option<Ty> {
    (found.len() == 1).then(|| found.pop()).flatten()
}

fn collect(resolver: &Resolver<'_>, of: &Ty, found: &mut Vec<Ty>) {
    let mut add = |args: &[Ty]| {
        args.iter()
            .for_each(|arg| collect_argument(arg, found, DEEPEST));
    };
    match of {
        Ty::External(_, args) | Ty::ExternalType(_, args) | Ty::Tuple(args) => add(args),
        Ty::Array(element) => add(std::slice::from_ref(element)),
        Ty::Map(of) => {
            add(std::slice::from_ref(&of.0));
            add(std::slice::from_ref(&of.1));
        }
        Ty::Instance(def, args) | Ty::Type(def, args) => {
            if resolver.workspace.is_external(def.file) {
                args.iter()
                    .for_each(|arg| collect_argument(arg, found, DEEPEST));
            }
            for base in resolver.external_bases(of) {
                collect(resolver, &base, found);
            }
        }
        Ty::Union(parts) => parts.iter().for_each(|part| collect(resolver, part, found)),
        Ty::Pointer(of) => collect(resolver, of, found),
        _ => {}
    }
}

fn collect_argument(of: &Ty, found: &mut Vec<Ty>, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    match of {
        Ty::Instance(..) | Ty::Object(..) | Ty::Param(_) if !found.contains(of) => {
            found.push(of.clone());
        }
        // A class that is passed as a value stands for its instances: `query(Item)`.
        Ty::Type(def, args) => {
            let instance = Ty::Instance(*def, args.clone());
            collect_argument(&instance, found, depth);
        }
        Ty::External(_, args) | Ty::ExternalType(_, args) | Ty::Tuple(args) | Ty::Union(args) => {
            args.iter()
                .for_each(|arg| collect_argument(arg, found, depth))
        }
        Ty::Array(of) | Ty::Pointer(of) => collect_argument(of, found, depth),
        Ty::Map(of) => {
            collect_argument(&of.0, found, depth);
            collect_argument(&of.1, found, depth);
        }
        _ => {}
    }
}

/// What calling something from outside gives, of which no table says more.
pub(crate) fn result(resolver: &Resolver<'_>, file: FileNo, function: &Ty, args: ListId) -> Ty {
    instantiate(element_type_of_call(resolver, file, function, args))
}

/// Whether a definition is from outside, and described by what does not say what members give.
fn is_described_without_results(resolver: &Resolver<'_>, def: DefRef) -> bool {
    resolver.workspace.is_external(def.file) && resolver.rules(def.file).described_without_results()
}

/// Whether tables know more of a type than what describes it.
pub(crate) fn is_told_by_tables(resolver: &Resolver<'_>, of: DefRef) -> bool {
    if tables::is_told(resolver, of) {
        return true;
    }
    let name = || Some(resolver.file(of.file)?.name(resolver.def(of)?.name));
    is_described_without_results(resolver, of)
        && name().is_some_and(|name| tables::is_known(resolver, of.file, name))
}

/// What a member gives whose description does not say that, as documentation does not: what its type is made over, if
/// that is one type of the workspace.
pub(crate) fn given_by_described(
    resolver: &Resolver<'_>,
    defs: &[DefRef],
    subst: &[(DefRef, Ty)],
) -> Option<Typed> {
    let is_described = |def: &DefRef| is_described_without_results(resolver, *def);
    if defs.is_empty() || !defs.iter().all(is_described) {
        return None;
    }
    let mut found = Vec::new();
    for (_, of) in subst {
        collect_argument(of, &mut found, DEEPEST);
    }
    Some(Typed::inferred(instantiate(one_of(found))))
}

/// The contextual type of a lambda that is passed to something from outside: a function of what that is made over.
pub(crate) fn contextual_function(
    resolver: &Resolver<'_>,
    file: FileNo,
    function: &Ty,
    (args, index): (ListId, u32),
) -> Option<Ty> {
    if !function.is_external() {
        return None;
    }
    let all = resolver.each(file, args, |at| at);
    let value = argument(resolver, *all.get(index as usize)?);
    if !matches!(resolver.expr(value), Expr::Function { .. }) {
        return None;
    }
    let held = element_type_of_call(resolver, file, function, args)?;
    let param = instantiate(Some(held));
    Some(Ty::External(None, vec![param; MAX_PARAMS].into()))
}

/// A member of what a value from outside is made over. What stands under the name of a type from outside has the
/// members of that type alone: `count` of a `Repository<Item>` is the repository's, and only what its calls give can
/// be an `Item`. What they give may be a container as well, so a member that containers have tells nothing.
pub(crate) fn member(
    resolver: &Resolver<'_>,
    of: &Ty,
    name: Name,
    spaces: u8,
    from: FileNo,
) -> Option<LookupResult> {
    let Ty::External(None, args) = of else {
        return None;
    };
    if args.is_empty() || is_of_containers(resolver, from, resolver.workspace.text(name)) {
        return None;
    }
    let held = element_type(resolver, of)?;
    let found = resolver.member(&held, name, spaces, from);
    let is_there = !found.defs.is_empty() && !found.external;
    is_there.then(|| found.inferred())
}

/// Whether containers of the language have a member of this name.
fn is_of_containers(resolver: &Resolver<'_>, file: FileNo, member: &str) -> bool {
    let table = resolver.rules(file).library_types();
    let dialect = resolver.workspace.dialect(file);
    let is_further = |dialect| container_members::has(dialect, member);
    table.of_containers(member).is_some()
        || dialect.is_some_and(is_further)
        || resolver
            .rules(file)
            .is_of_containers(resolver, file, member)
}

/// What something from outside holds that is used as a container is: an element of it, or what may be of another
/// container inside.
fn element(held: Ty) -> Ty {
    Ty::union(vec![held.clone(), instantiate(Some(held))])
}

/// What iterating something from outside gives, of which no table says that.
pub(crate) fn iterated(resolver: &Resolver<'_>, of: &Ty) -> Ty {
    match (of, element_type(resolver, of)) {
        (Ty::External(Some(_), args), Some(held)) if **args == [held.clone()] => element(held),
        (_, held) => instantiate(held),
    }
}

/// What something from outside is made over that is called the way a container is: by a member that containers have,
/// with a lambda.
fn held_by_container(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    member: &str,
    args: ListId,
) -> Option<Ty> {
    let is_open = match of {
        Ty::External(Some(name), _) => !tables::is_known(resolver, file, *name),
        of => matches!(of, Ty::External(None, _)),
    };
    if !is_open || !is_of_containers(resolver, file, member) {
        return None;
    }
    let is_lambda = |at| matches!(resolver.expr(argument(resolver, at)), Expr::Function { .. });
    let is_handed_one = resolver.each(file, args, is_lambda).contains(&true);
    is_handed_one.then(|| element_type(resolver, of)).flatten()
}

/// The contextual type of a lambda that a member of something from outside is handed the way containers are.
pub(crate) fn handed_by_container(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    (member, args): (&str, ListId),
    index: u32,
) -> Option<Ty> {
    let at = *resolver.each(file, args, |at| at).get(index as usize)?;
    if !matches!(resolver.expr(argument(resolver, at)), Expr::Function { .. }) {
        return None;
    }
    let held = held_by_container(resolver, file, of, member, args)?;
    let call = ContainerCall {
        file,
        member,
        args,
        index,
    };
    library_types::handed_by_any_container(resolver, of, element(held), call)
}

/// What calling such a member gives: nobody knows which container it is, so it is made over what that would hold.
pub(crate) fn given_by_container(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    (member, args): (&str, ListId),
) -> Option<Ty> {
    let held_here = held_by_container(resolver, file, of, member, args)?;
    let call = ContainerCall {
        file,
        member,
        args,
        index: 0,
    };
    let given = library_types::given_by_any_container(resolver, of, held_here, call)?;
    Some(match given {
        Ty::Instance(..) | Ty::Object(..) | Ty::Param(_) => instantiate(Some(given)),
        given => type_argument(resolver, &given),
    })
}

/// The value of an argument, which may have a name.
fn argument(resolver: &Resolver<'_>, at: ExprRef) -> ExprRef {
    match resolver.expr(at) {
        Expr::Keyword { value, .. } => ExprRef { expr: value, ..at },
        _ => at,
    }
}

/// Whether a type from outside may derive from another one, of which nobody knows the bases here: the types that
/// tables know and values do not.
pub(crate) fn may_derive(resolver: &Resolver<'_>, base: &Ty, derived: &Ty, file: FileNo) -> bool {
    let (Ty::External(Some(base), _), Ty::External(Some(derived), _)) = (base, derived) else {
        return false;
    };
    base != derived
        && !is_final(resolver, file, *base)
        && !is_final(resolver, file, *derived)
        && !tables::is_known(resolver, file, *derived)
}

/// Whether a use that leads to nothing in the workspace provably leads out of it, so that it is none of a symbol's.
/// It is not where nobody knows what stands before the name, or what it is made over, or where the symbol may take
/// the place of what a type from outside has.
pub(crate) fn is_proven(
    resolver: &Resolver<'_>,
    at: ExprRef,
    target: &ResolvedTarget,
    wanted: &[DefRef],
) -> bool {
    if !target.via_aliases.is_empty() {
        return true;
    }
    match resolver.expr(at) {
        Expr::Member { of, .. } if is_package(resolver, ExprRef { expr: of, ..at }) => true,
        Expr::Member { of, .. } => {
            let receiver = resolver.type_of(ExprRef { expr: of, ..at }).ty;
            // A member that is there but cannot be called so says nothing of what is called in its place.
            resolver.find(at).defs.is_empty() && is_closed(resolver, &receiver, at, wanted)
        }
        Expr::Keyword { call, .. } => match resolver.expr(ExprRef { expr: call, ..at }) {
            Expr::Call { of, .. } => {
                let function = resolver.type_of(ExprRef { expr: of, ..at }).ty;
                !matches!(
                    function,
                    Ty::Unknown | Ty::External(None, _) | Ty::ExternalType(None, _)
                )
            }
            _ => true,
        },
        _ => true,
    }
}

/// Whether it is a module that no file of the workspace can be.
fn is_package(resolver: &Resolver<'_>, module: ExprRef) -> bool {
    let Expr::Module { name, .. } = resolver.expr(module) else {
        return false;
    };
    let bound = resolver.file(module.file);
    let name = bound.map_or("", |bound| resolver.workspace.text(bound.name(name)));
    let is_package = resolver.rules(module.file).names_package(name);
    is_package && resolver.find(module).is_empty()
}

/// Whether it is known of the receiver of a written member that what it has is not of the workspace.
fn is_closed(resolver: &Resolver<'_>, receiver: &Ty, at: ExprRef, wanted: &[DefRef]) -> bool {
    let file = at.file;
    match receiver {
        Ty::Unknown | Ty::External(None, _) | Ty::ExternalType(None, _) => false,
        Ty::External(Some(name), args) => {
            let rules = resolver.rules(file);
            let text = resolver.workspace.text(*name);
            let is_known = tables::is_known(resolver, file, *name);
            !rules.is_dynamic(text)
                && (is_known || !rules.leads_back(text))
                && (is_known
                    || !wanted
                        .iter()
                        .any(|def| resolution::is_extension(resolver, *def)))
                && (!rules.wrappers_forward()
                    || !has_own_argument(args)
                    || has_library_member(resolver, text, at))
                && !wanted
                    .iter()
                    .any(|def| may_replace_member_of(resolver, *def, *name, file))
        }
        Ty::Instance(..) => {
            resolver.rules(file).says_all(resolver, receiver)
                || element_type(resolver, receiver).is_none()
                    && !wanted.iter().any(|def| replaces_outside(resolver, *def))
        }
        Ty::Union(parts) => parts
            .iter()
            .all(|part| is_closed(resolver, part, at, wanted)),
        Ty::Pointer(of) => is_closed(resolver, of, at, wanted),
        _ => true,
    }
}

/// Whether the tables know the member that is written of a library type, which has it whatever it is made over.
fn has_library_member(resolver: &Resolver<'_>, of: &str, at: ExprRef) -> bool {
    let name = || {
        let bound = resolver.file(at.file)?;
        let (name, ..) = bound.expr(at.expr).written()?;
        Some(resolver.workspace.text(bound.name(name)))
    };
    let table = resolver.rules(at.file).library_types();
    name().is_some_and(|member| table.find(of, member).is_some_and(|row| row.1 != "*"))
}

fn has_own_argument(args: &[Ty]) -> bool {
    let mut found = Vec::new();
    args.iter()
        .for_each(|arg| collect_argument(arg, &mut found, DEEPEST));
    !found.is_empty()
}

/// Whether a member belongs to a type that derives from one outside, or adds to it: it may be what a member of that
/// leads to.
fn replaces_outside(resolver: &Resolver<'_>, def: DefRef) -> bool {
    !replaced_bases(resolver, def).is_empty()
}

/// The types from outside whose members a member may take the place of.
fn replaced_bases(resolver: &Resolver<'_>, def: DefRef) -> Vec<Ty> {
    let is_member = resolver
        .def(def)
        .is_some_and(|def| def.kind != DefKind::Parameter && def.at != NONE && !def.kind.is_type());
    let owner = is_member.then(|| resolver.owner(def)).flatten();
    let Some(owner) = owner else {
        return Vec::new();
    };
    if !resolver
        .rules(def.file)
        .may_implement_outside(resolver, def)
    {
        return Vec::new();
    }
    // Whose members the library declares leads to these.
    let is_open = |base: &Ty| tables::as_declared(resolver, base.clone(), def.file) == *base;
    let mut bases = resolver.external_bases(&Ty::Instance(owner, none()));
    bases.retain(is_open);
    bases
}

/// The same for a member of an outside type of this name: not where that cannot be a base of the member's type.
fn may_replace_member_of(
    resolver: &Resolver<'_>,
    def: DefRef,
    receiver: Name,
    file: FileNo,
) -> bool {
    let bases = replaced_bases(resolver, def);
    let is_receiver = |base: &Ty| match base {
        Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => *name == receiver,
        _ => true,
    };
    if bases.iter().any(is_receiver) {
        return true;
    }
    let rules = resolver.rules(file);
    let is_open = !rules.lists_all_bases() && !is_final(resolver, file, receiver);
    is_open && !bases.is_empty()
}

/// Whether no type derives from an outside type of this name: numbers and texts.
fn is_final(resolver: &Resolver<'_>, file: FileNo, name: Name) -> bool {
    let rules = resolver.rules(file);
    let text = resolver.workspace.text(name);
    rules.is_value_type(text) || rules.literal(Literal::Text).eq_ignore_ascii_case(text)
}
