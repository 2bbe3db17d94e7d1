//! Contextual keywords that are names where the grammar takes them for keywords: `if (async)`, `G(await: 1)`,
//! `required.M()`, `[type, 1]`, `nint + 1`. They get another last letter, so that the grammar reads a name; what names mean
//! is read of the text itself.
//!
//! Which of the two a word is depends on what stands around it: a modifier has a declaration behind it, an operator an
//! operand. Only `await` is told by the function around where both may follow (`async_contexts.rs`).

use std::ops::Range;

use super::async_contexts;
use super::tokens::{Token, is_value};

/// When a word is a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Before a function: `async Task F()`, `async (x) => y`.
    Async,
    /// Before an operand, in an asynchronous function where an operator may stand as well.
    Await,
    /// Before a declaration: `partial class`, `required int`.
    Modifier,
    /// Before a colon at the beginning of an attribute list: `[field: A]`.
    Target,
    /// Before a condition: `case A when b:`.
    When,
    /// Before braces: `a with { B = 1 }`.
    With,
    /// Between patterns.
    Between,
    /// Before a pattern.
    Not,
    /// The name of a type, unless the file declares something of that name.
    Integer,
}

/// The words as they are written and as the grammar is shown them.
const WORDS: [(&str, &str, Rule); 17] = [
    ("async", "asynC", Rule::Async),
    ("await", "awaiT", Rule::Await),
    ("partial", "partiaL", Rule::Modifier),
    ("required", "requireD", Rule::Modifier),
    ("field", "fielD", Rule::Target),
    ("type", "typE", Rule::Target),
    ("method", "methoD", Rule::Target),
    ("param", "paraM", Rule::Target),
    ("property", "propertY", Rule::Target),
    ("typevar", "typevaR", Rule::Target),
    ("when", "wheN", Rule::When),
    ("with", "witH", Rule::With),
    ("and", "anD", Rule::Between),
    ("or", "oR", Rule::Between),
    ("not", "noT", Rule::Not),
    ("nint", "ninT", Rule::Integer),
    ("nuint", "nuinT", Rule::Integer),
];

/// Operators that are words.
const OPERATORS: [&str; 7] = ["is", "as", "switch", "with", "in", "and", "or"];
/// Words of queries and `switch` that follow a value and have one behind them.
const BETWEEN_VALUES: [&str; 13] = [
    "when",
    "into",
    "equals",
    "orderby",
    "select",
    "where",
    "group",
    "by",
    "on",
    "join",
    "let",
    "from",
    "descending",
];
/// Words behind which a value stands, not the name of what is declared.
const BEFORE_VALUES: [&str; 19] = [
    "return",
    "new",
    "is",
    "as",
    "in",
    "out",
    "ref",
    "case",
    "not",
    "and",
    "or",
    "else",
    "throw",
    "await",
    "when",
    "where",
    "select",
    "yield",
    "stackalloc",
];
const MODIFIERS: [&str; 14] = [
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "override",
    "virtual",
    "sealed",
    "new",
    "unsafe",
    "extern",
    "readonly",
    "abstract",
    "partial",
];

fn find(word: &str) -> Option<(&'static str, Rule)> {
    let known = WORDS.iter().find(|(known, ..)| *known == word);
    known.map(|(_, shown, rule)| (*shown, *rule))
}

/// Whether a word, written or as it is shown, decides about what stands before or behind it.
pub(super) fn decides(word: &str) -> bool {
    let is_known = |(written, shown, _): &(&str, &str, Rule)| *written == word || *shown == word;
    WORDS.iter().any(is_known)
        || OPERATORS.contains(&word)
        || BETWEEN_VALUES.contains(&word)
        || BEFORE_VALUES.contains(&word)
        || MODIFIERS.contains(&word)
        || async_contexts::decides(word)
}

/// Whether a text may have some. What is around a word in its line decides.
pub(super) fn may_have(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_of_word(bytes[at]) {
            at += 1;
            continue;
        }
        let rest = bytes[at..].iter();
        let end = at + rest.take_while(|byte| is_of_word(**byte)).count();
        if (2..=8).contains(&(end - at)) && may_be_name(text, at..end) {
            return true;
        }
        at = end;
    }
    false
}

