//! What each of Python's manifests says for itself.

use crate::read::{Comments, ManifestNode, ManifestToken, ManifestValue, TokenKind, scan};
use crate::source::{ManifestSource, SourcePosition, SpannedText};

/// One manifest of Python.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Setup {
    /// Whether it describes a distribution, or only configures tools.
    pub(crate) is_project: bool,
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) roots: Vec<Root>,
    pub(crate) packages: Vec<String>,
    /// `tool.uv.workspace`
    pub(crate) workspace: Option<(Vec<SpannedText>, Vec<SpannedText>)>,
    pub(crate) depends: Vec<SetupDependency>,
}

/// A folder for packages, relative to the manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Root {
    pub(crate) path: String,
    pub(crate) prefix: String,
    pub(crate) test: bool,
}

/// A dependency that is no release: a folder, or a member of the workspace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SetupDependency {
    pub(crate) name: String,
    /// None for a member of the workspace.
    pub(crate) path: Option<String>,
    pub(crate) dev: bool,
    pub(crate) at: SourcePosition,
}

impl Setup {
    fn root(&mut self, path: &str, prefix: &str) {
        let root = Root {
            path: path.to_owned(),
            prefix: prefix.to_owned(),
            test: false,
        };
        if !self.roots.contains(&root) {
            self.roots.push(root);
        }
    }

    /// `"" = "src"` or `package = "folder"`.
    fn package_dirs(&mut self, node: Option<&ManifestNode>) {
        for (key, value) in node.map_or(&[][..], ManifestNode::entries) {
            if let Some(folder) = value.text() {
                self.root(folder, &key.name);
            }
        }
    }
}

/// Places of names in `pyproject.toml`, the first that is there counts.
const NAMES: &[&[&str]] = &[
    &["project", "name"],
    &["tool", "poetry", "name"],
    &["tool", "flit", "metadata", "dist-name"],
    &["tool", "flit", "metadata", "module"],
];

/// Places of versions, likewise.
const VERSIONS: &[&[&str]] = &[&["project", "version"], &["tool", "poetry", "version"]];

/// Settings whose value is a folder of packages, or several.
const FOLDERS: &[&[&str]] = &[
    &["tool", "setuptools", "packages", "find", "where"],
    &["tool", "pdm", "build", "package-dir"],
    &["tool", "maturin", "python-source"],
    &["tool", "uv", "build-backend", "module-root"],
    &["tool", "hatch", "build", "dev-mode-dirs"],
];

/// Settings whose value names packages or modules.
const PACKAGES: &[&[&str]] = &[
    &["tool", "setuptools", "packages"],
    &["tool", "setuptools", "py-modules"],
    &["tool", "flit", "module", "name"],
    &["tool", "uv", "build-backend", "module-name"],
    &["tool", "maturin", "module-name"],
];

pub(crate) fn read_pyproject(source: &mut ManifestSource<'_>, root: &ManifestNode) -> Setup {
    let mut setup = Setup {
        is_project: true,
        name: NAMES.iter().find_map(|path| root.string(path)),
        version: VERSIONS.iter().find_map(|path| root.string(path)),
        ..Setup::default()
    };
    setup.package_dirs(root.path(&["tool", "setuptools", "package-dir"]));
    for path in FOLDERS {
        for folder in root.strings(path) {
            setup.root(&folder, "");
        }
    }
    for path in PACKAGES {
        setup.packages.extend(root.strings(path));
    }
    poetry(&mut setup, source, root);
    hatch(&mut setup, root);
    for folder in root.strings(&["tool", "pytest", "ini_options", "pythonpath"]) {
        setup.roots.push(Root {
            path: folder,
            prefix: String::new(),
            test: true,
        });
    }
    if let Some(workspace) = root.path(&["tool", "uv", "workspace"]) {
        let members = source.words(workspace.get("members"));
        let exclude = source.words(workspace.get("exclude"));
        setup.workspace = Some((members, exclude));
    }
    let sources = root.path(&["tool", "uv", "sources"]);
    for (key, value) in sources.map_or(&[][..], ManifestNode::entries) {
        let member = value.get("workspace").and_then(ManifestNode::bool) == Some(true);
        let path = value.string(&["path"]);
        if member || path.is_some() {
            setup.depends.push(SetupDependency {
                name: key.name.clone(),
                path,
                dev: false,
                at: source.at(key.offset),
            });
        }
    }
    setup
}

