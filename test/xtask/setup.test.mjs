/** The set-up's machinery: stamps and the walk through the steps. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, mock, test } from "node:test";

import { built } from "../../xtask/lib/built.mjs";
import { SetupError } from "../../xtask/lib/context.mjs";
import { runSteps } from "../../xtask/lib/runner.mjs";
import { createStamps } from "../../xtask/lib/stamp.mjs";
import { steps } from "../../xtask/steps.mjs";

let folder;
let stamps;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codecortex-setup-"));
  mkdirSync(join(folder, "in"));
  write("in/a.txt", "one");
  stamps = createStamps(join(folder, "cache"), folder);
  mock.method(console, "log", () => undefined);
  mock.method(console, "error", () => undefined);
});

afterEach(() => {
  mock.restoreAll();
  rmSync(folder, { recursive: true });
});

test("a stamp holds until an input's content changes", async () => {
  assert.equal(stamps.matches("x", ["in"], ["out"]), false);
  await build();
  assert.equal(stamps.matches("x", ["in"], ["out"]), true);
  utimesSync(join(folder, "in/a.txt"), 1, 1);
  assert.equal(stamps.matches("x", ["in"], ["out"]), true, "a checkout changes times only");
  write("in/a.txt", "two");
  assert.equal(stamps.matches("x", ["in"], ["out"]), false);
});

test("a stamp does not hold for a new input, a lost output, or one built otherwise", async () => {
  await build();
  write("in/b.txt", "");
  assert.equal(stamps.matches("x", ["in"], ["out"]), false);
  await build();
  utimesSync(join(folder, "out"), 1, 1);
  assert.equal(stamps.matches("x", ["in"], ["out"]), false);
  await build();
  rmSync(join(folder, "out"));
  assert.equal(stamps.matches("x", ["in"], ["out"]), false);
});

test("what changes during the work is built the next time", async () => {
  await stamps.around("x", ["in"], ["out"], () => {
    write("out", "");
    write("in/a.txt", "edited meanwhile");
  });
  assert.equal(stamps.matches("x", ["in"], ["out"]), false);
});

test("work that fails leaves no stamp", async () => {
  await assert.rejects(
    stamps.around("x", ["in"], [], () => {
      throw new Error("no");
    }),
  );
  assert.equal(stamps.matches("x", ["in"], []), false);
});

test("steps: done ones are not run, missing ones are, in order", async () => {
  const ran = [];
  const step = (name, done) => ({
    name,
    isDone: () => (done || ran.includes(name) ? "yes" : false),
    run: () => void ran.push(name),
  });
  assert.equal(await runSteps([step("a", false), step("b", true), step("c", false)], context()), true);
  assert.deepEqual(ran, ["a", "c"]);
});

test("steps: one that claims to have worked but did not ends the set-up, with its hint", async () => {
  const later = mock.fn(() => "done");
  const steps = [
    { name: "liar", isDone: () => false, run: () => undefined, hint: "type this" },
    { name: "later", needs: ["liar"], isDone: later, run: () => undefined },
  ];
  assert.equal(await runSteps(steps, context()), false);
  assert.equal(later.mock.callCount(), 0);
  assert.match(said(), /type this/);
});

test("steps: a failure says what happened and what the program said last", async () => {
  const run = () => {
    throw new SetupError("cargo ended with 101", "error: no such thing");
  };
  assert.equal(await runSteps([{ name: "x", isDone: () => false, run, hint: () => "try again" }], context()), false);
  assert.match(said(), /no such thing[^]*try again/);
});

test("steps: sources that are saved during a build do not end the set-up; the next one builds again", async () => {
  const work = mock.fn(() => {
    write("out", "");
    write("in/a.txt", `edit ${work.mock.callCount()}`);
  });
  const step = () => built({ name: "x", inputs: () => ["in"], outputs: () => ["out"], work });
  assert.equal(await runSteps([step()], context()), true);
  assert.equal(await runSteps([step()], context()), true);
  assert.equal(work.mock.callCount(), 2);
});

test("steps: a build without its output ends the set-up", async () => {
  const step = built({ name: "x", inputs: () => ["in"], outputs: () => ["out"], work: () => undefined });
  assert.equal(await runSteps([step], context()), false);
});

test("steps: each starts when what it needs is done, two at a time, the ones further up first", async () => {
  const { steps, events } = recording({
    a: [],
    b: [],
    c: [],
    d: ["a", "c"],
    e: ["b"],
    f: ["left out for this goal"],
  });
  assert.equal(await runSteps(steps, context()), true);
  assert.deepEqual(events.slice(0, 2), ["+a", "+b"]);
  for (const [first, then] of ["ad", "cd", "be"]) {
    assert.ok(events.indexOf(`-${first}`) < events.indexOf(`+${then}`), `${then} needs ${first}`);
  }
  assert.equal(events.length, 12);
  let running = 0;
  for (const [sign] of events) {
    running += sign === "+" ? 1 : -1;
    assert.ok(running <= 2);
  }
});

test("steps: a failure ends what is running, with what that has started, and starts nothing more", async () => {
  const pids = join(folder, "pids");
  const long = "sleep 60 & echo $! > pids; wait";
  const steps = [
    {
      name: "long",
      isDone: () => false,
      run: ({ exec }) => exec("sh", ["-c", long], { cwd: folder }),
    },
    {
      name: "failing",
      isDone: () => false,
      run: () => until(() => existsSync(pids) && readFileSync(pids, "utf8")).then(fail),
    },
    { name: "later", needs: ["long"], isDone: mock.fn(() => "done") },
  ];
  assert.equal(await runSteps(steps, context()), false);
  assert.equal(steps[2].isDone.mock.callCount(), 0);
  assert.match(said(), /no such thing/);
  await until(() => !isAlive(Number(readFileSync(pids, "utf8"))));
});

test("steps: a signal ends the set-up and leaves no process", async () => {
  const file = join(folder, "signal.mjs");
  const url = (name) => JSON.stringify(new URL(`../../xtask/lib/${name}.mjs`, import.meta.url).href);
  writeFileSync(
    file,
    `import { runSteps } from ${url("runner")};
    const step = {
      name: "long",
      isDone: () => false,
      run: ({ exec }) => exec("sh", ["-c", "sleep 60 & echo $! > pids; wait"], { cwd: ${JSON.stringify(folder)} }),
    };
    await runSteps([step], { cache: ${JSON.stringify(folder)} });`,
  );
  const child = spawn(process.execPath, [file], { stdio: "ignore" });
  const ended = new Promise((done) => child.on("close", done));
  await until(() => existsSync(join(folder, "pids")) && readFileSync(join(folder, "pids"), "utf8"));
  child.kill("SIGINT");
  assert.equal(await ended, 130);
  await until(() => !isAlive(Number(readFileSync(join(folder, "pids"), "utf8"))));
});

test("steps: those that wait for each other are a mistake", async () => {
  await assert.rejects(runSteps(recording({ a: ["b"], b: ["a"] }).steps, context()), /wait for each other: a, b/);
});

test("the table: what a step needs is in it, and is done for each of its goals", async () => {
  const table = await steps();
  const goals = ["build", "code", "browser", "test"];
  const rows = new Map(table.map((step) => [step.name, step]));
  for (const { name, needs = [] } of table) {
    assert.deepEqual(
      needs.filter((other) => !rows.has(other)),
      [],
      name,
    );
  }
  for (const goal of goals) {
    const wanted = table.filter((step) => !step.goals || step.goals.includes(goal));
    assert.equal(
      await runSteps(
        wanted.map(({ name, needs }) => ({ name, needs, isDone: () => "yes" })),
        context(),
      ),
      true,
    );
  }
});

test("the table: a start builds a quick module, or takes a release's; a release builds its own", async () => {
  assert.deepEqual(await modulesFor(["code", "browser", "test", "build", "code"]), [["wasm", "--dev"], ["wasm"]]);
  for (const made of ["cache", "dist"]) {
    rmSync(join(folder, made), { recursive: true });
  }
  assert.deepEqual(await modulesFor(["build", "code", "browser", "test"]), [["wasm"]]);
});

test("the table: a start compiles no engine to write what is committed, unless it is compiled already", async () => {
  const cargoTarget = process.env.CARGO_TARGET_DIR;
  process.env.CARGO_TARGET_DIR = join(folder, "target");
  try {
    const { isDone } = await rowFor("code", "generated code");
    assert.match(await isDone(context()), /committed/);
    const ran = mock.fn();
    await (await rowFor("code", "build helper")).run({ ...context(), goal: "code", exec: ran });
    assert.deepEqual(ran.mock.calls[0].arguments[1].slice(-2), ["xtask", "--no-default-features"]);

    mkdirSync(join(folder, "target/debug/examples"), { recursive: true });
    for (const file of ["count-nodes", "count-nodes.exe"]) {
      write(`target/debug/examples/${file}`, "");
    }
    assert.equal(await isDone(context()), false);
  } finally {
    if (cargoTarget === undefined) {
      delete process.env.CARGO_TARGET_DIR;
    } else {
      process.env.CARGO_TARGET_DIR = cargoTarget;
    }
  }
});

/** What the helper is called with to build the module, set-up after set-up. */
async function modulesFor(goals) {
  const calls = [];
  mkdirSync(join(folder, "dist/wasm"), { recursive: true });
  const exec = (_helper, args) => {
    calls.push(args);
    for (const file of ["codecortex.js", "codecortex_bg.wasm"]) {
      write(`dist/wasm/${file}`, `build ${calls.length}`.repeat(calls.length));
    }
  };
  for (const goal of goals) {
    const row = await rowFor(goal, "wasm module");
    const own = { ...context(), goal, exec };
    if (!(await row.isDone(own))) {
      await row.run(own);
      assert.match(await row.isDone(own), /codecortex_bg\.wasm/);
    }
  }
  return calls;
}

