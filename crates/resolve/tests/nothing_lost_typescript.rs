//! No occurrence of a name is nowhere (SPEC X3, D35): of generated programs of TypeScript each identifier in code is a
//! declaration or a use; and for each symbol of its name each use is in a tier, is another symbol's, or is counted as one
//! that leads outside.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;

use codecortex_bind::facts::ScopeKind::{Block, Function, Header};
use codecortex_bind::facts::{NONE, flag};
use codecortex_bind::{Dialect, bind_masked};
use codecortex_resolve::{ConfidenceTier, DefRef, FileNo, Resolver, Workspace};
use codecortex_syntax::language::detect;
use codecortex_syntax::{as_parsed, parse};
use proptest::prelude::*;

/// The names of the programs: what containers and classes have, and what nobody has.
const NAMES: [&str; 4] = ["size", "then", "item", "Shop"];

/// Paths of a program's modules.
const PATHS: [&str; 2] = ["a.ts", "b.ts"];

/// Statements in which `A`, `B` and `C` stand for names, and `#` for a number of their own.
const STATEMENTS: [&str; 40] = [
    "export class K# { A() { return this.B; } static C = 1; }",
    "class L# extends Box<K#> { A = super.B; }",
    "export interface I# { A: number; B?(C: I#): void }",
    "type T# = { A: B } | { B: string };",
    "export function A(B, C: any) { return B.C + A; }",
    "const A = { B: 1, C() { return this.B; } }; A.B; A.C();",
    "export const A = (B) => B.C;",
    "let { A, B: C = 1 } = take();",
    "const [A, ...B] = list; for (const C of B) C.A;",
    "import { A } from './b'; A(); A.B;",
    "import { A as B } from './a'; B.A;",
    "import A, * as B from 'library'; A.B(); B.C;",
    "import { A } from '$alias/x'; A(B.C);",
    "import * as A from './a'; A.B; new A.C();",
    "export { A } from './b';",
    "export { A as B };",
    "export enum E# { A, B = A } E#.B; E#.C;",
    "export namespace N# { export const A = 1; export class B {} } N#.A; new N#.B(); N#.C;",
    "declare const d#: any; d#.A.B(); d#['C'];",
    "declare const u#: unknown; (u# as I).A;",
    "declare const o#: Outside<K>; o#.A(); o#.B.C; for (const A of o#) A.B;",
    "declare const m#: Map<string, A>; m#.get('B')?.C; m#.size;",
    "take().A; take(B).C; take((A) => A.B);",
    "try { A(); } catch (B) { B.A; } finally { C; }",
    "A: for (;;) { break A; }",
    "function f#<A extends B>(C: A): A { return C; }",
    "if (A instanceof B) A.C; else B.C;",
    "switch (A.B) { case C: { let B = 1; B; } default: B; }",
    "var A = A || B; A = C; A += B.C;",
    "async function g#() { const A = await import('./b'); A.B; (await take()).C; }",
    "const A = function B() { return B; }; A();",
    "const A = class B { C = B; }; new A().C;",
    "abstract class P# { constructor(private A: B, readonly C = 1) { this.A = C; } }",
    "const t# = `${A.B} ${(C) => C}`; A`x${B}`;",
    "export default A;",
    "declare global { interface Window { A: B } } window.A; globalThis.C;",
    "declare module './b' { interface I { A: B } }",
    "const k# = { A, B, ...C }; k#.A; k#.C;",
    "type M# = { [A in keyof B]: B[A] }; declare const n#: M#; n#.C;",
    "let v#: typeof A.B; let w#: B['C']; v#.A; w#.B;",
];

fn statement() -> impl Strategy<Value = String> {
    let name = || prop::sample::select(NAMES.to_vec());
    let form = prop::sample::select(STATEMENTS.to_vec());
    (form, name(), name(), name(), 0..3_u8).prop_map(|(form, a, b, c, number)| {
        let filled = form.replace('#', &number.to_string());
        let mut text = String::new();
        let mut rest = filled.as_str();
        // A letter alone stands for a name.
        while let Some(at) = rest.find(['A', 'B', 'C']) {
            let is_part = |of: Option<char>| of.is_some_and(|of| of.is_alphanumeric() || of == '_');
            let before = rest[..at].chars().next_back();
            let after = rest[at + 1..].chars().next();
            text.push_str(&rest[..at]);
            match (&rest[at..=at], is_part(before) || is_part(after)) {
                ("A", false) => text.push_str(a),
                ("B", false) => text.push_str(b),
                ("C", false) => text.push_str(c),
                (letter, _) => text.push_str(letter),
            }
            rest = &rest[at + 1..];
        }
        text.push_str(rest);
        text
    })
}

