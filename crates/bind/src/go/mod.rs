//! Go. One space of names; the package's names are in the file's scope, and a clause `package p` is a
//! hidden definition there that says which package that is, and by
//! [`flag::OPTIONAL`](crate::facts::flag::OPTIONAL) that the file is left out of an ordinary build.
//!
//! Pointers are dropped: members are found through them. A channel is a map from its element to itself,
//! since ranging over it gives the element first. A type defined from another (`type A B`) that has no
//! members of its own is a [`DefKind::Class`] with [`Def::ty`](crate::facts::Def::ty); an alias is a
//! [`DefKind::TypeAlias`].

mod build;
mod declarations;
mod expressions;
mod literals;
mod statements;
mod types;

use tree_sitter::{Node, Tree};

use crate::builder::Builder;
use crate::facts::{Bindings, ExprId, FILE_SCOPE, NONE, Role, ScopeId, space};
use crate::kids::Kids;
use crate::nodes::{nodes, text};

nodes! {
    kinds {
        SourceFile = "source_file",
        PackageClause = "package_clause",
        PackageIdentifier = "package_identifier",
        ImportDeclaration = "import_declaration",
        ImportSpecList = "import_spec_list",
        ImportSpec = "import_spec",
        Dot = "dot",
        BlankIdentifier = "blank_identifier",
        ConstDeclaration = "const_declaration",
        ConstSpec = "const_spec",
        VarDeclaration = "var_declaration",
        VarSpecList = "var_spec_list",
        VarSpec = "var_spec",
        FunctionDeclaration = "function_declaration",
        MethodDeclaration = "method_declaration",
        TypeDeclaration = "type_declaration",
        TypeSpec = "type_spec",
        TypeAlias = "type_alias",
        TypeParameterDeclaration = "type_parameter_declaration",
        ParameterList = "parameter_list",
        ParameterDeclaration = "parameter_declaration",
        VariadicParameterDeclaration = "variadic_parameter_declaration",
        ParenthesizedType = "parenthesized_type",
        GenericType = "generic_type",
        PointerType = "pointer_type",
        ArrayType = "array_type",
        ImplicitLengthArrayType = "implicit_length_array_type",
        SliceType = "slice_type",
        StructType = "struct_type",
        NegatedType = "negated_type",
        FieldDeclarationList = "field_declaration_list",
        FieldDeclaration = "field_declaration",
        InterfaceType = "interface_type",
        MethodElem = "method_elem",
        TypeElem = "type_elem",
        TypeConstraint = "type_constraint",
        MapType = "map_type",
        ChannelType = "channel_type",
        FunctionType = "function_type",
        QualifiedType = "qualified_type",
        TypeIdentifier = "type_identifier",
        FieldIdentifier = "field_identifier",
        Identifier = "identifier",
        LabelName = "label_name",
        Block = "block",
        StatementList = "statement_list",
        ExpressionList = "expression_list",
        ExpressionStatement = "expression_statement",
        SendStatement = "send_statement",
        ReceiveStatement = "receive_statement",
        IncStatement = "inc_statement",
        DecStatement = "dec_statement",
        AssignmentStatement = "assignment_statement",
        ShortVarDeclaration = "short_var_declaration",
        LabeledStatement = "labeled_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        GotoStatement = "goto_statement",
        ReturnStatement = "return_statement",
        GoStatement = "go_statement",
        DeferStatement = "defer_statement",
        IfStatement = "if_statement",
        ForStatement = "for_statement",
        ForClause = "for_clause",
        RangeClause = "range_clause",
        SwitchStatement = "expression_switch_statement",
        ExpressionCase = "expression_case",
        DefaultCase = "default_case",
        TypeSwitchStatement = "type_switch_statement",
        TypeCase = "type_case",
        SelectStatement = "select_statement",
        CommunicationCase = "communication_case",
        UnaryExpression = "unary_expression",
        BinaryExpression = "binary_expression",
        SelectorExpression = "selector_expression",
        IndexExpression = "index_expression",
        SliceExpression = "slice_expression",
        CallExpression = "call_expression",
        TypeAssertionExpression = "type_assertion_expression",
        TypeConversionExpression = "type_conversion_expression",
        TypeInstantiationExpression = "type_instantiation_expression",
        CompositeLiteral = "composite_literal",
        LiteralValue = "literal_value",
        LiteralElement = "literal_element",
        KeyedElement = "keyed_element",
        FuncLiteral = "func_literal",
        ParenthesizedExpression = "parenthesized_expression",
        VariadicArgument = "variadic_argument",
        RawString = "raw_string_literal",
        InterpretedString = "interpreted_string_literal",
        IntLiteral = "int_literal",
        FloatLiteral = "float_literal",
        ImaginaryLiteral = "imaginary_literal",
        RuneLiteral = "rune_literal",
        Nil = "nil",
        True = "true",
        False = "false",
        Iota = "iota",
    }
    fields {
        name = "name",
        path = "path",
        ty = "type",
        value = "value",
        type_parameters = "type_parameters",
        parameters = "parameters",
        result = "result",
        body = "body",
        receiver = "receiver",
        type_arguments = "type_arguments",
        element = "element",
        length = "length",
        key = "key",
        left = "left",
        right = "right",
        operand = "operand",
        operator = "operator",
        function = "function",
        arguments = "arguments",
        field = "field",
        index = "index",
        alias = "alias",
        label = "label",
        package = "package",
    }
}

struct Go<'t> {
    b: Builder,
    text: &'t str,
    table: &'static Table,
    kids: Kids<'t>,
    /// Operands of a chain that is being walked down, see [`Go::expr`].
    chain: Vec<Node<'t>>,
    depth: u32,
    /// The scope of the function around, where labels are.
    function: ScopeId,
}

/// The bindings of a Go file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let root = tree.root_node();
    let mut go = Go {
        b: Builder::new(text.len() as u32),
        text,
        table: Table::of(&tree.language()),
        kids: Kids::new(root),
        chain: Vec::new(),
        depth: 0,
        function: FILE_SCOPE,
    };
    go.children(root, FILE_SCOPE);
    go.b.facts
}

impl<'t> Go<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        text(node, self.text)
    }

    /// Whether there is still room to go deeper; [`Go::leave`] ends it.
    fn enter(&mut self) -> bool {
        if self.depth >= crate::DEEPEST {
            return false;
        }
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Every child as what it turns out to be.
    fn children(&mut self, node: Node<'t>, scope: ScopeId) {
        let kids = self.kids.open(node);
        for at in kids.all() {
            let (_, child) = self.kids.at(at);
            self.statement(child, scope);
        }
        self.kids.close(kids);
    }

    fn name(&mut self, node: Node<'t>, scope: ScopeId, role: Role) -> ExprId {
        let text = self.text(node);
        if text == "_" {
            return NONE;
        }
        let at = node.start_byte() as u32;
        self.b.name_use(text, scope, at, role, space::ANY)
    }
}
