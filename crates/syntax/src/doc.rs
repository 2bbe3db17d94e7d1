//! Documentation comments to plain text.

use std::borrow::Cow;

/// Documentation longer than this many bytes is cut at a line's end; the source has the rest.
const MAX_DOC: usize = 2048;

/// The text of comment blocks without their markers, XML tags and common indentation.
#[must_use]
pub(crate) fn clean_comments<'a>(comments: impl Iterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for comment in comments {
        let is_block = comment.starts_with("/*");
        if comment.starts_with(['"', '~']) {
            // Documentation may be a text: Elixir's `@doc "…"`.
            docstring_lines(comment).for_each(|line| push_line(&mut out, line));
        } else if comment.starts_with("--") {
            dashed_lines(comment).for_each(|line| push_line(&mut out, line));
        } else if comment.starts_with("=begin") {
            marked_lines(comment).for_each(|line| push_line(&mut out, line));
        } else {
            for line in comment.lines() {
                push_line(&mut out, strip_markers(line, is_block));
            }
        }
    }
    finish(out)
}

/// The text of a Python docstring literal.
#[must_use]
pub(crate) fn clean_docstring(literal: &str) -> String {
    let mut out = String::new();
    docstring_lines(literal).for_each(|line| push_line(&mut out, line));
    finish(out)
}

/// The lines of a text, quotes and what stands before them left out.
fn docstring_lines(literal: &str) -> impl Iterator<Item = &str> {
    let body = literal.trim_start_matches(|c: char| c == '~' || c.is_ascii_alphabetic());
    let quote = if body.starts_with("\"\"\"") || body.starts_with("'''") {
        3
    } else {
        1
    };
    let inner = body
        .get(quote..body.len().saturating_sub(quote))
        .unwrap_or("");
    inner.lines().map(str::trim)
}

/// The lines of `-- text`, `--- text` and `--[[ text ]]`.
fn dashed_lines(comment: &str) -> impl Iterator<Item = &str> {
    let text = comment.trim_start_matches('-');
    let block = text.strip_prefix('[').and_then(|text| {
        let (equals, text) = text.split_once('[')?;
        equals.bytes().all(|byte| byte == b'=').then_some(text)
    });
    let text = match block {
        Some(text) => text.trim_end().trim_end_matches([']', '=']),
        None => text,
    };
    text.lines().map(|line| strip_ornament(line.trim()))
}

