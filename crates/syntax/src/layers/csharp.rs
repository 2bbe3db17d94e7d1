//! C#: accessors, and expression bodies as the blocks they stand for (SPEC H3, `000` §3.3).

use tree_sitter::Node;

use super::layer_digest::Layer;
use super::pass::LayerPass;
use super::region::Region;
use crate::Visibility;
use crate::spec::{KeywordMeaning, LayerRole};

/// How an expression body ends, written as a block.
const END: &[&str] = &[";", "}"];

impl<'t> LayerPass<'t> {
    /// Begins the region of a node that only C# has. Whether it was one.
    pub(super) fn begin_csharp(&mut self, node: Node<'t>, region: Region, role: LayerRole) -> bool {
        let end = node.end_byte();
        match role {
            LayerRole::Accessors if region == Region::Head => {
                self.frame(end, Region::Accessors, &[]);
            }
            LayerRole::Accessor if region == Region::Accessors => {
                let region = if is_hidden(self, node) {
                    Region::Inner
                } else {
                    Region::Accessor
                };
                self.frame(end, region, &[]);
            }
            LayerRole::Arrow => self.arrow(node, region),
            LayerRole::Block if region == Region::Accessor => {
                self.frame(end, Region::Body, &[]);
                self.accessor_name(node);
            }
            _ => return false,
        }
        true
    }

    /// `=> e` is `{ return e; }`, or `{ e; }` where nothing is returned; of a property, it is what
    /// its only accessor does.
    fn arrow(&mut self, node: Node<'t>, region: Region) {
        let Some(parent) = node.parent() else { return };
        let is_property = matches!(
            parent.kind(),
            "property_declaration" | "indexer_declaration"
        );
        if is_property && region == Region::Head {
            self.push(Layer::Header, b"get");
        }
        let inside = match region {
            Region::Inner => Region::Inner,
            _ => Region::Body,
        };
        self.frame(node.end_byte(), inside, END);
        if is_property {
            self.body_token("get");
        } else {
            self.accessor_name(node);
        }
        self.body_token("{");
        if is_property || returns(self, parent) {
            self.body_token("return");
        }
    }

    /// Which accessor a body is of.
    fn accessor_name(&mut self, body: Node<'t>) {
        let accessor = body
            .parent()
            .filter(|node| node.kind() == "accessor_declaration");
        if let Some(name) = accessor.and_then(|accessor| keyword(self, accessor)) {
            self.body_token(name);
        }
    }
}

/// Whether the value of a declaration's expression body is its result.
fn returns(pass: &LayerPass<'_>, declaration: Node<'_>) -> bool {
    let written = |field: &str| {
        let node = declaration.child_by_field_name(field)?;
        pass.text.get(node.byte_range())
    };
    match declaration.kind() {
        "constructor_declaration" | "destructor_declaration" => false,
        "accessor_declaration" => written("name") == Some("get"),
        _ => match written("returns").or_else(|| written("type")) {
            Some("void") => false,
            Some(task) if matches!(task.rsplit('.').next(), Some("Task" | "ValueTask")) => {
                let head = &pass.text[declaration.start_byte()..];
                let head = head.split(['(', '{', '=']).next().unwrap_or("");
                !head.split_whitespace().any(|word| word == "async")
            }
            _ => true,
        },
    }
}

fn keyword<'t>(pass: &LayerPass<'t>, accessor: Node<'t>) -> Option<&'t str> {
    let name = accessor.child_by_field_name("name")?;
    pass.text.get(name.byte_range())
}

/// Whether an accessor is for the type itself, whoever sees the property.
fn is_hidden(pass: &LayerPass<'_>, accessor: Node<'_>) -> bool {
    let head = &pass.text[accessor.byte_range()];
    let end = head.find(['{', '=', ';']).unwrap_or(head.len());
    let mut words = head[..end].split_whitespace();
    words.any(|word| {
        matches!(
            pass.spec.word(word),
            Some(KeywordMeaning::Visibility(
                Visibility::Private | Visibility::Internal
            ))
        )
    }) && !head[..end].contains("protected internal")
}
