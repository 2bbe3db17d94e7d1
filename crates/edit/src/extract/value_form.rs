//! How a variable stands for an expression: the value itself, or a reference to the place that it names.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, flag};
use codecortex_resolve::{DefRef, ExprRef};
use tree_sitter::Node;

use crate::extract::forms::is_in_field;
use crate::extract::place::innermost_function;
use crate::extract::script_context;
use crate::extract::selection::SelectedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{descendants, range_of, text_of};

/// An expression and how its variable is declared and used.
pub(super) struct ValueForm<'t> {
    pub(super) expression: Node<'t>,
    /// Stands before the value in the declaration.
    pub(super) before: &'static str,
    /// Stands before the name where it is used.
    pub(super) used_as: &'static str,
    /// Whether it is a constant of Go without a type.
    pub(super) is_constant: bool,
    /// Whether the expression is a statement itself, which the declaration replaces.
    pub(super) is_unused: bool,
}

/// What is done with the place that an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceUse {
    /// Its value is taken.
    Value,
    /// It is compared with something.
    Compared,
    /// A method is called on it.
    Receiver,
    /// It, or what is in it, is assigned.
    Written,
    /// Its address is taken.
    Referenced,
    /// It is matched with patterns.
    Matched,
}

/// Kinds of nodes that name a place.
const PLACES: &str = "field_expression index_expression selector_expression member_access_expression \
    element_access_expression member_expression subscript_expression pointer_expression";

fn is_place(node: Node<'_>, text: &str) -> bool {
    let is_deref = node.kind() == "unary_expression" && text_of(node, text).starts_with('*');
    is_deref
        || PLACES
            .split_ascii_whitespace()
            .any(|kind| kind == node.kind())
}

/// Fields in which a node is what a member or element is taken of.
const BASES: [&str; 5] = ["object", "value", "operand", "argument", "expression"];

/// Whether a node is what a member or element of its parent is taken of.
fn is_base(parent: Node<'_>, node: Node<'_>) -> bool {
    let kind = parent.kind();
    let names_place = PLACES.split_ascii_whitespace().any(|one| one == kind);
    names_place
        && (BASES.iter().any(|field| is_in_field(parent, node, field))
            || parent.named_child(0).is_some_and(|of| of.id() == node.id()))
}

fn place_use(node: Node<'_>, text: &str) -> PlaceUse {
    let mut node = node;
    let mut is_itself = true;
    while let Some(parent) = node.parent() {
        let kind = parent.kind();
        if kind == "parenthesized_expression" {
            node = parent;
            continue;
        }
        if is_base(parent, node) && kind != "pointer_expression" {
            node = parent;
            is_itself = false;
            continue;
        }
        let in_field = |field| is_in_field(parent, node, field);
        let sign = parent.child(0).map_or("", |of| text_of(of, text));
        if in_field("function") {
            return PlaceUse::Receiver;
        }
        if in_field("left") && kind.contains("assign") {
            return PlaceUse::Written;
        }
        if kind == "expression_list"
            && parent
                .parent()
                .is_some_and(|of| of.kind().contains("assign") && is_in_field(of, parent, "left"))
        {
            return PlaceUse::Written;
        }
        let changes = ["update_expression", "inc_statement", "dec_statement"].contains(&kind)
            || text_of(parent, text).starts_with("++")
            || text_of(parent, text).ends_with("--");
        if changes {
            return PlaceUse::Written;
        }
        if kind == "reference_expression" || sign == "&" {
            let is_mutable = parent
                .child(1)
                .is_some_and(|of| of.kind() == "mutable_specifier");
            return if is_mutable {
                PlaceUse::Written
            } else {
                PlaceUse::Referenced
            };
        }
        if matches!(kind, "match_expression" | "let_condition") && in_field("value") {
            return PlaceUse::Matched;
        }
        let operator = parent.child_by_field_name("operator");
        let operator = operator.map_or("", |of| text_of(of, text));
        let compares = matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=");
        return match compares && is_itself {
            true => PlaceUse::Compared,
            false => PlaceUse::Value,
        };
    }
    PlaceUse::Value
}

