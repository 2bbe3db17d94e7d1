//! `codecortex change-signature` and `codecortex move` on the disk by the real program (SPEC ED1).

use crate::support::Place;

const LIB: &str = "\u{feff}import os\r\n\r\n\r\ndef total(x):\r\n    return os.sep * x\r\n\r\n\r\ndef twice(x):\r\n    return x * 2\r\n";
const APP: &str = "from lib import total, twice\nprint(total(1), twice(2))\n";

fn place() -> Place {
    let place = Place::new();
    place.write("lib.py", LIB);
    place.write("app.py", APP);
    place
}

fn text(place: &Place, path: &str) -> String {
    std::fs::read_to_string(place.path().join(path)).unwrap()
}

fn is_unchanged(place: &Place) -> bool {
    text(place, "lib.py") == LIB && text(place, "app.py") == APP
}

#[test]
fn a_signature_is_planned_and_then_changed_everywhere() {
    let place = place();
    let args = ["change-signature", "lib.py:4:5", "--add", "limit:int=-1"];
    let plan = place.run(&[&args[..], &["--json"]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
    assert_eq!(plan.json()["data"]["applied"], false);
    assert_eq!(plan.json()["data"]["totalEdits"], 2);
    assert!(is_unchanged(&place));

    let done = place.run(&[&args[..], &["--apply", "--json"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let lib = LIB.replace("total(x)", "total(x, limit: int)");
    assert_eq!(
        text(&place, "lib.py"),
        lib,
        "line ends and the byte order mark stay"
    );
    assert_eq!(
        text(&place, "app.py"),
        APP.replace("total(1)", "total(1, -1)")
    );

    let moved = place.run(&["change-signature", "lib.py:4:5", "--move", "0:1", "--apply"]);
    assert_eq!(moved.code, Some(0), "{}", moved.stdout);
    assert_eq!(
        text(&place, "app.py"),
        APP.replace("total(1)", "total(-1, 1)")
    );
    let removed = place.run(&["change-signature", "total", "--remove", "0", "--apply"]);
    assert_eq!(removed.code, Some(0), "{}", removed.stdout);
    assert!(is_unchanged(&place));
}

#[test]
fn a_declaration_moves_to_a_new_file_and_its_importers_follow() {
    let place = place();
    let args = ["move-type", "lib.py:4:5", "sums.py"];
    let plan = place.run(&[&args[..], &["--json"]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
    assert!(is_unchanged(&place) && !place.path().join("sums.py").exists());

    let done = place.run(&[&args[..], &["--apply", "--json"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let app = "from lib import twice\nfrom sums import total\nprint(total(1), twice(2))\n";
    assert_eq!(text(&place, "app.py"), app);
    let lib = "\u{feff}def twice(x):\r\n    return x * 2\r\n";
    assert_eq!(
        text(&place, "lib.py").trim_start_matches(['\u{feff}', '\r', '\n']),
        &lib[3..]
    );
    let sums = "import os\r\n\r\n\r\ndef total(x):\r\n    return os.sep * x\r\n";
    assert_eq!(text(&place, "sums.py"), sums);
}

#[test]
fn refusals_end_with_1_and_change_nothing() {
    let place = place();
    place.write("taken.py", "total = 1\n");
    for (args, kind) in [
        (
            &["change-signature", "lib.py:4:5", "--remove", "0"][..],
            "Conflict",
        ),
        (
            &["change-signature", "lib.py:4:5", "--add", "os:int=0"],
            "Conflict",
        ),
        (
            &["change-signature", "lib.py:4:5", "--add", "1a:int=0"],
            "InvalidName",
        ),
        (
            &["change-signature", "lib.py:4:5", "--add", "a:Nothing=0"],
            "Conflict",
        ),
        (
            &["change-signature", "lib.py:4:5", "--move", "0:4"],
            "InvalidName",
        ),
        (&["move", "lib.py:4:5", "taken.py"], "Conflict"),
        (&["move", "lib.py:4:5", "lib.py"], "NothingToDo"),
        (&["move", "lib.py:4:5", "a.ts"], "InvalidName"),
    ] {
        let run = place.run(&[args, &["--apply", "--json"]].concat());
        assert_eq!(run.code, Some(1), "{args:?}: {}", run.stdout);
        let error = &run.json()["error"];
        assert_eq!(error["details"]["kind"], kind, "{args:?}: {error}");
        assert!(is_unchanged(&place), "{args:?}");
    }
    for args in [
        &["move", "lib.py:4:5", "../out.py"][..],
        &["move", "lib.py:4:5", "/elsewhere/out.py"],
        &["change-signature", "lib.py:4:5", "--add", "a"],
        &["change-signature", "lib.py:4:5", "--add", "a:int=0, 1"],
    ] {
        let run = place.run(&[args, &["--apply", "--json"]].concat());
        assert_eq!(run.code, Some(1), "{args:?}: {}", run.stdout);
        assert_eq!(run.json()["error"]["code"], "InvalidParams", "{args:?}");
        assert!(is_unchanged(&place), "{args:?}");
    }
}
