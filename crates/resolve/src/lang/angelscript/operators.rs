//! Operators that types declare as functions: `opAdd`, `opIndex`, `opCall`, and those by which a range loop takes elements.

use codecortex_bind::facts::space;

use crate::ids::{DefRef, FileNo};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The function by which an instance is called.
pub(super) const CALL: &str = "opCall";

/// Operators between two values, by the functions that declare them. With `_r` behind its name a function is the right
/// operand's.
const BINARY: [(&str, &str); 12] = [
    ("+", "opAdd"),
    ("-", "opSub"),
    ("*", "opMul"),
    ("/", "opDiv"),
    ("%", "opMod"),
    ("**", "opPow"),
    ("&", "opAnd"),
    ("|", "opOr"),
    ("^", "opXor"),
    ("<<", "opShl"),
    (">>", "opShr"),
    (">>>", "opUShr"),
];
const UNARY: [(&str, &str); 2] = [("-", "opNeg"), ("~", "opCom")];

/// What an index gives: the element, or what reading it by accessors gives.
const INDEX: [&str; 2] = ["opIndex", "get_opIndex"];
/// What a range loop takes: the first value, where there are several.
const ELEMENT: [&str; 2] = ["opForValue", "opForValue0"];

/// Whether an operator gives a boolean in any case.
pub(super) fn is_logical(operator: &str) -> bool {
    const LOGICAL: [&str; 14] = [
        "==", "!=", "<", ">", "<=", ">=", "&&", "||", "^^", "and", "or", "xor", "is", "!is",
    ];
    LOGICAL.contains(&operator)
}

/// What an operator between two values gives that one of them declares.
pub(super) fn of_binary(
    resolver: &Resolver<'_>,
    file: FileNo,
    operator: &str,
    left: &Ty,
    right: &Ty,
) -> Option<Typed> {
    let (_, name) = BINARY.iter().find(|(known, _)| *known == operator)?;
    given_by(resolver, file, left, name, &[right])
        .or_else(|| given_by(resolver, file, right, &format!("{name}_r"), &[left]))
}

/// What an operator before a value gives that this declares.
pub(super) fn of_unary(
    resolver: &Resolver<'_>,
    file: FileNo,
    operator: &str,
    of: &Ty,
) -> Option<Typed> {
    let (_, name) = UNARY.iter().find(|(known, _)| *known == operator)?;
    given_by(resolver, file, of, name, &[])
}

/// What indexing an instance gives.
pub(super) fn indexed(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    first_of(resolver, file, of, &INDEX)
}

/// What a range loop takes of an instance.
pub(super) fn iterated(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    first_of(resolver, file, of, &ELEMENT)
}

fn first_of(resolver: &Resolver<'_>, file: FileNo, of: &Ty, names: &[&str]) -> Option<Ty> {
    names.iter().find_map(|name| {
        let found = functions(resolver, file, of, name)?;
        let def = *found.defs.first()?;
        Some(resolver.declared_result(def).ty.with(&found.subst))
    })
}

/// What a function of a type gives that takes these values; of several that take as many the one that takes their very types,
/// else the first.
fn given_by(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    name: &str,
    given: &[&Ty],
) -> Option<Typed> {
    let found = functions(resolver, file, of, name)?;
    let fitting = found.defs.iter().filter_map(|def| {
        let params = params(resolver, *def, &found);
        let differs = params
            .iter()
            .zip(given)
            .any(|(takes, given)| takes != *given);
        (params.len() == given.len()).then_some((differs, *def))
    });
    let (_, def) = fitting.min_by_key(|(differs, _)| *differs)?;
    Some(Typed::inferred(
        resolver.declared_result(def).ty.with(&found.subst),
    ))
}

fn functions(resolver: &Resolver<'_>, file: FileNo, of: &Ty, name: &str) -> Option<LookupResult> {
    if !matches!(of, Ty::Instance(..)) {
        return None;
    }
    let name = resolver.workspace.name(name)?;
    let found = resolver.member(of, name, space::ANY, file);
    (!found.defs.is_empty()).then_some(found)
}

fn params(resolver: &Resolver<'_>, def: DefRef, found: &LookupResult) -> Vec<Ty> {
    let Some(bound) = resolver.file(def.file) else {
        return Vec::new();
    };
    let params = bound.params(def.def);
    let types = params.map(|param| {
        let param = DefRef {
            file: def.file,
            def: param,
        };
        resolver.type_of_def(param).ty.with(&found.subst)
    });
    types.collect()
}
