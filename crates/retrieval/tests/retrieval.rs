//! The crate through its public face.

use std::borrow::Cow;
use std::collections::BTreeMap;

use codecortex_retrieval::{
    AnswerForm, Commit, Declaration, DeclarationClass, DetailTier, EntryCosts, History, Index,
    Params, Query, RetrievalDocument, Role, SelectionRequest, Selector, SourceSelection,
    TouchedFile, files_to_read, select,
};
use proptest::prelude::*;

/// A function of a file, with its body.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    body: String,
}

/// A file's text of functions, and its document.
fn text_of(functions: &[Function]) -> String {
    functions
        .iter()
        .map(|of| format!("fn {}() {{\n    {}\n}}\n", of.name, of.body))
        .collect()
}

fn put(index: &mut Index, path: &str, functions: &[Function]) -> String {
    let text = text_of(functions);
    let mut at = 0;
    let mut declarations = Vec::new();
    for of in functions {
        let length = text_of(std::slice::from_ref(of)).len() as u32;
        declarations.push(Declaration {
            name: &of.name,
            kind: DeclarationClass::Callable,
            kind_word: "function",
            parent: None,
            container: "",
            signature: &of.name,
            doc: "",
            start: at,
            end: at + length - 1,
            name_at: at + 3,
            is_test: false,
        });
        at += length;
    }
    index.replace(&RetrievalDocument {
        path,
        role: Role::of_path(path),
        text: &text,
        declarations,
    });
    text
}

fn functions(names: &[(&str, &str)]) -> Vec<Function> {
    names
        .iter()
        .map(|(name, body)| Function {
            name: (*name).to_owned(),
            body: (*body).to_owned(),
        })
        .collect()
}

fn shop() -> (Index, BTreeMap<String, String>) {
    let mut index = Index::new();
    let mut texts = BTreeMap::new();
    let files = [
        (
            "src/routes.py",
            functions(&[
                ("url_for", "return build(name)"),
                ("for_each_url", "yield url"),
                ("redirect", "send(url_for(name))"),
            ]),
        ),
        (
            "src/config.py",
            functions(&[
                ("parse_config_file", "return open(path)"),
                ("write_config", "parse file"),
                ("file_size", "stat"),
            ]),
        ),
        (
            "tests/test_config.py",
            functions(&[(
                "test_parse_config_file",
                "parse_config_file(path) config file parse",
            )]),
        ),
    ];
    for (path, of) in files {
        let text = put(&mut index, path, &of);
        texts.insert(path.to_owned(), text);
    }
    (index, texts)
}

fn query(text: &str) -> Query {
    Query {
        text: text.to_owned(),
        ..Query::default()
    }
}

fn chosen(
    index: &Index,
    texts: &BTreeMap<String, String>,
    query: &Query,
    history: Option<&History>,
    budget: usize,
    selector: Selector,
) -> SourceSelection {
    let request = SelectionRequest {
        tokens: budget,
        selector,
        form: AnswerForm::Text,
    };
    chosen_by(index, texts, (query, history), request, &Params::tuned())
}

fn chosen_by(
    index: &Index,
    texts: &BTreeMap<String, String>,
    (query, history): (&Query, Option<&History>),
    request: SelectionRequest,
    params: &Params,
) -> SourceSelection {
    let ranking = index.rank(query, history, params);
    select(index, &ranking, request, params, |path| {
        texts.get(path).map(|text| Cow::Borrowed(text.as_str()))
    })
}

/// The tuned numbers with the shares of large budgets for every budget.
fn as_for_large_budgets() -> Params {
    let mut params = Params::tuned();
    params.shares.budgets = [0.0, 1.0];
    params
}

/// The numbers of the lines that are shown.
fn shown_lines(selection: &SourceSelection) -> Vec<u32> {
    let symbols = selection.files.iter().flat_map(|file| &file.symbols);
    let mut lines: Vec<u32> = symbols
        .flat_map(|symbol| symbol.lines.iter().map(|(line, _)| *line))
        .collect();
    lines.sort_unstable();
    lines
}

