//! Go: modules and workspaces.

use crate::support::{Case, check};

const CASES: &[Case] = &[
    (
        "a module with replacements",
        r#"
//- go.mod
module example.org/app // the app

go 1.22
toolchain go1.22.1

require example.org/one v1.0.0
require (
	example.org/two v1.2.3 // indirect
	"example.org/three" v0.0.0
	example.org/far v1.0.0
)
replace example.org/two => ./two
replace (
	example.org/three v0.0.0 => ../three
	example.org/one => example.org/fork v1.1.0
	example.org/nothing =>
)
exclude example.org/bad v1.0.0
//- two/go.mod
module example.org/two
//- main.go two/t.go two/deep/d.go"#,
        &[
            ("go.mod /name", r#""example.org/app""#),
            ("go.mod /go/version", r#""1.22""#),
            (
                "refs go.mod",
                "example.org/two>two/go.mod example.org/three><../three>!",
            ),
            (
                "go.mod /go/replace/0",
                r#"{"module":"example.org/two","with":"two"}"#,
            ),
            ("go.mod /go/replace/1/version", r#""v0.0.0""#),
            (
                "go.mod /go/replace/2/with",
                r#"{"external":"example.org/fork"}"#,
            ),
            ("of two/deep/d.go", "two/go.mod"),
            (
                "problems",
                "go.mod:16:2 A replacement is written `module => other`.",
            ),
        ],
    ),
    (
        "a workspace",
        r#"
//- go.work
go 1.21
use (
	./a
	./b
	./gone
	../far
)
use ./c
replace example.org/d => ./d
//- a/go.mod
module example.org/a
require (
	example.org/b v1.0.0
	example.org/d v1.0.0
	example.org/e v1.0.0
)
//- b/go.mod
module example.org/b
//- c/go.mod
module example.org/c
//- d/go.mod
module example.org/d
//- e/go.mod
module example.org/e
require example.org/b v1.0.0"#,
        &[
            (
                "members go.work",
                "example.org/a example.org/b example.org/c !gone/go.mod <../far>",
            ),
            (
                "refs a/go.mod",
                "example.org/b>b/go.mod example.org/d>d/go.mod",
            ),
            // Not used by the workspace: it takes releases.
            ("refs e/go.mod", ""),
            ("problems", "go.work:5:2 “gone/go.mod” does not exist."),
        ],
    ),
    (
        "modules may need each other; broken files are read as far as they go",
        r#"
//- a/go.mod
module example.org/a
require example.org/b v1.0.0
replace example.org/b => ../b
//- b/go.mod
module example.org/b
require example.org/a v1.0.0
replace example.org/a => ../a
require (
//- c/go.mod
module
//- c/c.go"#,
        &[
            ("refs a/go.mod", "example.org/b>b/go.mod"),
            ("of c/c.go", "c/go.mod"),
            ("c/go.mod /name", r#""c""#),
            (
                "problems",
                "b/go.mod:5:1 A block is not closed. | c/go.mod:1:1 “module” needs a value.",
            ),
        ],
    ),
];

#[test]
fn go_projects() {
    check(CASES);
}
