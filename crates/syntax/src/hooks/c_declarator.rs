//! What a C or C++ declarator declares: `*const (*name[3])(int)` read from the name outwards.

use std::ops::Range;

use tree_sitter::Node;

/// A declarator taken apart.
pub(crate) struct Declarator<'t> {
    /// Node of the simple name.
    pub(crate) name: Node<'t>,
    /// The whole name, an operator's included: `operator bool`, `~Store`.
    pub(crate) name_range: Range<usize>,
    /// What stands before the last `::`.
    pub(crate) scope: Option<Range<usize>>,
    /// Parameters, if the name is that of a function rather than of a pointer to one.
    pub(crate) parameters: Option<Node<'t>>,
    /// The function part itself, with `const`, `override` and the like behind the parameters.
    pub(crate) function: Option<Node<'t>>,
    /// The initial value.
    pub(crate) value: Option<Node<'t>>,
    /// Whether it is a pointer or reference that may point elsewhere later.
    pub(crate) points: bool,
}

impl<'t> Declarator<'t> {
    /// Reads a declarator; `None` where it names nothing.
    pub(crate) fn read(declarator: Node<'t>) -> Option<Self> {
        let mut node = declarator;
        let mut function = None;
        let mut value = None;
        let mut points = false;
        let mut scope_start = None;
        loop {
            let inner = match node.kind() {
                "init_declarator" => {
                    value = node.child_by_field_name("value");
                    node.child_by_field_name("declarator")
                }
                "function_declarator" | "abstract_function_declarator" => {
                    function = Some(node);
                    points = false;
                    node.child_by_field_name("declarator")
                }
                "pointer_declarator" | "pointer_type_declarator" => {
                    function = None;
                    points = !has_child(node, "type_qualifier");
                    node.child_by_field_name("declarator")
                }
                "array_declarator" => {
                    function = None;
                    node.child_by_field_name("declarator")
                }
                "reference_declarator" => {
                    function = None;
                    points = true;
                    first_named(node)
                }
                "attributed_declarator" | "parenthesized_declarator" => first_named(node),
                "qualified_identifier" => {
                    scope_start.get_or_insert(node.start_byte());
                    node.child_by_field_name("name")
                }
                "template_function" | "template_method" | "template_type" => {
                    node.child_by_field_name("name")
                }
                "operator_cast" => return Some(Self::conversion(node, scope_start, value)),
                "identifier" | "field_identifier" | "type_identifier" | "operator_name"
                | "destructor_name" | "primitive_type" => break,
                _ => None,
            };
            node = inner?;
        }
        Some(Self {
            name: node,
            name_range: node.byte_range(),
            scope: scope_start.map(|start| start..node.start_byte()),
            parameters: function.and_then(|function| function.child_by_field_name("parameters")),
            function,
            value,
            points,
        })
    }

    /// `operator bool() const`: the type is part of the name.
    fn conversion(node: Node<'t>, scope_start: Option<usize>, value: Option<Node<'t>>) -> Self {
        let mut function = node.child_by_field_name("declarator");
        let mut end = node
            .child_by_field_name("type")
            .map_or(node.end_byte(), |kind| kind.end_byte());
        while let Some(inner) = function {
            if inner.kind() == "abstract_function_declarator" {
                end = end.max(inner.start_byte());
                break;
            }
            function = inner
                .child_by_field_name("declarator")
                .or_else(|| first_named(inner));
        }
        Self {
            name: node,
            name_range: node.start_byte()..end,
            scope: scope_start.map(|start| start..node.start_byte()),
            parameters: function.and_then(|function| function.child_by_field_name("parameters")),
            function,
            value,
            points: false,
        }
    }

    /// Whether it declares a function.
    pub(crate) fn is_function(&self) -> bool {
        self.function.is_some()
    }

    /// Whether it declares an operator or a conversion.
    pub(crate) fn is_operator(&self) -> bool {
        matches!(self.name.kind(), "operator_name" | "operator_cast")
    }
}

pub(crate) fn has_child(node: Node<'_>, kind: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == kind)
}

/// The last named child that is not a modifier: what a wrapper without fields wraps.
fn first_named(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| {
        !matches!(
            child.kind(),
            "ms_call_modifier" | "attribute_declaration" | "type_qualifier" | "comment"
        )
    })
}

/// The types of a parameter list, separated by `,`, without names and default values.
pub(crate) fn parameter_types(list: Node<'_>, text: &str) -> String {
    let mut out = String::new();
    let mut cursor = list.walk();
    for parameter in list.children(&mut cursor) {
        let written = match parameter.kind() {
            "..." | "variadic_parameter" => "...".to_owned(),
            "parameter_declaration"
            | "optional_parameter_declaration"
            | "variadic_parameter_declaration" => parameter_type(parameter, text),
            "identifier" => text[parameter.byte_range()].to_owned(), // before C had prototypes
            _ => continue,
        };
        if written == "void" && list.named_child_count() == 1 {
            continue;
        }
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(&written);
    }
    out
}

fn parameter_type(parameter: Node<'_>, text: &str) -> String {
    let declarator = parameter.child_by_field_name("declarator");
    let name = declarator.and_then(declared_name);
    let end = match parameter.child_by_field_name("default_value") {
        Some(value) => {
            let before = text[..value.start_byte()].trim_end();
            before.strip_suffix('=').unwrap_or(before).len()
        }
        None => parameter.end_byte(),
    };
    let start = parameter.start_byte();
    let written = match name {
        Some(name) if name.end <= end => {
            format!("{} {}", &text[start..name.start], &text[name.end..end])
        }
        _ => text.get(start..end).unwrap_or("").to_owned(),
    };
    normal_type(&written)
}

fn declared_name(declarator: Node<'_>) -> Option<Range<usize>> {
    let mut node = declarator;
    loop {
        node = match node.kind() {
            "identifier" => return Some(node.byte_range()),
            "reference_declarator"
            | "parenthesized_declarator"
            | "variadic_declarator"
            | "attributed_declarator" => first_named(node)?,
            _ => node.child_by_field_name("declarator")?,
        };
    }
}

/// One spelling for `const char *`, `const char*` and `const  char * `.
fn normal_type(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    for word in written.split_whitespace() {
        let attaches = word.starts_with(['*', '&', ')', '[', ',', '>', '.']);
        if !out.is_empty() && !attaches && !out.ends_with(['(', '<']) {
            out.push(' ');
        }
        for c in word.chars() {
            if out.ends_with(['*', '&']) && (c.is_alphanumeric() || c == '_') {
                out.push(' '); // `char *const`
            }
            out.push(c);
        }
    }
    out
}
