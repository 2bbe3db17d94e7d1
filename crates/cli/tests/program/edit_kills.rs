//! The program killed while it renames in many files: afterwards all files are as before or all as afterwards, once the next
//! process has started (SPEC D28, ED1). `CODECORTEX_KILLS` says how many processes are killed.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::killing::{Moments, kill_at, kills};
use crate::support::Place;

const KILLS: usize = 12;
const FILES: usize = 120;
const NAMES: [&str; 2] = ["total", "sums_of_all"];

/// What a file holds while the function has this name: line ends of both kinds, a byte order mark, letters of all lengths.
fn text(number: usize, name: &str) -> String {
    let mark = if number.is_multiple_of(3) {
        "\u{feff}"
    } else {
        ""
    };
    let end = if number.is_multiple_of(2) {
        "\r\n"
    } else {
        "\n"
    };
    format!(
        "{mark}from lib import {name}{end}# \u{e4} \u{1f600}\n\n\nx{number} = '\u{1f600}', {name}({number}){end}{name}(2)"
    )
}

fn files(name: &str) -> BTreeMap<String, String> {
    let using = (0..FILES).map(|number| (format!("pkg/f{number}.py"), text(number, name)));
    let lib = (
        "lib.py".to_owned(),
        format!("def {name}(x):\r\n    return x\n"),
    );
    using.chain([lib]).collect()
}

/// The files as they are, with whatever else is beside them.
fn found(place: &Place) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for folder in ["", "pkg/"] {
        for entry in std::fs::read_dir(place.path().join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                let name = entry.file_name().into_string().unwrap();
                let text = std::fs::read_to_string(entry.path()).unwrap();
                found.insert(format!("{folder}{name}"), text);
            }
        }
    }
    found
}

#[test]
#[allow(clippy::print_stdout, reason = "who kills many wants to know at what")]
fn a_killed_edit_is_done_in_all_files_or_in_none() {
    let place = Place::new();
    for (path, text) in files(NAMES[0]) {
        place.write(&path, text);
    }
    let rename = |now: usize| ["rename", NAMES[now], NAMES[1 - now], "--apply"];
    // An undisturbed edit gives the length of the work, from the journal on.
    let begun = Instant::now();
    assert_eq!(place.run(&rename(0)).code, Some(0));
    let whole = begun.elapsed();
    let mut now = 1;
    assert_eq!(found(&place), files(NAMES[now]));
    let mut moments = Moments::up_to(Duration::from_millis(60).min(whole));
    let (mut done, mut not_done, mut at_work) = (0, 0, 0);
    for kill in 0..kills(KILLS) {
        let mut child = place
            .command(&rename(now))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let is_writing = || {
            let folder = std::fs::read_dir(place.edits());
            folder.is_ok_and(|mut entries| entries.next().is_some())
        };
        at_work += usize::from(kill_at(&mut child, is_writing, moments.next()));
        // The next process ends what was cut off.
        assert_eq!(place.run(&["undo", "--list"]).code, Some(0), "kill {kill}");
        let after = found(&place);
        if after == files(NAMES[1 - now]) {
            done += 1;
            now = 1 - now;
        } else {
            assert_eq!(after, files(NAMES[now]), "kill {kill}: between");
            not_done += 1;
        }
    }
    println!(
        "{} kills, {at_work} at work: {done} as after, {not_done} as before",
        kills(KILLS)
    );
    // Nothing is left that the next edit would stumble over.
    let last = place.run(&rename(now));
    assert_eq!(last.code, Some(0), "{}", last.stdout);
    assert_eq!(found(&place), files(NAMES[1 - now]));
}
