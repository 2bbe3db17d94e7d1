//! Functions and operators of the language whose result depends on what they get.

use codecortex_bind::facts::{Expr, Literal, NONE, space};

use super::support::called_name;
use crate::call;
use crate::ids::{ExprRef, FileNo};
use crate::library_types;
use crate::resolver::Resolver;
use crate::standard_library::results;
use crate::ty::{Ty, Typed};

/// What calling something of the language or its library gives; nothing for what the workspace defines.
pub(super) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    let callee = maker_of(resolver, callee);
    let name = called_name(resolver, callee)?;
    if !KNOWN.contains(&name) || !resolver.find(callee).is_empty() && !leads_out(resolver, callee) {
        return None;
    }
    let given = resolver.each(file, args, |at| at);
    let arg = |index: usize| -> Option<Ty> {
        let at = *given.get(index)?;
        Some(resolver.type_of(at).ty)
    };
    let element =
        |ty: Ty| library_types::unwrap(resolver, file, &ty, "iter").unwrap_or(Ty::Unknown);
    let ty = match name {
        "zip" | "zip_longest" => {
            let entries: Vec<Ty> = given
                .iter()
                .filter(|at| !matches!(resolver.expr(**at), Expr::Keyword { .. }))
                .map(|at| element(resolver.type_of(*at).ty))
                .collect();
            Ty::array(Ty::Tuple(entries.into()))
        }
        "copy" | "deepcopy" | "replace" => {
            let arg = arg(0)?;
            if matches!(arg, Ty::External(..) | Ty::ExternalType(..)) {
                return None;
            }
            arg
        }
        // With some arguments a function gives what it gives, and who asks a proxy asks what it stands for.
        "partial" | "partialmethod" | "proxy" => arg(0)?,
        "cache" | "lru_cache" => match arg(0)? {
            function @ Ty::Function(..) => function,
            _ => return None,
        },
        "ref" | "WeakMethod" => Ty::External(resolver.workspace.name(name), [arg(0)?].into()),
        "dict" => match arg(0)? {
            Ty::Map(of) => Ty::Map(of),
            of => match element(of) {
                Ty::Tuple(parts) => Ty::Map((parts.first()?.clone(), parts.get(1)?.clone()).into()),
                _ => return None,
            },
        },
        // `super().__new__(cls)`: an instance of whatever class it is asked for.
        "__new__" => match arg(0)? {
            Ty::Type(class, args) => Ty::Instance(class, args),
            _ => return None,
        },
        "create_task" | "ensure_future" | "shield" | "wait_for" => {
            let awaited = library_types::unwrap(resolver, file, &arg(0)?, "await")?;
            Ty::External(resolver.workspace.name("Awaitable"), [awaited].into())
        }
        "run" | "run_until_complete" => library_types::unwrap(resolver, file, &arg(0)?, "await")?,
        "gather" => {
            let awaited = |at: &ExprRef| {
                let of = resolver.type_of(*at).ty;
                library_types::unwrap(resolver, file, &of, "await").unwrap_or(Ty::Unknown)
            };
            let all = given.iter().filter(|at| !is_named(resolver, **at));
            let all = Ty::Tuple(all.map(awaited).collect());
            Ty::External(resolver.workspace.name("Awaitable"), [all].into())
        }
        // `stack.enter_context(a)`: what entering `a` gives.
        "enter_context" | "enter_async_context" => entered(resolver, file, arg(0)?),
        "defaultdict" => {
            let value = call::result_of(resolver, file, &arg(0)?, NONE).ty;
            Ty::Map((Ty::Unknown, value).into())
        }
        _ => return None,
    };
    Some(Typed::inferred(ty))
}

/// `lru_cache` of `lru_cache(maxsize=1)(f)`, else what is called.
fn maker_of(resolver: &Resolver<'_>, callee: ExprRef) -> ExprRef {
    if let Expr::Call { of, .. } = resolver.expr(callee) {
        let maker = ExprRef { expr: of, ..callee };
        if called_name(resolver, maker) == Some("lru_cache") {
            return maker;
        }
    }
    callee
}

fn is_named(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    matches!(resolver.expr(at), Expr::Keyword { .. })
}

/// What calling a value from outside gives: of a weak reference what it refers to.
pub(super) fn called(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let Ty::External(Some(name), args) = of else {
        return None;
    };
    let is_reference = matches!(
        resolver.workspace.text(*name),
        "ref" | "ReferenceType" | "WeakMethod"
    );
    is_reference.then(|| args.first().cloned()).flatten()
}

