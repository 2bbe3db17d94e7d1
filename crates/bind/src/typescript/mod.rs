//! TypeScript and JavaScript, with and without JSX.

mod await_type_args;
mod class;
mod declare;
mod destructured_siblings;
mod disjunctive_guards;
mod expando;
mod expression;
mod jsdoc;
mod narrow;
mod pattern;
mod prototypes;
mod statement;
mod this_assignments;
mod types;

pub use declare::DESCRIBED;

use destructured_siblings::DestructuredSiblings;
use rustc_hash::FxHashSet;
use tree_sitter::{Node, Tree};

use crate::builder::Builder;
use crate::doc_links::{self, Style};
use crate::facts::{Bindings, DefId, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, space};
use crate::nodes::{child, text};
use crate::{DEEPEST, Dialect};

crate::nodes::nodes! {
    kinds {
        Identifier = "identifier", TypeIdentifier = "type_identifier", PropertyIdentifier = "property_identifier",
        PrivatePropertyIdentifier = "private_property_identifier", NestedIdentifier = "nested_identifier",
        NestedTypeIdentifier = "nested_type_identifier", String = "string", Number = "number", Regex = "regex",
        True = "true", False = "false", Null = "null", Undefined = "undefined", This = "this", Super = "super",
        TemplateString = "template_string", TemplateSubstitution = "template_substitution",
        ImportStatement = "import_statement", ImportClause = "import_clause",
        NamespaceImport = "namespace_import", NamedImports = "named_imports", ImportSpecifier = "import_specifier",
        ImportRequireClause = "import_require_clause", ImportAlias = "import_alias",
        ExportStatement = "export_statement", ExportClause = "export_clause", ExportSpecifier = "export_specifier",
        NamespaceExport = "namespace_export",
        FunctionDeclaration = "function_declaration", GeneratorFunctionDeclaration = "generator_function_declaration",
        FunctionSignature = "function_signature", FunctionExpression = "function_expression",
        GeneratorFunction = "generator_function", ArrowFunction = "arrow_function",
        ClassDeclaration = "class_declaration", AbstractClassDeclaration = "abstract_class_declaration", Class = "class",
        ClassHeritage = "class_heritage", ExtendsClause = "extends_clause", ImplementsClause = "implements_clause",
        ExtendsTypeClause = "extends_type_clause",
        ClassBody = "class_body", MethodDefinition = "method_definition", PublicFieldDefinition = "public_field_definition",
        FieldDefinition = "field_definition",
        AbstractMethodSignature = "abstract_method_signature", MethodSignature = "method_signature",
        PropertySignature = "property_signature", CallSignature = "call_signature",
        ConstructSignature = "construct_signature", IndexSignature = "index_signature",
        ClassStaticBlock = "class_static_block", Decorator = "decorator",
        InterfaceDeclaration = "interface_declaration", InterfaceBody = "interface_body",
        TypeAliasDeclaration = "type_alias_declaration", EnumDeclaration = "enum_declaration",
        EnumAssignment = "enum_assignment", InternalModule = "internal_module", Module = "module",
        AmbientDeclaration = "ambient_declaration", UsingDeclaration = "using_declaration", LexicalDeclaration = "lexical_declaration",
        VariableDeclaration = "variable_declaration", VariableDeclarator = "variable_declarator",
        ExpressionStatement = "expression_statement", IfStatement = "if_statement", ElseClause = "else_clause",
        ForStatement = "for_statement", ForInStatement = "for_in_statement", WhileStatement = "while_statement",
        DoStatement = "do_statement", TryStatement = "try_statement", CatchClause = "catch_clause",
        SwitchStatement = "switch_statement", SwitchBody = "switch_body", SwitchCase = "switch_case",
        SwitchDefault = "switch_default", LabeledStatement = "labeled_statement",
        ReturnStatement = "return_statement", ThrowStatement = "throw_statement", BreakStatement = "break_statement",
        ContinueStatement = "continue_statement", StatementBlock = "statement_block",
        StatementIdentifier = "statement_identifier",
        MemberExpression = "member_expression", SubscriptExpression = "subscript_expression",
        CallExpression = "call_expression", NewExpression = "new_expression", Arguments = "arguments",
        Object = "object", Pair = "pair", ShorthandPropertyIdentifier = "shorthand_property_identifier",
        SpreadElement = "spread_element", Array = "array", ParenthesizedExpression = "parenthesized_expression",
        BinaryExpression = "binary_expression", UnaryExpression = "unary_expression",
        UpdateExpression = "update_expression", AssignmentExpression = "assignment_expression",
        AugmentedAssignmentExpression = "augmented_assignment_expression", TernaryExpression = "ternary_expression",
        AwaitExpression = "await_expression", YieldExpression = "yield_expression", AsExpression = "as_expression",
        SatisfiesExpression = "satisfies_expression", TypeAssertion = "type_assertion",
        NonNullExpression = "non_null_expression", SequenceExpression = "sequence_expression",
        InstantiationExpression = "instantiation_expression", ComputedPropertyName = "computed_property_name",
        Import = "import", JsxElement = "jsx_element", JsxOpeningElement = "jsx_opening_element",
        JsxClosingElement = "jsx_closing_element", JsxSelfClosingElement = "jsx_self_closing_element",
        JsxAttribute = "jsx_attribute", JsxExpression = "jsx_expression", JsxNamespaceName = "jsx_namespace_name",
        ObjectPattern = "object_pattern", ArrayPattern = "array_pattern", PairPattern = "pair_pattern",
        ShorthandPropertyIdentifierPattern = "shorthand_property_identifier_pattern", RestPattern = "rest_pattern",
        ObjectAssignmentPattern = "object_assignment_pattern", AssignmentPattern = "assignment_pattern",
        FormalParameters = "formal_parameters", RequiredParameter = "required_parameter",
        OptionalParameter = "optional_parameter", AccessibilityModifier = "accessibility_modifier",
        OverrideModifier = "override_modifier",
        TypeAnnotation = "type_annotation", OptingAnnotation = "opting_type_annotation",
        OmittingAnnotation = "omitting_type_annotation", MetaProperty = "meta_property", TypeParameters = "type_parameters", TypeParameter = "type_parameter",
        Constraint = "constraint", DefaultType = "default_type", TypeArguments = "type_arguments",
        PredefinedType = "predefined_type", GenericType = "generic_type", ArrayType = "array_type",
        TupleType = "tuple_type", UnionType = "union_type", IntersectionType = "intersection_type",
        FunctionType = "function_type", ConstructorType = "constructor_type", ObjectType = "object_type",
        LiteralType = "literal_type", LookupType = "lookup_type", IndexTypeQuery = "index_type_query",
        TypeQuery = "type_query", ConditionalType = "conditional_type", InferType = "infer_type",
        MappedTypeClause = "mapped_type_clause", ParenthesizedType = "parenthesized_type",
        ReadonlyType = "readonly_type", TemplateLiteralType = "template_literal_type", TemplateType = "template_type",
        TypePredicate = "type_predicate", TypePredicateAnnotation = "type_predicate_annotation", Asserts = "asserts",
        AssertsAnnotation = "asserts_annotation", ThisType = "this_type", OptionalType = "optional_type",
        RestType = "rest_type", TupleParameter = "tuple_parameter", OptionalTupleParameter = "optional_tuple_parameter",
        Comment = "comment", Error = "ERROR",
    }
    fields {
        name = "name", body = "body", parameters = "parameters", parameter = "parameter", return_type = "return_type",
        type_parameters = "type_parameters", type_arguments = "type_arguments", value = "value", type_ = "type",
        source = "source", alias = "alias", declaration = "declaration", object = "object", property = "property",
        index = "index", function = "function", arguments = "arguments", constructor = "constructor", key = "key",
        left = "left", right = "right", condition = "condition", consequence = "consequence",
        alternative = "alternative", label = "label", operator = "operator", argument = "argument",
        pattern = "pattern",
    }
}

