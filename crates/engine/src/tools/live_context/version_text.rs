//! The text of a version, or some lines of it.

use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_live::History;
use codecortex_protocol::{ErrorCode, Located, ToolError};
use codecortex_text::{TextDocument, numbered_whole};
use serde_json::Value;

use crate::invocation::Invocation;
use crate::live::history;
use crate::tools::live_context::data::{LiveData, Requested, is_withheld, lines_from};
use crate::tools::live_context::{LiveArgs, unknown_version};

struct PastReply {
    head: Requested,
    text: TextDocument,
    /// Lines asked for, from 0.
    first: usize,
    lines: usize,
    unsaved: bool,
}

pub(super) fn past_reply(cx: &Invocation<'_>, file: &Located, args: &LiveArgs) -> ToolResult {
    let now = cx.text_of(file)?;
    let none = History::default();
    if is_withheld(&file.path, &now.snapshot.text) {
        return Err(withheld(file).into());
    }
    let history = history(cx.session, &file.path).unwrap_or(&none);
    let snapshot = match &args.version_id {
        Some(id) => history
            .find(id, now.snapshot)
            .ok_or_else(|| unknown_version(file, id))?,
        None => now.snapshot,
    };
    if is_withheld(&file.path, &snapshot.text) {
        return Err(withheld(file).into());
    }
    let total = snapshot.text.line_count();
    let start = args.start_line.unwrap_or(1);
    let end = args.end_line.unwrap_or(total as u64).min(total as u64);
    if start == 0 || start > end {
        let error = ToolError::invalid(format!(
            "`startLine` {start} and `endLine` {end} are outside the {total} lines."
        ));
        return Err(error.hint("Lines count from 1.").into());
    }
    let first = start as usize - 1;
    let is_current = snapshot.id() == now.snapshot.id();
    Ok(Box::new(PastReply {
        head: Requested {
            file_path: file.display.clone(),
            version_id: snapshot.id().clone(),
            is_current,
            start_line: start as u32,
            end_line: end as u32,
            total_lines: total as u32,
            text: String::new(),
        },
        text: snapshot.text.clone(),
        first,
        lines: end as usize - first,
        unsaved: now.is_dirty && is_current,
    }))
}

/// The error for a file of secrets.
fn withheld(file: &Located) -> ToolError {
    let message = format!(
        "`{}` looks like a file of secrets, so its text is withheld from models.",
        file.display
    );
    ToolError::new(ErrorCode::Unavailable, message)
        .hint("Ask the person about its contents, or read the code that uses it.")
}

impl PastReply {
    fn shown(&self, pieces: usize) -> Requested {
        let mut shown = self.head.clone();
        shown.text = self.text.lines(self.first..self.first + pieces);
        shown.end_line = (self.first + pieces) as u32;
        shown
    }
}

impl Reply for PastReply {
    fn levels(&self) -> &'static [&'static str] {
        &["lines"]
    }

    fn pieces(&self) -> usize {
        self.lines
    }

    fn data(&self, _: usize, pieces: usize, common: Common) -> Value {
        let data = LiveData {
            current_document: None,
            delta: None,
            requested: Some(self.shown(pieces)),
            recent_diffs: Vec::new(),
            anchor_diff: None,
            editor_state: None,
            plan_hints: Vec::new(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _: usize, pieces: usize) -> String {
        let shown = self.shown(pieces);
        let which = if shown.is_current { "current" } else { "older" };
        format!(
            "// {} {} ({which}) lines {}-{} of {}\n{}",
            shown.file_path,
            shown.version_id,
            shown.start_line,
            shown.end_line,
            shown.total_lines,
            numbered_whole(lines_from(shown.start_line, &shown.text))
        )
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}
