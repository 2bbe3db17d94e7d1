//! The prompt window by the real program (SPEC PW1, PW2).

use crate::support::Place;

#[test]
fn pins_and_focus_outlive_the_process() {
    let place = Place::new();
    place.write(
        "store.py",
        "class Store:\n    def add(self, key: str) -> None: ...\n",
    );
    place.write(
        "user.py",
        "from store import Store\nclass User:\n    def use(self, store: Store) -> None: ...\n",
    );
    let run = place.run(&["context", "pin", "User"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("user.User // "), "{}", run.stdout);
    let run = place.run(&["context", "add", "store.py"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let window = std::fs::read_to_string(place.path().join(".context/prompt_window.md")).unwrap();
    assert!(
        window.contains("## Pinned\n### user.User [class]"),
        "{window}"
    );
    assert!(window.contains("## Focus\n### store.py [file]"), "{window}");
    let list = place.run(&["context", "window", "--list"]).stdout;
    assert!(list.starts_with("pinned user.User: outline, "), "{list}");
    let run = place.run(&["context", "window", "--json", "--max-tokens", "600"]);
    assert_eq!(run.json()["data"]["pieces"][0]["tier"], "pinned");
    place.run(&["context", "clear"]);
    place.run(&["context", "unpin", "User"]);
    let list = place.run(&["context", "window", "--list"]).stdout;
    assert!(!list.contains("pinned user.User"), "{list}");
    assert_eq!(place.run(&["context", "pin", "Nowhere"]).code, Some(1));
    assert_eq!(place.run(&["context", "pin"]).code, Some(2));
}

#[test]
fn packs_are_files_and_outlive_the_process() {
    let place = Place::new();
    place.write(
        "store.py",
        "class Base:\n    pass\nclass Store(Base):\n    def add(self, key: str) -> None: ...\n",
    );
    let run = place.run(&["pack", "build", "core", "type:Store"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("core: 2 types, "), "{}", run.stdout);
    let text = std::fs::read_to_string(place.path().join(".context/packs/core.md")).unwrap();
    let base = text.find("### store.Base [class]").unwrap();
    assert!(
        base < text.find("### store.Store [class]").unwrap(),
        "{text}"
    );
    let again = place.run(&["pack", "build", "core"]).stdout;
    assert!(again.contains("// as it was"), "{again}");
    assert_eq!(place.run(&["pack", "activate", "core"]).code, Some(0));
    assert!(
        place
            .run(&["pack", "list"])
            .stdout
            .contains(", active // type:Store")
    );
    let wrong = place.run(&["pack", "build", "x", "type:A AND (", "--json"]);
    assert_eq!(wrong.code, Some(1));
    assert_eq!(wrong.json()["error"]["details"]["position"], 13);
    place.run(&["pack", "delete", "core"]);
    assert!(!place.path().join(".context/packs/core.md").exists());
}

/// A budget holds by the exact count too, where that is chosen (SPEC D7).
#[test]
fn tokens_are_counted_exactly_where_somebody_chose_so() {
    let place = Place::new();
    let body: String = (0..60).map(|n| format!("def 関数{n}(値): ...\n")).collect();
    place.write("a.py", body);
    let run = place.run(&[
        "call",
        "codecortex_getOutline",
        "--args",
        "{\"filePath\":\"a.py\"}",
        "--max-tokens",
        "900",
        "--tokenizer",
        "o200k_base",
    ]);
    let budget = &run.json()["data"]["budget"];
    let exact = budget["tokens_exact"].as_u64().unwrap();
    assert!(
        exact <= 900 && exact != budget["tokens_approx"].as_u64().unwrap(),
        "{budget}"
    );
}
