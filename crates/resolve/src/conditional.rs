//! Conditional types: `T extends Promise<infer U> ? U : T` (TypeScript).
//!
//! Where it is known what is asked about, one of the two sides is meant, and otherwise either.

use std::ops::Range;

use codecortex_bind::facts::{DefKind, Expr, ScopeId, ScopeKind};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::infer_type_args;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty, Typed};

/// Types of which nothing but their own name is a part.
const PLAIN: [&str; 5] = ["string", "number", "boolean", "bigint", "symbol"];

/// A condition: what is asked about, what it may be, and the types where it is that and where it is not.
struct TypeCondition {
    given: ExprRef,
    wanted: ExprRef,
    sides: [ExprRef; 2],
}

/// Whether a type depends on a condition.
pub(crate) fn is_conditional(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    condition(resolver, at).is_some()
}

fn condition(resolver: &Resolver<'_>, at: ExprRef) -> Option<TypeCondition> {
    let Expr::Apply { of, args } = resolver.expr(at) else {
        return None;
    };
    let Expr::Operator { name, left, right } = resolver.expr(ExprRef { expr: of, ..at }) else {
        return None;
    };
    let bound = resolver.file(at.file)?;
    let is_extends = resolver.workspace.text(bound.name(name)) == "extends";
    let &[holds, fails] = bound.list(args) else {
        return None;
    };
    let part = |expr| ExprRef { expr, ..at };
    is_extends.then(|| TypeCondition {
        given: part(left),
        wanted: part(right),
        sides: [part(holds), part(fails)],
    })
}

/// What an alias of a conditional type is with its arguments, if that can be decided.
pub(crate) fn decided(
    resolver: &Resolver<'_>,
    alias: DefRef,
    at: ExprRef,
    subst: &Substitution,
) -> Option<Typed> {
    if subst.is_empty() || !is_conditional(resolver, at) {
        return None;
    }
    let whole = resolver.def(alias)?;
    let inferred = inferred_in(resolver, alias.file, whole.start..whole.end);
    let ty = side_of(resolver, at, &inferred, subst, 8)?;
    Some(Typed::inferred(ty))
}

/// What a conditional type in a scope is, if that can be told.
pub(crate) fn decided_in(
    resolver: &Resolver<'_>,
    at: ExprRef,
    file: FileNo,
    scope: ScopeId,
    subst: &[(DefRef, Ty)],
) -> Option<Ty> {
    let whole = resolver.file(file)?.scope(scope);
    let inferred = inferred_in(resolver, file, whole.start..whole.end);
    side_of(resolver, at, &inferred, subst, 8)
}

/// The parameters that conditions in some bytes find out: `infer U`.
fn inferred_in(resolver: &Resolver<'_>, file: FileNo, within: Range<u32>) -> Vec<DefRef> {
    let Some(bound) = resolver.file(file) else {
        return Vec::new();
    };
    let is_inferred = |def: &u32| {
        let def = bound.def(*def);
        def.kind == DefKind::TypeParam && bound.scope(def.scope).kind == ScopeKind::Block
    };
    let inside = bound.defs_within(within);
    inside
        .filter(is_inferred)
        .map(|def| DefRef { file, def })
        .collect()
}

fn side_of(
    resolver: &Resolver<'_>,
    at: ExprRef,
    inferred: &[DefRef],
    subst: &[(DefRef, Ty)],
    depth: u32,
) -> Option<Ty> {
    let Some(condition) = condition(resolver, at).filter(|_| depth > 0) else {
        return Some(resolver.lower_type(at).ty.with(subst));
    };
    let asked = resolver.lower_type(condition.given).ty;
    let parts = match asked.with(subst) {
        Ty::Union(parts) => parts.to_vec(),
        one => vec![one],
    };
    let sides = parts.into_iter().map(|part| {
        let wanted = resolver.lower_type(condition.wanted).ty.with(subst);
        let side = condition.sides[usize::from(!is_such(resolver, &part, &wanted, inferred)?)];
        let mut known = subst.to_vec();
        infer_type_args::infer_type_args(resolver, &wanted, &part, inferred, &mut known, 6);
        // Of several types each is asked about by itself.
        if let Ty::Param(param) = asked {
            known.retain(|(of, _)| *of != param);
            known.push((param, part));
        }
        side_of(resolver, side, inferred, &known, depth - 1)
    });
    Some(Ty::choice(sides.collect::<Option<Vec<Ty>>>()?))
}

/// Whether a type is such a one, if that can be told.
fn is_such(resolver: &Resolver<'_>, given: &Ty, wanted: &Ty, inferred: &[DefRef]) -> Option<bool> {
    let is_plain = |ty: &Ty| match ty {
        Ty::External(Some(name), _) => PLAIN.contains(&resolver.workspace.text(*name)),
        _ => false,
    };
    match (given, wanted) {
        (_, Ty::Param(param)) if inferred.contains(param) => Some(true),
        (Ty::Unknown | Ty::Param(_), _) | (_, Ty::Unknown | Ty::Param(_)) => None,
        (Ty::Array(_), Ty::Array(_)) | (Ty::Function(..), Ty::Function(..)) => Some(true),
        (Ty::External(a, _), Ty::External(b, _)) if a == b && a.is_some() => Some(true),
        (Ty::Instance(of, _), Ty::Instance(base, _)) if resolver.is_subtype(*of, *base) => {
            Some(true)
        }
        (Ty::Instance(..), Ty::External(..)) => {
            let bases = resolver.external_bases(given);
            bases.is_empty().then_some(false)
        }
        (given, Ty::Array(_) | Ty::Function(..)) if is_plain(given) => Some(false),
        (Ty::Instance(..) | Ty::Object(..), Ty::Array(_))
        | (Ty::Array(_), Ty::Function(..))
        | (Ty::Function(..), Ty::Array(_) | Ty::External(..))
        | (Ty::Object(..), Ty::External(..)) => Some(false),
        (Ty::Array(_), wanted) if is_plain(wanted) => Some(false),
        (given, wanted) if is_plain(given) && is_plain(wanted) => Some(false),
        _ => None,
    }
}
