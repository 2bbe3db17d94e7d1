//! What a change breaks is found in the state before it and after it, in each language and of each kind; what still leads
//! somewhere is not told (SPEC RV3). Each case is a small repository of its own.

mod moved;
mod one_line;
mod overloads;
mod types;

use crate::review_change::{Files, findings, places};

/// A change: files that differ, files that do not, and where something is broken, `path:line`.
struct Case {
    about: &'static str,
    before: Files,
    after: Files,
    rest: Files,
    broken: &'static [&'static str],
}

fn cases() -> impl Iterator<Item = &'static Case> {
    let groups = [
        one_line::ONE_LINE,
        moved::MOVED,
        overloads::OVERLOADS,
        types::TYPES,
    ];
    groups.into_iter().flatten()
}

#[test]
fn what_a_change_breaks_is_found_and_nothing_else() {
    let mut wrong = Vec::new();
    for case in cases() {
        let findings = findings(case.before, case.after, case.rest);
        let found = places(&findings, "removed_but_used");
        if found != case.broken {
            wrong.push(format!("{}: {found:?}, not {:?}", case.about, case.broken));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases().count(),
        wrong.join("\n")
    );
}
