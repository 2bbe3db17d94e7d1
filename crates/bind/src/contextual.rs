//! Contextual types: what the surroundings expect an expression to be.

use crate::builder::BindingsBuilder;
use crate::facts::{Expr, ExprId, NONE};

/// What the surroundings expect an expression to be; lambdas, `new(…)` and literals of collections learn from it.
#[derive(Clone, Copy)]
pub(crate) enum ContextualType {
    /// Nobody says.
    Nothing,
    /// A value of this type.
    Type(ExprId),
    /// What this value is.
    Same(ExprId),
    /// An argument of a call, by its place.
    Argument(ExprId, u32),
}

impl ContextualType {
    /// What is expected as a value; [`NONE`] where nothing is.
    pub(crate) fn value(self, b: &mut BindingsBuilder) -> ExprId {
        match self {
            Self::Nothing => NONE,
            Self::Type(of) => b.expr(Expr::Value { of }),
            Self::Same(of) => of,
            Self::Argument(call, index) => b.expr(Expr::ContextualType { call, index }),
        }
    }
}
