//! The one table of tools (SPEC D6).
//!
//! From it come the Language Model tools of package.json, the MCP tool list, the commands of the
//! binary and the reference documentation. A row names the types of its arguments and its answer;
//! their doc comments are the descriptions that a model reads.

mod aliases;
mod apply_edit;
mod args;
mod changes;
mod common;
mod cursor;
mod get_context;
mod graph;
mod hashes;
mod invalidate;
mod live_context;
mod names;
mod outline;
mod pack;
mod pins;
mod resolve_symbol;
mod search_api;
mod status;
mod symbols;

use std::collections::HashMap;
use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::Engine;
use crate::budget::{Limit, fit, tokens_approx};
use crate::error::{ErrorCode, ToolError};
use crate::live::Located;
use crate::paths::Place;
use crate::protocol::{Answer, Door, DoorKind, Format, Phase, ProviderQuestion};
pub(crate) use apply_edit::edited;
pub(crate) use args::check_text;
use common::{JsonForm, Reply, TextForm};
use cursor::Question;
pub(crate) use names::kind_word;
pub(crate) use names::words::TierWord;
pub(crate) use symbols::{FoundFile, explain};

/// Which tools a surface shows without being asked (SPEC D16, X5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// The few that an agent needs most.
    Default,
    /// All.
    Full,
}

impl Profile {
    /// The word in settings and flags.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Full => "full",
        }
    }
}

/// One row of the table.
pub struct Tool {
    /// The name that models call.
    pub name: &'static str,
    /// The name that people type after `#` in a chat.
    pub reference_name: &'static str,
    /// A short title.
    pub title: &'static str,
    /// What it does, for a model: the first sentence says what an agent would search for.
    pub description: &'static str,
    /// The icon of VS Code's set.
    pub icon: &'static str,
    /// The smallest profile that shows it.
    pub profile: Profile,
    /// Other names that callers use for its arguments, and what they mean.
    aliases: &'static [(&'static str, &'static str)],
    schema: fn(&mut SchemaGenerator) -> Value,
    output: fn(&mut SchemaGenerator) -> Value,
    handler: fn(&Engine, Value) -> Handled,
}

/// What a handler gives.
pub(crate) type Handled = Result<Box<dyn Reply>, Failure>;

/// Why a handler gave no reply.
pub(crate) enum Failure {
    /// The call failed.
    Error(ToolError),
    /// The answer needs something that is still to be read.
    Waits(Awaited),
}

/// What an answer waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// A file.
    File(Place),
    /// Files that are read again.
    Files(Vec<Place>),
    /// The projects of a root, by its index.
    Projects(u32),
    /// The `.context/` of a root, by its index.
    Context(u32),
    /// The texts of files as they are on the disk now.
    Texts(Vec<Located>),
    /// The same texts of generated code, and the declarations in them.
    Declarations(Vec<Located>),
    /// The end of the edit of this number.
    Applied(u32),
    /// What language providers say, for the call of this number.
    Providers(u32, ProviderQuestion),
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Error(error)
    }
}

/// What became of a call.
pub(crate) enum Called {
    Answer(Answer),
    Waits(Awaited),
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.root_schema_for::<T>().to_value()
}

