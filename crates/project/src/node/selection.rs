//! The files that a tsconfig includes.

use crate::build::ProjectBuilder;
use crate::files::RootFiles;
use crate::glob::{GlobPattern, Syntax};
use crate::manifest::Manifest;
use crate::path::{self, ROOT};
use crate::source::SourcePosition;

/// A text with the folder that it is relative to.
#[derive(Clone, Debug)]
pub(super) struct Located {
    pub(super) folder: String,
    pub(super) text: String,
    pub(super) at: SourcePosition,
}

/// The lists that decide; what is none is not said by the config or what it extends.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) files: Option<Vec<Located>>,
    pub(super) include: Option<Vec<Located>>,
    pub(super) exclude: Option<Vec<Located>>,
}

impl Lists {
    /// Lays what another config says over this one.
    pub(super) fn lay(&mut self, other: Lists) {
        self.files = other.files.or(self.files.take());
        self.include = other.include.or(self.include.take());
        self.exclude = other.exclude.or(self.exclude.take());
    }
}

/// `${configDir}` is the folder of the config that is looked at, not of the one that says so.
pub(super) fn leafed(text: &str, leaf: &str) -> String {
    text.replace("${configDir}", &format!("{ROOT}/{leaf}"))
}

const TYPESCRIPT: &[&str] = &["ts", "tsx", "mts", "cts"];
const JAVASCRIPT: &[&str] = &["js", "jsx", "mjs", "cjs"];
const PACKAGE_FOLDERS: &[&str] = &["node_modules", "bower_components", "jspm_packages"];

/// What a config includes.
pub(super) struct ConfigSelection {
    listed: Vec<GlobPattern>,
    pub(super) include: Vec<GlobPattern>,
    pub(super) exclude: Vec<GlobPattern>,
    allow_js: bool,
}

impl ConfigSelection {
    /// `outputs` are what the compiler writes: left out where nothing else is.
    pub(super) fn new(
        builder: &mut ProjectBuilder<'_>,
        manifest: &Manifest,
        lists: &Lists,
        outputs: &[Located],
        allow_js: bool,
    ) -> Self {
        let folder = manifest.folder();
        let mut patterns = |list: &[Located], as_folder: bool| -> Vec<GlobPattern> {
            let texts = list.iter().filter_map(|located| {
                let text = leafed(&located.text, folder);
                let text = if as_folder { including(&text) } else { text };
                let own = located.folder == folder;
                let at = if own {
                    located.at
                } else {
                    SourcePosition::default()
                };
                builder.pattern(manifest.path(), &located.folder, &text, at, Syntax::Plain)
            });
            texts.collect()
        };
        let everything = [Located {
            folder: folder.to_owned(),
            text: "**/*".to_owned(),
            at: SourcePosition::default(),
        }];
        let include = match (&lists.include, &lists.files) {
            (Some(include), _) => include.as_slice(),
            (None, Some(_)) => &[],
            (None, None) => &everything,
        };
        let include = patterns(include, true);
        let listed = patterns(lists.files.as_deref().unwrap_or(&[]), false);
        let exclude = patterns(lists.exclude.as_deref().unwrap_or(outputs), false);
        Self {
            listed,
            include,
            exclude,
            allow_js,
        }
    }

    /// The files, as indices.
    pub(super) fn files(&self, files: &RootFiles) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        for pattern in &self.listed {
            found.extend(pattern.files(files));
        }
        for pattern in &self.include {
            found.extend(pattern.files(files).filter(|file| {
                let path = files.get(*file);
                self.is_source(path)
                    && !pattern.meets_hidden(path)
                    && !self.exclude.iter().any(|out| out.covers(path))
            }));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn is_source(&self, path: &str) -> bool {
        let ending = path::extension(path);
        let known = TYPESCRIPT.contains(&ending) || (self.allow_js && JAVASCRIPT.contains(&ending));
        let minified = path.ends_with(".min.js");
        known && !minified && !path.split('/').any(|name| PACKAGE_FOLDERS.contains(&name))
    }
}

/// A folder's name stands for everything below it.
fn including(text: &str) -> String {
    let trimmed = text.trim_end_matches(['/', '\\']);
    let last = trimmed.rsplit(['/', '\\']).next().unwrap_or(trimmed);
    let file = last.contains(['*', '?']) || (last.contains('.') && !matches!(last, "." | ".."));
    match last {
        "**" => format!("{trimmed}/*"),
        _ if file => trimmed.to_owned(),
        _ => format!("{trimmed}/**/*"),
    }
}
