//! The function that selected statements are in, and the place of a new one beside it.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::place::{innermost_function, outermost_function};
use crate::extract::selection::SelectedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::text_of;
use crate::words::words_like;

/// Where selected code is, and where its function goes.
#[derive(Clone, Copy)]
pub(super) struct FunctionHost<'t> {
    /// The innermost function around the selection.
    pub(super) function: Node<'t>,
    /// The outermost one.
    pub(super) outermost: Node<'t>,
    /// The declaration that the new function stands beside.
    pub(super) member: Node<'t>,
    /// The type whose member the new function is.
    pub(super) owner: Option<Node<'t>>,
    /// Whether the outermost function belongs to the type, not to an object.
    pub(super) is_static: bool,
}

/// What holds declarations: the nodes whose children are beside one another.
const HOLDERS: &str = "program module source_file translation_unit compilation_unit class_body declaration_list \
    field_declaration_list member_list interface_body enum_body_declarations preproc_if preproc_ifdef preproc_else \
    file_scoped_namespace_declaration";

fn is_holder(node: Node<'_>) -> bool {
    let kind = node.kind();
    let is_module = kind == "statement_block"
        && node
            .parent()
            .is_some_and(|of| matches!(of.kind(), "internal_module" | "module"));
    is_module || kind == "block" || HOLDERS.split_ascii_whitespace().any(|one| one == kind)
}

/// The type whose body a node is.
fn owner_of(holder: Node<'_>) -> Option<Node<'_>> {
    let parent = holder.parent()?;
    let kind = parent.kind();
    let is_type = kind.starts_with("class")
        || kind.starts_with("abstract_class")
        || kind.starts_with("struct")
        || kind.starts_with("record")
        || kind.starts_with("interface")
        || kind.starts_with("enum")
        || matches!(kind, "impl_item" | "trait_item" | "union_specifier");
    is_type.then_some(parent)
}

impl<'t> FunctionHost<'t> {
    /// The host of code below a node.
    pub(super) fn new(of: &SelectedCode<'t, '_>, code: Node<'t>) -> Result<Self, Refusal> {
        let at = code.start_byte();
        let Some(function) = innermost_function(of.forms, code) else {
            let message = "The selection is not in a function.";
            return of.refuse(RefusalKind::Unsupported, message, at);
        };
        let outermost = outermost_function(of.forms, function);
        let mut member = outermost;
        let holder = loop {
            let Some(parent) = member.parent() else {
                let message = "The function is in no declaration.";
                return of.refuse(RefusalKind::Unsupported, message, at);
            };
            if is_holder(parent) {
                break parent;
            }
            member = parent;
        };
        let owner = owner_of(holder);
        let refuse = |message: &str| of.refuse(RefusalKind::Unsupported, message, at);
        if let Some(owner) = owner {
            let kind = owner.kind();
            if kind.starts_with("interface") || kind == "trait_item" {
                return refuse("A new member of an interface would have to be implemented.");
            }
            if kind == "impl_item" && owner.child_by_field_name("trait").is_some() {
                if !is_apart_from(of, owner) {
                    return refuse("The implementation of a trait can have no other function.");
                }
                // It stands behind the implementation, as a function of the module.
                return Ok(Self {
                    function,
                    outermost,
                    member: owner,
                    owner: None,
                    is_static: false,
                });
            }
        }
        let is_static = has_modifier(of, outermost, "static") || has_modifier(of, member, "static");
        Ok(Self {
            function,
            outermost,
            member,
            owner,
            is_static,
        })
    }

    /// The name of the type whose member the new function is.
    pub(super) fn owner_name(&self, text: &'t str) -> Option<&'t str> {
        let name = self.owner?.child_by_field_name("name")?;
        Some(text_of(name, text))
    }
}

/// Whether the selected code says nothing of the type that an implementation is of.
fn is_apart_from(of: &SelectedCode<'_, '_>, implementation: Node<'_>) -> bool {
    let range = of.range.start as usize..of.range.end as usize;
    let text = of.text.get(range).unwrap_or_default();
    let has_word = |word: &str| words_like(text, word).next().is_some();
    let has_parameters = implementation
        .child_by_field_name("type_parameters")
        .is_some();
    !has_parameters && !has_word("self") && !has_word("Self")
}

/// Whether a modifier stands before the name of a declaration.
pub(super) fn has_modifier(of: &SelectedCode<'_, '_>, node: Node<'_>, word: &str) -> bool {
    let name = node
        .child_by_field_name("name")
        .or_else(|| node.child_by_field_name("declarator"))
        .or_else(|| node.child_by_field_name("body"));
    let end = name.map_or(node.start_byte(), |name| name.start_byte());
    let head = of.text.get(node.start_byte()..end).unwrap_or_default();
    let is_python = of.dialect == Dialect::Python && word == "static";
    let decorated = node
        .parent()
        .filter(|of| is_python && of.kind() == "decorated_definition");
    let head = match decorated {
        Some(decorated) => of.text.get(decorated.start_byte()..end).unwrap_or_default(),
        None => head,
    };
    head.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .any(|one| one == word || is_python && one == "staticmethod")
}
