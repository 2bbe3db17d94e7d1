//! What the parameters of MCP's methods must hold. What is listed here is refused in words before anybody works on it;
//! arguments of tools are the tools' own affair (SPEC TC5).

use serde_json::{Map, Value};

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ParamForm {
    Text,
    Object,
}

/// A parameter of a method.
struct Param {
    name: &'static str,
    form: ParamForm,
    is_required: bool,
}

const fn needs(name: &'static str, form: ParamForm) -> Param {
    Param {
        name,
        form,
        is_required: true,
    }
}

const fn takes(name: &'static str, form: ParamForm) -> Param {
    Param {
        name,
        form,
        is_required: false,
    }
}

/// The methods with parameters of their own.
const METHODS: [(&str, &[Param]); 10] = [
    (
        "initialize",
        &[
            needs("protocolVersion", ParamForm::Text),
            needs("capabilities", ParamForm::Object),
            needs("clientInfo", ParamForm::Object),
        ],
    ),
    ("tools/list", &[takes("cursor", ParamForm::Text)]),
    ("tools/call", &[needs("name", ParamForm::Text)]),
    ("prompts/list", &[takes("cursor", ParamForm::Text)]),
    (
        "prompts/get",
        &[
            needs("name", ParamForm::Text),
            takes("arguments", ParamForm::Object),
        ],
    ),
    ("resources/list", &[takes("cursor", ParamForm::Text)]),
    (
        "resources/templates/list",
        &[takes("cursor", ParamForm::Text)],
    ),
    ("resources/read", &[needs("uri", ParamForm::Text)]),
    ("resources/subscribe", &[needs("uri", ParamForm::Text)]),
    ("resources/unsubscribe", &[needs("uri", ParamForm::Text)]),
];

/// Whether a method is one of those with parameters.
pub(in crate::mcp) fn is_known(method: &str) -> bool {
    METHODS.iter().any(|(name, _)| *name == method)
}

/// What is wrong with the parameters of a request, as a sentence.
pub(super) fn problem(method: &str, params: &Map<String, Value>) -> Option<String> {
    let meta = takes("_meta", ParamForm::Object);
    let own = METHODS.iter().find(|(name, _)| *name == method);
    let own = own.map_or(&[][..], |(_, params)| params);
    std::iter::once(&meta)
        .chain(own)
        .find_map(|param| param.problem(method, params.get(param.name)))
}

impl Param {
    fn problem(&self, method: &str, given: Option<&Value>) -> Option<String> {
        let name = self.name;
        let wanted = match self.form {
            ParamForm::Text => "a string",
            ParamForm::Object => "an object",
        };
        match given {
            None | Some(Value::Null) => self
                .is_required
                .then(|| format!("`{method}` needs `params.{name}`, which is {wanted}.")),
            Some(Value::String(_)) if self.form == ParamForm::Text => None,
            Some(Value::Object(_)) if self.form == ParamForm::Object => None,
            Some(other) => Some(format!("`params.{name}` is {}, not {wanted}.", kind(other))),
        }
    }
}

/// What a value is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(method: &str, params: &Value) -> Option<String> {
        problem(method, params.as_object().unwrap())
    }

    #[test]
    fn what_is_missing_or_wrong_is_said() {
        for method in [
            "resources/read",
            "resources/subscribe",
            "resources/unsubscribe",
        ] {
            let expected = format!("`{method}` needs `params.uri`, which is a string.");
            assert_eq!(said(method, &json!({})), Some(expected.clone()));
            assert_eq!(said(method, &json!({ "uri": null })), Some(expected));
            let wrong = said(method, &json!({ "uri": 5 }));
            assert_eq!(
                wrong.as_deref(),
                Some("`params.uri` is a number, not a string.")
            );
            assert_eq!(said(method, &json!({ "uri": "x" })), None);
        }
        let wrong = said("ping", &json!({ "_meta": 5 }));
        assert_eq!(
            wrong.as_deref(),
            Some("`params._meta` is a number, not an object.")
        );
        assert_eq!(said("tools/list", &json!({ "cursor": null })), None);
        assert_eq!(said("no/such", &json!({ "any": [1] })), None);
    }
}
