//! Values of Rust that an associated function of their type makes: `a::B` is the type of `a::B::new()`.

use codecortex_bind::facts::DefKind;
use codecortex_resolve::{DefRef, ExprRef};
use tree_sitter::{Node, Tree};

use crate::extract::selection::SelectedCode;
use crate::tree::{leaf_at, text_of, tree_of};

/// The type of a call, as it is written there. Nothing where the declared result is not `Self`, or the type has parameters:
/// nobody wrote what they are.
pub(super) fn made_by(of: &SelectedCode<'_, '_>, call: Node<'_>) -> Option<String> {
    let callee = call.child_by_field_name("function")?;
    if callee.kind() != "scoped_identifier" {
        return None;
    }
    let owner = callee.child_by_field_name("path")?;
    let name = owner.child_by_field_name("name").unwrap_or(owner);
    let written = text_of(owner, of.text);
    let is_path = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
    if !written.chars().all(is_path) || text_of(name, of.text) == "Self" {
        return None;
    }
    let made = target_at(of, name)?;
    let kind = of.resolver.kind(made)?;
    if !matches!(kind, DefKind::Struct | DefKind::Enum | DefKind::Union) {
        return None;
    }
    declaration_has(of, made, |declared, _| {
        declared.child_by_field_name("type_parameters").is_none()
    })?;
    let function = target_at(of, callee.child_by_field_name("name")?)?;
    declaration_has(of, function, |declared, text| {
        let result = declared.child_by_field_name("return_type");
        let result = result.map_or("", |result| text_of(result, text));
        let head = text.get(declared.start_byte()..declared.end_byte());
        let head = head
            .and_then(|head| head.split_once("fn "))
            .map_or("", |(head, _)| head);
        let is_plain = !head.split_whitespace().any(|word| word == "async")
            && declared.child_by_field_name("type_parameters").is_none();
        is_plain && (result == "Self" || result == text_of(name, of.text))
    })?;
    Some(written.to_owned())
}

/// The one declaration that a name means.
fn target_at(of: &SelectedCode<'_, '_>, name: Node<'_>) -> Option<DefRef> {
    let (used, _) = of.resolver.at(of.file, name.start_byte() as u32);
    let file = of.file;
    let target = of.resolver.target(ExprRef { file, expr: used? });
    match target.defs[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Whether the node of a declaration is so; nothing where it is not, or its text is not known.
fn declaration_has(
    of: &SelectedCode<'_, '_>,
    def: DefRef,
    is_so: impl FnOnce(Node<'_>, &str) -> bool,
) -> Option<()> {
    let workspace = of.resolver.workspace();
    let at = workspace.file(def.file)?.def(def.def).at;
    let parsed: Tree;
    let (tree, text) = match def.file == of.file {
        true => (of.tree, of.text),
        false => {
            let text = of.texts.get(&def.file)?;
            parsed = tree_of(workspace.path(def.file)?, text)?;
            (&parsed, text.as_str())
        }
    };
    let declared = leaf_at(tree, at)?.parent()?;
    is_so(declared, text).then_some(())
}
