//! Whether rooms own their state: what of the engine names the fields of which room, which fields others see, and whether
//! something keeps the outbox.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::circles::crate_graph::list;
use crate::circles::folders;
use crate::tokens::{Token, behind_brackets, tokens};

/// The file that may name the fields of several rooms: it passes on what of one room is another's business.
const SESSION: &str = "crates/engine/src/session.rs";
/// Where the state of the code stands.
const ANALYSIS: &str = "crates/analysis/src/analysis.rs";
/// Fields of the session that are no rooms: the code, on which all stand, and what the loop hands on.
const NO_ROOMS: &[&str] = &[
    "code",
    "internal",
    "given_up",
    "signals",
    "tick_asked",
    "faults",
];

/// What is wrong with the rooms, a line each.
pub(super) fn problems(root: &Path) -> Result<Vec<String>> {
    let read = |path: &str| {
        let path = root.join(path);
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let session = read(SESSION)?;
    let fields = fields_of(&tokens(&session), "Session");
    let rooms: BTreeSet<&str> = fields
        .iter()
        .map(|field| field.name)
        .filter(|name| !NO_ROOMS.contains(name))
        .collect();
    let mut problems = public_fields(&read(ANALYSIS)?);
    for name in folders(&root.join("crates"))? {
        let src = format!("crates/{name}/src");
        let mut files = Vec::new();
        list(&root.join(&src), &format!("{src}/"), &mut files)?;
        for path in files {
            let text = read(&path)?;
            let all = tokens(&text);
            problems.extend(kept_outboxes(&path, &all));
            if name == "engine" && path != SESSION {
                problems.extend(several_rooms(&path, &all, &rooms));
            }
        }
    }
    Ok(problems)
}

/// A field of a struct.
struct Field<'a> {
    name: &'a str,
    /// Whether every crate sees it.
    is_public: bool,
    /// The names in its type.
    types: Vec<&'a str>,
}

/// The fields of a struct of this name; of every struct where the name is empty.
fn fields_of<'a>(all: &[Token<'a>], name: &str) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    for at in 0..all.len() {
        let is_struct = all[at] == Token::Word("struct");
        let is_it = |token: &Token<'_>| matches!(token, Token::Word(word) if name.is_empty() || *word == name);
        if !is_struct || !all.get(at + 1).is_some_and(is_it) {
            continue;
        }
        let open = all[at..]
            .iter()
            .position(|token| matches!(token, Token::Sign('{' | '(' | ';')));
        let Some(open) = open.map(|open| at + open) else {
            continue;
        };
        if all[open] != Token::Sign(';') {
            let end = behind_brackets(all, open);
            fields.extend(fields_between(&all[open + 1..end.saturating_sub(1)]));
        }
    }
    fields
}

/// The fields between the brackets of a struct; those of a tuple have no names.
fn fields_between<'a>(all: &[Token<'a>]) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    let mut depth = 0_i32;
    let mut start = 0;
    for at in 0..=all.len() {
        match all.get(at) {
            Some(Token::Sign('<' | '(' | '[' | '{')) => depth += 1,
            // `->` closes nothing.
            Some(Token::Sign('>')) if at > 0 && all[at - 1] == Token::Sign('-') => {}
            Some(Token::Sign('>' | ')' | ']' | '}')) => depth -= 1,
            Some(Token::Sign(',')) if depth == 0 => {
                fields.extend(field(&all[start..at]));
                start = at + 1;
            }
            None => fields.extend(field(&all[start..at])),
            _ => {}
        }
    }
    fields
}

/// The field that these tokens declare.
fn field<'a>(all: &[Token<'a>]) -> Option<Field<'a>> {
    let colon = all.iter().position(|token| *token == Token::Sign(':'));
    let (head, ty) = all.split_at(colon.unwrap_or(0));
    let words = |tokens: &[Token<'a>]| -> Vec<&'a str> {
        let words = tokens.iter().filter_map(|token| match token {
            Token::Word(word) => Some(*word),
            _ => None,
        });
        words.collect()
    };
    let types = words(ty);
    if types.is_empty() {
        return None;
    }
    let visible = all.iter().position(|token| *token == Token::Word("pub"));
    let is_restricted = |at: usize| all.get(at + 1) == Some(&Token::Sign('('));
    Some(Field {
        name: words(head).last().copied().unwrap_or_default(),
        is_public: visible.is_some_and(|at| !is_restricted(at)),
        types,
    })
}

/// The fields of the code's state that every crate sees.
fn public_fields(analysis: &str) -> Vec<String> {
    let all = tokens(analysis);
    let fields = fields_of(&all, "Analysis");
    if fields.is_empty() {
        return vec![format!("{ANALYSIS}: no struct Analysis with fields")];
    }
    let public = fields.iter().filter(|field| field.is_public);
    public
        .map(|field| {
            format!(
                "{ANALYSIS}: the field {} of Analysis is public; give it a method",
                field.name
            )
        })
        .collect()
}

