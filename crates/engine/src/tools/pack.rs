//! `codecortex_pack`: packs are built, listed, shown, switched on and off (SPEC PK1, `000` §6, §10).

use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_context::packs::built::{Built, PackedType};
use codecortex_context::packs::{TOKENS, build_pack};
use codecortex_context::window::change::WindowChange;
use codecortex_context::window::state::PackState;
use codecortex_ledger::rfc3339;
use codecortex_protocol::counts::counted;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::Action;
use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::get_context::wait_for_folders;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// The most packs of a root.
const MAX_PACKS: usize = 200;
/// The most tokens that a pack may have.
const MAX_TOKENS: u32 = 1_000_000;

/// Arguments of `codecortex_pack`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PackArgs {
    action: PackOperation,
    /// Name of the pack: letters, digits, `-` and `_`.
    name: Option<String>,
    /// For `build`: `namespace:`, `type:`, `access:`, `tag:`, `depends:` with wildcards, AND, OR, `!`, brackets.
    filter: Option<String>,
    /// Token limit of the pack; 8000 by default.
    pack_tokens: Option<u32>,
    /// The workspace folder, if there are several.
    root: Option<String>,
}

/// The action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum PackOperation {
    /// Choose the types anew; without a filter, by the last one.
    Build,
    /// What packs there are.
    List,
    /// The text as it would be now.
    Show,
    /// Let its types weigh more in the prompt window.
    Activate,
    /// Do not.
    Deactivate,
    /// Forget it.
    Delete,
}

/// Answer of `codecortex_pack`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PackData {
    /// The affected packs; for `list`, all packs.
    packs: Vec<PackInfo>,
    /// Whether the text is unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    reused: Option<bool>,
    /// Types in the pack, dependencies before dependents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    types: Vec<PackMemberData>,
    /// Matching types and their dependencies without room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cut: Vec<String>,
    /// The text, for `show`.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(flatten)]
    common: Common,
}

/// A pack.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PackInfo {
    /// Its name.
    name: String,
    /// Its file.
    file_path: String,
    /// Its filter.
    filter: String,
    /// Whether its types weigh more.
    active: bool,
    /// What it costs.
    token_estimate: u32,
    /// How many types are in it.
    types: u32,
    /// When its text became what it is; UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_build: Option<String>,
}

/// A type of a pack.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PackMemberData {
    /// Its path.
    symbol: String,
    /// Its id.
    type_id: String,
    /// Whether the filter fits it; others are what those depend on.
    chosen: bool,
    /// What of it is said.
    form: &'static str,
    /// What that costs.
    tokens: u32,
}

struct Packs {
    packs: Vec<PackInfo>,
    reused: Option<bool>,
    types: Vec<PackMemberData>,
    cut: Vec<String>,
    text: Option<String>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: PackArgs = parse(args)?;
    cx.look(|cx| packs(cx, &args)).await
}

fn packs(cx: &Invocation<'_>, args: &PackArgs) -> ToolResult {
    wait_for_folders(cx)?;
    let mut reply = Packs {
        packs: Vec::new(),
        reused: None,
        types: Vec::new(),
        cut: Vec::new(),
        text: None,
    };
    if args.action == PackOperation::List {
        reply.packs = list(cx, args.root.as_deref())?;
        return Ok(Box::new(reply));
    }
    let root = root(cx, args.root.as_deref())?;
    let name = name(args.name.as_deref())?;
    let known = cx.session.context.window.borrow().roots[root as usize]
        .packs
        .get(name)
        .cloned();
    match args.action {
        PackOperation::Build => build(cx, root, name, args, known, &mut reply)?,
        PackOperation::Show => {
            let known = known.ok_or_else(|| no_pack(cx, root, name))?;
            let built = build_pack(
                &cx.session.sources(),
                root,
                name,
                &known.filter,
                known.max_tokens,
            )?;
            reply.packs = vec![info(cx, root, name, &known)];
            reply.fill(&built);
            reply.text = Some(built.text);
        }
        PackOperation::Activate | PackOperation::Deactivate => {
            let mut known = known.ok_or_else(|| no_pack(cx, root, name))?;
            check_keeps(cx.session, root)?;
            known.active = args.action == PackOperation::Activate;
            let change = WindowChange::Activate(name.to_owned(), known.active);
            reply.packs = vec![info(cx, root, name, &known)];
            let mut window = cx.session.context.window.borrow_mut();
            if change.apply(&mut window.roots[root as usize]) {
                cx.enqueue(Action::KeepWindow(root, change));
            }
        }
        PackOperation::Delete => {
            let known = known.ok_or_else(|| no_pack(cx, root, name))?;
            check_keeps(cx.session, root)?;
            reply.packs = vec![info(cx, root, name, &known)];
            cx.enqueue(Action::DropPack(root, name.to_owned()));
        }
        PackOperation::List => {}
    }
    Ok(Box::new(reply))
}

