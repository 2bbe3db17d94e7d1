/**
 * The npm package as a new user has it: packed, installed from the file without a network into an empty folder, with an
 * empty HOME and no compiler on PATH, and then called (SPEC X14).
 */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { createContext } from "../../xtask/lib/context.mjs";
import { packNpm, stageNpm, stagePlatform } from "../../xtask/dist/npm.mjs";
import { product } from "../../xtask/dist/product.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const WINDOWS = process.platform === "win32";

/** SPEC X14: the most bytes of the packed package. */
const MAX_PACKED = 12_000_000;
/** A platform that no machine has, and one that this machine has. */
const NO_PLATFORM = "sunos-x64";
const THIS_PLATFORM = `${process.platform}-${process.arch}`;

const NOTICE = "of a test\n";

let place;
let packed;
let shop;
let installed;

before(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "codecortex-package-")));
  for (const name of ["home", "bin", "packed"]) {
    mkdirSync(join(place, name));
  }
  symlinkSync(process.execPath, join(place, "bin", WINDOWS ? "node.exe" : "node"));
  packed = await pack([NO_PLATFORM, THIS_PLATFORM]);
  installed = install("plain", [packed]);
  shop = join(place, "shop");
  cpSync(join(root, "test/fixtures/contract/app"), shop, { recursive: true });
});
after(() => rmSync(place, { recursive: true, force: true }));

test("the package is as small as promised and says what it is", () => {
  assert.ok(statSync(packed).size <= MAX_PACKED, `${statSync(packed).size} bytes`);
  const folder = join(installed, "node_modules/codecortex");
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.equal(manifest.mcpName, "io.github.codecortex/codecortex");
  assert.equal(manifest.repository, undefined);
  assert.equal(manifest.optionalDependencies[`@codecortex/${THIS_PLATFORM}`], manifest.version);
  assert.equal(readFileSync(join(folder, "NOTICE"), "utf8"), NOTICE);
  for (const file of ["LICENSE", "README.md"]) {
    assert.ok(existsSync(join(folder, file)), file);
  }
});

test("the same files give the same package", async () => {
  const first = readFileSync(packed);
  await pack([NO_PLATFORM, THIS_PLATFORM]);
  assert.ok(first.equals(readFileSync(packed)));
});

test("a repository names the package", () => {
  const { mcpName, repository } = product("https://example.org/somebody/codecortex");
  assert.equal(mcpName, "io.github.somebody/codecortex");
  assert.deepEqual(repository, { type: "git", url: "https://example.org/somebody/codecortex" });
});

test("a tool is called, and the index is kept for the next call", () => {
  const args = JSON.stringify({ symbol: "NodeStore" });
  const { status, stdout, stderr } = run(["call", "codecortex_getOutline", "--root", shop, "--args", args]);
  assert.equal(status, 0, stderr);
  const { ok, data } = JSON.parse(stdout);
  assert.equal(ok, true);
  assert.equal(data.filePath, "shop/src/Store.cs");
  const [cache] = readdirSync(join(place, "home/cache/codecortex"));
  assert.match(cache, /^[0-9a-f]{24}\.index$/);
  assert.equal(run(["call", "codecortex_getOutline", "--root", shop, "--args", args]).stdout, stdout);
  const text = run(["outline", "NodeStore", "--root", shop]);
  assert.match(text.stdout, /public void Add\(string name\)/);
  assert.match(run(["search", "nodest", "--root", shop]).stdout, /NodeStore/);
  const account = JSON.parse(run(["index", "--root", shop, "--stats", "json"]).stdout);
  assert.ok(account.files > 0 && account.symbols > 0, JSON.stringify(account));
});

test("an edit is planned, and refused where it would be made", () => {
  const file = join(shop, "src/Store.cs");
  const before = readFileSync(file, "utf8");
  const args = JSON.stringify({ action: "rename", symbol: "NodeStore", newName: "Depot" });
  const plan = run(["call", "codecortex_refactor", "--root", shop, "--args", args]);
  assert.equal(plan.status, 0, plan.stdout);
  assert.equal(typeof JSON.parse(plan.stdout).data.planId, "string");
  const applied = run(["call", "codecortex_refactor", "--apply", "--root", shop, "--args", args]);
  const { error } = JSON.parse(applied.stdout);
  assert.deepEqual([applied.status, error.code], [1, "Unavailable"]);
  assert.match(error.hint, /native program/);
  assert.equal(readFileSync(file, "utf8"), before);
});

test("a wrong command line is answered with what is right", () => {
  const cases = [
    [["call", "codecortex_status", "--root", join(place, "none")], 2, "NotFound", /does not exist/],
    [["call", "codecortex_status", "--roots", shop], 2, "InvalidParams", /--roots/],
    [["call", "codecortex_status", "--args", "{", "--root", shop], 1, "InvalidParams", /not JSON/],
    [["call", "codecortex_nothing", "--root", shop], 1, "InvalidParams", /codecortex_nothing/],
    [["review", "--json"], 2, "InvalidParams", /no command `review`/],
  ];
  for (const [words, status, code, message] of cases) {
    const answer = run(words);
    const { error } = JSON.parse(answer.stdout);
    assert.deepEqual([answer.status, error.code], [status, code], words.join(" "));
    assert.match(error.message, message);
    assert.ok(error.hint?.length > 0, words.join(" "));
  }
  assert.match(run(["--help"]).stdout, /^A semantic IDE for LLM coders/);
  assert.match(run(["mcp", "--help"]).stdout, /--output-schemas/);
  assert.match(run(["--version"]).stdout, /^codecortex \d/);
});

