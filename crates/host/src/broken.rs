//! A program that is broken on purpose, for tests of what becomes of its work. No build that is handed out has this.

use std::time::Duration;

use codecortex_syntax::LANGUAGES;
use codecortex_syntax::scanner_bounds::broken::{Fault, break_scanner};

use crate::abandon::give_up_after;

/// Gives a language a scanner that fails, as in `lua spins 2000`: its id, `asks` or `spins`, and after how many
/// milliseconds work is given up. What is no such words breaks nothing. Before anything else is done.
pub fn break_as_told(words: &str) {
    let mut words = words.split(' ');
    let language = words
        .next()
        .and_then(|id| LANGUAGES.iter().find(|row| row.id == id));
    let fault = match words.next() {
        Some("asks") => Some(Fault::Asks),
        Some("spins") => Some(Fault::Spins),
        _ => None,
    };
    if let (Some(language), Some(fault)) = (language, fault) {
        break_scanner(language.language, fault);
    }
    if let Some(limit) = words.next().and_then(|limit| limit.parse().ok()) {
        give_up_after(Duration::from_millis(limit));
    }
}
