//! Names of parameters, which class files lack, from the sources beside them.
//!
//! The sources' documentation is not taken over: unlike a name it is a text of its authors, and their licence is not ours.

use std::collections::BTreeMap;

use anyhow::Result;
use codecortex_syntax::Language;
use tree_sitter::Node;

use super::super::syntax_reduction::{field_text, named_children, parsed, text_of};

/// A method or constructor: the types around it, its name, and the erased types of its parameters.
type Identity = String;

/// A description with the names that the source of the same file gives parameters.
pub(super) fn with_parameter_names(path: &str, description: &str, source: &str) -> Result<String> {
    let mut names: BTreeMap<Identity, Vec<&str>> = BTreeMap::new();
    visit(
        parsed(Language::Java, path, source)?.root_node(),
        source,
        &mut |node, identity| {
            let parameters = parameters(node).filter_map(parameter_name);
            names
                .entry(identity)
                .or_insert_with(|| parameters.map(|name| text_of(name, source)).collect());
        },
    );
    // what is put in, by place
    let mut changes: Vec<(usize, usize, &str)> = Vec::new();
    visit(
        parsed(Language::Java, path, description)?.root_node(),
        description,
        &mut |node, identity| {
            for (parameter, name) in
                parameters(node).zip(names.get(&identity).into_iter().flatten())
            {
                if let Some(old) = parameter_name(parameter) {
                    changes.push((old.start_byte(), old.end_byte(), name));
                }
            }
        },
    );
    changes.sort();
    let (mut text, mut at) = (String::new(), 0);
    for (start, end, replacement) in changes {
        text.extend([description.get(at..start).unwrap_or_default(), replacement]);
        at = end;
    }
    text.push_str(description.get(at..).unwrap_or_default());
    Ok(text)
}

/// Calls a function with each method and constructor, and its identity.
fn visit<'n>(root: Node<'n>, text: &str, found: &mut dyn FnMut(Node<'n>, Identity)) {
    let mut waiting = vec![(root, String::new())];
    while let Some((node, around)) = waiting.pop() {
        for child in named_children(node) {
            let name = field_text(child, "name", text);
            match child.kind() {
                "class_body"
                | "interface_body"
                | "enum_body"
                | "enum_body_declarations"
                | "annotation_type_body" => waiting.push((child, around.clone())),
                "class_declaration"
                | "interface_declaration"
                | "enum_declaration"
                | "record_declaration"
                | "annotation_type_declaration" => {
                    waiting.push((child, format!("{around}.{name}")))
                }
                "method_declaration" | "constructor_declaration" => {
                    let types = parameters(child).map(|parameter| erased_type(parameter, text));
                    let types = types.collect::<Vec<_>>().join(",");
                    found(child, format!("{around}.{name}({types})"));
                }
                _ => {}
            }
        }
    }
}

fn parameters(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let list = node.child_by_field_name("parameters");
    let is_parameter =
        |node: &Node<'_>| matches!(node.kind(), "formal_parameter" | "spread_parameter");
    list.into_iter()
        .flat_map(named_children)
        .filter(is_parameter)
}

fn parameter_name(parameter: Node<'_>) -> Option<Node<'_>> {
    let declarator = named_children(parameter).find(|node| node.kind() == "variable_declarator");
    declarator.unwrap_or(parameter).child_by_field_name("name")
}

/// A parameter's type without arguments, packages and annotations; `T...` is `T[]`.
fn erased_type(parameter: Node<'_>, text: &str) -> String {
    let of = parameter.child_by_field_name("type").or_else(|| {
        named_children(parameter)
            .find(|node| !matches!(node.kind(), "modifiers" | "variable_declarator"))
    });
    let mut depth = 0;
    let mut erased = String::new();
    for character in of.map_or("", |of| text_of(of, text)).chars() {
        match character {
            '<' => depth += 1,
            '>' => depth -= 1,
            // what stood before a point is a package or the type around
            '.' if depth == 0 => erased.clear(),
            character if depth == 0 && !character.is_whitespace() => erased.push(character),
            _ => {}
        }
    }
    // `int a[]` is written of old
    let dimensions = parameter
        .child_by_field_name("dimensions")
        .map_or("", |node| text_of(node, text));
    let variable = if parameter.kind() == "spread_parameter" {
        "[]"
    } else {
        ""
    };
    erased + dimensions + variable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_named_where_a_method_has_the_same_types() {
        let source = "\
public class Shelf<T> {
    /** @return it */
    @Override
    public <U> U find(final java.util.Map.Entry<? super T, int[]> entry, String... names) { return null; }
    public void find(int other) {}
    public enum Kind { A; public void say(int loud[]) {} }
}
";
        let description = "\
public class Shelf<T> {
    public <U> U find(Map.Entry<? super T, int[]> a0, String... a1);
    public void find(long a0);
    public enum Kind {
        A;
        public void say(int[] a0);
    }
}
";
        let named = with_parameter_names("Shelf.java", description, source).expect("both parse");
        assert_eq!(
            named,
            "\
public class Shelf<T> {
    public <U> U find(Map.Entry<? super T, int[]> entry, String... names);
    public void find(long a0);
    public enum Kind {
        A;
        public void say(int[] loud);
    }
}
"
        );
    }
}
