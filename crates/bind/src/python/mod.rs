//! Python: what its nodes mean.
//!
//! Bodies of functions wait until what is around them has been walked, as they run later: so a name that
//! a class or module declares further down is known to them.

mod classes;
mod exprs;
mod forward_refs;
mod functions;
mod imports;
mod narrow;
mod patterns;
mod statements;
mod strings;
mod targets;
mod types;
mod typing_forms;
mod version_guards;

pub use classes::METACLASS;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

use crate::DEEPEST;
use crate::builder::Builder;
use crate::facts::{Bindings, DefId, ExprId, NONE, ScopeId};
use crate::kids::Kids;
use crate::nodes::{nodes, text};

nodes! {
    kinds {
        Module = "module", Block = "block", ExpressionStatement = "expression_statement",
        Import = "import_statement", ImportFrom = "import_from_statement",
        Future = "future_import_statement", RelativeImport = "relative_import",
        Prefix = "import_prefix", DottedName = "dotted_name", AliasedImport = "aliased_import",
        Wildcard = "wildcard_import",
        Assignment = "assignment", Augmented = "augmented_assignment", Named = "named_expression",
        Return = "return_statement", Raise = "raise_statement", Break = "break_statement",
        Continue = "continue_statement", Delete = "delete_statement", Assert = "assert_statement",
        Global = "global_statement", Nonlocal = "nonlocal_statement",
        TypeAlias = "type_alias_statement",
        If = "if_statement", Elif = "elif_clause", Else = "else_clause", For = "for_statement",
        While = "while_statement", Try = "try_statement", Except = "except_clause",
        Finally = "finally_clause", With = "with_statement", WithClause = "with_clause",
        WithItem = "with_item", Match = "match_statement", Case = "case_clause",
        Function = "function_definition", Class = "class_definition",
        Decorated = "decorated_definition", Decorator = "decorator",
        Parameters = "parameters", LambdaParameters = "lambda_parameters",
        TypedParameter = "typed_parameter", DefaultParameter = "default_parameter",
        TypedDefaultParameter = "typed_default_parameter", KeywordSeparator = "keyword_separator",
        ListSplatPattern = "list_splat_pattern",
        DictionarySplatPattern = "dictionary_splat_pattern", ListSplat = "list_splat",
        DictionarySplat = "dictionary_splat", TypeParameter = "type_parameter",
        Type = "type", GenericType = "generic_type", UnionType = "union_type",
        MemberType = "member_type", ConstrainedType = "constrained_type", SplatType = "splat_type",
        Identifier = "identifier", Attribute = "attribute", Call = "call",
        ArgumentList = "argument_list", KeywordArgument = "keyword_argument",
        Subscript = "subscript", Slice = "slice", Parenthesized = "parenthesized_expression",
        Not = "not_operator", Boolean = "boolean_operator", Binary = "binary_operator",
        Unary = "unary_operator", Comparison = "comparison_operator", Lambda = "lambda",
        Conditional = "conditional_expression", AsPattern = "as_pattern",
        AsPatternTarget = "as_pattern_target", Await = "await", Yield = "yield",
        List = "list", Set = "set", Tuple = "tuple", Dictionary = "dictionary", Pair = "pair",
        ExpressionList = "expression_list", PatternList = "pattern_list",
        TuplePattern = "tuple_pattern", ListPattern = "list_pattern",
        ListComprehension = "list_comprehension", SetComprehension = "set_comprehension",
        DictComprehension = "dictionary_comprehension", Generator = "generator_expression",
        ForIn = "for_in_clause", IfClause = "if_clause",
        Text = "string", Concatenated = "concatenated_string", Interpolation = "interpolation",
        TextContent = "string_content", FormatSpecifier = "format_specifier",
        Integer = "integer", Float = "float", True = "true", False = "false", Nothing = "none",
        Ellipsis = "ellipsis",
        CasePattern = "case_pattern", ClassPattern = "class_pattern",
        KeywordPattern = "keyword_pattern", SplatPattern = "splat_pattern",
        UnionPattern = "union_pattern", DictPattern = "dict_pattern",
    }
    fields {
        name = "name", alias = "alias", module_name = "module_name", left = "left", right = "right",
        ty = "type", value = "value", object = "object",
        attribute = "attribute", function = "function", arguments = "arguments", body = "body",
        parameters = "parameters", return_type = "return_type",
        type_parameters = "type_parameters", superclasses = "superclasses",
        condition = "condition", consequence = "consequence",
        subject = "subject", key = "key",
        argument = "argument", operator = "operator",
    }
}

