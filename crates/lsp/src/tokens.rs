//! Semantic tokens, for AngelScript alone: no other server has them.

use gen_lsp_types::{Range, SemanticToken, SemanticTokens, TextDocumentIdentifier};
use serde_json::{Value, json};

use codecortex_syntax::language::language_of_path;

use crate::answers::{ColouredName, DocumentAnswer};
use crate::error::LspError;
use crate::question::{Question, Tools};
use crate::requests::to_value;

/// The language with tokens.
pub(crate) const TOKEN_LANGUAGE: &str = "angelscript";

/// The protocol's types, in the order of their numbers.
const TYPES: [&str; 14] = [
    "namespace",
    "class",
    "struct",
    "interface",
    "enum",
    "enumMember",
    "typeParameter",
    "function",
    "method",
    "property",
    "parameter",
    "variable",
    "event",
    "macro",
];

/// The protocol's modifiers, in the order of their bits.
const MODIFIERS: [&str; 2] = ["declaration", "static"];

/// Kinds here that the protocol calls otherwise.
const OTHERWISE: [(&str, &str); 9] = [
    ("module", "namespace"),
    ("record", "class"),
    ("union", "struct"),
    ("trait", "interface"),
    ("delegate", "event"),
    ("typeAlias", "class"),
    ("constructor", "method"),
    ("field", "property"),
    ("constant", "variable"),
];

/// What the numbers of tokens mean.
pub(crate) fn legend() -> Value {
    json!({ "tokenTypes": TYPES, "tokenModifiers": MODIFIERS })
}

pub(crate) async fn semantic_tokens<T: Tools>(
    question: &Question<'_, T>,
    document: TextDocumentIdentifier,
    within: Option<Range>,
) -> Result<Value, LspError> {
    let is_coloured = |path: &String| {
        language_of_path(path).is_some_and(|language| language.info().id == TOKEN_LANGUAGE)
    };
    let Some(path) = question.served(&document.uri).filter(is_coloured) else {
        return Ok(Value::Null);
    };
    let args = json!({ "filePath": path });
    let found: Option<DocumentAnswer<ColouredName>> =
        question.ask_if_known("editor_names", args).await?;
    let names = found.map_or_else(Vec::new, |found| found.items);
    let placed = names.iter().filter_map(|name| {
        let range = question.range(&path, name.range);
        let is_within =
            within.is_none_or(|within| range.start < within.end && within.start < range.end);
        let (kind, modifiers) = coloured(name)?;
        // A token is on one line.
        let is_shown = is_within && range.start.line == range.end.line;
        is_shown.then_some((range, kind, modifiers))
    });
    Ok(to_value(&SemanticTokens {
        result_id: None,
        data: encoded(placed),
    }))
}

/// The number of a name's type, and its modifiers.
fn coloured(name: &ColouredName) -> Option<(u32, u32)> {
    let otherwise = OTHERWISE.iter().find(|(kind, _)| *kind == name.kind);
    let kind = otherwise.map_or(name.kind.as_str(), |(_, kind)| kind);
    let number = TYPES.iter().position(|known| *known == kind)?;
    let modifiers = u32::from(name.is_declaration) | u32::from(name.is_static) << 1;
    Some((number as u32, modifiers))
}

/// Tokens as the protocol has them: each by its distance from the one before.
fn encoded(placed: impl Iterator<Item = (Range, u32, u32)>) -> Vec<SemanticToken> {
    let (mut line, mut character) = (0, 0);
    let tokens = placed.map(|(range, token_type, token_modifiers_bitset)| {
        let start = range.start;
        let delta_line = start.line - line;
        let delta_start = match delta_line {
            0 => start.character - character,
            _ => start.character,
        };
        (line, character) = (start.line, start.character);
        SemanticToken {
            delta_line,
            delta_start,
            length: range.end.character.saturating_sub(start.character),
            token_type,
            token_modifiers_bitset,
        }
    });
    tokens.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen_lsp_types::Position;

    #[test]
    fn tokens_are_told_by_their_distance() {
        let at = |line, character| Position { line, character };
        let range = |line, start, end| Range {
            start: at(line, start),
            end: at(line, end),
        };
        let placed = [
            (range(1, 4, 7), 0, 0),
            (range(1, 9, 10), 1, 1),
            (range(3, 2, 3), 2, 0),
        ];
        let tokens = encoded(placed.into_iter());
        let distances = tokens
            .iter()
            .map(|token| (token.delta_line, token.delta_start, token.length));
        let distances: Vec<_> = distances.collect();
        assert_eq!(distances, [(1, 4, 3), (0, 5, 1), (2, 2, 1)]);
    }
}
