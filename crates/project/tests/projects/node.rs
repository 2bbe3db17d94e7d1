//! JavaScript and TypeScript: packages, workspaces, tsconfigs.

use crate::support::{Case, check};

const CASES: &[Case] = &[
    (
        "npm's workspaces by pattern",
        r#"
//- package.json
{ "name": "mono", "private": true, "workspaces": ["packages/*", "!packages/old", "tools/one"] }
//- packages/a/package.json
{ "name": "@m/a", "version": "1.0.0", "dependencies": { "@m/b": "^1.0.0", "lodash": "4" }, "devDependencies": { "@m/c": "*" } }
//- packages/b/package.json
{ "name": "@m/b" }
//- packages/old/package.json
{ "name": "@m/old", "dependencies": { "@m/a": "1" } }
//- tools/one/package.json
{ "name": "@m/c" }
//- packages/a/index.js packages/b/lib/b.js scripts/x.js
//- node_modules/lodash/package.json
{ "name": "lodash" }"#,
        &[
            ("members package.json", "mono @m/a @m/b @m/c"),
            (
                "refs packages/a/package.json",
                "@m/b>packages/b/package.json @m/c>tools/one/package.json~",
            ),
            ("refs packages/old/package.json", ""),
            ("of packages/a/index.js", "packages/a/package.json"),
            ("of scripts/x.js", "package.json"),
            ("packages/a/package.json /npm/version", r#""1.0.0""#),
            ("problems", ""),
        ],
    ),
    (
        "yarn's old form, and a member that is missing",
        r#"
//- package.json
{ "workspaces": { "packages": ["a", "gone"], "nohoist": ["**"] } }
//- a/package.json
{ "name": "a" }"#,
        &[
            ("members package.json", "a root"),
            (
                "problems",
                "package.json:1:37 “gone/package.json” does not exist.",
            ),
        ],
    ),
    (
        "pnpm's workspace",
        r#"
//- pnpm-workspace.yaml
packages:
  # all of them
  - 'packages/**'
  - "apps/*"
  - '!**/test/**'
catalog: &all
  react: ^18
other: *all
//- package.json
{ "name": "top" }
//- packages/deep/x/package.json
{ "name": "x", "dependencies": { "y": "workspace:*", "alias": "workspace:z@^1", "gone": "workspace:^", "w": "workspace:../../w" } }
//- packages/y/package.json
{ "name": "y" }
//- packages/z/package.json
{ "name": "z" }
//- packages/w/package.json
{ "name": "w" }
//- packages/y/test/fixture/package.json
{ "name": "fixture" }"#,
        &[
            ("members pnpm-workspace.yaml", "top x w y z"),
            (
                "refs packages/deep/x/package.json",
                "y>packages/y/package.json alias>packages/z/package.json w>packages/w/package.json",
            ),
            (
                "problems",
                "packages/deep/x/package.json:1:81 No package of the workspace is called “gone”.",
            ),
        ],
    ),
    (
        "folders as dependencies",
        r#"
//- a/package.json
{ "name": "a", "dependencies": { "b": "file:../b", "c": "link:../c", "t": "file:./t.tgz", "far": "file:../../far" } }
//- b/package.json
{ "name": "b" }"#,
        &[
            (
                "refs a/package.json",
                "b>b/package.json c>c/package.json! far><../../far>!",
            ),
            (
                "problems",
                "a/package.json:1:52 “c/package.json” does not exist.",
            ),
        ],
    ),
    (
        "entries, exports and imports",
        r##"
//- p/package.json
{
  "name": "@s/p", "type": "module", "main": "./dist/index.cjs", "module": "dist/index.mjs", "typings": "types.d.ts",
  "bin": "./cli.js",
  "exports": {
    ".": { "types": "./types.d.ts", "import": { "node": "./n.mjs", "default": "./dist/index.mjs" }, "default": ["./a.cjs", "./b.cjs"] },
    "./features/*": "./src/features/*.ts",
    "./internal/*": null
  },
  "imports": { "#dep": { "node": "real-dep", "default": "./shim.js" } }
}
//- q/package.json
{ "name": "q", "exports": { "import": "./q.mjs", "require": "./q.cjs" }, "bin": { "one": "1.js", "two": "../../2.js" } }"##,
        &[
            ("p/package.json /npm/main", r#""p/dist/index.cjs""#),
            ("p/package.json /npm/types", r#""p/types.d.ts""#),
            ("p/package.json /npm/esModules", "true"),
            (
                "p/package.json /npm/bin",
                r#"[{"name":"p","path":"p/cli.js"}]"#,
            ),
            (
                "p/package.json /npm/exports/0",
                r#"{"subpath":".","conditions":["types"],"target":"p/types.d.ts"}"#,
            ),
            (
                "p/package.json /npm/exports/1",
                r#"{"subpath":".","conditions":["import","node"],"target":"p/n.mjs"}"#,
            ),
            (
                "p/package.json /npm/exports/2",
                r#"{"subpath":".","conditions":["import"],"target":"p/dist/index.mjs"}"#,
            ),
            (
                "p/package.json /npm/exports/4",
                r#"{"subpath":".","target":"p/b.cjs"}"#,
            ),
            (
                "p/package.json /npm/exports/5",
                r#"{"subpath":"./features/*","target":"p/src/features/*.ts"}"#,
            ),
            (
                "p/package.json /npm/exports/6",
                r#"{"subpath":"./internal/*"}"#,
            ),
            (
                "p/package.json /npm/imports/0",
                r##"{"subpath":"#dep","conditions":["node"],"target":{"external":"real-dep"}}"##,
            ),
            (
                "q/package.json /npm/exports/1",
                r#"{"subpath":".","conditions":["require"],"target":"q/q.cjs"}"#,
            ),
            (
                "q/package.json /npm/bin/1/path",
                r#"{"external":"../../2.js"}"#,
            ),
        ],
    ),
    (
        "a tsconfig with comments and trailing commas",
        r#"
//- tsconfig.json
{
  // comment
  "compilerOptions": {
    "baseUrl": "./src", /* here */
    "paths": { "@app/*": ["app/*", "../gen/app/*"], "lib": ["lib/index.ts"], "a*b*": ["x"], },
    "outDir": "dist", "rootDirs": ["src", "gen"], "jsx": "react-jsx", "strict": true,
  },
  "exclude": ["**/*.spec.ts"],
}
//- src/app/a.ts src/app/a.spec.ts src/b.tsx src/c.js dist/d.d.ts x/y.mts node_modules/n/index.ts src/d.json"#,
        &[
            (
                "files tsconfig.json",
                "dist/d.d.ts src/app/a.ts src/b.tsx x/y.mts",
            ),
            ("tsconfig.json /typeScript/baseUrl", r#""src""#),
            (
                "tsconfig.json /typeScript/paths",
                r#"[{"pattern":"@app/*","targets":["src/app/*","gen/app/*"]},{"pattern":"lib","targets":["src/lib/index.ts"]}]"#,
            ),
            ("tsconfig.json /typeScript/rootDirs", r#"["src","gen"]"#),
            (
                "tsconfig.json /typeScript/options",
                r#"{"jsx":"react-jsx"}"#,
            ),
            (
                "problems",
                "tsconfig.json:5:78 “a*b*” has more than one “*”.",
            ),
        ],
    ),
    (
        "what is not excluded leaves out what is written",
        r#"
//- a/tsconfig.json
{ "compilerOptions": { "outDir": "out", "declarationDir": "./types" } }
//- b/tsconfig.json
{ "include": ["src", "one.ts"], "files": ["extra/x.ts"] }
//- c/jsconfig.json
{}
//- d/tsconfig.json
{ "files": [], "references": [{ "path": "./in" }, { "path": "./tsconfig.app.json" }, { "path": "../gone" }] }
//- d/in/tsconfig.json
{ "compilerOptions": { "composite": true } }
//- d/tsconfig.app.json
{ "include": ["app/**/*.ts"], "compilerOptions": { "allowJs": true } }
//- a/a.ts a/out/a.ts a/types/t.ts b/src/deep/s.ts b/one.ts b/two.ts b/extra/x.ts b/extra/y.ts c/c.js c/d.ts d/in/i.ts d/app/p.ts d/app/q.js"#,
        &[
            ("files a/tsconfig.json", "a/a.ts"),
            (
                "files b/tsconfig.json",
                "b/extra/x.ts b/one.ts b/src/deep/s.ts",
            ),
            ("files c/jsconfig.json", "c/c.js c/d.ts"),
            ("files d/tsconfig.json", ""),
            ("of d/app/p.ts", "d/tsconfig.app.json"),
            (
                "refs d/tsconfig.json",
                "./in>d/in/tsconfig.json ./tsconfig.app.json>d/tsconfig.app.json ../gone>gone/tsconfig.json!",
            ),
            (
                "d/in/tsconfig.json /typeScript/options/composite",
                r#""true""#,
            ),
            (
                "problems",
                "d/tsconfig.json:1:96 “gone/tsconfig.json” does not exist.",
            ),
        ],
    ),
    (
        "hidden folders and minified files are included by name only",
        r#"
//- tsconfig.json
{ "compilerOptions": { "allowJs": true }, "include": ["**/*", ".storybook/**/*"], "files": ["lib/x.min.js"] }
//- a.ts .next/types/b.ts .hidden.ts .storybook/main.ts lib/x.min.js lib/y.min.js"#,
        &[(
            "files tsconfig.json",
            ".storybook/main.ts a.ts lib/x.min.js",
        )],
    ),
    (
        "extends: relative, without ending, several, from a package, by an unusual name",
        r#"
//- tsconfig.base.json
{ "compilerOptions": { "target": "es2020", "baseUrl": ".", "paths": { "~/*": ["${configDir}/src/*"] } }, "include": ["nothing"] }
//- config/strict.json
{ "compilerOptions": { "module": "nodenext" } }
//- packages/config/package.json
{ "name": "@m/config", "exports": { "./web": "./configs/web.json" } }
//- packages/config/configs/web.json
{ "compilerOptions": { "jsx": "preserve", "target": "es5" }, "exclude": ["skip"] }
//- packages/config/tsconfig.json
{ "compilerOptions": { "moduleResolution": "bundler" } }
//- app/tsconfig.json
{ "extends": ["../tsconfig.base", "../config/strict.json", "@m/config/web", "@m/config", "@far/config/tsconfig.json"],
  "compilerOptions": { "target": "esnext" }, "include": ["src"] }
//- app/src/a.ts app/src/skip.ts packages/config/configs/skip/s.ts"#,
        &[
            ("files app/tsconfig.json", "app/src/a.ts app/src/skip.ts"),
            (
                "app/tsconfig.json /typeScript/options",
                r#"{"jsx":"preserve","module":"nodenext","moduleResolution":"bundler","target":"esnext"}"#,
            ),
            (
                "app/tsconfig.json /typeScript/paths/0/targets",
                r#"["app/src/*"]"#,
            ),
            (
                "app/tsconfig.json /typeScript/extends",
                r#"[{"external":"@far/config/tsconfig.json"},"packages/config/tsconfig.json","packages/config/configs/web.json","config/strict.json","tsconfig.base.json"]"#,
            ),
            (
                "projects",
                "app=app/tsconfig.json @m/config=packages/config/package.json config=packages/config/tsconfig.json",
            ),
            ("problems", ""),
        ],
    ),
    (
        "extends that go in a circle or nowhere",
        r#"
//- a/tsconfig.json
{ "extends": "./tsconfig.b.json" }
//- a/tsconfig.b.json
{ "extends": "./tsconfig.json", "compilerOptions": { "target": "es6" } }
//- c/tsconfig.json
{ "extends": "./nowhere" }"#,
        &[
            ("a/tsconfig.json /typeScript/options/target", r#""es6""#),
            (
                "problems",
                "a/tsconfig.b.json:1:14 “a/tsconfig.json” extends itself. | a/tsconfig.json:1:14 “a/tsconfig.b.json” extends itself. | c/tsconfig.json:1:14 “c/nowhere” does not exist.",
            ),
        ],
    ),
    (
        "the nearest config is the project of a file, the package its second owner",
        r#"
//- package.json
{ "name": "p" }
//- tsconfig.json
{}
//- sub/tsconfig.json
{}
//- sub/tsconfig.test.json
{}
//- sub/x.ts y.ts sub/z.js"#,
        &[
            (
                "owners sub/x.ts",
                "sub/tsconfig.json sub/tsconfig.test.json tsconfig.json package.json",
            ),
            ("of y.ts", "tsconfig.json"),
            ("owners sub/z.js", "package.json"),
        ],
    ),
    (
        "references of configs in a circle",
        r#"
//- a/tsconfig.json
{ "references": [{ "path": "../b" }] }
//- b/tsconfig.json
{ "references": [{ "path": "../a" }] }"#,
        &[(
            "problems",
            "a/tsconfig.json:1:28 Projects refer to each other: a, b.",
        )],
    ),
    (
        "broken files",
        r#"
//- package.json
{ "name": "x",
//- tsconfig.json
[]
//- pnpm-workspace.yaml
packages: ["a", {
//- a/package.json
{ "name": 5, "exports": { "./x": { "y": [true, 1] } }, "workspaces": "b", "dependencies": [] }
//- b/package.json
{ "name": "b" }
//- a/a.js"#,
        &[
            ("of a/a.js", "a/package.json"),
            ("members a/package.json", "a"),
        ],
    ),
];

#[test]
fn node_projects() {
    check(CASES);
}
