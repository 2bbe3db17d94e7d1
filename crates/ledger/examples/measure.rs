//! What an update costs in a large ledger: nodes and edges of the graph that were walked, and time, both
//! beside the size of the ledger.
//!
//! `cargo run --release -p codecortex-ledger --example measure -- 100000`
#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measurement, not the core"
)]

use codecortex_hashes::{Hashes, type_id};
use codecortex_ledger::{
    Batch, Config, Identity, Ledger, RecordedSignature, TextState, TypeNow, Written,
};
use std::time::Instant;

/// Types of a made-up workspace: each needs some of lower number nearby, everybody a few of the first
/// hundred, and every fiftieth one of higher number, which closes circles.
fn workspace(count: usize) -> Vec<TypeNow> {
    let fqn = |at: usize| format!("App.Part{}.Type{at}", at / 100);
    let id = |at: usize| type_id(&fqn(at), "class", 0);
    let mut random = 1u64;
    let mut next = |below: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) as usize % below.max(1)
    };
    let one = |at: usize| {
        let mut depends_on: Vec<String> = (0..4)
            .map(|_| id(at.saturating_sub(1 + next(300))))
            .collect();
        depends_on.push(id(next(100)));
        if at.is_multiple_of(50) {
            depends_on.push(id((at + 1 + next(20)).min(count - 1)));
        }
        TypeNow {
            id: id(at),
            identity: Identity {
                fqn: fqn(at),
                kind: "class".to_owned(),
                arity: 0,
            },
            project_id: "P_1".to_owned(),
            files: vec![format!("src/{at}.cs")],
            hashes: Hashes {
                structure: [(at % 251) as u8; 16],
                ..Hashes::default()
            },
            api: (0..12)
                .map(|member| RecordedSignature::from_text(&format!("void {at}M{member}(int)")))
                .collect(),
            depends_on,
            ..TypeNow::default()
        }
    };
    (0..count).map(one).collect()
}

fn measured<T>(label: &str, ledger: &mut Ledger, run: impl FnOnce(&mut Ledger) -> T) -> T {
    let (walked, start) = (ledger.walked(), Instant::now());
    let result = run(ledger);
    let (walked, time) = (ledger.walked() - walked, start.elapsed());
    println!(
        "{label:<44} {walked:>9} walked {:>10.3} ms",
        time.as_secs_f64() * 1e3
    );
    result
}

fn main() {
    let count = std::env::args()
        .nth(1)
        .and_then(|arg| arg.parse().ok())
        .unwrap_or(100_000);
    let types = workspace(count);
    let mut ledger = Ledger::new(Config::default());
    let told = |changed: Vec<TypeNow>| Batch {
        changed,
        ..Batch::default()
    };
    let all = || Batch {
        changed: types.clone(),
        complete: true,
        ..Batch::default()
    };
    let now = 1_750_000_000_000;
    println!("{count} types");
    measured("first complete update", &mut ledger, |ledger| {
        ledger.update(all(), now)
    });
    measured("complete update without news", &mut ledger, |ledger| {
        ledger.update(all(), now)
    });
    let groups = ledger
        .ids()
        .into_iter()
        .filter_map(|id| ledger.get(id)?.group);
    let mut sizes: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    groups.for_each(|group| *sizes.entry(group).or_default() += 1);
    println!(
        "{:<44} {} groups, the largest of {:?}",
        "",
        sizes.len(),
        sizes.values().max()
    );
    measured("everything into the queue", &mut ledger, |ledger| {
        ledger.enqueue_all(TextState::None, now)
    });
    let at = count / 2 + 7;
    let with = |change: &dyn Fn(&mut TypeNow)| {
        let mut one = types[at].clone();
        change(&mut one);
        told(vec![one])
    };
    let internal = with(&|one| one.hashes.internal_impl = [9; 16]);
    let structure = with(&|one| one.hashes.structure = [9; 16]);
    let fewer = with(&|one| drop(one.depends_on.pop()));
    let more = with(&|one| one.depends_on.push(types[at - 500].id.clone()));
    let circle = with(&|one| one.depends_on.push(types[at + 200].id.clone()));
    let same = with(&|_| {});
    for (label, batch) in [
        ("one type, internal", internal),
        ("one type, structure", structure),
        ("one type, a dependency less", fewer),
        ("one type, a dependency more", more),
        ("one type, a dependency that may close a circle", circle),
        ("one type, back as it was", same),
    ] {
        measured(label, &mut ledger, |ledger| ledger.update(batch, now));
    }
    let mut hub = types[50].clone();
    hub.hashes.structure = [7; 16];
    let report = measured(
        "a type that a hundredth depends on",
        &mut ledger,
        |ledger| ledger.update(told(vec![hub]), now),
    );
    println!("{:<44} {:>9} types changed", "", report.changes.len());
    measured("next job", &mut ledger, |ledger| ledger.dispatch(now));
    measured("time passes, nothing due", &mut ledger, |ledger| {
        ledger.tick(now + 1)
    });
    let index = measured("render index.json", &mut ledger, |ledger| {
        ledger.render_index(now)
    });
    let state = measured("render state.json", &mut ledger, |ledger| {
        ledger.render_state()
    });
    let cache = measured("render cache", &mut ledger, |ledger| ledger.render_cache());
    println!(
        "{:<44} {} + {} + {} bytes",
        "",
        index.len(),
        state.len(),
        cache.len()
    );
    measured("load", &mut Ledger::new(Config::default()), |ledger| {
        let written = Written {
            index: Some(&index),
            state: Some(&state),
            aliases: None,
            cache: Some(&cache),
        };
        *ledger = Ledger::load(written, Config::default(), now).0;
    });
    let renamed: Vec<TypeNow> = types
        .iter()
        .map(|one| {
            let mut one = one.clone();
            one.identity.fqn = one.identity.fqn.replace("App.", "Moved.");
            one.id = type_id(&one.identity.fqn, "class", 0);
            one
        })
        .collect();
    let batch = Batch {
        changed: renamed,
        complete: true,
        ..Batch::default()
    };
    let report = measured(
        "everything moves to another namespace",
        &mut ledger,
        |ledger| ledger.update(batch, now),
    );
    println!("{:<44} {:>9} aliases", "", report.aliases.len());
}
