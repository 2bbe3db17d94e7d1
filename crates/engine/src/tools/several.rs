//! One call for several symbols: every meaning of a name that has a few, and every entry of a list (SPEC S2, X5).
//!
//! A tool answers for one symbol. Where a name has a few meanings the call is handled once for each, and the answers
//! stand behind a list of the candidates with their counts; where it has many, the error has that list. So no agent asks
//! twice, and no tool chooses for it.

use codecortex_analysis::place::{Location, ResolvedSymbol};
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::Meaning;
use codecortex_answer::reply::{Common, Reply};
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::counts::counted;
use codecortex_protocol::{ErrorCode, ToolError};
use codecortex_resolve::{DefRef, Resolver};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

use crate::calls::{CallContext, Handler};
use crate::invocation::Invocation;
use crate::tools::needs::{self, RequiredInput};
use crate::tools::references::found_uses;

/// A name of more meanings is answered with its candidates alone.
const MAX_MEANINGS: usize = 8;
/// Symbols that one call may ask for.
const MAX_SYMBOLS: usize = 50;
/// Candidates whose uses are counted.
const MAX_COUNTED: usize = MAX_MEANINGS;

/// The argument that names one symbol, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum SymbolArgument {
    One(String),
    Many(Vec<String>),
}

impl JsonSchema for SymbolArgument {
    fn schema_name() -> Cow<'static, str> {
        "Symbols".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "array"], "items": { "type": "string" } })
    }
}

/// A meaning of a name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidate {
    #[serde(flatten)]
    symbol: ResolvedSymbol,
    /// What is declared: `class`, `method`, `field` …
    kind: &'static str,
    /// Number of uses, without those by name alone; absent where they are not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    uses: Option<u32>,
    #[serde(flatten)]
    location: Location,
}

/// What an answer for several symbols has beside that for the first.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SeveralData {
    /// The meanings of a name that has several; the answer is for the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) candidates: Vec<Candidate>,
    /// The answers for the other candidates, or the other symbols of the list, with the same fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) more: Vec<Map<String, Value>>,
    /// Symbols of the list that were not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) missing: Vec<String>,
}

/// Handles a call for each symbol that its `argument` names.
///
/// # Errors
/// Nothing was found, or a name has too many meanings: what the handler says of the first.
pub(crate) async fn for_each(
    cx: CallContext,
    args: Value,
    argument: &'static str,
    one: Handler,
) -> Result<Box<dyn Reply>, ToolError> {
    let listed = match args.get(argument) {
        Some(Value::Array(symbols)) => Some(read_list(argument, symbols)?),
        _ => None,
    };
    let Some(symbols) = listed else {
        let symbol = args
            .get(argument)
            .and_then(Value::as_str)
            .map(str::to_owned);
        let mut several = Several::default();
        if let Some(error) = several
            .add(&cx, (&args, argument, one), symbol.as_deref())
            .await
        {
            return Err(error);
        }
        return several.into_reply();
    };
    let mut several = Several::default();
    let mut first_error = None;
    for symbol in symbols {
        if let Some(error) = several
            .add(&cx, (&args, argument, one), Some(&symbol))
            .await
        {
            several.missing.push(symbol);
            first_error.get_or_insert(error);
        }
    }
    match first_error {
        Some(error) if several.replies.is_empty() => Err(error),
        _ => several.into_reply(),
    }
}

/// The entries of a list of symbols, each once.
fn read_list(argument: &str, symbols: &[Value]) -> Result<Vec<String>, ToolError> {
    let texts = symbols
        .iter()
        .map(|symbol| symbol.as_str().map(str::to_owned));
    let texts: Option<Vec<String>> = texts.collect();
    match texts {
        Some(texts) => check_count(argument, &texts),
        None => Err(
            ToolError::invalid(format!("`{argument}` has an entry that is no text."))
                .hint(format!("Give 1 to {MAX_SYMBOLS} names, paths or ids.")),
        ),
    }
}

/// The entries of a list, each once.
///
/// # Errors
/// It is empty or too long.
pub(crate) fn check_count(argument: &str, symbols: &[String]) -> Result<Vec<String>, ToolError> {
    if !(1..=MAX_SYMBOLS).contains(&symbols.len()) {
        let count = symbols.len();
        return Err(
            ToolError::invalid(format!("`{argument}` has {count} entries."))
                .hint(format!("Give 1 to {MAX_SYMBOLS} names, paths or ids.")),
        );
    }
    let mut once: Vec<String> = Vec::new();
    for symbol in symbols {
        if !once.contains(symbol) {
            once.push(symbol.clone());
        }
    }
    Ok(once)
}

