//! C++, and C in the same terms.
//!
//! Values, types, namespaces and macros have spaces of their own. A type behind its keyword (`struct a`)
//! is looked up in that of types alone, a plain name of a type among macros as well. References are dropped, pointers are not:
//! `a->b` is a member of [`Expr::Deref`] of `a`, so that a smart pointer's own members stay apart.
//!
//! What is in a namespace without a name or `static` is put in the scope around and marked
//! [`flag::INTERNAL`](crate::facts::flag::INTERNAL). Members of unscoped enums are in the scope around
//! the enum. A constructor's name is a use of its class as well, so is a destructor's behind the `~`
//! and a class's that is declared but not defined.

mod aliases;
mod arguments;
mod classes;
mod declarations;
mod declarators;
mod expressions;
mod functions;
mod macro_bodies;
mod macro_values;
mod names;
mod namespaces;
mod preprocessor;
mod statements;
mod templates;
mod types;

pub use macro_bodies::OPENED;

use tree_sitter::{Node, Tree};

use crate::builder::Builder;
use crate::dialect::Dialect;
use crate::facts::{Bindings, DefId, Expr, ExprId, FILE_SCOPE, NONE, ScopeId, flag, space};
use crate::kids::Kids;
use crate::nodes::{nodes, text};
use preprocessor::Arms;

