/**
 * The cases of this folder through the module inside VS Code's worker: each holds what it must, and the answer
 * is the native one. The native doors are compared with each other in crates/cli/tests/program/contract.rs.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { COMPILE, program } from "../../xtask/lib/cargo.mjs";
import { mismatch } from "./matching.mjs";
import { openWorker } from "./worker.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const folders = ["app", "lib"].map((name) => join(root, "test", "fixtures", "contract", name));

/** What an answer costs and how often the index changed is no part of it. */
const PASSING = ["index", "budget", "memoryBytes", "nextCursor", "omitted"];

const cases = readdirSync(here)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(join(here, name), "utf8")));

let worker;
let native;

before(async () => {
  native = nativeAnswers();
  worker = await openWorker(join(root, "dist"), folders);
});
after(() => worker?.close());

for (const [index, { name, tool, door, expect, text = [], ...rest }] of cases.entries()) {
  test(name, async () => {
    const answer = await worker.call(tool, argumentsOf({ text, ...rest }), { kind: "cli", ...door });
    const envelope = JSON.parse(answer.json);
    assert.equal(mismatch(expect, envelope), undefined);
    for (const part of text) {
      assert.ok(answer.text?.includes(part), `the text lacks ${part}: ${answer.text}`);
    }
    if (door) {
      assert.ok(Buffer.byteLength(answer.json) <= (door.maxBytes ?? Infinity), `${answer.json.length} characters`);
    } else {
      assert.deepEqual(comparable(envelope), comparable(native[index]));
    }
  });
}

test("the cases are there", () => {
  assert.ok(cases.length >= 40, `${cases.length} cases`);
});

test("the rules refuse what they should", () => {
  const actual = { a: [1, { b: "text" }], n: 3 };
  const hold = [
    {},
    { a: [1, { b: "text" }] },
    { a: { $contains: [{ b: { $includes: "ex" } }] } },
    { n: { $atMost: 3 }, m: { $absent: true } },
  ];
  const fail = [
    { a: [1] },
    { a: [1, { b: "test" }] },
    { a: { $contains: [2] } },
    { n: { $atMost: 2 } },
    { n: { $absent: true } },
    { m: null },
    { n: { $unknown: 1 } },
  ];
  for (const expected of hold) {
    assert.equal(mismatch(expected, actual), undefined);
  }
  for (const expected of fail) {
    assert.notEqual(mismatch(expected, actual), undefined, JSON.stringify(expected));
  }
});

/** Both forms are asked for where a case says something about the text. */
function argumentsOf({ args, text }) {
  return text.length > 0 ? { ...args, format: "both" } : args;
}

/** The same calls through one `codecortex batch`, a line each. */
function nativeAnswers() {
  const lines = cases.map(({ tool, args, text = [] }, id) =>
    JSON.stringify({ id, tool, args: argumentsOf({ args, text }) }),
  );
  const roots = folders.flatMap((folder) => ["--root", folder]);
  assert.equal(spawnSync("cargo", COMPILE, { cwd: root, stdio: "inherit" }).status, 0);
  const { status, stdout, stderr } = spawnSync(program("codecortex"), ["batch", "--no-cache", ...roots], {
    cwd: root,
    input: `${lines.join("\n")}\n`,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).result);
}

function comparable(envelope) {
  const data = Object.entries(envelope.data ?? {}).filter(([key]) => !PASSING.includes(key));
  return { ...envelope, ...(envelope.data ? { data: Object.fromEntries(data) } : {}) };
}
