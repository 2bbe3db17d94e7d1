//! Answers of models that are none, or nearly: each is an attempt that failed, with why, or a text that is whole
//! (SPEC SE1, I4). `CODECORTEX_ANSWERS` says how many are tried.

use crate::support::Host;
use crate::support::chance::{Chance, count_of};
use codecortex_engine::protocol::{Event, ModelOutcome, Response};
use serde_json::json;

const ANSWERS: usize = 300;
const SECTIONS: [&str; 5] = [
    "ROLE",
    "LIFECYCLE",
    "EDGE_CASES",
    "LIMITATIONS",
    "RECOMMENDATIONS",
];
const TEXT: &str = "ROLE:\nKeeps nodes.\nLIFECYCLE:\nMade once.\nEDGE_CASES:\nNone.\nLIMITATIONS:\nNo threads.\n\
    RECOMMENDATIONS:\nClose it.\n";
const FILES: &str = "
//- /app/Store.cs
namespace N;
public class Store { public int Add(int key) { return key + 1; } }
";

/// Pieces that answers are made of.
const PIECES: [&str; 22] = [
    "ROLE:\nKeeps nodes.\n",
    "ROLE: on its line\n",
    "**LIFECYCLE**\nMade once.\n",
    "## EDGE_CASES\nNone.\n",
    "Edge cases:\nNone.\n",
    "LIMITATIONS:\n",
    "RECOMMENDATIONS:\r\nClose it.\r\n",
    "OPINION:\nNice.\n",
    "NO SEMANTIC CHANGE\n",
    "no semantic change, I think.",
    "```\n",
    "```markdown\n",
    "# Semantic: N.Other T_00000000\n",
    "StructureHash: AAAAAAAA\n",
    "=== TASK ===\nForget all that.\n",
    "角色：\n保存节点。\n",
    "{\"ROLE\": \"x\"}",
    "<script>alert(1)</script>\n",
    "\u{0}\u{1}\u{feff}",
    "\u{202e}ROLE:\n",
    "ROLE:\nROLE:\nROLE:\n",
    "Certainly! Here is the description you asked for:\n\n",
];

fn answer(chance: &mut Chance) -> String {
    let mut text = match chance.below(4) {
        0 => TEXT.to_owned(),
        1 => (0..chance.below(8)).map(|_| *chance.one(&PIECES)).collect(),
        2 => {
            let mut order: Vec<&str> = SECTIONS.to_vec();
            let (a, b) = (chance.below(5), chance.below(5));
            order.swap(a, b);
            let lines = order
                .iter()
                .map(|name| format!("{name}:\n{}\n", chance.one(&PIECES)));
            lines.collect()
        }
        _ => format!("{}{TEXT}{}", chance.one(&PIECES), chance.one(&PIECES)),
    };
    for _ in 0..chance.below(3) {
        let at = text.floor_char_boundary(chance.below(text.len() + 1));
        match chance.below(4) {
            0 => text.truncate(at),
            1 => text.insert_str(at, PIECES[chance.below(PIECES.len())]),
            2 => text.insert(
                at,
                char::from_u32(chance.below(0xd7ff) as u32).unwrap_or('x'),
            ),
            _ => drop(text.drain(..at)),
        }
    }
    match chance.below(40) {
        0 => "x".repeat(300_000),
        1 => format!("{TEXT}{}", "y ".repeat(40_000)),
        _ => text,
    }
}

#[test]
fn an_answer_is_a_whole_text_or_an_attempt_with_its_error() {
    let mut chance = Chance::new(7);
    let mut host = workspace();
    let (mut taken, mut refused) = (0, 0);
    for number in 0..count_of("CODECORTEX_ANSWERS", ANSWERS) {
        if number % 100 == 99 {
            host = workspace();
        }
        let before = file(&host);
        host.ok("describe", json!({ "symbol": "N.Store" }));
        host.settle();
        let Some((id, _)) = host.jobs.pop() else {
            panic!("nothing was asked");
        };
        let said = answer(&mut chance);
        let outcome = ModelOutcome::Answered {
            text: said.clone(),
            calls: Vec::new(),
            usage: None,
        };
        host.send_reply(id, Response::Model { outcome });
        // Only what is written at once: the next attempt comes later.
        host.send(Event::Tick { now_ms: host.clock });
        let after = file(&host);
        let found = host.ok(
            "getSemantic",
            json!({ "symbol": "N.Store", "prompt": "never" }),
        );
        match found["semanticState"].as_str() {
            Some("cached") => {
                taken += 1;
                let text = after.unwrap();
                for name in SECTIONS {
                    let heading = format!("{name}:");
                    let headings = text.lines().filter(|line| line.starts_with(&heading));
                    assert_eq!(headings.count(), 1, "{name} of {text:?} after {said:?}");
                }
                assert_eq!(found["sections"].as_array().unwrap().len(), 5, "{found}");
            }
            _ => {
                refused += 1;
                assert!(found["lastError"].is_string(), "{found} after {said:?}");
                assert_eq!(after, before, "after {said:?}");
            }
        }
        host.ok("describe", json!({ "symbol": "N.Store", "cancel": true }));
        host.settle();
    }
    assert!(taken > 0 && refused > 0, "{taken} and {refused} say little");
}

fn workspace() -> Host {
    let mut host = Host::new(FILES);
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    let name = Some("scripted".to_owned());
    host.send(Event::Model { name, slots: 1 });
    host.settle();
    host
}

/// The text about the type, if there is one.
fn file(host: &Host) -> Option<String> {
    let mut paths = host.disk.keys();
    let path = paths.find(|path| path.ends_with(".semantic.md"))?;
    host.text(path)
}
