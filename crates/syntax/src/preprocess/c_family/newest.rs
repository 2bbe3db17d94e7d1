//! What C++26 and C2y say and the grammars do not know, written as something that they do: contracts, reflection,
//! expansion statements, lists of friends, ranges of cases, named loops, integers of any width, declarations in
//! conditions (which the grammar of C++ knows, that of C does not). So are members of members in `offsetof`.

use std::borrow::Cow;
use std::ops::Range;

use super::macro_words::{is_name, is_plain_type};
use super::tokens::Tokens;

/// Letters, and whether what stands behind them is such that they say something new.
type Sign = (&'static str, fn(&str) -> bool);

/// What a text has that has any of it, each with what stands behind it there. Most texts have none, and are not taken
/// apart into tokens.
const SIGNS: [Sign; 13] = [
    ("^^", |_| true),
    ("[:", |behind| !behind.starts_with(':')),
    ("template for", |_| true),
    ("pre", opens),
    ("post", opens),
    ("friend ", |behind| statement(behind).contains([',', '.'])),
    ("case ", |behind| statement(behind).contains("...")),
    ("break ", begins_word),
    ("continue ", begins_word),
    ("_BitInt", opens),
    ("offsetof", opens),
    ("if", declares),
    ("switch", declares),
];

fn has_any(text: &str, is_cpp: bool) -> bool {
    let has = |(sign, is_one): &Sign| {
        // The grammar of C++ knows declarations in conditions.
        if is_cpp && matches!(*sign, "if" | "switch") {
            return false;
        }
        let mut places = memchr::memmem::find_iter(text.as_bytes(), sign.as_bytes());
        places.any(|at| text.get(at + sign.len()..).is_some_and(is_one))
    };
    SIGNS.iter().any(has)
}

fn begins_word(behind: &str) -> bool {
    behind.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn opens(behind: &str) -> bool {
    behind.trim_start().starts_with(['(', '['])
}

/// What stands before the next semicolon or brace, as far as that is near.
fn statement(behind: &str) -> &str {
    const LONGEST: usize = 400;
    let end = behind
        .bytes()
        .take(LONGEST)
        .position(|byte| matches!(byte, b';' | b'{'));
    end.and_then(|end| behind.get(..end)).unwrap_or("")
}

/// Whether two words stand behind an opening parenthesis.
fn declares(behind: &str) -> bool {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let Some(inside) = behind.trim_start().strip_prefix('(') else {
        return false;
    };
    let inside = inside.trim_start();
    let after = inside.trim_start_matches(is_of_word);
    after.len() < inside.len() && begins_word(after.trim_start_matches([' ', '*', '\t']))
}

/// The same text in the words of older standards: same length, same offsets.
pub(super) fn in_older_words(text: &str, is_cpp: bool) -> Cow<'_, str> {
    if !has_any(text, is_cpp) {
        return Cow::Borrowed(text);
    }
    let file = File {
        text,
        tokens: Tokens::new(text).collect(),
        is_cpp,
    };
    let rewrites = file.rewrites();
    if rewrites.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for Rewrite { range, with } in rewrites {
        let Some(place) = bytes.get_mut(range) else {
            continue;
        };
        let blanks = std::iter::repeat(&b' ');
        for (byte, new) in place.iter_mut().zip(with.as_bytes().iter().chain(blanks)) {
            // Lines stay lines.
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = *new;
            }
        }
    }
    // What is written is ASCII, and takes the place of whole tokens.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// What stands in the place of some bytes, with blanks behind it. It is never longer than they are.
struct Rewrite {
    range: Range<usize>,
    with: &'static str,
}

struct File<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
    is_cpp: bool,
}

