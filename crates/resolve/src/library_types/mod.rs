//! Member types of well-known library types: elements of lists, values of maps, results of promises.
//!
//! A table, not code: a row says which types, which of their members, what they give, and what a lambda gets that is
//! passed to them. In a template a digit is a type argument, `self` the receiver's own type, `ret` what the lambda
//! given first returns, `arg` the first argument's type, `each` what iterating it gives, `spread` that type or the
//! elements of an array, `[x]` a list of x, `*x` a pointer to it, `(x,y)` a tuple (of a tuple 0 is any part, 1 the
//! first), `Name<x>` a type from outside, `self<x>` the receiver's with these arguments, `other` what iterating the second one gives, `each.0` and `elem.0` a part of a tuple that
//! iterating gives, `arg.0` a type argument of the first argument, `args.1` the type of another argument, `x|y` the first that is known, `elem` what iterating the receiver gives, `inner` what the receiver holds.

pub(crate) mod container_members;
pub(crate) mod table;

use codecortex_bind::facts::{Expr, ListId, space};

use crate::distinct_types::any_of;
use crate::ids::FileNo;
use crate::library_types::table::LibraryMember;
use crate::outside;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, none};

/// A member that is called on a value of which nobody knows whether it is a container.
#[derive(Clone, Copy)]
pub(crate) struct ContainerCall<'a> {
    pub(crate) file: FileNo,
    pub(crate) member: &'a str,
    pub(crate) args: ListId,
    /// The place of the argument that is asked about.
    pub(crate) index: u32,
}

/// What a member of something from outside is, read like a field.
pub(crate) fn property(resolver: &Resolver<'_>, file: FileNo, of: &Ty, member: &str) -> Option<Ty> {
    let (row, receiver) = library_member(resolver, file, of, member)?;
    let ty = instantiate(resolver, file, row.2, &receiver, None)?;
    Some(ty)
}

/// What calling a member of something from outside gives.
pub(crate) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    member: &str,
    args: ListId,
) -> Option<Ty> {
    if let Ty::Union(parts) = of {
        let types = parts
            .iter()
            .filter_map(|part| call(resolver, file, part, member, args));
        let types: Vec<Ty> = types.collect();
        return (!types.is_empty()).then(|| Ty::union(types));
    }
    let (row, receiver) = library_member(resolver, file, of, member)?;
    instantiate(resolver, file, row.2, &receiver, Some(args))
}

/// What a member of something from outside expects as an argument: only functions are in the table.
pub(crate) fn contextual_type(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    member: &str,
    index: u32,
) -> Option<Ty> {
    if let Ty::Union(parts) = of {
        // An empty list beside another says nothing of what is in it.
        let says = |ty: &Ty| ty.contextual_param(0) != Some(Ty::Unknown);
        let mut parts = parts
            .iter()
            .filter_map(|part| contextual_type(resolver, file, part, member, index));
        return parts.find(says);
    }
    let (row, receiver) = library_member(resolver, file, of, member)?;
    if let Some(template) = row.3.strip_prefix('=') {
        return instantiate(resolver, file, template, &receiver, None);
    }
    if row.3.is_empty() || index > 2 {
        return None;
    }
    Some(handed(resolver, file, row, &receiver))
}

/// The function that is called with what a row says.
fn handed(resolver: &Resolver<'_>, file: FileNo, row: &LibraryMember, receiver: &Receiver) -> Ty {
    let params = row.3.split(';');
    let params: Vec<Ty> = params
        .map(|template| {
            instantiate(resolver, file, template.trim(), receiver, None).unwrap_or(Ty::Unknown)
        })
        .collect();
    // A function that nobody wrote has no name; its parameters are passed as its arguments.
    Ty::External(None, params.into())
}

/// The function that a member of a container is handed, whichever kind of container it is that holds such a type.
/// Nothing where none hands what it holds to a lambda by a member of that name.
pub(crate) fn handed_by_any_container(
    resolver: &Resolver<'_>,
    of: &Ty,
    held: Ty,
    call: ContainerCall<'_>,
) -> Option<Ty> {
    let file = call.file;
    match member_of_any_container(resolver, file, of, held.clone(), call.member) {
        Some((row, receiver)) => Some(handed(resolver, file, row, &receiver)),
        None => resolver
            .rules(file)
            .handed_by_container(resolver, &held, call),
    }
}

