//! The parameters of a declaration, as they are written.

use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefId, flag};
use codecortex_resolve::{BoundFile, DefRef, Resolver};
use tree_sitter::{Node, Tree};

use crate::bracket_list::{BracketList, ListItem};
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{children, descendants, leaf_at, range_of, text_of};

/// The most nodes between a name and the list of its parameters.
const MAX_STEPS: usize = 8;

/// How arguments reach a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PassedBy {
    Place,
    PlaceOrName,
    Name,
}

/// A parameter that calls give an argument.
#[derive(Clone, Debug)]
pub(crate) struct WrittenParameter {
    /// Its element in the list; of Go several may share one.
    pub(crate) item: usize,
    /// The bytes of the name where it is written apart from its type.
    pub(crate) name: Option<Range<u32>>,
    /// The bytes of the type, in Go.
    pub(crate) ty: Option<Range<u32>>,
    /// May be left out.
    pub(crate) is_optional: bool,
    /// Takes any number of arguments.
    pub(crate) is_variadic: bool,
    /// Takes named arguments of any names (Python).
    pub(crate) takes_names: bool,
    pub(crate) passed_by: PassedBy,
}

/// The parameters of a declaration.
pub(crate) struct ParameterList<'t> {
    pub(crate) def: DefRef,
    /// The node of the declaration: the one that has the list.
    pub(crate) declaration: Node<'t>,
    pub(crate) list: BracketList<'t>,
    /// Without the receiver.
    pub(crate) parameters: Vec<WrittenParameter>,
    /// Whether the first element of the list is the receiver.
    pub(crate) has_receiver: bool,
    /// Whether a bare `*` or `*args` stands in the list (Python).
    pub(crate) has_star: bool,
    /// Whether parameters are written without names (Go).
    pub(crate) is_unnamed: bool,
    /// The whole declaration.
    pub(crate) extent: Range<u32>,
}

impl<'t> ParameterList<'t> {
    pub(crate) fn new(
        resolver: &Resolver<'_>,
        def: DefRef,
        tree: &'t Tree,
        text: &str,
    ) -> Result<Self, Refusal> {
        let unsupported = |message: &str| {
            let at = resolver.place(def).unwrap_or_default();
            Refusal::new(RefusalKind::Unsupported, message).at([(def.file, at)])
        };
        let (Some(bound), Some(found), Some(dialect)) = (
            resolver.workspace().file(def.file),
            resolver.definition(def),
            resolver.dialect(def.file),
        ) else {
            return Err(unsupported("The declaration is not in the index."));
        };
        let node = leaf_at(tree, found.at).and_then(|leaf| list_node(leaf, found.start));
        let node = node.ok_or_else(|| unsupported("It has no list of parameters."))?;
        let list = BracketList::new(node, text)
            .ok_or_else(|| unsupported("Its parameters are not a list in brackets."))?;
        let function = match found.kind.is_callable() {
            true => def.def,
            false => match bound.expr(found.value) {
                codecortex_bind::facts::Expr::Function { def } => def,
                _ => return Err(unsupported("It is not a function.")),
            },
        };
        let mut made = Self {
            def,
            declaration: node.parent().unwrap_or(node),
            parameters: Vec::new(),
            has_receiver: false,
            has_star: false,
            is_unnamed: false,
            extent: found.start..found.end.max(node.end_byte() as u32),
            list,
        };
        made.read(bound, function, dialect, text);
        Ok(made)
    }

    fn read(&mut self, bound: &BoundFile, function: DefId, dialect: Dialect, text: &str) {
        let mut passed_by = match dialect {
            Dialect::Python | Dialect::CSharp => PassedBy::PlaceOrName,
            _ => PassedBy::Place,
        };
        for (index, item) in self.list.items.iter().enumerate() {
            let written = text
                .get(item.range.start as usize..item.range.end as usize)
                .unwrap_or_default();
            // `f(void)` has no parameters.
            if matches!(dialect, Dialect::C | Dialect::Cpp) && written == "void" {
                continue;
            }
            if dialect == Dialect::Python && written == "/" {
                for before in &mut self.parameters {
                    before.passed_by = PassedBy::Place;
                }
                continue;
            }
            if dialect == Dialect::Python && written == "*" {
                self.has_star = true;
                passed_by = PassedBy::Name;
                continue;
            }
            if index == 0 && is_receiver(bound, function, item, dialect, text) {
                self.has_receiver = true;
                continue;
            }
            if dialect == Dialect::Go {
                let read = go_parameters(item, index, text);
                self.is_unnamed |= read.iter().any(|parameter| parameter.name.is_none());
                self.parameters.extend(read);
                continue;
            }
            let form = ItemForm::new(item, dialect, text);
            self.parameters.push(WrittenParameter {
                item: index,
                name: form.name,
                ty: None,
                is_optional: form.is_optional,
                is_variadic: form.is_variadic,
                takes_names: form.takes_names,
                passed_by,
            });
            if dialect == Dialect::Python && form.is_variadic {
                self.has_star = true;
                passed_by = PassedBy::Name;
            }
        }
    }

    /// How many arguments by place there must be, and how many there may be.
    pub(crate) fn arity(&self) -> (usize, Option<usize>) {
        let by_place = self
            .parameters
            .iter()
            .filter(|parameter| parameter.passed_by != PassedBy::Name && !parameter.takes_names);
        let needed = by_place
            .clone()
            .filter(|parameter| !parameter.is_optional && !parameter.is_variadic);
        let is_open = self
            .parameters
            .iter()
            .any(|parameter| parameter.is_variadic);
        (needed.count(), (!is_open).then(|| by_place.count()))
    }

