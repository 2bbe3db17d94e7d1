//! The rules of a language's walk: `languages/<name>.toml`, compiled against its grammar.
//!
//! A spec names node kinds and fields as strings; here they become tables indexed by the grammar's
//! ids, so that the walk does one array look-up a node. A name that the grammar does not know is an
//! error, so a typo or a grammar update cannot silently lose declarations.

mod layers;

use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::sync::OnceLock;

use serde::Deserialize;

use self::layers::LayersFile;
pub(crate) use self::layers::{LayerRole, LayerRules};
use crate::hooks::{self, Hook};
use crate::{Flags, ItemKind, LANGUAGES, Language, Relation, Visibility};

/// A spec file that does not fit its grammar.
#[derive(Debug, thiserror::Error)]
#[error("languages/{language}.toml: {problem}")]
pub struct SpecError {
    language: &'static str,
    problem: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecFile {
    /// Comment node kinds.
    comments: Vec<String>,
    /// What a documentation comment starts with; none: every comment right above counts.
    #[serde(default)]
    doc: Vec<String>,
    /// What a comment that documents the file itself starts with.
    #[serde(default)]
    file_doc: Vec<String>,
    /// Tags of a `/**` comment at the head of a file that is about the file.
    #[serde(default)]
    file_doc_tags: Vec<String>,
    /// What comments start with that are for tools and may stand between documentation and item.
    #[serde(default)]
    not_doc: Vec<String>,
    /// Kinds left out of signatures; as siblings they may stand between documentation and item.
    #[serde(default)]
    attributes: Vec<String>,
    /// Characters without which a text holds neither attribute nor comment, so that most parts of
    /// signatures need no search for them.
    #[serde(default = "every_mark")]
    hidden_marks: String,
    /// Kinds that only wrap an item: the item starts where they start.
    #[serde(default)]
    wrappers: Vec<String>,
    /// Kinds never descended into.
    #[serde(default)]
    skip: Vec<String>,
    /// Kinds of blocks of code.
    #[serde(default)]
    code_blocks: Vec<String>,
    /// What every declaration in such a block contains: without any of them it is not walked.
    #[serde(default)]
    local_words: Vec<String>,
    /// Kinds of which a parameter list consists.
    #[serde(default)]
    parameters: Vec<String>,
    /// Words of a parameter that are part of its type: C#'s `ref`.
    #[serde(default)]
    parameter_words: Vec<String>,
    /// Those of them that take any number of arguments.
    #[serde(default)]
    rest_parameters: Vec<String>,
    /// Whether `...` stands before their type.
    #[serde(default)]
    rest_before_type: bool,
    /// Kinds of type parameter lists.
    #[serde(default)]
    type_parameters: Vec<String>,
    /// Kinds in such a list that are not types or values: Rust's lifetimes.
    #[serde(default)]
    not_type_parameters: Vec<String>,
    /// Whether a comment behind a declaration on its line documents it.
    #[serde(default)]
    trailing_doc: bool,
    /// Kinds inside a base clause that are not bases.
    #[serde(default)]
    not_bases: Vec<String>,
    /// Kinds inside a base clause that hold a list of bases.
    #[serde(default)]
    base_lists: Vec<String>,
    /// Words before the name and what they mean.
    #[serde(default)]
    words: BTreeMap<String, String>,
    visibility: VisibilityFile,
    /// Which layers of the text the hashes tell apart.
    #[serde(default)]
    layers: LayersFile,
    items: BTreeMap<String, RuleFile>,
    /// Kinds handled in Rust alone.
    #[serde(default)]
    hooks: BTreeMap<String, String>,
}

fn every_mark() -> String {
    "@[#/_".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct VisibilityFile {
    /// At the top level or in a namespace.
    default: String,
    /// In a class, struct or record.
    member: Option<String>,
    /// In an interface, trait or enum.
    interface_member: Option<String>,
    /// How a name decides, for languages where it does.
    by_name: Option<NamePolicy>,
}

/// Languages in which a name tells its visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum NamePolicy {
    /// Upper case is public (Go).
    Capitalised,
    /// A leading underscore is private (Python).
    Underscore,
    /// A leading `#` is private (JavaScript, TypeScript).
    Hash,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    kind: ItemKindName,
    /// Field of the name; `name` unless said.
    name: Option<String>,
    /// Fields or child kinds at which the signature ends.
    #[serde(default)]
    body: Vec<String>,
    /// Field of the initial value: short ones are part of the signature.
    value: Option<String>,
    /// Field or child kind of the parameter list; `parameters` unless said.
    parameters: Option<String>,
    /// Field or child kind → relation.
    #[serde(default)]
    bases: BTreeMap<String, RelationName>,
    /// A Rust function that finishes or replaces what the rule finds.
    hook: Option<String>,
    /// Its first statement may be documentation.
    #[serde(default)]
    docstring: bool,
    /// Only declared outside running code: no local variables.
    #[serde(default)]
    not_local: bool,
    /// Its name is a dotted path of nested namespaces; and it holds for the rest of its parent.
    #[serde(default)]
    rest_of_parent: bool,
}

#[derive(Debug, Deserialize)]
#[serde(transparent)]
struct ItemKindName(String);

#[derive(Debug, Deserialize)]
#[serde(transparent)]
struct RelationName(String);

/// A child found by field or by kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selector {
    Field(NonZeroU16),
    Kind(u16),
}

