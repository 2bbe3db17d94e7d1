//! Delegates, of the workspace and of the library, as functions.

use codecortex_bind::facts::DefKind;

use super::support::{named, plain};
use crate::ids::{DefRef, ExprRef};
use crate::overloads::arity;
use crate::overloads::conversion::Variance;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Types of the library, with the variance of their last type argument and of the others.
const VARIANCE: [(&str, Variance, Variance); 10] = [
    ("Func", Variance::Covariant, Variance::Contravariant),
    ("Converter", Variance::Covariant, Variance::Contravariant),
    // No interface, but the result of an asynchronous lambda converts to it.
    ("Task", Variance::Covariant, Variance::Unknown),
    ("Action", Variance::Contravariant, Variance::Contravariant),
    ("Predicate", Variance::Contravariant, Variance::Unknown),
    ("Comparison", Variance::Contravariant, Variance::Unknown),
    ("IComparer", Variance::Contravariant, Variance::Unknown),
    (
        "IEqualityComparer",
        Variance::Contravariant,
        Variance::Unknown,
    ),
    ("IComparable", Variance::Contravariant, Variance::Unknown),
    ("IObserver", Variance::Contravariant, Variance::Unknown),
];

/// How many parameters the function type has that a delegate is; nothing if it is none.
pub(super) fn arity(resolver: &Resolver<'_>, of: &Ty) -> Option<Option<usize>> {
    match of {
        Ty::Instance(def, _) => {
            let is_delegate = resolver.def(*def)?.kind == DefKind::Delegate;
            is_delegate.then(|| Some(arity::arity(resolver, *def)))
        }
        Ty::External(_, args) => match named(resolver, of) {
            "" => Some(None),
            "Func" => Some(Some(args.len().saturating_sub(1))),
            "Action" => Some(Some(args.len())),
            "Predicate" | "Converter" => Some(Some(1)),
            "Comparison" | "EventHandler" => Some(Some(2)),
            "Expression" => arity(resolver, args.first()?),
            name if is_data(name) => None,
            _ => Some(None),
        },
        _ => None,
    }
}

/// How a type of the library varies in its last type argument, or in the others.
pub(super) fn variance(of: &str, is_last: bool) -> Variance {
    let row = VARIANCE.iter().find(|(name, ..)| *name == of);
    row.map_or(Variance::Unknown, |(_, last, others)| match is_last {
        true => *last,
        false => *others,
    })
}

/// Types that no lambda converts to.
fn is_data(name: &str) -> bool {
    const DATA: [&str; 36] = [
        "string",
        "String",
        "object",
        "int",
        "uint",
        "long",
        "ulong",
        "short",
        "ushort",
        "byte",
        "sbyte",
        "bool",
        "char",
        "float",
        "double",
        "decimal",
        "Type",
        "Exception",
        "List",
        "IList",
        "IEnumerable",
        "ICollection",
        "Dictionary",
        "IDictionary",
        "TimeSpan",
        "DateTime",
        "DateTimeOffset",
        "Guid",
        "Uri",
        "Stream",
        "TextWriter",
        "TextReader",
        "CancellationToken",
        "CultureInfo",
        "IFormatProvider",
        "StringComparison",
    ];
    DATA.contains(&name)
}

/// What the function is given as a parameter.
pub(super) fn param(resolver: &Resolver<'_>, of: &Ty, index: u32) -> Option<Ty> {
    if let Some(given) = of.contextual_param(index) {
        return Some(given);
    }
    match of {
        Ty::Instance(def, args) => {
            let bound = resolver.file(def.file)?;
            if bound.def(def.def).kind != DefKind::Delegate {
                return None;
            }
            let param = bound.params(def.def).nth(index as usize)?;
            let param = resolver.type_of_def(DefRef {
                file: def.file,
                def: param,
            });
            Some(param.ty.with(&resolver.substitution_of(*def, args)))
        }
        Ty::External(_, args) => match (named(resolver, of), index) {
            ("Func", _) => {
                let params = args.len().saturating_sub(1);
                args.get(index as usize)
                    .filter(|_| (index as usize) < params)
                    .cloned()
            }
            ("Action", _) => args.get(index as usize).cloned(),
            ("Predicate" | "Converter", 0) | ("Comparison", _) => args.first().cloned(),
            ("EventHandler", 0) => Some(plain(resolver, "object")),
            ("EventHandler", 1) => args.first().cloned().or(Some(plain(resolver, "EventArgs"))),
            ("Expression", _) => param(resolver, args.first()?, index),
            _ => None,
        },
        _ => None,
    }
}

/// What the function gives.
pub(super) fn result(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    match of {
        Ty::Instance(def, args) => {
            let found = resolver.def(*def)?;
            if found.kind != DefKind::Delegate {
                return None;
            }
            let result = resolver.lower_type(ExprRef {
                file: def.file,
                expr: found.ty,
            });
            Some(result.ty.with(&resolver.substitution_of(*def, args)))
        }
        Ty::External(_, args) => match named(resolver, of) {
            "Func" => args.last().cloned(),
            "Converter" => args.get(1).cloned(),
            "Predicate" => Some(plain(resolver, "bool")),
            "Comparison" => Some(plain(resolver, "int")),
            "Expression" => result(resolver, args.first()?),
            _ => None,
        },
        _ => None,
    }
}
