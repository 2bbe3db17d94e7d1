//! Rules of overload resolution: what is assignable to what, and which candidate is better.

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::overloads::conversion::{Conversion, Variance};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Rules of overload resolution: what is assignable to what, and which candidate is better.
/// The defaults suit most languages.
#[allow(unused_variables, reason = "the names say what the languages get")]
pub(crate) trait OverloadRules {
    /// Whether types of the library convert to others that they do not derive from.
    fn has_implicit_conversions(&self) -> bool {
        false
    }

    /// Whether functions of one name that differ in parameters are different symbols.
    fn overloads_are_separate(&self) -> bool {
        false
    }

    /// Whether a compiler rejects a call with more or fewer arguments than a function takes.
    fn checks_arity(&self) -> bool {
        false
    }

    /// Whether overloads are told apart as a compiler does: by conversions, then the most specific.
    fn resolves_by_conversion(&self) -> bool {
        false
    }

    /// Whether parameters say that they take variables, and arguments that they are passed as such: `ref x`.
    fn passes_variables(&self) -> bool {
        false
    }

    /// Whether a type of this name from outside takes everything.
    fn is_top_type(&self, name: &str) -> bool {
        false
    }

    /// How a generic type of a library varies in its last type argument, or in the others.
    fn variance(&self, of: &str, is_last: bool) -> Variance {
        Variance::Unknown
    }

    /// Whether a constant number converts to the type of a parameter though its type does not.
    fn converts_constant(&self, takes: &str, actual: &str) -> bool {
        false
    }

    /// Whether a type of this name from outside is a value that cannot be null.
    fn is_value_type(&self, name: &str) -> bool {
        false
    }

    /// Whether type parameters stand for objects only, so that values are boxed for them.
    fn boxes_type_args(&self) -> bool {
        false
    }

    /// Whether an array is assignable to a list.
    fn arrays_are_sequences(&self) -> bool {
        false
    }

    /// Whether of two types of parameters to neither of which the other converts the first is meant rather, by their names.
    fn is_better_target(&self, a: &str, b: &str) -> bool {
        false
    }

    /// How a type from outside converts to another one, by their names.
    fn external_conversion(&self, takes: &str, actual: &str) -> Conversion {
        Conversion::Maybe
    }

    /// How many parameters a functional type has: `None` if it is none,
    /// `Some(None)` if that is not known.
    fn functional_arity(
        &self,
        resolver: &Resolver<'_>,
        from: FileNo,
        of: &Ty,
    ) -> Option<Option<usize>> {
        Some(None)
    }

    /// How well an argument fits a parameter, where the language's own conversions say so.
    fn conversion_rank(&self, resolver: &Resolver<'_>, expected: &Ty, actual: &Ty) -> Option<i32> {
        None
    }

    /// Whether methods are given as functions by their names, with or without a receiver.
    fn refers_to_methods(&self) -> bool {
        false
    }

    /// Whether methods differ by what they can be called on.
    fn resolves_by_receiver(&self) -> bool {
        false
    }

    /// Of equally good methods those that can be called on the receiver of a use.
    fn by_receiver(&self, resolver: &Resolver<'_>, at: ExprRef, defs: Vec<DefRef>) -> Vec<DefRef> {
        defs
    }

    /// Of overloads that take so many arguments those that a call may mean by what these are.
    fn applicable(
        &self,
        resolver: &Resolver<'_>,
        overloads: Vec<DefRef>,
        given: &[ExprRef],
    ) -> Vec<DefRef> {
        overloads
    }

    /// Of equally good overloads those that take the arguments best by their value categories.
    fn by_value_category(
        &self,
        resolver: &Resolver<'_>,
        defs: Vec<DefRef>,
        given: &[ExprRef],
    ) -> Vec<DefRef> {
        defs
    }
}
