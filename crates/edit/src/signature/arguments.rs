//! The arguments of a call, as they are written.

use std::ops::Range;

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::bracket_list::{BracketList, ListItem};
use crate::tree::{children, descendants, text_of};

/// An argument.
#[derive(Clone, Debug)]
pub(crate) struct CallArgument {
    /// The name that it is given by.
    pub(crate) name: Option<String>,
    /// Stands for any number of arguments.
    pub(crate) is_spread: bool,
    /// Evaluating it may do something, so that it can be neither dropped nor moved.
    pub(crate) may_act: bool,
    pub(crate) range: Range<u32>,
}

/// The arguments of a call.
pub(crate) struct ArgumentList<'t> {
    pub(crate) list: BracketList<'t>,
    /// One for each element of the list.
    pub(crate) arguments: Vec<CallArgument>,
}

impl<'t> ArgumentList<'t> {
    /// Of the node of the arguments; nothing where they are no list in brackets.
    pub(crate) fn new(node: Node<'t>, text: &str, dialect: Dialect) -> Option<Self> {
        let list = BracketList::new(node, text)?;
        let arguments = list.items.iter();
        let arguments = arguments
            .map(|item| argument(item, text, dialect))
            .collect();
        Some(Self { list, arguments })
    }

    /// The same of the tokens of a macro; nothing where a comma may be a part of an argument.
    pub(crate) fn of_tokens(node: Node<'t>, text: &str) -> Option<Self> {
        let hides_comma = children(node)
            .into_iter()
            .any(|token| matches!(text_of(token, text), "|" | "<" | "||" | "=>" | ";"));
        if hides_comma {
            return None;
        }
        let list = BracketList::new(node, text)?;
        let arguments = list.items.iter().map(|item| CallArgument {
            name: None,
            is_spread: false,
            may_act: item.nodes.len() != 1
                || item
                    .nodes
                    .first()
                    .is_some_and(|node| node.kind() == "token_tree"),
            range: item.range.clone(),
        });
        let arguments = arguments.collect();
        Some(Self { list, arguments })
    }

    /// How many arguments are given by their places: those before the first one by name.
    pub(crate) fn by_place(&self) -> usize {
        let named = self
            .arguments
            .iter()
            .position(|argument| argument.name.is_some());
        named.unwrap_or(self.arguments.len())
    }
}

fn argument(item: &ListItem<'_>, text: &str, dialect: Dialect) -> CallArgument {
    let node = item.nodes.first().copied();
    let written = text
        .get(item.range.start as usize..item.range.end as usize)
        .unwrap_or_default();
    let name = node.filter(|node| match dialect {
        Dialect::Python => node.kind() == "keyword_argument",
        Dialect::CSharp => node.kind() == "argument",
        _ => false,
    });
    let name = name.and_then(|node| node.child_by_field_name("name"));
    let is_spread = match dialect {
        Dialect::Python => written.starts_with('*'),
        Dialect::TypeScript | Dialect::JavaScript => written.starts_with("..."),
        Dialect::Go | Dialect::Cpp => written.ends_with("..."),
        _ => false,
    };
    CallArgument {
        name: name.map(|node| text_of(node, text).to_owned()),
        is_spread,
        may_act: item.nodes.iter().any(|node| may_act(*node)),
        range: item.range.clone(),
    }
}

/// Whether evaluating an expression may do something, or may end it.
fn may_act(node: Node<'_>) -> bool {
    // What a function does it does when it is called.
    let is_function = |node: Node<'_>| {
        let kind = node.kind();
        kind.contains("lambda")
            || matches!(
                kind,
                "arrow_function"
                    | "function_expression"
                    | "closure_expression"
                    | "func_literal"
                    | "anonymous_method_expression"
            )
    };
    let all = descendants(node, |node| !is_function(node));
    all.into_iter().any(|node| {
        let kind = node.kind();
        node.is_named()
            && !is_function(node)
            && (kind.contains("call")
                || kind.contains("invocation")
                || kind.contains("assignment")
                || kind.contains("creation")
                || kind.contains("update")
                || kind.contains("await")
                || kind.contains("yield")
                || kind.contains("throw")
                || kind.contains("comprehension")
                || kind.starts_with("macro")
                || matches!(
                    kind,
                    "new_expression"
                        | "generator_expression"
                        | "try_expression"
                        | "named_expression"
                        | "postfix_unary_expression"
                        | "prefix_unary_expression"
                        | "return_expression"
                        | "break_expression"
                        | "delete_expression"
                        | "move_expression"
                        | "tagged_template"
                ))
    })
}
