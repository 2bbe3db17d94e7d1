/** A grammar for tests: functions of a line each, and marks at which its scanner does not come to an end. */

export default grammar({
  name: "hanging",

  word: ($) => $.identifier,

  externals: ($) => [$.mark],

  rules: {
    source_file: ($) => repeat(choice($.function_declaration, $.mark)),

    function_declaration: ($) =>
      seq("function", field("name", $.identifier), "(", ")", optional(field("body", $.body)), "end"),

    body: ($) => repeat1(choice($.identifier, $.number, $.mark)),

    identifier: () => /[A-Za-z_]\w*/,

    number: () => /\d+/,
  },
});
