//! The files of `.context/`: their form, what is kept, what is reported (SPEC P3, H2, D17, I5).
#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

use codecortex_ledger::files::log::{parse_log, render_log_entry};
use codecortex_ledger::{
    Batch, Config, ContextFile, ContextFileProblem, Identity, Ledger, LogKind, LongMemberId,
    Millis, Pack, Project, TypeFate, TypeNow, UpdateReport, Written, parse_rfc3339,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{Source, World, id};

fn noon() -> Millis {
    parse_rfc3339("2025-09-01T12:00:00Z").unwrap()
}

fn world() -> World {
    let mut world = World::default();
    for (name, uses) in [
        ("N.A", "N.B"),
        ("N.B", "N.A"),
        ("N.C", "N.A"),
        ("N.D", "N.C"),
    ] {
        let mut source = Source::own(name);
        source.uses = vec![uses.to_owned()];
        world.0.insert(name.to_owned(), source);
    }
    world
}

fn complete(world: &World) -> Batch {
    Batch {
        changed: world.types(&Config::default()),
        complete: true,
        ..Batch::default()
    }
}

/// A ledger in which something of everything has happened.
fn busy() -> (World, Ledger) {
    let (mut world, mut ledger) = (world(), Ledger::new(Config::default()));
    ledger.set_projects(vec![Project {
        id: "P_1".to_owned(),
        name: "N".to_owned(),
        path: "N.csproj".to_owned(),
        tfm: Some("net9.0".to_owned()),
        hash: "00000000".to_owned(),
        ..Project::default()
    }]);
    ledger.set_packs(vec![Pack {
        name: "core".to_owned(),
        token_estimate: 12,
        type_ids: vec![id("N.C")],
        ..Pack::default()
    }]);
    ledger.update(complete(&world), noon());
    for name in ["N.A", "N.C"] {
        ledger.enqueue(&id(name), noon()).unwrap();
        let job = ledger.dispatch(noon()).unwrap();
        ledger.succeed(&job, noon()).unwrap();
    }
    ledger.enqueue(&id("N.D"), noon()).unwrap();
    let job = ledger.dispatch(noon()).unwrap();
    ledger.fail(&job, "no answer", noon()).unwrap();
    world.0.get_mut("N.C").unwrap().internal_impl += 1;
    let source = world.0.remove("N.B").unwrap();
    world.0.insert("M.B".to_owned(), source);
    world.0.get_mut("N.A").unwrap().uses = vec!["M.B".to_owned()];
    ledger.update(complete(&world), noon() + 1_000);
    (world, ledger)
}

/// The texts of a ledger's files.
struct Files {
    index: String,
    state: String,
    aliases: String,
    cache: Vec<u8>,
}

impl Files {
    fn of(ledger: &Ledger) -> Self {
        Self {
            index: ledger.render_index(noon()),
            state: ledger.render_state(),
            aliases: ledger.render_aliases(),
            cache: ledger.render_cache(),
        }
    }

    fn load(&self) -> (Ledger, Vec<ContextFileProblem>) {
        let written = Written {
            index: Some(&self.index),
            state: Some(&self.state),
            aliases: Some(&self.aliases),
            cache: Some(&self.cache),
        };
        Ledger::load(written, Config::default(), noon() + 2_000)
    }
}

#[test]
fn the_form_of_the_index() {
    let mut ledger = Ledger::new(Config::default());
    let mut one = Source::own("N.A").now("N.A", &Config::default());
    one.hashes = codecortex_hashes::Hashes::default();
    ledger.update(
        Batch {
            changed: vec![one],
            complete: true,
            ..Batch::default()
        },
        noon(),
    );
    let implementation =
        codecortex_hashes::render(&codecortex_hashes::Hashes::default().implementation());
    let expected = r#"{
  "schemaVersion": "1.0",
  "generatedAt": "2025-09-01T12:00:00Z",
  "projects": [],
  "types": [
    {
      "id": "{id}",
      "fqn": "N.A",
      "projectId": "P_00000000",
      "kind": "class",
      "files": [
        "src/N.A.cs"
      ],
      "structureHash": "00000000",
      "publicImplHash": "00000000",
      "internalImplHash": "00000000",
      "cosmeticHash": "00000000",
      "implHash": "{impl}",
      "xmlDocHash": "00000000",
      "changeClass": null,
      "internalChanged": false,
      "lastSemanticBase": null,
      "semanticState": "none",
      "semanticGroupId": null,
      "depthHint": 0
    }
  ],
  "packs": [],
  "configSnapshot": {
    "hashVersion": "2",
    "structureHashIncludesXmlDoc": false,
    "includeInternalForDependencies": false,
    "internalImplAffectsSemantic": false,
    "semanticDocAffects": false,
    "dependencyStaleness": "named"
  }
}
"#;
    let expected = expected
        .replace("{id}", &id("N.A"))
        .replace("{impl}", &implementation);
    assert_eq!(ledger.render_index(noon()), expected);
}

