//! What the nodes of each grammar mean for code that is moved: which are expressions, which hold statements, and where an
//! expression is evaluated not at all, later, or more than once.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::tree::{children, text_of};

/// What evaluation on the way from an expression to its statement looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// It may not be evaluated.
    Conditional,
    /// It may be evaluated more than once.
    Repeated,
    /// It cannot stand elsewhere, for this reason.
    Fixed(&'static str),
    /// The same of the child itself, not of what is in it.
    FixedItself(&'static str),
    /// It is evaluated once, whatever else of the parent is.
    Once,
}

/// A row: the kind of the parent, the field in it (empty for every child), and what that means.
type CrossingRow = (&'static str, &'static str, Crossing);

use Crossing::{Conditional, Fixed, FixedItself, Once, Repeated};

const DEFAULT: Crossing = Fixed("it is a default value");
const MEMBER: Crossing = Fixed("it is the value of a member, outside of any function");
const ATTRIBUTE: Crossing = Fixed("it is in an attribute or decorator");
const TYPE: Crossing = Fixed("it is in a type");
const TARGET: Crossing = FixedItself("it is assigned there");
const CALLEE: Crossing = FixedItself("it is what is called");
const PATH: Crossing = FixedItself("it is a part of a path");
const STRING: Crossing = FixedItself("it is a part of a string");
const CONSTANT: Crossing = Fixed("a constant must stand there");
const UNEVALUATED: Crossing = Fixed("it is not evaluated there");
const CALLED_FIRST: Crossing = Fixed("another constructor must be called first");

/// The forms of a language.
pub(crate) struct SyntaxForms {
    /// Kinds of nodes that are expressions.
    expressions: &'static str,
    /// Kinds of nodes that hold statements.
    blocks: &'static str,
    /// Kinds of nodes that are functions with a body.
    functions: &'static str,
    /// Parents and fields of a statement without braces, to which braces may be given.
    unbraced: &'static [(&'static str, &'static str)],
    /// Parents and fields of an expression that is a body, to which braces may be given.
    bodies: &'static [(&'static str, &'static str)],
    crossings: &'static [CrossingRow],
}

fn has(kinds: &str, kind: &str) -> bool {
    kinds.split_ascii_whitespace().any(|one| one == kind)
}

/// Whether a node is in a field of its parent; an empty field means every child.
pub(crate) fn is_in_field(parent: Node<'_>, child: Node<'_>, field: &str) -> bool {
    if field.is_empty() {
        return true;
    }
    let mut cursor = parent.walk();
    parent
        .children_by_field_name(field, &mut cursor)
        .any(|of| of.id() == child.id())
}

impl SyntaxForms {
    pub(crate) fn is_expression(&self, node: Node<'_>) -> bool {
        node.is_named() && has(self.expressions, node.kind())
    }

    pub(crate) fn is_function(&self, node: Node<'_>) -> bool {
        node.is_named() && has(self.functions, node.kind())
    }

    /// Whether a node is a statement of a block that is its parent.
    pub(crate) fn is_statement_in(&self, parent: Node<'_>, node: Node<'_>) -> bool {
        if !parent.is_named() || !has(self.blocks, parent.kind()) {
            return false;
        }
        let is_header = ["value", "condition", "name"]
            .iter()
            .any(|field| is_in_field(parent, node, field));
        let kind = node.kind();
        let may_be_header = matches!(
            parent.kind(),
            "switch_section" | "switch_block_statement_group" | "preproc_if" | "preproc_ifdef"
        );
        let is_statement = !may_be_header
            || ["statement", "declaration", "block"]
                .iter()
                .any(|part| kind.contains(part));
        node.is_named() && !is_header && is_statement
    }

    /// Whether a node is a statement without braces behind a header.
    pub(crate) fn is_unbraced(&self, parent: Node<'_>, node: Node<'_>) -> bool {
        let mut rows = self.unbraced.iter();
        node.is_named()
            && rows.any(|(kind, field)| parent.kind() == *kind && is_in_field(parent, node, field))
    }

    /// Whether a node is an expression that is the body of a function or arm.
    pub(crate) fn is_body(&self, parent: Node<'_>, node: Node<'_>) -> bool {
        let mut rows = self.bodies.iter();
        rows.any(|(kind, field)| parent.kind() == *kind && is_in_field(parent, node, field))
    }

    /// What it means for evaluation that a node is below its parent.
    pub(crate) fn crossing(
        &self,
        parent: Node<'_>,
        node: Node<'_>,
        text: &str,
    ) -> Option<Crossing> {
        let mut rows = self.crossings.iter();
        let row = rows
            .find(|(kind, field, _)| parent.kind() == *kind && is_in_field(parent, node, field));
        row.map(|(.., crossing)| *crossing)
            .or_else(|| unnamed_crossing(parent, node, text))
    }
}

/// Crossings that no field tells.
fn unnamed_crossing(parent: Node<'_>, node: Node<'_>, text: &str) -> Option<Crossing> {
    let place = || {
        let mut cursor = parent.walk();
        parent
            .named_children(&mut cursor)
            .position(|of| of.id() == node.id())
    };
    let word = |word: &str| {
        children(parent)
            .into_iter()
            .any(|of| text_of(of, text) == word)
    };
    let is_right = parent
        .child_by_field_name("right")
        .is_some_and(|right| right.id() == node.id());
    match parent.kind() {
        "binary_expression" | "boolean_operator" | "augmented_assignment_expression"
            if is_right =>
        {
            let operator = parent.child_by_field_name("operator");
            let operator = operator.map_or("", |of| text_of(of, text));
            let skips = matches!(
                operator,
                "&&" | "||" | "??" | "and" | "or" | "&&=" | "||=" | "??="
            );
            skips.then_some(Conditional)
        }
        // Python: `value if condition else other`; other grammars have fields.
        "conditional_expression" if parent.child_by_field_name("condition").is_none() => {
            (place() != Some(1)).then_some(Conditional)
        }
        "comparison_operator" => (place() > Some(1)).then_some(Conditional),
        "assert_statement" => (place() > Some(0)).then_some(Conditional),
        "let_chain" => (place() > Some(0)).then_some(Conditional),
        "list_comprehension"
        | "set_comprehension"
        | "dictionary_comprehension"
        | "generator_expression" => {
            let is_first = node.kind() == "for_in_clause" && place() == Some(1);
            (!is_first).then_some(Repeated)
        }
        "for_in_clause" => {
            let is_right = parent.child_by_field_name("right");
            is_right
                .is_none_or(|of| of.id() != node.id())
                .then_some(TARGET)
        }
        // Go: the condition of a loop.
        "for_statement"
            if node.kind().ends_with("expression") && !is_in_field(parent, node, "body") =>
        {
            Some(Repeated)
        }
        "argument" if word("ref") || word("out") || word("in") => Some(TARGET),
        "unary_expression" | "prefix_unary_expression" | "postfix_unary_expression"
            if ["delete", "typeof", "++", "--"]
                .iter()
                .any(|sign| word(sign)) =>
        {
            Some(TARGET)
        }
        "call_expression" | "new_expression" if node.kind() == "template_string" => {
            Some(Fixed("the function in front of it reads it"))
        }
        "invocation_expression" if text_of(parent, text).starts_with("nameof") => Some(UNEVALUATED),
        "local_declaration_statement" if word("const") => Some(CONSTANT),
        "declaration" if word("static") || word("thread_local") => Some(Conditional),
        "declaration" if word("constexpr") || word("constinit") => Some(CONSTANT),
        "switch_section" => Some(CONSTANT),
        "as_expression" if word("const") => Some(Fixed("`as const` reads it")),
        // What follows `?.` is not evaluated where nothing is before it.
        "arguments" | "subscript_expression" if follows_optional_chain(parent, node) => {
            Some(Conditional)
        }
        _ => None,
    }
}

/// Whether a node is given to a chain of members that may end before.
fn follows_optional_chain(parent: Node<'_>, node: Node<'_>) -> bool {
    let is_index = parent.kind() == "subscript_expression" && is_in_field(parent, node, "index");
    let chain = match parent.kind() {
        "arguments" => parent.parent(),
        _ => is_index.then_some(parent),
    };
    let mut next = chain;
    while let Some(link) = next {
        if children(link)
            .iter()
            .any(|of| of.kind() == "optional_chain")
        {
            return true;
        }
        next = link
            .child_by_field_name("function")
            .or_else(|| link.child_by_field_name("object"));
    }
    false
}

/// The forms of a language; nothing where its code is not moved.
pub(crate) fn forms_of(dialect: Dialect) -> Option<&'static SyntaxForms> {
    Some(match dialect {
        Dialect::TypeScript | Dialect::JavaScript => &SCRIPT,
        Dialect::Python => &PYTHON,
        Dialect::Rust => &RUST,
        Dialect::Go => &GO,
        Dialect::Java => &JAVA,
        Dialect::CSharp => &CSHARP,
        Dialect::C | Dialect::Cpp => &CPP,
        Dialect::AngelScript => &ANGELSCRIPT,
        Dialect::Named(_) => return None,
    })
}

