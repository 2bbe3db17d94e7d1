//! A package's sources to one file of what it exports.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use codecortex_syntax::Language;
use tree_sitter::Node;

use super::super::comments::first_sentence;
use super::super::syntax_reduction::{
    Reduction, broken_lines, field_text, named_children, parsed, reduced, text_of, tidied,
};

/// The package of which the names are the language's own.
const BUILTIN: &str = "builtin";

/// A package before it is described.
pub(super) struct PackageSource<'a> {
    /// As an import names it.
    pub(super) path: &'a str,
    /// Names and texts of the files that are compiled together.
    pub(super) files: &'a [(String, String)],
}

/// A declaration of the package level.
#[derive(Default)]
struct Declaration {
    names: Vec<String>,
    /// The type that a method is of.
    receiver: Option<String>,
    text: String,
    /// Names of types, and those in the values of variables, that the text has.
    mentions: BTreeSet<String>,
    /// The imports that the text uses: the name in the file, and the path.
    imports: BTreeSet<(String, String)>,
}

/// The package's exported declarations, with the hidden types and functions that these are made of.
pub(super) fn description(package: &PackageSource<'_>) -> Result<String> {
    let mut declarations = Vec::new();
    let mut name = String::new();
    for (file, text) in package.files {
        let path = format!("{}/{file}", package.path);
        let text = &without_generic_methods(text);
        let tree = parsed(Language::Go, &path, text)?;
        let broken = broken_lines(&tree, text);
        if !broken.is_empty() {
            bail!("{path}: syntax errors: {broken:#?}");
        }
        let reader = FileReader {
            text,
            imports: imports(tree.root_node(), text),
        };
        for node in named_children(tree.root_node()) {
            if node.kind() == "package_clause" {
                text_of(node, text).clone_into(&mut name);
            }
            reader.declare(node, &mut declarations);
        }
    }
    let kept = kept(&declarations, package.path == BUILTIN);
    let mut imports: BTreeMap<&str, &str> = BTreeMap::new();
    for (local, path) in kept.iter().flat_map(|declaration| &declaration.imports) {
        if imports
            .insert(local, path)
            .is_some_and(|other| other != path)
        {
            bail!("{}: two imports are named {local}", package.path);
        }
    }
    let mut text = format!("{name}\n");
    for (local, path) in imports {
        match local == default_name(path) {
            true => text.extend(["import \"", path, "\"\n"]),
            false => text.extend(["import ", local, " \"", path, "\"\n"]),
        }
    }
    text.extend(kept.iter().map(|declaration| declaration.text.as_str()));
    Ok(text)
}

/// Without methods that have type parameters of their own, as Go 1.27 has them: the grammar does not know them yet.
fn without_generic_methods(text: &str) -> String {
    let mut is_inside = false;
    let lines = text.split_inclusive('\n').filter(|line| {
        let name = line
            .strip_prefix("func (")
            .and_then(|rest| rest.split_once(") "));
        let before = name.and_then(|(_, rest)| rest.split_once(['[', '(']));
        let is_generic = before.is_some_and(|(name, _)| line.contains(&format!(") {name}[")));
        let is_left_out = is_inside || is_generic;
        let is_end = if is_inside {
            line.starts_with('}')
        } else {
            line.trim_end().ends_with('}')
        };
        is_inside = is_left_out && !is_end;
        !is_left_out
    });
    lines.collect()
}

fn is_exported(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// What is exported, and what that mentions.
fn kept(declarations: &[Declaration], is_builtin: bool) -> Vec<&Declaration> {
    let mut mentioned: BTreeSet<&str> = BTreeSet::new();
    loop {
        let is_named = |name: &str| is_builtin || is_exported(name) || mentioned.contains(name);
        let is_kept = |declaration: &&Declaration| match &declaration.receiver {
            Some(receiver) => {
                is_named(receiver) && declaration.names.iter().all(|name| is_exported(name))
            }
            None => declaration.names.iter().any(|name| is_named(name)),
        };
        let kept: Vec<&Declaration> = declarations.iter().filter(is_kept).collect();
        let all: BTreeSet<&str> = kept
            .iter()
            .flat_map(|of| &of.mentions)
            .map(String::as_str)
            .collect();
        if all == mentioned {
            return kept;
        }
        mentioned = all;
    }
}

fn default_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or(path);
    let is_version = last
        .strip_prefix('v')
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    parts.next().filter(|_| is_version).unwrap_or(last)
}

