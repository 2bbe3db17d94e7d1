//! What a test leaves of a value that may be one of several.

use crate::query::Query;
use crate::ty::{Ty, Typed};

/// What a value is of which a test says that it is something: of several types those that are it, else what is said.
pub(crate) fn to(query: &Query<'_>, declared: &Typed, told: Typed) -> Typed {
    let kept: Vec<Ty> = parts(&declared.ty)
        .into_iter()
        .filter(|part| is_it(query, part, &told.ty))
        .collect();
    if kept.is_empty() {
        return told;
    }
    Typed {
        ty: Ty::union(kept),
        sure: declared.sure && told.sure,
    }
}

/// What a value is of which a test says that it is not something.
pub(crate) fn without(query: &Query<'_>, declared: Typed, denied: &Ty) -> Typed {
    let kept: Vec<Ty> = parts(&declared.ty)
        .into_iter()
        .filter(|part| !is_it(query, part, denied))
        .collect();
    if kept.is_empty() {
        return declared;
    }
    Typed {
        ty: Ty::union(kept),
        ..declared
    }
}

fn parts(of: &Ty) -> Vec<Ty> {
    match of {
        Ty::Union(parts) => parts.to_vec(),
        of => vec![of.clone()],
    }
}

/// Whether every value of a type is one of what a test names.
fn is_it(query: &Query<'_>, of: &Ty, named: &Ty) -> bool {
    let name = |of: &Ty| match of {
        Ty::External(Some(name), _) => Some(*name),
        _ => None,
    };
    match (of, named) {
        (Ty::Instance(of, _), Ty::Instance(named, _)) => query.is_subtype(*of, *named),
        (Ty::Function(..) | Ty::Type(..), _) => {
            let name = name(named).map(|name| query.workspace.text(name));
            name == Some("Function")
        }
        (Ty::External(..), Ty::External(..)) => name(of).is_some() && name(of) == name(named),
        _ => false,
    }
}
