//! Selectors against the grammar.

use std::num::NonZeroU16;

use super::Compiler;
use crate::spec::select::{LONGEST_PATH, Path, Selector, SelectorStep};

impl Compiler<'_> {
    /// Reads a selector.
    pub(super) fn selector(&self, text: &str) -> Result<Selector, String> {
        if text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return self.simple(text);
        }
        let path: Path = text
            .split('|')
            .map(|way| way.trim().split('.').map(|step| self.step(step)).collect())
            .collect::<Result<_, _>>()?;
        if path.iter().any(|way| way.len() > LONGEST_PATH) {
            return Err(format!("'{text}' goes too far inside"));
        }
        let mut paths = self.paths.borrow_mut();
        paths.push(path);
        Ok(Selector::Path((paths.len() - 1) as u16))
    }

    /// A field's name or a node kind; a field wins.
    fn simple(&self, name: &str) -> Result<Selector, String> {
        if let Some(field) = self.grammar.field_id_for_name(name) {
            return Ok(Selector::Field(field));
        }
        match self.grammar.id_for_node_kind(name, true) {
            0 => Err(format!("the grammar has neither field nor kind '{name}'")),
            id => Ok(Selector::Kind(id)),
        }
    }

    fn step(&self, step: &str) -> Result<SelectorStep, String> {
        if step.is_empty() {
            return Ok(SelectorStep::Itself);
        }
        if let Some(token) = step.strip_prefix("after ") {
            return Ok(SelectorStep::After(self.tokens(token)?));
        }
        if let Some(token) = step.strip_prefix('\'') {
            return Ok(SelectorStep::Kinds(
                self.tokens(token.trim_end_matches('\''))?,
            ));
        }
        if let Some(kind) = step.strip_prefix('#') {
            return Ok(SelectorStep::Kinds(self.ids(kind)?));
        }
        if let Some(field) = step.strip_suffix('!') {
            return Ok(SelectorStep::LastField(self.field(field)?));
        }
        if let Some((field, kind)) = step.split_once(':') {
            return Ok(SelectorStep::FieldOfKind(
                self.field(field)?,
                self.ids(kind)?,
            ));
        }
        match self.grammar.field_id_for_name(step) {
            Some(field) => Ok(SelectorStep::Field(field)),
            None => Ok(SelectorStep::Kinds(self.ids(step)?)),
        }
    }

    fn field(&self, name: &str) -> Result<NonZeroU16, String> {
        self.grammar
            .field_id_for_name(name)
            .ok_or_else(|| format!("the grammar has no field '{name}'"))
    }

    fn tokens(&self, token: &str) -> Result<Vec<u16>, String> {
        self.symbols(token, false)
            .ok_or_else(|| format!("the grammar has no token '{token}'"))
    }
}
