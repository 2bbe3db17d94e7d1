//! The members of a JSON-RPC message, as they were written.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::scan::{GivenId, Glance};

/// A message whose brackets match and whose strings end. What its members hold is not read yet.
#[derive(Debug, Default)]
pub(super) struct Message<'a> {
    pub(super) jsonrpc: Option<&'a RawValue>,
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: Option<&'a RawValue>,
    pub(super) params: Option<&'a RawValue>,
    pub(super) result: Option<&'a RawValue>,
    pub(super) error: Option<&'a RawValue>,
    /// A member that stands twice; its last value counts.
    pub(super) doubled: Option<&'static str>,
}

impl Message<'_> {
    /// What kind of message it is.
    pub(super) fn glance(&self) -> Glance {
        let text = |raw: &RawValue| serde_json::from_str(raw.get()).ok();
        Glance {
            id: self
                .id
                .map_or(GivenId::Absent, |id| GivenId::from_token(id.get())),
            method: self.method.and_then(text),
            has_outcome: self.result.is_some() || self.error.is_some(),
            is_whole: true,
        }
    }
}

/// A member's name.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum JsonMember {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for Message<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Message<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a JSON-RPC message")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut message = Message::default();
                while let Some(member) = map.next_key()? {
                    let (slot, name) = match member {
                        JsonMember::Jsonrpc => (&mut message.jsonrpc, "jsonrpc"),
                        JsonMember::Id => (&mut message.id, "id"),
                        JsonMember::Method => (&mut message.method, "method"),
                        JsonMember::Params => (&mut message.params, "params"),
                        JsonMember::Result => (&mut message.result, "result"),
                        JsonMember::Error => (&mut message.error, "error"),
                        JsonMember::Other => {
                            map.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    if slot.replace(map.next_value()?).is_some() {
                        message.doubled = Some(name);
                    }
                }
                Ok(message)
            }
        }

        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_kept_as_they_were_written() {
        let line = br#"{ "id" : 1.50, "\u006dethod":"x", "more":[{}], "params" : {"a": 1} }"#;
        let message: Message<'_> = serde_json::from_slice(line).unwrap();
        let raw = |raw: Option<&RawValue>| raw.map(|raw| raw.get().to_owned());
        assert_eq!(raw(message.id).as_deref(), Some("1.50"));
        assert_eq!(raw(message.method).as_deref(), Some("\"x\""));
        assert_eq!(raw(message.params).as_deref(), Some("{\"a\": 1}"));
        assert_eq!((message.doubled, raw(message.jsonrpc)), (None, None));
    }

    #[test]
    fn of_a_member_that_stands_twice_the_last_value_counts() {
        let message: Message<'_> = serde_json::from_str(r#"{"id":1,"id":2}"#).unwrap();
        assert_eq!(message.doubled, Some("id"));
        assert_eq!(message.id.map(RawValue::get), Some("2"));
    }

    #[test]
    fn what_is_no_object_is_no_message() {
        for line in ["7", "[]", "null", "{", "{} {}", "{\"id\":}"] {
            assert!(serde_json::from_str::<Message<'_>>(line).is_err(), "{line}");
        }
    }
}
