//! Several patterns of one `case` (Java 22): `case A _, B(_) -> …`. The grammar knows one. The others are read as what
//! the first one holds: type arguments of a type, parts of a record. So the types in them stay uses of types.

use std::ops::Range;

/// Patterns of one label are looked through up to this many bytes.
const LONGEST: usize = 2048;

/// A stretch of a text, and what is read in its place.
pub(super) type LabelEdit = (Range<usize>, &'static str);

/// What has to be read otherwise of the labels of a text.
pub(super) fn edits(text: &str, edits: &mut Vec<LabelEdit>) {
    for at in memchr::memmem::find_iter(text.as_bytes(), "case") {
        let start = at + "case".len();
        let is_word =
            text[..at].ends_with(is_name) || !text[start..].starts_with(char::is_whitespace);
        if is_word {
            continue;
        }
        if let Some(patterns) = patterns(text, start) {
            rewrite(text, &patterns, edits);
        }
    }
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

/// A pattern: where it is, and whether it takes a record apart.
struct LabelPattern {
    range: Range<usize>,
    is_record: bool,
}

/// The patterns of a label, if they are several and one has no name.
fn patterns(text: &str, start: usize) -> Option<Vec<LabelPattern>> {
    let bytes = text.as_bytes();
    let end = bytes.len().min(start + LONGEST);
    let (mut depth, mut begin, mut at) = (0_usize, start, start);
    let mut found = Vec::new();
    while at < end {
        match bytes[at] {
            b'(' | b'<' | b'[' => depth += 1,
            b')' | b'>' | b']' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                found.push(pattern(text, begin..at)?);
                begin = at + 1;
            }
            b'-' | b':' if depth == 0 => break,
            b'w' if depth == 0 && is_guard(text, at) => break,
            b';' | b'{' | b'}' | b'"' | b'\'' | b'=' => return None,
            _ => {}
        }
        at += 1;
    }
    if found.is_empty() || at == end {
        return None;
    }
    found.push(pattern(text, begin..at)?);
    Some(found)
}

fn is_guard(text: &str, at: usize) -> bool {
    let rest = text[at..].strip_prefix("when");
    rest.is_some_and(|rest| !rest.starts_with(is_name)) && !text[..at].ends_with(is_name)
}

/// A pattern in a stretch of a text: `A _`, or `A(…)` with something in it that has no name.
fn pattern(text: &str, range: Range<usize>) -> Option<LabelPattern> {
    let written = &text[range.clone()];
    let start = range.start + (written.len() - written.trim_start().len());
    let range = start..start + written.trim().len();
    let written = &text[range.clone()];
    let is_unnamed = |part: &str| {
        part.match_indices('_')
            .any(|(at, _)| !part[..at].ends_with(is_name) && !part[at + 1..].starts_with(is_name))
    };
    let is_record = written.ends_with(')');
    let is_type = written
        .strip_suffix('_')
        .is_some_and(|rest| rest.ends_with(char::is_whitespace));
    let first = written.chars().next()?;
    let is_pattern = is_type || is_record && (is_unnamed(written) || written.ends_with("()"));
    (is_name(first) && is_pattern).then_some(LabelPattern { range, is_record })
}

fn rewrite(text: &str, patterns: &[LabelPattern], edits: &mut Vec<LabelEdit>) {
    let (Some((first, rest)), Some(last)) = (patterns.split_first(), patterns.last()) else {
        return;
    };
    if patterns.iter().all(|pattern| !pattern.is_record) {
        types(text, first, rest, edits);
        return;
    }
    let behind = last.range.end..last.range.end + 1;
    if !text[last.range.end..].starts_with([' ', '\t']) {
        return;
    }
    let head = first.range.clone();
    if first.is_record {
        // The rest becomes parts of the first one.
        edits.push((head.end - 1..head.end, ""));
        if text[head].ends_with("()") {
            edits.extend(comma(text, first.range.end));
        }
    } else {
        let name = text[head.clone()].trim_end_matches('_').trim_end().len();
        edits.push((head.start + name..head.start + name + 1, "("));
        edits.push((head.end - 1..head.end, ""));
        edits.extend(comma(text, head.end));
    }
    edits.push((behind, ")"));
}

/// The comma behind a pattern goes.
fn comma(text: &str, behind: usize) -> Option<LabelEdit> {
    let at = behind + text[behind..].find(',')?;
    Some((at..at + 1, ""))
}

/// `A _, B<C> _` is read as `A<B<C>>_`.
fn types(text: &str, first: &LabelPattern, rest: &[LabelPattern], edits: &mut Vec<LabelEdit>) {
    let Some(last) = rest.last() else { return };
    let name = text[first.range.clone()].trim_end_matches('_').trim_end();
    let end = first.range.start + name.len();
    edits.push((first.range.end - 1..first.range.end, ""));
    if name.ends_with('>') {
        edits.push((end - 1..end, ""));
    } else {
        edits.push((end..end + 1, "<"));
        edits.extend(comma(text, first.range.end));
    }
    for pattern in rest {
        edits.push((pattern.range.end - 1..pattern.range.end, ""));
    }
    edits.push((last.range.end - 2..last.range.end, ">_"));
}
