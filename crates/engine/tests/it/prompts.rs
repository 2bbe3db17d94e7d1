//! What prompts cost, over many types: in proportion to what changed (SPEC SE1, `000` §7).

use crate::support::Host;
use codecortex_engine::protocol::Event;
use serde_json::{Value, json};

const TEXT: &str = "ROLE:\nKeeps what was counted, by key.\nLIFECYCLE:\nMade once for each request.\nEDGE_CASES:\n\
    Keys below zero are not kept.\nLIMITATIONS:\nNo threads.\nRECOMMENDATIONS:\nClose it when the request is over.\n";
const TYPES: usize = 200;

/// A type with so many members of some lines; those before `changed` do something else.
fn source(name: &str, members: usize, changed: usize) -> String {
    let mut out = format!("namespace N;\n/// <summary>Counts.</summary>\npublic class {name} {{\n");
    for at in 0..members {
        let step = if at < changed { "+ 2" } else { "+ 1" };
        out.push_str(&format!(
            "    public int Count{at}(int key, string label) {{\n        var found = label.Length * key;\n        \
             for (var at = 0; at < key; at++) {{\n            found = found {step};\n        }}\n        \
             if (found > limit{at}) {{ return limit{at}; }}\n        return found;\n    }}\n    private int limit{at} = {at};\n"
        ));
    }
    out + "}\n"
}

fn host(types: &[(String, usize)]) -> Host {
    let mut host = Host::new("//- /app/README.md\ntext\n");
    for (name, members) in types {
        host.write(&format!("/w/app/{name}.cs"), &source(name, *members, 0));
    }
    host.send(Event::KeepContext { root: 0 });
    host.touched(&["/w/app/README.md"]);
    host.settle();
    host
}

fn change(host: &mut Host, name: &str, members: usize, changed: usize) {
    let path = format!("/w/app/{name}.cs");
    host.write(&path, &source(name, members, changed));
    host.touched(&[&path]);
}

fn tokens(data: &Value) -> f64 {
    data["promptTokens"].as_f64().unwrap()
}

fn describe(host: &mut Host, name: &str) -> f64 {
    let found = host.ok("getSemantic", json!({ "symbol": format!("N.{name}") }));
    let text = json!({ "ticket": found["ticket"], "text": TEXT });
    host.ok("submitSemantic", text);
    tokens(&found)
}

#[test]
fn a_prompt_about_one_member_costs_a_third_of_the_whole() {
    let types: Vec<(String, usize)> = (0..TYPES)
        .map(|at| (format!("T{at}"), 4 + at % 29))
        .collect();
    let mut host = host(&types);
    let whole: Vec<f64> = types
        .iter()
        .map(|(name, _)| describe(&mut host, name))
        .collect();
    host.settle();
    for (name, members) in &types {
        change(&mut host, name, *members, 1);
    }
    host.settle();
    let mut shares: Vec<f64> = Vec::new();
    for ((name, _), whole) in types.iter().zip(whole) {
        let found = host.ok("getSemantic", json!({ "symbol": format!("N.{name}") }));
        assert_eq!(found["semanticState"], "stale", "{name}");
        let prompt = found["prompt"].as_str().unwrap();
        assert!(
            prompt.contains("public int Count0(")
                && !prompt.contains("@@ Member public int Count1(")
        );
        shares.push(tokens(&found) / whole);
    }
    shares.sort_by(f64::total_cmp);
    let median = shares[TYPES / 2];
    assert!(median <= 0.35, "{median}");
}

#[test]
fn a_prompt_grows_in_a_straight_line_with_the_members_that_changed() {
    const MEMBERS: usize = 64;
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut host = host(&[("Wide".to_owned(), MEMBERS)]);
    describe(&mut host, "Wide");
    host.settle();
    for changed in [1, 2, 4, 8, 16, 24, 32, 48, 64] {
        change(&mut host, "Wide", MEMBERS, changed);
        host.settle();
        let found = host.ok("getSemantic", json!({ "symbol": "N.Wide" }));
        points.push((changed as f64, tokens(&found)));
    }
    let share = r_squared(&points);
    assert!(share >= 0.98, "R² {share} of {points:?}");
}

/// How much of what the second numbers differ by a straight line over the first ones explains.
fn r_squared(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let both = sum(&|point| (point.0 - x) * (point.1 - y));
    let own = sum(&|point| (point.0 - x).powi(2)) * sum(&|point| (point.1 - y).powi(2));
    both * both / own
}
