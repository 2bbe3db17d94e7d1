//! Template arguments as they are written: whether one is a type or a value, and which value.

use codecortex_bind::facts::{DefKind, Expr, Literal, NONE, Role};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;

/// Constants that are made of others are followed this deep.
const DEEPEST: u32 = 8;

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Type,
    Value,
    /// A parameter of some template, or a name that nobody knows.
    Unknown,
}

/// A value that is known where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// An integer, or a boolean as 0 or 1.
    Number(i128),
    Enumerator(DefRef),
}

/// Whether an argument is a type or a value.
pub(super) fn sort(resolver: &Resolver<'_>, at: ExprRef) -> Sort {
    match resolver.expr(at) {
        Expr::Constant { .. } | Expr::Literal { .. } | Expr::Operator { .. } => Sort::Value,
        Expr::Pointer { .. } | Expr::Array { .. } => Sort::Type,
        // A word of the language, which no file defines.
        Expr::Name {
            at: NONE,
            role: Role::Type,
            ..
        } => Sort::Type,
        Expr::Name { .. } | Expr::Member { .. } => match found(resolver, at) {
            Some(def) => match resolver.def(def).map(|def| def.kind) {
                Some(kind) if kind.is_type() || kind == DefKind::TypeAlias => Sort::Type,
                Some(
                    DefKind::EnumMember | DefKind::Constant | DefKind::Variable | DefKind::Field,
                ) => Sort::Value,
                _ => Sort::Unknown,
            },
            None => Sort::Unknown,
        },
        _ => Sort::Unknown,
    }
}

/// Whether a name is that of a class, an enum or another name of one, not of a concept.
pub(super) fn is_type(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let def = found(resolver, at).and_then(|def| resolver.def(def));
    def.is_some_and(|def| {
        def.kind == DefKind::TypeAlias || def.kind.is_type() && def.kind != DefKind::Interface
    })
}

/// The value of an argument; none where it is no value, or what it is made of is not known.
pub(super) fn value(resolver: &Resolver<'_>, at: ExprRef) -> Option<Value> {
    value_within(resolver, at, DEEPEST)
}

fn value_within(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    match resolver.expr(at) {
        Expr::Constant { of, value } => {
            let bound = resolver.file(at.file)?;
            let text = resolver.workspace.text(bound.name(value));
            match of {
                Literal::Boolean => Some(Value::Number(i128::from(text == "true"))),
                _ => number(text).map(Value::Number),
            }
        }
        Expr::Operator { name, left, right } => {
            let bound = resolver.file(at.file)?;
            let part = |expr| match value_within(resolver, ExprRef { expr, ..at }, depth)? {
                Value::Number(number) => Some(number),
                Value::Enumerator(_) => None,
            };
            let (left, right) = (part(left)?, part(right)?);
            let given = match resolver.workspace.text(bound.name(name)) {
                "+" => left.checked_add(right),
                "-" => left.checked_sub(right),
                "*" => left.checked_mul(right),
                "/" => left.checked_div(right),
                "%" => left.checked_rem(right),
                _ => None,
            };
            given.map(Value::Number)
        }
        Expr::Name { .. } | Expr::Member { .. } => {
            let def = found(resolver, at)?;
            let known = resolver.def(def)?;
            match known.kind {
                DefKind::EnumMember => Some(Value::Enumerator(def)),
                DefKind::Constant | DefKind::Variable | DefKind::Field if known.value != NONE => {
                    let of = ExprRef {
                        file: def.file,
                        expr: known.value,
                    };
                    value_within(resolver, of, depth)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The one definition that a name leads to.
fn found(resolver: &Resolver<'_>, at: ExprRef) -> Option<DefRef> {
    let found = resolver.find(at);
    let mut ends = found
        .defs
        .iter()
        .flat_map(|def| resolver.resolve_alias(*def).ends);
    ends.next()
}

/// `12`, `0x1f`, `3u`.
fn number(text: &str) -> Option<i128> {
    let text = text.to_ascii_lowercase();
    let text = text.trim_end_matches(['u', 'l', 'z']);
    match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
        (Some(digits), _) => i128::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => i128::from_str_radix(digits, 2).ok(),
        _ if text.len() > 1 && text.starts_with('0') => i128::from_str_radix(text, 8).ok(),
        _ => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_what_they_count() {
        for (text, count) in [
            ("0", 0),
            ("12", 12),
            ("0x1F", 31),
            ("0b101", 5),
            ("017", 15),
            ("3ULL", 3),
        ] {
            assert_eq!(number(text), Some(count), "{text}");
        }
        assert_eq!(number("1e3"), None);
    }
}
