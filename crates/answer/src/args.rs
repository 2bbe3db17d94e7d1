//! Arguments: checked before a handler sees them, forgiving where no doubt is possible.

use codecortex_protocol::{AnswerFormat, Caller, Tokenizer, ToolError};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::budget::Limit;
use crate::cursor::Question;
use crate::words::{take_words, whole_number};

/// Longer strings than this are not names, paths or queries.
pub const MAX_TEXT: usize = 4096;

/// The arguments that a tool takes.
pub struct Arguments {
    /// The tool's name.
    pub tool: &'static str,
    /// The names of its arguments.
    pub names: &'static [String],
    /// Those that have to be given.
    pub required: &'static [String],
    /// Other names that callers use for them, and what they mean.
    pub aliases: &'static [(&'static str, &'static str)],
    /// The JSON schema of all of them.
    pub schema: &'static Value,
}

/// What an answer is to be like.
pub struct AnswerOptions {
    /// What the answer may cost.
    pub limit: Limit,
    /// As what it is given.
    pub format: AnswerFormat,
    /// What is asked, whatever page of it.
    pub question: Question,
}

/// A call's arguments, those of every tool taken out.
pub struct ToolArguments {
    /// What the answer is to be like.
    pub wanted: AnswerOptions,
    /// With `cursor` as the handler made it.
    pub rest: Map<String, Value>,
}

/// The properties that every tool's schema has. Every client pays for their length with each tool. `format` is accepted too,
/// but not listed: an MCP client gets both forms, and an editor's settings select one.
pub fn common_properties() -> Map<String, Value> {
    let properties =
        json!({ "maxTokens": { "type": "integer", "description": "Limits the answer." } });
    match properties {
        Value::Object(properties) => properties,
        _ => Map::new(),
    }
}

impl ToolArguments {
    /// Reads what every tool takes and checks the names of the rest.
    pub fn read(
        tool: &Arguments,
        args: &Value,
        (format, tokenizer): (AnswerFormat, Tokenizer),
        caller: Caller,
    ) -> Result<Self, ToolError> {
        let mut rest = match args {
            Value::Null => Map::new(),
            Value::Object(object) => object.clone(),
            other => {
                return Err(ToolError::invalid(format!(
                    "The arguments are {}, not an object.",
                    kind(other)
                ))
                .hint("Give the arguments as a JSON object."));
            }
        };
        // Models write null for what they leave out.
        rest.retain(|_, value| !value.is_null());
        take_place(tool, &mut rest)?;
        for (alias, name) in tool.aliases {
            if !rest.contains_key(*name)
                && let Some(value) = rest.remove(*alias)
            {
                rest.insert((*name).to_owned(), value);
            }
        }
        // Models fill in every argument: an empty text is one that was not given.
        rest.retain(|name, value| value.as_str() != Some("") || tool.required.contains(name));
        take_words(tool.schema, &mut rest);
        let tokens = max_tokens(&mut rest)?;
        let format = match rest.remove("format") {
            None => format,
            Some(value) => serde_json::from_value(value.clone()).map_err(|_| {
                ToolError::invalid(format!("`format` is {value}."))
                    .hint("Give `json`, `text` or `both`.")
            })?,
        };
        check_names(tool, &rest)?;
        let question = Question::for_call(tool.tool, &rest);
        if let Some(Value::String(cursor)) = rest.get_mut("cursor") {
            *cursor = question.open(cursor)?;
        }
        let limit = Limit::of_door(caller, tokenizer).at_most(tokens);
        let wanted = AnswerOptions {
            limit,
            format,
            question,
        };
        Ok(Self { wanted, rest })
    }
}

