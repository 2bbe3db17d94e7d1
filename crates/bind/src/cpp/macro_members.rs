//! Members in the text of a macro: those of what can be told there are uses, and which arguments name members, and of what: `#define GET(of, field) ((of)->field)`,
//! `#define container_of(at, type, member) ((type *)((char *)(at) - offsetof(type, member)))`.
//!
//! [`Def::ty`](crate::facts::Def::ty) of such a macro is a tuple with an expression for each parameter: [`NONE`], or what the argument is
//! looked up in. In there [`Expr::Entry`] stands for the value of an argument, [`Expr::ContextualParam`] for the type that it writes, both of
//! nothing; [`Expr::Call`] says that the argument is passed on to another macro.

use tree_sitter::Node;

use super::macro_bodies::MacroToken;
use super::walk::{CppWalk, TAGS};
use crate::facts::{DefId, Expr, ExprId, FILE_SCOPE, NONE, Role, space};

/// Parentheses in parentheses are followed this deep.
const DEEPEST: u32 = 8;

/// A macro with more parameters than this has none that are looked at.
const MAX_PARAMETERS: usize = 32;

/// A namespace of namespaces: the macros of a file of which arguments name members. This is no name that could be written.
pub const MEMBER_MACROS: &str = " ->";

/// The text of a macro, and what is known of its parameters.
struct Body<'a, 't> {
    tokens: &'a [MacroToken<'t>],
    /// For each opening parenthesis the one that closes it.
    closing: Vec<usize>,
    parameters: Vec<&'t str>,
    /// What each parameter is a member of.
    members: Vec<ExprId>,
    /// The macro that each parameter is passed on to, if that is all that is known of it.
    passed: Vec<ExprId>,
    /// For each token, whether it is a use of a member already.
    are_used: Vec<bool>,
}

