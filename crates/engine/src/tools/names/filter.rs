//! Which uses an answer is about: by tier, by role, by folder (SPEC R2).

use codecortex_resolve::{FileNo, RoleOf, Tier};

use super::references::ReferencesArgs;
use super::words::{RoleWord, TierWord};
use crate::Engine;
use crate::error::ToolError;
use crate::tools::args::check_text;

/// What a call's arguments let through.
pub(super) struct Filter<'a> {
    tiers: Option<&'a [TierWord]>,
    roles: Option<&'a [RoleWord]>,
    /// Whether nothing but the name of the symbol counts: its language is of the second rank.
    is_by_name: bool,
    /// With `/` at its end.
    folder: Option<String>,
}

impl<'a> Filter<'a> {
    pub(super) fn of(args: &'a ReferencesArgs, is_by_name: bool) -> Result<Self, ToolError> {
        Ok(Self {
            tiers: args.tiers.as_deref(),
            roles: args.roles.as_deref(),
            is_by_name,
            folder: folder(args.folder.as_deref())?,
        })
    }

    /// Same-named uses of unknown receivers are for those alone who ask for them, where there are others.
    pub(super) fn fits_tier(&self, tier: Tier) -> bool {
        self.fits_use(tier.into(), None)
    }

    /// Whoever wants what is exact wants it also where language providers agree: `own` is the tier that it
    /// has without them.
    pub(super) fn fits_use(&self, tier: TierWord, own: Option<Tier>) -> bool {
        let own = own.map(TierWord::from);
        match self.tiers {
            Some(tiers) => tiers.contains(&tier) || own.is_some_and(|own| tiers.contains(&own)),
            None => self.is_by_name || tier != TierWord::Name,
        }
    }

    /// Whether uses of related members are asked for by name: then in every language, also where they are
    /// left out because language servers keep them apart.
    pub(super) fn wants_related(&self) -> bool {
        self.tiers
            .is_some_and(|tiers| tiers.contains(&TierWord::Related))
    }

    /// `usual` is what holds where the caller names no roles.
    pub(super) fn fits_role(&self, role: RoleOf, usual: bool) -> bool {
        self.roles
            .map_or(usual, |roles| roles.contains(&RoleWord::of(role)))
    }

    pub(super) fn fits_place(&self, engine: &Engine, file: FileNo) -> bool {
        self.folder.is_none() || self.fits_path(&engine.shown_path(file))
    }

    /// The same for a path as answers show it.
    pub(super) fn fits_path(&self, shown: &str) -> bool {
        self.folder.as_ref().is_none_or(|folder| {
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
