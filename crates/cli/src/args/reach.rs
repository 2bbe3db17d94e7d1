//! Checks the command line against the table of tools: every argument of a tool that a command fronts is reached by a
//! flag, or left out for a reason that is written here (SPEC D6, D14).

use std::any::TypeId;
use std::collections::BTreeSet;

use clap::{Arg, ArgAction, Command, CommandFactory, Parser};
use codecortex_engine::find_tool;
use serde_json::Value;

use super::Cli;
use Reach::{Absent, Argument, Fields, Flag, Said, Words};

/// How a person reaches an argument of a tool that has no flag of its own name.
enum Reach {
    /// By what stands behind the command.
    Argument(&'static str),
    /// By a flag of another name.
    Flag(&'static str),
    /// By a flag for each of its words; of those that are not here the last word tells why.
    Words(&'static [(&'static str, &'static str)], &'static str),
    /// By a flag for each of its fields.
    Fields(&'static [(&'static str, &'static str)]),
    /// The command says it itself.
    Said,
    /// Not at all, for this reason.
    Absent(&'static str),
}

/// A command for people and the tool behind it.
struct Front {
    /// A call of the command that is complete.
    call: &'static [&'static str],
    /// How many of its words name the command.
    names: usize,
    tool: &'static str,
    reach: &'static [(&'static str, Reach)],
}

const NAMES: &[(&str, Reach)] = &[
    ("symbol", Argument("what")),
    ("filePath", Argument("what")),
    ("position", Argument("what")),
    ("relation", Said),
    ("tiers", Flag("tier")),
    ("roles", Flag("role")),
    ("includePreview", Flag("no-preview")),
];
const PINS: &[(&str, Reach)] = &[("action", Said), ("symbols", Argument("symbols"))];
const PACKS: &[(&str, Reach)] = &[
    ("action", Said),
    ("name", Absent("of one pack")),
    ("filter", Absent("of a pack that is built")),
    ("packTokens", Absent("of a pack that is built")),
    ("root", Flag("of")),
];
const ONE_PACK: &[(&str, Reach)] = &[
    ("action", Said),
    ("name", Argument("name")),
    ("filter", Absent("of a pack that is built")),
    ("packTokens", Absent("of a pack that is built")),
    ("root", Flag("of")),
];

/// Arguments of a declaration that a verb edits.
const DECLARATION: &[(&str, Reach)] = &[
    ("action", Said),
    ("symbol", Argument("what")),
    ("filePath", Argument("what")),
    ("position", Argument("what")),
];
const EXTRACT: &[(&str, Reach)] = &[
    ("action", Said),
    ("filePath", Argument("selection")),
    ("position", Argument("selection")),
    ("end", Argument("selection")),
    ("newName", Argument("name")),
];

/// The tool of several verbs: a command reaches the arguments of its own, and all commands together reach every one.
const VERBS: &str = "codecortex_refactor";

const FRONTS: &[Front] = &[
    Front {
        call: &["outline", "App"],
        names: 1,
        tool: "codecortex_getOutline",
        reach: &[
            ("symbol", Argument("what")),
            ("filePath", Argument("what")),
            ("position", Argument("what")),
            (
                "visibility",
                Words(&[("public", "public")], "`all` is the default"),
            ),
        ],
    },
    Front {
        call: &["search", "App"],
        names: 1,
        tool: "codecortex_searchApi",
        reach: &[
            ("labelQuery", Argument("query")),
            ("searchIndex", Absent("the cursor goes on")),
            ("includeLocals", Flag("locals")),
            ("kinds", Flag("kind")),
        ],
    },
    names("references"),
    names("callers"),
    names("callees"),
    names("implementations"),
    names("overrides"),
    verb(
        &["rename", "App", "Program"],
        &[
            ("symbol", Argument("what")),
            ("filePath", Argument("what")),
            ("position", Argument("what")),
            ("newName", Argument("new_name")),
            ("texts", Flag("text")),
        ],
    ),
    verb(
        &["undo"],
        &[
            (
                "planId",
                Absent("`--apply` agrees to the plan of the same run"),
            ),
            ("diffTokens", Absent("a person reads the whole diff")),
            ("cursor", Absent("the whole diff is printed")),
        ],
    ),
    verb(&["replace-body", "App", "--code", "x"], DECLARATION),
    verb(&["replace-symbol", "App", "--code", "x"], DECLARATION),
    verb(
        &["insert", "App", "--after", "--code", "x"],
        &[
            ("symbol", Argument("what")),
            (
                "side",
                Words(&[("before", "before"), ("after", "after")], "one is given"),
            ),
        ],
    ),
    verb(&["safe-delete", "App"], DECLARATION),
    verb(
        &["change-signature", "App.run", "--remove", "0"],
        &[
            ("symbol", Argument("what")),
            ("moveParameter", Flag("move")),
        ],
    ),
    verb(
        &["extract-variable", "src/app.ts:1:1-1:2", "total"],
        EXTRACT,
    ),
    verb(&["extract-method", "src/app.ts:1:1-1:2", "total"], EXTRACT),
    verb(&["inline", "App"], DECLARATION),
    verb(
        &["move", "App", "src/app.ts"],
        &[
            ("symbol", Argument("what")),
            ("newPath", Argument("new_path")),
        ],
    ),
    verb(
        &["organise-imports", "src/app.ts"],
        &[("filePath", Argument("file"))],
    ),
    verb(&["batch-edit"], &[("steps", Argument("steps"))]),
    Front {
        call: &["graph"],
        names: 1,
        tool: "codecortex_exportGraph",
        reach: &[
            ("symbol", Argument("symbol")),
            ("symbols", Absent("of programs that have a list of types")),
            ("notation", Flag("format")),
        ],
    },
    Front {
        call: &["context"],
        names: 1,
        tool: "codecortex_getContext",
        reach: &[("list", Absent("of the window, which is another command"))],
    },
    Front {
        call: &["window"],
        names: 1,
        tool: "codecortex_getContext",
        reach: &[
            ("query", Absent("of the payload, which is another command")),
            ("focus", Absent("of the payload")),
            ("mode", Absent("of the payload")),
            ("ids", Absent("of the payload")),
            ("taskId", Absent("of the payload")),
            ("taskJsonPath", Absent("of the payload")),
            ("scope", Absent("of the payload")),
            ("subagentType", Absent("of the payload")),
            ("why", Absent("of the payload")),
            ("model", Absent("of the payload")),
        ],
    },
    pins(&["window", "pin", "App"], PINS),
    pins(&["window", "unpin", "App"], PINS),
    pins(&["window", "add", "App"], PINS),
    pins(&["window", "dismiss", "App"], PINS),
    pins(
        &["window", "clear"],
        &[
            ("action", Said),
            ("symbols", Absent("all of them")),
            ("folder", Absent("every folder")),
        ],
    ),
    Front {
        call: &["review"],
        names: 1,
        tool: "codecortex_reviewChanges",
        reach: &[
            (
                "mode",
                Words(
                    &[("staged", "staged"), ("working", "working")],
                    "`uncommitted` is the default",
                ),
            ),
            (
                "step",
                Words(
                    &[
                        ("plan", "index"),
                        ("findings", "findings"),
                        ("prompt", "prompt"),
                        ("review", "model-url"),
                    ],
                    "`bundle` is the default; `plan` contains the units of `index`",
                ),
            ),
            ("findings", Flag("check")),
            ("units", Flag("unit")),
            ("wish", Flag("ask")),
        ],
    },
    Front {
        call: &["memory", "remember", "it works"],
        names: 2,
        tool: "codecortex_remember",
        reach: &[
            ("text", Argument("text")),
            ("symbols", Flag("symbol")),
            (
                "more",
                Fields(&[
                    ("actor", "actor"),
                    ("phase", "phase"),
                    ("type", "type"),
                    ("files", "file"),
                    ("commands", "ran"),
                    ("urls", "url"),
                ]),
            ),
        ],
    },
    Front {
        call: &["memory", "recall", "--around", "1"],
        names: 2,
        tool: "codecortex_recall",
        reach: &[
            ("query", Argument("query")),
            (
                "filter",
                Fields(&[
                    ("actors", "actor"),
                    ("phases", "phase"),
                    ("types", "type"),
                    ("branch", "branch"),
                    ("file", "file"),
                    ("since", "since"),
                    ("until", "until"),
                    ("around", "around"),
                    ("window", "window"),
                    ("limit", "limit"),
                ]),
            ),
        ],
    },
    Front {
        call: &["memory", "forget", "1"],
        names: 2,
        tool: "codecortex_forget",
        reach: &[("ids", Argument("ids"))],
    },
    Front {
        call: &["pack", "build", "core"],
        names: 2,
        tool: "codecortex_pack",
        reach: &[
            ("action", Said),
            ("name", Argument("name")),
            ("filter", Argument("filter")),
            ("packTokens", Flag("tokens")),
            ("root", Flag("of")),
        ],
    },
    packs(&["pack", "list"], PACKS),
    packs(&["pack", "show", "core"], ONE_PACK),
    packs(&["pack", "activate", "core"], ONE_PACK),
    packs(&["pack", "deactivate", "core"], ONE_PACK),
    packs(&["pack", "delete", "core"], ONE_PACK),
    Front {
        call: &["status"],
        names: 1,
        tool: "codecortex_status",
        reach: &[],
    },
    Front {
        call: &["hashes", "App"],
        names: 1,
        tool: "codecortex_hashes",
        reach: &[("symbol", Argument("symbol"))],
    },
    Front {
        call: &["alias"],
        names: 1,
        tool: "codecortex_aliases",
        reach: &[("id", Argument("id"))],
    },
    Front {
        call: &["invalidate", "all"],
        names: 1,
        tool: "codecortex_invalidate",
        reach: &[
            ("symbol", Argument("what")),
            ("filePath", Argument("what")),
            ("all", Argument("what")),
        ],
    },
    Front {
        call: &["describe", "App"],
        names: 1,
        tool: "codecortex_describe",
        reach: &[("symbol", Argument("what")), ("filePath", Argument("what"))],
    },
    Front {
        call: &["investigate", "How?"],
        names: 1,
        tool: "codecortex_investigate",
        reach: &[
            ("question", Argument("question")),
            ("scopePaths", Flag("scope")),
        ],
    },
    Front {
        call: &["op", "1"],
        names: 1,
        tool: "codecortex_op",
        reach: &[("opId", Argument("id"))],
    },
    Front {
        call: &["semantic", "App"],
        names: 1,
        tool: "codecortex_getSemantic",
        reach: &[
            ("symbol", Argument("symbol")),
            (
                "prompt",
                Words(
                    &[("always", "prompt")],
                    "`needed` is the default; `never` only saves tokens",
                ),
            ),
        ],
    },
    Front {
        call: &["semantic", "submit", "T"],
        names: 2,
        tool: "codecortex_submitSemantic",
        reach: &[("ticket", Argument("ticket"))],
    },
];

/// Commands that front no tool.
const OWN: &[&[&str]] = &[
    &["index"],
    &["call"],
    &["batch"],
    &["scip"],
    &["init"],
    &["memory", "export"],
    &["memory", "migrate"],
    &["map", "build"],
    &["map", "load"],
    &["bench"],
    // It writes `.context/` and says what that found; the tool of this name reads what was found.
    &["changes"],
    &["replay"],
    &["settings"],
    &["lsp"],
    &["mcp"],
    &["serve"],
    // They change other programs' configuration.
    &["install"],
    &["uninstall"],
    &["doctor"],
    // It adds to what another program's search has found.
    &["hook"],
    &["tools"],
    &["completions"],
    &["man"],
    // What `window` was called before.
    &["context", "window"],
    &["context", "pin"],
    &["context", "unpin"],
    &["context", "add"],
    &["context", "dismiss"],
    &["context", "clear"],
];

const fn names(command: &'static str) -> Front {
    let call = match command.as_bytes() {
        b"references" => &["references", "App"],
        b"callers" => &["callers", "App"],
        b"callees" => &["callees", "App"],
        b"implementations" => &["implementations", "App"],
        _ => &["overrides", "App"],
    };
    Front {
        call,
        names: 1,
        tool: "codecortex_findReferences",
        reach: NAMES,
    }
}

/// A command for one verb of a tool that has several.
const fn verb(call: &'static [&'static str], reach: &'static [(&'static str, Reach)]) -> Front {
    Front {
        call,
        names: 1,
        tool: VERBS,
        reach,
    }
}

