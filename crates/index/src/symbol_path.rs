//! The grammar of symbol paths that people and models type (SPEC S1).
//!
//! `Namespace.Type+Nested.Member(int, string)`: every language's separators are understood, type
//! arguments are dropped, `*` and `?` are wildcards in any segment, case is left to the resolver.

/// A parsed symbol path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolPath {
    /// The names, outermost first; never empty.
    pub segments: Vec<String>,
    /// What stood between brackets after the name: the parameter types of the overload that is meant. None between `()`
    /// means the overload without parameters, or any where there is none such.
    pub parameters: Option<Vec<String>>,
    /// Number of type arguments written at the last segment.
    pub arity: Option<usize>,
}

impl SymbolPath {
    /// Reads a path; `None` where nothing is left of it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches("global::");
        let (head, parameters) = split_parameters(text);
        let mut segments = Vec::new();
        let mut current = String::new();
        let mut depth = 0usize;
        let mut arguments = None;
        let mut ticked = false;
        for c in head.chars() {
            let operator = current.trim_start().starts_with("operator");
            match c {
                '<' if !operator => {
                    depth += 1;
                    if depth == 1 {
                        arguments = Some(1);
                    }
                }
                '>' if depth > 0 => depth -= 1,
                ',' if depth == 1 => arguments = arguments.map(|count| count + 1),
                _ if depth > 0 => {}
                // `Map`2`, as metadata writes it.
                '`' if !operator => {
                    arguments = Some(0usize);
                    ticked = true;
                }
                _ if ticked && c.is_ascii_digit() => {
                    let digit = c.to_digit(10).unwrap_or(0) as usize;
                    let more = |count: usize| count.saturating_mul(10).saturating_add(digit);
                    arguments = arguments.map(more);
                }
                '.' | ':' | '/' | '\\' | '#' | '+' if !operator => {
                    push(&mut segments, &mut current);
                    arguments = None;
                    ticked = false;
                }
                _ => current.push(c),
            }
        }
        push(&mut segments, &mut current);
        (!segments.is_empty()).then_some(Self {
            segments,
            parameters,
            arity: arguments,
        })
    }

    /// The last name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.segments.last().map_or("", String::as_str)
    }

    /// Whether any segment has a wildcard.
    #[must_use]
    pub fn has_wildcard(&self) -> bool {
        self.segments
            .iter()
            .any(|segment| segment.contains(['*', '?']))
    }
}

fn push(segments: &mut Vec<String>, current: &mut String) {
    let segment = std::mem::take(current);
    let segment = segment.trim();
    // `Foo.<init>` leaves nothing; `@class` is C#'s way to write the name `class`.
    let segment = segment.strip_prefix('@').unwrap_or(segment);
    if !segment.is_empty() {
        segments.push(segment.to_owned());
    }
}

fn split_parameters(text: &str) -> (&str, Option<Vec<String>>) {
    let Some(open) = text.find('(').filter(|_| text.ends_with(')')) else {
        return (text, None);
    };
    let inner = &text[open + 1..text.len() - 1];
    (&text[..open], Some(split_types(inner)))
}

/// Splits parameter types at the commas that are not inside brackets.
pub(crate) fn split_types(list: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut depth = 0i32;
    let mut current = String::new();
    for c in list.chars() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                out.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        if !c.is_whitespace() {
            current.push(c);
        }
    }
    if !current.is_empty() || !out.is_empty() {
        out.push(current);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(text: &str) -> Vec<String> {
        SymbolPath::parse(text).unwrap().segments
    }

    #[test]
    fn every_separator_is_understood() {
        for path in [
            "A.B+C.d",
            "A::B::C::d",
            "A/B#C.d",
            "A\\B.C.d()",
            "global::A.B.C.d",
            " A . B . C . d ",
        ] {
            assert_eq!(segments(path), ["A", "B", "C", "d"], "{path}");
        }
    }

    #[test]
    fn generics_and_overloads_are_told_apart() {
        let path = SymbolPath::parse("Store<Key, List<int>>.Add(Dictionary<a, b>, int)").unwrap();
        assert_eq!(path.segments, ["Store", "Add"]);
        assert_eq!(path.parameters.unwrap(), ["Dictionary<a,b>", "int"]);
        assert_eq!(SymbolPath::parse("Add()").unwrap().parameters, Some(vec![]));
        assert_eq!(SymbolPath::parse("Map<K, V>").unwrap().arity, Some(2));
        assert_eq!(SymbolPath::parse("Map.get").unwrap().arity, None);
        let path = SymbolPath::parse("A.Map`12").unwrap();
        assert_eq!(
            (path.segments, path.arity),
            (vec!["A".into(), "Map".into()], Some(12))
        );
        assert_eq!(segments("Point.operator <"), ["Point", "operator <"]);
        assert_eq!(SymbolPath::parse(" .. "), None);
    }
}
