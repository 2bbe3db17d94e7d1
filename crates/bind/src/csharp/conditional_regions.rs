//! Conditional compilation: what stands in the arms of `#if`, and under which condition a build has it.

use tree_sitter::Tree;

use crate::builder::BindingsBuilder;
use crate::facts::ConditionalRegion;

/// Deeper than this nobody writes.
const DEEPEST: usize = 64;

/// Longer conditions, with those of the arms before, are not kept: the arm counts as compiled always.
const LONGEST: usize = 1000;

/// A group that is open: the conditions of its arms before, and the arm that it is in.
struct Group {
    denied: Vec<String>,
    condition: Option<String>,
    start: usize,
}

/// Keeps the arms of a file's conditions.
pub(super) fn add(builder: &mut BindingsBuilder, text: &str, tree: &Tree) {
    let mut groups: Vec<Group> = Vec::new();
    let mut regions: Vec<(usize, usize, String)> = Vec::new();
    let mut own = OwnSymbols::default();
    for (at, _) in text.match_indices('#') {
        let Some((word, rest)) = directive(text, tree, at) else {
            continue;
        };
        match word {
            "define" => own.set(rest, true),
            "undef" => own.set(rest, false),
            "if" if groups.len() < DEEPEST => groups.push(Group {
                denied: Vec::new(),
                condition: Some(own.replaced(rest)),
                start: at,
            }),
            "elif" | "else" => {
                let Some(group) = groups.last_mut() else {
                    continue;
                };
                regions.extend(group.end(at));
                let written = (word == "elif").then(|| own.replaced(rest));
                group.next(written, at);
            }
            "endif" => regions.extend(groups.pop().and_then(|mut group| group.end(at))),
            _ => {}
        }
    }
    regions.sort();
    for (start, end, condition) in regions {
        let condition = builder.name(&condition);
        builder.facts.conditional_regions.push(ConditionalRegion {
            start: start as u32,
            end: end as u32,
            condition,
        });
    }
}

impl Group {
    /// The arm that ends at a place.
    fn end(&mut self, at: usize) -> Option<(usize, usize, String)> {
        let written = self.condition.take()?;
        let mut parts: Vec<String> = self
            .denied
            .iter()
            .map(|part| format!("!({part})"))
            .collect();
        if !written.is_empty() {
            parts.push(format!("({written})"));
        }
        self.denied.push(written);
        let whole = parts.join("&&");
        (whole.len() <= LONGEST).then_some((self.start, at, whole))
    }

    fn next(&mut self, written: Option<String>, at: usize) {
        self.condition = Some(written.unwrap_or_default());
        self.start = at;
    }
}

/// What a file says of symbols itself, before anything else.
#[derive(Default)]
struct OwnSymbols(Vec<(String, bool)>);

impl OwnSymbols {
    fn set(&mut self, rest: &str, holds: bool) {
        let name = rest.trim_start().split(|c: char| !is_of_name(c)).next();
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return;
        };
        self.0.retain(|(known, _)| known != name);
        self.0.push((name.to_owned(), holds));
    }

    /// A condition without its comment and blanks, with `true` and `false` in place of these symbols.
    fn replaced(&self, condition: &str) -> String {
        let written = condition.split("//").next().unwrap_or("");
        let mut out = String::new();
        let mut rest = written.trim();
        while !rest.is_empty() {
            let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(length);
            let own = self.0.iter().find(|(known, _)| known == name);
            out.push_str(own.map_or(name, |(_, holds)| if *holds { "true" } else { "false" }));
            let other = behind.find(is_of_name).unwrap_or(behind.len());
            out.extend(behind[..other].chars().filter(|c| !c.is_whitespace()));
            rest = &behind[other..];
        }
        out
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word and the rest of a directive's line, where a `#` begins one: first in its line, in no literal or comment.
fn directive<'t>(text: &'t str, tree: &Tree, at: usize) -> Option<(&'t str, &'t str)> {
    let line = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let before = text[line..at].trim_start_matches('\u{feff}');
    if !before.trim().is_empty() {
        return None;
    }
    let end = text[at..]
        .find(['\n', '\r'])
        .map_or(text.len(), |end| at + end);
    let line = text[at + 1..end].trim_start();
    let length = line
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(line.len());
    let (word, rest) = line.split_at(length);
    if !matches!(word, "if" | "elif" | "else" | "endif" | "define" | "undef") {
        return None;
    }
    let node = tree.root_node().descendant_for_byte_range(at, at + 1)?;
    let kind = node.kind();
    let is_text = kind.contains("string") || kind.contains("literal") || kind == "comment";
    (!is_text).then_some((word, rest))
}

#[cfg(test)]
mod tests {
    use super::OwnSymbols;

    #[test]
    fn symbols_of_the_file_itself_are_known() {
        let mut own = OwnSymbols::default();
        own.set(" LOCAL // here", true);
        own.set(" OTHER", true);
        own.set("\tOTHER", false);
        own.set(" ", true);
        for (written, expected) in [
            (" LOCAL && !NET8_0 // why", "true&&!NET8_0"),
            ("!OTHER||LOCALE", "!false||LOCALE"),
            (" ( LOCAL == OTHER )", "(true==false)"),
            ("!X", "!X"),
        ] {
            assert_eq!(own.replaced(written), expected);
        }
    }
}
