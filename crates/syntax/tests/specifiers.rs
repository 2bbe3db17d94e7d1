//! What is said of declarations by macros of Unreal Engine and by the arms of `#if` that they are in (SPEC AS1).
#![allow(clippy::unwrap_used, reason = "a test")]

use codecortex_syntax::{Facts, Limits, Outcome, analyse};

fn facts(path: &str, text: &str) -> Facts {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    match analyse(path, text.as_bytes(), limits) {
        Outcome::Facts(facts) => facts,
        outcome => panic!("{path}: {outcome:?}"),
    }
}

/// Names with what is said of them: `Name: a b`.
fn marks(path: &str, text: &str) -> Vec<String> {
    let facts = facts(path, text);
    let said = |item| {
        let marks: Vec<&str> = facts.marks_of(item).collect();
        format!("{}: {}", facts.str(item.name), marks.join(" "))
    };
    facts.items.iter().map(said).collect()
}

#[test]
fn headers_and_scripts_say_the_same() {
    let script = "
UENUM(BlueprintType)
enum ELamp { Off UMETA(Hidden), Dim }

/// A lamp.
UCLASS(Abstract, Meta = (DisplayName = \"Lamp, bright\"))
class ALamp : AActor
{
    // In candela.
    UPROPERTY(EditAnywhere, Category = \"Light\")
    float Brightness;

    UPROPERTY() int Count;
    int Plain;

    UFUNCTION(BlueprintCallable)
    void TurnOn() {}
}
";
    let header = script
        .replace("enum ELamp", "enum class ELamp : uint8")
        .replace("Dim }", "Dim };")
        .replace(
            "class ALamp : AActor\n{",
            "class GAME_API ALamp : public AActor\n{\n GENERATED_BODY()\npublic:",
        )
        .replace("void TurnOn() {}\n}", "void TurnOn();\n};");
    let expected = [
        "ELamp: UENUM BlueprintType",
        "Off: UMETA Hidden",
        "Dim: ",
        "ALamp: UCLASS Abstract Meta DisplayName",
        "Brightness: UPROPERTY EditAnywhere Category",
        "Count: UPROPERTY",
        "Plain: ",
        "TurnOn: UFUNCTION BlueprintCallable",
    ];
    assert_eq!(marks("a.as", script), expected);
    assert_eq!(marks("a.h", &header), expected);
}

#[test]
fn other_languages_have_functions_of_these_names() {
    assert_eq!(marks("a.py", "UCLASS(Abstract)\nclass A: pass\n"), ["A: "]);
}

#[test]
fn arms_for_the_editor_are_told() {
    let text = "
#if EDITOR
void Show() {}
#endif
class A
{
    int Before;
#if !Editor // a game
    int Shipped;
#else
    int Drawn, Shown;
    void Draw()
    {
#if TEST
        Foo();
#endif
    }
#endif
    int After;
}
#ifdef EDITORONLY_DATA
const int LAST = 1;
#endif
";
    let only = ["Show", "Drawn", "Shown", "Draw", "LAST"];
    for line in marks("a.as", text) {
        let name = line.split(':').next().unwrap();
        assert_eq!(line.ends_with("editorOnly"), only.contains(&name), "{line}");
    }
}

/// What is half-typed in an arm takes nothing of its neighbours, and they stay on their side of it.
#[test]
fn broken_arms_keep_their_neighbours() {
    for arm in [
        "#if EDITOR\n    void Half(\n#endif",
        "#if EDITOR\n    void Half() {\n#endif",
        "#if EDITOR\n    void Half() { if (x) {\n#else\n    void Half() { {\n#endif\n } }",
        "#if EDITOR\n    }\n#endif",
        "#if EDITOR\n    UPROPERTY(EditAnywhere\n#endif",
        "#if EDITOR\n    int Half = \n#endif",
        "#if EDITOR\n    UFUNCTION()\n    void Half() {}",
        "#endif",
        "#else",
        "#if",
    ] {
        let text = format!(
            "class A\n{{\n    int First;\n    void Second() {{}}\n{arm}\n    void Third() {{}}\n    UPROPERTY()\n    int Fourth;\n}}\n\
             class B\n{{\n    int Fifth;\n}}\n"
        );
        let found = marks("a.as", &text);
        for name in ["First", "Second", "Third", "Fourth", "B", "Fifth"] {
            let is_it = |line: &&String| line.split(':').next() == Some(name);
            let line = found.iter().find(is_it);
            let line = line.unwrap_or_else(|| panic!("{name} is lost: {arm}: {found:?}"));
            let is_open = arm.contains("#if EDITOR") && !arm.contains("#endif");
            let is_behind = !matches!(name, "First" | "Second");
            assert_eq!(
                line.ends_with("editorOnly"),
                is_open && is_behind,
                "{line}: {arm}"
            );
        }
    }
}
