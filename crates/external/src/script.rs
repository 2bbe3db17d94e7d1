//! Pieces of AngelScript, written so that nothing that a description says can end a declaration early.

use std::fmt::Write;

/// Words that no declaration is called.
const RESERVED: [&str; 40] = [
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "break",
    "continue",
    "fallthrough",
    "class",
    "struct",
    "enum",
    "namespace",
    "delegate",
    "event",
    "void",
    "const",
    "auto",
    "true",
    "false",
    "nullptr",
    "this",
    "Cast",
    "mixin",
    "import",
    "private",
    "protected",
    "public",
    "override",
    "final",
    "bool",
    "int",
    "float",
    "double",
    "and",
    "or",
    "not",
];

/// Letters of a default value at most; a longer one is `…` to a reader as well.
const MAX_DEFAULT: usize = 200;

/// Whether a declaration can be called this.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    let begins = bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    begins
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !RESERVED.contains(&name)
}

/// Whether this is identifiers joined by `::`.
pub(crate) fn is_path(path: &str) -> bool {
    !path.is_empty() && path.split("::").all(is_identifier)
}

/// A type as it can stand in a declaration; any type is `auto`, and so is what cannot be read.
pub(crate) fn type_text(written: &str) -> String {
    let text = written.trim();
    let is_known = |c: char| c.is_ascii_alphanumeric() || "_:<>,& ".contains(c);
    let mut depth = 0_i32;
    let is_balanced = text.chars().all(|c| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth >= 0
    });
    let first = text.bytes().next();
    let begins = first.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    match begins && is_balanced && depth == 0 && text.chars().all(is_known) {
        true => text.to_owned(),
        false => "auto".to_owned(),
    }
}

/// A default value that can stand in a parameter list; `None` where it could end that list.
pub(crate) fn value_text(written: &str) -> Option<&str> {
    let text = written.trim();
    let mut open = Vec::new();
    let mut in_string = false;
    let mut is_escaped = false;
    for c in text.chars() {
        match c {
            '\n' | '\r' | ';' | '{' | '}' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' => open.push(')'),
            '[' => open.push(']'),
            ')' | ']' if open.pop() != Some(c) => return None,
            _ => {}
        }
    }
    let is_whole = open.is_empty() && !in_string && !is_escaped;
    (is_whole && !text.is_empty() && text.len() <= MAX_DEFAULT).then_some(text)
}

/// A parameter list with its parentheses.
pub(crate) fn parameters<'a>(
    all: impl Iterator<Item = (&'a str, &'a str, Option<&'a str>)>,
) -> String {
    let mut out = String::from("(");
    for (number, (of, name, value)) in all.enumerate() {
        if number > 0 {
            out.push_str(", ");
        }
        out.push_str(&type_text(of));
        if is_identifier(name) {
            let _ = write!(out, " {name}");
            if let Some(value) = value.and_then(value_text) {
                let _ = write!(out, " = {value}");
            }
        }
    }
    out.push(')');
    out
}

/// Writes documentation as a comment, if there is any.
pub(crate) fn documentation(out: &mut String, doc: &str, indent: &str) {
    let doc = doc.trim();
    if doc.is_empty() {
        return;
    }
    let doc = doc.replace("*/", "* /");
    let mut lines = doc.lines().map(str::trim).peekable();
    let _ = write!(out, "{indent}/** {}", lines.next().unwrap_or(""));
    for line in lines {
        let _ = write!(out, "\n{indent} * {line}");
    }
    out.push_str(" */\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_declaration_early() {
        assert_eq!(
            type_text("const TArray<FName>&in"),
            "const TArray<FName>&in"
        );
        for odd in ["?", "", "int; class X {", "TArray<", "A>B<", "ünt"] {
            assert_eq!(type_text(odd), "auto", "{odd}");
        }
        assert_eq!(value_text("FVector(1, 2)"), Some("FVector(1, 2)"));
        assert_eq!(value_text("\"a) \\\" b\""), Some("\"a) \\\" b\""));
        for odd in ["1); class X {", "(", "\"", "a\nb", "}", ""] {
            assert_eq!(value_text(odd), None, "{odd}");
        }
        assert!(is_path("A::B") && !is_path("A::") && !is_path("class") && !is_identifier("3D"));
    }

    #[test]
    fn comments_stay_comments() {
        let mut out = String::new();
        documentation(&mut out, "a */ class X {}\n  b", "");
        assert_eq!(out, "/** a * / class X {}\n * b */\n");
        out.clear();
        documentation(&mut out, " \n", "");
        assert_eq!(out, "");
    }
}
