//! Programs that write one `.context/` at once: each of them says that it is done, and what each wrote is there.

use std::fs;
use std::process::{Child, Stdio};

use crate::support::Place;

/// How many write at once.
const WRITERS: usize = 6;

fn place() -> Place {
    let place = Place::new();
    for at in 0..WRITERS {
        place.write(
            &format!("t{at}.py"),
            format!("class T{at}:\n    def get(self):\n        return {at}\n"),
        );
    }
    place.run(&["init"]);
    place
}

/// Runs commands at once; all have to succeed without a word of complaint.
fn at_once(place: &Place, commands: &[Vec<String>]) {
    let start = |args: &Vec<String>| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut command = place.command(&args);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<Child> = commands.iter().map(start).collect();
    for (child, args) in children.into_iter().zip(commands) {
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), stderr.as_ref()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|arg| (*arg).to_owned()).collect()
}

#[test]
fn packs_built_at_once_are_all_there() {
    let place = place();
    let build = |at: usize| words(&["pack", "build", &format!("p{at}"), &format!("type:T{at}")]);
    at_once(&place, &(0..WRITERS).map(build).collect::<Vec<_>>());
    let list = place.run(&["pack", "list"]).stdout;
    for at in 0..WRITERS {
        let text = place.path().join(format!(".context/packs/p{at}.md"));
        assert!(fs::read_to_string(&text).unwrap().contains(&format!("T{at}")));
        assert!(list.contains(&format!("p{at}")), "{list}");
    }
}

#[test]
fn what_is_pinned_at_once_is_all_in_the_window() {
    let place = place();
    let pin = |at: usize| words(&["window", "pin", &format!("T{at}")]);
    at_once(&place, &(0..WRITERS).map(pin).collect::<Vec<_>>());
    let list = place.run(&["window"]).stdout;
    for at in 0..WRITERS {
        assert!(list.contains(&format!("T{at}")), "{list}");
    }
}
