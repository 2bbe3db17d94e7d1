//! `codecortex_describe`: has the model describe types, or says what that would cost (SPEC SE2, SE3).

use std::collections::BTreeSet;

use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_index::{Symbol, UnitLocation};
use codecortex_ledger::TextState;
use codecortex_protocol::{ErrorCode, Failure, Located, Missing, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::Action;
use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::semantics::accounts::shortage;
use crate::tools::boxed::reply;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_grounding::SemanticUnit;
use codecortex_semantics::Prepared;

/// Units whose prompts are made for a dry run; more are counted by their average.
const MAX_MEASURED: usize = 100;
/// Units that an answer names.
const MAX_NAMED: usize = 50;

/// Arguments of `codecortex_describe`. Give one of `symbol`, `filePath` and `all`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DescribeArgs {
    /// A type to describe, even if its text is up to date.
    symbol: Option<String>,
    /// A file or folder, as `rootName/relative/path`, whose types with missing or stale texts are described.
    file_path: Option<String>,
    /// Describes all types with missing or stale texts.
    all: Option<bool>,
    /// Returns the cost without sending anything.
    dry_run: Option<bool>,
    /// Removes the texts from the queue instead.
    cancel: Option<bool>,
}

/// Answer of `codecortex_describe`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DescribeData {
    /// Exact number of texts; types that depend on each other share one.
    total: u32,
    /// The first of them.
    units: Vec<UnitData>,
    /// For a dry run: tokens of all prompts, without answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_tokens: Option<u32>,
    /// For a dry run: number of measured prompts; the others count as average.
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<u32>,
    /// The model in use; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// Why nothing is sent at present.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(flatten)]
    common: Common,
}

/// A text that is to be made.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UnitData {
    /// The id of the type or group.
    id: String,
    /// Paths of its types.
    symbols: Vec<String>,
    /// Where its text stands now.
    semantic_state: &'static str,
    /// What its prompt costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_tokens: Option<u32>,
    /// Whether the prompt asks for the whole text.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_full: Option<bool>,
    /// Members that changed, where the prompt is about these.
    #[serde(skip_serializing_if = "Option::is_none")]
    affected: Option<u32>,
}

struct DescribeReply {
    units: Vec<UnitData>,
    total: usize,
    tokens: Option<(u32, u32)>,
    model: Option<String>,
    why: Option<String>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: DescribeArgs = parse(args)?;
    cx.look(|cx| described(cx, &args)).await
}

fn described(cx: &Invocation<'_>, args: &DescribeArgs) -> ToolResult {
    let is_dry = args.dry_run == Some(true);
    let units = units(cx, args)?;
    if !is_dry {
        for unit in &units {
            check_keeps(cx.session, unit.root)?;
        }
    }
    let mut data: Vec<UnitData> = units.iter().map(|unit| data_of(cx, unit)).collect();
    let tokens = match is_dry {
        true => Some(measure(cx, &units, &mut data)?),
        false => {
            want(cx, &units, args.cancel != Some(true));
            None
        }
    };
    let total = data.len();
    data.truncate(MAX_NAMED);
    reply(DescribeReply {
        units: data,
        total,
        tokens,
        model: cx.session.model_name().map(str::to_owned),
        why: why(cx, &units, args.cancel == Some(true)),
    })
}

fn units(cx: &Invocation<'_>, args: &DescribeArgs) -> Result<Vec<SemanticUnit>, Failure> {
    match (&args.symbol, &args.file_path, args.all) {
        (Some(symbol), None, None | Some(false)) => {
            let found = cx.find_symbol(symbol)?;
            Ok(vec![SemanticUnit::resolve(
                &cx.view,
                cx.session,
                found.symbols[0],
                symbol,
            )?])
        }
        (None, Some(path), None | Some(false)) => open_units(cx, below(cx, path)?),
        (None, None, Some(true)) => open_units(cx, below(cx, "")?),
        _ => Err(
            ToolError::invalid("Give one of `symbol`, `filePath` and `all: true`.")
                .hint("`{\"symbol\":\"NodeStore\",\"dryRun\":true}` returns the cost of one type.")
                .into(),
        ),
    }
}

/// The types with a part below a folder; everywhere, without one.
fn below(cx: &Invocation<'_>, path: &str) -> Result<Vec<Symbol>, Failure> {
    let places = match path {
        "" => None,
        path => Some(codecortex_protocol::paths::places(
            path,
            &cx.workspace.roots,
        )?),
    };
    let is_meant = |root: u32, file: &str| {
        places.as_ref().is_none_or(|places| {
            places.iter().any(|place| {
                let rest = file.strip_prefix(place.path.as_str());
                place.root == root
                    && rest.is_some_and(|rest| {
                        place.path.is_empty() || rest.is_empty() || rest.starts_with('/')
                    })
            })
        })
    };
    let mut symbols = Vec::new();
    for (id, file) in cx.shown_files() {
        if is_meant(file.root, &file.path) {
            let units = cx.index.units_of(id).into_iter();
            symbols.extend(units.filter_map(|(_, place)| match place {
                UnitLocation::Type(symbol) => Some(symbol),
                UnitLocation::Module(_) => None,
            }));
        }
    }
    if symbols.is_empty() && !path.is_empty() {
        let error = ToolError::new(ErrorCode::NotFound, format!("`{path}` has no types."));
        return Err(error
            .hint("Give a file or folder as `rootName/relative/path`.")
            .into());
    }
    Ok(symbols)
}

