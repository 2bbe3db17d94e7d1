//! Which uses an answer is about: by tier, by role, by folder (SPEC R2).

use codecortex_analysis::words::{RoleWord, TierWord};
use codecortex_index::FileId;
use codecortex_protocol::paths::Place;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_resolve::{FileNo, RoleOf, Tier};

use crate::invocation::Invocation;
use crate::tools::references::ReferencesArgs;

/// What a call's arguments let through.
pub(super) struct Filter<'a> {
    tiers: Option<&'a [TierWord]>,
    roles: Option<&'a [RoleWord]>,
    /// Whether nothing but the name of the symbol counts: its language is of the second rank.
    is_by_name: bool,
    folder: Option<Place>,
}

impl<'a> Filter<'a> {
    pub(super) fn of(
        cx: &Invocation<'_>,
        args: &'a ReferencesArgs,
        is_by_name: bool,
    ) -> Result<Self, ToolError> {
        // `.` is all there is, in however many folders.
        let folder = args
            .folder
            .as_deref()
            .filter(|folder| !matches!(folder.trim(), "." | "./"));
        let folder = folder.map(|folder| {
            cx.find_folder(folder).map_err(|failure| match failure {
                Failure::Error(error) => error,
                // Which folders there are is known without reading anything.
                Failure::Missing(_) => ToolError::new(ErrorCode::InternalError, "A folder waits."),
            })
        });
        Ok(Self {
            tiers: asked_for(args.tiers.as_deref()),
            roles: asked_for(args.roles.as_deref()),
            is_by_name,
            folder: folder.transpose()?,
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

    pub(super) fn fits_place(&self, cx: &Invocation<'_>, file: FileNo) -> bool {
        self.folder.as_ref().is_none_or(|folder| {
            let file = cx.index.file(FileId(file));
            file.is_some_and(|file| folder.holds(file.root, &file.path))
        })
    }

    /// Whether what lies outside of the workspace is let through: it is in none of its folders.
    pub(super) fn fits_outside(&self) -> bool {
        self.folder.is_none()
    }
}

/// An empty list asks for nothing in particular.
fn asked_for<T>(list: Option<&[T]>) -> Option<&[T]> {
    list.filter(|list| !list.is_empty())
}
