//! `[layers]` against the grammar.

use std::num::NonZeroU16;

use super::Compiler;
use crate::spec::kind_set::KindSet;
use crate::spec::layers::{LayerRole, LayerRules};
use crate::spec::meanings::kind;

impl Compiler<'_> {
    pub(super) fn layers(&self) -> Result<LayerRules, String> {
        let file = &self.file.layers;
        let grammar = &self.grammar;
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
                for id in self.ids(name)? {
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
            for kind in self.ids(kind)? {
                parameter_names[kind as usize] = Some((id, name.len() == field.len()));
            }
        }
        let mut line_operators = Vec::new();
        for (kind, tokens) in &file.line_operators {
            let ids = self.ids(kind)?;
            line_operators.extend(ids.into_iter().map(|id| (id, tokens.clone())));
        }
        let mut texts = KindSet::of_count(kinds);
        let is_text = |id: &u16| grammar.node_kind_for_id(*id).is_some_and(is_text);
        (0..kinds as u16)
            .filter(is_text)
            .for_each(|id| texts.insert(id));
        Ok(LayerRules {
            roles,
            texts,
            parameter_names,
            ordered: file
                .ordered
                .iter()
                .map(|name| kind(name))
                .collect::<Result<_, _>>()?,
            line_operators,
            jsx_text: NonZeroU16::new(grammar.id_for_node_kind("jsx_text", true)),
            statement_lists: self.table(&file.statement_lists)?,
            statement_marks: match (file.statement_lists.is_empty(), file.indentation) {
                (true, _) => b"",
                (false, false) => b"\n\r;{",
                (false, true) => b"\n\r;{:",
            },
            conditions: self.table(&file.conditions)?,
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
}

/// Grammars call literals by what they are; parts of a literal are inside of it.
fn is_text(kind: &str) -> bool {
    let names = ["string", "char", "regex", "heredoc"];
    names.iter().any(|name| kind.contains(name))
        && !["type", "comment", "preproc"]
            .iter()
            .any(|other| kind.contains(other))
}
