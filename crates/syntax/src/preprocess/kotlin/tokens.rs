//! The tokens of a Kotlin text, as far as its repair needs them: words, literals, brackets and signs. Comments are none.
//! What stands in the `${}` of a text is tokens like any other.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KotlinTokenKind {
    /// A name or a word of the language.
    Word,
    /// A number, a character, or a stretch of a text.
    Literal,
    /// `(`, `[`, `{` or the `${` of a text, by what closes it.
    Open(u8),
    /// What closes one.
    Close(u8),
    /// `->`.
    Arrow,
    /// Any other sign, by its first byte; `==` and the like have `b'!'`, `::`, `?:` and `?.` have `b'.'`.
    Sign(u8),
}

/// A token and what is before it.
#[derive(Clone, Debug)]
pub(super) struct KotlinToken {
    pub(super) kind: KotlinTokenKind,
    pub(super) range: Range<usize>,
    /// Whether a line ends between it and the token before, outside of comments.
    pub(super) is_first_of_line: bool,
}

/// The tokens of a text, which of them are a pair of brackets, and the dollars in texts that mean nothing.
pub(super) struct KotlinTokens<'t> {
    pub(super) text: &'t str,
    pub(super) all: Vec<KotlinToken>,
    /// Of a bracket the place of the other one; its own where there is none.
    partners: Vec<usize>,
    /// Dollars that the grammar would take for interpolation, or for the text before a quote.
    pub(super) idle_dollars: Vec<Range<usize>>,
}

/// A text that a `${` interrupted.
struct InterruptedString {
    dollars: usize,
    is_raw: bool,
}

struct KotlinLexer<'t> {
    bytes: &'t [u8],
    at: usize,
    is_first_of_line: bool,
    all: Vec<KotlinToken>,
    idle_dollars: Vec<Range<usize>>,
    /// The brackets that are open, by their places, and of those of a text how that goes on.
    open: Vec<(usize, Option<InterruptedString>)>,
    partners: Vec<usize>,
}

impl<'t> KotlinTokens<'t> {
    pub(super) fn from_text(text: &'t str) -> Self {
        let mut lexer = KotlinLexer {
            bytes: text.as_bytes(),
            at: 0,
            is_first_of_line: true,
            all: Vec::new(),
            idle_dollars: Vec::new(),
            open: Vec::new(),
            partners: Vec::new(),
        };
        while lexer.at < lexer.bytes.len() {
            lexer.step();
        }
        Self {
            text,
            all: lexer.all,
            partners: lexer.partners,
            idle_dollars: lexer.idle_dollars,
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<&KotlinToken> {
        self.all.get(at)
    }

    pub(super) fn kind(&self, at: usize) -> Option<KotlinTokenKind> {
        self.get(at).map(|token| token.kind)
    }

    pub(super) fn str(&self, at: usize) -> &'t str {
        let range = self.get(at).map(|token| token.range.clone());
        range
            .and_then(|range| self.text.get(range))
            .unwrap_or_default()
    }

    /// Whether a token is this word or sign.
    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.str(at) == text
    }

    /// The place of the bracket that a bracket belongs to.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        let partner = *self.partners.get(at)?;
        (partner != at).then_some(partner)
    }

    /// Whether an expression or type may end with a token.
    pub(super) fn ends_operand(&self, at: usize) -> bool {
        const OPERANDS: [&str; 5] = ["true", "false", "null", "this", "super"];
        match self.kind(at) {
            Some(KotlinTokenKind::Word) => {
                let word = self.str(at);
                OPERANDS.contains(&word) || !KEYWORDS.contains(&word)
            }
            Some(
                KotlinTokenKind::Literal
                | KotlinTokenKind::Close(_)
                | KotlinTokenKind::Sign(b'>' | b'?'),
            ) => true,
            _ => false,
        }
    }
}

/// Words that are never names.
pub(super) const KEYWORDS: [&str; 28] = [
    "as",
    "break",
    "class",
    "continue",
    "do",
    "else",
    "false",
    "for",
    "fun",
    "if",
    "in",
    "interface",
    "is",
    "null",
    "object",
    "package",
    "return",
    "super",
    "this",
    "throw",
    "true",
    "try",
    "typealias",
    "val",
    "var",
    "when",
    "while",
    "typeof",
];

