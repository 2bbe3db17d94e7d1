//! Outlines that are one text: the form of `000` §3.4, and what the compact form gives.

use codecortex_analysis::artefacts::member::member_outline;
use codecortex_analysis::artefacts::outline::{lacks_projects, type_outline};
use codecortex_analysis::place::{Location, ResolvedSymbol};
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::cursor::write_cursor;
use codecortex_answer::reply::{Common, Reply};
use codecortex_index::{HashRules, Symbol};
use codecortex_ledger::files::outline::{Outline, render_outline};
use codecortex_protocol::{ErrorCode, Failure, Missing, Phase, ToolError};
use serde_json::Value;

use crate::actions::Action;
use crate::invocation::Invocation;
use crate::tools::outline::data::{OutlineData, OutlineSubject, check_start};
use crate::tools::several::SeveralData;

/// What the text is made of.
pub(super) enum Body {
    /// A type's outline, cut between its signatures.
    Type(Box<Outline>),
    /// Pieces one below the other, after a line that is always there.
    Pieces {
        /// Empty, or ended by a line feed.
        head: String,
        /// Each of one line or several, ended by a line feed.
        pieces: Vec<String>,
    },
}

/// An outline that is one text, before the budget.
pub(super) struct OutlineText {
    pub(super) resolved: Option<ResolvedSymbol>,
    pub(super) location: Location,
    pub(super) language: &'static str,
    /// Where it is not UTF-8.
    pub(super) encoding: Option<&'static str>,
    pub(super) syntax_errors: u16,
    pub(super) body: Body,
    pub(super) start: usize,
    pub(super) revision: u32,
    pub(super) unsaved: bool,
}

/// The outline of a type, or of each overload of a member.
pub(super) fn outline_text(
    cx: &Invocation<'_>,
    subject: &OutlineSubject<'_>,
) -> Result<OutlineText, Failure> {
    let none = || {
        ToolError::invalid("The form `outline` is of a type or a member.")
            .hint("Name one with `symbol`, or give `form: \"compact\"`.")
    };
    let OutlineSubject::Symbols(symbols) = subject else {
        return Err(none().into());
    };
    cx.memory().need_bodies()?;
    let lost = || ToolError::new(ErrorCode::InternalError, "The index lost a symbol.");
    // Of a type that is also extended elsewhere, extensions may come first.
    let is_type = |symbol: &&Symbol| {
        let item = cx.index.get(**symbol).map(|(_, item)| item);
        item.is_some_and(|item| item.kind.is_type())
    };
    let type_or_first = symbols.iter().find(is_type).or(symbols.first());
    let symbol = *type_or_first.ok_or_else(lost)?;
    let (file, item) = cx.index.get(symbol).ok_or_else(lost)?;
    // The outline names the project; while files are being read, nobody waits for that.
    if item.kind.is_type() && cx.phase() == Phase::Ready && lacks_projects(cx, file.root) {
        return Err(Failure::Missing(Missing::Projects(file.root)));
    }
    let (body, unsaved) = match type_outline(cx, symbol, hash_rules(cx, file.root)) {
        Some(outline) => {
            let mut parts = cx.index.parts_in(symbol, cx.overlay()).into_iter();
            let unsaved = parts.any(|part| cx.is_unsaved(part.symbol.file));
            cx.enqueue(Action::KeepOutline {
                root: file.root,
                type_id: outline.id.clone(),
            });
            (Body::Type(Box::new(outline)), unsaved)
        }
        None => {
            let outlines = symbols.iter();
            let pieces: Option<Vec<String>> =
                outlines.map(|symbol| member_outline(cx, *symbol)).collect();
            let unsaved = symbols.iter().any(|symbol| cx.is_unsaved(symbol.file));
            (
                Body::Pieces {
                    head: String::new(),
                    pieces: pieces.ok_or_else(none)?,
                },
                unsaved,
            )
        }
    };
    Ok(OutlineText {
        resolved: resolved_symbol(cx, symbol),
        location: cx.location(file, item),
        language: file.facts.language.info().id,
        encoding: file.facts.encoding(),
        syntax_errors: file.facts.syntax_errors,
        body,
        start: 0,
        revision: cx.revision,
        unsaved,
    })
}

/// By what rules the hashes of a root are made: those of its `.context/`, where it has one.
fn hash_rules(cx: &Invocation<'_>, root: u32) -> HashRules {
    let folder = cx.session.contexts.folders.get(root as usize);
    folder.map_or_else(HashRules::default, |folder| {
        folder.config.switches().hash_rules()
    })
}

impl OutlineText {
    /// What follows the first `start` pieces.
    pub(super) fn from(mut self, start: usize) -> Result<Self, ToolError> {
        check_start(start, self.total())?;
        self.start = start;
        Ok(self)
    }

    fn total(&self) -> usize {
        match &self.body {
            Body::Type(outline) => outline.api.len(),
            Body::Pieces { pieces, .. } => pieces.len(),
        }
    }
}

impl Reply for OutlineText {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.total() - self.start
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let data = OutlineData {
            resolved: self.resolved.clone(),
            location: self.location.clone(),
            language: self.language.to_owned(),
            encoding: self.encoding,
            package: None,
            doc: None,
            parts: Vec::new(),
            syntax_errors: self.syntax_errors,
            total: self.total() as u32,
            declarations: None,
            outline_text: Some(self.text(level, pieces)),
            sources: Vec::new(),
            several: SeveralData::default(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let shown = self.start..self.start + pieces;
        match &self.body {
            Body::Type(outline) => render_outline(&Outline {
                api: outline.api[shown].to_vec(),
                ..Outline::clone(outline)
            }),
            Body::Pieces {
                head,
                pieces: lines,
            } => format!("{head}{}", lines[shown].concat()),
        }
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        (shown < self.pieces()).then(|| write_cursor(self.start + shown, self.revision))
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}
