//! A spec file against its grammar: names become tables indexed by the grammar's ids.

mod calls;
mod layers;
mod names;
mod rule;
mod select;

use std::cell::RefCell;

use super::action::{Action, HookId};
use super::file::SpecFile;
use super::kind_set::KindSet;
use super::meanings::{flags, optional, relation, visibility, words};
use super::select::{Path, Paths};
use super::{Spec, SpecError};
use crate::Language;

/// Compiles the spec of a language, with the names of the hooks that it may name; nothing where this build has no
/// grammar for it.
pub(crate) fn compile(
    language: Language,
    hooks: &dyn Fn(&str) -> Option<HookId>,
) -> Result<Option<Spec>, SpecError> {
    let Some(grammar) = language.grammar() else {
        return Ok(None);
    };
    let id = language.info().id;
    let fail = |problem: String| SpecError {
        language: id,
        problem,
    };
    let file: SpecFile = toml::from_str(rules_of(language)).map_err(|e| fail(e.to_string()))?;
    Compiler {
        grammar,
        file: &file,
        hooks,
        paths: RefCell::default(),
    }
    .compile(language)
    .map(Some)
    .map_err(fail)
}

/// What the nodes of a language's grammar mean.
fn rules_of(language: Language) -> &'static str {
    #[cfg(feature = "hanging")]
    if let Some(rules) = crate::stand_in::rules_of(language) {
        return rules;
    }
    language.info().spec
}

/// A spec file and the grammar that it is compiled against.
struct Compiler<'a> {
    grammar: tree_sitter::Language,
    file: &'a SpecFile,
    /// The hook of a name.
    hooks: &'a dyn Fn(&str) -> Option<HookId>,
    /// Selectors that are more than a field or a kind.
    paths: RefCell<Vec<Path>>,
}

