//! `aliases.json` (SPEC A1, `000` §4.5).

use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

use super::{ContextFile, ContextFileProblem, SCHEMA_VERSION, entries, object, pretty};
use crate::ledger::Ledger;
use crate::model::Alias;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AliasFile<'a> {
    schema_version: &'a str,
    aliases: Vec<&'a Alias>,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

/// `aliases.json` as it should be now, by old id.
pub(crate) fn render(ledger: &Ledger) -> String {
    pretty(&AliasFile {
        schema_version: SCHEMA_VERSION,
        aliases: ledger.aliases.all().collect(),
        extra: &ledger.foreign_aliases,
    })
}

/// Takes in an `aliases.json`. Chains collapse to their end; what goes in circles, and what names a
/// type that is there, is left out.
pub(crate) fn read(ledger: &mut Ledger, text: &str, problems: &mut Vec<ContextFileProblem>) {
    let Some(mut map) = object(ContextFile::Aliases, text, problems) else {
        return;
    };
    map.remove("schemaVersion");
    let list = map.remove("aliases");
    let list: Vec<Alias> = entries(ContextFile::Aliases, "aliases", list, problems);
    ledger.foreign_aliases = map;
    let is_living = |id: &str| !ledger.living(id).is_empty();
    let mut ends: BTreeMap<&str, &str> = BTreeMap::new();
    for alias in list.iter().filter(|alias| !is_living(&alias.old_type_id)) {
        ends.entry(&alias.old_type_id).or_insert(&alias.new_type_id);
    }
    let mut seen_old = BTreeSet::new();
    let mut sound = Vec::new();
    for alias in &list {
        let what = match end_of(&alias.old_type_id, &ends) {
            _ if is_living(&alias.old_type_id) => "a type has this id",
            _ if !seen_old.insert(&alias.old_type_id) => "it is there twice",
            None => "it forms a circle",
            Some(end) => {
                sound.push(Alias {
                    new_type_id: end.to_owned(),
                    ..alias.clone()
                });
                continue;
            }
        };
        problems.push(ContextFileProblem {
            file: ContextFile::Aliases,
            place: format!("alias {}", alias.old_type_id),
            what: what.to_owned(),
            next: "it is left out",
        });
    }
    sound
        .into_iter()
        .for_each(|alias| ledger.aliases.insert(alias));
}

/// Where a chain of aliases ends, if it does.
fn end_of<'a>(id: &'a str, next: &BTreeMap<&'a str, &'a str>) -> Option<&'a str> {
    let mut seen = BTreeSet::from([id]);
    let mut end = id;
    while let Some(further) = next.get(end) {
        end = further;
        if !seen.insert(end) {
            return None;
        }
    }
    Some(end)
}
