//! What a person at a terminal sees while an index is built.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{Phase, State};
use codecortex_host::HostWorkspace;

/// What takes less than this needs no explanation.
const PATIENCE: Duration = Duration::from_millis(500);
const EVERY: Duration = Duration::from_millis(100);
const CLEAR_LINE: &str = "\r\x1b[K";

/// Shows on stderr how far the index is, where stderr is a terminal.
pub(crate) fn show(workspace: &mut HostWorkspace) {
    if !io::stderr().is_terminal() {
        return;
    }
    let mut line = ProgressLine {
        begun: Instant::now(),
        shown: None,
        is_done: false,
    };
    workspace.on_state(Box::new(move |state| {
        if let Some(text) = line.text(state, Instant::now()) {
            let mut out = io::stderr().lock();
            // Nobody needs it who cannot see it.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        }
    }));
}

/// Says something on stderr to whoever looks at it.
pub(crate) fn say(text: &str) {
    let mut out = io::stderr().lock();
    // Nobody needs it who cannot see it.
    let _ = writeln!(out, "{}", crate::output::shown(text));
}

struct ProgressLine {
    begun: Instant,
    shown: Option<Instant>,
    is_done: bool,
}

impl ProgressLine {
    /// What to write for a state, if anything.
    fn text(&mut self, state: &State, now: Instant) -> Option<String> {
        if self.is_done {
            return None;
        }
        if !matches!(state.phase, Phase::Scanning | Phase::Indexing) {
            self.is_done = true;
            return self.shown.map(|_| CLEAR_LINE.to_owned());
        }
        let is_early = now < self.begun + PATIENCE;
        let is_recent = self.shown.is_some_and(|shown| now < shown + EVERY);
        if is_early || is_recent {
            return None;
        }
        self.shown = Some(now);
        let all = state.files + state.pending;
        Some(format!(
            "{CLEAR_LINE}Indexing: {} of {all} files",
            state.files
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(phase: Phase) -> State {
        State {
            phase,
            files: 3,
            pending: 4,
            skipped: 0,
            symbols: 0,
            lines: 0,
            revision: 0,
        }
    }

    #[test]
    fn only_what_takes_long_is_shown_and_it_is_cleared() {
        let begun = Instant::now();
        let mut line = ProgressLine {
            begun,
            shown: None,
            is_done: false,
        };
        let mut text = |phase, ms| line.text(&state(phase), begun + Duration::from_millis(ms));
        assert_eq!(text(Phase::Indexing, 10), None);
        let shown = text(Phase::Indexing, 600);
        assert_eq!(shown.as_deref(), Some("\r\x1b[KIndexing: 3 of 7 files"));
        assert_eq!(text(Phase::Indexing, 650), None);
        assert!(text(Phase::Indexing, 750).is_some());
        assert_eq!(text(Phase::Ready, 760).as_deref(), Some(CLEAR_LINE));
        assert_eq!(text(Phase::Indexing, 2000), None);
    }

    #[test]
    fn what_is_quick_leaves_no_trace() {
        let begun = Instant::now();
        let mut line = ProgressLine {
            begun,
            shown: None,
            is_done: false,
        };
        assert_eq!(line.text(&state(Phase::Ready), begun), None);
    }
}