impl Compiler<'_> {
    fn compile(&self, language: Language) -> Result<Spec, String> {
        let file = self.file;
        let mut rules = Vec::new();
        let calls = self.calls(&mut rules)?;
        let mut spec = Spec {
            language,
            actions: vec![Action::Descend; self.grammar.node_kind_count()],
            rules,
            calls,
            names: self.names()?,
            uses: self.uses()?,
            blocks: file.blocks.clone(),
            paths: Paths::default(),
            doc: file.doc.clone(),
            file_doc: file.file_doc.clone(),
            file_doc_tags: file.file_doc_tags.clone(),
            not_doc: file.not_doc.clone(),
            attributes: self.table(&file.attributes)?,
            holders: self.table(&file.holders)?,
            types: self.table(&file.types)?,
            has_types: !file.types.is_empty(),
            specifier_macros: file.specifier_macros.clone(),
            editor_conditions: file.editor_conditions.clone(),
            hidden_marks: file.hidden_marks.clone(),
            has_type_parameters: !file.type_parameters.is_empty(),
            local_words: file
                .local_words
                .iter()
                .map(|word| memchr::memmem::Finder::new(word).into_owned())
                .collect(),
            parameters: self.table(&file.parameters)?,
            parameter_lists: self.table(&file.parameter_lists)?,
            parameter_words: file.parameter_words.clone(),
            rest_parameters: self.table(&file.rest_parameters)?,
            rest_before_type: file.rest_before_type,
            type_parameters: self.table(&file.type_parameters)?,
            not_type_parameters: self.table(&file.not_type_parameters)?,
            trailing_doc: file.trailing_doc,
            scanned: self.table(&file.scanned)?,
            not_bases: self.table(&file.not_bases)?,
            base_lists: self.table(&file.base_lists)?,
            words: words(&file.words)?,
            not_words: file.not_words.clone(),
            layers: self.layers()?,
            default_visibility: visibility(&file.visibility.default)?,
            member_visibility: optional(
                file.visibility.member.as_deref(),
                &file.visibility.default,
            )?,
            interface_visibility: optional(
                file.visibility.interface_member.as_deref(),
                &file.visibility.default,
            )?,
            by_name: file.visibility.by_name,
            field_type: self.grammar.field_id_for_name("type"),
            field_results: ["returns", "return_type", "result", "type"]
                .iter()
                .filter_map(|name| self.grammar.field_id_for_name(name))
                .collect(),
            field_name: self.grammar.field_id_for_name("name"),
            field_pattern: self.grammar.field_id_for_name("pattern"),
            field_left: self.grammar.field_id_for_name("left"),
        };
        self.actions(&mut spec)?;
        spec.paths = Paths(self.paths.take());
        Ok(spec)
    }

    /// What the walk does at each kind of node; a later one wins.
    fn actions(&self, spec: &mut Spec) -> Result<(), String> {
        let file = self.file;
        let actions = &mut spec.actions;
        self.set(actions, &file.comments, Action::Comment)?;
        self.set(actions, &file.attributes, Action::Attribute)?;
        self.set(actions, &file.wrappers, Action::Wrapper)?;
        self.set(actions, &file.holders, Action::Wrapper)?;
        self.set(actions, &file.skip, Action::Skip)?;
        self.set(actions, &file.code_blocks, Action::Code)?;
        self.set(actions, &file.statements, Action::Statement)?;
        self.set(actions, &file.closures, Action::Closure)?;
        self.set(actions, &file.calls.bare, Action::Bare)?;
        for (kind, word) in &file.member_bases {
            self.set_one(actions, kind, Action::Bases(relation(word)?))?;
        }
        for (kind, word) in &file.scopes {
            self.set_one(actions, kind, Action::Scope(flags(word)?))?;
        }
        for (kind, name) in &file.exports {
            self.set_one(actions, kind, Action::Export(self.selector(name)?))?;
        }
        for kind in file.calls.nodes.keys() {
            self.set_one(actions, kind, Action::Call)?;
        }
        for (kind, name) in &file.hooks {
            self.set_one(actions, kind, Action::Hook(self.hook(name)?))?;
        }
        for (kind, rule) in &file.items {
            let index = spec.rules.len() as u16;
            spec.rules.push(self.rule(rule)?);
            self.set_one(&mut spec.actions, kind, Action::Item(index))?;
        }
        Ok(())
    }

    /// Every id of a kind: a grammar may have several symbols of one visible name.
    fn ids(&self, name: &str) -> Result<Vec<u16>, String> {
        self.symbols(name, true)
            .ok_or_else(|| format!("the grammar has no kind '{name}'"))
    }

    /// Every symbol of that name, if there is any.
    fn symbols(&self, name: &str, is_named: bool) -> Option<Vec<u16>> {
        let ids: Vec<u16> = (0..self.grammar.node_kind_count() as u16)
            .filter(|id| {
                self.grammar.node_kind_is_named(*id) == is_named
                    && self.grammar.node_kind_for_id(*id) == Some(name)
            })
            .collect();
        (!ids.is_empty()).then_some(ids)
    }

    fn set_one(&self, actions: &mut [Action], name: &str, action: Action) -> Result<(), String> {
        for id in self.ids(name)? {
            actions[id as usize] = action;
        }
        Ok(())
    }

    fn set(&self, actions: &mut [Action], names: &[String], action: Action) -> Result<(), String> {
        names
            .iter()
            .try_for_each(|name| self.set_one(actions, name, action))
    }

    /// The kinds of these names.
    fn table(&self, names: &[String]) -> Result<KindSet, String> {
        let mut table = KindSet::of_count(self.grammar.node_kind_count());
        for name in names {
            for id in self.ids(name)? {
                table.insert(id);
            }
        }
        Ok(table)
    }

    /// The hook of a name.
    fn hook(&self, name: &str) -> Result<HookId, String> {
        (self.hooks)(name).ok_or_else(|| format!("no hook '{name}'"))
    }
}
