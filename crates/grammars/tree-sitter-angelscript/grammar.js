/**
 * AngelScript as Unreal Engine's script plugin reads it, and enough of plain AngelScript for outlines.
 *
 * Three decisions shape the rules:
 * - directive lines (`#if`, `#else`, `#endif`) are extras, so both arms are read as if they were there;
 * - arguments of macros (`UPROPERTY(…)`) are a loose list, because the engine's preprocessor is looser than a grammar;
 * - types and values share `identifier` and `scoped_identifier` until the next token tells them apart.
 */

const PREC = {
  assign: 1,
  conditional: 2,
  or: 3,
  and: 4,
  bitOr: 5,
  bitXor: 6,
  bitAnd: 7,
  equal: 8,
  compare: 9,
  shift: 10,
  add: 11,
  multiply: 12,
  power: 13,
  unary: 14,
  postfix: 15,
};

const commaSep1 = (rule) => seq(rule, repeat(seq(",", rule)));
const commaSep = (rule) => optional(commaSep1(rule));
/** A list that may end in a comma. */
const looseCommaSep = (rule) => optional(seq(commaSep1(rule), optional(",")));

export default grammar({
  name: "angelscript",

  word: ($) => $.identifier,

  externals: ($) => [
    // the parenthesis of constructor arguments in `T Name(1, 2);`, told from a parameter list by what follows
    $._constructor_parenthesis,
    // stands for the `)` that a macro's line lacks
    $._end_of_macro_line,
    // never valid: tells the scanner that the parser is recovering
    $._error_sentinel,
  ],

  extras: ($) => [/[\s\uFEFF\u00A0]/, $.comment, $.directive],

  conflicts: ($) => [
    [$.type, $._expression],
    [$.template_type, $._expression],
  ],

  supertypes: ($) => [$._expression, $._statement],

  rules: {
    source_file: ($) => repeat($._declaration),

    // ---- declarations -------------------------------------------------------------------------------------------

    _declaration: ($) =>
      choice(
        $.import_declaration,
        $.import_function_declaration,
        $.using_declaration,
        $.namespace_declaration,
        $.class_declaration,
        $.struct_declaration,
        $.interface_declaration,
        $.enum_declaration,
        $.delegate_declaration,
        $.event_declaration,
        $.funcdef_declaration,
        $.typedef_declaration,
        $.function_declaration,
        $.variable_declaration,
        $.property_declaration,
        $.asset_declaration,
        $.settings_declaration,
        ";",
      ),

    import_declaration: ($) => seq("import", field("path", choice($.module_path, $.identifier)), ";"),

    // one token: a segment may begin with a digit
    module_path: (_) => token(/[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)+/),

    import_function_declaration: ($) =>
      seq(
        "import",
        field("type", $.type),
        field("name", $.identifier),
        field("parameters", $.parameter_list),
        repeat($.qualifier),
        "from",
        field("path", $.string),
        ";",
      ),

    using_declaration: ($) => seq("using", "namespace", field("name", choice($.identifier, $.scoped_identifier)), ";"),

    namespace_declaration: ($) =>
      prec.right(
        seq(
          "namespace",
          field("name", choice($.identifier, $.scoped_identifier)),
          field("body", $.declaration_list),
          optional(";"),
        ),
      ),

    declaration_list: ($) => seq("{", repeat($._declaration), "}"),

    class_declaration: ($) =>
      prec.right(
        seq(
          repeat($._prefix),
          "class",
          field("name", $.identifier),
          optional(field("bases", $.base_list)),
          choice(seq(field("body", $.member_list), optional(";")), ";"),
        ),
      ),

    struct_declaration: ($) =>
      prec.right(
        seq(
          repeat($._prefix),
          "struct",
          field("name", $.identifier),
          optional(field("bases", $.base_list)),
          field("body", $.member_list),
          optional(";"),
        ),
      ),

    interface_declaration: ($) =>
      prec.right(
        seq(
          repeat($._prefix),
          "interface",
          field("name", $.identifier),
          optional(field("bases", $.base_list)),
          choice(seq(field("body", $.member_list), optional(";")), ";"),
        ),
      ),

    base_list: ($) => seq(":", commaSep1(field("base", $.type))),

    enum_declaration: ($) =>
      prec.right(
        seq(
          repeat($._prefix),
          "enum",
          field("name", $.identifier),
          optional(seq(":", field("underlying", $.type))),
          field("body", $.enumerator_list),
          optional(";"),
        ),
      ),

    enumerator_list: ($) => seq("{", repeat(choice($.enumerator, ",")), "}"),

    enumerator: ($) =>
      prec.right(seq(field("name", $.identifier), optional(seq("=", field("value", $._expression))), repeat($.macro))),

    delegate_declaration: ($) => seq(repeat($._prefix), "delegate", $._signature, ";"),
    event_declaration: ($) => seq(repeat($._prefix), "event", $._signature, ";"),
    funcdef_declaration: ($) => seq(repeat($._prefix), "funcdef", $._signature, ";"),
    typedef_declaration: ($) => seq("typedef", field("type", $.type), field("name", $.identifier), ";"),

    _signature: ($) => seq(field("type", $.type), field("name", $.identifier), field("parameters", $.parameter_list)),

    function_declaration: ($) =>
      prec.right(seq(repeat($._prefix), $._signature, repeat($.qualifier), choice(field("body", $.block), ";"))),

    qualifier: (_) =>
      choice(
        "const",
        "override",
        "final",
        "property",
        "no_discard",
        "allow_discard",
        "nodiscard",
        "explicit",
        "delete",
      ),

    variable_declaration: ($) =>
      seq(repeat($._prefix), field("type", $.type), commaSep1(field("declarator", $.member_declarator)), ";"),

    member_declarator: ($) =>
      seq(
        field("name", $.identifier),
        optional(
          choice(
            seq("=", field("value", $._initializer)),
            field("arguments", alias($.constructor_arguments, $.argument_list)),
          ),
        ),
      ),

    constructor_arguments: ($) => seq(alias($._constructor_parenthesis, "("), looseCommaSep($._argument), ")"),

    property_declaration: ($) =>
      seq(repeat($._prefix), field("type", $.type), field("name", $.identifier), field("body", $.accessor_list)),

    accessor_list: ($) => seq("{", repeat($.accessor), "}"),

    accessor: ($) => seq(field("name", choice("get", "set")), repeat($.qualifier), choice(field("body", $.block), ";")),

    asset_declaration: ($) =>
      seq("asset", field("name", $.identifier), "of", field("type", $.type), field("body", $.block)),

    settings_declaration: ($) =>
      seq("settings", field("name", $.identifier), "for", field("type", $.type), field("body", $.block)),

    _prefix: ($) => choice($.macro, $.modifier, $.access_specifier),

    modifier: (_) =>
      choice("private", "protected", "public", "local", "mixin", "shared", "abstract", "final", "external", "override"),

    access_specifier: ($) => seq("access", ":", field("name", $.identifier)),

    // ---- members ------------------------------------------------------------------------------------------------

    member_list: ($) => seq("{", repeat($._member), "}"),

    _member: ($) =>
      choice(
        $.function_declaration,
        $.variable_declaration,
        $.property_declaration,
        $.constructor_declaration,
        $.destructor_declaration,
        $.default_statement,
        $.access_declaration,
        $.delegate_declaration,
        $.event_declaration,
        $.funcdef_declaration,
        ";",
      ),

    constructor_declaration: ($) =>
      seq(
        repeat($._prefix),
        field("name", $.identifier),
        field("parameters", $.parameter_list),
        repeat($.qualifier),
        choice(field("body", $.block), ";"),
      ),

    destructor_declaration: ($) =>
      seq(
        repeat($._prefix),
        "~",
        field("name", $.identifier),
        field("parameters", $.parameter_list),
        choice(field("body", $.block), ";"),
      ),

    default_statement: ($) =>
      seq("default", choice($.expression_statement, $.if_statement, $.for_statement, $.range_for_statement, $.block)),

    access_declaration: ($) => seq("access", field("name", $.identifier), "=", commaSep1($.access_item), ";"),

    access_item: ($) =>
      seq(
        choice(field("name", choice($.identifier, $.scoped_identifier)), "*", "private", "protected", "public"),
        optional(seq("(", commaSep(alias($.identifier, $.access_right)), ")")),
      ),

    parameter_list: ($) => seq("(", looseCommaSep($.parameter), ")"),

    parameter: ($) =>
      seq(
        field("type", $.type),
        optional(field("name", $.identifier)),
        optional(seq("=", field("value", $._initializer))),
      ),

    // ---- macros -------------------------------------------------------------------------------------------------

    macro: ($) =>
      prec.right(
        seq(
          field(
            "name",
            choice("UCLASS", "USTRUCT", "UENUM", "UFUNCTION", "UPROPERTY", "UMETA", "UINTERFACE", "UDELEGATE"),
          ),
          field("arguments", $.specifier_list),
          // shipped code has one to three too many
          repeat(")"),
        ),
      ),

    // what stands in it by itself and is no specifier is passed over: the preprocessor does the same
    specifier_list: ($) =>
      seq("(", repeat(choice($.specifier, ",", $._specifier_noise)), choice(")", $._end_of_macro_line)),

    _specifier_noise: ($) =>
      choice(
        "=",
        "|",
        "||",
        "&",
        "&&",
        "!",
        "::",
        ".",
        "/",
        ":",
        "*",
        "-",
        "+",
        "~",
        ";",
        $.specifier_list,
        $.number,
        $.name_literal,
        $.boolean,
        $.specifier_hole,
      ),

    specifier: ($) =>
      prec.right(
        seq(
          field("name", choice($.identifier, $.string)),
          optional(seq(choice("=", $.specifier_comparison), optional(field("value", $._specifier_value)))),
        ),
      ),

    specifier_comparison: (_) => choice("==", "!=", "<", ">", "<=", ">="),

    _specifier_value: ($) =>
      choice(
        $.specifier_list,
        $.string,
        $.name_literal,
        $.number,
        $.boolean,
        $.identifier,
        $.specifier_operation,
        $.specifier_hole,
      ),

    specifier_operation: ($) =>
      prec.right(
        1,
        choice(
          seq(choice("!", "-", "+", "~"), $._specifier_value),
          seq(
            $._specifier_value,
            choice("|", "||", "&", "&&", "::", ".", "/", ":", "*", "-", "+", $.specifier_comparison),
            $._specifier_value,
          ),
        ),
      ),

    specifier_hole: (_) => token(/\{[^}"\r\n]*\}/),

    // ---- types --------------------------------------------------------------------------------------------------

    type: ($) =>
      prec.right(
        seq(
          optional("const"),
          field(
            "name",
            choice($.primitive_type, alias($.identifier, $.type_identifier), $.scoped_identifier, $.template_type),
          ),
          repeat(choice("@", "[]", seq("@", "const"), seq("@", "+"))),
          optional(seq("&", optional(field("direction", choice("in", "out", "inout"))))),
        ),
      ),

    primitive_type: (_) =>
      choice(
        "void",
        "bool",
        "int",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float",
        "float32",
        "float64",
        "double",
        "auto",
        "?",
      ),

    template_type: ($) =>
      seq(
        field("name", choice(alias($.identifier, $.type_identifier), $.scoped_identifier)),
        field("arguments", $.template_arguments),
      ),

    template_arguments: ($) => seq("<", commaSep1($.type), ">"),

    scoped_identifier: ($) =>
      prec.left(
        PREC.postfix,
        seq(
          optional(field("scope", choice($.identifier, $.scoped_identifier, $.primitive_type))),
          "::",
          field("name", $.identifier),
        ),
      ),

    // ---- statements ---------------------------------------------------------------------------------------------

    block: ($) => seq("{", repeat($._statement), "}"),

    _statement: ($) =>
      choice(
        $.block,
        $.local_declaration,
        $.expression_statement,
        $.if_statement,
        $.for_statement,
        $.range_for_statement,
        $.while_statement,
        $.do_statement,
        $.switch_statement,
        $.break_statement,
        $.continue_statement,
        $.fallthrough_statement,
        $.return_statement,
        $.try_statement,
        $.using_declaration,
        $.empty_statement,
      ),

    empty_statement: (_) => ";",

    local_declaration: ($) => prec.dynamic(1, seq($._local_declaration, ";")),

    _local_declaration: ($) => seq(field("type", $.type), commaSep1($.declarator)),

    declarator: ($) =>
      seq(
        field("name", $.identifier),
        optional(choice(seq("=", field("value", $._initializer)), field("arguments", $.argument_list))),
      ),

    expression_statement: ($) => seq($._expression, ";"),

    _condition: ($) => seq("(", field("condition", $._expression), ")"),

    if_statement: ($) =>
      prec.right(
        seq(
          "if",
          $._condition,
          field("consequence", $._statement),
          optional(seq("else", field("alternative", $._statement))),
        ),
      ),

    for_statement: ($) =>
      seq(
        "for",
        "(",
        optional(field("initializer", choice(alias($.for_declaration, $.local_declaration), $._expressions))),
        ";",
        optional(field("condition", $._expression)),
        ";",
        optional(field("update", $._expressions)),
        ")",
        field("body", $._statement),
      ),

    for_declaration: ($) => prec.dynamic(1, $._local_declaration),

    _expressions: ($) => commaSep1($._expression),

    range_for_statement: ($) =>
      prec.dynamic(
        1,
        seq(
          choice(seq("for", "(", $._range_variable), seq("foreach", "(", commaSep1($._range_variable))),
          ":",
          field("value", $._expression),
          ")",
          field("body", $._statement),
        ),
      ),

    _range_variable: ($) => seq(field("type", $.type), field("name", $.identifier)),

    while_statement: ($) => seq("while", $._condition, field("body", $._statement)),

    do_statement: ($) => seq("do", field("body", $._statement), "while", $._condition, ";"),

    switch_statement: ($) => seq("switch", $._condition, field("body", $.switch_body)),

    switch_body: ($) => seq("{", repeat($.switch_case), "}"),

    switch_case: ($) => seq(choice(seq("case", field("value", $._expression)), "default"), ":", repeat($._statement)),

    break_statement: (_) => seq("break", ";"),
    continue_statement: (_) => seq("continue", ";"),
    fallthrough_statement: (_) => seq("fallthrough", ";"),
    return_statement: ($) => seq("return", optional($._initializer), ";"),
    try_statement: ($) => seq("try", field("body", $.block), "catch", field("handler", $.block)),

    // ---- expressions --------------------------------------------------------------------------------------------

    _initializer: ($) => choice($._expression, $.initializer_list),

    initializer_list: ($) => seq("{", looseCommaSep($._initializer), "}"),

    _expression: ($) =>
      choice(
        $.identifier,
        $.scoped_identifier,
        $.primitive_type,
        $.this,
        $.number,
        $.boolean,
        $.null,
        $.string,
        $.concatenated_string,
        $.name_literal,
        $.format_string,
        $.parenthesized_expression,
        $.call_expression,
        $.cast_expression,
        $.member_expression,
        $.index_expression,
        $.unary_expression,
        $.update_expression,
        $.binary_expression,
        $.conditional_expression,
        $.assignment_expression,
        $.lambda_expression,
      ),

    parenthesized_expression: ($) => seq("(", $._expression, ")"),

    call_expression: ($) =>
      prec(
        PREC.postfix,
        seq(field("function", choice($._expression, $.template_type)), field("arguments", $.argument_list)),
      ),

    argument_list: ($) => seq("(", looseCommaSep($._argument), ")"),

    _argument: ($) => choice($._initializer, $.named_argument),

    named_argument: ($) =>
      prec(PREC.postfix, seq(field("name", $.identifier), choice("=", ":"), field("value", $._initializer))),

    cast_expression: ($) =>
      prec(
        PREC.postfix,
        seq(choice("Cast", "cast"), "<", field("type", $.type), ">", field("arguments", $.argument_list)),
      ),

    member_expression: ($) =>
      prec.left(PREC.postfix, seq(field("object", $._expression), ".", field("name", $.identifier))),

    index_expression: ($) =>
      prec.left(PREC.postfix, seq(field("object", $._expression), "[", commaSep1(field("index", $._expression)), "]")),

    unary_expression: ($) =>
      prec.right(
        PREC.unary,
        seq(field("operator", choice("!", "~", "-", "+", "not", "@")), field("operand", $._expression)),
      ),

    update_expression: ($) =>
      choice(
        prec.right(PREC.unary, seq(field("operator", choice("++", "--")), field("operand", $._expression))),
        prec.left(PREC.postfix, seq(field("operand", $._expression), field("operator", choice("++", "--")))),
      ),

    binary_expression: ($) => {
      const levels = [
        [PREC.or, ["||", "or", "^^", "xor"]],
        [PREC.and, ["&&", "and"]],
        [PREC.bitOr, ["|"]],
        [PREC.bitXor, ["^"]],
        [PREC.bitAnd, ["&"]],
        [PREC.equal, ["==", "!=", "is", "!is"]],
        [PREC.compare, ["<", ">", "<=", ">="]],
        [PREC.shift, ["<<", $._shift_right, ">>>"]],
        [PREC.add, ["+", "-"]],
        [PREC.multiply, ["*", "/", "%"]],
        [PREC.power, ["**"]],
      ];
      return choice(
        ...levels.map(([level, operators]) =>
          prec.left(
            level,
            seq(
              field("left", $._expression),
              field("operator", operators.length > 1 ? choice(...operators) : operators[0]),
              field("right", $._expression),
            ),
          ),
        ),
      );
    },

    // two tokens, so that `TArray<TArray<int>>` closes twice
    _shift_right: (_) => seq(">", token.immediate(">")),

    conditional_expression: ($) =>
      prec.right(
        PREC.conditional,
        seq(
          field("condition", $._expression),
          "?",
          field("consequence", $._expression),
          ":",
          field("alternative", $._expression),
        ),
      ),

    assignment_expression: ($) =>
      prec.right(
        PREC.assign,
        seq(
          field("left", $._expression),
          field("operator", choice("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "**=")),
          field("right", $._initializer),
        ),
      ),

    lambda_expression: ($) => seq("function", field("parameters", $.parameter_list), field("body", $.block)),

    // ---- literals -----------------------------------------------------------------------------------------------

    this: (_) => "this",
    boolean: (_) => choice("true", "false"),
    null: (_) => choice("nullptr", "null"),

    number: (_) =>
      token(
        choice(
          /0[xX][0-9a-fA-F]+/,
          /0[bB][01]+/,
          /0[oO][0-7]+/,
          /0[dD][0-9]+/,
          /[0-9]+([eE][+-]?[0-9]+)?[fF]?/,
          /[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?[fF]?/,
          /\.[0-9]+([eE][+-]?[0-9]+)?[fF]?/,
        ),
      ),

    concatenated_string: ($) => prec.right(seq($.string, repeat1($.string))),

    string: (_) =>
      choice(
        token(/'([^'\\\r\n]|\\[^\r\n])*'/),
        // in the hole of a format string a quote is escaped
        token(/\\"[^"\\\r\n]*\\"/),
        token(prec(1, /"""([^"]|"[^"]|""[^"])*"""/)),
        // Over several lines only where no line but the first looks like code: a quote that is not closed must not
        // reach into what follows.
        token(/"([^"\\\n]|\\.)*(\n([^"\\\n;{}]|\\.)*)*"/),
      ),

    name_literal: (_) => token(/n"([^"\\\r\n]|\\[^\r\n])*"/),

    format_string: ($) =>
      seq('f"', repeat(choice($.string_content, $.escape_sequence, $.format_hole)), token.immediate('"')),

    string_content: (_) => token.immediate(prec(1, /[^"\\{}\r\n]+/)),

    escape_sequence: (_) => token.immediate(prec(1, choice(/\\[^\r\n]/, "{{", "}}"))),

    format_hole: ($) =>
      seq(
        token.immediate("{"),
        field("value", $._expression),
        optional("="),
        optional(seq(":", optional(field("format", $.format_specifier)))),
        "}",
      ),

    format_specifier: (_) => token.immediate(prec(1, /[^}"\r\n:][^}"\r\n]*/)),

    // ---- extras -------------------------------------------------------------------------------------------------

    comment: (_) => token(choice(/\/\/[^\r\n]*/, seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/"))),

    directive: (_) => token(/#[^\r\n]*/),

    identifier: (_) => /[A-Za-z_\u00C0-\u1FFF\u3040-\uD7FF][A-Za-z0-9_\u00C0-\u1FFF\u3040-\uD7FF]*/,
  },
});
