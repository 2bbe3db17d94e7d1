//! A grammar whose scanner does not come to an end (`crates/grammars/tree-sitter-hanging`).
#![cfg(feature = "hanging")]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test")]

use std::sync::mpsc::channel;
use std::time::Duration;

use codecortex_syntax::parse_host::{ParseHost, parse_on_this_thread, run_parses_by};
use codecortex_syntax::stand_in::stand_in_for;
use codecortex_syntax::{Language, Limits, Outcome, SkipReason, analyse, check_specs};

fn names(text: &str) -> Result<Vec<String>, SkipReason> {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    match analyse("a.lua", text.as_bytes(), limits) {
        Outcome::Facts(facts) => {
            let names = facts
                .items
                .iter()
                .map(|item| facts.str(item.name).to_owned());
            Ok(names.collect())
        }
        Outcome::Skipped(reason) => Err(reason),
        _ => panic!("neither facts nor a reason"),
    }
}

fn around(mark: &str) -> String {
    format!("function one() return 1 {mark} end\nfunction two() end\n")
}

/// Waits for every parse a moment only.
struct Impatient;

impl ParseHost for Impatient {
    fn run(&self, _: u32, parse: Box<dyn FnOnce() + Send>) -> bool {
        let (send, back) = channel();
        std::thread::spawn(move || {
            parse_on_this_thread();
            parse();
            let _ = send.send(());
        });
        back.recv_timeout(Duration::from_secs(10)).is_ok()
    }
}

/// One test, in a process of its own: there is one stand-in and one host.
#[test]
fn a_scanner_that_does_not_come_to_an_end_costs_its_file_alone() {
    assert!(stand_in_for(Language::Lua));
    assert!(!stand_in_for(Language::Go));
    check_specs().unwrap();
    let both = || Ok(vec!["one".to_owned(), "two".to_owned()]);
    assert_eq!(names(&around("@any")), both());
    // What it asks is counted: the same text is too much everywhere.
    assert_eq!(names(&around("@asks")), Err(SkipReason::TooComplex));
    assert_eq!(names(&around("")), both());
    // What waits behind the end is shown what it waits for.
    let end = "function one() end\nfunction two() end\n@waits";
    assert_eq!(names(end), both());
    // No count sees what asks nobody anything: it is ended from outside.
    run_parses_by(Box::new(Impatient));
    assert_eq!(names(&around("@spins")), Err(SkipReason::TooComplex));
    assert_eq!(names(&around("")), both());
}
