//! Macros of arms as `select!` has them: `pattern = future, if condition => body`. By their shape, whatever they are
//! called: each arm is read as a `let`, its condition and its body in a block of their own.

use std::ops::Range;

use tree_sitter::{Node, Parser, Point, Tree};

use super::kinds::Kind;
use super::tokens::all_children;
use super::walk::{RustWalk, spaces};
use crate::facts::{Expr, ExprId, NONE, Role};

/// What stands before a pattern in the text that is parsed again.
const LET: &[u8] = b"{let ";

/// An arm: what it is read as, or tokens that bind nothing (`else`, `default(time)`).
struct Arm<'t> {
    /// Tokens that are read as they are.
    plain: Vec<Node<'t>>,
    /// First byte of the pattern, or of the body where there is none.
    start: usize,
    end: usize,
    /// Signs, and what is read in their place.
    signs: Vec<(Range<usize>, &'static [u8])>,
    has_pattern: bool,
}

impl<'t, 's> RustWalk<'t, 's> {
    /// What the arms of such a macro give, if it is one and all of them parse.
    pub(super) fn select_arms(&mut self, tokens: Node<'t>) -> Option<ExprId> {
        if self.is_nested_enough() {
            return None;
        }
        let children = all_children(tokens);
        let inside = children.get(1..children.len().checked_sub(1)?)?;
        let arms = self.arms(inside)?;
        let trees: Option<Vec<Tree>> = arms.iter().map(|arm| self.arm_tree(tokens, arm)).collect();
        let mut values = Vec::new();
        for (arm, tree) in arms.iter().zip(trees?) {
            for (index, token) in arm.plain.iter().enumerate() {
                self.plain_token(*token, arm.plain.get(index + 1));
            }
            values.push(self.walk_again(&tree, |inner, root| inner.arm_of_select(root)));
        }
        values.retain(|value| *value != NONE);
        values.truncate(super::exprs::ENTRIES);
        Some(self.b.union(&values))
    }