const SCRIPT: SyntaxForms = SyntaxForms {
    expressions: "array arrow_function as_expression assignment_expression augmented_assignment_expression \
        await_expression binary_expression call_expression class false function_expression generator_function \
        member_expression new_expression non_null_expression null number object parenthesized_expression regex \
        satisfies_expression string subscript_expression template_string ternary_expression true unary_expression \
        undefined update_expression yield_expression jsx_element jsx_self_closing_element sequence_expression",
    blocks: "statement_block program switch_case switch_default",
    functions: "function_declaration generator_function_declaration function_expression generator_function \
        arrow_function method_definition",
    unbraced: &[
        ("if_statement", "consequence"),
        ("else_clause", ""),
        ("while_statement", "body"),
        ("do_statement", "body"),
        ("for_statement", "body"),
        ("for_in_statement", "body"),
    ],
    bodies: &[("arrow_function", "body")],
    crossings: &[
        ("ternary_expression", "consequence", Conditional),
        ("ternary_expression", "alternative", Conditional),
        ("assignment_pattern", "right", Conditional),
        ("object_assignment_pattern", "right", Conditional),
        ("switch_case", "value", Conditional),
        ("while_statement", "condition", Repeated),
        ("do_statement", "condition", Repeated),
        ("for_statement", "condition", Repeated),
        ("for_statement", "increment", Repeated),
        ("for_in_statement", "left", TARGET),
        ("assignment_expression", "left", TARGET),
        ("augmented_assignment_expression", "left", TARGET),
        ("update_expression", "", TARGET),
        ("required_parameter", "", DEFAULT),
        ("optional_parameter", "", DEFAULT),
        ("formal_parameters", "", DEFAULT),
        ("class_body", "", MEMBER),
        ("enum_body", "", MEMBER),
        ("class_heritage", "", Fixed("it is a base of a class")),
        ("decorator", "", ATTRIBUTE),
        ("type_annotation", "", TYPE),
        ("type_arguments", "", TYPE),
        ("literal_type", "", TYPE),
        (
            "new_expression",
            "constructor",
            FixedItself("it is what is constructed"),
        ),
        ("import_statement", "", Fixed("it is in an import")),
        ("export_statement", "source", Fixed("it is in an import")),
        ("call_expression", "function", CALLEE),
        ("pair", "key", FixedItself("it is a key")),
        ("expression_statement", "string", CONSTANT),
        ("with_statement", "", Fixed("names in `with` are not known")),
    ],
};

