//! The declarations that must share one name: redeclarations, overrides, implementations, constructors and their type.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, NONE};
use rustc_hash::FxHashSet;

use crate::ids::{DefRef, ExprRef};
use crate::object_keys;
use crate::overrides::{overridden, overriding};
use crate::relations;
use crate::renaming::RenameFamily;
use crate::renaming::doubts::{RenameDoubt, RenameDoubtReason, doubts_about};
use crate::renaming::mixins;
use crate::renaming::structural::structural_doubts;
use crate::resolution;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::symbol_identity::symbol;
use crate::ty::Ty;

/// The most declarations of a family; a larger one is a doubt.
const MAX_FAMILY: usize = 4000;

/// The declarations that must have one name with these.
pub(crate) fn rename_family(resolver: &Resolver<'_>, of: &[DefRef]) -> RenameFamily {
    let mut defs: Vec<DefRef> = Vec::new();
    let mut known = FxHashSet::default();
    let mut doubts = Vec::new();
    let mut add = |defs: &mut Vec<DefRef>, def: DefRef| {
        if known.insert(def) {
            defs.push(def);
        }
    };
    of.iter().for_each(|def| add(&mut defs, *def));
    let mut next = 0;
    while let Some(member) = defs.get(next).copied() {
        next += 1;
        if defs.len() > MAX_FAMILY {
            let reason = RenameDoubtReason::TooMany;
            doubts.push(RenameDoubt {
                def: member,
                reason,
            });
            break;
        }
        resolver.reset_budget();
        let name = resolver.name_of(member);
        let related = symbol(resolver, member)
            .into_iter()
            .chain(overridden(resolver, member))
            .chain(overriding(resolver, member))
            .chain(relations::implementations_of_member(resolver, member))
            .chain(object_keys::contextual_property(resolver, member))
            .chain(in_blocks_of_trait(resolver, member))
            .chain(sharing_the_name(resolver, member))
            .chain(mixins::siblings(resolver, member));
        for other in related {
            // What the language's own library declares keeps its name: that is a doubt about its base.
            if resolver.name_of(other) == name && !is_library(other.file) {
                add(&mut defs, other);
            }
        }
    }
    doubts.extend(defs.iter().flat_map(|def| doubts_about(resolver, *def)));
    doubts.extend(structural_doubts(resolver, &defs));
    let (possible, doubts) = doubts
        .into_iter()
        .partition(|doubt| doubt.reason.is_possible_alone());
    RenameFamily {
        defs,
        doubts,
        possible,
    }
}

/// Of a method that a trait of Rust declares those of all its `impl` blocks: also of those for types from outside, which
/// are no types of the workspace.
fn in_blocks_of_trait(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let is_rust = resolver.workspace.dialect(of.file) == Some(Dialect::Rust);
    let owner = resolver.owner(of).filter(|_| is_rust);
    let Some(owner) = owner.filter(|owner| resolver.kind(*owner) == Some(DefKind::Trait)) else {
        return Vec::new();
    };
    let (Some(trait_name), Some(name)) = (resolver.name_of(owner), resolver.name_of(of)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (file, base) in resolver.workspace.derived_from(trait_name).iter().copied() {
        let Some((bound, local)) = resolver
            .file(file)
            .and_then(|bound| Some((bound, bound.local(name)?)))
        else {
            continue;
        };
        let Some(base) = bound.bases().get(base as usize) else {
            continue;
        };
        let of_trait = resolver.lower_type(ExprRef {
            file,
            expr: base.of,
        });
        let (Ty::Instance(named, _) | Ty::Type(named, _)) = of_trait.ty else {
            continue;
        };
        let block = bound.defs().get(base.def as usize);
        if let Some(block) = block.filter(|block| named == owner && block.kind == DefKind::Impl) {
            let members = bound.defs_in(block.inner, local);
            found.extend(members.map(|def| DefRef { file, def }));
        }
    }
    found
}

/// What has its name by a rule of the language: the constructors of a type, the type of a constructor, and the field
/// that Go's embedding declares.
fn sharing_the_name(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let Some(def) = resolver.def(of) else {
        return Vec::new();
    };
    let is_go = resolver.workspace.dialect(of.file) == Some(Dialect::Go);
    match def.kind {
        DefKind::Constructor => resolver.owner(of).into_iter().collect(),
        DefKind::Field if is_go => embedded_types(resolver, of),
        kind if kind.is_type() || kind == DefKind::TypeAlias => {
            let mut same = resolver.constructors(of);
            same.retain(|def| {
                resolver
                    .def(*def)
                    .is_some_and(|def| def.kind == DefKind::Constructor)
            });
            if is_go {
                same.extend(embedded_fields(resolver, of));
            }
            same
        }
        _ => Vec::new(),
    }
}

/// The type whose name an embedded field has: it is written where the field is declared.
fn embedded_types(resolver: &Resolver<'_>, field: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(field.file), resolver.def(field)) else {
        return Vec::new();
    };
    let here = bound
        .uses_of(def.name)
        .filter(|(_, at, _)| *at == def.at && def.at != NONE);
    let targets = here.flat_map(|(expr, ..)| {
        let file = field.file;
        resolution::target(resolver, ExprRef { file, expr }).defs
    });
    targets.collect()
}

/// The fields that embed a type, in whatever file.
fn embedded_fields(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let Some(name) = resolver.name_of(of) else {
        return Vec::new();
    };
    let mut fields = Vec::new();
    for file in resolver.workspace.files_with(name).iter().copied() {
        let Some((bound, local)) = resolver
            .file(file)
            .and_then(|bound| Some((bound, bound.local(name)?)))
        else {
            continue;
        };
        let own = bound.defs_of(local).map(|def| DefRef { file, def });
        fields.extend(own.filter(|field| {
            let is_field = resolver
                .def(*field)
                .is_some_and(|def| def.kind == DefKind::Field);
            is_field && embedded_types(resolver, *field).contains(&of)
        }));
    }
    fields
}
