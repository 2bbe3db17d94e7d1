//! What `languages/<name>.toml` may say, as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::layers::LayersFile;

/// A whole file. Names are node kinds unless something else is said; what selects a node in another
/// one is described in `select.rs`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpecFile {
    /// Comment node kinds.
    pub(super) comments: Vec<String>,
    /// What a documentation comment starts with; none: every comment right above counts.
    #[serde(default)]
    pub(super) doc: Vec<String>,
    /// What a comment that documents the file itself starts with.
    #[serde(default)]
    pub(super) file_doc: Vec<String>,
    /// Tags of a `/**` comment at the head of a file that is about the file.
    #[serde(default)]
    pub(super) file_doc_tags: Vec<String>,
    /// What comments start with that are for tools and may stand between documentation and item.
    #[serde(default)]
    pub(super) not_doc: Vec<String>,
    /// Kinds left out of signatures; as siblings they may stand between documentation and item.
    #[serde(default)]
    pub(super) attributes: Vec<String>,
    /// Macros whose arguments say something of the declaration that they stand before, or of the enumerator before them:
    /// their names, and those of the specifiers in them, are attributes of it.
    #[serde(default)]
    pub(super) specifier_macros: Vec<String>,
    /// Words of an `#if` of which only an editor is built with the arm.
    #[serde(default)]
    pub(super) editor_conditions: Vec<String>,
    /// Characters without which a text holds neither attribute nor comment, so that most parts of
    /// signatures need no search for them.
    #[serde(default = "every_mark")]
    pub(super) hidden_marks: String,
    /// Kinds that only wrap an item: the item starts where they start.
    #[serde(default)]
    pub(super) wrappers: Vec<String>,
    /// Those of them that have one item, which also ends where they end: its body stands beside it.
    #[serde(default)]
    pub(super) holders: Vec<String>,
    /// Kinds never descended into.
    #[serde(default)]
    pub(super) skip: Vec<String>,
    /// Kinds of blocks of code.
    #[serde(default)]
    pub(super) code_blocks: Vec<String>,
    /// Kinds of statements that declare nothing unless they have braces or one of [`Self::local_words`].
    #[serde(default)]
    pub(super) statements: Vec<String>,
    /// Kinds whose inside runs although it is no declaration's body: anonymous functions.
    #[serde(default)]
    pub(super) closures: Vec<String>,
    /// What every declaration in such a block contains: without any of them it is not walked.
    #[serde(default)]
    pub(super) local_words: Vec<String>,
    /// Kinds of which a parameter list consists.
    #[serde(default)]
    pub(super) parameters: Vec<String>,
    /// Kinds in such a list that hold more of them.
    #[serde(default)]
    pub(super) parameter_lists: Vec<String>,
    /// Words of a parameter that are part of its type: C#'s `ref`.
    #[serde(default)]
    pub(super) parameter_words: Vec<String>,
    /// Those of them that take any number of arguments.
    #[serde(default)]
    pub(super) rest_parameters: Vec<String>,
    /// Whether `...` stands before their type.
    #[serde(default)]
    pub(super) rest_before_type: bool,
    /// Kinds that are types, where no field says so: of parameters, and behind a name or before it.
    #[serde(default)]
    pub(super) types: Vec<String>,
    /// Kinds of type parameter lists.
    #[serde(default)]
    pub(super) type_parameters: Vec<String>,
    /// Kinds in such a list that are not types or values: Rust's lifetimes.
    #[serde(default)]
    pub(super) not_type_parameters: Vec<String>,
    /// Whether a comment behind a declaration on its line documents it.
    #[serde(default)]
    pub(super) trailing_doc: bool,
    /// Tokens after which the grammar's own scanner has something to remember, if only that there is nothing. What an
    /// excerpt has before the first of them is taken for other than it was in the tree, with all that is in it.
    #[serde(default)]
    pub(super) scanned: Vec<String>,
    /// Kinds inside a base clause that are not bases.
    #[serde(default)]
    pub(super) not_bases: Vec<String>,
    /// Kinds inside a base clause that hold a list of bases.
    #[serde(default)]
    pub(super) base_lists: Vec<String>,
    /// Kinds among a type's members that name what it takes over → relation: PHP's `use Trait;`.
    #[serde(default)]
    pub(super) member_bases: BTreeMap<String, String>,
    /// Kinds whose members all are something: Ruby's `class << self` → `static`.
    #[serde(default)]
    pub(super) scopes: BTreeMap<String, String>,
    /// Kinds that export what is declared elsewhere → the name in them. Outside of code only.
    #[serde(default)]
    pub(super) exports: BTreeMap<String, String>,
    /// Words before the name and what they mean.
    #[serde(default)]
    pub(super) words: BTreeMap<String, String>,
    /// Texts in which such words mean nothing: Swift's `private(set)`.
    #[serde(default)]
    pub(super) not_words: Vec<String>,
    /// Names where they are used, in languages whose names are not resolved: the kind of a name, or
    /// `parent.kind` where that tells what is done with it → `read`, `write`, `call`, `type`, `import` or
    /// `attribute`.
    #[serde(default)]
    pub(super) uses: BTreeMap<String, String>,
    /// Blocks that end with a word.
    pub(super) blocks: Option<Blocks>,
    /// How names are written.
    #[serde(default)]
    pub(super) names: NamesFile,
    pub(super) visibility: VisibilityFile,
    /// Which layers of the text the hashes tell apart.
    #[serde(default)]
    pub(super) layers: LayersFile,
    #[serde(default)]
    pub(super) items: BTreeMap<String, RuleFile>,
    /// Calls that declare.
    #[serde(default)]
    pub(super) calls: CallsFile,
    /// Kinds handled in Rust alone.
    #[serde(default)]
    pub(super) hooks: BTreeMap<String, String>,
}

