//! Views of `<ranges>`: what their elements are. A view is an array to whoever asks.

use std::rc::Rc;

use codecortex_bind::facts::{DefKind, Expr, ExprId, Literal, NONE};
use rustc_hash::FxHashMap;

use super::memo::CppMemo;
use super::tuples;
use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Adaptors that are made of one another are followed this deep.
const DEEPEST: u32 = 16;

/// What an adaptor makes of the elements of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Makes {
    /// Some of them, or all in another order.
    Same,
    /// A part of each, which is a pair or a tuple.
    Part(usize),
    /// The same, where the part is written as a template's argument.
    WrittenPart,
    /// What a function gives for each.
    Mapped,
    /// The elements of each.
    Inner,
    /// Ranges of them.
    Ranges,
    /// Each with its number.
    Numbered,
    /// Each with those behind it, together so many: 0 where a template's argument says it.
    Neighbours(usize),
    /// What a function gives for each with those behind it.
    MappedNeighbours,
}

/// The adaptors of ranges: their names, how many arguments they take besides the range, what they make of its elements.
const ADAPTORS: [(&str, usize, Makes); 15] = [
    (
        "all all_t common reverse as_const as_rvalue cache_latest to_input ref owning",
        0,
        Makes::Same,
    ),
    (
        "filter take take_while drop drop_while stride",
        1,
        Makes::Same,
    ),
    ("keys", 0, Makes::Part(0)),
    ("values", 0, Makes::Part(1)),
    ("elements", 0, Makes::WrittenPart),
    ("transform", 1, Makes::Mapped),
    ("join", 0, Makes::Inner),
    ("join_with", 1, Makes::Inner),
    ("split lazy_split chunk chunk_by slide", 1, Makes::Ranges),
    ("enumerate", 0, Makes::Numbered),
    ("pairwise", 0, Makes::Neighbours(2)),
    ("adjacent", 0, Makes::Neighbours(0)),
    ("pairwise_transform", 1, Makes::MappedNeighbours),
    ("adjacent_transform", 1, Makes::MappedNeighbours),
    ("indirect", 0, Makes::Same),
];

/// An adaptor as it is written: what it makes, its template's arguments and those of its call.
#[derive(Clone, Copy)]
pub(super) struct Adaptor {
    pub(super) makes: Makes,
    /// How many arguments it takes besides the range.
    pub(super) takes: usize,
    written: u32,
    args: u32,
}

/// What `range | adaptor` is, if the right side is one.
pub(super) fn piped(
    resolver: &Resolver<'_>,
    file: FileNo,
    left: ExprId,
    right: ExprId,
) -> Option<Typed> {
    let left = ExprRef { file, expr: left };
    let right = ExprRef { file, expr: right };
    if adaptor(resolver, left).is_some() || !is_adaptor(resolver, right, DEEPEST) {
        return None;
    }
    let range = resolver.type_of(left).ty;
    let made = adapted(resolver, &range, right, DEEPEST).unwrap_or(Ty::Unknown);
    Some(Typed::inferred(made))
}

