//! An element of a list in a JSON document, such as a hook below `hooks.PostToolUse`: put in, found and taken out in place.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::json::OPTIONS;
use super::{DocumentError, with_bom, without_bom};

/// Where the list is, and which of its elements is meant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListSlot<'a> {
    /// The keys that lead to the list, the outermost first.
    pub(crate) keys: &'a [String],
    pub(crate) is_ours: fn(&Value) -> bool,
}

impl ListSlot<'_> {
    /// The element; none where there is none.
    pub(crate) fn read(self, text: &str) -> Result<Option<Value>, DocumentError> {
        let root = parsed(text)?;
        let list = self.list(&root)?;
        let values = list.iter().flat_map(CstArray::elements);
        let mut values = values.filter_map(|element| element.to_serde_value());
        Ok(values.find(|value| (self.is_ours)(value)))
    }

    /// The document with the element behind those that are there.
    pub(crate) fn insert(self, text: &str, element: &Value) -> Result<String, DocumentError> {
        let before = value_of(text)?;
        let root = parsed(text)?;
        self.list(&root)?; // a shape that is not understood is left alone
        let is_new = root.value().is_none();
        let mut object = root.object_value_or_set();
        let Some((last, outer)) = self.keys.split_last() else {
            return Err(DocumentError::shape("a list has no key"));
        };
        for key in outer {
            object = object.object_value_or_set(key);
        }
        object.array_value_or_set(last).append(input(element));
        let mut after = with_bom(text, root.to_string());
        if is_new && !after.ends_with('\n') {
            after.push('\n');
        }
        self.confirm(before, &after, Some(element))?;
        Ok(after)
    }

    /// The document without the element, and without the keys that then have nothing below them where `with_keys`.
    pub(crate) fn remove(self, text: &str, with_keys: bool) -> Result<String, DocumentError> {
        let before = value_of(text)?;
        let root = parsed(text)?;
        let Some(list) = self.list(&root)? else {
            return Ok(text.to_owned());
        };
        let elements = list.elements().into_iter();
        let ours = elements.filter(|element| {
            let value = element.to_serde_value();
            value.is_some_and(|value| (self.is_ours)(&value))
        });
        ours.collect::<Vec<_>>()
            .into_iter()
            .for_each(CstNode::remove);
        if with_keys && list.elements().is_empty() {
            self.remove_empty(&root);
        }
        let after = with_bom(text, root.to_string());
        self.confirm(before, &after, None)?;
        Ok(after)
    }

    /// Whether the document has the outermost key.
    pub(crate) fn has_key(self, text: &str) -> bool {
        let value = value_of(text);
        let key = self.keys.first();
        value.is_ok_and(|value| key.is_some_and(|key| value.get(key).is_some()))
    }

    /// The list; none where a key on the way to it is not there.
    fn list(self, root: &CstRootNode) -> Result<Option<CstArray>, DocumentError> {
        let mut object = match root.value() {
            None => return Ok(None),
            Some(value) => value.as_object(),
        };
        let Some((last, outer)) = self.keys.split_last() else {
            return Ok(None);
        };
        for key in outer {
            let Some(here) = object else {
                return Err(DocumentError::shape(format!(
                    "what is above `{key}` is not a map"
                )));
            };
            object = match member(&here, key)? {
                None => return Ok(None),
                Some(value) => value.as_object(),
            };
        }
        let Some(here) = object else {
            return Err(DocumentError::shape(format!(
                "what is above `{last}` is not a map"
            )));
        };
        let Some(value) = member(&here, last)? else {
            return Ok(None);
        };
        let list = value.as_array();
        list.map(Some)
            .ok_or_else(|| DocumentError::shape(format!("`{last}` is not a list")))
    }

    /// Takes out the keys that have nothing below them, the innermost first.
    fn remove_empty(self, root: &CstRootNode) {
        for count in (1..=self.keys.len()).rev() {
            let Some((last, outer)) = self.keys.split_at(count).0.split_last() else {
                return;
            };
            let object = outer.iter().try_fold(root.object_value(), |object, key| {
                Some(object?.object_value(key))
            });
            let property = object.flatten().and_then(|object| object.get(last));
            let is_empty = property.as_ref().is_some_and(|property| {
                let list = property
                    .array_value()
                    .is_some_and(|list| list.elements().is_empty());
                let map = property
                    .object_value()
                    .is_some_and(|map| map.properties().is_empty());
                list || map
            });
            match property {
                Some(property) if is_empty => property.remove(),
                _ => return,
            }
        }
    }

    /// A change that would change anything else is not made.
    fn confirm(
        self,
        mut before: Value,
        after: &str,
        element: Option<&Value>,
    ) -> Result<(), DocumentError> {
        let mut found =
            value_of(after).map_err(|_| DocumentError::shape("a change would break it"))?;
        for value in [&mut before, &mut found] {
            self.take_ours(value);
        }
        let is_there = self.read(after)? == element.cloned();
        match before == found && is_there {
            true => Ok(()),
            false => Err(DocumentError::shape("a change would change other settings")),
        }
    }

    /// Takes our elements out of a value, and keys with nothing below them.
    fn take_ours(self, value: &mut Value) {
        fn prune(value: &mut Value, keys: &[String], is_ours: fn(&Value) -> bool) {
            match keys.split_first() {
                None => {
                    if let Some(list) = value.as_array_mut() {
                        list.retain(|element| !is_ours(element));
                    }
                }
                Some((key, rest)) => {
                    let Some(map) = value.as_object_mut() else {
                        return;
                    };
                    if let Some(below) = map.get_mut(key) {
                        prune(below, rest, is_ours);
                        if is_empty(below) {
                            map.remove(key);
                        }
                    }
                }
            }
        }
        prune(value, self.keys, self.is_ours);
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// The value of a key that stands once; null says nothing.
fn member(object: &CstObject, key: &str) -> Result<Option<CstNode>, DocumentError> {
    let properties = object.properties().into_iter();
    let mut found = properties.filter(|property| property.decoded_name().as_deref() == Some(key));
    let first = found.next();
    if found.next().is_some() {
        return Err(DocumentError::shape(format!("`{key}` stands twice")));
    }
    let value = first.and_then(|property| property.value());
    Ok(value.filter(|value| value.as_null_keyword().is_none()))
}

fn parsed(text: &str) -> Result<CstRootNode, DocumentError> {
    let root = CstRootNode::parse(without_bom(text), &OPTIONS);
    root.map_err(|error| DocumentError::Broken(error.to_string()))
}

fn value_of(text: &str) -> Result<Value, DocumentError> {
    let value = parsed(text)?.to_serde_value();
    Ok(value.unwrap_or_else(|| Value::Object(Map::new())))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Value::Object(map) => {
            let properties = map.iter().map(|(key, value)| (key.clone(), input(value)));
            CstInputValue::Object(properties.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn is_ours(value: &Value) -> bool {
        value.to_string().contains("codecortex hook")
    }

    fn keys() -> Vec<String> {
        ["hooks", "PostToolUse"].map(str::to_owned).to_vec()
    }

    fn element() -> Value {
        json!({ "matcher": "Grep", "hooks": [{ "type": "command", "command": "codecortex hook" }] })
    }

    #[test]
    fn other_elements_comments_and_order_stay() {
        let keys = keys();
        let slot = ListSlot {
            keys: &keys,
            is_ours,
        };
        for text in [
            "",
            "{}\n",
            "{\n  \"model\": \"x\" // mine\n}\n",
            "{\n\t\"hooks\": {\n\t\t\"Stop\": [], // none\n\t\t\"PostToolUse\": [\n\t\t\t{ \"matcher\": \"Edit\", \"hooks\": [] },\n\t\t],\n\t},\n}\n",
            "\u{feff}{\r\n  \"hooks\": { \"PostToolUse\": [] }\r\n}\r\n",
            "{ \"hooks\": null }",
        ] {
            let after = slot.insert(text, &element()).unwrap();
            assert_eq!(slot.read(&after).unwrap(), Some(element()), "{after}");
            for part in ["// mine", "// none", "\"Edit\"", "\u{feff}"] {
                assert_eq!(after.contains(part), text.contains(part), "{after}");
            }
            assert_eq!(after.contains("\r\n"), text.contains("\r\n"), "{after:?}");
            let back = slot.remove(&after, true).unwrap();
            assert_eq!(slot.read(&back).unwrap(), None);
            let mut expected = value_of(text).unwrap();
            slot.take_ours(&mut expected);
            let mut found = value_of(&back).unwrap();
            slot.take_ours(&mut found);
            assert_eq!(found, expected, "{back}");
        }
    }

    #[test]
    fn an_unknown_shape_is_left_alone() {
        let keys = keys();
        let slot = ListSlot {
            keys: &keys,
            is_ours,
        };
        for (text, why) in [
            ("[]", "is not a map"),
            ("{\"hooks\": []}", "is not a map"),
            ("{\"hooks\": {\"PostToolUse\": {}}}", "is not a list"),
            ("{\"hooks\": {}, \"hooks\": {}}", "stands twice"),
            ("{\"hooks\": ", "does not parse"),
        ] {
            let error = slot.insert(text, &element()).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
