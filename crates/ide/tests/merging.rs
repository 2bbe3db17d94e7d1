//! The index's uses of a name and those of language providers as one list (docs/resolution.md).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_analysis::words::TierWord;
use codecortex_bind::facts::Role;
use codecortex_fixture::Workspace;
use codecortex_ide::{MergedUses, Providers, Question, ReferenceSubject, Why, merge, unmerged};
use codecortex_protocol::{
    DocumentSpan, Position, ProviderOutcome, ProviderQuestion, ProviderReply, ProviderResult,
    ProviderTopic,
};
use codecortex_resolve::{ConfidenceTier, FileNo, Reference};

const SHOP: &str = "
//- /app/src/a.ts
export function total() { return 1; }
total();
//- /app/src/b.ts
import { total } from './a';
total();
other.total();
";

/// A use of `total` in a file: the nth time that the name stands there.
fn reference(workspace: &Workspace, path: &str, nth: usize, tier: ConfidenceTier) -> Reference {
    let (file, at) = place(workspace, path, nth);
    Reference {
        file,
        at,
        len: 5,
        tier,
        role: Role::Read.into(),
    }
}

fn text(path: &str) -> String {
    let parts = SHOP.split("//- /app/").skip(1);
    let mut files = parts.filter_map(|part| part.split_once('\n'));
    let found = files.find(|(name, _)| *name == path);
    found.unwrap().1.to_owned()
}

fn place(workspace: &Workspace, path: &str, nth: usize) -> (FileNo, u32) {
    let file = workspace.code.index().file_id(0, path).unwrap();
    let (at, _) = text(path).match_indices("total").nth(nth).unwrap();
    (file.0, at as u32)
}

/// What a provider says of a file: these uses of the name.
fn theirs(path: &str, uses: &[usize]) -> ProviderResult {
    let text = text(path);
    let range = |nth: &usize| {
        let (at, _) = text.match_indices("total").nth(*nth).unwrap();
        let line = text[..at].matches('\n').count() as u32;
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let character = (at - start) as u32;
        DocumentSpan {
            start: Position { line, character },
            end: Position {
                line,
                character: character + 5,
            },
        }
    };
    ProviderResult {
        path: format!("/w/app/{path}"),
        version: None,
        ranges: uses.iter().map(range).collect(),
    }
}

fn reply(places: Vec<ProviderResult>) -> ProviderReply {
    ProviderReply {
        outcome: ProviderOutcome::Answered,
        complete: true,
        places,
        ..ProviderReply::default()
    }
}

fn merged(workspace: &mut Workspace, found: &[Reference], reply: &ProviderReply) -> MergedUses {
    let providers = Providers::default();
    let merged = workspace.look(None, |view| {
        let question = Question {
            view: codecortex_analysis::AnalysisView::new(view.code, view.call, Vec::new()),
            providers: &providers,
        };
        let of = ReferenceSubject {
            name: "total",
            kind: "function",
            home: found.first().map(|own| own.file),
        };
        merge(&question, &of, found, reply)
    });
    merged.unwrap()
}

fn use_at(merged: &MergedUses, (file, at): (FileNo, u32)) -> Option<(TierWord, Option<Why>)> {
    let mut uses = merged.all.iter();
    let found = uses.find(|of| (of.file, of.at) == (file, at) && !of.is_outside);
    found.map(|of| (of.tier, of.why))
}

#[test]
fn what_both_have_is_as_sure_as_the_providers() {
    let mut workspace = Workspace::new(SHOP);
    let found = [
        reference(&workspace, "src/a.ts", 1, ConfidenceTier::Exact),
        reference(&workspace, "src/b.ts", 1, ConfidenceTier::Inferred),
    ];
    let reply = reply(vec![theirs("src/a.ts", &[1]), theirs("src/b.ts", &[1])]);
    let merged = merged(&mut workspace, &found, &reply);
    let place = |nth: usize| (found[nth].file, found[nth].at);
    assert_eq!(use_at(&merged, place(0)), Some((TierWord::Provider, None)));
    let inferred = Some((TierWord::Provider, Some(Why::Inferred)));
    assert_eq!(use_at(&merged, place(1)), inferred);
    let agreement = merged.agreement.unwrap();
    assert_eq!((agreement.both, agreement.ours_only), (2, 0));
}

