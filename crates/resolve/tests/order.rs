//! What comes first of several answers does not depend on which file was read first.

#![allow(clippy::unwrap_used, reason = "a test")]

use codecortex_bind::{Dialect, bind};
use codecortex_resolve::{Resolver, Workspace};
use codecortex_syntax::{Language, parse};

const C: (Language, Dialect) = (Language::C, Dialect::C);
const CPP: (Language, Dialect) = (Language::Cpp, Dialect::Cpp);
const PYTHON: (Language, Dialect) = (Language::Python, Dialect::Python);
const RUST: (Language, Dialect) = (Language::Rust, Dialect::Rust);
const CSHARP: (Language, Dialect) = (Language::CSharp, Dialect::CSharp);

/// A type of C that each system has its own header for.
const SYSTEMS: [(&str, &str); 5] = [
    (
        "include/os.h",
        "#ifdef _WIN32\n#include \"os/win.h\"\n#else\n#include \"os/unix.h\"\n#endif\nint take(os_fd fd);\n",
    ),
    ("include/os/unix.h", "typedef int os_fd;\n"),
    ("include/os/win.h", "typedef void *os_fd;\n"),
    ("src/unix/fs.c", "#include \"os.h\"\nos_fd on_unix;\n"),
    ("src/win/fs.c", "#include \"os.h\"\nos_fd on_win;\n"),
];

/// A type of C# in two parts, and a use of it.
const PARTS: [(&str, &str); 3] = [
    ("A.cs", "namespace N { public partial class Whole { } }\n"),
    ("B.cs", "namespace N { public partial class Whole { } }\n"),
    ("Use.cs", "namespace N { class Use { Whole whole; } }\n"),
];

/// The paths of what `name` means where `path` first has it, for each order in which the files could come.
fn answers(
    (language, dialect): (Language, Dialect),
    files: &[(&str, &str)],
    (path, name): (&str, &str),
) -> Vec<Vec<String>> {
    let mut answers = Vec::new();
    for first in 0..files.len() {
        for is_reversed in [false, true] {
            let mut order: Vec<_> = (0..files.len())
                .map(|at| (first + at) % files.len())
                .collect();
            if is_reversed {
                order.reverse();
            }
            let mut workspace = Workspace::default();
            for (number, at) in order.into_iter().enumerate() {
                let (path, text) = files[at];
                let tree = parse(language, text, None).unwrap();
                workspace.insert(number as u32, path, dialect, &bind(dialect, text, &tree));
            }
            let text = files.iter().find(|file| file.0 == path).unwrap().1;
            let at = text.find(name).unwrap() as u32;
            let found =
                Resolver::new(&workspace).definitions_at(workspace.file_at(path).unwrap(), at);
            let paths = found.iter().map(|(file, _)| workspace.path(*file).unwrap());
            answers.push(paths.map(str::to_owned).collect());
        }
    }
    answers
}

/// The one answer that all of some are.
fn the_one(answers: Vec<Vec<String>>) -> Vec<String> {
    assert!(
        answers.windows(2).all(|pair| pair[0] == pair[1]),
        "{answers:?}"
    );
    answers.into_iter().next().unwrap()
}

#[test]
fn the_header_of_the_system_of_the_file_comes_first() {
    let meant = |path| the_one(answers(C, &SYSTEMS, (path, "os_fd")));
    assert_eq!(
        meant("src/win/fs.c"),
        ["include/os/win.h", "include/os/unix.h"]
    );
    assert_eq!(
        meant("src/unix/fs.c"),
        ["include/os/unix.h", "include/os/win.h"]
    );
    assert_eq!(
        meant("include/os.h"),
        ["include/os/unix.h", "include/os/win.h"]
    );
}

#[test]
fn parts_of_a_type_come_in_the_order_of_their_paths() {
    assert_eq!(
        the_one(answers(CSHARP, &PARTS, ("Use.cs", "Whole"))),
        ["A.cs", "B.cs"]
    );
}

/// Of the definitions that the last `it` of a C++ text means the first one's place: which `it` of the text.
fn first_meant(text: &str) -> usize {
    first_of_two(CPP, text)
}