impl<'t> Body<'_, 't> {
    fn token(&self, at: usize) -> Option<MacroToken<'t>> {
        self.tokens.get(at).copied()
    }

    /// Which parameter a token is, unless it is a part of a longer name.
    fn parameter(&self, at: usize) -> Option<usize> {
        let MacroToken::Name(name, _) = self.token(at)? else {
            return None;
        };
        let is_pasted = self.token(at + 1) == Some(MacroToken::Paste)
            || at > 0 && self.token(at - 1) == Some(MacroToken::Paste);
        let place = self.parameters.iter().position(|known| *known == name);
        place.filter(|_| !is_pasted)
    }

    /// The parts of a list between commas.
    fn arguments(&self, open: usize) -> Vec<std::ops::Range<usize>> {
        let close = self.closing.get(open).copied().unwrap_or(open);
        let (mut parts, mut start, mut at) = (Vec::new(), open + 1, open + 1);
        while at < close {
            match self.tokens.get(at) {
                Some(MacroToken::Open) => at = self.closing[at].max(at),
                Some(MacroToken::Comma) => {
                    parts.push(start..at);
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        parts.push(start..close);
        parts
    }
}

/// For each opening parenthesis the one that closes it; what none closes closes itself.
fn closing(tokens: &[MacroToken<'_>]) -> Vec<usize> {
    let mut closing: Vec<usize> = (0..tokens.len()).collect();
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            MacroToken::Open => open.push(at),
            MacroToken::Close => {
                if let Some(start) = open.pop() {
                    closing[start] = at;
                }
            }
            _ => {}
        }
    }
    closing
}

impl<'t> CppWalk<'t> {
    /// Keeps what arguments of a macro are members of. `parameters` is its list as it is written.
    pub(super) fn macro_members(
        &mut self,
        define: Node<'t>,
        def: DefId,
        tokens: &[MacroToken<'t>],
        parameters: &'t str,
    ) {
        let list = parameters.trim_matches(['(', ')']).split(',');
        let mut parameters: Vec<&str> = list
            .map(|name| name.trim().trim_end_matches('.').trim())
            .filter(|name| !name.is_empty())
            .collect();
        parameters.truncate(MAX_PARAMETERS);
        let count = parameters.len();
        let mut body = Body {
            tokens,
            closing: closing(tokens),
            parameters,
            members: vec![NONE; count],
            passed: vec![NONE; count],
            are_used: vec![false; tokens.len()],
        };
        for at in 0..tokens.len() {
            let is_behind = at > 0
                && matches!(
                    tokens[at - 1],
                    MacroToken::Dot | MacroToken::Arrow | MacroToken::Scope | MacroToken::Paste
                );
            if !is_behind && matches!(tokens[at], MacroToken::Name(..) | MacroToken::Open) {
                self.macro_operand(&mut body, at, DEEPEST);
            }
        }
        // What is left is a member of nobody knows what.
        for at in 1..tokens.len() {
            if matches!(tokens[at - 1], MacroToken::Dot | MacroToken::Arrow) && !body.are_used[at] {
                self.macro_member(&mut body, at, NONE);
            }
        }
        let Body {
            members, passed, ..
        } = body;
        let known: Vec<ExprId> = members
            .into_iter()
            .zip(passed)
            .map(|(member, passed)| if member == NONE { passed } else { member })
            .collect();
        if known.iter().all(|of| *of == NONE) {
            return;
        }
        let of = self.b.list(&known);
        let ty = self.b.expr(Expr::Tuple { of });
        self.b.edit(def).ty = ty;
        let name = self.b.facts.defs[def as usize].name;
        let name = self.b.facts.name(name).to_owned();
        // Nobody asks what is written behind the text.
        let end = self.text.len();
        let all = self.namespace_at(MEMBER_MACROS, FILE_SCOPE, define, end, end..end);
        self.namespace_at(&name, all, define, end, end..end);
    }

    /// What an operand with what is behind it is, and where it ends.
    fn macro_operand(
        &mut self,
        body: &mut Body<'_, 't>,
        at: usize,
        depth: u32,
    ) -> Option<(ExprId, usize)> {
        let depth = depth.checked_sub(1)?;
        let (mut of, mut at) = match body.token(at)? {
            MacroToken::Open => {
                let close = body.closing[at];
                let of = self.in_parentheses(body, at, close, depth);
                (of, close + 1)
            }
            MacroToken::Name(name, _) => self.macro_name(body, at, name, depth),
            _ => return None,
        };
        loop {
            match body.token(at) {
                Some(MacroToken::Dot | MacroToken::Arrow) => {
                    let Some(MacroToken::Name(..)) = body.token(at + 1) else {
                        return Some((NONE, at + 1));
                    };
                    if let Some(place) = body.parameter(at + 1) {
                        if body.members[place] == NONE {
                            body.members[place] = of;
                        }
                        of = NONE;
                    } else {
                        if body.token(at) == Some(MacroToken::Arrow) && of != NONE {
                            of = self.deref(of);
                        }
                        of = self.macro_member(body, at + 1, of);
                    }
                    at += 2;
                }
                Some(MacroToken::Scope) => {
                    let Some(MacroToken::Name(name, _)) = body.token(at + 1) else {
                        return Some((NONE, at + 1));
                    };
                    if of != NONE {
                        of = self.b.member_use(of, name, NONE, Role::Read, space::ANY);
                    }
                    at += 2;
                }
                Some(MacroToken::Open) if body.closing[at] > at => {
                    if of != NONE {
                        of = self.b.expr(Expr::Call { of, args: NONE });
                    }
                    at = body.closing[at] + 1;
                }
                _ => return Some((of, at)),
            }
        }
    }

    /// A name behind `.` or `->` that is no parameter: a use, unless it is part of a longer name.
    fn macro_member(&mut self, body: &mut Body<'_, 't>, at: usize, of: ExprId) -> ExprId {
        let Some(MacroToken::Name(name, place)) = body.token(at) else {
            return NONE;
        };
        let is_pasted = body.token(at + 1) == Some(MacroToken::Paste);
        if is_pasted || body.parameter(at).is_some() {
            return NONE;
        }
        let is_new = !std::mem::replace(&mut body.are_used[at], true);
        let place = if is_new { place as u32 } else { NONE };
        let role = match body.token(at + 1) {
            Some(MacroToken::Open) => Role::Call,
            _ => Role::Read,
        };
        match of {
            NONE if !is_new => NONE,
            of => self.b.member_use(of, name, place, role, space::VALUE),
        }
    }

    /// What a name is that an operand begins with, and where that ends.
    fn macro_name(
        &mut self,
        body: &mut Body<'_, 't>,
        at: usize,
        name: &'t str,
        depth: u32,
    ) -> (ExprId, usize) {
        if let Some(place) = body.parameter(at) {
            let index = place as u32;
            return (self.b.expr(Expr::Entry { of: NONE, index }), at + 1);
        }
        let is_called =
            body.token(at + 1) == Some(MacroToken::Open) && body.closing[at + 1] > at + 1;
        if !is_called {
            let spaces = match body.token(at + 1) {
                Some(MacroToken::Dot | MacroToken::Arrow) => space::VALUE | space::MACRO,
                Some(MacroToken::Scope) => space::TYPE | space::NAMESPACE,
                _ => return (NONE, at + 1),
            };
            let role = Role::Read;
            let of = self.b.name_use(name, FILE_SCOPE, NONE, role, spaces);
            return (of, at + 1);
        }
        let close = body.closing[at + 1];
        let of = match name {
            "typeof" | "__typeof__" | "__typeof" | "typeof_unqual" | "decltype" => {
                match self.in_parentheses(body, at + 1, close, depth) {
                    NONE => NONE,
                    of => self.b.expr(Expr::TypeOf { of }),
                }
            }
            "offsetof" | "__builtin_offsetof" => {
                self.macro_offset(body, at + 1, depth);
                NONE
            }
            _ => {
                self.passed_on(body, at, name, depth);
                match body.token(close + 1) {
                    Some(MacroToken::Dot | MacroToken::Arrow) => {
                        let spaces = space::VALUE | space::MACRO;
                        let role = Role::Read;
                        let of = self.b.name_use(name, FILE_SCOPE, NONE, role, spaces);
                        self.b.expr(Expr::Call { of, args: NONE })
                    }
                    _ => NONE,
                }
            }
        };
        (of, close + 1)
    }

    /// What stands in parentheses: a cast, or an operand and nothing else.
    fn in_parentheses(
        &mut self,
        body: &mut Body<'_, 't>,
        open: usize,
        close: usize,
        depth: u32,
    ) -> ExprId {
        if let Some(cast) = self.macro_cast(body, open + 1) {
            return self.pointer(cast);
        }
        let mut at = open + 1;
        while matches!(
            body.token(at),
            Some(MacroToken::GlobImport | MacroToken::Address)
        ) {
            at += 1;
        }
        match self.macro_operand(body, at, depth) {
            Some((of, end)) if end == close => of,
            _ => NONE,
        }
    }

    /// The type of `(struct node *) …`.
    fn macro_cast(&mut self, body: &Body<'_, 't>, open: usize) -> Option<ExprId> {
        if body.token(open) != Some(MacroToken::Open) {
            return None;
        }
        let close = body.closing.get(open).copied()?;
        let mut end = close;
        while end > open + 1 && body.token(end - 1) == Some(MacroToken::GlobImport) {
            end -= 1;
        }
        if end == close {
            return None;
        }
        Some(self.macro_type(body, open + 1..end)).filter(|of| *of != NONE)
    }

    /// A type that is all of some tokens.
    fn macro_type(&mut self, body: &Body<'_, 't>, of: std::ops::Range<usize>) -> ExprId {
        let (mut named, mut spaces) = (None, space::TYPE);
        for at in of {
            match body.token(at) {
                Some(MacroToken::Name("const" | "volatile", _)) => {}
                Some(MacroToken::Name("struct" | "union" | "enum" | "class", _)) => spaces = TAGS,
                Some(MacroToken::Name(..)) if named.is_none() => named = Some(at),
                _ => return NONE,
            }
        }
        let Some(at) = named else {
            return NONE;
        };
        if let Some(place) = body.parameter(at) {
            let index = place as u32;
            return self.b.expr(Expr::ContextualParam { of: NONE, index });
        }
        let Some(MacroToken::Name(name, _)) = body.token(at) else {
            return NONE;
        };
        let of = self.b.name_use(name, FILE_SCOPE, NONE, Role::Type, spaces);
        self.b.expr(Expr::Value { of })
    }

    /// `offsetof(type, member)`: the member is one of the type.
    fn macro_offset(&mut self, body: &mut Body<'_, 't>, open: usize, depth: u32) {
        let parts = body.arguments(open);
        let [ty, member, ..] = &parts[..] else {
            return;
        };
        let Some(place) = body.parameter(member.start) else {
            return;
        };
        let mut of = self.macro_type(body, ty.clone());
        if of == NONE {
            of = self
                .macro_operand(body, ty.start, depth)
                .map_or(NONE, |(of, _)| of);
        }
        if body.members[place] == NONE {
            body.members[place] = of;
        }
    }

    /// `other(at, type, member)`: what the other macro says of its parameters it says of those that it is given.
    fn passed_on(&mut self, body: &mut Body<'_, 't>, at: usize, name: &'t str, depth: u32) {
        let parts = body.arguments(at + 1);
        if parts.len() > MAX_PARAMETERS {
            return;
        }
        let is_open = |place: usize, body: &Body<'_, 't>| body.passed[place] == NONE;
        let given: Vec<Option<usize>> = parts
            .iter()
            .map(|part| {
                (part.len() == 1)
                    .then(|| body.parameter(part.start))
                    .flatten()
            })
            .collect();
        if !given.iter().flatten().any(|place| is_open(*place, body)) {
            return;
        }
        let mut args = Vec::with_capacity(parts.len());
        for (part, given) in parts.iter().zip(&given) {
            args.push(match given {
                Some(place) => {
                    let index = *place as u32;
                    self.b.expr(Expr::Entry { of: NONE, index })
                }
                None => match self.macro_type(body, part.clone()) {
                    NONE => {
                        let mut first = part.start;
                        while matches!(
                            body.token(first),
                            Some(MacroToken::GlobImport | MacroToken::Address)
                        ) {
                            first += 1;
                        }
                        let operand = self.macro_operand(body, first, depth);
                        operand
                            .filter(|(_, end)| *end == part.end)
                            .map_or(NONE, |(of, _)| of)
                    }
                    ty => ty,
                },
            });
        }
        let of = self
            .b
            .name_use(name, FILE_SCOPE, NONE, Role::Call, space::MACRO);
        let args = self.b.list(&args);
        let call = self.b.expr(Expr::Call { of, args });
        for place in given.into_iter().flatten() {
            if is_open(place, body) {
                body.passed[place] = call;
            }
        }
    }
}
