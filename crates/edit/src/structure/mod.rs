//! Edits of whole declarations: a body or a declaration is replaced, code is inserted beside one, one is deleted.
//!
//! A declaration is found by the bytes that the index gives for it. What is written is indented as its place is, and is
//! looked at again: it must parse as what it stands for, and nothing around it may be read in another way.

mod declaration;
mod delete;
mod imports;
pub(crate) mod indent;
mod outcome;
pub(crate) mod syntax_tree;

pub use declaration::DeclarationPlace;
pub use delete::deletion;
pub use imports::import_deletion;
pub use outcome::{ResolvedUses, UseProblem, new_syntax_errors};

use std::ops::Range;

use codecortex_syntax::{Facts, Limits, Outcome, analyse};

use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::TextEdit;
use crate::structure::indent::{PlaceIndent, reindented};

/// Where code is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertSide {
    /// Above a declaration and its documentation.
    Before,
    /// Below it.
    After,
}

/// What is done with a text at a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureEdit {
    /// The text is the new body.
    ReplaceBody,
    /// The text is the new declaration. One with documentation replaces that, too.
    ReplaceSymbol,
    /// The text is code beside it.
    Insert(InsertSide),
}

/// Plans the replacement that writes `code` at a declaration of a file.
///
/// # Errors
/// The declaration has no body, or the code does not parse as what it stands for; the latter not with `is_forced`.
pub fn write_code(
    (path, text): (&str, &str),
    place: &DeclarationPlace,
    edit: StructureEdit,
    code: &str,
    is_forced: bool,
) -> Result<TextEdit, Refusal> {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let code = code.replace("\r\n", "\n");
    let code = code.trim_matches('\n').trim_end();
    if code.trim().is_empty() && edit != StructureEdit::ReplaceBody {
        let message = "There is no code to write.";
        return Err(Refusal::new(RefusalKind::Unsupported, message));
    }
    let planned = match edit {
        StructureEdit::ReplaceBody => place.new_body((path, text), code)?,
        StructureEdit::ReplaceSymbol => {
            let indent = PlaceIndent::of_line(text, place.code.start);
            let start = match syntax_tree::begins_with_comment(path, code) {
                true => place.whole.start,
                false => place.code.start,
            };
            let code = reindented(path, code, &indent);
            let range = start..place.code.end;
            edited(&range, code.trim_start().to_owned())
        }
        StructureEdit::Insert(side) => place.insertion((path, text), side, code),
    };
    let planned = TextEdit {
        text: planned.text.replace('\n', line_end),
        ..planned
    };
    if !is_forced {
        check((path, text), place, edit, &planned)?;
    }
    Ok(planned)
}

fn edited(range: &Range<u32>, text: String) -> TextEdit {
    TextEdit {
        start: range.start,
        end: range.end,
        text,
    }
}

/// A declaration for comparison: its name, its kind, and its first byte.
type Outline = Vec<(String, &'static str, i64)>;

/// Refuses what is read as something else than it stands for, or makes other code be read in another way.
fn check(
    (path, text): (&str, &str),
    place: &DeclarationPlace,
    edit: StructureEdit,
    planned: &TextEdit,
) -> Result<(), Refusal> {
    let refused = |message: &str| Err(Refusal::new(RefusalKind::InvalidCode, message));
    let mut after = text.to_owned();
    after.replace_range(planned.range(), &planned.text);
    if !new_syntax_errors(path, text, &after).is_empty() {
        return refused("The code does not parse at this place.");
    }
    let (Some(old), Some(new)) = (facts(path, text), facts(path, &after)) else {
        return refused("The result cannot be read as code.");
    };
    let shift = planned.text.len() as i64 - i64::from(planned.end - planned.start);
    let written = planned.start..planned.start + planned.text.len() as u32;
    let replaced = planned.start..planned.end;
    let (stays, _) = outline(&old, &replaced, shift);
    let (around, within) = outline(&new, &written, 0);
    if stays != around {
        return refused(
            "The code does not end where it should: declarations around it would be read in another way.",
        );
    }
    let name = place.name.as_str();
    match edit {
        StructureEdit::ReplaceBody if !body_is_whole(path, &after, place, planned) => {
            refused("The code is not one body.")
        }
        StructureEdit::ReplaceSymbol if !within.iter().any(|(found, ..)| found == name) => {
            refused(&format!("The code does not declare `{name}`."))
        }
        StructureEdit::Insert(_) if within.is_empty() => refused("The code declares nothing."),
        _ => Ok(()),
    }
}

/// Whether the body of the declaration is what was written, and no more or less.
fn body_is_whole(path: &str, after: &str, place: &DeclarationPlace, planned: &TextEdit) -> bool {
    let Some(found) = syntax_tree::body_at(path, after, place.name_byte) else {
        return false;
    };
    let written = planned.text.trim();
    let lead = planned.text.len() - planned.text.trim_start().len();
    let start = planned.start + lead as u32;
    let end = start + written.trim_end_matches(';').len() as u32;
    // A body by indentation begins with its first statement, which a comment may stand before.
    found.start >= planned.start
        && found.start <= end
        && found.end <= start + written.len() as u32
        && after
            .get(found.end as usize..end as usize)
            .is_none_or(|rest| {
                rest.lines().all(|line| {
                    let line = line.trim();
                    line.is_empty() || line.starts_with('#') || line.starts_with("//")
                })
            })
}

/// The declarations outside of a range, shifted behind it, and those in it.
fn outline(facts: &Facts, range: &Range<u32>, shift: i64) -> (Outline, Outline) {
    let (mut around, mut within) = (Outline::new(), Outline::new());
    for item in &facts.items {
        let at = item.name_byte;
        let entry = |at| (facts.str(item.name).to_owned(), item.kind.as_str(), at);
        match at {
            at if range.contains(&at) => within.push(entry(i64::from(at))),
            at if at >= range.end => around.push(entry(i64::from(at) + shift)),
            at => around.push(entry(i64::from(at))),
        }
    }
    (around, within)
}

fn facts(path: &str, text: &str) -> Option<Facts> {
    let limits = Limits {
        max_file_size: u32::MAX,
        exclude_generated: false,
    };
    match analyse(path, text.as_bytes(), limits) {
        Outcome::Facts(facts) | Outcome::Names(facts) => Some(facts),
        Outcome::Skipped(_) => None,
    }
}