/// The same in any language, of two definitions.
fn first_of_two((language, dialect): (Language, Dialect), text: &str) -> usize {
    let tree = parse(language, text, None).unwrap();
    let mut workspace = Workspace::default();
    workspace.insert(0, "a", dialect, &bind(dialect, text, &tree));
    let places: Vec<u32> = text.match_indices("it").map(|(at, _)| at as u32).collect();
    let found = Resolver::new(&workspace).definitions_at(0, *places.last().unwrap());
    assert_eq!(found.len(), 2, "{text}");
    places.iter().position(|at| *at == found[0].1).unwrap()
}

#[test]
fn what_nobody_defines_comes_after_what_stands_in_the_other_arm() {
    let arms = |a: &str| {
        format!(
            "{a}\nstruct S {{ int it; }};\n#else\nstruct S {{ int it; }};\n#endif\nint f(S s) {{ return s.it; }}\n"
        )
    };
    assert_eq!(first_meant(&arms("#ifdef OTHER")), 1);
    assert_eq!(first_meant(&arms("#if defined(OTHER)")), 1);
    assert_eq!(first_meant(&arms("#ifndef OTHER")), 0);
    assert_eq!(first_meant(&arms("#if OTHER > 1")), 0);
    assert_eq!(first_meant(&arms("#define OTHER\n#ifdef OTHER")), 0);
    // Compilers define that here, and that elsewhere.
    assert_eq!(first_meant(&arms("#ifdef __GNUC__")), 0);
    assert_eq!(first_meant(&arms("#ifdef _WIN32")), 1);
    assert_eq!(
        first_meant(&arms("#if defined(__GNUC__) && (defined(_WIN32))")),
        1
    );
    assert_eq!(
        first_meant(&arms("#if defined(_WIN32) || defined(__linux__)")),
        0
    );
    let aliases = "#ifdef __GNUC__\nusing it = int;\n#else\nusing it = long;\n#endif\nit f();\n";
    assert_eq!(first_meant(aliases), 0);
    let globals =
        "#if 0\nextern int it;\n#elif OTHER\nstatic long it;\n#endif\nint f() { return it; }\n";
    assert_eq!(first_meant(globals), 1);
}

#[test]
fn arms_for_interpreters_of_other_days_come_last() {
    let arms = |condition: &str| {
        format!("if {condition}:\n    def it(): ...\nelse:\n    def it(): ...\nit()\n")
    };
    assert_eq!(first_of_two(PYTHON, &arms("sys.version_info < (3, 9)")), 1);
    assert_eq!(first_of_two(PYTHON, &arms("sys.version_info[0] == 2")), 1);
    assert_eq!(first_of_two(PYTHON, &arms("not TYPE_CHECKING")), 1);
    assert_eq!(first_of_two(PYTHON, &arms("sys.version_info >= (3, 9)")), 0);
    assert_eq!(first_of_two(PYTHON, &arms("typing.TYPE_CHECKING")), 0);
    assert_eq!(first_of_two(PYTHON, &arms("sys.platform == 'win32'")), 1);
    // That depends on the program.
    assert_eq!(first_of_two(PYTHON, &arms("sys.platform in SYSTEMS")), 0);
}

#[test]
fn what_most_builds_leave_out_comes_after_what_they_have() {
    let order = |text| first_of_two(RUST, text);
    let system = "#[cfg(windows)]\nfn it() {}\n#[cfg(not(windows))]\nfn it() {}\nfn f() { it() }\n";
    assert_eq!(order(system), 1);
    let feature = "#[cfg(feature = \"std\")]\nfn it() {}\n#[cfg(not(feature = \"std\"))]\nfn it() {}\nfn f() { it() }\n";
    assert_eq!(order(feature), 0);
    let module = "#[cfg(not(test))]\nmod a { pub fn it() {} }\n#[cfg(test)]\nmod a { pub fn it() {} }\nfn f() { a::it() }\n";
    assert_eq!(order(module), 1);
    let branches = "cfg_if! { if #[cfg(windows)] { fn it() {} } else if #[cfg(unix)] { fn it() {} } }\nfn f() { it() }\n";
    assert_eq!(order(branches), 1);
}

#[test]
fn parts_of_a_type_that_a_build_may_not_have_come_last() {
    let text = "#if LOG\nnamespace N { partial class it { } }\n#endif\nnamespace N { partial class it { } class A { it a; } }\n";
    assert_eq!(first_of_two(CSHARP, text), 1);
    let arms = "namespace N {\n#if LOG\npartial class it { }\n#else\npartial class it { }\n#endif\nclass A { it a; } }\n";
    assert_eq!(first_of_two(CSHARP, arms), 0);
}
