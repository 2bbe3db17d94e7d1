//! Names in documentation, however broken it is: they are where they say (SPEC R1).

use codecortex_bind::facts::Role;
use codecortex_syntax::bindings_of_text;
use proptest::prelude::*;
use proptest::sample::select;

/// What documentation is made of, and what ends or breaks it.
const PIECES: [&str; 52] = [
    "/**",
    "*/",
    "/*",
    "///",
    "//",
    "*",
    "\n",
    "\r\n",
    "\n * ",
    "\n/// ",
    " ",
    "\t",
    "{@link ",
    "{@linkplain\n",
    "{@value ",
    "@see ",
    "@throws ",
    "@param ",
    "@param <",
    "@returns {",
    "<see cref=\"",
    "<param name=\"",
    "<typeparamref name='",
    "<paramref name=",
    "/>",
    "\"",
    "'",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "#",
    ".",
    "::",
    "~",
    ":",
    ",",
    "=",
    "?",
    "A",
    "m",
    "T",
    "int",
    "this",
    "global",
    "é",
    "𝒳",
    "...",
];

proptest! {
    #[test]
    fn names_in_documentation_are_where_they_say(
        pieces in prop::collection::vec(select(&PIECES[..]), 0..40),
        path in select(&["a.java", "a.cs", "a.ts", "a.js"][..]),
    ) {
        let documentation = pieces.concat();
        for open in ["/** ", "/// ", ""] {
            let close = if open == "/** " { " */" } else { "\n" };
            let text = format!("{open}{documentation}{close}class A<T> {{ {open}{documentation}{close} m() {{}} }}");
            let Some(bindings) = bindings_of_text(path, &text) else { continue };
            for (_, name, at, role) in bindings.uses() {
                let written = text.get(at as usize..).unwrap_or("");
                let is_there = written.starts_with(bindings.name(name));
                prop_assert!(is_there || role != Role::Doc, "{text:?}: {at}");
            }
        }
    }
}
