#!/usr/bin/env node
/** `npm run lint`: every check runs, two at a time; the exit code says whether all are content. */

import { pathToFileURL } from "node:url";

import { EVERYTHING, HELPER, program } from "./lib/cargo.mjs";
import { start } from "./lib/children.mjs";
import { root } from "./lib/context.mjs";

const AT_ONCE = 2;

const tool = (file, ...args) => [[process.execPath, `node_modules/${file}`, ...args]];
// not `cargo xtask`: alone it would be compiled a second time, with other features
const helper = (...args) => [
  ["cargo", ...HELPER, "--quiet"],
  [program("xtask"), ...args],
];

/** `cargo` and what makes it look at everything. */
export const CLIPPY = ["clippy", "--quiet", ...EVERYTHING, "--", "-D", "warnings"];

/** Each a list of commands; the first that fails ends it. */
const CHECKS = {
  eslint: tool("eslint/bin/eslint.js", "--max-warnings", "0", "."),
  prettier: tool("prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."),
  types: tool("typescript/bin/tsc", "--project", "."),
  "types of the page": tool("typescript/bin/tsc", "--project", "extension/webview"),
  generated: helper("codegen", "--check"),
  circles: helper("circles"),
  figures: helper("figures"),
  names: helper("names"),
  strings: helper("strings"),
  "share of tests": helper("tests"),
  rustfmt: [["cargo", "fmt", "--all", "--check"]],
  clippy: [["cargo", ...CLIPPY]],
};

/** Runs them, each with its output in one piece; resolves to the counts. */
export async function lint() {
  const waiting = Object.entries(CHECKS);
  let failed = 0;
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      // Not `failed += await …`: that adds to what it was before the other lane's check ended.
      if (!(await check(...next))) {
        failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { passed: Object.keys(CHECKS).length - failed, failed };
}

async function check(name, commands) {
  const started = Date.now();
  let ok = true;
  let output = "";
  for (const command of commands) {
    ok &&= await run(command, (text) => (output += text));
  }
  console.log(`${output}${ok ? "✓" : "✗"} ${name}  ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return ok;
}

/** Whether it ended well. */
function run([command, ...args], seen) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: "1", CARGO_TERM_COLOR: "always" } : {};
  return new Promise((done) => {
    const env = { ...process.env, ...colours };
    const child = start(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", seen);
    }
    child.on("error", (error) => seen(`${command}: ${error.message}\n`));
    child.on("close", (code) => done(code === 0));
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = (await lint()).failed === 0 ? 0 : 1;
}
