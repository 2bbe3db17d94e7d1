//! Associated type projections in declared results: `U::Target` or `<I as Trait>::Iter` of one of its own
//! type parameters, or of one of its type's.

use codecortex_bind::facts::{DefKind, Expr, NONE, space};

use super::support::{is_rust, is_trait};
use super::{associated_types, blanket, library_modules};
use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::infer_type_args;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, Typed};

/// Types in types are followed this deep.
const DEEPEST: u32 = 6;
/// The library's module of marker traits.
const MARKERS: &str = "std/marker.rs";

/// The substitution of a call's type parameters.
struct CallSubstitution<'a, 'w> {
    resolver: &'a Resolver<'w>,
    known: Vec<(DefRef, Ty)>,
    /// What `Self` is.
    this: Option<Ty>,
}

/// A written type with what its projections stand for, by what is known of type parameters and of `Self`.
pub(super) fn put(
    resolver: &Resolver<'_>,
    known: impl FnOnce() -> Vec<(DefRef, Ty)>,
    this: Option<&Ty>,
    (written, ty): (ExprRef, &Ty),
) -> Ty {
    if !has_path(resolver, written, DEEPEST) {
        return ty.clone();
    }
    let call = CallSubstitution {
        resolver,
        known: known(),
        this: this.cloned(),
    };
    call.put(written, ty, DEEPEST)
}

/// The result of a call, with what the type parameters have for the traits' associated types; nothing where no path
/// behind a type is written in it.
pub(super) fn result(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    let function = resolver.type_of(callee);
    let Ty::Function(defs, subst) = &function.ty else {
        return None;
    };
    let [def] = defs[..] else {
        return None;
    };
    let written = ExprRef {
        file: def.file,
        expr: resolver.def(def)?.ty,
    };
    if !has_path(resolver, written, DEEPEST) {
        return None;
    }
    let more = infer_type_args::type_args_of_call(resolver, file, def, subst, args, true);
    let known = subst.iter().chain(more.iter()).cloned().collect();
    let result = call::result_of(resolver, file, &function.ty, args);
    let this = None;
    let call = CallSubstitution {
        resolver,
        known,
        this,
    };
    let ty = call.put(written, &result.ty, DEEPEST);
    let is_put = ty != result.ty;
    is_put.then_some(Typed {
        ty,
        is_declared: result.is_declared && function.is_declared,
    })
}

/// The types that a type is made of where it is written.
fn parts(resolver: &Resolver<'_>, at: ExprRef) -> Vec<ExprRef> {
    let Some(bound) = resolver.file(at.file) else {
        return Vec::new();
    };
    let parts = match bound.expr(at.expr) {
        Expr::Array { of } | Expr::Pointer { of } | Expr::Value { of } | Expr::Index { of, .. } => {
            vec![of]
        }
        Expr::Apply { args: of, .. } | Expr::Tuple { of } => bound.list(of).to_vec(),
        _ => Vec::new(),
    };
    let part = |expr| ExprRef { expr, ..at };
    parts.into_iter().map(part).collect()
}