const PYTHON: SyntaxForms = SyntaxForms {
    expressions: "attribute await binary_operator boolean_operator call comparison_operator concatenated_string \
        conditional_expression dictionary dictionary_comprehension ellipsis false float generator_expression integer \
        lambda list list_comprehension none not_operator parenthesized_expression set set_comprehension string \
        subscript true tuple unary_operator",
    blocks: "block module",
    functions: "function_definition lambda",
    unbraced: &[],
    bodies: &[],
    crossings: &[
        ("elif_clause", "condition", Conditional),
        ("while_statement", "condition", Repeated),
        ("except_clause", "", Conditional),
        ("except_group_clause", "", Conditional),
        ("case_clause", "", Conditional),
        ("lambda", "body", Repeated),
        ("lambda_parameters", "", DEFAULT),
        ("default_parameter", "", DEFAULT),
        ("typed_default_parameter", "", DEFAULT),
        ("parameters", "", DEFAULT),
        ("decorator", "", ATTRIBUTE),
        ("type", "", TYPE),
        (
            "class_definition",
            "superclasses",
            Fixed("it is a base of a class"),
        ),
        ("assignment", "left", TARGET),
        ("augmented_assignment", "left", TARGET),
        ("for_statement", "left", TARGET),
        ("delete_statement", "", TARGET),
        ("as_pattern_target", "", TARGET),
        ("named_expression", "name", TARGET),
        (
            "keyword_argument",
            "name",
            FixedItself("it is the name of an argument"),
        ),
        ("concatenated_string", "", STRING),
        ("call", "function", CALLEE),
        ("import_from_statement", "", Fixed("it is in an import")),
    ],
};

