//! A process that is killed while it describes types: what was finished stays, and is not asked for again (SPEC SE3).
//! `CODECORTEX_KILLS` says how many processes are killed.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use crate::killing::kills;
use crate::scripted_model::{FULL, Reply, ScriptedModel};
use crate::support::Place;

const KILLS: usize = 6;
const TYPES: usize = 40;

/// Names of the types whose texts are on the disk, every one whole.
fn finished(place: &Place) -> BTreeSet<String> {
    let folder = place.path().join(".context/types");
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let texts = entries.filter_map(|entry| {
        let path = entry.unwrap().path();
        let is_text = path.to_string_lossy().ends_with(".semantic.md");
        is_text.then(|| std::fs::read_to_string(path).unwrap())
    });
    let name = |text: String| {
        assert!(text.ends_with("RECOMMENDATIONS:\nClose it.\n"), "{text}");
        let first = text.lines().next().unwrap();
        let path = first.strip_prefix("# Semantic: N.").unwrap();
        path.split(' ').next().unwrap().to_owned()
    };
    texts.map(name).collect()
}

/// The type that a request asks about.
fn asked(model: &ScriptedModel, at: usize) -> String {
    let prompt = model.prompt(at);
    let place = prompt.find("class N.").unwrap() + "class N.".len();
    prompt[place..].split(' ').next().unwrap().to_owned()
}

#[test]
fn a_killed_process_loses_no_finished_text_and_asks_for_none_again() {
    let kills = kills(KILLS);
    let place = Place::new();
    let model = ScriptedModel::start(vec![Reply::Says(FULL)]);
    let write = |round: usize| {
        for at in 0..TYPES {
            let text = format!(
                "namespace N; public class T{at:02} {{ public int Get() {{ return {round}; }} }}\n"
            );
            place.write(&format!("T{at:02}.cs"), text);
        }
    };
    write(0);
    let args = [
        "describe",
        "--all",
        "--model-url",
        &model.url,
        "--model",
        "scripted",
    ];
    let mut wait = 40;
    for kill in 0..kills {
        if finished(&place).len() == TYPES {
            // Everything anew: the code is another.
            write(kill + 1);
            std::fs::remove_dir_all(place.path().join(".context")).unwrap();
        }
        let (before, known) = (finished(&place), model.asked().len());
        let mut child = place
            .command(&args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The moments are spread over the whole work.
        wait = 40 + (wait * 31 + 17) % 700;
        std::thread::sleep(Duration::from_millis(wait));
        let _ = child.kill();
        child.wait().unwrap();
        let after = finished(&place);
        assert!(before.is_subset(&after), "{before:?} {after:?}");
        for at in known..model.asked().len() {
            let again = asked(&model, at);
            assert!(
                !before.contains(&again),
                "{again} was there and was asked for"
            );
        }
    }
    let (before, known) = (finished(&place), model.asked().len());
    let run = place.run(&args);
    let done = finished(&place);
    // What one was at is its own for some minutes, unless somebody takes it out of its hands; so is a type whose text it had
    // just written.
    let is_held = run.stderr.contains("another process");
    assert_eq!(run.code, Some(i32::from(is_held)), "{}", run.stderr);
    assert!(done.len() == TYPES || is_held, "{}", run.stderr);
    for at in 0..TYPES {
        let name = format!("T{at:02}");
        if is_held {
            let symbol = format!("N.{name}");
            place.run(&["describe", &symbol, "--cancel"]);
        }
    }
    let run = place.run(&args);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(finished(&place).len(), TYPES);
    for at in known..model.asked().len() {
        let again = asked(&model, at);
        assert!(
            !before.contains(&again),
            "{again} was there and was asked for"
        );
    }
    let run = place.run(&["semantic", "N.T00", "--json"]);
    assert_eq!(run.json()["data"]["semanticState"], "cached");
}
