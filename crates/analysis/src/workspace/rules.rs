//! What a folder's ignore files and the usual tools leave out (SPEC P2).

use std::sync::Arc;

use codecortex_protocol::{EntryKind, IgnoreFile, Listing};
use codecortex_syntax::SkipReason;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The rules in force in one folder: its own and those of the folders above.
#[derive(Debug, Default)]
pub struct Rules {
    parent: Option<Arc<Rules>>,
    /// Path relative to the root of the folder whose files these are.
    folder: String,
    git: Option<Gitignore>,
    /// `.ignore`: wins over what git says.
    ignore: Option<Gitignore>,
    exclude: Option<Gitignore>,
}

impl Rules {
    /// The rules of a folder with these ignore files, below `parent`.
    pub fn new(parent: Option<&Arc<Rules>>, folder: &str, files: &[IgnoreFile]) -> Arc<Self> {
        if let Some(parent) = parent
            && files.is_empty()
        {
            return Arc::clone(parent);
        }
        let matcher = |name: &str| {
            let text = &files.iter().find(|file| file.name == name)?.text;
            Some(matcher(text.lines()))
        };
        Arc::new(Self {
            parent: parent.map(Arc::clone),
            folder: folder.to_owned(),
            git: matcher(".gitignore"),
            ignore: matcher(".ignore"),
            exclude: matcher(".git/info/exclude"),
        })
    }

    /// Whether a path relative to the root is ignored.
    pub fn ignores(&self, path: &str, is_dir: bool) -> bool {
        let layers: [fn(&Rules) -> Option<&Gitignore>; 3] = [
            |rules| rules.ignore.as_ref(),
            |rules| rules.git.as_ref(),
            |rules| rules.exclude.as_ref(),
        ];
        for layer in layers {
            let mut rules = Some(self);
            while let Some(here) = rules {
                if let Some(matcher) = layer(here) {
                    let below = match here.folder.as_str() {
                        "" => path,
                        folder => path
                            .strip_prefix(folder)
                            .map_or(path, |rest| rest.trim_start_matches('/')),
                    };
                    match matcher.matched(below, is_dir) {
                        Match::Ignore(_) => return true,
                        Match::Whitelist(_) => return false,
                        Match::None => {}
                    }
                }
                rules = here.parent.as_deref();
            }
        }
        false
    }
}

/// A matcher of these lines; lines that are no patterns are left out, as git does.
pub fn matcher<'a>(lines: impl Iterator<Item = &'a str>) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for line in lines {
        // The error is of this one line.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Folders that no project's source is in, whatever the ignore files say.
const TOOLING: [&str; 26] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    ".context",
    "node_modules",
    "bower_components",
    "jspm_packages",
    "__pycache__",
    ".venv",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".eggs",
    ".idea",
    ".vs",
    ".gradle",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".terraform",
    ".yarn",
    ".vscode-test",
    "site-packages",
];

/// Folders of build output or dependencies where one of these files stands beside them.
const TOOLING_BESIDE: [(&str, &[&str]); 7] = [
    ("bin", &[".csproj", ".fsproj", ".vbproj"]),
    ("obj", &[".csproj", ".fsproj", ".vbproj"]),
    ("target", &["Cargo.toml", "pom.xml", "build.sbt"]),
    ("vendor", &["go.mod", "composer.json", "Gemfile"]),
    ("Pods", &["Podfile"]),
    ("Library", &["ProjectSettings"]),
    ("Temp", &["ProjectSettings"]),
];

/// Files that mark the folder they are in as no source.
const MARKS: [&str; 2] = ["pyvenv.cfg", "CACHEDIR.TAG"];

/// Whether a listed folder is itself a virtual environment or a cache.
pub fn is_marked(listing: &Listing) -> bool {
    listing
        .entries
        .iter()
        .any(|entry| MARKS.contains(&entry.name.as_str()))
}

/// Why a folder is not descended into, from its name and what is beside it.
pub fn tooling(name: &str, beside: &Listing) -> Option<SkipReason> {
    let by_name = TOOLING.contains(&name);
    let by_neighbour = TOOLING_BESIDE.iter().any(|(folder, marks)| {
        *folder == name
            && beside.entries.iter().any(|entry| {
                entry.kind != EntryKind::Symlink
                    && marks.iter().any(|mark| entry.name.ends_with(mark))
            })
    });
    (by_name || by_neighbour).then_some(SkipReason::Tooling)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(parent: Option<&Arc<Rules>>, folder: &str, git: &str, ignore: &str) -> Arc<Rules> {
        let file = |name: &str, text: &str| IgnoreFile {
            name: name.into(),
            text: text.into(),
        };
        Rules::new(
            parent,
            folder,
            &[file(".gitignore", git), file(".ignore", ignore)],
        )
    }

    #[test]
    fn the_nearest_rule_wins_and_ignore_wins_over_git() {
        let top = rules(None, "", "*.log\nbuild/\n/only-here.ts\n!keep.log", "");
        let below = rules(
            Some(&top),
            "src",
            "!debug.log\n*.tmp.ts",
            "secret.ts\n!x.log",
        );
        assert!(top.ignores("a.log", false) && !top.ignores("keep.log", false));
        assert!(top.ignores("build", true) && !top.ignores("build", false));
        assert!(top.ignores("only-here.ts", false) && !below.ignores("src/only-here.ts", false));
        assert!(!below.ignores("src/debug.log", false) && below.ignores("src/other.log", false));
        assert!(below.ignores("src/secret.ts", false) && !below.ignores("src/x.log", false));
        assert!(below.ignores("src/deep/a.tmp.ts", false));
    }

    #[test]
    fn bad_patterns_do_not_hurt_the_others() {
        assert!(rules(None, "", "a[\n{b\n*.log", "").ignores("x.log", false));
    }
}