/// Signs of several bytes, the longest first, and what they count as.
const SIGNS: [(&[u8], KotlinTokenKind); 18] = [
    (b"===", KotlinTokenKind::Sign(b'!')),
    (b"!==", KotlinTokenKind::Sign(b'!')),
    (b"..<", KotlinTokenKind::Sign(b'.')),
    (b"->", KotlinTokenKind::Arrow),
    (b"==", KotlinTokenKind::Sign(b'!')),
    (b"!=", KotlinTokenKind::Sign(b'!')),
    (b"<=", KotlinTokenKind::Sign(b'!')),
    (b">=", KotlinTokenKind::Sign(b'!')),
    (b"+=", KotlinTokenKind::Sign(b'!')),
    (b"-=", KotlinTokenKind::Sign(b'!')),
    (b"*=", KotlinTokenKind::Sign(b'!')),
    (b"/=", KotlinTokenKind::Sign(b'!')),
    (b"%=", KotlinTokenKind::Sign(b'!')),
    (b"::", KotlinTokenKind::Sign(b'.')),
    (b"?:", KotlinTokenKind::Sign(b'.')),
    (b"?.", KotlinTokenKind::Sign(b'.')),
    // The value of what may be null is an operand as it is.
    (b"!!", KotlinTokenKind::Sign(b'?')),
    (b"..", KotlinTokenKind::Sign(b'.')),
];

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl KotlinLexer<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: KotlinTokenKind, start: usize) {
        self.partners.push(self.all.len());
        self.all.push(KotlinToken {
            kind,
            range: start..self.at,
            is_first_of_line: std::mem::take(&mut self.is_first_of_line),
        });
    }

    fn step(&mut self) {
        let start = self.at;
        match self.byte(0) {
            b'\n' | b'\r' => {
                self.is_first_of_line = true;
                self.at += 1;
            }
            byte if byte.is_ascii_whitespace() => self.at += 1,
            b'/' if self.byte(1) == b'/' => self.line_comment(),
            b'/' if self.byte(1) == b'*' => self.block_comment(),
            b'#' if start == 0 && self.byte(1) == b'!' => self.line_comment(),
            b'"' => self.text_literal(1),
            b'$' => self.dollars(),
            b'\'' => self.character(),
            b'`' => {
                let rest = self.bytes.get(start + 1..).unwrap_or_default();
                let end = memchr::memchr2(b'`', b'\n', rest);
                self.at = end.map_or(self.bytes.len(), |end| start + end + 2);
                self.push(KotlinTokenKind::Word, start);
            }
            byte if byte.is_ascii_digit() => self.number(),
            byte if is_word(byte) => {
                while is_word(self.byte(0)) {
                    self.at += 1;
                }
                self.push(KotlinTokenKind::Word, start);
            }
            open @ (b'(' | b'[' | b'{') => {
                self.at += 1;
                self.bracket(open, None, start);
            }
            close @ (b')' | b']' | b'}') => self.close(close),
            sign => {
                let rest = self.bytes.get(start..).unwrap_or_default();
                let known = SIGNS.iter().find(|(text, _)| rest.starts_with(text));
                let (length, kind) = known
                    .map_or((1, KotlinTokenKind::Sign(sign)), |(text, kind)| {
                        (text.len(), *kind)
                    });
                self.at += length;
                self.push(kind, start);
            }
        }
    }

    fn bracket(&mut self, open: u8, around: Option<InterruptedString>, start: usize) {
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        self.open.push((self.all.len(), around));
        self.push(KotlinTokenKind::Open(close), start);
    }

    /// A closing bracket. One of another kind than the last that was opened closes those that lack theirs.
    fn close(&mut self, close: u8) {
        let start = self.at;
        self.at += 1;
        let is_pair = |all: &[KotlinToken], at: usize| {
            all.get(at).map(|token| token.kind) == Some(KotlinTokenKind::Open(close))
        };
        // Braces hold what parentheses do not close.
        let found = self.open.iter().rposition(|(at, _)| {
            is_pair(&self.all, *at) || close != b'}' && is_brace(&self.all, *at)
        });
        let found = found.filter(|place| is_pair(&self.all, self.open[*place].0));
        let around = match found {
            Some(place) => {
                let mut closed = self.open.drain(place..);
                let (open, around) = closed.next().unwrap_or((self.all.len(), None));
                drop(closed);
                if let Some(partner) = self.partners.get_mut(open) {
                    *partner = self.all.len();
                }
                self.partners.push(open);
                around
            }
            None => {
                self.partners.push(self.all.len());
                None
            }
        };
        self.all.push(KotlinToken {
            kind: KotlinTokenKind::Close(close),
            range: start..self.at,
            is_first_of_line: std::mem::take(&mut self.is_first_of_line),
        });
        if let Some(around) = around {
            self.inside_text(around, self.at);
        }
    }

    fn line_comment(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = memchr::memchr2(b'\n', b'\r', rest);
        self.at = end.map_or(self.bytes.len(), |end| self.at + end);
    }

    fn block_comment(&mut self) {
        let mut depth = 0_u32;
        while self.at < self.bytes.len() {
            match (self.byte(0), self.byte(1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        while is_word(self.byte(0)) || self.byte(0) == b'.' && self.byte(1).is_ascii_digit() {
            self.at += 1;
        }
        self.push(KotlinTokenKind::Literal, start);
    }

    fn character(&mut self) {
        let start = self.at;
        self.at += 1;
        while self.at < self.bytes.len() && !matches!(self.byte(0), b'\'' | b'\n') {
            self.at += if self.byte(0) == b'\\' { 2 } else { 1 };
        }
        self.at = (self.at + 1).min(self.bytes.len());
        self.push(KotlinTokenKind::Literal, start);
    }

    /// Dollars outside of texts: as many before a quote as begin an interpolation in the text.
    fn dollars(&mut self) {
        let start = self.at;
        while self.byte(0) == b'$' {
            self.at += 1;
        }
        let count = self.at - start;
        if count > 1 && self.byte(0) == b'"' {
            self.idle_dollars.push(start..self.at);
            self.text_literal(count);
        } else {
            self.push(KotlinTokenKind::Sign(b'$'), start);
        }
    }

    fn text_literal(&mut self, dollars: usize) {
        let start = self.at;
        let is_raw = self.byte(1) == b'"' && self.byte(2) == b'"';
        self.at += if is_raw { 3 } else { 1 };
        self.inside_text(InterruptedString { dollars, is_raw }, start);
    }

    /// The rest of a text up to its end or to the next `${`; `start` is where the stretch begins.
    fn inside_text(&mut self, around: InterruptedString, start: usize) {
        while self.at < self.bytes.len() {
            match self.byte(0) {
                b'"' if around.is_raw => {
                    let quotes =
                        |lexer: &Self| (0..).take_while(|ahead| lexer.byte(*ahead) == b'"').count();
                    let count = quotes(self);
                    self.at += count;
                    if count >= 3 {
                        break;
                    }
                }
                b'"' => {
                    self.at += 1;
                    break;
                }
                b'\n' | b'\r' if !around.is_raw => break,
                b'\\' if !around.is_raw => self.at += 2,
                b'$' => {
                    let first = self.at;
                    while self.byte(0) == b'$' {
                        self.at += 1;
                    }
                    if self.interpolates(&around, first) {
                        self.push(KotlinTokenKind::Literal, start);
                        let open = self.at;
                        self.at += 1;
                        self.bracket(b'{', Some(around), open);
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
        self.push(KotlinTokenKind::Literal, start);
    }

    /// Whether dollars that end here begin an interpolation in braces. Those that the text does not mean are noted.
    fn interpolates(&mut self, around: &InterruptedString, first: usize) -> bool {
        let count = self.at - first;
        let next = self.byte(0);
        let is_name = next.is_ascii_alphabetic() || matches!(next, b'_' | b'`') || next >= 0x80;
        let is_block = next == b'{';
        if around.dollars > 1 && (is_name || is_block) {
            let idle = if count >= around.dollars {
                count - 1
            } else {
                count
            };
            self.idle_dollars.push(first..first + idle);
        }
        is_block && count >= around.dollars
    }
}

fn is_brace(all: &[KotlinToken], at: usize) -> bool {
    all.get(at).map(|token| token.kind) == Some(KotlinTokenKind::Open(b'}'))
}
