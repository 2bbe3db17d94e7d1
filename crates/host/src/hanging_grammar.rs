//! A grammar that does not come to an end, in the place of a language's, for tests of what becomes of a program's work.
//! No build that is handed out has this.

use std::time::Duration;

use codecortex_syntax::LANGUAGES;
use codecortex_syntax::stand_in::stand_in_for;

use crate::abandon::give_up_after;

/// Does as words such as `lua 2000` say: the language's id, and after how many milliseconds work is given up. False for
/// others. Before anything else is done.
#[must_use]
pub fn break_as_told(words: &str) -> bool {
    let mut words = words.split(' ');
    let language = words
        .next()
        .and_then(|id| LANGUAGES.iter().find(|row| row.id == id));
    let limit = words.next().and_then(|limit| limit.parse().ok());
    let (Some(language), Some(limit)) = (language, limit) else {
        return false;
    };
    give_up_after(Duration::from_millis(limit));
    stand_in_for(language.language)
}
