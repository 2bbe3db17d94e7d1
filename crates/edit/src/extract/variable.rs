//! Extract variable: an expression gets a name before its statement.

use std::ops::Range;

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::effects::{Effect, acts_before, effect_of, reads_members};
use crate::extract::place::{ExpressionPlace, StatementPlace, outermost_function, place_of};
use crate::extract::selection::{PlannedExtraction, SelectedCode};
use crate::extract::value_form::{ValueForm, value_form};
use crate::moving::line_end;
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::{TextPart, TextRewrite};
use crate::structure::indent::PlaceIndent;
use crate::structure::syntax_tree::lines_in_strings;
use crate::tree::{range_of, text_of};

/// Plans a variable for the selected expression.
pub(super) fn plan(of: &SelectedCode<'_, '_>) -> Result<PlannedExtraction, Refusal> {
    let expression = of.selected_expression()?;
    let form = value_form(of, expression)?;
    let expression = form.expression;
    let placed = place_of(of.forms, expression, of.text).map_err(|reason| {
        let message = format!("The expression cannot be evaluated before its statement: {reason}.");
        Refusal::new(RefusalKind::Unsupported, message)
            .at([(of.file, expression.start_byte() as u32)])
    })?;
    let statement = placed.place.node();
    if form.is_unused && !matches!(placed.place, StatementPlace::InBlock(_)) {
        let message = "The value of the expression is not used.";
        return of.refuse(RefusalKind::Unsupported, message, statement.start_byte());
    }
    check_block(of, &placed)?;
    of.check_bindings(&range_of(expression), &range_of(statement))?;
    let mut notes = check_order(of, expression, &placed)?;
    of.check_free(&range_of(outermost_function(of.forms, statement)))?;
    let rewrite = match placed.place {
        StatementPlace::InBlock(_) => in_block(of, &form, statement),
        StatementPlace::Unbraced(_) => with_braces(of, &form, statement),
        StatementPlace::Body(_) => as_body(of, &form, statement),
    };
    if of.dialect == Dialect::Java {
        notes.push("`var` needs Java 10.".to_owned());
    }
    Ok(PlannedExtraction {
        rewrite,
        notes,
        shared: None,
    })
}

impl<'s> SelectedCode<'s, '_> {
    /// The expression that is selected as a whole.
    pub(super) fn selected_expression(&self) -> Result<Node<'s>, Refusal> {
        let Range { start, end } = self.range.clone();
        let root = self.tree.root_node();
        let node = root.named_descendant_for_byte_range(start as usize, end as usize);
        let node = node.filter(|node| range_of(*node) == self.range);
        let mut next = node;
        while let Some(of) = next.filter(|of| range_of(*of) == self.range) {
            if of.has_error() {
                let message = "The selection has a place that does not parse.";
                return self.refuse(RefusalKind::Unsupported, message, of.start_byte());
            }
            if self.forms.is_expression(of) {
                return Ok(of);
            }
            next = of.parent();
        }
        let message = match node {
            Some(node) if node.kind().contains("type") => "A type is selected.",
            Some(node) if node.kind().ends_with("identifier") || node.kind() == "self" => {
                "A name alone is selected."
            }
            Some(_) => "The selection is no expression.",
            None => "The selection is no whole expression.",
        };
        self.refuse(RefusalKind::Unsupported, message, start as usize)
    }
}

/// Refuses a declaration in the body of a class, which would be a member, and one that a jump would pass by.
fn check_block(of: &SelectedCode<'_, '_>, placed: &ExpressionPlace<'_>) -> Result<(), Refusal> {
    let StatementPlace::InBlock(statement) = placed.place else {
        return Ok(());
    };
    let block = statement.parent().map_or("", |block| block.kind());
    let skips = match of.dialect {
        Dialect::C | Dialect::Cpp => block == "case_statement",
        Dialect::AngelScript => block == "switch_case",
        _ => false,
    };
    if skips {
        let message = "A later case would jump over the declaration.";
        return of.refuse(RefusalKind::Unsupported, message, statement.start_byte());
    }
    let owner = statement.parent().and_then(|block| block.parent());
    if owner.is_none_or(|owner| owner.kind() != "class_definition") {
        return Ok(());
    }
    let message = "The declaration would be a member of the class.";
    of.refuse(RefusalKind::Unsupported, message, statement.start_byte())
}

