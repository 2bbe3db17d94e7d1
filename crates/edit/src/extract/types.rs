//! Types of variables as text: as they are declared, or as their first value says without doubt.

use codecortex_bind::Dialect;
use codecortex_resolve::ExprRef;
use tree_sitter::Node;

use crate::extract::made_values::made_by;
use crate::extract::selection::SelectedCode;
use crate::tree::{children, leaf_at, text_of};

/// How far above a name its declaration stands.
const MAX_ABOVE: usize = 6;
/// The longest chain of values that are looked through.
pub(super) const MAX_STEPS: usize = 8;

impl<'s> SelectedCode<'s, '_> {
    /// The type of a variable of this file; nothing where nobody wrote it and its value does not say it.
    pub(super) fn type_of_variable(&self, def: u32) -> Option<String> {
        self.type_of_def(def, MAX_STEPS)
    }

    /// Whether the type of a variable of TypeScript is written beside its name.
    pub(super) fn has_annotation(&self, def: u32) -> bool {
        let bound = self.resolver.workspace().file(self.file);
        let name = bound.and_then(|bound| leaf_at(self.tree, bound.def(def).at));
        let declared = name.and_then(|name| name.parent());
        declared.is_some_and(|of| of.child_by_field_name("type").is_some())
    }

    fn type_of_def(&self, def: u32, steps: usize) -> Option<String> {
        let bound = self.resolver.workspace().file(self.file)?;
        let name = leaf_at(self.tree, bound.def(def).at)?;
        let steps = steps.checked_sub(1)?;
        let mut node = name;
        for _ in 0..MAX_ABOVE {
            let parent = node.parent()?;
            match self.declared_type(parent, node, name, steps) {
                Some(found) => return found,
                None => node = parent,
            }
        }
        None
    }

    /// The type that a declaration says; the outer nothing where the node is none.
    fn declared_type(
        &self,
        parent: Node<'s>,
        node: Node<'s>,
        name: Node<'s>,
        steps: usize,
    ) -> Option<Option<String>> {
        let field = |field: &str| parent.child_by_field_name(field);
        let text = |node: Node<'s>| text_of(node, self.text).to_owned();
        let is_whole =
            node.id() == name.id() || text_of(node, self.text) == text_of(name, self.text);
        let kind = parent.kind();
        Some(match (self.dialect, kind) {
            (Dialect::TypeScript, "required_parameter" | "optional_parameter") if is_whole => {
                let ty = field("type").map(|ty| text(ty).trim_start_matches(':').trim().to_owned());
                let ty = ty.or_else(|| self.type_of_value(field("value")?, steps));
                let is_rest = text_of(parent, self.text).starts_with("...");
                match (kind, is_rest) {
                    (_, true) => None,
                    ("optional_parameter", _) => ty.map(|ty| format!("{ty} | undefined")),
                    _ => ty,
                }
            }
            (Dialect::TypeScript, "variable_declarator") if is_whole => {
                let ty = field("type").map(|ty| text(ty).trim_start_matches(':').trim().to_owned());
                ty.or_else(|| self.type_of_value(field("value")?, steps))
            }
            (Dialect::TypeScript, "for_in_statement") => {
                let is_of = field("operator").is_some_and(|of| of.kind() == "of");
                let ty = self.type_of_value(field("right")?, steps)?;
                let element = ty
                    .strip_prefix("readonly ")
                    .unwrap_or(&ty)
                    .strip_suffix("[]")?;
                let is_plain = element
                    .chars()
                    .all(|of| of.is_alphanumeric() || matches!(of, '_' | '$' | '.'));
                (is_of && is_plain).then(|| element.to_owned())
            }
            (Dialect::Go, "parameter_declaration" | "var_spec") => match field("type") {
                Some(ty) => Some(text(ty)),
                None => self.type_of_value(field("value")?.named_child(0)?, steps),
            },
            (Dialect::Go, "variadic_parameter_declaration") => {
                Some(format!("[]{}", text(field("type")?)))
            }
            (Dialect::Go, "short_var_declaration") => {
                let (left, right) = (field("left")?, field("right")?);
                let place = |list: Node<'s>| {
                    let mut cursor = list.walk();
                    let all: Vec<Node<'s>> = list.named_children(&mut cursor).collect();
                    all
                };
                let (left, right) = (place(left), place(right));
                let at = left.iter().position(|of| of.id() == name.id())?;
                match right.len() == left.len() {
                    true => self.type_of_value(*right.get(at)?, steps),
                    false => self.result_of_call(*right.first()?, at),
                }
            }
            (Dialect::Go, "range_clause") => {
                let left = field("left")?;
                let is_first = left.named_child(0).is_some_and(|of| of.id() == name.id());
                let ty = self.type_of_value(field("right")?, steps)?;
                match (is_first, ty.strip_prefix("[]")) {
                    (true, Some(_)) => Some("int".to_owned()),
                    (false, Some(element)) => Some(element.to_owned()),
                    _ => None,
                }
            }
            (Dialect::Rust, "parameter") if is_whole => field("type").map(text),
            (Dialect::Rust, "let_declaration") if is_whole => match field("type") {
                Some(ty) => Some(text(ty)),
                None => self.type_of_value(field("value")?, steps),
            },
            (Dialect::Java, "formal_parameter" | "enhanced_for_statement" | "resource") => {
                self.written_type(field("type")?, field("value"), steps)
            }
            (Dialect::Java, "catch_formal_parameter") => {
                let ty = children(parent)
                    .into_iter()
                    .find(|of| of.kind() == "catch_type")?;
                (ty.named_child_count() == 1).then(|| text(ty))
            }
            (Dialect::Java, "local_variable_declaration") => {
                let declarator = children(parent).into_iter().find(|of| {
                    of.byte_range().contains(&name.start_byte())
                        && of.kind() == "variable_declarator"
                })?;
                let dimensions = declarator.child_by_field_name("dimensions").map(text);
                let value = declarator.child_by_field_name("value");
                let ty = self.written_type(field("type")?, value, steps)?;
                Some(format!("{ty}{}", dimensions.unwrap_or_default()))
            }
            (Dialect::Java, "spread_parameter") => None,
            (Dialect::CSharp, "parameter" | "foreach_statement") => {
                let has_modifier = children(parent).iter().any(|of| {
                    of.kind() == "modifier" || matches!(of.kind(), "ref" | "out" | "in" | "params")
                });
                match has_modifier && kind == "parameter" {
                    true => None,
                    false => self.written_type(field("type")?, None, steps),
                }
            }
            (Dialect::CSharp, "variable_declaration") => {
                let declarator = children(parent).into_iter().find(|of| {
                    of.byte_range().contains(&name.start_byte())
                        && of.kind() == "variable_declarator"
                })?;
                let count = declarator.named_child_count();
                let value = declarator.named_child(count.checked_sub(1)? as u32);
                self.written_type(field("type")?, value.filter(|_| count > 1), steps)
            }
            (
                Dialect::Cpp | Dialect::C,
                "parameter_declaration" | "declaration" | "for_range_loop",
            ) => self.cpp_type(parent, name),
            (Dialect::AngelScript, "parameter" | "local_declaration" | "range_for_statement") => {
                let ty = field("type").map(text)?;
                (!ty.contains("auto") && !ty.contains('&')).then_some(ty)
            }
            _ => return None,
        })
    }

    /// A type that stands before a name; of `var` that of the value.
    fn written_type(&self, ty: Node<'s>, value: Option<Node<'s>>, steps: usize) -> Option<String> {
        match text_of(ty, self.text) {
            "var" => self.type_of_value(value?, steps),
            written => Some(written.to_owned()),
        }
    }

    /// The type of a declaration of C++, with `*` and `&`, without the name.
    fn cpp_type(&self, declaration: Node<'s>, name: Node<'s>) -> Option<String> {
        let ty = declaration.child_by_field_name("type")?;
        if text_of(ty, self.text).contains("auto") || ty.kind() == "decltype" {
            return None;
        }
        let mut signs = String::new();
        let mut node = name.parent()?;
        while node.id() != declaration.id() {
            match node.kind() {
                "pointer_declarator" => signs.insert(0, '*'),
                // A name is no rvalue, whatever its type refers to.
                "reference_declarator" => signs.insert(0, '&'),
                "init_declarator" => {}
                _ => return None,
            }
            node = node.parent()?;
        }
        let qualifiers = children(declaration)
            .into_iter()
            .filter(|of| of.kind() == "type_qualifier");
        let mut written: Vec<&str> = qualifiers
            .map(|of| text_of(of, self.text))
            .filter(|of| *of == "const" || *of == "volatile")
            .collect();
        written.push(text_of(ty, self.text));
        Some(format!("{}{signs}", written.join(" ")))
    }

    /// The type of a value that says it itself.
    pub(super) fn type_of_value(&self, value: Node<'s>, steps: usize) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        let text = |node: Node<'s>| text_of(node, self.text).to_owned();
        let field = |field: &str| value.child_by_field_name(field);
        let own = |name: &str| Some(name.to_owned());
        let operator = field("operator").map(text).unwrap_or_default();
        let is_test = matches!(
            operator.as_str(),
            "==" | "!=" | "===" | "!==" | "<" | ">" | "<=" | ">=" | "instanceof"
        );
        match (self.dialect, value.kind()) {
            (_, "parenthesized_expression") => self.type_of_value(value.named_child(0)?, steps),
            (_, "identifier") => {
                let (used, _) = self.resolver.at(self.file, value.start_byte() as u32);
                let targets = self.local_targets(used?);
                let [only] = targets[..] else { return None };
                self.type_of_def(only, steps)
            }
            (Dialect::TypeScript, "number") => own("number"),
            (Dialect::TypeScript, "string" | "template_string") => own("string"),
            (Dialect::TypeScript, "true" | "false") => own("boolean"),
            (Dialect::TypeScript, "binary_expression") if is_test => own("boolean"),
            (Dialect::TypeScript, "binary_expression")
                if matches!(operator.as_str(), "-" | "*" | "/" | "%") =>
            {
                own("number")
            }
            (Dialect::TypeScript, "unary_expression") if operator == "!" => own("boolean"),
            (Dialect::TypeScript, "as_expression" | "satisfies_expression") => {
                let ty = value.named_child(1).map(text)?;
                (ty != "const" && value.kind() == "as_expression").then_some(ty)
            }
            (Dialect::TypeScript, "new_expression") => {
                let class = field("constructor")?;
                let arguments = children(value)
                    .into_iter()
                    .find(|of| of.kind() == "type_arguments");
                match (arguments, self.has_type_parameters(class)) {
                    (Some(arguments), _) => Some(format!("{}{}", text(class), text(arguments))),
                    (None, Some(false)) => Some(text(class)),
                    _ => None,
                }
            }
            (Dialect::Go, "int_literal") => own("int"),
            (Dialect::Go, "float_literal") => own("float64"),
            (Dialect::Go, "rune_literal") => own("rune"),
            (Dialect::Go, "interpreted_string_literal" | "raw_string_literal") => own("string"),
            (Dialect::Go, "true" | "false") => own("bool"),
            (Dialect::Go, "binary_expression")
                if is_test || matches!(operator.as_str(), "&&" | "||") =>
            {
                own("bool")
            }
            (Dialect::Go, "binary_expression") => {
                self.type_of_arithmetic((field("left")?, field("right")?), &operator, steps)
            }
            (Dialect::Go, "composite_literal") => {
                let ty = field("type").map(text)?;
                (!ty.contains("...")).then_some(ty)
            }
            (Dialect::Go, "unary_expression") if operator == "&" => Some(format!(
                "*{}",
                self.type_of_value(field("operand")?, steps)?
            )),
            (Dialect::Go, "unary_expression") if operator == "!" => own("bool"),
            (Dialect::Go, "type_conversion_expression" | "type_assertion_expression") => {
                field("type").map(text)
            }
            (Dialect::Go, "call_expression") => {
                let arguments = field("arguments")?;
                match field("function").map(text)?.as_str() {
                    "make" => Some(text(arguments.named_child(0)?)),
                    "new" => Some(format!("*{}", text(arguments.named_child(0)?))),
                    "len" | "cap" => own("int"),
                    "append" => self.type_of_value(arguments.named_child(0)?, steps),
                    "string" | "int" | "int64" | "uint64" | "float64" | "byte" => {
                        field("function").map(text)
                    }
                    _ => self.result_of_call(value, 0),
                }
            }
            (Dialect::Rust, "struct_expression") => {
                let name = field("name").map(text)?;
                (!name.contains("Self") || !name.contains("::")).then_some(name)
            }
            (Dialect::Rust, "boolean_literal") => own("bool"),
            (Dialect::Rust, "binary_expression")
                if is_test || matches!(operator.as_str(), "&&" | "||") =>
            {
                own("bool")
            }
            (Dialect::Rust, "string_literal") => own("&str"),
            (Dialect::Rust, "type_cast_expression") => field("type").map(text),
            (Dialect::Rust, "call_expression") => self
                .result_of_call(value, 0)
                .or_else(|| made_by(self, value)),
            (Dialect::Java | Dialect::CSharp, "object_creation_expression") => {
                let ty = field("type").map(text)?;
                (!ty.ends_with("<>")).then_some(ty)
            }
            (Dialect::Java | Dialect::CSharp, "cast_expression") => field("type").map(text),
            (Dialect::Java, "string_literal") => own("String"),
            (Dialect::Java, "true" | "false" | "instanceof_expression") => own("boolean"),
            (Dialect::Java, "binary_expression")
                if is_test || matches!(operator.as_str(), "&&" | "||") =>
            {
                own("boolean")
            }
            (Dialect::Java, "decimal_integer_literal") => {
                own(if text(value).ends_with(['L', 'l']) {
                    "long"
                } else {
                    "int"
                })
            }
            (Dialect::Java, "method_invocation") => self.result_of_call(value, 0),
            (
                Dialect::CSharp,
                "string_literal" | "interpolated_string_expression" | "verbatim_string_literal",
            ) => own("string"),
            (Dialect::CSharp, "boolean_literal" | "is_pattern_expression" | "is_expression") => {
                own("bool")
            }
            (Dialect::CSharp, "binary_expression")
                if is_test || matches!(operator.as_str(), "&&" | "||") =>
            {
                own("bool")
            }
            (Dialect::CSharp, "integer_literal") => text(value)
                .ends_with(|letter: char| letter.is_ascii_digit())
                .then(|| "int".to_owned()),
            (Dialect::CSharp, "invocation_expression") => self.result_of_call(value, 0),
            (Dialect::Cpp | Dialect::C | Dialect::AngelScript, "true" | "false" | "boolean") => {
                own("bool")
            }
            (Dialect::Cpp | Dialect::AngelScript, "binary_expression")
                if is_test || matches!(operator.as_str(), "&&" | "||") =>
            {
                own("bool")
            }
            (Dialect::TypeScript, "call_expression") => self.result_of_call(value, 0),
            _ => None,
        }
    }

    /// Whether the class that a name means has type parameters; nothing where it is not known.
    fn has_type_parameters(&self, name: Node<'s>) -> Option<bool> {
        let (used, _) = self.resolver.at(self.file, name.start_byte() as u32);
        let target = self.resolver.target(ExprRef {
            file: self.file,
            expr: used?,
        });
        let first = *target.defs.first()?;
        let bound = self.resolver.workspace().file(first.file)?;
        Some(!bound.type_params(first.def).is_empty())
    }

    /// The declared result of a function of this file that is called, without type parameters.
    fn result_of_call(&self, call: Node<'s>, place: usize) -> Option<String> {
        let callee = call
            .child_by_field_name("function")
            .or_else(|| call.child_by_field_name("name"))?;
        let name = ["field", "property", "name"]
            .iter()
            .find_map(|field| callee.child_by_field_name(field))
            .unwrap_or(callee);
        let (used, _) = self.resolver.at(self.file, name.start_byte() as u32);
        let target = self.resolver.target(ExprRef {
            file: self.file,
            expr: used?,
        });
        let [only] = target.defs[..] else { return None };
        let bound = self.resolver.workspace().file(only.file)?;
        if only.file != self.file || !bound.type_params(only.def).is_empty() {
            return None;
        }
        let function = leaf_at(self.tree, bound.def(only.def).at)?.parent()?;
        let body = function.child_by_field_name("body")?;
        let result = ["return_type", "result", "returns", "type"]
            .iter()
            .find_map(|field| function.child_by_field_name(field))
            .filter(|of| of.end_byte() <= body.start_byte())?;
        let is_async = self
            .text
            .get(function.start_byte()..result.start_byte())
            .is_some_and(|head| head.split_ascii_whitespace().any(|word| word == "async"));
        if is_async {
            return None;
        }
        let written = text_of(result, self.text).trim_start_matches(':').trim();
        let of_owner = written
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word == "Self");
        match (self.dialect, result.kind()) {
            _ if of_owner
                || matches!(written, "void" | "never" | "this")
                || written.contains(" is ") =>
            {
                None
            }
            (Dialect::Go, "parameter_list") => {
                let mut cursor = result.walk();
                let all: Vec<Node<'s>> = result.named_children(&mut cursor).collect();
                let ty = all.get(place)?;
                let ty = ty.child_by_field_name("type").unwrap_or(*ty);
                Some(text_of(ty, self.text).to_owned())
            }
            _ if place > 0 => None,
            _ => Some(written.to_owned()),
        }
    }
}
