//! What every back end does, and that all of them answer alike (OB1).

use codecortex_memory::{
    BackEnd, IdState, MAX_COUNT, ObservationDraft, ObservationFilter, ObservationOrder, Select,
    Store, forget, words_of,
};
use proptest::prelude::*;

use crate::support::{TS, all, full, open, plain, record, sealed, stores};

fn ids(store: &mut dyn Store, filter: &ObservationFilter) -> Vec<u64> {
    let select = Select {
        filter: filter.clone(),
        limit: 100,
        ..Select::default()
    };
    let selection = store.select(&select).unwrap();
    let ids: Vec<u64> = selection.records.iter().map(|record| record.id).collect();
    assert!(!selection.has_more);
    assert_eq!(selection.total.count, ids.len() as u64);
    assert!(selection.total.is_exact);
    ids
}

fn query(text: &str) -> ObservationFilter {
    ObservationFilter::of_query(text).unwrap()
}

#[test]
fn ids_ascend_and_records_are_kept() {
    for (name, mut store, _root) in stores() {
        let first = store.append(vec![plain("one"), plain("two")]).unwrap();
        let second = store.append(vec![plain("three")]).unwrap();
        assert_eq!((first.ids, second.ids), (vec![1, 2], vec![3]), "{name}");
        assert_eq!(record(&mut *store, 2).summary, "two", "{name}");
        assert_eq!(
            store.read(&[0, 4]).unwrap(),
            [IdState::Unknown, IdState::Unknown],
            "{name}"
        );
        assert_eq!(
            store.read(&[u64::MAX]).unwrap(),
            [IdState::Unknown],
            "{name}"
        );
        assert_eq!(store.health().unwrap().observations, 3, "{name}");
        assert_eq!(store.append(Vec::new()).unwrap().ids, [0u64; 0], "{name}");
    }
}

#[test]
fn every_field_comes_back() {
    for (name, mut store, _root) in stores() {
        let wanted = sealed(full(7)).into_record(1);
        store.append(vec![sealed(full(7))]).unwrap();
        let found = record(&mut *store, 1);
        if store.source() == BackEnd::Markdown {
            assert_eq!(
                (found.summary, found.task_id, found.actor),
                (wanted.summary, wanted.task_id, wanted.actor)
            );
        } else {
            assert_eq!(found, wanted, "{name}");
        }
    }
}

#[test]
fn filters_select() {
    for (name, mut store, _root) in stores() {
        let is_markdown = store.source() == BackEnd::Markdown;
        store
            .append(vec![plain("nothing"), sealed(full(2)), sealed(full(3))])
            .unwrap();
        let with = |change: fn(&mut ObservationFilter)| {
            let mut filter = ObservationFilter::default();
            change(&mut filter);
            filter
        };
        let mut check = |what: &str, filter: ObservationFilter, wanted: &[u64]| {
            assert_eq!(ids(&mut *store, &filter), wanted, "{name}: {what}");
        };
        check("all", ObservationFilter::default(), &[3, 2, 1]);
        check("a word", query("parsefi"), &[3, 2]);
        check("a hump", query("FILE quotes"), &[3, 2]);
        check("no word", query("arsefile"), &[]);
        check(
            "task",
            with(|f| f.task_id = Some("task-1".to_owned())),
            &[3],
        );
        check(
            "actor",
            with(|f| f.actors = vec!["system".into(), "planner".into()]),
            &[1],
        );
        check("phase", with(|f| f.phases = vec!["verify".into()]), &[3, 2]);
        check("since", with(|f| f.since = Some(TS.to_owned())), &[3, 2, 1]);
        check(
            "until",
            with(|f| f.until = Some("2026-03-04 05:06:06".to_owned())),
            &[],
        );
        if is_markdown {
            continue;
        }
        check("a word of the detail", query("zebra3"), &[3]);
        check("a word without spaces around", query("索"), &[3, 2]);
        check("a word of a file", query("file2"), &[2]);
        check("a word of a command", query("cargo"), &[3, 2]);
        check("a name of the format is no word", query("commands"), &[]);
        check("kind", with(|f| f.kinds = vec!["bug".to_owned()]), &[3, 2]);
        check(
            "branch",
            with(|f| f.branch = Some("main".to_owned())),
            &[3, 2],
        );
        check(
            "worktree",
            with(|f| f.worktree = Some("other".to_owned())),
            &[],
        );
        check(
            "file",
            with(|f| f.file = Some("src/parser/file3.rs".to_owned())),
            &[3],
        );
        check(
            "folder",
            with(|f| f.file = Some("src/parser/".to_owned())),
            &[3, 2],
        );
        check(
            "no folder",
            with(|f| f.file = Some("src/parser".to_owned())),
            &[],
        );
        check(
            "symbol",
            with(|f| f.symbol = Some("parser::File2".to_owned())),
            &[2],
        );
        let both = ObservationFilter {
            words: words_of("zebra2"),
            since: Some(TS.to_owned()),
            ..ObservationFilter::default()
        };
        check("words and time", both, &[2]);
    }
}

