//! Deletes a declaration with its documentation, attributes, decorators and separators.

use std::ops::Range;

use tree_sitter::Node;

use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::TextEdit;
use crate::structure::syntax_tree::{ends_of, is_comment, tree_of};
use crate::structure::{DeclarationPlace, edited, facts, new_syntax_errors};

/// The replacement that takes a declaration out of its text.
///
/// # Errors
/// It cannot be taken out alone: a statement declares others with it, or what is left does not parse.
pub fn deletion((path, text): (&str, &str), place: &DeclarationPlace) -> Result<TextEdit, Refusal> {
    let unsupported = |message: String| Refusal::new(RefusalKind::Unsupported, message);
    let tree = tree_of(path, text);
    let tree = tree.ok_or_else(|| unsupported(format!("{path} cannot be read as code.")))?;
    let ends = ends_of(&tree, &place.code);
    if let Some((first, last)) = ends {
        check_place(first, last, &place.name)?;
    }
    let edit = match ends {
        Some((first, last)) if is_only_statement(first, last) => {
            edited(&(place.whole.start..place.code.end), "pass".to_owned())
        }
        ends => {
            let mut range = place.whole.clone();
            if let Some((first, last)) = ends {
                let last = match first.id() == last.id() {
                    true => alone_in_statement(last),
                    false => last,
                };
                range.start = range.start.min(last.start_byte() as u32);
                range.end = range.end.max(last.end_byte() as u32);
                with_separator(first, last, &mut range);
            }
            edited(&whole_lines(text, range), String::new())
        }
    };
    check_alone((path, text), place, &edit)?;
    let mut after = text.to_owned();
    after.replace_range(edit.range(), &edit.text);
    match new_syntax_errors(path, text, &after).is_empty() {
        true => Ok(edit),
        false => Err(unsupported(format!(
            "What is left of {path} without `{}` does not parse.",
            place.name
        ))),
    }
}

/// Refuses what others count by its place: parameters, and constants of Go whose value the next ones repeat.
fn check_place(first: Node<'_>, last: Node<'_>, name: &str) -> Result<(), Refusal> {
    let unsupported = |message: String| Err(Refusal::new(RefusalKind::Unsupported, message));
    if first
        .parent()
        .is_some_and(|parent| parent.kind().contains("parameter"))
    {
        return unsupported(format!(
            "`{name}` is a parameter: a call gives its value by place."
        ));
    }
    let mut next = last.next_named_sibling();
    while let Some(comment) = next.filter(|next| is_comment(*next)) {
        next = comment.next_named_sibling();
    }
    let repeats =
        |next: Node<'_>| next.kind() == "const_spec" && next.child_by_field_name("value").is_none();
    match next.is_some_and(repeats) {
        true => unsupported(format!("The constant behind `{name}` repeats its value.")),
        false => Ok(()),
    }
}

/// The statement that a node is the only part of, such as `let a = 1;` of `a = 1`.
fn alone_in_statement(mut node: Node<'_>) -> Node<'_> {
    while let Some(parent) = node.parent()
        && parent.named_child_count() == 1
        && (parent.kind().ends_with("_declaration")
            || parent.kind().ends_with("_statement")
            || parent.kind() == "decorated_definition")
        && parent.parent().is_some()
    {
        node = parent;
    }
    node
}

/// Whether a block that indentation makes has nothing else than what is between two nodes.
fn is_only_statement(first: Node<'_>, last: Node<'_>) -> bool {
    let Some(block) = first.parent().filter(|parent| parent.kind() == "block") else {
        return false;
    };
    let mut cursor = block.walk();
    let mut children = block.children(&mut cursor);
    let own = first.start_byte()..last.end_byte();
    let is_first_brace = block.child(0).is_some_and(|child| child.kind() == "{");
    !is_first_brace && children.all(|child| is_comment(child) || own.contains(&child.start_byte()))
}

/// Takes in the sign that parts nodes from the next one, or from the one before them.
pub(super) fn with_separator(first: Node<'_>, last: Node<'_>, range: &mut Range<u32>) {
    let next = last.next_sibling();
    if let Some(sign) = next.filter(|next| matches!(next.kind(), "," | ";")) {
        range.end = range.end.max(sign.end_byte() as u32);
        return;
    }
    let mut before = first.prev_sibling();
    while let Some(comment) = before.filter(|before| is_comment(*before)) {
        before = comment.prev_sibling();
    }
    if let Some(sign) = before.filter(|before| before.kind() == ",") {
        range.start = range.start.min(sign.start_byte() as u32);
    }
}

/// A range with the whole lines that nothing else is on, and the blank ones behind them where there are such before.
pub(super) fn whole_lines(text: &str, range: Range<u32>) -> Range<u32> {
    let (mut start, mut end) = (range.start as usize, range.end as usize);
    let before = text.get(..start).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let lead = before.get(line..).unwrap_or_default();
    let rest = text.get(end..).unwrap_or_default();
    let tail = rest.find('\n').map_or(rest.len(), |end| end + 1);
    let is_alone = lead.trim().is_empty() && rest[..tail].trim().is_empty();
    if !is_alone {
        // The blanks between two of a list go with the one that is deleted.
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if lead.trim_end().ends_with(['(', '[', '{', ',']) || rest.is_empty() {
            end += blanks;
        }
        return start as u32..end as u32;
    }
    start = line;
    end += tail;
    let above = text.get(..start).unwrap_or_default();
    let above = above.lines().next_back().map(str::trim);
    let opens = above.is_none_or(|line| line.is_empty() || line.ends_with(['{', ':', '(', '[']));
    let rest = text.get(end..).unwrap_or_default();
    if opens {
        for line in rest.split_inclusive('\n') {
            if !line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
    } else if rest.trim_start().starts_with(['}', ')']) && !rest.starts_with('\n') {
        return start as u32..end as u32;
    }
    // Nothing is behind it: the blank lines before it would end the text or the block.
    let rest = text.get(end..).unwrap_or_default();
    if rest.trim().is_empty() || rest.trim_start().starts_with('}') {
        while let Some(line) = text
            .get(..start)
            .and_then(|text| text.split_inclusive('\n').next_back())
            && line.trim().is_empty()
        {
            start -= line.len();
        }
    }
    start as u32..end as u32
}

/// Refuses a deletion that takes other declarations along than those inside of the deleted one.
fn check_alone(
    (path, text): (&str, &str),
    place: &DeclarationPlace,
    edit: &TextEdit,
) -> Result<(), Refusal> {
    let Some(facts) = facts(path, text) else {
        return Ok(());
    };
    let deleted = edit.start..edit.end;
    for item in &facts.items {
        let is_inside = |name: u32| name == place.name_byte;
        let mut around = Some(item);
        let mut is_own = false;
        while let Some(item) = around {
            is_own |= is_inside(item.name_byte);
            around = item
                .parent
                .and_then(|parent| facts.items.get(parent as usize));
        }
        if deleted.contains(&item.name_byte) && !is_own {
            let other = facts.str(item.name);
            let message = format!("`{}` is declared together with `{other}`.", place.name);
            return Err(Refusal::new(RefusalKind::Unsupported, message));
        }
    }
    Ok(())
}
