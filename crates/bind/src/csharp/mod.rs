//! C#: what its nodes declare and use.
//!
//! Both arms of `#if` count: what one declares and what the other declares are in the same scopes.

mod calls;
mod declarations;
mod expressions;
mod generic_vs_less_than;
mod headers;
mod linq;
mod members;
mod object_creation;
mod patterns;
mod statements;
mod types;

use tree_sitter::{Node, Tree};

use crate::DEEPEST;
use crate::builder::Builder;
use crate::doc_links::{self, Style};
use crate::facts::{Bindings, DefId, DefKind, Expr, ExprId, Literal, NONE, Role, ScopeId, space};
use crate::nodes::nodes;
use crate::stack::Kids;

nodes! {
    kinds {
        AccessorDeclaration = "accessor_declaration",
        AccessorList = "accessor_list",
        AliasQualified = "alias_qualified_name",
        AndPattern = "and_pattern",
        AnonymousMethod = "anonymous_method_expression",
        AnonymousObject = "anonymous_object_creation_expression",
        Argument = "argument",
        ArgumentList = "argument_list",
        ArrayCreation = "array_creation_expression",
        ArrayRank = "array_rank_specifier",
        ArrayType = "array_type",
        Arrow = "arrow_expression_clause",
        As = "as_expression",
        Assignment = "assignment_expression",
        Attribute = "attribute",
        AttributeArgument = "attribute_argument",
        AttributeArguments = "attribute_argument_list",
        AttributeList = "attribute_list",
        Await = "await_expression",
        BaseList = "base_list",
        Binary = "binary_expression",
        Block = "block",
        BooleanLiteral = "boolean_literal",
        BracketedArguments = "bracketed_argument_list",
        BracketedParameters = "bracketed_parameter_list",
        Break = "break_statement",
        Cast = "cast_expression",
        CatchClause = "catch_clause",
        CatchDeclaration = "catch_declaration",
        CatchFilter = "catch_filter_clause",
        CharacterLiteral = "character_literal",
        Checked = "checked_expression",
        CheckedStatement = "checked_statement",
        Class = "class_declaration",
        CollectionElement = "collection_element",
        Collection = "collection_expression",
        ConditionalAccess = "conditional_access_expression",
        Conditional = "conditional_expression",
        ConstantPattern = "constant_pattern",
        Constructor = "constructor_declaration",
        ConstructorInitializer = "constructor_initializer",
        Continue = "continue_statement",
        ConversionOperator = "conversion_operator_declaration",
        DeclarationExpression = "declaration_expression",
        DeclarationList = "declaration_list",
        DeclarationPattern = "declaration_pattern",
        Default = "default_expression",
        Delegate = "delegate_declaration",
        Destructor = "destructor_declaration",
        Discard = "discard",
        Do = "do_statement",
        ElementAccess = "element_access_expression",
        ElementBinding = "element_binding_expression",
        Enum = "enum_declaration",
        EnumMember = "enum_member_declaration",
        EnumMembers = "enum_member_declaration_list",
        Event = "event_declaration",
        EventField = "event_field_declaration",
        ExplicitInterface = "explicit_interface_specifier",
        ExpressionElement = "expression_element",
        ExpressionStatement = "expression_statement",
        ExternAlias = "extern_alias_directive",
        Field = "field_declaration",
        FileNamespace = "file_scoped_namespace_declaration",
        Finally = "finally_clause",
        Fixed = "fixed_statement",
        For = "for_statement",
        Foreach = "foreach_statement",
        FromClause = "from_clause",
        FunctionPointer = "function_pointer_type",
        FunctionPointerParameter = "function_pointer_parameter",
        GenericName = "generic_name",
        GlobalAttribute = "global_attribute",
        GlobalStatement = "global_statement",
        Goto = "goto_statement",
        GroupClause = "group_clause",
        Identifier = "identifier",
        If = "if_statement",
        ImplicitArray = "implicit_array_creation_expression",
        ImplicitCreation = "implicit_object_creation_expression",
        ImplicitParameter = "implicit_parameter",
        ImplicitStackAlloc = "implicit_stackalloc_expression",
        ImplicitType = "implicit_type",
        Indexer = "indexer_declaration",
        Initializer = "initializer_expression",
        IntegerLiteral = "integer_literal",
        Interface = "interface_declaration",
        InterpolatedString = "interpolated_string_expression",
        Interpolation = "interpolation",
        InterpolationAlignment = "interpolation_alignment_clause",
        Invocation = "invocation_expression",
        Is = "is_expression",
        IsPattern = "is_pattern_expression",
        JoinClause = "join_clause",
        JoinInto = "join_into_clause",
        Labeled = "labeled_statement",
        Lambda = "lambda_expression",
        LetClause = "let_clause",
        ListPattern = "list_pattern",
        LocalDeclaration = "local_declaration_statement",
        LocalFunction = "local_function_statement",
        Lock = "lock_statement",
        MakeRef = "makeref_expression",
        MemberAccess = "member_access_expression",
        MemberBinding = "member_binding_expression",
        Method = "method_declaration",
        Modifier = "modifier",
        Namespace = "namespace_declaration",
        NegatedPattern = "negated_pattern",
        NullLiteral = "null_literal",
        NullableType = "nullable_type",
        ObjectCreation = "object_creation_expression",
        Operator = "operator_declaration",
        OrPattern = "or_pattern",
        OrderByClause = "order_by_clause",
        Parameter = "parameter",
        ParameterList = "parameter_list",
        Parenthesized = "parenthesized_expression",
        ParenthesizedDesignation = "parenthesized_variable_designation",
        ParenthesizedPattern = "parenthesized_pattern",
        PointerType = "pointer_type",
        PositionalClause = "positional_pattern_clause",
        PostfixUnary = "postfix_unary_expression",
        PredefinedType = "predefined_type",
        PrefixUnary = "prefix_unary_expression",
        PreprocElif = "preproc_elif",
        PreprocElse = "preproc_else",
        PreprocIf = "preproc_if",
        PreprocIfAttributes = "preproc_if_in_attribute_list",
        PrimaryBase = "primary_constructor_base_type",
        Property = "property_declaration",
        PropertyClause = "property_pattern_clause",
        QualifiedName = "qualified_name",
        Query = "query_expression",
        RangeExpression = "range_expression",
        RawString = "raw_string_literal",
        RealLiteral = "real_literal",
        Record = "record_declaration",
        RecursivePattern = "recursive_pattern",
        Ref = "ref_expression",
        RefType = "ref_type",
        RelationalPattern = "relational_pattern",
        Return = "return_statement",
        ScopedType = "scoped_type",
        SelectClause = "select_clause",
        SizeOf = "sizeof_expression",
        SpreadElement = "spread_element",
        StackAlloc = "stackalloc_expression",
        StringLiteral = "string_literal",
        Struct = "struct_declaration",
        Subpattern = "subpattern",
        SwitchArm = "switch_expression_arm",
        SwitchBody = "switch_body",
        SwitchExpression = "switch_expression",
        SwitchSection = "switch_section",
        SwitchStatement = "switch_statement",
        Throw = "throw_statement",
        ThrowExpression = "throw_expression",
        Try = "try_statement",
        TupleElement = "tuple_element",
        TupleExpression = "tuple_expression",
        TuplePattern = "tuple_pattern",
        TupleType = "tuple_type",
        TypeArguments = "type_argument_list",
        TypeConstraint = "type_parameter_constraint",
        TypeConstraints = "type_parameter_constraints_clause",
        TypeParameter = "type_parameter",
        TypeParameters = "type_parameter_list",
        TypePattern = "type_pattern",
        TypeOf = "typeof_expression",
        Unsafe = "unsafe_statement",
        Using = "using_directive",
        UsingStatement = "using_statement",
        VarPattern = "var_pattern",
        VariableDeclaration = "variable_declaration",
        VariableDeclarator = "variable_declarator",
        VerbatimString = "verbatim_string_literal",
        WhenClause = "when_clause",
        WhereClause = "where_clause",
        While = "while_statement",
        With = "with_expression",
        WithInitializer = "with_initializer",
        Yield = "yield_statement",
        // Words without a rule of their own.
        This = "(this)",
        Base = "(base)",
        Params = "(params)",
    }
    fields {
        alias = "alias",
        arguments = "arguments",
        body = "body",
        condition = "condition",
        consequence = "consequence",
        alternative = "alternative",
        expression = "expression",
        function = "function",
        left = "left",
        name = "name",
        operator = "operator",
        parameters = "parameters",
        pattern = "pattern",
        qualifier = "qualifier",
        returns = "returns",
        right = "right",
        ty = "type",
        value = "value",
    }
}

