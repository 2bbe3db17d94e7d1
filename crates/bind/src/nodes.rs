//! Kinds and fields of nodes as numbers: comparing names for every node would cost more than parsing.

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::sync::{Mutex, OnceLock, PoisonError};

use tree_sitter::Node;

/// What tells grammars apart: name, number of kinds, number of states.
type GrammarKey = (String, usize, usize);

/// Tables are made once for each grammar and stay.
#[derive(Debug)]
pub(crate) struct Registry<T: 'static>(OnceLock<Mutex<HashMap<GrammarKey, &'static T>>>);

impl<T> Registry<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The table of a grammar, made by `make` if it is the first time.
    pub(crate) fn get(
        &self,
        language: &tree_sitter::Language,
        make: fn(&tree_sitter::Language) -> T,
    ) -> &'static T {
        let tables = self.0.get_or_init(Mutex::default);
        let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
        // Two dialects may bear one name; their kinds differ all the same.
        let key = (
            language.name().unwrap_or_default().to_owned(),
            language.node_kind_count(),
            language.parse_state_count(),
        );
        tables
            .entry(key)
            .or_insert_with(|| Box::leak(Box::new(make(language))))
    }
}

/// The numbers that a grammar gives to kinds of nodes and to fields.
pub(crate) trait Grammar: Sized + 'static {
    /// What a node is.
    type Kind: Copy + PartialEq + std::fmt::Debug;
    /// The kind of all nodes that are not listed.
    const OTHER: Self::Kind;

    /// The table of a grammar.
    fn for_language(language: &tree_sitter::Language) -> &'static Self;

    /// The kind of a node.
    fn kind(&self, node: Node<'_>) -> Self::Kind;
}

/// Declares an enum of node kinds, with `Other` for all that are not listed, a struct of fields, and a
/// table that maps a grammar's numbers to them. Tokens are listed apart from rules: the two may bear one name.
///
/// Kinds that a grammar does not have are allowed: dialects share an enum.
macro_rules! nodes {
    (
        kinds { $($kind:ident = $name:literal),* $(,)? }
        $(tokens { $($token:ident = $token_name:literal),* $(,)? })?
        fields { $($field:ident = $field_name:literal),* $(,)? }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind { Other, $($kind,)* $($($token,)*)? }

        #[derive(Debug)]
        pub(super) struct Table {
            kinds: Vec<Kind>,
            $(pub(super) $field: u16),*
        }

        impl Table {
            fn new(language: &tree_sitter::Language) -> Self {
                let count = language.node_kind_count();
                let kinds = (0..count).map(|id| {
                    let id = id as u16;
                    let name = language.node_kind_for_id(id).unwrap_or("");
                    if !language.node_kind_is_named(id) {
                        return match name {
                            $($($token_name => Kind::$token,)*)?
                            _ => Kind::Other,
                        };
                    }
                    match name {
                        $($name => Kind::$kind,)*
                        _ => Kind::Other,
                    }
                });
                Self {
                    kinds: kinds.collect(),
                    $($field: $crate::nodes::field(language, $field_name)),*
                }
            }
        }

        impl $crate::nodes::Grammar for Table {
            type Kind = Kind;
            const OTHER: Kind = Kind::Other;

            fn for_language(language: &tree_sitter::Language) -> &'static Self {
                static TABLES: $crate::nodes::Registry<Table> = $crate::nodes::Registry::new();
                TABLES.get(language, Self::new)
            }

            #[inline]
            fn kind(&self, node: tree_sitter::Node<'_>) -> Kind {
                self.kinds.get(node.kind_id() as usize).copied().unwrap_or(Kind::Other)
            }
        }
    };
}
pub(crate) use nodes;

/// The number of a field, 0 if the grammar has none of that name.
pub(crate) fn field(language: &tree_sitter::Language, name: &str) -> u16 {
    language.field_id_for_name(name).map_or(0, NonZeroU16::get)
}

/// The child in a field.
#[inline]
pub(crate) fn child(node: Node<'_>, field: u16) -> Option<Node<'_>> {
    if field == 0 {
        return None;
    }
    node.child_by_field_id(field)
}

/// The named children, comments included.
pub(crate) fn named_children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// The text of a node.
#[inline]
pub(crate) fn text<'t>(node: Node<'_>, source: &'t str) -> &'t str {
    source.get(node.byte_range()).unwrap_or("")
}