const fn pins(call: &'static [&'static str], reach: &'static [(&'static str, Reach)]) -> Front {
    Front {
        call,
        names: 2,
        tool: "codecortex_pin",
        reach,
    }
}

const fn packs(call: &'static [&'static str], reach: &'static [(&'static str, Reach)]) -> Front {
    Front {
        call,
        names: 2,
        tool: "codecortex_pack",
        reach,
    }
}

impl Front {
    fn path(&self) -> &'static [&'static str] {
        &self.call[..self.names]
    }

    /// What a flag is called that reaches an argument under its own name.
    fn flag_of(&self, argument: &str) -> String {
        let mut flag = String::new();
        for letter in argument.chars() {
            if letter.is_ascii_uppercase() {
                flag.push('-');
            }
            flag.push(letter.to_ascii_lowercase());
        }
        flag
    }
}

fn find(command: &Command, path: &[&str]) -> Command {
    path.iter().fold(command.clone(), |command, name| {
        let sub = command.find_subcommand(name);
        sub.unwrap_or_else(|| panic!("no command {path:?}")).clone()
    })
}

fn has_name(arg: &Arg, name: &str) -> bool {
    let aliases = arg.get_all_aliases().unwrap_or_default();
    arg.get_long() == Some(name) || aliases.contains(&name)
}

