//! What the folder's settings say of the payload and of observations (SPEC FL1, D25).

use codecortex_analysis::Analysis;
use codecortex_analysis::folder_config::{FolderConfig, PayloadFlags};
use codecortex_memory::BackEnd;
use codecortex_protocol::{ErrorCode, ToolError};
use codecortex_retrieval::Selector;

/// Who makes maps of the code.
const PROVIDERS: [&str; 1] = ["codecortex"];
/// How they are chosen.
const SELECTORS: [&str; 2] = ["ranked", "simple_limit"];

/// The settings of the root whose observations are told, checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Index into the roots.
    pub root: u32,
    /// The settings of its folder.
    pub config: FolderConfig,
    /// The order of the map's files.
    pub selector: Selector,
    /// Where observations are said to be.
    pub backend: Option<BackEnd>,
}

impl Settings {
    /// Of several roots, those of the first that keeps observations, else of the first with settings.
    ///
    /// # Errors
    /// `InvalidParams` with the list, for a back end, a provider or a selector that there is not.
    pub fn new(code: &Analysis) -> Result<Self, ToolError> {
        let roots = 0..code.workspace().roots.len() as u32;
        let known: Vec<(u32, FolderConfig)> =
            roots.map(|root| (root, code.settings_of(root))).collect();
        let on = known
            .iter()
            .find(|(_, config)| config.flags.use_observations_store);
        let has_settings =
            |(root, _): &&(u32, FolderConfig)| code.workspace().folder_config(*root).is_some();
        let first = known.iter().find(has_settings);
        let (root, config) = on.or(first).cloned().unwrap_or_default();
        Self::checked(root, config)
    }

    fn checked(root: u32, config: FolderConfig) -> Result<Self, ToolError> {
        let PayloadFlags {
            repo_map_provider,
            repo_map_selector,
            observations_backend,
            ..
        } = &config.flags;
        is_known("repo_map_provider", repo_map_provider, &PROVIDERS)?;
        is_known("repo_map_selector", repo_map_selector, &SELECTORS)?;
        let backend = observations_backend.as_deref();
        if let Some(backend) = backend {
            is_known("observations_backend", backend, BackEnd::KNOWN)?;
        }
        Ok(Self {
            root,
            selector: match repo_map_selector.as_str() {
                "simple_limit" => Selector::SimpleLimit,
                _ => Selector::Ranked,
            },
            backend: backend.and_then(|backend| BackEnd::parse(backend).ok()),
            config,
        })
    }

    /// Whether observations are kept and told.
    pub fn keeps_observations(&self) -> bool {
        self.config.flags.use_observations_store
    }

    /// Fails where nobody has opted in.
    pub fn need_observations(&self) -> Result<(), ToolError> {
        if self.keeps_observations() {
            return Ok(());
        }
        let message = "No observations are kept of this workspace.";
        Err(
            ToolError::new(ErrorCode::Unavailable, message).hint(
                "A person opts in: `codecortex settings observations true`, or the view Observations in VS Code.",
            ),
        )
    }
}

fn is_known(flag: &str, word: &str, known: &[&str]) -> Result<(), ToolError> {
    if known.contains(&word) {
        return Ok(());
    }
    let shown: String = word.chars().take(60).collect();
    let message = format!("`flags.{flag}` in .context/config.json is `{shown}`.");
    Err(ToolError::invalid(message)
        .hint(format!("There is {}.", known.join(", ")))
        .detail("known", known.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(flags: &str) -> Result<Settings, ToolError> {
        let (config, _) = FolderConfig::read(&format!("{{\"flags\": {flags}}}")).unwrap();
        Settings::checked(0, config)
    }

    #[test]
    fn what_there_is_not_is_told_with_the_list() {
        for (flags, known) in [
            (
                r#"{"observations_backend": "redis"}"#,
                "markdown, jsonl, sqlite",
            ),
            (r#"{"repo_map_provider": "python_mvp"}"#, "codecortex"),
            (r#"{"repo_map_selector": "best"}"#, "ranked, simple_limit"),
        ] {
            let error = checked(flags).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidParams);
            assert!(error.hint.unwrap().contains(known), "{flags}");
        }
        assert_eq!(
            checked(r#"{"repo_map_selector": "simple_limit"}"#)
                .unwrap()
                .selector,
            Selector::SimpleLimit
        );
        assert!(checked("{}").unwrap().need_observations().is_err());
    }
}
