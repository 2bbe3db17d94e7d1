//! Selection of the `impl` that a call means, by its arguments: `From<&str>` or `From<&[u8]>`. Nothing is
//! converted to what a trait is given, so a type that is known is assignable to its like alone.

use codecortex_bind::facts::{DefKind, Expr, NONE, flag};

use super::support::{self, POINTERS, is_trait};
use crate::ids::{DefRef, ExprRef};
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::results::leads_into_library;
use crate::standard_library::{is_library, tables};
use crate::ty::{Substitution, Ty, Typed};

/// Types of traits from outside: which ones they are nobody says.
const ASSOCIATED: [&str; 6] = ["Item", "Output", "Error", "Err", "Target", "IntoIter"];

/// Traits from outside that parameters are said to be of (`impl AsRef<Path>`): any type may have them.
const TRAITS: [&str; 20] = [
    "AsMut",
    "AsRef",
    "Borrow",
    "BorrowMut",
    "BufRead",
    "Debug",
    "Display",
    "Future",
    "Hash",
    "Hasher",
    "Into",
    "IntoIterator",
    "Iterator",
    "Read",
    "Seek",
    "ToOwned",
    "ToString",
    "TryInto",
    "Write",
    "ToSocketAddrs",
];

/// The rank of a value for a type of the same name.
const SAME: i32 = 4;

/// Of functions that a type has by traits those that a call can mean: all where nothing tells them apart, none where
/// a type from outside has none that takes the arguments.
pub(super) fn meant(
    resolver: &Resolver<'_>,
    at: ExprRef,
    receiver: &Ty,
    found: LookupResult,
) -> LookupResult {
    let is_outside = support::is_of_outside(receiver);
    let found = match receiver {
        Ty::Tuple(_) => of_receiver(resolver, receiver, found),
        // `Atomic<u8>` and `Atomic<*mut T>` have blocks of their own.
        Ty::Instance(..) if found.defs.len() > 1 && leads_into_library(&found.defs) => {
            of_receiver(resolver, receiver, found)
        }
        _ => found,
    };
    // What derives `PartialOrd` has one for itself beside `impl PartialOrd<Other>`.
    let is_one_of_many = || matches!(found.defs[..], [one] if is_of_one_argument(resolver, one));
    let enough = if is_outside || is_one_of_many() { 1 } else { 2 };
    let are_of_traits = || match found.defs.as_slice() {
        [one] => is_implementation(resolver, *one),
        all => all.iter().all(|def| support::is_of_trait(resolver, *def)),
    };
    if found.defs.len() < enough || !are_of_traits() {
        return found;
    }
    let Some(Expr::Call { args, .. }) = resolver.call_of(at).map(|call| resolver.expr(call)) else {
        return found;
    };
    let given: Vec<(ExprRef, Typed)> =
        resolver.each(at.file, args, |at| (at, contextual_param(resolver, at)));
    let mut best: Vec<DefRef> = Vec::new();
    let mut most = i32::MIN;
    for def in &found.defs {
        let Some(conversion) = conversion(resolver, *def, &found.subst, &given) else {
            continue;
        };
        if conversion > most {
            most = conversion;
            best.clear();
        }
        if conversion == most {
            best.push(*def);
        }
    }
    if best.is_empty() {
        let is_known = given.iter().all(|(_, of)| of.is_declared);
        return if is_outside || found.defs.len() == 1 && is_known {
            LookupResult::external()
        } else {
            found.inferred()
        };
    }
    let all = found.defs.len();
    let is_unambiguous = all == 1 && is_outside
        || best.len() == 1
            && most == SAME * given.len() as i32
            && given.iter().all(|(_, of)| of.is_declared);
    LookupResult {
        defs: best,
        is_declared: found.is_declared && is_unambiguous,
        ..found
    }
}

