//! The added lines that have a secret.
//!
//! What memory takes out of texts is found by the same rules; there too much is better than too little. A reviewer is told of
//! a line only where it is no digest, and in tests, examples and the like no value that is made of words.

use std::sync::LazyLock;

use codecortex_retrieval::Role;
use codecortex_secrets::{Look, find, look_of};
use regex::Regex;

use super::traits::Traits;

/// Lines that are told of one unit.
const MAX_SECRETS: usize = 20;
/// Lengths of digests in hexadecimal digits: MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512.
const DIGESTS: [usize; 6] = [32, 40, 56, 64, 96, 128];
/// A long value that is given to the name of a secret, whatever it is made of.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = "(?i)(?:api[_-]?key|secret|passw(?:or)?d|token|private[_-]?key)";
    Regex::new(&format!(r"{name}\s*[:=]\s*['\x22]([A-Za-z0-9+/_-]{{12,}})")).ok()
});

/// The added lines with secrets; of a file of secrets that is added without one that is known, its first.
pub(super) fn secret_lines(unit: &Traits<'_>) -> Vec<u32> {
    let mut text = String::new();
    let mut starts = Vec::new();
    let mut before = None;
    for (number, line) in &unit.added {
        if before.is_some_and(|before| before + 1 != *number) {
            text.push_str("\n\n\n"); // nothing goes on over what did not change
        }
        before = Some(*number);
        starts.push(text.len());
        text.push_str(line);
        text.push('\n');
    }
    let named = NAMED.iter().flat_map(|regex| regex.captures_iter(&text));
    let named = named.filter_map(|found| Some((found.get(1)?.range(), "password")));
    let mut found: Vec<(std::ops::Range<usize>, &str)> = find(&text);
    found.extend(named);
    found.sort_by_key(|(range, _)| range.start);
    let is_told = |value: &str, rule: &str| {
        let is_chance = match rule {
            // A program writes digests of its own into what it makes.
            "high-entropy" => !unit.is_generated && !is_lock(unit.path) && !is_digest(value),
            _ => true,
        };
        is_chance && !(is_for_show(unit.path) && is_words(value))
    };
    let told = found.into_iter().filter(|(range, rule)| {
        let value = text.get(range.clone()).unwrap_or("");
        is_told(value, rule)
    });
    let line = |start: usize| {
        let at = starts.partition_point(|&other| other <= start);
        let line = unit.added.get(at.saturating_sub(1));
        line.map(|(number, _)| *number)
    };
    let mut lines: Vec<u32> = told.filter_map(|(range, _)| line(range.start)).collect();
    lines.dedup();
    lines.truncate(MAX_SECRETS);
    if lines.is_empty() && unit.patch_type == "add" && look_of(unit.path) == Look::Secret {
        lines.push(unit.added.first().map_or(1, |(number, _)| *number));
    }
    lines
}

/// Whether a file shows how something is done, where values are made up.
fn is_for_show(path: &str) -> bool {
    let mut folders = path.split('/');
    Role::of_path(path) != Role::Source || folders.any(|folder| folder == "documentation")
}

/// Whether a file lists packages with their digests.
fn is_lock(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    name == "go.sum" || name.ends_with(".lock") || name.contains("lock.") || name.contains("-lock")
}

/// Whether a value is as long as a digest and made of the same digits: nobody can tell it from one.
fn is_digest(value: &str) -> bool {
    let is_hexadecimal = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hexadecimal && DIGESTS.contains(&value.len())
}

/// Whether a value is words, apart from digits behind them and signs between them: `old-password`, `passphrase1`.
fn is_words(value: &str) -> bool {
    is_spelled(value) || decoded(value).is_some_and(|value| is_spelled(&value))
}

