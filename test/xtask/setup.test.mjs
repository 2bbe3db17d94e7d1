/** The set-up's machinery: stamps and the walk through the steps. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, mock, test } from "node:test";

import { built } from "../../xtask/lib/built.mjs";
import { SetupError } from "../../xtask/lib/context.mjs";
import { runSteps } from "../../xtask/lib/runner.mjs";
import { createStamps } from "../../xtask/lib/stamp.mjs";

let folder;
let stamps;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codecortex-setup-"));
  mkdirSync(join(folder, "in"));
  write("in/a.txt", "one");
  stamps = createStamps(join(folder, "cache"), folder);
  mock.method(console, "log", () => undefined);
  mock.method(console, "error", () => undefined);
  mock.method(process.stdout, "write", () => true);
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
    { name: "later", isDone: later, run: () => undefined },
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