/// What calling such a member with a lambda gives, where the table or the library says that.
pub(crate) fn given_by_any_container(
    resolver: &Resolver<'_>,
    of: &Ty,
    held: Ty,
    call: ContainerCall<'_>,
) -> Option<Ty> {
    let file = call.file;
    match member_of_any_container(resolver, file, of, held.clone(), call.member) {
        Some((row, receiver)) => instantiate(resolver, file, row.2, &receiver, Some(call.args)),
        None => resolver
            .rules(file)
            .given_by_container(resolver, &held, call),
    }
}

fn member_of_any_container(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    held: Ty,
    member: &str,
) -> Option<(&'static LibraryMember, Receiver)> {
    let table = resolver.rules(file).library_types();
    let row = table.of_containers(member)?.handing?;
    let receiver = Receiver {
        ty: of.clone(),
        args: vec![held],
    };
    Some((row, receiver))
}

/// What the language's own operations give: `iter`, `key`, `index`, `await`, `unwrap`, `deref`.
pub(crate) fn unwrap(resolver: &Resolver<'_>, file: FileNo, of: &Ty, how: &str) -> Option<Ty> {
    match (of, how) {
        (Ty::Array(of), "iter" | "index") => Some((**of).clone()),
        (Ty::Map(of), "key") => Some(of.0.clone()),
        (Ty::Map(of), "index") => Some(of.1.clone()),
        (Ty::Map(of), "iter") => Some(resolver.rules(file).iterated_map(of)),
        (Ty::Tuple(parts), "iter" | "index") => Some(any_of(resolver, file, parts)),
        (Ty::Pointer(of), "index") if resolver.rules(file).indexes_pointers() => {
            Some((**of).clone())
        }
        (Ty::Array(of), "deref") if resolver.rules(file).indexes_pointers() => Some((**of).clone()),
        (Ty::Array(_) | Ty::Map(_) | Ty::Tuple(_), "deref")
            if !resolver.rules(file).indexes_pointers() =>
        {
            Some(of.clone())
        }
        (Ty::Pointer(of), "deref") => Some((**of).clone()),
        (Ty::Pointer(of), _) => unwrap(resolver, file, of, how),
        (Ty::Union(parts), _) => {
            let types: Vec<Ty> = parts
                .iter()
                .filter_map(|part| {
                    resolver
                        .with_depth(|| unwrap(resolver, file, part, how))
                        .flatten()
                })
                .collect();
            (!types.is_empty()).then(|| Ty::union(types))
        }
        (Ty::External(..) | Ty::ExternalType(..), _) => {
            let member = format!("@{how}");
            if let Some((row, receiver)) = library_member(resolver, file, of, &member) {
                return instantiate(resolver, file, row.2, &receiver, None);
            }
            let rules = resolver.rules(file);
            let declared = resolver.with_depth(|| rules.unwrapped_outside(resolver, file, of, how));
            match declared.flatten() {
                Some(given) => Some(given),
                // Where pointers are no values of the type itself, what follows a generic is another one's value.
                None if how == "deref" && resolver.rules(file).indexes_pointers() => {
                    let held = outside::element_type(resolver, of);
                    Some(held.map_or_else(|| of.clone(), |held| outside::instantiate(Some(held))))
                }
                None if matches!(how, "await" | "deref") => Some(of.clone()),
                None if how == "iter" => Some(outside::iterated(resolver, of)),
                None => Some(outside::type_argument(resolver, of)),
            }
        }
        (Ty::Module(..) | Ty::Namespace(_), "await") => Some(of.clone()),
        (Ty::Instance(..) | Ty::Object(..), "await" | "deref") => {
            let own = resolver
                .rules(file)
                .unwrapped_instance(resolver, file, of, how);
            Some(own.unwrap_or_else(|| of.clone()))
        }
        (Ty::Instance(..) | Ty::Object(..) | Ty::Type(..) | Ty::Param(_), _) => resolver
            .rules(file)
            .unwrapped_instance(resolver, file, of, how)
            .or_else(|| {
                Some(outside::instantiate(Some(outside::element_type(
                    resolver, of,
                )?)))
            }),
        (Ty::Function(..), _) => resolver
            .rules(file)
            .unwrapped_instance(resolver, file, of, how),
        _ => None,
    }
}

