//! Macros: their definitions, and what they are called with, parsed again as expressions or items.

use std::ops::Range;

use tree_sitter::{Node, Parser, Point, Tree};

use super::kinds::Kind;
use super::tokens::all_children;
use super::walk::{Rust, RustWalk, spaces};
use crate::facts::{DefKind, Expr, ExprId, Literal, NONE, Role, flag, space};

/// Macros in macros are followed this deep.
const NESTED: u32 = 8;

/// What stands in the place of `matches!(`.
const MATCHES: &[u8] = b"match    ";

/// How a macro's arguments are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MacroReading {
    Arguments,
    Items,
    /// `matches!(value, pattern)`: a `match` with one arm.
    Match,
    /// Braces among tokens.
    Block,
}

impl<'t, 's> RustWalk<'t, 's> {
    pub(super) fn macro_definition(&mut self, node: Node<'t>, attributes: Range<usize>) {
        let scope = self.lang.scope;
        let Some(def) = self.define(node, DefKind::Macro, scope, space::MACRO) else {
            return;
        };
        let exported = self.has_attribute(attributes, "macro_export");
        self.b.edit(def).flags = if exported { flag::EXPORTED } else { 0 };
        if unwraps(self.unraw(node)) {
            self.b.edit(def).value = self.b.expr(Expr::Unwrap { of: NONE });
        }
        self.keep_rules(node);
        self.each(node, |walk, rule| {
            if walk.kind(rule) == Kind::MacroRule
                && let Some(right) = rule.child_by_field_id(walk.table.right)
            {
                walk.macro_body(right);
            }
        });
    }

    /// `name!(…)`; `item` where it stands for items.
    pub(super) fn macro_call(&mut self, node: Node<'t>, item: bool) -> ExprId {
        let Some(name) = node.child_by_field_id(self.table.macro_) else {
            return NONE;
        };
        let called = self.path(name, space::MACRO);
        self.b.set_role(called, Role::Call);
        let text = self.unraw(name).rsplit("::").next().unwrap_or("");
        let count = node.named_child_count();
        let tokens = (1..count).filter_map(|at| node.named_child(at as u32));
        let Some(tokens) = tokens
            .into_iter()
            .find(|child| self.kind(*child) == Kind::TokenTree)
        else {
            return NONE;
        };
        if text == "cfg_if" {
            self.branches(tokens);
            return NONE;
        }
        if item {
            self.expand_macro_glob(text);
        }
        if text == "include" {
            self.included_file(tokens);
            return NONE;
        }
        if let Some(value) = self.select_arms(tokens) {
            return value;
        }
        if self.macro_items(text, node, tokens) {
            self.tokens_of_call(text, tokens);
            return NONE;
        }
        let values = if text == "matches" && self.unraw(name) == text {
            self.reparse(tokens, MacroReading::Match)
        } else if item || self.begins_item(tokens) {
            self.reparse(tokens, MacroReading::Items)
        } else {
            self.reparse(tokens, MacroReading::Arguments)
        };
        let Some(values) = values else {
            self.tokens_of_call(text, tokens);
            return self.value_of_macro(text, called, &[]);
        };
        self.value_of_macro(text, called, &values)
    }

    /// The uses among what a macro is called with that is no list of arguments.
    fn tokens_of_call(&mut self, name: &str, tokens: Node<'t>) {
        let holder = self.holder(name);
        let holder = std::mem::replace(&mut self.lang.shared.holder, holder);
        let failed = self.lang.shared.reparse.failed.replace(0);
        self.tokens(tokens, spaces::ANY, Role::Read);
        self.lang.shared.reparse.failed = failed;
        self.lang.shared.holder = holder;
    }