fn poetry(setup: &mut Setup, source: &ManifestSource<'_>, root: &ManifestNode) {
    let Some(poetry) = root.path(&["tool", "poetry"]) else {
        return;
    };
    for package in poetry
        .get("packages")
        .and_then(ManifestNode::list)
        .unwrap_or(&[])
    {
        let from = package.string(&["from"]).unwrap_or_default();
        setup.root(&from, "");
        setup.packages.extend(package.string(&["include"]));
    }
    let mut tables = vec![(poetry.get("dependencies"), false)];
    tables.push((poetry.get("dev-dependencies"), true));
    for (group, value) in poetry.get("group").map_or(&[][..], ManifestNode::entries) {
        tables.push((value.get("dependencies"), group.name != "main"));
    }
    for (table, dev) in tables {
        for (key, value) in table.map_or(&[][..], ManifestNode::entries) {
            if let Some(path) = value.string(&["path"]) {
                setup.depends.push(SetupDependency {
                    name: key.name.clone(),
                    path: Some(path),
                    dev,
                    at: source.at(key.offset),
                });
            }
        }
    }
}

fn hatch(setup: &mut Setup, root: &ManifestNode) {
    let Some(build) = root.path(&["tool", "hatch", "build"]) else {
        return;
    };
    let wheel = build.path(&["targets", "wheel"]);
    for table in [Some(build), wheel].into_iter().flatten() {
        for package in table.strings(&["packages"]) {
            let trimmed = package.trim_end_matches('/');
            let (folder, name) = trimmed.rsplit_once('/').unwrap_or(("", trimmed));
            setup.root(folder, "");
            setup.packages.push(name.to_owned());
        }
        match table.get("sources").map(|node| &node.value) {
            // `["src"]`: the folder is left out of the names.
            Some(ManifestValue::List(_)) => {
                for folder in table.strings(&["sources"]) {
                    setup.root(&folder, "");
                }
            }
            // `{ "src/foo" = "foo" }`: the folder stands for the package.
            Some(ManifestValue::Map(entries)) => {
                for (key, value) in entries {
                    let prefix = value
                        .text()
                        .unwrap_or("")
                        .trim_matches('/')
                        .replace('/', ".");
                    setup.root(&key.name, &prefix);
                }
            }
            _ => {}
        }
    }
}

/// Reads the sections that describe a distribution.
pub(crate) fn read_setup_cfg(source: &mut ManifestSource<'_>) -> Setup {
    let mut setup = Setup::default();
    for (section, key, lines) in entries(source.text) {
        let first = lines.first().map_or("", String::as_str);
        match (section.as_str(), key.as_str()) {
            ("metadata", "name") => {
                setup.is_project = true;
                setup.name = Some(first.to_owned()).filter(|name| !name.is_empty());
            }
            // `attr: package.__version__` and `file: VERSION` stand in code.
            ("metadata", "version") if !first.contains(':') => {
                setup.version = Some(first.to_owned()).filter(|version| !version.is_empty());
            }
            ("options", "package_dir" | "package-dir") => {
                setup.is_project = true;
                for line in lines.iter().flat_map(|line| line.split(',')) {
                    if let Some((package, folder)) = line.split_once('=') {
                        setup.root(folder.trim(), package.trim());
                    }
                }
            }
            ("options", "packages" | "py_modules") => {
                setup.is_project = true;
                if !first.starts_with("find") {
                    let names = lines.iter().flat_map(|line| line.split(','));
                    let names = names.map(str::trim).filter(|name| !name.is_empty());
                    setup.packages.extend(names.map(str::to_owned));
                }
            }
            ("options.packages.find", "where") => setup.root(first, ""),
            ("metadata" | "options", _) => setup.is_project = true,
            _ => {}
        }
    }
    setup
}

