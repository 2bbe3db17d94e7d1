//! A workspace whose engine may fail: it is started anew from the disk, and what it fails at twice is left out
//! ([`crate::fault`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use codecortex_engine::protocol::{Event, State};
use codecortex_engine::{ErrorCode, ToolError};
use serde_json::Value;

use crate::fault::{FaultVerdict, Faults, FaultyStage};
use crate::model::ModelClient;
use crate::open_documents::OpenDocuments;
use crate::workspace::{HostWorkspace, Options, StateListener};

/// Is told that something changed on the disk, or that git has answered.
type ChangeListener = Arc<dyn Fn() + Send + Sync>;

/// A workspace and what is needed to open it again.
pub(crate) struct Supervisor {
    options: Options,
    on_state: Arc<Mutex<StateListener>>,
    on_change: ChangeListener,
    client: Option<Arc<dyn ModelClient>>,
    /// What an editor holds: the next engine is told of it.
    documents: OpenDocuments,
    faults: Faults,
    /// None when the engine was given up.
    workspace: Option<HostWorkspace>,
    /// How many engines came before this one.
    replaced: u32,
}

impl Supervisor {
    /// Opens a workspace. The listeners are told of every engine.
    pub(crate) fn start(
        options: Options,
        on_state: StateListener,
        on_change: ChangeListener,
    ) -> Self {
        let mut supervisor = Self {
            options,
            on_state: Arc::new(Mutex::new(on_state)),
            on_change,
            client: None,
            documents: OpenDocuments::default(),
            faults: Faults::default(),
            workspace: None,
            replaced: 0,
        };
        supervisor.open();
        supervisor
    }

    /// Does something with the workspace. None where the engine failed at it, or was given up; the next one is open
    /// then, unless there is [`Self::failure`].
    pub(crate) fn attempt<T>(&mut self, work: impl FnOnce(&mut HostWorkspace) -> T) -> Option<T> {
        let workspace = self.workspace.as_mut()?;
        let done = catch_unwind(AssertUnwindSafe(|| work(workspace))).ok();
        if done.is_none() || workspace.is_broken() {
            let part = workspace.part().clone();
            self.replace(part);
        }
        done
    }

    /// From now on somebody else's model is asked.
    pub(crate) fn open_model(&mut self, client: Arc<dyn ModelClient>) {
        self.client = Some(Arc::clone(&client));
        self.attempt(|workspace| workspace.open_model(client));
    }

    /// Tells what an editor does with a document.
    pub(crate) fn tell(&mut self, event: Event) {
        self.documents.note(&event);
        self.attempt(|workspace| workspace.tell(event));
    }

    /// How many engines have failed: what one was asked, the next one does not know.
    pub(crate) fn replaced(&self) -> u32 {
        self.replaced
    }

    /// Why no engine is started any more, where none is.
    pub(crate) fn failure(&self) -> Option<ToolError> {
        if self.workspace.is_some() {
            return None;
        }
        let why = self.faults.notes.join(" ");
        let error = ToolError::new(
            ErrorCode::InternalError,
            format!("The engine failed again and again and is not started any more. {why}"),
        );
        Some(
            error.hint(
                "Start the server again; if that does not help, report it with the log (`-v`).",
            ),
        )
    }

    /// Why a call is not run, where it is not.
    pub(crate) fn refusal(&self, tool: &str, args: &Value) -> Option<ToolError> {
        if !self.faults.refuses(tool, args) {
            return self.failure();
        }
        let error = ToolError::new(
            ErrorCode::InternalError,
            "The engine failed twice at this call, which is not run any more.",
        );
        Some(error.hint("Call with other arguments; please report it with the log (`-v`)."))
    }

    fn replace(&mut self, part: FaultyStage) {
        self.end();
        self.replaced += 1;
        let mut part = part;
        // Opening it may fail as well.
        loop {
            if self.faults.note(part, &mut self.options) == FaultVerdict::GiveUp {
                return;
            }
            if self.faults.has_left_out(&FaultyStage::Model) {
                self.client = None;
            }
            match catch_unwind(AssertUnwindSafe(|| self.opened())) {
                Ok(workspace) => {
                    self.workspace = Some(workspace);
                    return;
                }
                Err(_) => part = FaultyStage::Start,
            }
        }
    }

    fn open(&mut self) {
        match catch_unwind(AssertUnwindSafe(|| self.opened())) {
            Ok(workspace) => self.workspace = Some(workspace),
            Err(_) => self.replace(FaultyStage::Start),
        }
    }

    fn opened(&self) -> HostWorkspace {
        let mut workspace = HostWorkspace::open(self.options.clone());
        workspace.tell_faults(&self.faults.notes);
        let on_state = Arc::clone(&self.on_state);
        workspace.on_state(Box::new(move |state: &State| {
            // A listener that failed is told the next state all the same.
            let mut listener = on_state.lock().unwrap_or_else(PoisonError::into_inner);
            (*listener)(state);
        }));
        let on_change = Arc::clone(&self.on_change);
        workspace.on_disk_change(Arc::new(move || on_change()));
        let on_reply = Arc::clone(&self.on_change);
        workspace.on_git_reply(Arc::new(move || on_reply()));
        if let Some(client) = &self.client {
            workspace.open_model(Arc::clone(client));
        }
        for event in self.documents.opened() {
            workspace.tell(event);
        }
        workspace
    }