nodes! {
    kinds {
        // Declarations
        FunctionDefinition = "function_definition",
        Declaration = "declaration",
        FieldDeclaration = "field_declaration",
        TypeDefinition = "type_definition",
        AliasDeclaration = "alias_declaration",
        UsingDeclaration = "using_declaration",
        NamespaceDefinition = "namespace_definition",
        NamespaceAlias = "namespace_alias_definition",
        NestedNamespace = "nested_namespace_specifier",
        LinkageSpecification = "linkage_specification",
        DeclarationList = "declaration_list",
        TemplateDeclaration = "template_declaration",
        TemplateInstantiation = "template_instantiation",
        FriendDeclaration = "friend_declaration",
        ConceptDefinition = "concept_definition",
        AccessSpecifier = "access_specifier",
        StorageClass = "storage_class_specifier",
        TypeQualifier = "type_qualifier", RefQualifier = "ref_qualifier",
        FieldInitializerList = "field_initializer_list",
        FieldInitializer = "field_initializer",
        BaseClassClause = "base_class_clause",
        FieldDeclarationList = "field_declaration_list",
        EnumeratorList = "enumerator_list",
        Enumerator = "enumerator",
        VirtualSpecifier = "virtual_specifier",
        PureVirtual = "pure_virtual_clause",
        TrailingReturn = "trailing_return_type",
        AttributeDeclaration = "attribute_declaration",
        AttributeSpecifier = "attribute_specifier",
        DeclspecModifier = "ms_declspec_modifier",
        // Templates
        TemplateParameters = "template_parameter_list",
        TypeParameter = "type_parameter_declaration",
        OptionalTypeParameter = "optional_type_parameter_declaration",
        VariadicTypeParameter = "variadic_type_parameter_declaration",
        TemplateTemplateParameter = "template_template_parameter_declaration",
        TemplateArguments = "template_argument_list",
        // Declarators
        InitDeclarator = "init_declarator",
        PointerDeclarator = "pointer_declarator",
        PointerTypeDeclarator = "pointer_type_declarator",
        ReferenceDeclarator = "reference_declarator",
        ArrayDeclarator = "array_declarator",
        FunctionDeclarator = "function_declarator",
        ParenthesizedDeclarator = "parenthesized_declarator",
        AttributedDeclarator = "attributed_declarator",
        VariadicDeclarator = "variadic_declarator",
        StructuredBinding = "structured_binding_declarator",
        AbstractPointer = "abstract_pointer_declarator",
        AbstractReference = "abstract_reference_declarator",
        AbstractArray = "abstract_array_declarator",
        AbstractFunction = "abstract_function_declarator",
        AbstractParenthesized = "abstract_parenthesized_declarator",
        ParameterList = "parameter_list",
        ParameterDeclaration = "parameter_declaration",
        OptionalParameter = "optional_parameter_declaration",
        VariadicParameter = "variadic_parameter_declaration",
        // Types
        ClassSpecifier = "class_specifier",
        StructSpecifier = "struct_specifier",
        UnionSpecifier = "union_specifier",
        EnumSpecifier = "enum_specifier",
        PrimitiveType = "primitive_type",
        SizedType = "sized_type_specifier",
        PlaceholderType = "placeholder_type_specifier",
        Auto = "auto",
        Decltype = "decltype",
        DependentType = "dependent_type",
        DependentName = "dependent_name",
        TemplateType = "template_type",
        TemplateFunction = "template_function",
        TemplateMethod = "template_method",
        TypeDescriptor = "type_descriptor",
        MacroType = "macro_type_specifier",
        // Names
        Identifier = "identifier",
        TypeIdentifier = "type_identifier",
        FieldIdentifier = "field_identifier",
        NamespaceIdentifier = "namespace_identifier",
        StatementIdentifier = "statement_identifier",
        QualifiedIdentifier = "qualified_identifier",
        OperatorName = "operator_name",
        OperatorCast = "operator_cast",
        DestructorName = "destructor_name",
        // Statements
        CompoundStatement = "compound_statement",
        IfStatement = "if_statement",
        ElseClause = "else_clause",
        ForStatement = "for_statement",
        ForRangeLoop = "for_range_loop",
        WhileStatement = "while_statement",
        DoStatement = "do_statement",
        SwitchStatement = "switch_statement",
        CaseStatement = "case_statement",
        ConditionClause = "condition_clause",
        InitStatement = "init_statement",
        ExpressionStatement = "expression_statement",
        ReturnStatement = "return_statement",
        CoReturn = "co_return_statement",
        LabeledStatement = "labeled_statement",
        GotoStatement = "goto_statement",
        TryStatement = "try_statement",
        CatchClause = "catch_clause",
        // Expressions
        CallExpression = "call_expression",
        FieldExpression = "field_expression",
        SubscriptExpression = "subscript_expression",
        SubscriptArguments = "subscript_argument_list",
        BinaryExpression = "binary_expression",
        UnaryExpression = "unary_expression",
        PointerExpression = "pointer_expression",
        UpdateExpression = "update_expression",
        AssignmentExpression = "assignment_expression",
        ConditionalExpression = "conditional_expression",
        CommaExpression = "comma_expression",
        ParenthesizedExpression = "parenthesized_expression",
        ExtensionExpression = "extension_expression",
        PackExpansion = "parameter_pack_expansion",
        CastExpression = "cast_expression",
        CompoundLiteral = "compound_literal_expression",
        NewExpression = "new_expression",
        LambdaExpression = "lambda_expression",
        LambdaCapture = "lambda_capture_specifier",
        LambdaCaptureInitializer = "lambda_capture_initializer",
        InitializerList = "initializer_list",
        InitializerPair = "initializer_pair",
        FieldDesignator = "field_designator",
        ArgumentList = "argument_list",
        AwaitExpression = "co_await_expression",
        SizeofExpression = "sizeof_expression",
        OffsetofExpression = "offsetof_expression",
        This = "this",
        String = "string_literal",
        RawString = "raw_string_literal",
        ConcatenatedString = "concatenated_string",
        Character = "char_literal",
        Number = "number_literal",
        UserDefinedLiteral = "user_defined_literal",
        True = "true",
        False = "false",
        Null = "null",
        // Preprocessor
        PreprocInclude = "preproc_include",
        PreprocDef = "preproc_def",
        PreprocFunctionDef = "preproc_function_def",
        PreprocCall = "preproc_call",
        PreprocIf = "preproc_if",
        PreprocIfdef = "preproc_ifdef",
        PreprocElif = "preproc_elif",
        PreprocElifdef = "preproc_elifdef",
        PreprocElse = "preproc_else",
        PreprocDefined = "preproc_defined",
        SystemString = "system_lib_string",
    }
    fields {
        name = "name",
        ty = "type",
        value = "value",
        default_value = "default_value",
        default_type = "default_type",
        declarator = "declarator",
        parameters = "parameters",
        template_parameters = "template_parameters",
        arguments = "arguments",
        body = "body",
        base = "base",
        scope = "scope",
        size = "size",
        function = "function",
        argument = "argument",
        field = "field",
        operator = "operator",
        left = "left",
        right = "right",
        indices = "indices",
        index = "index",
        captures = "captures",
        member = "member",
        initializer = "initializer",
        path = "path",
        directive = "directive",
        condition = "condition",
        alternative = "alternative",
        placement = "placement",
    }
}

/// The spaces in which a plain name of a type is found.
const TYPES: u8 = space::TYPE | space::MACRO;

/// The spaces of a type behind its keyword. No label is in them: that of labels marks that no alias is meant.
const TAGS: u8 = space::TYPE | space::LABEL;

/// What a declaration stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Namespace,
    Class,
    Block,
}

/// Where a declaration stands.
#[derive(Clone, Copy, Debug)]
struct At {
    /// Where what it declares is a name.
    scope: ScopeId,
    /// Where it looks names up: the scope of its template's parameters, if it has any.
    look: ScopeId,
    place: Place,
}