/// Section, key and the lines of the value; deeper lines continue the value before.
fn entries(text: &str) -> Vec<(String, String, Vec<String>)> {
    let mut found: Vec<(String, String, Vec<String>)> = Vec::new();
    let mut section = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let deeper = line.starts_with([' ', '\t']);
        if deeper && let Some((_, _, lines)) = found.last_mut() {
            lines.push(trimmed.to_owned());
        } else if let Some(name) = trimmed.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            section = name.trim().to_owned();
        } else if let Some(at) = trimmed.find(['=', ':']) {
            let key = trimmed[..at].trim().to_lowercase();
            let value = trimmed[at + 1..].trim();
            let lines = if value.is_empty() {
                Vec::new()
            } else {
                vec![value.to_owned()]
            };
            found.push((section.clone(), key, lines));
        }
    }
    found
}

/// Reads the literal arguments of `setup(…)`: the program itself is not run.
pub(crate) fn read_setup_py(source: &mut ManifestSource<'_>) -> Setup {
    let mut setup = Setup {
        is_project: true,
        ..Setup::default()
    };
    let tokens = scan(source.text, Comments::Hash);
    let call = tokens
        .windows(2)
        .position(|pair| pair[0].name() == Some("setup") && pair[1].is('('));
    let Some(call) = call else {
        return setup;
    };
    let mut at = call + 2;
    let mut depth = 1_usize;
    while let Some(token) = tokens.get(at) {
        match &token.kind {
            TokenKind::Sign('(' | '[' | '{') => depth += 1,
            TokenKind::Sign(')' | ']' | '}') => depth -= 1,
            TokenKind::Name(name) if depth == 1 && is_sign(&tokens, at + 1, '=') => {
                argument(&mut setup, name, tokens.get(at + 2..).unwrap_or(&[]));
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
        at += 1;
    }
    setup
}

fn is_sign(tokens: &[ManifestToken], at: usize, sign: char) -> bool {
    tokens.get(at).is_some_and(|token| token.is(sign))
}

/// A text that is all there is of an argument.
fn literal(value: &[ManifestToken]) -> Option<String> {
    let ends = value.get(1).is_none_or(|t| t.is(',') || t.is(')'));
    let literal = value.first().and_then(ManifestToken::text).filter(|_| ends);
    literal.map(str::to_owned)
}

fn argument(setup: &mut Setup, name: &str, value: &[ManifestToken]) {
    match name {
        "name" => setup.name = literal(value),
        "version" => setup.version = literal(value),
        "package_dir" if value.first().is_some_and(|token| token.is('{')) => {
            for entry in inside(value).chunks(4) {
                if let [key, colon, folder, ..] = entry
                    && colon.is(':')
                    && let (Some(package), Some(folder)) = (key.text(), folder.text())
                {
                    setup.root(folder, package);
                }
            }
        }
        "packages" | "py_modules" if value.first().is_some_and(|token| token.is('[')) => {
            let names = inside(value).iter().filter_map(ManifestToken::text);
            setup.packages.extend(names.map(str::to_owned));
        }
        "packages" => find_packages(setup, value),
        _ => {}
    }
}

/// `find_packages("src")`, `find_packages(where="src", …)`
fn find_packages(setup: &mut Setup, value: &[ManifestToken]) {
    let open = value.iter().position(|token| token.is('('));
    let finds = |token: &ManifestToken| token.name().is_some_and(|name| name.starts_with("find"));
    let Some(open) = open.filter(|open| value[..*open].last().is_some_and(finds)) else {
        return;
    };
    let arguments = inside(&value[open..]);
    let first = arguments.first().and_then(ManifestToken::text);
    let named = arguments.windows(3).find_map(|three| {
        let is_where = three[0].name() == Some("where") && three[1].is('=');
        three[2].text().filter(|_| is_where)
    });
    if let Some(folder) = first.or(named) {
        setup.root(folder, "");
    }
}

/// What stands between the bracket at the start and its partner.
fn inside(tokens: &[ManifestToken]) -> &[ManifestToken] {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Sign('(' | '[' | '{') => depth += 1,
            TokenKind::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return tokens.get(1..at).unwrap_or(&[]);
        }
    }
    tokens.get(1..).unwrap_or(&[])
}