type Kid<'t> = crate::stack::Kid<'t, Kind>;
type Range = std::ops::Range<usize>;

const VALUE: u8 = space::VALUE;
const TYPE: u8 = space::TYPE;
/// Operators, in the space that languages with macros keep for those.
const OPERATOR: u8 = space::MACRO;
/// What may stand before a dot: a variable, a type or a namespace.
const AMBIGUOUS: u8 = space::VALUE | space::TYPE | space::NAMESPACE;
/// What may stand before a dot in a type.
const OUTER: u8 = space::TYPE | space::NAMESPACE;

/// What the surroundings expect an expression to be; lambdas and `new(…)` learn from it.
#[derive(Clone, Copy)]
enum Want {
    Nothing,
    /// A value of this type.
    Type(ExprId),
    /// What this value is.
    Same(ExprId),
    /// An argument of a call.
    Argument(ExprId, u32),
}

/// Words of the grammar that are no named nodes.
struct Words {
    this: u16,
    base: u16,
    params: u16,
}

struct Walker<'t> {
    b: Builder,
    t: &'static Table,
    words: Words,
    text: &'t str,
    kids: Kids<'t, Kind>,
    depth: u32,
    /// Values returned by the functions that the walk is in.
    returns: Vec<ExprId>,
    /// What the function around returns.
    result: Want,
    /// What `value` is in the accessor around; [`NONE`] outside of one.
    value: ExprId,
    /// The last operand of the operators that were read last.
    operand: ExprId,
    /// Names in `nameof`, which may be of anything.
    naming: bool,
    /// What a build may have not.
    inactive: Vec<(u32, u32)>,
    /// One expression a kind of literal.
    literals: [ExprId; 8],
}

