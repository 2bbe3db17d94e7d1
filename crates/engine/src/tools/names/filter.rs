//! Which uses an answer is about: by tier, by role, by folder (SPEC R2).

use codecortex_resolve::{FileNo, RoleOf, Tier};

use super::references::{ReferencesArgs, RoleWord, TierWord};
use crate::Engine;
use crate::error::ToolError;
use crate::tools::args::check_text;

/// What a call's arguments let through.
pub(super) struct Filter<'a> {
    tiers: Option<&'a [TierWord]>,
    roles: Option<&'a [RoleWord]>,
    /// With `/` at its end.
    folder: Option<String>,
}

impl<'a> Filter<'a> {
    pub(super) fn of(args: &'a ReferencesArgs) -> Result<Self, ToolError> {
        Ok(Self {
            tiers: args.tiers.as_deref(),
            roles: args.roles.as_deref(),
            folder: folder(args.folder.as_deref())?,
        })
    }

    /// Same-named uses of unknown receivers are for those alone who ask for them.
    pub(super) fn fits_tier(&self, tier: Tier) -> bool {
        match self.tiers {
            Some(tiers) => tiers.contains(&tier.into()),
            None => tier != Tier::Name,
        }
    }

    /// `usual` is what holds where the caller names no roles.
    pub(super) fn fits_role(&self, role: RoleOf, usual: bool) -> bool {
        self.roles
            .map_or(usual, |roles| roles.contains(&RoleWord::of(role)))
    }

    pub(super) fn fits_place(&self, engine: &Engine, file: FileNo) -> bool {
        self.folder.as_ref().is_none_or(|folder| {
            let shown = engine.shown_path(file);
            let relative = shown.split_once('/').map_or("", |(_, rest)| rest);
            shown.starts_with(folder)
                || relative.starts_with(folder)
                || shown == folder.trim_end_matches('/')
                || relative == folder.trim_end_matches('/')
        })
    }
}

fn folder(folder: Option<&str>) -> Result<Option<String>, ToolError> {
    let Some(folder) = folder else {
        return Ok(None);
    };
    check_text("folder", folder)?;
    let folder = folder.trim().replace('\\', "/");
    let folder = folder.trim_start_matches("./").trim_matches('/');
    Ok((!folder.is_empty() && folder != ".").then(|| format!("{folder}/")))
}
