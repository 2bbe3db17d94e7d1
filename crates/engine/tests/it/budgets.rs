//! No answer exceeds its budget, whatever the arguments (SPEC X1, TC5).

use crate::support::{Host, MIXED};
use codecortex_engine::TOOLS;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CallerKind;
use codecortex_engine::tokens_approx;
use proptest::prelude::*;
use serde_json::{Value, json};

fn any_args() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-10i64..300).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "NodeStore",
            "o",
            "*",
            "app/pkg/tools.py",
            "../x",
            "Close",
            "skipped",
            "text",
            "both",
            "outline",
            "compact",
            "json",
            "in",
            "1@1",
            "callers",
            "exact"
        ])
        .prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "symbol",
        "filePath",
        "labelQuery",
        "cursor",
        "limit",
        "searchIndex",
        "kinds",
        "list",
        "reason",
        "folder",
        "position",
        "visibility",
        "form",
        "project",
        "depth",
        "direction",
        "notation",
        "name",
        "namespace",
        "relation",
        "tiers",
        "roles",
        "includePreview",
        "includeInherited",
        "includeDocs",
        "maxSuperDepth",
        "maxSubDepth",
        "maxSubBreadth",
        "maxTokens",
        "format",
        "path",
        "query",
        "other",
    ]);
    prop::collection::btree_map(names, leaf, 0..5).prop_map(|map| json!(map))
}

/// Stands for the cursor of a further page.
const FURTHER: &str = "further";

/// The cursor of the page behind a short one, if that is not all.
fn further(host: &mut Host, tool: &str, args: &Value) -> Value {
    let mut first = args.clone();
    first["cursor"] = Value::Null;
    first["maxTokens"] = 200.into();
    let answer = host.call_at(tool, first, Caller::default());
    let json = answer.json.unwrap_or_default();
    let envelope: Value = serde_json::from_str(&json).unwrap_or_default();
    envelope["data"]["nextCursor"].clone()
}

/// Calls that succeed where the budget is large enough, with what makes their answers differ.
fn good_call() -> impl Strategy<Value = (&'static str, Value)> {
    let outline = (
        prop::sample::select(vec![
            json!({ "symbol": "NodeStore" }),
            json!({ "symbol": "NodeStore.Add" }),
            json!({ "symbol": "Memo.Core" }),
            json!({ "filePath": "pkg/tools.py" }),
        ]),
        prop::sample::select(vec!["tree", "outline", "compact"]),
        prop::sample::select(vec![json!(null), json!(FURTHER)]),
    );
    let outline = outline.prop_map(|(mut args, form, cursor)| {
        args["form"] = json!(form);
        args["cursor"] = cursor;
        ("codecortex_getOutline", args)
    });
    prop_oneof![
        outline,
        (
            prop::sample::select(vec!["mermaid", "dot", "json"]),
            prop::sample::select(vec!["type", "module"])
        )
            .prop_map(|(notation, level)| {
                let args = json!({ "notation": notation, "level": level });
                ("codecortex_exportGraph", args)
            }),
        Just(("codecortex_searchApi", json!({ "labelQuery": "o" }))),
        prop::sample::select(vec!["index", "plan", "bundle", "findings", "prompt"]).prop_map(|step| {
            let patch = "--- a/pkg/tools.py\n+++ b/pkg/tools.py\n@@ -1,0 +1,2 @@\n+import os\n+os.system('x')\n";
            ("codecortex_reviewChanges", json!({ "patch": patch, "step": step }))
        }),
        Just(("codecortex_resolveSymbol", json!({ "symbol": "*o*" }))),
        prop::sample::select(vec![Value::Null, json!("callers"), json!("callees")]).prop_map(
            |relation| {
                let args = json!({ "symbol": "NodeStore.Add(string)", "relation": relation });
                ("codecortex_findReferences", args)
            }
        ),
        prop::sample::select(vec![
            (
                "codecortex_findReferences",
                json!({ "symbol": "NodeStore.count" })
            ),
            (
                "codecortex_getTypeMembers",
                json!({ "name": "NodeStore", "includeDocs": true })
            ),
            (
                "codecortex_getSemantic",
                json!({ "symbol": "NodeStore", "prompt": "always" })
            ),
            (
                "codecortex_describe",
                json!({ "all": true, "dryRun": true })
            ),
            (
                "codecortex_getClassHierarchy",
                json!({ "name": "NodeStore" })
            ),
            (
                "codecortex_resolveSymbolAtPosition",
                json!({ "filePath": "pkg/tools.py", "position": { "line": 4, "character": 12 } }),
            ),
        ]),
    ]
}

