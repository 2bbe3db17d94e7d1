//! Inline variable: its value stands at its uses.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::effects::{Effect, acts_before, effect_of, reads_members};
use crate::extract::place::{innermost_function, place_of};
use crate::inline::InlinedCode;
use crate::inline::value::makes;
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::{TextPart, TextRewrite};
use crate::tree::{leaf_at, range_of, text_of};

/// A declaration of one variable.
struct VariableDeclaration<'t> {
    statement: Node<'t>,
    value: Node<'t>,
}

/// Plans the replacements of a variable.
pub(super) fn plan(of: &InlinedCode<'_, '_>) -> Result<TextRewrite, Refusal> {
    let declared = declaration(of)?;
    let uses = of.uses()?;
    let at = declared.statement.start_byte();
    if uses.is_empty() {
        let message = format!("`{}` is used nowhere.", of.inline.name());
        return of.refuse(RefusalKind::Unsupported, message, at);
    }
    check_evaluation(of, &declared, &uses)?;
    let value = declared.value;
    let written = text_of(value, of.text);
    let mut rewrite = TextRewrite::default();
    for (number, used) in uses.iter().enumerate() {
        of.check_names(value, *used)?;
        let text = of.value_at(*used, value, written)?;
        let parts = match (number, text.split_once(written)) {
            (0, Some((before, behind))) => vec![
                TextPart::Text(before.to_owned()),
                TextPart::Source(range_of(value)),
                TextPart::Text(behind.to_owned()),
            ],
            _ => vec![TextPart::Code(text)],
        };
        rewrite.replace(range_of(*used), parts);
    }
    of.remove_statement(&mut rewrite, declared.statement.byte_range());
    Ok(rewrite)
}

/// The declaration of the variable, which declares nothing else.
fn declaration<'c>(of: &InlinedCode<'c, '_>) -> Result<VariableDeclaration<'c>, Refusal> {
    let at = of.resolver.place(of.inline.def).unwrap_or_default();
    let refuse = |message: &str| of.refuse(RefusalKind::Unsupported, message, at as usize);
    let Some(name) = leaf_at(of.tree, at) else {
        return refuse("The declaration is not there.");
    };
    if innermost_function(of.forms, name).is_none() {
        return refuse("The variable is not one of a function.");
    }
    let mut statement = name;
    while let Some(parent) = statement.parent() {
        if of.forms.is_statement_in(parent, statement) {
            break;
        }
        statement = parent;
    }
    let kind = statement.kind();
    let is_declaration = kind.contains("declaration")
        || kind == "expression_statement"
        || kind == "short_var_declaration";
    let value = name.parent().and_then(|parent| value_of(parent, name));
    let (true, Some(value)) = (is_declaration, value) else {
        return refuse("The variable has no value of its own where it is declared.");
    };
    let same = value.end_byte() + 1 >= statement.end_byte();
    if !same {
        return refuse("The statement declares something else as well.");
    }
    let before = of
        .text
        .get(statement.start_byte()..name.start_byte())
        .unwrap_or_default();
    let words = before.split_ascii_whitespace();
    let is_plain = words.clone().all(|word| {
        matches!(
            word,
            "const"
                | "let"
                | "var"
                | "auto"
                | "final"
                | "mut"
                | "auto&&"
                | "const auto"
                | "&"
                | "auto&"
        )
    });
    let gap = of
        .text
        .get(name.end_byte()..value.start_byte())
        .unwrap_or_default();
    let is_untyped =
        is_plain && matches!(gap.trim(), "=" | ":=") || of.dialect == Dialect::JavaScript;
    let has_conversion = !matches!(
        of.dialect,
        Dialect::TypeScript | Dialect::JavaScript | Dialect::Python
    );
    if !is_untyped && has_conversion {
        return refuse("The type of the variable may convert the value.");
    }
    if !is_plain && !has_conversion {
        return refuse("The statement declares something else as well.");
    }
    Ok(VariableDeclaration { statement, value })
}

