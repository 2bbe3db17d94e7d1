//! Arms of conditions that are not for the interpreters of today, not for those who read types, or not for the system
//! that most services and most tools run on.

use tree_sitter::Node;

use super::walk::PythonWalk;

/// The newest version that conditions are compared with.
const NEWEST: [u32; 3] = [3, 14, 0];

/// Conditions in conditions are followed this deep.
const DEEPEST: u32 = 16;

impl PythonWalk<'_> {
    /// Whether a condition holds: nothing where that depends on more than the interpreter and the system.
    pub(super) fn holds(&self, condition: Node<'_>) -> Option<bool> {
        holds(self.text(condition), DEEPEST)
    }

    /// Keeps where an arm stands that comes after the others.
    pub(super) fn leave_out(&mut self, arm: Node<'_>) {
        let range = arm.byte_range();
        self.lang
            .inactive
            .push((range.start as u32, range.end as u32));
    }
}

/// The same of a condition that is written.
fn holds(condition: &str, depth: u32) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    let condition = condition.trim();
    for (word, decides) in [(" or ", true), (" and ", false)] {
        let parts = parts_of(condition, word);
        if parts.len() > 1 {
            let hold: Vec<_> = parts.iter().map(|part| holds(part, depth)).collect();
            let is_decided = hold.contains(&Some(decides));
            let are_all = hold.iter().all(|part| *part == Some(!decides));
            return match (is_decided, are_all) {
                (true, _) => Some(decides),
                (_, true) => Some(!decides),
                _ => None,
            };
        }
    }
    if let Some(denied) = condition.strip_prefix("not ") {
        return holds(denied, depth).map(|holds| !holds);
    }
    if let Some(inner) = condition.strip_prefix('(') {
        return holds(inner.strip_suffix(')')?, depth);
    }
    if is_for_types(condition) {
        return Some(true);
    }
    if let Some(version) = condition.strip_prefix("sys.version_info") {
        return compares(version);
    }
    is_system(condition)
}

/// What stands between a word, where that is in no bracket.
fn parts_of<'t>(condition: &'t str, word: &str) -> Vec<&'t str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, next) in condition.char_indices() {
        match next {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ' ' if depth == 0 && at >= from && condition[at..].starts_with(word) => {
                parts.push(&condition[from..at]);
                from = at + word.len();
            }
            _ => {}
        }
    }
    parts.push(&condition[from..]);
    parts
}

/// Whether a test names the system that is meant: `sys.platform == "win32"`, `os.name != "nt"`.
fn is_system(test: &str) -> Option<bool> {
    let (tested, system) = match test.strip_prefix("sys.platform") {
        Some(rest) => (rest, "linux"),
        None => (test.strip_prefix("os.name")?, "posix"),
    };
    if let Some(start) = tested.strip_prefix(".startswith(") {
        return Some(system.starts_with(text_of(start.strip_suffix(')')?)?));
    }
    let tested = tested.trim_start();
    let named = text_of(tested.get(2..)?)?;
    match tested.get(..2)? {
        "==" => Some(named == system),
        "!=" => Some(named != system),
        _ => None,
    }
}

/// What is in quotes.
fn text_of(literal: &str) -> Option<&str> {
    let literal = literal.trim();
    let quote = literal
        .chars()
        .next()
        .filter(|next| "\"'".contains(*next))?;
    literal.strip_prefix(quote)?.strip_suffix(quote)
}

/// `TYPE_CHECKING`, of a module or not.
fn is_for_types(condition: &str) -> bool {
    condition.rsplit('.').next() == Some("TYPE_CHECKING")
}

/// Whether the newest version, or the part of it that is written first, compares so with what is written behind it.
fn compares(comparison: &str) -> Option<bool> {
    let (part, rest) = match comparison.trim_start().strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", comparison),
    };
    let rest = rest.trim_start();
    let signs = rest.len() - rest.trim_start_matches(['<', '>', '=', '!']).len();
    let (sign, version) = rest.split_at(signs);
    let numbers = version.trim_matches([' ', '(', ')', ',']).split(',');
    let version: Vec<u32> = numbers
        .map(|number| number.trim().parse().ok())
        .collect::<Option<_>>()?;
    let newest = match part.trim() {
        "0" | ":1" => NEWEST.get(..1)?,
        "1" => NEWEST.get(1..2)?,
        ":2" => NEWEST.get(..2)?,
        "" | ":3" | ":" => NEWEST.as_slice(),
        _ => return None,
    };
    match sign {
        "<" => Some(newest < version.as_slice()),
        "<=" => Some(newest <= version.as_slice()),
        ">" => Some(newest > version.as_slice()),
        ">=" => Some(newest >= version.as_slice()),
        "==" => Some(newest == version.as_slice()),
        "!=" => Some(newest != version.as_slice()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, compares, holds};

    #[test]
    fn conditions_hold_on_one_system() {
        for (condition, expected) in [
            ("sys.platform == \"win32\"", Some(false)),
            ("sys.platform != 'win32'", Some(true)),
            ("sys.platform.startswith(\"linux\")", Some(true)),
            ("os.name == 'nt' and x", Some(false)),
            ("os.name == 'nt' or x", None),
            ("not (x or sys.platform == \"linux\")", Some(false)),
            ("not TYPE_CHECKING or typing.TYPE_CHECKING", Some(true)),
            ("sys.platform in SYSTEMS", None),
            ("f(\" or \")", None),
        ] {
            assert_eq!(holds(condition, DEEPEST), expected, "{condition}");
        }
    }

    #[test]
    fn versions_are_compared_as_far_as_they_are_written() {
        for (comparison, holds) in [
            (" < (3, 9)", Some(false)),
            (" >= (3, 9)", Some(true)),
            ("[0] >= 3", Some(true)),
            ("[0] == 2", Some(false)),
            ("[:2] == (3, 8)", Some(false)),
            (" < (3,)", Some(false)),
            (" >= (4,)", Some(false)),
            (" >= (3, 9) and x", None),
            (".major", None),
        ] {
            assert_eq!(compares(comparison), holds, "{comparison}");
        }
    }
}
