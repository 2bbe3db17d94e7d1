//! Damaged scripts of AngelScript (SPEC AS1, P5): what is whole in them is still listed, and nothing takes long.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that says what it counted, and its fixtures are files"
)]

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use codecortex_syntax::{
    Facts, Language, Limits, Outcome, analyse, as_parsed, hundred_operations, parse,
};
use proptest::prelude::*;

const LIMITS: Limits = Limits {
    max_file_size: 1 << 20,
    exclude_generated: false,
};
const SCRIPTS: [&str; 4] = [
    "crates/syntax/tests/fixtures/angelscript/Lamp.as",
    "test/fixtures/unreal/game/Script/Lamp.as",
    "test/fixtures/unreal/game/Script/TableLamp.as",
    "test/fixtures/contract/app/script/Ladder.as",
];

fn scripts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path| fs::read_to_string(root.join(path)).unwrap();
    SCRIPTS.map(read).into()
}

fn facts(text: &str) -> Facts {
    match analyse("a.as", text.as_bytes(), LIMITS) {
        Outcome::Facts(facts) => facts,
        outcome => panic!("{outcome:?}"),
    }
}

/// What a declaration is known by, with the line on which its name is.
fn declaration(facts: &Facts, item: usize) -> (String, u32) {
    let of = &facts.items[item];
    let text = [
        of.kind.as_str(),
        facts.str(of.name),
        facts.str(of.signature),
    ];
    (text.join(" "), of.name_start.line)
}

/// Where the tokens of a text are.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let tree = parse(
        Language::AngelScript,
        &as_parsed(Language::AngelScript, text),
        None,
    )
    .unwrap();
    let mut all = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let is_leaf = node.child_count() == 0 || node.kind().contains("string");
        if is_leaf && !node.kind().contains("comment") && !node.byte_range().is_empty() {
            all.push(node.byte_range());
        } else {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor));
        }
    }
    all.sort_by_key(|token| token.start);
    all
}

/// A script as games have them: more than its declarations are the bodies of its methods.
fn game() -> String {
    let method = |class: usize, at: usize| {
        format!(
            "    // While the lamp is near.\n    UFUNCTION(BlueprintCallable, Category = \"Lamp\")\n    \
             void Follow{class}x{at}(ALamp{class} Target, float DeltaSeconds)\n    {{\n        \
             if (Target == nullptr || State == ELampState{class}::Done)\n            return;\n        \
             for (int Index = 0; Index < Targets.Num(); ++Index)\n        {{\n            \
             Targets[Index].Follow{class}x0(Target, DeltaSeconds * 2.f);\n        }}\n        \
             Heat{class} += Math::Clamp(Heat{class}, 0.0, Low + {at}.5);\n        \
             Print(f\"{{Heat{class} :.1}} of {{Target.Low}}\");\n        \
             System::SetTimer(this, n\"Follow{class}x{at}\", 2.0, bLooping = true);\n    }}\n"
        )
    };
    let class = |class: usize| {
        let methods: Vec<String> = (0..8).map(|at| method(class, at)).collect();
        format!(
            "enum ELampState{class}\n{{\n    Idle{class},\n    Done,\n}}\n\nevent void FLampBroke{class}(ALamp{class} Lamp);\n\n\
             UCLASS(Abstract)\nclass ALamp{class} : AActor\n{{\n    UPROPERTY(EditAnywhere)\n    float Heat{class} = 1.5;\n\n    \
             UPROPERTY()\n    float Low = 0.0;\n    ELampState{class} State;\n    TArray<ALamp{class}> Targets;\n    \
             default Low = 2.0;\n\n{}}}\n\n",
            methods.join("\n")
        )
    };
    (0..6).map(class).collect()
}

/// One token taken away at random: of the members that it is not in, at least 99 of 100 are still listed as they were.
#[test]
fn other_members_survive_a_missing_token() {
    survive(vec![game()], 990);
}

/// The same of scripts that have every form of the language and few bodies, so that what is taken is often a head.
#[test]
fn other_members_survive_in_scripts_of_forms() {
    survive(scripts(), 980);
}

