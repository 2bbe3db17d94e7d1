/** Packages of `cargo xtask dist` that need no build: notices, archives, the MCP registry's entry, versions. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { filesBelow, writeZip } from "../../xtask/dist/archive.mjs";
import { registryEntry } from "../../xtask/dist/bundle.mjs";
import { notice } from "../../xtask/dist/notice.mjs";
import { product } from "../../xtask/dist/product.mjs";
import { createContext, root } from "../../xtask/lib/context.mjs";

let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "codecortex-dist-"));
});
after(() => rmSync(folder, { recursive: true }));

test("notices name what is compiled in, and no more", async () => {
  const { exec } = createContext("test");
  const module = await notice({ exec, crate: "codecortex-wasm", target: "wasm32-unknown-unknown" });
  assert.match(module, /^tree-sitter \d[\d.]*: MIT$/m);
  assert.match(module, /Permission is hereby granted, free of charge/);
  for (const other of [/^rusqlite /m, /^proptest /m, /^serde_derive /m, /^codecortex/m, /CLASSPATH/]) {
    assert.doesNotMatch(module, other);
  }
  const [, target] = /^host: (.*)$/m.exec(await exec("rustc", ["-vV"]));
  const native = await notice({ exec, crate: "codecortex", target, hasLibraries: true });
  for (const part of [/^rusqlite /m, /java\.stdlib/, /"CLASSPATH" EXCEPTION/, /The Go Authors/, /\.NET Foundation/]) {
    assert.match(native, part);
  }
});

test("an archive follows from its contents alone", async () => {
  const stage = join(folder, "stage");
  mkdirSync(join(stage, "b"), { recursive: true });
  writeFileSync(join(stage, "b/z.txt"), "z");
  writeFileSync(join(stage, "a.txt"), "a");
  assert.deepEqual(filesBelow(stage), ["a.txt", "b/z.txt"]);
  await writeZip(stage, join(folder, "one.zip"));
  utimesSync(join(stage, "a.txt"), 1, 1);
  await writeZip(stage, join(folder, "two.zip"));
  const [one, two] = ["one.zip", "two.zip"].map((name) => readFileSync(join(folder, name)));
  assert.ok(one.equals(two));
});

test("the registry's entry names the npm package", () => {
  const { name, packages, repository } = registryEntry(product());
  assert.equal(name, product().mcpName);
  assert.equal(repository, undefined);
  assert.deepEqual(
    packages.map(({ identifier, version }) => [identifier, version]),
    [["codecortex", product().version]],
  );
  const named = registryEntry(product("https://example.org/somebody/codecortex"));
  assert.equal(named.repository.url, "https://example.org/somebody/codecortex");
});

test("crates that are published ask for each other in this version", () => {
  const { version } = product();
  const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
  const members = [...manifest.matchAll(/^([\w-]+) = \{ path = .*$/gm)].filter(
    ([, name]) => name !== "codecortex-fixture",
  );
  assert.ok(members.length > 30);
  for (const [line, name] of members) {
    assert.ok(line.includes(`version = "${version}"`), name);
  }
  assert.ok(manifest.includes(`\nversion = "${version}"\n`));
});
