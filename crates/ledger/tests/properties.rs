//! Whatever happens in whatever order (SPEC H2, H4, I2, I3, A1).
#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

use codecortex_ledger::{
    Batch, Config, Job, Ledger, Millis, TextState, TypeNow, UpdateReport, Written,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use support::{Source, World, id};

const NAMES: [&str; 9] = [
    "A.A", "A.B", "A.C", "B.A", "B.B", "B.C", "C+D", "C+E", "C+F",
];
const START: Millis = 1_750_000_000_000;

/// What happens to a workspace, or to the texts about it.
#[derive(Clone, Debug)]
enum Step {
    Change(usize, usize),
    Uses(usize, Vec<usize>),
    Has(usize, usize),
    Remove(usize),
    Rename(usize, usize),
    Enqueue(usize),
    Dispatch,
    Success,
    Failure,
    Cancel(usize),
    Wait(i64),
}

fn step() -> impl Strategy<Value = Step> {
    let name = 0..NAMES.len();
    let minutes = prop_oneof![
        Just(-90i64),
        Just(0),
        Just(3),
        Just(11),
        Just(60),
        Just(1500)
    ];
    prop_oneof![
        4 => (name.clone(), 0usize..6).prop_map(|(at, layer)| Step::Change(at, layer)),
        3 => (name.clone(), prop::collection::vec(name.clone(), 0..3)).prop_map(|(at, to)| Step::Uses(at, to)),
        1 => (name.clone(), 0usize..4).prop_map(|(at, api)| Step::Has(at, api)),
        1 => name.clone().prop_map(Step::Remove),
        2 => (name.clone(), name.clone()).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => name.clone().prop_map(Step::Enqueue),
        2 => Just(Step::Dispatch),
        2 => Just(Step::Success),
        1 => Just(Step::Failure),
        1 => name.prop_map(Step::Cancel),
        2 => minutes.prop_map(Step::Wait),
    ]
}

/// A ledger that is told news in its own way.
struct Teller {
    ledger: Ledger,
    complete: bool,
    reversed: bool,
    restarts: bool,
    job: Option<Job>,
    told: BTreeMap<String, Source>,
}

impl Teller {
    fn new(complete: bool, reversed: bool, restarts: bool) -> Self {
        Self {
            ledger: Ledger::new(Config::default()),
            complete,
            reversed,
            restarts,
            job: None,
            told: BTreeMap::new(),
        }
    }

    fn tell(&mut self, world: &World, now: Millis) -> UpdateReport {
        let is_new = |fqn: &String| self.complete || self.told.get(fqn) != world.0.get(fqn);
        let types = world.types(&Config::default()).into_iter();
        let mut changed: Vec<TypeNow> = types.filter(|now| is_new(&now.identity.fqn)).collect();
        if self.reversed {
            changed.reverse();
        }
        let gone = self.told.keys().filter(|fqn| !world.0.contains_key(*fqn));
        let removed = gone.map(|fqn| id(fqn)).collect();
        self.told = world.0.clone();
        let batch = Batch {
            changed,
            removed,
            complete: self.complete,
            rehashed: false,
        };
        self.ledger.update(batch, now)
    }

    fn event(&mut self, step: &Step, now: Millis) {
        match step {
            Step::Enqueue(at) => drop(self.ledger.enqueue(&id(NAMES[*at]), now)),
            Step::Cancel(at) => drop(self.ledger.cancel(&id(NAMES[*at]), now)),
            Step::Dispatch => {
                let job = self.ledger.dispatch(now);
                self.job = job.or(self.job.take());
            }
            Step::Success => {
                if let Some(job) = &self.job {
                    drop(self.ledger.succeed(job, now));
                }
            }
            Step::Failure => {
                if let Some(job) = &self.job {
                    drop(self.ledger.fail(job, "no answer", now));
                }
            }
            _ => drop(self.ledger.tick(now)),
        }
    }

    fn files(&self) -> [String; 3] {
        let ledger = &self.ledger;
        [
            ledger.render_index(START),
            ledger.render_state(),
            ledger.render_aliases(),
        ]
    }

    fn restart(&mut self, now: Millis) {
        if !self.restarts {
            return;
        }
        let before = self.files();
        let cache = self.ledger.render_cache();
        let [index, state, aliases] = before.each_ref().map(String::as_str);
        let written = Written {
            index: Some(index),
            state: Some(state),
            aliases: Some(aliases),
            cache: Some(&cache),
        };
        let (ledger, problems) = Ledger::load(written, Config::default(), now);
        assert_eq!(problems, []);
        self.ledger = ledger;
        assert_eq!(self.files(), before);
    }
}

fn change(world: &mut World, step: &Step) {
    match step {
        Step::Change(at, layer) => {
            let source = world
                .0
                .entry(NAMES[*at].to_owned())
                .or_insert_with(|| Source::own("x"));
            let layers = [
                &mut source.structure,
                &mut source.public_impl,
                &mut source.internal_impl,
                &mut source.doc,
                &mut source.cosmetic,
                &mut source.assembly,
            ];
            *layers.into_iter().nth(*layer).unwrap() += 1;
        }
        Step::Uses(at, to) => {
            let source = world
                .0
                .entry(NAMES[*at].to_owned())
                .or_insert_with(|| Source::own(NAMES[*at]));
            source.uses = to.iter().map(|at| NAMES[*at].to_owned()).collect();
        }
        Step::Has(at, count) => {
            let source = world.0.entry(NAMES[*at].to_owned()).or_default();
            source.api = (0..*count).map(|at| format!("void m{at}()")).collect();
        }
        Step::Remove(at) => drop(world.0.remove(NAMES[*at])),
        Step::Rename(from, to) => {
            if let Some(source) = world.0.remove(NAMES[*from]) {
                world.0.insert(NAMES[*to].to_owned(), source);
            }
        }
        _ => {}
    }
}

/// What has to be so at any time.
fn check(ledger: &Ledger) {
    let mut old_ids = BTreeSet::new();
    for alias in ledger.aliases() {
        assert!(old_ids.insert(&alias.old_type_id));
        assert!(
            ledger
                .candidates(&alias.old_type_id)
                .iter()
                .all(|id| *id != alias.old_type_id)
        );
    }
    for alias in ledger.aliases() {
        assert!(!old_ids.contains(&alias.new_type_id), "a chain");
    }
    let waiting: BTreeSet<String> = ledger.waiting().into_iter().map(|unit| unit.id).collect();
    for id in ledger.ids() {
        let view = ledger.get(id).unwrap();
        assert_eq!(view.internal_changed, view.internal_changes > 0);
        assert!(view.retries <= codecortex_ledger::MAX_ATTEMPTS);
        let unit = view.group.clone().unwrap_or_else(|| id.to_owned());
        let parked = view.retries >= codecortex_ledger::MAX_ATTEMPTS;
        assert_eq!(
            waiting.contains(&unit),
            view.state == TextState::Pending && !parked,
            "{unit}"
        );
        if let Some(group) = &view.group {
            let members = ledger.group_members(group);
            assert!(members.len() > 1 && members.contains(&id.to_owned()));
            for member in members {
                assert_eq!(ledger.get(&member).unwrap().state, view.state);
            }
        }
    }
}

/// Id, group, depth, references, dependencies.
type Place = (String, Option<String>, u32, usize, Vec<String>);

/// What follows from the workspace as it is, however it came to be so.
fn topology(ledger: &Ledger) -> Vec<Place> {
    let views = ledger.ids().into_iter().map(|id| ledger.get(id).unwrap());
    let facts = views.map(|view| {
        (
            view.id,
            view.group,
            view.depth,
            view.references,
            view.depends_on,
        )
    });
    facts.collect()
}

proptest! {
    #[test]
    fn ways_of_telling_do_not_matter(rows in prop::collection::vec(prop::collection::vec(step(), 1..4), 1..25)) {
        let mut world = World::default();
        let mut now = START;
        let mut tellers = [
            Teller::new(false, false, false),
            Teller::new(false, true, true),
            Teller::new(true, true, false),
        ];
        for row in rows {
            row.iter().for_each(|step| change(&mut world, step));
            let reports = tellers.each_mut().map(|teller| teller.tell(&world, now));
            prop_assert_eq!(&reports[0], &reports[1]);
            prop_assert_eq!(&reports[0], &reports[2]);
            for step in &row {
                if let Step::Wait(minutes) = step {
                    now = now.saturating_add_signed(minutes * 60_000);
                }
                tellers.iter_mut().for_each(|teller| teller.event(step, now));
                check(&tellers[0].ledger);
            }
            tellers.iter_mut().for_each(|teller| teller.restart(now));
            prop_assert_eq!(tellers[0].files(), tellers[1].files());
            prop_assert_eq!(tellers[0].files(), tellers[2].files());
            prop_assert_eq!(tellers[0].ledger.waiting(), tellers[1].ledger.waiting());
            prop_assert_eq!(tellers[0].ledger.waiting(), tellers[2].ledger.waiting());
        }
        // From nothing, with what aliases have done to dependencies already done.
        let mut fresh = Ledger::new(Config::default());
        let known: BTreeMap<String, Vec<String>> = tellers[0].ledger.ids().into_iter()
            .map(|id| (id.to_owned(), tellers[0].ledger.get(id).unwrap().depends_on)).collect();
        let mut types = world.types(&Config::default());
        types.iter_mut().for_each(|one| one.depends_on.clone_from(&known[&one.id]));
        fresh.update(Batch { changed: types, complete: true, ..Batch::default() }, now);
        prop_assert_eq!(topology(&tellers[0].ledger), topology(&fresh));
    }

    /// Telling the same again, in any order, is no news.
    #[test]
    fn nothing_new_is_nothing(steps in prop::collection::vec(step(), 1..30)) {
        let mut world = World::default();
        let mut teller = Teller::new(true, false, false);
        for step in &steps {
            change(&mut world, step);
            teller.tell(&world, START);
        }
        let files = teller.files();
        teller.reversed = true;
        let report = teller.tell(&world, START);
        prop_assert_eq!(report, UpdateReport::default());
        prop_assert_eq!(teller.files(), files.clone());
        prop_assert_eq!(teller.ledger.index_to_write(Some(&files[0]), START + 5_000), None);
        prop_assert_eq!(teller.ledger.state_to_write(Some(&files[1])), None);
        prop_assert_eq!(teller.ledger.aliases_to_write(Some(&files[2])), None);
    }
}