/// The class that code is in.
#[derive(Clone, Copy, Debug)]
struct ClassContext<'t> {
    scope: ScopeId,
    /// What the method calls its instance; empty where it has none.
    receiver: &'t str,
}

/// The function, class or file whose names assignments define.
#[derive(Debug, Default)]
struct Frame<'t> {
    /// Where assignments define names.
    scope: ScopeId,
    class: Option<ClassContext<'t>>,
    /// Whether this is a class's own body, and of an enumeration.
    in_class: bool,
    in_enum: bool,
    /// What `global` and `nonlocal` name; whether it is `global`.
    outer: Vec<(&'t str, bool)>,
    returns: Vec<ExprId>,
    yields: Vec<ExprId>,
    generator: bool,
}

/// The body of a function that waits.
#[derive(Debug)]
struct Waiting<'t> {
    body: Node<'t>,
    def: DefId,
    scope: ScopeId,
    class: Option<ClassContext<'t>>,
}

/// A first assignment, to be remembered until there is a second.
#[derive(Clone, Debug)]
struct First {
    start: usize,
    end: usize,
    value: ExprId,
}

struct Walk<'t> {
    b: Builder,
    source: &'t str,
    table: &'static Table,
    kids: Kids<'t>,
    waiting: VecDeque<Waiting<'t>>,
    firsts: FxHashMap<DefId, First>,
    frame: Frame<'t>,
    /// Where names are looked up.
    scope: ScopeId,
    /// Where the block ends that is being walked.
    block_end: usize,
    /// Where arms stand that come after the others.
    inactive: Vec<(u32, u32)>,
    depth: u32,
}

/// The bindings of a Python file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let mut walk = Walk {
        b: Builder::new(text.len() as u32),
        source: text,
        table: Table::of(&tree.language()),
        kids: Kids::new(tree.root_node()),
        waiting: VecDeque::new(),
        firsts: FxHashMap::default(),
        frame: Frame::default(),
        scope: 0,
        block_end: text.len(),
        inactive: Vec::new(),
        depth: 0,
    };
    walk.block(tree.root_node());
    while let Some(body) = walk.waiting.pop_front() {
        walk.body(&body);
    }
    crate::inactive::mark(&mut walk.inactive, &mut walk.b.facts.defs);
    walk.b.facts
}

impl<'t> Walk<'t> {
    fn kind(&self, node: Node<'t>) -> Kind {
        self.table.kind(node)
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        text(node, self.source)
    }

    /// Whether there is room for one level more; [`Walk::leave`] goes back.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        self.depth <= DEEPEST
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// All expressions below a node of which nothing else is known.
    fn exprs_of(&mut self, node: Node<'t>) {
        let kids = self.kids.named(node);
        for at in kids.all() {
            self.expr(self.kids.at(at).1);
        }
        self.kids.close(kids);
    }

    /// Walks in another scope, and comes back.
    fn inside(&mut self, scope: ScopeId, walk: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.scope, scope);
        walk(self);
        self.scope = around;
    }
}

/// First byte of a node.
fn start(node: Node<'_>) -> u32 {
    node.start_byte() as u32
}

/// The body of a function, when its turn has come.
impl<'t> Walk<'t> {
    fn body(&mut self, waiting: &Waiting<'t>) {
        self.frame = Frame {
            scope: waiting.scope,
            class: waiting.class,
            ..Frame::default()
        };
        self.scope = waiting.scope;
        self.depth = 0;
        self.block_end = waiting.body.end_byte();
        self.block(waiting.body);
        self.finish(waiting.def);
    }

    /// Says what a function gives, of which the body has been walked.
    fn finish(&mut self, def: DefId) {
        let given = if self.frame.generator {
            std::mem::take(&mut self.frame.yields)
        } else {
            std::mem::take(&mut self.frame.returns)
        };
        let value = self.b.union(given.get(..given.len().min(4)).unwrap_or(&[]));
        let generator = self.frame.generator;
        let def = self.b.edit(def);
        if generator {
            def.flags |= crate::facts::flag::GENERATOR;
        }
        if def.ty == NONE {
            def.value = value;
        }
    }
}
