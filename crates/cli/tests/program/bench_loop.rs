//! `codecortex bench --loop`: two scripted agents on the workspace's own commits.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::Place;

fn git(place: &Place, args: &[&str]) {
    let settings = [
        "user.name=a",
        "user.email=a@example.com",
        "commit.gpgSign=false",
    ];
    let mut command = Command::new("git");
    for setting in settings {
        command.args(["-c", setting]);
    }
    let status = command
        .arg("-C")
        .arg(place.path())
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success(), "{args:?}");
}

fn commit(place: &Place, message: &str) {
    git(place, &["add", "."]);
    git(place, &["commit", "-qm", message]);
}

/// A shop of 40 modules with a function each, a long one among them, and two commits that make tasks.
fn shop() -> Place {
    let place = Place::new();
    git(&place, &["init", "-q"]);
    for number in 0..40 {
        let text = format!("def rate_{number}(amount):\n    return amount * {number}\n");
        place.write(&format!("shop/rates/rate_{number}.py"), text);
    }
    let filler: String = (0..300).map(|at| format!("    step({at})\n")).collect();
    let long = format!("def ship(parcel):\n{filler}    return parcel\n");
    place.write("shop/shipping.py", &long);
    let cart = "class Cart:\n    def total(self):\n        return sum(self.prices)\n";
    place.write("shop/cart.py", cart);
    commit(&place, "Begin the shop");
    place.write(
        "shop/cart.py",
        cart.replace("sum(self.prices)", "sum(self.prices) + 1"),
    );
    commit(&place, "Let the total of a cart add one");
    place.write("shop/shipping.py", long.replace("step(250)", "step(251)"));
    commit(&place, "Take another step when a parcel is shipped");
    place
}

fn run(agent: &str, task: &Value) -> Value {
    task["agents"][agent].clone()
}

/// X9: the same in every run; the edited places are those of the commit; nothing of the repository is changed.
#[test]
fn agents_look_for_what_commits_edited() {
    let place = shop();
    let head = std::fs::read_to_string(place.path().join(".git/HEAD")).unwrap();
    let first = place.run(&["bench", "--loop", "--json"]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let report = first.json();
    assert_eq!(report["tasks"], 2);
    let tasks = report["byTask"].as_array().unwrap();
    let of = |place: &str| {
        let task = tasks.iter().find(|task| task["places"] == json!([place]));
        task.unwrap_or_else(|| panic!("no task edits {place}: {report}"))
    };
    let (cart, shipping) = (of("shop/cart.py:3"), of("shop/shipping.py:252"));

    let ours = run("codecortex", cart);
    assert_eq!(
        (&ours["turns"], &ours["notShown"]),
        (&json!(1), &json!([])),
        "{cart}"
    );
    let call = ours["steps"][0]["call"].as_str().unwrap();
    assert!(call.starts_with("codecortex_getContext {"), "{call}");
    assert!(call.contains("Let the total of a cart add one"), "{call}");
    let other = run("grep and read", cart);
    assert_eq!(other["notShown"], json!([]), "{cart}");
    assert!(
        other["steps"][0]["call"]
            .as_str()
            .unwrap()
            .starts_with("grep -n -i "),
        "{cart}"
    );

    // The middle of a long function is no match: somebody has to read it.
    let other = run("grep and read", shipping);
    let steps = other["steps"].as_array().unwrap();
    let last = steps.last().unwrap();
    assert_eq!(
        (&last["places"], &other["notShown"]),
        (&json!(1), &json!([])),
        "{shipping}"
    );
    assert!(
        last["call"]
            .as_str()
            .unwrap()
            .starts_with("read shop/shipping.py "),
        "{shipping}"
    );
    let tokens: u64 = steps
        .iter()
        .map(|step| step["tokens"].as_u64().unwrap())
        .sum();
    assert_eq!(other["tokens"], tokens);

    let losses = tasks.iter().filter(|task| task["isLoss"] == true).count();
    assert_eq!(report["losses"], losses);
    let is_sorted = tasks.is_sorted_by_key(|task| task["isLoss"] == false);
    assert!(is_sorted, "losses come first");

    let again = place.run(&["bench", "--loop", "--json"]).json();
    for task in tasks {
        let others = again["byTask"].as_array().unwrap();
        let other = others
            .iter()
            .find(|other| other["commit"] == task["commit"]);
        let other = other.unwrap();
        assert_eq!(run("grep and read", task), run("grep and read", other));
        assert_eq!(run("codecortex", task), run("codecortex", other));
    }
    assert_eq!(
        std::fs::read_to_string(place.path().join(".git/HEAD")).unwrap(),
        head
    );
    assert!(!place.path().join(".git/worktrees").exists());
    let table = place.run(&["bench", "--loop"]).stdout;
    let begin = format!("Behind grep and read in {losses} of 2 tasks:\n");
    assert!(table.starts_with(&begin), "{table}");
}

/// A clone that lacks an object that is no code, as partial clones do.
#[test]
fn missing_objects_beside_code_do_not_stop_it() {
    let place = Place::new();
    git(&place, &["init", "-q"]);
    place.write("shop/cart.py", "def total(x):\n    return x + 1\n");
    place.write("shop/photo.bin", [0, 159, 146, 150]);
    commit(&place, "Begin the shop");
    let photo = Command::new("git")
        .arg("-C")
        .arg(place.path())
        .args(["rev-parse", "HEAD:shop/photo.bin"])
        .output()
        .unwrap();
    let photo = String::from_utf8(photo.stdout).unwrap();
    place.write("shop/cart.py", "def total(x):\n    return x + 2\n");
    commit(&place, "Let the total add two");
    let (folder, name) = photo.trim().split_at(2);
    std::fs::remove_file(place.path().join(".git/objects").join(folder).join(name)).unwrap();
    for arguments in [&["bench", "--json"][..], &["bench", "--loop", "--json"]] {
        let run = place.run(arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(run.json()["tasks"], 1);
    }
}

#[test]
fn a_folder_without_a_history_has_an_error_with_a_hint() {
    let run = Place::new().run(&["bench", "--loop", "--json"]);
    assert_eq!(run.code, Some(1));
    let error = &run.json()["error"];
    assert_eq!(error["code"], "Unavailable");
    assert!(
        error["hint"].as_str().unwrap().contains("git repository"),
        "{error}"
    );
}
