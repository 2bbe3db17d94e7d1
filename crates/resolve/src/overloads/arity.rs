//! Candidate filtering by arity: how many arguments a function takes, and of which names.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Expr, flag};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;

/// More functions than this are not compared with one another, for that takes the square of their number, and
/// the cube where each is compared with all its declarations: a call may mean any of them.
pub(crate) const MAX_COMPARED: usize = 100;

/// Whether a function accepts so many arguments with these names.
pub(crate) fn accepts_arity(resolver: &Resolver<'_>, def: DefRef, given: &[ExprRef]) -> bool {
    let Some(bound) = resolver.file(def.file) else {
        return false;
    };
    let (mut least, mut most) = (0, 0);
    let mut names = Vec::new();
    for param in bound.params(def.def) {
        let param = bound.def(param);
        if param.flags & flag::RECEIVER != 0 {
            continue;
        }
        if param.flags & (flag::VARIADIC | flag::KEYWORDS) != 0 {
            most = usize::MAX;
            continue;
        }
        names.push(bound.name(param.name));
        most = usize::saturating_add(most, 1);
        if param.flags & flag::OPTIONAL == 0 {
            least += 1;
        }
    }
    let is_extension = bound.def(def.def).flags & flag::EXTENSION != 0;
    let shift = usize::from(is_extension);
    let count = given.len();
    // An extension method may be called as what it is, too.
    let fits = count <= most && count + shift >= least;
    fits && given.iter().all(|at| match resolver.expr(*at) {
        Expr::Keyword { name, .. } => {
            let name = resolver.file(at.file).map(|bound| bound.name(name));
            most == usize::MAX || name.is_some_and(|name| names.contains(&name))
        }
        _ => true,
    })
}

/// Whether an extension method has room for so many arguments behind its receiver.
pub(crate) fn accepts_behind_receiver(
    resolver: &Resolver<'_>,
    def: DefRef,
    given: &[ExprRef],
) -> bool {
    let Some(bound) = resolver.file(def.file) else {
        return false;
    };
    let takes_any = |param| bound.def(param).flags & (flag::VARIADIC | flag::KEYWORDS) != 0;
    let mut params = bound.params(def.def);
    params.any(takes_any) || given.len() < bound.params(def.def).count()
}

/// Whether a function accepts the arguments of a call whose receiver is not known: in Rust the function may be passed its receiver as an argument.
pub(crate) fn may_accept(resolver: &Resolver<'_>, def: DefRef, given: &[ExprRef]) -> bool {
    let is_rust = || resolver.workspace.dialect(def.file) == Some(Dialect::Rust);
    let with_receiver = || given.split_first().filter(|_| is_rust());
    accepts_arity(resolver, def, given)
        || with_receiver().is_some_and(|(_, rest)| accepts_arity(resolver, def, rest))
}

/// How many parameters the function `of` has, without its receiver.
pub(crate) fn arity(resolver: &Resolver<'_>, of: DefRef) -> usize {
    let Some(bound) = resolver.file(of.file) else {
        return 0;
    };
    let params = bound.params(of.def);
    params
        .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
        .count()
}
