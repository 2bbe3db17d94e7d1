//! An MCP server as an agent's entry, and back.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// How a server is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The program: a path, or a name on the PATH.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that are set for it.
    pub env: BTreeMap<String, String>,
}

/// Keys under which agents write variables.
const ENV_KEYS: [&str; 3] = ["env", "envs", "environment"];

/// The entry that an agent's template becomes.
pub(crate) fn fill(template: &Map<String, Value>, invocation: &Invocation) -> Value {
    let fill = |value: &Value| match value.as_str() {
        Some("$command") => json!(invocation.command),
        Some("$args") => json!(invocation.args),
        Some("$invocation") => {
            let whole = std::iter::once(&invocation.command).chain(&invocation.args);
            Value::Array(whole.map(|word| json!(word)).collect())
        }
        _ => value.clone(),
    };
    let filled = template
        .iter()
        .map(|(key, value)| (key.clone(), fill(value)));
    Value::Object(filled.collect())
}

/// How the server of an entry is started; none where the entry does not say it as the template does.
pub(crate) fn read(template: &Map<String, Value>, entry: &Value) -> Option<Invocation> {
    let words = |value: &Value| -> Option<Vec<String>> {
        let words = value.as_array()?.iter();
        words.map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let mut command = None;
    let mut args = Vec::new();
    for (key, place) in template {
        let value = entry.get(key);
        match place.as_str() {
            Some("$command") => command = Some(value?.as_str()?.to_owned()),
            // A server without arguments need not have the key.
            Some("$args") => args = value.map_or_else(|| Some(Vec::new()), &words)?,
            Some("$invocation") => {
                let mut whole = words(value?)?.into_iter();
                command = Some(whole.next()?);
                args = whole.collect();
            }
            _ => {}
        }
    }
    let variables = ENV_KEYS.iter().find_map(|key| entry.get(key)?.as_object());
    let variables = variables.into_iter().flatten();
    Some(Invocation {
        command: command?,
        args,
        env: variables
            .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect(),
    })
}

/// Whether an entry starts this server in some version: a program of our name, or one that is given it, told to serve.
pub(crate) fn is_of_codecortex(template: &Map<String, Value>, entry: &Value) -> bool {
    let Some(invocation) = read(template, entry) else {
        return false;
    };
    let words = std::iter::once(&invocation.command).chain(&invocation.args);
    let names_us = |word: &String| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        let name = name.split('@').next().unwrap_or(name);
        matches!(name, "codecortex" | "codecortex.exe")
    };
    let serves = invocation.args.iter().any(|word| word == "mcp");
    serves && words.into_iter().any(names_us)
}

/// The argument that has the program answer an agent's hook.
const HOOK: &str = "hook";

/// The hook that an agent's template becomes: `"$hook"` stands for the command line, as a shell reads it.
pub(crate) fn fill_hook(template: &Map<String, Value>, invocation: &Invocation) -> Value {
    let words = std::iter::once(&invocation.command).chain(&invocation.args);
    let mut words: Vec<&str> = words.map(String::as_str).collect();
    if let Some(last) = words.last_mut().filter(|last| **last == "mcp") {
        *last = HOOK;
    }
    let line = words.into_iter().map(quoted).collect::<Vec<_>>().join(" ");
    let mut value = Value::Object(template.clone());
    fill_line(&mut value, &line);
    value
}

fn fill_line(value: &mut Value, line: &str) {
    match value {
        Value::String(text) if text == "$hook" => line.clone_into(text),
        Value::Array(list) => list.iter_mut().for_each(|value| fill_line(value, line)),
        Value::Object(map) => map.values_mut().for_each(|value| fill_line(value, line)),
        _ => {}
    }
}

/// A word as shells on every system read it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:\\@=+".contains(c);
    match word.chars().all(is_plain) && !word.is_empty() {
        true => word.to_owned(),
        false => format!("\"{}\"", word.replace('"', "\\\"")),
    }
}

/// Whether an element of a list of hooks runs this program's hook in some version.
pub(crate) fn is_our_hook(element: &Value) -> bool {
    match element {
        Value::String(line) => {
            let line = line.trim_end();
            line.contains("codecortex") && line.ends_with(" hook")
        }
        Value::Array(list) => list.iter().any(is_our_hook),
        Value::Object(map) => map.values().any(is_our_hook),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::agents;

    #[test]
    fn what_is_filled_in_is_read_back() {
        let invocation = Invocation {
            command: r"C:\Program Files\codecortex.exe".to_owned(),
            args: vec!["mcp".to_owned(), "--root".to_owned(), "a b".to_owned()],
            env: BTreeMap::new(),
        };
        for agent in agents() {
            let entry = fill(&agent.mcp.entry, &invocation);
            assert!(!entry.to_string().contains('$'), "{entry}");
            let back = read(&agent.mcp.entry, &entry);
            assert_eq!(back.as_ref(), Some(&invocation), "{}", agent.id);
            assert!(is_of_codecortex(&agent.mcp.entry, &entry));
        }
    }

    #[test]
    fn other_servers_are_not_ours() {
        let claude = &agents()[0].mcp.entry;
        for (entry, is_ours) in [
            (
                json!({ "command": "npx", "args": ["codecortex@1.2", "mcp"] }),
                true,
            ),
            (
                json!({ "command": "/x/codecortex", "args": ["serve"] }),
                false,
            ),
            (json!({ "command": "other", "args": ["mcp"] }), false),
            (json!({ "url": "http://x" }), false),
            (json!("codecortex mcp"), false),
        ] {
            assert_eq!(is_of_codecortex(claude, &entry), is_ours, "{entry}");
        }
    }
}
