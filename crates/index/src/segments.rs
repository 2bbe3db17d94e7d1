//! The parts of a symbol's path, and how its language writes them.

use codecortex_syntax::{Facts, ItemIndex, ItemKind};

use crate::entry::container_parts;
use crate::file_facts::IndexedFile;

/// What a path segment names; it decides the separator before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// A namespace, package or module.
    Namespace,
    /// A type.
    Type,
    /// Anything else.
    Member,
}

/// One part of a symbol's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// The name as written.
    pub text: &'a str,
    /// What it names.
    pub kind: SegmentKind,
}

/// The path segments of a declaration, outermost first, behind those of its module.
pub(crate) fn segments_of<'a>(
    facts: &'a Facts,
    symbol: ItemIndex,
    modules: Vec<&'a str>,
) -> Vec<Segment<'a>> {
    let mut chain = Vec::new();
    let mut next = Some(symbol);
    while let Some(index) = next {
        let Some(item) = facts.items.get(index as usize) else {
            break;
        };
        if item.kind == ItemKind::Extension && index != symbol {
            push_container(&mut chain, facts.str(item.container));
        } else {
            let kind = if item.kind.is_namespace() {
                SegmentKind::Namespace
            } else if item.kind.is_type() || item.kind == ItemKind::Extension {
                SegmentKind::Type
            } else {
                SegmentKind::Member
            };
            // A namespace's name may itself be a path.
            for part in facts
                .str(item.name)
                .rsplit(['.', ':', '\\'])
                .filter(|part| !part.is_empty())
            {
                if kind != SegmentKind::Namespace {
                    chain.push(Segment {
                        text: facts.str(item.name),
                        kind,
                    });
                    break;
                }
                chain.push(Segment { text: part, kind });
            }
            push_container(&mut chain, facts.str(item.container));
        }
        next = item.parent;
    }
    chain.extend(modules.into_iter().rev().map(|text| Segment {
        text,
        kind: SegmentKind::Namespace,
    }));
    chain.reverse();
    chain
}

/// `A::B` of a member written outside its type, innermost first. Relative path words say nothing.
fn push_container<'a>(chain: &mut Vec<Segment<'a>>, container: &'a str) {
    if container.is_empty() {
        return; // nearly always
    }
    let parts = container_parts(container).into_iter().rev();
    let parts = parts.filter(|part| !matches!(*part, "crate" | "self" | "super"));
    chain.extend(parts.map(|text| Segment {
        text,
        kind: SegmentKind::Type,
    }));
}

/// Segments as the language of their file writes a path.
pub(crate) fn written_path(file: &IndexedFile, segments: &[Segment<'_>]) -> String {
    let row = file.facts.language.info();
    let mut out = String::new();
    let mut before: Option<SegmentKind> = None;
    for segment in segments {
        out.push_str(match (before, segment.kind) {
            (None, _) => "",
            (Some(SegmentKind::Namespace), SegmentKind::Namespace) => row.namespace_separator,
            (Some(SegmentKind::Type), SegmentKind::Type) => row.nested_separator,
            // Ruby's members have one of their own.
            (Some(SegmentKind::Namespace), SegmentKind::Type)
                if row.nested_separator == row.namespace_separator =>
            {
                row.namespace_separator
            }
            _ => row.member_separator,
        });
        out.push_str(segment.text);
        before = Some(segment.kind);
    }
    out
}
