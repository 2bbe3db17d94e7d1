//! What a sentence claims of a name: that nothing declares it, nothing uses it, or no test does (SPEC RV3).
//!
//! A claim is a turn of words ([`TURNS`]); what it is about stands right before or behind it, in quotes of any kind or in
//! none. A sentence that says of a value that it may be `undefined` makes no claim of the sort.

use std::sync::LazyLock;

use regex::Regex;

/// What a finding claims of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Nothing declares it.
    Undefined,
    /// It may be that nothing declares it, or that it has the value `undefined`.
    Valueless,
    /// Its file does not import it.
    NotImported,
    /// Nothing uses it.
    Unused,
    /// No test names it.
    Untested,
}

/// Where the name of a claim stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClaimSide {
    Before,
    Behind,
    Either,
}

/// A turn of words, where the name stands, and what it claims. The first that fits counts.
const TURNS: [(&str, ClaimSide, Claim); 17] = [
    (
        r"(?:not|never|n't|n’t|without being|isn.?t)(?:\s+\w+){0,2}?\s+(?:imported|included)\b",
        ClaimSide::Before,
        Claim::NotImported,
    ),
    (
        r"\b(?:missing|no|lacks?(?: an?)?|lacking|forgot(?:ten)?(?: to| an?)?|without(?: an?)?)\s+(?:import(?:ing)?s?|include)(?:\s+(?:of|for|statement|statements|declaration))*\b",
        ClaimSide::Either,
        Claim::NotImported,
    ),
    (
        r"(?:\bnot|\bnever|n't|n’t)(?:\s+\w+){0,2}?\s+(?:unit[- ])?(?:tested|covered|exercised)\b",
        ClaimSide::Before,
        Claim::Untested,
    ),
    (
        r"\b(?:untested|uncovered)\b",
        ClaimSide::Either,
        Claim::Untested,
    ),
    (
        r"\b(?:no|lacks?|lacking|missing|without|needs?|add)(?:\s+(?:any|a|an|unit|regression|automated))*\s+(?:tests?|coverage|test coverage|test cases?)\b(?:\s+(?:for|of|cover(?:s|ing)?|exercis\w+|call(?:s|ing)?))*",
        ClaimSide::Either,
        Claim::Untested,
    ),
    (
        r"(?:\bnot|\bnever|n't|n’t|\bno longer)(?:\s+\w+){0,2}?\s+(?:used|called|referenced|invoked|needed|read)\b",
        ClaimSide::Before,
        Claim::Unused,
    ),
    (
        r"\b(?:unused|unreferenced|uncalled|dead code)\b",
        ClaimSide::Either,
        Claim::Unused,
    ),
    (
        r"\b(?:no|without|zero|lacks?)(?:\s+(?:any|known|remaining|more))*\s+(?:callers?|call sites?|uses?|usages?|references?|consumers?)\b(?:\s+(?:of|to|for))*",
        ClaimSide::Either,
        Claim::Unused,
    ),
    (
        r"\b(?:nobody|nothing|no one|no code|none)\s+(?:\w+\s+)?(?:uses?|calls?|references?|reads?|needs?)\b",
        ClaimSide::Behind,
        Claim::Unused,
    ),
    (
        r"(?:\bnot|\bnever|n't|n’t|\bno longer|\bnowhere)(?:\s+\w+){0,3}?\s+(?:defined|declared|resolved|exists?|existing|found|known|in scope|implemented|available|accessible)\b",
        ClaimSide::Before,
        Claim::Undefined,
    ),
    (
        r"\bundefined\s+(?:name|variable|function|symbol|identifier|reference|type|method|class|constant|member|attribute)s?\b(?:\s+(?:to|called|named))*",
        ClaimSide::Either,
        Claim::Undefined,
    ),
    (
        r"\b(?:undeclared|unresolved|nonexistent|non-existent|inexistent|unknown)\b(?:\s+(?:name|variable|function|symbol|identifier|reference|type|method|class|constant|import|member|attribute))*",
        ClaimSide::Either,
        Claim::Undefined,
    ),
    (
        r"\b(?:no|without|lacks?|lacking|missing)(?:\s+(?:any|a|an|the|its|such))*\s+(?:definition|declaration|implementation|symbol|function|method|class|variable|constant|identifier)\b(?:\s+(?:of|for|called|named|with the name))*",
        ClaimSide::Either,
        Claim::Undefined,
    ),
    (
        r"\b(?:(?:can(?:not|'t|’t| not)|could(?: not|n't|n’t)|unable to|fails? to)\s+(?:\w+\s+)?(?:find|resolve|locate|see|import)|there is no|there's no|no such|(?:Name|Reference|Import|Attribute)Error:?|out of scope)\b(?:\s*(?:the|a|an|any|name|function|variable|symbol|type|method|class|definition|declaration|of|for))*",
        ClaimSide::Either,
        Claim::Undefined,
    ),
    (
        r"\b(?:is|are|was|were|be|being|seems?|appears?)\s+(?:\w+\s+){0,2}?(?:missing|absent|nowhere)\b",
        ClaimSide::Before,
        Claim::Undefined,
    ),
    (
        r"\b(?:is|are|was|were)\s+(?:\w+\s+)?undefined\b",
        ClaimSide::Before,
        Claim::Valueless,
    ),
    (r"^undefined\b:?", ClaimSide::Behind, Claim::Undefined),
];

