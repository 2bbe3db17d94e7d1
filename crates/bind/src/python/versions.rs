//! Arms of conditions that are not for the interpreters of today, or not for those who read types.

use tree_sitter::Node;

use super::Walk;

/// The newest version that conditions are compared with.
const NEWEST: [u32; 3] = [3, 14, 0];

impl Walk<'_> {
    /// Whether a condition holds: nothing where that depends on more than the interpreter's version.
    pub(super) fn holds(&self, condition: Node<'_>) -> Option<bool> {
        let text = self.text(condition).trim_start_matches('(');
        match text.trim_end_matches(')').strip_prefix("not ") {
            Some(denied) => is_for_types(denied).then_some(false),
            None if is_for_types(text) => Some(true),
            None => compares(text.strip_prefix("sys.version_info")?),
        }
    }

    /// Keeps where an arm stands that comes after the others.
    pub(super) fn leave_out(&mut self, arm: Node<'_>) {
        let range = arm.byte_range();
        self.dormant.push((range.start as u32, range.end as u32));
    }
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
    use super::compares;

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