/// Whether a type of this name is a list of any kind.
pub(crate) fn is_sequence(name: &str) -> bool {
    const WORDS: [&str; 24] = [
        "List",
        "IList",
        "IEnumerable",
        "ICollection",
        "IReadOnlyList",
        "IReadOnlyCollection",
        "Iterable",
        "Collection",
        "Sequence",
        "Array",
        "ReadonlyArray",
        "ArrayLike",
        "Vec",
        "Iterator",
        "IntoIterator",
        "Stream",
        "Set",
        "HashSet",
        "ArrayList",
        "list",
        "Iterable",
        "IQueryable",
        "tuple",
        "set",
    ];
    WORDS.contains(&name)
}

/// What a receiver is in terms of the table: its name and arguments.
struct Receiver {
    ty: Ty,
    args: Vec<Ty>,
}

fn library_member(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    member: &str,
) -> Option<(&'static LibraryMember, Receiver)> {
    resolver.file(file)?;
    let (name, args): (&str, Vec<Ty>) = match of {
        Ty::External(name, args) | Ty::ExternalType(name, args) => {
            (resolver.workspace.text((*name)?), args.to_vec())
        }
        Ty::Array(of) => ("[]", vec![(**of).clone()]),
        Ty::Map(of) => ("{}", vec![of.0.clone(), of.1.clone()]),
        Ty::Tuple(of) => {
            let any = any_of(resolver, file, of);
            ("()", [any].into_iter().chain(of.iter().cloned()).collect())
        }
        Ty::Pointer(of) => return library_member(resolver, file, of, member),
        Ty::Instance(..) => return library_member_of_instance(resolver, file, of, member),
        _ => return None,
    };
    let row = resolver.rules(file).library_types().find(name, member)?;
    Some((
        row,
        Receiver {
            ty: of.clone(),
            args,
        },
    ))
}

/// A type of the workspace has what the types from outside have that it derives from, unless it says otherwise.
fn library_member_of_instance(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    member: &str,
) -> Option<(&'static LibraryMember, Receiver)> {
    let Ty::Instance(def, args) = of else {
        return None;
    };
    let container = resolver.rules(file).as_library_type(resolver, file, of);
    let bases = resolver.external_bases(of);
    if bases.is_empty() && container.is_none() {
        return None;
    }
    if let Some(name) = resolver.workspace.name(member) {
        let own = resolver.member_of_type(*def, args, name, space::ANY);
        if own
            .defs
            .iter()
            .any(|def| !is_library(def.file) || container.is_none())
        {
            return None;
        }
    }
    if let Some(container) = container {
        return resolver
            .with_depth(|| library_member(resolver, file, &container, member))
            .flatten();
    }
    bases
        .iter()
        .find_map(|base| library_member(resolver, file, base, member))
}

