//! What answers cost, how long they took and what they replaced (SPEC T1, X8).

use codecortex_engine::protocol::{Caller, CallerKind, Event};
use serde_json::json;

use crate::support::Host;

const FIXTURE: &str = "//- /app/src/cart.ts
export class Cart {
  add(item: string): number { return item.length; }
}
//- /app/src/use.ts
import { Cart } from './cart';
export const total = new Cart().add('a');
";

fn kept() -> Host {
    let mut host = Host::new(FIXTURE);
    host.config.telemetry = true;
    host.configure();
    host.settle();
    host.send(Event::Time { now_ms: host.clock });
    host
}

fn telemetry(host: &mut Host) -> serde_json::Value {
    let args = json!({ "telemetry": true, "receipts": true });
    host.ok("status", args)["telemetry"].clone()
}

#[test]
fn answers_of_processes_add_up() {
    let mut host = kept();
    host.ok(
        "findReferences",
        json!({ "symbol": "Cart", "maxTokens": 500 }),
    );
    host.fail("getOutline", json!({ "symbol": "Nowhere" }));
    host.fail("noTool", json!({}));
    host.send(Event::Ending);
    assert_eq!(host.telemetry.len(), 1);
    // Another process of the same person.
    host.telemetry.push(host.telemetry[0].clone());
    let found = telemetry(&mut host);
    let calls = |name: &str| {
        let tools = found["tools"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["tool"] == name);
        tool.map(|tool| {
            (
                tool["calls"].as_u64().unwrap(),
                tool["failures"].as_u64().unwrap(),
            )
        })
    };
    assert_eq!(calls("codecortex_findReferences"), Some((2, 0)), "{found}");
    assert_eq!(calls("codecortex_getOutline"), Some((2, 2)));
    assert_eq!(
        calls("other"),
        Some((2, 2)),
        "names that callers make up are one row"
    );
    assert!(found["budgetUsageRatio"].as_f64().unwrap() < 1.0);
    assert_eq!(
        (&found["budgetExceeded"], found.get("alarms")),
        (&json!(0), None)
    );
    assert_eq!(found["task"]["calls"], 6);
    let receipt = &found["task"]["receipts"][0];
    assert_eq!(
        (&receipt["symbol"], &receipt["files"]),
        (&json!("src/cart.Cart"), &json!(1)),
        "{receipt}"
    );
    assert_eq!(
        found["p95ResolveMs"],
        json!(null),
        "the host said of no answer how long it took"
    );
}

#[test]
fn the_host_says_how_long_an_answer_took() {
    let mut host = kept();
    for (micros, symbol) in [(2_000.0, "Cart"), (150_000.0, "Cart.add")] {
        let id = host.begin_call(
            "codecortex_resolveSymbol",
            json!({ "symbol": symbol }),
            Caller::default(),
        );
        host.settle();
        host.take_answer();
        host.send(Event::Answered {
            id,
            took_us: micros,
        });
        host.send(Event::Answered { id, took_us: 1e12 }); // once
    }
    let found = telemetry(&mut host);
    let close =
        |figure: &serde_json::Value, ms: f64| (figure.as_f64().unwrap() / ms - 1.0).abs() < 0.02;
    assert!(
        close(&found["p50ResolveMs"], 2.0) && close(&found["p95ResolveMs"], 150.0),
        "{found}"
    );
    assert_eq!(
        found["alarms"],
        json!(["95 of 100 symbols take longer than 100 ms to resolve."])
    );
}

#[test]
fn editors_own_questions_are_not_counted() {
    let mut host = kept();
    let caller = Caller {
        kind: CallerKind::Editor,
        ..Caller::default()
    };
    host.call_at("codecortex_getOutline", json!({ "symbol": "Cart" }), caller);
    assert_eq!(telemetry(&mut host)["tools"], json!([]));
    // Whoever asks for figures is counted afterwards.
    assert_eq!(
        telemetry(&mut host)["tools"][0]["tool"],
        "codecortex_status"
    );
}

#[test]
fn a_person_or_a_setting_keeps_no_log() {
    let mut host = kept();
    host.person_sets(|own| own.telemetry = Some(false));
    host.ok("getOutline", json!({ "symbol": "Cart" }));
    host.send(Event::Ending);
    assert!(host.telemetry.is_empty());
    let found = telemetry(&mut host);
    assert_eq!(
        (&found["isKept"], &found["tools"]),
        (&json!(false), &json!([]))
    );
}

#[test]
fn a_start_says_how_much_the_cache_had() {
    let mut host = kept();
    host.send(Event::Tick { now_ms: host.clock });
    let cache = host.engine.export_cache(host.clock + 1e8);
    host.telemetry.clear();
    host.restart(cache);
    host.settle();
    let found = telemetry(&mut host);
    assert_eq!(found["fileCacheHitRatio"], json!(1.0), "{found}");
}
