//! Where a declaration stands: its documentation, its code, its body.

use std::ops::Range;

use codecortex_syntax::content_hash;
use tree_sitter::Node;

use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::TextEdit;
use crate::structure::indent::{PlaceIndent, reindented};
use crate::structure::syntax_tree::{body_of_name, ends_of, is_comment, range_of, tree_of};
use crate::structure::{InsertSide, edited};

/// A declaration in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclarationPlace {
    /// Its name.
    pub name: String,
    /// First byte of the name.
    pub name_byte: u32,
    /// Attributes, modifiers and all to its end.
    pub code: Range<u32>,
    /// The same with the documentation above it.
    pub whole: Range<u32>,
}

impl DeclarationPlace {
    /// A declaration by what the index says of it. Nothing where the text has no such bytes.
    #[must_use]
    pub fn new(
        (path, text): (&str, &str),
        name: &str,
        name_byte: u32,
        code: Range<u32>,
    ) -> Option<Self> {
        text.get(code.start as usize..code.end as usize)?;
        let mut whole = code.clone();
        let mut outer = code.clone();
        if let Some(tree) = tree_of(path, text)
            && let Some((mut first, last)) = ends_of(&tree, &code)
        {
            if first.id() == last.id() {
                first = outermost(first);
                outer = range_of(first);
            }
            whole.start = outer.start;
            while let Some(above) = first.prev_sibling()
                && is_comment(above)
                && is_doc_of(text, above, whole.start)
            {
                whole.start = above.start_byte() as u32;
                first = above;
            }
        }
        whole.end = outer.end;
        Some(Self {
            name: name.to_owned(),
            name_byte,
            code: outer,
            whole,
        })
    }

    /// What tells the declaration with its documentation from any other text, as 16 hexadecimal digits.
    #[must_use]
    pub fn hash(&self, text: &str) -> String {
        let hash = content_hash(self.text(text).as_bytes());
        hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The declaration with its documentation.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        let range = self.whole.start as usize..self.whole.end as usize;
        text.get(range).unwrap_or_default()
    }

    /// The replacement of its body.
    pub(super) fn new_body(
        &self,
        (path, text): (&str, &str),
        code: &str,
    ) -> Result<TextEdit, Refusal> {
        let without = |message: &str| Refusal::new(RefusalKind::Unsupported, message);
        let tree = tree_of(path, text);
        let tree = tree.ok_or_else(|| without("The file cannot be read as code."))?;
        let body = body_of_name(&tree, self.name_byte);
        let body = body.ok_or_else(|| {
            let message = format!("`{}` has no body.", self.name);
            Refusal::new(RefusalKind::Unsupported, message)
        })?;
        let place = PlaceIndent::of_line(text, self.code.start);
        let range = range_of(body);
        if is_by_indentation(body, text) {
            return Ok(self.new_suite((path, text), body, code, &place));
        }
        if body.kind() == "arrow_expression_clause" && !code.trim_start().starts_with("=>") {
            // `=> value;` becomes a block.
            let end = body
                .parent()
                .map_or(range.end, |parent| parent.end_byte() as u32);
            let written = block(path, code, &place);
            return Ok(match opens_on_own_line(text) {
                true => {
                    let head = text.get(..range.start as usize).unwrap_or_default();
                    let head = head.trim_end().len() as u32;
                    edited(&(head..end), format!("\n{}{written}", place.line))
                }
                false => edited(&(range.start..end), written),
            });
        }
        let is_expression = !text
            .get(range.start as usize..)
            .is_some_and(|rest| rest.starts_with('{'));
        let written = match is_expression {
            true => reindented(path, code, &place).trim_start().to_owned(),
            false => block(path, code, &place),
        };
        Ok(edited(&range, written))
    }

    /// A body that indentation makes one: from behind the colon to its end.
    fn new_suite(
        &self,
        (path, text): (&str, &str),
        body: Node<'_>,
        code: &str,
        place: &PlaceIndent,
    ) -> TextEdit {
        let end = body.end_byte() as u32;
        let before = text.get(..body.start_byte()).unwrap_or_default();
        let start = before.rfind(':').map_or(before.len(), |colon| colon + 1);
        let code = if code.trim().is_empty() { "pass" } else { code };
        let inner = reindented(path, code, &place.deeper());
        edited(&(start as u32..end), format!("\n{inner}"))
    }

    /// The blank lines between the declaration and the one behind or before it; nothing where it has neither.
    fn blank_lines(&self, text: &str) -> Option<usize> {
        let indent = PlaceIndent::of_line(text, self.code.start).line;
        let is_beside = |line: &str| {
            line.strip_prefix(&*indent)
                .is_some_and(|rest| !rest.starts_with([' ', '\t', '}', ')', ']']))
        };
        let behind = text.get(self.whole.end as usize..)?;
        let before = text.get(..self.whole.start as usize)?;
        let before = before.get(..line_start(text, self.whole.start) as usize)?;
        let behind = blank_lines(behind.lines().skip(1), is_beside);
        behind.or_else(|| blank_lines(before.lines().rev(), is_beside))
    }

