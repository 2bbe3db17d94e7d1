//! What selects a node in another one.
//!
//! `name` is the child in the grammar's field of that name, or else the first child of that kind;
//! `#name` is the first child of that kind even if there is such a field; `name:kind` the first child
//! that is both; `name!` the last in a field; `'token'` a token; `after token` what stands behind one;
//! `.` the node itself. Dots go further inside, and of several ways with `|` between them the first
//! that leads somewhere is taken: `signature.name | name`.

use std::num::NonZeroU16;

use tree_sitter::Node;

/// No selector goes further inside.
pub(crate) const LONGEST_PATH: usize = 6;

/// What finds a node in another one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selector {
    Field(NonZeroU16),
    Kind(u16),
    /// Index of a path that is more than one of these.
    Path(u16),
}

impl Selector {
    /// How many levels below a node one is that it found.
    pub(crate) fn levels(self, node: Node<'_>, found: Node<'_>) -> usize {
        let Selector::Path(_) = self else {
            return 1;
        };
        let mut levels = 0;
        let mut up = Some(found);
        while let Some(around) = up.filter(|around| around.id() != node.id()) {
            levels += 1;
            up = around.parent();
        }
        levels
    }
}

/// One way or several to go from a node.
pub(super) type Path = Vec<Vec<SelectorStep>>;

#[derive(Clone, Debug)]
pub(super) enum SelectorStep {
    Itself,
    Field(NonZeroU16),
    LastField(NonZeroU16),
    FieldOfKind(NonZeroU16, Vec<u16>),
    Kinds(Vec<u16>),
    After(Vec<u16>),
}

/// The paths of a spec, to which [`Selector::Path`] leads.
#[derive(Debug, Default)]
pub(super) struct SelectorPaths(pub(super) Vec<Path>);

impl SelectorPaths {
    /// The first node that a selector finds.
    pub(super) fn select<'t>(&self, node: Node<'t>, selector: Selector) -> Option<Node<'t>> {
        match selector {
            Selector::Field(field) => node.child_by_field_id(field.get()),
            Selector::Kind(kind) => {
                let mut cursor = node.walk();
                node.children(&mut cursor)
                    .find(|child| child.kind_id() == kind)
            }
            Selector::Path(_) => self.select_all(node, selector).into_iter().next(),
        }
    }

    /// Every node that a selector finds; before its last step it takes the first way.
    pub(super) fn select_all<'t>(&self, node: Node<'t>, selector: Selector) -> Vec<Node<'t>> {
        match selector {
            Selector::Field(field) => all(node, &SelectorStep::Field(field)),
            Selector::Kind(kind) => all(node, &SelectorStep::Kinds(vec![kind])),
            Selector::Path(index) => {
                let ways = self.0.get(index as usize).into_iter().flatten();
                ways.map(|steps| walk(node, steps))
                    .find(|found| !found.is_empty())
                    .unwrap_or_default()
            }
        }
    }
}

fn walk<'t>(node: Node<'t>, steps: &[SelectorStep]) -> Vec<Node<'t>> {
    let mut found = vec![node];
    for step in steps {
        let Some(first) = found.first() else {
            break;
        };
        found = all(*first, step);
    }
    found
}

fn all<'t>(node: Node<'t>, step: &SelectorStep) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    match step {
        SelectorStep::Itself => vec![node],
        SelectorStep::Field(field) => node.children_by_field_id(*field, &mut cursor).collect(),
        SelectorStep::LastField(field) => {
            let children = node.children_by_field_id(*field, &mut cursor);
            children.last().into_iter().collect()
        }
        SelectorStep::FieldOfKind(field, kinds) => node
            .children_by_field_id(*field, &mut cursor)
            .filter(|child| kinds.contains(&child.kind_id()))
            .collect(),
        SelectorStep::Kinds(kinds) => node
            .children(&mut cursor)
            .filter(|child| kinds.contains(&child.kind_id()))
            .collect(),
        SelectorStep::After(tokens) => {
            let mut children = node.children(&mut cursor);
            let at = children.find(|child| tokens.contains(&child.kind_id()));
            at.and_then(|_| children.find(|child| !child.is_extra()))
                .into_iter()
                .collect()
        }
    }
}
