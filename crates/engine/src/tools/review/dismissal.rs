//! Findings that a person dismisses or wants back, by their ids (SPEC RV3).

use codecortex_answer::args::entries;
use codecortex_protocol::{ErrorCode, Failure, ToolError};
use codecortex_review::dismissals::is_id;
use codecortex_review::finding::Finding;
use serde_json::Value;

use super::ReviewArgs;
use crate::actions::Action;
use crate::artifacts::folders::check_keeps;
use crate::invocation::Invocation;

/// The most ids of one call.
const MAX: usize = 500;

/// What is said of findings.
pub(super) struct Dismissal {
    ids: Vec<String>,
    restored: Vec<String>,
}

impl Dismissal {
    /// Reads the arguments. A model may not take findings out of sight: what a change says to it would do so too.
    pub(super) fn read(cx: &Invocation<'_>, args: &ReviewArgs) -> Result<Self, Failure> {
        let said = Self {
            ids: ids("dismiss", args.dismiss.as_ref())?,
            restored: ids("restore", args.restore.as_ref())?,
        };
        if !said.is_none() && cx.call.is_model {
            let refused = "Findings are dismissed and restored by people alone.";
            return Err(ToolError::new(ErrorCode::AccessDenied, refused)
                .hint("Say what is wrong with the finding: `codecortex review --dismiss ID`.")
                .into());
        }
        Ok(said)
    }

    /// Whether nothing is said.
    pub(super) fn is_none(&self) -> bool {
        self.ids.is_empty() && self.restored.is_empty()
    }

    /// Takes what is dismissed out of what was found, and has what is said kept. Gives what was taken out.
    pub(super) fn apply(
        self,
        cx: &Invocation<'_>,
        root: u32,
        found: &mut Vec<Finding>,
    ) -> Result<Vec<Finding>, ToolError> {
        if !self.is_none() {
            check_keeps(cx.session, root)?;
        }
        let mut known = cx.session.review.dismissed(root);
        self.ids.iter().for_each(|id| known.note(id, Some(0)));
        self.restored.iter().for_each(|id| known.note(id, None));
        let all = std::mem::take(found).into_iter();
        let (dismissed, left) = all.partition(|finding: &Finding| known.has(&finding.id));
        *found = left;
        if !self.is_none() {
            cx.enqueue(Action::Dismiss {
                root,
                ids: self.ids,
                restored: self.restored,
            });
        }
        Ok(dismissed)
    }
}

fn ids(argument: &str, written: Option<&Value>) -> Result<Vec<String>, ToolError> {
    let written = entries(written);
    if written.len() > MAX {
        return Err(ToolError::invalid(format!(
            "`{argument}` has {} ids; {MAX} are the most.",
            written.len()
        )));
    }
    let id = |id: &Value| match id.as_str().map(str::trim).filter(|id| is_id(id)) {
        Some(id) => Ok(id.to_owned()),
        None => Err(ToolError::invalid(format!(
            "`{argument}`: {} is no id of a finding.",
            clipped(&id.to_string())
        ))
        .hint("`step: \"findings\"` gives them.")),
    };
    written.iter().map(id).collect()
}

fn clipped(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}
