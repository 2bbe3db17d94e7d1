//! The cases of `test/contract` through the engine, a batch and an MCP session: each holds what it
//! must, and all give the same answer.

use std::path::{Path, PathBuf};

use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CallerKind;
use codecortex_host::{HostWorkspace, Options, resolve_roots};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::matching::mismatch;
use crate::mcp::Session;
use crate::support::Place;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    tool: String,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    caller: Option<Limits>,
    expect: Value,
    #[serde(default)]
    text: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Limits {
    max_bytes: Option<u32>,
    max_tokens: Option<u32>,
}

/// Cases and the folders they are asked in.
struct Suite {
    cases: Vec<Case>,
    roots: Vec<PathBuf>,
}

fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../..").canonicalize().unwrap()
}

fn read_cases(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Suite {
    /// The cases of a folder, asked in these folders of a fixture.
    fn read(cases: &str, fixture: &str, roots: [&str; 2]) -> Self {
        let mut files: Vec<PathBuf> = std::fs::read_dir(repository().join(cases))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .collect();
        files.sort();
        let fixture = repository().join(fixture);
        Self {
            cases: files.iter().flat_map(|file| read_cases(file)).collect(),
            roots: roots.map(|root| fixture.join(root)).into(),
        }
    }

    fn root_args(&self) -> Vec<String> {
        self.roots
            .iter()
            .flat_map(|root| ["--root".to_owned(), root.to_str().unwrap().to_owned()])
            .collect()
    }
}

/// What a door gave for a case.
struct Given {
    json: Value,
    text: Option<String>,
}

impl Case {
    /// The arguments, with both forms asked for where a case says something about the text.
    fn full_args(&self) -> Value {
        let mut args = self.args.clone();
        if !self.text.is_empty() {
            args["format"] = json!("both");
        }
        args
    }

    fn check(&self, caller: &str, given: &Given) -> Vec<String> {
        let mut problems = Vec::from_iter(mismatch(&self.expect, &given.json));
        for part in &self.text {
            if !given.text.as_ref().is_some_and(|text| text.contains(part)) {
                problems.push(format!("the text {:?} lacks {part:?}", given.text));
            }
        }
        let said = |problem: String| format!("{caller}: {}: {problem}\n", self.name);
        problems.into_iter().map(said).collect()
    }
}

fn through_engine(suite: &Suite) -> Vec<Given> {
    let mut workspace = HostWorkspace::open(Options {
        roots: resolve_roots(&suite.roots).unwrap(),
        no_cache: true,
        threads: Some(1),
        ..Options::default()
    });
    workspace.run_until_ready();
    let give = |case: &Case| {
        let caller = Caller {
            kind: CallerKind::Cli,
            max_bytes: case.caller.and_then(|caller| caller.max_bytes),
            max_tokens: case.caller.and_then(|caller| caller.max_tokens),
            providers: false,
        };
        let answer = workspace.call(&case.tool, case.full_args(), caller);
        for form in [&answer.json, &answer.text].into_iter().flatten() {
            let most = caller.max_bytes.map_or(usize::MAX, |most| most as usize);
            assert!(form.len() <= most, "{}: {} bytes", case.name, form.len());
        }
        Given {
            json: serde_json::from_str(&answer.json.unwrap()).unwrap(),
            text: answer.text,
        }
    };
    suite.cases.iter().map(give).collect()
}

fn through_batch(suite: &Suite) -> Vec<Given> {
    let place = Place::new();
    let cases = &suite.cases;
    let lines: String = cases
        .iter()
        .map(|case| {
            let call = json!({ "id": case.name, "tool": case.tool, "args": case.full_args() });
            format!("{call}\n")
        })
        .collect();
    let roots = suite.root_args();
    let args = ["batch"]
        .into_iter()
        .chain(roots.iter().map(String::as_str));
    let run = place.run_with(&args.collect::<Vec<_>>(), lines.as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let given: Vec<Given> = run
        .stdout
        .lines()
        .zip(cases)
        .map(|(line, case)| {
            let response: Value = serde_json::from_str(line).unwrap();
            assert_eq!(response["id"], case.name.as_str());
            Given {
                json: response["result"].clone(),
                text: response["text"].as_str().map(str::to_owned),
            }
        })
        .collect();
    assert_eq!(given.len(), cases.len());
    given
}

fn through_mcp(suite: &Suite) -> Vec<Given> {
    let place = Place::new();
    let roots = suite.root_args();
    let mut session = Session::start(
        &place,
        &roots.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    suite
        .cases
        .iter()
        .map(|case| {
            let result = session.call(&case.tool, &case.args);
            assert_eq!(
                result["isError"],
                !result["structuredContent"]["ok"].as_bool().unwrap()
            );
            Given {
                json: result["structuredContent"].clone(),
                text: result["content"][0]["text"].as_str().map(str::to_owned),
            }
        })
        .collect()
}

/// By a run of the program for each case.
fn through_call(suite: &Suite) -> Vec<Given> {
    let place = Place::new();
    let roots = suite.root_args();
    let give = |case: &Case| {
        let args = case.args.to_string();
        let call = ["call", case.tool.as_str(), "--args", args.as_str()];
        let all = call.into_iter().chain(roots.iter().map(String::as_str));
        let run = place.run(&all.collect::<Vec<_>>());
        let json = run.json();
        let is_failed = json["ok"] == false;
        assert_eq!(run.code != Some(0), is_failed, "{}", case.name);
        Given { json, text: None }
    };
    suite.cases.iter().map(give).collect()
}

/// An answer without what may differ: how often the index changed, and what the answer costs.
fn comparable(mut envelope: Value) -> Value {
    if let Some(data) = envelope["data"].as_object_mut() {
        for own in ["index", "budget", "memoryBytes", "nextCursor", "omitted"] {
            data.remove(own);
        }
        if let Some(of) = data
            .get_mut("review_metadata")
            .and_then(Value::as_object_mut)
        {
            of.remove("timestamp");
        }
    }
    envelope
}

/// The answers to the contract's cases, each with its tool.
pub(crate) fn every_answer() -> Vec<(String, Value)> {
    let suite = Suite::read("test/contract", "test/fixtures/contract", ["app", "lib"]);
    let answers = through_engine(&suite);
    let tools = suite.cases.iter().map(|case| case.tool.clone());
    tools
        .zip(answers.into_iter().map(|given| given.json))
        .collect()
}

#[test]
fn every_door_gives_what_the_contract_says_and_all_give_the_same() {
    let suite = &Suite::read("test/contract", "test/fixtures/contract", ["app", "lib"]);
    assert!(suite.cases.len() >= 40, "{} cases", suite.cases.len());
    let doors = [
        ("engine", through_engine(suite)),
        ("batch", through_batch(suite)),
        ("mcp", through_mcp(suite)),
    ];
    check_doors(suite, &doors);
}

/// SPEC AS2: the five tools of scripts in a game of Unreal Engine.
#[test]
fn script_tools_give_what_their_contract_says_at_every_door() {
    let suite = &Suite::read(
        "test/contract/unreal",
        "test/fixtures/unreal",
        ["game", "plugin"],
    );
    assert!(suite.cases.len() >= 30, "{} cases", suite.cases.len());
    let doors = [
        ("engine", through_engine(suite)),
        ("call", through_call(suite)),
        ("batch", through_batch(suite)),
        ("mcp", through_mcp(suite)),
    ];
    check_doors(suite, &doors);
}

/// Every door has to hold what the cases say, and to give what the first one, the engine, gives.
fn check_doors(suite: &Suite, doors: &[(&str, Vec<Given>)]) {
    let mut problems = Vec::new();
    for (index, case) in suite.cases.iter().enumerate() {
        let in_engine = comparable(doors[0].1[index].json.clone());
        for (caller, given) in doors {
            // Only the engine itself can be told the limits of a door.
            if case.caller.is_some() && *caller != "engine" {
                continue;
            }
            problems.extend(case.check(caller, &given[index]));
            let here = comparable(given[index].json.clone());
            if here != in_engine {
                problems.push(format!(
                    "{caller}: {}: {here} is not {in_engine}\n",
                    case.name
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.concat());
}