/// The meanings of the name that a look-up has just rejected as ambiguous, if they are few enough to be answered; each
/// with the candidate that shows it.
pub(crate) async fn few_meanings(
    cx: &CallContext,
    error: &ToolError,
) -> Result<Option<Vec<(Meaning, Candidate)>>, ToolError> {
    if error.code != ErrorCode::AmbiguousSymbol {
        return Ok(None);
    }
    let meanings = cx.view(|cx| cx.call.meanings.borrow().clone()).await;
    if !(2..=MAX_MEANINGS).contains(&meanings.len()) {
        return Ok(None);
    }
    let shown = candidates(cx, &meanings).await?;
    let is_whole = shown.len() == meanings.len();
    Ok(is_whole.then(|| meanings.into_iter().zip(shown).collect()))
}

/// An error for a name of several meanings, with the number of uses of each candidate that it lists.
pub(crate) async fn with_uses(cx: &CallContext, error: ToolError) -> ToolError {
    if error.code != ErrorCode::AmbiguousSymbol {
        return error;
    }
    let listed = error.details.get("candidates").and_then(Value::as_array);
    let listed = listed.map_or(0, Vec::len);
    let mut meanings = cx.view(|cx| cx.call.meanings.borrow().clone()).await;
    meanings.truncate(listed);
    match candidates(cx, &meanings).await {
        Ok(shown) if shown.len() == listed => error.detail("candidates", json!(shown)),
        _ => error,
    }
}

/// Meanings as they are shown.
async fn candidates(cx: &CallContext, meanings: &[Meaning]) -> Result<Vec<Candidate>, ToolError> {
    loop {
        let inputs = [RequiredInput::Projects, RequiredInput::External];
        let missing = cx.view(|cx| needs::missing(cx, &inputs, &Map::new())).await;
        if missing.is_empty() {
            break;
        }
        cx.wait(missing).await;
    }
    cx.look(|cx| {
        let shown = meanings.iter().enumerate();
        let shown = shown.filter_map(|(at, meaning)| candidate(cx, meaning, at < MAX_COUNTED));
        Ok(shown.collect())
    })
    .await
}

fn candidate(cx: &Invocation<'_>, meaning: &Meaning, is_counted: bool) -> Option<Candidate> {
    let symbols: Vec<Symbol> = meaning.declarations.iter().map(symbol_of).collect();
    let first = *symbols.first()?;
    let (file, item) = cx.index.get(first)?;
    Some(Candidate {
        symbol: ResolvedSymbol {
            path: meaning.path.clone(),
            ..resolved_symbol(cx, first)?
        },
        kind: item.kind.as_str(),
        uses: is_counted.then(|| uses_of(cx, &symbols)).flatten(),
        location: cx.location(file, item),
    })
}

fn symbol_of(&(file, item): &(u32, u32)) -> Symbol {
    Symbol {
        file: FileId(file),
        item,
    }
}

/// How many uses declarations have; none where their language's uses are not followed.
fn uses_of(cx: &Invocation<'_>, symbols: &[Symbol]) -> Option<u32> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let defs = symbols
        .iter()
        .filter_map(|symbol| cx.def_of(&query, *symbol));
    let defs: Vec<DefRef> = defs.collect();
    (!defs.is_empty()).then(|| found_uses::count(cx, &defs))
}

/// Answers of one tool for several symbols.
#[derive(Default)]
struct Several {
    /// The name that has several meanings, where one alone is asked for.
    candidates: Vec<Candidate>,
    replies: Vec<Box<dyn Reply>>,
    missing: Vec<String>,
}

impl Several {
    /// Adds the answer for a symbol, or those for each of its meanings; gives back why there is none.
    async fn add(
        &mut self,
        cx: &CallContext,
        (args, argument, one): (&Value, &str, Handler),
        symbol: Option<&str>,
    ) -> Option<ToolError> {
        let mut args = args.clone();
        if let Some(symbol) = symbol {
            args[argument] = json!(symbol);
        }
        let error = match one(cx.clone(), args.clone()).await {
            Ok(reply) => {
                self.replies.push(reply);
                return None;
            }
            Err(error) => error,
        };
        let Some(symbol) = symbol else {
            return Some(error);
        };
        let meanings = match few_meanings(cx, &error).await {
            Ok(Some(meanings)) => meanings,
            Ok(None) => return Some(error),
            Err(error) => return Some(error),
        };
        let mut replies = Vec::new();
        cx.view(|cx| cx.call.is_for_each.set(true)).await;
        for (meaning, _) in &meanings {
            let place = (symbol.to_owned(), meaning.declarations.clone());
            cx.view(|cx| cx.call.placed.borrow_mut().insert(0, place))
                .await;
            let reply = one(cx.clone(), args.clone()).await;
            cx.view(|cx| cx.call.placed.borrow_mut().remove(0)).await;
            match reply {
                Ok(reply) => replies.push(reply),
                Err(_) => {
                    cx.view(|cx| cx.call.is_for_each.set(false)).await;
                    return Some(error);
                }
            }
        }
        cx.view(|cx| cx.call.is_for_each.set(false)).await;
        self.candidates
            .extend(meanings.into_iter().map(|(_, shown)| shown));
        self.replies.append(&mut replies);
        None
    }