const RUST: SyntaxForms = SyntaxForms {
    expressions: "array_expression async_block await_expression binary_expression boolean_literal call_expression \
        char_literal closure_expression const_block field_expression float_literal generic_function if_expression \
        index_expression integer_literal macro_invocation match_expression parenthesized_expression range_expression \
        raw_string_literal reference_expression scoped_identifier string_literal struct_expression try_expression \
        tuple_expression type_cast_expression unary_expression unit_expression unsafe_block block loop_expression",
    blocks: "block",
    functions: "function_item closure_expression",
    unbraced: &[("else_clause", "")],
    bodies: &[("closure_expression", "body"), ("match_arm", "value")],
    crossings: &[
        ("while_expression", "condition", Repeated),
        ("match_pattern", "", Conditional),
        ("assignment_expression", "left", TARGET),
        ("compound_assignment_expr", "left", TARGET),
        ("const_item", "", CONSTANT),
        ("static_item", "", CONSTANT),
        ("const_block", "", CONSTANT),
        ("enum_variant", "", CONSTANT),
        ("array_type", "", TYPE),
        ("array_expression", "length", CONSTANT),
        ("type_arguments", "", TYPE),
        ("token_tree", "", Fixed("a macro reads it")),
        ("attribute_item", "", ATTRIBUTE),
        ("call_expression", "function", CALLEE),
        ("struct_expression", "name", TYPE),
        ("scoped_identifier", "", PATH),
        ("generic_function", "", CALLEE),
        ("let_declaration", "pattern", TARGET),
        ("for_expression", "pattern", TARGET),
        ("label", "", TARGET),
    ],
};

const GO: SyntaxForms = SyntaxForms {
    expressions: "binary_expression call_expression composite_literal false float_literal func_literal \
        imaginary_literal index_expression int_literal interpreted_string_literal parenthesized_expression \
        raw_string_literal rune_literal selector_expression slice_expression true type_assertion_expression \
        type_conversion_expression unary_expression",
    blocks: "statement_list",
    functions: "function_declaration method_declaration func_literal",
    unbraced: &[("if_statement", "alternative")],
    bodies: &[],
    crossings: &[
        ("for_clause", "condition", Repeated),
        ("for_clause", "update", Repeated),
        ("expression_case", "value", Conditional),
        ("type_case", "", TYPE),
        ("communication_case", "communication", Conditional),
        ("const_declaration", "", CONSTANT),
        ("defer_statement", "", FixedItself("the call is deferred")),
        (
            "go_statement",
            "",
            FixedItself("the call runs beside this function"),
        ),
        ("short_var_declaration", "left", TARGET),
        ("assignment_statement", "left", TARGET),
        ("range_clause", "left", TARGET),
        ("receive_statement", "left", TARGET),
        ("inc_statement", "", TARGET),
        ("dec_statement", "", TARGET),
        ("array_type", "", TYPE),
        ("type_arguments", "", TYPE),
        ("call_expression", "function", CALLEE),
        ("composite_literal", "type", TYPE),
        ("type_switch_statement", "value", TYPE),
        ("parameter_declaration", "", TYPE),
        ("labeled_statement", "label", TARGET),
    ],
};

