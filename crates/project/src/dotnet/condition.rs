//! MSBuild's conditions: comparisons of texts, `And`, `Or`, `!`; what else there is stays unknown.

/// A condition as written; its texts are expanded when it is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MsbuildCondition {
    /// Texts equal or not, letters of any case.
    Equal {
        left: String,
        right: String,
        not: bool,
    },
    /// Numbers or versions: `<`, `<=`, `>`, `>=`.
    Order {
        left: String,
        right: String,
        operator: String,
    },
    /// A text that is `true` or `false`.
    Flag(String),
    Not(Box<MsbuildCondition>),
    And(Box<MsbuildCondition>, Box<MsbuildCondition>),
    Or(Box<MsbuildCondition>, Box<MsbuildCondition>),
    /// Depends on more than the manifests.
    Unknown,
}

/// Deeper nesting is unknown.
const MAX_DEPTH: usize = 32;

impl MsbuildCondition {
    /// Reads a condition; one that does not parse is unknown.
    pub(crate) fn parse(text: &str) -> Self {
        let tokens = tokens(text);
        if tokens.is_empty() {
            return Self::Unknown;
        }
        let mut parser = Parser {
            tokens: &tokens,
            at: 0,
        };
        match parser.or(0) {
            Some(condition) if parser.at == tokens.len() => condition,
            _ => Self::Unknown,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum ConditionToken {
    /// A text, quoted or bare.
    Text {
        text: String,
        quoted: bool,
    },
    Sign(&'static str),
}

fn tokens(text: &str) -> Vec<ConditionToken> {
    const SIGNS: &[&str] = &["==", "!=", "<=", ">=", "<", ">", "!", "(", ")", ","];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length;
        if first == '\'' {
            let end = rest[1..].find('\'').map_or(rest.len(), |end| end + 1);
            tokens.push(ConditionToken::Text {
                text: rest[1..end].to_owned(),
                quoted: true,
            });
            length = (end + 1).min(rest.len());
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(ConditionToken::Sign(sign));
            length = sign.len();
        } else {
            length = bare_length(rest);
            tokens.push(ConditionToken::Text {
                text: rest[..length].to_owned(),
                quoted: false,
            });
        }
        rest = rest[length..].trim_start();
    }
    tokens
}

/// A bare word; the parentheses of `$(…)` belong to it.
fn bare_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '(' if depth > 0 || before == '$' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '(' | ')' | '=' | '!' | '<' | '>' | ',' | '\'' if at > 0 => return at,
            _ if character.is_whitespace() => return at,
            _ => {}
        }
        before = character;
    }
    text.len()
}

struct Parser<'a> {
    tokens: &'a [ConditionToken],
    at: usize,
}

impl Parser<'_> {
    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(ConditionToken::Sign(s)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(
            self.tokens.get(self.at),
            Some(ConditionToken::Text { text, quoted: false }) if text.eq_ignore_ascii_case(word)
        );
        self.at += usize::from(found);
        found
    }

    fn or(&mut self, depth: usize) -> Option<MsbuildCondition> {
        let mut left = self.and(depth)?;
        while self.word("or") {
            left = MsbuildCondition::Or(Box::new(left), Box::new(self.and(depth)?));
        }
        Some(left)
    }

    fn and(&mut self, depth: usize) -> Option<MsbuildCondition> {
        let mut left = self.single(depth)?;
        while self.word("and") {
            left = MsbuildCondition::And(Box::new(left), Box::new(self.single(depth)?));
        }
        Some(left)
    }

    fn single(&mut self, depth: usize) -> Option<MsbuildCondition> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.sign("!") {
            return Some(MsbuildCondition::Not(Box::new(self.single(depth + 1)?)));
        }
        if self.sign("(") {
            let inner = self.or(depth + 1)?;
            return self.sign(")").then_some(inner);
        }
        let left = self.text()?;
        if self.sign("(") {
            // `Exists('…')` and its like ask the disk.
            while self.text().is_some() || self.sign(",") {}
            return self.sign(")").then_some(MsbuildCondition::Unknown);
        }
        for (sign, not) in [("==", false), ("!=", true)] {
            if self.sign(sign) {
                let right = self.text()?;
                return Some(MsbuildCondition::Equal { left, right, not });
            }
        }
        for sign in ["<=", ">=", "<", ">"] {
            if self.sign(sign) {
                return Some(MsbuildCondition::Order {
                    left,
                    right: self.text()?,
                    operator: sign.to_owned(),
                });
            }
        }
        Some(MsbuildCondition::Flag(left))
    }

    fn text(&mut self) -> Option<String> {
        match self.tokens.get(self.at) {
            Some(ConditionToken::Text { text, .. }) => {
                self.at += 1;
                Some(text.clone())
            }
            _ => None,
        }
    }
}
