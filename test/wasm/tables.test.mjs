/**
 * Data on demand: an instance holds the parse tables of the languages that it has seen, once, and the descriptions of
 * standard libraries that a lookup led to; the room of all others is memory that it can use.
 */

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const shipped = join(root, "dist", "wasm");
const fixtures = join(root, "crates", "syntax", "tests", "fixtures");

/** Shorter tables of two grammars may be the same. */
const LONG = 64 * 1024;
const LIMITS = [4 * 1024 * 1024, false];

const binary = readFileSync(join(shipped, "codecortex_bg.wasm"));
const compiled = new WebAssembly.Module(binary);
const libraries = join(root, "crates", "external", "data");
const archives = readdirSync(libraries)
  .filter((name) => name.endsWith(".stdlib"))
  .map((name) => readFileSync(join(libraries, name)));
const passive = passiveSegments(binary).filter(({ length }) => length >= LONG);
const isArchive = (segment) => archives.some((archive) => archive.equals(segment));
const tables = passive.filter((segment) => !isArchive(segment));
const total = bytesOf(tables);

test("the tables of all grammars are copied on demand", () => {
  assert.ok(tables.length >= 20, `${tables.length} long tables`);
  assert.ok(total > 20_000_000, `${total} bytes`);
});

test("the standard libraries are there once, and no instance begins with one", async () => {
  assert.equal(passive.filter(isArchive).length, archives.length);
  const own = await instance("libraries");
  analyse(own, "go");
  const memory = Buffer.from(own.memory.buffer);
  assert.ok(archives.every((archive) => memory.indexOf(archive) === -1));
});

test("a new instance holds no table; one that saw Go holds Go's and not Kotlin's", async () => {
  const own = await instance("go-then-kotlin");
  assert.deepEqual(held(own), []);

  analyse(own, "go");
  const ofGo = held(own);
  assert.ok(ofGo.length > 0 && bytesOf(ofGo) < 1_000_000, `${bytesOf(ofGo)} bytes after Go`);

  const other = await instance("kotlin");
  analyse(other, "kotlin");
  const ofKotlin = held(other);
  assert.ok(bytesOf(ofKotlin) > 2_000_000, `${bytesOf(ofKotlin)} bytes after Kotlin`);
  assert.deepEqual(both(ofGo, ofKotlin), []);

  analyse(own, "kotlin");
  assert.deepEqual(held(own), [...ofGo, ...ofKotlin].sort(byNumber));
});

test("each table is some language's, and none is copied twice", async () => {
  const own = await instance("all");
  const languages = readdirSync(fixtures).sort();
  const facts = languages.map((language) => analyse(own, language));
  assert.deepEqual(
    languages.map((language) => analyse(own, language)),
    facts,
  );
  const memory = Buffer.from(own.memory.buffer);
  for (const table of tables) {
    const first = memory.indexOf(table);
    assert.ok(first >= 0, `${table.length} bytes lie nowhere`);
    assert.equal(memory.indexOf(table, first + 1), -1, `${table.length} bytes lie there twice`);
  }
});

test("the room of tables that were not copied is used before more memory is asked for", async () => {
  const own = await instance("room");
  const before = own.memory.buffer.byteLength;
  const text = Array.from({ length: 10_000 }, (_, n) => `func F${n}(a int) int {\n\treturn a + ${n}\n}\n`).join("");
  own.analyse("long.go", Buffer.from(`package long\n\n${text}`), ...LIMITS);
  assert.equal(own.memory.buffer.byteLength, before);
});

/** An instance of its own: the glue keeps one for each address that it is loaded from. */
async function instance(name) {
  const glue = await import(`${pathToFileURL(join(shipped, "codecortex.js")).href}?${name}`);
  const { memory } = glue.initSync({ module: compiled });
  return { memory, analyse: glue.analyse };
}

/** The outcome of a language's first fixture. */
function analyse(own, language) {
  const folder = join(fixtures, language);
  const [name] = readdirSync(folder).sort();
  return own.analyse(name, readFileSync(join(folder, name)), ...LIMITS);
}

/** The numbers of the tables that lie in an instance's memory as a whole. */
function held({ memory }) {
  const bytes = Buffer.from(memory.buffer);
  return tables.flatMap((table, number) => (bytes.includes(table) ? [number] : []));
}

function both(some, others) {
  return some.filter((number) => others.includes(number));
}

function bytesOf(list) {
  return list.reduce((sum, one) => sum + (one.length ?? tables[one].length), 0);
}

function byNumber(one, other) {
  return one - other;
}

/** The segments of a module that no instance copies by itself. */
function passiveSegments(bytes) {
  const DATA = 11;
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  while (at < bytes.length) {
    const id = bytes[at++];
    const size = number();
    if (id !== DATA) {
      at += size;
      continue;
    }
    const found = [];
    for (let left = number(); left > 0; left--) {
      const kind = number();
      if (kind === 0) {
        // `i32.const`, the address, `end`
        at += 1;
        number();
        at += 1;
      }
      const length = number();
      if (kind === 1) {
        found.push(bytes.subarray(at, at + length));
      }
      at += length;
    }
    return found;
  }
  throw new Error("a module without data");
}