    /// The arms among tokens; none where something else is among them.
    fn arms(&self, tokens: &[Node<'t>]) -> Option<Vec<Arm<'t>>> {
        let kind = |at: usize| tokens.get(at).map_or("", |token| token.kind());
        let is_word = |at: usize, word: &str| {
            tokens
                .get(at)
                .is_some_and(|token| self.unraw(*token) == word)
        };
        let mut at = if is_word(0, "biased") && kind(1) == ";" {
            2
        } else {
            0
        };
        let mut arms = Vec::new();
        while at < tokens.len() {
            let arrow = at + tokens[at..].iter().position(|token| token.kind() == "=>")?;
            let behind = if self.opens_block(*tokens.get(arrow + 1)?) {
                arrow + 2
            } else {
                let comma = tokens[arrow..].iter().position(|token| token.kind() == ",");
                comma.map_or(tokens.len(), |comma| arrow + comma)
            };
            arms.push(self.select_arm(&tokens[at..behind], arrow - at)?);
            at = if kind(behind) == "," {
                behind + 1
            } else {
                behind
            };
        }
        arms.iter().any(|arm| arm.has_pattern).then_some(arms)
    }

    fn opens_block(&self, token: Node<'t>) -> bool {
        self.kind(token) == Kind::TokenTree && self.unraw(token).starts_with('{')
    }

    /// The arm of some tokens, `arrow` among them.
    fn select_arm(&self, tokens: &[Node<'t>], arrow: usize) -> Option<Arm<'t>> {
        let (head, body) = (tokens.get(..arrow)?, tokens.get(arrow + 1..)?);
        let end = body.last()?.end_byte();
        let place = |sign: &str| head.iter().position(|token| token.kind() == sign);
        let mut arm = Arm {
            plain: Vec::new(),
            start: head.first()?.start_byte(),
            end,
            signs: vec![(tokens[arrow].byte_range(), b"; ")],
            has_pattern: true,
        };
        if let Some(equals) = place("=").filter(|equals| *equals > 0) {
            let guard = (equals..head.len()).find(|at| {
                head[*at].kind() == ","
                    && head
                        .get(at + 1)
                        .is_some_and(|word| self.unraw(*word) == "if")
            });
            if let Some(guard) = guard {
                arm.signs.push((head[guard].byte_range(), b";"));
                arm.signs.push((head[guard + 1].byte_range(), b"  "));
            }
            return Some(arm);
        }
        if let Some(gives) = place("->").filter(|gives| *gives + 1 < head.len()) {
            // `recv(channel) -> pattern`
            arm.plain = head[..gives].to_vec();
            arm.start = head[gives + 1].start_byte();
            return Some(arm);
        }
        let is_word = matches!(self.unraw(*head.first()?), "else" | "default" | "complete");
        if !is_word || head.len() > 2 {
            return None;
        }
        arm.plain = head.get(1..)?.to_vec();
        arm.start = body.first()?.start_byte();
        arm.signs.clear();
        arm.has_pattern = false;
        Some(arm)
    }

    /// A token before the pattern of an arm.
    fn plain_token(&mut self, token: Node<'t>, next: Option<&Node<'t>>) {
        // The operation's name is the macro's word.
        let is_operation = next.is_some_and(|next| self.kind(*next) == Kind::TokenTree);
        if self.kind(token) == Kind::TokenTree {
            self.tokens(token, spaces::ANY, Role::Read);
        } else if !is_operation && self.kind(token) == Kind::Identifier {
            self.path(token, spaces::VALUE);
        }
    }

    /// An arm as it is parsed: `{let pattern = future; condition; body}`.
    fn arm_tree(&mut self, tokens: Node<'t>, arm: &Arm<'t>) -> Option<Tree> {
        let before: &[u8] = if arm.has_pattern { LET } else { b"{" };
        let (start, end) = (arm.start.checked_sub(before.len())?, arm.end + 1);
        let text = self.text;
        let reparse = &mut self.lang.shared.reparse;
        if reparse.text.is_empty() {
            reparse.text = text.as_bytes().to_vec();
        }
        let parser = reparse.parser.get_or_insert_with(Parser::new);
        parser.set_language(&tokens.language()).ok()?;
        let written = &mut reparse.text;
        written.get_mut(start..arm.start)?.copy_from_slice(before);
        *written.get_mut(arm.end)? = b'}';
        for (place, sign) in &arm.signs {
            written.get_mut(place.clone())?.copy_from_slice(sign);
        }
        let mut range = tokens.range();
        (range.start_byte, range.end_byte) = (start, end);
        parser.set_included_ranges(&[range]).ok()?;
        let mut read = |at: usize, _: Point| written.get(at..).unwrap_or(&[]);
        let tree = parser.parse_with_options(&mut read, None, None);
        let original = text.as_bytes().get(start..end)?;
        written.get_mut(start..end)?.copy_from_slice(original);
        tree.filter(|tree| !tree.root_node().has_error())
    }

    /// Walks an arm that was parsed; gives the value of its body.
    fn arm_of_select(&mut self, root: Node<'t>) -> ExprId {
        let block = root.named_child(0).map(|node| match self.kind(node) {
            Kind::Statement => node.named_child(0).unwrap_or(node),
            _ => node,
        });
        let Some(block) = block else { return NONE };
        let scope = self.block_scope(block.byte_range());
        let mut last = NONE;
        self.inside(scope, |walk| {
            walk.each(block, |walk, child| match walk.kind(child) {
                Kind::Let => walk.awaited(child),
                _ => last = walk.expr(child),
            });
        });
        last
    }

    /// `let pattern = future;`: the pattern is matched with what the future gives.
    fn awaited(&mut self, node: Node<'t>) {
        let value = node.child_by_field_id(self.table.value);
        let value = value.map_or(NONE, |value| {
            let of = self.expr(value);
            self.b.expr(Expr::Await { of })
        });
        if let Some(pattern) = node.child_by_field_id(self.table.pattern) {
            let from = node.end_byte() as u32;
            self.pattern(pattern, value, self.lang.scope, from);
        }
    }
}
