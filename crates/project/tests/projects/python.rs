//! Python: distributions, source roots, uv's workspaces.

use crate::support::{Case, check};

const CASES: &[Case] = &[
    (
        "the src layout",
        r#"
//- pyproject.toml
[project]
name = "demo"
//- src/demo/__init__.py src/demo/sub/__init__.py src/demo/sub/x.py tests/test_x.py"#,
        &[
            ("of src/demo/sub/x.py", "pyproject.toml"),
            ("pyproject.toml /name", r#""demo""#),
            ("pyproject.toml /sourceRoots", r#"[{"path":"src"}]"#),
        ],
    ),
    (
        "packages beside the manifest",
        r#"
//- pyproject.toml
[tool.flit.module]
name = "flat"
//- flat/__init__.py flat/a.py lib/deep/pkg/__init__.py script.py"#,
        &[
            (
                "pyproject.toml /sourceRoots",
                r#"[{"path":""},{"path":"lib/deep"}]"#,
            ),
            ("pyproject.toml /python/packages", r#"["flat"]"#),
        ],
    ),
    (
        "setuptools in pyproject.toml",
        r#"
//- a/pyproject.toml
[project]
name = "a"
[tool.setuptools]
package-dir = {"" = "lib", "other" = "vendor/other"}
packages = ["a", "other"]
//- b/pyproject.toml
[tool.setuptools.packages.find]
where = ["source", "more"]
[tool.pytest.ini_options]
pythonpath = ["tests/helpers"]
//- b/source/b/__init__.py"#,
        &[
            (
                "a/pyproject.toml /sourceRoots",
                r#"[{"path":"a/lib","declared":true},{"path":"a/vendor/other","prefix":"other","declared":true}]"#,
            ),
            (
                "b/pyproject.toml /sourceRoots",
                r#"[{"path":"b/source","declared":true},{"path":"b/more","declared":true},{"path":"b/tests/helpers","test":true,"declared":true}]"#,
            ),
        ],
    ),
    (
        "poetry's packages and folders",
        r#"
//- app/pyproject.toml
[tool.poetry]
name = "app"
packages = [{ include = "app", from = "code" }, { include = "more" }]
[tool.poetry.dependencies]
python = "^3.11"
lib = { path = "../lib", develop = true }
gone = { path = "../gone" }
[tool.poetry.group.dev.dependencies]
helper = { path = "../helper" }
//- lib/pyproject.toml
[tool.poetry]
name = "lib"
//- helper/setup.py
from setuptools import setup
setup(name="helper")"#,
        &[
            (
                "refs app/pyproject.toml",
                "lib>lib/pyproject.toml gone>gone/pyproject.toml! helper>helper/setup.py~",
            ),
            (
                "app/pyproject.toml /sourceRoots",
                r#"[{"path":"app/code","declared":true},{"path":"app","declared":true}]"#,
            ),
            (
                "problems",
                "app/pyproject.toml:7:1 “gone/pyproject.toml” does not exist.",
            ),
        ],
    ),
    (
        "hatch, pdm, maturin and uv",
        r#"
//- h/pyproject.toml
[tool.hatch.build.targets.wheel]
packages = ["src/foo"]
[tool.hatch.build.targets.wheel.sources]
"lib/bar" = "bar"
//- p/pyproject.toml
[tool.pdm.build]
package-dir = "source"
//- m/pyproject.toml
[tool.maturin]
python-source = "python"
//- u/pyproject.toml
[tool.uv.build-backend]
module-root = """#,
        &[
            (
                "h/pyproject.toml /sourceRoots",
                r#"[{"path":"h/src","declared":true},{"path":"h/lib/bar","prefix":"bar","declared":true}]"#,
            ),
            (
                "p/pyproject.toml /sourceRoots",
                r#"[{"path":"p/source","declared":true}]"#,
            ),
            (
                "m/pyproject.toml /sourceRoots",
                r#"[{"path":"m/python","declared":true}]"#,
            ),
        ],
    ),
    (
        "uv's workspace",
        r#"
//- pyproject.toml
[project]
name = "top"
[tool.uv.workspace]
members = ["packages/*"]
exclude = ["packages/seeds"]
[tool.uv.sources]
My_Lib = { workspace = true }
//- packages/my-lib/pyproject.toml
[project]
name = "my.lib"
[tool.uv.sources]
top = { workspace = true }
absent = { workspace = true }
tool = { path = "../seeds" }
//- packages/seeds/pyproject.toml
[project]
name = "seeds""#,
        &[
            ("members pyproject.toml", "top my.lib"),
            (
                "refs pyproject.toml",
                "My_Lib>packages/my-lib/pyproject.toml",
            ),
            (
                "refs packages/my-lib/pyproject.toml",
                "top>pyproject.toml tool>packages/seeds/pyproject.toml",
            ),
            (
                "problems",
                "packages/my-lib/pyproject.toml:4:1 Projects refer to each other: my.lib, top. | packages/my-lib/pyproject.toml:5:1 No project of the workspace is called “absent”.",
            ),
        ],
    ),
    (
        "setup.cfg",
        r#"
//- a/setup.cfg
[metadata]
name = cfg
[options]
packages = find:
package_dir =
    = src
    ext = other/ext
[options.packages.find]
where = src
//- b/setup.cfg
[flake8]
max-line-length = 100
//- a/src/cfg/__init__.py b/x.py"#,
        &[
            ("of a/src/cfg/__init__.py", "a/setup.cfg"),
            ("a/setup.cfg /name", r#""cfg""#),
            (
                "a/setup.cfg /sourceRoots",
                r#"[{"path":"a/src","declared":true},{"path":"a/other/ext","prefix":"ext","declared":true}]"#,
            ),
            ("of b/x.py", "."),
        ],
    ),
    (
        "setup.py is read and not run",
        r#"
//- a/setup.py
# setup(name="not this")
import setuptools
NAME = "computed"
setuptools.setup(
    name='real', version=get("x", name="inner"),
    package_dir={'': 'lib', "p.q": "pq"},
    packages=setuptools.find_packages(where='lib', exclude=["tests"]),
    description="""name="nor this" """,
)
//- b/setup.py
from distutils.core import setup
setup(name="b" + SUFFIX, packages=["b", "b.sub"])
//- c/setup.py
setup(packages=find_packages("code"
//- a/lib/real/__init__.py"#,
        &[
            ("a/setup.py /name", r#""real""#),
            (
                "a/setup.py /sourceRoots",
                r#"[{"path":"a/lib","declared":true},{"path":"a/pq","prefix":"p.q","declared":true},{"path":"a"}]"#,
            ),
            ("b/setup.py /name", r#""b""#),
            ("b/setup.py /python/packages", r#"["b","b.sub"]"#),
            ("c/setup.py /sourceRoots/0/path", r#""c/code""#),
        ],
    ),
    (
        "three manifests in one folder are one project",
        r#"
//- pyproject.toml
[build-system]
requires = ["setuptools"]
//- setup.cfg
[metadata]
name = three
//- setup.py
from setuptools import setup
setup(package_dir={"": "src"})
//- src/three/__init__.py"#,
        &[
            ("projects", "three=pyproject.toml"),
            (
                "pyproject.toml /sourceRoots",
                r#"[{"path":"src","declared":true},{"path":""}]"#,
            ),
        ],
    ),
    (
        "what is in a project further down is that project's",
        r#"
//- pyproject.toml
[project]
name = "top"
//- packages/in/pyproject.toml
[project]
name = "in"
//- top/__init__.py packages/in/src/inner/__init__.py"#,
        &[
            ("pyproject.toml /sourceRoots", r#"[{"path":""}]"#),
            (
                "packages/in/pyproject.toml /sourceRoots",
                r#"[{"path":"packages/in/src"}]"#,
            ),
        ],
    ),
    (
        "without a manifest the files show the roots",
        r#"
//- lib/pkg/__init__.py lib/pkg/sub/__init__.py lib/pkg/sub/a.py other/one/__init__.pyi tool.py"#,
        &[
            ("of lib/pkg/sub/a.py", "."),
            (". /kind", r#""implicit""#),
            (". /sourceRoots", r#"[{"path":"lib"},{"path":"other"}]"#),
        ],
    ),
    (
        "a mistake in the middle of a file",
        r#"
//- pyproject.toml
[project]
name = "kept"
version = = "1"
[tool.setuptools.packages.find]
where = ["src"]
//- src/kept/__init__.py"#,
        &[
            ("pyproject.toml /name", r#""kept""#),
            (
                "pyproject.toml /sourceRoots/0",
                r#"{"path":"src","declared":true}"#,
            ),
        ],
    ),
];

#[test]
fn python_projects() {
    check(CASES);
}
