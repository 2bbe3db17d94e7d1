//! What language providers say, merged with what the index has (docs/resolution.md).

use crate::support::Host;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CallerKind;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::ProviderOutcome;
use codecortex_engine::protocol::ProviderQuestion;
use codecortex_engine::protocol::ProviderReply;
use codecortex_engine::protocol::ProviderResult;
use codecortex_engine::protocol::ProviderTopic;
use codecortex_engine::protocol::Response;
use codecortex_engine::protocol::Span;
use codecortex_engine::tokens_approx;
use proptest::prelude::*;
use serde_json::{Value, json};

const SHOP: &str = "
//- /app/tsconfig.json
{ \"include\": [\"src\"] }
//- /app/src/store.ts
export interface Keeper { load(): void }
export class Store implements Keeper {
  /** Loads. */
  load(): void {}
}
//- /app/src/main.ts
import { Store } from \"./store\";
const é = new Store(); é.load();
declare const open: any; open.load();
//- /app/src/other.ts
import { Store } from \"./store\";
function f(store: Store) { store.load(); }
//- /app/elsewhere/tool.py
def load(): ...
";

/// The place of the `nth` occurrence of a text in a file of the fixture, as a range.
fn span(host: &Host, path: &str, text: &str, nth: usize) -> Span {
    let source = host.text(path).unwrap();
    let at = source.match_indices(text).nth(nth).unwrap().0;
    let position = |byte: usize| {
        let before = &source[..byte];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Position {
            line: before.matches('\n').count() as u32,
            character: before[start..].encode_utf16().count() as u32,
        }
    };
    Span {
        start: position(at),
        end: position(at + text.len()),
    }
}

fn result(path: &str, ranges: Vec<Span>) -> ProviderResult {
    ProviderResult {
        path: path.into(),
        version: None,
        ranges,
    }
}

fn places(places: Vec<ProviderResult>) -> ProviderReply {
    ProviderReply {
        outcome: ProviderOutcome::Answered,
        complete: true,
        places,
        ..ProviderReply::default()
    }
}

/// A host whose providers always say the same.
fn host_saying(reply: ProviderReply) -> Host {
    let mut host = Host::new(SHOP);
    host.providers = Some(Box::new(move |_| reply.clone()));
    host
}

fn lm() -> Caller {
    Caller {
        kind: CallerKind::Lm,
        providers: true,
        ..Caller::default()
    }
}

fn ask(host: &mut Host, tool: &str, args: Value) -> Value {
    let answer = host.call_at(&format!("codecortex_{tool}"), args, lm());
    let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
    assert_eq!(envelope["ok"], true, "{envelope}");
    envelope["data"].clone()
}

/// `file:line tier why` of every use.
fn uses(data: &Value) -> Vec<String> {
    let uses = data["references"].as_array().unwrap().iter();
    uses.map(|entry| {
        let file = entry["filePath"].as_str().unwrap();
        let line = &entry["startLine"];
        let tier = entry["tier"].as_str().unwrap();
        let why = entry["why"].as_str().unwrap_or("");
        format!("{file}:{line} {tier} {why}").trim_end().to_owned()
    })
    .collect()
}

/// What a compiler would say of `Store.load`.
fn all_loads(host: &Host) -> Vec<ProviderResult> {
    vec![
        result(
            "/w/app/src/store.ts",
            vec![span(host, "/w/app/src/store.ts", "load", 1)],
        ),
        result(
            "/w/app/src/main.ts",
            vec![span(host, "/w/app/src/main.ts", "load", 0)],
        ),
        result(
            "/w/app/src/other.ts",
            vec![span(host, "/w/app/src/other.ts", "load", 0)],
        ),
    ]
}

#[test]
fn without_providers_nobody_is_asked() {
    let mut host = Host::new(SHOP);
    let data = host.ok("findReferences", json!({ "symbol": "Store.load" }));
    assert_eq!(
        uses(&data),
        ["app/src/main.ts:2 exact", "app/src/other.ts:2 exact"]
    );
    assert_eq!(data["totalByTier"]["name"], 1);
    assert!(data.get("agreement").is_none() && host.questions.is_empty());
    let status = host.ok("status", json!({}));
    assert!(status.get("providers").is_none());
}

#[test]
fn what_both_have_is_of_the_highest_tier() {
    let reply = places(all_loads(&Host::new(SHOP)));
    let mut host = host_saying(reply);
    let data = ask(
        &mut host,
        "findReferences",
        json!({ "symbol": "Store.load" }),
    );
    assert_eq!(
        uses(&data),
        ["app/src/main.ts:2 provider", "app/src/other.ts:2 provider"]
    );
    // The declaration is no use, and the hit by name alone is denied.
    assert_eq!(
        data["agreement"],
        json!({ "both": 2, "providerOnly": 0, "oursOnly": 0 })
    );
    assert_eq!(
        data["totalByTier"],
        json!({ "provider": 2, "exact": 0, "inferred": 0, "related": 0, "name": 0 })
    );
    // They were asked where the symbol is declared, once.
    assert_eq!(
        host.questions,
        [ProviderQuestion {
            about: ProviderTopic::References,
            path: "/w/app/src/store.ts".into(),
            position: Position {
                line: 3,
                character: 2
            },
        }]
    );
    let filtered = ask(
        &mut host,
        "findReferences",
        json!({ "symbol": "Store.load", "tiers": ["exact"] }),
    );
    assert_eq!(filtered["total"], 2, "exact ones that were confirmed");
    let status = host.ok("status", json!({}));
    assert_eq!(status["providers"]["asked"], 2);
    assert_eq!(status["providers"]["both"], 4);
    assert!(host.disagreements.is_empty());
}

#[test]
fn what_one_side_alone_has_is_kept_and_marked() {
    let only = Host::new(SHOP);
    let reply = places(vec![
        result(
            "/w/app/src/main.ts",
            vec![span(&only, "/w/app/src/main.ts", "load", 1)],
        ),
        result(
            "/usr/lib/lib.d.ts",
            vec![span(&only, "/w/app/src/main.ts", "load", 0)],
        ),
    ]);
    let mut host = host_saying(reply);
    let data = ask(
        &mut host,
        "findReferences",
        json!({ "symbol": "Store.load" }),
    );
    assert_eq!(
        uses(&data),
        [
            "app/src/main.ts:3 provider name",
            "/usr/lib/lib.d.ts:2 provider provider-only",
            "app/src/main.ts:2 exact disputed",
            "app/src/other.ts:2 exact disputed",
        ]
    );
    assert_eq!(
        data["agreement"],
        json!({ "both": 1, "providerOnly": 1, "oursOnly": 2,
            "disputed": ["app/src/main.ts:2", "app/src/other.ts:2"] })
    );
    assert_eq!(data["references"][1]["preview"], "<source unavailable>");
    let [one] = host.disagreements.as_slice() else {
        panic!("{:?}", host.disagreements);
    };
    assert_eq!(
        (
            one.language.as_str(),
            one.kind.as_str(),
            one.shape.as_str(),
            one.tier.as_str(),
            one.count
        ),
        ("typescript", "method", "name", "exact", 2)
    );
}

#[test]
fn whoever_found_nothing_has_said_nothing() {
    for reply in [
        places(Vec::new()),
        ProviderReply {
            outcome: ProviderOutcome::TimedOut,
            ..ProviderReply::default()
        },
        ProviderReply::default(),
    ] {
        let mut host = host_saying(reply);
        let data = ask(
            &mut host,
            "findReferences",
            json!({ "symbol": "Store.load" }),
        );
        assert_eq!(
            uses(&data),
            ["app/src/main.ts:2 exact", "app/src/other.ts:2 exact"]
        );
        assert_eq!(data["totalByTier"]["name"], 1);
        assert!(data.get("agreement").is_none());
    }
}

#[test]
fn a_list_that_was_cut_denies_only_in_its_files() {
    let shop = Host::new(SHOP);
    let mut reply = places(all_loads(&shop)[..1].to_vec());
    reply.complete = false;
    let mut host = host_saying(reply);
    let data = ask(
        &mut host,
        "findReferences",
        json!({ "symbol": "Store.load" }),
    );
    assert_eq!(
        uses(&data),
        ["app/src/main.ts:2 exact", "app/src/other.ts:2 exact"]
    );
    assert_eq!(
        data["agreement"],
        json!({ "both": 0, "providerOnly": 0, "oursOnly": 2 })
    );
    assert_eq!(data["totalByTier"]["name"], 1);
}

#[test]
fn wider_ranges_mean_the_name_in_them() {
    let shop = Host::new(SHOP);
    let path = "/w/app/src/main.ts";
    for text in [
        "é.load",
        ".load()",
        "é.load()",
        "const é = new Store(); é.load();",
    ] {
        let reply = places(vec![result(path, vec![span(&shop, path, text, 0)])]);
        let mut host = host_saying(reply);
        let data = ask(
            &mut host,
            "findReferences",
            json!({ "symbol": "Store.load", "folder": "src/main.ts" }),
        );
        assert_eq!(uses(&data), ["app/src/main.ts:2 provider"], "{text}");
        let start = &data["references"][0]["range"]["start"];
        assert_eq!(*start, json!({ "line": 1, "character": 25 }), "{text}");
    }
}

#[test]
fn what_was_said_of_another_text_is_left_out() {
    for (version, dirty, counts) in [
        (Some(2), true, true),
        (Some(1), true, false),
        (None, true, false),
        (None, false, true),
    ] {
        let shop = Host::new(SHOP);
        let mut said = all_loads(&shop);
        said[1].version = version;
        let mut host = host_saying(places(said[1..2].to_vec()));
        host.send(Event::Opened {
            path: "/w/app/src/main.ts".into(),
            version: 2,
            text: host.text("/w/app/src/main.ts").unwrap(),
            dirty,
        });
        let data = ask(
            &mut host,
            "findReferences",
            json!({ "symbol": "Store.load", "folder": "src/main.ts" }),
        );
        let tier = if counts { "provider" } else { "exact" };
        assert_eq!(uses(&data), [format!("app/src/main.ts:2 {tier}")]);
    }
}

#[test]
fn places_that_make_no_sense_do_no_harm() {
    let far = Position {
        line: 90_000,
        character: 7,
    };
    let inside = Position {
        line: 0,
        character: 9_000,
    };
    let reply = places(vec![
        result(
            "/w/app/src/main.ts",
            vec![
                Span {
                    start: far,
                    end: far,
                },
                Span {
                    start: inside,
                    end: inside,
                },
            ],
        ),
        result(
            "",
            vec![Span {
                start: far,
                end: far,
            }],
        ),
        result("/w/app/src", vec![]),
    ]);
    let mut host = host_saying(reply);
    let data = ask(
        &mut host,
        "findReferences",
        json!({ "symbol": "Store.load" }),
    );
    assert_eq!(data["totalByTier"]["exact"], 2);
}

#[test]
fn further_pages_are_of_the_same_reply() {
    let calls: String = (0..70).map(|_| "f();\n").collect();
    let mut host = Host::new(&format!("\n//- /app/a.ts\nfunction f() {{}}\n{calls}"));
    let said = span(&host, "/w/app/a.ts", "f()", 3);
    let mut rounds = 0;
    host.providers = Some(Box::new(move |_| {
        rounds += 1;
        // A provider that would say something else each time.
        places(vec![result("/w/app/a.ts", vec![said; rounds])])
    }));
    let mut cursor = Value::Null;
    let mut all = Vec::new();
    loop {
        let data = ask(
            &mut host,
            "findReferences",
            json!({ "symbol": "f", "limit": 30, "cursor": cursor }),
        );
        assert_eq!(data["total"], 70);
        all.extend(uses(&data));
        cursor = data["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(host.questions.len(), 1);
    assert_eq!(all[0], "app/a.ts:4 provider");
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 70);
}

#[test]
fn a_definition_is_confirmed_corrected_or_found() {
    let shop = Host::new(SHOP);
    let store = "/w/app/src/store.ts";
    let at = json!({ "filePath": "src/main.ts", "position": { "line": 2, "character": 28 } });
    let agreed = places(vec![result(store, vec![span(&shop, store, "load", 1)])]);
    let data = ask(
        &mut host_saying(agreed),
        "resolveSymbolAtPosition",
        at.clone(),
    );
    assert_eq!(data["symbol"]["definition"]["tier"], "provider");
    assert_eq!(data["agreement"]["both"], 1);
    assert_eq!(data["resolved"]["path"], "src/store.Store.load");

    // They say that the interface's member is meant: theirs comes first.
    let other = places(vec![result(store, vec![span(&shop, store, "load", 0)])]);
    let data = ask(
        &mut host_saying(other),
        "resolveSymbolAtPosition",
        at.clone(),
    );
    assert_eq!(data["symbol"]["path"], "src/store.Keeper.load");
    assert_eq!(data["symbol"]["definition"]["why"], "provider-only");
    assert_eq!(data["symbol"]["definitions"][0]["why"], "disputed");
    assert_eq!(data["agreement"]["disputed"], json!(["app/src/store.ts:4"]));

    // What we know nothing of.
    let unknown = json!({ "filePath": "src/main.ts", "position": { "line": 3, "character": 32 } });
    let outside = Span {
        start: Position {
            line: 41,
            character: 4,
        },
        end: Position {
            line: 41,
            character: 8,
        },
    };
    let found = places(vec![result("/usr/lib/lib.d.ts", vec![outside])]);
    let data = ask(
        &mut host_saying(found),
        "resolveSymbolAtPosition",
        unknown.clone(),
    );
    assert_eq!(data["symbol"]["name"], "load");
    assert_eq!(data["symbol"]["kind"], "external");
    let definition = &data["symbol"]["definition"];
    assert_eq!(definition["filePath"], "/usr/lib/lib.d.ts");
    assert_eq!(definition["startLine"], 42);
    assert!(data.get("resolved").is_none());
    let mut host = host_saying(places(Vec::new()));
    let answer = host.call_at("codecortex_resolveSymbolAtPosition", unknown, lm());
    assert!(!answer.ok, "{answer:?}");
}

#[test]
fn a_hierarchy_is_confirmed_and_completed() {
    let shop = Host::new(SHOP);
    let store = "/w/app/src/store.ts";
    let name = |text: &str| vec![result(store, vec![span(&shop, store, text, 0)])];
    let reply = ProviderReply {
        outcome: ProviderOutcome::Answered,
        complete: true,
        below: name("Store"),
        ..ProviderReply::default()
    };
    let data = ask(
        &mut host_saying(reply),
        "getClassHierarchy",
        json!({ "name": "Keeper" }),
    );
    let derived = &data["derivedByParent"]["src/store.Keeper"];
    assert_eq!(*derived, json!(["src/store.Store"]));
    assert_eq!(data["sourceByClass"]["src/store.Store"]["tier"], "provider");
    assert_eq!(data["agreement"]["both"], 1);

    // A base that we do not know of, and none of ours.
    let reply = ProviderReply {
        outcome: ProviderOutcome::Answered,
        complete: true,
        below: name("Keeper"),
        above: name("export interface Keeper { load(): void }"),
        ..ProviderReply::default()
    };
    let mut host = host_saying(reply);
    let data = ask(&mut host, "getClassHierarchy", json!({ "name": "Store" }));
    assert_eq!(data["supers"], json!(["src/store.Keeper"]));
    assert_eq!(
        data["derivedByParent"]["src/store.Store"],
        json!(["src/store.Keeper"])
    );
    assert_eq!(data["agreement"]["providerOnly"], 1);
    assert_eq!(data["agreement"]["both"], 1);
    assert_eq!(host.questions[0].about, ProviderTopic::Hierarchy);
}

/// What only a provider knows follows what the index has, page by page.
#[test]
fn a_hierarchy_in_pages_has_what_only_a_provider_knows_once() {
    let many: String = (0..5)
        .map(|index| format!("class A{index} extends Base {{}}\n"))
        .collect();
    let theirs = "const mixed = make(Base);\nclass X0 {}\nclass X1 {}\nclass X2 {}\n";
    let fixture = format!("//- /app/a.ts\nclass Base {{}}\n{many}{theirs}");
    let mut host = Host::new(&fixture);
    let path = "/w/app/a.ts";
    let ranges = (0..3).map(|index| span(&host, path, &format!("X{index}"), 0));
    let reply = ProviderReply {
        outcome: ProviderOutcome::Answered,
        complete: true,
        below: vec![result(path, ranges.collect())],
        ..ProviderReply::default()
    };
    host.providers = Some(Box::new(move |_| reply.clone()));
    let (mut cursor, mut pages) = (Value::Null, Vec::new());
    loop {
        let args = json!({ "name": "Base", "maxSubBreadth": 3, "cursor": cursor });
        let data = ask(&mut host, "getClassHierarchy", args);
        let page = data["derivedByParent"]["a.Base"].as_array().unwrap().iter();
        let page: Vec<String> = page
            .map(|name| name.as_str().unwrap().replace("a.", ""))
            .collect();
        pages.push(page.join(" "));
        cursor = data["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(pages, ["A0 A1 A2", "A3 A4 X0", "X1 X2"]);
    assert_eq!(host.questions.len(), 1);
}

#[test]
fn a_reply_that_nobody_waits_for_is_dropped() {
    let mut host = Host::new(SHOP);
    let reply = places(all_loads(&Host::new(SHOP)));
    host.send_reply(7, Response::Providers { reply });
    let data = host.ok("findReferences", json!({ "symbol": "Store.load" }));
    assert!(data.get("agreement").is_none());
}

/// Ranges of names of the fixture, and some that are none.
fn any_reply() -> impl Strategy<Value = Vec<ProviderResult>> {
    let files = [
        "/w/app/src/store.ts",
        "/w/app/src/main.ts",
        "/w/app/src/other.ts",
        "/elsewhere/x.ts",
    ];
    let position = (0u32..5, 0u32..40).prop_map(|(line, character)| Position { line, character });
    let span = (position, 0u32..12).prop_map(|(start, length)| Span {
        start,
        end: Position {
            line: start.line,
            character: start.character + length,
        },
    });
    let ranges = prop::collection::vec(span, 0..12);
    let one = (prop::sample::select(files.to_vec()), ranges)
        .prop_map(|(path, ranges)| result(path, ranges));
    prop::collection::vec(one, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    /// In which order providers say what they say does not matter, nor how often they say it.
    #[test]
    fn the_order_of_results_does_not_matter(
        said in any_reply(),
        shuffled in any::<prop::sample::Index>(),
        tool in 0usize..3,
    ) {
        let (tool, args) = [
            ("findReferences", json!({ "symbol": "Store.load", "tiers": ["provider", "exact", "inferred", "related", "name"] })),
            ("resolveSymbolAtPosition", json!({ "filePath": "src/main.ts", "position": { "line": 2, "character": 28 } })),
            ("getClassHierarchy", json!({ "name": "Store" })),
        ][tool].clone();
        let reply = |said: Vec<ProviderResult>| {
            let mut reply = places(said.clone());
            reply.above = said.clone();
            reply.below = said;
            reply
        };
        let once = ask(&mut host_saying(reply(said.clone())), tool, args.clone());
        let mut other: Vec<ProviderResult> = said.iter().rev().cloned().collect();
        for result in &mut other {
            result.ranges.reverse();
        }
        if !other.is_empty() {
            let again = other[shuffled.index(other.len())].clone();
            other.push(again);
        }
        let again = ask(&mut host_saying(reply(other)), tool, args);
        prop_assert_eq!(once, again);
    }

    /// Nothing that providers say makes an answer larger than its budget (SPEC X1).
    #[test]
    fn no_answer_is_above_its_budget(
        said in any_reply(),
        tokens in 60u32..900,
        format in prop::sample::select(vec!["json", "text"]),
        tool in 0usize..3,
    ) {
        let (tool, mut args) = [
            ("findReferences", json!({ "symbol": "Store.load" })),
            ("resolveSymbolAtPosition", json!({ "filePath": "src/main.ts", "position": { "line": 2, "character": 28 } })),
            ("getClassHierarchy", json!({ "name": "Store" })),
        ][tool].clone();
        args["format"] = json!(format);
        let mut reply = places(said.clone());
        reply.above = said.clone();
        reply.below = said;
        let caller = Caller { max_tokens: Some(tokens), ..lm() };
        let answer = host_saying(reply).call_at(&format!("codecortex_{tool}"), args, caller);
        for form in [&answer.json, &answer.text].into_iter().flatten() {
            let is_small = tokens_approx(form) <= tokens;
            let is_excused = tokens < 40 && form.contains("BudgetExceeded");
            prop_assert!(is_small || is_excused, "{form}");
        }
    }
}

fn place_of(span: Span) -> Value {
    json!({ "line": span.start.line + 1, "character": span.start.character + 1 })
}

#[test]
fn what_the_index_does_not_know_providers_may() {
    let only = Host::new(SHOP);
    let open = span(&only, "/w/app/src/main.ts", "load", 1);
    let args = json!({ "filePath": "app/src/main.ts", "position": place_of(open) });
    let reply = places(vec![
        result("/w/app/src/main.ts", vec![open]),
        result("/usr/lib/lib.d.ts", vec![open]),
    ]);
    let mut host = host_saying(reply);
    let data = ask(&mut host, "findReferences", args.clone());
    assert_eq!(
        uses(&data),
        [
            "app/src/main.ts:3 provider provider-only",
            "/usr/lib/lib.d.ts:3 provider provider-only",
        ]
    );
    assert!(data.get("resolved").is_none());
    assert_eq!(host.questions.len(), 1);
    for mut host in [host_saying(places(Vec::new())), Host::new(SHOP)] {
        let answer = host.call_at("codecortex_findReferences", args.clone(), lm());
        let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
        assert_eq!(envelope["error"]["code"], "SymbolNotFound", "{envelope}");
    }
}

/// `path tier why` of every declaration.
fn declarations(data: &Value) -> Vec<String> {
    let declarations = data["declarations"].as_array().unwrap().iter();
    declarations
        .map(|entry| {
            let path = entry["path"].as_str().unwrap();
            let tier = entry["tier"].as_str().unwrap();
            let why = entry["why"].as_str().unwrap_or("");
            format!("{path} {tier} {why}").trim_end().to_owned()
        })
        .collect()
}

#[test]
fn implementations_are_compared_with_those_of_providers() {
    let only = Host::new(SHOP);
    let own = span(&only, "/w/app/src/store.ts", "load", 0);
    let store = span(&only, "/w/app/src/store.ts", "load", 1);
    let other = span(&only, "/w/app/src/other.ts", "f(", 0);
    let args = json!({ "symbol": "Keeper.load", "relation": "implementations" });
    let all = [
        ("/w/app/src/store.ts", own),
        ("/w/app/src/store.ts", store),
        ("/w/app/src/other.ts", other),
    ];
    let said = |of: &[(&str, Span)]| {
        places(
            of.iter()
                .map(|(path, span)| result(path, vec![*span]))
                .collect(),
        )
    };
    let mut host = host_saying(said(&all));
    let data = ask(&mut host, "findReferences", args.clone());
    assert_eq!(
        declarations(&data),
        [
            "src/other.f provider provider-only",
            "src/store.Store.load provider related"
        ]
    );
    assert_eq!(
        data["agreement"],
        json!({ "both": 1, "providerOnly": 1, "oursOnly": 0 })
    );
    assert_eq!(host.questions[0].about, ProviderTopic::Implementations);
    let mut host = host_saying(said(&all[2..]));
    let data = ask(&mut host, "findReferences", args.clone());
    assert_eq!(
        declarations(&data),
        [
            "src/other.f provider provider-only",
            "src/store.Store.load related disputed"
        ]
    );
    // Its own declaration is nothing that implements it, and says nothing.
    let mut host = host_saying(said(&all[..1]));
    let data = ask(&mut host, "findReferences", args);
    assert_eq!(declarations(&data), ["src/store.Store.load related"]);
    assert!(data.get("agreement").is_none());
}

/// Two projects; in the first `lines` are in a file besides the declaration, in the second one hit by name.
fn lessons(lines: &str) -> String {
    let lines = lines.repeat(25);
    format!(
        "
//- /app/near/tsconfig.json
{{ \"include\": [\"src\"] }}
//- /app/near/src/store.ts
export class Store {{
  load(): void {{}}
}}
export function make() {{ return [new Store()][0]; }}
//- /app/near/src/main.ts
import {{ Store, make }} from \"./store\";
declare const open: any;
new Store().load();
{lines}//- /app/far/tsconfig.json
{{ \"include\": [\"src\"] }}
//- /app/far/src/far.ts
declare const open: any;
open.load();
"
    )
}

#[test]
fn hits_by_name_count_more_where_such_are_confirmed() {
    let text = lessons("open.load();\n");
    let only = Host::new(&text);
    let main = "/w/app/near/src/main.ts";
    let spans = (0..26).map(|nth| span(&only, main, "load", nth)).collect();
    let reply = places(vec![result(main, spans)]);
    let later_reply = reply.clone();
    let mut host = Host::new(&text);
    host.providers = Some(Box::new(move |_| reply.clone()));
    let args = json!({ "symbol": "Store.load", "limit": 5 });
    let data = ask(&mut host, "findReferences", args.clone());
    assert_eq!(data["totalByTier"]["provider"], 26);
    assert_eq!(data["totalByTier"]["name"], 1, "{data}");
    // A further page is of the same list, whatever was learned from the first.
    let mut next = args.clone();
    next["cursor"] = data["nextCursor"].clone();
    let data = ask(&mut host, "findReferences", next);
    assert_eq!(data["totalByTier"]["name"], 1);
    let data = ask(
        &mut host,
        "findReferences",
        json!({ "symbol": "Store.load", "tiers": ["inferred"] }),
    );
    assert_eq!(uses(&data), ["app/far/src/far.ts:2 inferred name"]);
    // Whoever does not ask them is told what the index knows.
    let data = host.ok("findReferences", args.clone());
    assert_eq!(data["totalByTier"]["name"], 26);
    // A later run begins with what this one learned.
    let cache = host.engine.export_cache(0.0);
    let mut later = Host::new(&text);
    let reply = later_reply.clone();
    later.providers = Some(Box::new(move |_| reply.clone()));
    later.restart(cache);
    let data = ask(&mut later, "findReferences", args);
    assert_eq!(data["totalByTier"]["name"], 0, "{data}");
    assert_eq!(data["totalByTier"]["inferred"], 1);
}

#[test]
fn what_is_mostly_denied_is_doubted_but_never_what_is_exact() {
    let text = lessons("make().load();\n");
    let only = Host::new(&text);
    let main = "/w/app/near/src/main.ts";
    let reply = places(vec![result(main, vec![span(&only, main, "load", 1)])]);
    let mut host = Host::new(&text);
    host.providers = Some(Box::new(move |_| reply.clone()));
    let args = json!({ "symbol": "Store.load" });
    let data = ask(&mut host, "findReferences", args.clone());
    assert_eq!(data["totalByTier"]["inferred"], 24, "{data}");
    assert_eq!(data["totalByTier"]["exact"], 1);
    let data = ask(&mut host, "findReferences", args);
    assert_eq!(data["totalByTier"]["inferred"], 0);
    assert_eq!(data["totalByTier"]["exact"], 1);
    assert_eq!(data["total"], 2, "one exact, one confirmed: {data}");
}