fn build(
    cx: &Invocation<'_>,
    root: u32,
    name: &str,
    args: &PackArgs,
    known: Option<PackState>,
    reply: &mut Packs,
) -> Result<(), Failure> {
    check_keeps(cx.session, root)?;
    let before = known.clone().unwrap_or_default();
    let filter = match (&args.filter, &known) {
        (Some(filter), _) => filter.clone(),
        (None, Some(known)) => known.filter.clone(),
        (None, None) => {
            return Err(ToolError::invalid("`filter` is not given.")
                .hint("Such as `namespace:App.Core AND access:public`.")
                .into());
        }
    };
    let count = cx.session.context.window.borrow().roots[root as usize]
        .packs
        .len();
    if known.is_none() && count >= MAX_PACKS {
        return Err(
            ToolError::invalid(format!("{MAX_PACKS} packs are there already."))
                .hint("Delete one that is not needed.")
                .into(),
        );
    }
    let tokens = args
        .pack_tokens
        .or(known.map(|known| known.max_tokens))
        .unwrap_or(TOKENS);
    if tokens > MAX_TOKENS {
        return Err(ToolError::invalid(format!("`packTokens` is {tokens}."))
            .hint(format!("{MAX_TOKENS} are the most."))
            .into());
    }
    let built = build_pack(&cx.session.sources(), root, name, &filter, tokens)?;
    reply.fill(&built);
    reply.reused = Some(before.hash == built.hash);
    let shown = PackState {
        filter: filter.clone(),
        active: before.active,
        token_estimate: built.tokens,
        type_ids: built.types.iter().map(|member| member.id.clone()).collect(),
        built_at: match before.hash == built.hash {
            true => before.built_at,
            false => cx.clock().host(),
        },
        ..PackState::default()
    };
    reply.packs = vec![info(cx, root, name, &shown)];
    cx.enqueue(Action::KeepPack {
        root,
        name: name.to_owned(),
        filter,
        tokens,
        built: Box::new(built),
    });
    Ok(())
}

fn list(cx: &Invocation<'_>, only: Option<&str>) -> Result<Vec<PackInfo>, ToolError> {
    let only = only.map(|name| root(cx, Some(name))).transpose()?;
    let window = cx.session.context.window.borrow();
    let mut packs = Vec::new();
    for (at, own) in window.roots.iter().enumerate() {
        if only.is_none_or(|only| only as usize == at) {
            packs.extend(
                own.packs
                    .iter()
                    .map(|(name, pack)| info(cx, at as u32, name, pack)),
            );
        }
    }
    Ok(packs)
}

fn info(cx: &Invocation<'_>, root: u32, name: &str, pack: &PackState) -> PackInfo {
    let folder = cx.workspace.roots.get(root as usize);
    let folder = folder.map_or("", |root| root.name.as_str());
    PackInfo {
        name: name.to_owned(),
        file_path: format!("{folder}/.context/packs/{name}.md"),
        filter: pack.filter.clone(),
        active: pack.active,
        token_estimate: pack.token_estimate,
        types: pack.type_ids.len() as u32,
        last_build: (pack.built_at > 0).then(|| rfc3339(pack.built_at / 1000 * 1000)),
    }
}