fn every_mark() -> String {
    "@[#/_".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VisibilityFile {
    /// At the top level or in a namespace.
    pub(super) default: String,
    /// In a class, struct or record.
    pub(super) member: Option<String>,
    /// In an interface, trait or enum.
    pub(super) interface_member: Option<String>,
    /// How a name decides, for languages where it does.
    pub(super) by_name: Option<NamePolicy>,
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

/// `[blocks]`: languages whose blocks end with a word, so that a text that stops in the middle can be
/// completed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Blocks {
    /// The word.
    pub(crate) end: String,
    /// Tokens that open a block wherever they stand.
    pub(crate) opens: Vec<String>,
    /// Tokens that open one at the start of a line or behind `=`; elsewhere they are conditions.
    #[serde(default)]
    pub(crate) first: Vec<String>,
    /// Those of all of them that need none if there is a `=` behind them: `def size = 1`.
    #[serde(default)]
    pub(crate) may_be_values: Vec<String>,
    /// The token that opens nothing more on a line that starts with a loop, and what loops are.
    #[serde(default)]
    pub(crate) of_loops: String,
    #[serde(default)]
    pub(crate) loops: Vec<String>,
}

/// How names are written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct NamesFile {
    /// Kinds around a name → where in them it is, or `*` for the first child.
    pub(super) inside: BTreeMap<String, String>,
    /// Kinds that list names, where a rule takes several.
    pub(super) lists: Vec<String>,
    /// Characters between the parts of a name of which the last is the name and the others are what
    /// it is in: `M.open`.
    pub(super) separators: String,
    /// Characters around a name that are not part of it.
    pub(super) trim: String,
    /// What a name may begin with that only says that it is one, and is not part of it: C#'s `@class`.
    pub(super) sign: Option<char>,
    /// Names that declare nothing.
    pub(super) none: Vec<String>,
    /// Kinds that members have because of their name: `initialize`.
    pub(super) kinds: BTreeMap<String, String>,
    /// The kind of what members are written outside of, where it is declared as something else in the
    /// same file; with it, a container that is not declared there is part of the signature alone.
    pub(super) owners: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    pub(super) kind: String,
    /// Where the name is; the field `name` unless said.
    pub(super) name: Option<String>,
    /// Kinds of names, where the declaration may have several; what `name` selects is searched.
    #[serde(default)]
    pub(super) names: Vec<String>,
    /// The name of what has none.
    pub(super) unnamed: Option<String>,
    /// Where the signature ends.
    #[serde(default)]
    pub(super) body: Vec<String>,
    /// The initial value: short ones are part of the signature.
    pub(super) value: Option<String>,
    /// Kinds of the value (or of a child, if `value` is not said) that make the item another kind of
    /// item: Zig's `const Point = struct {…}`.
    #[serde(default)]
    pub(super) values: BTreeMap<String, String>,
    /// The same by what the value's text starts with: Ruby's `Point = Struct.new(…)`.
    #[serde(default)]
    pub(super) value_starts: BTreeMap<String, String>,
    /// Whether nothing is declared without such a value.
    #[serde(default)]
    pub(super) only_values: bool,
    /// What the value of no declaration starts with: `require`.
    #[serde(default)]
    pub(super) not_values: Vec<String>,
    /// Written results that make the item another kind of item: Zig's functions that give a `type`.
    #[serde(default)]
    pub(super) results: BTreeMap<String, String>,
    /// The parameter list; the field `parameters` unless said.
    pub(super) parameters: Option<String>,
    /// Where bases are → relation.
    #[serde(default)]
    pub(super) bases: BTreeMap<String, String>,
    /// A Rust function that finishes or replaces what the rule finds.
    pub(super) hook: Option<String>,
    /// Its first statement may be documentation.
    #[serde(default)]
    pub(super) docstring: bool,
    /// Only declared outside running code: no local variables.
    #[serde(default)]
    pub(super) not_local: bool,
    /// Only the first of a name is a declaration, the others assign.
    #[serde(default)]
    pub(super) once: bool,
    /// Only declared with one of these words before its name …
    #[serde(default)]
    pub(super) needs: Vec<String>,
    /// … or where the declaration around starts with one of these.
    #[serde(default)]
    pub(super) needs_around: Vec<String>,
    /// Kind of what is around (`type` for any type) → its kind there.
    #[serde(default)]
    pub(super) within: BTreeMap<String, String>,
    /// Whether it is a member of the type around, whatever is between: a property that a constructor's
    /// parameter declares.
    #[serde(default)]
    pub(super) of_type: bool,
    /// Its visibility unless a word says another.
    pub(super) visibility: Option<String>,
    /// What it is in any case: `static`.
    #[serde(default)]
    pub(super) flags: Vec<String>,
    /// What a member without a body is: `abstract`.
    pub(super) bodiless: Option<String>,
    /// Without a body it holds for the rest of its parent, or up to the next one there.
    #[serde(default)]
    pub(super) rest_of_parent: bool,
    /// Without a body it is no item but the name of the file's package, or of the next part of it.
    #[serde(default)]
    pub(super) package: bool,
}

/// `[calls]`: languages in which declarations are calls.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CallsFile {
    /// Kind of a call → where in it what is called is. Its name below is the text from the start of
    /// the call to there: `attr_reader`, `Struct.new`, `@doc`.
    pub(super) nodes: BTreeMap<String, String>,
    /// Where the arguments are.
    pub(super) arguments: Option<String>,
    /// What is called → what that declares.
    pub(super) items: BTreeMap<String, RuleFile>,
    /// What is called → where in it is the text that documents the next item.
    pub(super) docs: BTreeMap<String, String>,
    /// What is called → where in it is the text that documents what it stands in.
    pub(super) inner_docs: BTreeMap<String, String>,
    /// What is called → relation of what is around to the arguments.
    pub(super) bases: BTreeMap<String, String>,
    /// What may stand between documentation and item, and is part of the item: `@*` for every other
    /// name that starts so.
    pub(super) attributes: Vec<String>,
    /// What is called → who sees the members that follow it, or that are its arguments.
    pub(super) access: BTreeMap<String, String>,
    /// Kinds that may be such a word without arguments.
    pub(super) bare: Vec<String>,
    /// Kinds of arguments that name such members.
    pub(super) names: Vec<String>,
}
