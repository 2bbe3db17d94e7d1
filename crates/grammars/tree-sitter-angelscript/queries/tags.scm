(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.class
(enumerator name: (identifier) @name) @definition.constant
(namespace_declaration name: (_) @name) @definition.module
(delegate_declaration name: (identifier) @name) @definition.type
(event_declaration name: (identifier) @name) @definition.type
(funcdef_declaration name: (identifier) @name) @definition.type
(typedef_declaration name: (identifier) @name) @definition.type

(source_file (function_declaration name: (identifier) @name) @definition.function)
(declaration_list (function_declaration name: (identifier) @name) @definition.function)
(member_list (function_declaration name: (identifier) @name) @definition.method)
(constructor_declaration name: (identifier) @name) @definition.method
(destructor_declaration name: (identifier) @name) @definition.method
(property_declaration name: (identifier) @name) @definition.field
(member_list (variable_declaration (member_declarator name: (identifier) @name) @definition.field))
(source_file (variable_declaration (member_declarator name: (identifier) @name) @definition.constant))
(declaration_list (variable_declaration (member_declarator name: (identifier) @name) @definition.constant))
(asset_declaration name: (identifier) @name) @definition.constant

(base_list base: (type name: (_) @name)) @reference.class
(type name: (type_identifier) @name) @reference.type
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (scoped_identifier name: (identifier) @name)) @reference.call
(call_expression function: (member_expression name: (identifier) @name)) @reference.call
