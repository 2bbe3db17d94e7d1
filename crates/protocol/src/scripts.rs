//! How scripts of AngelScript are read, as data (SPEC AS1).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Settings for AngelScript. Missing ones come from other settings or from the scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ScriptSettings {
    /// Whether every script sees every other one without `import`: `auto` follows the engine's database, else the
    /// scripts' own imports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automatic_imports: Option<AutomaticImports>,
    /// Members that the project's engine generates from others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated_members: Option<Vec<GeneratedMember>>,
}

/// Whether every script sees every other one without `import`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenImports", into = "&'static str")]
pub enum AutomaticImports {
    /// What the engine says, else what the scripts show.
    #[default]
    Auto,
    /// They do.
    True,
    /// Only what is imported is seen.
    False,
}

/// The same as people write it: a word, or a truth value.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenImports {
    Truth(bool),
    Word(ImportsWord),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum ImportsWord {
    Auto,
    True,
    False,
}

impl From<WrittenImports> for AutomaticImports {
    fn from(written: WrittenImports) -> Self {
        match written {
            WrittenImports::Word(ImportsWord::Auto) => Self::Auto,
            WrittenImports::Truth(true) | WrittenImports::Word(ImportsWord::True) => Self::True,
            WrittenImports::Truth(false) | WrittenImports::Word(ImportsWord::False) => Self::False,
        }
    }
}

impl From<AutomaticImports> for &'static str {
    fn from(imports: AutomaticImports) -> Self {
        match imports {
            AutomaticImports::Auto => "auto",
            AutomaticImports::True => "true",
            AutomaticImports::False => "false",
        }
    }
}

impl JsonSchema for AutomaticImports {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AutomaticImports".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Whether every script sees every other one without `import`.",
            "enum": ["auto", "true", "false", true, false]
        })
    }
}

/// A member that the project's engine generates from another one: its uses are uses of that one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GeneratedMember {
    /// Its name, with `<Event>`, `<Prop>`, `<Method>` or `<Member>` for the name of its source: `Trigger_<Event>`.
    /// A property `bLit` is also `Lit`.
    #[schemars(regex(pattern = r"^[^<>]*<(Event|Prop|Method|Member)>[^<>]*$"))]
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_said_in_a_word_or_as_a_truth_value() {
        let read = |text: &str| serde_json::from_str::<AutomaticImports>(text);
        for (text, is) in [
            ("\"auto\"", AutomaticImports::Auto),
            ("true", AutomaticImports::True),
            ("\"false\"", AutomaticImports::False),
        ] {
            assert_eq!(read(text).ok(), Some(is), "{text}");
        }
        assert!(read("\"never\"").is_err() && read("1").is_err());
        assert_eq!(
            serde_json::to_string(&AutomaticImports::True).ok(),
            Some("\"true\"".to_owned())
        );
    }
}
