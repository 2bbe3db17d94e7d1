//! C and C++: the signature of one of the declarators of a declaration.

use std::ops::Range;

use tree_sitter::Node;

use super::c_declarator::Declarator;
use crate::signature;
use crate::walk::Walk;

/// Specifiers, type and this declarator, with a short value.
pub(super) fn signature_of<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    declarator: Node<'t>,
    found: &Declarator<'t>,
) -> String {
    const MAX_VALUE: usize = 60;
    let mut parts = Vec::new();
    let mut cursor = node.walk();
    let mut shortened = false;
    let mut before_declarators = true;
    let mut here = false;
    let mut more = cursor.goto_first_child();
    while more {
        let child = cursor.node();
        let is_declarator = cursor.field_name() == Some("declarator");
        if is_declarator {
            before_declarators = false;
            here = child.id() == declarator.id();
            if here {
                match found.value {
                    Some(value) if value.byte_range().len() > MAX_VALUE => {
                        shortened = true;
                        parts.push(child.start_byte()..value.start_byte());
                    }
                    _ => signature::push(walk, child, &mut parts),
                }
            }
        } else if before_declarators {
            type_parts(walk, child, &mut parts);
        } else if here {
            match cursor.field_name() {
                Some("body") => break,
                Some("default_value") if child.byte_range().len() > MAX_VALUE => {
                    shortened = true;
                    break;
                }
                _ if matches!(
                    child.kind(),
                    ";" | "," | "field_initializer_list" | "try_statement" | "{"
                ) =>
                {
                    here = false;
                }
                _ => signature::push(walk, child, &mut parts),
            }
        }
        more = cursor.goto_next_sibling();
    }
    signature::of_parts(walk, &walk.wrappers_of(), node, parts, shortened)
}

/// A specifier; of a type that is defined in place only its head.
fn type_parts<'t>(walk: &Walk<'t>, child: Node<'t>, parts: &mut Vec<Range<usize>>) {
    match child.child_by_field_name("body") {
        Some(body) => {
            let end = walk.text[..body.start_byte()].trim_end().len();
            parts.push(child.start_byte()..end);
        }
        None => signature::push(walk, child, parts),
    }
}
