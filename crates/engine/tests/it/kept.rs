//! A start from a cache: facts and bindings stay there until somebody looks into them (SPEC P5), and what turns out to be
//! damaged is read again before anybody is answered.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use codecortex_engine::CacheBytes;
use serde_json::{Value, json};

use crate::support::{Host, MIXED};

/// A cache that says how much of it was read, and that may break.
#[derive(Clone, Debug, Default)]
struct Watched {
    bytes: Arc<Mutex<Vec<u8>>>,
    read: Arc<AtomicU64>,
    is_gone: Arc<AtomicBool>,
}

impl Watched {
    fn new(bytes: Vec<u8>) -> Self {
        Self {
            bytes: Arc::new(Mutex::new(bytes)),
            ..Self::default()
        }
    }

    fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// From now on nothing can be read.
    fn vanish(&self) {
        self.is_gone.store(true, Ordering::Relaxed);
    }
}

impl CacheBytes for Watched {
    fn len(&self) -> u64 {
        self.bytes.lock().unwrap().len() as u64
    }

    fn read(&self, start: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        if self.is_gone.load(Ordering::Relaxed) {
            return None;
        }
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        let bytes = self.bytes.lock().unwrap();
        let start = usize::try_from(start).ok()?;
        let part = bytes.get(start..start.checked_add(length)?)?;
        Some(Cow::Owned(part.to_vec()))
    }

    fn memory(&self) -> usize {
        self.len() as usize
    }
}

fn export(host: &mut Host) -> Vec<u8> {
    host.engine.export_cache(host.clock + 10_000.0)
}

fn restart(host: &mut Host) -> Watched {
    let cache = Watched::new(export(host));
    host.restart(cache.clone());
    assert_eq!(host.reads, [""; 0]);
    cache
}

fn ask(host: &mut Host) -> Vec<Value> {
    let questions = [
        ("searchApi", json!({ "labelQuery": "o" })),
        ("searchApi", json!({ "labelQuery": "pages politely" })),
        ("getOutline", json!({ "symbol": "NodeStore" })),
        ("getOutline", json!({ "filePath": "lib/main.go" })),
        ("resolveSymbol", json!({ "symbol": "lib.Server.Listen" })),
        ("findReferences", json!({ "symbol": "Memo.Core.Base" })),
        (
            "getClassHierarchy",
            json!({ "name": "NodeStore", "namespace": "Memo.Core" }),
        ),
        ("getTypeMembers", json!({ "name": "NodeStore" })),
        ("status", json!({})),
    ];
    let questions = questions.into_iter();
    questions
        .map(|(tool, args)| {
            let mut data = host.ok(tool, args);
            // A new engine counts its revisions anew, and holds less.
            for name in ["index", "budget", "memoryBytes", "spend"] {
                data.as_object_mut().unwrap().remove(name);
            }
            data
        })
        .collect()
}

/// Enough classes that none of them matters.
fn many() -> String {
    let file = |number: usize| {
        let methods: String = (0..40)
            .map(|method| format!("    /// <summary>Does {method} of {number}.</summary>\n    public int Do{method}Of{number}(int a, string b) {{ return a + {method}; }}\n"))
            .collect();
        format!(
            "//- /app/src/C{number}.cs\nnamespace Many;\npublic class C{number} {{\n{methods}}}\n"
        )
    };
    (0..60).map(file).collect()
}

#[test]
fn answers_are_the_same_before_and_after() {
    let mut host = Host::new(MIXED);
    let before = ask(&mut host);
    restart(&mut host);
    assert_eq!(ask(&mut host), before);
    // From what was not read to what is written, and from there again.
    let cache = export(&mut host);
    restart(&mut host);
    assert_eq!(export(&mut host), cache);
    assert_eq!(ask(&mut host), before);
}

#[test]
fn a_start_reads_what_it_is_asked_for() {
    let mut host = Host::new(&many());
    let cache = Watched::new(export(&mut host));
    let all = cache.len();
    host.restart(cache.clone());
    let start = cache.read();
    assert!(start < all / 3, "{start} of {all} to start");
    let resolved = host.ok("resolveSymbol", json!({ "symbol": "Many.C7.Do3Of7" }));
    assert!(
        resolved.to_string().contains("Many.C7.Do3Of7"),
        "{resolved}"
    );
    let one = cache.read() - start;
    assert!(one < all / 20, "{one} of {all} for one class");
    let uses = host.ok("findReferences", json!({ "symbol": "Many.C7" }));
    assert_eq!(uses["total"], 0);
    let joined = cache.read() - start - one;
    assert!(joined < all / 3, "{joined} of {all} for uses");
}

#[test]
fn what_changes_is_exchanged_for_what_was_kept() {
    let mut host = Host::new(MIXED);
    restart(&mut host);
    // The names are joined before and after.
    host.ok("findReferences", json!({ "symbol": "Memo.Core.Base" }));
    let text = "namespace Memo.Core;\npublic class Bottom { }\npublic interface IStore { }\n";
    host.write("/w/app/src/Base.cs", text);
    host.disk.remove("/w/app/lib/main.go");
    host.touched(&["/w/app/src/Base.cs", "/w/app/lib/main.go"]);
    let names = |host: &mut Host, query: &str| {
        Host::names(&host.ok("searchApi", json!({ "labelQuery": query })))
    };
    assert_eq!(names(&mut host, "Bottom"), ["Bottom"]);
    assert_eq!(names(&mut host, "Listen"), [""; 0]);
    host.fail("findReferences", json!({ "symbol": "Memo.Core.Base" }));
    let uses = host.ok("findReferences", json!({ "symbol": "Memo.Core.IStore" }));
    assert_eq!(uses["total"], 1);
    // A new index of the same disk says the same.
    let now = ask_what_is_left(&mut host);
    host.engine = codecortex_engine::Engine::new();
    host.configure();
    assert_eq!(ask_what_is_left(&mut host), now);
}

fn ask_what_is_left(host: &mut Host) -> Vec<Value> {
    let questions = [
        ("searchApi", json!({ "labelQuery": "o" })),
        ("getOutline", json!({ "symbol": "NodeStore" })),
        ("findReferences", json!({ "symbol": "Memo.Core.IStore" })),
    ];
    let ask = |(tool, args)| {
        let mut data = host.ok(tool, args);
        data.as_object_mut().unwrap().remove("index");
        data
    };
    questions.map(ask).into()
}

#[test]
fn what_cannot_be_read_any_more_is_read_from_the_files() {
    let mut host = Host::new(MIXED);
    let before = ask(&mut host);
    for is_joined in [false, true] {
        let cache = restart(&mut host);
        if is_joined {
            host.ok("findReferences", json!({ "symbol": "Memo.Core.Base" }));
        }
        cache.vanish();
        assert_eq!(ask(&mut host), before);
        assert!(!host.reads.is_empty());
        let changes = host.ok("changes", json!({}));
        assert_eq!(changes["total"], 0, "{changes}");
    }
}