/// The lines between `=begin` and `=end`.
fn marked_lines(comment: &str) -> impl Iterator<Item = &str> {
    let lines = comment.lines().map(str::trim);
    lines.filter(|line| !line.starts_with("=begin") && !line.starts_with("=end"))
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
fn strip_markers(line: &str, is_block: bool) -> &str {
    const MARKERS: [&str; 14] = [
        "///<", "//!<", "/**<", "/*!<", "///", "//!", "/**", "/*!", "//", "/*", "#:", "#", "*/",
        "*",
    ];
    let line = line.trim();
    // A star begins a line of a block only; elsewhere it is a list's bullet.
    let markers = &MARKERS[..if is_block { 14 } else { 12 }];
    let stripped = markers
        .iter()
        .find_map(|marker| line.strip_prefix(marker))
        .unwrap_or(line);
    let stripped = match stripped.strip_suffix("*/") {
        Some(rest) if is_block => rest.trim_end_matches('*'),
        _ => stripped,
    };
    strip_command(strip_ornament(stripped.trim()))
}

/// `---- part ----` → `part`: a run of three or more of one mark is decoration.
fn strip_ornament(text: &str) -> &str {
    const MARKS: [char; 6] = ['*', '-', '=', '/', '#', '~'];
    let before = text.trim_start_matches(MARKS);
    let text = if text.len() - before.len() >= 3 {
        before.trim_start()
    } else {
        text
    };
    let after = text.trim_end_matches(MARKS);
    if text.len() - after.len() >= 3 {
        after.trim_end()
    } else {
        text
    }
}

/// Doxygen's `\brief` and `@brief` only say what the first sentence is anyway.
fn strip_command(text: &str) -> &str {
    ["\\brief ", "@brief "]
        .iter()
        .find_map(|command| text.strip_prefix(command))
        .unwrap_or(text)
}

/// Drops XML and HTML tags but keeps what a reference names: `<see cref="Foo"/>` → `Foo`.
fn strip_tags(line: &str) -> Cow<'_, str> {
    if !line.contains(['<', '&']) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((text, length)) = entity(rest) {
            out.push_str(text);
            rest = &rest[length..];
            continue;
        }
        let in_code = out.bytes().filter(|byte| *byte == b'`').count() % 2 == 1;
        match tag(rest).filter(|_| !in_code) {
            Some(tag) => {
                out.push_str(&named_by_tag(tag));
                rest = &rest[tag.len() + 2..];
            }
            None => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn entity(text: &str) -> Option<(&'static str, usize)> {
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
        ("&quot;", "\""),
    ]
    .into_iter()
    .find(|(name, _)| text.starts_with(name))
    .map(|(name, character)| (character, name.len()))
}

/// What is between `<` and `>`, if it is a tag of XML documentation or HTML; `List<String>` and
/// `a < b` are neither.
fn tag(text: &str) -> Option<&str> {
    const TAGS: &str = " a abbr b blockquote br c code dd description div dl dt em event example \
        exception h1 h2 h3 h4 h5 h6 hr i include inheritdoc item kbd li list listheader note ol p \
        para param paramref permission pre remarks returns see seealso span strong sub summary \
        sup table tbody td term th thead tr tt typeparam typeparamref u ul value ";
    let inner = &text[1..text.find('>')?];
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let name = name.split([' ', '/', '\t']).next().unwrap_or("");
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let known = TAGS
        .split(' ')
        .any(|known| !known.is_empty() && known.eq_ignore_ascii_case(name));
    // A single capital is a type parameter rather than old HTML.
    let shouted = name.len() == 1 && name.starts_with(|c: char| c.is_ascii_uppercase());
    (is_name && known && !shouted).then_some(inner)
}

/// What stands in a tag's place: the name that `see cref="T:Foo.Bar"` or `paramref name="x"`
/// refers to, and `x:` before what `param name="x"` says.
fn named_by_tag(tag: &str) -> Cow<'_, str> {
    let name = tag.split([' ', '/']).next().unwrap_or("");
    let value = tag.split('"').nth(1).unwrap_or("");
    let value = match value.split_once(':') {
        Some((kind, name)) if kind.len() == 1 => name,
        _ => value,
    };
    match name {
        "see" | "seealso" | "paramref" | "typeparamref" => Cow::Borrowed(value),
        "param" | "typeparam" | "exception" if !value.is_empty() => {
            Cow::Owned(format!("{value}: "))
        }
        "returns" => Cow::Borrowed("Returns: "),
        _ => Cow::Borrowed(""),
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
            clean("/// <param name=\"id\">Which.</param>\n/// <returns>A &lt;b&gt;.</returns>"),
            "id: Which.\nReturns: A <b>."
        );
        assert_eq!(
            clean("/**\n * First.\n *\n *\n * Second.\n */"),
            "First.\n\nSecond."
        );
        assert_eq!(clean("/** One line. */"), "One line.");
        assert_eq!(clean("// ---- part ----"), "part");
        assert_eq!(clean("/*******\n * Boxed *\n *******/"), "Boxed *");
        assert_eq!(clean("///< \\brief Behind it."), "Behind it.");
    }

    #[test]
    fn type_arguments_and_bullets_are_not_markup() {
        assert_eq!(
            clean("/// A Vec<String> or Map<K, V> in `<b>`.\n/// * one\n/// - two"),
            "A Vec<String> or Map<K, V> in `<b>`.\n* one\n- two"
        );
        assert_eq!(clean("/**\n * - item\n * * star\n */"), "- item\n* star");
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
    fn other_languages_have_other_markers() {
        assert_eq!(clean("--- Opens it."), "Opens it.");
        assert_eq!(clean("-- @param path"), "@param path");
        assert_eq!(clean("--[[ Opens\n  it. ]]"), "Opens\nit.");
        assert_eq!(clean("--[==[ Opens it. ]==]"), "Opens it.");
        assert_eq!(clean("=begin\nOpens\nit.\n=end"), "Opens\nit.");
        assert_eq!(clean("\"\"\"\n  Opens it.\n  \"\"\""), "Opens it.");
        assert_eq!(clean("~S\"\"\"\nOpens it.\n\"\"\""), "Opens it.");
        assert_eq!(clean("\"Opens it.\""), "Opens it.");
    }

    #[test]
    fn long_documentation_is_cut_at_a_line() {
        let text = clean(&"/// words and words\n".repeat(400));
        assert!(text.len() <= MAX_DOC + '…'.len_utf8() && text.ends_with("words…"));
    }
}