/// What a value says in Base64, where that is letters and signs that can be printed.
fn decoded(value: &str) -> Option<String> {
    let digits = value.trim_end_matches('=').bytes();
    let (mut out, mut held, mut bits) = (String::new(), 0u32, 0u32);
    for digit in digits {
        let of = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(of)) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            let byte = u8::try_from(held >> bits & 0xff).ok()?;
            (byte.is_ascii_graphic() || byte == b' ').then(|| out.push(char::from(byte)))?;
        }
    }
    Some(out)
}

fn is_spelled(value: &str) -> bool {
    let parts = value.split(|c: char| !c.is_alphanumeric());
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(is_word)
}

/// Whether a part is written as words are: letters that go on in one case, one at least of three a vowel.
fn is_word(part: &str) -> bool {
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_number = letters.is_empty() && part.len() <= 4;
    let mut runs: Vec<String> = Vec::new();
    for c in letters.chars() {
        if !c.is_ascii_alphabetic() {
            return false;
        }
        let is_capital = c.is_ascii_uppercase();
        let is_begun = |run: &String| {
            let mut known = run.chars();
            let first = known.next().is_some_and(|c| c.is_ascii_uppercase());
            let is_shouted = known.all(|c| c.is_ascii_uppercase());
            match is_capital {
                true => first && is_shouted,
                false => !(run.len() > 1 && first && is_shouted),
            }
        };
        match runs.last_mut() {
            Some(run) if is_begun(run) => run.push(c),
            _ => runs.push(c.to_string()),
        }
    }
    let is_spoken = |run: &String| {
        let vowels = run.chars().filter(|c| "aeiouyAEIOUY".contains(*c)).count();
        run.len() >= 3 && vowels * 5 >= run.len()
    };
    is_number || !runs.is_empty() && runs.iter().all(is_spoken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_secret_where_values_are_made_up() {
        for value in [
            "old-password",
            "randomPassword",
            "pass_OPT_MERGE",
            "passphrase1",
            "helloworld",
            "user2024",
            "aGVsbG86d29ybGQ=",
        ] {
            assert!(is_words(value), "{value}");
        }
        for value in [
            "Hx7Lq9Vb2NmTt",
            "wJalrXUtnFEMI",
            "k3y",
            "xkcdqrst",
            "",
            "aB3dE5fG7h",
        ] {
            assert!(!is_words(value), "{value}");
        }
    }

    fn lines(path: &str, line: &str) -> Vec<u32> {
        secret_lines(&Traits {
            path,
            patch_type: "modify",
            added: vec![(3, line)],
            ..Traits::default()
        })
    }

    #[test]
    fn what_is_no_secret_is_not_told() {
        for (path, line) in [
            ("tests/test_a.py", "login(password='old-password')"),
            ("docs/a.md", "open('redis://user:pass@localhost:6379')"),
            ("documentation/a.md", "{ passphrase: 'passphrase1' }"),
            (
                "test/a.ts",
                "h = { authorization: 'Basic aGVsbG86d29ybGQ=' }",
            ),
            (
                "src/a.ts",
                "// e9359d3fa0cb40324f2b84364408b3f9f7ff2cee - before",
            ),
            (
                "go.sum",
                "example.com/x/y v0.0.0-2024-2627ec16405d/go.mod h1:oivrEbcP/AYt/Hpvk5pwDXXrQ933gQS6UzL6fxqAGSA=",
            ),
        ] {
            assert_eq!(lines(path, line), Vec::<u32>::new(), "{path}: {line}");
        }
    }

    #[test]
    fn what_may_be_one_is_told_everywhere() {
        let token = format!("glpat-{}7", "x9Qz".repeat(5));
        for path in ["tests/test_a.py", "docs/a.md", "src/a.py", "examples/a.ts"] {
            assert_eq!(lines(path, &format!("t = '{token}'")), [3], "{path}");
            assert_eq!(lines(path, "password = 'Hx7Lq9Vb2NmTt'"), [3], "{path}");
        }
        assert_eq!(lines("src/a.py", "password = 'old-password1'"), [3]);
    }
}
