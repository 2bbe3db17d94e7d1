//! Documentation that names what a change takes away (SPEC RV3, `004` §5).

use serde_json::{Value, json};

use crate::review::{ask, shop};
use crate::support::Host;

fn documented(host: &mut Host) -> Vec<Value> {
    let data = ask(host, json!({ "step": "findings" }));
    let found = data["findings"].as_array().unwrap().iter();
    let of = found.filter(|found| found["category"] == "removed_but_documented");
    of.cloned().collect()
}

fn with(files: &[(&str, &str)]) -> Host {
    let mut host = shop();
    let paths: Vec<String> = files
        .iter()
        .map(|(path, _)| format!("/w/app/{path}"))
        .collect();
    for ((_, text), path) in files.iter().zip(&paths) {
        host.write(path, text);
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    host.touched(&paths);
    host
}

/// The change takes `Cart.discount` away.
#[test]
fn markdown_that_names_what_is_gone_is_a_finding_at_its_place() {
    let mut host = with(&[
        (
            "README.md",
            "# Shop\n\nAsk for a discount.\n\n```py\ncart.discount(3)\n```\n",
        ),
        ("docs/prices.md", "See `Cart.discount` for less.\n"),
        ("CHANGELOG.md", "`discount` was added.\n"),
        ("notes.txt", "discount()\n"),
    ]);
    let found = documented(&mut host);
    assert_eq!(found.len(), 1, "{found:#?}");
    let finding = &found[0];
    assert_eq!(finding["severity"], "info");
    assert_eq!(
        finding["evidence"],
        json!(["README.md:6", "docs/prices.md:1"])
    );
    assert_eq!(
        (&finding["file"], &finding["line"]),
        (&json!("README.md"), &json!(6))
    );
    assert!(
        finding["message"]
            .as_str()
            .unwrap()
            .contains("`discount` is gone from shop/cart.py")
    );
    // It stays the same finding where lines move.
    host.write(
        "/w/app/README.md",
        "# Shop\n\n\n\n```py\ncart.discount(3)\n\n```\n",
    );
    host.touched(&["/w/app/README.md"]);
    assert_eq!(documented(&mut host)[0]["id"], finding["id"]);
}

#[test]
fn documentation_that_names_nothing_of_it_is_none() {
    let mut host = with(&[(
        "README.md",
        "Ask for a discount. `total` and `Cart` are here.\n",
    )]);
    assert_eq!(documented(&mut host), Vec::<Value>::new());
}

#[test]
fn documentation_that_changes_with_it_is_read_as_the_change_leaves_it() {
    let mut host = with(&[("README.md", "Call `discount`.\n")]);
    let diff = host.diff.as_mut().unwrap();
    diff.patch += "diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-Call `discount`.\n+Call `total`.\n";
    diff.versions
        .push(codecortex_engine::protocol::FileVersions {
            path: "README.md".into(),
            old: crate::review::bytes("Call `discount`.\n"),
            new: crate::review::bytes("Call `total`.\n"),
        });
    assert_eq!(documented(&mut host), Vec::<Value>::new());
}

/// A member of a type that is called alike, or of one above it, may be what documentation names.
#[test]
fn a_member_that_a_type_called_alike_still_has_is_not_gone() {
    let readme = (
        "README.md",
        "Read `Cart.discount`, or call cart.discount(3).\n",
    );
    for (path, text, count) in [
        (
            "shop/big.py",
            "class BigCart:\n    def discount(self):\n        return 1\n",
            0,
        ),
        (
            "shop/options.ts",
            "export interface Cart { discount?: number }\n",
            0,
        ),
        // Nobody speaks of what is in running code, or of another type.
        (
            "shop/sale.py",
            "def sell(price):\n    discount = price\n    return discount\n",
            1,
        ),
        (
            "shop/bill.py",
            "class Bill:\n    def discount(self):\n        return 1\n",
            1,
        ),
    ] {
        let mut host = with(&[readme, (path, text)]);
        assert_eq!(documented(&mut host).len(), count, "{path}");
    }
}

/// What stands alone may be any option or parameter of its name.
#[test]
fn a_word_that_an_option_or_a_parameter_has_is_not_gone() {
    let before = &[(
        "limits.ts",
        "export const kept = 1;\nexport function retryLimit(n: number) { return n; }\n",
    )];
    let after = &[("limits.ts", "export const kept = 1;\n")];
    let readme = ("README.md", "Set `retryLimit` as you like.\n");
    for (path, text, count) in [
        ("sale.ts", "export function sell(price: number) {}\n", 1),
        (
            "sale.ts",
            "export function sell(price: number) { const retryLimit = price; }\n",
            1,
        ),
        (
            "sale.ts",
            "export function sell(o: { retryLimit?: number }) {}\n",
            0,
        ),
        (
            "sale.ts",
            "export function sell(retryLimit: number) {}\n",
            0,
        ),
        (
            "sale.test.ts",
            "export function sell(retryLimit: number) {}\n",
            1,
        ),
    ] {
        let rest = Box::leak(Box::new([readme, (path, text)]));
        let found = crate::review_change::findings(before, after, rest);
        let is_told = |found: &&Value| found["category"] == "removed_but_documented";
        assert_eq!(
            found.iter().filter(is_told).count(),
            count,
            "{path}: {text}"
        );
    }
}
