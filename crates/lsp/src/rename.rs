//! Rename, and whether something can be renamed (SPEC ED1).

use gen_lsp_types::{Position, PrepareRenamePlaceholder};
use serde_json::Value;

use crate::answers::PlanAnswer;
use crate::error::LspError;
use crate::question::{Question, Tools};
use crate::requests::{At, to_value};

pub(crate) async fn prepare_rename<T: Tools>(
    question: &Question<'_, T>,
    at: At,
) -> Result<Value, LspError> {
    let Some(path) = question.served(&at.text_document.uri) else {
        return Ok(Value::Null);
    };
    let Some((range, placeholder)) = word_at(question, &path, at.position) else {
        return Ok(Value::Null);
    };
    let args = question.place(&path, at.position);
    // What is declared elsewhere or not known is refused with the tool's sentence.
    let _: Value = question
        .ask("codecortex_resolveSymbolAtPosition", args.into())
        .await?;
    Ok(to_value(&PrepareRenamePlaceholder { range, placeholder }))
}

pub(crate) async fn rename<T: Tools>(
    question: &Question<'_, T>,
    at: At,
    new_name: &str,
) -> Result<Value, LspError> {
    let Some(path) = question.served(&at.text_document.uri) else {
        return Err(LspError::failed("This document is not served."));
    };
    let mut args = question.place(&path, at.position);
    args.insert("action".to_owned(), "rename".into());
    args.insert("newName".to_owned(), new_name.into());
    let plan: PlanAnswer = question.ask("codecortex_refactor", args.into()).await?;
    Ok(to_value(&question.workspace_edit(&plan)?))
}

/// The word at a place of an open document, with its range.
pub(crate) fn word_at<T: Tools>(
    question: &Question<'_, T>,
    path: &str,
    at: Position,
) -> Option<(gen_lsp_types::Range, String)> {
    let open = question.world.documents.at(path)?;
    let line = open.text.line(at.line as usize);
    let units = question.world.encoding.to_utf16(&line, at.character);
    let (start, word) = word_around(&line, units)?;
    let end = start + word.encode_utf16().count() as u32;
    let place = |character| Position {
        line: at.line,
        character: question.world.encoding.from_utf16(&line, character),
    };
    let range = gen_lsp_types::Range {
        start: place(start),
        end: place(end),
    };
    Some((range, word.to_owned()))
}

/// The word around a UTF-16 unit of a line, or right before it, and the unit where it begins.
fn word_around(line: &str, units: u32) -> Option<(u32, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut seen = 0;
    let at = line
        .char_indices()
        .find(|(_, letter)| {
            let is_here = seen >= units;
            seen += letter.len_utf16() as u32;
            is_here
        })
        .map_or(line.len(), |(at, _)| at);
    let (before, after) = line.split_at(at);
    let start = before.trim_end_matches(is_part).len();
    let end = at + after.len() - after.trim_start_matches(is_part).len();
    let word = line.get(start..end).filter(|word| !word.is_empty())?;
    Some((line[..start].encode_utf16().count() as u32, word))
}

#[cfg(test)]
mod tests {
    use super::word_around;

    #[test]
    fn a_word_is_found_inside_it_and_at_its_ends() {
        let line = "𝕏.näme + b\n";
        for units in 3..=7 {
            assert_eq!(word_around(line, units), Some((3, "näme")), "{units}");
        }
        assert_eq!(word_around(line, 8), None);
        assert_eq!(word_around(line, 99), None);
        assert_eq!(word_around(line, 10), Some((10, "b")));
    }
}