/// How a variable stands for an expression, or why none can.
pub(super) fn value_form<'t>(
    of: &SelectedCode<'t, '_>,
    expression: Node<'t>,
) -> Result<ValueForm<'t>, Refusal> {
    let parent = expression.parent();
    let is_unused = parent.is_some_and(|parent| parent.kind() == "expression_statement");
    let may_be_nothing = !matches!(
        of.dialect,
        Dialect::TypeScript | Dialect::JavaScript | Dialect::Python | Dialect::Rust
    );
    if is_unused && may_be_nothing {
        let message = "The value of the expression is not used.";
        return of.refuse(RefusalKind::Unsupported, message, expression.start_byte());
    }
    let mut form = ValueForm {
        expression,
        before: "",
        used_as: "",
        is_constant: false,
        is_unused,
    };
    match of.dialect {
        Dialect::TypeScript | Dialect::JavaScript => script_context::check(of, expression)?,
        Dialect::Rust => rust_form(of, &mut form)?,
        Dialect::Go => go_form(of, &mut form)?,
        Dialect::CSharp | Dialect::Java => {
            check_is_value(of, expression)?;
            check_copied(of, expression)?;
        }
        Dialect::Cpp => check_lifetime(of, expression)?,
        Dialect::C => {
            let message = "The type of the expression must be written in this language.";
            return of.refuse(RefusalKind::Unsupported, message, expression.start_byte());
        }
        Dialect::AngelScript => {
            check_is_value(of, expression)?;
            check_copied(of, expression)?;
        }
        Dialect::Python | Dialect::Named(_) => {}
    }
    Ok(form)
}

/// A place of Rust is borrowed where its value is not taken.
fn rust_form<'t>(of: &SelectedCode<'t, '_>, form: &mut ValueForm<'t>) -> Result<(), Refusal> {
    let expression = form.expression;
    let at = expression.start_byte();
    if !is_place(expression, of.text) {
        if place_use(expression, of.text) == PlaceUse::Receiver
            && !takes_shared_self(of, expression)
        {
            let message = "The method that is called on it may change it.";
            return of.refuse(RefusalKind::Unsure, message, at);
        }
        return Ok(());
    }
    match place_use(expression, of.text) {
        PlaceUse::Value => Ok(()),
        PlaceUse::Compared => {
            (form.before, form.used_as) = ("&", "*");
            Ok(())
        }
        PlaceUse::Referenced => {
            let mut around = expression;
            while let Some(parent) = around
                .parent()
                .filter(|_| around.kind() != "reference_expression")
            {
                around = parent;
            }
            let direct = around.child_by_field_name("value");
            if direct.is_some_and(|of| of.id() == expression.id()) {
                form.expression = around;
            } else {
                form.before = "&";
            }
            Ok(())
        }
        PlaceUse::Receiver
            if is_shared_root(of, expression) || takes_shared_self(of, expression) =>
        {
            form.before = "&";
            Ok(())
        }
        PlaceUse::Receiver => {
            let message = "The method that is called on it may change or take it.";
            of.refuse(RefusalKind::Unsure, message, at)
        }
        PlaceUse::Written => {
            let message = "What it names is changed there.";
            of.refuse(RefusalKind::Unsupported, message, at)
        }
        PlaceUse::Matched => {
            let message = "Patterns may take parts of what it names.";
            of.refuse(RefusalKind::Unsupported, message, at)
        }
    }
}

/// Whether the first name of a place of Rust is a shared reference, so that nothing can be changed or taken through it.
fn is_shared_root(of: &SelectedCode<'_, '_>, place: Node<'_>) -> bool {
    let mut root = place;
    while let Some(base) = root
        .child_by_field_name("value")
        .or_else(|| root.named_child(0).filter(|_| is_place(root, of.text)))
    {
        root = base;
    }
    match root.kind() {
        "self" => {
            let function = innermost_function(of.forms, root);
            let mut next = function;
            while let Some(around) = next.filter(|of| of.kind() != "function_item") {
                next = innermost_function(of.forms, around);
            }
            let parameters = next.and_then(|of| of.child_by_field_name("parameters"));
            let own = parameters.and_then(|list| list.named_child(0));
            own.is_some_and(|own| {
                own.kind() == "self_parameter"
                    && text_of(own, of.text).starts_with('&')
                    && !text_of(own, of.text).contains("mut")
            })
        }
        "identifier" => {
            let (used, _) = of.resolver.at(of.file, root.start_byte() as u32);
            let targets = used.map(|expr| of.local_targets(expr)).unwrap_or_default();
            let bound = of.resolver.workspace().file(of.file);
            let [only] = targets[..] else { return false };
            let declared = bound.map(|bound| *bound.def(only));
            let name = declared.and_then(|def| crate::tree::leaf_at(of.tree, def.at));
            let parameter = name.and_then(|name| name.parent());
            let ty = parameter
                .filter(|of| of.kind() == "parameter")
                .and_then(|of| of.child_by_field_name("type"));
            ty.is_some_and(|ty| {
                let ty = text_of(ty, of.text);
                ty.starts_with('&') && !ty.contains("mut ")
            })
        }
        _ => false,
    }
}