/// Every tool, in the order in which they are shown.
pub static TOOLS: [Tool; 18] = [
    Tool {
        name: "codecortex_getOutline",
        reference_name: "outline",
        title: "Outline",
        description: "Show the structure of a file, class or function without reading it: declarations with \
            signatures, lines and documentation, for a fraction of the source's tokens. Give `filePath`, or `symbol` \
            for a type with all its members wherever they are written.",
        icon: "$(symbol-structure)",
        profile: Profile::Default,
        aliases: &[
            ("path", "symbol"),
            ("name", "symbol"),
            ("id", "symbol"),
            ("typeId", "symbol"),
            ("memberId", "symbol"),
            ("memberPath", "symbol"),
            ("symbolPath", "symbol"),
            ("file", "filePath"),
        ],
        schema: schema_of::<outline::OutlineArgs>,
        output: schema_of::<outline::OutlineData>,
        handler: outline::handle,
    },
    Tool {
        name: "codecortex_searchApi",
        reference_name: "searchApi",
        title: "Search symbols",
        description: "Find classes, functions, methods and other declarations in the whole workspace by name, start, \
            initials (`NS` finds `NodeStore`), part, with typos, or by words of their documentation. Signatures and \
            places, best first, with the exact total.",
        icon: "$(symbol-class)",
        profile: Profile::Default,
        aliases: &[
            ("query", "labelQuery"),
            ("label", "labelQuery"),
            ("kind", "kinds"),
            ("maxResults", "limit"),
        ],
        schema: schema_of::<search_api::SearchArgs>,
        output: schema_of::<search_api::SearchData>,
        handler: search_api::handle,
    },
    Tool {
        name: "codecortex_resolveSymbol",
        reference_name: "resolveSymbol",
        title: "Resolve symbol",
        description: "Find where a symbol path is declared: `Namespace.Type+Nested.Member(int)`, any unique end of it, \
            or a pattern such as `NodeStore.Get*`, with any language's separators. Suggests near names when nothing \
            fits.",
        icon: "$(symbol-key)",
        profile: Profile::Full,
        aliases: &[
            ("path", "symbol"),
            ("name", "symbol"),
            ("query", "symbol"),
            ("id", "symbol"),
            ("typeId", "symbol"),
        ],
        schema: schema_of::<resolve_symbol::ResolveArgs>,
        output: schema_of::<resolve_symbol::ResolveData>,
        handler: resolve_symbol::handle,
    },
    Tool {
        name: "codecortex_findReferences",
        reference_name: "references",
        title: "Find references",
        description: "Find every use of a symbol as a compiler would: same-named others are left out, overrides and \
            unsure hits are told apart by `tier`. `relation` gives callers, callees, implementations, or what it \
            overrides. Give `symbol`, or `filePath` with `position`.",
        icon: "$(references)",
        profile: Profile::Default,
        aliases: &[
            ("name", "symbol"),
            ("symbolPath", "symbol"),
            ("typeId", "symbol"),
            ("memberId", "symbol"),
            ("id", "symbol"),
            ("file", "filePath"),
            ("path", "filePath"),
            ("maxResults", "limit"),
        ],
        schema: schema_of::<names::references::ReferencesArgs>,
        output: schema_of::<names::references::ReferencesData>,
        handler: names::references::handle,
    },
    Tool {
        name: "codecortex_resolveSymbolAtPosition",
        reference_name: "symbolAt",
        title: "Symbol at position",
        description: "Say what the name at a place in a file is and where it is declared, with signature, source and \
            documentation.",
        icon: "$(symbol-reference)",
        profile: Profile::Default,
        aliases: &[("file", "filePath"), ("path", "filePath")],
        schema: schema_of::<names::position::PositionArgs>,
        output: schema_of::<names::position::PositionData>,
        handler: names::position::handle,
    },
    Tool {
        name: "codecortex_getTypeMembers",
        reference_name: "members",
        title: "Type members",
        description: "List what a class, interface, struct or enum has, inherited members included, with signatures.",
        icon: "$(symbol-method)",
        profile: Profile::Default,
        aliases: &[
            ("symbol", "name"),
            ("type", "name"),
            ("typeName", "name"),
            ("typeId", "name"),
        ],
        schema: schema_of::<names::members::MembersArgs>,
        output: schema_of::<names::members::MembersData>,
        handler: names::members::handle,
    },
    Tool {
        name: "codecortex_getClassHierarchy",
        reference_name: "hierarchy",
        title: "Class hierarchy",
        description: "Show what a class or interface derives from and what derives from it or implements it.",
        icon: "$(type-hierarchy-sub)",
        profile: Profile::Default,
        aliases: &[
            ("symbol", "name"),
            ("type", "name"),
            ("typeName", "name"),
            ("typeId", "name"),
            ("maxBreadth", "maxSubBreadth"),
        ],
        schema: schema_of::<names::hierarchy::HierarchyArgs>,
        output: schema_of::<names::hierarchy::HierarchyData>,
        handler: names::hierarchy::handle,
    },
    Tool {
        name: "codecortex_status",
        reference_name: "indexStatus",
        title: "Index status",
        description: "Show the state of the code index: folders, files, lines and symbols by language, what is still \
            being read, and what was left out and why.",
        icon: "$(info)",
        profile: Profile::Full,
        aliases: &[],
        schema: schema_of::<status::StatusArgs>,
        output: schema_of::<status::StatusData>,
        handler: status::handle,
    },
    Tool {
        name: "codecortex_getLiveContext",
        reference_name: "liveContext",
        title: "Live context",
        description: "Read what is being edited now: the current text (long files: windows and an outline), recent \
            diffs newest first, what changed in an hour, cursors, problems, and what became of your edits. `since` \
            gives only the difference; `versionId` with lines, any kept version.",
        icon: "$(pulse)",
        profile: Profile::Default,
        aliases: &[
            ("path", "filePath"),
            ("file", "filePath"),
            ("version", "versionId"),
        ],
        schema: schema_of::<live_context::LiveArgs>,
        output: schema_of::<live_context::LiveData>,
        handler: live_context::handle,
    },
    Tool {
        name: "codecortex_applyEdit",
        reference_name: "applyEdit",
        title: "Apply edit",
        description: "Change text in one or several files, all or none, unsaved editor text included. `baseVersion` is \
            the `versionId` of codecortex_getLiveContext (`new` makes a file); if the text is another by now, nothing \
            happens and you get the difference.",
        icon: "$(edit)",
        profile: Profile::Default,
        aliases: &[("files", "edits"), ("description", "summary")],
        schema: schema_of::<apply_edit::ApplyArgs>,
        output: schema_of::<apply_edit::ApplyData>,
        handler: apply_edit::handle,
    },
    Tool {
        name: "codecortex_getContext",
        reference_name: "cortexWindow",
        title: "Context",
        description: "Read the prompt window: the code worth knowing now within a budget, pinned, in focus, used lately, \
            as outlines; why each piece is in, what it costs, what was cut.",
        icon: "$(layers)",
        profile: Profile::Default,
        aliases: &[],
        schema: schema_of::<get_context::ContextArgs>,
        output: schema_of::<get_context::ContextData>,
        handler: get_context::handle,
    },
    Tool {
        name: "codecortex_context",
        reference_name: "pin",
        title: "Pin and focus",
        description: "Change what is in the prompt window: pin or unpin a symbol or file, add it to focus for half an \
            hour, dismiss it until it is used again, or clear the focus.",
        icon: "$(pin)",
        profile: Profile::Full,
        aliases: &[
            ("symbol", "symbols"),
            ("path", "symbols"),
            ("id", "symbols"),
        ],
        schema: schema_of::<pins::PinArgs>,
        output: schema_of::<pins::PinData>,
        handler: pins::handle,
    },
    Tool {
        name: "codecortex_pack",
        reference_name: "pack",
        title: "Packs",
        description: "Build a pack: the types that a filter fits with what they depend on, as one text within a budget; \
            list, show, activate or delete packs.",
        icon: "$(package)",
        profile: Profile::Full,
        aliases: &[("filterSpec", "filter")],
        schema: schema_of::<pack::PackArgs>,
        output: schema_of::<pack::PackData>,
        handler: pack::handle,
    },
    Tool {
        name: "codecortex_changes",
        reference_name: "changes",
        title: "Recent changes",
        description: "Show which types and modules changed since the index was complete, and what kind of change it \
            was: structure, public behaviour, internals, documentation or only looks.",
        icon: "$(diff)",
        profile: Profile::Full,
        aliases: &[("class", "classes"), ("filePath", "folder")],
        schema: schema_of::<changes::ChangesArgs>,
        output: schema_of::<changes::ChangesData>,
        handler: changes::handle,
    },
    Tool {
        name: "codecortex_hashes",
        reference_name: "hashes",
        title: "Layered hashes",
        description: "Show the hashes of a type, or of a module: of what others see, of what it does for them, of its \
            internals, documentation and looks. Two equal hashes say that this part did not change.",
        icon: "$(symbol-numeric)",
        profile: Profile::Full,
        aliases: &[
            ("path", "symbol"),
            ("name", "symbol"),
            ("id", "symbol"),
            ("typeId", "symbol"),
        ],
        schema: schema_of::<hashes::HashesArgs>,
        output: schema_of::<hashes::HashesData>,
        handler: hashes::handle,
    },
    Tool {
        name: "codecortex_exportGraph",
        reference_name: "exportGraph",
        title: "Dependency graph",
        description: "Draw which types depend on which, as Mermaid, Graphviz DOT or data: around a type, within a \
            folder or project, or of the whole workspace, with cycles marked. Dependencies are bases and the types \
            in public signatures.",
        icon: "$(type-hierarchy)",
        profile: Profile::Full,
        aliases: &[
            ("path", "symbol"),
            ("name", "symbol"),
            ("id", "symbol"),
            ("typeId", "symbol"),
            ("filePath", "folder"),
            ("maxTypes", "limit"),
        ],
        schema: schema_of::<graph::GraphArgs>,
        output: schema_of::<graph::GraphData>,
        handler: graph::handle,
    },
    Tool {
        name: "codecortex_aliases",
        reference_name: "aliases",
        title: "Aliases",
        description: "Show what renamed, moved or nested types were called before: old ids and the ids that stand for \
            them now.",
        icon: "$(arrow-swap)",
        profile: Profile::Full,
        aliases: &[("typeId", "id"), ("symbol", "id")],
        schema: schema_of::<aliases::AliasesArgs>,
        output: schema_of::<aliases::AliasesData>,
        handler: aliases::handle,
    },
    Tool {
        name: "codecortex_invalidate",
        reference_name: "invalidate",
        title: "Read again",
        description: "Read a symbol's files, a file, a folder or everything again, whatever the cache says, and count \
            what was written about the types in them as stale. Files are not changed.",
        icon: "$(refresh)",
        profile: Profile::Full,
        aliases: &[
            ("path", "filePath"),
            ("folder", "filePath"),
            ("typeId", "symbol"),
        ],
        schema: schema_of::<invalidate::InvalidateArgs>,
        output: schema_of::<invalidate::InvalidateData>,
        handler: invalidate::handle,
    },
];

