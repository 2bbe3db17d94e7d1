//! Which specialisation of a class template is meant by its arguments: the most special one of those whose pattern they fit.

use codecortex_bind::facts::{Expr, NONE, flag};

use super::ambiguity;
use super::template_values::{self, Sort};
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
        if !is_tied {
            let args = fit.arguments(&resolver.params_of(special));
            best = Some((fit.written, special, args));
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

/// The same of arguments as they are written behind a template's name, values among them: `A<3>`, `B<true, int>`. None where no
/// specialisation has a value in its pattern, or where one is not known.
pub(super) fn chosen_as_written(resolver: &Resolver<'_>, at: ExprRef) -> Option<(DefRef, Tys)> {
    let list = resolver.file(at.file)?.arguments_of(at.expr)?;
    let found = resolver.find(at);
    let mut templates = found.defs.iter().copied();
    let template = templates.find(|def| {
        let def = resolver.def(*def);
        def.is_some_and(|def| def.kind.is_type() && def.at != NONE)
    })?;
    let given = resolver.each(at.file, list, |at| at);
    let all: Vec<DefRef> = ambiguity::specialisations(resolver, template)
        .take(MOST)
        .collect();
    let is_told = |special: &DefRef| {
        let patterns = patterns_of(resolver, *special).unwrap_or_default();
        patterns.iter().any(|at| says_more(resolver, *at))
    };
    if !all.iter().any(is_told) {
        return None;
    }
    let mut best: Option<(u32, DefRef, Tys)> = None;
    let mut is_tied = false;
    for special in all {
        let mut written = AsWritten {
            resolver,
            params: resolver.params_of(special),
            fit: Fit {
                bindings: Vec::new(),
                written: 0,
            },
            is_undecided: false,
        };
        let fits = written.fits(&patterns_of(resolver, special)?, &given);
        if written.is_undecided {
            return None;
        }
        let least = best.as_ref().map_or(1, |(written, ..)| *written);
        if !fits || written.fit.written < least {
            continue;
        }
        is_tied = best.is_some() && written.fit.written == least;
        if !is_tied {
            let args = written.fit.arguments(&written.params);
            best = Some((written.fit.written, special, args));
        }
    }
    let (_, special, args) = best.filter(|_| !is_tied)?;
    Some((special, args))
}

/// The arguments behind the name of a specialisation.
fn patterns_of(resolver: &Resolver<'_>, special: DefRef) -> Option<Vec<ExprRef>> {
    let pattern = ExprRef {
        file: special.file,
        expr: resolver.def(special)?.ty,
    };
    match resolver.expr(pattern) {
        Expr::Apply { args, .. } => Some(resolver.each(special.file, args, |at| at)),
        _ => None,
    }
}

/// Whether an argument is a value, which types do not say.
fn says_more(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    matches!(resolver.expr(at), Expr::Call { .. })
        || template_values::sort(resolver, at) == Sort::Value
}

/// Compares arguments with a pattern as both are written.
struct AsWritten<'r, 'w> {
    resolver: &'r Resolver<'w>,
    params: Vec<DefRef>,
    fit: Fit,
    /// Whether a value is not known.
    is_undecided: bool,
}

impl AsWritten<'_, '_> {
    fn fits(&mut self, patterns: &[ExprRef], given: &[ExprRef]) -> bool {
        for (index, pattern) in patterns.iter().enumerate() {
            if let Some(param) = self.param(*pattern)
                && is_pack(self.resolver, param)
            {
                return index + 1 == patterns.len();
            }
            let Some(given) = given.get(index) else {
                return false;
            };
            if !self.fits_one(*pattern, *given) {
                return false;
            }
        }
        patterns.len() == given.len()
    }

    /// The parameter of the specialisation that a pattern is.
    fn param(&self, pattern: ExprRef) -> Option<DefRef> {
        if !matches!(self.resolver.expr(pattern), Expr::Name { .. }) {
            return None;
        }
        let found = self.resolver.find(pattern);
        found
            .defs
            .iter()
            .copied()
            .find(|def| self.params.contains(def))
    }

    fn fits_one(&mut self, pattern: ExprRef, given: ExprRef) -> bool {
        let resolver = self.resolver;
        if let Some(param) = self.param(pattern) {
            let actual = resolver.lower_type(given).ty;
            return self
                .fit
                .unify(resolver, &Ty::Param(param), &actual, &self.params, DEEPEST);
        }
        let sorts = [pattern, given].map(|at| template_values::sort(resolver, at));
        if sorts == [Sort::Value, Sort::Type] || sorts == [Sort::Type, Sort::Value] {
            return false;
        }
        if sorts.contains(&Sort::Value) {
            let values = [pattern, given].map(|at| template_values::value(resolver, at));
            let [Some(wanted), Some(actual)] = values else {
                self.is_undecided = true;
                return false;
            };
            self.fit.written += 1;
            return wanted == actual;
        }
        let wanted = resolver.lower_type(pattern).ty;
        let actual = resolver.lower_type(given).ty;
        self.fit
            .unify(resolver, &wanted, &actual, &self.params, DEEPEST)
    }
}

/// Whether the types of arguments fit the pattern of a specialisation. One with a value in it fits none.
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
        if says_more(resolver, *at) {
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
    /// What parameters stand for.
    fn arguments(&self, params: &[DefRef]) -> Tys {
        let given = params.iter().map(|param| {
            let known = self.bindings.iter().find(|(known, _)| known == param);
            known.map_or(Ty::Unknown, |(_, ty)| ty.clone())
        });
        given.collect()
    }

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