    fn into_reply(mut self) -> Result<Box<dyn Reply>, ToolError> {
        match (self.replies.len(), self.missing.is_empty()) {
            (0, _) => Err(ToolError::new(
                ErrorCode::InternalError,
                "A call for several symbols has no answer.",
            )),
            (1, true) => Ok(self.replies.remove(0)),
            _ => Ok(Box::new(self)),
        }
    }

    /// How many pieces each answer shows of so many: none has more than another that has some left.
    fn shares(&self, pieces: usize) -> Vec<usize> {
        let all: Vec<usize> = self.replies.iter().map(|reply| reply.pieces()).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by_key(|at| all[*at]);
        let mut shares = vec![0; all.len()];
        let (mut left, mut open) = (pieces, all.len());
        for at in order {
            let share = all[at].min(left.div_ceil(open));
            shares[at] = share;
            left -= share;
            open -= 1;
        }
        shares
    }

    /// Whether an answer has something to show and no room for any of it: its candidate stands in the list.
    fn is_left_out(reply: &dyn Reply, share: usize) -> bool {
        share == 0 && reply.pieces() > 0
    }

    /// The level of an answer that has fewer of them.
    fn level_of(reply: &dyn Reply, level: usize) -> usize {
        level.min(reply.levels().len() - 1)
    }
}

impl Reply for Several {
    fn levels(&self) -> &'static [&'static str] {
        let levels = self.replies.iter().map(|reply| reply.levels());
        levels
            .max_by_key(|levels| levels.len())
            .unwrap_or(&["full"])
    }

    fn pieces(&self) -> usize {
        self.replies.iter().map(|reply| reply.pieces()).sum()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let shares = self.shares(pieces);
        let mut data = Value::Null;
        let mut more = Vec::new();
        for (reply, share) in self.replies.iter().zip(shares) {
            if Self::is_left_out(&**reply, share) && !data.is_null() {
                continue;
            }
            let level = Self::level_of(&**reply, level);
            let one = reply.data(level, share, common.clone());
            match (data.is_null(), one) {
                (true, one) => data = one,
                (false, Value::Object(mut one)) => {
                    for name in ["index", "budget", "omitted", "nextCursor"] {
                        one.shift_remove(name);
                    }
                    more.push(one);
                }
                (false, _) => {}
            }
        }
        let several = SeveralData {
            candidates: self.candidates.clone(),
            more,
            missing: self.missing.clone(),
        };
        if let (Value::Object(data), Ok(Value::Object(several))) =
            (&mut data, serde_json::to_value(several))
        {
            data.extend(several);
        }
        data
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let mut out = candidates_text(&self.candidates);
        for symbol in &self.missing {
            out.push_str(&format!("// not found: {symbol}\n"));
        }
        for (reply, share) in self.replies.iter().zip(self.shares(pieces)) {
            if Self::is_left_out(&**reply, share) {
                continue;
            }
            let text = reply.text(Self::level_of(&**reply, level), share);
            out.push_str(&text);
            if !text.ends_with('\n') {
                out.push('\n');
            }
            let left = reply.pieces() - share;
            if left > 0 {
                out.push_str(&format!("// {left} more: ask for this one alone\n"));
            }
        }
        out
    }

    /// Each answer has a page of its own: an id asks for the rest of one.
    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.replies.iter().any(|reply| reply.is_unsaved())
    }
}

/// The candidates as comments, a line each.
pub(crate) fn candidates_text(candidates: &[Candidate]) -> String {
    if candidates.is_empty() {
        return String::new();
    }
    let mut out = format!("// {} meanings\n", candidates.len());
    for of in candidates {
        let uses = match of.uses {
            Some(uses) => format!(" · {}", counted(uses, "use")),
            None => String::new(),
        };
        let (path, id, kind) = (&of.symbol.path, of.symbol.id(), of.kind);
        out.push_str(&format!(
            "//   {kind} {path} {id} · {}{uses}\n",
            of.location.short()
        ));
    }
    out
}