#[test]
fn one_change_is_a_small_difference() {
    let (mut world, mut ledger) = busy();
    let before = Files::of(&ledger);
    assert_eq!(
        ledger.index_to_write(Some(&before.index), noon() + 9_000),
        None
    );
    world.0.get_mut("N.D").unwrap().doc += 1;
    ledger.update(complete(&world), noon() + 3_000);
    let after = ledger
        .index_to_write(Some(&before.index), noon() + 3_000)
        .unwrap();
    let changed = before
        .index
        .lines()
        .zip(after.lines())
        .filter(|(a, b)| a != b);
    // The time, the hash, the class.
    assert_eq!(changed.count(), 3, "{after}");
    assert_eq!(ledger.aliases_to_write(Some(&before.aliases)), None);
    assert_eq!(
        ledger.index_to_write(None, noon()),
        Some(ledger.render_index(noon()))
    );
}

#[test]
fn what_was_written_is_read() {
    let (_, ledger) = busy();
    let files = Files::of(&ledger);
    let (loaded, problems) = files.load();
    assert_eq!(problems, []);
    let again = Files::of(&loaded);
    assert_eq!(again.index, files.index);
    assert_eq!(again.state, files.state);
    assert_eq!(again.aliases, files.aliases);
    assert_eq!(again.cache, files.cache);
    assert_eq!(loaded.waiting(), ledger.waiting());
    assert!(!loaded.needs_complete_update());
    for id in ledger.ids() {
        assert_eq!(loaded.get(id), ledger.get(id));
    }
}

/// Two types with the same eight letters, found by trying some millions.
const TWINS: [&str; 2] = ["App.Type304953", "App.Type2915515"];

#[test]
fn types_that_share_an_id_have_longer_ones() {
    assert_eq!(id(TWINS[0]), id(TWINS[1]));
    let short = id(TWINS[0]);
    let now = |name: &str| Source::own(name).now(name, &Config::default());
    let user = || {
        let mut user = Source::own("X");
        user.uses.push(TWINS[0].to_owned());
        user.now("X", &Config::default())
    };
    let batch = |changed: Vec<TypeNow>| Batch {
        changed,
        ..Batch::default()
    };
    let mut ids = Vec::new();
    for order in [[0, 1], [1, 0]] {
        let mut ledger = Ledger::new(Config::default());
        let first = now(TWINS[order[0]]);
        ledger.update(batch(vec![user(), first.clone()]), noon());
        assert_eq!(ledger.id_of(&first.identity), Some(short.as_str()));
        let report = ledger.update(batch(vec![now(TWINS[order[1]])]), noon());
        let of = |name: &str| ledger.id_of(&now(name).identity).unwrap().to_owned();
        ids.push(TWINS.map(of));
        // The one that was there has another id, files and a line in the log.
        let long = of(TWINS[order[0]]);
        assert_eq!((long.len(), long.starts_with(&short)), (14, true));
        assert_eq!(report.moves[0].to, format!("types/{long}.outline.md"));
        assert!(
            report
                .changes
                .iter()
                .any(|one| one.id == long && one.what == TypeFate::Renamed)
        );
        let logged = report.log.iter().filter(|entry| entry.kind == LogKind::Id);
        assert_eq!(logged.count(), 2);
        // The short id means neither; who depends on it depends on both.
        assert_eq!(ledger.resolve(&short), None);
        assert_eq!(ledger.candidates(&short).len(), 2);
        assert_eq!(ledger.get(&id("X")).unwrap().depends_on.len(), 2);
        let files = Files::of(&ledger);
        let (loaded, problems) = files.load();
        assert_eq!(problems, []);
        assert_eq!(Files::of(&loaded).index, files.index);
        // A short id says too little about who is gone.
        let report = ledger.update(
            Batch {
                removed: vec![short.clone()],
                ..Batch::default()
            },
            noon(),
        );
        assert_eq!((report.log.len(), ledger.len()), (1, 3));
        // When one is left, it has the short id again and is found by the long one.
        let removed = vec![ids[0][order[1]].clone()];
        ledger.update(
            Batch {
                removed,
                ..Batch::default()
            },
            noon(),
        );
        assert_eq!(ledger.id_of(&first.identity), Some(short.as_str()));
        let resolved = ledger.resolve(&long).unwrap();
        assert_eq!(
            (resolved.id, resolved.redirected_from),
            (short.clone(), Some(long))
        );
    }
    assert_eq!(ids[0], ids[1]);
}

