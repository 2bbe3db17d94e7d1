//! What can be told of a message from its bytes alone, where it is broken or too long to be kept: whether somebody waits
//! for an answer, and under which id (JSON-RPC 2.0 §5).

use serde_json::value::RawValue;

/// Bytes of the longest name or id that is read in this way.
const MAX_TOKEN: usize = 64 << 10;
/// How the names of notifications begin in MCP.
const NOTIFICATIONS: &str = "notifications/";

/// An id as it was written, so that an answer has the very same; the number may be one that no type holds.
pub(super) type Id = Box<RawValue>;

/// The id of a message.
#[derive(Clone, Debug, Default)]
pub(super) enum GivenId {
    #[default]
    Absent,
    /// Something that is no id, or was cut.
    Unreadable,
    Read(Id),
}

impl GivenId {
    /// The id that a value is: a string or a number that others can read too.
    pub(super) fn from_token(token: &str) -> Self {
        let is_id = token.starts_with(|first: char| matches!(first, '"' | '-' | '0'..='9'));
        // A string may escape what is no text, and a number be beyond all types.
        let is_readable = is_id && serde_json::from_str::<serde_json::Value>(token).is_ok();
        match RawValue::from_string(token.to_owned()) {
            Ok(raw) if is_readable => Self::Read(raw),
            _ => Self::Unreadable,
        }
    }
}

/// The members of a message that say what kind of message it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Glance {
    pub(super) id: GivenId,
    /// Where it is a string.
    pub(super) method: Option<String>,
    pub(super) has_outcome: bool,
    /// Whether the message has an end, so that no id can follow.
    pub(super) is_whole: bool,
}

/// Who waits for an answer to a message.
#[derive(Debug)]
pub(super) enum MessageKind {
    /// Somebody does, under this id. It may be broken.
    Request(Id),
    /// Somebody may, and it cannot be told under which id: the answer has `null`.
    Nameless,
    /// Nobody does.
    Notification,
    /// Nobody does: the server asked.
    Response,
}

impl Glance {
    pub(super) fn kind(&self) -> MessageKind {
        match (&self.method, &self.id) {
            (Some(_), GivenId::Read(id)) => MessageKind::Request(id.clone()),
            (Some(_), GivenId::Unreadable) => MessageKind::Nameless,
            (Some(method), GivenId::Absent) => {
                match self.is_whole || method.starts_with(NOTIFICATIONS) {
                    true => MessageKind::Notification,
                    false => MessageKind::Nameless,
                }
            }
            (None, _) if self.has_outcome => MessageKind::Response,
            (None, GivenId::Read(id)) => MessageKind::Request(id.clone()),
            (None, _) => MessageKind::Nameless,
        }
    }
}

/// Where in the outermost object the scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum ScanPosition {
    #[default]
    Name,
    Colon,
    Value,
    /// Behind a value.
    Comma,
}

/// Reads a message piece by piece. Only the outermost object's names and short values are kept.
#[derive(Debug, Default)]
pub(super) struct MessageScan {
    found: Glance,
    depth: u64,
    has_begun: bool,
    is_object: bool,
    in_string: bool,
    is_escaped: bool,
    place: ScanPosition,
    name: String,
    token: Vec<u8>,
}

