//! TypeScript and JavaScript: the `lib.*.d.ts` of the compiler, by the global names that they declare.
//!
//! A name is declared in many of these files: each edition of the language adds to its interface. A file of the
//! description has all declarations of one name, those of earlier editions first.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use codecortex_syntax::Language;
use tree_sitter::Node;

use super::comments::{CommentStyle, without_comments};
use super::syntax_reduction::{field_text, named_children, parsed, text_of};
use super::{Description, files_below};

/// The place of the browser's files among the editions; those of other surroundings come behind it.
const BROWSER: u32 = 4000;

/// The declarations of a name.
#[derive(Default)]
struct Declared {
    text: String,
    /// The place of the last edition that has the name.
    rank: Option<u32>,
}

/// Describes the libraries of the npm package in a folder.
pub(super) fn describe(folder: &Path) -> Result<Description> {
    let package = fs::read_to_string(folder.join("package.json"))?;
    let package: serde_json::Value = serde_json::from_str(&package)?;
    let version = package["version"]
        .as_str()
        .context("package.json states no version")?;
    let mut files = files_below(&folder.join("lib"), ".d.ts")?;
    files.retain(|(path, _)| path.starts_with("lib.") && !path.contains('/'));
    files.sort_by_cached_key(|(path, _)| (rank(path), path.clone()));
    let mut all = BTreeMap::new();
    for (path, text) in &files {
        // the grammar does not know the form without brackets, which says the same
        let text = without_comments(text, CommentStyle::Slashes)
            .replace("keyof readonly any[]", "keyof (readonly any[])");
        add_declarations(path, &text, &mut all)?;
    }
    let files = all.into_iter();
    Ok(Description {
        language: "typescript",
        version: format!("TypeScript {version}"),
        files: files
            .map(|(name, declared)| (format!("{name}.d.ts"), declared.text))
            .collect(),
    })
}

/// The place of a file among the editions: the language's by year, then the browser and further surroundings.
fn rank(path: &str) -> u32 {
    let edition = path.split('.').nth(1).unwrap_or_default();
    match edition.strip_prefix("es") {
        Some("next") => 3000,
        Some(year) => year.parse().unwrap_or(0),
        None if edition == "dom" => BROWSER,
        None if edition.starts_with("decorators") => 3500,
        None => 5000,
    }
}

/// Adds the global declarations of a file.
fn add_declarations(path: &str, text: &str, all: &mut BTreeMap<String, Declared>) -> Result<()> {
    let tree = parsed(Language::TypeScript, path, text)?;
    let root = tree.root_node();
    // What a module has for itself is nobody else's: it gives out what stands in `declare global`.
    if named_children(root).all(|node| node.kind() != "export_statement") {
        return add_statements((path, text), root, all);
    }
    for node in
        named_children(root).filter(|node| text_of(*node, text).starts_with("declare global"))
    {
        let block = named_children(node).find(|child| child.kind() == "statement_block");
        add_statements((path, text), block.unwrap_or(node), all)?;
    }
    Ok(())
}

/// Adds declarations that stand side by side, each with the comments before it.
fn add_statements(
    (path, text): (&str, &str),
    around: Node<'_>,
    all: &mut BTreeMap<String, Declared>,
) -> Result<()> {
    let mut comments = None;
    for node in named_children(around) {
        if node.kind() == "comment" {
            comments.get_or_insert(node.start_byte());
            continue;
        }
        let start = comments.take().unwrap_or_else(|| node.start_byte());
        let Some(name) = declared_name(node, text) else {
            bail!(
                "{path}: line {} declares no name",
                node.start_position().row + 1
            );
        };
        let name = name.split('.').next().unwrap_or(name);
        let declared = all.entry(name.to_owned()).or_default();
        // A program is in a browser or in a worker, which have most names and nearly all of their members in common.
        let rank = rank(path);
        if declared
            .rank
            .is_some_and(|known| known >= BROWSER && known != rank)
        {
            continue;
        }
        declared.rank = Some(rank);
        let lines = text.get(start..node.end_byte()).unwrap_or_default().lines();
        for line in lines.filter(|line| !line.starts_with("/// <reference")) {
            declared.text.push_str(line);
            declared.text.push('\n');
        }
    }
    Ok(())
}

/// The name that a declaration of the outermost scope declares.
fn declared_name<'t>(node: Node<'_>, text: &'t str) -> Option<&'t str> {
    let name = field_text(node, "name", text);
    if !name.is_empty() {
        return Some(name);
    }
    let wraps = matches!(
        node.kind(),
        "ambient_declaration"
            | "expression_statement"
            | "variable_declaration"
            | "lexical_declaration"
            | "export_statement"
    );
    wraps
        .then(|| named_children(node).find_map(|child| declared_name(child, text)))
        .flatten()
}