fn flag<'a>(command: &'a Command, name: &str, of: &str) -> &'a Arg {
    let found = command.get_arguments().find(|arg| has_name(arg, name));
    found.unwrap_or_else(|| panic!("{}: no flag --{name} for {of}", command.get_name()))
}

/// Every command that does something: those without commands of their own, and those that work without one.
fn working(command: &Command, path: &[&str], found: &mut BTreeSet<Vec<String>>) {
    let is_alone = !command.has_subcommands() || command.is_args_conflicts_with_subcommands_set();
    if is_alone && !path.is_empty() {
        found.insert(path.iter().map(|name| (*name).to_owned()).collect());
    }
    for sub in command.get_subcommands() {
        let name = sub.get_name().to_owned();
        if name != "help" {
            let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
            working(sub, &path, found);
        }
    }
}

/// The words of an argument, or of what it is a list of.
fn words(schema: &Value) -> Option<Vec<String>> {
    let all = schema["enum"]
        .as_array()
        .or(schema["items"]["enum"].as_array())?;
    Some(
        all.iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
    )
}

fn is_of(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    }
}

/// Whether a flag takes what its argument is.
fn agrees(front: &Front, arg: &Arg, (name, schema): (&str, &Value)) {
    let at = format!("{:?} {name}", front.path());
    let parser = arg.get_value_parser().type_id();
    let is_number = [
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<u16>(),
    ]
    .iter()
    .any(|kind| parser == *kind);
    if is_of(schema, "boolean") {
        assert!(
            matches!(arg.get_action(), ArgAction::SetTrue),
            "{at} is a switch"
        );
    } else if is_of(schema, "integer") {
        assert!(is_number, "{at} is a number");
        for bound in ["minimum", "maximum"] {
            if let Some(number) = schema[bound].as_i64() {
                let flag = format!("--{}={number}", arg.get_long().unwrap_or_default());
                let line = ["codecortex"].iter().chain(front.call).copied();
                let line = line.chain([flag.as_str()]);
                assert!(
                    Cli::try_parse_from(line).is_ok(),
                    "{at}: {bound} {number} is refused"
                );
            }
        }
    } else if let Some(words) = words(schema) {
        let own = arg.get_possible_values();
        let own: Vec<&str> = own.iter().map(|word| word.get_name()).collect();
        let words: Vec<String> = words.iter().map(|word| front.flag_of(word)).collect();
        assert_eq!(own, words, "{at}: its words");
    } else {
        assert!(arg.get_action().takes_values(), "{at} takes a value");
    }
    if is_of(schema, "array") {
        let is_list = matches!(arg.get_action(), ArgAction::Append);
        assert!(is_list, "{at} is a list");
    }
}

