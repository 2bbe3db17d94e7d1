//! The payload as Markdown, as the memo's message has it.

use std::fmt::Write;

use codecortex_text::numbered_whole;

use crate::tools::live_context::data::{
    CurrentDocument, DiffSummary, EditorData, EditorProblem, HintData, lines_from,
};
use crate::tools::live_context::reply::ReplyCut;

pub(super) fn render(cut: &ReplyCut<'_>) -> String {
    let mut out = String::from("# Live Context\n");
    if let Some(document) = cut.document() {
        current(&mut out, &document, cut.live.delta.is_none());
    }
    if let Some(delta) = &cut.live.delta {
        let _ = writeln!(out, "## Changes since {}", delta.from);
        match delta.patch.is_empty() {
            true => out.push_str("None.\n"),
            false => fenced(&mut out, "diff", &delta.patch, ""),
        }
    }
    if !cut.diffs.is_empty() {
        out.push_str("## Recent Diffs (new→old)\n");
        cut.diffs.iter().for_each(|diff| summary(&mut out, diff));
    }
    if let Some(anchor) = cut.anchor {
        out.push_str("## Anchor Diff\n");
        summary(&mut out, anchor);
    }
    editor(&mut out, &cut.live.editor, cut.problems);
    if !cut.hints.is_empty() {
        out.push_str("## Plan Hints\n");
        cut.hints.iter().for_each(|one| hint(&mut out, one));
    }
    out
}

fn current(out: &mut String, document: &CurrentDocument, has_text: bool) {
    let dirty = if document.dirty { ", unsaved" } else { "" };
    let CurrentDocument {
        file_path,
        version_id,
        total_lines,
        ..
    } = document;
    let _ = writeln!(
        out,
        "## Current Document\n{file_path} {version_id} ({total_lines} lines{dirty})"
    );
    if let Some(why) = document.withheld {
        let _ = writeln!(out, "{why}");
        return;
    }
    if !has_text {
        return;
    }
    if let Some(text) = &document.text {
        return fenced(out, "", &numbered_whole(lines_from(1, text)), "");
    }
    let windows = document.windows.iter();
    let shown = windows.flat_map(|window| lines_from(window.start_line, &window.text));
    fenced(out, "", &numbered_whole(shown), "");
    if !document.outline.is_empty() {
        let _ = writeln!(out, "Declared in it:\n{}", document.outline.join("\n"));
    }
}

fn summary(out: &mut String, diff: &DiffSummary) {
    let _ = writeln!(out, "- Version: {} ({})", diff.version_id, diff.origin);
    if !diff.timestamp.is_empty() {
        let _ = writeln!(out, "  Time: {}", diff.timestamp);
    }
    if let Some(error) = &diff.error {
        let _ = writeln!(out, "  Error: {error}");
    }
    if !diff.patch_snippet.is_empty() {
        out.push_str("  Patch:\n");
        fenced(out, "diff", &diff.patch_snippet, "  ");
    }
}

/// A block whose fence is longer than any in the text.
fn fenced(out: &mut String, language: &str, text: &str, indent: &str) {
    let longest = text.lines().map(|line| {
        let bare = line.trim_start_matches([' ', '+', '-']);
        bare.bytes().take_while(|byte| *byte == b'`').count()
    });
    let fence = "`".repeat(longest.max().unwrap_or(0).max(2) + 1);
    let _ = writeln!(out, "{indent}{fence}{language}");
    for line in text.split_inclusive('\n') {
        out.push_str(indent);
        out.push_str(line);
    }
    if !text.is_empty() && !text.ends_with('\n') {
        out.push('\n');
    }
    let _ = writeln!(out, "{indent}{fence}");
}

fn editor(out: &mut String, editor: &EditorData, problems: &[EditorProblem]) {
    let mut lines = Vec::new();
    if let Some(active) = &editor.active_file {
        lines.push(format!("- Active: {active}"));
    }
    let places = |list: &[crate::tools::live_context::data::LivePosition]| {
        let texts: Vec<String> = list.iter().map(ToString::to_string).collect();
        texts.join(", ")
    };
    if !editor.cursors.is_empty() {
        lines.push(format!("- Cursor: {}", places(&editor.cursors)));
    }
    if !editor.selections.is_empty() {
        let ranges: Vec<String> = editor.selections.iter().map(ToString::to_string).collect();
        lines.push(format!("- Selected: {}", ranges.join(", ")));
    }
    if let Some((first, last)) = editor.visible_ranges.first() {
        lines.push(format!("- Visible: lines {first}-{last}"));
    }
    if !editor.dirty_files.is_empty() {
        let more = editor.dirty_total as usize - editor.dirty_files.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        lines.push(format!(
            "- Unsaved: {}{more}",
            editor.dirty_files.join(", ")
        ));
    }
    for problem in problems {
        let source = problem.source.as_ref();
        let source = source.map_or_else(String::new, |source| format!(" ({source})"));
        let severity = format!("{:?}", problem.severity).to_lowercase();
        lines.push(format!(
            "- {severity} line {}: {}{source}",
            problem.line, problem.message
        ));
    }
    if !lines.is_empty() {
        let _ = writeln!(out, "## Editor State\n{}", lines.join("\n"));
    }
}

fn hint(out: &mut String, hint: &HintData) {
    let what = hint.summary.as_deref().unwrap_or("edit");
    let files = hint.files.join(", ");
    let _ = match &hint.reason {
        None => writeln!(out, "- #{} done: {what} [{files}]", hint.edit_id),
        Some(reason) => writeln!(
            out,
            "- #{} failed: {what} [{files}]: {reason}",
            hint.edit_id
        ),
    };
}
