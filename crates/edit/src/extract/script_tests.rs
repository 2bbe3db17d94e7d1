//! Values of TypeScript that may be nothing and were tested or assigned before the selection: the compiler follows such
//! tests within a function, and not into another.

use codecortex_bind::Dialect;
use codecortex_resolve::ExprRef;
use rustc_hash::FxHashSet;
use tree_sitter::Node;

use crate::extract::host::FunctionHost;
use crate::extract::place::innermost_function;
use crate::extract::script_context::is_constant;
use crate::extract::selection::SelectedCode;
use crate::extract::statements::SelectedPart;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{descendants, leaf_at, text_of};

/// Refuses names and members that may be nothing, of which the code before the selection knows more.
pub(super) fn check(
    of: &SelectedCode<'_, '_>,
    host: &FunctionHost<'_>,
    part: &SelectedPart<'_>,
    is_within: bool,
) -> Result<(), Refusal> {
    if of.dialect != Dialect::TypeScript {
        return Ok(());
    }
    let told = told_before(of, host, part.range.start as usize);
    for node in part
        .nodes
        .iter()
        .flat_map(|node| descendants(*node, |_| true))
    {
        let is_path = matches!(node.kind(), "identifier" | "member_expression");
        // A function within knows no more than a new one.
        let is_own = || {
            let function = innermost_function(of.forms, node);
            function.is_some_and(|of| of.id() == host.function.id())
        };
        let is_told = is_path && told.contains(text_of(node, of.text)) && is_own();
        if is_told && may_lose(of, node, part, is_within) {
            let message = "The type of a name is told by a test before the selection.";
            return of.refuse(RefusalKind::Unsure, message, node.start_byte());
        }
    }
    Ok(())
}

/// Names and members that are tested or assigned in a function before a byte.
fn told_before<'s>(
    of: &SelectedCode<'s, '_>,
    host: &FunctionHost<'s>,
    start: usize,
) -> FxHashSet<&'s str> {
    let all = descendants(host.outermost, |node| node.start_byte() < start);
    let mut told = FxHashSet::default();
    let is_around = |node: &Node<'s>| {
        // What another function tests is not known here.
        innermost_function(of.forms, *node).is_some_and(|of| of.byte_range().contains(&start))
    };
    for node in all.into_iter().filter(|node| node.start_byte() < start) {
        let field = |field| node.child_by_field_name(field);
        let tested = match node.kind() {
            "if_statement" | "while_statement" | "ternary_expression" | "for_statement" => {
                field("condition")
            }
            "binary_expression" | "assignment_expression" | "augmented_assignment_expression" => {
                field("left")
            }
            "variable_declarator" => field("name").filter(|_| field("value").is_some()),
            _ => None,
        };
        let tested = tested.filter(|_| is_around(&node));
        let paths = tested
            .into_iter()
            .flat_map(|tested| descendants(tested, |_| true));
        let paths = paths.filter(|of| matches!(of.kind(), "identifier" | "member_expression"));
        told.extend(paths.map(|path| text_of(path, of.text)));
    }
    told
}

/// Whether a name or member may be nothing by its declaration, and a new function would not know better.
fn may_lose(
    of: &SelectedCode<'_, '_>,
    node: Node<'_>,
    part: &SelectedPart<'_>,
    is_within: bool,
) -> bool {
    if node.kind() == "identifier" {
        let (used, _) = of.resolver.at(of.file, node.start_byte() as u32);
        let targets = used.map(|expr| of.local_targets(expr)).unwrap_or_default();
        let [only] = targets[..] else { return false };
        let bound = of.resolver.workspace().file(of.file);
        let is_inside = bound.is_some_and(|bound| part.range.contains(&bound.def(only).at));
        if is_inside || is_within && is_constant(of, only) {
            return false;
        }
        return of.type_of_variable(only).is_some_and(|ty| is_union(&ty));
    }
    let property = node.child_by_field_name("property");
    let used = property.and_then(|name| of.resolver.at(of.file, name.start_byte() as u32).0);
    let target = used.map(|expr| {
        of.resolver.target(ExprRef {
            file: of.file,
            expr,
        })
    });
    let defs = target.map(|target| target.defs).unwrap_or_default();
    defs.iter().any(|def| {
        let at = of.resolver.place(*def).filter(|_| def.file == of.file);
        let declared = at.and_then(|at| leaf_at(of.tree, at)?.parent());
        declared.is_some_and(|declared| {
            let ty = declared.child_by_field_name("type");
            let ty = ty.map_or("", |ty| text_of(ty, of.text));
            let name = declared.child_by_field_name("name");
            let behind = name.and_then(|name| of.text.get(name.end_byte()..declared.end_byte()));
            is_union(ty) || behind.is_some_and(|behind| behind.trim_start().starts_with('?'))
        })
    })
}

/// Whether a written type is one of several.
fn is_union(ty: &str) -> bool {
    ty.contains('|') || ty.contains("unknown") || ty.contains("any")
}