/// What a call of an adaptor with its range gives, or of what makes a range of something else.
pub(super) fn called(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Ty> {
    let given = resolver.each(callee.file, args, |at| at);
    if let Some(adaptor) = adaptor_called(resolver, callee, args) {
        let range = given.first().filter(|_| given.len() == adaptor.takes + 1)?;
        let of = resolver.type_of(*range).ty;
        return made_of(resolver, &of, callee, adaptor);
    }
    let (name, written) = name_in_views(resolver, callee)?;
    let types = || given.iter().map(|at| resolver.type_of(*at).ty);
    let elements = || types().map(|ty| element(resolver, callee.file, &ty));
    let made = match name {
        "zip" | "cartesian_product" => Ty::Tuple(elements().collect()),
        "concat" => elements().next()?,
        "zip_transform" => call_result(resolver, *given.first()?),
        "iota" | "single" | "repeat" => types().next()?,
        "counted" => element(resolver, callee.file, &types().next()?),
        "empty" | "istream" => {
            let types = resolver.each(callee.file, written, |at| resolver.lower_type(at).ty);
            types.first()?.clone()
        }
        _ => return None,
    };
    Some(Ty::array(made))
}

/// The element of the range that a call of an adaptor is given, behind `|` or among its arguments, and what the adaptor
/// makes of it.
pub(super) fn element_for(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    args: u32,
) -> Option<(Ty, Makes)> {
    let adaptor = adaptor_called(resolver, callee, args)?;
    let given = resolver.each(callee.file, args, |at| at);
    let range = if given.len() > adaptor.takes {
        *given.first()?
    } else {
        let call = resolver.call_of(callee)?;
        let left = *all_piped(resolver, callee.file).get(&call.expr)?;
        ExprRef {
            expr: left,
            ..callee
        }
    };
    let of = resolver.type_of(range).ty;
    Some((element(resolver, callee.file, &of), adaptor.makes))
}

/// What stands before `|` in a file, by what stands behind it.
fn all_piped(resolver: &Resolver<'_>, file: FileNo) -> Rc<FxHashMap<ExprId, ExprId>> {
    let memo = resolver.languages.get::<CppMemo>();
    if let Some(known) = memo.piped.borrow().get(&file) {
        return known.clone();
    }
    let mut found = FxHashMap::default();
    if let Some(bound) = resolver.file(file)
        && let Some(pipe) = resolver
            .workspace
            .name("|")
            .and_then(|pipe| bound.local(pipe))
    {
        for expr in bound.exprs() {
            if let Expr::Operator { name, left, right } = expr
                && name == pipe
            {
                found.insert(right, left);
            }
        }
    }
    let found = Rc::new(found);
    memo.piped.borrow_mut().insert(file, found.clone());
    found
}

/// What iterating a range, or reading an iterator, gives.
pub(super) fn element(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Ty {
    resolver
        .unwrapped(file, &Typed::inferred(of.clone()), "iter")
        .ty
}

/// Whether something stands for adaptors alone: one, several joined by `|`, a variable that holds them.
fn is_adaptor(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    match resolver.expr(at) {
        Expr::Operator { left, .. } => is_adaptor(resolver, ExprRef { expr: left, ..at }, depth),
        _ => {
            adaptor(resolver, at).is_some()
                || made_into(resolver, at).is_some()
                || held_by(resolver, at).is_some_and(|value| is_adaptor(resolver, value, depth))
        }
    }
}

/// What a variable is given.
fn held_by(resolver: &Resolver<'_>, at: ExprRef) -> Option<ExprRef> {
    if !matches!(resolver.expr(at), Expr::Name { .. } | Expr::Member { .. }) {
        return None;
    }
    let found = resolver.find(at).defs;
    let [of] = found[..] else {
        return None;
    };
    let def = resolver.def(of)?;
    let is_held = def.kind == DefKind::Variable && def.value != NONE && def.ty == NONE;
    is_held.then_some(ExprRef {
        file: of.file,
        expr: def.value,
    })
}

/// What adaptors make of a range.
fn adapted(resolver: &Resolver<'_>, range: &Ty, by: ExprRef, depth: u32) -> Option<Ty> {
    let depth = depth.checked_sub(1)?;
    if let Expr::Operator { left, right, .. } = resolver.expr(by) {
        let first = adapted(resolver, range, ExprRef { expr: left, ..by }, depth)?;
        return adapted(resolver, &first, ExprRef { expr: right, ..by }, depth);
    }
    if let Some(adaptor) = adaptor(resolver, by) {
        return made_of(resolver, range, by, adaptor);
    }
    if let Some(container) = made_into(resolver, by) {
        let element = element(resolver, by.file, range);
        return Some(match container {
            Ty::External(name, args) if args.is_empty() => Ty::External(name, [element].into()),
            container => container,
        });
    }
    adapted(resolver, range, held_by(resolver, by)?, depth)
}

/// The container of `std::ranges::to<std::vector>()`.
fn made_into(resolver: &Resolver<'_>, at: ExprRef) -> Option<Ty> {
    let Expr::Call { of, .. } = resolver.expr(at) else {
        return None;
    };
    let Expr::Apply { of, args } = resolver.expr(ExprRef { expr: of, ..at }) else {
        return None;
    };
    let bound = resolver.file(at.file)?;
    let is_to = bound
        .head_name(of)
        .is_some_and(|name| resolver.workspace.text(name) == "to");
    let is_of_ranges = match bound.expr(of) {
        Expr::Member { of, .. } => {
            let head = bound.head_name(of);
            head.is_some_and(|name| resolver.workspace.text(name) == "ranges")
        }
        _ => false,
    };
    let types = resolver.each(at.file, args, |at| resolver.lower_type(at).ty);
    types.first().filter(|_| is_to && is_of_ranges).cloned()
}

/// The adaptor that an expression is: `views::values`, `views::elements<1>`, `views::filter(f)`.
fn adaptor(resolver: &Resolver<'_>, at: ExprRef) -> Option<Adaptor> {
    match resolver.expr(at) {
        Expr::Call { of, args } => {
            let adaptor = adaptor_called(resolver, ExprRef { expr: of, ..at }, args)?;
            let given = resolver.each(at.file, args, |at| at).len();
            (given == adaptor.takes).then_some(adaptor)
        }
        Expr::Name { .. } | Expr::Member { .. } | Expr::Apply { .. } => {
            adaptor_called(resolver, at, NONE).filter(|adaptor| adaptor.takes == 0)
        }
        _ => None,
    }
}

fn adaptor_called(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Adaptor> {
    let (name, written) = name_in_views(resolver, callee)?;
    let is_one = |(names, ..): &&(&str, usize, Makes)| names.split(' ').any(|known| known == name);
    let (_, takes, makes) = *ADAPTORS.iter().find(is_one)?;
    Some(Adaptor {
        makes,
        takes,
        written,
        args,
    })
}

/// The name that something has in `std::views`, which the workspace does not declare itself, and the template's arguments
/// behind it.
fn name_in_views<'q>(resolver: &'q Resolver<'_>, at: ExprRef) -> Option<(&'q str, u32)> {
    let (plain, written) = match resolver.expr(at) {
        Expr::Apply { of, args } => (ExprRef { expr: of, ..at }, args),
        _ => (at, NONE),
    };
    let bound = resolver.file(at.file)?;
    let (name, is_there) = match bound.expr(plain.expr) {
        Expr::Member { of, name, .. } => (name, is_views(resolver, ExprRef { expr: of, ..at }, 4)),
        // `using namespace std::views;`
        Expr::Name { name, .. } => (
            name,
            bound.glob_imports().iter().any(|glob| {
                bound
                    .head_name(glob.of)
                    .is_some_and(|head| resolver.workspace.text(head) == "views")
            }),
        ),
        _ => return None,
    };
    let is_outside = || resolver.find(plain).is_empty();
    (is_there && is_outside()).then(|| (resolver.workspace.text(bound.name(name)), written))
}

/// Whether a path ends in `views`, or in another name that the workspace gives that.
fn is_views(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let Some(bound) = resolver.file(at.file) else {
        return false;
    };
    let head = bound.head_name(at.expr);
    if head.is_some_and(|head| matches!(resolver.workspace.text(head), "views" | "view")) {
        return true;
    }
    let found = resolver.find(at).defs;
    found.iter().any(|of| {
        let def = resolver.def(*of);
        let alias = def.filter(|def| def.kind == DefKind::Alias && def.value != NONE);
        alias.is_some_and(|def| {
            let value = ExprRef {
                file: of.file,
                expr: def.value,
            };
            is_views(resolver, value, depth)
        })
    })
}

/// The element of `std::ranges::values_view` and its like of a range, by the adaptor of that name.
pub(super) fn element_of_view(
    resolver: &Resolver<'_>,
    file: FileNo,
    name: &str,
    range: &Ty,
) -> Option<Ty> {
    let element = element(resolver, file, range);
    let adaptor = name.strip_suffix("_view").unwrap_or(name);
    let is_one =
        |(names, ..): &&(&str, usize, Makes)| names.split(' ').any(|known| known == adaptor);
    match ADAPTORS.iter().find(is_one).map(|(.., makes)| *makes) {
        None if adaptor == "subrange" => Some(element),
        Some(Makes::Same) => Some(element),
        Some(Makes::Part(index)) => Some(tuples::part(&element, index)),
        Some(Makes::Inner) => Some(self::element(resolver, file, &element)),
        Some(Makes::Ranges) => Some(Ty::array(element)),
        _ => None,
    }
}

/// The view that an adaptor makes of a range.
fn made_of(resolver: &Resolver<'_>, range: &Ty, at: ExprRef, by: Adaptor) -> Option<Ty> {
    let element = element(resolver, at.file, range);
    let function = || {
        let given = resolver.each(at.file, by.args, |at| at);
        given
            .last()
            .map_or(Ty::Unknown, |at| call_result(resolver, *at))
    };
    let number = || tuples::written_number(resolver, at.file, by.written);
    Some(Ty::array(match by.makes {
        Makes::Same => element,
        Makes::Part(index) => tuples::part(&element, index),
        Makes::WrittenPart => tuples::part(&element, number()?),
        Makes::Mapped | Makes::MappedNeighbours => function(),
        Makes::Inner => self::element(resolver, at.file, &element),
        Makes::Ranges => Ty::array(element),
        Makes::Numbered => {
            let number = resolver.type_of_literal(at.file, Literal::Integer).ty;
            Ty::Tuple([number, element].into())
        }
        Makes::Neighbours(count) => {
            const MAX: usize = 16;
            let count = if count == 0 { number()? } else { count };
            Ty::Tuple(std::iter::repeat_n(element, count.min(MAX)).collect())
        }
    }))
}

/// What a function that is passed gives: a lambda, a function, an object that is called, a pointer to a member.
pub(super) fn call_result(resolver: &Resolver<'_>, at: ExprRef) -> Ty {
    let mut ty = resolver.type_of(at).ty;
    let is_address = matches!(resolver.expr(at), Expr::Pointer { .. });
    while let Ty::Pointer(of) = ty {
        ty = (*of).clone();
    }
    match &ty {
        Ty::Function(defs, subst) => {
            let first: Option<DefRef> = defs.first().copied();
            first.map_or(Ty::Unknown, |def| {
                resolver.declared_result(def).ty.with(subst)
            })
        }
        // The field that a pointer leads to.
        _ if is_address => ty,
        _ => call::result_of(resolver, at.file, &ty, NONE).ty,
    }
}
