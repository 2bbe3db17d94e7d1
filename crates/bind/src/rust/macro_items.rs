//! Items that a macro of the same file makes of names it is given: `make_fn!(foo)` where `macro_rules! make_fn`
//! has `($n:ident) => { pub fn $n() {} }`.
//!
//! Of each rule is kept what it takes and which of its names an item is made of. A call is compared with the rules
//! from the first on, as the compiler does, though fragments other than names are read up to what the rule has
//! behind them. What is in the items is not known: they are defined at the name in the call.

use tree_sitter::Node;

use super::kinds::Kind;
use super::state::{MacroItem, MacroPart, MacroRule};
use super::tokens::all_children;
use super::walk::{RustWalk, spaces};
use crate::facts::{DefKind, Expr, ExprId, NONE, Role, flag, space};

/// Groups in groups are followed this deep.
const DEEPEST: u32 = 16;

impl<'t, 's> RustWalk<'t, 's> {
    /// Keeps the rules of a macro that make items, with those before them that make none.
    pub(super) fn keep_rules(&mut self, definition: Node<'t>) {
        let Some(name) = definition.child_by_field_id(self.table.name) else {
            return;
        };
        let mut rules = Vec::new();
        for rule in all_children(definition) {
            let sides = (
                rule.child_by_field_id(self.table.left),
                rule.child_by_field_id(self.table.right),
            );
            if let (Kind::MacroRule, (Some(left), Some(right))) = (self.kind(rule), sides) {
                let mut makes = Vec::new();
                self.items_made(right, &mut makes);
                let takes = self.parts(left, DEEPEST);
                let mut uses = Vec::new();
                self.names_used(right, &mut uses, DEEPEST);
                rules.push(MacroRule { takes, makes, uses });
            }
        }
        let name = self.unraw(name).to_owned();
        self.keep_holders(&name, definition);
        self.keep_macro_glob(&name, definition);
        if rules.iter().any(|rule| !rule.makes.is_empty()) {
            self.lang.shared.rules.insert(name, rules);
        } else {
            self.lang.shared.rules.remove(&name);
        }
    }

    /// Keeps the types that a macro names, if it makes fields of names that it is given.
    fn keep_holders(&mut self, name: &str, definition: Node<'t>) {
        const MAX: usize = 4;
        let (mut holders, mut any) = (Vec::new(), false);
        for rule in all_children(definition) {
            if let (Kind::MacroRule, Some(body)) =
                (self.kind(rule), rule.child_by_field_id(self.table.right))
            {
                any |= self.fields_made(body, &mut holders, DEEPEST);
            }
        }
        if any && !holders.is_empty() && holders.len() <= MAX {
            self.lang.shared.holders.insert(name.to_owned(), holders);
        } else {
            self.lang.shared.holders.remove(name);
        }
    }

    /// Whether tokens make fields of names, and the types that they name: `A { $name: … }`, `A::new()`, `a.$name`.
    fn fields_made(&self, tokens: Node<'t>, holders: &mut Vec<String>, depth: u32) -> bool {
        let (tokens, mut any) = (inside(tokens), false);
        for (index, token) in tokens.iter().enumerate() {
            let beside = |at: Option<usize>| at.and_then(|at| tokens.get(at));
            let before = beside(index.checked_sub(1)).map_or("", |node| self.unraw(*node));
            let next = beside(Some(index + 1)).map_or("", |node| self.unraw(*node));
            match self.kind(*token) {
                Kind::Metavariable => any |= before == "." || next == ":" || next == "=",
                Kind::Identifier if self.is_constant(*token) => {
                    let is_holder = next == "::" || next.starts_with('{');
                    let name = self.unraw(*token);
                    if is_holder && before != "::" && !holders.iter().any(|known| known == name) {
                        holders.push(name.to_owned());
                    }
                }
                _ if depth > 0 && token.child_count() > 0 => {
                    any |= self.fields_made(*token, holders, depth - 1);
                }
                _ => {}
            }
        }
        any
    }

    /// What may have the fields that are named in a call of a macro.
    pub(super) fn holder(&mut self, macro_name: &str) -> Option<ExprId> {
        let names = self.lang.shared.holders.get(macro_name)?.clone();
        let mut values = Vec::new();
        for name in names {
            let of = self
                .b
                .name_use(&name, self.lang.scope, NONE, Role::Type, space::TYPE);
            values.push(self.b.expr(Expr::Value { of }));
        }
        // Nobody says that a name is a field of these.
        values.push(self.b.expr(Expr::Opaque));
        Some(self.b.union(&values))
    }

