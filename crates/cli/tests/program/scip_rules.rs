//! The rules of the format: those of its definition, and those that its own tool's `lint` has.

use std::collections::{HashMap, HashSet};

use protobuf::Enum;
use scip::symbol::{format_symbol, parse_symbol};
use scip::types::{Document, Index, Occurrence, PositionEncoding, SymbolRole};

/// A range as four numbers.
pub(crate) fn whole_range(range: &[i32]) -> Option<[i32; 4]> {
    match *range {
        [line, start, end] => Some([line, start, line, end]),
        [line, start, end_line, end] => Some([line, start, end_line, end]),
        _ => None,
    }
}

pub(crate) fn has(occurrence: &Occurrence, role: SymbolRole) -> bool {
    occurrence.symbol_roles & role.value() != 0
}

/// What is wrong with an index; `text` gives a document's.
pub(crate) fn problems(index: &Index, text: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut paths = HashSet::new();
    // Where each symbol is described.
    let mut described: HashMap<&str, HashSet<&str>> = HashMap::new();
    if index.metadata.project_root.is_empty() || index.metadata.tool_info.name.is_empty() {
        problems.push("the metadata is not complete".to_owned());
    }
    for document in &index.documents {
        let path = document.relative_path.as_str();
        if !paths.insert(path) {
            problems.push(format!("{path}: two documents"));
        }
        let is_canonical =
            !path.starts_with('/') && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !is_canonical {
            problems.push(format!("{path}: not canonical"));
        }
        for symbol in &document.symbols {
            let files = described.entry(&symbol.symbol).or_default();
            if !files.insert(path) {
                problems.push(format!("{path}: {} is described twice", symbol.symbol));
            }
        }
    }
    let mut related = HashSet::new();
    for document in &index.documents {
        let path = document.relative_path.as_str();
        for symbol in &document.symbols {
            problems.extend(of_symbol(path, &symbol.symbol));
            for other in &symbol.relationships {
                let (from, to) = (symbol.symbol.as_str(), other.symbol.as_str());
                if !described.contains_key(to) {
                    problems.push(format!("{path}: {from} relates to {to}, which is nowhere"));
                }
                if !other.is_implementation && !other.is_reference {
                    problems.push(format!("{path}: {from} relates to {to} in no way"));
                }
                if !related.insert((from, to)) {
                    problems.push(format!("{path}: {from} relates to {to} twice"));
                }
            }
        }
        of_document(document, &described, text(path).as_deref(), &mut problems);
    }
    problems
}

fn of_symbol(path: &str, symbol: &str) -> Option<String> {
    match parse_symbol(symbol) {
        Ok(parsed) if format_symbol(parsed.clone()) == symbol => None,
        Ok(parsed) => Some(format!(
            "{path}: {symbol} should be {}",
            format_symbol(parsed)
        )),
        Err(error) => Some(format!("{path}: {symbol} is no symbol: {error:?}")),
    }
}

fn of_document(
    document: &Document,
    described: &HashMap<&str, HashSet<&str>>,
    text: Option<&str>,
    problems: &mut Vec<String>,
) {
    let path = document.relative_path.as_str();
    let encoding = document.position_encoding.enum_value();
    if encoding != Ok(PositionEncoding::UTF8CodeUnitOffsetFromLineStart) {
        problems.push(format!("{path}: positions in {encoding:?}"));
    }
    let lines: Option<Vec<&str>> = text.map(|text| lines(text));
    let mut seen = HashSet::new();
    let mut before = [0; 4];
    for occurrence in &document.occurrences {
        let symbol = occurrence.symbol.as_str();
        problems.extend(of_symbol(path, symbol));
        let Some(range) = whole_range(&occurrence.range) else {
            problems.push(format!("{path}: {:?} is no range", occurrence.range));
            continue;
        };
        let place = format!("{path}:{range:?}");
        if range < before {
            problems.push(format!("{place}: not in order"));
        }
        before = range;
        if !seen.insert((range, symbol)) {
            problems.push(format!("{place}: {symbol} twice"));
        }
        let files = described.get(symbol);
        let is_local = symbol.starts_with("local ");
        if !files.is_some_and(|files| !is_local || files.contains(path)) {
            problems.push(format!("{place}: {symbol} is described nowhere"));
        }
        if has(occurrence, SymbolRole::Definition) && has(occurrence, SymbolRole::ForwardDefinition)
        {
            problems.push(format!("{place}: defined and announced"));
        }
        let mut ranges = vec![range];
        if !occurrence.enclosing_range.is_empty() {
            let enclosing = whole_range(&occurrence.enclosing_range);
            let encloses = |outer: &[i32; 4]| outer[..2] <= range[..2] && range[2..] <= outer[2..];
            match enclosing.filter(encloses) {
                Some(outer) => ranges.push(outer),
                None => problems.push(format!("{place}: not in what encloses it")),
            }
        }
        for range in ranges {
            if let Some(lines) = &lines
                && !is_inside(lines, range)
            {
                problems.push(format!("{path}:{range:?} is not in the text"));
            }
        }
    }
}

/// Lines as editors count them, with their ends.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let (mut start, bytes) = (0, text.as_bytes());
    for at in 0..bytes.len() {
        let is_end =
            bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
        if is_end {
            lines.push(&text[start..=at]);
            start = at + 1;
        }
    }
    lines.push(&text[start..]);
    lines
}

/// Whether a range begins and ends between characters of the text, in this order.
fn is_inside(lines: &[&str], range: [i32; 4]) -> bool {
    let is_place = |line: i32, byte: i32| {
        let line = usize::try_from(line).ok().and_then(|line| lines.get(line));
        let byte = usize::try_from(byte).ok();
        line.zip(byte)
            .is_some_and(|(line, byte)| line.is_char_boundary(byte))
    };
    range[..2] <= range[2..] && is_place(range[0], range[1]) && is_place(range[2], range[3])
}
