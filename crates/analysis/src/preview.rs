//! The source that an answer shows of a declaration (SPEC PV1, D22).

use codecortex_syntax::Language;
use codecortex_syntax::language::language_of_path;

use crate::disk_text::TextRef;

/// Lines of a preview at most (SPEC PV1).
const PREVIEW_LINES: usize = 20;

/// What stands for source that cannot be read (SPEC PV1).
pub const UNAVAILABLE: &str = "<source unavailable>";

/// Macros of the Unreal engine that belong to the declaration in the line below (SPEC PV1).
const UNREAL_MACROS: [&str; 5] = ["UCLASS", "UPROPERTY", "UFUNCTION", "UENUM", "USTRUCT"];

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

/// Whether a file may have macros of the Unreal engine: C++, and AngelScript, which is not indexed. Other
/// languages have functions of these names.
pub fn has_unreal_macros(path: &str, language: Option<Language>) -> bool {
    let language = language.or_else(|| language_of_path(path));
    match language {
        Some(language) => matches!(language, Language::Cpp | Language::C),
        None => path.ends_with(".as"),
    }
}

/// The line at which a definition is shown: one up where an Unreal macro stands there (SPEC PV1, D22).
pub fn shown_line(text: &TextRef<'_>, has_macros: bool, start_line: u32) -> u32 {
    let document = &text.snapshot.text;
    let Some(above) = start_line.checked_sub(2).filter(|_| has_macros) else {
        return start_line;
    };
    let line = document.line(above as usize);
    let line = line.trim_start();
    let is_macro = UNREAL_MACROS.iter().any(|name| {
        let rest = line.strip_prefix(name);
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    });
    if is_macro { start_line - 1 } else { start_line }
}