#[test]
fn entries_that_cost_more_than_rows_leave_room_for_code_alone() {
    let (index, texts) = shop();
    let asked = query("url for");
    let named = |form| {
        let request = SelectionRequest {
            tokens: 90,
            form,
            ..SelectionRequest::default()
        };
        let selection = chosen_by(&index, &texts, (&asked, None), request, &Params::tuned());
        let symbols = selection.files.iter().flat_map(|file| &file.symbols);
        let (names, code): (Vec<_>, Vec<_>) =
            symbols.partition(|symbol| symbol.tier == DetailTier::Name);
        (names.len(), code.len())
    };
    let text = named(AnswerForm::Text);
    let json = named(AnswerForm::Json(EntryCosts {
        file: 100,
        symbol: 80,
        code: 10,
    }));
    assert!(json.0 + json.1 < text.0 + text.1, "{json:?} {text:?}");
    assert!(json.1 >= 1, "{json:?}");
}

#[test]
fn lines_around_code_are_shown_with_it() {
    let mut index = Index::new();
    let others = [
        "alpha",
        "beta",
        "gamma",
        "delta",
        "ship_cost",
        "omega",
        "kappa",
        "sigma",
    ];
    let of: Vec<(&str, &str)> = others
        .iter()
        .map(|name| {
            (
                *name,
                "return something_long_enough_to_be_left_out_of_it(a, b, c)",
            )
        })
        .collect();
    let text = put(&mut index, "src/ship.py", &functions(&of));
    let texts = BTreeMap::from([("src/ship.py".to_owned(), text)]);
    let request = SelectionRequest {
        tokens: 36,
        ..SelectionRequest::default()
    };
    let shown = |around: f32| {
        let mut params = as_for_large_budgets();
        params.shares.around = [around; 2];
        params.shares.name_power = [9.0; 2];
        params.shares.signature_share = [0.0; 2];
        let asked = query("ship cost");
        shown_lines(&chosen_by(&index, &texts, (&asked, None), request, &params))
    };
    // The fifth function has lines 13 to 15; there is no room for a second one.
    assert_eq!(shown(0.0), [13, 14, 15]);
    assert_eq!(shown(1.0), [12, 13, 14, 15, 16]);
}

#[test]
fn words_of_a_name_find_it_first() {
    let (index, texts) = shop();
    for (words, name) in [
        ("url for", "url_for"),
        ("urlFor", "url_for"),
        ("parse config file", "parse_config_file"),
        ("for each url", "for_each_url"),
        ("prase_config_file", "parse_config_file"),
    ] {
        let asked = query(words);
        let ranking = index.rank(&asked, None, &Params::tuned());
        let found = ranking.declarations(&index, 5);
        let first = found.first().map(|place| {
            let text = &texts[&place.path][place.name_at as usize..];
            text.split('(').next().unwrap_or_default()
        });
        assert_eq!(first, Some(name), "{words}: {found:?}");
    }
}

#[test]
fn sources_come_before_their_tests_unless_tests_are_wanted() {
    let (index, texts) = shop();
    let first = |query: &Query| {
        chosen(&index, &texts, query, None, 1000, Selector::Ranked).files[0]
            .path
            .clone()
    };
    let mut asked = query("parse the config file");
    assert_eq!(first(&asked), "src/config.py");
    asked.text = "test parse config file".to_owned();
    asked.wants_tests = true;
    assert_eq!(first(&asked), "tests/test_config.py");
}

#[test]
fn the_text_has_files_names_and_code() {
    let (index, texts) = shop();
    let selection = chosen(
        &index,
        &texts,
        &query("redirect to the url"),
        None,
        1000,
        Selector::Ranked,
    );
    let lines: Vec<&str> = selection.text.lines().collect();
    assert_eq!(lines[0], "src/routes.py");
    assert!(
        lines.contains(&"8:     send(url_for(name))"),
        "{}",
        selection.text
    );
    let redirect = selection.files[0]
        .symbols
        .iter()
        .find(|symbol| symbol.name == "redirect");
    assert!(
        redirect.is_some_and(|of| of.tier == DetailTier::Body
            && of.line_start == 7
            && of.line_end == 9
            && !of.why.is_empty()),
        "{selection:#?}"
    );
}

