#!/usr/bin/env node
/** `npm run lint`: every check runs, the exit code says whether all are content. */

import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { EVERYTHING } from "./lib/cargo.mjs";
import { root } from "./lib/context.mjs";

const tool = (file, ...args) => [process.execPath, [`node_modules/${file}`, ...args]];

const CHECKS = {
  eslint: tool("eslint/bin/eslint.js", "--max-warnings", "0", "."),
  prettier: tool("prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."),
  types: tool("typescript/bin/tsc", "--project", "."),
  "types of the page": tool("typescript/bin/tsc", "--project", "extension/webview"),
  generated: ["cargo", ["xtask", "codegen", "--check"]],
  circles: ["cargo", ["xtask", "circles"]],
  rustfmt: ["cargo", ["fmt", "--all", "--check"]],
  clippy: ["cargo", ["clippy", "--quiet", ...EVERYTHING, "--", "-D", "warnings"]],
};

/** Runs them with their own output; resolves to the counts. */
export function lint() {
  const failed = Object.entries(CHECKS).filter(([name, [command, args]]) => {
    const started = Date.now();
    const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    console.log(`${status === 0 ? "✓" : "✗"} ${name}  ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return status !== 0;
  });
  return { passed: Object.keys(CHECKS).length - failed.length, failed: failed.length };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = lint().failed === 0 ? 0 : 1;
}