test("an MCP client is served", async () => {
  const client = connect(["mcp", "--root", shop]);
  const hello = await client.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  assert.equal(hello.result.serverInfo.name, "codecortex");
  assert.match(hello.result.instructions, /codecortex_getContext/);
  client.tell("notifications/initialized");
  const { tools } = (await client.ask("tools/list", {})).result;
  assert.ok(tools.length <= 12 && tools.some(({ name }) => name === "codecortex_getOutline"));
  assert.equal(tools.find(({ name }) => name === "codecortex_getOutline").annotations.readOnlyHint, true);

  const outline = { name: "codecortex_searchApi", arguments: { labelQuery: "Lighthouse" } };
  const before = (await client.ask("tools/call", outline)).result;
  assert.equal(before.structuredContent.data.total, 0);
  writeFileSync(join(shop, "src/Late.cs"), "namespace Shop { public class Lighthouse { } }\n");
  const later = (await client.ask("tools/call", outline)).result;
  assert.equal(later.structuredContent.data.total, 1, JSON.stringify(later.structuredContent));
  assert.match(later.content[0].text, /Lighthouse/);

  const edit = { name: "codecortex_applyEdit", arguments: { edits: [] } };
  const refused = (await client.ask("tools/call", edit)).result;
  assert.deepEqual([refused.isError, refused.structuredContent.error.code], [true, "Unavailable"]);

  // What was asked before stdin ended is answered.
  const last = client.ask("tools/call", outline);
  client.end();
  assert.equal((await last).result.isError, false);
  assert.equal(await client.ended, 0);
});

test("the native program is used where its package is installed", { skip: WINDOWS }, async () => {
  const script = join(place, "native");
  writeFileSync(script, '#!/bin/sh\necho "native $*"\nexit 7\n', { mode: 0o755 });
  const stage = stagePlatform({
    product: product(),
    stage: join(place, "platform"),
    notice: NOTICE,
    platform: THIS_PLATFORM,
    program: script,
  });
  const native = await packNpm({ exec: createContext("test").exec, stage, out: join(place, "packed") });
  const folder = install("with-native", [packed, native]);
  const answer = run(["call", "x"], { folder });
  assert.deepEqual([answer.status, answer.stdout], [7, "native call x\n"]);
  const other = run(["--version"], { folder, env: { CODECORTEX_ENGINE: "wasm" } });
  assert.match(other.stdout, /^codecortex \d/);
  const missing = run(["--version"], { env: { CODECORTEX_ENGINE: "native" } });
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, new RegExp(`@codecortex/${THIS_PLATFORM}`));
});

async function pack(platforms) {
  const stage = stageNpm({ product: product(), stage: join(place, "stage"), notice: NOTICE, platforms });
  return packNpm({ exec: createContext("test").exec, stage, out: join(place, "packed") });
}

/** Installs packages from their files into a folder of its own. */
function install(name, files) {
  const folder = join(place, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}\n");
  const args = [npmScript(), "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", ...files];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env: environment(), encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return folder;
}

/** npm's own script: PATH has nothing but Node. */
function npmScript() {
  const beside = join(dirname(process.execPath), "node_modules/npm/bin/npm-cli.js");
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "npm"));
  const found = [beside, ...onPath].find((file) => existsSync(file));
  assert.ok(found, "there is no npm");
  return realpathSync(found);
}

function environment(more = {}) {
  const home = join(place, "home");
  const kept = WINDOWS ? { SystemRoot: process.env.SystemRoot } : {};
  return {
    ...kept,
    PATH: join(place, "bin"),
    HOME: home,
    USERPROFILE: home,
    XDG_CACHE_HOME: join(home, "cache"),
    LOCALAPPDATA: join(home, "cache"),
    ...more,
  };
}

function commandOf(folder) {
  const name = WINDOWS ? "codecortex.cmd" : "codecortex";
  return join(folder, "node_modules/.bin", name);
}

/** Runs the installed command to its end. */
function run(words, { folder = installed, env = {} } = {}) {
  return spawnSync(commandOf(folder), words, {
    cwd: place,
    env: environment(env),
    encoding: "utf8",
    shell: WINDOWS,
  });
}

/** A client of the installed MCP server. */
function connect(words) {
  const child = spawn(commandOf(installed), words, { cwd: place, env: environment(), shell: WINDOWS });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    ask(method, params) {
      id += 1;
      const answer = new Promise((done) => waiting.set(id, done));
      send({ id, method, params });
      return answer;
    },
    tell: (method) => send({ method }),
    end: () => child.stdin.end(),
    ended: new Promise((done) => child.on("close", done)),
  };
}
