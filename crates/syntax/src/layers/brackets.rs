//! The brackets around a token: in parentheses and square brackets, no line break ends a statement.

/// The brackets that are open, the innermost last: whether each is no brace.
#[derive(Debug, Default)]
pub(crate) struct Brackets(Vec<bool>);

impl Brackets {
    /// Takes in a token.
    pub(crate) fn token(&mut self, token: &str) {
        match token {
            "(" | "[" => self.0.push(true),
            "{" => self.0.push(false),
            ")" | "]" | "}" => drop(self.0.pop()),
            _ => {}
        }
    }

    /// Whether the place is in parentheses or square brackets, with no brace in between.
    pub(crate) fn is_inside(&self) -> bool {
        self.0.last() == Some(&true)
    }
}
