//! Inline function: the value that a function gives stands at its calls.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::effects::{Effect, effect_of};
use crate::inline::InlinedCode;
use crate::inline::value::makes;
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::{TextPart, TextRewrite};
use crate::tree::{children, descendants, is_comment, leaf_at, range_of, text_of};

/// A function that gives the value of one expression.
struct ValueFunction<'t> {
    /// The declaration.
    statement: Node<'t>,
    value: Node<'t>,
    /// The names of its parameters.
    parameters: Vec<&'t str>,
}

/// Plans the replacements of a function.
pub(super) fn plan(of: &InlinedCode<'_, '_>) -> Result<TextRewrite, Refusal> {
    let function = function(of)?;
    let statement = function.statement;
    let uses = match of.inline.only {
        Some(at) => leaf_at(of.tree, at).into_iter().collect(),
        None => of.uses()?,
    };
    let inside = uses
        .iter()
        .find(|used| statement.byte_range().contains(&used.start_byte()));
    if let Some(inside) = inside {
        let message = format!("`{}` calls itself.", of.inline.name());
        return of.refuse(RefusalKind::Unsupported, message, inside.start_byte());
    }
    if uses.is_empty() {
        let message = format!("`{}` is called nowhere.", of.inline.name());
        return of.refuse(RefusalKind::Unsupported, message, statement.start_byte());
    }
    let mut rewrite = TextRewrite::default();
    for used in uses {
        let (call, written) = inlined_call(of, &function, used)?;
        let text = of.value_at(call, function.value, &written)?;
        rewrite.replace(range_of(call), vec![TextPart::Code(text)]);
    }
    if of.inline.only.is_none() {
        of.remove_statement(&mut rewrite, statement.byte_range());
    }
    Ok(rewrite)
}

/// The declaration, which must be one of a value by plain parameters.
fn function<'c>(of: &InlinedCode<'c, '_>) -> Result<ValueFunction<'c>, Refusal> {
    let at = of.resolver.place(of.inline.def).unwrap_or_default();
    let refuse = |message: &str| of.refuse(RefusalKind::Unsupported, message, at as usize);
    let name = leaf_at(of.tree, at);
    let declared = name
        .and_then(|name| name.parent())
        .filter(|of_name| of.forms.is_function(*of_name));
    let Some(declared) = declared else {
        return refuse("The function has no declaration of its own.");
    };
    let head_end = declared
        .child_by_field_name("body")
        .map_or(declared.end_byte(), |of| of.start_byte());
    let head = of
        .text
        .get(declared.start_byte()..head_end)
        .unwrap_or_default();
    let has_word = |word: &str| {
        head.split(|of: char| !of.is_alphanumeric())
            .any(|one| one == word)
    };
    if has_word("async")
        || declared.kind().contains("generator")
        || head.contains('*')
            && declared.kind().starts_with("function_decl")
            && has_word("function")
    {
        return refuse("The function gives its value later.");
    }
    if declared.child_by_field_name("type_parameters").is_some() {
        return refuse("The function has type parameters.");
    }
    let Some(value) = declared.child_by_field_name("body").and_then(value_of_body) else {
        return refuse("The function is not one `return` of a value.");
    };
    let belongs = descendants(value, |_| true).into_iter().find(|node| {
        matches!(
            node.kind(),
            "this" | "super" | "yield" | "await_expression" | "await" | "try_expression"
        )
    });
    if let Some(node) = belongs {
        let message = "The value belongs to the function.";
        return of.refuse(RefusalKind::Unsupported, message, node.start_byte());
    }
    let list = declared.child_by_field_name("parameters");
    let list = list.map(children).unwrap_or_default();
    let mut parameters = Vec::new();
    for parameter in list
        .into_iter()
        .filter(|of| of.is_named() && !is_comment(*of))
    {
        match parameter_name(of, parameter) {
            Some(names) => parameters.extend(names),
            None => return refuse("A parameter is not a plain name."),
        }
    }
    let exported = declared
        .parent()
        .filter(|of| of.kind() == "export_statement");
    if exported.is_some() && of.inline.only.is_none() {
        return refuse("The function is exported: point at a call to inline that one.");
    }
    if declared
        .parent()
        .is_some_and(|of| of.kind() == "decorated_definition")
    {
        return refuse("The function is decorated.");
    }
    Ok(ValueFunction {
        statement: declared,
        value,
        parameters,
    })
}