const JAVA: SyntaxForms = SyntaxForms {
    expressions: "array_access array_creation_expression assignment_expression binary_expression \
        binary_integer_literal cast_expression character_literal class_literal decimal_floating_point_literal \
        decimal_integer_literal false field_access hex_floating_point_literal hex_integer_literal \
        instanceof_expression method_invocation object_creation_expression octal_integer_literal \
        parenthesized_expression string_literal switch_expression ternary_expression true unary_expression \
        update_expression",
    blocks: "block constructor_body switch_block_statement_group",
    functions: "method_declaration constructor_declaration compact_constructor_declaration lambda_expression \
        static_initializer",
    unbraced: &[
        ("if_statement", "consequence"),
        ("if_statement", "alternative"),
        ("while_statement", "body"),
        ("do_statement", "body"),
        ("for_statement", "body"),
        ("enhanced_for_statement", "body"),
    ],
    bodies: &[],
    crossings: &[
        ("ternary_expression", "consequence", Conditional),
        ("ternary_expression", "alternative", Conditional),
        ("while_statement", "condition", Repeated),
        ("do_statement", "condition", Repeated),
        ("for_statement", "condition", Repeated),
        ("for_statement", "update", Repeated),
        ("lambda_expression", "body", Repeated),
        ("assert_statement", "", Conditional),
        ("switch_label", "", CONSTANT),
        ("switch_rule", "", Conditional),
        ("guard", "", Conditional),
        ("explicit_constructor_invocation", "", CALLED_FIRST),
        (
            "resource_specification",
            "",
            Fixed("its exceptions are caught there"),
        ),
        ("annotation", "", ATTRIBUTE),
        ("marker_annotation", "", ATTRIBUTE),
        ("field_declaration", "", MEMBER),
        ("class_body", "", MEMBER),
        ("enum_constant", "", MEMBER),
        ("enum_body_declarations", "", MEMBER),
        ("assignment_expression", "left", TARGET),
        ("update_expression", "", TARGET),
        (
            "method_reference",
            "",
            Fixed("it is a part of a reference to a method"),
        ),
    ],
};

const CSHARP: SyntaxForms = SyntaxForms {
    expressions: "anonymous_object_creation_expression array_creation_expression as_expression \
        assignment_expression await_expression binary_expression boolean_literal cast_expression character_literal \
        checked_expression conditional_access_expression conditional_expression element_access_expression \
        implicit_array_creation_expression integer_literal interpolated_string_expression invocation_expression \
        is_expression is_pattern_expression member_access_expression object_creation_expression \
        parenthesized_expression postfix_unary_expression prefix_unary_expression query_expression range_expression \
        raw_string_literal real_literal sizeof_expression string_literal switch_expression tuple_expression \
        typeof_expression verbatim_string_literal with_expression",
    blocks: "block switch_section global_statement",
    functions: "method_declaration constructor_declaration destructor_declaration operator_declaration \
        conversion_operator_declaration accessor_declaration local_function_statement lambda_expression \
        anonymous_method_expression",
    unbraced: &[
        ("if_statement", "consequence"),
        ("if_statement", "alternative"),
        ("while_statement", "body"),
        ("do_statement", "body"),
        ("for_statement", "body"),
        ("foreach_statement", "body"),
        ("using_statement", "body"),
        ("lock_statement", "body"),
        ("fixed_statement", "body"),
    ],
    bodies: &[],
    crossings: &[
        ("conditional_expression", "consequence", Conditional),
        ("conditional_expression", "alternative", Conditional),
        ("conditional_access_expression", "condition", Once),
        ("conditional_access_expression", "", Conditional),
        ("switch_expression_arm", "", Conditional),
        ("while_statement", "condition", Repeated),
        ("do_statement", "condition", Repeated),
        ("for_statement", "condition", Repeated),
        ("for_statement", "update", Repeated),
        ("lambda_expression", "body", Repeated),
        (
            "arrow_expression_clause",
            "",
            Fixed("it is the body of a member"),
        ),
        ("attribute", "", ATTRIBUTE),
        ("attribute_list", "", ATTRIBUTE),
        ("parameter", "", DEFAULT),
        ("field_declaration", "", MEMBER),
        ("property_declaration", "value", MEMBER),
        ("enum_member_declaration", "", MEMBER),
        ("constructor_initializer", "", CALLED_FIRST),
        ("primary_constructor_base_type", "", CALLED_FIRST),
        ("catch_filter_clause", "", Conditional),
        ("from_clause", "", Repeated),
        ("where_clause", "", Repeated),
        ("select_clause", "", Repeated),
        ("let_clause", "", Repeated),
        ("join_clause", "", Repeated),
        ("order_by_clause", "", Repeated),
        ("group_clause", "", Repeated),
        ("constant_pattern", "", CONSTANT),
        ("relational_pattern", "", CONSTANT),
        (
            "anonymous_object_creation_expression",
            "",
            FixedItself("it may give a member its name"),
        ),
        ("assignment_expression", "left", TARGET),
        ("invocation_expression", "function", CALLEE),
        ("object_creation_expression", "type", TYPE),
        ("goto_statement", "", CONSTANT),
        (
            "labeled_statement",
            "",
            Fixed("a label stands before its statement"),
        ),
        ("ref_expression", "", TARGET),
    ],
};