    /// The name of a parameter.
    pub(crate) fn name<'s>(&self, place: usize, text: &'s str) -> Option<&'s str> {
        let range = self.parameters.get(place)?.name.clone()?;
        text.get(range.start as usize..range.end as usize)
    }
}

/// The list of parameters of the declaration that a name belongs to, which begins at a byte.
fn list_node(leaf: Node<'_>, start: u32) -> Option<Node<'_>> {
    let mut node = leaf;
    for _ in 0..MAX_STEPS {
        let parent = node.parent()?;
        if (parent.start_byte() as u32) < start && !parent.kind().starts_with("variable") {
            return None;
        }
        if let Some(list) = parent.child_by_field_name("parameters") {
            return (list.start_byte() >= leaf.end_byte()).then_some(list);
        }
        let value = parent.child_by_field_name("value");
        let list = value.and_then(|value| value.child_by_field_name("parameters"));
        if let Some(list) = list {
            return Some(list);
        }
        if parent.kind().ends_with("body") || parent.kind().ends_with("block") {
            return None;
        }
        node = parent;
    }
    None
}

fn is_receiver(
    bound: &BoundFile,
    function: DefId,
    item: &ListItem<'_>,
    dialect: Dialect,
    text: &str,
) -> bool {
    let first = item.nodes.first().map(|node| node.kind());
    let has_word = |word: &str| {
        let mut nodes = item.nodes.iter().flat_map(|node| children(*node));
        nodes.any(|node| text_of(node, text) == word)
    };
    match dialect {
        Dialect::Rust => first == Some("self_parameter"),
        Dialect::Java => first == Some("receiver_parameter"),
        Dialect::CSharp => has_word("this"),
        Dialect::Go => false,
        _ => bound.params(function).next().is_some_and(|param| {
            let param = bound.def(param);
            param.flags & flag::RECEIVER != 0 && item.range.contains(&param.at)
        }),
    }
}

/// What the form of a parameter says.
struct ItemForm {
    name: Option<Range<u32>>,
    is_optional: bool,
    is_variadic: bool,
    takes_names: bool,
}

impl ItemForm {
    fn new(item: &ListItem<'_>, dialect: Dialect, text: &str) -> Self {
        let parts: Vec<Node<'_>> = item
            .nodes
            .iter()
            .flat_map(|node| std::iter::once(*node).chain(children(*node)))
            .collect();
        let has_kind = |kinds: &[&str]| parts.iter().any(|node| kinds.contains(&node.kind()));
        let has_word = |word: &str| parts.iter().any(|node| text_of(*node, text) == word);
        let (is_variadic, takes_names, is_optional) = match dialect {
            Dialect::Python => (
                has_kind(&["list_splat_pattern"]),
                has_kind(&["dictionary_splat_pattern"]),
                has_kind(&["default_parameter", "typed_default_parameter"]),
            ),
            Dialect::TypeScript | Dialect::JavaScript => (
                has_kind(&["rest_pattern"]),
                false,
                has_kind(&["optional_parameter", "assignment_pattern"]) || has_word("="),
            ),
            Dialect::Java => (has_kind(&["spread_parameter"]), false, false),
            Dialect::CSharp => (has_word("params"), false, has_word("=")),
            Dialect::Rust => (has_kind(&["variadic_parameter"]), false, false),
            _ => (
                has_kind(&["variadic_parameter", "variadic_parameter_declaration"])
                    || has_word("..."),
                false,
                has_kind(&["optional_parameter_declaration"]),
            ),
        };
        Self {
            name: name_in(item, dialect).map(range_of),
            is_optional,
            is_variadic,
            takes_names,
        }
    }
}

/// The name that a parameter gives, where it gives one.
fn name_in<'t>(item: &ListItem<'t>, dialect: Dialect) -> Option<Node<'t>> {
    for node in &item.nodes {
        if node.kind() == "identifier" && matches!(dialect, Dialect::Python | Dialect::JavaScript) {
            return Some(*node);
        }
        let named = ["name", "pattern", "left", "declarator"]
            .iter()
            .find_map(|field| node.child_by_field_name(field));
        let within = match (named, dialect) {
            (Some(named), _) => named,
            // `a: int` and `*args`: the first name of it.
            (None, Dialect::Python | Dialect::JavaScript) => *node,
            _ => continue,
        };
        let all = descendants(within, |node| !node.kind().contains("type"));
        if let Some(name) = all.into_iter().find(|node| node.kind() == "identifier") {
            return Some(name);
        }
    }
    None
}

/// The parameters that an element of a list of Go declares: one a name, or one without a name.
fn go_parameters(item: &ListItem<'_>, index: usize, _: &str) -> Vec<WrittenParameter> {
    let Some(node) = item.nodes.first().copied() else {
        return Vec::new();
    };
    let mut cursor = node.walk();
    let names: Vec<Node<'_>> = node.children_by_field_name("name", &mut cursor).collect();
    let ty = node.child_by_field_name("type").map(range_of);
    let parameter = |name: Option<Range<u32>>| WrittenParameter {
        item: index,
        name,
        ty: ty.clone(),
        is_optional: false,
        is_variadic: node.kind().contains("variadic"),
        takes_names: false,
        passed_by: PassedBy::Place,
    };
    match names.is_empty() {
        true => vec![parameter(None)],
        false => names
            .into_iter()
            .map(|name| parameter(Some(range_of(name))))
            .collect(),
    }
}