/// Whatever is not ASCII counts as a letter.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Whether a word may be one that is a name, for what its line has around it.
fn may_be_name(text: &str, range: Range<usize>) -> bool {
    if !matches!(
        text.as_bytes()[range.start],
        b'a' | b'f' | b'm' | b'n'..=b'p' | b'r' | b't' | b'w'
    ) {
        return false;
    }
    let Some((_, rule)) = find(&text[range.clone()]) else {
        return false;
    };
    let is_blank = [' ', '\t', '\r'];
    let rest = text[range.end..].trim_start_matches(is_blank);
    let before = text[..range.start].trim_end_matches(is_blank);
    let is_member = before.ends_with('.') && !before.ends_with("..");
    if is_member || text[..range.start].ends_with('@') {
        return false;
    }
    let next = rest.chars().next().unwrap_or('\n');
    let is_word = |words: &[&str]| {
        let end = rest.find(|sign: char| !sign.is_ascii_lowercase());
        words.contains(&&rest[..end.unwrap_or(rest.len())])
    };
    match rule {
        Rule::Async | Rule::Await | Rule::Modifier => {
            let is_value = next.is_alphanumeric() || matches!(next, '_' | '@' | '"' | '\'' | '$');
            !is_value || is_word(&OPERATORS) || is_word(&BETWEEN_VALUES)
        }
        Rule::Target => next != ':' && (before.is_empty() || before.ends_with(['[', '\n'])),
        Rule::With => {
            !next.is_alphanumeric() && !matches!(next, '{' | '\n' | '_') || is_word(&["in"])
        }
        Rule::When if is_word(&["when"]) || before.ends_with("when") => true,
        Rule::When | Rule::Between | Rule::Not => {
            follows_name(next) && !begins_operand(next, rule) || is_word(&["in"])
        }
        Rule::Integer => {
            let is_sign = follows_name(next) || matches!(next, '-' | '[' | '(' | '<' | '>' | '\n');
            is_sign || is_word(&OPERATORS) || is_word(&BETWEEN_VALUES)
        }
    }
}

/// Whether a sign follows a name, and neither a keyword before a value nor one before a pattern.
fn follows_name(sign: char) -> bool {
    matches!(
        sign,
        ')' | ','
            | ';'
            | '='
            | ':'
            | ']'
            | '}'
            | '.'
            | '?'
            | '!'
            | '*'
            | '/'
            | '%'
            | '|'
            | '&'
            | '^'
            | '+'
    )
}

/// Whether a sign may begin what a keyword has behind it: `when !a`, `and +1`.
fn begins_operand(sign: char, rule: Rule) -> bool {
    match rule {
        Rule::When => matches!(sign, '!' | '*' | '&' | '+' | '^'),
        _ => sign == '+',
    }
}

/// Names of the language's types that something in a text is called by, by the text's tokens.
pub(super) fn declared(text: &str, tokens: &[Token]) -> Vec<&'static str> {
    let names = Names {
        text,
        tokens,
        declared: &[],
    };
    let types = WORDS.iter().filter(|(_, _, rule)| *rule == Rule::Integer);
    let types = types.map(|(name, ..)| *name);
    let may_be =
        types.filter(|name| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some());
    may_be.filter(|name| names.declares(name)).collect()
}

/// Where what replaces them in a part of a text; `tokens` are the part's, `declared` is the whole text's.
pub(super) fn rewrites(
    text: &str,
    tokens: &[Token],
    declared: &[&str],
    found: &mut Vec<(usize, &'static str)>,
) {
    let names = Names {
        text,
        tokens,
        declared,
    };
    let mut contexts = None;
    for (at, token) in tokens.iter().enumerate() {
        let Some((shown, rule)) = find(&text[token.range.clone()]) else {
            continue;
        };
        if !may_be_name(text, token.range.clone()) {
            continue;
        }
        let is_name = match rule {
            Rule::Await => match names.await_is_name(at) {
                Some(is_name) => is_name,
                None => {
                    let contexts = contexts.get_or_insert_with(|| names.without_await());
                    contexts.binary_search(&at).is_ok()
                }
            },
            _ => names.is_name(at, rule),
        };
        if is_name {
            found.push((token.range.start, shown));
        }
    }
}

struct Names<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// Names of types that something in the file is called by.
    declared: &'t [&'t str],
}

