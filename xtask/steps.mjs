/** The table of the set-up's steps; the form of a row is described in setup.mjs. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { built } from "./lib/built.mjs";
import { HELPER, HELPER_ALONE, program, testsAreCompiled } from "./lib/cargo.mjs";
import { SetupError, root } from "./lib/context.mjs";
import { look } from "./lib/look.mjs";

const RUSTUP = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y";
const WASM_PACKAGES = {
  rust: ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"],
  linker: [["lld-19", "lld"]],
  clang: [
    ["clang-19", "clang"],
    ["llvm-19", "llvm"],
  ],
};

const XTASK = program("xtask");
const WORKSPACE = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];
const MODULE = ["dist/wasm/codecortex.js", "dist/wasm/codecortex_bg.wasm"];
const BUNDLES = [
  ...["", "web/"].flatMap((folder) =>
    ["extension", "engine.worker", "parse.worker"].map((name) => `dist/${folder}${name}.js`),
  ),
  "dist/webview/window.js",
  "dist/node/cli.js",
];

/** All steps; where several can be done, the ones above come first. */
export async function steps() {
  const { vscodeSteps } = await import("../test/e2e/setup.mjs");
  return [
    node,
    packages,
    rust,
    cCompiler,
    linters,
    xtask,
    wasmToolchain,
    generatedCode,
    releaseModule,
    startModule,
    bundles,
    vsix,
    ...vscodeSteps,
  ];
}

const node = {
  name: "node",
  isDone: () => (atLeast(process.versions.node, manifest().engines.node) ? process.version : false),
  run: () => {
    throw new SetupError(`this is Node ${process.version}, it takes ${manifest().engines.node}`);
  },
  hint: "install a newer Node, from your system's packages or https://nodejs.org",
};

