//! `codecortex_resolveSymbol`: where a symbol path is declared (SPEC S1, S2, S5; `000` §6).

use codecortex_analysis::generated::is_less_than_generated;
use codecortex_analysis::module_hints::need_crate_names;
use codecortex_analysis::place::{Location, ResolvedSymbol};
use codecortex_analysis::symbols::ids::{resolved_set, resolved_symbol};
use codecortex_answer::args::{check_range, check_text, parse};
use codecortex_answer::cursor::{DEFAULT_LIMIT, MAX_LIMIT, Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_index::{Resolution, Resolved, Symbol, SymbolPath};
use codecortex_protocol::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::needs::RequiredInput;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_resolveSymbol`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolveArgs {
    /// A path, the end of one, a pattern with `*` and `?`, an id, or `file:line:character`.
    symbol: String,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// Results a page; 30 by default.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u64>,
}

/// Answer of `codecortex_resolveSymbol`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolveData {
    /// The symbol, if it is unambiguous.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<ResolvedSymbol>,
    /// Exact number of candidates on all pages.
    total: u32,
    /// Candidates for the path, best first.
    candidates: Vec<CandidateData>,
    #[serde(flatten)]
    common: Common,
}

/// One meaning of a path.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CandidateData {
    #[serde(flatten)]
    symbol: ResolvedSymbol,
    /// What is declared: `class`, `method`, `field` …
    kind: &'static str,
    /// How it was found: `exact`, `suffix` or `wildcard`.
    #[serde(rename = "match")]
    matched: &'static str,
    /// Every place that declares it: parts of a type, overloads, prototypes.
    declarations: Vec<CandidateDeclaration>,
}

/// One declaration of a candidate.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CandidateDeclaration {
    /// The declaration as the language writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(flatten)]
    location: Location,
}

struct Candidates {
    /// What is meant, where there is no doubt; of several overloads what they have in common (SPEC TC4).
    resolved: Option<ResolvedSymbol>,
    all: Vec<CandidateData>,
    paging: Paging,
    unsaved: bool,
}

/// Declarations of one candidate that are shown; a namespace can be declared in thousands of files.
const MAX_DECLARATIONS: usize = 10;

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: ResolveArgs = parse(args)?;
    cx.look(|cx| resolved(cx, &args)).await
}

fn resolved(cx: &Invocation<'_>, args: &ResolveArgs) -> ToolResult {
    check_text("symbol", &args.symbol)?;
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_LIMIT), 1, MAX_LIMIT)?;
    let start = read_cursor(args.cursor.as_deref())?;
    need_crate_names(cx, &args.symbol)?;
    let found = candidates(cx, &args.symbol)?;
    let total = found.len();
    let page: Vec<&Resolved> = found.iter().skip(start).take(limit).collect();
    let unsaved = page.iter().any(|found| {
        found
            .symbols
            .iter()
            .any(|symbol| cx.is_unsaved(symbol.file))
    });
    Ok(Box::new(Candidates {
        resolved: in_common(cx, &found),
        all: page
            .into_iter()
            .filter_map(|found| candidate(cx, found))
            .collect(),
        paging: Paging {
            total,
            start: start.min(total),
            revision: cx.revision,
        },
        unsaved,
    }))
}

fn candidates(cx: &Invocation<'_>, symbol: &str) -> Result<Vec<Resolved>, ToolError> {
    if let Some(found) = cx.placed(symbol) {
        return Ok(vec![found]);
    }
    if symbol.trim().starts_with("T_") {
        return cx.find_symbol(symbol).map(|found| vec![found]);
    }
    let path = SymbolPath::parse(symbol).ok_or_else(|| {
        ToolError::invalid("`symbol` is not a symbol path.")
            .hint("Give a name or a path such as `Core.NodeStore.Add`.")
    })?;
    let found = match cx.resolve_as_written(&path, symbol) {
        Resolution::One(found) => {
            cx.note_spelling(&path, symbol, &found);
            told_apart(cx, found)
        }
        Resolution::Many(found) => found,
        Resolution::None(suggestions) => cx
            .by_detour(&path, symbol)
            .map(|found| vec![found])
            .ok_or_else(|| cx.symbol_not_found(symbol, suggestions))?,
    };
    match is_less_than_generated(cx, symbol, &found) {
        true => Err(cx.symbol_not_found(symbol, Vec::new())),
        false => Ok(found),
    }
}

/// The ids of what all these meanings are: one symbol, or overloads of one name.
fn in_common(cx: &Invocation<'_>, found: &[Resolved]) -> Option<ResolvedSymbol> {
    let first = found.first()?;
    let root = |of: &Resolved| {
        cx.index
            .file(of.symbols.first()?.file)
            .map(|file| file.root)
    };
    let is_same = |of: &Resolved| of.path == first.path && root(of) == root(first);
    let symbols: Vec<Symbol> = found
        .iter()
        .flat_map(|of| of.symbols.iter().copied())
        .collect();
    found
        .iter()
        .all(is_same)
        .then(|| resolved_set(cx, &symbols))?
}

/// The overloads of a member, each with an id of its own, are meanings of its path (SPEC TC4), and so is what has it
/// in another folder of the workspace.
fn told_apart(cx: &Invocation<'_>, found: Resolved) -> Vec<Resolved> {
    let mut meanings: Vec<(String, Option<u32>, Vec<Symbol>)> = Vec::new();
    for symbol in &found.symbols {
        let Some(ids) = resolved_symbol(cx, *symbol) else {
            return vec![found];
        };
        let root = cx.index.file(symbol.file).map(|file| file.root);
        let is_part = |of: &Symbol| {
            cx.index
                .parts(*of)
                .iter()
                .any(|part| part.symbol == *symbol)
        };
        let is_it = |(id, of, symbols): &(String, Option<u32>, Vec<Symbol>)| {
            id == ids.id() && (*of == root || symbols.first().is_some_and(is_part))
        };
        match meanings.iter_mut().find(|known| is_it(known)) {
            Some((.., symbols)) => symbols.push(*symbol),
            None => meanings.push((ids.id().to_owned(), root, vec![*symbol])),
        }
    }
    let of = |(_, _, symbols)| Resolved {
        symbols,
        path: found.path.clone(),
        matched: found.matched,
    };
    meanings.into_iter().map(of).collect()
}

fn candidate(cx: &Invocation<'_>, found: &Resolved) -> Option<CandidateData> {
    let first = *found.symbols.first()?;
    let (_, item) = cx.index.get(first)?;
    let declaration = |symbol: &Symbol| {
        let (file, item) = cx.index.get(*symbol)?;
        Some(CandidateDeclaration {
            signature: Some(file.facts.str(item.signature).to_owned()),
            location: cx.location(file, item),
        })
    };
    Some(CandidateData {
        symbol: resolved_symbol(cx, first)?,
        kind: item.kind.as_str(),
        matched: found.matched.as_str(),
        declarations: found
            .symbols
            .iter()
            .take(MAX_DECLARATIONS)
            .filter_map(declaration)
            .collect(),
    })
}

impl Candidates {
    fn shown(&self, level: usize, pieces: usize) -> Vec<CandidateData> {
        let mut shown = self.all[..pieces].to_vec();
        for candidate in &mut shown {
            if level >= 2 {
                candidate.declarations.truncate(1);
            }
            for declaration in &mut candidate.declarations {
                if level >= 1 {
                    declaration.signature = None;
                }
            }
        }
        shown
    }
}

impl Reply for Candidates {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "signature:none", "declarations:first"]
    }

    fn pieces(&self) -> usize {
        self.all.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let data = ResolveData {
            resolved: self.resolved.clone(),
            total: self.paging.total as u32,
            candidates: self.shown(level, pieces),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let mut out = format!(
            "// {} candidate{}\n",
            self.paging.total,
            if self.paging.total == 1 { "" } else { "s" }
        );
        for candidate in self.shown(level, pieces) {
            let id = candidate
                .symbol
                .member_id
                .as_ref()
                .unwrap_or(&candidate.symbol.type_id);
            out.push_str(&format!(
                "// {} {} {id} {}\n",
                candidate.kind, candidate.symbol.path, candidate.matched
            ));
            for declaration in candidate.declarations {
                let place = declaration.location.short();
                match declaration.signature {
                    Some(signature) => out.push_str(&format!("{signature} // {place}\n")),
                    None => out.push_str(&format!("// {place}\n")),
                }
            }
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        self.paging.next_cursor(shown)
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

/// The row of `codecortex_resolveSymbol`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_resolveSymbol",
    reference_name: "resolveSymbol",
    title: "Resolve symbol",
    description: "Find where a symbol path is declared: `Namespace.Type+Nested.Member(int)`, any unique end of it, \
        or a pattern such as `NodeStore.Get*`, with any language's separators. Suggests similar names if nothing \
        matches.",
    icon: "$(symbol-key)",
    profile: Profile::Full,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: true,
    former_name: None,
    uses: &[],
    aliases: &[
        ("path", "symbol"),
        ("name", "symbol"),
        ("query", "symbol"),
        ("id", "symbol"),
        ("typeId", "symbol"),
    ],
    schema: schema_of::<ResolveArgs>,
    output: schema_of::<ResolveData>,
    needs: &[RequiredInput::External],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
