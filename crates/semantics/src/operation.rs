//! Investigations: a question about the system as an operation that ends in a conclusion with evidence (SPEC IN1).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The most bytes of an answer that are looked at.
const MAX_ANSWER: usize = 256 * 1024;
/// The most pieces of evidence that are kept.
const MAX_EVIDENCE: usize = 50;
/// The most letters of a conclusion, a reason or an open point.
const MAX_LETTERS: usize = 8_000;

/// The version of the form of `ops/<opId>.json`.
pub const SCHEMA_VERSION: &str = "1.0";

/// Where an operation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum OpState {
    /// Somebody has to answer its prompt.
    #[default]
    Waiting,
    /// A model is at it.
    Running,
    /// There is a conclusion.
    Done,
    /// There is none; `error` says why.
    Failed,
    /// Nobody wants it any more.
    Cancelled,
}

impl OpState {
    /// The word in answers and files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// One step: a tool that was called.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OpStep {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
    /// Whether it succeeded.
    pub ok: bool,
    /// What its answer cost, as characters / 4.
    pub tokens: u32,
}

/// A place in the sources that says what the conclusion says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Evidence {
    /// The file, as answers show it.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Words that stand there; empty where none were given.
    pub quote: String,
    /// What it is evidence of.
    pub why: String,
    /// The lines exist and the quote stands in them.
    pub verified: bool,
}

/// What an operation found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Conclusion {
    /// The answer to the question.
    pub conclusion: String,
    /// What shows it.
    pub evidence: Vec<Evidence>,
    /// What is still open.
    pub open: Vec<String>,
}

/// A file that was read, in the state that it had.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReadFile {
    /// The file, as answers show it.
    pub path: String,
    /// A hash of its code: comments and white space do not count.
    pub hash: String,
}

/// An operation, as `ops/<opId>.json` has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Operation {
    /// Version of the file's form.
    pub schema_version: String,
    /// Its id.
    pub op_id: String,
    /// What was asked.
    pub question: String,
    /// Files and folders that it is about; all, where there are none.
    pub scope_paths: Vec<String>,
    /// Where it stands.
    pub state: OpState,
    /// What was done.
    pub steps: Vec<OpStep>,
    /// What models were sent and said, in tokens.
    pub tokens: u32,
    /// What was found.
    pub result: Option<Conclusion>,
    /// What it rests on.
    pub read: Vec<ReadFile>,
    /// Why it failed.
    pub error: Option<String>,
    /// Number of secrets removed before writing.
    #[serde(skip_serializing_if = "is_zero")]
    pub redacted: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Operation {
    /// An operation that begins. The same question about the same places is the same operation.
    #[must_use]
    pub fn new(question: &str, scope_paths: Vec<String>) -> Self {
        let question = question.trim().to_owned();
        let mut hash = Sha256::new();
        hash.update(question.to_lowercase().as_bytes());
        for path in &scope_paths {
            hash.update([0]);
            hash.update(path.as_bytes());
        }
        let digest: [u8; 32] = hash.finalize().into();
        let letters = data_encoding::BASE32HEX_NOPAD.encode(&digest[..5]);
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            op_id: format!("O_{}", letters.to_lowercase()),
            question,
            scope_paths,
            ..Self::default()
        }
    }

    /// Where it is kept, relative to `.context/`.
    #[must_use]
    pub fn path(&self) -> String {
        op_path(&self.op_id)
    }

    /// The file.
    #[must_use]
    pub fn render(&self) -> String {
        // Plain data can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads a file; none where it is no operation.
    #[must_use]
    pub fn read_file(text: &str) -> Option<Self> {
        let operation: Self = serde_json::from_str(text).ok()?;
        is_op_id(&operation.op_id).then_some(operation)
    }
}