/// Whether the method that is called on an expression is one of this file that borrows its object.
fn takes_shared_self(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> bool {
    let member = expression
        .parent()
        .filter(|of| of.kind() == "field_expression");
    let name = member.and_then(|member| member.child_by_field_name("field"));
    let Some(name) = name else { return false };
    let (used, _) = of.resolver.at(of.file, name.start_byte() as u32);
    let Some(expr) = used else { return false };
    let target = of.resolver.target(ExprRef {
        file: of.file,
        expr,
    });
    let takes = |def: &DefRef| {
        if def.file != of.file {
            return false;
        }
        let name = of
            .resolver
            .place(*def)
            .and_then(|at| crate::tree::leaf_at(of.tree, at));
        let function = name.and_then(|name| name.parent());
        let list = function.and_then(|of| of.child_by_field_name("parameters"));
        let own = list.and_then(|list| list.named_child(0));
        own.is_some_and(|own| {
            let own = text_of(own, of.text);
            own.starts_with('&') && !own.contains("mut")
        })
    };
    !target.defs.is_empty() && target.defs.iter().all(takes)
}

/// Go copies values, and constants have no type until they are used.
fn go_form<'t>(of: &SelectedCode<'t, '_>, form: &mut ValueForm<'t>) -> Result<(), Refusal> {
    let expression = form.expression;
    let at = expression.start_byte();
    check_one_result(of, expression)?;
    check_is_value(of, expression)?;
    form.is_constant = is_untyped_constant(of, expression);
    let is_copied = is_place(expression, of.text)
        && matches!(
            place_use(expression, of.text),
            PlaceUse::Receiver | PlaceUse::Written | PlaceUse::Referenced
        );
    if is_copied && !is_shared_value(of, expression) {
        let message = "The variable would be a copy of what is used there.";
        return of.refuse(RefusalKind::Unsure, message, at);
    }
    Ok(())
}