/// Takes a token away at 2,000 places; of a thousand other members, so many have to be listed still.
fn survive(scripts: Vec<String>, of_thousand: usize) {
    const PLACES: usize = 2_000;
    let scripts: Vec<(String, Facts, Vec<Range<usize>>)> = scripts
        .into_iter()
        .map(|text| {
            let (facts, tokens) = (facts(&text), tokens(&text));
            assert_eq!(facts.syntax_errors, 0, "{text}");
            (text, facts, tokens)
        })
        .collect();
    let mut state = 1u32;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % limit
    };
    let (mut all, mut kept) = (0usize, 0usize);
    let mut worst: HashMap<String, usize> = HashMap::new();
    for _ in 0..PLACES {
        let (text, whole, tokens) = &scripts[below(scripts.len())];
        let token = tokens[below(tokens.len())].clone();
        let damaged = [&text[..token.start], &text[token.end..]].concat();
        let found = facts(&damaged);
        let listed: Vec<String> = (0..found.items.len())
            .map(|item| declaration(&found, item).0)
            .collect();
        for (index, item) in whole.items.iter().enumerate() {
            let is_in = (item.start_byte as usize..=item.end_byte as usize).contains(&token.start);
            if is_in || item.kind.is_namespace() {
                continue;
            }
            all += 1;
            let (declared, _) = declaration(whole, index);
            if listed.contains(&declared) {
                kept += 1;
            } else {
                let line = text[..token.start].matches('\n').count() + 1;
                let said = format!("{:?} of line {line}", &text[token.clone()]);
                *worst.entry(said).or_default() += 1;
            }
        }
    }
    let mut worst: Vec<(usize, String)> =
        worst.into_iter().map(|(what, lost)| (lost, what)).collect();
    worst.sort_by(|a, b| b.cmp(a));
    worst.truncate(12);
    println!(
        "{kept} of {all} members kept: {:.2} %; most are lost without {worst:?}",
        100.0 * kept as f64 / all as f64
    );
    assert!(all > 10 * PLACES, "{all}");
    assert!(
        kept * 1_000 >= all * of_thousand,
        "{kept} of {all}: {worst:?}"
    );
}

/// What only AngelScript has, and what its scanner looks at.
const PIECES: [&str; 40] = [
    "f\"",
    "f\"{",
    "{x :.2}",
    "{{",
    "}}",
    "n\"A\"",
    "\"\"\"",
    "\"a\n",
    "'",
    "\\\"",
    "UPROPERTY(",
    "UFUNCTION()",
    "UCLASS(A = ",
    "UMETA(Hidden)",
    ")",
    "(",
    "{",
    "}",
    ";",
    ",",
    "class A : B ",
    "struct F ",
    "enum E { X = 1, ",
    "namespace A::B ",
    "default X = ",
    "access:W ",
    "access W = private, ",
    "delegate void F(",
    "asset A of U {",
    "settings A for U {",
    "import A.3B;",
    "#if EDITOR\n",
    "#else\n",
    "#endif\n",
    "case E::V:",
    "TArray<TArray<int>>",
    "Cast<A>(",
    "mixin void F(A Self) {",
    "1.f",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// The work is bounded by the length, whatever the pieces.
    #[test]
    fn any_pieces_are_read_in_bounded_time(pieces in prop::collection::vec(0..PIECES.len(), 0..300)) {
        let text: String = pieces.iter().flat_map(|piece| [PIECES[*piece], " "]).collect();
        let before = hundred_operations();
        let found = facts(&text);
        let work = hundred_operations() - before;
        prop_assert!(work <= 60 + text.len() as u64 / 4, "{work} for {} bytes: {text}", text.len());
        prop_assert_eq!(found.bytes as usize, text.len());
    }

    /// Pieces that stand in the middle of a script.
    #[test]
    fn pieces_in_a_script_are_read(
        at in any::<prop::sample::Index>(),
        pieces in prop::collection::vec(0..PIECES.len(), 1..6),
        script in 0..SCRIPTS.len(),
    ) {
        let text = &scripts()[script];
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        let pieces: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
        let before = hundred_operations();
        let damaged = [&text[..at], &pieces, &text[at..]].concat();
        let found = facts(&damaged);
        let work = hundred_operations() - before;
        prop_assert!(work <= 60 + damaged.len() as u64 / 4, "{work} for {} bytes", damaged.len());
        prop_assert_eq!(found.bytes as usize, damaged.len());
    }
}
