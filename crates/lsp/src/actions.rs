//! Code actions: the verbs of `codecortex_refactor` that apply to a selection or a name (SPEC ED1).
//!
//! Each is planned when the client asks, so that one which is shown can be done. Clients ask by themselves at every move
//! of the cursor: then only a selection is looked at.

use gen_lsp_types::{
    CodeAction, CodeActionDisabled, CodeActionKind, CodeActionParams, CodeActionTriggerKind, Range,
};
use serde_json::{Map, Value, json};

use crate::answers::PlanAnswer;
use crate::error::LspError;
use crate::question::{Question, Tools};
use crate::rename::word_at;
use crate::requests::to_value;

/// So many other documents are offered as the place of a declaration.
const MAX_TARGETS: usize = 5;

/// A verb as an action.
struct Verb {
    action: &'static str,
    kind: &'static str,
    title: &'static str,
    /// The name of what is extracted, until somebody gives it another one.
    new_name: Option<&'static str>,
}

const EXTRACTIONS: [Verb; 2] = [
    Verb {
        action: "extractVariable",
        kind: "refactor.extract.variable",
        title: "Extract into variable",
        new_name: Some("extracted"),
    },
    Verb {
        action: "extractMethod",
        kind: "refactor.extract.function",
        title: "Extract into function",
        new_name: Some("extracted"),
    },
];

const OF_NAMES: [Verb; 2] = [
    Verb {
        action: "inline",
        kind: "refactor.inline",
        title: "Inline",
        new_name: None,
    },
    Verb {
        action: "safeDelete",
        kind: "refactor.rewrite.delete",
        title: "Delete, if nothing uses it",
        new_name: None,
    },
];

const MOVE: Verb = Verb {
    action: "move",
    kind: "refactor.move",
    title: "Move",
    new_name: None,
};

impl<T: Tools> Question<'_, T> {
    pub(crate) async fn code_actions(&self, params: CodeActionParams) -> Result<Value, LspError> {
        let Some(path) = self.served(&params.text_document.uri) else {
            return Ok(Value::Null);
        };
        if !self.world.client.takes_action_edits() {
            return Ok(Value::Array(Vec::new()));
        }
        let context = &params.context;
        let is_automatic = context.trigger_kind == Some(CodeActionTriggerKind::Automatic);
        let is_wanted = |kind: &str| match &context.only {
            Some(only) => only.iter().any(|only| is_below(kind, &only.to_string())),
            None => true,
        };
        let mut actions = Vec::new();
        if params.range.start != params.range.end {
            for verb in EXTRACTIONS.iter().filter(|verb| is_wanted(verb.kind)) {
                let args = self.selected(&path, params.range);
                actions.extend(self.action(verb, verb.title, args).await?);
            }
        } else if !is_automatic && word_at(self, &path, params.range.start).is_some() {
            for verb in OF_NAMES.iter().filter(|verb| is_wanted(verb.kind)) {
                let args = self.place(&path, params.range.start);
                actions.extend(self.action(verb, verb.title, args).await?);
            }
            if is_wanted(MOVE.kind) {
                self.add_moves(&path, params.range, &mut actions).await?;
            }
        }
        Ok(to_value(&actions))
    }

    fn selected(&self, path: &str, range: Range) -> Map<String, Value> {
        let mut args = self.place(path, range.start);
        args.insert("end".to_owned(), self.tool_position(path, range.end));
        args
    }

    /// A declaration can go to another open document of its folder and ending: no path is made up.
    async fn add_moves(
        &self,
        path: &str,
        range: Range,
        actions: &mut Vec<CodeAction>,
    ) -> Result<(), LspError> {
        let Some(folder) = self.world.folders.folder_of(path) else {
            return Ok(());
        };
        let ending = path.rsplit_once('.').map(|(_, ending)| ending);
        let below = |other: &str| {
            let rest = other.strip_prefix(&folder.path)?.strip_prefix('/')?;
            Some(rest.to_owned())
        };
        let others = self.world.documents.paths().filter(|other| {
            *other != path && other.rsplit_once('.').map(|(_, ending)| ending) == ending
        });
        for target in others.filter_map(below).take(MAX_TARGETS) {
            let mut args = self.place(path, range.start);
            args.insert("newPath".to_owned(), target.clone().into());
            let title = format!("Move to {target}");
            actions.extend(self.action(&MOVE, &title, args).await?);
        }
        Ok(())
    }

    /// A verb as an action with its edit. One that is refused is shown with the reason, where the client does that.
    async fn action(
        &self,
        verb: &Verb,
        title: &str,
        mut args: Map<String, Value>,
    ) -> Result<Option<CodeAction>, LspError> {
        args.insert("action".to_owned(), verb.action.into());
        if let Some(name) = verb.new_name {
            args.insert("newName".to_owned(), json!(name));
        }
        let mut action = CodeAction {
            title: title.to_owned(),
            kind: Some(CodeActionKind::from(verb.kind.to_owned())),
            ..CodeAction::default()
        };
        let planned = match self.ask("codecortex_refactor", args.into()).await {
            Ok::<PlanAnswer, _>(plan) => self
                .workspace_edit(&plan)
                .map(|edit| (plan.summary.clone(), edit)),
            Err(error) => Err(error),
        };
        match planned {
            Ok((summary, edit)) => {
                action.title = summary;
                action.edit = Some(edit);
                Ok(Some(action))
            }
            Err(error) if error.code != LspError::REQUEST_FAILED => Err(error),
            Err(error) => {
                action.disabled = Some(CodeActionDisabled {
                    reason: error.message,
                });
                let is_shown = self.world.client.shows_disabled_actions();
                Ok(is_shown.then_some(action))
            }
        }
    }
}

/// Whether a kind is another one or below it.
fn is_below(kind: &str, wanted: &str) -> bool {
    let rest = kind.strip_prefix(wanted);
    wanted.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::is_below;

    #[test]
    fn a_kind_is_below_its_parents() {
        assert!(is_below("refactor.extract.variable", "refactor"));
        assert!(is_below("refactor.inline", "refactor.inline"));
        assert!(is_below("refactor.inline", ""));
        assert!(!is_below("refactor.inline", "refactor.in"));
        assert!(!is_below("refactor", "refactor.inline"));
    }
}