    /// What well-known macros give.
    fn value_of_macro(&mut self, name: &str, of: ExprId, values: &[ExprId]) -> ExprId {
        match name {
            "vec" => {
                let values = values.get(..values.len().min(4)).unwrap_or(&[]);
                let of = self.b.union(values);
                self.b.expr(Expr::Array { of })
            }
            "format" | "concat" | "stringify" | "env" | "include_str" => {
                self.literal(Literal::Text)
            }
            "matches" | "cfg" => self.literal(Literal::Boolean),
            "write" | "writeln" => {
                let role = Role::Call;
                let of = self
                    .b
                    .name_use("Ok", self.lang.scope, NONE, role, space::VALUE);
                self.b.expr(Expr::Call { of, args: NONE })
            }
            "line" | "column" => self.literal(Literal::Integer),
            "dbg" | "pin" => values.last().copied().unwrap_or(NONE),
            _ => {
                let args = self
                    .b
                    .list(values.get(..values.len().min(4)).unwrap_or(&[]));
                self.b.expr(Expr::Call { of, args })
            }
        }
    }

    /// Whether what a macro is called with begins as items do.
    fn begins_item(&self, tokens: Node<'t>) -> bool {
        let text = self.unraw(tokens);
        let text = text.get(1..).unwrap_or("").trim_start();
        let word = text.split(|next: char| !next.is_alphanumeric() && next != '_');
        let first = word.into_iter().next().unwrap_or("");
        matches!(
            first,
            "pub" | "fn" | "struct" | "enum" | "impl" | "trait" | "mod" | "use" | "static" | "type"
        ) || text.starts_with("#[")
    }

    /// The items in the braces of `cfg_if!`. Most builds have those of the first condition that they meet.
    fn branches(&mut self, tokens: Node<'t>) {
        let (mut is_met, mut is_taken) = (true, false);
        self.each(tokens, |walk, child| {
            if walk.kind(child) != Kind::TokenTree {
                return;
            }
            if !walk.unraw(child).starts_with('{') {
                let condition = walk.condition_of_branch(child);
                is_met = condition.is_none_or(|condition| !walk.is_unmet(condition));
                return;
            }
            if is_taken || !is_met {
                walk.leave_out(child);
            }
            is_taken |= is_met;
            is_met = true;
            if walk.reparse(child, MacroReading::Items).is_none() {
                walk.tokens(child, spaces::ANY, Role::Read);
            }
        });
    }

    /// Parses what is between brackets and walks it; the values of its parts. [`None`] where it does not
    /// parse, and then nothing is walked.
    fn reparse(&mut self, tokens: Node<'t>, reading: MacroReading) -> Option<Vec<ExprId>> {
        if self.lang.shared.reparse.depth >= NESTED || tokens.byte_range().len() < 3 {
            return (tokens.byte_range().len() < 3).then(Vec::new);
        }
        let mut separators = Vec::new();
        let mut signs = Vec::new();
        let first = match reading {
            MacroReading::Arguments | MacroReading::Match => {
                self.separators(tokens, &mut separators, &mut signs);
                true
            }
            MacroReading::Items | MacroReading::Block => false,
        };
        let tree = self.reparse_tree(tokens, (&separators, &signs), reading)?;
        if !self.is_whole(tree.root_node(), reading) {
            return None;
        }
        Some(self.walk_again(&tree, |inner, root| {
            if first {
                inner.arguments(root)
            } else if reading == MacroReading::Block {
                vec![inner.last_of(root)]
            } else {
                inner.items(root);
                Vec::new()
            }
        }))
    }

