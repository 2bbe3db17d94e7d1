/** Packages of `cargo xtask dist` that need no build: notices, archives, the MCP registry's entry, versions. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { filesBelow, writeZip } from "../../xtask/dist/archive.mjs";
import { registryEntry } from "../../xtask/dist/bundle.mjs";
import { notice } from "../../xtask/dist/notice.mjs";
import { writePlugins } from "../../xtask/dist/plugins.mjs";
import { product } from "../../xtask/dist/product.mjs";
import { createContext, root } from "../../xtask/lib/context.mjs";

let folder;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "codecortex-dist-"));
});
after(() => rmSync(folder, { recursive: true }));

test("notices name what is compiled in, and no more", async () => {
  const { exec } = createContext("test");
  const target = "wasm32-unknown-unknown";
  const module = await notice({ exec, crate: "codecortex-wasm", target, hasLibraries: true });
  assert.match(module, /^tree-sitter \d[\d.]*: MIT$/m);
  assert.match(module, /Permission is hereby granted, free of charge/);
  for (const other of [/^rusqlite /m, /^proptest /m, /^serde_derive /m, /^codecortex/m]) {
    assert.doesNotMatch(module, other);
  }
  const [, host] = /^host: (.*)$/m.exec(await exec("rustc", ["-vV"]));
  const native = await notice({ exec, crate: "codecortex", target: host, hasLibraries: true });
  assert.match(native, /^rusqlite /m);
  for (const part of [/java\.stdlib/, /"CLASSPATH" EXCEPTION/, /The Go Authors/, /\.NET Foundation/]) {
    assert.match(native, part);
    assert.match(module, part);
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

test("plugins start the published program, as each agent writes it", () => {
  writePlugins({ product: product(), out: join(folder, "plugins") });
  const files = filesBelow(join(folder, "plugins"));
  const read = (path) => JSON.parse(readFileSync(join(folder, "plugins", path), "utf8"));
  const program = `codecortex@${product().version}`;
  const claude = read("claude-code/codecortex/.mcp.json").mcpServers.codecortex;
  assert.deepEqual(claude, { type: "stdio", command: "npx", args: ["-y", program, "mcp"] });
  const copilot = read("copilot-cli/codecortex/.mcp.json").mcpServers.codecortex;
  assert.deepEqual([copilot.type, copilot.tools], ["local", ["*"]]);
  const gemini = read("gemini-cli/codecortex/gemini-extension.json");
  assert.deepEqual(Object.keys(gemini.mcpServers.codecortex), ["command", "args"]);
  assert.ok(files.includes(`gemini-cli/codecortex/${gemini.contextFileName}`));
  // The two clients of language servers call the same things by other names.
  const served = read("claude-code/codecortex/.lsp.json").codecortex;
  assert.deepEqual(served.extensionToLanguage, { ".as": "angelscript" });
  const wrapped = read("copilot-cli/codecortex/lsp.json").lspServers.codecortex;
  assert.deepEqual([wrapped.fileExtensions, wrapped.args], [{ ".as": "angelscript" }, served.args]);
  for (const agent of ["claude-code", "copilot-cli", "gemini-cli", "codex"]) {
    assert.ok(files.includes(`${agent}/codecortex/skills/codecortex/SKILL.md`), agent);
    assert.ok(files.includes(`${agent}/codecortex/LICENSE`), agent);
  }
  const { version, name } = read("claude-code/codecortex/.claude-plugin/plugin.json");
  assert.deepEqual([name, version], ["codecortex", product().version]);
});
