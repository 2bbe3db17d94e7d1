//! A value in the place of a name: parentheses, and names that mean the same there.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Expr, NONE, Role};
use codecortex_resolve::ExprRef;
use tree_sitter::Node;

use crate::inline::InlinedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{descendants, range_of, text_of};

/// Kinds of values that bind as a name does.
const ATOMS: &str = "identifier call_expression call invocation_expression method_invocation member_expression \
    attribute field_expression selector_expression field_access member_access_expression subscript_expression subscript \
    index_expression array_access element_access_expression parenthesized_expression array list set dictionary string \
    template_string string_literal interpreted_string_literal raw_string_literal interpolated_string_expression number \
    integer float int_literal float_literal integer_literal decimal_integer_literal number_literal true false null none \
    boolean_literal null_literal nil char_literal character_literal tuple list_comprehension this self scoped_identifier \
    macro_invocation boolean";

/// Parents that hold a whole expression.
const HOLDERS: &str = "arguments argument_list argument parenthesized_expression variable_declarator return_statement \
    template_substitution interpolation expression_list array list tuple let_declaration short_var_declaration \
    init_declarator pair keyword_argument block statement_list return_expression declarator expression_statement";

/// Kinds of values that make something of their own each time.
const MAKERS: &str = "array object list set dictionary composite_literal struct_expression array_expression \
    arrow_function function_expression lambda closure_expression func_literal lambda_expression regex \
    jsx_element jsx_self_closing_element generator_expression class initializer_list";

fn has(kinds: &str, kind: &str) -> bool {
    kinds.split_ascii_whitespace().any(|one| one == kind)
}

/// Whether a value makes something of its own each time it is evaluated.
pub(super) fn makes(value: Node<'_>) -> bool {
    descendants(value, |of| !has(MAKERS, of.kind()))
        .into_iter()
        .any(|of| of.is_named() && has(MAKERS, of.kind()))
}

impl InlinedCode<'_, '_> {
    /// The text of a value in the place of a use, with parentheses where the place needs them.
    pub(super) fn value_at(
        &self,
        used: Node<'_>,
        value: Node<'_>,
        written: &str,
    ) -> Result<String, Refusal> {
        let at = used.start_byte();
        let parent = used.parent();
        let kind = parent.map_or("", |of| of.kind());
        let in_text = {
            let mut around = parent;
            let mut found = false;
            while let Some(of) = around {
                found |= of.kind() == "interpolation" || of.kind() == "format_hole";
                around = of.parent();
            }
            found
        };
        if in_text && written.contains(['"', '\'', '\n', '\\', '{', ':']) {
            let message = "The value cannot stand in a text.";
            return self.refuse(RefusalKind::Unsupported, message, at);
        }
        if used.kind() == "shorthand_property_identifier" {
            return Ok(format!("{}: {written}", self.inline.name()));
        }
        if matches!(
            kind,
            "shorthand_field_initializer" | "lambda_capture_specifier"
        ) {
            let message = "The name is a part of the code there.";
            return self.refuse(RefusalKind::Unsupported, message, at);
        }
        let is_first = {
            let mut node = used;
            while let Some(parent) = node
                .parent()
                .filter(|of| of.start_byte() == used.start_byte())
            {
                node = parent;
            }
            matches!(value.kind(), "object" | "function_expression" | "class")
                && node.kind().contains("statement")
        };
        let is_closed = written.ends_with([')', ']', '}']) && value.kind() != "binary_operator";
        let is_broken = self.dialect == Dialect::Python && written.contains('\n') && !is_closed;
        let is_held = has(HOLDERS, kind) && !is_broken && value.kind() != "sequence_expression";
        let is_number = kind == "member_expression" && value.kind() == "number";
        let is_bare = has(ATOMS, value.kind()) && !is_broken && !is_number;
        Ok(match (is_held || is_bare) && !is_first {
            true => written.to_owned(),
            false => format!("({written})"),
        })
    }

    /// Refuses a value whose names mean something else, or have other values, at a use.
    pub(super) fn check_names(&self, value: Node<'_>, used: Node<'_>) -> Result<(), Refusal> {
        let file = self.inline.def.file;
        let Some(bound) = self.resolver.workspace().file(file) else {
            return Ok(());
        };
        let range = range_of(value);
        let at = used.start_byte() as u32;
        for (expr, place, ..) in self.resolver.uses_between(file, range.start, range.end) {
            let Expr::Name { name, .. } = bound.expr(expr) else {
                continue;
            };
            let shadowed = bound.defs_of(name).find(|def| {
                let def = bound.def(*def);
                let scope = bound.scope(def.scope);
                let has = |at: u32| (scope.start..scope.end).contains(&at);
                def.at != NONE && has(at) && !has(range.start)
            });
            if let Some(def) = shadowed {
                let name = text_of(used, self.text);
                let message =
                    format!("A name in the value of `{name}` means something else there.");
                let places = [(file, bound.def(def).at), (file, at)];
                return Err(Refusal::new(RefusalKind::Captured, message).at(places));
            }
            let target = self.resolver.target(ExprRef { file, expr });
            let is_inside = target.defs.iter().any(|def| {
                def.file == file
                    && self
                        .resolver
                        .place(*def)
                        .is_some_and(|at| range.contains(&at))
            });
            let changed = target.defs.iter().find_map(|def| {
                let mut uses = self.resolver.references(*def).into_iter();
                let is_write =
                    |role: u8| role == Role::Write as u8 || role == Role::ReadWrite as u8;
                uses.find(|of| is_write(of.role.0))
                    .map(|of| (of.file, of.at))
            });
            let several = target.defs.len() > 1;
            if !is_inside && (changed.is_some() || several) {
                let message = "A name in the value gets another value.";
                let places = [changed.unwrap_or((file, place))];
                return Err(Refusal::new(RefusalKind::Unsupported, message).at(places));
            }
        }
        Ok(())
    }
}
