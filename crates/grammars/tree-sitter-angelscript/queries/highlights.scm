(comment) @comment
(directive) @keyword.directive

(identifier) @variable
(type_identifier) @type
(primitive_type) @type.builtin
(this) @variable.builtin
((identifier) @variable.builtin (#eq? @variable.builtin "Super"))
(boolean) @constant.builtin
(null) @constant.builtin
(number) @number
(string) @string
(name_literal) @string.special.symbol
(string_content) @string
(escape_sequence) @string.escape
(format_specifier) @string.special
(format_string ["f\"" "\""] @string)
(format_hole ["{" "}"] @punctuation.special)

(class_declaration name: (identifier) @type)
(struct_declaration name: (identifier) @type)
(interface_declaration name: (identifier) @type)
(enum_declaration name: (identifier) @type)
(enumerator name: (identifier) @constant)
(delegate_declaration name: (identifier) @type)
(event_declaration name: (identifier) @type)
(funcdef_declaration name: (identifier) @type)
(namespace_declaration name: (identifier) @module)
(module_path) @module
(function_declaration name: (identifier) @function)
(constructor_declaration name: (identifier) @constructor)
(destructor_declaration name: (identifier) @constructor)
(member_declarator name: (identifier) @variable.member)
(property_declaration name: (identifier) @property)
(parameter name: (identifier) @variable.parameter)
(named_argument name: (identifier) @variable.parameter)
(member_expression name: (identifier) @variable.member)
(call_expression function: (identifier) @function.call)
(call_expression function: (scoped_identifier name: (identifier) @function.call))
(call_expression function: (member_expression name: (identifier) @function.method.call))

(macro name: _ @attribute)
(specifier name: (identifier) @attribute)
(access_specifier name: (identifier) @attribute)
(access_right) @attribute
(modifier) @keyword.modifier
(qualifier) @keyword.modifier

[
  "class" "struct" "interface" "enum" "namespace" "delegate" "event" "funcdef" "typedef" "asset" "settings" "of"
  "default" "access" "const" "Cast" "cast" "function" "get" "set" "in" "out" "inout"
] @keyword
["if" "else" "switch" "case"] @keyword.conditional
["for" "foreach" "while" "do" "break" "continue" "fallthrough"] @keyword.repeat
["return"] @keyword.return
["import" "from"] @keyword.import
["try" "catch"] @keyword.exception

[
  "=" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>=" "==" "!=" "<" ">" "<=" ">=" "&&" "||" "!" "+" "-" "*" "/"
  "%" "&" "|" "^" "~" "<<" "++" "--" "?" "and" "or" "xor" "not" "is" "!is"
] @operator
["(" ")" "{" "}" "[" "]"] @punctuation.bracket
["," ";" "." "::" ":"] @punctuation.delimiter
