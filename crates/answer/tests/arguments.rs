//! The arguments of a call, before a handler sees them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::LazyLock;

use codecortex_answer::args::{
    AnswerOptions, Arguments, MAX_TEXT, ToolArguments, check_range, check_text, entries,
    limit_asked, parse,
};
use codecortex_protocol::{AnswerFormat, Caller, ErrorCode, Tokenizer, ToolError};
use serde::Deserialize;
use serde_json::{Map, Value, json};

static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let names = ["symbol", "filePath", "limit", "kinds", "cursor"];
    names.map(str::to_owned).into()
});
static REQUIRED: LazyLock<Vec<String>> = LazyLock::new(|| vec!["filePath".to_owned()]);
static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    json!({ "type": "object", "properties": {
        "symbol": { "type": "string" },
        "filePath": { "type": "string" },
        "limit": { "type": "integer" },
        "kinds": { "type": "array", "items": { "type": "string" } },
    } })
});

fn tool() -> Arguments {
    Arguments {
        tool: "codecortex_example",
        names: &NAMES,
        required: &REQUIRED,
        aliases: &[("name", "symbol"), ("path", "filePath")],
        schema: &SCHEMA,
    }
}

fn read(args: Value) -> Result<(Map<String, Value>, AnswerOptions), ToolError> {
    let usual = (AnswerFormat::Both, Tokenizer::default());
    let read = ToolArguments::read(&tool(), &args, usual, Caller::default())?;
    Ok((read.rest, read.wanted))
}

fn rest(args: Value) -> Value {
    Value::Object(read(args).unwrap().0)
}

fn error(args: Value) -> ToolError {
    let error = read(args).map(|_| ()).unwrap_err();
    assert_eq!(error.code, ErrorCode::InvalidParams);
    assert!(error.hint.is_some(), "{}", error.message);
    error
}

#[test]
fn other_names_of_arguments_are_read_where_theirs_is_not_given() {
    assert_eq!(rest(json!({ "name": "A" })), json!({ "symbol": "A" }));
    let error = error(json!({ "symbol": "A", "name": "B" }));
    assert!(error.message.contains("`name`"), "{}", error.message);
}

#[test]
fn what_is_left_empty_is_not_given() {
    let given = json!({ "symbol": "", "limit": null, "filePath": "" });
    assert_eq!(
        rest(given),
        json!({ "filePath": "" }),
        "a required text may be empty"
    );
    assert_eq!(rest(Value::Null), json!({}));
}

#[test]
fn an_unknown_argument_names_the_nearest_one() {
    let error = error(json!({ "symbl": "A" }));
    assert!(
        error
            .message
            .contains("`codecortex_example` has no argument `symbl`")
    );
    assert!(error.hint.unwrap().contains("`symbol`"));
}

#[test]
fn arguments_that_are_no_object_say_what_they_are() {
    for (args, kind) in [
        (json!([]), "a list"),
        (json!("symbol"), "a string"),
        (json!(3), "a number"),
        (json!(true), "a boolean"),
    ] {
        assert!(error(args).message.contains(kind), "{kind}");
    }
}

#[test]
fn a_place_in_a_file_is_a_symbol() {
    let at =
        |line: Value| json!({ "filePath": "a.rs", "position": { "line": line, "character": 3 } });
    assert_eq!(rest(at(json!(7))), json!({ "symbol": "a.rs:7:3" }));
    assert_eq!(
        rest(at(json!("7"))),
        json!({ "symbol": "a.rs:7:3" }),
        "a number as a text"
    );
    for (args, wanted) in [
        (at(json!(0)), "not a valid position"),
        (
            json!({ "position": { "line": 1, "character": 1 } }),
            "without `filePath`",
        ),
        (
            json!({ "symbol": "A", "position": {} }),
            "exclude each other",
        ),
    ] {
        let error = error(args);
        assert!(error.message.contains(wanted), "{}", error.message);
    }
}

#[test]
fn the_budget_and_the_format_are_taken_out() {
    let (rest, wanted) = read(json!({ "maxTokens": 50, "format": "text", "symbol": "A" })).unwrap();
    assert_eq!(Value::Object(rest), json!({ "symbol": "A" }));
    assert_eq!(wanted.format, AnswerFormat::Text);
    assert!(wanted.limit.allows("short") && !wanted.limit.allows(&"a".repeat(300)));
    let (_, wanted) = read(json!({ "budget": 0 })).unwrap();
    assert!(!wanted.limit.allows("no room at all"));
    for args in [
        json!({ "maxTokens": -1 }),
        json!({ "maxTokens": 1.5 }),
        json!({ "format": "xml" }),
    ] {
        error(args);
    }
}

#[test]
fn the_limit_holds_where_other_arguments_are_wrong() {
    let args = json!({ "maxTokens": 10, "nonsense": 1 });
    let limit = limit_asked(&args, Tokenizer::default(), Caller::default());
    assert!(!limit.allows(&"a".repeat(100)));
    let unreadable = limit_asked(&json!([]), Tokenizer::default(), Caller::default());
    assert!(unreadable.allows("anything"));
}

#[test]
fn a_cursor_belongs_to_its_question() {
    let (_, wanted) = read(json!({ "symbol": "A" })).unwrap();
    let sealed = wanted.question.seal("20@3");
    let page = rest(json!({ "symbol": "A", "cursor": sealed, "maxTokens": 9 }));
    assert_eq!(page, json!({ "symbol": "A", "cursor": "20@3" }));
    error(json!({ "symbol": "B", "cursor": sealed }));
}

#[test]
fn a_handlers_own_arguments_say_which_is_wrong() {
    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Example {
        #[expect(dead_code, reason = "it is only read")]
        max_depth: Option<u32>,
    }
    assert!(parse::<Example>(json!({ "maxDepth": 3 })).is_ok());
    let error = parse::<Example>(json!({ "maxDepth": "deep" })).unwrap_err();
    assert!(
        error.message.starts_with("`maxDepth` is wrong"),
        "{}",
        error.message
    );
    let error = parse::<Example>(json!(7)).unwrap_err();
    assert!(
        error.message.starts_with("The arguments are wrong"),
        "{}",
        error.message
    );
}

#[test]
fn texts_lists_and_numbers_are_checked() {
    assert!(check_text("query", "a").is_ok());
    assert!(
        check_text("query", " \n")
            .unwrap_err()
            .message
            .contains("empty")
    );
    let long = check_text("query", &"a".repeat(MAX_TEXT + 1)).unwrap_err();
    assert!(long.message.contains(&MAX_TEXT.to_string()));
    assert_eq!(entries(None), &[] as &[Value]);
    assert_eq!(entries(Some(&json!("a"))), [json!("a")]);
    assert_eq!(entries(Some(&json!(["a", "b"]))).len(), 2);
    assert_eq!(check_range("limit", 5, 1, 5).unwrap(), 5);
    let error = check_range("limit", 6, 1, 5).unwrap_err();
    assert!(error.hint.unwrap().contains("from 1 to 5"));
}