#[test]
fn what_a_provider_should_have_is_disputed_and_a_hit_by_name_dropped() {
    let mut workspace = Workspace::new(SHOP);
    let found = [
        reference(&workspace, "src/b.ts", 1, ConfidenceTier::Exact),
        reference(&workspace, "src/b.ts", 2, ConfidenceTier::Name),
    ];
    let reply = reply(vec![theirs("src/b.ts", &[0])]);
    let merged = merged(&mut workspace, &found, &reply);
    let first = use_at(&merged, (found[0].file, found[0].at));
    assert_eq!(first, Some((TierWord::Exact, Some(Why::Disputed))));
    assert_eq!(use_at(&merged, (found[1].file, found[1].at)), None);
    assert_eq!(merged.agreement.unwrap().disputed, ["app/src/b.ts:2"]);
    assert!(!merged.disagreements.is_empty());
    let denied = merged.lessons.iter().filter(|(_, confirmed)| !confirmed);
    assert_eq!(denied.count(), 2);
}

#[test]
fn a_provider_that_found_nothing_has_said_nothing() {
    let mut workspace = Workspace::new(SHOP);
    let found = [reference(&workspace, "src/b.ts", 2, ConfidenceTier::Name)];
    let merged = merged(&mut workspace, &found, &reply(Vec::new()));
    assert_eq!(merged.all, unmerged(&found).all);
    assert_eq!(merged.agreement, None);
}

#[test]
fn what_only_a_provider_has_is_kept() {
    let mut workspace = Workspace::new(SHOP);
    let found = [reference(&workspace, "src/a.ts", 1, ConfidenceTier::Exact)];
    let outside = ProviderResult {
        path: "/elsewhere/c.ts".to_owned(),
        ..theirs("src/b.ts", &[0])
    };
    let reply = reply(vec![
        theirs("src/a.ts", &[1]),
        theirs("src/b.ts", &[1]),
        outside,
    ]);
    let merged = merged(&mut workspace, &found, &reply);
    let place = place(&workspace, "src/b.ts", 1);
    let only = Some((TierWord::Provider, Some(Why::ProviderOnly)));
    assert_eq!(use_at(&merged, place), only);
    let outside = merged.all.iter().filter_map(|of| merged.site_outside(of));
    let paths: Vec<&str> = outside.map(|site| site.absolute.as_str()).collect();
    assert_eq!(paths, ["/elsewhere/c.ts"]);
    assert_eq!(merged.agreement.unwrap().provider_only, 2);
}

#[test]
fn the_symbols_own_file_comes_first_and_files_outside_last() {
    let mut workspace = Workspace::new(SHOP);
    let found = [
        reference(&workspace, "src/b.ts", 1, ConfidenceTier::Exact),
        reference(&workspace, "src/a.ts", 1, ConfidenceTier::Exact),
    ];
    let outside = ProviderResult {
        path: "/elsewhere/a.ts".to_owned(),
        ..theirs("src/b.ts", &[0])
    };
    let reply = reply(vec![
        outside,
        theirs("src/a.ts", &[1]),
        theirs("src/b.ts", &[1]),
    ]);
    let merged = merged(&mut workspace, &found, &reply);
    let files: Vec<(FileNo, bool)> = merged
        .all
        .iter()
        .map(|of| (of.file, of.is_outside))
        .collect();
    assert_eq!(files[0], (found[0].file, false), "the symbol's own file");
    assert_eq!(files[1], (found[1].file, false));
    assert!(files[2].1);
}

#[test]
fn places_that_have_an_imports_other_name_are_marked() {
    let workspace = Workspace::new(SHOP);
    let found = [
        reference(&workspace, "src/b.ts", 1, ConfidenceTier::Related),
        reference(&workspace, "src/b.ts", 2, ConfidenceTier::Exact),
    ];
    let mut uses = unmerged(&found);
    let mut places: Vec<(FileNo, u32)> = found.iter().map(|own| (own.file, own.at)).collect();
    places.sort_unstable();
    uses.mark_renamed(&places);
    let why: Vec<Option<Why>> = uses.all.iter().map(|of| of.why).collect();
    assert_eq!(why, [Some(Why::Renamed), None]);
}

#[test]
fn the_last_reply_is_that_of_its_question_alone() {
    let question = |line: u32| ProviderQuestion {
        about: ProviderTopic::References,
        path: "/w/app/src/a.ts".to_owned(),
        position: Position { line, character: 0 },
    };
    let workspace = Workspace::new(SHOP);
    let mut providers = Providers::default();
    providers.take_in(question(1), reply(vec![theirs("src/a.ts", &[1])]));
    let cx = Question {
        view: workspace.view(None),
        providers: &providers,
    };
    assert!(cx.last_reply(&question(1)).is_some());
    assert!(cx.last_reply(&question(2)).is_none());
    let asked = cx.provider_question(ProviderTopic::References, (0, 0));
    assert!(
        asked.unwrap().is_none(),
        "the caller's surface has no providers"
    );
}