/// A tool by its name.
#[must_use]
pub fn find_tool(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

/// The tools that change files of the user's.
const WRITING: [&str; 1] = ["codecortex_applyEdit"];

impl Tool {
    /// Whether it changes nothing of the user's.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        !WRITING.contains(&self.name)
    }

    /// The JSON schema of the arguments, self-contained.
    #[must_use]
    pub fn input_schema(&self) -> Value {
        let mut schema = (self.schema)(&mut settings().into_generator());
        simplify(&mut schema, Nulls::Dropped);
        // The doc comment of the type is for us; a model has read the tool's own description.
        schema
            .as_object_mut()
            .map(|schema| schema.remove("description"));
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.extend(args::common_properties());
        } else {
            schema["properties"] = Value::Object(args::common_properties());
        }
        schema
    }

    /// The names of its arguments, made once: every call is checked against them.
    pub(crate) fn argument_names(&self) -> &'static [String] {
        static NAMES: LazyLock<HashMap<&str, Vec<String>>> = LazyLock::new(|| {
            let names = |tool: &Tool| {
                let schema = tool.input_schema();
                let properties = schema["properties"]
                    .as_object()
                    .cloned()
                    .unwrap_or_default();
                properties.into_iter().map(|(name, _)| name).collect()
            };
            TOOLS.iter().map(|tool| (tool.name, names(tool))).collect()
        });
        NAMES.get(self.name).map_or(&[], Vec::as_slice)
    }

    /// The schema of the answer's `data` in the generator's own way, such as with a definition for each type.
    pub fn data_schema(&self, generator: &mut SchemaGenerator) -> Value {
        (self.output)(generator)
    }

    /// The JSON schema of the envelope, success or failure.
    #[must_use]
    pub fn output_schema(&self) -> Value {
        // What is left out when it is empty is not required; what may be null says so.
        let mut generator = settings().for_serialize().into_generator();
        let mut data = (self.output)(&mut generator);
        let mut error = schema_of::<ToolError>(&mut generator);
        simplify(&mut data, Nulls::Kept);
        simplify(&mut error, Nulls::Kept);
        json!({
            "type": "object",
            "required": ["ok"],
            "properties": {
                "ok": { "type": "boolean", "description": "Whether the call succeeded." },
                "data": data,
                "error": error,
            },
        })
    }
}