/// Of methods those of blocks for a type that the receiver can be.
fn of_receiver(resolver: &Resolver<'_>, receiver: &Ty, found: LookupResult) -> LookupResult {
    const DEEPEST: u32 = 3;
    let can_be = |def: &DefRef| {
        let Some((bound, of)) = resolver.file(def.file).zip(resolver.def(*def)) else {
            return true;
        };
        let owner = bound.scope(of.scope).owner;
        if owner == NONE || bound.def(owner).kind != DefKind::Impl {
            return true;
        }
        let implemented = resolver.lower_type(ExprRef {
            file: def.file,
            expr: bound.def(owner).ty,
        });
        agreement(resolver, &implemented.ty, receiver, DEEPEST).is_some()
    };
    let defs: Vec<DefRef> = found.defs.iter().copied().filter(can_be).collect();
    match defs.is_empty() && !found.defs.is_empty() {
        true => LookupResult::external(),
        false => LookupResult { defs, ..found },
    }
}

/// Whether a function is what a block has of the trait that another one is declared in. One of the type itself, or of
/// another trait, only has its name.
pub(super) fn implements(resolver: &Resolver<'_>, of: DefRef, declared: DefRef) -> bool {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return false;
    };
    let (block, wanted) = (bound.scope(def.scope).owner, resolver.owner(declared));
    let is_wanted = |base: ExprRef| {
        let lowered = resolver.lower_type(base).ty;
        match tables::as_declared(resolver, lowered, base.file) {
            Ty::Instance(of, _) => wanted == Some(of),
            _ => false,
        }
    };
    let bases = bound.bases().iter().filter(|base| base.def == block);
    bases.into_iter().any(|base| {
        is_wanted(ExprRef {
            file: of.file,
            expr: base.of,
        })
    })
}

/// `<T as From<U>>::from`: of functions those of implementations of such a trait.
pub(super) fn of_written_trait(
    resolver: &Resolver<'_>,
    written: Option<&Ty>,
    found: LookupResult,
) -> LookupResult {
    let Some(written) = written.filter(|_| !found.defs.is_empty()) else {
        return found;
    };
    let is_of = |def: &DefRef| {
        let Some((bound, of)) = resolver.file(def.file).zip(resolver.def(*def)) else {
            return true;
        };
        let owner = bound.scope(of.scope).owner;
        let mut bases = bound
            .bases()
            .iter()
            .filter(|base| base.def == owner)
            .peekable();
        let can_be = |expr| {
            let base = resolver.lower_type(ExprRef {
                file: def.file,
                expr,
            });
            agreement_of_traits(resolver, &base.ty, written)
        };
        bases.peek().is_none() || bases.any(|base| can_be(base.of))
    };
    let (kept, others): (Vec<DefRef>, Vec<DefRef>) = found.defs.iter().copied().partition(is_of);
    match (kept.is_empty(), others.is_empty()) {
        (true, false) if !matches!(written, Ty::Type(..)) => LookupResult::external(),
        (false, _) => LookupResult {
            defs: kept,
            ..found
        },
        _ => found,
    }
}

/// Whether an implementation's trait can be the one that is written, by its arguments.
fn agreement_of_traits(resolver: &Resolver<'_>, implemented: &Ty, written: &Ty) -> bool {
    let fits = |a: &[Ty], b: &[Ty]| {
        let mut pairs = a.iter().zip(b);
        pairs.all(|(a, b)| agreement(resolver, a, b, 3).is_some_and(|conversion| conversion >= 0))
    };
    match (implemented, written) {
        (Ty::External(a, a_args), Ty::ExternalType(b, b_args) | Ty::External(b, b_args)) => {
            (a.is_none() || b.is_none() || a == b) && fits(a_args, b_args)
        }
        (Ty::Instance(a, a_args), Ty::Type(b, b_args) | Ty::Instance(b, b_args)) => {
            a == b && fits(a_args, b_args)
        }
        _ => true,
    }
}

