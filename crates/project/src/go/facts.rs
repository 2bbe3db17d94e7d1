//! What a `go.mod` or a `go.work` says.

use crate::source::{ManifestSource, ProblemKind, SourcePosition, SpannedText};

/// A `go.mod` or a `go.work`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct GoFile {
    pub(super) module: Option<String>,
    pub(super) version: Option<String>,
    pub(super) require: Vec<SpannedText>,
    pub(super) replace: Vec<Replace>,
    pub(super) uses: Vec<SpannedText>,
}

/// A `replace` line: what takes the place of a module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Replace {
    pub(super) module: String,
    pub(super) version: Option<String>,
    pub(super) with: String,
    pub(super) at: SourcePosition,
}

impl Replace {
    /// Whether a folder takes the module's place.
    pub(super) fn is_local(&self) -> bool {
        self.with.starts_with(['.', '/'])
    }
}

/// Reads lines `verb arguments` and blocks `verb ( lines )`.
pub(crate) fn read_go(source: &mut ManifestSource<'_>) -> GoFile {
    let mut file = GoFile::default();
    let mut block: Option<String> = None;
    let mut offset = 0;
    let text = source.text;
    for line in text.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len()) as u32;
        offset += line.len() as u32;
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let at = source.at(start);
        match (&block, &words[..]) {
            (_, []) => {}
            (Some(_), [")"]) => block = None,
            (Some(verb), rest) => {
                let verb = verb.clone();
                file.line(source, &verb, rest, at);
            }
            (None, [verb, "("]) => block = Some((*verb).to_owned()),
            (None, [verb, rest @ ..]) => file.line(source, verb, rest, at),
        }
    }
    if block.is_some() {
        source.problem(offset, ProblemKind::Syntax, "A block is not closed.");
    }
    file
}

/// Words of a line without its comment; quotes are taken off.
fn words(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() && !rest.starts_with("//") {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '`'));
        let (word, after) = match quote {
            Some(quote) => rest[1..].split_once(quote).unwrap_or((&rest[1..], "")),
            None => {
                let brackets = rest.starts_with(['(', ')']);
                let end = if brackets {
                    Some(1)
                } else {
                    rest.find(|c: char| c.is_whitespace() || c == '(')
                };
                rest.split_at(end.unwrap_or(rest.len()))
            }
        };
        found.push(word.to_owned());
        rest = after.trim_start();
    }
    found
}

impl GoFile {
    fn line(
        &mut self,
        source: &mut ManifestSource<'_>,
        verb: &str,
        words: &[&str],
        at: SourcePosition,
    ) {
        let word = |text: &str| SpannedText {
            text: text.to_owned(),
            at,
        };
        match (verb, words) {
            ("module", [module, ..]) => self.module = Some((*module).to_owned()),
            ("go", [version, ..]) => self.version = Some((*version).to_owned()),
            ("require", [module, ..]) => self.require.push(word(module)),
            ("use", [folder, ..]) => self.uses.push(word(folder)),
            ("replace", words) => {
                let arrow = words.iter().position(|word| *word == "=>");
                let sides = arrow.map(|arrow| (&words[..arrow], &words[arrow + 1..]));
                match sides {
                    Some(([module, version @ ..], [with, ..])) => self.replace.push(Replace {
                        module: (*module).to_owned(),
                        version: version.first().map(|version| (*version).to_owned()),
                        with: (*with).to_owned(),
                        at,
                    }),
                    _ => {
                        let message = "A replacement is written `module => other`.";
                        source.problem_at(at, ProblemKind::Syntax, message);
                    }
                }
            }
            ("module" | "go" | "require" | "use", []) => {
                let message = format!("“{verb}” needs a value.");
                source.problem_at(at, ProblemKind::Syntax, message);
            }
            // `toolchain`, `exclude`, `retract`, `tool`, and what is to come.
            _ => {}
        }
    }
}
