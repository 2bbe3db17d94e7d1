//! `codecortex extract-variable`, `extract-method` and `inline` on the disk by the real program (SPEC ED1).

use crate::support::Place;

const APP: &str = "\u{feff}def total(x):\r\n    y = x.size + 1\r\n    show(y)\r\n    show(x.name * 2)\r\n    return y\r\n\r\n\r\ndef show(n):\r\n    print(n)\r\n";

fn place() -> Place {
    let place = Place::new();
    place.write("app.py", APP);
    place
}

fn text(place: &Place) -> String {
    std::fs::read_to_string(place.path().join("app.py")).unwrap()
}

#[test]
fn a_variable_is_planned_extracted_and_inlined() {
    let place = place();
    let args = ["extract-variable", "app.py:4:10-4:20", "shown"];
    let plan = place.run(&[&args[..], &["--json"]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
    assert_eq!(plan.json()["data"]["applied"], false);
    assert_eq!(text(&place), APP);

    let done = place.run(&[&args[..], &["--apply", "--json"]].concat());
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let after = APP.replace(
        "    show(x.name * 2)",
        "    shown = x.name * 2\r\n    show(shown)",
    );
    assert_eq!(
        text(&place),
        after,
        "line ends and the byte order mark stay"
    );

    let back = place.run(&["inline", "app.py:4:6", "--apply"]);
    assert_eq!(back.code, Some(0), "{}", back.stdout);
    assert_eq!(text(&place), APP);
}

#[test]
fn statements_become_a_function() {
    let place = place();
    let args = [
        "extract-method",
        "app.py:3:5-4:21",
        "present",
        "--apply",
        "--json",
    ];
    let done = place.run(&args);
    assert_eq!(done.code, Some(0), "{}", done.stdout);
    let statements = "    show(y)\r\n    show(x.name * 2)\r\n";
    let after = APP.replace(statements, "    present(x, y)\r\n").replace(
        "    return y\r\n",
        &format!("    return y\r\n\r\n\r\ndef present(x, y):\r\n{statements}"),
    );
    assert_eq!(text(&place), after);
    let undone = place.run(&["undo", "--apply"]);
    assert_eq!(undone.code, Some(0), "{}", undone.stdout);
    assert_eq!(text(&place), APP);
}

#[test]
fn refusals_change_nothing() {
    let place = place();
    for (args, code, kind) in [
        (
            ["extract-variable", "app.py:4:10-4:16", "total"],
            1,
            "Conflict",
        ),
        (
            ["extract-variable", "app.py:4:10-4:20", "if"],
            1,
            "InvalidName",
        ),
        (
            ["extract-variable", "app.py:4:10-4:14", "part"],
            1,
            "Unsupported",
        ),
        (["extract-method", "app.py:4:5-5:13", "show"], 1, "Conflict"),
    ] {
        let run = place.run(&[&args[..], &["--apply", "--json"]].concat());
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stdout);
        let error = &run.json()["error"];
        assert_eq!(error["details"]["kind"], kind, "{args:?}: {error}");
        assert_eq!(text(&place), APP, "{args:?}");
    }
    for selection in ["app.py:4:10", "app.py", "app.py:4:10-4", "app.py:a:1-2:2"] {
        let run = place.run(&["extract-variable", selection, "part", "--json"]);
        assert_eq!(run.code, Some(2), "{selection}: {}", run.stdout);
    }
}

/// What is refused leaves every byte, says why and where, and ends with 1.
#[test]
fn what_cannot_be_extracted_is_refused_and_nothing_is_written() {
    let place = place();
    place.write(
        "loops.py",
        "def run(items):\n    for item in items:\n        if item:\n            break\n        show(item)\n    yield items\n",
    );
    let loops = || std::fs::read_to_string(place.path().join("loops.py")).unwrap();
    let before = loops();
    for (args, word) in [
        (&["extract-variable", "app.py:4:10-4:20", "y"][..], "y"),
        (&["extract-variable", "app.py:4:10-4:20", "for"], "for"),
        (&["extract-variable", "app.py:4:10-4:20", "1a"], "1a"),
        (&["extract-variable", "app.py:4:10-4:20", ""], "name"),
        (&["extract-variable", "app.py:2:5-2:6", "z"], "name alone"),
        (
            &["extract-method", "loops.py:3:9-4:18", "part"],
            "leads out",
        ),
        (&["extract-method", "loops.py:6:5-6:16", "part"], "yield"),
        (&["extract-method", "app.py:4:5-5:9", "part"], "selection"),
        (&["inline", "app.py:1:5"], "return"),
        (&["inline", "app.py:9:11"], "places"),
    ] {
        let run = place.run(&[args, &["--apply", "--json"]].concat());
        assert_eq!(run.code, Some(1), "{args:?} {}", run.stdout);
        let answer = run.json();
        assert_eq!(answer["ok"], false, "{args:?}");
        let said = answer["error"].to_string().to_lowercase();
        assert!(said.contains(word), "{args:?} {said}");
        assert_eq!(text(&place), APP, "{args:?}");
        assert_eq!(loops(), before, "{args:?}");
    }
}

/// Taking an extraction back gives the bytes from before, line ends and byte order mark included.
#[test]
fn an_extraction_is_undone() {
    for args in [
        &["extract-variable", "app.py:4:10-4:20", "shown"][..],
        &["extract-method", "app.py:3:5-4:21", "present"],
        &["inline", "app.py:2:5"],
    ] {
        let place = place();
        let done = place.run(&[args, &["--apply", "--json"]].concat());
        if done.code == Some(0) {
            assert_ne!(text(&place), APP, "{args:?}");
            let undone = place.run(&["undo", "--apply", "--json"]);
            assert_eq!(undone.code, Some(0), "{args:?} {}", undone.stdout);
        }
        assert_eq!(text(&place), APP, "{args:?}");
    }
}
