//! Rust: packages, targets and workspaces.

use crate::support::{Case, check};

const CASES: &[Case] = &[
    (
        "members by pattern, by path, and excluded ones",
        r#"
//- Cargo.toml
[workspace]
members = ["crates/*", "gone"]
exclude = ["crates/out"]
[workspace.package]
edition = "2024"
[workspace.dependencies]
shared = { path = "crates/shared", package = "the-shared" }
serde = "1"
//- crates/a/Cargo.toml
[package]
name = "a-crate"
edition.workspace = true
[dependencies]
shared = { workspace = true }
serde.workspace = true
hidden = { path = "../../hidden" }
absent.workspace = true
[dev-dependencies]
out = { path = "../out" }
[target.'cfg(windows)'.dependencies]
win = { path = "../../../win" }
//- crates/shared/Cargo.toml
[package]
name = "the-shared"
edition = "2021"
//- crates/out/Cargo.toml
[package]
name = "out"
//- hidden/Cargo.toml
[package]
name = "hidden"
//- crates/a/src/lib.rs crates/shared/src/lib.rs crates/a/src/deep/m.rs"#,
        &[
            (
                "members Cargo.toml",
                "a-crate the-shared hidden !gone/Cargo.toml",
            ),
            (
                "refs crates/a/Cargo.toml",
                "shared>crates/shared/Cargo.toml hidden>hidden/Cargo.toml out>crates/out/Cargo.toml~ win><../../../win>!",
            ),
            ("crates/a/Cargo.toml /cargo/edition", r#""2024""#),
            ("of crates/a/src/deep/m.rs", "crates/a/Cargo.toml"),
            (
                "problems",
                "Cargo.toml:2:24 “gone/Cargo.toml” does not exist. | crates/a/Cargo.toml:8:1 The workspace has no dependency “absent”.",
            ),
        ],
    ),
    (
        "targets that lie where Cargo looks",
        r#"
//- Cargo.toml
[package]
name = "my-app"
//- src/lib.rs src/main.rs src/bin/one.rs src/bin/two/main.rs src/bin/two/helper.rs examples/e.rs examples/big/main.rs tests/t.rs tests/common/mod.rs benches/b.rs build.rs"#,
        &[(
            "Cargo.toml /cargo/targets",
            r#"[{"kind":"lib","name":"my_app","path":"src/lib.rs"},{"kind":"bin","name":"my-app","path":"src/main.rs"},{"kind":"bin","name":"one","path":"src/bin/one.rs"},{"kind":"bin","name":"two","path":"src/bin/two/main.rs"},{"kind":"example","name":"big","path":"examples/big/main.rs"},{"kind":"example","name":"e","path":"examples/e.rs"},{"kind":"test","name":"t","path":"tests/t.rs"},{"kind":"bench","name":"b","path":"benches/b.rs"},{"kind":"build","name":"build_script_build","path":"build.rs"}]"#,
        )],
    ),
    (
        "targets that are written down",
        r#"
//- Cargo.toml
[package]
name = "p"
autobins = false
build = "tools/build.rs"
[lib]
name = "renamed"
path = "lib/root.rs"
proc-macro = true
[[bin]]
name = "cli"
[[bin]]
name = "lost"
path = "nowhere.rs"
[[test]]
name = "all"
path = "tests/all/start.rs"
//- lib/root.rs src/bin/cli.rs src/bin/unlisted.rs src/main.rs tests/all/start.rs tests/x.rs tools/build.rs build.rs"#,
        &[
            (
                "Cargo.toml /cargo/targets",
                r#"[{"kind":"procMacro","name":"renamed","path":"lib/root.rs"},{"kind":"bin","name":"cli","path":"src/bin/cli.rs"},{"kind":"bin","name":"lost","path":"nowhere.rs"},{"kind":"test","name":"all","path":"tests/all/start.rs"},{"kind":"test","name":"x","path":"tests/x.rs"},{"kind":"build","name":"build_script_build","path":"tools/build.rs"}]"#,
            ),
            ("problems", "Cargo.toml:11:1 “nowhere.rs” does not exist."),
        ],
    ),
    (
        "renamed dependencies and patches",
        r#"
//- Cargo.toml
[workspace]
members = ["app"]
[patch.crates-io]
upstream = { path = "fork" }
//- app/Cargo.toml
[package]
name = "app"
[dependencies]
core-alias = { package = "real-core", path = "../core" }
up = { package = "upstream", version = "1" }
//- core/Cargo.toml
[package]
name = "real-core"
//- fork/Cargo.toml
[package]
name = "upstream""#,
        &[
            (
                "refs app/Cargo.toml",
                "core_alias>core/Cargo.toml up>fork/Cargo.toml",
            ),
            ("members Cargo.toml", "app real-core upstream"),
        ],
    ),
    (
        "a circle counts when it is more than tests",
        r#"
//- a/Cargo.toml
[package]
name = "a"
[dev-dependencies]
b = { path = "../b" }
//- b/Cargo.toml
[package]
name = "b"
[dependencies]
a = { path = "../a" }
//- c/Cargo.toml
[package]
name = "c"
[dependencies]
c = { path = "." }"#,
        &[(
            "problems",
            "c/Cargo.toml:4:1 Projects refer to each other: c.",
        )],
    ),
    (
        "a broken manifest is read around its mistake",
        r#"
//- Cargo.toml
[package]
name = "half"
[dependencies]
other = { path = "other" }
broken = = 1
[lib]
path = "x.rs"
//- other/Cargo.toml
[package]
version = "1"
//- x.rs"#,
        &[
            ("Cargo.toml /name", r#""half""#),
            ("refs Cargo.toml", "other>other/Cargo.toml"),
            ("other/Cargo.toml /name", r#""other""#),
        ],
    ),
];

#[test]
fn cargo_projects() {
    check(CASES);
}
