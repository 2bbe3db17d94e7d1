/**
 * Grammars that do not come to an end, in the real workers: in the module a grammar whose scanner loops at some marks
 * stands in for Lua's (`crates/grammars/tree-sitter-hanging`). What hangs is ended from outside, started again without
 * it, and named in `codecortex_status`; everything else is served.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import { COMPILE, program } from "../../xtask/lib/cargo.mjs";

const require = createRequire(import.meta.url);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const built = join(root, "target-wasm", "hanging");
const shipped = join(root, "dist", "wasm", "codecortex_bg.wasm");

/** What is longer than anything takes that comes to an end, instead of a minute. */
const PATIENCE_MS = 20_000;
const MARKS = { "asks.lua": "@asks", "spins.lua": "@spins" };

let folder;

before(async () => {
  run("cargo", COMPILE);
  run(program("xtask"), ["wasm", "--smoke", "--out", "target-wasm/hanging/wasm"]);
  await bundle();
});

before(() => {
  folder = mkdtempSync(join(tmpdir(), "hanging-"));
  for (const [name, mark] of Object.entries(MARKS)) {
    write(name, `function lost() end ${mark}\n`);
  }
  write("good.lua", "function good() end\n");
  write("other.py", "def other():\n    pass\n");
});

after(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("the shipped module has no grammar that hangs", () => {
  const isIn = (module) => readFileSync(module).includes("A grammar that hangs, for tests");
  assert.ok(isIn(join(built, "wasm", "codecortex_bg.wasm")));
  assert.ok(!isIn(shipped));
});

test("a parse worker that hangs is replaced, and its file is left out", async () => {
  const host = new Host();
  host.start();
  try {
    assert.equal(await host.total("good"), 1);
    assert.equal(await host.total("other"), 1);
    assert.equal(await host.total("lost"), 0);
    const skipped = await host.skipped();
    for (const name of Object.keys(MARKS)) {
      assert.ok(skipped.get(name), `${name} is named: ${JSON.stringify([...skipped])}`);
    }
    assert.match(skipped.get("spins.lua"), /did not come to an end/);
    assert.match(skipped.get("asks.lua"), /does not come to an end/);
    assert.equal(host.supervisor.crashes, 0, "the engine is another worker");
  } finally {
    host.supervisor.dispose();
  }
});

test("an engine that hangs is ended, and started again without the text that it was at", async () => {
  rmSync(join(folder, "asks.lua"));
  // What asks the lexer for ever ends the module itself, as a panic does: then the call is answered by who called it.
  for (const [mark, code] of [
    ["@spins", "Unavailable"],
    ["@asks", "InternalError"],
  ]) {
    const host = new Host();
    host.start();
    try {
      assert.equal(await host.total("good"), 1);
      // What somebody types is parsed by the engine itself.
      host.open("good.lua", `function good() end function typed() end ${mark}\n`);
      const calls = [1, 2].map(() => host.call("codecortex_searchApi", { labelQuery: "other" }));
      const [lost, behind] = await Promise.all(calls);
      assert.equal(lost.error?.code, code, `${mark}: who asked is told`);
      assert.equal(behind.error?.retryable, true, `${mark}: a call behind it can be made again`);
      assert.equal(await host.total("other"), 1);
      assert.equal(host.supervisor.crashes, 1, mark);
      assert.ok((await host.skipped()).get("good.lua"), `${mark}: it is named`);
      host.open("good.lua", "function good() end function typed() end\n", 2);
      assert.equal(await host.total("typed"), 1, `${mark}: mended, it is read`);
      assert.equal(host.supervisor.crashes, 1, mark);
    } finally {
      host.supervisor.dispose();
    }
  }
});

/** Bundles the extension's workers with the module that hangs, and what looks after them. */
async function bundle() {
  const webpack = require("webpack");
  const [, workers] = require("../../webpack.config.js");
  const glue = join(built, "glue.mjs");
  const module = pathToFileURL(join(built, "wasm", "codecortex.js"));
  writeFileSync(
    glue,
    `import { initSync as init, standInFor } from ${JSON.stringify(fileURLToPath(module))};
export * from ${JSON.stringify(fileURLToPath(module))};
export function initSync(options) {
  const instance = init(options);
  if (!standInFor("lua")) {
    throw new Error("the module has no grammar that hangs");
  }
  return instance;
}
`,
  );
  const sooner = (file, ...replace) => ({
    test: join(root, "extension", file),
    loader: join(root, "test", "wasm", "sooner.cjs"),
    options: { replace },
    enforce: "pre",
  });
  const rules = [
    ...workers.module.rules,
    sooner("worker/pool.ts", ["timeoutMs: 60_000", `timeoutMs: ${PATIENCE_MS}`]),
    sooner("core/client.ts", ["SILENCE_MS = 60_000", `SILENCE_MS = ${PATIENCE_MS}`]),
  ];
  const base = {
    ...workers,
    mode: "none",
    devtool: false,
    resolve: { ...workers.resolve, alias: { "codecortex-wasm": glue } },
    module: { ...workers.module, rules },
  };
  const extension = (file) => join(root, "extension", "core", file);
  const stats = await new Promise((done, failed) => {
    const configurations = [
      { ...base, output: { path: built, filename: "[name].js" } },
      {
        ...base,
        name: "host",
        entry: { supervisor: extension("supervisor.ts"), client: extension("client.ts") },
        output: { path: built, filename: "[name].cjs", library: { type: "commonjs2" } },
      },
    ];
    webpack(configurations, (error, stats) => (error ? failed(error) : done(stats)));
  });
  assert.ok(!stats.hasErrors(), stats.toString({ all: false, errors: true }));
}

/** What the extension host does for its engine, with the real supervisor and the real client. */
class Host {
  documents = new Map();
  isReady = false;

  constructor() {
    const { Supervisor } = require(join(built, "supervisor.cjs"));
    const { EngineClient } = require(join(built, "client.cjs"));
    this.supervisor = new Supervisor(
      {
        launch,
        startOptions: (useCache) => ({ assets: { kind: "folder", path: built }, useCache, workers: 1 }),
        launched: () => this.replay(),
        message: (message) => this.receive(message),
        lifeChanged: () => undefined,
        crashed: (reason) => {
          this.isReady = false;
          this.client.lost(reason);
        },
      },
      Date.now,
    );
    this.client = new EngineClient(
      {
        post: (message) => this.supervisor.post(message),
        connected: () => this.isReady,
        givenUp: () => (this.supervisor.life.kind === "failed" ? this.supervisor.life.reason : undefined),
        silent: () => this.supervisor.kill("the engine did not answer"),
      },
      Date.now,
    );
  }

  start() {
    this.supervisor.start();
  }

  open(name, text, version = 1) {
    const [path, isOpen] = [join(folder, name), this.documents.has(name)];
    const event = { type: "opened", path, version, text, dirty: true };
    this.documents.set(name, event);
    if (isOpen) {
      this.post({ type: "closed", path });
    }
    this.post(event);
  }

  async total(labelQuery) {
    let answer = await this.call("codecortex_searchApi", { labelQuery });
    // A worker that is just ending takes a call with it; the next one waits for the new worker.
    while (answer.error?.retryable) {
      answer = await this.call("codecortex_searchApi", { labelQuery });
    }
    assert.equal(answer.ok, true, JSON.stringify(answer));
    return answer.data.total;
  }

  /** What is left out, by name, with what is said of it. */
  async skipped() {
    const answer = await this.call("codecortex_status", { list: "skipped" });
    return new Map(
      answer.data.list.map(({ filePath, reason, detail }) => [filePath.split("/").pop(), `${reason}: ${detail}`]),
    );
  }

  async call(tool, args) {
    const answer = await this.client.call({ tool, args, caller: {}, format: "json" });
    return JSON.parse(answer.json);
  }

  post(event) {
    this.supervisor.post({ kind: "event", event });
  }

  replay() {
    const config = {
      ...{ maxFileSize: 1_000_000, exclude: [], excludeGenerated: true, format: "json", keepContext: false },
      ...{ untrustedContexts: [], personal: {}, memoryCeilingMb: 1024, tokenizer: "approx", anchorMinutes: 30 },
      ...{ record: false, externalTypes: null, angelscript: {} },
    };
    this.post({ type: "configure", roots: [{ name: "app", path: folder }], config });
    for (const event of this.documents.values()) {
      this.post(event);
    }
  }

  receive(message) {
    this.client.heard();
    if (message.kind === "answer") {
      this.client.answered(message.id, message.answer);
    } else if (message.kind === "state" && message.state.phase === "ready" && !this.isReady) {
      this.isReady = true;
      this.client.send();
    }
  }
}

/** The engine's worker, as the extension starts it on the desktop. */
function launch() {
  const worker = new Worker(join(built, "engine.worker.js"), { env: {}, execArgv: [], stdout: true, stderr: true });
  let cause;
  worker.on("error", (error) => {
    cause = error.message;
  });
  return {
    post: (message, hand) => worker.postMessage(message, hand),
    onMessage: (listener) => worker.on("message", listener),
    onExit: (listener) => worker.on("exit", (code) => listener(cause ?? `it ended with code ${code}`)),
    terminate: () => void worker.terminate(),
  };
}

function write(name, text) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 64_000_000 });
  assert.equal(status, 0, `${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
}