const packages = built({
  name: "npm packages",
  needs: ["node"],
  inputs: () => ["package-lock.json"],
  outputs: () => ["node_modules/.package-lock.json"],
  detail: () => `${Object.keys(manifest().devDependencies).length} tools for TypeScript`,
  // no package here needs its install script
  work: ({ exec }) => exec("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]),
  hint: "npm ci --ignore-scripts",
});

const rust = {
  name: "rust",
  isDone: () => {
    const [, version] = look("rustc", ["--version"])?.split(" ") ?? [];
    return version && look("cargo", ["--version"]) && atLeast(version, oldestRust()) ? `rustc ${version}` : false;
  },
  run: () => {
    throw new SetupError(`Rust ${oldestRust()} or newer is missing: no such cargo and rustc in PATH`);
  },
  hint: () => `${RUSTUP} && . ~/.cargo/env    (with rustup already there: rustup update)`,
};

const cCompiler = {
  name: "c compiler",
  isDone: ({ which }) => ["cc", "gcc", "clang", "cl"].map(which).find(Boolean) ?? false,
  run: ({ debian }) => debian(["build-essential"]),
  hint: "sudo apt-get install -y build-essential    (on a Mac: xcode-select --install)",
};

const linters = {
  name: "rust linters",
  needs: ["rust"],
  goals: ["test"],
  isDone: () => {
    const versions = [look("cargo", ["fmt", "--version"]), look("cargo", ["clippy", "--version"])];
    return versions.every(Boolean) && versions.map((text) => text.split(" ").slice(0, 2).join(" ")).join(", ");
  },
  run: ({ exec, which, debian }) =>
    which("rustup")
      ? exec("rustup", ["component", "add", "rustfmt", "clippy"])
      : debian([
          ["rustfmt-web", "rustfmt"],
          ["rust-web-clippy", "rust-clippy"],
        ]),
  hint: "rustup component add rustfmt clippy",
};

const xtask = built({
  name: "build helper",
  needs: ["rust", "c compiler"],
  inputs: () => ["xtask/src", "xtask/Cargo.toml", ...WORKSPACE],
  outputs: () => [],
  detail: () => (existsSync(XTASK) ? "cargo xtask" : false),
  work: ({ exec, progress, goal }) => {
    progress("compiling, some minutes the first time");
    return exec("cargo", helper(goal));
  },
  hint: "cargo build --package xtask",
});

const wasmToolchain = {
  name: "wasm toolchain",
  needs: ["build helper"],
  isDone: () => look(XTASK, ["toolchain"]) ?? false,
  run: async ({ exec, debian }) => {
    // rustup first, where there is one; the answer is looked at below
    await exec(XTASK, ["toolchain", "--add-target", "--missing"]);
    const missing = look(XTASK, ["toolchain", "--missing"])?.split("\n").filter(Boolean) ?? [];
    if (missing.length > 0) {
      const parts = missing.includes("rust") ? [...missing, "linker"] : missing;
      await debian([...new Set(parts)].flatMap((part) => WASM_PACKAGES[part]));
    }
  },
  hint: "cargo xtask toolchain    names what is missing and what to type",
};

const writtenCode = built({
  name: "generated code",
  needs: ["build helper"],
  // the tests check instead that what is committed is up to date
  goals: ["build", "code", "browser"],
  inputs: () => ["crates/engine", "crates/syntax/src", "xtask/src"],
  outputs: () => [
    "package.json",
    "docs/tools.md",
    "extension/generated/protocol.ts",
    "extension/generated/answers.ts",
    "extension/generated/languages.ts",
  ],
  detail: () => "from the Rust types",
  work: async ({ exec, goal }) => {
    // the helper that is there may know the types as they were
    await exec("cargo", helper(goal));
    await exec(XTASK, ["codegen"]);
  },
  hint: "cargo xtask codegen",
});

/** Written only where the engine is compiled for this machine anyway: that takes minutes, and the files are committed. */
const generatedCode = {
  ...writtenCode,
  isDone: (context) => (testsAreCompiled() ? writtenCode.isDone(context) : "as it is committed"),
};

/** The module by `cargo xtask wasm` with `options`; `stamp` says which of the two it is. */
function wasmModule(stamp, goals, options) {
  return built({
    name: "wasm module",
    stamp,
    goals,
    needs: ["wasm toolchain"],
    inputs: () => ["wasm/src", "wasm/libc", "wasm/Cargo.toml", "crates", "xtask/src", ...WORKSPACE],
    outputs: () => MODULE,
    work: ({ exec, progress }) => {
      progress("compiling every grammar, some minutes the first time");
      return exec(XTASK, ["wasm", ...options]);
    },
    hint: "cargo xtask wasm",
  });
}

const releaseModule = wasmModule("wasm module", ["build", "test"], []);

const quickModule = wasmModule("wasm module, quick", ["code", "browser"], ["--dev"]);

/** A start takes the release's module where there is one, and otherwise does not wait for its optimiser. */
const startModule = {
  ...quickModule,
  isDone: async (context) => (await releaseModule.isDone(context)) || quickModule.isDone(context),
};

const bundles = built({
  name: "bundles",
  needs: ["npm packages", "generated code", "wasm module"],
  inputs: () => ["extension", "webpack.config.js", "tsconfig.json", "package-lock.json", "dist/wasm/codecortex.js"],
  outputs: () => BUNDLES,
  work: ({ exec }) => exec(process.execPath, ["xtask/bundle.mjs"]),
  hint: "node xtask/bundle.mjs",
});

const vsix = built({
  name: "extension package",
  needs: ["bundles"],
  inputs: () => [
    "package.json",
    "xtask/package.mjs",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "media",
    ...BUNDLES,
    MODULE[1],
  ],
  outputs: () => [packageFile()],
  work: ({ exec }) => exec(process.execPath, ["xtask/package.mjs", packageFile()]),
  hint: "npm run build",
});

function helper(goal) {
  return goal === "test" || testsAreCompiled() ? HELPER : HELPER_ALONE;
}

function manifest() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}

function packageFile() {
  const { name, version } = manifest();
  return `dist/${name}-${version}.vsix`;
}

function oldestRust() {
  return /^rust-version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
}

/** Whether `version` is at least the one that `range` (`1.91`, `>=20.19`) names. */
function atLeast(version, range) {
  const numbers = (text) => text.replace(/^\D*/, "").split(/[.-]/).map(Number);
  const [have, want] = [numbers(version), numbers(range)];
  const index = want.findIndex((number, at) => number !== have[at]);
  return index < 0 || have[index] > want[index];
}