/// A place in a file names a symbol too (SPEC D20): a tool without a `position` of its own is given it as its symbol, the
/// way people write places.
fn take_place(tool: &Arguments, rest: &mut Map<String, Value>) -> Result<(), ToolError> {
    let has = |name: &str| tool.names.iter().any(|known| known == name);
    let is_symbol =
        |name: &&str| has(name) && (*name != "name" || tool.aliases.contains(&("symbol", "name")));
    let target = ["symbol", "name", "symbols"].into_iter().find(is_symbol);
    let Some(target) = target.filter(|_| !has("position") && rest.contains_key("position")) else {
        return Ok(());
    };
    let is_given = |name: &&str| rest.contains_key(*name);
    let given = ["symbol", "name", "symbols"]
        .iter()
        .find(|name| is_given(name));
    if let Some(given) = given {
        return Err(
            ToolError::invalid(format!("`{given}` and `position` exclude each other."))
                .hint("Give a symbol, or `filePath` with `position`."),
        );
    }
    let number = |of: &Value, name: &str| {
        let number = of.get(name).and_then(whole_number);
        number.filter(|number| (1.0..=f64::from(u32::MAX)).contains(number))
    };
    let position = rest.get("position").unwrap_or(&Value::Null);
    let place = match (
        rest.get("filePath").and_then(Value::as_str),
        number(position, "line"),
        number(position, "character"),
    ) {
        (Some(path), Some(line), Some(character)) => format!("{path}:{line}:{character}"),
        (None, ..) => {
            return Err(ToolError::invalid("`position` is without `filePath`.")
                .hint("Give the file that it is in as `filePath`."));
        }
        _ => {
            return Err(ToolError::invalid("`position` is not a valid position.")
                .hint("Give `line` and `character` as an editor shows them, from 1."));
        }
    };
    rest.remove("position");
    rest.remove("filePath");
    let value = match target {
        "symbols" => json!([place]),
        _ => Value::String(place),
    };
    rest.insert(target.to_owned(), value);
    Ok(())
}

/// What an answer may cost by the arguments, also where these are wrong in another way (SPEC D14).
pub fn limit_asked(args: &Value, tokenizer: Tokenizer, caller: Caller) -> Limit {
    let mut asked = args.as_object().cloned().unwrap_or_default();
    let tokens = max_tokens(&mut asked).unwrap_or_default();
    Limit::of_door(caller, tokenizer).at_most(tokens)
}

fn max_tokens(rest: &mut Map<String, Value>) -> Result<Option<u32>, ToolError> {
    let Some(value) = rest.remove("maxTokens").or_else(|| rest.remove("budget")) else {
        return Ok(None);
    };
    match whole_number(&value).filter(|number| *number >= 0.0) {
        Some(number) => Ok(Some(number.min(f64::from(u32::MAX)) as u32)),
        None => Err(ToolError::invalid(format!("`maxTokens` is {value}."))
            .hint("Give a whole number of tokens, 0 or more.")),
    }
}

fn check_names(tool: &Arguments, rest: &Map<String, Value>) -> Result<(), ToolError> {
    let known = tool.names;
    for name in rest.keys() {
        if known.contains(name) {
            continue;
        }
        let near = known
            .iter()
            .min_by_key(|known| strsim::levenshtein(known, name))
            .map_or("", String::as_str);
        let shown: String = name.chars().take(60).collect();
        return Err(
            ToolError::invalid(format!("`{}` has no argument `{shown}`.", tool.tool)).hint(
                format!("Did you mean `{near}`? It takes {}.", known.join(", ")),
            ),
        );
    }
    Ok(())
}

/// The handler's own arguments, with a sentence that says which one is wrong and why.
pub fn parse<T: DeserializeOwned>(rest: Value) -> Result<T, ToolError> {
    serde_path_to_error::deserialize(rest).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner().to_string();
        match path.as_str() {
            "." => ToolError::invalid(format!("The arguments are wrong: {problem}.")),
            path => ToolError::invalid(format!("`{path}` is wrong: {problem}.")),
        }
        .hint("See the tool's input schema for names and types.")
    })
}

/// A text that may be looked for.
pub fn check_text(name: &str, text: &str) -> Result<(), ToolError> {
    if text.trim().is_empty() {
        return Err(ToolError::invalid(format!("`{name}` is empty.")));
    }
    if text.len() > MAX_TEXT {
        return Err(ToolError::invalid(format!(
            "`{name}` has {} bytes; {MAX_TEXT} are the most.",
            text.len()
        )));
    }
    Ok(())
}

/// The entries of a list; one thing that is no list is a list of it.
pub fn entries(value: Option<&Value>) -> &[Value] {
    match value {
        None => &[],
        Some(Value::Array(entries)) => entries,
        Some(single) => std::slice::from_ref(single),
    }
}

/// A number within its schema's bounds.
pub fn check_range(name: &str, value: u64, least: u64, most: u64) -> Result<usize, ToolError> {
    if (least..=most).contains(&value) {
        return Ok(value as usize);
    }
    Err(ToolError::invalid(format!("`{name}` is {value}."))
        .hint(format!("Give a number from {least} to {most}.")))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
