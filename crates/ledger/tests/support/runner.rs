//! Steps and facts of the rules, as words.

use super::{Source, World, id};
use codecortex_ledger::{
    Batch, Config, DependencyStaleness, Job, Ledger, LogEntry, Millis, UpdateReport, Written,
    parse_rfc3339, rfc3339,
};
use std::collections::BTreeSet;

/// What happens between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Restart {
    Never,
    WithCache,
    WithoutCache,
}

pub(crate) struct Runner {
    ledger: Ledger,
    config: Config,
    complete: bool,
    restart: Restart,
    now: Millis,
    day: Millis,
    world: World,
    changed: BTreeSet<String>,
    removed: Vec<String>,
    rehashed: bool,
    job: Option<Job>,
    report: UpdateReport,
    refused: Option<String>,
    log: Vec<LogEntry>,
}

/// What the documents are about unless they say otherwise: who names what is for whoever has sources.
fn config() -> Config {
    Config {
        dependency_staleness: DependencyStaleness::All,
        ..Config::default()
    }
}

const DAY: Millis = 24 * 60 * 60 * 1000;

fn words(text: &str) -> Vec<&str> {
    text.split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect()
}

impl Runner {
    pub(crate) fn new(complete: bool, restart: Restart) -> Self {
        let day = parse_rfc3339("2025-09-01T00:00:00Z").unwrap();
        Self {
            ledger: Ledger::new(config()),
            config: config(),
            complete,
            restart,
            now: day,
            day,
            world: World::default(),
            changed: BTreeSet::new(),
            removed: Vec::new(),
            rehashed: false,
            job: None,
            report: UpdateReport::default(),
            refused: None,
            log: Vec::new(),
        }
    }

    /// `12:05`, `12:05:30`, or `+1 12:05` for the day after the first.
    fn time(&self, text: &str) -> Millis {
        let (days, clock) = text.strip_prefix('+').map_or((0, text), |rest| {
            let (days, clock) = rest.split_once(' ').unwrap();
            (days.parse().unwrap(), clock)
        });
        let parts = clock.split(':').map(|part| part.parse::<Millis>().unwrap());
        let seconds = parts
            .zip([3600, 60, 1])
            .map(|(part, unit)| part * unit)
            .sum::<Millis>();
        self.day + days * DAY + seconds * 1000
    }

    pub(crate) fn set_time(&mut self, text: &str) {
        self.now = self.time(text);
        self.report = UpdateReport::default();
        self.log.clear();
        self.refused = None;
    }

    pub(crate) fn step(&mut self, step: &str) {
        let all = words(step);
        let events = [
            "time",
            "enqueue",
            "dispatch",
            "success",
            "failure",
            "cancel",
            "invalidate",
            "recover",
        ];
        if events.contains(&all[0]) {
            self.send();
        }
        match all.as_slice() {
            ["time", "passes"] => {
                let report = self.ledger.tick(self.now);
                self.take(report);
            }
            ["enqueue", name] => self.tried(|me| me.ledger.enqueue(&id(name), me.now)),
            ["enqueue", "all", state] => {
                let state = codecortex_ledger::TextState::from_word(state).unwrap();
                self.ledger.enqueue_all(state, self.now);
            }
            ["dispatch"] => self.job = self.ledger.dispatch(self.now),
            ["success"] => self.tried(|me| {
                let job = me.job.clone().unwrap();
                me.ledger.succeed(&job, me.now).map(|_| ())
            }),
            ["failure", error @ ..] => self.tried(|me| {
                let job = me.job.clone().unwrap();
                me.ledger.fail(&job, &error.join(" "), me.now)
            }),
            ["cancel", name] => self.tried(|me| me.ledger.cancel(&id(name), me.now).map(|_| ())),
            ["invalidate", name] => {
                self.tried(|me| me.ledger.invalidate(&id(name), me.now).map(|_| ()));
            }
            ["recover"] => drop(self.ledger.recover(self.now)),
            ["made", names @ ..] => self.make(names),
            ["switch", key, value] => self.switch(key, value, false),
            ["rehash", key, value] => self.switch(key, value, true),
            [name, "is", "new"] => self.change(name, |_| {}),
            [name, "is", "new", "with", members @ ..] => {
                self.change(name, |source| source.api = api(members));
            }
            [name, "has", members @ ..] => self.change(name, |source| source.api = api(members)),
            [name, "uses", "nothing"] => self.change(name, |source| source.uses.clear()),
            [name, "uses", uses @ ..] => self.change(name, |source| {
                source.uses = uses.iter().map(|&name| name.to_owned()).collect();
            }),
            [name, "changes", layers @ ..] => {
                for layer in layers {
                    self.change(name, |source| *source_layer(source, layer) += 1);
                }
            }
            [name, "reverts", layer] => {
                self.change(name, |source| *source_layer(source, layer) -= 1);
            }
            [name, "is", "renamed", "to", new] => {
                let source = self.world.0[*name].clone();
                self.remove(name);
                self.world.0.insert((*new).to_owned(), source);
                self.changed.insert((*new).to_owned());
            }
            [name, "is", "removed"] => self.remove(name),
            _ => panic!("unknown step: {step}"),
        }
    }