impl<'t> File<'t> {
    fn word(&self, at: usize) -> &'t str {
        let range = self.tokens.get(at).cloned().unwrap_or_default();
        self.text.get(range).unwrap_or_default()
    }

    /// The word before, or nothing.
    fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    /// The bytes from one token to another, both included.
    fn bytes(&self, from: usize, to: usize) -> Range<usize> {
        match (self.tokens.get(from), self.tokens.get(to)) {
            (Some(from), Some(to)) => from.start..to.end,
            _ => 0..0,
        }
    }

    /// Whether these tokens stand side by side, as the letters of one sign do.
    fn is_sign(&self, at: usize, sign: &[&str]) -> bool {
        let is_next = |(index, word): (usize, &&str)| self.word(at + index) == *word;
        let last = at + sign.len() - 1;
        let length: usize = sign.iter().map(|word| word.len()).sum();
        sign.iter().enumerate().all(is_next) && self.bytes(at, last).len() == length
    }

    /// The token that closes the bracket which is the token here.
    fn closing(&self, at: usize) -> Option<usize> {
        /// What is rewritten is short.
        const LONGEST: usize = 4096;
        let mut depth = 0_usize;
        for index in at..self.tokens.len().min(at + LONGEST) {
            match self.word(index) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(index);
            }
        }
        None
    }

    fn rewrites(&self) -> Vec<Rewrite> {
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            match self.word(at) {
                "^" if self.is_cpp => self.reflection(at, &mut found),
                "[" if self.is_cpp => self.splice(at, &mut found),
                "template" if self.is_cpp && self.word(at + 1) == "for" => {
                    found.push(Rewrite {
                        range: self.bytes(at, at),
                        with: "",
                    });
                }
                "pre" | "post" if self.is_cpp => self.contract(at, &mut found),
                "friend" if self.is_cpp => self.friends(at, &mut found),
                "case" => self.range_of_cases(at, &mut found),
                "break" | "continue" => self.jump(at, &mut found),
                "_BitInt" => self.width(at, &mut found),
                "offsetof" | "__builtin_offsetof" => self.offset(at, &mut found),
                "if" | "switch" if !self.is_cpp => self.declared_in_condition(at, &mut found),
                _ => {}
            }
        }
        found
    }

    /// `^^T` is `T`, which the grammar takes for a value; a type that is a word of the language is none.
    fn reflection(&self, at: usize, found: &mut Vec<Rewrite>) {
        let is_one = self.is_sign(at, &["^", "^"])
            && !is_operand(self.before(at))
            && self.before(at) != "operator";
        if !is_one {
            return;
        }
        let is_word = is_plain_type(self.word(at + 2)) || self.word(at + 2) == "void";
        let range = match is_word {
            true => self.bytes(at, at + 2),
            false => self.bytes(at, at + 1),
        };
        let with = if is_word { "0" } else { "" };
        found.push(Rewrite { range, with });
    }

    /// `[: r :]` is `r`; behind a point it is no member of that name, so what is before it is another operand.
    fn splice(&self, at: usize, found: &mut Vec<Rewrite>) {
        if !self.is_sign(at, &["[", ":"]) {
            return;
        }
        let Some(close) = self.closing(at).filter(|close| *close > at + 2) else {
            return;
        };
        if !self.is_sign(close - 1, &[":", "]"]) {
            return;
        }
        let is_point = self.before(at) == ".";
        let is_arrow = self.before(at) == ">" && at > 1 && self.is_sign(at - 2, &["-", ">"]);
        if is_point || is_arrow {
            let first = at - if is_arrow { 2 } else { 1 };
            found.push(Rewrite {
                range: self.bytes(first, at - 1),
                with: ",",
            });
        }
        for range in [self.bytes(at, at + 1), self.bytes(close - 1, close)] {
            found.push(Rewrite { range, with: "" });
        }
    }

    /// `pre(n > 0)`, `post(r: r > n)` behind the parameters of a function.
    fn contract(&self, at: usize, found: &mut Vec<Rewrite>) {
        // `pre [[attribute]] (…)`
        let mut open = at + 1;
        if self.is_sign(open, &["[", "["]) {
            open = self.closing(open).map_or(open, |close| close + 1);
        }
        let Some(close) = (self.word(open) == "(")
            .then(|| self.closing(open))
            .flatten()
        else {
            return;
        };
        let ends = || {
            let before = || self.before_constraint(at);
            self.ends_function(at)
                .or_else(|| self.ends_function(before()?))
        };
        let is_end = match self.word(close + 1) {
            "{" | ":" | "pre" | "post" => ends().is_some(),
            // `if (a) post(b);` calls something, `void f(int a) post(b);` declares.
            ";" | "=" => ends() == Some(true),
            _ => false,
        };
        if is_end {
            found.push(Rewrite {
                range: self.bytes(at, close),
                with: "",
            });
        }
    }

    /// The token that opens the parenthesis which is closed here.
    fn opening(&self, at: usize) -> Option<usize> {
        const LONGEST: usize = 1024;
        let mut depth = 0_usize;
        for index in (at.saturating_sub(LONGEST)..=at).rev() {
            match self.word(index) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(index);
            }
        }
        None
    }

    /// The token `requires` of the constraint behind a function's head that stands before a token.
    fn before_constraint(&self, at: usize) -> Option<usize> {
        /// So many words a constraint has at most, what is in brackets not counted.
        const LONGEST: usize = 64;
        let mut index = at;
        for _ in 0..LONGEST {
            index = index.checked_sub(1)?;
            match self.word(index) {
                ")" | "]" | "}" => index = self.opening(index)?,
                // `requires requires (T t) { … }`
                "requires" if self.before(index) == "requires" => return Some(index - 1),
                "requires" => return Some(index),
                ";" | "{" | "(" | "=" => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether the head of a function ends before a token, and if so, whether a type stands before its name.
    fn ends_function(&self, at: usize) -> Option<bool> {
        /// So many words stand behind the parameters of a function at most.
        const LONGEST: usize = 32;
        let mut index = at;
        let (mut has_type, mut has_arrow) = (false, false);
        for _ in 0..LONGEST {
            index = index.checked_sub(1)?;
            let word = self.word(index);
            match word {
                ")" => {
                    let open = self.opening(index)?;
                    let name = self.before(open);
                    if matches!(name, "noexcept" | "pre" | "post" | "requires" | "throw") {
                        index = open - 1;
                        continue;
                    }
                    if name == "]" {
                        let start = self.opening(open - 1)?;
                        if self.is_sign(start, &["[", "["]) {
                            index = start.checked_sub(1)?; // `pre [[attribute]] (…)`
                            continue;
                        }
                        return Some(false); // the parameters of a lambda
                    }
                    let is_name = is_name(name) && !is_statement(name);
                    let before = open.checked_sub(2).map_or("", |before| self.word(before));
                    let is_typed = matches!(before, "*" | "&" | ">" | "::" | "~" | "operator")
                        || is_name_of_type(before);
                    return (is_name && (has_arrow || !has_type)).then_some(is_typed);
                }
                "const" | "volatile" | "noexcept" | "override" | "final" | "mutable" => {}
                ">" if index > 0 && self.is_sign(index - 1, &["-", ">"]) => {
                    has_arrow = true;
                    index -= 1;
                }
                "&" if !has_type => {}
                "&" | "*" | "<" | ">" | "::" | "," => has_type = true,
                _ if is_name(word) => has_type = true,
                _ => return None,
            }
        }
        None
    }

    /// `friend A, B...;` is `friend A; B;`.
    fn friends(&self, at: usize, found: &mut Vec<Rewrite>) {
        /// So many words a list of friends has at most.
        const LONGEST: usize = 64;
        let mut angles = 0_usize;
        let mut commas = Vec::new();
        for index in at + 1..self.tokens.len().min(at + LONGEST) {
            match self.word(index) {
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                "," if angles == 0 => commas.push((index, ";")),
                "." => commas.push((index, "")),
                ";" => break,
                word if is_name(word) || matches!(word, "::" | ",") => {}
                _ => return,
            }
        }
        found.extend(commas.into_iter().map(|(index, with)| Rewrite {
            range: self.bytes(index, index),
            with,
        }));
    }

    /// `case A ... B:` is `case A + B:`.
    fn range_of_cases(&self, at: usize, found: &mut Vec<Rewrite>) {
        /// So many words a range has at most.
        const LONGEST: usize = 32;
        for index in at + 2..self.tokens.len().min(at + LONGEST) {
            if self.is_sign(index, &[".", ".", "."]) {
                return found.push(Rewrite {
                    range: self.bytes(index, index + 2),
                    with: " +",
                });
            }
            if matches!(self.word(index), ":" | ";" | "{" | "}") {
                return;
            }
        }
    }

    /// `break outer;` jumps to what a label names.
    fn jump(&self, at: usize, found: &mut Vec<Rewrite>) {
        if is_name(self.word(at + 1)) && self.word(at + 2) == ";" {
            found.push(Rewrite {
                range: self.bytes(at, at),
                with: "goto",
            });
        }
    }

    /// `offsetof(struct node, in.all[1])` is `((struct node)in.all[1])`: the grammar knows one name, and that of C no
    /// `__builtin_offsetof`.
    fn offset(&self, at: usize, found: &mut Vec<Rewrite>) {
        let Some(close) = (self.word(at + 1) == "(")
            .then(|| self.closing(at + 1))
            .flatten()
        else {
            return;
        };
        // A member has no comma, but the arguments of its type may.
        let comma = (at + 2..close).rev().find(|index| self.word(*index) == ",");
        let Some(comma) = comma.filter(|comma| *comma > at + 2 && is_name(self.word(comma + 1)))
        else {
            return;
        };
        if comma + 2 == close && self.word(at) == "offsetof" {
            return;
        }
        // The name's last letter is the first parenthesis, so that a node begins there.
        let name = self.bytes(at, at);
        let last = name.end - 1;
        for (range, with) in [(name.start..last, ""), (last..name.end, "(")] {
            found.push(Rewrite { range, with });
        }
        found.push(Rewrite {
            range: self.bytes(comma, comma),
            with: ")",
        });
    }

    /// `_BitInt(24)` is an `int`.
    fn width(&self, at: usize, found: &mut Vec<Rewrite>) {
        if self.word(at + 1) == "("
            && let Some(close) = self.closing(at + 1)
        {
            found.push(Rewrite {
                range: self.bytes(at, close),
                with: "int",
            });
        }
    }

    /// `if (int n = f(); n) { } else { }` of C is `int n = f(); n; { } { }`: what it declares is seen where it was.
    fn declared_in_condition(&self, at: usize, found: &mut Vec<Rewrite>) {
        let Some(close) = (self.word(at + 1) == "(")
            .then(|| self.closing(at + 1))
            .flatten()
        else {
            return;
        };
        if !self.is_declaration(at + 2, close) {
            return;
        }
        let is_chained = self.before(at) == "else";
        let first = if is_chained { at - 1 } else { at };
        found.push(Rewrite {
            range: self.bytes(first, at + 1),
            with: "",
        });
        found.push(Rewrite {
            range: self.bytes(close, close),
            with: ";",
        });
        let end = match self.word(close + 1) {
            "{" => self.closing(close + 1),
            _ => (close + 1..self.tokens.len()).find(|index| self.word(*index) == ";"),
        };
        let other = end.map(|end| end + 1);
        if let Some(other) = other.filter(|other| self.word(*other) == "else")
            // One that goes on with another such condition goes with that.
            && !(self.word(other + 1) == "if"
                && self.closing(other + 2).is_some_and(|close| self.is_declaration(other + 3, close)))
        {
            found.push(Rewrite {
                range: self.bytes(other, other),
                with: "",
            });
        }
    }

    /// Whether a type, a name and `=` begin at a token: `struct a* b = …`.
    fn is_declaration(&self, at: usize, close: usize) -> bool {
        let mut names = 0;
        for index in at..close {
            match self.word(index) {
                "=" => {
                    let is_named = is_name(self.before(index));
                    return names > 1 && is_named && self.word(index + 1) != "=";
                }
                "*" => {}
                word if is_name(word) => names += 1,
                _ => return false,
            }
        }
        false
    }
}

/// Words that stand before a parenthesis and name no function.
fn is_statement(word: &str) -> bool {
    matches!(
        word,
        "if" | "for"
            | "while"
            | "switch"
            | "catch"
            | "return"
            | "sizeof"
            | "decltype"
            | "constexpr"
    )
}

/// Whether a word may end a type.
fn is_name_of_type(word: &str) -> bool {
    is_name(word)
        && !is_statement(word)
        && !matches!(word, "else" | "do" | "case" | "goto" | "throw")
}

/// Whether a word ends an operand: what follows is an operator between two.
fn is_operand(word: &str) -> bool {
    let is_word = matches!(word, "return" | "case" | "co_return" | "co_yield" | "throw");
    !is_word
        && (matches!(word, ")" | "]")
            || word.ends_with(|last: char| last.is_alphanumeric() || last == '_'))
}

#[cfg(test)]
mod tests {
    use super::in_older_words;

    fn check(text: &str, is_cpp: bool, expected: &str) {
        let shown = in_older_words(text, is_cpp);
        assert_eq!(shown.len(), text.len());
        let words: Vec<_> = shown.split_whitespace().collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn contracts_go() {
        check(
            "int f(int n) const pre(n > 0) post(r: r > n) { return n; } void g() post(a());",
            true,
            "int f(int n) const { return n; } void g() ;",
        );
        check(
            "auto f(int n) -> a::B<int> pre(n > (1)) { }",
            true,
            "auto f(int n) -> a::B<int> { }",
        );
        check(
            "struct S { S(int n) pre(n > 0) : a(n) {} int v(int x) const noexcept(a(b)) pre(x) = 0; };",
            true,
            "struct S { S(int n) : a(n) {} int v(int x) const noexcept(a(b)) = 0; };",
        );
        check(
            "struct S { int a() requires true pre(b > 0) { return 1; } int c() requires D<T, int> && (!E<T>) post(r: r) pre(x); };",
            true,
            "struct S { int a() requires true { return 1; } int c() requires D<T, int> && (!E<T>) ; };",
        );
        check(
            "template <class T> int f(T a) requires requires (T t) { t.b(); } pre [[c]] (a > 0) post(d(a)) {}",
            true,
            "template <class T> int f(T a) requires requires (T t) { t.b(); } {}",
        );
        check(
            "auto a = [](int b) pre(b > 0) { return b; }; auto c = [=](int b) -> int post(r: r) { };",
            true,
            "auto a = [](int b) { return b; }; auto c = [=](int b) -> int { };",
        );
        for text in [
            "if (a) post(b);",
            "requires; a(b); post(c);",
            "for (;;) post(b); while (a) pre(c);",
            "{ LOCK(x) post(y); f(); post(z); }",
        ] {
            check(text, true, text);
        }
        for text in [
            "int a = pre(1);",
            "void f() { g(); pre(1); post(2); }",
            "void pre(int a);",
        ] {
            check(text, true, text);
        }
    }

    #[test]
    fn reflections_and_splices_are_what_they_name() {
        check("auto r = ^^T; f(^^int);", true, "auto r = T; f(0 );");
        check("a = b ^ c; a ^^ b;", true, "a = b ^ c; a ^^ b;");
        check(
            "typename [:r:] a; b.[:m:] = c->[:n:] + d[::e];",
            true,
            "typename r a; b, m = c, n + d[::e];",
        );
        check(
            "template for (auto m : all) { }",
            true,
            "for (auto m : all) { }",
        );
        check(
            "struct A { friend T..., b::U<C, D>; friend void f(A, B); };",
            true,
            "struct A { friend T ; b::U<C, D>; friend void f(A, B); };",
        );
    }

    #[test]
    fn ranges_of_cases_and_named_loops_are_those_of_before() {
        check(
            "switch (a) { case 1 ... 3: break; case A: continue; }",
            false,
            "switch (a) { case 1 + 3: break; case A: continue; }",
        );
        check("o: for (;;) { break o; }", false, "o: for (;;) { goto o; }");
    }

    #[test]
    fn declarations_in_conditions_of_c_stand_before_them() {
        check(
            "if (int n = f(); n > 1) { a(); } else if (struct b *c = g()) { } else { d(); }",
            false,
            "int n = f(); n > 1; { a(); } struct b *c = g(); { } { d(); }",
        );
        for text in [
            "if (a == b) { } else { }",
            "if (a = f()) { }",
            "if ((a) b = c) d();",
        ] {
            check(text, false, text);
        }
    }

    #[test]
    fn members_of_members_are_casts() {
        check(
            "int a = offsetof(struct b, c.d[1].e); int f = __builtin_offsetof (struct b, c);",
            false,
            "int a = ((struct b) c.d[1].e); int f = ( (struct b) c);",
        );
        check(
            "int a = offsetof(b::c<d, 3>,e.f);",
            true,
            "int a = ((b::c<d, 3>)e.f);",
        );
        for text in [
            "int a = offsetof(struct b, c);",
            "offsetof(a);",
            "int offsetof;",
        ] {
            check(text, true, text);
        }
    }

    #[test]
    fn integers_of_any_width_are_integers() {
        check(
            "unsigned _BitInt(N + 1) a; _BitInt(8) b;",
            false,
            "unsigned int a; int b;",
        );
    }
}