/// The table as JSON, for generators and clients.
#[must_use]
pub fn tool_table() -> Value {
    TOOLS
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name,
                "referenceName": tool.reference_name,
                "title": tool.title,
                "description": tool.description,
                "icon": tool.icon,
                "profile": tool.profile.as_str(),
                "readOnly": tool.is_read_only(),
                "inputSchema": tool.input_schema(),
                "outputSchema": tool.output_schema(),
            })
        })
        .collect()
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft07().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    })
}

/// Whether a schema still says that a value may be null. In arguments null is the same as absent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Kept,
    Dropped,
}

/// `oneOf` constants as an `enum`: what each means is said where the argument is described.
fn fold_choices(schema: &mut Map<String, Value>) {
    let Some(choices) = schema.get("oneOf").and_then(Value::as_array) else {
        return;
    };
    let words: Option<Vec<Value>> = choices
        .iter()
        .map(|choice| choice.get("const").cloned())
        .collect();
    if let Some(words) = words {
        schema.remove("oneOf");
        schema.insert("type".into(), json!("string"));
        schema.insert("enum".into(), Value::Array(words));
    }
}

/// Drops what says nothing to a reader: titles, integer formats, in arguments `null` as a type.
fn simplify(schema: &mut Value, nulls: Nulls) {
    match schema {
        Value::Object(object) => {
            object
                .remove("title")
                .filter(Value::is_object)
                .map(|kept| object.insert("title".into(), kept));
            if object.get("format").is_some_and(|format| {
                format
                    .as_str()
                    .is_some_and(|f| f.starts_with("uint") || f.starts_with("int") || f == "double")
            }) {
                object.remove("format");
            }
            if nulls == Nulls::Dropped && object.get("minimum") == Some(&json!(0)) {
                // Every client pays for it, and who gives less is told.
                object.remove("minimum");
            }
            if object.get("default") == Some(&Value::Null) {
                object.remove("default");
            }
            if nulls == Nulls::Dropped
                && let Some(Value::Array(types)) = object.get_mut("type")
            {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".into(), only);
                }
            }
            if nulls == Nulls::Dropped
                && let Some(Value::Array(options)) = object.get_mut("anyOf")
            {
                options.retain(|option| option.get("type") != Some(&json!("null")));
                if let [only] = options.as_slice() {
                    let only = only.clone();
                    object.remove("anyOf");
                    if let Value::Object(only) = only {
                        for (name, value) in only {
                            object.entry(name).or_insert(value);
                        }
                    }
                }
            }
            if nulls == Nulls::Dropped {
                fold_choices(object);
            }
            object.values_mut().for_each(|value| simplify(value, nulls));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| simplify(value, nulls)),
        _ => {}
    }
}

