//! Faults of the engine: what it was at when it panicked, and what comes of that (D1).
//!
//! A panic leaves an engine in no known state: it is started anew from the disk. What it fails at twice would be
//! what it fails at for ever; that part is left out from then on, and `codecortex_status` says so.

use std::backtrace::Backtrace;
use std::hash::{Hash, Hasher};
use std::panic::PanicHookInfo;
use std::sync::Arc;

use codecortex_engine::protocol::{Event, Response};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde_json::Value;

use crate::workspace::Options;

/// The engine is started anew so often because of what nobody asked for; then it is given up.
const MOST_RESTARTS: u32 = 12;

/// A part of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// Opening the workspace, and what belongs to nothing else.
    #[default]
    Start,
    /// Taking in a file: its root and path.
    File(u32, String),
    /// Taking in folders and changes.
    Changes,
    /// Reading and writing `.context/`.
    Context,
    /// Taking in what a model answered.
    Model,
    /// Writing the cache.
    Cache,
    /// A call: the tool and a hash of its arguments.
    Call(String, u64),
}

impl Part {
    /// The part that an event from outside begins; none where it goes on with another one.
    pub(crate) fn of(event: &Event) -> Option<Self> {
        match event {
            Event::Configure { .. } => Some(Self::Start),
            Event::Listed { .. } | Event::Changed { .. } => Some(Self::Changes),
            Event::Tick { .. } | Event::KeepContext { .. } => Some(Self::Context),
            Event::Model { .. } => Some(Self::Model),
            Event::Replied {
                reply: Response::Model { .. },
                ..
            } => Some(Self::Model),
            Event::Call { tool, args, .. } => Some(Self::call(tool, args)),
            _ => None,
        }
    }

    /// A call.
    pub(crate) fn call(tool: &str, args: &Value) -> Self {
        let mut hasher = FxHasher::default();
        args.hash(&mut hasher);
        Self::Call(tool.to_owned(), hasher.finish())
    }

    /// What is said of it when it is left out.
    fn left_out(&self, options: &Options) -> String {
        match self {
            Self::Start => "The engine failed twice when it was started: the cache is not used.".to_owned(),
            Self::File(root, path) => {
                let root = options.roots.get(*root as usize);
                let root = root.map_or("", |root| &*root.name);
                format!("The engine failed twice at {root}/{path}: the file is skipped.")
            }
            Self::Changes => "The engine failed twice at changes on the disk: every call looks for them.".to_owned(),
            Self::Context => {
                "The engine failed twice at .context/: it is neither read nor written. Fix or move its contents, then restart the server."
                    .to_owned()
            }
            Self::Model => "The engine failed twice at answers of the model: it is not asked.".to_owned(),
            Self::Cache => "The engine failed twice when it wrote the cache: none is written.".to_owned(),
            Self::Call(tool, _) => {
                format!("The engine failed twice at a call of {tool}: the same call is refused.")
            }
        }
    }

    /// Changes how a workspace is opened, so that this part is not met again.
    fn leave_out_of(&self, options: &mut Options) {
        match self {
            Self::Start | Self::Cache => options.no_cache = true,
            Self::File(root, path) => {
                Arc::make_mut(&mut options.left_out).insert((*root, path.clone()));
            }
            Self::Changes => options.watch = false,
            Self::Context => options.config.keep_context = false,
            Self::Model => options.model = None,
            Self::Call(..) => {}
        }
    }
}

/// What to do after a fault.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Start the engine anew.
    Restart,
    /// Start no engine any more.
    GiveUp,
}

/// The faults of a service.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    counts: FxHashMap<Part, u32>,
    restarts: u32,
    refused: FxHashSet<Part>,
    /// What was left out, as sentences.
    pub(crate) notes: Vec<String>,
}

impl Faults {
    /// Takes a fault in; what is left out from now on changes `options`.
    pub(crate) fn note(&mut self, part: Part, options: &mut Options) -> Verdict {
        tracing::error!(?part, "the engine failed and is started anew");
        let count = self.counts.entry(part.clone()).or_insert(0);
        *count += 1;
        let count = *count;
        let is_call = matches!(part, Part::Call(..));
        self.restarts += u32::from(!is_call);
        if count == 2 {
            let note = part.left_out(options);
            tracing::error!("{note}");
            self.notes.push(note);
            part.leave_out_of(options);
            match is_call {
                true => drop(self.refused.insert(part)),
                // Calls may have failed because of that.
                false => self.forget_calls(),
            }
        } else if count > 2 && !is_call || self.restarts > MOST_RESTARTS {
            return Verdict::GiveUp;
        }
        Verdict::Restart
    }

    /// Whether a call is not run any more.
    pub(crate) fn refuses(&self, tool: &str, args: &Value) -> bool {
        !self.refused.is_empty() && self.refused.contains(&Part::call(tool, args))
    }

    /// Whether a part is left out.
    pub(crate) fn has_left_out(&self, part: &Part) -> bool {
        self.counts.get(part).is_some_and(|count| *count >= 2)
    }

    fn forget_calls(&mut self) {
        self.refused.clear();
        self.counts
            .retain(|part, _| !matches!(part, Part::Call(..)));
    }
}

/// From now on panics go to the log, with where they happened and how it came to that.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|info| {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("?").to_owned();
        let trace = Backtrace::force_capture();
        tracing::error!(
            "thread '{name}' panicked{}\n{trace}",
            place_and_message(info)
        );
    }));
}

fn place_and_message(info: &PanicHookInfo<'_>) -> String {
    let place = info.location();
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    let message = info.payload();
    let message = (message.downcast_ref::<&str>().copied())
        .or_else(|| message.downcast_ref::<String>().map(String::as_str));
    format!("{place}: {}", message.unwrap_or("(no message)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_fails_twice_is_left_out_and_thrice_ends_it() {
        let (mut faults, mut options) = (Faults::default(), Options::default());
        options.config.keep_context = true;
        assert_eq!(faults.note(Part::Context, &mut options), Verdict::Restart);
        assert!(options.config.keep_context && faults.notes.is_empty());
        let file = Part::File(0, "a.py".to_owned());
        assert_eq!(faults.note(file, &mut options), Verdict::Restart);
        assert_eq!(faults.note(Part::Context, &mut options), Verdict::Restart);
        assert!(!options.config.keep_context && options.left_out.is_empty());
        assert_eq!(faults.notes.len(), 1);
        assert_eq!(faults.note(Part::Context, &mut options), Verdict::GiveUp);
    }

    #[test]
    fn a_call_is_refused_until_something_else_is_left_out() {
        let (mut faults, mut options) = (Faults::default(), Options::default());
        let (args, others) = (json!({ "symbol": "A" }), json!({ "symbol": "B" }));
        for _ in 0..2 {
            assert!(!faults.refuses("t", &args));
            let part = Part::call("t", &args);
            assert_eq!(faults.note(part, &mut options), Verdict::Restart);
        }
        assert!(faults.refuses("t", &args) && !faults.refuses("t", &others));
        for _ in 0..2 {
            faults.note(Part::Context, &mut options);
        }
        assert!(!faults.refuses("t", &args));
    }

    #[test]
    fn faults_of_ever_new_files_end() {
        let (mut faults, mut options) = (Faults::default(), Options::default());
        let file = |n: u32| Part::File(0, n.to_string());
        let restarts =
            (0..).take_while(|n| faults.note(file(*n), &mut options) == Verdict::Restart);
        assert_eq!(restarts.count() as u32, MOST_RESTARTS);
    }
}