/// The walk through one file.
struct Walk<'t> {
    text: &'t str,
    table: &'static Table,
    builder: Builder,
    /// Whether the file is TypeScript.
    is_typed: bool,
    depth: u32,
    /// What the functions around return and yield, the innermost last.
    returns: Vec<Returns>,
    /// Where `infer T` defines: the condition around.
    condition: ScopeId,
    /// Members that functions give to what they construct, so far.
    constructed: FxHashSet<(DefId, String)>,
    /// Whether comments may declare type parameters or say the arguments of bases: hardly any file's do.
    has_templates: bool,
    /// Members of instances whose types are not known yet.
    this_assignments: this_assignments::ThisAssignments,
    /// What stands before the chain that is being read.
    prefixes: await_type_args::Prefixes,
    /// Names in comments that stand for types.
    jsdoc_names: Vec<ExprId>,
    /// Comments whose links are noted, by where they begin.
    linked: FxHashSet<usize>,
    /// What patterns take of values.
    siblings: DestructuredSiblings<'t>,
    /// The call that a condition is given to, while what it says is noted.
    asserted_by: ExprId,
    /// What `this` is.
    this: This,
}

/// What `this` is where the walk is: arrows have that of what is around them.
#[derive(Clone, Copy)]
struct This {
    /// Where the outermost of the arrows stands that have no other function or class around them in between.
    arrows: ScopeId,
    /// Whether the function around declares it: `function f(this: T)`.
    is_declared: bool,
}