/// The value that a declarator gives a name.
fn value_of<'c>(declarator: Node<'c>, name: Node<'c>) -> Option<Node<'c>> {
    if declarator.kind() == "expression_list" {
        let statement = declarator.parent()?;
        let right = statement.child_by_field_name("right")?;
        let is_one = declarator.named_child_count() == 1 && right.named_child_count() == 1;
        return right.named_child(0).filter(|_| is_one);
    }
    let field = declarator
        .child_by_field_name("value")
        .or_else(|| declarator.child_by_field_name("right"));
    let last = || {
        let count = declarator.named_child_count();
        let last = declarator.named_child(count.checked_sub(1)? as u32)?;
        (declarator.kind() == "variable_declarator" && last.id() != name.id()).then_some(last)
    };
    field.or_else(last)
}

/// Refuses a value that would be evaluated at another time, or another number of times, with another result.
fn check_evaluation(
    of: &InlinedCode<'_, '_>,
    declared: &VariableDeclaration<'_>,
    uses: &[Node<'_>],
) -> Result<(), Refusal> {
    let value = declared.value;
    let effect = effect_of(of.forms, value, of.text, of.dialect);
    let reads = reads_members(of.forms, value);
    let is_made = makes(value);
    if effect == Effect::Nothing && !reads && !is_made {
        return Ok(());
    }
    if let Some(second) = uses.get(1).filter(|_| effect == Effect::Acts || is_made) {
        let message = "The value would be made several times.";
        return of.refuse(RefusalKind::Unsupported, message, second.start_byte());
    }
    let own = innermost_function(of.forms, declared.statement).map(|of| of.id());
    for used in uses {
        let at = used.start_byte();
        let place = place_of(of.forms, *used, of.text);
        let function = innermost_function(of.forms, *used).map(|of| of.id());
        let Some(place) = place.ok().filter(|_| function == own) else {
            let message = "The value would be evaluated later.";
            return of.refuse(RefusalKind::Unsupported, message, at);
        };
        let is_sure = place.conditional.is_none() && place.repeated.is_none();
        let statement = place.place.node();
        let is_beside =
            statement.parent().map(|of| of.id()) == declared.statement.parent().map(|of| of.id());
        if !(is_sure && is_beside) {
            let message = "The value would be evaluated under a condition, or several times.";
            return of.refuse(RefusalKind::Unsupported, message, at);
        }
        let mut between = declared.statement.next_named_sibling();
        while let Some(node) = between.filter(|of| of.id() != statement.id()) {
            if effect_of(of.forms, node, of.text, of.dialect) == Effect::Acts {
                let message =
                    "What is called between would be called before the value is evaluated.";
                return of.refuse(RefusalKind::Unsupported, message, node.start_byte());
            }
            between = node.next_named_sibling();
        }
        let before = acts_before(of.forms, statement, *used, of.text, of.dialect);
        if let Some(first) = before.first() {
            let message =
                "What is called before the use would be called before the value is evaluated.";
            return of.refuse(RefusalKind::Unsupported, message, first.start_byte());
        }
        check_reach(of, value, *used)?;
    }
    Ok(())
}

/// Refuses uses that change what the variable holds, which may be a copy.
fn check_reach(of: &InlinedCode<'_, '_>, value: Node<'_>, used: Node<'_>) -> Result<(), Refusal> {
    let copies = matches!(
        of.dialect,
        Dialect::Go
            | Dialect::Rust
            | Dialect::C
            | Dialect::Cpp
            | Dialect::CSharp
            | Dialect::AngelScript
    );
    let mut node = used;
    let mut is_reached = false;
    while let Some(parent) = node
        .parent()
        .filter(|of| of.start_byte() == node.start_byte())
    {
        is_reached |= parent
            .child_by_field_name("left")
            .is_some_and(|left| left.id() == node.id())
            && parent.kind().contains("assign")
            || parent
                .child_by_field_name("function")
                .is_some_and(|of| of.id() == node.id());
        node = parent;
    }
    let is_address = used
        .parent()
        .is_some_and(|parent| text_of(parent, of.text).starts_with('&'));
    if copies && reads_members(of.forms, value) && (is_reached || is_address) {
        let message = "The variable may be a copy of what is used there.";
        return of.refuse(RefusalKind::Unsure, message, used.start_byte());
    }
    Ok(())
}
