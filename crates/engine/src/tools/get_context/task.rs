//! The task's file in a payload: where it is and what is short of it (`003` §4.1: no large JSON).

use codecortex_context::payload::{Task, TaskJson};
use codecortex_protocol::{Failure, tokens_approx};
use serde_json::{Map, Value};

use crate::invocation::Invocation;
use crate::tools::get_context::ContextArgs;

/// Characters of a field that is told.
const SHORT: usize = 400;
/// Fields of a task's file that name it.
const ID_FIELDS: [&str; 3] = ["task_id", "taskId", "id"];

/// The task, and what the reader should know of its file.
pub(super) fn task(
    cx: &Invocation<'_>,
    args: &ContextArgs,
    tokens: Option<u32>,
) -> Result<(Task, Option<String>), Failure> {
    let mut task = Task {
        task_id: args.task_id.clone(),
        task_json: None,
    };
    let (Some(path), Some(tokens)) = (&args.task_json_path, tokens) else {
        return Ok((task, None));
    };
    let file = cx.locate(path)?;
    let text = cx.text_of(&file)?.snapshot.text.text();
    let shown = match (&file.place, cx.workspace.roots.len()) {
        (Some(place), 1) => place.path.clone(),
        _ => file.display.clone(),
    };
    let Ok(Value::Object(fields)) = serde_json::from_str(&text) else {
        task.task_json = Some(TaskJson {
            path: shown,
            fields: Map::new(),
        });
        return Ok((
            task,
            Some("The task's file is not a JSON object.".to_owned()),
        ));
    };
    if task.task_id.is_none() {
        let named = ID_FIELDS.iter().find_map(|name| fields.get(*name));
        task.task_id = named.and_then(|id| match id {
            Value::String(id) => Some(id.clone()),
            Value::Number(id) => Some(id.to_string()),
            _ => None,
        });
    }
    let all = fields.len();
    let fields = short(fields, tokens);
    let left_out = all - fields.len();
    let note = format!("{left_out} fields of the task's file are omitted.");
    task.task_json = Some(TaskJson {
        path: shown,
        fields,
    });
    Ok((task, (left_out > 0).then_some(note)))
}

/// The fields that are short, in their order, as long as there is room.
fn short(fields: Map<String, Value>, tokens: u32) -> Map<String, Value> {
    let mut told = Map::new();
    let mut spent = 0;
    for (name, value) in fields {
        let is_short = match &value {
            Value::String(text) => text.chars().count() <= SHORT,
            Value::Number(_) | Value::Bool(_) => true,
            _ => false,
        };
        let cost = tokens_approx(&name) + tokens_approx(&value.to_string()) + 1;
        if is_short && spent + cost <= tokens {
            spent += cost;
            told.insert(name, value);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_large_task_is_told_by_its_short_fields() {
        let task =
            json!({ "goal": "keep the port", "log": "x".repeat(5000), "steps": [1], "n": 3 });
        let Value::Object(fields) = task else {
            unreachable!()
        };
        let told = short(fields.clone(), 800);
        assert_eq!(
            Value::Object(told),
            json!({ "goal": "keep the port", "n": 3 })
        );
        assert!(short(fields, 2).len() < 2);
    }
}
