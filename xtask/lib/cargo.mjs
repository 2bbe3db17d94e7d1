/**
 * How the tests compile the Rust workspace: everything with one choice of packages, targets and features.
 * Cargo compiles a crate once for each set of features, and a package asked for alone has others than the
 * workspace has: with a choice of its own for every suite the tests took twice the time and three times the disk.
 */

import { join, resolve } from "node:path";

import { root } from "./context.mjs";

const CHOICE = ["--locked", "--workspace", "--features", "codecortex-wasm/smoke"];

/** What `cargo clippy`, `cargo test` and `cargo nextest run` are given. */
export const EVERYTHING = [...CHOICE, "--all-targets"];

/** What compiles the programs that tests run; nearly nothing to do after the Rust tests, minutes without them. */
export const COMPILE = ["build", "--quiet", ...CHOICE, "--bin", "codecortex", "--example", "count-nodes"];

/** Where cargo puts a program of the workspace, such as `codecortex` or `examples/count-nodes`. */
export function program(name) {
  const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
  return join(target, "debug", process.platform === "win32" ? `${name}.exe` : name);
}
