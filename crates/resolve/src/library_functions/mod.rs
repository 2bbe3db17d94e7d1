//! Generic functions of standard libraries: what a call of one returns, and the contextual types of its arguments.
//!
//! The functions are data: a signature a line, in a file of each language (`lang/python/library_functions.txt`,
//! `lang/go/library_functions.txt`). [`signature`] has the notation. A call is inferred like one of a generic function
//! of the workspace: the types of the arguments bind the signature's type variables, which the result is made of.

mod outside_path;
mod signature;
mod unify;

use std::sync::OnceLock;

use codecortex_bind::facts::{Expr, ListId};
use rustc_hash::FxHashMap;

use self::signature::{LibrarySignature, TypePattern};
use self::unify::Bindings;
use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The signatures of one language's library, found by the full name of a function. A function has several where its
/// result depends on how many arguments it takes.
pub(crate) struct LibraryFunctions {
    text: &'static str,
    by_path: OnceLock<FxHashMap<&'static str, Vec<LibrarySignature>>>,
}

impl LibraryFunctions {
    /// The signatures of this text.
    pub(crate) const fn from_text(text: &'static str) -> Self {
        Self {
            text,
            by_path: OnceLock::new(),
        }
    }

    fn find(&self, path: &str) -> &[LibrarySignature] {
        let by_path = self.by_path.get_or_init(|| {
            let mut by_path: FxHashMap<&str, Vec<LibrarySignature>> = FxHashMap::default();
            for (path, signature) in signature::parse_all(self.text) {
                by_path.entry(path).or_default().push(signature);
            }
            by_path
        });
        by_path.get(path).map_or(&[], Vec::as_slice)
    }
}

/// One argument of a call: its keyword, if it is named, and its value.
#[derive(Clone, Copy)]
struct Argument<'w> {
    keyword: Option<&'w str>,
    value: ExprRef,
}

/// What a call of a library's function returns; nothing where no signature of the function fits.
pub(crate) fn call(resolver: &Resolver<'_>, callee: ExprRef, args: ListId) -> Option<Typed> {
    let (signature, arguments) = signature_of_call(resolver, callee, args)?;
    let mut bindings = explicit_type_args(resolver, callee, signature);
    bindings.take_values(resolver, signature, &arguments);
    bindings.take_functions(resolver, signature, &arguments);
    Some(Typed::inferred(
        bindings.instantiate(resolver, &signature.result),
    ))
}

/// The contextual type of an argument of a library's function: only functions have one.
pub(crate) fn contextual_type(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    args: ListId,
    index: u32,
) -> Option<Ty> {
    let (signature, arguments) = signature_of_call(resolver, callee, args)?;
    let TypePattern::Function(params, _) = signature.pattern_of(&arguments, index as usize)? else {
        return None;
    };
    let mut bindings = explicit_type_args(resolver, callee, signature);
    bindings.take_values(resolver, signature, &arguments);
    let params = params
        .iter()
        .map(|param| bindings.instantiate(resolver, param));
    Some(Ty::External(None, params.collect()))
}

/// What calling a function that a signature returns gives.
pub(crate) fn returned(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    match of {
        Ty::External(Some(name), args) if resolver.workspace.text(*name) == unify::FUNCTION => {
            args.first().cloned()
        }
        _ => None,
    }
}

/// The signature that a call fits, and its arguments.
fn signature_of_call<'w>(
    resolver: &Resolver<'w>,
    callee: ExprRef,
    args: ListId,
) -> Option<(&'static LibrarySignature, Vec<Argument<'w>>)> {
    let functions = resolver.rules(callee.file).library_functions()?;
    let path = outside_path::path_of(resolver, without_type_args(resolver, callee))?;
    let signatures = functions.find(&path);
    if signatures.is_empty() {
        return None;
    }
    let arguments = resolver.each(callee.file, args, |at| argument(resolver, at));
    let positional = arguments.iter().filter(|arg| arg.keyword.is_none()).count();
    let is_exact = |of: &&LibrarySignature| of.takes_exactly(positional, &arguments);
    let fitting = signatures.iter().find(is_exact);
    let fitting = fitting.or_else(|| signatures.iter().find(|of| of.takes(positional)))?;
    Some((fitting, arguments))
}

fn argument<'w>(resolver: &Resolver<'w>, at: ExprRef) -> Argument<'w> {
    match resolver.expr(at) {
        Expr::Keyword { name, value, .. } => Argument {
            keyword: resolver
                .file(at.file)
                .map(|bound| resolver.workspace.text(bound.name(name))),
            value: ExprRef { expr: value, ..at },
        },
        _ => Argument {
            keyword: None,
            value: at,
        },
    }
}

/// `f` of `f[A]` and of `f<A>`.
fn without_type_args(resolver: &Resolver<'_>, callee: ExprRef) -> ExprRef {
    match resolver.expr(callee) {
        Expr::Apply { of, .. } | Expr::Index { of, .. } => ExprRef { expr: of, ..callee },
        _ => callee,
    }
}

/// Type variables that the call itself binds, in the order of the alphabet.
fn explicit_type_args(
    resolver: &Resolver<'_>,
    callee: ExprRef,
    signature: &LibrarySignature,
) -> Bindings {
    let given = match resolver.expr(callee) {
        Expr::Apply { args, .. } => {
            resolver.each(callee.file, args, |at| resolver.lower_type(at).ty)
        }
        Expr::Index { by, .. } => {
            vec![resolver.lower_type(ExprRef { expr: by, ..callee }).ty]
        }
        _ => Vec::new(),
    };
    Bindings::of_type_args(signature, given)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::LANGUAGES;

    fn texts() -> impl Iterator<Item = &'static str> {
        let rules = LANGUAGES.with_words.iter();
        rules.filter_map(|rules| Some(rules.library_functions()?.text))
    }

    #[test]
    fn every_line_is_a_signature() {
        for text in texts() {
            let lines = signature::lines(text).count();
            assert!(lines > 20);
            assert_eq!(
                signature::parse_all(text).count(),
                lines,
                "a line does not parse"
            );
        }
    }

    #[test]
    fn a_variable_of_a_result_is_bound_by_a_parameter() {
        for text in texts() {
            for (path, signature) in signature::parse_all(text) {
                let given = signature.type_params.len();
                let unbound = signature.unbound_variables();
                assert!(unbound.len() <= given, "{path}: {unbound:?}");
            }
        }
    }
}