#[test]
fn a_name_is_told_without_its_line_and_not_once_more_beside_it() {
    let names: Vec<String> = (0..30).map(|at| format!("redirect_{at}")).collect();
    let bodies: Vec<(&str, &str)> = names
        .iter()
        .map(|name| {
            (
                name.as_str(),
                "return follow_the_answer(to, code, headers, cookies)",
            )
        })
        .collect();
    let mut index = Index::new();
    let text = put(&mut index, "src/redirects.py", &functions(&bodies));
    let texts = BTreeMap::from([("src/redirects.py".to_owned(), text)]);
    let mut tiers = Vec::new();
    for budget in [60, 120, 240, 480] {
        let asked = query("redirect");
        let told = chosen(&index, &texts, &asked, None, budget, Selector::Ranked);
        for symbol in told.files.iter().flat_map(|file| &file.symbols) {
            let line = format!("fn {}(", symbol.name);
            let has_line = symbol.lines.iter().any(|(_, text)| text.contains(&line));
            assert_eq!(symbol.in_row, !has_line, "{symbol:?}");
            assert_eq!(symbol.in_row, symbol.tier == DetailTier::Name, "{symbol:?}");
            tiers.push(symbol.tier);
        }
        assert!(told.tokens <= budget);
    }
    assert!(
        tiers.contains(&DetailTier::Name) && tiers.contains(&DetailTier::Body),
        "{tiers:?}"
    );
}

#[test]
fn an_answer_says_what_it_matched() {
    let (index, _) = shop();
    let known = index.rank(&query("redirect zebra"), None, &Params::tuned());
    assert_eq!(
        (known.matched, known.unmatched),
        (vec!["redirect".to_owned()], vec!["zebra".to_owned()])
    );
    assert!(known.is_confident);
    for text in ["zebra giraffe elephant", "", "the of and"] {
        assert!(
            !index
                .rank(&query(text), None, &Params::tuned())
                .is_confident,
            "{text}"
        );
    }
}

#[test]
fn files_that_change_together_with_the_focus_are_found_and_the_focus_is_not_shown() {
    let (index, texts) = shop();
    let commit = |message, paths: &[&'static str]| Commit {
        message,
        changes: paths
            .iter()
            .map(|path| TouchedFile {
                path,
                moved_from: None,
            })
            .collect(),
    };
    let history = History::read([
        commit("a", &["src/config.py", "src/routes.py"]),
        commit("b", &["src/config.py", "src/routes.py"]),
    ]);
    let asked = Query {
        focus: Some("src/config.py".to_owned()),
        ..query("something else")
    };
    let selection = chosen(
        &index,
        &texts,
        &asked,
        Some(&history),
        1000,
        Selector::Ranked,
    );
    assert_eq!(
        selection.files.first().map(|file| file.path.as_str()),
        Some("src/routes.py")
    );
    assert!(
        selection
            .files
            .iter()
            .all(|file| file.path != "src/config.py")
    );
}

#[test]
fn any_question_is_answered() {
    let (index, texts) = shop();
    let long = "parse config file url_for ".repeat(4_000);
    for text in [
        long.as_str(),
        "解析配置文件",
        "fn main() { let x = url_for(\"a\"); }",
        "",
        "\0\u{feff}🦀",
        "`",
        "((((",
        "_____",
    ] {
        for selector in [Selector::Ranked, Selector::SimpleLimit] {
            let selection = chosen(&index, &texts, &query(text), None, 200, selector);
            assert!(selection.tokens <= 200);
        }
    }
    assert!(
        chosen(
            &Index::new(),
            &texts,
            &query("url"),
            None,
            100,
            Selector::Ranked
        )
        .files
        .is_empty()
    );
}

#[test]
fn chinese_words_are_found() {
    let mut index = Index::new();
    put(
        &mut index,
        "a.py",
        &functions(&[("f", "# 解析配置文件"), ("g", "# 发送请求")]),
    );
    let ranking = index.rank(&query("配置文件"), None, &Params::tuned());
    assert!(!ranking.matched.is_empty() && ranking.is_confident || !ranking.items.is_empty());
    assert!(ranking.items[0].share > 0.5);
}

#[test]
fn a_declaration_whose_line_is_empty_by_now_does_not_open_its_file() {
    let mut index = Index::new();
    let before = Function {
        name: "parse".to_owned(),
        body: "parse".to_owned(),
    };
    put(&mut index, PATHS[0], &[before]);
    let params = Params::tuned();
    let ranking = index.rank(&query("parse"), None, &params);
    let text = |_: &str| Some(Cow::Borrowed(" "));
    let selection = select(
        &index,
        &ranking,
        SelectionRequest {
            selector: Selector::SimpleLimit,
            ..SelectionRequest::default()
        },
        &params,
        text,
    );
    assert_eq!((selection.tokens, selection.files.len()), (0, 0));
}