/// What a `with` statement binds of a value.
fn entered(resolver: &Resolver<'_>, file: FileNo, of: Ty) -> Ty {
    let own = ["__enter__", "__aenter__"].iter().find_map(|method| {
        let given = result(resolver, file, &of, method)?.ty;
        library_types::unwrap(resolver, file, &given, "await")
    });
    own.or_else(|| library_types::call(resolver, file, &of, "__enter__", NONE))
        .unwrap_or(of)
}

/// Whether a callee is imported from outside.
fn leads_out(resolver: &Resolver<'_>, callee: ExprRef) -> bool {
    let found = resolver.find(callee);
    !found.defs.is_empty()
        && found.defs.iter().all(|def| {
            let followed = resolver.resolve_alias(*def);
            let is_unknown = followed.ends.is_empty() && followed.external;
            is_unknown || results::leads_into_library(&followed.ends)
        })
}

/// The names above.
const KNOWN: [&str; 24] = [
    "enter_context",
    "enter_async_context",
    "__new__",
    "cache",
    "lru_cache",
    "zip",
    "zip_longest",
    "copy",
    "deepcopy",
    "replace",
    "dict",
    "partial",
    "partialmethod",
    "proxy",
    "ref",
    "WeakMethod",
    "create_task",
    "ensure_future",
    "shield",
    "wait_for",
    "run",
    "run_until_complete",
    "gather",
    "defaultdict",
];

/// The special methods of operators, and of their mirror images.
const OPERATORS: [(&str, &str, &str); 13] = [
    ("+", "__add__", "__radd__"),
    ("-", "__sub__", "__rsub__"),
    ("*", "__mul__", "__rmul__"),
    ("/", "__truediv__", "__rtruediv__"),
    ("//", "__floordiv__", "__rfloordiv__"),
    ("%", "__mod__", "__rmod__"),
    ("**", "__pow__", "__rpow__"),
    ("@", "__matmul__", "__rmatmul__"),
    ("&", "__and__", "__rand__"),
    ("|", "__or__", "__ror__"),
    ("^", "__xor__", "__rxor__"),
    ("<<", "__lshift__", "__rlshift__"),
    (">>", "__rshift__", "__rrshift__"),
];

/// What an operator gives.
pub(super) fn operator(
    resolver: &Resolver<'_>,
    file: FileNo,
    operator: &str,
    left: u32,
    right: u32,
) -> Typed {
    let left_ty = resolver.type_of(ExprRef { file, expr: left });
    let methods = match (operator, right) {
        ("-", NONE) => Some(("__neg__", "")),
        ("+", NONE) => Some(("__pos__", "")),
        ("~", NONE) => Some(("__invert__", "")),
        _ => OPERATORS
            .iter()
            .find(|(sign, ..)| *sign == operator)
            .map(|(_, method, mirrored)| (*method, *mirrored)),
    };
    let Some((method, mirrored)) = methods else {
        return resolver.type_of_literal(file, Literal::Boolean);
    };
    if let Some(typed) = result(resolver, file, &left_ty.ty, method) {
        return typed;
    }
    let right_ty = resolver.type_of(ExprRef { file, expr: right });
    if let Some(typed) = result(resolver, file, &right_ty.ty, mirrored) {
        return typed;
    }
    match (&left_ty.ty, &right_ty.ty) {
        (Ty::Array(a), Ty::Array(b)) => {
            Typed::inferred(Ty::array(Ty::union(vec![(**a).clone(), (**b).clone()])))
        }
        (Ty::Array(_) | Ty::Map(_) | Ty::Tuple(_), _) => left_ty.and(false),
        (_, Ty::Array(_)) => right_ty.and(false),
        (left, _) if left.is_external() => left_ty,
        _ => Typed::unknown(),
    }
}

/// What a special method of an instance gives.
fn result(resolver: &Resolver<'_>, file: FileNo, of: &Ty, method: &str) -> Option<Typed> {
    if !matches!(of, Ty::Instance(..) | Ty::Union(_) | Ty::Param(_)) {
        return None;
    }
    let name = resolver.workspace.name(method)?;
    let found = resolver.member(of, name, space::ANY, file);
    if found.defs.is_empty() {
        return None;
    }
    let function = resolver.type_of_found(&found);
    let result = call::result_of(resolver, file, &function.ty, NONE);
    (!result.ty.is_unknown()).then_some(result)
}
