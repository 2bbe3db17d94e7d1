//! What one tsconfig says for itself.

use crate::read::{ManifestNode, ManifestValue};
use crate::source::{ManifestSource, ProblemKind, SpannedText};

/// A tsconfig for itself; what is none is taken from what it extends.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TsConfig {
    pub(super) extends: Vec<SpannedText>,
    pub(super) references: Vec<SpannedText>,
    pub(super) files: Option<Vec<SpannedText>>,
    pub(super) include: Option<Vec<SpannedText>>,
    pub(super) exclude: Option<Vec<SpannedText>>,
    pub(super) paths: Option<PathMappings>,
    pub(super) root_dirs: Option<Vec<String>>,
    /// `baseUrl`, `rootDir`, `outDir`, `declarationDir`
    pub(super) folders: Vec<(&'static str, String)>,
    pub(super) allow_js: Option<bool>,
    pub(super) options: Vec<(&'static str, String)>,
}

/// Patterns of imports and their targets as written.
pub(super) type PathMappings = Vec<(String, Vec<String>)>;

const FOLDERS: &[&str] = &["baseUrl", "rootDir", "outDir", "declarationDir"];

/// Options that decide how names are resolved.
const OPTIONS: &[&str] = &[
    "allowImportingTsExtensions",
    "checkJs",
    "composite",
    "customConditions",
    "esModuleInterop",
    "jsx",
    "jsxImportSource",
    "module",
    "moduleResolution",
    "moduleSuffixes",
    "noLib",
    "preserveSymlinks",
    "resolveJsonModule",
    "resolvePackageJsonExports",
    "resolvePackageJsonImports",
    "target",
    "typeRoots",
    "types",
];

/// Reads a `tsconfig.json`, a `jsconfig.json` or what they extend.
pub(crate) fn read_tsconfig(source: &mut ManifestSource<'_>, root: &ManifestNode) -> TsConfig {
    if !matches!(root.value, ManifestValue::Map(_)) {
        source.problem(
            root.offset,
            ProblemKind::Value,
            "An object is expected here.",
        );
    }
    let compiler = root.get("compilerOptions");
    let option = |name: &str| compiler.and_then(|node| node.get(name));
    let list = |source: &mut ManifestSource<'_>, name: &str| {
        let node = root.get(name).filter(|node| !node.is_null());
        node.map(|node| source.words(Some(node)))
    };
    let references = root
        .get("references")
        .and_then(ManifestNode::list)
        .unwrap_or(&[]);
    let references = references
        .iter()
        .filter_map(|node| source.word(node.get("path")?))
        .collect();
    let root_dirs = option("rootDirs").map(|node| node.strings(&[]));
    let folders = FOLDERS
        .iter()
        .filter_map(|name| Some((*name, option(name)?.text()?.to_owned())));
    let shown = OPTIONS
        .iter()
        .filter_map(|name| Some((*name, shown(option(name)?)?)));
    TsConfig {
        extends: source.words(root.get("extends")),
        references,
        files: list(source, "files"),
        include: list(source, "include"),
        exclude: list(source, "exclude"),
        paths: option("paths").map(|node| paths(source, node)),
        root_dirs,
        folders: folders.collect(),
        allow_js: option("allowJs").and_then(ManifestNode::bool).or_else(|| {
            option("checkJs")
                .and_then(ManifestNode::bool)
                .filter(|on| *on)
        }),
        options: shown.collect(),
    }
}

fn paths(source: &mut ManifestSource<'_>, node: &ManifestNode) -> PathMappings {
    let mut found = Vec::new();
    for (key, value) in node.entries() {
        if key.name.matches('*').count() > 1 {
            let message = format!("“{}” has more than one “*”.", key.name);
            source.problem(key.offset, ProblemKind::Value, message);
            continue;
        }
        found.push((key.name.clone(), value.strings(&[])));
    }
    found
}

fn shown(node: &ManifestNode) -> Option<String> {
    Some(match &node.value {
        ManifestValue::Bool(flag) => flag.to_string(),
        ManifestValue::Text(text) | ManifestValue::Other(text) => text.clone(),
        ManifestValue::List(_) => node.strings(&[]).join(","),
        ManifestValue::Null | ManifestValue::Map(_) => return None,
    })
}