#[test]
fn a_time_that_is_none_is_refused() {
    for (name, mut store, _root) in stores() {
        let mut select = Select::default();
        select.filter.since = Some("yesterday".to_owned());
        assert_eq!(
            store.select(&select).unwrap_err().code(),
            "InvalidParams",
            "{name}"
        );
    }
}

#[test]
fn pages_join_without_gap_or_overlap() {
    for (name, mut store, _root) in stores() {
        let drafts = (0..25).map(|n| {
            if n % 2 == 0 {
                plain("even")
            } else {
                plain("odd")
            }
        });
        store.append(drafts.collect()).unwrap();
        for (filter, order) in [
            (ObservationFilter::default(), ObservationOrder::NewestFirst),
            (ObservationFilter::default(), ObservationOrder::OldestFirst),
            (query("even"), ObservationOrder::NewestFirst),
            (query("odd"), ObservationOrder::OldestFirst),
        ] {
            let mut select = Select {
                filter: filter.clone(),
                order,
                from: None,
                limit: 4,
            };
            let mut seen = Vec::new();
            loop {
                let page = store.select(&select).unwrap();
                seen.extend(page.records.iter().map(|record| record.id));
                select.from = seen.last().copied();
                if !page.has_more {
                    assert_eq!(page.total.count, seen.len() as u64, "{name}");
                    break;
                }
            }
            let mut wanted = ids(&mut *store, &filter);
            if order == ObservationOrder::OldestFirst {
                wanted.reverse();
            }
            assert_eq!(seen, wanted, "{name} {order:?}");
        }
    }
}

/// A page is right and a count honest also where there are too many matches to look at all of them.
#[test]
fn too_many_matches_are_counted_up_to_a_bound() {
    for (name, mut store, _root) in stores() {
        if store.source() == BackEnd::Markdown {
            continue;
        }
        let count = 2 * MAX_COUNT + 40;
        let drafts = (0..count).map(|n| {
            let mut draft = ObservationDraft::new(TS, if n % 40 == 0 { "rare" } else { "common" });
            draft.detail = Some("x".repeat(1000));
            sealed(draft)
        });
        store.append(drafts.collect()).unwrap();
        for order in [ObservationOrder::NewestFirst, ObservationOrder::OldestFirst] {
            let mut select = Select {
                filter: query("common"),
                order,
                from: None,
                limit: 3,
            };
            for from in [None, Some(5000), Some(15_001)] {
                select.from = from;
                let page = store.select(&select).unwrap();
                let ids: Vec<u64> = page.records.iter().map(|record| record.id).collect();
                let is_common = |id: &u64| !(id - 1).is_multiple_of(40);
                let wanted: Vec<u64> = match order {
                    ObservationOrder::NewestFirst => (1..from.unwrap_or(count + 1))
                        .rev()
                        .filter(is_common)
                        .take(3)
                        .collect(),
                    ObservationOrder::OldestFirst => (from.unwrap_or(0) + 1..=count)
                        .filter(is_common)
                        .take(3)
                        .collect(),
                };
                assert_eq!(ids, wanted, "{name} {order:?} {from:?}");
                let total = page.total;
                let exact = count - count.div_ceil(40);
                let is_right = if total.is_exact {
                    total.count == exact
                } else {
                    total.count == MAX_COUNT
                };
                assert!(is_right, "{name}: {total:?}");
            }
            select.from = None;
            select.filter = query("rare");
            let total = store.select(&select).unwrap().total;
            assert_eq!(
                (total.count, total.is_exact),
                (count.div_ceil(40), true),
                "{name}"
            );
        }
    }
}

#[test]
fn what_is_forgotten_is_told_to_nobody_but_an_export() {
    for (name, mut store, _root) in stores() {
        store
            .append(vec![plain("keep a"), plain("forget b"), plain("keep c")])
            .unwrap();
        assert_eq!(forget(&mut *store, &[2], TS).unwrap(), 4, "{name}");
        assert_eq!(
            ids(&mut *store, &ObservationFilter::default()),
            [3, 1],
            "{name}"
        );
        assert_eq!(ids(&mut *store, &query("forget")), [0u64; 0], "{name}");
        assert_eq!(
            store.read(&[2, 4]).unwrap(),
            [IdState::Forgotten, IdState::Forgotten],
            "{name}"
        );
        assert_eq!(store.health().unwrap().hidden, 2, "{name}");
        assert_eq!(all(&mut *store).len(), 4, "{name}");
        let error = forget(&mut *store, &[1, 99], TS).unwrap_err();
        assert_eq!(
            (
                error.code(),
                ids(&mut *store, &ObservationFilter::default())
            ),
            ("NotFound", vec![3, 1])
        );
        forget(&mut *store, &[2], TS).unwrap(); // twice does no harm
        assert_eq!(
            ids(&mut *store, &ObservationFilter::default()),
            [3, 1],
            "{name}"
        );
    }
}

