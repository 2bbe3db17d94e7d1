//! Class template argument deduction: `std::pair p{1, Item{}}`, `Box b(Item{})`, `Box c = item`.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE};

use super::ranges;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::infer_type_args;
use crate::overloads;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, no_substitution};

/// How templates of the library are deduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// An argument for each parameter.
    Each,
    /// From the elements of a list, a range or two iterators.
    Elements,
    /// From pairs of a key and a value.
    Entries,
    /// From the first argument.
    First,
    /// What the first argument is made over.
    Same,
    /// It is the function itself that it is given.
    Function,
}

/// The templates of the library that are deduced.
const TEMPLATES: [(&str, How); 6] = [
    ("pair tuple", How::Each),
    (
        "vector deque list forward_list array set multiset unordered_set unordered_multiset flat_set span initializer_list \
         stack queue priority_queue valarray",
        How::Elements,
    ),
    (
        "map multimap unordered_map unordered_multimap flat_map",
        How::Entries,
    ),
    (
        "optional reference_wrapper atomic expected lock_guard unique_lock scoped_lock shared_lock",
        How::First,
    ),
    ("shared_ptr weak_ptr unique_ptr", How::Same),
    ("function move_only_function packaged_task", How::Function),
];

/// The type of a variable that is declared to be of a template without arguments.
pub(super) fn of_variable(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    let part = |expr| ExprRef {
        file: at.file,
        expr,
    };
    if !matches!(
        resolver.expr(part(def.ty)),
        Expr::Name { .. } | Expr::Member { .. }
    ) {
        return None;
    }
    let declared = resolver.lower_type(part(def.ty)).ty;
    let args = match resolver.expr(part(def.value)) {
        Expr::New { args, .. } => resolver.each(at.file, args, |at| at),
        // A value of the very type that is declared tells nothing.
        Expr::Value { of } if of == def.ty => return None,
        _ => vec![part(def.value)],
    };
    let ty = match &declared {
        Ty::External(Some(_), given) if given.is_empty() => {
            deduced_outside(resolver, at.file, &declared, &args)?
        }
        Ty::Instance(of, given) if given.is_empty() && !resolver.params_of(*of).is_empty() => {
            match resolver.type_of(part(def.value)).ty {
                ty @ Ty::Instance(value, _) if value == *of => ty,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Typed::inferred(ty))
}

/// What a template of the library is that is made of some arguments.
pub(super) fn of_outside(resolver: &Resolver<'_>, file: FileNo, of: &Ty, args: u32) -> Option<Ty> {
    let given = resolver.each(file, args, |at| at);
    deduced_outside(resolver, file, of, &given)
}

fn deduced_outside(resolver: &Resolver<'_>, file: FileNo, of: &Ty, args: &[ExprRef]) -> Option<Ty> {
    let (Ty::External(name, given) | Ty::ExternalType(name, given)) = of else {
        return None;
    };
    let text = resolver.workspace.text((*name)?);
    let is_one = |(names, _): &&(&str, How)| names.split_whitespace().any(|known| known == text);
    let (_, how) = TEMPLATES.iter().find(is_one).filter(|_| given.is_empty())?;
    let types: Vec<Ty> = args.iter().map(|at| resolver.type_of(*at).ty).collect();
    let first = types.first()?;
    let same =
        |ty: &Ty| matches!(ty, Ty::External(other, args) if other == name && !args.is_empty());
    if types.len() == 1 && same(first) {
        return Some(first.clone());
    }
    let made: Vec<Ty> = match how {
        How::Each => types,
        How::Elements => vec![element(resolver, file, &types)],
        How::Entries => match element(resolver, file, &types) {
            Ty::Tuple(parts) => parts.to_vec(),
            Ty::External(Some(_), parts) if parts.len() > 1 => parts.to_vec(),
            _ => return None,
        },
        How::First => vec![first.clone()],
        How::Same => match first {
            Ty::External(Some(_), args) => args.to_vec(),
            Ty::Pointer(of) => vec![(**of).clone()],
            _ => return None,
        },
        How::Function => return Some(first.clone()),
    };
    Some(Ty::External(*name, made.into()))
}

/// The element of a container that is made of a list, of a range, of two iterators, or of a number and a value.
fn element(resolver: &Resolver<'_>, file: FileNo, types: &[Ty]) -> Ty {
    let is_range = |ty: &Ty| {
        matches!(ty, Ty::Array(_) | Ty::External(Some(_), _))
            && !ranges::element(resolver, file, ty).is_unknown()
            && !matches!(ranges::element(resolver, file, ty), Ty::External(None, _))
    };
    match types {
        [Ty::Pointer(a), Ty::Pointer(b)] if a == b => (**a).clone(),
        [range] if is_range(range) => ranges::element(resolver, file, range),
        [Ty::External(Some(_), number), value @ Ty::Instance(..)] if number.is_empty() => {
            value.clone()
        }
        [first, ..] => first.clone(),
        [] => Ty::Unknown,
    }
}

/// An instance of a template of the workspace, its arguments deduced from guides, from its constructors, or from its fields
/// where it is an aggregate.
pub(super) fn of_own(resolver: &Resolver<'_>, file: FileNo, of: DefRef, args: u32) -> Option<Ty> {
    let params = resolver.params_of(of);
    let constructors = resolver.constructors(of);
    let is_constructor = |of: &DefRef| {
        resolver
            .def(*of)
            .is_some_and(|def| def.kind == DefKind::Constructor)
    };
    let constructors: Vec<DefRef> = constructors.into_iter().filter(is_constructor).collect();
    let guides = guides(resolver, of);
    if constructors.is_empty() && guides.is_empty() {
        return aggregate(resolver, file, of, args, &params);
    }
    let mut lists = constructors.iter().filter_map(|of| listed(resolver, *of));
    if let Some(pattern) = lists.next() {
        let first = *resolver.each(file, args, |at| at).first()?;
        let actual = resolver.type_of(first).ty;
        let mut known = Vec::new();
        infer_type_args::infer_type_args(resolver, &pattern, &actual, &params, &mut known, 6);
        if !known.is_empty() {
            return Some(applied(of, &params, &known));
        }
    }
    if guides.is_empty() {
        return None;
    }
    // Of two that take the arguments equally well the guide is meant.
    let all: Vec<DefRef> = guides.iter().copied().chain(constructors).collect();
    let subst = no_substitution();
    let chosen = overloads::resolve_overloads(resolver, file, &all, &subst, args);
    let guide = *chosen.iter().find(|chosen| guides.contains(chosen))?;
    let told = infer_type_args::type_args_of_call(resolver, file, guide, &subst, args, true);
    Some(resolver.declared_result(guide).ty.with(&told))
}

/// `Box(const char*) -> Box<std::string>;`: functions of a template's name that give one.
fn guides(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    let is_guide = |id: &u32| {
        let found = bound.def(*id);
        found.kind == DefKind::Function && found.ty != NONE && {
            let result = resolver.lower_type(ExprRef {
                file: of.file,
                expr: found.ty,
            });
            matches!(result.ty, Ty::Instance(made, _) if made == of)
        }
    };
    let beside = bound.defs_in(def.scope, def.name).filter(is_guide);
    beside.map(|def| DefRef { file: of.file, def }).collect()
}

/// What the fields of an aggregate tell of its parameters, in their order.
fn aggregate(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: DefRef,
    args: u32,
    params: &[DefRef],
) -> Option<Ty> {
    let bound = resolver.file(of.file)?;
    let inner = bound.def(of.def).inner;
    let mut fields: Vec<u32> = bound
        .all_in(inner)
        .filter(|def| {
            let def = bound.def(*def);
            let is_static = def.flags & codecortex_bind::facts::flag::STATIC != 0;
            def.kind == DefKind::Field && !is_static
        })
        .collect();
    fields.sort_unstable_by_key(|def| bound.def(*def).at);
    let mut known: Vec<(DefRef, Ty)> = Vec::new();
    for (field, at) in fields.into_iter().zip(resolver.each(file, args, |at| at)) {
        let expr = bound.def(field).ty;
        let pattern = resolver.lower_type(ExprRef {
            file: of.file,
            expr,
        });
        let actual = resolver.type_of(at).ty;
        infer_type_args::infer_type_args(resolver, &pattern.ty, &actual, params, &mut known, 6);
    }
    if known.is_empty() {
        return None;
    }
    Some(applied(of, params, &known))
}

fn applied(of: DefRef, params: &[DefRef], known: &[(DefRef, Ty)]) -> Ty {
    let args = params.iter().map(|param| {
        let told = known.iter().find(|(known, _)| known == param);
        told.map_or(Ty::Unknown, |(_, ty)| ty.clone())
    });
    Ty::Instance(of, args.collect())
}

/// The element of the list that a constructor takes first: `Box(std::initializer_list<T>)`.
fn listed(resolver: &Resolver<'_>, constructor: DefRef) -> Option<Ty> {
    let bound = resolver.file(constructor.file)?;
    let first = bound.params(constructor.def).next()?;
    let expr = bound.def(first).ty;
    let taken = resolver.lower_type(ExprRef {
        file: constructor.file,
        expr,
    });
    match taken.ty {
        Ty::External(Some(name), args) if resolver.workspace.text(name) == "initializer_list" => {
            args.first().cloned()
        }
        _ => None,
    }
}