/// Whether a text is an id of an operation: letters and digits alone, since it is a file's name.
#[must_use]
pub fn is_op_id(id: &str) -> bool {
    let rest = id.strip_prefix("O_").unwrap_or_default();
    (1..=32).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Where an operation is kept, relative to `.context/`.
#[must_use]
pub fn op_path(id: &str) -> String {
    format!("ops/{id}.json")
}

/// Reads what somebody concluded: an object `{conclusion, evidence, open}`, also inside of a fence or among words.
/// Evidence may be an object or a text `path:line` or `path:from-to`.
///
/// # Errors
/// What is wrong with it, as a sentence.
pub fn read_conclusion(text: &str) -> Result<Conclusion, String> {
    if text.len() > MAX_ANSWER {
        return Err(format!(
            "The conclusion has {} bytes; at most {MAX_ANSWER} are read.",
            text.len()
        ));
    }
    let (start, end) = (text.find('{'), text.rfind('}'));
    let object = match (start, end) {
        (Some(start), Some(end)) if start < end => &text[start..=end],
        _ => return Err("The conclusion is not a JSON object.".to_owned()),
    };
    let value: Value = serde_json::from_str(object)
        .map_err(|error| format!("The conclusion is not JSON: {error}."))?;
    conclusion_of(&value)
}

/// The same of JSON.
///
/// # Errors
/// What is wrong with it, as a sentence.
pub fn conclusion_of(value: &Value) -> Result<Conclusion, String> {
    let text = |value: &Value| -> String {
        let text = value.as_str().unwrap_or_default().trim();
        text.chars().take(MAX_LETTERS).collect()
    };
    let conclusion = text(&value["conclusion"]);
    if conclusion.is_empty() {
        return Err("The conclusion has no text in `conclusion`.".to_owned());
    }
    let list = |name: &str| value[name].as_array().cloned().unwrap_or_default();
    let evidence = list("evidence").into_iter().take(MAX_EVIDENCE);
    Ok(Conclusion {
        conclusion,
        evidence: evidence.filter_map(|entry| evidence_of(&entry)).collect(),
        open: list("open")
            .iter()
            .map(text)
            .filter(|point| !point.is_empty())
            .take(MAX_EVIDENCE)
            .collect(),
    })
}

fn evidence_of(value: &Value) -> Option<Evidence> {
    if let Some(place) = value.as_str() {
        let (path, start_line, end_line) = place_of(place)?;
        return Some(Evidence {
            path,
            start_line,
            end_line,
            ..Evidence::default()
        });
    }
    let text = |name: &str| -> String {
        let text = value[name].as_str().unwrap_or_default();
        text.chars().take(MAX_LETTERS).collect()
    };
    let number = |name: &str| value[name].as_u64().and_then(|it| u32::try_from(it).ok());
    let (path, first, last) = place_of(&text("path")).unwrap_or_else(|| (text("path"), 0, 0));
    let start_line = number("startLine")
        .or_else(|| number("line"))
        .unwrap_or(first);
    let is_named = !path.is_empty() && start_line > 0;
    is_named.then(|| Evidence {
        path,
        start_line,
        end_line: number("endLine")
            .unwrap_or(last.max(start_line))
            .max(start_line),
        quote: text("quote"),
        why: text("why"),
        verified: false,
    })
}

/// `path:line`, `path:from-to` or `path#Lline`.
fn place_of(text: &str) -> Option<(String, u32, u32)> {
    let (path, lines) = text.trim().rsplit_once([':', '#'])?;
    let lines = lines.trim_start_matches('L');
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    let number = |text: &str| text.trim_start_matches('L').parse::<u32>().ok();
    let (first, last) = (number(first)?, number(last)?);
    (first > 0 && !path.is_empty()).then(|| (path.to_owned(), first, last.max(first)))
}

/// Checks evidence against the text of its file: the lines exist, and the quote stands in them, white space aside.
pub fn verify(evidence: &mut Evidence, text: Option<&str>) {
    let lines: Vec<&str> = text.map_or_else(Vec::new, |text| text.lines().collect());
    let (first, last) = (evidence.start_line as usize, evidence.end_line as usize);
    let is_there = first >= 1 && last >= first && last <= lines.len();
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    evidence.verified = is_there && {
        let shown = flat(&lines[first - 1..last].join("\n"));
        !shown.is_empty() && shown.contains(&flat(&evidence.quote))
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_conclusion_is_found_among_words() {
        let said = "Here:\n```json\n{\"conclusion\": \"In runs.\", \"evidence\": [\"app/src/a.cs:3\", {\"path\": \"app/b.cs\", \
            \"startLine\": 2, \"endLine\": 4, \"quote\": \"x\", \"why\": \"y\"}, {\"path\": \"app/c.cs:7-9\"}, 5, \"nowhere\"], \
            \"open\": [\"why?\", \"\"]}\n```";
        let found = read_conclusion(said).expect("it is one");
        let places: Vec<_> = found
            .evidence
            .iter()
            .map(|of| (of.path.as_str(), of.start_line, of.end_line))
            .collect();
        assert_eq!(
            places,
            [
                ("app/src/a.cs", 3, 3),
                ("app/b.cs", 2, 4),
                ("app/c.cs", 7, 9)
            ]
        );
        assert_eq!(found.open, ["why?"]);
        for bad in ["", "{}", "{\"conclusion\": 3}", "}{", "nice"] {
            assert!(read_conclusion(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn evidence_is_checked_against_the_text() {
        let text = "one\n  two  words\n\nfour\n";
        let check = |first, last, quote: &str, text| {
            let mut evidence = Evidence {
                start_line: first,
                end_line: last,
                quote: quote.to_owned(),
                ..Evidence::default()
            };
            verify(&mut evidence, text);
            evidence.verified
        };
        assert!(check(1, 2, "two words", Some(text)) && check(4, 4, "", Some(text)));
        for (first, last, quote) in [(1, 1, "two"), (4, 5, ""), (0, 1, "one"), (3, 3, "")] {
            assert!(
                !check(first, last, quote, Some(text)),
                "{first} {last} {quote}"
            );
        }
        assert!(!check(1, 1, "one", None));
    }

    #[test]
    fn operations_keep() {
        let mut operation = Operation::new(" How? ", vec!["app/src".to_owned()]);
        operation.result = conclusion_of(&json!({ "conclusion": "so" })).ok();
        assert_eq!(
            Operation::read_file(&operation.render()),
            Some(operation.clone())
        );
        assert_eq!(
            Operation::new("how?", vec!["app/src".to_owned()]).op_id,
            operation.op_id
        );
        assert_ne!(Operation::new("how?", Vec::new()).op_id, operation.op_id);
        assert!(is_op_id(&operation.op_id) && !is_op_id("O_../x") && !is_op_id("x"));
        assert_eq!(Operation::read_file("{}"), None);
    }
}