/// Calls a tool by name with unchecked arguments. Whatever they are, there is an answer (SPEC TC5).
pub(crate) fn call(engine: &Engine, name: &str, args: &Value, door: Door) -> Called {
    let format = engine.config.format;
    let tokenizer = engine.config.tokenizer;
    let Some(tool) = find_tool(name) else {
        return Called::Answer(error_answer(
            unknown_tool(name),
            format,
            door,
            Limit::of_door(door, tokenizer),
        ));
    };
    let request = match args::Request::read(tool, args, (format, tokenizer), door) {
        Ok(request) => request,
        Err(error) => {
            return Called::Answer(error_answer(
                error,
                format,
                door,
                Limit::of_door(door, tokenizer),
            ));
        }
    };
    let args::Request { wanted, rest } = request;
    engine.memo.limit.set(wanted.limit);
    let fails = |error| Called::Answer(error_answer(error, wanted.format, door, wanted.limit));
    match (tool.handler)(engine, Value::Object(rest)) {
        Ok(reply) => Called::Answer(answer(engine, &*reply, &wanted, door)),
        // It may be in generated code, or be what something was called before.
        Err(Failure::Error(error)) if error.code == ErrorCode::SymbolNotFound => {
            if let Some(awaited) = engine.generated_to_read() {
                return Called::Waits(awaited);
            }
            let roots = 0..engine.workspace.roots.len() as u32;
            let mut unread = roots.filter(|root| engine.is_context_unread(*root));
            match unread.next().filter(|_| engine.phase() == Phase::Ready) {
                Some(root) => Called::Waits(Awaited::Context(root)),
                None => fails(error),
            }
        }
        Err(Failure::Error(error)) => fails(error),
        Err(Failure::Waits(awaited)) => Called::Waits(awaited),
    }
}