#[test]
fn what_is_purged_is_in_no_file() {
    for (name, mut store, root) in stores() {
        store
            .append(vec![
                plain("keep a"),
                plain("quixotic b"),
                plain("quixotic c"),
            ])
            .unwrap();
        forget(&mut *store, &[2], TS).unwrap();
        let id = store.purge(&[2, 3], TS).unwrap();
        assert_eq!(id, 5, "{name}");
        assert_eq!(
            ids(&mut *store, &ObservationFilter::default()),
            [1],
            "{name}"
        );
        assert_eq!(
            store.read(&[2, 3]).unwrap(),
            [IdState::Forgotten, IdState::Forgotten],
            "{name}"
        );
        assert_eq!(
            store.append(vec![plain("next")]).unwrap().ids,
            [6],
            "{name}: no id is given twice"
        );
        store.purge(&[2, 3], TS).unwrap();
        let Some(root) = root else { continue };
        for entry in std::fs::read_dir(root.path().join(".context/memory")).unwrap() {
            let path = entry.unwrap().path();
            let bytes = if path.is_file() {
                std::fs::read(&path).unwrap()
            } else {
                Vec::new()
            };
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains("quixotic"), "{name}: {}", path.display());
        }
    }
}

#[test]
fn the_log_for_people_says_which_ids_were_given_and_nothing_else() {
    for (name, mut store, root) in stores() {
        let Some(root) = root.filter(|_| store.source() != BackEnd::Markdown) else {
            continue;
        };
        store.append(vec![plain("one"), plain("two")]).unwrap();
        let path = root.path().join(".context/memory/observations.md");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            text.contains("- #1 2026-03-04 05:06:07 system/other one\n"),
            "{name}: {text}"
        );
        std::fs::write(
            &path,
            text.replace("one", "ONE") + "- #9 2026-03-04 05:06:07 system/other nine\n",
        )
        .unwrap();
        assert_eq!(record(&mut *store, 1).summary, "one", "{name}");
        assert_eq!(
            store.append(vec![plain("three")]).unwrap().ids,
            [10],
            "{name}"
        );
        std::fs::remove_file(&path).unwrap();
        assert_eq!(
            ids(&mut *store, &ObservationFilter::default()),
            [10, 2, 1],
            "{name}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Whatever is recorded and asked, all back ends that hold whole records answer the same.
    #[test]
    fn back_ends_answer_alike(
        texts in proptest::collection::vec("[ab检é]{0,3}[ _][aB1]{1,3}", 1..8),
        question in "[ab检É1]{1,3}( [ab1]{1,2})?",
        gone in proptest::collection::vec(1u64..8, 0..3),
    ) {
        let mut answers = Vec::new();
        for (name, mut store, _root) in stores() {
            if store.source() == BackEnd::Markdown { continue }
            let drafts = texts.iter().enumerate().map(|(n, text)| {
                let mut draft = full(n);
                draft.summary = format!("x{text}");
                draft.detail = Some(text.replace(' ', "\n"));
                sealed(draft)
            });
            store.append(drafts.collect()).unwrap();
            let gone: Vec<u64> = gone.iter().copied().filter(|id| *id <= texts.len() as u64).collect();
            if !gone.is_empty() {
                forget(&mut *store, &gone, TS).unwrap();
            }
            answers.push((name, ids(&mut *store, &query(&question))));
        }
        let (_, first) = &answers[0];
        prop_assert!(answers.iter().all(|(_, answer)| answer == first), "{:?}", answers);
    }
}

/// Records wait for the index of a database until there are many: what is asked then finds all of them, whichever are
/// in it.
#[test]
fn a_database_finds_what_is_indexed_and_what_waits() {
    let root = tempfile::tempdir().unwrap();
    let mut store = open(root.path(), BackEnd::Sqlite);
    let mut written = 0;
    for count in [1_u64, 300, 900, 1_300, 20] {
        let drafts = (written..written + count).map(|at| plain(&format!("step {}", at % 7)));
        store.append(drafts.collect()).unwrap();
        written += count;
        for word in 0..7 {
            let expected: Vec<u64> = (1..=written).filter(|id| (id - 1) % 7 == word).collect();
            let text = format!("step {word}");
            let (newest, oldest) = (ObservationOrder::NewestFirst, ObservationOrder::OldestFirst);
            assert_eq!(paged(&mut *store, &text, oldest), expected, "of {written}");
            let mut found = paged(&mut *store, &text, newest);
            found.reverse();
            assert_eq!(found, expected, "of {written}");
        }
    }
    // One that is indexed, and one that waits.
    forget(&mut *store, &[5, 2_520], TS).unwrap();
    let left = paged(&mut *store, "step 4", ObservationOrder::NewestFirst);
    assert!(!left.contains(&5) && left.contains(&12));
    assert!(!paged(&mut *store, "step 6", ObservationOrder::NewestFirst).contains(&2_520));
}

/// Everything that a question finds, by pages of 50.
fn paged(store: &mut dyn Store, text: &str, order: ObservationOrder) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    loop {
        let select = Select {
            filter: query(text),
            order,
            from: found.last().copied(),
            limit: 50,
        };
        let page = store.select(&select).unwrap();
        found.extend(page.records.iter().map(|record| record.id));
        if !page.has_more {
            assert_eq!(page.total.count, found.len() as u64);
            return found;
        }
    }
}
