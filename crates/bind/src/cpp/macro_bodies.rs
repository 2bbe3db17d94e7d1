//! What a macro stands for: names in it that are no parameters are uses, as in the code that the macro is used in.
//!
//! They are looked up where the macro is defined. What is behind `.` and `->` is a member of nobody knows what.

use tree_sitter::Node;

use super::names::In;
use super::walk::{CppWalk, TAGS};
use crate::facts::{DefId, ExprId, FILE_SCOPE, Role, space};

/// A longer body is data.
const LONGEST: usize = 16 * 1024;

/// A part of a macro's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MacroToken<'t> {
    /// A name and its first byte.
    Name(&'t str, usize),
    /// `.`
    Dot,
    /// `->`
    Arrow,
    /// `::`
    Scope,
    /// `##`
    Paste,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `*`
    GlobImport,
    /// `&`
    Address,
    /// `{`
    Brace,
    /// `,`
    Comma,
    /// Numbers, strings, other signs.
    Other,
}

/// What is before a token.
#[derive(Clone, Copy)]
enum CppTokenBefore {
    Nothing,
    /// A name, and what it means where it is a use.
    Name(Option<ExprId>),
    /// What follows is looked up in this, or in nobody knows what.
    Path(Option<ExprId>),
}

impl<'t> CppWalk<'t> {
    /// The uses in the text behind `#define A(x)`, and what it gives.
    pub(super) fn macro_body(&mut self, define: Node<'t>, def: DefId) {
        let Some(body) = define.child_by_field_name("value") else {
            return;
        };
        if body.byte_range().len() > LONGEST {
            return;
        }
        let list = define.child_by_field_name("parameters");
        let parameters = list.map_or("", |node| self.text(node));
        let is_parameter = |name: &str| {
            let mut names = parameters.split(|c: char| !c.is_alphanumeric() && c != '_');
            name.starts_with("__VA_") || names.any(|parameter| parameter == name)
        };
        let tokens = tokens(self.text(body), body.start_byte());
        self.opened_namespaces(define, &tokens);
        self.macro_value(def, &tokens, list.is_some(), &is_parameter);
        self.macro_members(define, def, &tokens, parameters);
        let mut before = CppTokenBefore::Nothing;
        for (index, token) in tokens.iter().enumerate() {
            let next = tokens.get(index + 1);
            before = match (*token, before) {
                (
                    MacroToken::Name(name, at),
                    CppTokenBefore::Nothing
                    | CppTokenBefore::Name(_)
                    | CppTokenBefore::Path(Some(_)),
                ) if next != Some(&MacroToken::Paste) && !is_parameter(name) => {
                    let last = index.checked_sub(1).map(|last| tokens[last]);
                    let (role, spaces) = match next {
                        _ if last.is_some_and(is_tag_word) => (Role::Type, TAGS),
                        Some(MacroToken::Scope) => (Role::Read, space::TYPE | space::NAMESPACE),
                        Some(MacroToken::Open) => (Role::Call, space::ANY),
                        _ => (Role::Read, space::ANY),
                    };
                    let around = match before {
                        CppTokenBefore::Path(Some(of)) => In::Of(of),
                        _ => In::Scope(FILE_SCOPE),
                    };
                    let of = self.use_text(around, name, at as u32, role, spaces);
                    CppTokenBefore::Name(Some(of))
                }
                (MacroToken::Name(..), _) => CppTokenBefore::Name(None),
                (MacroToken::Scope, CppTokenBefore::Name(of)) => CppTokenBefore::Path(of),
                (MacroToken::Dot | MacroToken::Arrow | MacroToken::Paste, _) => {
                    CppTokenBefore::Path(None)
                }
                _ => CppTokenBefore::Nothing,
            };
        }
    }
}

/// Whether the name of a tag follows.
fn is_tag_word(token: MacroToken<'_>) -> bool {
    matches!(token, MacroToken::Name("struct" | "union" | "enum", _))
}

/// A namespace of namespaces: those that macros open, by their paths. Each is where its macro is. This is no name
/// that could be written.
pub const OPENED: &str = " {";

impl<'t> CppWalk<'t> {
    /// `#define BEGIN namespace a { inline namespace v1 {`: who writes `BEGIN` opens these, which nobody sees there. The
    /// last brace may be written behind `BEGIN`.
    fn opened_namespaces(&mut self, define: Node<'t>, tokens: &[MacroToken<'t>]) {
        let opened = |index: usize| match tokens.get(index..)? {
            [MacroToken::Name("namespace", _), MacroToken::Name(name, at)]
            | [
                MacroToken::Name("namespace", _),
                MacroToken::Name(name, at),
                MacroToken::Brace,
                ..,
            ] => Some((*name, *at)),
            _ => None,
        };
        let mut opened = (0..tokens.len()).filter_map(opened).peekable();
        if opened.peek().is_none() {
            return;
        }
        let at = define.start_byte();
        let all = self.namespace_at(OPENED, FILE_SCOPE, define, at, at..at);
        let mut path = String::new();
        for (name, at) in opened {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
            self.namespace_at(&path, all, define, at, at..at);
        }
    }
}

fn tokens(text: &str, start: usize) -> Vec<MacroToken<'_>> {
    let bytes = text.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let length = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => {
                at += 1;
                continue;
            }
            b'"' | b'\'' => quoted(rest),
            b'/' if rest.starts_with(b"//") => rest.len(),
            b'/' if rest.starts_with(b"/*") => {
                let inside = rest.get(2..).unwrap_or_default();
                let end = inside.windows(2).position(|two| two == b"*/");
                end.map_or(rest.len(), |end| end + 4)
            }
            _ if is_name(&byte) => rest.iter().take_while(|byte| is_name(byte)).count(),
            _ if [&b"->"[..], b"::", b"##"]
                .iter()
                .any(|sign| rest.starts_with(sign)) =>
            {
                2
            }
            _ => 1,
        };
        let word = text.get(at..at + length).unwrap_or("");
        found.push(match word {
            "." => MacroToken::Dot,
            "->" => MacroToken::Arrow,
            "::" => MacroToken::Scope,
            "##" => MacroToken::Paste,
            "(" => MacroToken::Open,
            ")" => MacroToken::Close,
            "*" => MacroToken::GlobImport,
            "&" => MacroToken::Address,
            "{" => MacroToken::Brace,
            "," => MacroToken::Comma,
            _ if is_name(&byte) && !byte.is_ascii_digit() => MacroToken::Name(word, start + at),
            _ => MacroToken::Other,
        });
        at += length;
    }
    found
}

/// The length of a string or character, its quotes included.
fn quoted(text: &[u8]) -> usize {
    let quote = text.first().copied();
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            _ if Some(byte) == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}
