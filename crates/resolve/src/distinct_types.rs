//! Types of which a value has one, as the language tells them apart.

use crate::ids::FileNo;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// One of several, as the language tells them apart.
pub(crate) fn any_of(resolver: &Resolver<'_>, file: FileNo, parts: &[Ty]) -> Ty {
    let parts = parts.iter().cloned().map(Typed::inferred).collect();
    let distinct = resolver.rules(file).distinct(resolver, parts).into_iter();
    Ty::union(distinct.map(|typed| typed.ty).collect())
}
