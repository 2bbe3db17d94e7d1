//! Expressions as bytes: the number of the form, then its parts in the order and the way of one table.

use super::{Coder, PreviousEntry, word};
use crate::expr_kind::ExprKind;
use crate::facts::{Expr, IterationPart, Literal, NONE, Role};

/// The value of a part before it is read.
trait BlankPart {
    const BLANK: Self;
}

impl BlankPart for u32 {
    const BLANK: Self = 0;
}

impl BlankPart for u8 {
    const BLANK: Self = 0;
}

impl BlankPart for Role {
    const BLANK: Self = Self::Read;
}

impl BlankPart for IterationPart {
    const BLANK: Self = Self::Element;
}

impl BlankPart for Literal {
    const BLANK: Self = Self::Text;
}

/// Makes the blank expressions and the coder of a table: each form with its parts, each with the way it is coded.
macro_rules! expr_forms {
    ($($form:ident: $($way:ident($($part:ident),+)),*;)*) => {
        /// An expression of each form, at the place of the form's number; its parts are blank.
        pub(super) const BLANKS: &[Expr] = &[
            $(Expr::$form { $($($part: BlankPart::BLANK),+),* }),*
        ];

        impl<C: Coder> ExprCoder<'_, C> {
            fn parts(&mut self, expr: &mut Expr) {
                match expr {
                    $(Expr::$form { $($($part),+),* } => { $(self.$way($($part),+);)* })*
                }
            }
        }
    };
}

expr_forms! {
    Opaque:;
    Name: role(role, spaces), number(name), scope(scope), place(at);
    Member: role(role, spaces), operand(of), number(name), place(at);
    Module: number(name), place(at), byte(level);
    This: scope(scope);
    Super: scope(scope);
    SelfType: scope(scope);
    Call: operand(of), entry(args);
    New: operand(of), entry(args);
    Index: operand(of), operand(by);
    Apply: operand(of), entry(args);
    Keyword: operand(call), number(name), place(at), operand(value);
    Await: operand(of);
    Iter: operand(of), iteration(part);
    Entry: operand(of), number(index);
    Unwrap: operand(of);
    Deref: operand(of);
    Pointer: operand(of);
    Value: operand(of);
    TypeOf: operand(of);
    Operator: number(name), operand(left), operand(right);
    Union: entry(of);
    Tuple: entry(of);
    Array: operand(of);
    Map: operand(key), operand(value);
    Function: entry(def);
    Object: own_scope(scope), operand(of);
    ContextualType: operand(call), number(index);
    ContextualParam: operand(of), number(index);
    Constant: literal(of), number(value);
    Discriminant: number(member), operand(value);
    Indirect: operand(of), operand(narrowed);
    Literal: literal(of);
}

/// Codes the expression with a number.
struct ExprCoder<'c, C> {
    coder: &'c mut C,
    /// The number of the expression.
    own: u32,
    before: &'c mut PreviousEntry,
}

impl<C: Coder> ExprCoder<'_, C> {
    #[inline]
    fn byte(&mut self, value: &mut u8) {
        self.coder.byte(value);
    }

    #[inline]
    fn number(&mut self, value: &mut u32) {
        self.coder.number(value);
    }

    /// An expression: operands are near the expression that has them.
    #[inline]
    fn operand(&mut self, value: &mut u32) {
        self.coder.near(value, self.own);
    }

    /// An entry of another table, or [`NONE`].
    #[inline]
    fn entry(&mut self, value: &mut u32) {
        self.coder.near(value, 0);
    }

    /// The scope of a name: near the scope of the name before.
    #[inline]
    fn scope(&mut self, value: &mut u32) {
        self.coder.near(value, self.before.scope);
        self.before.scope = *value;
    }

    /// A scope that an expression opens: the names after it are in the scope of those before.
    #[inline]
    fn own_scope(&mut self, value: &mut u32) {
        self.coder.near(value, self.before.scope);
    }

    /// A place in the text: near the place before.
    #[inline]
    fn place(&mut self, value: &mut u32) {
        self.coder.near(value, self.before.at);
        if *value != NONE {
            self.before.at = *value;
        }
    }

    #[inline]
    fn role(&mut self, role: &mut Role, spaces: &mut u8) {
        let mut byte = *role as u8 | (*spaces & 0x1f) << 3;
        self.coder.byte(&mut byte);
        *role = Role::ALL[usize::from(byte & 7)];
        *spaces = byte >> 3;
    }

    #[inline]
    fn iteration(&mut self, part: &mut IterationPart) {
        word(self.coder, part, &IterationPart::ALL);
    }

    #[inline]
    fn literal(&mut self, literal: &mut Literal) {
        word(self.coder, literal, &Literal::ALL);
    }
}

/// Codes an expression. What is read replaces `value`; a number of no form gives a literal.
pub(super) fn expr<C: Coder>(
    coder: &mut C,
    value: &mut Expr,
    own: u32,
    before: &mut PreviousEntry,
) {
    let form = ExprKind::of(value) as u8;
    let mut read = form;
    coder.byte(&mut read);
    if read != form {
        let blank = BLANKS.get(usize::from(read)).copied();
        *value = blank.unwrap_or(Expr::Literal { of: Literal::Text });
    }
    let mut coder = ExprCoder { coder, own, before };
    coder.parts(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_at_its_number() {
        assert_eq!(BLANKS.len(), ExprKind::ALL.len());
        for (index, form) in BLANKS.iter().enumerate() {
            assert_eq!(ExprKind::of(form) as usize, index);
        }
    }
}