/// The value that a body gives: of its only `return`, or of its last expression.
fn value_of_body(body: Node<'_>) -> Option<Node<'_>> {
    let mut body = body;
    if let Some(list) = body
        .named_child(0)
        .filter(|of| of.kind() == "statement_list")
    {
        body = list;
    }
    if body.kind() == "arrow_expression_clause" {
        return body.named_child(0);
    }
    let statements: Vec<Node<'_>> = children(body)
        .into_iter()
        .filter(|of| of.is_named() && !is_comment(*of))
        .collect();
    let [only] = statements[..] else { return None };
    match only.kind() {
        "return_statement" => {
            let value = only
                .named_child(0)
                .filter(|_| only.named_child_count() == 1)?;
            match value.kind() {
                "expression_list" => value
                    .named_child(0)
                    .filter(|_| value.named_child_count() == 1),
                _ => Some(value),
            }
        }
        // A block of Rust has the value of its last expression.
        kind if kind.ends_with("_expression")
            || kind.ends_with("_literal")
            || kind == "identifier" =>
        {
            Some(only)
        }
        _ => None,
    }
}

/// The names that a parameter declares; nothing where it is more than a name with a type.
fn parameter_name<'c>(of: &InlinedCode<'c, '_>, parameter: Node<'c>) -> Option<Vec<&'c str>> {
    let plain = |node: Node<'c>| (node.kind() == "identifier").then(|| text_of(node, of.text));
    match parameter.kind() {
        "identifier" => Some(vec![text_of(parameter, of.text)]),
        "typed_parameter" => plain(parameter.named_child(0)?).map(|name| vec![name]),
        "required_parameter" | "parameter" | "formal_parameter" => {
            if parameter.child_by_field_name("value").is_some() {
                return None;
            }
            let name = parameter
                .child_by_field_name("pattern")
                .or_else(|| parameter.child_by_field_name("name"))?;
            plain(name).map(|name| vec![name])
        }
        "parameter_declaration" if of.dialect == Dialect::Go => {
            let mut cursor = parameter.walk();
            let names: Vec<Node<'c>> = parameter
                .children_by_field_name("name", &mut cursor)
                .collect();
            names.into_iter().map(plain).collect()
        }
        _ => None,
    }
}

/// The call at a use, and the value with its arguments.
fn inlined_call<'c>(
    of: &InlinedCode<'c, '_>,
    function: &ValueFunction<'c>,
    used: Node<'c>,
) -> Result<(Node<'c>, String), Refusal> {
    let at = used.start_byte();
    let refuse = |message: &str| of.refuse(RefusalKind::Unsupported, message, at);
    let call = used.parent().filter(|call| {
        let callee = call
            .child_by_field_name("function")
            .or_else(|| call.child_by_field_name("name"));
        callee.is_some_and(|callee| callee.id() == used.id()) && !of.forms.is_function(*call)
    });
    let arguments = call.and_then(|call| call.child_by_field_name("arguments"));
    let (Some(call), Some(list)) = (call, arguments) else {
        return refuse("The function is used without a call there.");
    };
    let given: Vec<Node<'_>> = children(list)
        .into_iter()
        .filter(|of| of.is_named() && !is_comment(*of))
        .collect();
    let given: Vec<Node<'_>> = given
        .into_iter()
        .map(|node| match node.kind() {
            "argument" if node.named_child_count() == 1 => node.named_child(0).unwrap_or(node),
            _ => node,
        })
        .collect();
    let is_plain = given.iter().all(|node| {
        !matches!(
            node.kind(),
            "spread_element"
                | "keyword_argument"
                | "list_splat"
                | "dictionary_splat"
                | "argument"
                | "variadic_argument"
        )
    });
    if !is_plain || given.len() != function.parameters.len() {
        return refuse("The arguments are not one for each parameter.");
    }
    of.check_names(function.value, used)?;
    let mut text = text_of(function.value, of.text).to_owned();
    let places = parameter_places(of, function);
    for (place, argument) in given.iter().enumerate() {
        let effect = effect_of(of.forms, *argument, of.text, of.dialect);
        let count = places
            .iter()
            .filter(|(_, parameter)| *parameter == place)
            .count();
        let is_repeated = count != 1 && (effect != Effect::Nothing || makes(*argument));
        let others = given.len() > 1 && effect == Effect::Acts;
        let acts = effect_of(of.forms, function.value, of.text, of.dialect) == Effect::Acts;
        if is_repeated || others || acts && effect == Effect::Acts {
            let message =
                "The argument would be evaluated at another time, or another number of times.";
            return of.refuse(RefusalKind::Unsupported, message, argument.start_byte());
        }
    }
    let start = function.value.start_byte();
    for (node, parameter) in places.iter().rev() {
        let Some(argument) = given.get(*parameter) else {
            continue;
        };
        let written = of.value_at(*node, *argument, text_of(*argument, of.text))?;
        let range = node.start_byte() - start..node.end_byte() - start;
        text.replace_range(range, &written);
    }
    Ok((call, text))
}

/// The uses of parameters in the value, in the order of the text, with the places of the parameters.
fn parameter_places<'c>(
    of: &InlinedCode<'c, '_>,
    function: &ValueFunction<'c>,
) -> Vec<(Node<'c>, usize)> {
    let names = descendants(function.value, |_| true)
        .into_iter()
        .filter(|node| matches!(node.kind(), "identifier" | "shorthand_property_identifier"));
    let mut places: Vec<(Node<'c>, usize)> = names
        .filter_map(|node| {
            let (used, _) = of.resolver.at(of.inline.def.file, node.start_byte() as u32);
            let target = of.resolver.target(codecortex_resolve::ExprRef {
                file: of.inline.def.file,
                expr: used?,
            });
            let is_own = target.defs.iter().any(|def| {
                let at = of.resolver.place(*def);
                def.file == of.inline.def.file
                    && at.is_some_and(|at| {
                        let at = at as usize;
                        function.statement.byte_range().contains(&at)
                            && at < function.value.start_byte()
                    })
            });
            let place = function
                .parameters
                .iter()
                .position(|name| *name == text_of(node, of.text))?;
            is_own.then_some((node, place))
        })
        .collect();
    places.sort_by_key(|(node, _)| node.start_byte());
    places
}
