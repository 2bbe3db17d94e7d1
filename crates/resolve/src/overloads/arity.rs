//! Which overloads a call means by the number and the rough types of its arguments, and which types go for which.

use codecortex_bind::facts::{Expr, ListId, NONE, flag};

use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty, no_substitution};
use crate::workspace::{DefRef, ExprRef, FileNo, Name};

/// More functions than this are not compared with one another, for that takes the square of their number, and
/// the cube where each is compared with all its declarations: a call may mean any of them.
pub(crate) const MOST_COMPARED: usize = 100;

impl Resolver<'_> {
    /// The overloads that fit a call, the best ones only.
    pub(crate) fn resolve_overloads(
        &self,
        file: FileNo,
        defs: &[DefRef],
        subst: &Substitution,
        args: ListId,
    ) -> Vec<DefRef> {
        if defs.len() < 2 {
            return defs.to_vec();
        }
        let given = self.each(file, args, |at| at);
        let fitting: Vec<DefRef> = defs
            .iter()
            .copied()
            .filter(|def| self.accepts_arity(*def, &given))
            .collect();
        let fitting = if fitting.is_empty() {
            defs.to_vec()
        } else {
            fitting
        };
        if fitting.len() == 1 {
            return fitting;
        }
        if self.rules(file).resolves_by_conversion() {
            return self.resolve_by_conversion(file, &fitting, subst, args);
        }
        let scored: Vec<(i32, DefRef)> = fitting
            .into_iter()
            .map(|def| (self.score(def, subst, &given), def))
            .collect();
        let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
        let best = scored.into_iter().filter(|(score, _)| *score == best);
        let best: Vec<DefRef> = best.map(|(_, def)| def).collect();
        let best = self.rules(file).by_value_category(self, best, &given);
        if !self.rules(file).overloads_are_separate() || best.len() > MOST_COMPARED {
            return best;
        }
        // A prototype and what it declares are one.
        let mut kept: Vec<DefRef> = Vec::new();
        for def in best {
            if !kept.iter().any(|other| self.is_same_symbol(*other, def)) {
                kept.push(def);
            }
        }
        kept
    }

    /// Whether a function takes so many arguments with these names.
    pub(crate) fn accepts_arity(&self, def: DefRef, given: &[ExprRef]) -> bool {
        let Some(bound) = self.file(def.file) else {
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
        fits && given.iter().all(|at| match self.expr(*at) {
            Expr::Keyword { name, .. } => {
                let name = self.file(at.file).map(|bound| bound.name(name));
                most == usize::MAX || name.is_some_and(|name| names.contains(&name))
            }
            _ => true,
        })
    }

    /// How well the types of arguments fit.
    fn score(&self, def: DefRef, subst: &Substitution, given: &[ExprRef]) -> i32 {
        let Some(bound) = self.file(def.file) else {
            return 0;
        };
        let mut params: Vec<u32> = bound
            .params(def.def)
            .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
            .collect();
        if bound.def(def.def).flags & flag::EXTENSION != 0 && params.len() > given.len() {
            params.remove(0);
        }
        let mut score = 0;
        let mut is_variadic = false;
        for (index, at) in given.iter().enumerate() {
            let Some(param) = params.get(index).or(params.last()) else {
                break;
            };
            is_variadic |= bound.def(*param).flags & flag::VARIADIC != 0;
            let declared = bound.def(*param).ty;
            if declared == NONE {
                continue;
            }
            let expected = self.lower_type(ExprRef {
                file: def.file,
                expr: declared,
            });
            let mut expected = expected.ty.with(subst);
            let actual = self.type_of(*at);
            let is_whole = bound.def(*param).flags & flag::VARIADIC != 0
                && matches!(actual.ty, Ty::Array(_))
                && given.len() == params.len();
            if is_whole {
                expected = Ty::array(expected);
            }
            let known = self
                .rules(def.file)
                .conversion_rank(self, &expected, &actual.ty);
            score += known.unwrap_or_else(|| self.conversion_rank(&expected, &actual.ty));
        }
        if is_variadic {
            score -= 1;
        }
        score
    }

    fn conversion_rank(&self, expected: &Ty, actual: &Ty) -> i32 {
        if expected.is_unknown() || actual.is_unknown() {
            return 0;
        }
        match (expected, actual) {
            (Ty::Instance(a, _), Ty::Instance(b, _)) if a == b => 6,
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) if a == b => 6,
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
                self.external_conversion_rank(*a, *b)
            }
            (Ty::Param(_), _) => 1,
            (Ty::Function(a, _), Ty::Function(b, _)) => {
                let count = |defs: &[DefRef]| {
                    let def = defs.first()?;
                    Some(self.file(def.file)?.params(def.def).count())
                };
                if count(a) == count(b) { 3 } else { -2 }
            }
            (Ty::Array(a), Ty::Array(b)) => 2 + self.conversion_rank(a, b).min(3),
            (Ty::Union(parts), _) => {
                let best = parts
                    .iter()
                    .map(|part| self.conversion_rank(part, actual))
                    .max();
                best.unwrap_or(0).min(5)
            }
            (_, Ty::Union(parts)) => {
                let best = parts
                    .iter()
                    .map(|part| self.conversion_rank(expected, part))
                    .min();
                best.unwrap_or(0)
            }
            _ if self.accepts(expected, actual) => 3,
            _ => -4,
        }
    }

    /// How well one type from outside goes for another, by their names.
    fn external_conversion_rank(&self, expected: Name, actual: Name) -> i32 {
        let text = |sym| self.workspace.text(sym);
        match (text(expected), text(actual)) {
            ("Object" | "object" | "any" | "unknown" | "CharSequence" | "Iterable", _) => 2,
            (
                "long" | "float" | "double" | "number" | "f64" | "Number",
                "int" | "Integer" | "long",
            ) => 3,
            (expected, actual) if expected.ends_with("stream") && actual.ends_with("stream") => 3,
            _ => -3,
        }
    }

    /// Whether a value of one type may be given where another is expected.
    pub(crate) fn accepts(&self, expected: &Ty, actual: &Ty) -> bool {
        match (expected, actual) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => false,
            (Ty::Param(param), _) => {
                let bound = self.def(*param).map_or(NONE, |def| def.ty);
                bound == NONE
                    || self.accepts(
                        &self
                            .lower_type(ExprRef {
                                file: param.file,
                                expr: bound,
                            })
                            .ty,
                        actual,
                    )
            }
            (Ty::Instance(a, _), Ty::Instance(b, _)) => self.is_subtype(*b, *a),
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
                a == b || self.policy_accepts(*a, *b)
            }
            (Ty::External(Some(a), _), Ty::Array(_)) => {
                library_types::is_sequence(self.workspace.text(*a))
            }
            (Ty::External(Some(a), _), Ty::Instance(b, _)) => self.has_outside_base(*b, *a),
            (Ty::External(None, _), _) => false,
            (Ty::Array(a), Ty::Array(b)) => {
                **a == Ty::Unknown || **b == Ty::Unknown || self.accepts(a, b)
            }
            (Ty::Function(..), Ty::Function(..)) => true,
            (Ty::Pointer(a), Ty::Pointer(b)) => self.accepts(a, b),
            (Ty::Pointer(a), b) | (b, Ty::Pointer(a)) => self.accepts(a, b),
            (Ty::Union(parts), _) => parts.iter().any(|part| self.accepts(part, actual)),
            _ => false,
        }
    }

    fn policy_accepts(&self, expected: Name, actual: Name) -> bool {
        let text = |sym| self.workspace.text(sym);
        matches!(text(expected), "Object" | "object")
            || (library_types::is_sequence(text(expected))
                && library_types::is_sequence(text(actual)))
    }

    /// Whether a type is another or derives from it.
    pub(crate) fn is_subtype(&self, of: DefRef, base: DefRef) -> bool {
        let target = self.parts(base);
        let mut open = vec![of];
        let mut seen = Vec::new();
        while let Some(def) = open.pop() {
            if target.types.contains(&def) {
                return true;
            }
            if seen.contains(&def) || seen.len() > 256 {
                continue;
            }
            seen.push(def);
            for (ty, _) in self.bases(&self.parts(def), &no_substitution()) {
                if let Ty::Instance(def, _) | Ty::Type(def, _) = ty {
                    open.push(def);
                }
            }
        }
        false
    }

    fn has_outside_base(&self, of: DefRef, base: Name) -> bool {
        let mut open = vec![of];
        let mut seen = Vec::new();
        while let Some(def) = open.pop() {
            if seen.contains(&def) || seen.len() > 256 {
                continue;
            }
            seen.push(def);
            for (ty, _) in self.bases(&self.parts(def), &no_substitution()) {
                match ty {
                    Ty::External(Some(name), _) if name == base => return true,
                    Ty::Instance(def, _) => open.push(def),
                    _ => {}
                }
            }
        }
        false
    }
}