/// How one node kind becomes an item.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) kind: ItemKind,
    pub(crate) name: Selector,
    pub(crate) body: Vec<Selector>,
    pub(crate) value: Option<Selector>,
    pub(crate) parameters: Option<Selector>,
    pub(crate) bases: Vec<(Selector, Relation)>,
    pub(crate) hook: Option<Hook>,
    pub(crate) docstring: bool,
    pub(crate) not_local: bool,
    pub(crate) rest_of_parent: bool,
}

/// What the walk does at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Action {
    #[default]
    Descend,
    Comment,
    Attribute,
    Wrapper,
    Skip,
    /// A block of code: walked only if something is declared in it.
    Code,
    Item(u16),
    Hook(Hook),
}

/// What a word before a name means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Visibility(Visibility),
    Flag(Flags),
    /// An own kind: C#'s `record struct`, Kotlin's `enum class`.
    Kind(ItemKind),
}

/// A compiled spec.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) language: Language,
    actions: Vec<Action>,
    rules: Vec<Rule>,
    pub(crate) doc: Vec<String>,
    pub(crate) file_doc: Vec<String>,
    pub(crate) file_doc_tags: Vec<String>,
    pub(crate) not_doc: Vec<String>,
    attributes: Vec<bool>,
    hidden_marks: String,
    has_type_parameters: bool,
    local_words: Vec<memchr::memmem::Finder<'static>>,
    parameters: Vec<bool>,
    pub(crate) parameter_words: Vec<String>,
    rest_parameters: Vec<bool>,
    pub(crate) rest_before_type: bool,
    type_parameters: Vec<bool>,
    not_type_parameters: Vec<bool>,
    pub(crate) trailing_doc: bool,
    not_bases: Vec<bool>,
    base_lists: Vec<bool>,
    words: BTreeMap<String, Word>,
    pub(crate) layers: LayerRules,
    pub(crate) default_visibility: Visibility,
    pub(crate) member_visibility: Visibility,
    pub(crate) interface_visibility: Visibility,
    pub(crate) by_name: Option<NamePolicy>,
    pub(crate) field_type: Option<NonZeroU16>,
    /// Fields of what a declaration gives or is, the likeliest first.
    pub(crate) field_results: Vec<NonZeroU16>,
    pub(crate) field_name: Option<NonZeroU16>,
    pub(crate) field_pattern: Option<NonZeroU16>,
    pub(crate) field_left: Option<NonZeroU16>,
}

impl Spec {
    pub(crate) fn action(&self, kind: u16) -> Action {
        self.actions.get(kind as usize).copied().unwrap_or_default()
    }

    pub(crate) fn rule(&self, index: u16) -> Option<&Rule> {
        self.rules.get(index as usize)
    }

    pub(crate) fn is_attribute(&self, kind: u16) -> bool {
        flag(&self.attributes, kind)
    }

    /// Whether an attribute or comment may be in a text.
    pub(crate) fn may_hide(&self, source: &[u8]) -> bool {
        let marks = self.hidden_marks.as_bytes();
        source.iter().any(|byte| marks.contains(byte))
    }

    /// Whether the language has generics at all.
    pub(crate) fn has_type_parameters(&self) -> bool {
        self.has_type_parameters
    }

    pub(crate) fn is_comment(&self, kind: u16) -> bool {
        matches!(self.action(kind), Action::Comment)
    }

    pub(crate) fn is_parameter(&self, kind: u16) -> bool {
        flag(&self.parameters, kind)
    }

