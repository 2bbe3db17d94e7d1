//! Bytes from elsewhere: damaged caches and outcomes never bring the engine down (SPEC P5, I5).

use crate::support::{Host, MIXED};
use codecortex_syntax::decode_outcome;
use proptest::prelude::*;
use serde_json::json;

/// What the tools say, without the revision.
fn ask_everything(host: &mut Host) -> Vec<serde_json::Value> {
    [
        ("searchApi", json!({ "labelQuery": "o" })),
        ("searchApi", json!({ "labelQuery": "quick words" })),
        ("resolveSymbol", json!({ "symbol": "*" })),
        ("getOutline", json!({ "symbol": "NodeStore" })),
        ("getOutline", json!({ "filePath": "pkg/tools.py" })),
        ("status", json!({ "list": "skipped" })),
    ]
    .into_iter()
    .map(|(tool, args)| {
        let mut envelope = host.call(tool, args);
        if let Some(data) = envelope["data"].as_object_mut() {
            // A new engine counts its revisions anew, and its memory may have grown otherwise.
            for name in ["index", "budget", "memoryBytes"] {
                data.remove(name);
            }
        }
        envelope
    })
    .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// A cache with flipped bytes changes no answer: what is damaged is read again.
    #[test]
    fn a_damaged_cache(damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut host = Host::new(MIXED);
        let expected = ask_everything(&mut host);
        let mut cache = host.engine.export_cache(host.clock + 10_000.0);
        for (at, byte) in damage {
            let at = at.index(cache.len());
            cache[at] = byte;
        }
        host.engine = codecortex_engine::Engine::new();
        host.engine.import_cache(cache);
        host.configure();
        prop_assert_eq!(ask_everything(&mut host), expected);
    }

    /// Arbitrary bytes for an outcome are an unreadable file.
    #[test]
    fn arbitrary_outcomes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode_outcome(&bytes);
        let mut host = Host::new(MIXED);
        host.engine.ingest_bytes(0, "pkg/tools.py", 1.0, 1.0, &bytes);
        ask_everything(&mut host);
    }
}