/** The table's step of that name for a goal. */
async function rowFor(goal, name) {
  const rows = (await steps()).filter((step) => step.name === name && (!step.goals || step.goals.includes(goal)));
  assert.equal(rows.length, 1);
  return rows[0];
}

/** Steps by what they need, which take a moment, and when each started (+) and was done (-). */
function recording(needs) {
  const events = [];
  const steps = Object.entries(needs).map(([name, wanted]) => ({
    name,
    needs: wanted,
    isDone: () => (events.includes(`-${name}`) ? "yes" : false),
    run: async () => {
      events.push(`+${name}`);
      await new Promise((done) => setTimeout(done, 5));
      events.push(`-${name}`);
    },
  }));
  return { steps, events };
}

function fail() {
  throw new SetupError("failed", "error: no such thing");
}

/** Looks again and again, for ten seconds. */
async function until(holds) {
  for (const late = Date.now() + 10_000; !holds();) {
    assert.ok(Date.now() < late, "it does not come true");
    await new Promise((done) => setTimeout(done, 10));
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function context() {
  return { root: folder, stamp: stamps, cache: join(folder, "cache"), progress: () => undefined };
}

function said() {
  return console.error.mock.calls.map(({ arguments: [text] }) => text).join("\n");
}

function build() {
  return stamps.around("x", ["in"], ["out"], () => write("out", ""));
}

function write(name, text) {
  writeFileSync(join(folder, name), text);
}