    /// Drops a workspace whose engine failed.
    fn end(&mut self) {
        let workspace = self.workspace.take();
        // What is broken may break again on its way out.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(workspace)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use codecortex_engine::protocol::{Answer, Caller, Config, Root};
    use serde_json::json;

    use super::*;
    use crate::Service;
    use crate::workspace::Saboteur;

    const PATIENCE: Duration = Duration::from_secs(60);

    /// A folder with a `.context/`, and a service whose engine fails at some parts. Each fault is told.
    fn service(
        fails: impl Fn(&FaultyStage) -> bool + Send + Sync + 'static,
    ) -> (tempfile::TempDir, Service, Receiver<FaultyStage>) {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("app");
        std::fs::create_dir_all(root.join(".context")).unwrap();
        for (name, class) in [("a", "Alpha"), ("b", "Beta")] {
            let text = format!("class {class}:\n    pass\n");
            std::fs::write(root.join(format!("{name}.py")), text).unwrap();
        }
        let (sender, faults) = channel();
        let fail = move |part: &FaultyStage| {
            if fails(part) {
                let _ = sender.send(part.clone());
                panic!("a fault that the test wants");
            }
        };
        let options = Options {
            roots: vec![Root {
                name: "app".to_owned(),
                path: root.to_str().unwrap().to_owned(),
                link: None,
            }],
            trust_contexts: true,
            state_folder: Some(place.path().join("state")),
            config: Config {
                keep_context: true,
                ..Config::default()
            },
            no_cache: true,
            saboteur: Some(Saboteur(Arc::new(fail))),
            ..Options::default()
        };
        let service = Service::start(options, |_| {}, || {}).unwrap();
        (place, service, faults)
    }

    fn call(service: &Service, tool: &str, args: Value) -> Value {
        let (sender, answer) = channel();
        service.call(tool, args, Caller::default(), move |answer: Answer| {
            let _ = sender.send(answer);
        });
        let answer = answer.recv_timeout(PATIENCE).unwrap();
        serde_json::from_str(&answer.json.unwrap()).unwrap()
    }

    fn status(service: &Service) -> Value {
        call(
            service,
            "codecortex_status",
            json!({ "reason": "unreadable" }),
        )["data"]
            .clone()
    }

    fn finds(service: &Service, name: &str) -> bool {
        let args = json!({ "labelQuery": name });
        call(service, "codecortex_searchApi", args)["data"]["total"] == 1
    }

    #[test]
    fn a_folder_that_ends_the_engine_is_left_out() {
        let (_place, service, faults) = service(|part| *part == FaultyStage::Context);
        for _ in 0..2 {
            assert_eq!(faults.recv_timeout(PATIENCE), Ok(FaultyStage::Context));
        }
        assert!(finds(&service, "Alpha"));
        let told = status(&service);
        assert!(
            told["faults"][0].as_str().unwrap().contains(".context/"),
            "{told}"
        );
        assert_eq!(told["context"], Value::Null);
        assert!(faults.try_recv().is_err(), "it is not tried a third time");
    }

    #[test]
    fn a_file_that_ends_the_engine_is_left_out() {
        let is_it = |part: &FaultyStage| *part == FaultyStage::File(0, "a.py".to_owned());
        let (_place, service, _faults) = service(is_it);
        assert!(finds(&service, "Beta") && !finds(&service, "Alpha"));
        let told = status(&service);
        assert_eq!(told["list"][0]["filePath"], "app/a.py", "{told}");
        assert!(told["faults"][0].as_str().unwrap().contains("app/a.py"));
    }

    #[test]
    fn a_call_that_ends_the_engine_is_answered_and_then_refused() {
        let is_it = |part: &FaultyStage| matches!(part, FaultyStage::Call(tool, _) if tool == "codecortex_hashes");
        let (_place, service, faults) = service(is_it);
        let args = json!({ "symbol": "Alpha" });
        for fault in [1, 1, 0] {
            let told = call(&service, "codecortex_hashes", args.clone());
            assert_eq!(told["error"]["code"], "InternalError", "{told}");
            assert!(!told["error"]["hint"].as_str().unwrap().is_empty());
            assert!(finds(&service, "Alpha"), "others are answered");
            assert_eq!(faults.try_iter().count(), fault);
        }
    }

    #[test]
    fn a_call_is_answered_whenever_the_engine_fails_while_it_waits() {
        for at in 0..6 {
            let count = AtomicU32::new(0);
            let (_place, service, faults) = service(move |part| {
                matches!(part, FaultyStage::Call(tool, _) if tool == "codecortex_reviewChanges")
                    && count.fetch_add(1, Ordering::SeqCst) == at
            });
            // It waits for git, and others are answered meanwhile.
            let told = call(&service, "codecortex_reviewChanges", json!({}));
            let has_failed = faults.try_iter().count() == 1;
            let code = if has_failed {
                "InternalError"
            } else {
                "Unavailable"
            };
            assert_eq!(told["error"]["code"], code, "{told}");
            assert!(finds(&service, "Alpha") && finds(&service, "Beta"));
            assert!(at > 1 || has_failed, "it is taken in, and git's answer is");
        }
    }

    #[test]
    fn an_engine_that_never_starts_is_given_up_and_says_so() {
        let (_place, service, faults) = service(|part| *part == FaultyStage::Start);
        for _ in 0..2 {
            let told = call(&service, "codecortex_status", json!({}));
            let message = told["error"]["message"].as_str().unwrap();
            assert!(message.contains("not started any more"), "{told}");
        }
        assert_eq!(faults.try_iter().count(), 3);
    }
}
