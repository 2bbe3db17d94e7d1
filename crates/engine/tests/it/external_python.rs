//! Packages of a virtual environment, read when a name leads there (SPEC D30).

use codecortex_engine::protocol::Config;
use serde_json::{Value, json};

use crate::support::Host;

const SITE: &str = "/w/app/.venv/lib/python3.11/site-packages";

const PROGRAM: &str = "
//- /app/shop/cart.py
import wire.shapes as shapes
import cloud.store
from wire import Client, open_client, Future
from bare import plain
from config import Config

class Cart(Client):
    def use(self, later: Future):
        self.send()
        open_client().close()
        plain().run()
        shapes.Square().side()
        cloud.store.Bucket().empty()
        later.result()
        Config().load()
//- /app/shop/config.py
class Config:
    def load(self): ...
";

/// A program, and a virtual environment with files below its `site-packages`.
fn program(files: &[(&str, &str)]) -> Host {
    let mut host = Host::new(PROGRAM);
    host.write(
        "/w/app/.venv/pyvenv.cfg",
        "home = /usr/bin\nversion = 3.11.4\n",
    );
    for (path, text) in files {
        host.write(&format!("{SITE}/{path}"), text);
    }
    host.configure();
    host
}

fn installed() -> Host {
    program(&[
        (
            "wire/__init__.py",
            "from .client import Client, Future\nfrom . import unused\ndef open_client():\n    return Client()\n",
        ),
        (
            "wire/__init__.pyi",
            "from .client import Client as Client, Future as Future\ndef open_client() -> Client: ...\n",
        ),
        (
            "wire/client.pyi",
            "from wire.base import Closing\nclass Client(Closing):\n    def send(self) -> None:\n        \"\"\"Says it.\"\"\"\nclass Future:\n    def result(self) -> str: ...\n",
        ),
        (
            "wire/base.py",
            "from contextlib import AbstractContextManager\nclass Closing(AbstractContextManager):\n    def close(self):\n        \"\"\"Ends it.\"\"\"\n",
        ),
        ("wire/unused.py", "class NeverRead: ...\n"),
        ("wire/shapes.py", "class Square:\n    def side(self): ...\n"),
        (
            "wire-stubs/shapes.pyi",
            "\nclass Square:\n    def side(self) -> int: ...\n",
        ),
        (
            "cloud/store/__init__.py",
            "class Bucket:\n    def empty(self): ...\n",
        ),
        (
            "bare.py",
            "class Plain:\n    def run(self): ...\ndef plain():\n    return Plain()\n",
        ),
        ("config.py", "class Config:\n    def load(self): ...\n"),
    ])
}

fn at(line: u32, character: u32) -> Value {
    json!({ "filePath": "shop/cart.py", "position": { "line": line, "character": character } })
}

/// Where the name at a place of `cart.py` is declared, below `site-packages` where it is there.
fn declared(host: &mut Host, line: u32, character: u32) -> String {
    let found = host.ok("resolveSymbolAtPosition", at(line, character));
    let definition = &found["symbol"]["definition"];
    let path = definition["filePath"].as_str().unwrap();
    let path = path
        .strip_prefix("app/.venv/lib/python3.11/site-packages/")
        .unwrap_or(path);
    format!("{path}:{}", definition["startLine"])
}

#[test]
fn packages_are_read_where_a_name_leads_there() {
    let mut host = installed();
    let send = host.ok("resolveSymbolAtPosition", at(9, 15));
    assert_eq!(send["symbol"]["doc"], "Says it.", "{send}");
    assert_eq!(send["symbol"]["path"], "wire.client.Client.send", "{send}");
    assert_eq!(declared(&mut host, 9, 15), "wire/client.pyi:3");
    // By the result of a function, and by a base in a third file.
    assert_eq!(declared(&mut host, 10, 12), "wire/__init__.pyi:2");
    assert_eq!(declared(&mut host, 10, 25), "wire/base.py:3");
    // A module alone; one below a package without a file; one of which stubs are installed.
    assert_eq!(declared(&mut host, 11, 18), "bare.py:2");
    assert_eq!(declared(&mut host, 13, 33), "cloud/store/__init__.py:2");
    assert_eq!(declared(&mut host, 12, 26), "wire-stubs/shapes.pyi:3");
    // What nothing led to was not read.
    let args = json!({ "labelQuery": "NeverRead", "external": true });
    assert_eq!(host.ok("searchApi", args)["total"], 0);
    let args = json!({ "labelQuery": "Closing", "external": true });
    assert_eq!(host.ok("searchApi", args)["items"][0]["source"], "external");
}

