#!/usr/bin/env node
/**
 * `cargo xtask dist`: every package that needs no compiler, below dist/packages, with SHA-256 sums (SPEC X14).
 *
 *   --only npm,vsix            these packages alone
 *   --binary linux-x64=FILE    a native program that is built already; repeatable
 *   --repository URL           the repository that packages name
 *   --profile dev              the cargo profile of native programs, for trying
 *
 * Each package is a row of `PACKAGES`. The same sources give the same bytes (docs/packages.md).
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { filesBelow } from "./dist/archive.mjs";
import { registryEntry, writeBundle } from "./dist/bundle.mjs";
import { packCrates } from "./dist/crates.mjs";
import { notice } from "./dist/notice.mjs";
import { packNpm, stageNpm, stagePlatform } from "./dist/npm.mjs";
import { writePlugins } from "./dist/plugins.mjs";
import { EPOCH, emptyFolder, product } from "./dist/product.mjs";
import { writeShellFiles } from "./dist/shell.mjs";
import { buildWheel } from "./dist/wheel.mjs";
import { createContext, forStep, root } from "./lib/context.mjs";
import { setUp } from "./setup.mjs";

/** Bundles of the module's hosts, whose npm packages are in the notices. */
const COMMAND_LINE = ["dist/node/cli.js", "dist/engine.worker.js", "dist/parse.worker.js"];
const WEBVIEWS = ["dist/webview/window.js", "dist/webview/telemetry.js", "dist/webview/graph.js"];
const EXTENSION = ["dist/extension.js", "dist/web/extension.js", ...WEBVIEWS, ...COMMAND_LINE.slice(1)];

/** Folders that cargo's own profiles build to have another name than the profile. */
const PROFILE_FOLDERS = { dev: "debug" };

/** What each word of `--only` makes, and whether it is made of the module and its hosts. */
const PACKAGES = {
  npm: { make: makeNpm, needsModule: true },
  platforms: { make: makePlatforms },
  wheel: { make: makeWheel },
  crates: { make: ({ exec, out }) => packCrates({ exec, out: join(out, "crates") }) },
  vsix: { make: makeVsix, needsModule: true },
  mcpb: { make: makeBundle, needsModule: true },
  registry: { make: ({ product, out }) => writeJson(join(out, "server.json"), registryEntry(product)) },
  plugins: { make: ({ product, out }) => writePlugins({ product, out: join(out, "plugins") }) },
  shell: { make: async (work) => writeShellFiles({ ...work, program: await hostProgram(work) }) },
};

async function main() {
  const options = readOptions();
  if (options.only.some((name) => PACKAGES[name].needsModule) && !(await setUp("build"))) {
    return 1;
  }
  // zip files have local times
  process.env.TZ = "UTC";
  const out = emptyFolder(join(root, "dist", "packages"));
  const context = createContext("build");
  for (const name of options.only) {
    const { exec, logFile, closeLog } = forStep(context, `dist ${name}`, () => undefined);
    try {
      await PACKAGES[name].make({ ...options, product: product(options.repository), exec, out });
      console.log(`✓ ${name}`);
    } catch (error) {
      console.error(`✗ ${name}: ${error.message}${error.tail ? `\n${error.tail}` : ""}\n  ${logFile() ?? ""}`);
      return 1;
    } finally {
      closeLog();
    }
  }
  writeSums(out);
  return 0;
}

function readOptions() {
  const text = { type: "string" };
  const { values } = parseArgs({
    options: { only: text, repository: text, profile: text, binary: { ...text, multiple: true } },
  });
  const only = values.only?.split(",") ?? Object.keys(PACKAGES);
  const unknown = only.filter((name) => !Object.hasOwn(PACKAGES, name));
  if (unknown.length > 0) {
    throw new Error(`no package ${unknown.join(", ")}; there are: ${Object.keys(PACKAGES).join(", ")}`);
  }
  const binaries = new Map((values.binary ?? []).map((pair) => pair.split(/=(.*)/s, 2)));
  return { only, repository: values.repository, profile: values.profile ?? "release", binaries };
}

