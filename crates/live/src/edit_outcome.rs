//! The error that a call gets for an edit that was not made.

use codecortex_protocol::{ApplyOutcome, ErrorCode, ToolError};

/// Returns the error of an outcome; none where the edit was made. `name` returns a path as answers show it.
pub fn error_of(outcome: &ApplyOutcome, name: impl Fn(&str) -> String) -> Option<ToolError> {
    match outcome {
        ApplyOutcome::Done => None,
        ApplyOutcome::Rejected => Some(
            ToolError::new(ErrorCode::Cancelled, "The user did not want this edit.")
                .hint("Ask the user how to proceed."),
        ),
        ApplyOutcome::Conflict { path, not_restored } => {
            let left = left_changed(not_restored, &name);
            let name = name(path);
            let message = match &left {
                None => {
                    format!(
                        "`{name}` changed while the edit was being applied; nothing was changed."
                    )
                }
                Some(left) => {
                    format!("`{name}` changed while the edit was being applied. {left}")
                }
            };
            Some(
                ToolError::new(ErrorCode::VersionConflict, message)
                    .retryable()
                    .hint("Read it again with codecortex_getLiveContext, then repeat the edit.")
                    .detail("filePath", name),
            )
        }
        ApplyOutcome::Failed {
            reason,
            not_restored,
        } => {
            let left = left_changed(not_restored, &name);
            Some(
                ToolError::new(
                    ErrorCode::Unavailable,
                    format!("The edit could not be applied: {reason}"),
                )
                .hint(left.unwrap_or_else(|| "Nothing was changed.".to_owned())),
            )
        }
    }
}

/// The sentence that lists files with other contents than before the edit.
fn left_changed(paths: &[String], name: impl Fn(&str) -> String) -> Option<String> {
    let names: Vec<String> = paths
        .iter()
        .map(|path| format!("`{}`", name(path)))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "The old contents of these files could not be restored, because they were saved meanwhile or the disk refused: {}.",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(outcome: &ApplyOutcome) -> ToolError {
        error_of(outcome, |path| path.trim_start_matches("/w/").to_owned()).unwrap()
    }

    #[test]
    fn a_made_edit_has_no_error() {
        assert!(error_of(&ApplyOutcome::Done, str::to_owned).is_none());
    }

    #[test]
    fn a_conflict_names_the_file_and_may_be_repeated() {
        let conflict = |not_restored| ApplyOutcome::Conflict {
            path: "/w/a.rs".to_owned(),
            not_restored,
        };
        let clean = error(&conflict(Vec::new()));
        assert_eq!(clean.code, ErrorCode::VersionConflict);
        assert_eq!(clean.retryable, Some(true));
        assert!(
            clean.message.contains("`a.rs`") && clean.message.ends_with("nothing was changed.")
        );
        let dirty = error(&conflict(vec!["/w/b.rs".to_owned(), "/w/c.rs".to_owned()]));
        assert!(
            dirty.message.ends_with(": `b.rs`, `c.rs`."),
            "{}",
            dirty.message
        );
        assert!(!dirty.message.contains("nothing was changed"));
    }

    #[test]
    fn a_failure_gives_the_reason_and_what_is_left() {
        let failed = |not_restored| ApplyOutcome::Failed {
            reason: "no space".to_owned(),
            not_restored,
        };
        let clean = error(&failed(Vec::new()));
        assert_eq!(clean.code, ErrorCode::Unavailable);
        assert!(clean.message.ends_with("no space"));
        assert_eq!(clean.hint.unwrap(), "Nothing was changed.");
        let dirty = error(&failed(vec!["/w/b.rs".to_owned()]));
        assert!(dirty.hint.unwrap().contains("`b.rs`"));
    }

    #[test]
    fn a_rejected_edit_is_cancelled() {
        assert_eq!(error(&ApplyOutcome::Rejected).code, ErrorCode::Cancelled);
    }
}