fn root(cx: &Invocation<'_>, name: Option<&str>) -> Result<u32, ToolError> {
    let roots = &cx.workspace.roots;
    let names = || {
        roots
            .iter()
            .map(|root| root.name.clone())
            .collect::<Vec<_>>()
    };
    match name {
        None if roots.len() == 1 => Ok(0),
        None => Err(
            ToolError::invalid("There are several workspace folders, or none.")
                .hint("Name one with `root`.")
                .detail("candidates", names()),
        ),
        Some(name) => {
            let place = roots.iter().position(|root| root.name == name);
            place.map(|place| place as u32).ok_or_else(|| {
                let shown: String = name.chars().take(60).collect();
                ToolError::invalid(format!("There is no workspace folder `{shown}`."))
                    .detail("candidates", names())
            })
        }
    }
}

fn name(name: Option<&str>) -> Result<&str, ToolError> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match name {
        Some(name) if (1..=64).contains(&name.len()) && name.chars().all(is_part) => Ok(name),
        _ => Err(
            ToolError::invalid("`name` is missing or no name of a pack.")
                .hint("Letters, digits, `-` and `_`, at most 64."),
        ),
    }
}

fn no_pack(cx: &Invocation<'_>, root: u32, name: &str) -> ToolError {
    let window = cx.session.context.window.borrow();
    let names: Vec<String> = window.roots[root as usize].packs.keys().cloned().collect();
    ToolError::new(ErrorCode::NotFound, format!("There is no pack `{name}`."))
        .hint("Build it with a filter.")
        .detail("packs", names)
}

impl Packs {
    fn fill(&mut self, built: &Built) {
        let data = |member: &PackedType| PackMemberData {
            symbol: member.path.clone(),
            type_id: member.id.clone(),
            chosen: member.is_chosen,
            form: member.form,
            tokens: member.tokens,
        };
        self.types = built.types.iter().map(data).collect();
        self.cut = built.cut.iter().map(|member| member.path.clone()).collect();
    }
}

impl Reply for Packs {
    fn levels(&self) -> &'static [&'static str] {
        &["whole", "no text"]
    }

    fn pieces(&self) -> usize {
        self.packs.len().max(1) - 1 + self.types.len() + self.cut.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let (packs, types, cut) = self.split(pieces);
        let data = PackData {
            packs: self.packs[..packs].to_vec(),
            reused: self.reused,
            types: self.types[..types].to_vec(),
            cut: self.cut[..cut].to_vec(),
            text: self.text.clone().filter(|_| level == 0),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let (packs, types, cut) = self.split(pieces);
        let mut out = String::new();
        for pack in &self.packs[..packs] {
            let PackInfo {
                name,
                filter,
                token_estimate,
                types,
                ..
            } = pack;
            let active = if pack.active { ", active" } else { "" };
            let types = counted(*types, "type");
            out += &format!("{name}: {types}, {token_estimate} tokens{active} // {filter}\n");
        }
        if let Some(reused) = self.reused {
            out += if reused {
                "// as it was\n"
            } else {
                "// built\n"
            };
        }
        match self.text.as_ref().filter(|_| level == 0) {
            Some(text) => out += text,
            None => {
                for member in &self.types[..types] {
                    let why = if member.chosen { "" } else { ", depended on" };
                    out += &format!(
                        "{} // {}, {} tokens{why}\n",
                        member.symbol, member.form, member.tokens
                    );
                }
            }
        }
        for path in &self.cut[..cut] {
            out += &format!("// no room: {path}\n");
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

impl Packs {
    /// How many packs, types and types without room are shown.
    fn split(&self, pieces: usize) -> (usize, usize, usize) {
        let first = usize::from(!self.packs.is_empty());
        let packs = pieces.min(self.packs.len() - first);
        let types = (pieces - packs).min(self.types.len());
        (packs + first, types, pieces - packs - types)
    }
}

/// The row of `codecortex_pack`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_pack",
    reference_name: "pack",
    title: "Packs",
    description: "Build a pack: the types that match a filter and their dependencies, as one text within a budget; \
        list, show, activate or delete packs.",
    icon: "$(package)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: true,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("filterSpec", "filter")],
    schema: schema_of::<PackArgs>,
    output: schema_of::<PackData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
