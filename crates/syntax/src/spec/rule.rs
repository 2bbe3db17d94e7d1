//! How a node becomes an item: the compiled form of `[items]` and `[calls.items]`.

use super::compile::Compiler;
use super::file::RuleFile;
use super::meanings::{flags, kind, kinds, relation, visibility};
use super::{Rule, Selector, words_of};
use crate::hooks;
use crate::{Flags, ItemKind, Visibility};

/// What a rule says beyond name, body, parameters and bases. Most rules say nothing of it.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// Kinds of names, where there may be several.
    pub(crate) names: Vec<u16>,
    pub(crate) unnamed: Option<String>,
    pub(crate) values: Vec<(u16, ItemKind)>,
    pub(crate) value_starts: Vec<(String, ItemKind)>,
    pub(crate) only_values: bool,
    pub(crate) not_values: Vec<String>,
    pub(crate) of_type: bool,
    pub(crate) results: Vec<(String, ItemKind)>,
    pub(crate) once: bool,
    pub(crate) needs: Vec<String>,
    pub(crate) needs_around: Vec<String>,
    pub(crate) within: Vec<(Around, ItemKind)>,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) flags: Flags,
    pub(crate) bodiless: Flags,
    pub(crate) rest_of_parent: bool,
    pub(crate) package: bool,
}

/// What a declaration is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    Type,
    Kind(ItemKind),
}

impl Around {
    /// Whether a declaration's parent is that.
    pub(crate) fn is(self, parent: ItemKind) -> bool {
        match self {
            Self::Type => parent.is_type() || parent == ItemKind::Extension,
            Self::Kind(kind) => kind == parent,
        }
    }
}

impl Compiler<'_> {
    pub(super) fn rule(&self, rule: &RuleFile) -> Result<Rule, String> {
        let selectors = |names: &[String]| -> Result<Vec<Selector>, String> {
            names.iter().map(|name| self.selector(name)).collect()
        };
        let hook = match &rule.hook {
            Some(name) => Some(hooks::find(name).ok_or_else(|| format!("no hook '{name}'"))?),
            None => None,
        };
        let parameters = match &rule.parameters {
            Some(name) => Some(self.selector(name)?),
            None => self
                .grammar
                .field_id_for_name("parameters")
                .map(Selector::Field),
        };
        Ok(Rule {
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
            || self.file.names.is_said()
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
            flags: words_of(&rule.flags)?,
            bodiless: rule
                .bodiless
                .as_deref()
                .map_or(Ok(Flags::default()), flags)?,
            rest_of_parent: rule.rest_of_parent,
            package: rule.package,
        })))
    }
}

fn around(name: &str) -> Result<Around, String> {
    if name == "type" {
        return Ok(Around::Type);
    }
    kind(name).map(Around::Kind)
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
