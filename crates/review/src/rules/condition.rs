//! When a rule matches.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use super::secrets::secret_lines;
use super::traits::Traits;

/// Bytes that a compiled expression of a user may take.
const MAX_REGEX: usize = 1 << 20;
/// Characters of a line that are looked at.
const MAX_LINE: usize = 2_000;
/// Lines with an expression of which it is looked up whether they are code.
const MAX_PLACES: usize = 200;

/// When a rule matches: every key that is there has to; lists inside of a key are alternatives.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct When {
    /// At least one of these keys.
    pub any: Option<Box<When>>,
    /// Globs of the file's path.
    pub path: Option<Vec<String>>,
    /// Globs that the file's path must not have.
    pub not_path: Option<Vec<String>>,
    /// `source`, `test`, `doc`, `manifest`, `other`.
    pub path_class: Option<Vec<String>>,
    /// Ids of languages.
    pub language: Option<Vec<String>>,
    /// `add`, `modify`, `delete`, `rename`, `copy`, `mode`.
    pub patch_type: Option<Vec<String>>,
    /// `Structure`, `PublicBehavior`, `Internal`, `Docs`, `Cosmetic`.
    pub change_class: Option<Vec<String>>,
    /// What all changed lines are: `comment`, `import`.
    pub diff_tokens: Option<Vec<String>>,
    /// A regular expression that an added line has.
    pub added: Option<String>,
    /// A regular expression that an added or removed line has.
    pub changed: Option<String>,
    /// Whether what `added` matches has to be code where the language is known: its end is in no comment and no string.
    pub code: Option<bool>,
    /// Whether `added` or `changed` has to be in every such line.
    pub all_lines: Option<bool>,
    /// Least and most share of changed lines that stand elsewhere in the change.
    pub moved_ratio: Option<[f64; 2]>,
    /// Whether only one name stands for another.
    pub consistent_rename: Option<bool>,
    /// Whether all files of the change are tests.
    pub all_units: Option<bool>,
    /// Whether a program wrote the file.
    pub generated: Option<bool>,
    /// Whether it is no text.
    pub binary: Option<bool>,
    /// Whether it is another repository.
    pub submodule: Option<bool>,
    /// `parameters`, `return`, `generics`, `removed`, `renamed`, `visibility`, `bases`, `override`, `default`, `constant`,
    /// `enum_value`, `added`.
    pub symbol_change: Option<Vec<String>>,
    /// Kinds of declarations, or `interface_member`, `trait_method`, `abstract_method`, `virtual_method`.
    pub symbol_kind: Option<Vec<String>>,
    /// Calls outside of the change, at least.
    pub callers_min: Option<u32>,
    /// Tests that name it, at most.
    pub tests_max: Option<u32>,
    /// How much similar code has of the rare words, at least; 0 to 1.
    pub similar_unchanged_min: Option<f64>,
    /// Commits lately that mend something in the file, at least.
    pub recent_fixes_min: Option<u32>,
    /// Whether secrets are in added lines, or the file is added and is one of secrets by its name.
    pub secrets: Option<bool>,
    /// Whether a tool reports something of the changed lines.
    pub scanner_issue: Option<bool>,
    /// Added and removed lines, at least.
    pub changed_lines_min: Option<u32>,
}

/// A condition whose expressions are compiled.
#[derive(Debug, Default)]
pub(super) struct Ready {
    when: When,
    any: Option<Box<Ready>>,
    path: Option<GlobSet>,
    not_path: Option<GlobSet>,
    added: Option<Regex>,
    changed: Option<Regex>,
}

impl Ready {
    pub(super) fn new(when: &When) -> Result<Self, String> {
        let any = when.any.as_deref().map(Self::new).transpose()?;
        Ok(Self {
            any: any.map(Box::new),
            path: when.path.as_deref().map(globs).transpose()?,
            not_path: when.not_path.as_deref().map(globs).transpose()?,
            added: when.added.as_deref().map(regex).transpose()?,
            changed: when.changed.as_deref().map(regex).transpose()?,
            when: when.clone(),
        })
    }

    /// Whether it matches, and at which new lines where lines made it: at all that have secrets, else at the first.
    pub(super) fn matches(&self, unit: &Traits<'_>) -> Option<Vec<u32>> {
        let mut lines = Vec::new();
        let mut all = true;
        self.each(unit, &mut |is_so, at| {
            all &= is_so;
            keep(&mut lines, at);
        });
        if let Some(any) = &self.any {
            let mut one = false;
            any.each(unit, &mut |is_so, at| {
                one |= is_so;
                if is_so {
                    keep(&mut lines, at);
                }
            });
            all &= one;
        }
        all.then_some(lines)
    }