const CPP: SyntaxForms = SyntaxForms {
    expressions: "binary_expression call_expression cast_expression char_literal conditional_expression \
        concatenated_string false field_expression lambda_expression new_expression number_literal \
        parenthesized_expression pointer_expression raw_string_literal sizeof_expression string_literal \
        subscript_expression true unary_expression qualified_identifier",
    blocks: "compound_statement case_statement preproc_if preproc_ifdef preproc_else preproc_elif",
    functions: "function_definition lambda_expression",
    unbraced: &[
        ("if_statement", "consequence"),
        ("else_clause", ""),
        ("while_statement", "body"),
        ("do_statement", "body"),
        ("for_statement", "body"),
        ("for_range_loop", "body"),
    ],
    bodies: &[],
    crossings: &[
        ("conditional_expression", "consequence", Conditional),
        ("conditional_expression", "alternative", Conditional),
        ("while_statement", "condition", Repeated),
        ("do_statement", "condition", Repeated),
        ("for_statement", "condition", Repeated),
        ("for_statement", "update", Repeated),
        ("case_statement", "value", CONSTANT),
        ("sizeof_expression", "", UNEVALUATED),
        ("alignof_expression", "", UNEVALUATED),
        ("decltype", "", UNEVALUATED),
        ("noexcept", "", UNEVALUATED),
        ("requires_clause", "", UNEVALUATED),
        ("template_argument_list", "", CONSTANT),
        ("static_assert_declaration", "", CONSTANT),
        (
            "field_initializer_list",
            "",
            Fixed("it is the first value of a member"),
        ),
        ("optional_parameter_declaration", "", DEFAULT),
        ("parameter_declaration", "", DEFAULT),
        ("lambda_capture_specifier", "", Fixed("it is captured")),
        ("field_declaration", "", MEMBER),
        ("enumerator", "", CONSTANT),
        ("array_declarator", "", CONSTANT),
        ("bitfield_clause", "", CONSTANT),
        ("preproc_if", "condition", CONSTANT),
        ("preproc_elif", "condition", CONSTANT),
        ("assignment_expression", "left", TARGET),
        ("update_expression", "", TARGET),
        ("delete_expression", "", TARGET),
        ("call_expression", "function", CALLEE),
        ("qualified_identifier", "", PATH),
        ("concatenated_string", "", STRING),
        (
            "labeled_statement",
            "",
            Fixed("a label stands before its statement"),
        ),
        ("attribute_declaration", "", ATTRIBUTE),
    ],
};

const ANGELSCRIPT: SyntaxForms = SyntaxForms {
    expressions: "binary_expression boolean call_expression cast_expression concatenated_string \
        conditional_expression format_string index_expression member_expression name_literal number \
        parenthesized_expression string unary_expression",
    blocks: "block switch_case",
    functions: "function_declaration constructor_declaration destructor_declaration accessor lambda_expression",
    unbraced: &[
        ("if_statement", "consequence"),
        ("if_statement", "alternative"),
        ("while_statement", "body"),
        ("do_statement", "body"),
        ("for_statement", "body"),
        ("range_for_statement", "body"),
    ],
    bodies: &[],
    crossings: &[
        ("conditional_expression", "consequence", Conditional),
        ("conditional_expression", "alternative", Conditional),
        ("while_statement", "condition", Repeated),
        ("do_statement", "condition", Repeated),
        ("for_statement", "condition", Repeated),
        ("for_statement", "update", Repeated),
        ("switch_case", "value", CONSTANT),
        ("parameter", "", DEFAULT),
        ("member_declarator", "", MEMBER),
        ("member_list", "", MEMBER),
        ("declaration_list", "", MEMBER),
        ("source_file", "", MEMBER),
        ("enumerator", "", CONSTANT),
        ("macro", "", ATTRIBUTE),
        ("default_statement", "", MEMBER),
        ("concatenated_string", "", STRING),
        ("assignment_expression", "left", TARGET),
        ("update_expression", "", TARGET),
        ("call_expression", "function", CALLEE),
        ("template_arguments", "", TYPE),
    ],
};