    fn tried<E: std::fmt::Display>(&mut self, event: impl FnOnce(&mut Self) -> Result<(), E>) {
        self.refused = event(self).err().map(|error| error.to_string());
    }

    /// Texts of types are made, without the steps that lead there.
    fn make(&mut self, names: &[&str]) {
        self.send();
        for name in names {
            self.ledger.enqueue(&id(name), self.now).unwrap();
        }
        while let Some(job) = self.ledger.dispatch(self.now) {
            self.ledger.succeed(&job, self.now).unwrap();
        }
    }

    fn switch(&mut self, key: &str, value: &str, rehashed: bool) {
        let on = value == "on";
        match key {
            "structureHashIncludesXmlDoc" => self.config.structure_hash_includes_xml_doc = on,
            "includeInternalForDependencies" => self.config.include_internal_for_dependencies = on,
            "internalImplAffectsSemantic" => self.config.internal_impl_affects_semantic = on,
            "semanticDocAffects" => self.config.semantic_doc_affects = on,
            "hashVersion" => value.clone_into(&mut self.config.hash_version),
            _ => panic!("unknown switch: {key}"),
        }
        self.ledger.configure(self.config.clone());
        self.changed.extend(self.world.0.keys().cloned());
        self.rehashed = rehashed;
    }

    fn change(&mut self, name: &str, change: impl FnOnce(&mut Source)) {
        let source = self
            .world
            .0
            .entry(name.to_owned())
            .or_insert_with(|| Source::own(name));
        change(source);
        self.changed.insert(name.to_owned());
    }

    fn remove(&mut self, name: &str) {
        self.world.0.remove(name);
        self.changed.remove(name);
        self.removed.push(id(name));
    }

    /// Tells the ledger what steps have piled up.
    pub(crate) fn send(&mut self) {
        if self.changed.is_empty() && self.removed.is_empty() {
            return;
        }
        let changed = std::mem::take(&mut self.changed);
        let types = self.world.types(&self.config).into_iter();
        let changed = types.filter(|now| self.complete || changed.contains(&now.identity.fqn));
        let batch = Batch {
            changed: changed.collect(),
            removed: std::mem::take(&mut self.removed),
            complete: self.complete,
            rehashed: std::mem::take(&mut self.rehashed),
        };
        let report = self.ledger.update(batch, self.now);
        self.take(report);
    }

    fn take(&mut self, report: UpdateReport) {
        self.log.extend(report.log.iter().cloned());
        self.report = report;
    }

    /// Writes everything down and starts from that.
    pub(crate) fn restart(&mut self) {
        if self.restart == Restart::Never {
            return;
        }
        let (index, state) = (
            self.ledger.render_index(self.now),
            self.ledger.render_state(),
        );
        let (aliases, cache) = (self.ledger.render_aliases(), self.ledger.render_cache());
        let with_cache = self.restart == Restart::WithCache;
        let written = Written {
            index: Some(&index),
            state: Some(&state),
            aliases: Some(&aliases),
            cache: with_cache.then_some(&cache),
        };
        let (ledger, problems) = Ledger::load(written, self.config.clone(), self.now);
        assert_eq!(problems, [], "{index}\n{state}");
        assert_eq!(ledger.render_index(self.now), index);
        assert_eq!(ledger.render_state(), state);
        assert_eq!(ledger.render_aliases(), aliases);
        self.ledger = ledger;
        if with_cache {
            assert_eq!(self.ledger.render_cache(), cache);
            return;
        }
        // As any start: everything there is, which is what it was.
        let batch = Batch {
            changed: self.world.types(&self.config),
            complete: true,
            ..Batch::default()
        };
        let report = self.ledger.update(batch, self.now);
        assert_eq!(report, UpdateReport::default(), "a start without news");
        assert_eq!(self.ledger.render_index(self.now), index);
        assert_eq!(self.ledger.render_state(), state);
    }

