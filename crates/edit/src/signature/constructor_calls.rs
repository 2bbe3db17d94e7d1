//! Calls of a constructor that do not name it: in types that derive, and by a class that is a value.

use codecortex_bind::Dialect;
use codecortex_resolve::{DefRef, FileNo};
use tree_sitter::{Node, Tree};

use crate::refusal::{Refusal, RefusalKind};
use crate::signature::parameters::ParameterList;
use crate::signature::plan::SignaturePlan;
use crate::tree::{descendants, leaf_at, text_of};

impl SignaturePlan<'_, '_> {
    /// A class that is read where no instance is made: refused where it may be passed on.
    pub(super) fn check_class_value(&self, place: (FileNo, u32)) -> Result<(), Refusal> {
        let (file, at) = place;
        let text = self.text(file)?;
        let Some(leaf) = self.trees.get(&file).and_then(|tree| leaf_at(tree, at)) else {
            return Ok(());
        };
        let mut node = leaf;
        // The last part of a path stands for the path.
        while let Some(parent) = node.parent().filter(|parent| {
            matches!(parent.kind(), "attribute" | "member_expression")
                && parent.end_byte() == node.end_byte()
        }) {
            node = parent;
        }
        let Some(parent) = node.parent() else {
            return Ok(());
        };
        let kind = parent.kind();
        let field = |name: &str| {
            let child = parent.child_by_field_name(name);
            child.is_some_and(|child| child.id() == node.id())
        };
        let is_harmless = match kind {
            "attribute" | "member_expression" => field("object"),
            "binary_expression" => field("right") && text_of(parent, text).contains("instanceof"),
            "except_clause" | "as_pattern" | "type" | "case_pattern" | "class_pattern" => true,
            "class_heritage" | "extends_clause" | "export_specifier" | "export_statement" => true,
            "argument_list" | "tuple" => {
                let call = if kind == "tuple" {
                    parent.parent().and_then(|list| list.parent())
                } else {
                    parent.parent()
                };
                let superclasses = parent
                    .parent()
                    .is_some_and(|node| node.kind() == "class_definition");
                let callee = call.and_then(|call| call.child_by_field_name("function"));
                let is_test = callee.is_some_and(|callee| {
                    matches!(
                        text_of(callee, text),
                        "isinstance" | "issubclass" | "super" | "cast"
                    )
                });
                let is_except = kind == "tuple"
                    && parent
                        .parent()
                        .is_some_and(|node| node.kind().starts_with("except"));
                is_test || superclasses || is_except
            }
            "string" | "string_content" | "list"
                if text_of(leaf, text).starts_with(['"', '\'']) =>
            {
                true
            }
            _ => kind.contains("string"),
        };
        match is_harmless {
            true => Ok(()),
            false => {
                let message = format!(
                    "`{}` is passed on as a value, which may make one.",
                    self.change.name
                );
                self.refuse(RefusalKind::Unsure, message, place)
            }
        }
    }

    /// Calls of a base's constructor in types that derive.
    pub(super) fn change_heirs(&mut self, first: &ParameterList<'_>) -> Result<(), Refusal> {
        let Some(construction) = &self.change.construction else {
            return Ok(());
        };
        let types: Vec<(DefRef, bool)> = construction
            .heirs
            .iter()
            .map(|def| (*def, true))
            .chain(construction.carriers.iter().map(|def| (*def, false)))
            .collect();
        for (def, is_heir) in types {
            let (file, at) = (def.file, self.resolver.place(def).unwrap_or_default());
            let Some((start, end)) = self.resolver.extent(def) else {
                continue;
            };
            let text = self.text(file)?;
            let dialect = self.dialect(file);
            let trees = self.trees;
            let Some(tree) = trees.get(&file) else {
                continue;
            };
            let within = text.get(start as usize..end as usize).unwrap_or_default();
            check_hidden_construction(within, dialect, (file, at))?;
            if dialect == Dialect::Python {
                let bases = self.resolver.supertypes(def);
                if is_heir && bases.0.len() + bases.1.len() > 1 {
                    let message = "It derives from several types, whose constructors are called in an order of their own.";
                    return self.refuse(RefusalKind::Unsure, message, (file, at));
                }
                continue;
            }
            if dialect == Dialect::CSharp {
                continue;
            }
            let calls = base_calls(tree, start, end);
            if calls.is_empty()
                && (is_heir || dialect == Dialect::Java && def != construction.carriers[0])
            {
                let message = "It calls the constructor of its base without writing it.";
                return self.refuse(RefusalKind::Unsupported, message, (file, at));
            }
            if !is_heir {
                continue;
            }
            for arguments in calls {
                let place = (file, arguments.start_byte() as u32);
                self.change_arguments(first, place, arguments, 0, dialect)?;
            }
        }
        Ok(())
    }
}

/// The arguments of `super(…)` in a type, without those of types inside it.
fn base_calls(tree: &Tree, start: u32, end: u32) -> Vec<Node<'_>> {
    let Some(node) = tree
        .root_node()
        .descendant_for_byte_range(start as usize, end.saturating_sub(1) as usize)
    else {
        return Vec::new();
    };
    let top = node.id();
    let is_type = |node: Node<'_>| node.kind().contains("class") && node.kind() != "class_body";
    let all = descendants(node, |node| {
        node.id() == top || !is_type(node) || node.start_byte() as u32 <= start
    });
    let calls = all.into_iter().filter_map(|node| {
        let callee = match node.kind() {
            "call_expression" => node.child_by_field_name("function")?,
            "explicit_constructor_invocation" => node.child_by_field_name("constructor")?,
            _ => return None,
        };
        (callee.kind() == "super").then(|| node.child_by_field_name("arguments"))?
    });
    calls.collect()
}

/// Refuses ways of making an instance that name no type: `cls(…)`, `new this(…)`.
fn check_hidden_construction(
    text: &str,
    dialect: Dialect,
    place: (FileNo, u32),
) -> Result<(), Refusal> {
    let signs: &[&str] = match dialect {
        Dialect::Python => &["cls(", "__class__(", "type(self)("],
        Dialect::TypeScript | Dialect::JavaScript => &["new this(", ".constructor(", "new this."],
        _ => &[],
    };
    match signs.iter().find(|sign| text.contains(**sign)) {
        Some(sign) => {
            let message = format!("Instances are made by `{sign}…)`, which names no type.");
            Err(Refusal::new(RefusalKind::Unsure, message).at([place]))
        }
        None => Ok(()),
    }
}
