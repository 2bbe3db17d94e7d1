//! Names in what macros of C stand for, whatever that is: they are where they say (SPEC R1).

use codecortex_bind::facts::NONE;
use codecortex_syntax::bindings_of_text;
use proptest::prelude::*;
use proptest::sample::select;

const PIECES: [&str; 28] = [
    "a", "run", "x", "ns", "::", ".", "->", "##", "#", "(", ")", "\"", "'", "\\", "\\\n", "\\\"",
    "/*", "*/", "//", " ", "\t", "\r", "1", "0x1f", "é", "𝒳", ",", "...",
];

proptest! {
    #[test]
    fn names_in_macros_are_where_they_say(
        pieces in prop::collection::vec(select(&PIECES[..]), 0..40),
        path in select(&["a.c", "a.cpp", "a.h"][..]),
    ) {
        let text = format!("int run;\n#define A(a) {}\nint x;\n", pieces.concat());
        let bindings = bindings_of_text(path, &text);
        prop_assert!(bindings.is_some());
        if let Some(bindings) = bindings {
            for (_, name, at, _) in bindings.uses() {
                let name = bindings.name(name);
                // Of its operator a literal writes the suffix.
                let written = name.strip_prefix("operator\"\"").unwrap_or(name);
                let is_there = text.get(at as usize..).is_some_and(|text| {
                    text.starts_with(name) || text.starts_with(written)
                });
                prop_assert!(at == NONE || is_there, "{text:?}: {name} at {at}");
            }
        }
    }
}
