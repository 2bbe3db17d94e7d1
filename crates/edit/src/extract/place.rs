//! Where an expression stands: its statement, and what that means for evaluating it before.

use tree_sitter::Node;

use crate::extract::forms::{Crossing, SyntaxForms};

/// What a declaration for an expression is written before.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StatementPlace<'t> {
    /// A statement in a block.
    InBlock(Node<'t>),
    /// The only statement behind a header, which gets braces.
    Unbraced(Node<'t>),
    /// An expression that is the body of a function or arm, which gets braces.
    Body(Node<'t>),
}

impl<'t> StatementPlace<'t> {
    pub(crate) fn node(self) -> Node<'t> {
        match self {
            Self::InBlock(node) | Self::Unbraced(node) | Self::Body(node) => node,
        }
    }
}

/// An expression with its statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpressionPlace<'t> {
    pub(crate) place: StatementPlace<'t>,
    /// What is between decides whether it is evaluated.
    pub(crate) conditional: Option<Node<'t>>,
    /// What is between evaluates it more than once.
    pub(crate) repeated: Option<Node<'t>>,
}

/// Why an expression has no statement before which it could be evaluated.
pub(crate) type FixedReason = String;

/// Finds the statement of an expression.
pub(crate) fn place_of<'t>(
    forms: &SyntaxForms,
    expression: Node<'t>,
    text: &str,
) -> Result<ExpressionPlace<'t>, FixedReason> {
    let (mut conditional, mut repeated) = (None, None);
    let mut node = expression;
    loop {
        let Some(parent) = node.parent() else {
            return Err("it is not in a function".to_owned());
        };
        let place = if forms.is_statement_in(parent, node) {
            Some(StatementPlace::InBlock(node))
        } else if forms.is_body(parent, node) {
            Some(StatementPlace::Body(node))
        } else if forms.is_unbraced(parent, node) {
            Some(StatementPlace::Unbraced(node))
        } else {
            None
        };
        if let Some(place) = place {
            return Ok(ExpressionPlace {
                place,
                conditional,
                repeated,
            });
        }
        match forms.crossing(parent, node, text) {
            Some(Crossing::Fixed(reason)) => return Err(reason.to_owned()),
            Some(Crossing::FixedItself(reason)) if node.id() == expression.id() => {
                return Err(reason.to_owned());
            }
            Some(Crossing::Conditional) => conditional = Some(parent),
            Some(Crossing::Repeated) => repeated = Some(parent),
            Some(Crossing::FixedItself(_) | Crossing::Once) | None => {}
        }
        if forms.is_function(parent) {
            return Err("it is not among the statements of a function".to_owned());
        }
        node = parent;
    }
}

/// The outermost function around a node, or the root of its tree.
pub(crate) fn outermost_function<'t>(forms: &SyntaxForms, node: Node<'t>) -> Node<'t> {
    let mut outermost = None;
    let mut next = Some(node);
    let mut root = node;
    while let Some(of) = next {
        if forms.is_function(of) {
            outermost = Some(of);
        }
        root = of;
        next = of.parent();
    }
    outermost.unwrap_or(root)
}

/// The innermost function around a node.
pub(crate) fn innermost_function<'t>(forms: &SyntaxForms, node: Node<'t>) -> Option<Node<'t>> {
    let mut next = node.parent();
    while let Some(of) = next {
        if forms.is_function(of) {
            return Some(of);
        }
        next = of.parent();
    }
    None
}