/// Whether a path is among the types that a type is made of.
fn has_path(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> bool {
    if depth == 0 || at.expr == NONE {
        return false;
    }
    matches!(resolver.expr(at), Expr::Member { .. })
        || parts(resolver, at)
            .into_iter()
            .any(|part| has_path(resolver, part, depth - 1))
}

impl CallSubstitution<'_, '_> {
    /// A type with what its projections stand for where they are written.
    fn put(&self, at: ExprRef, ty: &Ty, depth: u32) -> Ty {
        let Some(depth) = depth.checked_sub(1) else {
            return ty.clone();
        };
        let resolver = self.resolver;
        if let Expr::Member { of, .. } = resolver.expr(at) {
            return self
                .projected(at, of)
                .unwrap_or_else(|| self.unread(at, ty));
        }
        let parts = parts(resolver, at);
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

    /// A type whose path leads nowhere: of the library's only its last name is known, or that it is of a marker
    /// trait.
    fn unread(&self, at: ExprRef, ty: &Ty) -> Ty {
        let resolver = self.resolver;
        if !is_library(at.file) {
            return ty.clone();
        }
        let bound = resolver.file(at.file);
        let name = bound.and_then(|bound| bound.head_name(at.expr));
        // `type Output: ?Sized`: that it is of a marker trait says nothing of its members.
        let is_marker = |def: DefRef| {
            let of_markers = resolver
                .workspace
                .library_file_at(library_modules::FAMILY, MARKERS);
            of_markers == Some(def.file) && is_trait(resolver, def)
        };
        match ty {
            Ty::External(of, _) if of.is_some() && *of == name => Ty::Unknown,
            Ty::Instance(def, _) | Ty::Type(def, _) if is_marker(*def) => Ty::Unknown,
            ty => ty.clone(),
        }
    }

    /// What `U::Target` or `<U as Trait>::Target` is if `U` is a type parameter that is known.
    fn projected(&self, at: ExprRef, of: u32) -> Option<Ty> {
        let resolver = self.resolver;
        let base = match resolver.expr(ExprRef { expr: of, ..at }) {
            Expr::Union { of } => *resolver.file(at.file)?.list(of).first()?,
            _ => of,
        };
        let [associated] = resolver.find(at).defs[..] else {
            return None;
        };
        let base = ExprRef { expr: base, ..at };
        if let (Expr::SelfType { .. }, Some(this)) = (resolver.expr(base), &self.this) {
            return associated_types::of_type(resolver, associated, this);
        }
        let lowered = resolver.lower_type(base).ty;
        // `<Self::Item as IntoIterator>::Item`
        if let (Expr::Member { of, .. }, true) = (resolver.expr(base), is_library(at.file)) {
            let base = self.projected(base, of)?;
            return associated_types::of_type(resolver, associated, &base);
        }
        let Ty::Param(param) = lowered else {
            return None;
        };
        let kind = |of| resolver.def(of).map(|def| def.kind);
        let is_one = kind(associated) == Some(DefKind::TypeAlias)
            && kind(resolver.owner(associated)?) == Some(DefKind::Trait);
        let (_, of) = self.known.iter().find(|(known, _)| *known == param)?;
        let is_of_library = is_library(associated.file);
        if is_of_library && is_one {
            return associated_types::of_type(resolver, associated, of);
        }
        target(resolver, associated, of).filter(|_| is_one)
    }
}

/// What a type has for an associated type of a trait.
fn target(resolver: &Resolver<'_>, associated: DefRef, of: &Ty) -> Option<Ty> {
    let name = resolver.name_of(associated)?;
    let own = match of {
        Ty::Instance(def, args) => {
            associated_types::associated(resolver, *def, args, resolver.workspace.text(name))
        }
        _ => None,
    };
    own.or_else(|| of_all(resolver, associated, of))
}

/// What an implementation for all types says: `impl<T> Trait for T { type Target = T; }`. Only where there is one.
fn of_all(resolver: &Resolver<'_>, associated: DefRef, of: &Ty) -> Option<Ty> {
    let (owner, name) = (resolver.owner(associated)?, resolver.name_of(associated)?);
    let said = |block: DefRef| {
        let (bound, def) = (resolver.file(block.file)?, resolver.def(block)?);
        let lowered = |expr| {
            let file = block.file;
            resolver.lower_type(ExprRef { file, expr }).ty
        };
        let mut bases = bound.bases().iter().filter(|base| base.def == block.def);
        let is_of = |ty: Ty| matches!(ty, Ty::Instance(def, _) if def == owner);
        let Ty::Param(param) = lowered(def.ty) else {
            return None;
        };
        if def.kind != DefKind::Impl || !bases.any(|base| is_of(lowered(base.of))) {
            return None;
        }
        let own = resolver.own(block.file, bound, def.inner, name, u32::MAX, space::TYPE);
        let ty = bound.def(own.first()?.def).ty;
        (ty != NONE).then(|| lowered(ty).with(&[(param, of.clone())]))
    };
    let blocks = blanket::blocks(resolver).filter(|block| is_rust(resolver, block.file));
    let mut found = blocks.filter_map(said);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
