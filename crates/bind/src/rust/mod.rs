//! Rust: what its nodes mean.
//!
//! What macros are called with is parsed a second time, as expressions or as items: to the grammar it is
//! tokens without a meaning. Fields have a space of names of their own, as `a.b` and `a.b()` may differ.

mod attributes;
mod conditions;
mod control;
mod exprs;
mod format;
mod functions;
mod items;
mod macro_globs;
mod macro_items;
mod macros;
mod paths;
mod patterns;
mod tokens;
mod types;
mod uses;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::{Node, Tree};

use crate::DEEPEST;
use crate::builder::Builder;
use crate::facts::{Bindings, DefId, ExprId, NONE, ScopeId, ScopeKind, space};
use crate::kids::Kids;
use crate::nodes::{nodes, text};

nodes! {
    kinds {
        File = "source_file", Declarations = "declaration_list", Mod = "mod_item",
        Foreign = "foreign_mod_item", Struct = "struct_item", UnionItem = "union_item",
        Enum = "enum_item", Variants = "enum_variant_list", Variant = "enum_variant",
        Fields = "field_declaration_list", Field = "field_declaration",
        TupleFields = "ordered_field_declaration_list", ExternCrate = "extern_crate_declaration",
        Const = "const_item", Static = "static_item", TypeItem = "type_item",
        Function = "function_item", Signature = "function_signature_item", Impl = "impl_item",
        Trait = "trait_item", AssociatedType = "associated_type", Use = "use_declaration",
        ScopedUseList = "scoped_use_list", UseList = "use_list", UseAs = "use_as_clause",
        UseWildcard = "use_wildcard", MacroDefinition = "macro_definition", MacroRule = "macro_rule",
        Attribute = "attribute_item", InnerAttribute = "inner_attribute_item",
        AttributeBody = "attribute", Visibility = "visibility_modifier",
        Modifiers = "function_modifiers", TypeParameters = "type_parameters",
        TypeParameter = "type_parameter", ConstParameter = "const_parameter",
        LifetimeParameter = "lifetime_parameter", Lifetime = "lifetime", Where = "where_clause",
        Predicate = "where_predicate", Bounds = "trait_bounds",
        HigherRanked = "higher_ranked_trait_bound", Removed = "removed_trait_bound",
        Parameters = "parameters", Parameter = "parameter", SelfParameter = "self_parameter",
        Variadic = "variadic_parameter",
        AbstractType = "abstract_type", ReferenceType = "reference_type",
        PointerType = "pointer_type", GenericType = "generic_type",
        GenericTurbofish = "generic_type_with_turbofish", ScopedType = "scoped_type_identifier",
        TupleType = "tuple_type", UnitType = "unit_type", ArrayType = "array_type",
        FunctionType = "function_type", TypeIdentifier = "type_identifier",
        DynamicType = "dynamic_type", BoundedType = "bounded_type", Primitive = "primitive_type",
        BracketedType = "bracketed_type", QualifiedType = "qualified_type",
        TypeArguments = "type_arguments", TypeBinding = "type_binding", UseBounds = "use_bounds",
        Identifier = "identifier", FieldIdentifier = "field_identifier",
        Shorthand = "shorthand_field_identifier", SelfWord = "self", Super = "super",
        Crate = "crate", Metavariable = "metavariable", ScopedIdentifier = "scoped_identifier",
        Block = "block", Let = "let_declaration", Statement = "expression_statement",
        MacroCall = "macro_invocation", TokenTree = "token_tree", Call = "call_expression",
        Arguments = "arguments", GenericFunction = "generic_function",
        FieldExpression = "field_expression", StructExpression = "struct_expression",
        Initializers = "field_initializer_list", Initializer = "field_initializer",
        ShorthandInitializer = "shorthand_field_initializer",
        BaseInitializer = "base_field_initializer", Unary = "unary_expression",
        Reference = "reference_expression", Try = "try_expression", Binary = "binary_expression",
        Assignment = "assignment_expression", Compound = "compound_assignment_expr",
        Cast = "type_cast_expression", Return = "return_expression", Yield = "yield_expression",
        Array = "array_expression", Tuple = "tuple_expression", Unit = "unit_expression",
        Parenthesized = "parenthesized_expression", Index = "index_expression",
        Await = "await_expression", Closure = "closure_expression", Range = "range_expression",
        Break = "break_expression", Continue = "continue_expression", If = "if_expression",
        LetCondition = "let_condition", LetChain = "let_chain", Else = "else_clause",
        Match = "match_expression", MatchBlock = "match_block", Arm = "match_arm",
        MatchPattern = "match_pattern", While = "while_expression", Loop = "loop_expression",
        For = "for_expression", Unsafe = "unsafe_block", Async = "async_block",
        ConstBlock = "const_block", TryBlock = "try_block", GenBlock = "gen_block", Label = "label",
        TextLiteral = "string_literal", RawText = "raw_string_literal",
        CharLiteral = "char_literal", BooleanLiteral = "boolean_literal",
        IntegerLiteral = "integer_literal", FloatLiteral = "float_literal",
        Negative = "negative_literal",
        GenericPattern = "generic_pattern", TuplePattern = "tuple_pattern",
        SlicePattern = "slice_pattern", TupleStructPattern = "tuple_struct_pattern",
        StructPattern = "struct_pattern", FieldPattern = "field_pattern",
        Remaining = "remaining_field_pattern", MutPattern = "mut_pattern",
        RangePattern = "range_pattern", RefPattern = "ref_pattern", Captured = "captured_pattern",
        ReferencePattern = "reference_pattern", OrPattern = "or_pattern",
        Mutable = "mutable_specifier",
    }
    fields {
        name = "name", body = "body", ty = "type", value = "value", path = "path", list = "list",
        alias = "alias", argument = "argument", type_parameters = "type_parameters",
        parameters = "parameters", return_type = "return_type", bounds = "bounds",
        default_type = "default_type", left = "left", right = "right", trait_ = "trait",
        type_arguments = "type_arguments", element = "element", function = "function",
        arguments = "arguments", field = "field", pattern = "pattern", condition = "condition",
        consequence = "consequence", alternative = "alternative", macro_ = "macro",
        operator = "operator", length = "length",
    }
}

