//! Which specialisation of a class template is meant by its arguments: the most special one of those whose pattern they fit.

use codecortex_bind::facts::{Expr, NONE, flag};

use super::ambiguity;
use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::ty::{Ty, Tys};

/// Types in types are compared this deep.
const DEEPEST: u32 = 8;

/// Of more specialisations than this of one template none is chosen.
const MOST: usize = 256;

/// How well arguments fit: what the parameters of a specialisation stand for, and how much of the pattern is written out.
struct Fit {
    bindings: Vec<(DefRef, Ty)>,
    written: u32,
}

/// The specialisation that arguments mean, with what its parameters stand for; none if the template itself is meant, or
/// nobody can tell.
pub(super) fn chosen(resolver: &Resolver<'_>, of: DefRef, args: &[Ty]) -> Option<(DefRef, Tys)> {
    let is_template = resolver.def(of)?.at != NONE;
    if !is_template || args.iter().all(Ty::is_unknown) {
        return None;
    }
    let mut best: Option<(u32, DefRef, Tys)> = None;
    let mut is_tied = false;
    for special in ambiguity::specialisations(resolver, of).take(MOST) {
        let Some(fit) = fit(resolver, special, args) else {
            continue;
        };
        let written = best.as_ref().map_or(0, |(written, ..)| *written);
        if fit.written < written {
            continue;
        }
        // Two in two branches of a condition are one.
        is_tied = fit.written == written && best.is_some();
        let params = resolver.params_of(special);
        let given = params.iter().map(|param| {
            let known = fit.bindings.iter().find(|(known, _)| known == param);
            known.map_or(Ty::Unknown, |(_, ty)| ty.clone())
        });
        if !is_tied {
            best = Some((fit.written, special, given.collect()));
        }
    }
    let (_, special, args) = best.filter(|_| !is_tied)?;
    Some((special, args))
}

/// The template that a specialisation is one of.
pub(super) fn template_of(resolver: &Resolver<'_>, special: DefRef) -> Option<DefRef> {
    let def = resolver
        .def(special)
        .filter(|def| def.at == NONE && def.kind.is_type())?;
    let written = ExprRef {
        file: special.file,
        expr: def.ty,
    };
    let Expr::Apply { of, .. } = resolver.expr(written) else {
        return None;
    };
    let found = resolver.find(ExprRef {
        expr: of,
        ..written
    });
    found.defs.first().copied()
}

/// Whether arguments fit the pattern of a specialisation. What a reader of types does not tell apart (values, references)
/// fits none.
fn fit(resolver: &Resolver<'_>, special: DefRef, args: &[Ty]) -> Option<Fit> {
    let pattern = ExprRef {
        file: special.file,
        expr: resolver.def(special)?.ty,
    };
    let Expr::Apply { args: list, .. } = resolver.expr(pattern) else {
        return None;
    };
    let params = resolver.params_of(special);
    let mut fit = Fit {
        bindings: Vec::new(),
        written: 0,
    };
    let patterns = resolver.each(special.file, list, |at| at);
    for (index, at) in patterns.iter().enumerate() {
        if matches!(
            resolver.expr(*at),
            Expr::Literal { .. }
                | Expr::Constant { .. }
                | Expr::Operator { .. }
                | Expr::Call { .. }
        ) {
            return None;
        }
        let pattern = resolver.lower_type(*at).ty;
        if let Ty::Param(param) = &pattern
            && is_pack(resolver, *param)
        {
            return (index + 1 == patterns.len()).then_some(fit);
        }
        let actual = args.get(index)?;
        if !fit.unify(resolver, &pattern, actual, &params, DEEPEST) {
            return None;
        }
    }
    // What says no more than the template itself is no specialisation that could be chosen.
    (args.len() == patterns.len() && fit.written > 0).then_some(fit)
}

fn is_pack(resolver: &Resolver<'_>, param: DefRef) -> bool {
    resolver
        .def(param)
        .is_some_and(|def| def.flags & flag::VARIADIC != 0)
}

impl Fit {
    fn unify(
        &mut self,
        resolver: &Resolver<'_>,
        pattern: &Ty,
        actual: &Ty,
        params: &[DefRef],
        depth: u32,
    ) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        if let Ty::Param(param) = pattern
            && params.contains(param)
        {
            let known = self.bindings.iter().find(|(known, _)| known == param);
            return match known {
                Some((_, known)) => {
                    self.written += 1;
                    known == actual && !actual.is_unknown()
                }
                None => {
                    self.bindings.push((*param, actual.clone()));
                    true
                }
            };
        }
        self.written += 1;
        match (pattern, actual) {
            (Ty::Pointer(a), Ty::Pointer(b)) | (Ty::Array(a), Ty::Array(b)) => {
                self.unify(resolver, a, b, params, depth)
            }
            (Ty::External(Some(a), of), Ty::External(Some(b), given)) => {
                a == b && self.unify_all(resolver, of, given, params, depth)
            }
            (Ty::Instance(a, of), Ty::Instance(b, given)) => {
                (a == b || resolver.parts(*a).types.contains(b))
                    && self.unify_all(resolver, of, given, params, depth)
            }
            _ => false,
        }
    }

    fn unify_all(
        &mut self,
        resolver: &Resolver<'_>,
        patterns: &[Ty],
        actual: &[Ty],
        params: &[DefRef],
        depth: u32,
    ) -> bool {
        let pairs = patterns.iter().zip(actual);
        patterns.len() == actual.len()
            && pairs
                .into_iter()
                .all(|(pattern, actual)| self.unify(resolver, pattern, actual, params, depth))
    }
}
