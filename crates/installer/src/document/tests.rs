//! Documents at random with comments: in and out gives the same bytes, and in twice is refused by nobody's mistake.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const SLOT: Slot<'_> = Slot {
    key: "servers",
    name: "codecortex",
};

fn entry() -> Value {
    json!({ "command": r"C:\x y\codecortex.exe", "args": ["mcp"], "enabled": true })
}

/// In and out again; both have to be understood.
fn there_and_back(form: Form, text: &str) -> (String, String) {
    let with = form.insert(text, SLOT, &entry());
    let with = with.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found = form.read(&with, SLOT).unwrap();
    assert_eq!(found, Some(entry()), "{with}");
    let is_new_key = !form.has_key(text, SLOT);
    let without = form.remove(&with, SLOT, is_new_key);
    let without = without.unwrap_or_else(|error| panic!("{error}\n{with}"));
    (with, without)
}

#[test]
fn an_entry_is_put_into_json_as_the_file_is_written() {
    for (text, expected) in [
        ("{}", "{\n  \"servers\": {\n    \"codecortex\": E\n  }\n}"),
        ("", "{\n  \"servers\": {\n    \"codecortex\": E\n  }\n}\n"),
        ("{\"servers\":{}}", "{\"servers\":{\"codecortex\": E}}"),
        (
            "{\"servers\":{\"a\":1}}",
            "{\"servers\":{\"a\":1, \"codecortex\": E}}",
        ),
        (
            "{\"servers\":null}",
            "{\"servers\":{\n  \"codecortex\": E\n}}",
        ),
        (
            "{\n\t\"servers\": {\n\t\t\"a\": 1 // one\n\t}\n}",
            "{\n\t\"servers\": {\n\t\t\"a\": 1, // one\n\t\t\"codecortex\": E\n\t}\n}",
        ),
        (
            "{\n  \"servers\": {\n    \"a\": 1, /* x */ // one\n  },\n}",
            "{\n  \"servers\": {\n    \"a\": 1, /* x */ // one\n    \"codecortex\": E,\n  },\n}",
        ),
        (
            "{\n  \"servers\": {\n    // none yet\n  }\n}",
            "{\n  \"servers\": {\n    // none yet\n    \"codecortex\": E\n  }\n}",
        ),
        (
            "{\r\n  \"a\": 1\r\n}\r\n",
            "{\r\n  \"a\": 1,\r\n  \"servers\": {\r\n    \"codecortex\": E\r\n  }\r\n}\r\n",
        ),
        (
            "// only words\n",
            "// only words\n{\n  \"servers\": {\n    \"codecortex\": E\n  }\n}\n",
        ),
        (
            "\u{feff}{ \"a\": 1 }",
            "\u{feff}{ \"a\": 1, \"servers\": { \"codecortex\": E } }",
        ),
    ] {
        let with = Form::Json.insert(text, SLOT, &json!("E")).unwrap();
        assert_eq!(with.replace("\"E\"", "E"), expected, "{text}");
    }
}

#[test]
fn what_is_not_understood_is_said() {
    for (form, text, why) in [
        (Form::Json, "{ a: 1 }", "it does not parse"),
        (Form::Json, "{ \"a\": 1", "it does not parse"),
        (Form::Json, "{ 'a': 1 }", "it does not parse"),
        (Form::Json, "{ \"servers\": 1 }", "its shape"),
        (
            Form::Json,
            "{ \"servers\": { \"x\": 1 }, \"servers\": {} }",
            "its shape",
        ),
        (Form::Toml, "a = ", "it does not parse"),
        (
            Form::Toml,
            "servers = { a = { command = \"x\" } }\n",
            "its shape",
        ),
        (Form::Toml, "[[servers]]\na = 1\n", "its shape"),
        (Form::Yaml, "a: [1", "it does not parse"),
        (Form::Yaml, "a: 1\na: 2\n", "it does not parse"),
        (Form::Yaml, "- a\n", "its shape"),
        (Form::Yaml, "{ servers: { a: 1 } }\n", "its shape"),
        (Form::Yaml, "servers: { a: { b: 1 } }\n", "its shape"),
        (Form::Yaml, "a: 1\n---\nb: 2\n", "its shape"),
        (Form::Yaml, "a: 1\n...\n", "its shape"),
        (Form::Yaml, "servers: [a]\n", "its shape"),
    ] {
        let error = form.insert(text, SLOT, &entry()).unwrap_err().to_string();
        assert!(error.starts_with(why), "{text}: {error}");
    }
}

