//! Conditions of compilation, as far as they can be told: what most builds leave out comes after the rest.
//!
//! Which features a build has and for what it is made is said outside of the sources. What is taken for it is a build of
//! the crate's tests for the system that most services and most tools run on, with its features.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::RustWalk;

/// What such a build says of itself: names, and values of keys.
const HOLDS: [&str; 4] = ["unix", "test", "debug_assertions", "panic"];
const VALUES: [(&str, &[&str]); 9] = [
    ("target_os", &["linux"]),
    ("target_family", &["unix"]),
    ("target_arch", &["x86_64"]),
    ("target_vendor", &["unknown"]),
    // What every processor of this kind has.
    ("target_feature", &["fxsr", "sse", "sse2"]),
    ("target_pointer_width", &["64"]),
    ("target_endian", &["little"]),
    ("target_env", &["gnu"]),
    ("target_has_atomic", &["8", "16", "32", "64", "ptr"]),
];
/// Features that want a compiler of tomorrow.
const UNUSUAL: [&str; 3] = ["nightly", "unstable", "portable_simd"];

/// Conditions in conditions are followed this deep.
const DEEPEST: u32 = 16;

impl<'t, 's> RustWalk<'t, 's> {
    /// Whether the condition of a `cfg`, with its brackets, is one that most builds do not meet.
    pub(super) fn is_unmet(&self, condition: Node<'t>) -> bool {
        let text = self.unraw(condition);
        let inner = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        !inner.is_none_or(|inner| holds(inner, DEEPEST))
    }

    /// Keeps that what a node defines is left out by most builds.
    pub(super) fn leave_out(&mut self, node: Node<'t>) {
        let range = node.byte_range();
        self.lang
            .shared
            .inactive
            .push((range.start as u32, range.end as u32));
    }

    /// The condition among the tokens of `#[cfg(…)]` in a call of `cfg_if!`.
    pub(super) fn condition_of_branch(&self, tokens: Node<'t>) -> Option<Node<'t>> {
        let mut children = (0..tokens.named_child_count() as u32).rev();
        let last = children.next().and_then(|at| tokens.named_child(at))?;
        (self.kind(last) == Kind::TokenTree).then_some(last)
    }
}

/// Whether a condition holds: `all(…)`, `any(…)`, `not(…)`, `name`, `key = "value"`.
fn holds(condition: &str, depth: u32) -> bool {
    let condition = condition.trim();
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    if let Some((operator, inner)) = condition.split_once('(') {
        let inner = inner.trim_end().strip_suffix(')').unwrap_or(inner);
        let mut parts = parts_of(inner).map(|part| holds(part, depth));
        return match operator.trim() {
            "all" => parts.all(|part| part),
            "any" => parts.any(|part| part),
            "not" => !parts.next().unwrap_or(false),
            _ => true,
        };
    }
    let Some((key, value)) = condition.split_once('=') else {
        return HOLDS.contains(&condition);
    };
    let value = value.trim().trim_matches('"');
    match key.trim() {
        "feature" => !UNUSUAL.contains(&value),
        "panic" => value == "unwind",
        key => VALUES
            .iter()
            .any(|(known, values)| *known == key && values.contains(&value)),
    }
}

/// What stands between the commas that are in no bracket.
fn parts_of(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = list.split(move |next| {
        match next {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        next == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::{DEEPEST, holds};

    #[test]
    fn conditions_that_most_builds_meet() {
        for condition in [
            "unix",
            "test",
            "feature = \"std\"",
            "not(windows)",
            "all(unix, not(target_os = \"macos\"))",
            "any(windows, all(target_arch = \"x86_64\", not(miri)),)",
            "not(feature = \"nightly\")",
            "panic = \"unwind\"",
            "all(target_feature = \"sse2\", any(target_arch = \"x86\", target_arch = \"x86_64\"), not(miri))",
        ] {
            assert!(holds(condition, DEEPEST), "{condition}");
        }
    }

    #[test]
    fn conditions_that_most_builds_do_not_meet() {
        for condition in [
            "windows",
            "not(test)",
            "not(feature = \"std\")",
            "loom",
            "any(target_arch = \"wasm32\", target_os = \"windows\")",
            "all(unix, target_pointer_width = \"32\")",
            "target_feature = \"avx2\"",
        ] {
            assert!(!holds(condition, DEEPEST), "{condition}");
        }
    }
}