/// Refuses what evaluating before the statement would change: whether it is evaluated, how often, and in which order.
fn check_order(
    of: &SelectedCode<'_, '_>,
    expression: Node<'_>,
    placed: &ExpressionPlace<'_>,
) -> Result<Vec<String>, Refusal> {
    let effect = effect_of(of.forms, expression, of.text, of.dialect);
    let reads = reads_members(of.forms, expression);
    if let Some(around) = placed.repeated {
        let message = "The expression is evaluated more than once, or later.";
        return of.refuse(RefusalKind::Unsupported, message, around.start_byte());
    }
    if let Some(around) = placed.conditional
        && (effect != Effect::Nothing || has_narrowed_name(of, expression, placed))
    {
        let message = "The expression may not be evaluated, and could fail or do something before the statement.";
        return of.refuse(RefusalKind::Unsupported, message, around.start_byte());
    }
    let before = acts_before(
        of.forms,
        placed.place.node(),
        expression,
        of.text,
        of.dialect,
    );
    if effect == Effect::Reads && is_tested_again(of, expression, placed.place.node()) {
        let message = "The expression is in a test, and read again: the test may tell its type.";
        return of.refuse(RefusalKind::Unsure, message, expression.start_byte());
    }
    let changes = before
        .iter()
        .find(|act| effect == Effect::Acts || assigns(**act));
    if let Some(first) = changes {
        let message = "What is called before the expression would be called after it.";
        return of.refuse(RefusalKind::Unsure, message, first.start_byte());
    }
    Ok(
        match before.first().filter(|_| effect == Effect::Reads || reads) {
            Some(first) => {
                let called = text_of(*first, of.text).lines().next().unwrap_or_default();
                vec![format!(
                    "The expression is read before `{called}` is called, no more after it."
                )]
            }
            None => Vec::new(),
        },
    )
}

/// Whether an expression is in a test of TypeScript or Python and stands in its statement once more.
fn is_tested_again(of: &SelectedCode<'_, '_>, expression: Node<'_>, statement: Node<'_>) -> bool {
    const TESTS: [&str; 7] = [
        "comparison_operator",
        "boolean_operator",
        "not_operator",
        "conditional_expression",
        "binary_expression",
        "ternary_expression",
        "if_statement",
    ];
    let mut node = expression;
    let mut is_tested = false;
    while let Some(parent) = node.parent().filter(|_| node.id() != statement.id()) {
        is_tested |= TESTS.contains(&parent.kind());
        node = parent;
    }
    let behind = of.text.get(expression.end_byte()..statement.end_byte());
    let again = behind.is_some_and(|behind| behind.contains(text_of(expression, of.text)));
    matches!(of.dialect, Dialect::TypeScript | Dialect::Python) && is_tested && again
}

/// Whether a node gives a variable another value.
fn assigns(node: Node<'_>) -> bool {
    let kind = node.kind();
    ["assignment", "update", "inc_", "dec_", "named", "unary"]
        .iter()
        .any(|part| kind.contains(part))
}

/// Whether a test in the statement says more of the type of a name than is known before it.
fn has_narrowed_name(
    of: &SelectedCode<'_, '_>,
    expression: Node<'_>,
    placed: &ExpressionPlace<'_>,
) -> bool {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return false;
    };
    let range = range_of(expression);
    let from = placed.place.node().start_byte() as u32;
    let uses = of.resolver.uses_between(of.file, range.start, range.end);
    uses.into_iter().any(|(expr, at, ..)| {
        let Some((name, ..)) = bound.expr(expr).written() else {
            return false;
        };
        let mut narrowed = bound.narrowings_of(name);
        narrowed.any(|of| of.start >= from && (of.start..of.end).contains(&at))
    })
}

/// What stands around a name and its value in a declaration.
struct DeclarationWords {
    before: &'static str,
    is: &'static str,
    end: &'static str,
}

impl DeclarationWords {
    fn new(of: &SelectedCode<'_, '_>, form: &ValueForm<'_>, statement: Node<'_>) -> Self {
        let words = |before, is, end| Self { before, is, end };
        match of.dialect {
            Dialect::TypeScript | Dialect::JavaScript => {
                let before = if uses_var(of.text) { "var " } else { "const " };
                let end = if has_semicolons(of.text, statement) {
                    ";"
                } else {
                    ""
                };
                words(before, " = ", end)
            }
            Dialect::Python | Dialect::Named(_) => words("", " = ", ""),
            Dialect::Rust => words("let ", " = ", ";"),
            Dialect::Go if form.is_constant => words("const ", " = ", ""),
            Dialect::Go => words("", " := ", ""),
            Dialect::Java | Dialect::CSharp => words("var ", " = ", ";"),
            Dialect::C | Dialect::Cpp => words("auto&& ", " = ", ";"),
            Dialect::AngelScript => words("auto ", " = ", ";"),
        }
    }
}