impl MessageScan {
    pub(super) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match self.in_string {
                true => self.in_string(*byte),
                false => self.outside(*byte),
            }
        }
    }

    /// What was found; a value that the end cuts was none.
    pub(super) fn end(mut self) -> Glance {
        if self.in_string || !self.token.is_empty() {
            self.token.clear();
            self.value(GivenId::Unreadable, None);
        }
        self.found
    }

    fn is_at_top(&self) -> bool {
        self.depth == 1 && self.is_object && !self.found.is_whole
    }

    fn keep(&mut self, byte: u8) {
        // One byte more than is allowed tells that it was too much.
        if self.is_at_top() && self.token.len() <= MAX_TOKEN {
            self.token.push(byte);
        }
    }

    fn in_string(&mut self, byte: u8) {
        self.keep(byte);
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = true,
            b'"' => {
                self.in_string = false;
                self.end_token();
            }
            _ => {}
        }
    }

    fn outside(&mut self, byte: u8) {
        if !self.has_begun && !byte.is_ascii_whitespace() {
            self.has_begun = true;
            self.is_object = byte == b'{';
        }
        match byte {
            b'"' => {
                self.end_token();
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.end_token();
                if self.is_at_top() {
                    self.value(GivenId::Unreadable, None);
                }
                self.depth += 1;
            }
            b'}' | b']' => {
                self.end_token();
                self.depth = self.depth.saturating_sub(1);
                self.found.is_whole |= self.depth == 0;
            }
            b':' | b',' => {
                self.end_token();
                if self.is_at_top() {
                    self.place = match (byte, self.place) {
                        (b':', ScanPosition::Colon) => ScanPosition::Value,
                        (b':', place) => place,
                        _ => ScanPosition::Name,
                    };
                }
            }
            _ if byte.is_ascii_whitespace() => self.end_token(),
            _ => self.keep(byte),
        }
    }

    fn end_token(&mut self) {
        let token = std::mem::take(&mut self.token);
        if token.is_empty() {
            return;
        }
        let text = std::str::from_utf8(&token).unwrap_or_default();
        let text = if token.len() > MAX_TOKEN { "" } else { text };
        match self.place {
            ScanPosition::Name => {
                self.name = serde_json::from_str(text).unwrap_or_default();
                self.place = ScanPosition::Colon;
            }
            ScanPosition::Value => {
                let method = serde_json::from_str(text).ok();
                self.value(GivenId::from_token(text), method);
            }
            ScanPosition::Colon | ScanPosition::Comma => {}
        }
    }

    /// Takes note of a member's value; of a name that stands twice, the last counts.
    fn value(&mut self, id: GivenId, method: Option<String>) {
        if self.place != ScanPosition::Value {
            return;
        }
        self.place = ScanPosition::Comma;
        match self.name.as_str() {
            "id" => self.found.id = id,
            "method" => self.found.method = method,
            "result" | "error" => self.found.has_outcome = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn glance(line: &[u8]) -> Glance {
        let mut scan = MessageScan::default();
        scan.read(line);
        scan.end()
    }

    fn kind(line: &str) -> String {
        match glance(line.as_bytes()).kind() {
            MessageKind::Request(id) => id.get().to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn an_id_is_read_wherever_it_can_be() {
        for (line, expected) in [
            (r#"{"id":7,"method":"x","#, "7"),
            (r#"{"id" : "a\"b" ,"method":"x""#, r#""a\"b""#),
            (r#"{"\u0069d":1.5,"method":"x"} rest"#, "1.5"),
            (
                r#"{"method":"x","id":18446744073709551616]"#,
                "18446744073709551616",
            ),
            (r#"{"params":{"id":1,"s":"\ud83d"},"id":2,"x"#, "2"),
            (r#"{"id":1,"id":2,"method":"x"#, "2"),
            // What is cut may be another id.
            (r#"{"method":"x","id":12"#, "Nameless"),
            (r#"{"method":"x","id":"ab"#, "Nameless"),
            (r#"{"method":"x","id":null}"#, "Nameless"),
            (r#"{"method":"x","id":[1]}"#, "Nameless"),
            (r#"{"id":"\ud83d","method":"x"}"#, "Nameless"),
            (r#"{"id":1e400,"method":"x"}"#, "Nameless"),
            (r#"{"method":"tools/call","par"#, "Nameless"),
            ("{nonsense", "Nameless"),
            (r#"[{"id":1,"method":"x"}"#, "Nameless"),
            (r#"x{"id":1,"method":"x"}"#, "Nameless"),
            (r#"{}{"id":1,"method":"x"}"#, "Nameless"),
            ("", "Nameless"),
        ] {
            assert_eq!(kind(line), expected, "{line}");
        }
    }

    #[test]
    fn nobody_waits_for_an_answer_to_notifications_and_responses() {
        for line in [
            r#"{"method":"x","params":"\ud83d"}"#,
            r#"{"method":"notifications/cancelled","params":{"#,
        ] {
            assert_eq!(kind(line), "Notification", "{line}");
        }
        for line in [
            r#"{"id":1,"result":{"#,
            r#"{"id":1,"error":"\ud83d"}"#,
            r#"{"error":5}"#,
        ] {
            assert_eq!(kind(line), "Response", "{line}");
        }
    }

    proptest! {
        #[test]
        fn it_matters_not_in_which_pieces_a_line_comes(line in "[\\[\\]{}:,\"a-e0-9 \\\\]{0,60}", at in 0usize..60) {
            let bytes = format!("{{\"id\":3,{line}").into_bytes();
            let mut scan = MessageScan::default();
            let (first, second) = bytes.split_at(at.min(bytes.len()));
            scan.read(first);
            scan.read(second);
            prop_assert_eq!(format!("{:?}", scan.end()), format!("{:?}", glance(&bytes)));
        }
    }
}
