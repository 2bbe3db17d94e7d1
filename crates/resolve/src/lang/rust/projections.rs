//! Projections: what a function gives whose declared result says `U::Target` or `<I as Trait>::Iter` of one of its own
//! type parameters, or of one of its type's.

use codecortex_bind::facts::{DefKind, Expr, NONE, space};

use super::{blanket, is_rust, members};
use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::{DefRef, ExprRef, FileNo};

/// Types in types are followed this deep.
const DEEPEST: u32 = 6;

/// What a call's type parameters stand for.
struct Call<'a, 'w> {
    query: &'a Query<'w>,
    known: Vec<(DefRef, Ty)>,
}

/// The result of a call, with what the type parameters have for the traits' associated types; nothing where no path
/// behind a type is written in it.
pub(super) fn result(query: &Query<'_>, file: FileNo, callee: ExprRef, args: u32) -> Option<Typed> {
    let function = query.type_of(callee);
    let Ty::Function(defs, env) = &function.ty else {
        return None;
    };
    let [def] = defs[..] else {
        return None;
    };
    let written = ExprRef {
        file: def.file,
        expr: query.def(def)?.ty,
    };
    if !has_path(query, written, DEEPEST) {
        return None;
    }
    let more = query.inferred(file, def, env, args, true);
    let known = env.iter().chain(more.iter()).cloned().collect();
    let result = query.result_of(file, &function.ty, args);
    let ty = Call { query, known }.put(written, &result.ty, DEEPEST);
    let is_put = ty != result.ty;
    is_put.then_some(Typed {
        ty,
        sure: result.sure && function.sure,
    })
}

/// The types that a type is made of where it is written.
fn parts(query: &Query<'_>, at: ExprRef) -> Vec<ExprRef> {
    let Some(bound) = query.file(at.file) else {
        return Vec::new();
    };
    let parts = match bound.expr(at.expr) {
        Expr::Array { of } | Expr::Pointer { of } | Expr::Value { of } => vec![of],
        Expr::Apply { args: of, .. } | Expr::Tuple { of } => bound.list(of).to_vec(),
        _ => Vec::new(),
    };
    let part = |expr| ExprRef { expr, ..at };
    parts.into_iter().map(part).collect()
}

/// Whether a path is among the types that a type is made of.
fn has_path(query: &Query<'_>, at: ExprRef, depth: u32) -> bool {
    if depth == 0 || at.expr == NONE {
        return false;
    }
    matches!(query.expr(at), Expr::Member { .. })
        || parts(query, at)
            .into_iter()
            .any(|part| has_path(query, part, depth - 1))
}

impl Call<'_, '_> {
    /// A type with what its projections stand for where they are written.
    fn put(&self, at: ExprRef, ty: &Ty, depth: u32) -> Ty {
        let Some(depth) = depth.checked_sub(1) else {
            return ty.clone();
        };
        let query = self.query;
        if let Expr::Member { of, .. } = query.expr(at) {
            return self.projected(at, of).unwrap_or_else(|| ty.clone());
        }
        let parts = parts(query, at);
        let each = |types: &[Ty]| -> Option<Vec<Ty>> {
            let pairs = parts.iter().zip(types);
            (types.len() == parts.len())
                .then(|| pairs.map(|(part, ty)| self.put(*part, ty, depth)).collect())
        };
        let whole = || ty.clone();
        match (ty, parts.as_slice()) {
            (Ty::Pointer(of), [part]) => Ty::Pointer(self.put(*part, of, depth).into()),
            (Ty::Array(of), [part]) => Ty::array(self.put(*part, of, depth)),
            (Ty::Tuple(of), _) => each(of).map_or_else(whole, |of| Ty::Tuple(of.into())),
            (Ty::Instance(def, of), _) if !of.is_empty() => {
                each(of).map_or_else(whole, |of| Ty::Instance(*def, of.into()))
            }
            (Ty::External(name, of), _) if !of.is_empty() => {
                each(of).map_or_else(whole, |of| Ty::External(*name, of.into()))
            }
            // `&T` and `Box<T>` are a `T`.
            (_, [part]) => self.put(*part, ty, depth),
            _ => whole(),
        }
    }

    /// What `U::Target` or `<U as Trait>::Target` is if `U` is a type parameter that is known.
    fn projected(&self, at: ExprRef, of: u32) -> Option<Ty> {
        let query = self.query;
        let base = match query.expr(ExprRef { expr: of, ..at }) {
            Expr::Union { of } => *query.file(at.file)?.list(of).first()?,
            _ => of,
        };
        let Ty::Param(param) = query.denotes(ExprRef { expr: base, ..at }).ty else {
            return None;
        };
        let [associated] = query.find(at).defs[..] else {
            return None;
        };
        let kind = |of| query.def(of).map(|def| def.kind);
        let is_one = kind(associated) == Some(DefKind::TypeAlias)
            && kind(query.owner(associated)?) == Some(DefKind::Trait);
        let (_, of) = self.known.iter().find(|(known, _)| *known == param)?;
        target(query, associated, of).filter(|_| is_one)
    }
}

/// What a type has for an associated type of a trait.
fn target(query: &Query<'_>, associated: DefRef, of: &Ty) -> Option<Ty> {
    let name = query.name_of(associated)?;
    let own = match of {
        Ty::Instance(def, args) => {
            members::associated(query, *def, args, query.workspace.text(name))
        }
        _ => None,
    };
    own.or_else(|| of_all(query, associated, of))
}

/// What an implementation for all types says: `impl<T> Trait for T { type Target = T; }`. Only where there is one.
fn of_all(query: &Query<'_>, associated: DefRef, of: &Ty) -> Option<Ty> {
    let (owner, name) = (query.owner(associated)?, query.name_of(associated)?);
    let said = |block: DefRef| {
        let (bound, def) = (query.file(block.file)?, query.def(block)?);
        let denoted = |expr| {
            let file = block.file;
            query.denotes(ExprRef { file, expr }).ty
        };
        let mut bases = bound.bases().iter().filter(|base| base.def == block.def);
        let is_of = |ty: Ty| matches!(ty, Ty::Instance(def, _) if def == owner);
        let Ty::Param(param) = denoted(def.ty) else {
            return None;
        };
        if def.kind != DefKind::Impl || !bases.any(|base| is_of(denoted(base.of))) {
            return None;
        }
        let own = query.own(block.file, bound, def.inner, name, u32::MAX, space::TYPE);
        let ty = bound.def(own.first()?.def).ty;
        (ty != NONE).then(|| denoted(ty).with(&[(param, of.clone())]))
    };
    let blocks = blanket::blocks(query).filter(|block| is_rust(query, block.file));
    let mut found = blocks.filter_map(said);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
