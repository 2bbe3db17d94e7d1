/**
 * The same questions through every door. A case of cases.json holds where the answer has what `expect` names
 * (an object: at least these fields; a list: these in this order, others between them), and all doors give the
 * same envelope. `pages: true`: the answer's cursor is followed to the end; pages are joined.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { root } from "../../xtask/lib/context.mjs";
import { openBatch, openCall, openMcp, openWorker } from "./doors.mjs";

const folder = join(root, "test", "fixtures", "contract");
const cases = JSON.parse(readFileSync(join(root, "test", "contract", "cases.json"), "utf8"));

/** The command line is the reference: it runs the core natively. */
const DOORS = { batch: openBatch, call: openCall, mcp: openMcp, "vs code worker": openWorker };
const MOST_PAGES = 20;

const reference = new Map();

before(() => {
  const { status, stderr } = spawnSync("cargo", ["build", "--quiet", "--locked", "--package", "codecortex"], {
    cwd: root,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
});

for (const [name, open] of Object.entries(DOORS)) {
  describe(name, () => {
    let door;
    before(async () => {
      door = await open(folder);
    });
    after(() => door?.close());

    for (const one of cases) {
      test(one.name, async () => {
        const envelope = await (one.pages ? askPages : ask)(door, one);
        assertHas(envelope, one.expect, "answer");
        const lasting = withoutPassing(envelope);
        if (reference.has(one.name)) {
          assert.deepEqual(lasting, reference.get(one.name));
        } else {
          reference.set(one.name, lasting);
        }
      });
    }
  });
}

function ask(door, { tool, args }) {
  return door.ask(tool, args);
}

/** All pages as if they had been one; none may repeat or leave out an item. */
async function askPages(door, { tool, args }) {
  const first = await door.ask(tool, args);
  const items = [...first.data.items];
  let page = first;
  for (let count = 1; page.data.nextCursor !== undefined; count += 1) {
    assert.ok(count < MOST_PAGES, "the cursor never ends");
    page = await door.ask(tool, { ...args, cursor: page.data.nextCursor });
    assert.equal(page.ok, true, JSON.stringify(page));
    items.push(...page.data.items);
  }
  assert.equal(items.length, first.data.total);
  assert.equal(
    new Set(items.map(({ filePath, startLine, path }) => `${filePath}:${startLine} ${path}`)).size,
    items.length,
  );
  return { ok: true, data: { total: first.data.total, items } };
}

/** What differs from run to run or from machine to machine is no part of the answer. */
function withoutPassing(value) {
  if (Array.isArray(value)) {
    return value.map(withoutPassing);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const passing = ["index", "budget", "memoryBytes", "nextCursor"];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !passing.includes(key))
      .map(([key, inner]) => [key, withoutPassing(inner)]),
  );
}

function assertHas(actual, expected, path) {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path} is no list: ${JSON.stringify(actual)}`);
    assertInOrder(actual, expected, path);
  } else if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      assert.ok(
        actual !== null && typeof actual === "object" && key in actual,
        `${path}.${key} is missing: ${JSON.stringify(actual)}`,
      );
      assertHas(actual[key], value, `${path}.${key}`);
    }
  } else {
    assert.deepEqual(actual, expected, path);
  }
}

function assertInOrder(actual, expected, path) {
  if (expected.length === 0) {
    assert.deepEqual(actual, [], path);
  }
  let from = 0;
  for (const wanted of expected) {
    const index = actual.findIndex((item, at) => at >= from && has(item, wanted));
    assert.ok(index >= 0, `${path} has no ${JSON.stringify(wanted)} behind place ${from}: ${JSON.stringify(actual)}`);
    from = index + 1;
  }
}

function has(actual, expected) {
  try {
    assertHas(actual, expected, "");
    return true;
  } catch {
    return false;
  }
}