    /// Defines the items that a call makes, if its macro is known. Whether there are any.
    pub(super) fn macro_items(
        &mut self,
        macro_name: &str,
        call: Node<'t>,
        tokens: Node<'t>,
    ) -> bool {
        let Some(rules) = self.lang.shared.rules.get(macro_name) else {
            return false;
        };
        let given = inside(tokens);
        let found = rules.iter().find_map(|rule| {
            let mut names = Vec::new();
            let end = self.take((&rule.takes, ""), &given, &mut names, DEEPEST)?;
            (end == given.len()).then_some((rule, names))
        });
        let Some((rule, names)) = found else {
            return false;
        };
        let mut items: Vec<(MacroItem, Node<'t>)> = Vec::new();
        let mut used: Vec<Node<'t>> = Vec::new();
        for (called, node) in names {
            let of = rule.makes.iter().filter(|item| item.name == called);
            let known = items.len();
            items.extend(of.map(|item| (item.clone(), node)));
            // What is no item's name is walked as what else is given.
            used.extend((items.len() > known && rule.uses.contains(&called)).then_some(node));
        }
        let any = !items.is_empty();
        for (item, node) in items {
            self.define_made(&item, node, call);
        }
        for name in used {
            let (text, at) = (self.unraw(name), self.start(name));
            self.b
                .name_use(text, self.lang.scope, at, Role::Read, space::VALUE);
        }
        any
    }

    /// The names that the tokens of a rule have as values, besides those of items: `fun: $name`.
    fn names_used(&self, body: Node<'t>, found: &mut Vec<String>, depth: u32) {
        /// Macros that make texts or other names of what they are given.
        const SPELLING: [&str; 3] = ["stringify", "concat", "paste"];
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let tokens = inside(body);
        let word = |at: Option<usize>| {
            at.and_then(|at| tokens.get(at))
                .map_or("", |node| self.unraw(*node))
        };
        for (index, token) in tokens.iter().enumerate() {
            let before = word(index.checked_sub(1));
            let spells = before == "!" && SPELLING.contains(&word(index.checked_sub(2)));
            match token.kind() {
                "token_repetition" | "token_tree" if !spells => {
                    self.names_used(*token, found, depth);
                }
                "metavariable"
                    if item_kind(before).is_none() && !matches!(before, "." | "let" | "mut") =>
                {
                    let is_labelled = word(Some(index + 1)) == ":";
                    found.extend((!is_labelled).then(|| self.unraw(*token).to_owned()));
                }
                _ => {}
            }
        }
    }

    fn define_made(&mut self, item: &MacroItem, name: Node<'t>, call: Node<'t>) {
        let spaces = match item.kind {
            DefKind::Function | DefKind::Constant => spaces::VALUE,
            DefKind::Module => spaces::PREFIX,
            DefKind::Struct => spaces::TYPE | spaces::VALUE,
            _ => spaces::TYPE,
        };
        let (text, at) = (self.unraw(name), self.start(name));
        let def = self
            .b
            .define(text, item.kind, self.lang.scope, at, call.byte_range());
        let edit = self.b.edit(def);
        (edit.spaces, edit.flags) = (spaces, item.flags);
        self.lang.shared.macro_item_names.insert(at);
    }

    /// What a rule takes between its brackets.
    fn parts(&self, pattern: Node<'t>, depth: u32) -> Vec<MacroPart> {
        let mut parts = Vec::new();
        if depth == 0 {
            return parts;
        }
        // Behind the brackets of a repetition is what separates and how often.
        let children = all_children(pattern);
        let close = children
            .iter()
            .rposition(|child| matches!(child.kind(), ")" | "]" | "}"));
        let until = close.map_or(usize::MAX, |close| children[close].start_byte());
        for token in inside(pattern) {
            if token.start_byte() >= until {
                break;
            }
            let part = match token.kind() {
                "token_binding_pattern" => self.bound(token),
                "token_tree_pattern" => {
                    let open = self.unraw(token).get(..1).unwrap_or("").to_owned();
                    MacroPart::Group(open, self.parts(token, depth - 1))
                }
                "token_repetition_pattern" => {
                    let separator = self.unraw(token).rsplit(')').next().unwrap_or("");
                    let separator = separator.trim_end_matches(['*', '+', '?']).trim();
                    MacroPart::Repeated(self.parts(token, depth - 1), separator.to_owned())
                }
                "line_comment" | "block_comment" => continue,
                _ => MacroPart::Word(self.unraw(token).to_owned()),
            };
            parts.push(part);
        }
        parts
    }

    fn bound(&self, binding: Node<'t>) -> MacroPart {
        let written = self.unraw(binding);
        let (name, fragment) = written.split_once(':').unwrap_or((written, ""));
        match fragment.trim() {
            "ident" => MacroPart::Name(name.trim().to_owned()),
            "vis" => MacroPart::Visibility,
            "tt" | "literal" | "lifetime" | "block" => MacroPart::One,
            _ => MacroPart::Several,
        }
    }

    /// Where what a rule takes ends among the tokens of a call; nothing where it does not fit. With the parts comes
    /// the token that may stand behind them.
    fn take(
        &self,
        (parts, behind): (&[MacroPart], &str),
        given: &[Node<'t>],
        names: &mut Vec<(String, Node<'t>)>,
        depth: u32,
    ) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        let mut at = 0;
        for (index, part) in parts.iter().enumerate() {
            let next = given.get(at).copied();
            match part {
                MacroPart::Name(name) => {
                    let node = next.filter(|next| self.kind(*next) == Kind::Identifier)?;
                    names.push((name.clone(), node));
                    at += 1;
                }
                MacroPart::One => {
                    next?;
                    at += 1;
                }
                MacroPart::Several => {
                    let end = match parts.get(index + 1) {
                        Some(MacroPart::Word(word)) => word.as_str(),
                        Some(_) => "",
                        None => behind,
                    };
                    let rest = given.get(at..)?.iter();
                    let is_inside =
                        |token: &&Node<'t>| end.is_empty() || self.unraw(**token) != end;
                    at += rest.take_while(is_inside).count();
                }
                MacroPart::Visibility => {
                    if next.is_some_and(|next| self.unraw(next).starts_with("pub")) {
                        at += 1;
                        let scope = given.get(at).copied();
                        let has_scope = scope.is_some_and(|of| self.kind(of) == Kind::TokenTree);
                        at += usize::from(has_scope);
                    }
                }
                MacroPart::Word(word) => {
                    next.filter(|next| self.unraw(*next) == word)?;
                    at += 1;
                }
                MacroPart::Group(open, inner) => {
                    let group = next.filter(|next| {
                        self.kind(*next) == Kind::TokenTree && self.unraw(*next).starts_with(open)
                    })?;
                    let inner_given = inside(group);
                    let end = self.take((inner, ""), &inner_given, names, depth)?;
                    (end == inner_given.len()).then_some(())?;
                    at += 1;
                }
                MacroPart::Repeated(inner, separator) => {
                    at += self.take_repeated(inner, separator, given.get(at..)?, names, depth);
                }
            }
        }
        Some(at)
    }

    /// How many tokens a repetition takes.
    fn take_repeated(
        &self,
        inner: &[MacroPart],
        separator: &str,
        given: &[Node<'t>],
        names: &mut Vec<(String, Node<'t>)>,
        depth: u32,
    ) -> usize {
        let mut at = 0;
        while let Some(rest) = given.get(at..).filter(|rest| !rest.is_empty()) {
            let known = names.len();
            let taken = self.take((inner, separator), rest, names, depth);
            let Some(taken) = taken.filter(|taken| *taken > 0) else {
                names.truncate(known);
                break;
            };
            at += taken;
            if separator.is_empty() {
                continue;
            }
            match given.get(at) {
                Some(next) if self.unraw(*next) == separator => at += 1,
                _ => break,
            }
        }
        at
    }

    /// The items among the tokens that a rule gives, of names that it was given.
    fn items_made(&self, body: Node<'t>, found: &mut Vec<MacroItem>) {
        let tokens = inside(body);
        let mut flags = flag::PRIVATE;
        for (index, token) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).map_or("", |at| self.unraw(tokens[at]));
            match token.kind() {
                "token_repetition" => self.items_made(*token, found),
                "token_tree" => flags = flag::PRIVATE,
                "metavariable" => match item_kind(before) {
                    Some(kind) => found.push(MacroItem {
                        name: self.unraw(*token).to_owned(),
                        kind,
                        flags,
                    }),
                    // Who is told how visible an item is may be told that it is.
                    None => flags = flag::EXPORTED,
                },
                _ => match self.unraw(*token) {
                    "pub" => flags = flag::EXPORTED,
                    ";" => flags = flag::PRIVATE,
                    _ => {}
                },
            }
        }
    }
}

/// The tokens between the brackets of a tree.
fn inside(tree: Node<'_>) -> Vec<Node<'_>> {
    let is_bracket = |node: &Node<'_>| {
        matches!(
            node.kind(),
            "(" | ")" | "[" | "]" | "{" | "}" | "$" | "line_comment" | "block_comment"
        )
    };
    let mut tokens = all_children(tree);
    tokens.retain(|token| !is_bracket(token));
    tokens
}

/// What a word before a name makes of it.
fn item_kind(word: &str) -> Option<DefKind> {
    Some(match word {
        "fn" => DefKind::Function,
        "struct" => DefKind::Struct,
        "enum" => DefKind::Enum,
        "union" => DefKind::Union,
        "trait" => DefKind::Trait,
        "mod" => DefKind::Module,
        "const" | "static" => DefKind::Constant,
        "type" => DefKind::TypeAlias,
        _ => return None,
    })
}
