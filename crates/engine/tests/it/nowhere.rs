//! No use is nowhere (SPEC X3, R5, D35): every place where the name of a declaration is written is in some tier of its
//! references, means another declaration, or is counted in `totalOutside`.

use std::collections::BTreeSet;

use crate::support::Host;
use proptest::prelude::*;
use serde_json::{Value, json};

const NAMES: [&str; 3] = ["open", "close", "reset"];
const TYPES: [&str; 3] = ["Alpha", "Beta", "Gamma"];

/// How a language says the parts of a program. `{T}` is a type, `{m}` a name of a member.
struct Dialect {
    ending: &'static str,
    /// What a file of types begins with, and one of uses.
    heads: [&'static str; 2],
    type_head: &'static str,
    member: &'static str,
    type_end: &'static str,
    /// Functions that use a name: by a known receiver, an unknown one, one from outside, and by none.
    uses: &'static [&'static str],
}

const DIALECTS: [Dialect; 4] = [
    Dialect {
        ending: "py",
        heads: [
            "",
            "import zoneinfo\nfrom app.types import Alpha, Beta, Gamma\n",
        ],
        type_head: "class {T}:\n    size = 1\n",
        member: "    def {m}(self):\n        return self.size\n",
        type_end: "",
        uses: &[
            "def use{n}(of: {T}):\n    of.{m}()\n",
            "def use{n}(of):\n    of.{m}()\n",
            "def use{n}(of):\n    for each in of:\n        each.{m}\n",
            "def use{n}():\n    return zoneinfo.{m}()\n",
            "def use{n}():\n    {T}().{m}()\n",
            "def use{n}():\n    return {m}()\n",
            "def {m}():\n    return {m}\n",
        ],
    },
    Dialect {
        ending: "ts",
        heads: [
            "",
            "import { Alpha, Beta, Gamma } from \"./types\";\nimport library from \"library\";\n",
        ],
        type_head: "export class {T} {\n  size = 1;\n",
        member: "  {m}(): number {\n    return this.size;\n  }\n",
        type_end: "}\n",
        uses: &[
            "function use{n}(of: {T}) { of.{m}(); }\n",
            "function use{n}(of: any) { of.{m}(); }\n",
            "function use{n}(of) { return of.{m}; }\n",
            "function use{n}() { return library.{m}(); }\n",
            "function use{n}() { new {T}().{m}(); }\n",
            "function use{n}(of: Map<string, {T}>) { of.get(\"a\")?.{m}(); }\n",
            "const value{n} = { {m}: 1 };\n",
        ],
    },
    Dialect {
        ending: "cs",
        heads: ["namespace App;\n", "using Library;\nnamespace App;\n"],
        type_head: "public class {T} {\n  public int Size;\n",
        member: "  public int {m}() { return Size; }\n",
        type_end: "}\n",
        uses: &[
            "class Use{n} { void Run({T} of) { of.{m}(); } }\n",
            "class Use{n} { void Run(dynamic of) { of.{m}(); } }\n",
            "class Use{n} { void Run(Outside of) { of.{m}(); } }\n",
            "class Use{n} { void Run(Lazy<{T}> of) { of.Value.{m}(); } }\n",
            "class Use{n} : Outside { void Run() { {m}(); } }\n",
            "class Use{n} { void Run() { new {T}().{m}(); } }\n",
            "class Use{n} { void Run(System.Func<Outside> of) { of().{m}(); } }\n",
        ],
    },
    Dialect {
        ending: "java",
        heads: ["package app;\n", "package app;\nimport library.Outside;\n"],
        type_head: "class {T} {\n  int size;\n",
        member: "  int {m}() { return size; }\n",
        type_end: "}\n",
        uses: &[
            "class Use{n} { void run({T} of) { of.{m}(); } }\n",
            "class Use{n} { void run(Outside of) { of.{m}(); } }\n",
            "class Use{n} { void run(Outside<{T}> of) { of.get().{m}(); } }\n",
            "class Use{n} extends Outside { void run() { {m}(); } }\n",
            "class Use{n} { void run() { new {T}().{m}(); } }\n",
            "class Use{n} { @Outside({m} = 1) int of; }\n",
            "class Use{n} { void run() { var of = Outside.make(); of.{m}(); } }\n",
        ],
    },
];

/// Which members each type has, and a use each: its form, type and name.
type Program = (Vec<Vec<bool>>, Vec<(usize, usize, usize)>);

fn program() -> impl Strategy<Value = Program> {
    let members = prop::collection::vec(prop::collection::vec(any::<bool>(), 3), 3);
    let uses = prop::collection::vec((0_usize..7, 0_usize..3, 0_usize..3), 1..10);
    (members, uses)
}

/// Files by their paths in the folder.
fn written(of: &Dialect, (members, uses): &Program) -> [(String, String); 2] {
    let mut types = of.heads[0].to_owned();
    for (name, has) in TYPES.iter().zip(members) {
        types += &of.type_head.replace("{T}", name);
        for (member, _) in NAMES.iter().zip(has).filter(|(_, has)| **has) {
            types += &of.member.replace("{m}", member);
        }
        types += of.type_end;
    }
    let mut used = of.heads[1].to_owned();
    for (index, (form, ty, name)) in uses.iter().enumerate() {
        let text = of.uses[*form].replace("{T}", TYPES[*ty]);
        used += &text
            .replace("{m}", NAMES[*name])
            .replace("{n}", &index.to_string());
    }
    [
        (format!("types.{}", of.ending), types),
        (format!("uses.{}", of.ending), used),
    ]
}