const stageOf = (name) => join(root, ".cache", "dist", name);
const thisPlatform = `${process.platform}-${process.arch}`;

/** Native programs by platform; this machine's is built where none is given. */
async function programs({ binaries, profile, exec }) {
  if (binaries.size === 0) {
    await exec("cargo", ["build", "--locked", "--package", "codecortex", "--bin", "codecortex", "--profile", profile]);
    const folder = join(process.env.CARGO_TARGET_DIR ?? "target", PROFILE_FOLDERS[profile] ?? profile);
    const name = process.platform === "win32" ? "codecortex.exe" : "codecortex";
    binaries.set(thisPlatform, join(folder, name));
  }
  return [...binaries].map(([platform, file]) => ({ platform, program: resolve(root, file) })).sort(byPlatform);
}

function byPlatform(a, b) {
  return a.platform < b.platform ? -1 : 1;
}

/** The native program that runs on this machine. */
async function hostProgram(work) {
  const all = await programs(work);
  const found = all.find(({ platform }) => platform === thisPlatform);
  if (!found) {
    throw new Error(`there is no program for ${thisPlatform} among ${all.map(({ platform }) => platform).join(", ")}`);
  }
  return found.program;
}

function moduleNotice({ exec }, bundles) {
  return notice({ exec, crate: "codecortex-wasm", target: "wasm32-unknown-unknown", bundles, hasLibraries: true });
}

function nativeNotice({ exec }) {
  return notice({ exec, crate: "codecortex", hasLibraries: true });
}

/** The npm package, staged; the bundle for MCP clients has the same contents, without platforms. */
async function staged(work, name, platforms) {
  const text = await moduleNotice(work, COMMAND_LINE);
  return stageNpm({ product: work.product, stage: stageOf(name), notice: text, platforms });
}

async function makeNpm(work) {
  const platforms = (await programs(work)).map(({ platform }) => platform);
  await packNpm({ ...work, stage: await staged(work, "npm", platforms) });
}

async function makePlatforms(work) {
  const text = await nativeNotice(work);
  for (const { platform, program } of await programs(work)) {
    const stage = stagePlatform({ ...work, stage: stageOf(platform), notice: text, platform, program });
    await packNpm({ ...work, stage });
  }
}

async function makeWheel(work) {
  await buildWheel({ ...work, stage: stageOf("wheel"), notice: await nativeNotice(work) });
}

async function makeVsix(work) {
  const { exec, product, out } = work;
  const file = join(stageOf("vsix"), "NOTICE");
  emptyFolder(stageOf("vsix"));
  writeFileSync(file, await moduleNotice(work, EXTENSION));
  const target = join(out, `${product.name}-${product.version}.vsix`);
  const env = { SOURCE_DATE_EPOCH: String(EPOCH) };
  await exec(process.execPath, ["xtask/package.mjs", target, file], { env });
}

async function makeBundle(work) {
  const { exec, product, out } = work;
  const path = join(out, `${product.name}-${product.version}.mcpb`);
  await writeBundle({ exec, product, stage: stageOf("mcpb"), npm: await staged(work, "mcpb-server", []), path });
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** `SHA256SUMS` as `sha256sum --check` reads it. */
function writeSums(out) {
  mkdirSync(out, { recursive: true });
  const files = filesBelow(out);
  const line = (file) =>
    `${createHash("sha256")
      .update(readFileSync(join(out, file)))
      .digest("hex")}  ${file}\n`;
  writeFileSync(join(out, "SHA256SUMS"), files.map(line).join(""));
  for (const file of files.filter((file) => !file.includes("/"))) {
    console.log(`  ${(statSync(join(out, file)).size / 1e6).toFixed(2).padStart(7)} MB  ${file}`);
  }
  console.log(`  ${files.length} files, dist/packages/SHA256SUMS`);
}

process.exitCode = await main();
