//! `aliases.json` (SPEC A1, `000` §4.5).

use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

use super::{File, Problem, SCHEMA_VERSION, entries, object, pretty, unless_same};
use crate::aliases::Alias;
use crate::ledger::Ledger;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AliasFile<'a> {
    schema_version: &'a str,
    aliases: Vec<&'a Alias>,
    #[serde(flatten)]
    extra: &'a Map<String, Value>,
}

impl Ledger {
    /// `aliases.json` as it should be now, by old id.
    #[must_use]
    pub fn render_aliases(&self) -> String {
        pretty(&AliasFile {
            schema_version: SCHEMA_VERSION,
            aliases: self.aliases.all().collect(),
            extra: &self.foreign_aliases,
        })
    }

    /// `aliases.json` to write, or nothing when it is as `previous`.
    #[must_use]
    pub fn aliases_to_write(&self, previous: Option<&str>) -> Option<String> {
        unless_same(previous, self.render_aliases(), &[])
    }

    /// Takes in an `aliases.json`. Chains collapse to their end; what goes in circles, and what names a
    /// type that is there, is left out.
    pub(crate) fn read_aliases(&mut self, text: &str, problems: &mut Vec<Problem>) {
        let Some(mut map) = object(File::Aliases, text, problems) else {
            return;
        };
        map.remove("schemaVersion");
        let list = map.remove("aliases");
        let list: Vec<Alias> = entries(File::Aliases, "aliases", list, problems);
        self.foreign_aliases = map;
        let to = |id: &str| list.iter().find(|alias| alias.old_type_id == id);
        let mut seen_old = BTreeSet::new();
        for alias in &list {
            let mut end = alias;
            let mut seen = BTreeSet::from([alias.old_type_id.as_str()]);
            while seen.insert(end.new_type_id.as_str())
                && let Some(next) = to(&end.new_type_id)
            {
                end = next;
            }
            let circular = to(&end.new_type_id).is_some();
            let living = !self.living(&alias.old_type_id).is_empty();
            let what = match (circular, living, seen_old.insert(&alias.old_type_id)) {
                (true, _, _) => "it leads in a circle",
                (_, true, _) => "a type has this id",
                (_, _, false) => "it is there twice",
                _ => {
                    self.aliases.insert(Alias {
                        new_type_id: end.new_type_id.clone(),
                        ..alias.clone()
                    });
                    continue;
                }
            };
            problems.push(Problem {
                file: File::Aliases,
                place: format!("alias {}", alias.old_type_id),
                what: what.to_owned(),
                next: "it is left out",
            });
        }
    }
}
