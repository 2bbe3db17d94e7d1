//! Documentation comments to plain text.

use std::borrow::Cow;

/// Documentation longer than this many bytes is cut at a line's end; the source has the rest.
const MAX_DOC: usize = 2048;

/// The text of comment blocks without their markers, XML tags and common indentation.
#[must_use]
pub(crate) fn clean_comments<'a>(comments: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for comment in comments {
        for line in comment.lines() {
            push_line(&mut out, strip_markers(line));
        }
    }
    finish(out)
}

/// The text of a Python docstring literal.
#[must_use]
pub(crate) fn clean_docstring(literal: &str) -> String {
    let body = literal.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let quote = if body.starts_with("\"\"\"") || body.starts_with("'''") {
        3
    } else {
        1
    };
    let inner = body
        .get(quote..body.len().saturating_sub(quote))
        .unwrap_or("");
    let mut out = String::new();
    for line in inner.lines() {
        push_line(&mut out, line.trim());
    }
    finish(out)
}

fn push_line(out: &mut String, line: &str) {
    if out.len() >= MAX_DOC {
        return;
    }
    let line = strip_tags(line);
    let line = line.trim();
    // One blank line separates paragraphs, more say nothing.
    if line.is_empty() && (out.is_empty() || out.ends_with("\n\n")) {
        return;
    }
    out.push_str(line);
    out.push('\n');
}

fn finish(mut out: String) -> String {
    if out.len() >= MAX_DOC {
        let cut = out.floor_char_boundary(MAX_DOC);
        let line_end = out[..cut].trim_end().rfind('\n').unwrap_or(cut);
        out.truncate(line_end);
        out.push('…');
    }
    out.truncate(out.trim_end().len());
    out
}

/// `/// text`, `/** text`, ` * text */`, `# text` → `text`.
fn strip_markers(line: &str) -> &str {
    let line = line.trim();
    let line = ["///", "//!", "/**", "/*!", "//", "/*", "#:", "#"]
        .iter()
        .find_map(|marker| line.strip_prefix(marker))
        .unwrap_or(line);
    let line = line.strip_suffix("*/").unwrap_or(line);
    let line = line.trim().trim_end_matches('*').trim_end();
    match line.strip_prefix('*') {
        Some(rest) if !rest.starts_with('*') => rest.trim_start(),
        _ => line.trim_matches(['*', '/', '-', '=']).trim(),
    }
}

/// Drops XML and HTML tags but keeps what a reference names: `<see cref="Foo"/>` → `Foo`.
fn strip_tags(line: &str) -> Cow<'_, str> {
    if !line.contains('<') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let tag = &rest[open..];
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match tag.find('>').filter(|_| is_tag) {
            Some(close) => {
                out.push_str(named_by_tag(&tag[1..close]));
                rest = &tag[close + 1..];
            }
            None => {
                out.push('<');
                rest = &tag[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What `see cref="T:Foo.Bar"` or `paramref name="x"` names.
fn named_by_tag(tag: &str) -> &str {
    const REFERENCES: [&str; 3] = ["see", "paramref", "typeparamref"];
    let is_reference = REFERENCES.iter().any(|name| {
        tag.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with("also") || rest.starts_with(' '))
    });
    if !is_reference {
        return "";
    }
    let value = tag.split('"').nth(1).unwrap_or("");
    match value.split_once(':') {
        Some((kind, name)) if kind.len() == 1 => name,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(comment: &str) -> String {
        clean_comments(std::iter::once(comment))
    }

    #[test]
    fn markers_and_tags_go_references_stay() {
        assert_eq!(
            clean(
                "/// <summary>\n/// Stores <see cref=\"T:A.Node\"/> by id, if a < b.\n/// </summary>"
            ),
            "Stores A.Node by id, if a < b."
        );
        assert_eq!(
            clean("/**\n * First.\n *\n *\n * Second.\n */"),
            "First.\n\nSecond."
        );
        assert_eq!(clean("/** One line. */"), "One line.");
        assert_eq!(clean("// ---- part ----"), "part");
    }

    #[test]
    fn docstrings_lose_their_quotes() {
        assert_eq!(
            clean_docstring("r\"\"\"Does it.\n\n    More.\n    \"\"\""),
            "Does it.\n\nMore."
        );
        assert_eq!(clean_docstring("'x'"), "x");
        assert_eq!(clean_docstring("\""), "");
    }

    #[test]
    fn long_documentation_is_cut_at_a_line() {
        let text = clean(&"/// words and words\n".repeat(400));
        assert!(text.len() <= MAX_DOC + '…'.len_utf8() && text.ends_with("words…"));
    }
}
