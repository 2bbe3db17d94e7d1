//! Which values can be secrets.

use crate::chance::{RUN_LEAST, entropy, is_chance, is_wordy};
use crate::languages::names_password;
use crate::rules::{ASSIGNED, ASSIGNED_WORDS, MESSAGES, PLACEHOLDERS, STAND_INS, TECHNIQUES};
use crate::scan::words_of;

/// Bytes that a value has at least which is assigned to the name of a secret, and to that of a password.
const VALUE_LEAST: usize = 8;
const PASSWORD_LEAST: usize = 6;

/// The rule of a name that ends with, or is, the name of a secret: `DB_PASSWORD`, `githubToken`.
pub(crate) fn rule_of(name: &str) -> Option<&'static str> {
    // A name that is longer is none that anybody gives; the end alone decides.
    let end = name.len().saturating_sub(80);
    let name = name.get(end..).unwrap_or(name);
    let squeezed: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let squeezed = squeezed.to_ascii_lowercase();
    let rule = ASSIGNED.iter().find(|(end, _)| squeezed.ends_with(end));
    let rule = rule.or_else(|| {
        let words = words_of(name);
        let last = words.last()?;
        ASSIGNED_WORDS.iter().find(|(word, _)| word == last)
    });
    rule.map(|(_, rule)| *rule)
}

/// Whether a value that is assigned to a name is a secret by its rule.
pub(crate) fn is_assigned(value: &str, rule: &str, is_quoted: bool) -> bool {
    let is_password = rule == "password";
    let is_name = is_name_of_secret(value) || !is_quoted && is_camel(value);
    if is_placeholder(value, is_quoted) || is_name {
        return false;
    }
    if !is_password {
        let is_random = value.len() >= RUN_LEAST && is_chance(value.as_bytes());
        return value.len() >= VALUE_LEAST
            && (is_mixed(value) || is_random)
            && !value.contains(' ')
            && !value.contains("://");
    }
    if is_quoted {
        return value.len() >= PASSWORD_LEAST && is_password_in_quotes(value);
    }
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    value.len() >= PASSWORD_LEAST && (is_number || is_mixed(value)) && !is_path(value)
}

/// Whether a value in quotes is a password and no label, message or name: one word that begins small, or something that is
/// no word, or words that no sentence about passwords has.
fn is_password_in_quotes(value: &str) -> bool {
    let words: Vec<String> = value.split_whitespace().map(str::to_lowercase).collect();
    let bare = |word: &str| {
        word.trim_matches(|letter: char| !letter.is_alphanumeric())
            .to_owned()
    };
    match words.as_slice() {
        [] => false,
        [word] => {
            let is_letters = value.chars().all(char::is_alphabetic);
            let is_small = value.chars().all(char::is_lowercase);
            let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
            match is_letters {
                true => is_small && !PLACEHOLDERS.contains(&word.as_str()),
                false => (is_number || is_mixed(value)) && !is_path(value),
            }
        }
        words => {
            let is_message = words
                .iter()
                .any(|word| MESSAGES.contains(&bare(word).as_str()));
            // A label of another language: `Mot de passe oublié`.
            let is_label = names_password(value);
            !is_message && !is_label || value.split_whitespace().any(|word| is_said(word, false))
        }
    }
}

/// Whether what prose says to be a secret is one: `the password is hunter2`.
pub(crate) fn is_said(value: &str, is_quoted: bool) -> bool {
    if is_placeholder(value, is_quoted) || is_name_of_secret(value) || is_path(value) {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    let is_technique = TECHNIQUES.iter().any(|word| lower.starts_with(word));
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let signs = value
        .bytes()
        .filter(|byte| b"!#$%^&*?~".contains(byte))
        .count();
    let is_mixed = has_letter && (has_digit || signs >= 2) && value.len() >= PASSWORD_LEAST;
    // `256-bit`, `3-letter`
    let is_measure = value
        .split('-')
        .next()
        .is_some_and(|head| head.bytes().all(|byte| byte.is_ascii_digit()));
    let is_strong = is_mixed && !is_technique;
    match is_quoted {
        true => is_strong || value.len() >= 4 && is_password_in_quotes(value),
        false => is_strong && (!is_measure || !value.contains('-')) && !is_camel(value),
    }
}

/// A name as code has it: `getElement2`.
fn is_camel(value: &str) -> bool {
    let name = value.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let words = words_of(name);
    name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphabetic())
        && words.len() >= 2
        && words.iter().all(|word| is_wordy(word.as_bytes()))
}