/// Words between a name and what is said of it.
const BETWEEN: [&str; 29] = [
    "could",
    "can",
    "will",
    "would",
    "should",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "being",
    "has",
    "have",
    "had",
    "does",
    "do",
    "did",
    "which",
    "that",
    "it",
    "seems",
    "appears",
    "to",
    "and",
    "but",
    "which's",
    "used",
    "referenced",
];
/// What a name is called rather than it.
const KINDS: [&str; 22] = [
    "the",
    "a",
    "an",
    "this",
    "that",
    "function",
    "method",
    "class",
    "variable",
    "constant",
    "name",
    "symbol",
    "type",
    "identifier",
    "helper",
    "import",
    "module",
    "field",
    "property",
    "parameter",
    "new",
    "called",
];
/// What makes a claim a condition.
const CONDITIONS: [&str; 15] = [
    "if",
    "when",
    "whenever",
    "may",
    "might",
    "can",
    "could",
    "unless",
    "whether",
    "possibly",
    "potentially",
    "sometimes",
    "case",
    "cases",
    "where",
];

static READY: LazyLock<Vec<(Regex, ClaimSide, Claim)>> = LazyLock::new(|| {
    let ready = TURNS.iter().filter_map(|(turn, side, claim)| {
        let regex = Regex::new(&format!("(?i){turn}")).ok()?;
        Some((regex, *side, *claim))
    });
    ready.collect()
});

