//! Parts of tuples, pairs, variants and arrays: `std::get<1>(x)`, `std::get<Item>(x)`, `std::get_if<Item>(&x)`.

use codecortex_bind::facts::{Expr, NONE};

use crate::ids::{ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// What a call of `std::get` and its like gives.
pub(super) fn taken(
    resolver: &Resolver<'_>,
    name: &str,
    file: FileNo,
    written: u32,
    args: u32,
) -> Option<Ty> {
    let first = *resolver.each(file, args, |at| at).first()?;
    let part = match written_number(resolver, file, written) {
        Some(index) => match resolver.type_of(first).ty {
            // Of an array all parts are of one type.
            Ty::External(Some(name), parts) if resolver.workspace.text(name) == "array" => {
                parts.first()?.clone()
            }
            of => part(&of, index),
        },
        None => {
            let types = resolver.each(file, written, |at| resolver.lower_type(at).ty);
            types.first()?.clone()
        }
    };
    let gives_pointer = name == "get_if" || name == "any_cast" && is_address(resolver, first);
    Some(if gives_pointer {
        Ty::Pointer(part.into())
    } else {
        part
    })
}

fn is_address(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    matches!(resolver.type_of(at).ty, Ty::Pointer(_))
}

/// A part of something by its number.
pub(super) fn part(of: &Ty, index: usize) -> Ty {
    let part = match of {
        Ty::Tuple(parts) => parts.get(index),
        Ty::External(Some(_), args) => args.get(index),
        Ty::Array(of) => Some(&**of),
        Ty::Pointer(of) => return part(of, index),
        _ => None,
    };
    part.cloned().unwrap_or(Ty::Unknown)
}

/// What is held by a variant, each of its alternatives.
pub(super) fn alternatives(of: &Ty) -> Ty {
    match of {
        Ty::External(Some(_), args) => Ty::union(args.to_vec()),
        Ty::Pointer(of) => alternatives(of),
        _ => Ty::Unknown,
    }
}

/// The number that the first of a template's arguments is.
pub(super) fn written_number(resolver: &Resolver<'_>, file: FileNo, written: u32) -> Option<usize> {
    if written == NONE {
        return None;
    }
    let bound = resolver.file(file)?;
    let first = *bound.list(written).first()?;
    let Expr::Constant { value, .. } = bound.expr(first) else {
        return None;
    };
    let text = resolver.workspace.text(bound.name(value));
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    digits.parse().ok()
}

/// `std::tuple_element_t<1, T>`.
pub(super) fn element_type(resolver: &Resolver<'_>, of: ExprRef, args: &[Ty]) -> Option<Typed> {
    let written = resolver.file(of.file)?.arguments_of(of.expr)?;
    let index = written_number(resolver, of.file, written)?;
    Some(Typed::inferred(part(args.get(1)?, index)))
}
