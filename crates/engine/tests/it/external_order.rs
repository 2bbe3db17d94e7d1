//! Answers follow from the files, whatever was asked before (SPEC D30, R5).

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::Host;
use crate::support::chance::Chance;

/// So many questions are asked of one program.
const QUESTIONS: usize = 500;

const PROGRAM: &str = "
//- /app/shop/cart.py
import wire.shapes as shapes
import cloud.store
from wire import Client, open_client, Future
from shop.config import Config

class Cart(Client):
    def send(self): ...
    def get(self): ...
    def close(self):
        shapes.Square().get()

def use(later: Future, cart: Cart):
    open_client().get()
    open_client().close()
    shapes.Square().close()
    cloud.store.Bucket().get()
    cloud.store.Bucket().owner().get()
    later.result().get()
    later.cart().get()
    cart.get()
    Config().get()
    unknown().get()
//- /app/shop/config.py
from nowhere import Base
class Config(Base):
    def get(self): ...
    def close(self): ...
    def client(self):
        from wire.client import Client
        return Client().get()
//- /app/web/a.ts
import { Client, open } from 'socket-wire';
import pad from '@scope/left_pad';
import { missing } from 'not-installed';
export class Own extends Client {
  get() { return 1; }
  close() { open().get(); open().own().close(); }
}
export function run(own: Own, client: Client) {
  own.get();
  client.get();
  client.next().close();
  pad('x').get();
  missing().get();
}
//- /app/web/b.ts
import { Own } from './a';
import { Emitter } from 'events';
import * as events from 'node:events';
import { deep } from 'socket-wire/deep';
export class Other { get() { return new Own().close(); } }
deep().get();
new Emitter().get();
new events.Emitter().get();
";

/// What is installed: packages of Python and of Node, which lead to each other.
const INSTALLED: [(&str, &str); 15] = [
    (".venv/pyvenv.cfg", "version = 3.11.4\n"),
    (
        ".venv/lib/python3.11/site-packages/wire/__init__.py",
        "from .client import Client, Future\ndef open_client():\n    return Client()\n",
    ),
    (
        ".venv/lib/python3.11/site-packages/wire/client.py",
        "from wire.base import Closing\nclass Client(Closing):\n    def send(self) -> None: ...\n    def get(self): ...\nclass Future:\n    def result(self) -> Client: ...\n    def cart(self):\n        from shop.cart import Cart\n        return Cart()\n",
    ),
    (
        ".venv/lib/python3.11/site-packages/wire/base.py",
        "class Closing:\n    def close(self):\n        '''Ends it.'''\nclass Cart:\n    def get(self): ...\n",
    ),
    (
        ".venv/lib/python3.11/site-packages/wire/shapes.py",
        "class Square:\n    def close(self): ...\n    def get(self): ...\n",
    ),
    (
        ".venv/lib/python3.11/site-packages/wire-stubs/shapes.pyi",
        "class Square:\n    def get(self) -> int: ...\n",
    ),
    (
        ".venv/lib/python3.11/site-packages/cloud/store/__init__.py",
        "from ..people import Owner\nclass Bucket:\n    def get(self): ...\n    def owner(self) -> Owner: ...\n",
    ),
    (
        ".venv/lib/python3.11/site-packages/cloud/people.py",
        "class Owner:\n    def get(self): ...\n",
    ),
    (
        "node_modules/socket-wire/package.json",
        r#"{ "exports": { ".": { "import": { "types": "./dist/index.d.ts" } }, "./*": "./dist/*.js" } }"#,
    ),
    (
        "node_modules/socket-wire/dist/index.d.ts",
        "export * from './client.js';\nimport { Client } from './client.js';\nexport declare function open(): Client;\n",
    ),
    (
        "node_modules/socket-wire/dist/client.d.ts",
        "import { Step } from 'steps';\nexport declare class Client { get(): void; close(): void; next(): Step; own(): Client; }\n",
    ),
    (
        "node_modules/socket-wire/dist/deep.d.ts",
        "import { Client } from './client.js';\nexport declare function deep(): Client;\n",
    ),
    (
        "node_modules/.pnpm/node_modules/steps/index.d.ts",
        "export declare class Step { close(): void; }\n",
    ),
    (
        "node_modules/@types/node/events.d.ts",
        "declare module 'node:events' { class Emitter { get(): void; } }\ndeclare module 'events' { export * from 'node:events'; }\n",
    ),
    (
        "node_modules/@types/scope__left_pad/index.d.ts",
        "declare class Pad { get(): string; }\nexport default function pad(text: string): Pad;\n",
    ),
];

const MANIFESTS: [(&str, &str); 3] = [
    ("node_modules/@scope/left_pad/package.json", "{}"),
    (
        "node_modules/@types/scope__left_pad/package.json",
        r#"{ "types": "index.d.ts" }"#,
    ),
    ("node_modules/.pnpm/node_modules/steps/package.json", "{}"),
];

fn program() -> Host {
    let mut host = Host::new(PROGRAM);
    for (path, text) in INSTALLED.iter().chain(&MANIFESTS) {
        host.write(&format!("/w/app/{path}"), text);
    }
    host.configure();
    host
}

