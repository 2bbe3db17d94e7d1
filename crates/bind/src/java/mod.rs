//! Java: what its nodes declare and use.
//!
//! Java keeps methods apart from variables, so they have a space of their own. What a file imports by
//! name goes before its package, which goes before what it imports with `*`; so the latter are in the
//! file's scope, the package's is inside it and the block of single imports inside that.

mod declarations;
mod expressions;
mod lambdas;
mod members;
mod statements;
mod types;

use tree_sitter::{Node, Tree};

use crate::DEEPEST;
use crate::builder::Builder;
use crate::doc_links::{self, Style};
use crate::facts::{Bindings, DefId, Expr, ExprId, Literal, NONE, Role, ScopeId, space};
use crate::nodes::nodes;
use crate::stack::Kids;

nodes! {
    kinds {
        Annotation = "annotation",
        AnnotationArguments = "annotation_argument_list",
        AnnotationElement = "annotation_type_element_declaration",
        AnnotationTypeBody = "annotation_type_body",
        AnnotationTypeDeclaration = "annotation_type_declaration",
        AnnotatedType = "annotated_type",
        ArgumentList = "argument_list",
        ArrayAccess = "array_access",
        ArrayCreation = "array_creation_expression",
        ArrayInitializer = "array_initializer",
        ArrayType = "array_type",
        Assignment = "assignment_expression",
        Asterisk = "asterisk",
        Binary = "binary_expression",
        BinaryInteger = "binary_integer_literal",
        Block = "block",
        BooleanType = "boolean_type",
        Break = "break_statement",
        Cast = "cast_expression",
        CatchClause = "catch_clause",
        CatchParameter = "catch_formal_parameter",
        CatchType = "catch_type",
        CharacterLiteral = "character_literal",
        ClassBody = "class_body",
        ClassDeclaration = "class_declaration",
        ClassLiteral = "class_literal",
        CompactConstructor = "compact_constructor_declaration",
        ConstantDeclaration = "constant_declaration",
        ConstructorBody = "constructor_body",
        ConstructorDeclaration = "constructor_declaration",
        Continue = "continue_statement",
        DecimalFloat = "decimal_floating_point_literal",
        DecimalInteger = "decimal_integer_literal",
        Dimensions = "dimensions",
        DimensionsExpr = "dimensions_expr",
        ElementArray = "element_value_array_initializer",
        ElementPair = "element_value_pair",
        EnhancedFor = "enhanced_for_statement",
        EnumBody = "enum_body",
        EnumBodyDeclarations = "enum_body_declarations",
        EnumConstant = "enum_constant",
        EnumDeclaration = "enum_declaration",
        ExplicitConstructor = "explicit_constructor_invocation",
        ExportsModule = "exports_module_directive",
        ExpressionStatement = "expression_statement",
        ExtendsInterfaces = "extends_interfaces",
        False = "false",
        FieldAccess = "field_access",
        FieldDeclaration = "field_declaration",
        FloatingType = "floating_point_type",
        For = "for_statement",
        FormalParameter = "formal_parameter",
        FormalParameters = "formal_parameters",
        GenericType = "generic_type",
        Guard = "guard",
        HexFloat = "hex_floating_point_literal",
        HexInteger = "hex_integer_literal",
        Identifier = "identifier",
        If = "if_statement",
        Import = "import_declaration",
        InferredParameters = "inferred_parameters",
        InstanceOf = "instanceof_expression",
        IntegralType = "integral_type",
        InterfaceBody = "interface_body",
        InterfaceDeclaration = "interface_declaration",
        Labeled = "labeled_statement",
        Lambda = "lambda_expression",
        LocalVariable = "local_variable_declaration",
        MarkerAnnotation = "marker_annotation",
        MethodDeclaration = "method_declaration",
        MethodInvocation = "method_invocation",
        MethodReference = "method_reference",
        Modifiers = "modifiers",
        ModuleBody = "module_body",
        ModuleDeclaration = "module_declaration",
        NullLiteral = "null_literal",
        ObjectCreation = "object_creation_expression",
        OctalInteger = "octal_integer_literal",
        OpensModule = "opens_module_directive",
        Package = "package_declaration",
        Parenthesized = "parenthesized_expression",
        Pattern = "pattern",
        Permits = "permits",
        ProvidesModule = "provides_module_directive",
        ReceiverParameter = "receiver_parameter",
        RecordDeclaration = "record_declaration",
        RecordPattern = "record_pattern",
        RecordPatternBody = "record_pattern_body",
        RecordPatternComponent = "record_pattern_component",
        RequiresModule = "requires_module_directive",
        Resource = "resource",
        ResourceSpecification = "resource_specification",
        Return = "return_statement",
        ScopedIdentifier = "scoped_identifier",
        ScopedType = "scoped_type_identifier",
        SpreadParameter = "spread_parameter",
        StaticInitializer = "static_initializer",
        StringLiteral = "string_literal",
        Super = "super",
        SuperInterfaces = "super_interfaces",
        Superclass = "superclass",
        SwitchBlock = "switch_block",
        SwitchExpression = "switch_expression",
        SwitchGroup = "switch_block_statement_group",
        SwitchLabel = "switch_label",
        SwitchRule = "switch_rule",
        TemplateExpression = "template_expression",
        Ternary = "ternary_expression",
        This = "this",
        Throws = "throws",
        True = "true",
        Try = "try_statement",
        TryResources = "try_with_resources_statement",
        TypeArguments = "type_arguments",
        TypeBound = "type_bound",
        TypeIdentifier = "type_identifier",
        TypeList = "type_list",
        TypeParameter = "type_parameter",
        TypeParameters = "type_parameters",
        TypePattern = "type_pattern",
        Unary = "unary_expression",
        Update = "update_expression",
        UsesModule = "uses_module_directive",
        VariableDeclarator = "variable_declarator",
        VoidType = "void_type",
        While = "while_statement",
        Do = "do_statement",
        Wildcard = "wildcard",
        Yield = "yield_statement",
        Assert = "assert_statement",
        Throw = "throw_statement",
        Synchronized = "synchronized_statement",
        Finally = "finally_clause",
    }
    fields {
        alternative = "alternative",
        body = "body",
        condition = "condition",
        consequence = "consequence",
        key = "key",
        left = "left",
        name = "name",
        object = "object",
        field = "field",
        operator = "operator",
        parameters = "parameters",
        right = "right",
        scope = "scope",
        ty = "type",
        value = "value",
    }
}

