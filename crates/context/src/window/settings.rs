//! What settings say of the window.

use codecortex_analysis::folder_config::{FOCUS_MINUTES, FolderConfig, MAX_CHARS, PINNED_SHARE};
use codecortex_answer::budget::profile;
use codecortex_answer::budget::profile::{BudgetMode, Grant, grant};
use codecortex_protocol::ToolError;

use crate::sources::Sources;

/// The settings of a root; of several, those of the first that has any.
pub fn window_config<'a>(sources: &Sources<'a>, only: Option<u32>) -> Option<&'a FolderConfig> {
    let roots = match only {
        Some(only) => only..only.saturating_add(1),
        None => 0..sources.folders.root_count(),
    };
    let mut folders = roots.filter_map(|root| sources.folders.folder(root));
    let own = folders.find(|folder| folder.has_config_file)?;
    Some(own.config)
}

/// What pins may take of the window, in hundredths.
pub fn pinned_share(sources: &Sources<'_>, only: Option<u32>) -> u32 {
    let share = window_config(sources, only).map(|config| config.prompt_window.pinned_share);
    share.unwrap_or(PINNED_SHARE).min(100)
}

/// Ms that something stays in focus.
pub fn focus_ttl(sources: &Sources<'_>) -> u64 {
    let minutes = window_config(sources, None).map(|config| config.prompt_window.focus_minutes);
    u64::from(minutes.unwrap_or(FOCUS_MINUTES)) * 60_000
}

/// What a window may cost: as the settings say, by a profile where one is named.
pub fn window_grant(
    sources: &Sources<'_>,
    only: Option<u32>,
    named: Option<&str>,
) -> Result<Grant, ToolError> {
    let config = window_config(sources, only);
    let none = std::collections::BTreeMap::new();
    let profiles = config.map_or(&none, |config| &config.profiles);
    let mut granted = grant(
        &profile(profiles, named.unwrap_or("default"))?,
        BudgetMode::Map,
        None,
    );
    if named.is_none() {
        let letters = config.map_or(MAX_CHARS, |config| config.prompt_window.max_chars);
        granted.budget_tokens = letters / 4;
    }
    Ok(granted)
}