/// Questions of every tool that resolves names: about all members and types, and about every name at its place.
fn questions() -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    let types = ["Cart", "Config", "Own", "Other", "Client", "Square"];
    for name in types {
        all.push(("getTypeMembers", json!({ "name": name })));
        all.push(("getClassHierarchy", json!({ "name": name })));
        all.push(("resolveSymbol", json!({ "symbol": name })));
        all.push(("searchApi", json!({ "labelQuery": name })));
    }
    let members = [
        "Cart.get",
        "Cart.close",
        "Config.get",
        "Config.close",
        "Own.get",
        "Own.close",
        "Other.get",
        "use",
        "run",
    ];
    let tiers = ["exact", "inferred", "related", "name"];
    for symbol in members {
        let asked = json!({ "symbol": symbol, "tiers": tiers });
        all.push(("findReferences", asked));
        for relation in ["callers", "callees"] {
            let asked = json!({ "symbol": symbol, "relation": relation });
            all.push(("findReferences", asked));
        }
        all.push(("getOutline", json!({ "symbol": symbol, "form": "source" })));
    }
    for (path, text) in parsed() {
        for (line, text) in (1..).zip(text.lines()) {
            for character in starts_of_names(text) {
                let place = json!({ "line": line, "character": character + 1 });
                let asked = json!({ "filePath": path, "position": place });
                all.push(("resolveSymbolAtPosition", asked.clone()));
            }
        }
    }
    all.push(("exportGraph", json!({ "notation": "json" })));
    all.push(("getContext", json!({ "question": "who closes the client" })));
    let patch = "--- a/shop/config.py\n+++ b/shop/config.py\n@@ -4,1 +4,1 @@\n-    def close(self): ...\n+    def shut(self): ...\n";
    all.push(("reviewChanges", json!({ "patch": patch, "step": "index" })));
    let renamed =
        json!({ "kind": "rename", "symbol": "Cart.get", "newName": "fetch", "dryRun": true });
    all.push(("refactor", renamed));
    all
}

fn parsed() -> Vec<(String, String)> {
    let files = crate::support::parse_fixture(PROGRAM).into_iter();
    let files = files.map(|(path, text)| (path.trim_start_matches("/app/").to_owned(), text));
    files.collect()
}

fn starts_of_names(line: &str) -> Vec<usize> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = line.as_bytes();
    let is_start = |at: &usize| {
        is_part(bytes[*at])
            && !bytes[*at].is_ascii_digit()
            && (*at == 0 || !is_part(bytes[*at - 1]))
    };
    (0..bytes.len()).filter(is_start).collect()
}

/// An answer without what counts changes of the index.
fn lasting(answer: Value) -> Value {
    match answer {
        Value::Object(fields) => {
            let counts = ["revision", "index", "nextCursor", "budget", "id"];
            let fields = fields.into_iter();
            let lasting = fields.filter(|(name, _)| !counts.contains(&name.as_str()));
            Value::Object(
                lasting
                    .map(|(name, value)| (name, self::lasting(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.into_iter().map(lasting).collect(),
        other => other,
    }
}

#[test]
fn an_answer_does_not_depend_on_earlier_questions() {
    let questions = questions();
    let mut alone: BTreeMap<usize, Value> = BTreeMap::new();
    let mut chance = Chance::new(49);
    let mut host = program();
    for asked in 0..QUESTIONS {
        let number = chance.below(questions.len());
        let (tool, args) = &questions[number];
        // A program that was asked nothing else.
        let alone = alone
            .entry(number)
            .or_insert_with(|| lasting(program().call(tool, args.clone())));
        let answer = lasting(host.call(tool, args.clone()));
        assert_eq!(&answer, alone, "{asked}: {tool} {args}");
    }
    let asked_well = alone.values().filter(|answer| answer["ok"] == true);
    assert!(
        asked_well.count() * 2 > alone.len(),
        "most questions are answered"
    );
}

#[test]
fn references_follow_the_receivers_of_packages() {
    let counts = |symbol: &str| {
        let args = json!({ "symbol": symbol, "tiers": ["exact", "inferred", "related", "name"] });
        let data = program().ok("findReferences", args);
        (data["totalByTier"].clone(), data["totalOutside"].clone())
    };
    // `later.cart()` of a package gives the workspace's own type, an override of what a package's type has is related to it,
    // and what `nowhere` and `unknown()` give is not known.
    let (tiers, outside) = counts("Cart.get");
    assert_eq!(
        (&tiers["exact"], &tiers["name"]),
        (&json!(1), &json!(1)),
        "{tiers}"
    );
    assert_eq!(outside, 3, "{tiers}");
    let (tiers, outside) = counts("Own.get");
    assert_eq!(
        (&tiers["exact"], &tiers["name"]),
        (&json!(1), &json!(1)),
        "{tiers}"
    );
    assert!(outside.as_u64().unwrap() >= 1, "{tiers} {outside}");
}

#[test]
fn what_is_not_installed_is_said_with_the_uses_that_it_hides() {
    let mut host = program();
    let args = json!({ "symbol": "Own.get", "tiers": ["name"] });
    let data = host.ok("findReferences", args);
    assert_eq!(
        data["references"][0]["why"],
        "receiver's type is unknown: from package not-installed, not installed",
        "{data}"
    );
    let external = host.ok("status", json!({}))["external"].clone();
    let missing: Vec<&Value> = external["missingPackages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| &package["name"])
        .collect();
    assert!(missing.contains(&&json!("not-installed")), "{external}");
    assert!(!missing.contains(&&json!("socket-wire")), "{external}");
    let mut read = external["packages"].as_array().unwrap().iter();
    assert!(
        read.any(|package| package["name"] == "socket-wire"),
        "{external}"
    );
}