#[test]
fn deep_documents_end() {
    for text in ["[".repeat(200_000), "{\"a\":".repeat(200_000)] {
        assert!(Form::Json.insert(&text, SLOT, &entry()).is_err());
        assert!(Form::Yaml.insert(&text, SLOT, &entry()).is_err());
        let toml = format!("a = {text}");
        assert!(Form::Toml.insert(&toml, SLOT, &entry()).is_err());
    }
}

#[test]
fn an_entry_is_put_into_yaml_and_toml_as_the_file_is_written() {
    let yaml = |text: &str| there_and_back(Form::Yaml, text);
    let lines =
        "    command: \"C:\\\\x y\\\\codecortex.exe\"\n    args: [\"mcp\"]\n    enabled: true\n";
    for (text, expected) in [
        ("", format!("servers:\n  codecortex:\n{lines}")),
        ("a: 1", format!("a: 1\nservers:\n  codecortex:\n{lines}")),
        ("servers:\n", format!("servers:\n  codecortex:\n{lines}")),
        (
            "servers: {} # none\nb: 2\n",
            format!("servers: # none\n  codecortex:\n{lines}b: 2\n"),
        ),
        (
            "servers: # some\n  # first\n  a:\n    b: |\n      text\n\n# end\n",
            format!(
                "servers: # some\n  codecortex:\n{lines}  # first\n  a:\n    b: |\n      text\n\n# end\n"
            ),
        ),
    ] {
        assert_eq!(yaml(text).0, expected, "{text}");
    }
    let (with, without) = there_and_back(Form::Toml, "a = 1\r\n");
    assert!(
        with.starts_with("a = 1\r\n\r\n[servers.codecortex]\r\ncommand"),
        "{with}"
    );
    assert!(!with.replace("\r\n", "").contains('\n'));
    assert_eq!(without, "a = 1\r\n");
}

#[test]
fn sub_tables_of_ours_go_with_it_and_comments_of_the_next_stay() {
    let text = "[servers.codecortex]\ncommand = \"x\" # mine\n\n[servers.codecortex.env]\nA = \"\"\"\n[x]\n\"\"\"\n\n# next\n[b]\n";
    let rest = Form::Toml.remove(text, SLOT, false).unwrap();
    assert_eq!(rest, "\n\n# next\n[b]\n".strip_prefix('\n').unwrap());
}

/// Lines of a comment or none.
fn comment(mark: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        1 => "[a-z {}:,#é]{0,12}".prop_map(move |words| format!(" {mark}{words}")),
    ]
}

fn members(mark: &'static str) -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec((comment(mark), comment(mark)), 0..4)
}

fn json_document() -> impl Strategy<Value = String> {
    let style = (
        prop::sample::select(vec!["  ", "    ", "\t"]),
        any::<bool>(),
        any::<bool>(),
    );
    let ends = prop::sample::select(vec!["\n", "\r\n"]);
    (
        members("// "),
        prop::option::of(members("// ")),
        style,
        ends,
    )
        .prop_map(|(outer, servers, (unit, trailing, last_line), end)| {
            let object = |members: &[(String, String)], indent: &str, extra: Option<String>| {
                let mut lines: Vec<(String, String, String)> = members
                    .iter()
                    .enumerate()
                    .map(|(at, (above, beside))| {
                        (above.clone(), format!("\"k{at}\": {at}"), beside.clone())
                    })
                    .collect();
                if let Some(extra) = extra {
                    lines.insert(lines.len() / 2, (String::new(), extra, String::new()));
                }
                let count = lines.len();
                let mut out = format!("{{{end}");
                for (at, (above, line, beside)) in lines.into_iter().enumerate() {
                    if !above.is_empty() {
                        out.push_str(&format!("{indent}{unit}{}{end}", above.trim_start()));
                    }
                    let comma = if at + 1 < count || trailing { "," } else { "" };
                    out.push_str(&format!("{indent}{unit}{line}{comma}{beside}{end}"));
                }
                out + indent + "}"
            };
            let servers =
                servers.map(|members| format!("\"servers\": {}", object(&members, unit, None)));
            let last = if last_line { end } else { "" };
            format!("{}{last}", object(&outer, "", servers))
        })
}