/// Whether a value is given on a command line where a password stands: whatever it is, unless it stands for one.
pub(crate) fn is_given(value: &str) -> bool {
    value.len() >= 3 && !is_placeholder(value, true) && !is_masked(value)
}

/// Whether a value of one word is a password where what stands around it says that there is one: `DB_PASSWORD=swordfish`. No
/// words that stand for one, names of constants, paths, and ways to keep one.
pub(crate) fn is_plain(value: &str) -> bool {
    let lower = value.to_lowercase();
    let is_word = |list: &[&str]| list.contains(&lower.as_str());
    let is_constant = value
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let is_technique = TECHNIQUES.iter().any(|word| lower.starts_with(word));
    value.len() >= 4
        && value.chars().any(char::is_alphabetic)
        && !value.ends_with(['.', ':', '('])
        && !is_placeholder(value, false)
        && !is_word(PLACEHOLDERS)
        && !is_word(MESSAGES)
        && !is_constant
        && !is_technique
        && !is_name_of_secret(value)
        && !is_path(value)
}

/// Whether a text is made of nothing but words that stand for a secret: `your-password-here`, `MY_API_KEY`.
pub(crate) fn is_stand_in(value: &str) -> bool {
    let mut words = value
        .split(|letter: char| !letter.is_alphanumeric())
        .flat_map(words_of)
        .peekable();
    words.peek().is_some()
        && words.all(|word| {
            let bare = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let is_numbered = bare.len() < word.len() && bare != "password" && bare != "pass";
            let word = if is_numbered && word.len() <= bare.len() + 1 {
                bare
            } else {
                &word
            };
            STAND_INS.contains(&word)
        })
}

/// Whether it is more than a word: it has letters and something else.
pub(crate) fn is_mixed(value: &str) -> bool {
    let has_letter = value.chars().any(char::is_alphabetic);
    let has_other = value
        .bytes()
        .any(|byte| byte.is_ascii_digit() || b"!@#%^&*+=?~$".contains(&byte));
    let least = if value.len() < VALUE_LEAST { 2.2 } else { 2.5 };
    has_letter && has_other && entropy(value.as_bytes()) >= least
}

/// Whether a value is none: text that stands for one (`<your key>`, `xxxx`), or code that gets it. Taking these out would
/// hide what somebody noted and protect nothing.
pub(crate) fn is_placeholder(value: &str, is_quoted: bool) -> bool {
    let is_template = value.starts_with(['$', '<', '{', '['])
        || ["${", "$(", "{{", "%(", "[secret:", "()"]
            .iter()
            .any(|mark| value.contains(mark))
        || value.contains('{') && value.contains('}');
    // Without quotes it is an expression.
    let is_code = !is_quoted && value.contains(['(', ')', '$', '<', '>', '{', '}', '[', ']']);
    let is_got = value.contains("process.env") || value.contains("::");
    is_template || is_code || is_masked(value) || is_got || is_own_id(value) || is_stand_in(value)
}

/// An id of this program: `T_n48xr7pa`.
fn is_own_id(value: &str) -> bool {
    let (kind, id) = value.split_at_checked(2).unwrap_or_default();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    matches!(kind, "T_" | "G_" | "O_") && id.len() == 8 && id.bytes().all(is_letter)
}

pub(crate) fn is_masked(value: &str) -> bool {
    let is_mask = |byte: u8| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-' | b'_');
    value.bytes().all(is_mask) || value.chars().all(|letter| letter == '•' || letter == '…')
}

/// A name that says by its end that it is one of a secret: `config.dbPassword`, `user_password`, `this.#own.password2`.
fn is_name_of_secret(value: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.');
    let is_path =
        |byte: u8| is_name(byte) || byte.is_ascii_digit() || matches!(byte, b'#' | b'?' | b'!');
    let bare = value.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '!');
    match value.contains('.') && value.bytes().all(is_path) {
        true => rule_of(bare).is_some(),
        false => value.bytes().all(is_name) && rule_of(value).is_some(),
    }
}

fn is_path(value: &str) -> bool {
    let rest = value.get(1..).unwrap_or_default();
    value.starts_with(['/', '~', '\\'])
        || value.starts_with("./")
        || value.starts_with("../")
        || rest.starts_with(":\\")
        || value.contains("://")
}