    pub(crate) fn is_rest_parameter(&self, kind: u16) -> bool {
        flag(&self.rest_parameters, kind)
    }

    pub(crate) fn is_type_parameters(&self, kind: u16) -> bool {
        flag(&self.type_parameters, kind)
    }

    pub(crate) fn is_not_type_parameter(&self, kind: u16) -> bool {
        flag(&self.not_type_parameters, kind)
    }

    pub(crate) fn is_not_base(&self, kind: u16) -> bool {
        flag(&self.not_bases, kind)
    }

    pub(crate) fn is_base_list(&self, kind: u16) -> bool {
        flag(&self.base_lists, kind)
    }

    /// Whether code may declare something that is an item.
    pub(crate) fn may_declare(&self, code: &str) -> bool {
        self.local_words
            .iter()
            .any(|word| word.find(code.as_bytes()).is_some())
    }

    pub(crate) fn word(&self, word: &str) -> Option<Word> {
        self.words.get(word).copied()
    }
}

fn flag(table: &[bool], kind: u16) -> bool {
    table.get(kind as usize).copied().unwrap_or(false)
}

/// The compiled spec of a language; `None` where this build has no grammar for it.
pub(crate) fn spec(language: Language) -> Option<&'static Spec> {
    static SPECS: [OnceLock<Option<Spec>>; LANGUAGES.len()] =
        [const { OnceLock::new() }; LANGUAGES.len()];
    // A spec that does not compile is caught by the test below; at run time its language has none.
    SPECS[language as usize]
        .get_or_init(|| compile(language).ok().flatten())
        .as_ref()
}

/// Compiles every language's spec.
///
/// # Errors
/// The first name that a grammar does not know.
pub fn check_specs() -> Result<(), SpecError> {
    LANGUAGES
        .iter()
        .try_for_each(|row| compile(row.language).map(drop))
}

fn compile(language: Language) -> Result<Option<Spec>, SpecError> {
    let Some(grammar) = language.grammar() else {
        return Ok(None);
    };
    let id = language.info().id;
    let fail = |problem: String| SpecError {
        language: id,
        problem,
    };
    let file: SpecFile = toml::from_str(language.info().spec).map_err(|e| fail(e.to_string()))?;
    Compiler {
        grammar,
        file: &file,
    }
    .compile(language)
    .map(Some)
    .map_err(fail)
}

struct Compiler<'a> {
    grammar: tree_sitter::Language,
    file: &'a SpecFile,
}

