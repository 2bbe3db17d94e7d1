//! What operators give that types declare themselves, or that extension blocks add to them.

use codecortex_bind::facts::flag;

use super::OPERATOR;
use crate::ids::{DefRef, FileNo};
use crate::infer_type_args;
use crate::lookup::result::LookupResult;
use crate::overloads::conversion::Conversion;
use crate::overloads::type_comparison::conversion;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty, Typed};

/// What an operator of the workspace gives; nothing where neither operand has one.
pub(super) fn result(
    resolver: &Resolver<'_>,
    file: FileNo,
    operator: &str,
    operands: &[&Ty],
) -> Option<Typed> {
    let name = resolver.workspace.name(operator)?;
    let own = operands.iter().filter(|ty| matches!(ty, Ty::Instance(..)));
    let own: Vec<LookupResult> = own
        .map(|ty| resolver.member(ty, name, OPERATOR, file))
        .collect();
    if let Some(given) = chosen(resolver, file, &own, operands) {
        return Some(given);
    }
    if resolver.workspace.extensions(name).is_empty() {
        return None;
    }
    let added = operands.iter().filter_map(|ty| {
        let of = match ty {
            Ty::Instance(def, args) => Ty::Type(*def, args.clone()),
            Ty::External(Some(name), args) => Ty::ExternalType(Some(*name), args.clone()),
            _ => return None,
        };
        Some(resolver.extension(&of, name, file))
    });
    chosen(resolver, file, &added.collect::<Vec<_>>(), operands)
}

/// What the operator gives that takes the operands with the least conversion. A conversion that a type declares itself is
/// not looked for: where none takes them, the first of as many operands is meant.
fn chosen(
    resolver: &Resolver<'_>,
    file: FileNo,
    found: &[LookupResult],
    operands: &[&Ty],
) -> Option<Typed> {
    let all = found.iter();
    let all = all.flat_map(|found| found.defs.iter().map(|def| (*def, &found.subst)));
    let candidates = all.filter_map(|(def, subst)| {
        let subst = taken(resolver, def, subst, operands)?;
        Some((worst(resolver, file, def, &subst, operands), def, subst))
    });
    let (_, def, subst) = candidates.min_by_key(|(worst, ..)| *worst)?;
    let result = resolver.declared_result(def);
    Some(Typed::inferred(result.ty.with(&subst)))
}

/// The types of an operator's operands as it declares them.
fn declared(resolver: &Resolver<'_>, def: DefRef) -> Vec<Ty> {
    let Some(bound) = resolver.file(def.file) else {
        return Vec::new();
    };
    // In an extension block the receiver stands before them.
    let receivers = usize::from(bound.def(def.def).flags & flag::EXTENSION != 0);
    let params = bound.params(def.def).skip(receivers);
    let types = params.map(|param| {
        let param = DefRef {
            file: def.file,
            def: param,
        };
        resolver.type_of_def(param).ty
    });
    types.collect()
}

/// What type parameters stand for where an operator takes these operands; nothing where it takes another number of them.
fn taken(
    resolver: &Resolver<'_>,
    def: DefRef,
    subst: &Substitution,
    operands: &[&Ty],
) -> Option<Substitution> {
    let declared = declared(resolver, def);
    if declared.len() != operands.len() {
        return None;
    }
    let params = resolver.params_of(def);
    let mut known = subst.to_vec();
    for (takes, given) in declared.iter().zip(operands) {
        infer_type_args::infer_type_args(resolver, takes, given, &params, &mut known, 6);
    }
    Some(known.into())
}

fn worst(
    resolver: &Resolver<'_>,
    file: FileNo,
    def: DefRef,
    subst: &Substitution,
    operands: &[&Ty],
) -> Conversion {
    let declared = declared(resolver, def);
    let conversions = declared
        .iter()
        .zip(operands)
        .map(|(takes, given)| conversion(resolver, &takes.with(subst), given, file, 6));
    conversions.max().unwrap_or(Conversion::Same)
}