    /// Walks a tree of a part of the file that was parsed a second time.
    pub(super) fn walk_again<T>(
        &mut self,
        tree: &Tree,
        walk: impl for<'u> FnOnce(&mut RustWalk<'u, 's>, Node<'u>) -> T,
    ) -> T {
        let lang = Rust {
            shared: std::mem::take(&mut self.lang.shared),
            scope: self.lang.scope,
            result: NONE,
        };
        let b = std::mem::take(&mut self.b);
        let root = (tree.root_node(), self.table);
        let mut inner = RustWalk::resumed(b, self.text, root, self.depth(), lang);
        inner.lang.shared.reparse.depth += 1;
        let failed = inner.lang.shared.reparse.failed.take();
        let value = walk(&mut inner, tree.root_node());
        inner.lang.shared.reparse.failed = failed;
        inner.lang.shared.reparse.depth -= 1;
        self.b = inner.b;
        self.lang.shared = inner.lang.shared;
        value
    }

    /// Whether no more macros in macros are read again.
    pub(super) fn is_nested_enough(&self) -> bool {
        self.lang.shared.reparse.depth >= NESTED
    }

    /// Whether what was parsed again has no error that counts: the tokens of a macro's rule may be any, and the grammar
    /// does not know all.
    fn is_whole(&self, root: Node<'t>, reading: MacroReading) -> bool {
        let is_rule = |item: &Node<'t>| self.kind(*item) == Kind::MacroDefinition;
        !root.has_error()
            || reading == MacroReading::Items
                && all_children(root)
                    .iter()
                    .all(|item| !item.has_error() || is_rule(item))
    }

    /// The places of what separates arguments: commas and `=>` that are in no bracket. Signs before an argument that only
    /// its macro understands: `%` and `?` of `info!(%name, ?value)`, `@` before a text.
    fn separators(
        &self,
        tokens: Node<'t>,
        found: &mut Vec<Range<usize>>,
        signs: &mut Vec<Range<usize>>,
    ) {
        let mut cursor = tokens.walk();
        let mut generics = 0;
        let mut before = "";
        let mut more = cursor.goto_first_child();
        while more {
            let child = cursor.node();
            let kind = child.kind();
            match kind {
                "<" if before == "::" || generics > 0 => generics += 1,
                ">" if generics > 0 => generics -= 1,
                ">>" if generics > 0 => generics = (generics - 2).max(0),
                "," | "=>" if generics == 0 => found.push(child.byte_range()),
                "%" | "?" | "@" if matches!(before, "(" | "[" | "{" | "," | "=") => {
                    signs.push(child.byte_range());
                }
                _ => {}
            }
            before = kind;
            more = cursor.goto_next_sibling();
        }
    }

    /// Walks braces among tokens as a block, if they are one: bodies in `select!`, `proptest!` and the like. Keys
    /// of data, names that a macro is given and short lists are none.
    pub(super) fn block_among_tokens(&mut self, tokens: Node<'t>) -> bool {
        const DEEPEST: u32 = 2;
        const SHORTEST: usize = 8;
        let text = self.unraw(tokens);
        if self
            .lang
            .shared
            .reparse
            .failed
            .is_none_or(|failed| failed >= DEEPEST)
        {
            return false;
        }
        let is_data = || text.get(1..).unwrap_or("").trim_start().starts_with('"');
        let range = tokens.byte_range();
        let makes = || {
            self.lang
                .shared
                .macro_item_names
                .iter()
                .any(|at| range.contains(&(*at as usize)))
        };
        if !text.starts_with('{') || text.len() < SHORTEST || is_data() || makes() {
            return false;
        }
        self.reparse(tokens, MacroReading::Block).is_some()
    }

    /// Walks what is in brackets among tokens that are no block.
    pub(super) fn inside_no_block(&mut self, tokens: Node<'t>, walk: impl FnOnce(&mut Self)) {
        let around = self.lang.shared.reparse.failed;
        if self.unraw(tokens).starts_with('{') {
            self.lang.shared.reparse.failed = around.map(|failed| failed + 1);
        }
        walk(self);
        self.lang.shared.reparse.failed = around;
    }

    /// Arguments are statements of a block to the parser: `(a, b)` becomes `{a; b}`.
    fn reparse_tree(
        &mut self,
        tokens: Node<'t>,
        (separators, signs): (&[Range<usize>], &[Range<usize>]),
        reading: MacroReading,
    ) -> Option<Tree> {
        let reparse = &mut self.lang.shared.reparse;
        if reparse.text.is_empty() {
            reparse.text = self.text.as_bytes().to_vec();
        }
        let parser = reparse.parser.get_or_insert_with(Parser::new);
        parser.set_language(&tokens.language()).ok()?;
        let mut range = tokens.range();
        match reading {
            MacroReading::Arguments => {
                let text = &mut reparse.text;
                *text.get_mut(range.start_byte)? = b'{';
                *text.get_mut(range.end_byte - 1)? = b'}';
                for separator in separators {
                    text.get_mut(separator.clone())?.fill(b' ');
                    *text.get_mut(separator.start)? = b';';
                }
                for sign in signs {
                    text.get_mut(sign.clone())?.fill(b' ');
                }
            }
            MacroReading::Match => {
                // The name and what follows the call have room for what an arm needs.
                const ARM: &[u8] = b"=>0}";
                range.start_byte = range.start_byte.checked_sub(MATCHES.len() - 1)?;
                range.start_point.column =
                    range.start_point.column.checked_sub(MATCHES.len() - 1)?;
                range.end_byte += ARM.len() - 1;
                range.end_point.column += ARM.len() - 1;
                let text = &mut reparse.text;
                let (comma, rest) = separators.split_first()?;
                if range.end_byte > text.len() {
                    return None;
                }
                text.get_mut(range.start_byte..tokens.start_byte() + 1)?
                    .copy_from_slice(MATCHES);
                text.get_mut(comma.clone())?.fill(b'{');
                for comma in rest {
                    text.get_mut(comma.clone())?.fill(b' ');
                }
                text.get_mut(range.end_byte.checked_sub(ARM.len())?..range.end_byte)?
                    .copy_from_slice(ARM);
            }
            MacroReading::Block => {}
            MacroReading::Items => {
                range.start_byte += 1;
                range.end_byte -= 1;
                range.start_point.column += 1;
                range.end_point.column = range.end_point.column.saturating_sub(1);
            }
        }
        parser.set_included_ranges(&[range]).ok()?;
        let text = &reparse.text;
        let mut read = |at: usize, _: Point| text.get(at..).unwrap_or(&[]);
        let tree = parser.parse_with_options(&mut read, None, None);
        let (start, end) = (range.start_byte.min(tokens.start_byte()), range.end_byte);
        let end = end.max(tokens.end_byte());
        let original = self.text.as_bytes().get(start..end)?;
        reparse.text.get_mut(start..end)?.copy_from_slice(original);
        tree
    }

    /// The arguments of a macro, as the statements they were parsed as.
    fn arguments(&mut self, root: Node<'t>) -> Vec<ExprId> {
        let mut values = Vec::new();
        let mut walk_one = |walk: &mut Self, child: Node<'t>| {
            values.push(walk.macro_argument(child));
        };
        self.each(root, |walk, block| {
            let block = match walk.kind(block) {
                Kind::Statement => block.named_child(0).unwrap_or(block),
                _ => block,
            };
            if walk.kind(block) == Kind::Block {
                walk.each(block, &mut walk_one);
            } else {
                walk_one(walk, block);
            }
        });
        values
    }

    fn macro_argument(&mut self, node: Node<'t>) -> ExprId {
        let inner = match self.kind(node) {
            Kind::Statement => node.named_child(0).unwrap_or(node),
            _ => node,
        };
        match self.kind(inner) {
            Kind::TextLiteral | Kind::RawText => {
                self.captures(inner);
                self.literal(Literal::Text)
            }
            // `name = value` of a format names nothing outside.
            Kind::Assignment => {
                let left = inner.child_by_field_id(self.table.left);
                let right = inner.child_by_field_id(self.table.right);
                if left.is_some_and(|left| self.kind(left) != Kind::Identifier) {
                    return self.expr(inner);
                }
                right.map_or(NONE, |right| self.expr(right))
            }
            // It may be a type that the macro is given.
            Kind::Identifier => self.path(inner, spaces::VALUE | spaces::TYPE),
            _ => self.expr(inner),
        }
    }
}

/// Whether a macro gives what an optional or a result holds: `Some(x) => x`.
fn unwraps(body: &str) -> bool {
    ["Some(", "Ok("].iter().any(|pattern| {
        body.match_indices(pattern).any(|(at, _)| {
            let rest = &body[at + pattern.len()..];
            let Some((name, rest)) = rest.split_once(')') else {
                return false;
            };
            let Some(value) = rest.trim_start().strip_prefix("=>") else {
                return false;
            };
            let value = value.trim_start().strip_prefix(name);
            let ends = |rest: &str| {
                !rest.starts_with(|next: char| next.is_alphanumeric() || "_.(:".contains(next))
            };
            !name.is_empty() && value.is_some_and(ends)
        })
    })
}
