//! The forms of expressions, each with its number.

use crate::facts::Expr;

macro_rules! forms {
    ($($form:ident),* $(,)?) => {
        /// The form of an [`Expr`]. Its number is what caches have; new forms come before the last one, which the codec
        /// makes in its own way.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "they are those of `Expr`")]
        pub enum ExprKind { $($form),* }

        impl ExprKind {
            /// Each at the place of its number.
            pub const ALL: &[Self] = &[$(Self::$form),*];

            /// The form of an expression.
            #[must_use]
            pub fn of(expr: &Expr) -> Self {
                match expr { $(Expr::$form { .. } => Self::$form),* }
            }
        }
    };
}

forms![
    Opaque,
    Name,
    Member,
    Module,
    This,
    Super,
    SelfType,
    Call,
    New,
    Index,
    Apply,
    Keyword,
    Await,
    Iter,
    Entry,
    Unwrap,
    Deref,
    Pointer,
    Value,
    TypeOf,
    Operator,
    Union,
    Tuple,
    Array,
    Map,
    Function,
    Object,
    ContextualType,
    ContextualParam,
    Constant,
    Discriminant,
    Indirect,
    Literal,
];
