//! The log of telemetry, from a call to the figures of later processes (SPEC T1).

use serde_json::{Value, json};

use crate::support::Place;

fn telemetry(place: &Place) -> Value {
    let run = place.run(&["status", "--telemetry", "--receipts", "--json"]);
    run.json()["data"]["telemetry"].clone()
}

fn place() -> Place {
    let place = Place::new();
    place.write(
        "src/cart.ts",
        "export class Cart {\n  add(item: string): number {\n    return item.length;\n  }\n}\n",
    );
    place
}

#[test]
fn processes_add_up_in_one_log() {
    let place = place();
    for _ in 0..2 {
        place.run(&["outline", "Cart"]);
    }
    place.run(&["outline", "Nowhere"]);
    let lines = json!({ "id": 1, "tool": "codecortex_resolveSymbol", "args": { "symbol": "Cart.add", "maxTokens": 400 } });
    place.batch(&lines.to_string());
    let found = telemetry(&place);
    let tool = |name: &str| {
        let tools = found["tools"].as_array().unwrap();
        tools
            .iter()
            .find(|of| of["tool"] == name)
            .cloned()
            .unwrap_or_default()
    };
    let outline = tool("codecortex_getOutline");
    assert_eq!(
        (&outline["calls"], &outline["failures"]),
        (&json!(3), &json!(1)),
        "{found}"
    );
    assert!(outline["p95Ms"].as_f64().unwrap() > 0.0);
    assert_eq!(tool("codecortex_resolveSymbol")["calls"], 1);
    assert!(found["p95ResolveMs"].as_f64().unwrap() > 0.0);
    assert!(found["budgetUsageRatio"].as_f64().unwrap() > 0.0);
    assert_eq!(found["budgetExceeded"], 0);
    // The first process read the file, the later ones had it from the cache.
    assert!(found["fileCacheHitRatio"].as_f64().unwrap() < 1.0);
    assert_eq!(
        found["days"][0]["calls"], 4,
        "one day, without this very call: {found}"
    );
    let receipts = found["task"]["receipts"].as_array().unwrap();
    assert_eq!(receipts.len(), 4);
    assert_eq!(receipts[0]["symbol"], "src/cart.Cart");
    assert_eq!(
        (&receipts[0]["files"], &receipts[0]["fileTokens"]),
        (&json!(1), &json!(20))
    );
}

#[test]
fn a_person_turns_it_off() {
    let place = place();
    place.person_sets(&json!({ "telemetry": false }));
    place.run(&["outline", "Cart"]);
    let found = telemetry(&place);
    assert_eq!(
        (&found["isKept"], &found["tools"]),
        (&json!(false), &json!([])),
        "{found}"
    );
    assert!(!place.telemetry().exists());
}

#[test]
fn a_damaged_log_is_counted_and_goes_on() {
    let place = place();
    place.run(&["outline", "Cart"]);
    let logs = place.telemetry();
    let folder = std::fs::read_dir(logs)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let file = std::fs::read_dir(folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let kept = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{kept}{{\"metrics\": nonsense\n\u{0}\n")).unwrap();
    place.run(&["outline", "Cart"]);
    let found = telemetry(&place);
    assert_eq!(found["damagedLines"], 2, "{found}");
    assert_eq!(found["tools"][0]["calls"], 2);
}