/// File, line and character from 0.
type Place = (String, u64, u64);

/// Where a word stands in the files.
fn places(files: &[(String, String)], word: &str) -> Vec<Place> {
    let is_part = |of: Option<char>| of.is_some_and(|of| of.is_alphanumeric() || of == '_');
    let mut found = Vec::new();
    for (file, text) in files {
        for (line, text) in (0..).zip(text.lines()) {
            let whole = text.match_indices(word).filter(|(at, _)| {
                let (before, after) = (&text[..*at], &text[at + word.len()..]);
                !is_part(before.chars().next_back()) && !is_part(after.chars().next())
            });
            found.extend(whole.map(|(at, _)| (file.clone(), line, at as u64)));
        }
    }
    found
}

fn place(entry: &Value, range: &str) -> Place {
    let path = entry["filePath"].as_str().unwrap();
    let start = &entry[range]["start"];
    let file = path.rsplit('/').next().unwrap().to_owned();
    let number = |field: &str| start[field].as_u64().unwrap();
    (file, number("line"), number("character"))
}

fn asked((file, line, character): &Place) -> Value {
    json!({
        "filePath": format!("app/{file}"),
        "position": { "line": line + 1, "character": character + 1 },
    })
}

/// Where what is meant at a place is declared; nothing where nobody knows.
fn declared(host: &mut Host, at: &Place) -> BTreeSet<Place> {
    let answer = host.call("resolveSymbolAtPosition", asked(at));
    let symbol = &answer["data"]["symbol"];
    let more = symbol["definitions"].as_array().into_iter().flatten();
    let all = symbol.get("definition").into_iter().chain(more);
    all.map(|of| place(of, "nameRange")).collect()
}

/// Places of a declaration's name that are in no tier and no other's, and how many are counted as outside.
fn left(host: &mut Host, at: &Place, all: &[Place]) -> (Vec<Place>, u64) {
    let own = declared(host, at);
    let mut args = asked(at);
    args["tiers"] = json!(["exact", "inferred", "related", "name"]);
    args["limit"] = json!(200);
    let data = host.ok("findReferences", args);
    let uses = data["references"].as_array().unwrap().iter();
    let uses: BTreeSet<Place> = uses.map(|of| place(of, "range")).collect();
    let is_left = |of: &&Place| {
        let is_own = own.contains(of) || uses.contains(of);
        !is_own && {
            let meant = declared(host, of);
            meant.is_empty() || !meant.is_disjoint(&own)
        }
    };
    let left = all.iter().filter(is_left).cloned().collect();
    (left, data["totalOutside"].as_u64().unwrap())
}

fn check(of: &Dialect, program: &Program) {
    let files = written(of, program);
    let mut host = Host::empty(&[("app", "/w/app")]);
    for (file, text) in &files {
        host.write(&format!("/w/app/{file}"), text);
    }
    host.configure();
    for name in NAMES {
        let all = places(&files, name);
        for at in all.iter().filter(|(file, ..)| file.starts_with("types.")) {
            let (left, outside) = left(&mut host, at, &all);
            assert!(
                left.len() as u64 <= outside,
                "{at:?} of {}\n{left:?} are nowhere, {outside} are outside\n{}",
                files[0].1,
                files[1].1
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_use_is_nowhere(program in program()) {
        for dialect in &DIALECTS {
            check(dialect, &program);
        }
    }
}

#[test]
fn every_form_of_use_is_somewhere() {
    let members = vec![vec![true; 3]; 3];
    for form in 0..7 {
        let uses = (0..3).map(|name| (form, (name + form) % 3, name)).collect();
        let program = (members.clone(), uses);
        DIALECTS.iter().for_each(|of| check(of, &program));
    }
}

/// A call that the members it finds cannot take is one of a base from outside: of none of them, and not nowhere.
#[test]
fn what_a_base_from_outside_has_is_counted_outside() {
    let text = "namespace App;
public class Alpha { public override bool Equals(object of) { return Equals(this, of); } }
public class Beta {
  public override bool Equals(object of) { return of is Beta; }
  public bool Run(Alpha a, Beta b) { return Equals(a, b) && object.Equals(a, b) && b.Equals(a); }
}
public class Gamma { public bool Run(Alpha a, Beta b) { return Equals(a, b); } }
";
    let files = [("types.cs".to_owned(), text.to_owned())];
    let mut host = Host::empty(&[("app", "/w/app")]);
    host.write("/w/app/types.cs", text);
    host.configure();
    let all = places(&files, "Equals");
    let mut seen = Vec::new();
    for at in &all {
        if declared(&mut host, at).contains(at) {
            let (left, outside) = left(&mut host, at, &all);
            seen.push((left.len() as u64, outside));
        }
    }
    assert_eq!(seen, [(4, 4), (4, 4)]);
}