    /// Whether a fact holds; what is so instead, where it does not.
    pub(crate) fn check(&self, fact: &str) -> Result<(), String> {
        let all = words(fact);
        let (seen, expected) = match all.as_slice() {
            ["queue", names @ ..] => (self.queue(), names.join(" ")),
            ["due", rest @ ..] => {
                let time = rest.join(" ");
                let expected = if time == "never" {
                    time
                } else {
                    rfc3339(self.time(&time))
                };
                (
                    self.ledger.due().map_or("never".to_owned(), rfc3339),
                    expected,
                )
            }
            ["alias", old, "->", new, reason] => (self.alias(old), format!("{} {reason}", id(new))),
            ["no", "alias", old] => (self.alias(old), "none".to_owned()),
            ["log", kinds @ ..] => (self.logged(), kinds.join(" ")),
            ["moves", from, "->", to] => {
                let from = format!("types/{}.outline.md", id(from));
                let found = self.report.moves.iter().find(|one| one.from == from);
                let seen = found.map_or("none".to_owned(), |one| one.to.clone());
                (seen, format!("types/{}.outline.md", id(to)))
            }
            ["job", rest @ ..] => (self.job_words(), rest.join(" ")),
            ["refused"] => (
                self.refused
                    .as_ref()
                    .map_or("accepted", |_| "refused")
                    .to_owned(),
                "refused".to_owned(),
            ),
            ["accepted"] => (
                self.refused.clone().unwrap_or("accepted".to_owned()),
                "accepted".to_owned(),
            ),
            ["unchanged"] => (format!("{:?}", self.report.changes), "[]".to_owned()),
            [name, "outline", effect] => (self.outline(name), (*effect).to_owned()),
            [name, property, rest @ ..] => return self.of_type(name, property, &rest.join(" ")),
            _ => panic!("unknown fact: {fact}"),
        };
        if seen == expected { Ok(()) } else { Err(seen) }
    }

    fn of_type(&self, name: &str, property: &str, expected: &str) -> Result<(), String> {
        let view = self
            .ledger
            .get(&id(name))
            .ok_or_else(|| format!("{name} is not there"))?;
        let classes: Vec<&str> = view.classes.iter().map(|class| class.as_str()).collect();
        let seen = match property {
            "state" => view.state.as_str().to_owned(),
            "class" if classes.is_empty() => "none".to_owned(),
            "class" => classes.join(" "),
            "internalChanged" => view.internal_changed.to_string(),
            "drift" => view.internal_changes.to_string(),
            "depth" => view.depth.to_string(),
            "references" => view.references.to_string(),
            "retries" => view.retries.to_string(),
            "priority" => {
                let waiting = self.ledger.waiting().into_iter();
                let mut own = waiting.filter(|waiting| self.unit(&waiting.id) == name);
                own.next()
                    .map_or("none".to_owned(), |waiting| waiting.priority.to_string())
            }
            "error" => view.last_error.unwrap_or("none".to_owned()),
            "needs" => self.names(&view.depends_on),
            "group" => match view.group {
                Some(group) => self.names(&self.ledger.group_members(&group)),
                None => "none".to_owned(),
            },
            _ => panic!("unknown property: {property}"),
        };
        if seen == expected { Ok(()) } else { Err(seen) }
    }

    fn names(&self, ids: &[String]) -> String {
        let views = ids
            .iter()
            .map(|id| self.ledger.get(id).unwrap().identity.fqn);
        let mut names: Vec<String> = views.collect();
        names.sort();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(" ")
        }
    }

    /// A unit by its name, or by those of its members with `+` between them.
    fn unit(&self, id: &str) -> String {
        if self.ledger.get(id).is_some() {
            return self.names(&[id.to_owned()]);
        }
        self.names(&self.ledger.group_members(id)).replace(' ', "+")
    }

    fn queue(&self) -> String {
        let ready = self.ledger.waiting().into_iter();
        let units: Vec<String> = ready.map(|waiting| self.unit(&waiting.id)).collect();
        if units.is_empty() {
            "empty".to_owned()
        } else {
            units.join(" ")
        }
    }

    fn alias(&self, old: &str) -> String {
        let found = self
            .ledger
            .aliases()
            .find(|alias| alias.old_type_id == id(old));
        found.map_or("none".to_owned(), |alias| {
            format!("{} {}", alias.new_type_id, alias.reason.as_str())
        })
    }

    fn logged(&self) -> String {
        let kinds: BTreeSet<&str> = self.log.iter().map(|entry| entry.kind.as_str()).collect();
        if kinds.is_empty() {
            "nothing".to_owned()
        } else {
            kinds.into_iter().collect::<Vec<_>>().join(" ")
        }
    }

    fn outline(&self, name: &str) -> String {
        let change = self.report.changes.iter().find(|change| change.fqn == name);
        change.map_or("keep".to_owned(), |change| {
            format!("{:?}", change.outline).to_lowercase()
        })
    }

    fn job_words(&self) -> String {
        let Some(job) = &self.job else {
            return "none".to_owned();
        };
        let classes: Vec<&str> = job.classes.iter().map(|class| class.as_str()).collect();
        let types = self.names(&job.types);
        if classes.is_empty() {
            types
        } else {
            format!("{types} for {}", classes.join(" "))
        }
    }
}

fn api(members: &[&str]) -> Vec<String> {
    let members = members.iter().filter(|&&member| member != "nothing");
    members.map(|member| format!("void {member}()")).collect()
}

fn source_layer<'a>(source: &'a mut Source, layer: &str) -> &'a mut u32 {
    match layer {
        "structure" => &mut source.structure,
        "assembly" => &mut source.assembly,
        "publicImpl" => &mut source.public_impl,
        "internalImpl" => &mut source.internal_impl,
        "docs" => &mut source.doc,
        "cosmetic" => &mut source.cosmetic,
        _ => panic!("unknown part: {layer}"),
    }
}
