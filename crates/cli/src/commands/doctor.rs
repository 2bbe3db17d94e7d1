//! `codecortex doctor`: starts the server of each entry as its agent would, and says what fails and how to mend it.

mod probe;
mod surroundings;

use std::fmt::Write as _;
use std::time::Duration;

use codecortex_engine::ErrorCode;
use codecortex_engine::ToolError;
use codecortex_installer::{
    Agent, CheckedEntry, Disk, EntryState, Invocation, Scope, agents, check,
};
use serde_json::{Value, json};

use super::install::{InstallPlace, invocation, named};
use crate::args::DoctorArgs;
use crate::failure::Failure;
use crate::output;
use probe::{ProbeError, Probed, probe};

/// The version that a server should have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) fn run(args: &DoctorArgs) -> Result<i32, Failure> {
    let place = InstallPlace::of(&args.which)?;
    let wait = Duration::from_secs(u64::from(args.wait.get()));
    let chosen: Vec<&Agent> = match args.which.agents.as_slice() {
        [] => agents().iter().collect(),
        names => named(names),
    };
    let mut findings = surroundings::findings(wait);
    let ours = invocation(None)?;
    let mut is_any = false;
    for agent in chosen {
        let entries = check(
            agent,
            place.scope,
            &ours,
            &place.surroundings,
            &Disk,
            &place.records,
        );
        let is_named = !args.which.agents.is_empty();
        let is_there = |entry: &CheckedEntry| entry.state != EntryState::Absent;
        let entries: Vec<_> = entries.into_iter().filter(is_there).collect();
        if entries.is_empty() && is_named {
            let what = "no server `codecortex` in its configuration";
            let finding = Finding::failed(&agent.name, what);
            findings.push(finding.mend(format!("`codecortex install {}`", agent.id)));
        }
        for entry in &entries {
            // A file that is not ours to mend matters only where an entry is looked for.
            if matches!(entry.state, EntryState::Broken(_))
                && !is_named
                && !place.found().iter().any(|found| found.id == agent.id)
            {
                continue;
            }
            is_any = true;
            findings.push(of_entry(agent, entry, place.scope, wait));
        }
    }
    if !is_any && args.which.agents.is_empty() {
        let none = Finding::passed("agents", "no agent has the server");
        findings
            .push(none.mend("`codecortex install` gives it to those that are found".to_owned()));
    }
    print(&findings, args.which.json)?;
    Ok(i32::from(findings.iter().any(|finding| finding.is_failed)))
}

/// One thing that was looked at.
struct Finding {
    subject: String,
    told: String,
    is_failed: bool,
    mend: Option<String>,
}

impl Finding {
    fn passed(subject: &str, told: impl Into<String>) -> Self {
        Self {
            subject: subject.to_owned(),
            told: told.into(),
            is_failed: false,
            mend: None,
        }
    }

    fn failed(subject: &str, told: impl Into<String>) -> Self {
        Self {
            is_failed: true,
            ..Self::passed(subject, told)
        }
    }

    fn mend(self, how: String) -> Self {
        Self {
            mend: Some(how),
            ..self
        }
    }
}

fn of_entry(agent: &Agent, entry: &CheckedEntry, scope: Scope, wait: Duration) -> Finding {
    let path = entry.path.display();
    let again = match scope {
        Scope::User => format!("`codecortex install {}`", agent.id),
        Scope::Project => format!("`codecortex install --project {}`", agent.id),
    };
    let rewrite = || {
        format!(
            "`codecortex uninstall {0}` and `codecortex install {0}`, or change it by hand",
            agent.id
        )
    };
    match &entry.state {
        EntryState::Absent => Finding::passed(&agent.name, format!("{path}: no entry")),
        EntryState::Broken(why) => Finding::failed(&agent.name, format!("{path}: {why}"))
            .mend(format!("mend the file, then {again}")),
        EntryState::NoCommand => {
            let what = format!("{path}: the entry `codecortex` says no program");
            Finding::failed(&agent.name, what).mend(rewrite())
        }
        // A project came from somewhere: what its entry names is not started unless install wrote it here.
        EntryState::Present {
            is_as_written: false,
            ..
        } if scope == Scope::Project => {
            let what = format!(
                "{path}: not started, for install did not write this entry on this machine"
            );
            Finding::passed(&agent.name, what).mend(format!("look at the entry, or {again}"))
        }
        EntryState::Present {
            invocation,
            is_as_written,
            is_current,
        } => {
            let probed = probe(invocation, wait);
            let changed = match *is_as_written || *is_current {
                true => "",
                false => " (the entry is not as install writes it)",
            };
            let unsure = match entry.is_sure {
                true => "",
                false => " (it is not certain that the agent reads this file)",
            };
            let told = |what: &str| format!("{path}: {what}{changed}{unsure}");
            match probed {
                Ok(probed) => of_server(agent, &probed, &told, again),
                Err(error) => {
                    let finding = Finding::failed(&agent.name, told(&error.told(invocation)));
                    finding.mend(mend_of(&error, invocation, again))
                }
            }
        }
    }
}

fn of_server(
    agent: &Agent,
    probed: &Probed,
    told: &dyn Fn(&str) -> String,
    again: String,
) -> Finding {
    let what = format!(
        "version {} answers with {} tools",
        probed.version, probed.tools
    );
    if probed.tools == 0 {
        return Finding::failed(&agent.name, told("it answers without tools")).mend(again);
    }
    match probed.version == VERSION {
        true => Finding::passed(&agent.name, told(&what)),
        false => {
            let what = format!("{what}, and this program is {VERSION}");
            let how = format!("install that version anew, or {again} from this one");
            Finding::failed(&agent.name, told(&what)).mend(how)
        }
    }
}

fn mend_of(error: &ProbeError, invocation: &Invocation, again: String) -> String {
    match error {
        ProbeError::NotStarted(_) => {
            format!("put the program there, or {again}")
        }
        ProbeError::Silent(_) => "give it longer by --wait, or run the command by hand".to_owned(),
        ProbeError::Ended { .. } | ProbeError::Answer(_) => {
            let words = std::iter::once(&invocation.command).chain(&invocation.args);
            let words: Vec<&str> = words.map(String::as_str).collect();
            format!("run `{}` by hand, or {again}", words.join(" "))
        }
    }
}

fn print(findings: &[Finding], is_json: bool) -> Result<(), Failure> {
    if !is_json {
        let mut out = String::new();
        for finding in findings {
            let mark = if finding.is_failed { "fails" } else { "ok" };
            let _ = writeln!(out, "{mark:<5} {}: {}", finding.subject, finding.told);
            if let Some(mend) = &finding.mend {
                let _ = writeln!(out, "      hint: {mend}");
            }
        }
        return output::print(&out);
    }
    let mut failed = findings.iter().filter(|finding| finding.is_failed);
    let mut envelope = match failed.next() {
        None => json!({ "ok": true }),
        Some(first) => {
            let told = format!("{}: {}.", first.subject, first.told);
            let error = ToolError::new(ErrorCode::Unavailable, told);
            let hint = first.mend.as_ref().map(|mend| format!("{mend}."));
            error.hint(hint.unwrap_or_default()).envelope()
        }
    };
    let shown = |finding: &Finding| {
        json!({
            "subject": finding.subject,
            "ok": !finding.is_failed,
            "told": finding.told,
            "hint": finding.mend,
        })
    };
    envelope["findings"] = findings.iter().map(shown).collect::<Vec<Value>>().into();
    output::print_exact(&envelope.to_string())
}
