//! Bytes of a peer, whatever they are: one reply a request, and no panic.

use codecortex_rpc::{FrameReader, Incoming, Message, incoming};
use proptest::prelude::*;

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let message = prop::sample::select(vec![
        r#"{"jsonrpc":"2.0","id":1,"method":"Status"}"#,
        r#"[{"jsonrpc":"2.0","id":"é","method":"GetOutline","params":["A"]},{"jsonrpc":"2.0","method":"x"}]"#,
        "Content-Length: 42\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"Status\"}",
        "Content-Length: 99999999999999999999\r\n\r\n{}",
        "\u{feff}{}",
    ]);
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
    (message, edits).prop_map(|(message, edits)| {
        let mut bytes = message.as_bytes().to_vec();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn damaged_messages_are_answered_or_asked_for(all in prop::collection::vec(damaged(), 1..4), size in 1_usize..64) {
        let mut reader = FrameReader::default();
        for bytes in all {
            for part in bytes.chunks(size).chain([b"\n".as_slice()]) {
                reader.push(part);
                for _ in 0..64 {
                    let Ok(Some(message)) = reader.next_message() else { break };
                    let messages = match incoming(&message) {
                        Incoming::One(message) => vec![message],
                        Incoming::Batch(messages) => messages,
                    };
                    for message in messages {
                        if let Message::Wrong(reply) = message {
                            let reply: serde_json::Value = serde_json::from_str(&reply).unwrap();
                            prop_assert!(reply["error"]["code"].is_i64());
                        }
                    }
                }
            }
        }
    }
}