/// Whether a script declares by `var` alone.
fn uses_var(text: &str) -> bool {
    let declares = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    declares("var ") && !declares("const ") && !declares("let ")
}

/// Whether statements of a script end with a semicolon; one must be there before what would continue the line before.
fn has_semicolons(text: &str, statement: Node<'_>) -> bool {
    let begin = text_of(statement, text);
    begin.starts_with(['(', '[', '`', '/', '+', '-'])
        || text.lines().any(|line| line.trim_end().ends_with(';'))
}

/// The declaration, without what separates it from the statement.
fn declared(
    of: &SelectedCode<'_, '_>,
    form: &ValueForm<'_>,
    statement: Node<'_>,
    shares_line: bool,
) -> Vec<TextPart> {
    let DeclarationWords { before, is, end } = DeclarationWords::new(of, form, statement);
    let is_script = matches!(of.dialect, Dialect::TypeScript | Dialect::JavaScript);
    let end = if shares_line && is_script { ";" } else { end };
    let (open, close) = match needs_parentheses(of, form.expression) {
        true => ("(", ")"),
        false => ("", ""),
    };
    vec![
        TextPart::Text(before.to_owned()),
        TextPart::Code(of.name.to_owned()),
        TextPart::Text(format!("{is}{}{open}", form.before)),
        TextPart::Source(range_of(form.expression)),
        TextPart::Text(format!("{close}{end}")),
    ]
}

