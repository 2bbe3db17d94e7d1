//! The event that an agent gives its hook, and the names in it.

use std::path::PathBuf;

use serde_json::Value;

/// Names that are looked up.
const MAX_NAMES: usize = 4;
/// Shorter names mean too much.
const MIN_LENGTH: usize = 3;
/// Programs that search, as the last part of their paths.
const SEARCHERS: [&str; 8] = ["rg", "grep", "egrep", "fgrep", "ag", "ack", "git", "ugrep"];
/// Options of these programs that take the next word.
const WITH_VALUE: [&str; 14] = [
    "-A",
    "-B",
    "-C",
    "-m",
    "-g",
    "-t",
    "-T",
    "-f",
    "-j",
    "--glob",
    "--type",
    "--max-count",
    "--context",
    "--threads",
];

/// A search that an agent made.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HookInput {
    /// The event's name, as the addition has to repeat it.
    pub(super) event: String,
    /// Where the agent is.
    pub(super) folder: PathBuf,
    /// What was searched for: a pattern, or a command line.
    search: Search,
}

#[derive(Debug, PartialEq, Eq)]
enum Search {
    Pattern(String),
    Command(String),
}

impl HookInput {
    /// The event of these bytes; `None` where it is no search.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let event: Value = serde_json::from_slice(bytes).ok()?;
        let input = event.get("tool_input")?;
        let word = |name: &str| input.get(name)?.as_str().map(str::to_owned);
        let search = match (word("pattern").or_else(|| word("query")), word("command")) {
            (Some(pattern), _) => Search::Pattern(pattern),
            (None, Some(command)) => Search::Command(command),
            (None, None) => return None,
        };
        Some(Self {
            event: event.get("hook_event_name")?.as_str()?.to_owned(),
            folder: event.get("cwd")?.as_str()?.into(),
            search,
        })
    }

    /// The names that were searched for, at most four.
    pub(super) fn searched_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        let patterns = match &self.search {
            Search::Pattern(pattern) => vec![pattern.clone()],
            Search::Command(command) => command_patterns(command),
        };
        for pattern in &patterns {
            for name in identifiers(pattern) {
                if names.len() < MAX_NAMES && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        names
    }
}

/// The patterns of the searching programs in a command line.
fn command_patterns(command: &str) -> Vec<String> {
    let mut patterns = Vec::new();
    let Some(words) = shlex::split(command) else {
        return patterns;
    };
    let is_separator = |word: &String| matches!(word.as_str(), "|" | "||" | "&&" | ";" | "&");
    for run in words.split(is_separator) {
        patterns.extend(pattern_of(run));
    }
    patterns
}

/// The pattern of one program's words.
fn pattern_of(words: &[String]) -> Option<String> {
    let mut words = words
        .iter()
        .skip_while(|word| word.contains('='))
        .map(String::as_str);
    let program = words.next()?.rsplit('/').next()?;
    if !SEARCHERS.contains(&program) || (program == "git" && words.next() != Some("grep")) {
        return None;
    }
    while let Some(word) = words.next() {
        match word {
            "-e" | "--regexp" => return words.next().map(str::to_owned),
            "--" => return words.next().map(str::to_owned),
            option if WITH_VALUE.contains(&option) => drop(words.next()),
            option if option.starts_with('-') => {}
            pattern => return Some(pattern.to_owned()),
        }
    }
    None
}

/// The names in a pattern: letters, digits and underscores that no escape stands before.
fn identifiers(pattern: &str) -> impl Iterator<Item = &str> {
    let mut rest = pattern;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| c == '\\' || c == '_' || c.is_alphabetic())?;
            if rest[start..].starts_with('\\') {
                let mut escaped = rest[start + 1..].chars();
                escaped.next()?;
                rest = escaped.as_str();
                continue;
            }
            let word = &rest[start..];
            let end = word.find(|c: char| !(c == '_' || c.is_alphanumeric()));
            let (name, after) = word.split_at(end.unwrap_or(word.len()));
            rest = after;
            return Some(name);
        }
    })
    .filter(|name| name.chars().count() >= MIN_LENGTH)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn names(input: Value) -> Vec<String> {
        let event = json!({ "hook_event_name": "PostToolUse", "cwd": "/w", "tool_input": input });
        let input = HookInput::read(event.to_string().as_bytes());
        input
            .map(|input| input.searched_names())
            .unwrap_or_default()
    }

    #[test]
    fn patterns_have_names() {
        for (pattern, expected) in [
            ("save_state", &["save_state"][..]),
            (r"def \w+save|SaveState\(", &["def", "save", "SaveState"]),
            (r"\bCart\.add\b", &["Cart", "add"]),
            ("a|bc|x1", &[]),
            ("größe|変数名", &["größe", "変数名"]),
            (r"\", &[]),
            (
                "one1 two2 three four fives",
                &["one1", "two2", "three", "four"],
            ),
        ] {
            assert_eq!(names(json!({ "pattern": pattern })), expected, "{pattern}");
        }
    }

    #[test]
    fn command_lines_have_patterns() {
        for (command, expected) in [
            ("rg -n --type py 'save_state' src", &["save_state"][..]),
            (
                "cd src && grep -rn -A 3 \"class Cart\" . | head",
                &["class", "Cart"],
            ),
            ("git grep -e loadAll -- '*.ts'", &["loadAll"]),
            ("git log --grep Cart", &[]),
            ("LC_ALL=C /usr/bin/grep -- -flag file", &["flag"]),
            ("cat Cart.ts", &[]),
            ("rg 'unclosed", &[]),
        ] {
            assert_eq!(names(json!({ "command": command })), expected, "{command}");
        }
    }

    #[test]
    fn other_events_are_no_searches() {
        for event in [
            "",
            "[]",
            "{}",
            r#"{"tool_input":{"pattern":"abc"}}"#,
            r#"{"tool_input":{"file_path":"a"},"hook_event_name":"x","cwd":"/"}"#,
        ] {
            assert_eq!(HookInput::read(event.as_bytes()), None, "{event}");
        }
    }
}