/// Every failure fits a budget of so many tokens.
const LEAST: u32 = 40;
/// The most that the shortest failure costs below that: a payload's has an account of its cost.
const LEAST_WITH_ACCOUNT: u32 = 60;

fn any_call() -> impl Strategy<Value = (&'static str, Value)> {
    let names = TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>();
    prop_oneof![(prop::sample::select(names), any_args()), good_call()]
}

/// A failure that no number of tokens is enough for keeps to the bytes, without its account.
#[test]
fn a_failure_keeps_to_its_bytes_where_no_tokens_are_left() {
    for kind in [CallerKind::Cli, CallerKind::Mcp, CallerKind::Lm] {
        for tokens in [Some(0), Some(20), None] {
            let mut host = Host::new(MIXED);
            let caller = Caller {
                kind,
                max_bytes: Some(200),
                max_tokens: tokens,
                providers: false,
            };
            let answer = host.call_at("codecortex_getOutline", json!({}), caller);
            for form in [&answer.json, &answer.text].into_iter().flatten() {
                assert!(form.len() <= 200, "{tokens:?}: {form}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the arguments, there is an envelope, and no form of it is above the budget (SPEC X1, TC5).
    #[test]
    fn no_answer_is_above_its_budget(
        (tool, mut args) in any_call(),
        tokens in prop::option::of(0u32..900),
        bytes in prop::option::of(200u32..4000),
        kind in prop::sample::select(vec![CallerKind::Cli, CallerKind::Mcp, CallerKind::Lm]),
    ) {
        let mut host = Host::new(MIXED);
        if args["cursor"] == FURTHER {
            args["cursor"] = further(&mut host, tool, &args);
        }
        let caller = Caller { kind, max_bytes: bytes, max_tokens: tokens, providers: false };
        let answer = host.call_at(tool, args, caller);
        for form in [&answer.json, &answer.text].into_iter().flatten() {
            // What says that nothing fits has to be said in something.
            let is_least = |tokens| tokens < LEAST && form.contains("BudgetExceeded");
            let most = |tokens| if is_least(tokens) { LEAST_WITH_ACCOUNT } else { tokens };
            prop_assert!(tokens.is_none_or(|tokens| tokens_approx(form) <= most(tokens)), "{form}");
            prop_assert!(bytes.is_none_or(|bytes| form.len() <= bytes as usize), "{form}");
        }
        if let Some(json) = &answer.json {
            let envelope: Value = serde_json::from_str(json).unwrap();
            prop_assert_eq!(envelope["ok"].as_bool(), Some(answer.ok));
            let cost = if answer.ok { envelope["data"]["budget"]["tokens_approx"].as_u64() } else { None };
            prop_assert!(!answer.ok || cost == Some(u64::from(tokens_approx(json))));
        }
        prop_assert!(answer.json.is_some() || answer.text.is_some());
    }

    /// Failures keep to small budgets too, at every tool, by both measures of a token and in every form (SPEC D14).
    #[test]
    fn no_failure_is_above_a_small_budget(
        tool in prop::sample::select(TOOLS.iter().map(|tool| tool.name).collect::<Vec<_>>()),
        mut args in prop_oneof![any_args(), Just(json!({})), Just(json!({ "symbol": "Nowhere" })), Just(json!({ "nonsense": "x".repeat(300) }))],
        tokens in LEAST..=80,
        is_asked: bool,
        tokenizer in prop::sample::select(vec!["approx", "o200k_base"]),
        kind in prop::sample::select(vec![CallerKind::Cli, CallerKind::Mcp, CallerKind::Lm]),
    ) {
        let mut host = Host::new(MIXED);
        host.config.tokenizer = serde_json::from_value(json!(tokenizer)).unwrap();
        host.configure();
        let mut caller = Caller { kind, max_bytes: None, max_tokens: None, providers: false };
        match is_asked {
            true => args["maxTokens"] = json!(tokens.to_string()),
            false => caller.max_tokens = Some(tokens),
        }
        let answer = host.call_at(tool, args, caller);
        for form in [&answer.json, &answer.text].into_iter().flatten() {
            let exact = host.config.tokenizer.exact(form).unwrap_or(0);
            prop_assert!(tokens_approx(form).max(exact) <= tokens, "{tokens}: {exact}: {form}");
        }
    }
}