    /// Tells of each key that is there whether it matches, and at which lines.
    fn each(&self, unit: &Traits<'_>, say: &mut dyn FnMut(bool, Vec<u32>)) {
        let when = &self.when;
        let has = |list: &Option<Vec<String>>, word: &str| {
            list.as_ref()
                .map(|list| list.iter().any(|known| known == word))
        };
        let among = |list: &Option<Vec<String>>, words: &std::collections::BTreeSet<&str>| {
            list.as_ref()
                .map(|list| list.iter().any(|known| words.contains(known.as_str())))
        };
        let is = |wanted: Option<bool>, found: bool| wanted.map(|wanted| wanted == found);
        let least = |wanted: Option<u32>, found: u32| wanted.map(|wanted| found >= wanted);
        let answers = [
            self.path.as_ref().map(|globs| globs.is_match(unit.path)),
            self.not_path
                .as_ref()
                .map(|globs| !globs.is_match(unit.path)),
            has(&when.path_class, unit.path_class()),
            has(&when.language, unit.language),
            has(&when.patch_type, unit.patch_type),
            has(&when.change_class, unit.change_class.unwrap_or("")),
            has(&when.diff_tokens, unit.tokens.unwrap_or("")),
            when.moved_ratio.map(|[lo, hi]| {
                unit.moved_ratio
                    .is_some_and(|ratio| (lo..=hi).contains(&ratio))
            }),
            is(when.consistent_rename, unit.is_rename),
            is(when.all_units, unit.is_all_tests),
            is(when.generated, unit.is_generated),
            is(when.binary, unit.is_binary),
            is(when.submodule, unit.is_submodule),
            among(&when.symbol_change, &unit.symbol_changes),
            among(&when.symbol_kind, &unit.symbol_kinds),
            least(when.callers_min, unit.callers),
            when.tests_max
                .map(|most| unit.tests.is_some_and(|tests| tests <= most)),
            when.similar_unchanged_min
                .map(|least| unit.similarity >= least),
            least(when.recent_fixes_min, unit.recent_fixes),
            is(when.scanner_issue, unit.scanner_issues > 0),
            least(when.changed_lines_min, unit.changed_lines()),
        ];
        answers
            .into_iter()
            .flatten()
            .for_each(|answer| say(answer, Vec::new()));
        let every = when.all_lines == Some(true);
        if let Some(regex) = &self.added {
            let code = (when.code == Some(true)).then_some(unit);
            let (is_so, at) = in_lines(regex, &[&unit.added], every, code);
            say(is_so, at.into_iter().collect());
        }
        if let Some(wanted) = when.secrets {
            let mut at = secret_lines(unit);
            let is_so = wanted != at.is_empty();
            at.retain(|_| wanted);
            say(is_so, at);
        }
        if let Some(regex) = &self.changed {
            let (is_so, at) = in_lines(regex, &[&unit.added, &unit.removed], every, None);
            say(is_so, at.into_iter().collect());
        }
    }
}

/// Whether lines have an expression, and the number of the first added one that does; in code alone where the unit is given
/// that they are of.
fn in_lines(
    regex: &Regex,
    lists: &[&Vec<(u32, &str)>],
    every: bool,
    code: Option<&Traits<'_>>,
) -> (bool, Option<u32>) {
    let lines = || {
        lists
            .iter()
            .flat_map(|list| list.iter())
            .filter(|(_, text)| !text.trim().is_empty())
    };
    let has = |text: &str| regex.is_match(&text[..text.floor_char_boundary(MAX_LINE)]);
    if every {
        return (
            lines().next().is_some() && lines().all(|(_, text)| has(text)),
            None,
        );
    }
    if let Some(unit) = code {
        let place = |(number, text): &(u32, &str)| {
            let found = regex.find(&text[..text.floor_char_boundary(MAX_LINE)])?;
            Some((*number, found.end()))
        };
        let places: Vec<(u32, usize)> = lines().filter_map(place).take(MAX_PLACES).collect();
        let first = unit.first_behind_code(&places);
        return (first.is_some(), first);
    }
    let first = lists
        .first()
        .and_then(|list| list.iter().find(|(_, text)| has(text)));
    match first {
        Some((number, _)) => (true, Some(*number)),
        None => (lines().any(|(_, text)| has(text)), None),
    }
}

/// Takes lines where none are known yet; several count only where one condition has them.
fn keep(lines: &mut Vec<u32>, more: Vec<u32>) {
    if lines.is_empty() {
        *lines = more;
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern)
            .literal_separator(true)
            .case_insensitive(true)
            .build();
        set.add(glob.map_err(|error| error.to_string())?);
    }
    set.build().map_err(|error| error.to_string())
}

fn regex(pattern: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(pattern).size_limit(MAX_REGEX).build();
    built.map_err(|_| format!("`{pattern}` is no regular expression that can be used"))
}