/// Whether a command concerns an argument of its tool.
fn concerns(front: &Front, command: &Command, name: &str) -> bool {
    let own = front.flag_of(name);
    let has_flag = || command.get_arguments().any(|arg| has_name(arg, &own));
    front.tool != VERBS || front.reach.iter().any(|(of, _)| *of == name) || has_flag()
}

fn check(front: &Front, command: &Command, name: &str, schema: &Value) {
    let reach = front.reach.iter().find(|(of, _)| *of == name);
    match reach.map(|(_, reach)| reach) {
        None => agrees(
            front,
            flag(command, &front.flag_of(name), name),
            (name, schema),
        ),
        Some(Flag(other)) => agrees(front, flag(command, other, name), (name, schema)),
        Some(Argument(id)) => {
            let mut places = command.get_positionals();
            let is_there = places.any(|arg| arg.get_id() == *id);
            assert!(is_there, "{:?}: nothing behind it for {name}", front.path());
        }
        Some(Words(flags, why)) => {
            let all = words(schema).unwrap_or_default();
            for (word, by) in *flags {
                assert!(all.iter().any(|one| one == word), "{name} is never {word}");
                flag(command, by, name);
            }
            for word in &all {
                let has_flag = flags.iter().any(|(one, _)| one == word);
                assert!(
                    has_flag || why.contains(&format!("`{word}`")),
                    "{name}: {word}"
                );
            }
        }
        Some(Fields(flags)) => {
            let told = schema["description"].as_str().unwrap_or_default();
            let told: BTreeSet<&str> = told.split('`').skip(1).step_by(2).collect();
            let own: BTreeSet<&str> = flags.iter().map(|(field, _)| *field).collect();
            assert_eq!(own, told, "{:?}: the fields of {name}", front.path());
            for (_, by) in *flags {
                flag(command, by, name);
            }
        }
        Some(Said) => {}
        Some(Absent(why)) => assert!(!why.is_empty()),
    }
}

