//! What a walk through Rust keeps of macros and modules.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Parser;

use crate::facts::{DefKind, ExprId, ScopeId};

/// A module that is written inside its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inline<'s> {
    pub(super) name: &'s str,
    /// The scope in which its name is defined.
    pub(super) around: ScopeId,
}

/// What goes on while the macros in a macro's arguments are walked.
#[derive(Default)]
pub(super) struct MacroSharedState<'s> {
    /// Modules around, outermost first.
    pub(super) modules: Vec<Inline<'s>>,
    pub(super) reparse: MacroReparse,
    /// Rules of the macros above that make items, by the macro's name.
    pub(super) rules: FxHashMap<String, Vec<MacroRule>>,
    /// First bytes of the names that such items were made of: no uses.
    pub(super) macro_item_names: FxHashSet<u32>,
    /// Types that macros above name which make fields of names they are given, by the macro's name.
    pub(super) holders: FxHashMap<String, Vec<String>>,
    /// How many modules up the one is that macros above bring in, by the macro's name.
    pub(super) macro_globs: FxHashMap<String, u32>,
    /// What may have the fields that are named in the call that is walked.
    pub(super) holder: Option<ExprId>,
    /// What most builds leave out.
    pub(super) inactive: Vec<(u32, u32)>,
}

/// Reads parts of the file a second time.
#[derive(Default)]
pub(super) struct MacroReparse {
    pub(super) parser: Option<Parser>,
    /// The file, with what the arguments' parser is to see in place of commas and brackets.
    pub(super) text: Vec<u8>,
    /// How many macros around are being read again.
    pub(super) depth: u32,
    /// How many blocks around did not parse; [`None`] where blocks are not read.
    pub(super) failed: Option<u32>,
}

/// A rule of a macro that makes items.
#[derive(Debug)]
pub(super) struct MacroRule {
    pub(super) takes: Vec<MacroPart>,
    pub(super) makes: Vec<MacroItem>,
    /// Names that it has as values.
    pub(super) uses: Vec<String>,
}

/// A part of what a rule takes.
#[derive(Debug)]
pub(super) enum MacroPart {
    /// A name, and what the rule calls it.
    Name(String),
    /// One token or what is between two brackets.
    One,
    /// Tokens up to what stands behind them.
    Several,
    /// `pub`, `pub(crate)` or nothing.
    Visibility,
    /// This token.
    Word(String),
    /// Brackets, by the first one.
    Group(String, Vec<MacroPart>),
    /// Any number of these, separated by a token if there is one.
    Repeated(Vec<MacroPart>, String),
}

/// An item that a rule makes.
#[derive(Clone, Debug)]
pub(super) struct MacroItem {
    /// What the rule calls its name.
    pub(super) name: String,
    pub(super) kind: DefKind,
    pub(super) flags: u32,
}