const WORDS: [&str; 10] = [
    "parse", "config", "url", "for", "send", "Request", "retry", "cache", "größe", "文件",
];

fn name() -> impl Strategy<Value = String> {
    proptest::collection::vec(0..WORDS.len(), 1..4).prop_map(|words| {
        words
            .iter()
            .map(|word| WORDS[*word])
            .collect::<Vec<_>>()
            .join("_")
    })
}

fn some_functions() -> impl Strategy<Value = Vec<Function>> {
    let body = proptest::collection::vec(name(), 0..12).prop_map(|words| words.join("\n    "));
    proptest::collection::vec(
        (name(), body).prop_map(|(name, body)| Function { name, body }),
        0..6,
    )
}

const PATHS: [&str; 5] = [
    "src/parse.rs",
    "src/url.rs",
    "tests/cache.rs",
    "src/net/send.rs",
    "docs/a.rs",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// Never over budget, the same twice, and the same whatever the index was before.
    #[test]
    fn answers_fit_and_follow_from_the_files_alone(
        edits in proptest::collection::vec((0..PATHS.len(), some_functions()), 1..12),
        words in proptest::collection::vec(name(), 0..6),
        budget in 0usize..300,
        focus in proptest::option::of(0..PATHS.len()),
    ) {
        let (mut edited, mut now) = (Index::new(), BTreeMap::new());
        for (path, of) in &edits {
            put(&mut edited, PATHS[*path], of);
            now.insert(PATHS[*path], of.clone());
            if of.len() == 5 {
                prop_assert!(edited.remove(PATHS[*path]));
                now.remove(PATHS[*path]);
            }
        }
        let mut rebuilt = Index::new();
        let texts: BTreeMap<String, String> = now.iter().rev().map(|(path, of)| ((*path).to_owned(), put(&mut rebuilt, path, of))).collect();
        let asked = Query { focus: focus.map(|path| PATHS[path].to_owned()), ..query(&words.join(" ")) };
        for selector in [Selector::Ranked, Selector::SimpleLimit] {
            let first = chosen(&edited, &texts, &asked, None, budget, selector);
            let second = chosen(&rebuilt, &texts, &asked, None, budget, selector);
            prop_assert_eq!(&first, &second);
            prop_assert!(first.text.chars().count() <= 4 * budget, "{} {}", first.text.chars().count(), first.text);
            let request = SelectionRequest { tokens: budget, selector, form: AnswerForm::Text };
            let large = chosen_by(&edited, &texts, (&asked, None), request, &as_for_large_budgets());
            prop_assert!(large.tokens <= budget, "{} {}", large.tokens, large.text);
        }
        let listed = |index: &Index| index.rank(&asked, None, &Params::tuned()).declarations(index, 20);
        prop_assert_eq!(listed(&edited), listed(&rebuilt));
    }

    /// A file may be another one by now than the one whose words were read.
    #[test]
    fn texts_of_another_state_are_shown_as_far_as_they_go(
        before in some_functions(),
        now in ".{0,200}|[a-z\n ]{0,200}",
        budget in 0..400usize,
    ) {
        let mut index = Index::new();
        put(&mut index, PATHS[0], &before);
        let words: Vec<&str> = before.iter().map(|of| of.name.as_str()).collect();
        let ranking = index.rank(&query(&words.join(" ")), None, &Params::tuned());
        for (selector, params) in [
            (Selector::Ranked, Params::tuned()),
            (Selector::Ranked, as_for_large_budgets()),
            (Selector::SimpleLimit, Params::tuned()),
        ] {
            let text = |_: &str| Some(Cow::Borrowed(now.as_str()));
            let request = SelectionRequest { tokens: budget, selector, form: AnswerForm::Text };
            let selection = select(&index, &ranking, request, &params, text);
            prop_assert!(selection.tokens <= budget);
        }
        prop_assert!(files_to_read(&index, &ranking).len() <= 1);
    }
}