#[test]
fn hashes_that_look_the_same_are_shown_longer() {
    let mut ledger = Ledger::new(Config::default());
    let mut now = Source::own("N.A").now("N.A", &Config::default());
    let mut tell = |ledger: &mut Ledger, byte: u8, at: usize| -> (UpdateReport, String) {
        now.hashes.structure[at] ^= byte;
        let batch = Batch {
            changed: vec![now.clone()],
            ..Batch::default()
        };
        let report = ledger.update(batch, noon());
        let index: Value = serde_json::from_str(&ledger.render_index(noon())).unwrap();
        (
            report,
            index["types"][0]["structureHash"]
                .as_str()
                .unwrap()
                .to_owned(),
        )
    };
    let (_, first) = tell(&mut ledger, 0, 0);
    let (report, second) = tell(&mut ledger, 1, 6);
    assert_eq!(
        (first.len(), second.len(), &second[..8]),
        (8, 12, first.as_str())
    );
    assert_eq!(report.log[0].kind, LogKind::Hash);
    assert_eq!(
        report.changes[0].classes,
        [codecortex_hashes::ChangeClass::Structure]
    );
    let (loaded, problems) = Files::of(&ledger).load();
    assert_eq!(problems, []);
    assert_eq!(loaded.render_index(noon()), ledger.render_index(noon()));
    let (report, third) = tell(&mut ledger, 0, 0);
    assert_eq!((report, third), (UpdateReport::default(), second));
    let (report, fourth) = tell(&mut ledger, 1, 0);
    assert_eq!((report.log.len(), fourth.len()), (0, 8));
}

#[test]
fn a_type_of_which_two_come_is_told_the_same_way_always() {
    let source = |version: u32| Source {
        structure: version,
        ..Source::own("A")
    };
    let now = |version: u32| source(version).now("A", &Config::default());
    let index = |order: [u32; 2]| {
        let mut ledger = Ledger::new(Config::default());
        let changed = order.map(now).to_vec();
        let report = ledger.update(
            Batch {
                changed,
                ..Batch::default()
            },
            noon(),
        );
        assert_eq!(report.log[0].kind, LogKind::Twice);
        ledger.render_index(noon())
    };
    assert_eq!(index([1, 2]), index([2, 1]));
}