fn toml_document() -> impl Strategy<Value = String> {
    let table = (0..9_u8, members("# "));
    (
        members("# "),
        prop::collection::vec(table, 0..4),
        any::<bool>(),
    )
        .prop_map(|(top, tables, last_line)| {
            let mut out = String::new();
            let push = |out: &mut String, members: &[(String, String)]| {
                for (at, (above, beside)) in members.iter().enumerate() {
                    if !above.is_empty() {
                        out.push_str(&format!("{}\n", above.trim_start()));
                    }
                    out.push_str(&format!("k{at} = \"[x]\"{beside}\n"));
                }
            };
            push(&mut out, &top);
            for (at, (kind, members)) in tables.iter().enumerate() {
                let name = if kind % 2 == 0 { "servers." } else { "" };
                out.push_str(&format!("\n[{name}t{at}]\n"));
                push(&mut out, members);
            }
            match last_line {
                true => out,
                false => out.trim_end().to_owned(),
            }
        })
}

fn yaml_document() -> impl Strategy<Value = String> {
    let unit = prop::sample::select(vec!["  ", "    "]);
    (
        members("# "),
        prop::option::of(members("# ")),
        unit,
        any::<bool>(),
    )
        .prop_map(|(top, servers, unit, last_line)| {
            let mut out = String::new();
            for (at, (above, beside)) in top.iter().enumerate() {
                if !above.is_empty() {
                    out.push_str(&format!("{}\n", above.trim_start()));
                }
                out.push_str(&format!("k{at}: |\n{unit}text{at}\n"));
                out.push_str(&format!("l{at}: [1, 2]{beside}\n"));
            }
            if let Some(servers) = servers {
                out.push_str("servers:\n");
                for (at, (above, beside)) in servers.iter().enumerate() {
                    if !above.is_empty() {
                        out.push_str(&format!("{unit}{}\n", above.trim_start()));
                    }
                    out.push_str(&format!("{unit}s{at}:{beside}\n{unit}{unit}cmd: \"é x\"\n"));
                }
            }
            match last_line {
                true => out + "last: 1\n",
                false => out.trim_end().to_owned(),
            }
        })
}

/// What was there before, by its exact undo and by its structure alone.
fn comes_back(form: Form, text: &str) -> Result<(), TestCaseError> {
    let (with, without) = there_and_back(form, text);
    let undo = crate::record::Undo::between(text, &with);
    prop_assert_eq!(undo.apply(&with), Some(text.to_owned()));
    let (before, after) = (form.syntax().value(text), form.syntax().value(&without));
    prop_assert_eq!(bare(&before.unwrap()), bare(&after.unwrap()));
    // Every comment is there with and without the entry.
    let mark = if form == Form::Json { "//" } else { "#" };
    let comments = |text: &str| {
        let comment = |line: &str| Some(line.split_once(mark)?.1.trim_end().to_owned());
        text.lines().filter_map(comment).collect::<Vec<_>>()
    };
    prop_assert_eq!(comments(text), comments(&with), "{}", with);
    prop_assert_eq!(comments(text), comments(&without), "{}", without);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn json_comes_back(text in json_document()) {
        comes_back(Form::Json, &text)?;
        // With a member before it, also the bytes.
        let with = Form::Json.insert(&text, SLOT, &entry()).unwrap();
        if Form::Json.has_key(&text, SLOT) && text.contains("\"servers\": {\n  \"k0\"") {
            prop_assert_eq!(Form::Json.remove(&with, SLOT, false).unwrap(), text);
        }
    }

    #[test]
    fn toml_comes_back(text in toml_document()) {
        comes_back(Form::Toml, &text)?;
    }

    #[test]
    fn yaml_comes_back(text in yaml_document()) {
        comes_back(Form::Yaml, &text)?;
    }

    #[test]
    fn no_text_ends_the_program(text in "[{}\\[\\]\":,#/*a\n\\-|= é]{0,40}") {
        for form in [Form::Json, Form::Toml, Form::Yaml] {
            if let Ok(with) = form.insert(&text, SLOT, &entry()) {
                prop_assert_eq!(form.read(&with, SLOT).unwrap(), Some(entry()));
                let _ = form.remove(&with, SLOT, true);
            }
        }
    }
}
