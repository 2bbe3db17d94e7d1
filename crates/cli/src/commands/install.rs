//! `codecortex install` and `uninstall`: shows a plan, and applies it if a person agrees.

mod show;

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use codecortex_host::state_folder;
use codecortex_installer::{
    Agent, AgentPlan, ApplyError, Disk, Goal, Invocation, Platform, RecordStore, Scope,
    Surroundings, agents, apply, detected,
};

use crate::args::{AgentArgs, ApplyArgs, InstallArgs, UninstallArgs};
use crate::failure::Failure;
use show::Report;

/// The argument that has the program serve.
const SERVE: &str = "mcp";

pub(crate) fn install(args: &InstallArgs) -> Result<i32, Failure> {
    let place = InstallPlace::of(&args.which)?;
    let goal = Goal {
        scope: place.scope,
        invocation: invocation(args.command.as_deref())?,
        with_texts: !args.server_only,
        with_hooks: args.hooks,
    };
    let chosen: Vec<(&'static Agent, bool)> = match args.which.agents.as_slice() {
        [] => place
            .found()
            .into_iter()
            .map(|agent| (agent, false))
            .collect(),
        names => named(names)
            .into_iter()
            .map(|agent| (agent, true))
            .collect(),
    };
    let plans =
        codecortex_installer::install(&chosen, &goal, &place.surroundings, &Disk, &place.records);
    let hints = match args.which.agents.is_empty() {
        true => place.hints(&chosen),
        false => Vec::new(),
    };
    finish("install", &place, plans, hints, &args.which, &args.apply)
}

pub(crate) fn uninstall(args: &UninstallArgs) -> Result<i32, Failure> {
    let place = InstallPlace::of(&args.which)?;
    let goal = Goal {
        scope: place.scope,
        invocation: invocation(None)?,
        with_texts: true,
        with_hooks: true,
    };
    let chosen = match args.which.agents.as_slice() {
        [] => agents().iter().collect(),
        names => named(names),
    };
    let mut plans =
        codecortex_installer::uninstall(&chosen, &goal, &place.surroundings, &Disk, &place.records);
    if args.which.agents.is_empty() {
        plans.retain(|plan| !plan.steps.is_empty());
    }
    finish(
        "uninstall",
        &place,
        plans,
        Vec::new(),
        &args.which,
        &args.apply,
    )
}

/// Whose configuration, and the records of what was written into it.
pub(super) struct InstallPlace {
    pub(super) scope: Scope,
    pub(super) surroundings: Surroundings,
    pub(super) records: RecordStore,
}

impl InstallPlace {
    pub(super) fn of(args: &AgentArgs) -> Result<Self, Failure> {
        let home = etcetera::home_dir().map_err(|_| Failure::NoHome)?;
        let state = state_folder().ok_or(Failure::NoHome)?;
        let project = match args.project {
            true => Some(std::env::current_dir().map_err(|source| Failure::Io {
                what: "the current folder cannot be read",
                source,
            })?),
            false => None,
        };
        let variables = std::env::vars_os();
        let variables = variables.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Ok(Self {
            scope: match args.project {
                true => Scope::Project,
                false => Scope::User,
            },
            surroundings: Surroundings {
                home,
                platform: Platform::current(),
                variables: variables.collect::<BTreeMap<_, _>>(),
                project,
            },
            records: RecordStore::new(state.join("installed")),
        })
    }