/// Type names, values …: the spaces that paths are looked up in.
mod spaces {
    use super::space;

    pub(super) const TYPE: u8 = space::TYPE;
    pub(super) const VALUE: u8 = space::VALUE;
    /// What may stand before `::`.
    pub(super) const PREFIX: u8 = space::TYPE | space::NAMESPACE;
    pub(super) const ANY: u8 = space::ANY;
}

/// A module that is written inside its file.
#[derive(Clone, Copy, Debug)]
struct Inline<'s> {
    name: &'s str,
    /// The scope in which its name is defined.
    around: ScopeId,
}

/// What goes on while the macros in a macro's arguments are walked.
#[derive(Default)]
struct Shared<'s> {
    /// Modules around, outermost first.
    modules: Vec<Inline<'s>>,
    reparse: macros::MacroReparse,
    /// Rules of the macros above that make items, by the macro's name.
    rules: FxHashMap<String, Vec<macro_items::Rule>>,
    /// First bytes of the names that such items were made of: no uses.
    macro_item_names: FxHashSet<u32>,
    /// Types that macros above name which make fields of names they are given, by the macro's name.
    holders: FxHashMap<String, Vec<String>>,
    /// How many modules up the one is that macros above bring in, by the macro's name.
    macro_globs: FxHashMap<String, u32>,
    /// What may have the fields that are named in the call that is walked.
    holder: Option<ExprId>,
    /// What most builds leave out.
    inactive: Vec<(u32, u32)>,
}

struct Walk<'t, 's> {
    b: Builder,
    source: &'s str,
    table: &'static Table,
    kids: Kids<'t>,
    shared: Shared<'s>,
    /// Where names are looked up.
    scope: ScopeId,
    /// A value like what the block gives that is walked next, or [`NONE`].
    result: ExprId,
    depth: u32,
}

/// The bindings of a Rust file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let mut walk = Walk {
        b: Builder::new(text.len() as u32),
        source: text,
        table: Table::of(&tree.language()),
        kids: Kids::new(tree.root_node()),
        shared: Shared::default(),
        scope: 0,
        result: NONE,
        depth: 0,
    };
    walk.items(tree.root_node());
    crate::inactive::mark(&mut walk.shared.inactive, &mut walk.b.facts.defs);
    walk.b.facts
}

impl<'t, 's> Walk<'t, 's> {
    fn kind(&self, node: Node<'t>) -> Kind {
        self.table.kind(node)
    }

    /// The text of a name, without `r#`.
    fn text(&self, node: Node<'_>) -> &'s str {
        let text = text(node, self.source);
        text.strip_prefix("r#").unwrap_or(text)
    }

    /// First byte of a name, behind `r#`.
    fn start(&self, node: Node<'_>) -> u32 {
        let raw = text(node, self.source).starts_with("r#");
        node.start_byte() as u32 + if raw { 2 } else { 0 }
    }

    /// Whether there is room for one level more; [`Walk::leave`] goes back.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        self.depth <= DEEPEST
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Walks in another scope, and comes back.
    fn inside<T>(&mut self, scope: ScopeId, walk: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::replace(&mut self.scope, scope);
        let result = walk(self);
        self.scope = around;
        result
    }

    /// A scope for a stretch of code.
    fn block_scope(&mut self, range: std::ops::Range<usize>) -> ScopeId {
        self.b.scope(ScopeKind::Block, self.scope, NONE, range)
    }

    /// Walks each named child of a node.
    fn each(&mut self, node: Node<'t>, mut walk: impl FnMut(&mut Self, Node<'t>)) {
        let kids = self.kids.named(node);
        for at in kids.all() {
            let child = self.kids.at(at).1;
            walk(self, child);
        }
        self.kids.close(kids);
    }

    /// The named children of a pattern or of parameters with their places, in which each `_` counts.
    fn places(&self, node: Node<'t>) -> Vec<(u32, Node<'t>)> {
        let mut cursor = node.walk();
        let mut index = 0;
        let mut places = Vec::new();
        for child in node.children(&mut cursor) {
            if child.is_named() && !child.is_extra() {
                places.push((index, child));
                index += 1;
            } else if child.kind() == "_" {
                index += 1;
            }
        }
        places
    }

    /// Adds flags to a definition.
    fn flag(&mut self, def: DefId, flags: u32) {
        self.b.edit(def).flags |= flags;
    }
}
