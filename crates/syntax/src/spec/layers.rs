//! The part of a spec that tells layers of a text apart (SPEC H3; see `crate::layers`).

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use serde::Deserialize;

use super::kind_set::KindSet;
use crate::facts::ItemKind;

/// `[layers]` of a spec file: node kinds by what they mean for the hashes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LayersFile {
    /// Imports.
    pub(super) import: Vec<String>,
    /// What a file offers to others without declaring it.
    pub(super) export: Vec<String>,
    /// Parts of heads in which `=` gives no initial value.
    pub(super) head: Vec<String>,
    /// Parts of heads that are implementation, where no item's rule says so.
    pub(super) body: Vec<String>,
    /// Declarations in bodies that only the type itself is concerned with.
    pub(super) inner: Vec<String>,
    /// C#'s lists of accessors, accessors, expression bodies and blocks.
    pub(super) accessors: Vec<String>,
    pub(super) accessor: Vec<String>,
    pub(super) arrow: Vec<String>,
    pub(super) block: Vec<String>,
    /// What is cosmetic.
    pub(super) cosmetic: Vec<String>,
    /// Directives of a preprocessor.
    pub(super) directives: Vec<String>,
    /// Those of them that have a condition, in the field `condition`.
    pub(super) conditions: Vec<String>,
    /// Whether every directive is internal.
    pub(super) internal_directives: bool,
    /// Values behind `=` that belong to the head of a function.
    pub(super) head_values: Vec<String>,
    /// Loops whose head has semicolons.
    pub(super) r#for: Vec<String>,
    /// Kind of a parameter → field of its name, where names of parameters do not count. `field*` takes
    /// only the names out of the field, not what else is in it.
    pub(super) parameter_names: BTreeMap<String, String>,
    /// Kinds of types in which the order of members means something.
    pub(super) ordered: Vec<String>,
    /// Lists of statements that line breaks or indentation part: of what is in them, the layers say where each begins
    /// and how deep it is nested.
    pub(super) statement_lists: Vec<String>,
    /// Kind of an expression → operators that begin another statement where they begin a line outside of brackets,
    /// though the grammar reads on.
    pub(super) line_operators: BTreeMap<String, Vec<String>>,
    /// Whether indentation nests statements.
    pub(super) indentation: bool,
    /// Whether a semicolon at the end of a statement may be left out.
    pub(super) optional_semicolons: bool,
    /// Whether strings may be in either kind of quotes.
    pub(super) either_quote: bool,
    /// Whether `@` before an identifier only escapes it.
    pub(super) escapes: bool,
    /// Whether implementation is read token by token: literals or comments begin with other marks than
    /// quotes, `/` and `#`.
    pub(super) by_tokens: bool,
    /// Whether white space between two tokens decides what they belong to: `a -b` in a shell.
    pub(super) spaces: bool,
}

/// What a node kind means for the layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LayerRole {
    #[default]
    None,
    Import,
    Export,
    Head,
    Body,
    Inner,
    Accessors,
    Accessor,
    Arrow,
    Block,
    Cosmetic,
    Directive,
    For,
}

/// The compiled form.
#[derive(Debug)]
pub(crate) struct LayerRules {
    pub(super) roles: Vec<LayerRole>,
    /// Kinds that are one token whatever is in them.
    pub(super) texts: KindSet,
    pub(super) parameter_names: Vec<Option<(NonZeroU16, bool)>>,
    pub(super) ordered: Vec<ItemKind>,
    pub(super) statement_lists: KindSet,
    pub(super) line_operators: Vec<(u16, Vec<String>)>,
    /// Text between tags.
    pub(super) jsx_text: Option<NonZeroU16>,
    /// Bytes without which a text has no two statements in it, nor a list of them in a list.
    pub(crate) statement_marks: &'static [u8],
    pub(super) conditions: KindSet,
    pub(super) condition: Option<NonZeroU16>,
    pub(super) head_values: Vec<String>,
    pub(crate) internal_directives: bool,
    pub(crate) optional_semicolons: bool,
    pub(crate) either_quote: bool,
    pub(crate) escapes: bool,
    pub(crate) by_tokens: bool,
    pub(crate) spaces: bool,
}

impl LayerRules {
    /// What a kind means.
    pub(crate) fn role(&self, kind: u16) -> LayerRole {
        self.roles.get(kind as usize).copied().unwrap_or_default()
    }

    /// Whether a kind is one token: in a string, white space means something.
    pub(crate) fn is_text(&self, kind: u16) -> bool {
        self.texts.has(kind)
    }

    /// Whether a token of an expression of a kind begins another statement where it begins a line.
    pub(crate) fn is_line_operator(&self, kind: u16, token: &str) -> bool {
        let mut rows = self.line_operators.iter();
        rows.any(|(of, tokens)| *of == kind && tokens.iter().any(|one| one == token))
    }

    /// Whether a kind is text between the tags of JSX.
    pub(crate) fn is_jsx_text(&self, kind: u16) -> bool {
        self.jsx_text.is_some_and(|text| text.get() == kind)
    }

    /// Whether a kind is a list of statements that line breaks or indentation part.
    pub(crate) fn is_statement_list(&self, kind: u16) -> bool {
        self.statement_lists.has(kind)
    }

    /// The field of a parameter's name, and whether all of it is the name.
    pub(crate) fn parameter_name(&self, kind: u16) -> Option<(NonZeroU16, bool)> {
        self.parameter_names.get(kind as usize).copied().flatten()
    }

    /// The field of a directive's condition.
    pub(crate) fn condition(&self, kind: u16) -> Option<NonZeroU16> {
        self.condition.filter(|_| self.conditions.has(kind))
    }

    /// Whether what stands behind `=` says what a function is, not what it does: C++'s `= 0`.
    pub(crate) fn is_head_value(&self, value: &str) -> bool {
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        self.head_values
            .iter()
            .any(|word| value.strip_prefix(word.as_str()).is_some_and(ends))
    }

    /// Whether the order of members of such a type means something.
    pub(crate) fn is_ordered(&self, kind: ItemKind) -> bool {
        self.ordered.contains(&kind)
    }
}
