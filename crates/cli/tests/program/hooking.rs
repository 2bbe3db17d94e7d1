//! What an agent's hook adds to a search of the agent's own (SPEC X6).

use codecortex_engine::protocol::tokens_approx;
use serde_json::{Value, json};

use crate::support::Place;

fn place() -> Place {
    let place = Place::new();
    place.write(
        "src/cart.ts",
        "export class Cart {\n  add(item: string): number {\n    return item.length;\n  }\n}\nexport function total(cart: Cart): number {\n  return cart.add(\"a\");\n}\n",
    );
    place
}

/// What the hook prints for a search.
fn printed(place: &Place, event: &str, input: &Value) -> String {
    let folder = place.path().join("src");
    let event = json!({
        "session_id": "s",
        "hook_event_name": event,
        "cwd": folder.to_str().unwrap(),
        "tool_name": "Grep",
        "tool_input": input,
        "tool_response": "src/cart.ts:1",
    });
    let run = place.run_with(&["hook"], event.to_string().as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

#[test]
fn a_search_for_a_declared_name_is_answered_with_its_uses() {
    let place = place();
    std::fs::create_dir(place.path().join(".git")).unwrap();
    let out = printed(
        &place,
        "PostToolUse",
        &json!({ "pattern": "class Cart|nowhere" }),
    );
    let out: Value = serde_json::from_str(&out).unwrap();
    let said = &out["hookSpecificOutput"];
    assert_eq!(said["hookEventName"], "PostToolUse");
    let text = said["additionalContext"].as_str().unwrap();
    assert!(
        text.contains("1 reference of src/cart.Cart (1 exact)"),
        "{text}"
    );
    assert!(
        !text.contains("nowhere") && !text.contains("rev "),
        "{text}"
    );
    let shell = printed(
        &place,
        "AfterTool",
        &json!({ "command": "cd src && grep -rn 'total(' . | head" }),
    );
    let shell: Value = serde_json::from_str(&shell).unwrap();
    assert_eq!(shell["hookSpecificOutput"]["hookEventName"], "AfterTool");
}

#[test]
fn an_addition_is_short() {
    let place = Place::new();
    for file in 0..40 {
        place.write(
            &format!("src/f{file}.ts"),
            format!("import {{ run }} from \"./run\";\nexport function load{file}() {{ return run(run({file})); }}\n"),
        );
    }
    place.write(
        "src/run.ts",
        "export function run(n: number): number { return n; }\n",
    );
    std::fs::create_dir(place.path().join(".git")).unwrap();
    let out: Value = serde_json::from_str(&printed(
        &place,
        "PostToolUse",
        &json!({ "pattern": "run" }),
    ))
    .unwrap();
    let text = out["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(text.contains("120 references of src/run.run"), "{text}");
    assert!(tokens_approx(text) <= 320, "{text}");
}

#[test]
fn an_agent_goes_on_whatever_its_event_is() {
    let place = place();
    for input in [
        json!({ "pattern": "nothingHere" }),
        json!({ "file_path": "src/cart.ts" }),
        json!("x"),
    ] {
        assert_eq!(printed(&place, "PostToolUse", &input), "", "{input}");
    }
    for event in ["", "[1", "{}"] {
        let run = place.run_with(&["hook"], event.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{event}");
    }
}
