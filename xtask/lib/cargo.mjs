/**
 * How the tests compile the Rust workspace: everything with one choice of packages, targets and features.
 * Cargo compiles a crate once for each set of features, and a package asked for alone has others than the
 * workspace has: with a choice of its own for every suite the tests took twice the time and three times the disk.
 */

import { join, resolve } from "node:path";

import { root } from "./context.mjs";

/** What `cargo clippy`, `cargo test` and `cargo nextest run` are given. */
export const EVERYTHING = ["--locked", "--workspace", "--all-targets", "--features", "codecortex-wasm/smoke"];

/** The arguments of cargo that compile all programs; nothing to do after the Rust tests, minutes without them. */
export const COMPILE = ["test", "--no-run", "--quiet", ...EVERYTHING];

/** Where cargo puts a program of the workspace, such as `codecortex` or `examples/count-nodes`. */
export function program(name) {
  const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
  return join(target, "debug", process.platform === "win32" ? `${name}.exe` : name);
}