    /// Code beside it, with a blank line between where the place has such.
    pub(super) fn insertion(
        &self,
        (path, text): (&str, &str),
        side: InsertSide,
        code: &str,
    ) -> TextEdit {
        let place = PlaceIndent::of_line(text, self.code.start);
        let code = reindented(path, code, &place);
        let is_apart = code.trim().contains('\n') || self.text(text).contains('\n');
        let blank = self
            .blank_lines(text)
            .unwrap_or_else(|| usize::from(is_apart));
        let gap = "\n".repeat(blank + 1);
        match side {
            InsertSide::Before => {
                let at = line_start(text, self.whole.start);
                let lead = text.get(at as usize..self.whole.start as usize);
                // Behind other code of the same line.
                let is_first = lead.is_some_and(|lead| lead.trim().is_empty());
                let at = if is_first { at } else { self.whole.start };
                edited(&(at..at), format!("{code}{gap}"))
            }
            InsertSide::After => {
                let rest = text.get(self.whole.end as usize..).unwrap_or_default();
                let end = rest.find('\n').unwrap_or(rest.len());
                // What ends the declaration, and a comment on its line, stay with it.
                let line = rest[..end].trim_end_matches('\r');
                let tail = line.trim_start();
                let is_own = tail.is_empty()
                    || tail.starts_with([';', ','])
                    || tail.starts_with("//")
                    || tail.starts_with('#');
                let at = self.whole.end + if is_own { line.len() as u32 } else { 0 };
                let behind = if is_own { "" } else { "\n" };
                edited(&(at..at), format!("{gap}{code}{behind}"))
            }
        }
    }
}

/// A declaration with what belongs to it beyond what the index counts: decorators and `export`.
fn outermost(mut node: Node<'_>) -> Node<'_> {
    while let Some(parent) = node.parent()
        && matches!(
            parent.kind(),
            "export_statement"
                | "decorated_definition"
                | "template_declaration"
                | "expression_statement"
        )
    {
        node = parent;
    }
    node
}

/// Whether a comment belongs to what begins at a byte: it ends on the line before, and begins its own line.
fn is_doc_of(text: &str, comment: Node<'_>, start: u32) -> bool {
    let end = comment.end_byte();
    let between = text.get(end..start as usize).unwrap_or("x");
    // Grammars differ in whether the end of the line belongs to a comment.
    let has_break = text.get(..end).is_some_and(|text| text.ends_with('\n'));
    let breaks = between.matches('\n').count() + usize::from(has_break);
    let line = line_start(text, comment.start_byte() as u32) as usize;
    let lead = text.get(line..comment.start_byte()).unwrap_or("x");
    between.trim().is_empty() && breaks <= 1 && lead.trim().is_empty()
}

fn line_start(text: &str, at: u32) -> u32 {
    let before = text.get(..at as usize).unwrap_or_default();
    before.rfind('\n').map_or(0, |end| end as u32 + 1)
}

/// Whether indentation makes a body, and no brackets.
fn is_by_indentation(body: Node<'_>, text: &str) -> bool {
    let opens = text
        .get(body.start_byte()..)
        .is_some_and(|rest| rest.starts_with('{'));
    body.kind() == "block" && !opens
}

/// How many lines are blank before the first that is not, which must be such a one.
fn blank_lines<'t>(
    mut lines: impl Iterator<Item = &'t str>,
    is_wanted: impl Fn(&str) -> bool,
) -> Option<usize> {
    let mut blank = 0;
    let next = lines.find(|line| {
        let is_blank = line.trim().is_empty();
        blank += usize::from(is_blank);
        !is_blank
    })?;
    is_wanted(next).then_some(blank)
}

/// Whether the blocks of a text open on lines of their own.
fn opens_on_own_line(text: &str) -> bool {
    let opening = text
        .lines()
        .map(str::trim)
        .filter(|line| line.ends_with('{'));
    let (alone, behind): (Vec<&str>, Vec<&str>) = opening.partition(|line| *line == "{");
    alone.len() > behind.len()
}

/// A code between braces, unless it has its own.
fn block(path: &str, code: &str, place: &PlaceIndent) -> String {
    let trimmed = code.trim();
    if trimmed.starts_with('{') && closes_at_end(trimmed) {
        return reindented(path, code, place).trim_start().to_owned();
    }
    if trimmed.is_empty() {
        return "{\n".to_owned() + &place.line + "}";
    }
    let inner = reindented(path, code, &place.deeper());
    format!("{{\n{inner}\n{}}}", place.line)
}

/// Whether the brace that opens a code closes at its end: statements may begin with a block of their own.
fn closes_at_end(code: &str) -> bool {
    let mut depth = 0_i32;
    let mut quote: Option<char> = None;
    let mut letters = code.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(letter),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return at + 1 == code.len();
                }
            }
            _ => {}
        }
    }
    false
}
