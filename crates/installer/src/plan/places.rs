//! Where an agent keeps its configuration on this machine.

use std::path::PathBuf;

use super::{AgentPart, SERVER_NAME};
use crate::agents::{Agent, Scope};
use crate::disk::Files;
use crate::paths::Surroundings;

/// Whether an agent is installed: a folder or file of its own exists.
#[must_use]
pub fn detected(agent: &Agent, surroundings: &Surroundings, files: &dyn Files) -> bool {
    agent.detect.iter().any(|template| {
        let path = surroundings.resolve(agent, template);
        path.is_some_and(|path| files.exists(&path))
    })
}

/// A place of an agent's, and whether it is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetFile {
    pub(crate) part: AgentPart,
    /// Files of which one is meant: the first that exists, or the first.
    pub(crate) candidates: Vec<PathBuf>,
    pub(crate) is_sure: bool,
    /// Whether what has to exist beside it does.
    pub(crate) is_wanted: bool,
}

impl TargetFile {
    pub(super) fn chosen(&self, files: &dyn Files) -> Option<&PathBuf> {
        let mut candidates = self.candidates.iter();
        let found = candidates.clone().find(|path| files.exists(path));
        found.or_else(|| candidates.next())
    }
}

/// The places of an agent in a scope.
pub(crate) fn places(
    agent: &Agent,
    scope: Scope,
    surroundings: &Surroundings,
    files: &dyn Files,
) -> Vec<TargetFile> {
    let resolve = |template: &str| match scope {
        Scope::User => surroundings.resolve(agent, template),
        Scope::Project => surroundings.in_project(template),
    };
    let found = agent.files(scope);
    let mut places = Vec::new();
    for place in &found.mcp {
        let with = place.r#where.as_deref();
        let with = with.map(|with| resolve(with).is_some_and(|path| files.exists(&path)));
        places.push(TargetFile {
            part: AgentPart::Server,
            candidates: place
                .files
                .iter()
                .filter_map(|file| resolve(file))
                .collect(),
            is_sure: place.is_sure,
            is_wanted: with.unwrap_or(true),
        });
    }
    if !places.iter().any(|place: &TargetFile| place.is_wanted)
        && let Some(first) = places.first_mut()
    {
        first.is_wanted = true; // where none is there yet
    }
    if let Some(place) = &found.instructions {
        places.push(TargetFile {
            part: AgentPart::Instructions,
            candidates: resolve(&place.file).into_iter().collect(),
            is_sure: place.is_sure,
            is_wanted: true,
        });
    }
    if let Some(place) = &found.skills {
        let folder = resolve(&place.folder);
        places.push(TargetFile {
            part: AgentPart::Skill,
            candidates: folder
                .map(|folder| folder.join(SERVER_NAME).join("SKILL.md"))
                .into_iter()
                .collect(),
            is_sure: place.is_sure,
            is_wanted: true,
        });
    }
    if let Some(place) = &found.hook {
        places.push(TargetFile {
            part: AgentPart::Hook,
            candidates: resolve(&place.file).into_iter().collect(),
            is_sure: true,
            is_wanted: true,
        });
    }
    places
}
