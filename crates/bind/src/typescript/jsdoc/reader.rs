//! The text of a comment, read sign by sign: tags, what stands in braces, words.

/// A part of the text, and where it begins.
#[derive(Clone, Copy)]
pub(super) struct JsdocSpan<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// What is still to be read of a type.
pub(super) struct JsdocReader<'t> {
    pub(super) rest: JsdocSpan<'t>,
}

impl<'t> JsdocReader<'t> {
    pub(super) fn advance(&mut self, bytes: usize) {
        self.rest = JsdocSpan {
            text: &self.rest.text[bytes..],
            at: self.rest.at + bytes,
        };
    }

    /// What is blank in front of the next sign, with the stars that lines of comments begin with.
    pub(super) fn blank(&self) -> usize {
        let mut begins_line = false;
        let is_blank = |(_, letter): &(usize, char)| {
            begins_line =
                *letter == '\n' || begins_line && (letter.is_whitespace() || *letter == '*');
            begins_line || letter.is_whitespace()
        };
        let mut letters = self.rest.text.char_indices().skip_while(is_blank);
        letters.next().map_or(self.rest.text.len(), |(at, _)| at)
    }

    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let blank = self.blank();
        let is_next = self.rest.text[blank..].starts_with(sign);
        if is_next {
            self.advance(blank + sign.len());
        }
        is_next
    }

    /// Takes a word of the language, and no name that begins like it.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let mut ahead = JsdocReader { ..*self };
        let is_next = ahead.word().is_some_and(|next| next.text == word);
        if is_next {
            *self = ahead;
        }
        is_next
    }

    /// Whether the parameters of a function are next: a bracket whose partner has an arrow behind it.
    pub(super) fn begins_function(&self) -> bool {
        let text = &self.rest.text[self.blank()..];
        if !text.starts_with('(') {
            return false;
        }
        let mut depth = 0;
        let partner = text.char_indices().find(|(_, letter)| {
            depth += i32::from(matches!(letter, '(' | '[' | '{'))
                - i32::from(matches!(letter, ')' | ']' | '}'));
            depth == 0
        });
        partner.is_some_and(|(at, _)| text[at + 1..].trim_start().starts_with("=>"))
    }

    /// What stands in quotes next.
    pub(super) fn quoted(&mut self) -> Option<JsdocSpan<'t>> {
        let blank = self.blank();
        let text = &self.rest.text[blank..];
        let quote = text
            .chars()
            .next()
            .filter(|sign| matches!(sign, '"' | '\''))?;
        let inside = text[1..].split(quote).next()?;
        let at = self.rest.at + blank + 1;
        self.advance((blank + inside.len() + 2).min(self.rest.text.len()));
        Some(JsdocSpan { text: inside, at })
    }

    /// Takes what stands between the names of a path.
    pub(super) fn continues(&mut self) -> bool {
        let mut letters = self.rest.text.chars();
        let is_path = matches!(letters.next(), Some('.' | '#'))
            && letters
                .next()
                .is_some_and(|c| c.is_alphabetic() || c == '_');
        if is_path {
            self.advance(1);
        }
        is_path
    }

    pub(super) fn word(&mut self) -> Option<JsdocSpan<'t>> {
        let blank = self.blank();
        let text = &self.rest.text[blank..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let starts = text.starts_with(|c: char| !c.is_ascii_digit());
        if end == 0 || !starts {
            return None;
        }
        let word = JsdocSpan {
            text: &text[..end],
            at: self.rest.at + blank,
        };
        self.advance(blank + end);
        Some(word)
    }
}

/// The tags of a comment, each with what follows it.
pub(super) fn tags(comment: JsdocSpan<'_>) -> impl Iterator<Item = (&str, JsdocSpan<'_>)> {
    comment.text.match_indices('@').map(move |(at, _)| {
        let rest = &comment.text[at + 1..];
        let end = rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len());
        let behind = JsdocSpan {
            text: &rest[end..],
            at: comment.at + at + 1 + end,
        };
        (&rest[..end], behind)
    })
}

/// What stands in the braces that a text begins with, and what follows them.
pub(super) fn in_braces(of: JsdocSpan<'_>) -> Option<(JsdocSpan<'_>, &str)> {
    let inside = of.text.trim_start().strip_prefix('{')?;
    let start = of.text.len() - inside.len();
    let mut depth = 1;
    for (at, letter) in inside.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 {
            let braces = JsdocSpan {
                text: &inside[..at],
                at: of.at + start,
            };
            return Some((braces, &inside[at + 1..]));
        }
    }
    None
}
