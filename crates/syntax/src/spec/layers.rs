//! The part of a spec that tells layers of a text apart (SPEC H3; see `crate::layers`).

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use serde::Deserialize;

use super::compile::Compiler;
use crate::ItemKind;

/// `[layers]` of a spec file: node kinds by what they mean for the hashes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LayersFile {
    /// Imports.
    import: Vec<String>,
    /// What a file offers to others without declaring it.
    export: Vec<String>,
    /// Parts of heads in which `=` gives no initial value.
    head: Vec<String>,
    /// Parts of heads that are implementation, where no item's rule says so.
    body: Vec<String>,
    /// Declarations in bodies that only the type itself is concerned with.
    inner: Vec<String>,
    /// C#'s lists of accessors, accessors, expression bodies and blocks.
    accessors: Vec<String>,
    accessor: Vec<String>,
    arrow: Vec<String>,
    block: Vec<String>,
    /// What only looks.
    cosmetic: Vec<String>,
    /// Directives of a preprocessor.
    directives: Vec<String>,
    /// Those of them that have a condition, in the field `condition`.
    conditions: Vec<String>,
    /// Whether every directive is internal.
    internal_directives: bool,
    /// Values behind `=` that belong to the head of a function.
    head_values: Vec<String>,
    /// Loops whose head has semicolons.
    r#for: Vec<String>,
    /// Kind of a parameter → field of its name, where names of parameters do not count. `field*` takes
    /// only the names out of the field, not what else is in it.
    parameter_names: BTreeMap<String, String>,
    /// Kinds of types in which the order of members means something.
    ordered: Vec<String>,
    /// Whether a semicolon at the end of a statement may be left out.
    optional_semicolons: bool,
    /// Whether strings may be in either kind of quotes.
    either_quote: bool,
    /// Whether `@` before an identifier only escapes it.
    escapes: bool,
    /// Whether implementation is read token by token: literals or comments begin with other marks than
    /// quotes, `/` and `#`.
    by_tokens: bool,
    /// Whether it counts if there is white space between two tokens: `a -b` in a shell.
    spaces: bool,
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
    roles: Vec<LayerRole>,
    /// Kinds that are one token whatever is in them.
    texts: Vec<bool>,
    parameter_names: Vec<Option<(NonZeroU16, bool)>>,
    ordered: Vec<ItemKind>,
    conditions: Vec<bool>,
    condition: Option<NonZeroU16>,
    head_values: Vec<String>,
    pub(crate) internal_directives: bool,
    pub(crate) optional_semicolons: bool,
    pub(crate) either_quote: bool,
    pub(crate) escapes: bool,
    pub(crate) by_tokens: bool,
    pub(crate) spaces: bool,
}

impl LayerRules {
    pub(super) fn compile(compiler: &Compiler<'_>, file: &LayersFile) -> Result<Self, String> {
        let grammar = &compiler.grammar;
        let kinds = grammar.node_kind_count();
        let mut roles = vec![LayerRole::None; kinds];
        for (names, role) in [
            (&file.import, LayerRole::Import),
            (&file.export, LayerRole::Export),
            (&file.head, LayerRole::Head),
            (&file.body, LayerRole::Body),
            (&file.inner, LayerRole::Inner),
            (&file.accessors, LayerRole::Accessors),
            (&file.accessor, LayerRole::Accessor),
            (&file.arrow, LayerRole::Arrow),
            (&file.block, LayerRole::Block),
            (&file.cosmetic, LayerRole::Cosmetic),
            (&file.directives, LayerRole::Directive),
            (&file.r#for, LayerRole::For),
        ] {
            for name in names {
                for id in compiler.ids(name)? {
                    roles[id as usize] = role;
                }
            }
        }
        let mut parameter_names = vec![None; kinds];
        for (kind, field) in &file.parameter_names {
            let name = field.trim_end_matches('*');
            let id = grammar
                .field_id_for_name(name)
                .ok_or_else(|| format!("the grammar has no field '{name}'"))?;
            for kind in compiler.ids(kind)? {
                parameter_names[kind as usize] = Some((id, name.len() == field.len()));
            }
        }
        Ok(Self {
            roles,
            texts: (0..kinds as u16)
                .map(|id| grammar.node_kind_for_id(id).is_some_and(is_text))
                .collect(),
            parameter_names,
            ordered: file
                .ordered
                .iter()
                .map(|name| super::meanings::kind(name))
                .collect::<Result<_, _>>()?,
            conditions: compiler.table(&file.conditions)?,
            condition: grammar.field_id_for_name("condition"),
            head_values: file.head_values.clone(),
            internal_directives: file.internal_directives,
            optional_semicolons: file.optional_semicolons,
            either_quote: file.either_quote,
            escapes: file.escapes,
            by_tokens: file.by_tokens || file.spaces,
            spaces: file.spaces,
        })
    }

    /// What a kind means.
    pub(crate) fn role(&self, kind: u16) -> LayerRole {
        self.roles.get(kind as usize).copied().unwrap_or_default()
    }

    /// Whether a kind is one token: in a string, white space means something.
    pub(crate) fn is_text(&self, kind: u16) -> bool {
        super::flag(&self.texts, kind)
    }

    /// The field of a parameter's name, and whether all of it is the name.
    pub(crate) fn parameter_name(&self, kind: u16) -> Option<(NonZeroU16, bool)> {
        self.parameter_names.get(kind as usize).copied().flatten()
    }

    /// The field of a directive's condition.
    pub(crate) fn condition(&self, kind: u16) -> Option<NonZeroU16> {
        self.condition
            .filter(|_| super::flag(&self.conditions, kind))
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

/// Grammars call literals by what they are; parts of a literal are inside of it.
fn is_text(kind: &str) -> bool {
    let names = ["string", "char", "regex", "heredoc"];
    names.iter().any(|name| kind.contains(name))
        && !["type", "comment", "preproc"]
            .iter()
            .any(|other| kind.contains(other))
}