/// Instantiates a template of a type.
fn instantiate(
    resolver: &Resolver<'_>,
    file: FileNo,
    template: &str,
    receiver: &Receiver,
    args: Option<ListId>,
) -> Option<Ty> {
    let inner = |template: &str| {
        instantiate(resolver, file, template, receiver, args).unwrap_or(Ty::Unknown)
    };
    match template {
        "" | "_" => Some(Ty::external()),
        "?" => None,
        "self" => Some(match &receiver.ty {
            Ty::ExternalType(name, args) => Ty::External(*name, args.clone()),
            ty => ty.clone(),
        }),
        "ret" => lambda_result(resolver, file, args?, receiver),
        "flat" => {
            let returned = lambda_result(resolver, file, args?, receiver)?;
            unwrap(resolver, file, &returned, "iter").or(Some(returned))
        }
        "arg" => {
            let first = resolver.each(file, args?, |at| at).first().copied()?;
            Some(resolver.type_of(first).ty)
        }
        "each" => {
            let first = resolver.each(file, args?, |at| at).first().copied()?;
            unwrap(resolver, file, &resolver.type_of(first).ty, "iter")
        }
        "spread" => {
            let first = resolver.each(file, args?, |at| at).first().copied()?;
            let first = resolver.type_of(first).ty;
            match first {
                Ty::Array(of) => Some((*of).clone()),
                first => Some(first),
            }
        }
        _ if split_at(template, b'|').len() > 1 => {
            let parts = split_at(template, b'|').into_iter();
            let mut parts =
                parts.filter_map(|part| instantiate(resolver, file, part, receiver, args));
            parts.find(|ty| !matches!(ty, Ty::Unknown | Ty::External(None, _)))
        }
        _ if template.starts_with("args.") => {
            let index = template.strip_prefix("args.")?.parse::<usize>().ok()?;
            let argument = resolver.each(file, args?, |at| at).get(index).copied()?;
            Some(resolver.type_of(argument).ty)
        }
        _ if template.starts_with("arg.") => {
            let index = template.strip_prefix("arg.")?.parse::<usize>().ok()?;
            match instantiate(resolver, file, "arg", receiver, args)? {
                Ty::External(_, of) => of.get(index).cloned(),
                _ => None,
            }
        }
        _ if template.starts_with("each.") || template.starts_with("elem.") => {
            let (whole, index) = template.split_once('.')?;
            let index = index.parse::<usize>().ok()?;
            match instantiate(resolver, file, whole, receiver, args)? {
                Ty::Tuple(parts) => parts.get(index).cloned(),
                _ => None,
            }
        }
        "other" => {
            let second = resolver.each(file, args?, |at| at).get(1).copied()?;
            unwrap(resolver, file, &resolver.type_of(second).ty, "iter")
        }
        "elem" => unwrap(resolver, file, &receiver.ty, "iter"),
        "inner" => receiver.args.first().cloned(),
        _ => {
            if let Ok(index) = template.parse::<usize>() {
                return Some(receiver.args.get(index).cloned().unwrap_or(Ty::Unknown));
            }
            if let Some(of) = template
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'))
            {
                return Some(Ty::array(inner(of)));
            }
            if let Some(of) = template.strip_prefix('*') {
                return Some(Ty::Pointer(inner(of).into()));
            }
            if let Some(of) = template
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'))
            {
                return Some(Ty::Tuple(split(of).into_iter().map(inner).collect()));
            }
            if let Some((name, of)) = template
                .strip_suffix('>')
                .and_then(|rest| rest.split_once('<'))
            {
                let args: Vec<Ty> = split(of).into_iter().map(inner).collect();
                if let ("self", Ty::External(own, _) | Ty::ExternalType(own, _)) =
                    (name, &receiver.ty)
                {
                    return Some(Ty::External(*own, args.into()));
                }
                return Some(Ty::External(resolver.workspace.name(name), args.into()));
            }
            Some(Ty::External(resolver.workspace.name(template), none()))
        }
    }
}

/// Splits at commas that are in no brackets.
fn split(text: &str) -> Vec<&str> {
    split_at(text, b',')
}

/// Splits at signs that are in no brackets.
fn split_at(text: &str, sign: u8) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' | b')' | b']' => depth -= 1,
            byte if byte == sign && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// What the first function among the arguments returns; where it is the library's own, of what the receiver holds.
fn lambda_result(
    resolver: &Resolver<'_>,
    file: FileNo,
    args: ListId,
    receiver: &Receiver,
) -> Option<Ty> {
    returned(resolver, file, args).or_else(|| {
        let first = resolver.each(file, args, |at| at).first().copied()?;
        // A function of a module is called on nothing.
        let of = receiver.args.first().cloned().unwrap_or(Ty::Unknown);
        resolver
            .rules(file)
            .method_reference_result(resolver, first, &of)
    })
}

/// What the first function among the arguments returns.
pub(crate) fn returned(resolver: &Resolver<'_>, file: FileNo, args: ListId) -> Option<Ty> {
    resolver
        .each(file, args, |at| at)
        .into_iter()
        .find_map(|at| {
            let function = match resolver.expr(at) {
                Expr::Keyword { value, .. } => crate::ids::ExprRef { file, expr: value },
                _ => at,
            };
            match resolver.type_of(function).ty {
                Ty::Function(defs, subst) => {
                    let def = *defs.first().filter(|def| !is_library(def.file))?;
                    Some(resolver.declared_result(def).ty.with(&subst))
                }
                _ => None,
            }
        })
}