/// Fields that keep an outbox from one step to the next.
fn kept_outboxes(path: &str, all: &[Token<'_>]) -> Vec<String> {
    let fields = fields_of(all, "").into_iter();
    let kept = fields.filter(|field| field.types.contains(&"Outbox"));
    kept.map(|field| {
        format!(
            "{path}: the field {} keeps an outbox; hand it to each step",
            field.name
        )
    })
    .collect()
}

/// The problem of a file that names the fields of several rooms, or takes the session apart.
fn several_rooms(path: &str, all: &[Token<'_>], rooms: &BTreeSet<&str>) -> Option<String> {
    let mut named = BTreeSet::new();
    let sessions = names_of_sessions(all);
    for at in 0..all.len() {
        let Token::Word(word) = all[at] else {
            continue;
        };
        if word == "Session" && all.get(at + 1) == Some(&Token::Sign('{')) {
            // `impl Session` or a pattern: fields without a dot before them, or behind `self`.
            let inside = &all[at + 1..behind_brackets(all, at + 1)];
            named.extend(inside.iter().filter_map(|token| match token {
                Token::Word(word) => rooms.get(word).copied(),
                _ => None,
            }));
        }
        if !sessions.contains(word) {
            continue;
        }
        let called = [Token::Sign('('), Token::Sign(')')];
        let next = match all.get(at + 1..at + 3) == Some(&called) {
            true => at + 3,
            false => at + 1,
        };
        if let [Token::Sign('.'), Token::Word(field), ..] = all[next.min(all.len())..] {
            named.extend(rooms.get(field).copied());
        }
    }
    let named: Vec<&str> = named.into_iter().collect();
    (named.len() > 1).then(|| {
        format!(
            "{path}: names the fields of {} rooms ({}); only session.rs may",
            named.len(),
            named.join(", ")
        )
    })
}

/// What a session is called in a file: `session`, and arguments of that type.
fn names_of_sessions<'a>(all: &[Token<'a>]) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::from(["session", "session_mut"]);
    for (at, token) in all.iter().enumerate() {
        let Token::Word(name) = token else {
            continue;
        };
        if all.get(at + 1) != Some(&Token::Sign(':')) {
            continue;
        }
        let mut ty = all[at + 2..].iter();
        let ty = ty.find(|token| !matches!(token, Token::Sign('&') | Token::Word("mut")));
        if ty == Some(&Token::Word("Session")) {
            names.insert(*name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMS: [&str; 3] = ["live", "models", "review"];

    fn rooms_named(text: &str) -> Option<String> {
        several_rooms("a.rs", &tokens(text), &BTreeSet::from(ROOMS))
    }

    #[test]
    fn a_file_names_the_fields_of_one_room() {
        let one = "fn f(session: &mut Session) { session.live.a(); session.code.b(); session\n.live.c = 1 }";
        assert_eq!(rooms_named(one), None);
        let methods = "fn f(s: &Session) { s.model(); review.live.x; other.models.y }";
        assert_eq!(rooms_named(methods), None);
        for two in [
            "fn f(session: &mut Session) { session.live.a(); session\n    .models.b() }",
            "fn f(cx: &C) { cx.session().live.a(); cx.session.models.b() }",
            "fn f(engine: &Session, other: &mut Session) { engine.live.a(&other.models) }",
            "fn f(x: &mut Session) { let Session { live, models, .. } = x; }",
            "impl Session { fn f(&self) { self.live.a(&self.models) } }",
        ] {
            let problem = rooms_named(two).unwrap();
            assert!(problem.contains("live, models"), "{problem}");
        }
    }

    #[test]
    fn fields_that_every_crate_sees_are_told() {
        let text = "pub struct Analysis { pub(crate) a: A, pub b: FxHashMap<u32, (B, C)>, c: D }";
        let problems = public_fields(text);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("the field b of"), "{}", problems[0]);
        assert_eq!(public_fields("pub struct Other { pub a: A }").len(), 1);
    }

    #[test]
    fn nothing_keeps_the_outbox() {
        let free = "struct A { a: fn(&mut X) -> u8, b: Vec<Effect> } fn f(outbox: &mut Outbox) { let x: Outbox; }";
        assert_eq!(kept_outboxes("a.rs", &tokens(free)), Vec::<String>::new());
        for kept in [
            "struct A<'a> { b: u8, c: &'a mut Outbox }",
            "struct A { b: RefCell<Outbox> }",
            "pub(crate) struct A(u8, pub(crate) Option<Outbox>);",
        ] {
            assert_eq!(kept_outboxes("a.rs", &tokens(kept)).len(), 1, "{kept}");
        }
    }
}