impl Default for This {
    fn default() -> Self {
        Self {
            arrows: NONE,
            is_declared: false,
        }
    }
}

/// What a function gives back.
#[derive(Default)]
struct Returns {
    values: Vec<ExprId>,
    yields: Vec<ExprId>,
    /// What is expected of a returned value.
    expected: ExprId,
}

/// The bindings of a file.
pub(crate) fn bind(dialect: Dialect, text: &str, tree: &Tree) -> Bindings {
    let mut walk = Walk {
        text,
        table: Table::of(&tree.language()),
        builder: Builder::new(text.len() as u32),
        is_typed: dialect == Dialect::TypeScript,
        depth: 0,
        returns: Vec::new(),
        condition: NONE,
        constructed: FxHashSet::default(),
        has_templates: dialect != Dialect::TypeScript
            && ["@template", "@extends", "@augments"]
                .iter()
                .any(|tag| text.contains(tag)),
        this_assignments: this_assignments::ThisAssignments::default(),
        prefixes: await_type_args::Prefixes::default(),
        jsdoc_names: Vec::new(),
        linked: FxHashSet::default(),
        siblings: DestructuredSiblings::default(),
        asserted_by: NONE,
        this: This::default(),
    };
    walk.statements(tree.root_node(), 0);
    walk.settle_instances();
    walk.settle_jsdoc_names();
    if walk.is_typed {
        doc_links::add(&mut walk.builder, text, Style::TypeScript);
    }
    walk.builder.facts
}

impl<'t> Walk<'t> {
    fn kind(&self, node: Node<'_>) -> Kind {
        self.table.kind(node)
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        text(node, self.text)
    }

    fn field<'n>(&self, node: Node<'n>, field: impl Fn(&Table) -> u16) -> Option<Node<'n>> {
        child(node, field(self.table))
    }

    /// Whether it has this keyword right in it.
    fn has(&self, node: Node<'_>, keyword: &str) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor)
            .any(|child| !child.is_named() && child.kind() == keyword)
    }

    /// Goes deeper, unless that is deeper than anybody writes.
    fn deeper<T>(&mut self, otherwise: T, step: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEEPEST {
            return otherwise;
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    /// Walks through a function or the body of a class, where `this` is something else unless it is an arrow.
    fn with_this<T>(
        &mut self,
        node: Node<'_>,
        scope: ScopeId,
        step: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let around = self.this;
        self.this = match (self.kind(node), around.arrows) {
            (Kind::ArrowFunction, NONE) => This {
                arrows: scope,
                ..around
            },
            (Kind::ArrowFunction, _) => around,
            _ => This::default(),
        };
        let result = step(self);
        self.this = around;
        result
    }

    /// The instance that code works on.
    fn instance(&mut self, scope: ScopeId) -> ExprId {
        let scope = match self.this.arrows {
            NONE => scope,
            around => around,
        };
        self.builder.expr(Expr::This { scope })
    }

    /// `this` as a type is the type around, whatever functions are in between.
    fn this_type(&mut self, scope: ScopeId) -> ExprId {
        let is_type =
            |scope: &ScopeId| self.builder.facts.scopes[*scope as usize].kind == ScopeKind::Class;
        let outwards = |scope: &ScopeId| {
            let parent = self.builder.facts.scopes[*scope as usize].parent;
            (parent != NONE).then_some(parent)
        };
        let around = std::iter::successors(Some(scope), outwards).find(is_type);
        let scope = around.unwrap_or(scope);
        self.builder.expr(Expr::This { scope })
    }

    /// `this` as a value, which is a name where a function declares it.
    fn this_value(&mut self, scope: ScopeId, at: u32) -> ExprId {
        if !self.this.is_declared {
            return self.instance(scope);
        }
        self.builder
            .name_use("this", scope, at, Role::Read, space::VALUE)
    }

    /// The scope that `var` is in, seen from here.
    fn hoisted(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        loop {
            let found = &self.builder.facts.scopes[at as usize];
            match found.kind {
                ScopeKind::File | ScopeKind::Function | ScopeKind::Module => return at,
                _ if found.parent == NONE => return at,
                _ => at = found.parent,
            }
        }
    }

    /// The name and place of a written key: an identifier, or a string without escapes.
    fn key(&self, node: Node<'_>) -> Option<(&'t str, u32)> {
        let text = self.text(node);
        let at = node.start_byte() as u32;
        match self.kind(node) {
            Kind::String => {
                let inner = text.get(1..text.len().checked_sub(1)?)?;
                (!inner.is_empty() && !inner.contains('\\')).then_some((inner, at + 1))
            }
            Kind::Number => Some((text, at)),
            Kind::ComputedPropertyName => None,
            _ => Some((text, at)),
        }
    }
}