#[test]
fn every_argument_of_a_tool_is_reached() {
    let cli = Cli::command();
    for front in FRONTS {
        let tool = find_tool(front.tool).expect("the tool of a command");
        let command = find(&cli, front.path());
        assert!(Cli::try_parse_from(["codecortex"].iter().chain(front.call)).is_ok());
        let schema = tool.input_schema();
        let properties = schema["properties"].as_object().expect("arguments");
        for (name, property) in properties {
            if concerns(front, &command, name) {
                check(front, &command, name, property);
            }
        }
        for (name, _) in front.reach {
            assert!(properties.contains_key(*name), "{}: no {name}", front.tool);
        }
    }
}

#[test]
fn every_argument_of_the_verbs_is_of_a_command() {
    let cli = Cli::command();
    let schema = find_tool(VERBS).expect("the tool of verbs").input_schema();
    let verbs = || FRONTS.iter().filter(|front| front.tool == VERBS);
    for name in schema["properties"].as_object().expect("arguments").keys() {
        let is_reached = |front: &Front| concerns(front, &find(&cli, front.path()), name);
        assert!(verbs().any(is_reached), "no command reaches {name}");
    }
}

#[test]
fn every_command_fronts_a_tool_or_none() {
    let mut commands = BTreeSet::new();
    working(&Cli::command(), &[], &mut commands);
    let paths = FRONTS.iter().map(Front::path).chain(OWN.iter().copied());
    let known: BTreeSet<Vec<String>> = paths
        .map(|path| path.iter().map(|name| (*name).to_owned()).collect())
        .collect();
    assert_eq!(commands, known);
}

/// `--budget` and `--max-tokens` are the same flag wherever there is one (SPEC D14).
#[test]
fn a_budget_has_both_names_on_every_command() {
    let cli = Cli::command();
    let mut commands = BTreeSet::new();
    working(&cli, &[], &mut commands);
    for path in &commands {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let command = find(&cli, &path);
        let has = |name| command.get_arguments().any(|arg| has_name(arg, name));
        assert_eq!(has("budget"), has("max-tokens"), "{path:?}");
        let fronts = FRONTS.iter().any(|front| front.path() == path);
        assert!(has("budget") || !fronts, "{path:?}");
    }
}
