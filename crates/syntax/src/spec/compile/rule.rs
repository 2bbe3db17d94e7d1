//! `[items]` and `[calls.items]` against the grammar.

use super::Compiler;
use crate::facts::ItemFlags;
use crate::spec::file::RuleFile;
use crate::spec::meanings::{flags, flags_of, kind, kinds, relation, visibility};
use crate::spec::rule::{Extras, NodeRule, RuleContext};
use crate::spec::select::Selector;

impl Compiler<'_> {
    pub(super) fn rule(&self, rule: &RuleFile) -> Result<NodeRule, String> {
        let selectors = |names: &[String]| -> Result<Vec<Selector>, String> {
            names.iter().map(|name| self.selector(name)).collect()
        };
        let hook = rule
            .hook
            .as_deref()
            .map(|name| self.hook(name))
            .transpose()?;
        let parameters = match &rule.parameters {
            Some(name) => Some(self.selector(name)?),
            None => self
                .grammar
                .field_id_for_name("parameters")
                .map(Selector::Field),
        };
        Ok(NodeRule {
            kind: kind(&rule.kind)?,
            name: self.selector(rule.name.as_deref().unwrap_or("name"))?,
            body: selectors(&rule.body)?,
            value: rule
                .value
                .as_deref()
                .map(|name| self.selector(name))
                .transpose()?,
            parameters,
            bases: rule
                .bases
                .iter()
                .map(|(name, word)| Ok((self.selector(name)?, relation(word)?)))
                .collect::<Result<_, String>>()?,
            hook,
            docstring: rule.docstring,
            not_local: rule.not_local,
            rest_of_parent: rule.rest_of_parent,
            extras: self.extras(rule)?,
        })
    }

    /// `None` where the rule says nothing that is not in every language.
    fn extras(&self, rule: &RuleFile) -> Result<Option<Box<Extras>>, String> {
        let is_needed = !self.file.holders.is_empty()
            || !self.file.types.is_empty()
            || self.file.names.is_used()
            || rule.says_more();
        if !is_needed || rule.hook.is_some() {
            return Ok(None);
        }
        let mut values = Vec::new();
        for (name, word) in &rule.values {
            let kind = kind(word)?;
            values.extend(self.ids(name)?.into_iter().map(|id| (id, kind)));
        }
        let mut names = Vec::new();
        for name in &rule.names {
            names.extend(self.ids(name)?);
        }
        Ok(Some(Box::new(Extras {
            names,
            unnamed: rule.unnamed.clone(),
            values,
            value_starts: kinds(&rule.value_starts)?,
            only_values: rule.only_values,
            not_values: rule.not_values.clone(),
            of_type: rule.of_type,
            results: kinds(&rule.results)?,
            once: rule.once,
            needs: rule.needs.clone(),
            needs_around: rule.needs_around.clone(),
            within: rule
                .within
                .iter()
                .map(|(around, word)| Ok((self::around(around)?, kind(word)?)))
                .collect::<Result<_, String>>()?,
            visibility: rule.visibility.as_deref().map(visibility).transpose()?,
            flags: flags_of(&rule.flags)?,
            bodiless: rule
                .bodiless
                .as_deref()
                .map_or(Ok(ItemFlags::default()), flags)?,
            rest_of_parent: rule.rest_of_parent,
            package: rule.package,
        })))
    }
}

fn around(name: &str) -> Result<RuleContext, String> {
    if name == "type" {
        return Ok(RuleContext::Type);
    }
    kind(name).map(RuleContext::Kind)
}

impl RuleFile {
    fn says_more(&self) -> bool {
        self.unnamed.is_some()
            || self.visibility.is_some()
            || self.bodiless.is_some()
            || self.only_values
            || self.of_type
            || self.once
            || self.rest_of_parent
            || self.package
            || ![
                &self.names,
                &self.not_values,
                &self.needs,
                &self.needs_around,
                &self.flags,
            ]
            .into_iter()
            .all(Vec::is_empty)
            || ![
                &self.values,
                &self.value_starts,
                &self.results,
                &self.within,
            ]
            .into_iter()
            .all(std::collections::BTreeMap::is_empty)
    }
}