/// The units of types, each once, whose texts are missing or stale.
fn open_units(cx: &Invocation<'_>, symbols: Vec<Symbol>) -> Result<Vec<SemanticUnit>, Failure> {
    let mut known: BTreeSet<(u32, String)> = BTreeSet::new();
    let mut units = Vec::new();
    for symbol in symbols {
        let unit = SemanticUnit::resolve(&cx.view, cx.session, symbol, "type")?;
        let is_open = matches!(
            unit.view.state,
            TextState::None | TextState::Stale | TextState::Pending
        );
        if is_open && known.insert((unit.root, unit.view.id().to_owned())) {
            units.push(unit);
        }
    }
    Ok(units)
}

fn data_of(cx: &Invocation<'_>, unit: &SemanticUnit) -> UnitData {
    UnitData {
        id: unit.view.id().to_owned(),
        symbols: unit
            .types
            .iter()
            .map(|(_, symbol)| cx.index.path_of(*symbol))
            .collect(),
        semantic_state: unit.view.state.as_str(),
        prompt_tokens: None,
        is_full: None,
        affected: None,
    }
}

/// Makes the prompts and counts them: tokens of all, and how many were made.
fn measure(
    cx: &Invocation<'_>,
    units: &[SemanticUnit],
    data: &mut [UnitData],
) -> Result<(u32, u32), Failure> {
    let mut sum: u64 = 0;
    let mut missing: Vec<Located> = Vec::new();
    let measured = units.len().min(MAX_MEASURED);
    for (unit, data) in units.iter().zip(data).take(MAX_MEASURED) {
        match unit.gather(&cx.view, cx.session) {
            Ok(gathered) => {
                let prepared = Prepared::new(unit.root, &unit.view, gathered);
                sum += u64::from(prepared.tokens());
                data.prompt_tokens = Some(prepared.tokens());
                data.is_full = Some(prepared.prompt.is_full);
                data.affected = (!prepared.prompt.is_full)
                    .then_some(u32::try_from(prepared.prompt.affected).unwrap_or(u32::MAX));
            }
            // All texts are waited for at once.
            Err(Failure::Missing(Missing::Texts(files))) => missing.extend(files),
            Err(failure) => return Err(failure),
        }
    }
    if !missing.is_empty() {
        missing.sort_by(|a, b| a.path.cmp(&b.path));
        missing.dedup();
        return Err(Failure::Missing(Missing::Texts(missing)));
    }
    let all = sum * units.len() as u64 / (measured as u64).max(1);
    Ok((u32::try_from(all).unwrap_or(u32::MAX), measured as u32))
}

fn want(cx: &Invocation<'_>, units: &[SemanticUnit], is_wanted: bool) {
    let roots: BTreeSet<u32> = units.iter().map(|unit| unit.root).collect();
    for root in roots {
        let own = units.iter().filter(|unit| unit.root == root);
        let types = own.map(|unit| unit.view.types[0].id.clone());
        cx.enqueue(Action::Want {
            root,
            types: types.collect(),
            is_wanted,
        });
    }
}

fn why(cx: &Invocation<'_>, units: &[SemanticUnit], is_cancelled: bool) -> Option<String> {
    if cx.session.model_name().is_none() {
        return Some(
            "No model was chosen, so requested texts wait. Agents can answer prompts of codecortex_getSemantic."
                .to_owned(),
        );
    }
    let mut folders = cx.session.contexts.folders.iter();
    let held = folders.find_map(|folder| folder.semantic_jobs.held().cloned());
    let roots: BTreeSet<u32> = units.iter().map(|unit| unit.root).collect();
    let mut roots = roots.into_iter().filter(|_| !is_cancelled);
    held.or_else(|| {
        roots.find_map(|root| {
            let texts = units.iter().filter(|unit| unit.root == root).count();
            shortage(cx.session, root, texts)
        })
    })
}

impl Reply for DescribeReply {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.units.len()
    }

    fn data(&self, _: usize, pieces: usize, common: Common) -> Value {
        let data = DescribeData {
            total: self.total as u32,
            units: self.units[..pieces].to_vec(),
            prompt_tokens: self.tokens.map(|(tokens, _)| tokens),
            measured: self.tokens.map(|(_, measured)| measured),
            model: self.model.clone(),
            why: self.why.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _: usize, pieces: usize) -> String {
        let mut out = match self.tokens {
            Some((tokens, _)) => format!("// {} texts, prompts of {tokens} tokens\n", self.total),
            None => format!("// {} texts\n", self.total),
        };
        for unit in &self.units[..pieces] {
            let tokens = unit
                .prompt_tokens
                .map(|tokens| format!(" // {tokens} tokens"));
            out.push_str(&format!(
                "{}: {}{}\n",
                unit.semantic_state,
                unit.symbols.join(", "),
                tokens.unwrap_or_default()
            ));
        }
        for line in self.why.iter() {
            out.push_str(&format!("// {line}\n"));
        }
        out
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_describe`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_describe",
    reference_name: "describe",
    title: "Describe types",
    description: "Have the selected model describe the purpose of types, or with `dryRun` return the cost in tokens. \
        Texts are written one after the other, for the most used types first; codecortex_getSemantic returns them.",
    icon: "$(sparkle)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: true,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("type", "symbol"), ("folder", "filePath")],
    schema: schema_of::<DescribeArgs>,
    output: schema_of::<DescribeData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
