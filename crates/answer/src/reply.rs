//! What every answer has: its forms, its freshness, its account.

use std::cell::RefCell;
use std::io;

use codecortex_protocol::{Failure, Phase};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use serde_json::{Map, Value};

use crate::budget::{Budget, BudgetAccount, Omitted, Rendering};
use crate::cursor::Question;

/// What a handler gives.
pub type ToolResult = Result<Box<dyn Reply>, Failure>;

/// What a handler found, in several levels of detail.
pub trait Reply {
    /// The levels' names, the most detailed first.
    fn levels(&self) -> &'static [&'static str];
    /// How many pieces can be cut.
    fn pieces(&self) -> usize;
    /// The answer's `data`.
    fn data(&self, level: usize, pieces: usize, common: Common) -> Value;
    /// The same facts as code and short comments.
    fn text(&self, level: usize, pieces: usize) -> String;
    /// Where to go on after `shown` pieces, if there is more.
    fn next_cursor(&self, shown: usize) -> Option<String>;
    /// Whether the answer is based on text that is not saved.
    fn is_unsaved(&self) -> bool;
    /// What the answer may cost beside what the caller allows, in tokens.
    fn budget_tokens(&self) -> Option<u32> {
        None
    }
}

/// How fresh and complete the index was (SPEC X2).
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    /// Revision of the index.
    pub revision: u32,
    /// What keeps the index from being complete: `scanning`, `indexing` or `cancelled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Files that are not read yet.
    #[serde(skip_serializing_if = "is_zero")]
    pub pending: u32,
    /// Whether unsaved text of an editor was used.
    #[serde(skip_serializing_if = "is_false")]
    pub unsaved: bool,
    /// Workspace folders that cannot be read now: nothing of them is in the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable_roots: Vec<String>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What every `data` holds besides its own.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Common {
    /// The `cursor` of the next page; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Parts that the budget omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<Omitted>,
    /// Freshness and completeness of the index.
    pub index: Freshness,
    /// Cost of this answer.
    pub budget: Budget,
}

fn next_cursor(reply: &dyn Reply, shown: usize, question: &Question) -> Option<String> {
    let cursor = reply.next_cursor(shown)?;
    Some(question.seal(&cursor))
}

/// The envelope of a reply.
pub struct JsonForm<'a> {
    reply: &'a dyn Reply,
    freshness: Freshness,
    question: &'a Question,
    in_lines: bool,
    /// What was rendered last, with its level and its pieces: an account is settled in rounds that change numbers alone.
    last: RefCell<Option<((usize, usize), Value)>>,
}

impl<'a> JsonForm<'a> {
    /// The envelope of a reply to a question; `in_lines` puts each entry of a list on a line of its own.
    pub fn new(
        reply: &'a dyn Reply,
        freshness: Freshness,
        question: &'a Question,
        in_lines: bool,
    ) -> Self {
        Self {
            reply,
            freshness,
            question,
            in_lines,
            last: RefCell::default(),
        }
    }

    fn envelope(&self, level: usize, pieces: usize, account: &BudgetAccount) -> Value {
        let common = Common {
            next_cursor: next_cursor(self.reply, pieces, self.question),
            omitted: account.omitted.clone(),
            index: self.freshness.clone(),
            budget: account.budget.clone(),
        };
        let mut envelope = Map::new();
        envelope.insert("ok".to_owned(), Value::Bool(true));
        // `json!` would copy it.
        let data = self.reply.data(level, pieces, common);
        envelope.insert("data".to_owned(), data);
        Value::Object(envelope)
    }
}

/// Puts the numbers of an account in the place of another's; false where the data does not have them as [`Common`] does.
fn set_numbers(envelope: &mut Value, account: &BudgetAccount) -> bool {
    let mut set = |place: &str, tokens: Option<u32>| {
        let known = envelope.pointer_mut(place);
        match (known, tokens) {
            (None, None) => true,
            (Some(known), Some(tokens)) => {
                *known = tokens.into();
                true
            }
            _ => false,
        }
    };
    let omitted = account.omitted.as_ref();
    set(
        "/data/budget/tokens_approx",
        Some(account.budget.tokens_approx),
    ) && set("/data/budget/tokens_exact", account.budget.tokens_exact)
        && set(
            "/data/omitted/tokensApprox",
            omitted.map(|omitted| omitted.tokens_approx),
        )
}

impl Rendering for JsonForm<'_> {
    fn levels(&self) -> &'static [&'static str] {
        self.reply.levels()
    }

    fn pieces(&self) -> usize {
        self.reply.pieces()
    }

    fn render(&self, level: usize, pieces: usize, account: &BudgetAccount) -> String {
        let mut last = self.last.borrow_mut();
        let known = last.take().filter(|(of, _)| *of == (level, pieces));
        let known = known
            .and_then(|(_, mut envelope)| set_numbers(&mut envelope, account).then_some(envelope));
        let envelope = known.unwrap_or_else(|| self.envelope(level, pieces, account));
        let (_, envelope) = last.insert(((level, pieces), envelope));
        if !self.in_lines {
            return envelope.to_string();
        }
        let mut out = Vec::new();
        let mut serializer =
            serde_json::Serializer::with_formatter(&mut out, LinewiseJson(CompactFormatter));
        // Writing a JSON value into memory does not fail.
        match envelope.serialize(&mut serializer) {
            Ok(()) => String::from_utf8_lossy(&out).into_owned(),
            Err(_) => envelope.to_string(),
        }
    }
}

/// Compact JSON with a line for each entry of a list: Copilot shows and cuts results by lines.
struct LinewiseJson(CompactFormatter);

impl Formatter for LinewiseJson {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)?;
        writer.write_all(b"\n")
    }
}

/// The text form of a reply.
pub struct TextForm<'a> {
    /// What is answered.
    pub reply: &'a dyn Reply,
    /// Of which state of the index.
    pub freshness: Freshness,
    /// What was asked; cursors are of it.
    pub question: &'a Question,
}

impl Rendering for TextForm<'_> {
    fn levels(&self) -> &'static [&'static str] {
        self.reply.levels()
    }

    fn pieces(&self) -> usize {
        self.reply.pieces()
    }

    fn render(&self, level: usize, pieces: usize, account: &BudgetAccount) -> String {
        let mut out = self.reply.text(level, pieces);
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        let mut notes = Vec::new();
        if let Some(omitted) = &account.omitted {
            notes.push(format!(
                "{} left out (~{} tokens)",
                omitted.count, omitted.tokens_approx
            ));
        }
        if let Some(cursor) = next_cursor(self.reply, pieces, self.question) {
            notes.push(format!("more: cursor {cursor}"));
        }
        if let Some(phase) = self.freshness.phase {
            notes.push(
                format!("index {phase:?}, {} files pending", self.freshness.pending).to_lowercase(),
            );
        }
        if self.freshness.unsaved {
            notes.push("unsaved text".to_owned());
        }
        if !self.freshness.unreadable_roots.is_empty() {
            let roots = self.freshness.unreadable_roots.join(", ");
            notes.push(format!("folders that cannot be read: {roots}"));
        }
        notes.push(match account.budget.budget_tokens {
            Some(granted) => format!("{}/{granted} tokens", account.budget.tokens_approx),
            None => format!("{} tokens", account.budget.tokens_approx),
        });
        notes.push(format!("rev {}", self.freshness.revision));
        out.push_str(&format!("// {}\n", notes.join(", ")));
        out
    }
}