/// Whether a value must be in parentheses where it is a statement's.
fn needs_parentheses(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> bool {
    if expression.kind() == "sequence_expression" {
        return true;
    }
    if of.dialect != Dialect::Python {
        return false;
    }
    // A line of Python ends where no bracket is open.
    let mut next = vec![expression];
    while let Some(node) = next.pop() {
        let kind = node.kind();
        if kind == "string" || kind == "comment" {
            continue;
        }
        let brackets = matches!(
            kind,
            "argument_list"
                | "parenthesized_expression"
                | "list"
                | "tuple"
                | "set"
                | "dictionary"
                | "list_comprehension"
                | "set_comprehension"
                | "dictionary_comprehension"
                | "generator_expression"
        );
        if brackets || node.start_position().row == node.end_position().row {
            continue;
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        let breaks = children
            .windows(2)
            .any(|pair| pair[0].end_position().row != pair[1].start_position().row);
        if breaks && kind != "subscript" {
            return true;
        }
        next.extend(children);
    }
    false
}

/// The use of the variable in the place of the expression.
fn used(of: &SelectedCode<'_, '_>, form: &ValueForm<'_>) -> Vec<TextPart> {
    vec![
        TextPart::Text(form.used_as.to_owned()),
        TextPart::Code(of.name.to_owned()),
    ]
}

fn in_block(of: &SelectedCode<'_, '_>, form: &ValueForm<'_>, statement: Node<'_>) -> TextRewrite {
    let start = statement_start(statement);
    let line = of.text.get(..start as usize).unwrap_or_default();
    let line = line.rsplit('\n').next().unwrap_or_default();
    let is_first = line.chars().all(char::is_whitespace);
    let mut rewrite = TextRewrite::default();
    let mut parts = declared(of, form, statement, !is_first);
    let end = line_end(of.text);
    parts.push(TextPart::Text(match (is_first, of.dialect) {
        (true, _) => format!("{end}{line}"),
        (false, Dialect::Python | Dialect::Go) => "; ".to_owned(),
        (false, _) => " ".to_owned(),
    }));
    if form.is_unused {
        // The declaration stands in the place of the statement, whose end it has.
        let ends = statement.end_byte() > form.expression.end_byte();
        parts.pop();
        if let Some(TextPart::Text(last)) = parts.last_mut().filter(|_| ends) {
            *last = last.trim_end_matches(';').to_owned();
        }
        rewrite.replace(range_of(form.expression), parts);
        return rewrite;
    }
    rewrite.insert(start, parts);
    rewrite.replace(range_of(form.expression), used(of, form));
    rewrite
}

/// Where a statement begins, with the decorators or attributes before it.
fn statement_start(statement: Node<'_>) -> u32 {
    let mut first = statement;
    while let Some(before) = first.prev_named_sibling()
        && matches!(before.kind(), "attribute_item" | "decorator")
    {
        first = before;
    }
    first.start_byte() as u32
}

/// Where braces begin, and how the lines in them are indented.
struct NewBlock {
    /// The end of the header.
    header: u32,
    place: PlaceIndent,
    inner: PlaceIndent,
    end: &'static str,
}

impl NewBlock {
    fn new(text: &str, body: Node<'_>) -> Self {
        let before = text.get(..body.start_byte()).unwrap_or_default();
        let header = before.trim_end().len() as u32;
        let place = PlaceIndent::of_line(text, header);
        let inner = place.deeper();
        let end = line_end(text);
        Self {
            header,
            place,
            inner,
            end,
        }
    }

    fn opened(&self, declared: Vec<TextPart>) -> Vec<TextPart> {
        let (end, inner) = (self.end, &self.inner.line);
        let mut parts = vec![TextPart::Text(format!(" {{{end}{inner}"))];
        parts.extend(declared);
        parts.push(TextPart::Text(format!("{end}{inner}")));
        parts
    }

    fn closed(&self) -> String {
        format!("{}{}}}", self.end, self.place.line)
    }

    /// Indents the lines of a body that began in the line of its header, but those of the expression.
    fn indent_lines(
        &self,
        of: &SelectedCode<'_, '_>,
        body: Node<'_>,
        expression: Node<'_>,
        rewrite: &mut TextRewrite,
    ) {
        let range = body.byte_range();
        let begin = of.text.get(self.header as usize..range.start);
        if begin.is_none_or(|gap| gap.contains('\n')) {
            return;
        }
        let path = of.resolver.workspace().path(of.file).unwrap_or_default();
        let in_strings = lines_in_strings(path, of.text);
        let code = of.text.get(range.clone()).unwrap_or_default();
        let lines = code.match_indices('\n').map(|(at, _)| range.start + at + 1);
        for at in lines {
            let is_free = in_strings.binary_search(&(at as u32)).is_err();
            let rest = of.text.get(at..).unwrap_or_default();
            let is_blank = rest
                .trim_start_matches([' ', '\t'])
                .starts_with(['\r', '\n']);
            if is_free && !is_blank && !expression.byte_range().contains(&at) {
                let unit = TextPart::Text(self.place.unit.clone());
                rewrite.insert(at as u32, vec![unit]);
            }
        }
    }
}

/// A statement behind a header gets braces, with the declaration in them.
fn with_braces(
    of: &SelectedCode<'_, '_>,
    form: &ValueForm<'_>,
    statement: Node<'_>,
) -> TextRewrite {
    let block = NewBlock::new(of.text, statement);
    let mut rewrite = TextRewrite::default();
    let parts = block.opened(declared(of, form, statement, false));
    rewrite.replace(block.header..statement.start_byte() as u32, parts);
    rewrite.replace(range_of(form.expression), used(of, form));
    block.indent_lines(of, statement, form.expression, &mut rewrite);
    let close = TextPart::Text(block.closed());
    rewrite.insert(statement.end_byte() as u32, vec![close]);
    rewrite
}

/// An expression that is a body becomes a block with the declaration in it.
fn as_body(of: &SelectedCode<'_, '_>, form: &ValueForm<'_>, body: Node<'_>) -> TextRewrite {
    let block = NewBlock::new(of.text, body);
    let is_script = matches!(of.dialect, Dialect::TypeScript | Dialect::JavaScript);
    let (word, semicolon) = match (is_script, has_semicolons(of.text, body)) {
        (true, true) => ("return ", ";"),
        (true, false) => ("return ", ""),
        (false, _) => ("", ""),
    };
    let mut rewrite = TextRewrite::default();
    let mut parts = block.opened(declared(of, form, body, false));
    parts.push(TextPart::Text(word.to_owned()));
    let close = TextPart::Text(format!("{semicolon}{}", block.closed()));
    let start = body.start_byte() as u32;
    if range_of(body) == range_of(form.expression) {
        parts.extend(used(of, form));
        parts.push(close);
        rewrite.replace(block.header..body.end_byte() as u32, parts);
        return rewrite;
    }
    rewrite.replace(block.header..start, parts);
    rewrite.replace(range_of(form.expression), used(of, form));
    block.indent_lines(of, body, form.expression, &mut rewrite);
    rewrite.insert(body.end_byte() as u32, vec![close]);
    rewrite
}