impl Compiler<'_> {
    fn compile(&self, language: Language) -> Result<Spec, String> {
        let file = self.file;
        let mut spec = Spec {
            language,
            actions: vec![Action::Descend; self.grammar.node_kind_count()],
            rules: Vec::new(),
            doc: file.doc.clone(),
            file_doc: file.file_doc.clone(),
            file_doc_tags: file.file_doc_tags.clone(),
            not_doc: file.not_doc.clone(),
            attributes: self.table(&file.attributes)?,
            hidden_marks: file.hidden_marks.clone(),
            has_type_parameters: !file.type_parameters.is_empty(),
            local_words: file
                .local_words
                .iter()
                .map(|word| memchr::memmem::Finder::new(word).into_owned())
                .collect(),
            parameters: self.table(&file.parameters)?,
            parameter_words: file.parameter_words.clone(),
            rest_parameters: self.table(&file.rest_parameters)?,
            rest_before_type: file.rest_before_type,
            type_parameters: self.table(&file.type_parameters)?,
            not_type_parameters: self.table(&file.not_type_parameters)?,
            trailing_doc: file.trailing_doc,
            not_bases: self.table(&file.not_bases)?,
            base_lists: self.table(&file.base_lists)?,
            words: words(&file.words)?,
            layers: LayerRules::compile(self, &file.layers)?,
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
        self.set(&mut spec.actions, &file.comments, Action::Comment)?;
        self.set(&mut spec.actions, &file.attributes, Action::Attribute)?;
        self.set(&mut spec.actions, &file.wrappers, Action::Wrapper)?;
        self.set(&mut spec.actions, &file.skip, Action::Skip)?;
        self.set(&mut spec.actions, &file.code_blocks, Action::Code)?;
        for (kind, name) in &file.hooks {
            let hook = hooks::find(name).ok_or_else(|| format!("no hook '{name}'"))?;
            self.set(
                &mut spec.actions,
                std::slice::from_ref(kind),
                Action::Hook(hook),
            )?;
        }
        for (kind, rule) in &file.items {
            let index = spec.rules.len() as u16;
            spec.rules.push(self.rule(rule)?);
            self.set(
                &mut spec.actions,
                std::slice::from_ref(kind),
                Action::Item(index),
            )?;
        }
        Ok(spec)
    }

    fn rule(&self, rule: &RuleFile) -> Result<Rule, String> {
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
            kind: kind(&rule.kind.0)?,
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
                .map(|(name, relation)| Ok((self.selector(name)?, self::relation(&relation.0)?)))
                .collect::<Result<_, String>>()?,
            hook,
            docstring: rule.docstring,
            not_local: rule.not_local,
            rest_of_parent: rule.rest_of_parent,
        })
    }

    /// A field's name or a node kind; a field wins.
    fn selector(&self, name: &str) -> Result<Selector, String> {
        if let Some(field) = self.grammar.field_id_for_name(name) {
            return Ok(Selector::Field(field));
        }
        match self.grammar.id_for_node_kind(name, true) {
            0 => Err(format!("the grammar has neither field nor kind '{name}'")),
            id => Ok(Selector::Kind(id)),
        }
    }

    /// Every id of a kind: a grammar may have several symbols of one visible name.
    fn ids(&self, name: &str) -> Result<Vec<u16>, String> {
        let ids: Vec<u16> = (0..self.grammar.node_kind_count() as u16)
            .filter(|id| {
                self.grammar.node_kind_is_named(*id)
                    && self.grammar.node_kind_for_id(*id) == Some(name)
            })
            .collect();
        if ids.is_empty() {
            return Err(format!("the grammar has no kind '{name}'"));
        }
        Ok(ids)
    }

    fn set(&self, actions: &mut [Action], names: &[String], action: Action) -> Result<(), String> {
        for name in names {
            for id in self.ids(name)? {
                actions[id as usize] = action;
            }
        }
        Ok(())
    }

    fn table(&self, names: &[String]) -> Result<Vec<bool>, String> {
        let mut table = vec![false; self.grammar.node_kind_count()];
        for name in names {
            for id in self.ids(name)? {
                table[id as usize] = true;
            }
        }
        Ok(table)
    }
}

fn words(file: &BTreeMap<String, String>) -> Result<BTreeMap<String, Word>, String> {
    let meaning = |name: &str| -> Result<Word, String> {
        if let Ok(visibility) = visibility(name) {
            return Ok(Word::Visibility(visibility));
        }
        if let Ok(kind) = kind(name) {
            return Ok(Word::Kind(kind));
        }
        flags(name).map(Word::Flag)
    };
    file.iter()
        .map(|(word, name)| Ok((word.clone(), meaning(name)?)))
        .collect()
}

fn optional(name: Option<&str>, default: &str) -> Result<Visibility, String> {
    visibility(name.unwrap_or(default))
}

fn visibility(name: &str) -> Result<Visibility, String> {
    [
        Visibility::Public,
        Visibility::Protected,
        Visibility::Internal,
        Visibility::Private,
    ]
    .into_iter()
    .find(|visibility| visibility.as_str() == name)
    .ok_or_else(|| format!("no visibility '{name}'"))
}

fn kind(name: &str) -> Result<ItemKind, String> {
    ItemKind::from_word(name).ok_or_else(|| format!("no item kind '{name}'"))
}

fn relation(name: &str) -> Result<Relation, String> {
    match name {
        "extends" => Ok(Relation::Extends),
        "implements" => Ok(Relation::Implements),
        "embeds" => Ok(Relation::Embeds),
        "mixin" => Ok(Relation::Mixin),
        _ => Err(format!("no relation '{name}'")),
    }
}

fn flags(name: &str) -> Result<Flags, String> {
    Ok(match name {
        "static" => Flags::STATIC,
        "abstract" => Flags::ABSTRACT,
        "override" => Flags::OVERRIDE,
        "partial" => Flags::PARTIAL,
        "async" => Flags::ASYNC,
        "readonly" => Flags::READONLY,
        "virtual" => Flags::VIRTUAL,
        "exported" => Flags::EXPORTED,
        "default" => Flags::DEFAULT,
        "declaration" => Flags::DECLARATION,
        _ => return Err(format!("no flag '{name}'")),
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_spec_fits_its_grammar() {
        super::check_specs().unwrap();
    }
}
