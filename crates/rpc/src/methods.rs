//! Methods: the names of `000` §6 with their parameters, as calls of tools. A tool can be called by its own name, too.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

/// The table, as `data/methods.json` has it.
pub static METHODS: LazyLock<Vec<Method>> = LazyLock::new(|| {
    // A test reads it, so that it always can be read.
    serde_json::from_str(include_str!("../data/methods.json")).unwrap_or_default()
});

/// A method by a name of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Method {
    /// What a peer calls.
    pub name: String,
    /// The tool that answers.
    pub tool: String,
    /// Arguments that it always has.
    #[serde(default)]
    pub fixed: Map<String, Value>,
    /// Its parameters in their order.
    #[serde(default)]
    pub params: Vec<Param>,
    /// Names of its own for what the tool answers.
    #[serde(default)]
    pub results: Vec<MethodResult>,
    /// Whether it tells each step of an operation until that is over.
    #[serde(default)]
    pub follows: bool,
}

/// A parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// The names that it has; any one may be given.
    pub names: Vec<String>,
    /// The tool's argument.
    pub argument: String,
    /// Whether that is a list, of which one is a value too.
    #[serde(default)]
    pub list: bool,
}

/// A part of a result.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodResult {
    /// Its name.
    pub name: String,
    /// Where it is in what the tool answers: names joined by dots. `text` is the text form where there is no such
    /// field, `ok` is `true`.
    pub from: String,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Which one.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
}

/// Why a call is not one of a tool.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Invalid {
    /// There is no such method.
    #[error("There is no method `{0}`.")]
    Method(String),
    /// There are more parameters than it has.
    #[error("`{method}` takes {most} parameters by place, {given} were given.")]
    Count {
        /// The method.
        method: String,
        /// How many it has.
        most: usize,
        /// How many were given.
        given: usize,
    },
    /// A parameter was given by two of its names.
    #[error("`{0}` and `{1}` are one parameter.")]
    Twice(String, String),
    /// A tool takes arguments by name.
    #[error("`{0}` takes its arguments by name.")]
    ByPlace(String),
}

/// A method by its name.
#[must_use]
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// The call of a tool that a request is. `is_tool` says whether there is a tool of a name.
///
/// # Errors
/// When there is no such method, or the parameters do not fit it.
pub fn tool_call(
    name: &str,
    params: Value,
    is_tool: impl Fn(&str) -> bool,
) -> Result<ToolCall, Invalid> {
    let Some(method) = method(name) else {
        return match params {
            _ if !is_tool(name) => Err(Invalid::Method(name.to_owned())),
            Value::Array(given) if !given.is_empty() => Err(Invalid::ByPlace(name.to_owned())),
            Value::Array(_) => Ok(of_tool(name, Value::Object(Map::new()))),
            args => Ok(of_tool(name, args)),
        };
    };
    let mut args = match params {
        Value::Array(given) => method.by_place(given)?,
        Value::Object(given) => method.by_name(given)?,
        _ => Map::new(),
    };
    args.extend(method.fixed.clone());
    Ok(of_tool(&method.tool, Value::Object(args)))
}

fn of_tool(tool: &str, args: Value) -> ToolCall {
    ToolCall {
        tool: tool.to_owned(),
        args,
    }
}

impl Method {
    fn by_place(&self, given: Vec<Value>) -> Result<Map<String, Value>, Invalid> {
        if given.len() > self.params.len() {
            return Err(Invalid::Count {
                method: self.name.clone(),
                most: self.params.len(),
                given: given.len(),
            });
        }
        let pairs = self.params.iter().zip(given);
        let pairs = pairs.filter(|(_, value)| !value.is_null());
        Ok(pairs.map(|(param, value)| param.argument(value)).collect())
    }

    /// What a tool takes beyond the method's parameters goes through as it is: `maxTokens`, `cursor`.
    fn by_name(&self, mut given: Map<String, Value>) -> Result<Map<String, Value>, Invalid> {
        let mut args = Map::new();
        for param in &self.params {
            let mut names = param.names.iter().filter(|name| given.contains_key(*name));
            let (name, other) = (names.next().cloned(), names.next().cloned());
            match (name, other) {
                (Some(name), Some(other)) => return Err(Invalid::Twice(name, other)),
                (Some(name), None) => {
                    args.extend(given.remove(&name).map(|value| param.argument(value)));
                }
                (None, _) => {}
            }
        }
        for (name, value) in given {
            args.entry(name).or_insert(value);
        }
        Ok(args)
    }
}

impl Param {
    fn argument(&self, value: Value) -> (String, Value) {
        let value = match value {
            value @ Value::Array(_) => value,
            value if self.list => Value::Array(vec![value]),
            value => value,
        };
        (self.argument.clone(), value)
    }
}
