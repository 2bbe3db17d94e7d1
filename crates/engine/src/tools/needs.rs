//! What a tool needs before its handler runs, as its row says.

use codecortex_analysis::external::{lacks_external, take_script_rules};
use codecortex_analysis::module_hints::{old_projects, take_module_hints};
use codecortex_protocol::{Failure, Missing};
use serde_json::{Map, Value};

use crate::invocation::Invocation;

/// Something that a tool needs in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// The projects of all roots: what an import means depends on their manifests.
    Projects,
    /// What is known of the file that `filePath` names.
    File,
    /// The text of that file: a place in it is told by lines.
    Text,
    /// What is declared outside of the workspace, where it has a language with files of that (SPEC AS3).
    External,
}

/// What of it is missing, all at once. Of what the arguments name amiss, the handler tells.
pub(crate) fn missing(
    cx: &Invocation<'_>,
    inputs: &[Input],
    args: &Map<String, Value>,
) -> Vec<Missing> {
    let path = args.get("filePath").and_then(Value::as_str);
    let mut missing = Vec::new();
    for input in inputs {
        match (input, path) {
            (Input::External, _) => missing.extend(lacks_external(cx).then_some(Missing::External)),
            (Input::Projects, _) => missing.extend(old_projects(cx).map(Missing::Projects)),
            (Input::File, Some(path)) => missing.extend(lacks(cx.find_file(path))),
            (Input::Text, Some(path)) => missing.extend(lacks(cx.text_at(path))),
            (_, None) => {}
        }
    }
    if missing.is_empty() && inputs.contains(&Input::Projects) {
        take_module_hints(cx);
    }
    if missing.is_empty() && inputs.contains(&Input::External) {
        take_script_rules(cx);
    }
    missing
}

fn lacks<T>(look: Result<T, Failure>) -> Option<Missing> {
    match look {
        Err(Failure::Missing(need)) => Some(need),
        _ => None,
    }
}
