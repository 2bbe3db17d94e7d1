//! Members that a base uses on its own object and that only derived types have (mixins of Python): such a use means the
//! member of every derived type.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, space};

use crate::hierarchy;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::ty::{Ty, none};

/// The most types above one that are looked at.
const MAX_BASES: usize = 256;

/// A use of a member on the own object of a base that does not have it.
struct MixinUse {
    place: (FileNo, u32),
    base: DefRef,
}

/// The members of other derived types that uses in bases mean as well.
pub(super) fn siblings(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let mut found = Vec::new();
    for used in uses(resolver, of) {
        found.extend(members_of_derived(resolver, used.base, of));
    }
    found.retain(|def| *def != of);
    found
}

/// The places in bases that mean a member of a derived type, and nothing but such members.
pub(crate) fn places(resolver: &Resolver<'_>, of: DefRef) -> Vec<(FileNo, u32)> {
    let uses = uses(resolver, of).into_iter();
    uses.map(|used| used.place).collect()
}

fn uses(resolver: &Resolver<'_>, of: DefRef) -> Vec<MixinUse> {
    let workspace = resolver.workspace;
    let is_python = workspace.dialect(of.file) == Some(Dialect::Python);
    let is_member = matches!(
        resolver.kind(of),
        Some(
            DefKind::Method
                | DefKind::Function
                | DefKind::Property
                | DefKind::Field
                | DefKind::Variable
        )
    );
    let owner = resolver.owner(of).filter(|_| is_python && is_member);
    let (Some(owner), Some(name)) = (owner, resolver.name_of(of)) else {
        return Vec::new();
    };
    let (mut bases, _) = hierarchy::all_supertypes(resolver, owner, MAX_BASES);
    bases.retain(|base| {
        let (_, outside) = hierarchy::all_supertypes(resolver, *base, MAX_BASES);
        let own = resolver.member(&Ty::Instance(*base, none()), name, space::ANY, base.file);
        // What a base from outside has is not known.
        own.defs.is_empty() && outside.iter().all(|base| workspace.text(*base) == "object")
    });
    let mut found = Vec::new();
    for base in bases {
        let file = base.file;
        let Some((bound, local)) = resolver
            .file(file)
            .and_then(|bound| Some((bound, bound.local(name)?)))
        else {
            continue;
        };
        for (expr, at, _) in bound.uses_of(local) {
            let Expr::Member { of: receiver, .. } = bound.expr(expr) else {
                continue;
            };
            let at_receiver = ExprRef {
                file,
                expr: receiver,
            };
            let is_own = resolver.type_of(at_receiver).ty == Ty::Instance(base, none());
            if is_own && is_receiver(resolver, at_receiver) {
                let place = (file, at);
                found.push(MixinUse { place, base });
            }
        }
    }
    found
}

/// Whether an expression is the object that a method is called on: another value of the base's type may be one of a derived
/// type that has no such member.
fn is_receiver(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let found = resolver.find(at);
    let mut defs = found.defs.iter();
    matches!(resolver.expr(at), Expr::This { .. })
        || defs.any(|def| {
            let flags = resolver.def(*def).map_or(0, |def| def.flags);
            flags & codecortex_bind::facts::flag::RECEIVER != 0
        })
}

/// The members of a name that the types below a base have.
fn members_of_derived(resolver: &Resolver<'_>, base: DefRef, of: DefRef) -> Vec<DefRef> {
    let Some(name) = resolver.name_of(of) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for derived in hierarchy::derived(resolver, base) {
        let ty = Ty::Instance(derived, none());
        let member = resolver.member(&ty, name, space::ANY, derived.file);
        found.extend(
            member
                .defs
                .into_iter()
                .filter(|def| !found.contains(def))
                .collect::<Vec<_>>(),
        );
    }
    found
}
