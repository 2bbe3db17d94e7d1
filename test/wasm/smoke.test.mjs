/**
 * The module under load: more than 10 MB of real source through one instance, some trees kept alive while
 * others go, every file's node count compared with the native program's. A C allocator too simple for that
 * passes any test on snippets and dies within the first megabytes here.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { COMPILE, program } from "../../xtask/lib/cargo.mjs";
import { gather } from "./corpus.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const built = join(root, "target-wasm", "smoke");

const MEGABYTE = 1_000_000;
const AT_LEAST = 10 * MEGABYTE;
/** Every language has fixtures; what cargo and npm bring of it comes on top. */
const TABLE = readFileSync(join(root, "crates", "syntax", "src", "language.rs"), "utf8");
const ALWAYS = [...TABLE.matchAll(/row!\(\w+, "(\w+)"/g)].map(([, id]) => id);

const corpus = gather(root, 4 * MEGABYTE);

run("cargo", COMPILE);
run(program("xtask"), ["wasm", "--smoke", "--out", "target-wasm/smoke"]);
const { initSync, countNodes } = await import(pathToFileURL(join(built, "codecortex.js")));
const { memory } = initSync({ module: new WebAssembly.Module(readFileSync(join(built, "codecortex_bg.wasm"))) });

let parsed = 0;

for (const [language, files] of corpus) {
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  test(`${language}: ${files.length} files, ${(size / MEGABYTE).toFixed(1)} MB, the same counts as native`, () => {
    const expected = nativeCounts(language, files);
    files.forEach(({ path, bytes }, index) => {
      assert.equal(countNodes(language, bytes), expected[index], path);
    });
    parsed += size;
  });
}

test(`every language has been parsed: ${ALWAYS.join(", ")}`, () => {
  assert.ok(ALWAYS.length >= 20, "the table of languages is read");
  assert.deepEqual(
    ALWAYS.filter((language) => !corpus.has(language)),
    [],
  );
});

test(`more than ${AT_LEAST / MEGABYTE} MB in one instance`, () => {
  const files = [...corpus].flatMap(([language, list]) => list.map((file) => ({ language, ...file })));
  const before = new Map();
  while (parsed <= AT_LEAST) {
    for (const { language, path, bytes } of files) {
      const count = countNodes(language, bytes);
      assert.equal(count, before.get(path) ?? count, path);
      before.set(path, count);
      parsed += bytes.length;
    }
  }
  assert.ok(parsed > AT_LEAST);
});

test("memory is given back: after all that it is far below what the trees took together", () => {
  assert.ok(memory.buffer.byteLength < 256 * MEGABYTE, `${memory.buffer.byteLength} bytes`);
});

test("a language that is not there gives nothing", () => {
  assert.equal(countNodes("klingon", new Uint8Array([1])), undefined);
});

test("the shipped module has nothing of this test", () => {
  const shipped = new WebAssembly.Module(readFileSync(join(root, "dist", "wasm", "codecortex_bg.wasm")));
  const names = WebAssembly.Module.exports(shipped).map(({ name }) => name);
  for (const name of ["countNodes", "standInFor"]) {
    assert.ok(!names.includes(name), `${name} is exported`);
  }
});

/** The same parser compiled for this machine; one line in and one out for each file. */
function nativeCounts(language, files) {
  const lines = files.map(({ path }) => `${language}\t${path}`).join("\n");
  return run(program("examples/count-nodes"), [], lines).trim().split("\n").map(Number);
}

function run(command, args, input = "") {
  const options = { cwd: root, input, encoding: "utf8", maxBuffer: 64 * MEGABYTE };
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  assert.equal(status, 0, `${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}
