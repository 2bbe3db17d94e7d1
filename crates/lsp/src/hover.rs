//! Hover: the signature as the language writes it, and the documentation.

use codecortex_syntax::language::language_of_path;
use gen_lsp_types::{Hover, MarkupContent, MarkupKind};
use serde_json::Value;

use crate::answers::NamedSymbol;
use crate::error::LspError;
use crate::question::{Question, Tools};
use crate::requests::{At, to_value};

pub(crate) async fn hover<T: Tools>(question: &Question<'_, T>, at: At) -> Result<Value, LspError> {
    let found = question
        .symbol_at(&at.text_document.uri, at.position)
        .await?;
    let Some((signature, doc)) = found.as_ref().and_then(|found| described(&found.symbol)) else {
        return Ok(Value::Null);
    };
    let is_markdown = question.world.client.takes_markdown("hover/contentFormat");
    let language = question
        .served(&at.text_document.uri)
        .and_then(|path| language_of_path(&path))
        .map_or("", |language| language.info().id);
    let contents = match is_markdown {
        true => MarkupContent {
            kind: MarkupKind::Markdown,
            value: with_doc(&fenced(language, signature), &escaped(doc)),
        },
        false => MarkupContent {
            kind: MarkupKind::PlainText,
            value: with_doc(signature, doc),
        },
    };
    Ok(to_value(&Hover {
        contents: contents.into(),
        range: None,
    }))
}

/// The signature and documentation of a symbol; none where several declarations have no more in common with the place
/// than their name.
fn described(symbol: &NamedSymbol) -> Option<(&str, &str)> {
    let is_guess = symbol.definition.tier.as_deref() == Some("name");
    let is_guess = is_guess && !symbol.definitions.is_empty();
    let doc = symbol.doc.as_deref().unwrap_or_default();
    (symbol.signature.as_deref())
        .filter(|_| !is_guess)
        .map(|signature| (signature, doc))
}

fn with_doc(signature: &str, doc: &str) -> String {
    match doc.is_empty() {
        true => signature.to_owned(),
        false => format!("{signature}\n\n{doc}"),
    }
}

/// A code block whose fence no line of the code ends.
fn fenced(language: &str, code: &str) -> String {
    let longest = code.split(|letter| letter != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    format!("{fence}{language}\n{code}\n{fence}")
}

/// A comment as text: what somebody wrote into it is no markup with links or HTML in it.
fn escaped(doc: &str) -> String {
    let mut out = String::with_capacity(doc.len());
    for letter in doc.chars() {
        if matches!(letter, '<' | '>' | '[' | ']' | '!' | '&' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out.replace('\n', "  \n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_cannot_break_out_of_its_text() {
        assert_eq!(fenced("c", "a ``` b"), "````c\na ``` b\n````");
        assert_eq!(escaped("[x](command:y)"), "\\[x\\](command:y)");
    }
}