    /// The agents that are installed, and can be given a server here.
    pub(super) fn found(&self) -> Vec<&'static Agent> {
        let agents = agents().iter();
        let found = agents.filter(|agent| detected(agent, &self.surroundings, &Disk));
        found
            .filter(|agent| agent.files(self.scope).has_server())
            .collect()
    }

    /// Agents of which there is a program, and no folder: another program may have the name.
    fn hints(&self, chosen: &[(&'static Agent, bool)]) -> Vec<String> {
        let path = self.surroundings.variables.get("PATH");
        let folders: Vec<PathBuf> = path
            .map(|path| std::env::split_paths(path).collect())
            .unwrap_or_default();
        let mut hints = Vec::new();
        for agent in agents() {
            let is_chosen = chosen.iter().any(|(other, _)| other.id == agent.id);
            if !is_chosen && agent.files(self.scope).has_server() && is_on(&folders, &agent.program)
            {
                hints.push(format!(
                    "`{}` is on the PATH, and no folder of {} was found; `codecortex install {}` writes it all the same",
                    agent.program, agent.name, agent.id
                ));
            }
        }
        hints
    }
}

fn is_on(folders: &[PathBuf], program: &str) -> bool {
    let names = ["", ".exe", ".cmd"].map(|end| format!("{program}{end}"));
    let names = if cfg!(windows) {
        &names[1..]
    } else {
        &names[..1]
    };
    folders
        .iter()
        .any(|folder| names.iter().any(|name| folder.join(name).is_file()))
}

pub(super) fn named(names: &[String]) -> Vec<&'static Agent> {
    let is_named = |agent: &&Agent| names.contains(&agent.id);
    agents().iter().filter(is_named).collect()
}

/// How agents are to start the server.
pub(super) fn invocation(command: Option<&str>) -> Result<Invocation, Failure> {
    let mut words = match command {
        None => vec![this_program()?],
        // A path with spaces is one word.
        Some(path) if Path::new(path).is_file() => vec![path.to_owned()],
        Some(command) if cfg!(windows) => command.split_whitespace().map(str::to_owned).collect(),
        Some(command) => shlex::split(command).unwrap_or_default(),
    };
    if words.is_empty() {
        let told = command.unwrap_or_default();
        return Err(Failure::Command(format!("`{told}` is no command")));
    }
    let command = words.remove(0);
    words.push(SERVE.to_owned());
    Ok(Invocation {
        command,
        args: words,
        env: BTreeMap::new(),
    })
}

fn this_program() -> Result<String, Failure> {
    let path = std::env::current_exe().map_err(|source| Failure::Io {
        what: "the path of this program is not known",
        source,
    })?;
    let path = path.into_os_string().into_string();
    path.map_err(|_| Failure::Command("the path of this program is not UTF-8".to_owned()))
}

fn finish(
    verb: &'static str,
    place: &InstallPlace,
    plans: Vec<AgentPlan>,
    hints: Vec<String>,
    which: &AgentArgs,
    apply_args: &ApplyArgs,
) -> Result<i32, Failure> {
    let has_changes = plans.iter().any(AgentPlan::has_changes);
    let mut report = Report::new(verb, plans, hints);
    let plan = report.plan_text();
    if !(which.json || plan.trim().is_empty()) {
        crate::output::print(&plan)?;
    }
    let is_agreed =
        apply_args.yes || (!apply_args.dry_run && !which.json && has_changes && agree()?);
    if is_agreed {
        report.is_applied = true;
        for plan in &mut report.plans {
            plan.error = apply(&plan.plan, &place.records).err();
        }
    }
    if which.json {
        crate::output::print_exact(&report.json().to_string())?;
    } else {
        crate::output::print(&report.end_text())?;
        for error in report.errors() {
            let hint = error.hint.as_deref().unwrap_or_default();
            crate::output::warn(&format!("{}\nhint: {hint}", error.message));
        }
    }
    Ok(i32::from(!report.errors().is_empty()))
}

/// Asks on a terminal; without one nobody agrees.
fn agree() -> Result<bool, Failure> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return Ok(false);
    }
    let asked = |source| Failure::Io {
        what: "nobody can be asked",
        source,
    };
    let mut out = io::stderr().lock();
    write!(out, "Write this? [y/N] ")
        .and_then(|()| out.flush())
        .map_err(asked)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(asked)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// The code and sentence of a failure to write.
fn code_of(error: &ApplyError) -> codecortex_engine::ErrorCode {
    use codecortex_engine::ErrorCode;
    match error {
        ApplyError::Changed(_) => ErrorCode::Busy,
        ApplyError::Unwritable { source, .. } => match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                ErrorCode::AccessDenied
            }
            _ => ErrorCode::Unavailable,
        },
        ApplyError::Record(_) => ErrorCode::Unavailable,
    }
}