fn program() -> impl Strategy<Value = [String; 2]> {
    let module = || prop::collection::vec(statement(), 1..8);
    (module(), module()).prop_map(|both| {
        let [a, b] = [both.0, both.1].map(|lines| lines.join("\n") + "\n");
        [a, b]
    })
}

/// Where a name is written in code: not in texts. Programs have no comments and no text with a name but those of members.
fn written(text: &str, name: &str) -> BTreeSet<u32> {
    let is_part = |of: Option<char>| {
        of.is_some_and(|of| of.is_alphanumeric() || matches!(of, '_' | '$' | '\'' | '"'))
    };
    let all = text.match_indices(name).filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !is_part(before) && !is_part(after)
    });
    all.map(|(at, _)| at as u32).collect()
}

fn workspace(texts: &[String; 2]) -> Workspace {
    let mut workspace = Workspace::default();
    for (file, (path, text)) in (0..).zip(PATHS.iter().zip(texts)) {
        let language = detect(path, text).unwrap();
        let readable = as_parsed(language, text).into_owned();
        let tree = parse(language, &readable, None).unwrap();
        let bindings = bind_masked(Dialect::TypeScript, text, &readable, &tree);
        workspace.insert(file, path, Dialect::TypeScript, &bindings);
    }
    workspace
}

type Place = (FileNo, u32);

/// What is declared under a name, and where it is used.
fn declared_and_used(workspace: &Workspace, name: &str) -> (Vec<(DefRef, u32)>, BTreeSet<Place>) {
    let (mut declared, mut used) = (Vec::new(), BTreeSet::new());
    for file in 0..PATHS.len() as FileNo {
        let bound = workspace.file(file).unwrap();
        let is_it = |of| workspace.text(bound.name(of)) == name;
        for (def, found) in (0..).zip(bound.defs()) {
            let is_written = found.at != NONE && found.flags & flag::UNWRITTEN == 0;
            if is_written && is_it(found.name) {
                declared.push((DefRef { file, def }, found.at));
            }
        }
        let uses = bound.uses().filter(|(_, of, ..)| is_it(*of));
        used.extend(uses.map(|(_, _, at, _)| (file, at)));
    }
    (declared, used)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn each_occurrence_is_somewhere(texts in program()) {
        let workspace = workspace(&texts);
        let resolver = Resolver::new(&workspace);
        for name in NAMES {
            let (declared, used) = declared_and_used(&workspace, name);
            let sites: BTreeSet<Place> = declared.iter().map(|(of, at)| (of.file, *at)).collect();
            for (file, text) in (0..).zip(&texts) {
                for at in written(text, name) {
                    let is_known = sites.contains(&(file, at)) || used.contains(&(file, at));
                    prop_assert!(is_known, "{name} at {} of {text}", at);
                }
            }
            let all: Vec<_> = declared
                .iter()
                .map(|(of, _)| resolver.counted_references_of(&[*of], true))
                .collect();
            // What is surely a use of a symbol is so for all others.
            let places = |of: &codecortex_resolve::SymbolUses, most: ConfidenceTier| -> BTreeSet<Place> {
                let uses = of.references.iter().filter(|of| of.tier <= most);
                uses.map(|of| (of.file, of.at)).collect()
            };
            for (index, uses) in all.iter().enumerate() {
                let of = declared[index].0;
                let own = workspace.file(of.file).unwrap();
                let def = own.def(of.def);
                // A local is meant in its own scope alone, and what is private in its own file.
                if matches!(own.scope(def.scope).kind, Block | Function | Header) {
                    continue;
                }
                let is_private = def.flags & flag::PRIVATE != 0;
                let mut known = places(uses, ConfidenceTier::Name);
                for other in all.iter().enumerate().filter(|(at, _)| *at != index) {
                    known.extend(places(other.1, ConfidenceTier::Related));
                }
                known.extend(&sites);
                let left = used.iter().filter(|at| !known.contains(at));
                let left: Vec<&Place> = left.filter(|at| !is_private || at.0 == of.file).collect();
                prop_assert!(
                    left.len() <= uses.outside,
                    "{name} declared at {:?}: {left:?} are nowhere, {} outside, of\n{}\n---\n{}",
                    (of.file, declared[index].1), uses.outside, texts[0], texts[1]
                );
            }
        }
    }
}
