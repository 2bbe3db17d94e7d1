//! Files that declare what the workspace uses and does not have, in a status (SPEC AS3, D30).

use codecortex_protocol::counts::counted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::invocation::Invocation;

/// So many files and problems are listed.
const MAX_LISTED: usize = 20;

/// Files from outside.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExternalData {
    /// How many were read.
    files: u32,
    /// Types that they declare.
    types: u32,
    /// The first of them.
    file_paths: Vec<String>,
    /// Files and parts of files that could not be read.
    skipped: u32,
    /// The first of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ExternalProblem>,
}

/// What could not be read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ExternalProblem {
    file_path: String,
    /// Why, as the end of a sentence.
    problem: String,
}

/// What there is to tell, once somebody looked.
pub(super) fn external(cx: &Invocation<'_>) -> Option<ExternalData> {
    let external = cx.external();
    let problems: Vec<(&str, &str)> = external.problems().collect();
    if external.read.is_empty() && problems.is_empty() {
        return None;
    }
    let items = cx
        .index
        .all_files()
        .filter(|(_, file)| cx.index.is_outside(file.root));
    let items = items.flat_map(|(_, file)| &file.facts.items);
    Some(ExternalData {
        files: external.read.len() as u32,
        types: items.filter(|item| item.kind.is_type()).count() as u32,
        file_paths: external.read.iter().take(MAX_LISTED).cloned().collect(),
        skipped: problems.len() as u32,
        problems: problems
            .into_iter()
            .take(MAX_LISTED)
            .map(|(path, problem)| ExternalProblem {
                file_path: path.to_owned(),
                problem: problem.to_owned(),
            })
            .collect(),
    })
}

impl ExternalData {
    pub(super) fn text(&self) -> String {
        let mut out = format!(
            "// outside of the workspace: {} of {}, {} skipped\n",
            counted(self.types, "type"),
            counted(self.files, "file"),
            self.skipped
        );
        for one in &self.problems {
            out.push_str(&format!("// {}: {}\n", one.file_path, one.problem));
        }
        out
    }
}