/// What an argument is. A list that is written out is no slice: it is a vector, or an array that nobody converts.
fn contextual_param(resolver: &Resolver<'_>, at: ExprRef) -> Typed {
    let typed = resolver.type_of(at);
    match typed.ty {
        Ty::Array(of) if is_list(resolver, at, 3) => {
            let of = [(*of).clone()].into();
            Typed::inferred(Ty::External(resolver.workspace.name("Vec"), of))
        }
        ty => Typed { ty, ..typed },
    }
}

/// Whether an expression is a list that is written out, a variable of that value, or a copy of it.
fn is_list(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> bool {
    let Some(bound) = resolver.file(at.file).filter(|_| depth > 0) else {
        return false;
    };
    match bound.expr(at.expr) {
        Expr::Array { .. } => true,
        Expr::Call { of, .. } => match bound.expr(of) {
            Expr::Member { of, name, .. } => {
                let copies = resolver.workspace.text(bound.name(name)) == "clone";
                copies && is_list(resolver, ExprRef { expr: of, ..at }, depth - 1)
            }
            _ => false,
        },
        Expr::Name { .. } => match resolver.find(at).defs.as_slice() {
            [one] if one.file == at.file && bound.def(one.def).ty == NONE => {
                let expr = bound.def(one.def).value;
                is_list(resolver, ExprRef { expr, ..at }, depth - 1)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a function is in an `impl`, not in the trait itself.
fn is_implementation(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let Some((bound, found)) = resolver.file(def.file).zip(resolver.def(def)) else {
        return false;
    };
    let owner = bound.scope(found.scope).owner;
    owner != NONE && bound.def(owner).kind == DefKind::Impl && support::is_of_trait(resolver, def)
}

/// Whether a function is in an `impl` of a trait that is derived as well, for one of the types that it may be given:
/// `impl PartialEq<str> for Name`.
fn is_of_one_argument(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let Some((bound, found)) = resolver.file(def.file).zip(resolver.def(def)) else {
        return false;
    };
    let owner = bound.scope(found.scope).owner;
    let mut bases = bound.bases().iter().filter(|base| base.def == owner);
    bases.any(|base| {
        let at = ExprRef {
            file: def.file,
            expr: base.of,
        };
        let base = tables::as_named(resolver, &resolver.lower_type(at).ty);
        let Ty::External(Some(name), args) = base else {
            return false;
        };
        let name = resolver.workspace.text(name);
        matches!(name, "PartialEq" | "PartialOrd") && !args.is_empty()
    })
}

/// How well the arguments of a call agree with the parameters of a function; nothing where they cannot.
fn conversion(
    resolver: &Resolver<'_>,
    def: DefRef,
    subst: &Substitution,
    given: &[(ExprRef, Typed)],
) -> Option<i32> {
    let bound = resolver.file(def.file)?;
    let params: Vec<u32> = bound.params(def.def).collect();
    let is_receiver = |param: &u32| bound.def(*param).flags & flag::RECEIVER != 0;
    let methods = params.iter().filter(|param| is_receiver(param)).count();
    let params: Vec<u32> = params
        .into_iter()
        .filter(|param| !is_receiver(param))
        .collect();
    // `T::method(value, …)` gives the receiver too.
    let given = match given.len().checked_sub(params.len())? {
        0 => given,
        1 if methods == 1 => given.get(1..)?,
        _ => return None,
    };
    let fits = params.iter().zip(given).map(|(param, (at, actual))| {
        let expr = bound.def(*param).ty;
        let written = ExprRef {
            file: def.file,
            expr,
        };
        if expr == NONE {
            return Some(0);
        }
        let expected = resolver.lower_type(written).ty.with(subst);
        let conversion = agreement(resolver, &expected, &actual.ty, 4)?;
        Some(conversion + pointers(resolver, written, *at))
    });
    fits.sum()
}

/// How well a value of one type agrees with another one that is not converted to; nothing where it cannot.
pub(super) fn agreement(
    resolver: &Resolver<'_>,
    expected: &Ty,
    actual: &Ty,
    depth: u32,
) -> Option<i32> {
    let text = |name: &crate::ids::Name| resolver.workspace.text(*name);
    if are_two_of_library(resolver, expected, actual) {
        return None;
    }
    let (expected, actual) = (
        &tables::as_named(resolver, expected),
        &tables::as_named(resolver, actual),
    );
    let part = |expected: &Ty, actual: &Ty| match depth {
        0 => Some(SAME),
        _ => agreement(resolver, expected, actual, depth - 1),
    };
    match (expected, actual) {
        (Ty::Unknown | Ty::External(None, _), _) | (_, Ty::Unknown | Ty::External(None, _)) => {
            Some(0)
        }
        (_, Ty::Union(_)) => Some(0),
        (Ty::Union(parts), _) => parts.iter().filter_map(|of| part(of, actual)).max(),
        (Ty::Pointer(of), _) => part(of, actual),
        (_, Ty::Pointer(of)) => part(expected, of),
        // References are not counted, so it may be another parameter that has one more.
        (Ty::Param(a), Ty::Param(b)) if a == b => Some(SAME - 1),
        (Ty::Param(of), _) | (_, Ty::Param(of)) if is_associated(resolver, *of) => Some(0),
        (Ty::Param(param), _) => generic(resolver, *param, actual).then_some(1),
        // A parameter stands for none of the types that somebody names.
        (_, Ty::Param(_)) => Some(-1),
        (Ty::Instance(a, _), Ty::Instance(b, _)) if a == b => Some(SAME),
        (Ty::External(Some(name), _), _) if TRAITS.contains(&text(name)) => Some(0),
        (Ty::Instance(of, _), _) if is_trait(resolver, *of) => Some(0),
        (Ty::Array(a), Ty::Array(b)) => Some(part(a, b)?.max(2)),
        (Ty::Array(_), Ty::External(Some(b), _)) if library_types::is_sequence(text(b)) => Some(1),
        (Ty::External(Some(a), _), Ty::Array(_)) if library_types::is_sequence(text(a)) => Some(1),
        (Ty::External(Some(a), a_args), Ty::External(Some(b), b_args)) => {
            let conversion = named(text(a), text(b))?;
            let parts = a_args.iter().zip(b_args.iter()).map(|(a, b)| part(a, b));
            let least = parts.min().unwrap_or(Some(SAME))?;
            Some(conversion.min(least.max(2)))
        }
        (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
            let least = a.iter().zip(b.iter()).map(|(a, b)| part(a, b)).min();
            least.unwrap_or(Some(SAME))
        }
        (Ty::Function(..), Ty::Function(..)) => Some(2),
        (Ty::Type(..) | Ty::ExternalType(..) | Ty::Object(..), _)
        | (_, Ty::Type(..) | Ty::ExternalType(..) | Ty::Object(..)) => Some(0),
        (_, Ty::External(Some(name), _)) | (Ty::External(Some(name), _), _)
            if ASSOCIATED.contains(&text(name)) =>
        {
            Some(0)
        }
        _ => None,
    }
}

/// Whether two types are different ones of the library, of whatever name: `io::Error` and `fmt::Error`.
fn are_two_of_library(resolver: &Resolver<'_>, a: &Ty, b: &Ty) -> bool {
    let (Ty::Instance(a, _), Ty::Instance(b, _)) = (a, b) else {
        return false;
    };
    let is_type = |of: DefRef| is_library(of.file) && !is_trait(resolver, of);
    a != b && is_type(*a) && is_type(*b)
}

/// Whether what stands for a type is an associated type of one of the library's traits.
fn is_associated(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let kind = resolver.def(of).map(|def| def.kind);
    is_library(of.file) && kind == Some(DefKind::TypeAlias)
}

/// How a type from outside converts to another one, by their names.
fn named(expected: &str, actual: &str) -> Option<i32> {
    const INTEGERS: [&str; 12] = [
        "i32", "u32", "u8", "i64", "u64", "usize", "isize", "i8", "i16", "u16", "i128", "u128",
    ];
    let both = |names: &[&str]| names.contains(&expected) && names.contains(&actual);
    match (expected, actual) {
        _ if expected == actual => Some(SAME),
        _ if ASSOCIATED.contains(&expected) || ASSOCIATED.contains(&actual) => Some(0),
        // A stretch of a text is taken for the text, and so is a list's.
        ("str", "String") | ("String", "str") => Some(2),
        // Numbers that are written out are of the type that is wanted.
        (_, "i32") if both(&INTEGERS) => Some(2),
        ("f32", "f64") => Some(2),
        _ if library_types::is_sequence(expected) && library_types::is_sequence(actual) => Some(1),
        _ => None,
    }
}

/// Whether a value of a type can be given for a parameter of an implementation or function.
fn generic(resolver: &Resolver<'_>, param: DefRef, actual: &Ty) -> bool {
    let bound = support::bound_of(resolver, param);
    let bounds = match &bound {
        Ty::Union(parts) => parts.to_vec(),
        of => vec![of.clone()],
    };
    bounds.iter().all(|bound| match bound {
        Ty::External(Some(name), of) if resolver.workspace.text(*name) == "IntoIterator" => {
            let Some(wanted) = of.first() else {
                return true;
            };
            let step = || library_types::unwrap(resolver, param.file, actual, "iter");
            let item = resolver.with_depth(step).flatten().unwrap_or(Ty::Unknown);
            agreement(resolver, wanted, &item, 2).is_some()
        }
        _ => true,
    })
}

/// What a pointer around a type that is taken and one that is given say: `Box<T>` and `T` are one otherwise.
fn pointers(resolver: &Resolver<'_>, expected: ExprRef, actual: ExprRef) -> i32 {
    match (
        pointer_named(resolver, expected),
        pointer_given(resolver, actual),
    ) {
        (None, None) => 0,
        (Some(a), Some(b)) if a == b => 0,
        _ => -1,
    }
}

/// The pointer that an argument is declared or made to be.
fn pointer_given<'w>(resolver: &Resolver<'w>, at: ExprRef) -> Option<&'w str> {
    match resolver.expr(at) {
        Expr::Name { .. } => {
            let [of] = resolver.find(at).defs[..] else {
                return None;
            };
            let def = resolver.def(of)?;
            let part = |expr| ExprRef {
                file: of.file,
                expr,
            };
            match (def.ty, resolver.expr(part(def.value))) {
                (NONE, Expr::Call { of, .. }) => pointer_made(resolver, part(of)),
                (NONE, _) => None,
                (ty, _) => pointer_named(resolver, part(ty)),
            }
        }
        Expr::Call { of, .. } => pointer_made(resolver, ExprRef { expr: of, ..at }),
        _ => None,
    }
}

/// The pointer that a function like `Box::new` makes.
fn pointer_made<'w>(resolver: &Resolver<'w>, callee: ExprRef) -> Option<&'w str> {
    let Expr::Member { of, name, .. } = resolver.expr(callee) else {
        return None;
    };
    let bound = resolver.file(callee.file)?;
    let made = resolver.workspace.text(bound.name(name));
    if matches!(made, "into_boxed_slice" | "into_boxed_str") {
        return Some("Box");
    }
    pointer_named(resolver, ExprRef { expr: of, ..callee })
}

fn pointer_named<'w>(resolver: &Resolver<'w>, of: ExprRef) -> Option<&'w str> {
    let name = resolver.file(of.file)?.head_name(of.expr)?;
    let name = resolver.workspace.text(name);
    POINTERS.contains(&name).then_some(name)
}
