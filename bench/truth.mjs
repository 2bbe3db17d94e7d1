#!/usr/bin/env node
/**
 * Answers of the tools beside those of real compilers.
 *
 *     node bench/truth.mjs --truth DIR --corpora DIR [--only LANG,…] [--binary PATH] [--out DIR]
 *
 * `--truth` has `<lang>-<corpus>.jsonl` files and a `score.py`; `--corpora` the sources, one folder
 * `<lang>/<corpus>` each. Every symbol is asked for through `codecortex batch`, as a script would: its
 * references by position, page by page; the definition of each reference; direct bases and derived types;
 * the declaration around a place. Predictions go to `--out`, the scorer's tables to stdout.
 */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    truth: { type: "string" },
    corpora: { type: "string" },
    only: { type: "string" },
    binary: { type: "string", default: join(repository, "target/release/codecortex") },
    out: { type: "string", default: join(repository, "test-results/truth") },
  },
});
if (!values.truth || !values.corpora) {
  process.stderr.write("Give --truth and --corpora: see the head of this file.\n");
  process.exit(2);
}

/** A `codecortex batch` in a folder; calls are answered in order. */
class Batch {
  constructor(binary, folder) {
    this.process = spawn(binary, ["batch", "--no-cache", "--root", folder], { stdio: ["pipe", "pipe", "inherit"] });
    this.waiting = [];
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      this.waiting.shift()?.(JSON.parse(line).result);
    });
  }

  call(tool, args) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.process.stdin.write(`${JSON.stringify({ tool, args })}\n`);
    });
  }

  async end() {
    this.process.stdin.end();
    await new Promise((resolve) => this.process.once("exit", resolve));
  }
}

const position = (place) => ({ line: place.line + 1, character: place.character + 1 });
const inside = (path) => path.slice(path.indexOf("/") + 1);
const start = (entry, range) => ({ file: inside(entry.filePath), ...range.start });

async function references(batch, symbol) {
  const found = [];
  const began = process.hrtime.bigint();
  let ms;
  let cursor;
  do {
    const answer = await batch.call("codecortex_findReferences", {
      filePath: symbol.definition.file,
      position: position(symbol.definition),
      limit: 200,
      includePreview: false,
      ...(cursor && { cursor }),
    });
    ms ??= Number(process.hrtime.bigint() - began) / 1e6;
    const data = answer.ok ? answer.data : { references: [] };
    found.push(...data.references.map((entry) => start(entry, entry.range)));
    cursor = data.nextCursor;
  } while (cursor);
  return { definition: symbol.definition, references: found, ms };
}

async function definition(batch, place) {
  const began = process.hrtime.bigint();
  const answer = await batch.call("codecortex_resolveSymbolAtPosition", {
    filePath: place.file,
    position: position(place),
    includeDocumentation: false,
  });
  const ms = Number(process.hrtime.bigint() - began) / 1e6;
  const all = answer.ok ? [answer.data.symbol.definition, ...(answer.data.symbol.definitions ?? [])] : [];
  const query = { file: place.file, line: place.line, character: place.character };
  return { query, definitions: all.map((entry) => start(entry, entry.nameRange)), ms };
}

async function hierarchy(batch, symbol) {
  const at = await batch.call("codecortex_resolveSymbolAtPosition", {
    filePath: symbol.definition.file,
    position: position(symbol.definition),
  });
  const name = at.ok ? at.data.resolved?.typeId : undefined;
  if (!name) return { definition: symbol.definition, supertypes: [], subtypes: [] };
  const answer = await batch.call("codecortex_getClassHierarchy", {
    name,
    maxSuperDepth: 1,
    maxSubDepth: 1,
    maxSubBreadth: 200,
  });
  if (!answer.ok) return { definition: symbol.definition, supertypes: [], subtypes: [] };
  const { root, basesByClass, derivedByParent, sourceByClass } = answer.data;
  const places = async (paths) => {
    const found = [];
    for (const path of paths ?? []) {
      const source = sourceByClass[path];
      if (source?.nameRange) found.push({ file: inside(source.filePath), ...source.nameRange.start });
    }
    return found;
  };
  return {
    definition: symbol.definition,
    supertypes: await places(basesByClass[root]),
    subtypes: await places(derivedByParent[root]),
  };
}

async function enclosing(batch, symbol) {
  const answer = await batch.call("codecortex_resolveSymbolAtPosition", {
    filePath: symbol.query.file,
    position: position(symbol.query),
    includeDocumentation: false,
  });
  const around = answer.ok ? answer.data.enclosing : answer.error.details?.enclosing;
  const found = around && { name: around.name, ...around.nameRange?.start };
  return { query: symbol.query, symbol: found ?? null };
}

async function predict(batch, lines) {
  const predictions = [];
  const asked = new Set();
  for (const symbol of lines) {
    if (symbol.query) {
      predictions.push(await enclosing(batch, symbol));
    } else if (symbol.supertypes || symbol.subtypes) {
      predictions.push(await hierarchy(batch, symbol));
    } else {
      predictions.push(await references(batch, symbol));
      for (const place of symbol.references) {
        const key = `${place.file}:${place.line}:${place.character}`;
        if (asked.has(key)) continue;
        asked.add(key);
        predictions.push(await definition(batch, place));
      }
    }
  }
  return predictions;
}

mkdirSync(values.out, { recursive: true });
const only = values.only?.split(",");
for (const file of readdirSync(join(values.truth, "dev")).filter((name) => name.endsWith(".jsonl"))) {
  const [language, corpus] = file.split(".")[0].split(/-(.*)/s);
  if (only && !only.includes(language)) continue;
  const path = join(values.truth, "dev", file);
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const batch = new Batch(values.binary, join(values.corpora, language, corpus));
  const predictions = await predict(batch, lines);
  await batch.end();
  const out = join(values.out, file);
  writeFileSync(out, `${predictions.map((line) => JSON.stringify(line)).join("\n")}\n`);
  const table = execFileSync("python3", [join(values.truth, "score.py"), path, out], { encoding: "utf8" });
  process.stdout.write(`== ${file}\n${table}\n`);
}
