//! What a folder's ignore files and the usual tools leave out (SPEC P2).

use std::borrow::Cow;
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
    /// Of a folder above the root: the path from there down to the root.
    above: String,
    git: Option<Gitignore>,
    /// `.ignore`: wins over what git says.
    ignore: Option<Gitignore>,
    exclude: Option<Gitignore>,
    /// What the user leaves out of all repositories.
    global: Option<Gitignore>,
}

impl Rules {
    /// The rules of a folder with these ignore files, below `parent`.
    pub fn new(parent: Option<&Arc<Rules>>, folder: &str, files: &[IgnoreFile]) -> Arc<Self> {
        if let Some(parent) = parent
            && files.is_empty()
        {
            return Arc::clone(parent);
        }
        let mut parent = parent.map(Arc::clone);
        // The longer the way down to the root, the higher the folder.
        let mut above: Vec<&str> = files.iter().map(|file| file.above.as_str()).collect();
        above.sort_unstable_by_key(|above| std::cmp::Reverse(above.len()));
        above.dedup();
        for above in above.into_iter().filter(|above| !above.is_empty()) {
            parent = Some(Self::of_folder(parent, folder, above, files));
        }
        Self::of_folder(parent, folder, "", files)
    }

    fn of_folder(
        parent: Option<Arc<Rules>>,
        folder: &str,
        above: &str,
        files: &[IgnoreFile],
    ) -> Arc<Self> {
        let matcher = |name: &str| {
            let is_it = |file: &&IgnoreFile| file.name == name && file.above == above;
            Some(matcher(patterns_of(&files.iter().find(is_it)?.text)))
        };
        Arc::new(Self {
            parent,
            folder: folder.to_owned(),
            above: above.to_owned(),
            git: matcher(".gitignore"),
            ignore: matcher(".ignore"),
            exclude: matcher(".git/info/exclude"),
            global: matcher("core.excludesFile"),
        })
    }

    /// Whether a path relative to the root is ignored.
    pub fn ignores(&self, path: &str, is_dir: bool) -> bool {
        let layers: [fn(&Rules) -> Option<&Gitignore>; 4] = [
            |rules| rules.ignore.as_ref(),
            |rules| rules.git.as_ref(),
            |rules| rules.exclude.as_ref(),
            |rules| rules.global.as_ref(),
        ];
        for layer in layers {
            let mut rules = Some(self);
            while let Some(here) = rules {
                if let Some(matcher) = layer(here) {
                    match matcher.matched(&*here.below(path), is_dir) {
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

    /// A path as it is below the folder that these rules are of.
    fn below<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if !self.above.is_empty() {
            return Cow::Owned(format!("{}/{path}", self.above));
        }
        let rest = match self.folder.as_str() {
            "" => None,
            folder => path.strip_prefix(folder),
        };
        Cow::Borrowed(rest.map_or(path, |rest| rest.trim_start_matches('/')))
    }
}

/// The lines of an ignore file that git reads as patterns. A byte order mark is no part of the first one, and a `!`
/// alone means nothing.
fn patterns_of(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().filter(|line| line.trim() != "!")
}

/// A matcher of these lines; lines that are no patterns are left out, as git does.
pub fn matcher<'a>(lines: impl Iterator<Item = &'a str>) -> Gitignore {
    let mut builder = GitignoreBuilder::new("");
    for line in lines {
        // The error is of this one line.
        let _ = builder.add_line(None, &without_alternates(line));
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Braces are letters like others to git: the matcher would take `{a,b}` for alternatives.
fn without_alternates(line: &str) -> Cow<'_, str> {
    if !line.contains(['{', '}']) {
        return Cow::Borrowed(line);
    }
    let mut escaped = String::new();
    let mut is_escaped = false;
    for c in line.chars() {
        if matches!(c, '{' | '}') && !is_escaped {
            escaped.push('\\');
        }
        is_escaped = c == '\\' && !is_escaped;
        escaped.push(c);
    }
    Cow::Owned(escaped)
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
            above: String::new(),
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

    #[test]
    fn lines_mean_what_they_mean_to_git() {
        // A byte order mark, braces, and a `!` alone (SPEC P2).
        let of = |git: &str| rules(None, "", git, "");
        assert!(of("\u{feff}a.ts\n").ignores("a.ts", false));
        let braces = of("{b,c}.ts\n\\{d}.ts\n");
        assert!(braces.ignores("{b,c}.ts", false) && braces.ignores("{d}.ts", false));
        assert!(!braces.ignores("b.ts", false) && !braces.ignores("c.ts", false));
        let bare = of("*.log\n!\n! \n");
        assert!(bare.ignores("a.log", false));
    }

    #[test]
    fn rules_above_the_root_hold_and_nearer_ones_win() {
        let file = |name: &str, above: &str, text: &str| IgnoreFile {
            name: name.into(),
            text: text.into(),
            above: above.into(),
        };
        let rules = Rules::new(
            None,
            "",
            &[
                file(".gitignore", "", "!keep.out.ts\n"),
                file(".gitignore", "pkg", "/pkg/dist/\n*.out.ts\n"),
                file(".git/info/exclude", "pkg", "own.ts\n"),
                file("core.excludesFile", "pkg", "*.swp\nkept.ts\n"),
                file(".gitignore", "repo/pkg", "!*.swp\n"),
            ],
        );
        assert!(rules.ignores("dist", true) && !rules.ignores("src/dist", true));
        assert!(rules.ignores("a.out.ts", false) && !rules.ignores("keep.out.ts", false));
        assert!(rules.ignores("own.ts", false) && rules.ignores("kept.ts", false));
        assert!(!rules.ignores("a.swp", false));
        let below = Rules::new(Some(&rules), "src", &[file(".gitignore", "", "x.ts\n")]);
        assert!(below.ignores("src/x.ts", false) && below.ignores("src/a.out.ts", false));
    }
}