/// The answer of a call that waited for something to be done.
pub(crate) fn conclude(
    engine: &Engine,
    name: &str,
    args: &Value,
    door: Door,
    handled: Handled,
) -> Answer {
    let settings = (engine.config.format, engine.config.tokenizer);
    let request = find_tool(name).map(|tool| args::Request::read(tool, args, settings, door));
    let wanted = match request {
        Some(Ok(request)) => request.wanted,
        // What was done is told all the same.
        _ => args::Wanted {
            limit: Limit::of_door(door, settings.1),
            format: settings.0,
            question: Question::of(name, &Map::new()),
        },
    };
    match handled {
        Ok(reply) => answer(engine, &*reply, &wanted, door),
        Err(Failure::Error(error)) => error_answer(error, wanted.format, door, wanted.limit),
        Err(Failure::Waits(_)) => {
            let error = ToolError::new(ErrorCode::InternalError, "The call waits twice.");
            error_answer(error, wanted.format, door, wanted.limit)
        }
    }
}

fn answer(engine: &Engine, reply: &dyn Reply, wanted: &args::Wanted, door: Door) -> Answer {
    let limit = wanted.limit;
    let format = format_at(wanted.format, door);
    let freshness = common::Freshness::of(engine, reply);
    let json = (format != Format::Text).then(|| {
        let form = JsonForm {
            reply,
            freshness: freshness.clone(),
            question: &wanted.question,
            in_lines: door.kind == DoorKind::Lm,
        };
        fit(&form, limit)
    });
    let text = (format != Format::Json).then(|| {
        let form = TextForm {
            reply,
            freshness: freshness.clone(),
            question: &wanted.question,
        };
        fit(&form, limit)
    });
    match (json.transpose(), text.transpose()) {
        (Ok(json), Ok(text)) => Answer {
            ok: true,
            json,
            text,
        },
        (Err(error), _) | (_, Err(error)) => error_answer(error, format, door, limit),
    }
}

/// A failure within the budget: candidates go before the hint, the hint before the sentence.
fn error_answer(mut error: ToolError, format: Format, door: Door, limit: Limit) -> Answer {
    let format = format_at(format, door);
    let fits = |error: &ToolError| {
        (format == Format::Text || limit.allows(&error.envelope().to_string()))
            && (format == Format::Json || limit.allows(&error.text()))
    };
    let whole = error.clone();
    while error.code != ErrorCode::BudgetExceeded && !fits(&error) && error.shrink() {}
    if error.code != ErrorCode::BudgetExceeded && !fits(&error) {
        let tokens = tokens_approx(&whole.envelope().to_string());
        error = ToolError::new(
            ErrorCode::BudgetExceeded,
            format!("The call failed; saying how costs {tokens} tokens."),
        )
        .hint("Call again with at least that many in `maxTokens`.")
        .detail("minimumTokens", tokens);
    }
    Answer {
        ok: false,
        json: (format != Format::Text).then(|| error.envelope().to_string()),
        text: (format != Format::Json).then(|| error.text()),
    }
}

/// MCP always carries both forms (SPEC TC8).
fn format_at(format: Format, door: Door) -> Format {
    if door.kind == DoorKind::Mcp {
        Format::Both
    } else {
        format
    }
}

fn unknown_tool(name: &str) -> ToolError {
    let near = TOOLS
        .iter()
        .map(|tool| tool.name)
        .min_by_key(|known| strsim::levenshtein(known, name))
        .unwrap_or("");
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    let shown: String = name.chars().take(80).collect();
    ToolError::new(
        ErrorCode::InvalidParams,
        format!("There is no tool `{shown}`."),
    )
    .hint(format!("Did you mean `{near}`?"))
    .detail("tools", names)
}
