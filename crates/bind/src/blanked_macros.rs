//! Macros that the parser was not shown: `class EXPORT Store`, `GUARDED_BY(mutex)`, Rust's `cfg_rt! { … }`. They are uses
//! all the same, and so are the names that they are given in parentheses.

use rustc_hash::FxHashMap;

use crate::facts::{Bindings, Expr, ExprId, NONE, NameId, Role, ScopeId, space};

/// A name that was blanked.
struct Blanked<'t> {
    at: u32,
    name: &'t str,
    /// Whether it stands in the parentheses of another one.
    is_given: bool,
}

/// Adds the names that are in a text but not in what of it was parsed, which is as long: those of which what stands
/// behind them says that they are macros, and where `gives` those that macros are given.
pub(crate) fn add(
    bindings: &mut Bindings,
    text: &str,
    readable: &str,
    gives: bool,
    is_macro: impl Fn(&str) -> bool,
) {
    if text.len() != readable.len() || text == readable {
        return;
    }
    let mut found = names(text, readable);
    found.retain(|of| {
        let behind = text.get(of.at as usize + of.name.len()..);
        gives && of.is_given || behind.is_some_and(&is_macro)
    });
    if found.is_empty() {
        return;
    }
    let known = bindings.names.iter().zip(0..);
    let mut known: FxHashMap<Box<str>, NameId> =
        known.map(|(name, id)| (name.clone(), id)).collect();
    let mut scopes = Scopes::from_bindings(bindings);
    // The name before, where it ends and the expression that it is.
    let mut last = (0, NONE);
    for Blanked { at, name, is_given } in found {
        if gives && is_given && name == "this" {
            let scope = scopes.at(bindings, at);
            bindings.exprs.push(Expr::This { scope });
            let of = bindings.exprs.len() as ExprId - 1;
            bindings.exprs.push(Expr::Pointer { of });
            last = (at as usize + name.len(), of + 1);
            continue;
        }
        if gives && is_given && is_word(name) {
            continue;
        }
        let next = bindings.names.len() as NameId;
        let id = *known.entry(name.into()).or_insert(next);
        if id == next {
            bindings.names.push(name.into());
        }
        let scope = scopes.at(bindings, at);
        let expr = match gives && is_given {
            true => given(bindings, text, (id, at), scope, last),
            false => Expr::Name {
                name: id,
                scope: 0,
                at,
                role: Role::Read,
                spaces: space::MACRO,
            },
        };
        bindings.exprs.push(expr);
        last = (at as usize + name.len(), bindings.exprs.len() as ExprId - 1);
    }
}

/// A name that a macro is given: looked up where it stands, or in the name before it.
fn given(
    bindings: &mut Bindings,
    text: &str,
    (name, at): (NameId, u32),
    scope: ScopeId,
    (end, before): (usize, ExprId),
) -> Expr {
    let (role, spaces) = (Role::Read, space::ANY);
    let between = text.get(end..at as usize).unwrap_or("").trim();
    let of = match between {
        "." | "::" => before,
        "->" if before != NONE => {
            bindings.exprs.push(Expr::Deref { of: before });
            bindings.exprs.len() as ExprId - 1
        }
        // A member of nobody knows what.
        _ if between.ends_with('.') || between.ends_with("->") => NONE,
        _ => {
            return Expr::Name {
                name,
                scope,
                at,
                role,
                spaces,
            };
        }
    };
    Expr::Member {
        of,
        name,
        at,
        role,
        spaces,
    }
}

/// The scopes of a file, to be asked for the innermost one at places that follow one another.
struct Scopes {
    by_start: Vec<ScopeId>,
    next: usize,
    open: Vec<ScopeId>,
}

impl Scopes {
    fn from_bindings(bindings: &Bindings) -> Self {
        let mut by_start: Vec<ScopeId> = (0..bindings.scopes.len() as ScopeId).collect();
        // What begins together: the longer one is around the others.
        by_start.sort_by_key(|id| {
            let scope = &bindings.scopes[*id as usize];
            (scope.start, std::cmp::Reverse(scope.end), *id)
        });
        Self {
            by_start,
            next: 0,
            open: Vec::new(),
        }
    }

    fn at(&mut self, bindings: &Bindings, at: u32) -> ScopeId {
        while let Some(id) = self.by_start.get(self.next)
            && bindings.scopes[*id as usize].start <= at
        {
            self.open.push(*id);
            self.next += 1;
        }
        self.open
            .retain(|id| *id == 0 || bindings.scopes[*id as usize].end > at);
        self.open.last().copied().unwrap_or(0)
    }
}

/// Words of the language that stand in parentheses and are no names.
fn is_word(name: &str) -> bool {
    matches!(
        name,
        "auto"
            | "bool"
            | "char"
            | "class"
            | "const"
            | "constexpr"
            | "double"
            | "else"
            | "enum"
            | "false"
            | "float"
            | "for"
            | "if"
            | "int"
            | "long"
            | "new"
            | "noexcept"
            | "nullptr"
            | "operator"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "template"
            | "true"
            | "typename"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
    )
}

fn names<'t>(text: &'t str, readable: &str) -> Vec<Blanked<'t>> {
    let (bytes, shown) = (text.as_bytes(), readable.as_bytes());
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut found = Vec::new();
    // Parentheses that are open behind a name, as far as they were blanked, and where the last name ended.
    let (mut depth, mut last_end) = (0_usize, usize::MAX);
    let mut at = 0;
    while let Some(start) = (at..bytes.len()).find(|index| bytes[*index] != shown[*index]) {
        // Names in comments and texts are no uses.
        if text.as_bytes()[start..].starts_with(b"/*") {
            let end = text.get(start..).and_then(|text| text.find("*/"));
            at = end.map_or(bytes.len(), |end| start + end + 2);
            continue;
        }
        match bytes[start] {
            b'"' => {
                let rest = &bytes[start + 1..];
                let mut is_escaped = false;
                let end = rest.iter().position(|byte| {
                    let ends = matches!(byte, b'"' | b'\n') && !is_escaped;
                    is_escaped = *byte == b'\\' && !is_escaped;
                    ends
                });
                at = end.map_or(bytes.len(), |end| start + end + 2);
                continue;
            }
            b'(' if depth > 0
                || bytes[last_end.min(start)..start]
                    .iter()
                    .all(|byte| *byte == b' ') =>
            {
                depth += 1;
            }
            b')' => depth = depth.saturating_sub(1),
            b';' | b'{' | b'}' => depth = 0,
            _ => {}
        }
        let length = bytes[start..].iter().take_while(|byte| is_name(**byte));
        let end = start + length.count();
        let begins = start == 0 || !is_name(bytes[start - 1]);
        if begins && end > start && !bytes[start].is_ascii_digit() {
            found.extend(text.get(start..end).map(|name| Blanked {
                at: start as u32,
                name,
                is_given: depth > 0,
            }));
            last_end = end;
        }
        at = end.max(start + 1);
    }
    found
}