fn imports(root: Node<'_>, text: &str) -> BTreeMap<String, String> {
    let mut imports = BTreeMap::new();
    let mut waiting: Vec<Node<'_>> = named_children(root)
        .filter(|node| node.kind() == "import_declaration")
        .collect();
    while let Some(node) = waiting.pop() {
        if node.kind() != "import_spec" {
            waiting.extend(named_children(node));
            continue;
        }
        let path = field_text(node, "path", text).trim_matches(['"', '`']);
        let local = match field_text(node, "name", text) {
            "" => default_name(path),
            name => name,
        };
        imports.insert(local.to_owned(), path.to_owned());
    }
    imports
}

struct FileReader<'t> {
    text: &'t str,
    imports: BTreeMap<String, String>,
}

impl FileReader<'_> {
    fn declare(&self, node: Node<'_>, declarations: &mut Vec<Declaration>) {
        match node.kind() {
            "function_declaration" | "method_declaration" => {
                let mut declaration = self.declaration(node, "");
                declaration.names = vec![field_text(node, "name", self.text).to_owned()];
                declaration.receiver = node
                    .child_by_field_name("receiver")
                    .and_then(|of| self.receiver(of));
                declarations.push(declaration);
            }
            "type_declaration" => {
                for spec in named_children(node).filter(|node| node.kind() != "comment") {
                    let mut declaration = self.declaration(spec, "type ");
                    declaration.names = vec![field_text(spec, "name", self.text).to_owned()];
                    declarations.push(declaration);
                }
            }
            "var_declaration" => {
                let specs = named_children(node).flat_map(|node| match node.kind() {
                    "var_spec_list" => named_children(node).collect(),
                    _ => vec![node],
                });
                for spec in specs.filter(|spec| spec.kind() == "var_spec") {
                    let mut declaration = self.declaration(spec, "var ");
                    declaration.names = self.names(spec);
                    declarations.push(declaration);
                }
            }
            "const_declaration" => self.declare_constants(node, declarations),
            _ => {}
        }
    }

    /// A constant without a value has the type and the value of the one before it.
    fn declare_constants(&self, node: Node<'_>, declarations: &mut Vec<Declaration>) {
        let mut last = None;
        for spec in named_children(node).filter(|node| node.kind() == "const_spec") {
            let names = self.names(spec);
            last = spec.child_by_field_name("value").map(|_| spec).or(last);
            let Some(full) = last else { continue };
            let mut declaration = self.declaration(full, "const ");
            // behind the comment, which may have the sign too
            let text = declaration.text.as_str();
            let bare = match text.starts_with("//") {
                true => text.split_once('\n').map_or("", |(_, bare)| bare),
                false => text,
            };
            let (_, value) = bare.split_once('=').unwrap_or_default();
            let type_text = field_text(full, "type", self.text);
            let space = if type_text.is_empty() { "" } else { " " };
            let documentation = self.documentation(spec);
            declaration.text = format!(
                "{documentation}const {}{space}{type_text} ={value}",
                names.join(", ")
            );
            declaration.names = names;
            declarations.push(declaration);
        }
    }

    fn names(&self, spec: Node<'_>) -> Vec<String> {
        let mut cursor = spec.walk();
        let names = spec
            .children_by_field_name("name", &mut cursor)
            .filter(Node::is_named);
        names
            .map(|name| text_of(name, self.text).to_owned())
            .collect()
    }

    /// The name of the type in `(f *File[T])`.
    fn receiver(&self, list: Node<'_>) -> Option<String> {
        let mut node = named_children(list).find(|node| node.kind() == "parameter_declaration")?;
        node = node.child_by_field_name("type")?;
        while node.kind() != "type_identifier" {
            node = named_children(node).next()?;
        }
        Some(text_of(node, self.text).to_owned())
    }

    fn declaration<'n>(&self, node: Node<'n>, keyword: &str) -> Declaration {
        let mut declaration = Declaration::default();
        let is_variable = node.kind() == "var_spec";
        let text = reduced(node, self.text, &mut |node: Node<'n>| {
            let reduction = self.reduction(node);
            if matches!(reduction, Reduction::Parts) {
                self.mention(node, is_variable, &mut declaration);
            }
            reduction
        });
        // a field that is gone leaves its semicolon in a type of one line
        let text = text.replace("{ ;", "{");
        let documentation = self.documentation(node);
        declaration.text = tidied(&format!("{documentation}{keyword}{text}"));
        declaration
    }

    /// The first sentence of the comment before a declaration, as a comment.
    fn documentation(&self, node: Node<'_>) -> String {
        // a declaration of one thing without brackets has its comment before the keyword
        let outer = node
            .parent()
            .filter(|parent| parent.start_position().row == node.start_position().row);
        let declaration = outer
            .filter(|parent| parent.kind() != "source_file")
            .unwrap_or(node);
        let mut lines = Vec::new();
        let mut row = declaration.start_position().row;
        let mut before = declaration.prev_sibling();
        while let Some(comment) = before.filter(|node| {
            node.kind() == "comment"
                && node.end_position().row + 1 == row
                && self.begins_line(*node)
        }) {
            row = comment.start_position().row;
            lines.push(text_of(comment, self.text).trim_start_matches("//").trim());
            before = comment.prev_sibling();
        }
        lines.reverse();
        match first_sentence(&lines.join("\n")) {
            sentence if sentence.is_empty() => sentence,
            sentence => format!("// {sentence}\n"),
        }
    }

    /// Whether nothing stands before a node in its line: a comment behind a declaration is of that one.
    fn begins_line(&self, node: Node<'_>) -> bool {
        let before = self.text.get(..node.start_byte()).unwrap_or_default();
        before.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    fn mention(&self, node: Node<'_>, is_variable: bool, declaration: &mut Declaration) {
        let name = || text_of(node, self.text).to_owned();
        let is_package = match node.kind() {
            "type_identifier" => {
                // a type of another package has its name behind the package's
                if node
                    .parent()
                    .is_none_or(|parent| parent.kind() != "qualified_type")
                {
                    declaration.mentions.insert(name());
                }
                false
            }
            "package_identifier" => true,
            "identifier" => {
                if is_variable {
                    declaration.mentions.insert(name());
                }
                node.parent()
                    .is_some_and(|parent| parent.kind() == "selector_expression")
            }
            _ => false,
        };
        if let Some(path) = self
            .imports
            .get(text_of(node, self.text))
            .filter(|_| is_package)
        {
            declaration.imports.insert((name(), path.clone()));
        }
    }

    fn reduction(&self, node: Node<'_>) -> Reduction {
        let parent = node.parent().map_or("", |parent| parent.kind());
        match node.kind() {
            "comment" => Reduction::Nothing,
            "block" if parent == "func_literal" => Reduction::Text("{}".into()),
            "block" => Reduction::Nothing,
            "literal_value" => Reduction::Text("{}".into()),
            "field_declaration" => {
                let names = self.names(node);
                let is_hidden = !names.is_empty() && !names.iter().any(|name| is_exported(name));
                if is_hidden {
                    Reduction::Nothing
                } else {
                    Reduction::Parts
                }
            }
            "raw_string_literal" | "interpreted_string_literal"
                if parent == "field_declaration" =>
            {
                Reduction::Nothing
            }
            "method_elem" if !is_exported(field_text(node, "name", self.text)) => {
                Reduction::Nothing
            }
            _ => Reduction::Parts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn describe(texts: &[&str]) -> String {
        let files: Vec<_> = texts
            .iter()
            .map(|text| ("a.go".to_owned(), (*text).to_owned()))
            .collect();
        description(&PackageSource {
            path: "a",
            files: &files,
        })
        .expect("the package is described")
    }

    #[test]
    fn what_is_exported_stays_with_what_it_is_made_of() {
        let text = describe(&["\
package a

import (
\t\"io\"
\tother \"net/url\"
\t\"os\"
)

// A reader.
type Reader struct {
\t*hidden
\tName string `json:\"name\"` // its name
\tsize int
}

type hidden struct { at int; At other.URL }

func (h *hidden) Open(r io.Reader) error { return os.Remove(\"\") }
func (h *hidden) close() {}
func helper() {}

type Closer interface { Close() error; hidden() }

var Default = newReader(1)
var Table = map[string]int{\"a\": 1}

func newReader(size int) *Reader { return nil }
func Map[K comparable, V any](m map[K]V, f func(K) V) []V {
\treturn nil
}
"]);
        assert_eq!(
            text,
            "\
package a
import \"io\"
import other \"net/url\"
// A reader.
type Reader struct {
\t*hidden
\tName string
}
type hidden struct { At other.URL }
func (h *hidden) Open(r io.Reader) error
type Closer interface { Close() error; }
var Default = newReader(1)
var Table = map[string]int{}
func newReader(size int) *Reader
func Map[K comparable, V any](m map[K]V, f func(K) V) []V
"
        );
    }

    #[test]
    fn generic_methods_are_left_out() {
        let text = "package a\nfunc (r *R) N[T any](n T) T {\n\tif true {\n\t}\n}\nfunc (r *R) M(a []int) {}\nfunc N[T any]() {}\n";
        assert_eq!(
            without_generic_methods(text),
            "package a\nfunc (r *R) M(a []int) {}\nfunc N[T any]() {}\n"
        );
    }

    #[test]
    fn constants_have_the_type_of_the_one_before() {
        let text = describe(&[
            "package a\n\nconst (\n\tnone Kind = iota // none\n\tOne\n\tTwo\n\tOther = \"x\"\n)\n\ntype Kind int\n",
        ]);
        assert_eq!(
            text,
            "package a\nconst One Kind = iota\nconst Two Kind = iota\nconst Other = \"x\"\ntype Kind int\n"
        );
    }
}