#[test]
fn broken_files_are_reported_and_made_anew() {
    let (world, ledger) = busy();
    let whole = Files::of(&ledger);
    let half = &whole.index[..whole.index.len() / 2];
    let cases: [(&str, &str); 12] = [
        ("", "the file ends too early"),
        (half, "the file ends too early"),
        ("<<<<<<< ours\n{}\n", "line 1, column 1: not JSON"),
        ("[]", "not a JSON object"),
        ("{}", "schemaVersion: missing: not a file of this program"),
        (r#"{"schemaVersion": "0.9"}"#, "\"0.9\" is older than 1.0"),
        (
            r#"{"schemaVersion": "2.0", "types": []}"#,
            "\"2.0\" is newer than 1.0",
        ),
        (r#"{"schemaVersion": 1}"#, "1 is not a version"),
        (r#"{"schemaVersion": "1.0"}"#, "types: missing"),
        (
            r#"{"schemaVersion": "1.0", "types": {}}"#,
            "types: not a list",
        ),
        (
            r#"{"schemaVersion": "1.0", "types": [{"id": "T_1"}]}"#,
            "types[0]: missing field `fqn`",
        ),
        (
            r#"{"schemaVersion": "1.0", "types": [], "configSnapshot": {"hashVersion": 1}}"#,
            "configSnapshot.hashVersion: invalid type",
        ),
    ];
    for (text, expected) in cases {
        let files = Files {
            index: text.to_owned(),
            ..Files::of(&ledger)
        };
        let (mut loaded, problems) = files.load();
        let told: Vec<String> = problems.iter().map(ContextFileProblem::to_string).collect();
        assert!(
            told.iter().any(|one| one.contains(expected)),
            "{text}: {told:#?}"
        );
        assert!(told.iter().all(|one| one.contains("; ")));
        loaded.update(complete(&world), noon() + 3_000);
        assert_eq!(loaded.ids(), ledger.ids());
        let (_, problems) = Files::of(&loaded).load();
        assert_eq!(problems, [], "after {text}");
    }
}

#[test]
fn one_broken_entry_costs_no_other() {
    let (world, ledger) = busy();
    let mut files = Files::of(&ledger);
    let mut index: Value = serde_json::from_str(&files.index).unwrap();
    index["types"][1]["structureHash"] = json!("not a hash");
    index["types"][2]["semanticState"] = json!("asleep");
    index["types"][3] = index["types"][0].clone();
    files.index = index.to_string();
    let (mut loaded, problems) = files.load();
    let told: Vec<String> = problems.iter().map(ContextFileProblem::to_string).collect();
    assert!(
        told.iter()
            .any(|one| one.contains("structureHash is not a hash: \"not a hash\"")),
        "{told:#?}"
    );
    assert!(
        told.iter()
            .any(|one| one.contains("types[2].semanticState: unknown variant `asleep`")),
        "{told:#?}"
    );
    assert!(
        told.iter().any(|one| one.contains("it is there twice")),
        "{told:#?}"
    );
    let report = loaded.update(complete(&world), noon() + 3_000);
    assert_eq!(loaded.ids(), ledger.ids());
    assert!(
        report
            .log
            .iter()
            .any(|entry| entry.kind == LogKind::Unclassified)
    );
}

#[test]
fn what_others_wrote_is_kept() {
    let (_, ledger) = busy();
    let mut files = Files::of(&ledger);
    let with = |text: &str, change: &dyn Fn(&mut Value)| {
        let mut value: Value = serde_json::from_str(text).unwrap();
        change(&mut value);
        value["schemaVersion"] = json!("1.7");
        value["later"] = json!({ "b": 1, "a": [2] });
        value.to_string()
    };
    files.index = with(&files.index, &|index| {
        index["types"][0]["mood"] = json!("calm")
    });
    files.state = with(&files.state, &|state| state["pins"] = json!([id("N.A")]));
    files.aliases = with(&files.aliases, &|_| {});
    let (mut loaded, problems) = files.load();
    let newer = problems
        .iter()
        .filter(|one| one.what.contains("newer than"));
    assert_eq!((newer.count(), problems.len()), (3, 3), "{problems:#?}");
    loaded
        .foreign_state_mut()
        .insert("focus".to_owned(), json!(null));
    let again = Files::of(&loaded);
    assert!(again.index.contains("\"mood\": \"calm\"") && again.index.contains("\"later\""));
    assert!(again.state.contains("\"pins\"") && again.state.contains("\"focus\""));
    assert!(again.aliases.contains("\"later\""));
}

#[test]
fn aliases_that_cannot_be_are_left_out() {
    let entry = |old: &str, new: &str| json!({ "oldTypeId": old, "newTypeId": new, "detectedAt": "2025-09-01T12:00:00Z", "reason": "rename" });
    let living = id("N.A");
    let list = [
        entry("T_00000001", "T_00000002"),
        entry("T_00000002", &living),
        entry("T_00000003", "T_00000004"),
        entry("T_00000004", "T_00000003"),
        entry(&living, "T_00000001"),
        json!({ "oldTypeId": "T_00000005", "newTypeId": "T_1", "detectedAt": "soon", "reason": "rename" }),
    ];
    let mut files = Files::of(&busy().1);
    files.aliases = json!({ "schemaVersion": "1.0", "aliases": list }).to_string();
    let (loaded, problems) = files.load();
    let leads = |old: &str| loaded.resolve(old).map(|resolved| resolved.id);
    assert_eq!(leads("T_00000003"), None);
    assert_eq!(leads(&living), Some(living.clone()));
    let told: Vec<String> = problems.iter().map(ContextFileProblem::to_string).collect();
    assert!(
        told.iter().any(|one| one.contains("aliases[5].detectedAt")),
        "{told:#?}"
    );
    assert_eq!(
        told.iter()
            .filter(|one| one.contains("it forms a circle"))
            .count(),
        2,
        "{told:#?}"
    );
    assert!(
        told.iter().any(|one| one.contains("a type has this id")),
        "{told:#?}"
    );
    assert_eq!(loaded.aliases().count(), 2);
    assert_eq!(leads("T_00000002"), Some(living));
}

#[test]
fn a_file_that_is_missing_costs_what_is_in_it() {
    let (world, ledger) = busy();
    let files = Files::of(&ledger);
    let written = Written {
        index: Some(&files.index),
        ..Written::default()
    };
    let (mut loaded, problems) = Ledger::load(written, Config::default(), noon());
    assert_eq!(problems, []);
    assert!(loaded.needs_complete_update());
    loaded.update(complete(&world), noon());
    let view = |ledger: &Ledger, name: &str| ledger.get(&id(name)).unwrap();
    assert_eq!(view(&loaded, "N.C").state, view(&ledger, "N.C").state);
    assert!(view(&loaded, "N.C").internal_changed);
    assert_eq!(loaded.waiting().len(), 1);
    assert_eq!(loaded.aliases().count(), 0);
}

#[test]
fn members_with_longer_ids_are_logged_once() {
    let mut ledger = Ledger::new(Config::default());
    let update = |ledger: &mut Ledger, ids: &[&str]| {
        let mut now = Source::own("X").now("X", &Config::default());
        let long = ids.iter().map(|id| LongMemberId {
            id: (*id).to_owned(),
            signature: format!("public void X.{id}()"),
        });
        now.long_member_ids = long.collect();
        let batch = Batch {
            changed: vec![now],
            ..Batch::default()
        };
        let log = ledger.update(batch, noon()).log;
        log.into_iter()
            .map(|entry| (entry.kind, entry.text))
            .collect::<Vec<_>>()
    };
    let line = |id: &str| {
        let text = format!("another member has the same short id: {id} is public void X.{id}()");
        (LogKind::Id, text)
    };
    assert_eq!(update(&mut ledger, &["a", "b"]), [line("a"), line("b")]);
    assert_eq!(update(&mut ledger, &["a", "b"]), []);
    // Nor after a start.
    let (mut loaded, problems) = Files::of(&ledger).load();
    assert_eq!(problems, []);
    assert_eq!(update(&mut loaded, &["a", "b", "c"]), [line("c")]);
}

#[test]
fn logs_are_lines() {
    let mut ledger = Ledger::new(Config::default());
    let changed = TWINS.map(|name| Source::own(name).now(name, &Config::default()));
    let report = ledger.update(
        Batch {
            changed: changed.to_vec(),
            ..Batch::default()
        },
        noon(),
    );
    let text: String = report.log.iter().map(render_log_entry).collect();
    assert_eq!(
        parse_log(ContextFile::HashConflicts, &text),
        (report.log.clone(), vec![])
    );
    assert!(
        report
            .log
            .iter()
            .all(|entry| entry.kind.file() == ContextFile::HashConflicts)
    );
    let (read, problems) = parse_log(ContextFile::HashConflicts, &format!("{text}what is this\n"));
    assert_eq!((read.len(), problems.len()), (report.log.len(), 1));
    assert_eq!(problems[0].place, "line 3");
}

#[test]
fn arity_is_found_in_the_id() {
    let mut ledger = Ledger::new(Config::default());
    let source = Source {
        arity: 3,
        ..Source::own("N.A")
    };
    let now = source.now("N.A", &Config::default());
    ledger.update(
        Batch {
            changed: vec![now],
            ..Batch::default()
        },
        noon(),
    );
    let files = Files::of(&ledger);
    let written = Written {
        index: Some(&files.index),
        ..Written::default()
    };
    let (loaded, _) = Ledger::load(written, Config::default(), noon());
    let identity = Identity {
        fqn: "N.A".to_owned(),
        kind: "class".to_owned(),
        arity: 3,
    };
    assert!(loaded.id_of(&identity).is_some());
}

/// A text with one thing done to it.
fn damaged(text: String) -> impl Strategy<Value = String> {
    let letters: Vec<char> = text.chars().collect();
    let length = letters.len();
    let bits = prop_oneof![
        Just("null"),
        Just("{}"),
        Just("[]"),
        Just("7"),
        Just("\""),
        Just(","),
        Just("é"),
        Just("")
    ];
    (0..length, 0usize..40, bits).prop_map(move |(at, cut, put)| {
        let end = (at + cut).min(length);
        letters[..at]
            .iter()
            .copied()
            .chain(put.chars())
            .chain(letters[end..].iter().copied())
            .collect()
    })
}

/// A JSON value with one of its parts replaced.
fn bent(text: String) -> impl Strategy<Value = String> {
    let value: Value = serde_json::from_str(&text).unwrap();
    let mut paths = Vec::new();
    walk(&value, String::new(), &mut paths);
    let other = prop_oneof![
        Just(json!(null)),
        Just(json!(-1)),
        Just(json!("x")),
        Just(json!([])),
        Just(json!({})),
        Just(json!("pending")),
        Just(json!("G_0")),
        Just(json!(id("N.D"))),
        Just(json!(true)),
    ];
    (prop::sample::select(paths), other).prop_map(move |(path, other)| {
        let mut value = value.clone();
        *value.pointer_mut(&path).unwrap() = other;
        value.to_string()
    })
}

fn walk(value: &Value, path: String, paths: &mut Vec<String>) {
    paths.push(path.clone());
    match value {
        Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(at, one)| walk(one, format!("{path}/{at}"), paths)),
        Value::Object(map) => map
            .iter()
            .for_each(|(key, one)| walk(one, format!("{path}/{key}"), paths)),
        _ => {}
    }
}

/// Whatever is in the files: nothing breaks, and after what the sources say all is well.
fn survives(files: &Files, world: &World) -> Result<(), TestCaseError> {
    let (mut loaded, _) = files.load();
    let _ = (loaded.waiting(), loaded.due(), Files::of(&loaded));
    loaded.recover(noon());
    loaded.update(complete(world), noon() + 3_000);
    let mut fresh = Ledger::new(Config::default());
    fresh.update(complete(world), noon() + 3_000);
    prop_assert_eq!(loaded.ids(), fresh.ids());
    for id in fresh.ids() {
        let (seen, wanted) = (loaded.get(id).unwrap(), fresh.get(id).unwrap());
        prop_assert_eq!(&seen.identity, &wanted.identity);
        prop_assert_eq!(seen.group, wanted.group);
        prop_assert_eq!(seen.depth, wanted.depth);
    }
    let (again, problems) = Files::of(&loaded).load();
    prop_assert_eq!(problems, vec![]);
    prop_assert_eq!(Files::of(&again).index, Files::of(&loaded).index);
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_survived(text in any::<String>(), bytes in any::<Vec<u8>>()) {
        let files = Files { index: text.clone(), state: text.clone(), aliases: text, cache: bytes };
        survives(&files, &world())?;
        let _ = parse_log(ContextFile::AliasConflicts, &files.index);
    }

    #[test]
    fn damage_is_survived(
        index in damaged(Files::of(&busy().1).index),
        state in damaged(Files::of(&busy().1).state),
        aliases in damaged(Files::of(&busy().1).aliases),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let (world, ledger) = busy();
        let whole = Files::of(&ledger);
        let mut cache = whole.cache.clone();
        let at = at.index(cache.len());
        cache[at] = byte;
        let parts = [
            Files { index, ..Files::of(&ledger) },
            Files { state, ..Files::of(&ledger) },
            Files { aliases, ..Files::of(&ledger) },
            Files { cache, ..whole },
        ];
        for files in parts {
            survives(&files, &world)?;
        }
    }

    #[test]
    fn bent_values_are_survived(
        index in bent(Files::of(&busy().1).index),
        state in bent(Files::of(&busy().1).state),
        aliases in bent(Files::of(&busy().1).aliases),
    ) {
        let (world, ledger) = busy();
        for files in [
            Files { index, ..Files::of(&ledger) },
            Files { state, ..Files::of(&ledger) },
            Files { aliases, ..Files::of(&ledger) },
        ] {
            survives(&files, &world)?;
        }
    }
}