type Kid<'t> = crate::stack::Kid<'t, Kind>;
type Range = std::ops::Range<usize>;

/// Variables.
const VALUE: u8 = space::VALUE;
/// Methods, in the space that languages with macros keep for those.
const METHOD: u8 = space::MACRO;
/// Types.
const TYPE: u8 = space::TYPE;
/// What may stand before a dot: a variable, a type or a package.
const AMBIGUOUS: u8 = space::VALUE | space::TYPE | space::NAMESPACE;
/// What may stand before a dot in a type.
const OUTER: u8 = space::TYPE | space::NAMESPACE;

/// What the surroundings expect an expression to be; lambdas learn their parameters from it.
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

/// A pattern's variable that a condition introduces.
struct Introduced {
    def: DefId,
    /// Whether it is there when the condition is not met.
    negated: bool,
}

struct Walker<'t> {
    b: Builder,
    t: &'static Table,
    text: &'t str,
    kids: Kids<'t, Kind>,
    depth: u32,
    /// Values returned by the functions that the walk is in.
    returns: Vec<ExprId>,
    /// What the function around returns.
    result: Want,
    /// Patterns' variables of the condition that is being read.
    introduced: Vec<Introduced>,
    /// Whether an odd number of `!` is around.
    negated: bool,
    /// One expression a kind of literal.
    literals: [ExprId; 8],
}

/// The bindings of a Java file.
pub(crate) fn bind(text: &str, tree: &Tree) -> Bindings {
    let root = tree.root_node();
    let mut walker = Walker {
        b: Builder::new(text.len() as u32),
        t: Table::of(&tree.language()),
        text,
        kids: Kids::new(root),
        depth: 0,
        returns: Vec::new(),
        result: Want::Nothing,
        introduced: Vec::new(),
        negated: false,
        literals: [NONE; 8],
    };
    walker.file(root);
    doc_links::add(&mut walker.b, text, Style::Java);
    walker.b.facts
}

impl<'t> Walker<'t> {
    fn text(&self, node: Node<'_>) -> &'t str {
        crate::nodes::text(node, self.text)
    }

    fn open(&mut self, node: Node<'t>) -> Range {
        let table = self.t;
        self.kids.open(node, Kind::Other, |node| table.kind(node))
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

    /// A use of an identifier in a scope; nothing where the parser only supposed one.
    fn name(&mut self, node: Node<'_>, scope: ScopeId, role: Role, spaces: u8) -> ExprId {
        let text = self.text(node);
        if text.is_empty() {
            return NONE;
        }
        let at = node.start_byte() as u32;
        self.b.name_use(text, scope, at, role, spaces)
    }

    /// A use of an identifier in an expression.
    fn member(&mut self, of: ExprId, node: Node<'_>, role: Role, spaces: u8) -> ExprId {
        let text = self.text(node);
        if text.is_empty() {
            return NONE;
        }
        let at = node.start_byte() as u32;
        self.b.member_use(of, text, at, role, spaces)
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
