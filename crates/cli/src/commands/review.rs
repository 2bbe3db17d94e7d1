//! `codecortex review`: a change with its risks, and the code it cannot be understood without (SPEC RV1–RV3).

use std::io::{self, Read};
use std::path::Path;

use codecortex_engine::ToolError;
use codecortex_engine::protocol::{Answer, Caller};
use codecortex_host::{HostWorkspace, Options, error_answer};
use codecortex_review::finding::Finding;
use codecortex_review::report::sarif;
use serde_json::{Map, Value};

use super::ready;
use crate::args::{FailOn, ReviewArgs, ReviewForm};
use crate::failure::Failure;
use crate::output;

const TOOL: &str = "codecortex_reviewChanges";
/// The exit code where a finding is as grave as `--fail-on` says.
const FOUND: i32 = 3;

pub(crate) fn run(command: &ReviewArgs) -> Result<i32, Failure> {
    let form = match (command.json, command.format) {
        (true, _) => ReviewForm::Json,
        (false, form) => form.unwrap_or(ReviewForm::Markdown),
    };
    let mut args = match arguments(command)? {
        Ok(args) => args,
        Err(problem) => return output::print_answer(&error_answer(Caller::default(), &problem)),
    };
    // An address in the environment alone is no wish to have it asked.
    let is_wanted = command.ask.is_some() || command.model.is_named();
    let model = command.model.address().filter(|_| is_wanted);
    let has_model = model.is_some();
    let keeps = !command.dismiss.is_empty() || !command.restore.is_empty();
    let options = match keeps {
        true => command.workspace.keeping_options()?,
        false => command.workspace.options()?,
    };
    let mut workspace = ready(Options { model, ..options });
    let findings = match (form, command.fail_on) {
        (ReviewForm::Sarif, _) | (_, Some(_)) => {
            match all_findings(&mut workspace, &args, has_model) {
                Ok(findings) => findings,
                Err(answer) => return super::finish(workspace, &answer),
            }
        }
        _ => Vec::new(),
    };
    if form == ReviewForm::Sarif {
        let report = sarif(&findings, env!("CARGO_PKG_VERSION"));
        output::print_exact(&report.to_string())?;
        workspace.save_if_worthwhile();
        workspace.leave();
        return Ok(code(&findings, command.fail_on));
    }
    let step = if command.index {
        "plan"
    } else if command.prompt {
        "prompt"
    } else if command.findings || command.check.is_some() || keeps {
        "findings"
    } else if has_model {
        "review"
    } else {
        "bundle"
    };
    args.insert("step".to_owned(), step.into());
    args.insert(
        "format".to_owned(),
        if form == ReviewForm::Json {
            "json"
        } else {
            "text"
        }
        .into(),
    );
    if let Some(tokens) = command.budget {
        args.insert("maxTokens".to_owned(), tokens.into());
    }
    if let Some(cursor) = &command.cursor {
        args.insert("cursor".to_owned(), cursor.as_str().into());
    }
    let answer = workspace.call(TOOL, Value::Object(args), Caller::default());
    match super::finish(workspace, &answer)? {
        0 => Ok(code(&findings, command.fail_on)),
        failed => Ok(failed),
    }
}

/// What the tool is asked; an error where a file holds no JSON.
fn arguments(command: &ReviewArgs) -> Result<Result<Map<String, Value>, ToolError>, Failure> {
    let mut args = Map::new();
    let mut give = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            args.insert(name.to_owned(), value.into());
        }
    };
    let mode = match (command.staged, command.working) {
        (true, _) => Some("staged"),
        (false, true) => Some("working"),
        (false, false) => None,
    };
    give("mode", mode.map(str::to_owned));
    give("base", command.base.clone());
    give("head", command.head.clone());
    give("wish", command.ask.clone());
    give("folder", command.folder.clone());
    let patch = command.patch.as_deref().map(read).transpose()?;
    // An argument without text is one that is not given; a blank line is an empty patch.
    let patch = patch.map(|patch| match patch.is_empty() {
        true => "\n".to_owned(),
        false => patch,
    });
    give("patch", patch);
    give("sarif", command.sarif.as_deref().map(read).transpose()?);
    for (name, ids) in [("dismiss", &command.dismiss), ("restore", &command.restore)] {
        if !ids.is_empty() {
            args.insert(
                name.to_owned(),
                ids.iter().cloned().map(Value::from).collect(),
            );
        }
    }
    for (name, file) in [("plan", &command.plan), ("findings", &command.check)] {
        let Some(file) = file else { continue };
        let mut written = Map::new();
        match serde_json::from_str(&read(file)?) {
            // A list alone will do.
            Ok(list @ Value::Array(_)) => drop(written.insert(name.to_owned(), list)),
            Ok(Value::Object(object)) => written = object,
            _ => {
                let problem =
                    ToolError::invalid(format!("`{}` holds no JSON object.", file.display()))
                        .hint("docs/review.md shows a plan and findings.");
                return Ok(Err(problem));
            }
        }
        args.insert(name.to_owned(), Value::Object(written));
    }
    if !command.units.is_empty() {
        args.insert("units".to_owned(), command.units.clone().into());
    }
    Ok(Ok(args))
}

fn read(path: &Path) -> Result<String, Failure> {
    let bytes = match path.as_os_str() == "-" {
        true => {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => std::fs::read(path),
    };
    let bytes = bytes.map_err(|source| Failure::Io {
        what: "a file cannot be read",
        source,
    })?;
    // Shells of Windows write what they redirect as UTF-16.
    Ok(match codecortex_text::decode(&bytes) {
        Ok(decoded) => decoded.text.into_owned(),
        Err(_) => String::from_utf8_lossy(&bytes).into_owned(),
    })
}

/// All findings; the answer where the tool failed.
fn all_findings(
    workspace: &mut HostWorkspace,
    args: &Map<String, Value>,
    has_model: bool,
) -> Result<Vec<Finding>, Answer> {
    let mut args = args.clone();
    let step = if has_model && !args.contains_key("findings") {
        "review"
    } else {
        "findings"
    };
    args.insert("step".to_owned(), step.into());
    args.insert("format".to_owned(), "json".into());
    let answer = workspace.call(TOOL, Value::Object(args), Caller::default());
    if !answer.ok {
        return Err(answer);
    }
    let written: Value = answer
        .json
        .as_deref()
        .and_then(|json| serde_json::from_str(json).ok())
        .unwrap_or_default();
    Ok(serde_json::from_value(written["data"]["findings"].clone()).unwrap_or_default())
}

fn code(findings: &[Finding], fail_on: Option<FailOn>) -> i32 {
    use codecortex_review::finding::Severity;
    let is_grave = |finding: &Finding| match fail_on {
        None => false,
        Some(FailOn::Error) => finding.severity == Severity::Error,
        Some(FailOn::Warning) => finding.severity <= Severity::Warning,
        Some(FailOn::Info) => true,
    };
    if findings.iter().any(is_grave) {
        FOUND
    } else {
        0
    }
}
