//! Names of operators, however a language writes them: `operator+`, `operator +`, `+`.

use crate::fold::lower;

/// Signs that operators are made of.
const SIGNS: &str = "+-*/%=<>!&|^~?@:.[](),$#\\";

/// The signs of an operator that somebody searches for: `+`, `operator +`, `` `||` ``; none of any other text.
pub(crate) fn operator_asked(text: &str) -> Option<&str> {
    let text = text.trim().trim_matches('`');
    let rest = match text.get(.."operator".len()) {
        Some(word) if word.eq_ignore_ascii_case("operator") => text["operator".len()..].trim(),
        _ => text,
    };
    is_of_signs(rest).then_some(rest)
}

/// The signs of an operator that is declared under a name.
pub(crate) fn operator_named(name: &str) -> Option<&str> {
    let name = name.trim_matches('`');
    let rest = name.strip_prefix("operator").unwrap_or(name).trim();
    is_of_signs(rest).then_some(rest)
}

fn is_of_signs(text: &str) -> bool {
    // Brackets alone are no name that anybody searches for by its signs, but those of a call and an index.
    !text.is_empty() && text.chars().all(|c| SIGNS.contains(c))
}

/// The names under which a language may declare an operator that is asked for.
#[must_use]
pub fn operator_names(text: &str) -> Vec<String> {
    let Some(signs) = operator_asked(text) else {
        return Vec::new();
    };
    let names = [
        signs.to_owned(),
        format!("operator{signs}"),
        format!("operator {signs}"),
        format!("`{signs}`"),
    ];
    names.iter().map(|name| lower(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_known_by_their_signs() {
        for text in ["+", "operator+", "operator +", "`+`", " Operator  + "] {
            assert_eq!(operator_asked(text), Some("+"), "{text}");
        }
        for text in [
            "",
            "operator",
            "a+b",
            "operators",
            "Outer+Inner",
            "operator bool",
        ] {
            assert_eq!(operator_asked(text), None, "{text}");
        }
        assert_eq!(operator_named("operator<<"), Some("<<"));
        assert_eq!(operator_named("`||`"), Some("||"));
        assert_eq!(operator_named("operators"), None);
    }
}
