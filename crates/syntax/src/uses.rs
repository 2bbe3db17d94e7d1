//! Names where they are used, in languages whose names are not resolved: each stands for everything that is
//! declared by it (SPEC D2).

use std::ops::Range;

use codecortex_bind::facts::{Bindings, DefKind, Role};
use codecortex_bind::{NamedDeclaration, bind_named};
use tree_sitter::Tree;

use crate::spec::Spec;
use crate::{Facts, ItemKind};

/// Characters that join names or mark them and belong to none: `@name`, `:name`, `A::B`, `\A\B`.
const MARKS: &str = ".:@$\\/#'\"`&";

/// The bindings of a text by its declarations and the names in its tree.
pub(crate) fn named(spec: &Spec, text: &str, tree: &Tree, facts: &Facts) -> Bindings {
    let declared = facts.items.iter().filter_map(|item| {
        let name = facts.str(item.name);
        let at = item.name_byte as usize;
        // Names that nobody writes are used by nobody.
        let is_written = !name.is_empty() && text.get(at..)?.starts_with(name);
        is_written.then(|| NamedDeclaration {
            name,
            kind: kind(item.kind),
            at: item.name_byte,
            range: item.start_byte as usize..item.end_byte as usize,
        })
    });
    bind_named(text, declared, written(spec, text, tree).into_iter())
}

/// Every name that is written, in the order of the text.
fn written(spec: &Spec, text: &str, tree: &Tree) -> Vec<(Range<usize>, Role)> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    let mut around: Vec<u16> = Vec::new();
    loop {
        let node = cursor.node();
        let role = spec.uses.role(node, around.last().copied());
        // What names are joined of, or code is written in, is looked into.
        let is_name = role.filter(|_| node.named_child_count() == 0);
        if let Some(role) = is_name {
            let range = node.byte_range();
            let parts = parts(text.get(range.clone()).unwrap_or_default());
            let places = parts.map(|part| part.start + range.start..part.end + range.start);
            found.extend(places.map(|place| (place, role)));
        } else if cursor.goto_first_child() {
            around.push(node.kind_id());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
            around.pop();
        }
    }
}

/// The names that a token is joined of.
fn parts(token: &str) -> impl Iterator<Item = Range<usize>> {
    let is_mark = |letter: char| MARKS.contains(letter) || letter.is_whitespace();
    let start = token.as_ptr() as usize;
    token.split(is_mark).filter_map(move |part| {
        let at = part.as_ptr() as usize - start;
        let first = part.chars().next()?;
        (first.is_alphabetic() || first == '_').then(|| at..at + part.len())
    })
}

fn kind(kind: ItemKind) -> DefKind {
    match kind {
        ItemKind::Namespace => DefKind::Namespace,
        ItemKind::Module => DefKind::Module,
        ItemKind::Class => DefKind::Class,
        ItemKind::Struct => DefKind::Struct,
        ItemKind::Interface => DefKind::Interface,
        ItemKind::Trait => DefKind::Trait,
        ItemKind::Enum => DefKind::Enum,
        ItemKind::Record => DefKind::Record,
        ItemKind::Union => DefKind::Union,
        ItemKind::Delegate => DefKind::Delegate,
        ItemKind::TypeAlias => DefKind::TypeAlias,
        ItemKind::Extension => DefKind::Impl,
        ItemKind::Function => DefKind::Function,
        ItemKind::Method | ItemKind::Destructor | ItemKind::Operator => DefKind::Method,
        ItemKind::Constructor => DefKind::Constructor,
        ItemKind::Property => DefKind::Property,
        ItemKind::Field => DefKind::Field,
        ItemKind::Constant => DefKind::Constant,
        ItemKind::Variable => DefKind::Variable,
        ItemKind::Event => DefKind::Event,
        ItemKind::EnumMember => DefKind::EnumMember,
        ItemKind::Macro => DefKind::Macro,
    }
}