/// The bindings of a C# file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let root = tree.root_node();
    let language = tree.language();
    let mut walker = Walker {
        b: Builder::new(text.len() as u32),
        t: Table::of(&language),
        words: Words {
            this: language.id_for_node_kind("this", false),
            base: language.id_for_node_kind("base", false),
            params: language.id_for_node_kind("params", false),
        },
        text,
        kids: Kids::new(root),
        depth: 0,
        returns: Vec::new(),
        result: Want::Nothing,
        value: NONE,
        operand: NONE,
        naming: false,
        inactive: Vec::new(),
        literals: [NONE; 8],
    };
    walker.file(root);
    doc_links::add(&mut walker.b, text, Style::CSharp);
    crate::inactive::mark(&mut walker.inactive, &mut walker.b.facts.defs);
    walker.b.facts
}

impl<'t> Walker<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        crate::nodes::text(node, self.text)
    }

    fn open(&mut self, node: Node<'t>) -> Range {
        let table = self.t;
        let words = &self.words;
        let kind = |node: Node<'t>| match table.kind(node) {
            Kind::Other => match node.kind_id() {
                id if id == words.this => Kind::This,
                id if id == words.base => Kind::Base,
                id if id == words.params => Kind::Params,
                _ => Kind::Other,
            },
            kind => kind,
        };
        self.kids.open(node, Kind::Other, kind)
    }

    fn close(&mut self, kids: &Range) {
        self.kids.close(kids.start);
    }

    /// Goes one level deeper unless that is too deep; then what is there stays unread.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.depth -= 1;
            return false;
        }
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The name of an identifier and its first byte, both without `@`.
    fn identifier(&self, node: Node<'_>) -> (&'t str, u32) {
        let text = self.text(node);
        let at = node.start_byte() as u32;
        match text.strip_prefix('@') {
            Some(rest) => (rest, at + 1),
            None => (text, at),
        }
    }

    /// A use of an identifier in a scope; nothing where the parser only supposed one.
    fn name(&mut self, node: Node<'_>, scope: ScopeId, role: Role, spaces: u8) -> ExprId {
        let (text, at) = self.identifier(node);
        if text.is_empty() {
            return NONE;
        }
        self.b.name_use(text, scope, at, role, spaces)
    }

    /// A use of an identifier in an expression.
    fn member(&mut self, of: ExprId, node: Node<'_>, role: Role, spaces: u8) -> ExprId {
        let (text, at) = self.identifier(node);
        if text.is_empty() {
            return NONE;
        }
        self.b.member_use(of, text, at, role, spaces)
    }

    /// A definition named by an identifier.
    fn define(
        &mut self,
        name: Node<'_>,
        kind: DefKind,
        scope: ScopeId,
        range: Range,
        spaces: u8,
    ) -> DefId {
        let (text, at) = self.identifier(name);
        let at = if text.is_empty() { NONE } else { at };
        let def = self.b.define(text, kind, scope, at, range);
        self.b.edit(def).spaces = spaces;
        def
    }

    fn literal(&mut self, of: Literal) -> ExprId {
        let known = self.literals[of as usize];
        if known != NONE {
            return known;
        }
        let expr = self.b.expr(Expr::Literal { of });
        self.literals[of as usize] = expr;
        expr
    }

    /// A type whose name no identifier writes.
    fn unwritten_type(&mut self, name: &str, scope: ScopeId) -> ExprId {
        self.b.name_use(name, scope, NONE, Role::Type, TYPE)
    }
}
