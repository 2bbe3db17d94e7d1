/**
 * The npm packages: `codecortex`, the command line on the WebAssembly module, and one for each platform whose native
 * program is there, which `codecortex` depends on optionally.
 */

import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

import { root } from "../lib/context.mjs";
import { emptyFolder, required } from "./product.mjs";

/** The oldest Node that runs the command line. */
const NODE = ">=20";

/** Where each file of the package comes from. */
const FILES = {
  "lib/cli.js": "dist/node/cli.js",
  "lib/engine.worker.js": "dist/engine.worker.js",
  "lib/parse.worker.js": "dist/parse.worker.js",
  "lib/wasm/codecortex_bg.wasm": "dist/wasm/codecortex_bg.wasm",
  LICENSE: "LICENSE",
  "README.md": "xtask/dist/npm-readme.md",
};

/** C libraries by the platform's system: npm leaves the package out where there is another. */
const LIBRARIES = { linux: ["glibc"] };

/** Copies the contents of `codecortex` to `stage`; `platforms` are those with a package of their own. */
export function stageNpm({ product, stage, notice, platforms }) {
  emptyFolder(stage);
  for (const [to, from] of Object.entries(FILES)) {
    const file = required(join(root, from), "`npm run build` makes it");
    mkdirSync(join(stage, to, ".."), { recursive: true });
    copyFileSync(file, join(stage, to));
  }
  chmodSync(join(stage, "lib/cli.js"), 0o755);
  writeFileSync(join(stage, "NOTICE"), notice);
  const optional = platforms.map((platform) => [platformPackage(platform), product.version]);
  writeManifest(stage, {
    ...common(product),
    name: product.name,
    description: product.description,
    keywords: product.keywords,
    mcpName: product.mcpName,
    bin: { [product.name]: "lib/cli.js" },
    engines: { node: NODE },
    files: ["lib", "NOTICE"],
    ...(optional.length > 0 ? { optionalDependencies: Object.fromEntries(optional) } : {}),
  });
  return stage;
}

/** Copies the contents of a platform's package to `stage`; `program` is its native program. */
export function stagePlatform({ product, stage, notice, platform, program }) {
  const [system, processor] = platform.split("-");
  const name = system === "win32" ? "codecortex.exe" : "codecortex";
  emptyFolder(join(stage, "bin"));
  cpSync(required(program, "`cargo build --release` makes it"), join(stage, "bin", name));
  chmodSync(join(stage, "bin", name), 0o755);
  copyFileSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  writeFileSync(join(stage, "NOTICE"), notice);
  const libc = LIBRARIES[system];
  writeManifest(stage, {
    ...common(product),
    name: platformPackage(platform),
    description: `The native program of ${product.name} for ${platform}.`,
    os: [system],
    cpu: [processor],
    ...(libc ? { libc } : {}),
    preferUnplugged: true,
    files: ["bin", "NOTICE"],
  });
  return stage;
}

/** Packs what was staged; the file's path. npm gives every file one time. */
export async function packNpm({ exec, stage, out }) {
  const args = ["pack", stage, "--pack-destination", out, "--ignore-scripts", "--json"];
  const [{ filename }] = JSON.parse(await exec("npm", args, { cwd: out }));
  // older ones name a scoped package by its name instead of its file
  return join(out, basename(filename.replace("@", "").replace("/", "-")));
}

function platformPackage(platform) {
  return `@codecortex/${platform}`;
}

function common({ version, license, repository }) {
  return { version, license, ...(repository ? { repository } : {}) };
}

function writeManifest(stage, manifest) {
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
