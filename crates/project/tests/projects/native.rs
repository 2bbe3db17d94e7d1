//! C and C++: compile commands.

use crate::support::{Case, answer, check, projects};

const CASES: &[Case] = &[
    (
        "absolute paths of the machine that wrote the list",
        r#"
//- build/compile_commands.json
[
  { "directory": "/srv/ci/proj/build", "file": "/srv/ci/proj/src/a.cpp",
    "command": "/usr/bin/c++ -DNAME=\"x y\" -DON -I../include -isystem /usr/include/z -I /srv/ci/proj/build/gen -o a.o -c ../src/a.cpp" },
  { "directory": "/srv/ci/proj/build", "file": "../src/b.cpp",
    "arguments": ["c++", "-D", "ONE", "-DTWO=2", "-UONE", "-iquote", "../src", "-c", "../src/b.cpp"] },
  { "directory": "/srv/ci/proj/build", "file": "../src/c.cpp",
    "arguments": ["c++", "-DTWO=2", "-iquote", "../src", "-c", "../src/c.cpp"] },
  { "directory": "/srv/ci/proj/build", "file": "/opt/other/x.cpp", "arguments": ["c++"] }
]
//- src/a.cpp src/b.cpp src/c.cpp include/a.hpp tools/loose.py"#,
        &[
            (
                "build/compile_commands.json /native/files",
                r#"{"src/a.cpp":0,"src/b.cpp":1,"src/c.cpp":1}"#,
            ),
            (
                "build/compile_commands.json /native/flags/0",
                r#"{"include":[{"path":"include"},{"path":{"external":"/usr/include/z"},"only":"system"},{"path":"build/gen"}],"defines":["NAME=x y","ON"]}"#,
            ),
            (
                "build/compile_commands.json /native/flags/1",
                r#"{"include":[{"path":"src","only":"quote"}],"defines":["TWO=2"]}"#,
            ),
            ("of src/a.cpp", "build/compile_commands.json"),
            ("of include/a.hpp", "build/compile_commands.json"),
            ("of tools/loose.py", "."),
            ("problems", ""),
        ],
    ),
    (
        "Windows",
        r#"
//- compile_commands.json
[{ "directory": "C:\\code\\proj", "file": "src\\a.cpp",
   "command": "C:\\VS\\cl.exe /nologo /IC:\\code\\proj\\inc /I gen /DA=1 /D B /external:I C:\\sdk -c src\\a.cpp" }]
//- src/a.cpp inc/a.h"#,
        &[
            ("compile_commands.json /native/files", r#"{"src/a.cpp":0}"#),
            (
                "compile_commands.json /native/flags/0",
                r#"{"include":[{"path":"inc"},{"path":"gen"},{"path":{"external":"C:\\sdk"},"only":"system"}],"defines":["A=1","B"]}"#,
            ),
        ],
    ),
    (
        "relative folders; broken lists are read as far as they go",
        r#"
//- compile_commands.json
[{ "directory": ".", "file": "a.c", "command": "cc -Iinc a.c" }, { "no": "file" }, 5, { "file": "b.c", "arg
//- other/compile_commands.json
{}
//- none/compile_commands.json
[{ "directory": "/x", "file": "/x/y.c" }]
//- a.c"#,
        &[
            ("compile_commands.json /native/files", r#"{"a.c":0}"#),
            (
                "compile_commands.json /native/flags/0/include/0/path",
                r#""inc""#,
            ),
        ],
    ),
];

#[test]
fn native_projects() {
    check(CASES);
}

#[test]
fn a_list_that_is_too_large_is_told() {
    let files = [(
        "compile_commands.json".to_owned(),
        vec![b' '; 64 * 1024 * 1024 + 1],
    )];
    let problems = answer(&projects(&files), "problems");
    assert!(problems.contains("are not read"), "{problems}");
}