impl<'t> Names<'t> {
    fn word(&self, at: usize) -> &'t str {
        let token = self.tokens.get(at);
        token.map_or("", |token| &self.text[token.range.clone()])
    }

    fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |at| self.word(at))
    }

    fn is_name(&self, at: usize, rule: Rule) -> bool {
        let next = self.word(at + 1);
        let sign = next.chars().next().unwrap_or(' ');
        match rule {
            Rule::Async | Rule::Modifier => self.is_no_modifier(at, rule),
            Rule::Await => self.await_is_name(at) == Some(true),
            Rule::Target => self.before(at) == "[" && next != ":",
            Rule::With => next != "{",
            Rule::When if next == "when" || self.before(at) == "when" => self.when_is_name(at),
            Rule::When | Rule::Between | Rule::Not => {
                follows_name(sign) && !begins_operand(sign, rule) || matches!(next, "" | "in")
            }
            Rule::Integer => self.declared.contains(&self.word(at)) && !self.is_type(at),
        }
    }

    /// Whether one of several `when` in a row is a name: in `case T when when when:` keyword and name take turns, and the last
    /// one is a keyword where its condition begins behind it.
    fn when_is_name(&self, at: usize) -> bool {
        let behind = (at..).find(|next| self.word(*next) != "when");
        let behind = behind.unwrap_or(at + 1);
        let next = self.word(behind);
        let begins_condition = is_value(next) && !OPERATORS.contains(&next)
            || next == "!" && self.word(behind + 1) != "=";
        begins_condition != ((behind - at) % 2 == 1)
    }

    /// Whether a value goes on behind a word, so that it is one itself.
    fn goes_on(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        let operand = self.word(at + 2);
        match next {
            "is" | "as" | "switch" | "in" => true,
            "with" => operand == "{",
            "and" | "or" => is_value(operand),
            _ => BETWEEN_VALUES.contains(&next) && is_value(operand),
        }
    }

    /// Whether no declaration follows a modifier.
    fn is_no_modifier(&self, at: usize, rule: Rule) -> bool {
        let next = self.word(at + 1);
        if next != "(" {
            return self.goes_on(at) || next != "@" && !is_value(next);
        }
        // A call, or a lambda's parameters, or what a function gives: `async (int, int) F()`.
        let Some(close) = self.closed(at + 1) else {
            return false;
        };
        let behind = self.word(close + 1);
        let is_declared = is_value(behind) && !self.goes_on(close);
        let is_shape = match behind {
            // No statement begins with a conditional operator.
            "?" => {
                matches!(self.before(at), ";" | "{" | "}" | "]")
                    || MODIFIERS.contains(&self.before(at))
            }
            "[" => matches!(self.word(close + 2), "]" | ","),
            "=>" => rule == Rule::Async,
            _ => false,
        };
        !behind.is_empty() && !is_declared && !is_shape
    }

    /// Whether `await` is a name; nothing where the function around says so.
    fn await_is_name(&self, at: usize) -> Option<bool> {
        let next = self.word(at + 1);
        match next {
            "@" => Some(false),
            "(" | "[" | "+" | "-" | "&" | "*" => None,
            _ if is_value(next) => Some(self.goes_on(at)),
            _ => Some(true),
        }
    }

    /// The places of `await` in no asynchronous function.
    fn without_await(&self) -> Vec<usize> {
        let is_modifier = |at: usize| {
            let is_name = may_be_name(self.text, self.tokens[at].range.clone());
            !(is_name && self.is_no_modifier(at, Rule::Async))
        };
        async_contexts::without_await(|at| self.word(at), self.tokens.len(), is_modifier)
    }

    /// Whether something is called by a word that names a type of the language.
    fn declares(&self, name: &str) -> bool {
        (1..self.tokens.len()).any(|at| {
            let before = self.before(at);
            let is_type = is_value(before) && !BEFORE_VALUES.contains(&before)
                || matches!(before, ">" | "]" | "?");
            self.word(at) == name
                && is_type
                && matches!(self.word(at + 1), ")" | "," | ";" | "=" | "=>" | "{")
        })
    }

    /// Whether a word that names a type stands where only a type may: in a cast, as an operand of `typeof`, behind `new`.
    fn is_type(&self, at: usize) -> bool {
        let (before, next) = (self.before(at), self.word(at + 1));
        let around = at.checked_sub(2).map_or("", |at| self.word(at));
        let is_in_parentheses = before == "(" && next == ")";
        let is_operand = matches!(around, "typeof" | "sizeof" | "default");
        let is_cast = || {
            is_value(self.word(at + 2)) && !OPERATORS.contains(&self.word(at + 2))
                || self.word(at + 2) == "("
        };
        is_in_parentheses
            && (is_operand
                || is_cast() && !matches!(around, "if" | "while" | "switch" | "lock" | "using"))
            || matches!(before, "new" | "as" | "<" | "stackalloc" | "operator")
            || next == "[" && matches!(self.word(at + 2), "]" | ",")
            || next == "?" && matches!(self.word(at + 2), ")" | "," | ">" | "[")
            || next == "*" && matches!(self.word(at + 2), ")" | "," | ">" | "*")
            || matches!(next, ">" | "") && before == ","
    }

    /// The bracket that closes the one at a place.
    fn closed(&self, open: usize) -> Option<usize> {
        const LONGEST: usize = 2000;
        let mut depth = 0_usize;
        for at in open..open + LONGEST {
            match self.word(at) {
                "" | ";" if depth < 2 => return None,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_between;
    use super::WORDS;

    /// Every contextual keyword of the language.
    const CONTEXTUAL: [&str; 53] = [
        "add",
        "alias",
        "allows",
        "and",
        "args",
        "ascending",
        "async",
        "await",
        "by",
        "closed",
        "descending",
        "dynamic",
        "equals",
        "extension",
        "field",
        "file",
        "from",
        "get",
        "global",
        "group",
        "init",
        "into",
        "join",
        "let",
        "managed",
        "method",
        "nameof",
        "nint",
        "not",
        "notnull",
        "nuint",
        "on",
        "or",
        "orderby",
        "param",
        "partial",
        "property",
        "record",
        "remove",
        "required",
        "scoped",
        "select",
        "set",
        "type",
        "typevar",
        "union",
        "unmanaged",
        "value",
        "var",
        "when",
        "where",
        "with",
        "yield",
    ];

    /// Members with `W` as a name in every place where one may stand.
    const PLACES: [&str; 44] = [
        "void F(int W, int b = 1) { if (W > b) G(W: false, b); G(W, W + 1); }",
        "void F(params int[] W) { foreach (var x in W) { W[0] = x; } }",
        "static void F(this X W) => W.M();",
        "X W = 1; X a, b = W;",
        "X W { get; set; } = b;",
        "X W(int a) { return a; }",
        "event X W;",
        "(int a, int W) F() => (a: 1, W: 2);",
        "delegate void D(int W);",
        "enum E { a, W = 2 }",
        "record R(int W, int b);",
        "void M() { int W; int c = W; W = 1; W += 2; W++; --W; W ??= c; }",
        "void M() { var W = 1; var x = W; }",
        "void M() { var (W, b) = c; (W, b) = c; }",
        "void M() { foreach (var W in b) { } for (int W = 0; W < 1; W++) { } }",
        "void M() { try { } catch (X W) { throw W; } }",
        "void M() { if (a is int W && W > 1) { } if (a is { W: 1 } or X { b: 1 } W) { } }",
        "void M() { G(out var W); G(out X W); G(out W); G(ref W, in b); }",
        "void M() { if (W) { } if (!W) return; while (W && b) { } do { } while (a || W); }",
        "void M() { W.M(); W.P = 1; W?.M(); W!.M(); this.W = W; a.W(1).b(); a.W.b = 1; }",
        "int M() { return W; } int N() { return (W); } int P => W; int Q => W.b;",
        "int M() => W ? 1 : a ? W : b ?? W;",
        "bool M() => W == 1 || 1 == W || W != null || W < 1 || W <= 1;",
        "int M() => W / 2 + -W + ~W + (int)W + W!.b;",
        "bool M() => W is null || W is int b || W is { b: 1 };",
        "object M() => W as X ?? W switch { 1 => W, _ => W };",
        "int P { get => W; set => W = 1; }",
        "int P { get { return W; } set { W = 1; } }",
        "void M() { var x = new { W, b = 1 }; var y = new { W = 1, b }; var z = new X(W) { W = W }; }",
        "void M() { var x = new[] { W, a }; int[] y = { W }; X z = [W, 1]; X w = [W]; }",
        "string M() => $\"a{W}{W:X}{W.b,3}\" + nameof(W) + nameof(a.W);",
        "string M() => $\"{F(W, $\"{W}\")}\" + $$\"\"\"{{{W}}}\"\"\" + $@\"{W}\";",
        "void M() { G(W => W.b); G((W) => W.b); G((W, b) => W); G((int a, int W) => { W.b(); }); }",
        "void M() { var x = (W, 1); var y = (1, W); var z = (W: 1, b: 2); }",
        "void M() { switch (W) { case 1: break; } switch (a) { case X W: break; } }",
        "void M() { lock (W) { } using (W) { } using (var W = b) { } }",
        "IEnumerable<int> M() { yield return W; }",
        "void M() { a[W] = b[W]; a[W, 1] = 2; a[^W] = 1; a[W..] = a[..W]; }",
        "[A(W: 1)] int f; [A(W = 1)] int g; [A(W)] int h;",
        "C(int W) : base(W) { this.W = W; } C(int W, int b) : this(W) { }",
        "void M() { if (a) W = 1; else W = 2; { } W = 1; l: W = 2; checked { W = 3; } }",
        "void M() { var x = from b in W where b.c select b; var y = from b in c where W select W.b; }",
        "void M() { X<int> W = 1; X[] W = 1; X? W = 1; X.Y W = 1; const int W = 1; }",
        "X a = W; X b = W; int this[int W] => W;",
    ];

    /// Calls, indexes and operators that may stand behind `await` as well: not in functions that await.
    const CALLS: [&str; 4] = [
        "void M() { W(); W(1); W(1, b); var x = W(1); if (W(1)) return; G(W(1), 2); W<int>(1); }",
        "void M() { W[0] = 1; var x = W[0]; if (W[1]) return; G(W[1]); }",
        "int M() => W + 1 + a + W; int N() => W - 1; int O() => W & 2;",
        "void M() { if (W && b) return; G((a, W) => W + a); }",
    ];

    #[test]
    fn contextual_keywords_are_names_in_every_place() {
        let mut wrong = Vec::new();
        for place in PLACES.iter().chain(&CALLS) {
            let control = tree_of(place, "zed");
            assert!(!control.1, "{place}");
            for word in CONTEXTUAL {
                let (shape, has_errors) = tree_of(place, word);
                let is_other = shape != control.0;
                if has_errors || is_other {
                    wrong.push(format!("{word} in {place}\n  {shape}\n  {}", control.0));
                }
            }
        }
        assert!(
            wrong.is_empty(),
            "{} of them:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
    }

    fn tree_of(place: &str, word: &str) -> (String, bool) {
        // Names of types are names where the file declares them.
        let text = format!("class Q {{ X W; {place} int Tail; }}").replace('W', word);
        let seen = crate::preprocess::preprocess(crate::Language::CSharp, &text);
        assert_eq!(seen.len(), text.len());
        let tree = crate::parse::parse(crate::Language::CSharp, &seen, None).expect("a tree");
        (tree.root_node().to_sexp(), tree.root_node().has_error())
    }

    /// What is read of members of a class.
    fn read(members: &str) -> String {
        read_between("class A { ", members, " }")
    }

    #[test]
    fn keywords_stay() {
        for plain in [
            "async Task F() { await G(); await (h); await foreach (var x in y) { } await using var z = await -w; }",
            "async (int, int) F() => await (a); async (int a, int b)? G() { } private async (int, int)? H() => (1, 2);",
            "void F() { G(async x => await (x)); G(async (x, y) => { await (x); }); G(async delegate { await (y); }); }",
            "async Task F() { for (int i = 0; i < 1; i++) { await (a); if (b) { await (c); } G(() => { }, async () => { await (d); }); } }",
            "partial class B { partial void M(); partial (int, int) N(); required public (int, int) P { get; set; } required int Q; }",
            "[field: B] [method: B] void F() { if (a is > 1 and < 2 or not (3 or 4)) { } }",
            "int F(A a) => a switch { B when !c => 1, C when(d) => 2, D when -e > 1 => 3, +1 and not +2 or -3 => 4, _ => 5 };",
            "int F(nint a, nuint b) => a switch { 1 when b > 1 => 2, not 3 => 4, _ => (int)(nint)b };",
            "B F(B a) => a with { C = 1 }; nint G() => nint.MaxValue + nuint.MinValue;",
            "void F() { (nint, int) a = b; List<nint> c = new(); nint? d = e; var t = typeof(nint); }",
        ] {
            assert_eq!(read(plain), plain);
        }
    }

    #[test]
    fn await_is_a_name_where_nothing_is_asynchronous() {
        assert_eq!(
            read("void F() { await(1); } async Task G() { await (1); void H() { await(2); } }"),
            "void F() { awaiT(1); } async Task G() { await (1); void H() { awaiT(2); } }"
        );
    }

    #[test]
    fn collections_may_begin_with_targets_of_attributes() {
        assert_eq!(
            read(
                "A[] F() => [type]; A[] b = [method.C, 1]; A[] c = [\n  field,\n  param]; [type: B] int d;"
            ),
            "A[] F() => [typE]; A[] b = [methoD.C, 1]; A[] c = [\n  fielD,\n  param]; [type: B] int d;"
        );
    }

    #[test]
    fn words_are_shown_with_another_last_letter() {
        for (written, shown, _) in WORDS {
            assert!(written != shown && written.eq_ignore_ascii_case(shown));
        }
    }
}