/// Whether an expression of Go is made of literals and constants alone.
fn is_untyped_constant(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> bool {
    let leaves = descendants(expression, |node| !node.kind().ends_with("literal"));
    leaves
        .into_iter()
        .filter(|node| node.is_named())
        .all(|node| {
            let kind = node.kind();
            let is_part = matches!(
                kind,
                "binary_expression" | "parenthesized_expression" | "unary_expression"
            );
            let is_literal = matches!(
                kind,
                "int_literal"
                    | "float_literal"
                    | "imaginary_literal"
                    | "rune_literal"
                    | "true"
                    | "false"
                    | "interpreted_string_literal"
                    | "raw_string_literal"
            );
            let is_constant = kind == "identifier" && {
                let (used, _) = of.resolver.at(of.file, node.start_byte() as u32);
                let target = used.map(|expr| {
                    of.resolver.target(ExprRef {
                        file: of.file,
                        expr,
                    })
                });
                target.is_some_and(|target| {
                    !target.defs.is_empty()
                        && target
                            .defs
                            .iter()
                            .all(|def| of.resolver.kind(*def) == Some(DefKind::Constant))
                })
            };
            is_part || is_literal || is_constant
        })
}

/// Whether a place of Go holds a pointer, a map, a slice, a channel or a function, as this file declares it.
fn is_shared_value(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> bool {
    let name = expression.child_by_field_name("field");
    let Some(name) = name else { return false };
    let (used, _) = of.resolver.at(of.file, name.start_byte() as u32);
    let Some(expr) = used else { return false };
    let target = of.resolver.target(ExprRef {
        file: of.file,
        expr,
    });
    let is_shared = |def: &DefRef| {
        let at = of.resolver.place(*def).filter(|_| def.file == of.file);
        let declared = at.and_then(|at| crate::tree::leaf_at(of.tree, at)?.parent());
        let ty = declared.and_then(|of| of.child_by_field_name("type"));
        ty.is_some_and(|ty| {
            matches!(
                ty.kind(),
                "pointer_type"
                    | "map_type"
                    | "slice_type"
                    | "channel_type"
                    | "function_type"
                    | "interface_type"
            )
        })
    };
    !target.defs.is_empty() && target.defs.iter().all(is_shared)
}

/// Refuses a call of Go that may have another number of results than one.
fn check_one_result(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> Result<(), Refusal> {
    let at = expression.start_byte();
    let list = expression
        .parent()
        .filter(|of| of.kind() == "expression_list");
    let is_alone = list.is_some_and(|list| list.named_child_count() == 1);
    let statement = list.and_then(|list| list.parent()).filter(|_| is_alone);
    let left = statement.and_then(|of| {
        of.child_by_field_name("left")
            .or_else(|| of.child_by_field_name("name"))
    });
    if left.is_some_and(|left| left.named_child_count() > 1) {
        return of.refuse(RefusalKind::Unsupported, "It has several values there.", at);
    }
    if expression.kind() != "call_expression" {
        return Ok(());
    }
    let callee = expression.child_by_field_name("function");
    let name = callee.map(|of| of.child_by_field_name("field").unwrap_or(of));
    let used = name.and_then(|name| of.resolver.at(of.file, name.start_byte() as u32).0);
    let target = used.map(|expr| {
        of.resolver.target(ExprRef {
            file: of.file,
            expr,
        })
    });
    let defs = target.map(|target| target.defs).unwrap_or_default();
    let results = defs.iter().filter_map(|def| {
        let bound = of.resolver.workspace().file(def.file)?;
        match bound.expr(of.resolver.definition(*def)?.ty) {
            Expr::Tuple { of } => Some(bound.list(of).len()),
            _ => Some(1),
        }
    });
    let results: Vec<usize> = results.collect();
    if results.iter().any(|count| *count != 1) {
        return of.refuse(RefusalKind::Unsupported, "It has several values.", at);
    }
    let is_only_argument = expression
        .parent()
        .is_some_and(|of| of.kind() == "argument_list" && of.named_child_count() == 1);
    let is_returned = statement.is_some_and(|of| of.kind() == "return_statement")
        && innermost_function(of.forms, expression)
            .and_then(|of| of.child_by_field_name("result"))
            .is_some_and(|of| of.kind() == "parameter_list" && of.named_child_count() > 1);
    if results.is_empty() && (is_returned || is_only_argument && !is_conversion(of, expression)) {
        let message = "It is not known whether it has one value.";
        return of.refuse(RefusalKind::Unsure, message, at);
    }
    Ok(())
}

/// Whether a call of Go is one of a function of the language, which have one result.
fn is_conversion(of: &SelectedCode<'_, '_>, call: Node<'_>) -> bool {
    let callee = call.child_by_field_name("function");
    callee.is_some_and(|callee| {
        let is_type = !matches!(callee.kind(), "identifier" | "selector_expression");
        let is_plain = callee.kind() == "identifier" && {
            let (used, _) = of.resolver.at(of.file, callee.start_byte() as u32);
            // A name that nothing declares is the language's own.
            used.is_some_and(|expr| {
                let target = of.resolver.target(ExprRef {
                    file: of.file,
                    expr,
                });
                target.defs.is_empty() && target.via_aliases.is_empty()
            })
        };
        is_type || is_plain
    })
}

/// Refuses a chain of names that is a type, a namespace or a method.
fn check_is_value(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> Result<(), Refusal> {
    let at = expression.start_byte();
    if !matches!(
        expression.kind(),
        "member_access_expression" | "field_access" | "selector_expression" | "member_expression"
    ) {
        return Ok(());
    }
    let range = range_of(expression);
    let uses = of.resolver.uses_between(of.file, range.start, range.end);
    let Some((last, ..)) = uses.iter().max_by_key(|of| of.1) else {
        return Ok(());
    };
    let target = of.resolver.target(ExprRef {
        file: of.file,
        expr: *last,
    });
    let is_other = |def: &DefRef| {
        let kind = of.resolver.kind(*def);
        kind.is_some_and(|kind| {
            kind.is_type()
                || kind.is_callable()
                || matches!(kind, DefKind::Namespace | DefKind::Module)
        })
    };
    if target.defs.iter().any(is_other) || target.namespace.is_some() {
        return of.refuse(RefusalKind::Unsupported, "It is no value.", at);
    }
    let head = uses.iter().min_by_key(|of| of.1);
    let is_chain = descendants(expression, |_| true).into_iter().all(|node| {
        !node.is_named() || node.kind() == expression.kind() || node.kind().ends_with("identifier")
    });
    let is_known = head.is_some_and(|(expr, ..)| {
        let target = of.resolver.target(ExprRef {
            file: of.file,
            expr: *expr,
        });
        target.defs.iter().any(|def| !is_other(def))
    });
    if is_chain && target.defs.is_empty() && !is_known && of.dialect != Dialect::Go {
        let message = "It is not known whether it is a value.";
        return of.refuse(RefusalKind::Unsure, message, at);
    }
    Ok(())
}

/// Refuses what would be changed in a copy of a struct.
fn check_copied(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> Result<(), Refusal> {
    let used = place_use(expression, of.text);
    let is_changed = matches!(used, PlaceUse::Receiver | PlaceUse::Written);
    if of.dialect == Dialect::Java || !is_place(expression, of.text) || !is_changed {
        return Ok(());
    }
    let member = expression
        .parent()
        .and_then(|parent| parent.child_by_field_name("name"));
    let used_at = member.and_then(|name| of.resolver.at(of.file, name.start_byte() as u32).0);
    let receiver = used_at.and_then(|expr| {
        of.resolver.receiver_type(ExprRef {
            file: of.file,
            expr,
        })
    });
    let kind = receiver.and_then(|def| of.resolver.kind(def));
    let is_shared = matches!(kind, Some(DefKind::Class | DefKind::Interface));
    let is_read = used == PlaceUse::Receiver
        && of.dialect == Dialect::CSharp
        && kind != Some(DefKind::Struct);
    if is_shared || is_read {
        return Ok(());
    }
    let message = "The variable may be a copy of what is changed there.";
    of.refuse(RefusalKind::Unsure, message, expression.start_byte())
}

/// Refuses what may refer to an object of C++ that ends with the statement, and what must stay an rvalue.
fn check_lifetime(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> Result<(), Refusal> {
    let at = expression.start_byte();
    let callee = expression.child_by_field_name("function");
    let object = callee
        .filter(|of| of.kind() == "field_expression")
        .and_then(|of| of.child_by_field_name("argument"));
    let is_temporary = object
        .is_some_and(|of| matches!(of.kind(), "call_expression" | "parenthesized_expression"));
    let is_dot = callee
        .and_then(|of| of.child_by_field_name("operator"))
        .is_some_and(|sign| text_of(sign, of.text) == ".");
    if is_temporary && is_dot {
        let message = "It may refer to an object that lives as long as the statement.";
        return of.refuse(RefusalKind::Unsure, message, at);
    }
    let is_cast = callee.is_some_and(|callee| {
        let callee = text_of(callee, of.text);
        callee == "std::move" || callee.starts_with("std::forward<")
    });
    if is_cast || is_given_as_rvalue(of, expression) {
        let message = "It must be an rvalue there, which no variable is.";
        return of.refuse(RefusalKind::Unsupported, message, at);
    }
    Ok(())
}

/// Whether a parameter of C++ takes rvalues alone.
fn is_given_as_rvalue(of: &SelectedCode<'_, '_>, argument: Node<'_>) -> bool {
    let list = argument.parent().filter(|of| of.kind() == "argument_list");
    let Some((list, call)) = list.and_then(|list| Some((list, list.parent()?))) else {
        return false;
    };
    let mut cursor = list.walk();
    let place = list
        .named_children(&mut cursor)
        .position(|of| of.id() == argument.id());
    let name = call.child_by_field_name("function");
    let name = name.map(|name| name.child_by_field_name("field").unwrap_or(name));
    let used = name.and_then(|name| {
        let last = name.end_byte().checked_sub(1)?;
        of.resolver.at(of.file, last as u32).0
    });
    let target = used.map(|expr| {
        of.resolver.target(ExprRef {
            file: of.file,
            expr,
        })
    });
    let defs = target.map(|target| target.defs).unwrap_or_default();
    defs.iter().any(|def| {
        let Some(bound) = of.resolver.workspace().file(def.file) else {
            return false;
        };
        let mut parameters = bound.params(def.def);
        let parameter = place.and_then(|place| parameters.nth(place));
        parameter.is_some_and(|def| bound.def(def).flags & flag::RVALUE_REFERENCE != 0)
    })
}
