//! What a change does and what it forgets: tests, behaviour, secrets and white space that says something (SPEC RV3).

use serde_json::{Value, json};

use crate::review::ask;
use crate::review_change::{Files, diff, findings};
use crate::support::Host;

/// Who says that no test changed looks for tests under all names that they may have.
#[test]
fn tests_that_are_part_of_the_change_are_seen() {
    let before: Files = &[("cart.py", "def total(a):\n    return a\n")];
    let test = (
        "test_old.py",
        "from cart import total\n\ndef test_one():\n    total(1)\n",
    );
    let shop = (
        "shop.py",
        "from cart import total\n\ndef whole_price(a):\n    return total(a)\n",
    );
    let body = ("cart.py", "def total(a):\n    return a + 1\n");
    let remark = ("cart.py", "def total(a: int) -> int:\n    return a\n");
    for (after, is_told) in [
        (vec![body], true),
        // Named after it, or by what it names.
        (
            vec![body, ("test_cart.py", "def test_two():\n    pass\n")],
            false,
        ),
        (
            vec![body, ("test_new.py", "def test_two():\n    total(2)\n")],
            false,
        ),
        (
            vec![body, ("test_new.py", "def test_two():\n    totals(2)\n")],
            true,
        ),
        // Nobody does another thing for that.
        (vec![remark], false),
        (
            vec![(
                "cart.py",
                "def total(\n    a: int,\n) -> int:\n    \"\"\"Gives it.\"\"\"\n    # As it is.\n    return a\n",
            )],
            false,
        ),
        // Overloads that are remarks.
        (
            vec![(
                "cart.py",
                "@overload\ndef total(a: int) -> int: ...\n@overload\ndef total(a: str) -> str: ...\ndef total(a: int | str) -> int | str:\n    return a\n",
            )],
            false,
        ),
        // A test of what calls it.
        (
            vec![
                body,
                (
                    "test_new.py",
                    "from shop import whole_price\n\ndef test_two():\n    whole_price(2)\n",
                ),
            ],
            false,
        ),
        (
            vec![(
                "cart.py",
                "def total(a):\n    kept: int = a\n    return kept\n",
            )],
            false,
        ),
        // What it did is in a function that it calls.
        (
            vec![(
                "cart.py",
                "def whole(a):\n    return a\n\ndef total(a):\n    return whole(a)\n",
            )],
            false,
        ),
        // A decision is new in front of it.
        (
            vec![(
                "cart.py",
                "def whole(a):\n    return a\n\ndef total(a):\n    if a < 0:\n        return 0\n    return whole(a)\n",
            )],
            true,
        ),
        (vec![("cart.py", "def total(a):\n    return not a\n")], true),
        (vec![("cart.py", "def total(a, b):\n    return a\n")], true),
    ] {
        let after: Files = after.leak();
        let rest: Files = Box::leak(Box::new([test, shop]));
        let found = findings(before, after, rest);
        let mut all = found.iter();
        let is_any = all.any(|found| found["category"] == "tests_untouched");
        assert_eq!(is_any, is_told, "{after:?}: {found:#?}");
    }
}

#[test]
fn a_changed_body_on_a_line_with_others_is_behaviour() {
    let mut host =
        Host::new("//- /app/a.ts\nexport class A { one() { return 2; } two() { return 2; } }\n");
    let before: Files = &[(
        "a.ts",
        "export class A { one() { return 1; } two() { return 2; } }\n",
    )];
    let after: Files = &[(
        "a.ts",
        "export class A { one() { return 2; } two() { return 2; } }\n",
    )];
    host.write("/w/app/a.ts", after[0].1);
    host.touched(&["/w/app/a.ts"]);
    host.diff = Some(diff(before, after));
    let data = ask(
        &mut host,
        json!({ "base": "main", "head": "HEAD", "step": "index" }),
    );
    let unit = &data["review_index"][0];
    assert_eq!(unit["change_class"], "PublicBehavior", "{unit:#}");
    let paths: Vec<&Value> = unit["symbols"]
        .as_array()
        .unwrap()
        .iter()
        .map(|symbol| &symbol["path"])
        .collect();
    assert_eq!(paths, ["A.one"]);
}

#[test]
fn secrets_of_every_kind_of_file_are_told_line_by_line() {
    let token = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    let cases: [(&str, String, usize); 7] = [
        (".env", "API_KEY=sk-proj-Qw8eR7tY6uI5oP4aS3dF2gH1jK0lZx\nDB=postgres://shop:Hx7Lq9Vb2Nm@host/x\n".into(), 2),
        ("c.yml", "aws_secret_access_key: wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ7aLmKpQr\n".into(), 1),
        ("d.json", "{ \"clientSecret\": \"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\" }\n".into(), 1),
        ("Dockerfile", "FROM a\nENV DB_PASSWORD=Hx7Lq9Vb2NmTt\n".into(), 1),
        ("a.properties", "db.password=Hx7Lq9Vb2NmTt\n".into(), 1),
        ("http.txt", "Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U\n".into(), 1),
        ("e.ts", format!("const t = \"{token}\";\n"), 1),
    ];
    for (path, text, count) in cases {
        let text: &'static str = text.leak();
        let after: Files = Box::leak(Box::new([(path, text)]));
        let found = findings(&[], after, &[]);
        let told = found
            .iter()
            .filter(|found| found["category"] == "secret-literal")
            .count();
        assert_eq!(told, count, "{path}: {found:#?}");
    }
}

#[test]
fn white_space_that_says_something_is_no_layout() {
    let cases: [(&str, &str, &str, bool); 4] = [
        (
            "a.py",
            "def f(n):\n    if n:\n        first(n)\n        second(n)\n        third(n)\n",
            "def f(n):\n    if n:\n        first(n)\n    second(n)\n    third(n)\n",
            false,
        ),
        (
            "c.yaml",
            "a:\n  first: 1\n  second: 2\n  third: 3\n",
            "a:\nfirst: 1\nsecond: 2\nthird: 3\n",
            false,
        ),
        ("a.ts", "f(\"a b\");\n", "f(\"ab\");\n", false),
        (
            "a.ts",
            "f(first, second);\n",
            "f(first,\n  second);\n",
            true,
        ),
    ];
    for (path, before, after, is_layout) in cases {
        let mut host = Host::new("//- /app/empty.md\n");
        let before: Files = Box::leak(Box::new([(path, before)]));
        let after: Files = Box::leak(Box::new([(path, after)]));
        host.write(&format!("/w/app/{path}"), after[0].1);
        host.touched(&[&format!("/w/app/{path}")]);
        host.diff = Some(diff(before, after));
        let args = json!({ "base": "main", "head": "HEAD", "step": "index" });
        let unit = ask(&mut host, args)["review_index"][0].clone();
        let tags = unit["tags"].as_array().unwrap();
        let has = |tag: &str| tags.iter().any(|known| known == tag);
        assert_eq!(has("only_whitespace"), is_layout, "{unit:#}");
        assert!(is_layout || !has("only_moved"), "{unit:#}");
    }
}
