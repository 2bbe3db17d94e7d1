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
