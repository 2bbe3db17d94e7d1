//! What is wanted of a signature, and how a caller writes it: `name:type=argument`, `2`, `0:1`.

use std::str::FromStr;

/// A change of the parameters of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureWish {
    /// One more parameter, behind all that must be given.
    Add {
        /// Its name.
        name: String,
        /// Its type as the language writes it; empty where the language needs none.
        ty: String,
        /// What every call gives.
        argument: String,
    },
    /// Without the parameter of this place. Places count from 0, without the receiver.
    Remove(usize),
    /// The parameter of the first place at the second.
    Move(usize, usize),
}

impl SignatureWish {
    /// Reads `name:type=argument`, or `name=argument`.
    ///
    /// # Errors
    /// What is wrong, as a sentence.
    pub fn added(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form `name:type=argument`.");
        let equals = first_equals(text).ok_or_else(wrong)?;
        let (head, argument) = (text[..equals].trim(), text[equals + 1..].trim());
        let (name, ty) = match head.split_once(':') {
            Some((name, ty)) => (name.trim(), ty.trim()),
            None => (head, ""),
        };
        if name.is_empty() || argument.is_empty() {
            return Err(wrong());
        }
        for part in [ty, argument] {
            if !is_one_expression(part) {
                return Err(format!("`{part}` is not one type or expression."));
            }
        }
        Ok(Self::Add {
            name: name.to_owned(),
            ty: ty.to_owned(),
            argument: argument.to_owned(),
        })
    }

    /// Reads `from:to`.
    ///
    /// # Errors
    /// What is wrong, as a sentence.
    pub fn moved(text: &str) -> Result<Self, String> {
        let places = text.split_once(':');
        let places = places.and_then(|(from, to)| {
            let place = |text: &str| usize::from_str(text.trim()).ok();
            Some((place(from)?, place(to)?))
        });
        match places {
            Some((from, to)) => Ok(Self::Move(from, to)),
            None => Err(format!("`{text}` is not of the form `from:to`, from 0.")),
        }
    }
}

/// The first `=` outside of brackets that is no part of another sign.
fn first_equals(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let behind = bytes.get(at + 1);
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' if depth == 0
                && !matches!(before, Some(b'=' | b'!' | b'<' | b'>'))
                && !matches!(behind, Some(b'=' | b'>')) =>
            {
                return Some(at);
            }
            // `List<int>=x`: a sign of generics closes right before it.
            b'=' if depth == 0 && before == Some(&b'>') && text[..at].contains('<') => {
                return Some(at);
            }
            _ => {}
        }
    }
    None
}

/// Whether a text can stand for one element of a list: brackets and quotes are closed, and no comma, line end or comment
/// is outside of them.
fn is_one_expression(text: &str) -> bool {
    let mut open: Vec<char> = Vec::new();
    let mut quote: Option<char> = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\n' || letter == '\r' {
            return false;
        }
        if let Some(sign) = quote {
            match letter {
                '\\' => drop(letters.next()),
                _ if letter == sign => quote = None,
                _ => {}
            }
            continue;
        }
        match letter {
            // Rust's `'a` is a lifetime.
            '\'' if !text.contains("'_") && text.matches('\'').count().is_multiple_of(2) => {
                quote = Some('\'');
            }
            '"' | '`' => quote = Some(letter),
            '(' | '[' | '{' => open.push(letter),
            ')' | ']' | '}' => {
                let wanted = match letter {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(wanted) {
                    return false;
                }
            }
            '<' => open.push('<'),
            '>' if open.last() == Some(&'<') => drop(open.pop()),
            ';' if open.is_empty() => return false,
            ',' if open.is_empty() => return false,
            '/' if matches!(letters.peek(), Some('/' | '*')) => return false,
            _ => {}
        }
    }
    open.retain(|sign| *sign != '<');
    open.is_empty() && quote.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_wishes() {
        let add = |text: &str| match SignatureWish::added(text) {
            Ok(SignatureWish::Add { name, ty, argument }) => format!("{name}|{ty}|{argument}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(add("zq:number=0"), "zq|number|0");
        assert_eq!(add("zq=0"), "zq||0");
        assert_eq!(
            add("f:(a: number) => void=() => {}"),
            "f|(a: number) => void|() => {}"
        );
        assert_eq!(
            add("s:Map<string, number>=new Map()"),
            "s|Map<string, number>|new Map()"
        );
        assert_eq!(add("b:bool=a == 1"), "b|bool|a == 1");
        assert_eq!(add("s:str=\"a, b\""), "s|str|\"a, b\"");
        for wrong in [
            "zq",
            "=1",
            "zq:int=",
            "a:int=1, 2",
            "a:int=(1",
            "a:int=1 // x",
            "a:int=1;b",
        ] {
            assert!(SignatureWish::added(wrong).is_err(), "{wrong}");
        }
        assert_eq!(SignatureWish::moved("0:2"), Ok(SignatureWish::Move(0, 2)));
        assert!(SignatureWish::moved("0").is_err());
    }
}
