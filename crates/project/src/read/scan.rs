//! A tolerant scanner for build files that are programs: names, strings and signs, no comments.
//! What it reads is no proof of what the program does, only of what is written down literally.

/// How a language writes comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comments {
    /// `//` and `/* */`, strings in `"`, `'`, `"""` and `'''` (Gradle in Groovy and Kotlin).
    Slashes,
    /// `#`, strings in `"`, `'`, `"""` and `'''` (Python).
    Hash,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a number.
    Name(String),
    /// A string without its quotes; escapes of quotes and backslashes are resolved.
    Text(String),
    /// A single sign.
    Sign(char),
}

/// A token and the byte where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ManifestToken {
    pub(crate) kind: TokenKind,
    pub(crate) offset: u32,
    /// Whether it begins a line.
    pub(crate) first: bool,
}

impl ManifestToken {
    pub(crate) fn is(&self, sign: char) -> bool {
        self.kind == TokenKind::Sign(sign)
    }

    pub(crate) fn name(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The tokens of a text; a string that is not closed ends with its line.
pub(crate) fn scan(text: &str, comments: Comments) -> Vec<ManifestToken> {
    let mut scanner = Scanner { text, at: 0 };
    let mut tokens = Vec::new();
    let mut first = true;
    while let Some(character) = scanner.peek() {
        let offset = scanner.at as u32;
        let kind = if character == '\n' || character == '\r' {
            first = true;
            scanner.at += 1;
            continue;
        } else if character.is_whitespace() {
            scanner.at += character.len_utf8();
            continue;
        } else if scanner.skip_comment(comments) {
            continue;
        } else if character == '"' || character == '\'' {
            TokenKind::Text(scanner.string(character))
        } else if character.is_alphanumeric() || character == '_' {
            TokenKind::Name(scanner.name())
        } else {
            scanner.at += character.len_utf8();
            TokenKind::Sign(character)
        };
        tokens.push(ManifestToken {
            kind,
            offset,
            first,
        });
        first = false;
    }
    tokens
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_comment(&mut self, comments: Comments) -> bool {
        let rest = self.rest();
        let length = match comments {
            Comments::Slashes if rest.starts_with("//") => line_length(rest),
            Comments::Slashes if rest.starts_with("/*") => {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            }
            Comments::Hash if rest.starts_with('#') => line_length(rest),
            _ => return false,
        };
        self.at += length;
        true
    }

    fn name(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        name
    }

    fn string(&mut self, quote: char) -> String {
        let triple: String = [quote; 3].iter().collect();
        if self.rest().starts_with(&triple) {
            let body = &self.rest()[3..];
            let end = body.find(&triple);
            let text = body[..end.unwrap_or(body.len())].to_owned();
            self.at += 3 + text.len() + if end.is_some() { 3 } else { 0 };
            return text;
        }
        let mut text = String::new();
        let mut length = 1;
        let mut escaped = false;
        for character in self.rest()[1..].chars() {
            if !escaped && matches!(character, '\n' | '\r') {
                break;
            }
            length += character.len_utf8();
            if escaped {
                if !matches!(character, '"' | '\'' | '\\' | '$') {
                    text.push('\\');
                }
                text.push(character);
                escaped = false;
            } else if character == quote {
                break;
            } else if character == '\\' {
                escaped = true;
            } else {
                text.push(character);
            }
        }
        self.at += length;
        text
    }
}

fn line_length(text: &str) -> usize {
    text.find(['\n', '\r']).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_left_out_and_strings_kept_whole() {
        let show = |text, comments| {
            let tokens = scan(text, comments);
            let shown: Vec<String> = tokens
                .iter()
                .map(|token| match &token.kind {
                    TokenKind::Name(name) => name.clone(),
                    TokenKind::Text(text) => format!("<{text}>"),
                    TokenKind::Sign(sign) => sign.to_string(),
                })
                .collect();
            shown.join(" ")
        };
        let groovy = "include ':a' // ':b'\n/* ':c' */ include(\"x\\\"//\")";
        assert_eq!(
            show(groovy, Comments::Slashes),
            "include <:a> include ( <x\"//> )"
        );
        let python = "setup(name='x', # y\n d=\"\"\"a\nb\"\"\", broken='z\n)";
        assert_eq!(
            show(python, Comments::Hash),
            "setup ( name = <x> , d = <a\nb> , broken = <z> )"
        );
    }
}