#[test]
fn the_workspace_goes_before_what_is_installed() {
    let mut host = installed();
    assert_eq!(declared(&mut host, 15, 19), "app/shop/config.py:2");
    assert_eq!(declared(&mut host, 5, 22), "app/shop/config.py:1");
}

#[test]
fn what_is_installed_goes_before_what_the_language_is_known_to_have() {
    let mut bare = program(&[]);
    let found = bare.call("resolveSymbolAtPosition", at(14, 16));
    assert_eq!(found["error"]["code"], "SymbolNotFound", "{found}");
    assert_eq!(declared(&mut installed(), 14, 16), "wire/client.pyi:6");
}

#[test]
fn types_have_bases_and_members_of_packages() {
    let mut host = installed();
    let data = host.ok("getClassHierarchy", json!({ "name": "Cart" }));
    assert_eq!(data["supers"][0], "wire.client.Client", "{data}");
    assert_eq!(data["supers"][1], "wire.base.Closing", "{data}");
    let client = &data["sourceByClass"]["wire.client.Client"];
    assert_eq!(
        (&client["source"], &client["startLine"]),
        (&json!("external"), &json!(2))
    );
    let mut host = installed();
    let args = json!({ "name": "Cart", "includeDocs": true });
    let members = host.ok("getTypeMembers", args)["members"].clone();
    let of = |name: &str| {
        let found = members
            .as_array()
            .unwrap()
            .iter()
            .find(|member| member["name"] == name);
        found
            .unwrap_or_else(|| panic!("{name} in {members}"))
            .clone()
    };
    assert_eq!(of("send")["inheritedFrom"], "wire.client.Client");
    assert_eq!(of("close")["doc"], "Ends it.");
}

#[test]
fn an_environment_is_any_folder_beside_or_above_that_says_so() {
    let client = "class Client:\n    def send(self): ...\n";
    // Whatever it is called, left out by its mark or by an ignore file; of Windows; of the nearest folder.
    for (folder, config, site, ignored) in [
        ("py311", "version = 3.11.4\n", "lib/python3.11", ""),
        (
            "shop/env",
            "version_info = 3.12.1.final.0\n",
            "lib/python3.12",
            "env/\n",
        ),
        (
            "venv",
            "home = C:\\Python\nversion = 3.9.1\n",
            "Lib",
            "venv/\n",
        ),
    ] {
        let mut host = Host::new(PROGRAM);
        host.write("/w/app/.gitignore", ignored);
        host.write(&format!("/w/app/{folder}/pyvenv.cfg"), config);
        let path = format!("{folder}/{site}/site-packages/wire/__init__.py");
        host.write(&format!("/w/app/{path}"), client);
        host.configure();
        assert_eq!(declared(&mut host, 9, 15), format!("app/{path}:2"));
        // A person who leaves it out is heard.
        host.config = Config {
            exclude: vec![format!("/{folder}/")],
            ..Config::default()
        };
        host.configure();
        let found = host.call("resolveSymbolAtPosition", at(9, 15));
        assert_eq!(
            found["error"]["code"], "SymbolNotFound",
            "{folder}: {found}"
        );
    }
}

#[test]
fn what_cannot_be_read_is_told() {
    let source = format!(
        "class Client:\n    def send(self): ...\n{}",
        "#".repeat(500)
    );
    let mut host = program(&[("wire/__init__.py", &source)]);
    host.config.max_file_size = 500;
    host.configure();
    let found = host.call("resolveSymbolAtPosition", at(9, 15));
    assert!(found["error"]["code"].is_string(), "{found}");
    let status = host.ok("status", json!({}));
    let problem = &status["external"]["problems"][0];
    assert_eq!(
        problem["filePath"], "app/.venv/lib/python3.11/site-packages/wire/__init__.py",
        "{status}"
    );
    assert_eq!(problem["problem"], "it is larger than 500 bytes");
}

#[test]
fn modules_that_import_each_other_end() {
    let mut host = program(&[
        (
            "wire/__init__.py",
            "from .a import *\nfrom .a import Client\n",
        ),
        (
            "wire/a.py",
            "from wire.b import *\nfrom wire.b import Client\n",
        ),
        ("wire/b.py", "from .a import *\nfrom . import Client\n"),
    ]);
    let found = host.call("resolveSymbolAtPosition", at(9, 15));
    assert!(found["error"]["code"].is_string(), "{found}");
}