/// What a sentence claims, and of which names: the likeliest first.
pub(crate) fn claims(message: &str) -> Vec<(Claim, String)> {
    let mut found = Vec::new();
    for (turn, side, claim) in READY.iter() {
        for at in turn.find_iter(message) {
            let (before, behind) = (&message[..at.start()], &message[at.end()..]);
            if *claim == Claim::Valueless && is_condition(before, at.as_str()) {
                continue;
            }
            let name = match side {
                ClaimSide::Before => name_before(before),
                ClaimSide::Behind => name_behind(behind),
                ClaimSide::Either => name_behind(behind).or_else(|| name_before(before)),
            };
            if let Some(name) = name
                && !found
                    .iter()
                    .any(|(known, of)| (known, of) == (claim, &name))
            {
                found.push((*claim, name));
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}

fn is_condition(before: &str, turn: &str) -> bool {
    let clause = before.rsplit(['.', ';', ',', ':']).next().unwrap_or(before);
    let words = clause.split_whitespace().chain(turn.split_whitespace());
    let is_one = |word: &str| {
        CONDITIONS
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    };
    let mut words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.any(is_one)
}

/// The name that a sentence ends with, but for words between.
fn name_before(text: &str) -> Option<String> {
    let mut last = None;
    for word in text.split_whitespace().rev().take(8) {
        let bare = word
            .trim_matches(|c: char| !c.is_alphanumeric() && c != '_')
            .to_lowercase();
        let is_quoted = is_quoted(word);
        if !is_quoted && BETWEEN.contains(&bare.as_str()) {
            continue;
        }
        if !is_quoted && KINDS.contains(&bare.as_str()) {
            // `the rate variable is not defined`: what it is called stands before.
            continue;
        }
        last = name_of(word);
        break;
    }
    let quoted = || {
        let mut words = text.split_whitespace().rev().take(12);
        words.find(|word| is_quoted(word)).and_then(name_of)
    };
    // In quotes stands what is meant, where a word of prose comes first.
    match last {
        Some(name) if is_code(&name) => Some(name),
        last => quoted().or(last),
    }
}

/// The name that a sentence begins with, but for words between.
fn name_behind(text: &str) -> Option<String> {
    let says = |word: &&str| word.chars().any(char::is_alphanumeric);
    for word in text.split_whitespace().filter(says).take(4) {
        let bare = word
            .trim_matches(|c: char| !c.is_alphanumeric() && c != '_')
            .to_lowercase();
        if is_quoted(word) || is_code(&bare) || word.contains('(') {
            return name_of(word);
        }
        if KINDS.contains(&bare.as_str())
            || ["for", "of", "to", "named", "which"].contains(&bare.as_str())
        {
            continue;
        }
        // A word of prose behind a claim is the next thought, unless it is all that there is.
        let is_all =
            text.split_whitespace().filter(says).count() <= 2 && !BETWEEN.contains(&bare.as_str());
        return is_all.then(|| name_of(word)).flatten();
    }
    None
}

fn is_quoted(word: &str) -> bool {
    let word = word.trim_matches(|c| matches!(c, '.' | ',' | ';' | ':' | '(' | ')' | '!' | '?'));
    word.starts_with(['`', '\'', '"', '‘', '“', '«', '*'])
}

/// Whether a word is spelled like no word of prose.
fn is_code(name: &str) -> bool {
    let inner = name.trim_matches('_');
    name.contains('_')
        || inner.chars().skip(1).any(char::is_uppercase)
        || name.chars().any(|c| c.is_ascii_digit())
}

/// The last name of a written path: `rate` of `` `src.tax.rate()` ``.
pub(crate) fn name_of(written: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let written = written
        .split('(')
        .find(|part| part.chars().any(is_part))
        .unwrap_or("");
    let written = written.trim_matches(|c: char| !is_part(c));
    let last = written.rsplit(['.', ':', '#', '>']).next().unwrap_or("");
    let is_name = !last.is_empty()
        && last.chars().all(is_part)
        && !last.starts_with(|c: char| c.is_ascii_digit());
    (is_name && last.len() > 1).then(|| last.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(message: &str) -> Option<(Claim, String)> {
        claims(message).into_iter().next()
    }

    #[test]
    fn an_absence_is_claimed_in_many_words() {
        for message in [
            "`rate` is not defined.",
            "rate is not defined anywhere",
            "'rate' isn't declared",
            "\"rate\" does not exist in this file.",
            "rate doesn't exist",
            "The function rate() is never defined.",
            "The helper `tax.rate` was not found.",
            "rate could not be found",
            "Cannot find name 'rate'.",
            "can't resolve `rate`",
            "Undefined function `rate`",
            "undefined name: rate",
            "Use of undeclared identifier 'rate'",
            "unresolved reference rate",
            "There is no `rate`.",
            "There is no definition of rate",
            "NameError: rate",
            "No definition for `rate` is visible.",
            "`rate` has no declaration.",
            "`rate` is missing.",
            "This calls `total` with `rate`, which is not declared.",
            "`rate` was never declared",
            "`rate` is nowhere defined.",
            "the rate variable is not defined",
            "The code uses rate, but rate is never defined",
            "Reference to undefined variable `rate`.",
            "No such function: rate",
            "`rate` isn't in scope",
            "Unable to resolve symbol 'rate'",
            "unknown identifier `rate`",
            "There's no function called `rate`",
            "It lacks a definition of `rate`.",
            "`rate` appears to be missing.",
            "`rate` does not seem to exist.",
            "ImportError: cannot import name `rate`",
            "`rate` is not available here",
            "`rate` is not a known function",
        ] {
            assert_eq!(
                claimed(message),
                Some((Claim::Undefined, "rate".to_owned())),
                "{message}"
            );
        }
        assert_eq!(
            claimed("rate is undefined"),
            Some((Claim::Valueless, "rate".to_owned()))
        );
    }

    #[test]
    fn a_value_that_may_be_missing_is_no_claim() {
        for message in [
            "`rate` may be undefined here.",
            "If `rate` is undefined the sum is NaN.",
            "Returns undefined for an empty list.",
            "The sum is wrong by one.",
        ] {
            assert_eq!(claimed(message), None, "{message}");
        }
    }

    #[test]
    fn uses_and_tests_are_claimed_to_lack() {
        for (message, claim) in [
            ("`rate` is unused.", Claim::Unused),
            ("rate is never called", Claim::Unused),
            ("`rate` isn't used anywhere", Claim::Unused),
            ("`rate` has no callers", Claim::Unused),
            ("Nothing calls `rate`.", Claim::Unused),
            ("`rate` is dead code", Claim::Unused),
            ("There are no references to `rate`.", Claim::Unused),
            ("`rate` is not covered by tests", Claim::Untested),
            ("No test covers `rate`.", Claim::Untested),
            ("`rate` lacks unit tests", Claim::Untested),
            ("untested: `rate`", Claim::Untested),
            ("`rate` is not imported.", Claim::NotImported),
            ("Missing import for `rate`.", Claim::NotImported),
        ] {
            assert_eq!(
                claimed(message),
                Some((claim, "rate".to_owned())),
                "{message}"
            );
        }
    }
}
