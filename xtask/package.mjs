#!/usr/bin/env node
/**
 * Makes the .vsix named on the command line, with the file of notices named behind it, if any. What goes in is copied to a folder of its own first: vsce looks at
 * every file of the folder it packages, and build results have some hundred thousand that stay out.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { createVSIX } from "@vscode/vsce";

import { root } from "./lib/context.mjs";

const ALWAYS = [
  "package.json",
  "media",
  "dist/wasm/codecortex_bg.wasm",
  ...scripts("dist"),
  ...scripts("dist/web"),
  ...scripts("dist/webview"),
];
/** Files that lie elsewhere in the package: the command line has its workers and the module beside it. */
const MOVED = { "dist/node/cli.js": "dist/cli.js" };
const WHERE_PRESENT = ["README.md", "CHANGELOG.md", "LICENSE"];

const [target, notice] = process.argv.slice(2);
const stage = join(root, ".cache", "package");

rmSync(stage, { recursive: true, force: true });
for (const path of [...ALWAYS, ...WHERE_PRESENT.filter((name) => existsSync(join(root, name)))]) {
  mkdirSync(dirname(join(stage, path)), { recursive: true });
  cpSync(join(root, path), join(stage, path), { recursive: true });
}
for (const [from, to] of Object.entries(MOVED)) {
  cpSync(join(root, from), join(stage, to));
}
if (notice !== undefined) {
  cpSync(notice, join(stage, "NOTICE"));
}
await createVSIX({
  cwd: stage,
  packagePath: resolve(root, target),
  dependencies: false,
  allowMissingRepository: true,
  // there is no published repository that README's picture could be linked to; it lies in the package
  rewriteRelativeLinks: false,
});

/** The bundles of a folder, without their maps. */
function scripts(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".js"))
    .map((name) => `${folder}/${name}`);
}