impl At {
    fn block(scope: ScopeId) -> Self {
        Self {
            scope,
            look: scope,
            place: Place::Block,
        }
    }
}

struct Cpp<'t> {
    b: Builder,
    text: &'t str,
    table: &'static Table,
    kids: Kids<'t>,
    /// Operands of a chain that is being walked down.
    chain: Vec<Node<'t>>,
    depth: u32,
    is_c: bool,
    /// The scope around all structs that are open, where C has what is defined in them.
    tag_scope: ScopeId,
    /// The path of the namespace around, joined by `.`.
    namespace: String,
    /// The scope of that namespace.
    namespace_scope: ScopeId,
    /// Whether what is declared is seen in this file alone.
    hidden: bool,
    /// Name of the class around.
    class: &'t str,
    /// Visibility of the members that come.
    access: u32,
    /// The scope of the function around, where labels are.
    function: ScopeId,
    /// What the function around returns.
    returns: Vec<ExprId>,
    /// The type that it is declared to give, or [`NONE`].
    result: ExprId,
    /// Types without a definition, each once.
    primitives: Vec<(&'t str, ExprId)>,
    /// Arms of conditions.
    arms: Arms,
}

/// The bindings of a C or C++ file.
pub(crate) fn bind(dialect: Dialect, text: &str, tree: &Tree) -> Bindings {
    let root = tree.root_node();
    let mut cpp = Cpp {
        b: Builder::new(text.len() as u32),
        text,
        table: Table::of(&tree.language()),
        kids: Kids::new(root),
        chain: Vec::new(),
        depth: 0,
        is_c: dialect == Dialect::C,
        tag_scope: FILE_SCOPE,
        namespace: String::new(),
        namespace_scope: FILE_SCOPE,
        hidden: false,
        class: "",
        access: 0,
        function: FILE_SCOPE,
        returns: Vec::new(),
        result: NONE,
        primitives: Vec::new(),
        arms: Arms::default(),
    };
    let at = At {
        scope: FILE_SCOPE,
        look: FILE_SCOPE,
        place: Place::Namespace,
    };
    cpp.children(root, at);
    cpp.arms.mark(&mut cpp.b.facts.defs);
    cpp.b.facts
}

impl<'t> Cpp<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        text(node, self.text)
    }

    fn kind(&self, node: Node<'_>) -> Kind {
        self.table.kind(node)
    }

    /// Whether there is still room to go deeper; [`Cpp::leave`] ends it.
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
    fn children(&mut self, node: Node<'t>, at: At) {
        let kids = self.kids.open(node);
        for index in kids.all() {
            let (_, child) = self.kids.at(index);
            self.item(child, at);
        }
        self.kids.close(kids);
    }

    /// The children in no field and those in fields, as a list of their own.
    fn list_of(&mut self, node: Node<'t>) -> Vec<(u16, Node<'t>)> {
        let kids = self.kids.open(node);
        let list = kids.all().map(|index| self.kids.at(index)).collect();
        self.kids.close(kids);
        list
    }

    /// The first definition inside a template's scope is what its parameters belong to.
    fn own(&mut self, at: At, def: DefId) {
        if at.look != at.scope {
            let header = &mut self.b.facts.scopes[at.look as usize];
            if header.owner == NONE {
                header.owner = def;
            }
        }
    }

    /// What `*` or `->` finds behind a value.
    fn deref(&mut self, of: ExprId) -> ExprId {
        match self.b.facts.expr(of) {
            Expr::Pointer { of } => of,
            _ if of == NONE => NONE,
            _ => self.b.expr(Expr::Deref { of }),
        }
    }

    /// A pointer to this.
    fn pointer(&mut self, of: ExprId) -> ExprId {
        match self.b.facts.expr(of) {
            Expr::Deref { of } => of,
            // A function is as good as a pointer to it.
            Expr::Function { .. } => of,
            _ if of == NONE => NONE,
            _ => self.b.expr(Expr::Pointer { of }),
        }
    }

    /// Where a struct or enum is defined that stands at a place. C has no nested types.
    fn type_place(&mut self, at: At) -> At {
        if at.place != Place::Class {
            self.tag_scope = at.scope;
            return at;
        }
        if !self.is_c {
            return at;
        }
        let place = if self.tag_scope == FILE_SCOPE {
            Place::Namespace
        } else {
            Place::Block
        };
        At {
            scope: self.tag_scope,
            look: self.tag_scope,
            place,
        }
    }

    /// Visibility of what is declared here.
    fn visibility(&self, at: At, is_static: bool) -> u32 {
        match at.place {
            Place::Class if is_static => self.access | flag::STATIC,
            Place::Class => self.access,
            Place::Namespace if is_static || self.hidden => flag::INTERNAL,
            _ => 0,
        }
    }
}
