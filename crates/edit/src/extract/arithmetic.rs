//! Types of arithmetic.

use tree_sitter::Node;

use crate::extract::selection::SelectedCode;

impl<'s> SelectedCode<'s, '_> {
    /// The type of arithmetic in Go: both sides have it, where one is no constant without a type.
    pub(super) fn type_of_arithmetic(
        &self,
        (left, right): (Node<'s>, Node<'s>),
        operator: &str,
        steps: usize,
    ) -> Option<String> {
        let is_constant = |of: Node<'s>| {
            let kind = of.kind();
            kind.ends_with("_literal") && !matches!(kind, "composite_literal" | "func_literal")
        };
        let of_left = || self.type_of_value(left, steps);
        let of_right = || self.type_of_value(right, steps);
        match (is_constant(left), is_constant(right)) {
            (false, _) if matches!(operator, "<<" | ">>") => of_left(),
            (true, false) => of_right(),
            (false, true) => of_left(),
            _ => of_left().filter(|ty| of_right().as_ref() == Some(ty)),
        }
    }
}
