//! The source that an answer shows of a declaration (SPEC PV1, D22).

use codecortex_syntax::Language;
use codecortex_syntax::language::language_of_path;
use codecortex_text::TextDocument;

use crate::disk_text::TextRef;
use crate::place::{LspPosition, LspRange};

/// Lines of a preview at most (SPEC PV1).
const PREVIEW_LINES: usize = 20;

/// What stands for source that cannot be read (SPEC PV1).
pub const UNAVAILABLE: &str = "<source unavailable>";

/// Macros of the Unreal engine that belong to the declaration in the line below (SPEC PV1).
const UNREAL_MACROS: [&str; 5] = ["UCLASS", "UPROPERTY", "UFUNCTION", "UENUM", "USTRUCT"];

/// Between a macro and what it belongs to are less lines than these.
const MACRO_LINES: u32 = 24;

/// The source of some lines, from 1, at most twenty (SPEC PV1).
pub fn preview(text: &TextRef<'_>, start_line: u32, end_line: u32) -> String {
    let document = &text.snapshot.text;
    let first = start_line.saturating_sub(1) as usize;
    let last = (end_line as usize).min(document.line_count());
    if first >= document.line_count() || first >= last {
        return UNAVAILABLE.to_owned();
    }
    let shown = last.min(first + PREVIEW_LINES);
    let mut out = document.lines(first..shown);
    while out.ends_with(['\n', '\r']) {
        out.pop();
    }
    if shown < last {
        out.push_str("\n... (truncated)");
    }
    out
}

/// Whether a file may have macros of the Unreal engine: C++, and AngelScript. Other
/// languages have functions of these names.
pub fn has_unreal_macros(path: &str, language: Option<Language>) -> bool {
    let language = language.or_else(|| language_of_path(path));
    match language {
        Some(language) => {
            matches!(
                language,
                Language::Cpp | Language::C | Language::AngelScript
            )
        }
        None => false,
    }
}

/// The line at which a definition is shown: one up where an Unreal macro stands there (SPEC PV1, D22).
pub fn shown_line(text: &TextRef<'_>, has_macros: bool, start_line: u32) -> u32 {
    if !has_macros {
        return start_line;
    }
    let document = &text.snapshot.text;
    let is_macro = |line: u32| {
        let is_such = |line: u32| begins_with_macro(&document.line(line as usize));
        line.checked_sub(1).is_some_and(is_such)
    };
    let declared = match is_macro(start_line) {
        true => declared_below(document, start_line),
        false => start_line,
    };
    let above = declared.saturating_sub(1);
    if is_macro(above) { above } else { declared }
}

/// The range of a declaration without the Unreal macros in the lines above it, where these are a part of it: only what is
/// shown moves up to a macro (SPEC D22).
pub fn without_macros(text: &TextRef<'_>, has_macros: bool, range: LspRange) -> LspRange {
    let document = &text.snapshot.text;
    let first = range.start_line();
    let begins = |line: u32| begins_with_macro(&document.line(line as usize - 1));
    if !has_macros || first == 0 || !begins(first) {
        return range;
    }
    let declared = declared_below(document, first);
    if declared == first || declared > range.end_line() {
        return range;
    }
    let line = document.line(declared as usize - 1);
    let indent = line.len() - line.trim_start().len();
    LspRange {
        start: LspPosition::from((declared - 1, indent as u32)),
        ..range
    }
}

/// The line of a declaration, from 1, of which a macro in the line `start` is a part: that line itself where it
/// holds more than the macro.
fn declared_below(document: &TextDocument, start: u32) -> u32 {
    let is_alone = |line: &str| line.trim_end().ends_with(')');
    let is_passed = |line: &str| {
        let line = line.trim();
        let is_comment = line.starts_with("//") || line.starts_with("/*") || line.starts_with('*');
        line.is_empty() || is_comment || begins_with_macro(line) && is_alone(line)
    };
    let lines = start..start.saturating_add(MACRO_LINES);
    let mut lines = lines.filter(|line| {
        let text = document.line(*line as usize - 1);
        !is_passed(&text)
    });
    lines.next().unwrap_or(start)
}

fn begins_with_macro(line: &str) -> bool {
    let line = line.trim_start();
    UNREAL_MACROS.iter().any(|name| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    })
}
