//! What is one token or two: `@all:A` and `[]`.

use super::Edits;
use super::tokens::{Kind, Tokens};

pub(super) fn edit(tokens: &Tokens<'_>, edits: &mut Edits) {
    for at in 0..tokens.all.len() {
        match tokens.kind(at) {
            // An annotation of all that a property is made of (2.2) is read as that of its getter.
            Some(Kind::Word)
                if tokens.is(at, "all")
                    && tokens.is(at + 1, ":")
                    && at > 0
                    && tokens.is(at - 1, "@") =>
            {
                edits.put(tokens.all[at].range.clone(), "get");
            }
            // A list of nothing is read as a text of nothing.
            Some(Kind::Open(b']')) if tokens.partner(at) == Some(at + 1) && at > 0 => {
                let is_value = matches!(
                    tokens.kind(at - 1),
                    Some(Kind::Sign(b'=' | b',') | Kind::Open(b')'))
                );
                let close = &tokens.all[at + 1];
                if is_value && !close.is_first_of_line {
                    edits.put(tokens.all[at].range.clone(), "\"");
                    edits.put(close.range.clone(), "\"");
                }
            }
            _ => {}
        }
    }
}
