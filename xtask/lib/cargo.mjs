/**
 * How the tests compile the Rust workspace: everything with one choice of packages, targets and features.
 * Cargo compiles a crate once for each set of features, and a package asked for alone has others than the
 * workspace has: with a choice of its own for every suite the tests took twice the time and three times the disk.
 */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { root } from "./context.mjs";

const CHOICE = ["--locked", "--workspace", "--features", "codecortex-wasm/smoke"];

/** What `cargo clippy`, `cargo test` and `cargo nextest run` are given. */
export const EVERYTHING = [...CHOICE, "--all-targets"];

const PROGRAMS = ["--bin", "codecortex", "--bin", "xtask", "--example", "count-nodes"];

/** What compiles the programs that tests run; nearly nothing to do after the Rust tests, minutes without them. */
export const COMPILE = ["build", "--quiet", ...CHOICE, ...PROGRAMS];

/**
 * `cargo xtask` as the tests compile it: they take over all that it is made of. Only for an example, as for a test,
 * cargo counts the features that dev-dependencies ask for.
 */
export const HELPER = ["build", ...CHOICE, "--bin", "xtask", "--example", "count-nodes"];

/** What builds the module, where no tests have been compiled: without the engine and the grammars of this machine. */
export const HELPER_ALONE = ["build", "--locked", "--package", "xtask", "--no-default-features"];

/** Whether the tests have been compiled, and compiling by their choice has little left to do. */
export function testsAreCompiled() {
  return existsSync(program("examples/count-nodes"));
}

/** Where cargo puts a program of the workspace, such as `codecortex` or `examples/count-nodes`. */
export function program(name) {
  const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
  return join(target, "debug", process.platform === "win32" ? `${name}.exe` : name);
}
