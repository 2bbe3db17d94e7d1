//! The languages' own libraries, through the tools: receivers of their types are known whichever question comes first.

use serde_json::{Value, json};

use crate::support::Place;

const JAVA: &str = "import java.util.*;
class Jar {
    int size() { return 0; }
    void append(String text) { }
    void run(List<Jar> jars, StringBuilder out, Calendar when, Map<String, Jar> byName) {
        out.append(\"a\").append(\"b\");
        when.getTimeZone().getID().length();
        jars.get(0).append(\"c\");
        jars.size();
        byName.values().iterator().next().size();
    }
}
";
const CSHARP: &str = "using System.IO;
using System.Collections.Generic;
class Crate {
    public void Write(string text) { }
    void Fill(TextWriter writer, Dictionary<string, Crate> crates, Stream stream) {
        writer.Write(\"a\");
        stream.Write(null, 0, 1);
        crates[\"b\"].Write(\"c\");
    }
}
";
const GO: &str = "package box

import \"net/http\"

type Box struct{}

func (b *Box) Get(key string) string { return \"\" }

func fill(r *http.Request, boxes map[string]*Box) {
	r.Header.Get(\"a\")
	r.URL.Query().Get(\"b\")
	boxes[\"c\"].Get(\"d\")
}
";
const PYTHON: &str = "import logging
import pathlib


class Tin:
    def open(self, mode: str) -> None: ...

    def info(self, text: str) -> None: ...


def fill(path: pathlib.Path, tin: Tin) -> None:
    path.parent.open(\"r\")
    logging.getLogger(__name__).info(\"a\")
    tin.open(\"w\")
    tin.info(\"b\")
";

const RUST: &str = "use std::collections::HashMap;
use std::io::Read;
pub struct Can;
impl Can {
    pub fn read(&self) {}
    pub fn push(&self) {}
}
pub fn fill(cans: &mut HashMap<String, Vec<Can>>, mut file: std::fs::File, text: &mut Vec<u8>) {
    file.read(text);
    cans.get_mut(\"a\").unwrap().push(Can);
    cans.values().flat_map(|all| all.iter()).next().unwrap().read();
    cans[\"b\"].first().unwrap().push();
}
";

/// Members of the workspace whose names the library has, too: how many uses are exact, and how many lead out.
const MEMBERS: [(&str, u64, u64); 9] = [
    ("Jar.size", 1, 1),
    ("Jar.append", 1, 2),
    ("Jar.run", 0, 0),
    ("Crate.Write", 1, 2),
    ("Box.Get", 1, 2),
    ("tin.Tin.open", 1, 1),
    ("tin.Tin.info", 1, 1),
    ("Can::read", 1, 1),
    ("Can::push", 1, 1),
];

fn questions() -> Vec<String> {
    let tiers = ["exact", "inferred", "related", "name"];
    let references = MEMBERS.iter().map(|(member, ..)| {
        let args = json!({ "symbol": member, "tiers": tiers });
        json!({ "id": member, "tool": "codecortex_findReferences", "args": args })
    });
    let types = ["Jar", "Crate", "Box", "Tin", "Can"].iter();
    let hierarchies = types.clone().map(|name| {
        let args = json!({ "name": name });
        json!({ "id": format!("hierarchy {name}"), "tool": "codecortex_getClassHierarchy", "args": args })
    });
    let members = types.map(|name| {
        let args = json!({ "name": name, "includeInherited": true });
        json!({ "id": format!("members {name}"), "tool": "codecortex_getTypeMembers", "args": args })
    });
    let all = references.chain(hierarchies).chain(members);
    all.map(|question| question.to_string()).collect()
}

#[test]
fn receivers_of_library_types_are_known_in_every_order_of_questions() {
    let place = Place::new();
    place.write("Jar.java", JAVA);
    place.write("Crate.cs", CSHARP);
    place.write("go.mod", "module box\n\ngo 1.24\n");
    place.write("box.go", GO);
    place.write("tin.py", PYTHON);
    place.write("src/can.rs", RUST);
    let questions = questions();
    let ask = |order: &[&String]| {
        let lines: Vec<&str> = order.iter().map(|line| line.as_str()).collect();
        let mut answers: Vec<(String, Value)> = Vec::new();
        for response in place.batch(&lines.join("\n")) {
            let mut data = response["result"]["data"].clone();
            assert!(response["result"]["ok"] == true, "{response}");
            if let Some(data) = data.as_object_mut() {
                data.remove("index");
            }
            answers.push((response["id"].as_str().unwrap().to_owned(), data));
        }
        answers.sort_by(|a, b| a.0.cmp(&b.0));
        answers
    };
    let forwards: Vec<&String> = questions.iter().collect();
    let answers = ask(&forwards);
    for (member, exact, outside) in MEMBERS {
        let (_, data) = answers.iter().find(|(id, _)| id == member).unwrap();
        let tiers = &data["totalByTier"];
        let found = (
            tiers["exact"].as_u64(),
            tiers["name"].as_u64(),
            data["totalOutside"].as_u64().or(Some(0)),
        );
        assert_eq!(
            found,
            (Some(exact), Some(0), Some(outside)),
            "{member}: {data}"
        );
    }
    let backwards: Vec<&String> = questions.iter().rev().collect();
    assert_eq!(ask(&backwards), answers);
    for first in 1..questions.len() {
        if first % 4 == 0 {
            let turned: Vec<&String> = questions[first..]
                .iter()
                .chain(&questions[..first])
                .collect();
            assert_eq!(ask(&turned), answers);
        }
    }
}

#[test]
fn the_status_names_the_libraries_of_the_languages_that_are_there() {
    let place = Place::new();
    place.write("Jar.java", JAVA);
    place.write("notes.md", "# Notes\n");
    let (status, _) = place.call("codecortex_status", &json!({}));
    let languages = &status["data"]["languages"];
    let library = languages["java"]["library"].as_str().unwrap();
    assert!(library.starts_with("JDK "), "{languages}");
    assert_eq!(languages["markdown"]["library"], Value::Null);
}
