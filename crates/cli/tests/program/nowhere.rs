//! No use is nowhere (SPEC X3, D35): identifiers at random of the folders that tests share, each beside a search of words that
//! knows nothing of the index (`bench/nowhere.mjs`). It takes keywords, labels and words in attributes for uses, so not
//! every language's folders are here.

use std::path::Path;
use std::process::Command;

const FOLDERS: [(&str, &str); 4] = [
    ("test/fixtures/workspace", "csharp"),
    ("test/fixtures/workspace", "python"),
    ("test/fixtures/contract", "csharp"),
    ("test/fixtures/contract", "java"),
];

#[test]
fn identifiers_of_sources_are_all_somewhere() {
    if Command::new("node").arg("--version").output().is_err() {
        return; // the search of words is a program of Node
    }
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cache = tempfile::tempdir().unwrap();
    for (folder, language) in FOLDERS {
        let run = Command::new("node")
            .arg(repository.join("bench/nowhere.mjs"))
            .args(["--language", language, "--count", "30", "--folder"])
            .arg(repository.join(folder))
            .args(["--binary", env!("CARGO_BIN_EXE_codecortex")])
            .env("XDG_CACHE_HOME", cache.path())
            .env("LOCALAPPDATA", cache.path())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(
            run.status.success(),
            "{folder}\n{}{}",
            text(&run.stdout),
            text(&run.stderr)
        );
    }
}
