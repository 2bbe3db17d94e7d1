//! What rules and plans ask to be looked up, with names in the place of `$symbol` and the like (SPEC RV2, `004` §2).

use crate::change::ReviewedChange;
use crate::changed_lines::ChangedLines;
use crate::evidence::{Evidence, Wish};
use crate::fusion::Fused;
use crate::level::{EvidenceRequest, Takes};
use crate::plan::ReviewPlan;
use crate::touched_declarations::Touched;
use crate::unit::ReviewUnit;

/// Names that one request of a rule stands for.
const MAX_NAMES: usize = 3;
/// Shorter routes and keys say nothing.
const SHORTEST: usize = 3;

/// What is looked up: what plans ask for before what rules ask for, the riskiest units first.
pub(crate) fn wishes(
    units: &[ReviewUnit],
    fused: &[Fused],
    plan: Option<&ReviewPlan>,
) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for (at, (unit, fused)) in units.iter().zip(fused).enumerate() {
        if fused.is_skipped {
            continue;
        }
        let planned = plan.and_then(|plan| plan.entries.get(&unit.id));
        let wanted = fused.requests.iter();
        let wanted = wanted.filter(|request| request.kind.takes() != Takes::Nothing);
        wishes.extend(wanted.map(|request| Wish {
            unit: at,
            request: request.clone(),
            is_planned: planned.is_some_and(|entry| entry.requests.contains(request)),
        }));
    }
    wishes.sort_by_key(|wish| {
        let risk = units[wish.unit].verdict.risk;
        (!wish.is_planned, std::cmp::Reverse(risk))
    });
    wishes
}

/// The requests of a unit's rules with names; what stands for nothing falls.
pub(crate) fn resolved(
    change: &ReviewedChange,
    unit: &ReviewUnit,
    at: usize,
    evidence: &Evidence,
) -> Vec<EvidenceRequest> {
    let mut resolved: Vec<EvidenceRequest> = Vec::new();
    for request in &unit.verdict.requests {
        let kind = request.kind;
        let names = match (kind.takes(), request.details.as_deref()) {
            (Takes::Nothing, _) => vec![None],
            (_, Some(details)) => {
                let names = values(change, unit, at, evidence, details);
                names.into_iter().map(Some).collect()
            }
            (_, None) => Vec::new(),
        };
        for details in names {
            let request = EvidenceRequest { kind, details };
            if !resolved.contains(&request) {
                resolved.push(request);
            }
        }
    }
    resolved
}

/// What a variable stands for; a text that is none stands for itself.
fn values(
    change: &ReviewedChange,
    unit: &ReviewUnit,
    at: usize,
    evidence: &Evidence,
    variable: &str,
) -> Vec<String> {
    let main = unit
        .touched
        .iter()
        .min_by_key(|touched| (touched.class.is_none(), touched.class));
    let one = |text: Option<&str>| text.map(str::to_owned).into_iter().collect();
    let mut values: Vec<String> = match variable {
        "$symbol" => one(main.map(|main| main.path.as_str())),
        "$container" => one(main.map(|main| main.container.as_str())),
        "$old_name" => old_names(unit),
        "$public_names" => {
            let gone = gone(unit).filter(|touched| touched.is_visible);
            gone.map(|touched| touched.name.clone()).collect()
        }
        "$rare_words" => one(evidence
            .rare_words
            .get(&at)
            .and_then(|words| Some(words.first()?.as_str()))),
        "$keys" => changed_lines(change, unit, |line| key_of(line).into_iter().collect()),
        "$route" => changed_lines(change, unit, routes_of),
        "$file" => one(stem(&unit.file_of(change).path)),
        text => one((!text.starts_with('$')).then_some(text)),
    };
    values.retain(|value| !value.is_empty());
    values.truncate(MAX_NAMES);
    values
}

fn gone(unit: &ReviewUnit) -> impl Iterator<Item = &Touched> {
    unit.declared().filter(|touched| touched.new.is_none())
}

/// Names that are not there any more, because something else stands for them or nothing does.
fn old_names(unit: &ReviewUnit) -> Vec<String> {
    let mut names: Vec<String> = unit.rename.iter().map(|(old, _)| old.clone()).collect();
    names.extend(gone(unit).map(|touched| touched.name.clone()));
    let renamed = unit
        .declared()
        .filter_map(|touched| touched.old_name.clone());
    names.extend(renamed);
    distinct(names)
}

/// What the lines that are added or removed name, each once.
fn changed_lines(
    change: &ReviewedChange,
    unit: &ReviewUnit,
    names: impl Fn(&str) -> Vec<String>,
) -> Vec<String> {
    let lines = ChangedLines::from_hunks(unit.hunks_of(change));
    let all = lines.added.iter().chain(&lines.removed);
    distinct(all.flat_map(|(_, text)| names(text)))
}

fn distinct(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// The key of a line of a configuration: `key = 1`, `key: 1`, `"key": 1`, `<key>1</key>`, `<add key="key" … />`.
fn key_of(line: &str) -> Option<String> {
    let line = line.trim().trim_start_matches("- ");
    if line.starts_with(['#', ';', '/', '[', '!']) {
        return None;
    }
    let key = match line.strip_prefix('<') {
        Some(tag) => match tag.split_once("key=\"").or(tag.split_once("name=\"")) {
            Some((_, rest)) => rest.split('"').next()?,
            None => tag.split(['>', ' ', '/']).next()?,
        },
        None => line.split_once(['=', ':'])?.0,
    };
    let key = key.trim().trim_matches(['"', '\'']);
    let is_key = key.len() >= SHORTEST
        && key.chars().any(char::is_alphabetic)
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || "_.-".contains(c));
    is_key.then(|| key.to_owned())
}

/// Paths in quotes that begin with a slash.
fn routes_of(line: &str) -> Vec<String> {
    // What is cut at quotes is outside and inside by turns, outside first.
    let inside = line.split(['"', '\'', '`']).skip(1).step_by(2);
    let is_route = |text: &&str| {
        text.starts_with('/')
            && text.len() >= SHORTEST
            && !text.contains(char::is_whitespace)
            && text.chars().any(char::is_alphabetic)
    };
    inside.filter(is_route).map(str::to_owned).collect()
}

/// The name of a file without its folder and ending.
fn stem(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    name.split('.').find(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_what_stands_before_their_values() {
        let keys = [
            "pool_size = 4",
            "  request-timeout: 30",
            "\"maxRetries\": 3,",
            "<Timeout>30</Timeout>",
            "<add key=\"cache.size\" value=\"1\" />",
        ]
        .map(key_of);
        let expected = [
            "pool_size",
            "request-timeout",
            "maxRetries",
            "Timeout",
            "cache.size",
        ];
        assert_eq!(keys, expected.map(|key| Some(key.to_owned())));
        for line in [
            "",
            "# a = 1",
            "[section]",
            "just words",
            "1: 2",
            "</Timeout>",
        ] {
            assert_eq!(key_of(line), None, "{line}");
        }
    }

    #[test]
    fn routes_stand_in_quotes() {
        let line = "app.get('/users/:id', \"x\"); // '/no space /'";
        assert_eq!(routes_of(line), ["/users/:id"]);
        assert_eq!(routes_of("a / b / c"), Vec::<String>::new());
        assert_eq!(stem("src/app.config.ts"), Some("app"));
        assert_eq!(stem(".env"), Some("env"));
    }
}
