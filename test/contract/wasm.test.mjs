/**
 * The cases of this folder through the module inside VS Code's worker: each holds what it must, the answer is as
 * its tool's schema says, and it is the native one. The native doors are compared with each other in
 * crates/cli/tests/program/contract.rs.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { COMPILE, program } from "../../xtask/lib/cargo.mjs";
import { nonconformity } from "./conforming.mjs";
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

/** A call of each tool that the extension reads answers of, as its features make it. */
const EDITOR_CALLS = [
  ["codecortex_getOutline", { filePath: "app/src/Store.cs" }],
  ["codecortex_getOutline", { symbol: "NodeStore", form: "compact", maxTokens: 2_000 }],
  ["codecortex_getOutline", { symbol: ["NodeStore", "NodeStore.Add"], form: "source" }],
  ["codecortex_searchApi", { labelQuery: "store", limit: 200 }],
  ["codecortex_resolveSymbol", { symbol: "NodeStore", maxTokens: 2_000 }],
  ["codecortex_findReferences", { symbol: "NodeStore.Add(string,int)", includePreview: false, limit: 200 }],
  ["codecortex_findReferences", { symbol: "NodeStore.Add(string,int)", relation: "callers", limit: 200 }],
  ["codecortex_resolveSymbolAtPosition", { filePath: "app/src/Store.cs", position: { line: 6, character: 27 } }],
  ["codecortex_getClassHierarchy", { name: "NodeStore", maxSubDepth: 1, maxSubBreadth: 200 }],
  ["codecortex_getContext", { list: true }],
  ["codecortex_getContext", { query: "add a node to the store", focus: "app/src/Store.Query.cs", mode: "mixed" }],
  ["codecortex_pin", { action: "pin", symbols: ["NodeStore"] }],
  ["codecortex_pin", { action: "pin", symbols: ["NodeStore"] }],
  ["codecortex_getContext", { list: true }],
  ["codecortex_pin", { action: "clear" }],
  ["codecortex_pack", { action: "build", name: "all", filter: "type:*", root: "app" }],
  ["codecortex_pack", { action: "list" }],
  ["codecortex_pack", { action: "show", name: "all", root: "app" }],
  ["codecortex_changes", { limit: 200 }],
  ["codecortex_exportGraph", { notation: "json", limit: 150 }],
  ["codecortex_exportGraph", { notation: "mermaid", folder: "app/src/Store.cs", depth: 1 }],
];

let worker;
let native;
let schemas;

before(async () => {
  native = nativeAnswers();
  schemas = outputSchemas();
  worker = await openWorker(join(root, "dist"), folders);
});
after(() => worker?.close());

for (const [index, { name, tool, caller, expect, text = [], ...rest }] of cases.entries()) {
  test(name, async () => {
    const answer = await worker.call(tool, argumentsOf({ text, ...rest }), { kind: "cli", ...caller });
    const envelope = JSON.parse(answer.json);
    assert.equal(mismatch(expect, envelope), undefined);
    assert.equal(schemas.has(tool) ? nonconformity(schemas.get(tool), envelope) : undefined, undefined);
    for (const part of text) {
      assert.ok(answer.text?.includes(part), `the text lacks ${part}: ${answer.text}`);
    }
    if (caller) {
      assert.ok(Buffer.byteLength(answer.json) <= (caller.maxBytes ?? Infinity), `${answer.json.length} characters`);
    } else {
      assert.deepEqual(comparable(envelope), comparable(native[index]));
    }
  });
}

test("what the extension asks is answered as the schemas say", async () => {
  // Some of it is written to `.context/`.
  const place = mkdtempSync(join(tmpdir(), "codecortex-"));
  cpSync(dirname(folders[0]), place, { recursive: true });
  const own = await openWorker(
    join(root, "dist"),
    folders.map((folder) => join(place, basename(folder))),
  );
  try {
    for (const [tool, args] of EDITOR_CALLS) {
      const { json } = await own.call(tool, { ...args, format: "json" }, { kind: "editor" });
      const envelope = JSON.parse(json);
      assert.equal(envelope.ok, true, `${tool}: ${json}`);
      assert.equal(nonconformity(schemas.get(tool), envelope), undefined, tool);
    }
  } finally {
    await own.close();
    rmSync(place, { recursive: true, force: true });
  }
});

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

test("what is not as its schema says is found", () => {
  const schema = {
    type: "object",
    required: ["a"],
    properties: {
      a: { type: ["integer", "null"] },
      b: { type: ["string", "null"] },
      c: { type: "array", items: { oneOf: [{ const: "x" }, { enum: ["y"] }] } },
      d: { type: "object", additionalProperties: { type: "boolean" } },
      e: { type: "array", items: [{ type: "integer" }, { type: "string" }] },
    },
  };
  for (const good of [{ a: null }, { a: 1, b: "", c: ["x", "y"], d: { any: true } }, { a: 0, e: [1, "x"] }]) {
    assert.equal(nonconformity(schema, good), undefined, JSON.stringify(good));
  }
  for (const bad of [
    null,
    [],
    {},
    { a: 1.5 },
    { a: 1, b: null },
    { a: 1, z: 1 },
    { a: 1, c: ["z"] },
    { a: 1, d: { any: 1 } },
    { a: 1, e: ["x", 1] },
  ]) {
    assert.notEqual(nonconformity(schema, bad), undefined, JSON.stringify(bad));
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

/** The schema of each tool's answer, by the tool's name. */
function outputSchemas() {
  const { status, stdout, stderr } = spawnSync(program("codecortex"), ["tools", "--json"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return new Map(JSON.parse(stdout).map(({ name, outputSchema }) => [name, outputSchema]));
}

function comparable(envelope) {
  const data = Object.entries(envelope.data ?? {})
    .filter(([key]) => !PASSING.includes(key))
    .map(([key, value]) => [key, key === "review_metadata" ? { ...value, timestamp: undefined } : value]);
  return { ...envelope, ...(envelope.data ? { data: Object.fromEntries(data) } : {}) };
}
