/** The tools beside the answers of real compilers, a search by name and a tags file. */

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { byName, byTags, identifiers, tags } from "./baselines.mjs";
import { quantile } from "./measure.mjs";
import { digits, row } from "./report.mjs";

/** Least F1 of references and least share of right definitions by language, in percent. */
const TARGETS = {
  typescript: [97, 98],
  javascript: [85, 95],
  go: [97, 98],
  csharp: [97, 98],
  java: [97, 98],
  rust: [95, 98],
  python: [94, 95],
  c: [90, 94],
  cpp: [92, 94],
  angelscript: [97, 97],
};

/** A row of a share of 1. */
const share = (value, rest) => row({ ...rest, values: [100 * value], unit: "%" });

/** A `codecortex batch` in a folder; calls are answered in order. */
export class Batch {
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
  const tiers = [];
  let renamed = 0;
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
    // the compilers' services list no uses under the name that an import gives (SPEC D34)
    const counted = data.references.filter(({ why }) => why !== "renamed");
    renamed += data.references.length - counted.length;
    found.push(...counted.map((entry) => start(entry, entry.range)));
    tiers.push(...counted.map(({ tier }) => tier));
    cursor = data.nextCursor;
  } while (cursor);
  return { definition: symbol.definition, references: found, ms, tiers, renamed };
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
  // generated code has no ids, but it is read when a path names it
  const name = at.ok ? (at.data.resolved?.typeId ?? at.data.symbol.path) : undefined;
  if (!name) return { definition: symbol.definition, supertypes: [], subtypes: [] };
  const found = { definition: symbol.definition, supertypes: [], subtypes: [] };
  const limits = { maxSuperDepth: 1, maxSubDepth: 1, maxSubBreadth: 200 };
  let cursor;
  do {
    const answer = await batch.call("codecortex_getClassHierarchy", { name, ...limits, cursor });
    if (!answer.ok) break;
    const { root, basesByClass, derivedByParent, sourceByClass } = answer.data;
    // A truth of scripts knows nothing of the headers that declare their bases: to it these are outside.
    const outside = symbol.external_supertypes ?? [];
    const places = (paths) =>
      (paths ?? []).flatMap((path) => {
        const source = sourceByClass[path];
        return source?.nameRange && !outside.includes(path)
          ? [{ file: inside(source.filePath), ...source.nameRange.start }]
          : [];
      });
    found.supertypes = places(basesByClass[root]);
    found.subtypes.push(...places(derivedByParent[root]));
    cursor = answer.data.nextCursor;
  } while (cursor);
  return found;
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

/** What the tools answer to the questions of a truth file, in the form of the scorer. */
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

/** A file of `{"…"}` lines. */
function readLines(path) {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Predictions written and scored: the scorer's table and its figures. */
function scored({ truth, out }, file, kind, predictions) {
  const path = join(out, `${kind}-${file}`);
  const json = `${path}.score.json`;
  writeFileSync(path, `${predictions.map((line) => JSON.stringify(line)).join("\n")}\n`);
  const scorer = join(truth, "score.py");
  const table = execFileSync("python3", [scorer, join(truth, "dev", file), path, "--json", json], { encoding: "utf8" });
  return { table, score: JSON.parse(readFileSync(json, "utf8")) };
}

/** References of the surest tier alone. */
function exactOnly(predictions) {
  const isExact = (line) => (_, index) => line.tiers[index] === "exact";
  return predictions
    .filter((line) => line.tiers)
    .map((line) => ({ ...line, references: line.references.filter(isExact(line)) }));
}

/**
 * Every truth file scored. `truth` has `dev/<lang>-<corpus>*.jsonl` and `score.py`, `corpora` the sources as
 * `<lang>/<corpus>/`; `tell` gets the scorer's tables.
 */
export async function truth({ binary, truth, corpora, out, only, tell = () => {} }) {
  mkdirSync(out, { recursive: true });
  const files = readdirSync(join(truth, "dev")).filter((name) => name.endsWith(".jsonl"));
  const [rows, raw] = [[], {}];
  // the references of a corpus before its hierarchy: their row names it
  const corpusOf = (file) => file.split(".")[0];
  files.sort((a, b) => corpusOf(a).localeCompare(corpusOf(b)) || a.length - b.length);
  for (const file of files) {
    const [language, corpus] = file.split(".")[0].split(/-(.*)/s);
    if (only && !only.includes(language)) {
      continue;
    }
    const symbols = readLines(join(truth, "dev", file));
    const root = join(corpora, language, corpus);
    const batch = new Batch(binary, root);
    const predictions = await predict(batch, symbols);
    await batch.end();
    const { table, score } = scored({ truth, out }, file, "ours", predictions);
    const renamed = predictions.reduce((sum, line) => sum + (line.renamed ?? 0), 0);
    const left = renamed ? `${renamed} uses under the name that an import gives are left out (\`renamed\`)\n` : "";
    tell(`== ${file}\n${left}${table}`);
    const about = { language, corpus, file, symbols, root, predictions, score, truth, out };
    rows.push(...(score.references ? referenceRows(about) : edgeRows(about)));
    raw[file] = score;
  }
  return { rows, raw };
}

/** References and definitions beside both baselines. */
function referenceRows({ language, corpus, file, symbols, root, predictions, score, truth, out }) {
  const of = (kind, lines) => scored({ truth, out }, file, kind, lines).score;
  const exact = of("exact", exactOnly(predictions)).references["all all"];
  const words = identifiers(root, language);
  const named = of("name", byName(symbols, words)).references["all all"];
  const tagged = tags(root, words);
  const withTags = tagged && of("ctags", byTags(symbols, words, tagged));
  const [least, leastRight] = TARGETS[language] ?? [90, 90];
  const ms = predictions.filter(({ tiers }) => tiers).map((line) => line.ms);
  const ctags = withTags ? `ctags and names ${withTags.references["all all"].F1.toFixed(2)}` : "ctags is not here";
  return [
    share(score.references["all all"].F1, {
      section: `${language}, ${corpus}`,
      what: "references, micro F1",
      target: ["≥", least],
      beside: `names ${named.F1.toFixed(2)}, ${ctags}`,
      note: `${symbols.length} symbols; first page p50 ${digits(quantile(ms, 0.5))}, p95 ${digits(quantile(ms, 0.95))} ms`,
    }),
    share(exact.P, { section: "", what: "precision of tier `exact`", target: ["≥", 99.5] }),
    share(score.definition.top1, {
      section: "",
      what: "definition, the first answer is right",
      target: ["≥", leastRight],
      beside: withTags ? `ctags ${withTags.definition.top1.toFixed(2)}` : "",
      note: `${score.definition.n} uses`,
    }),
  ];
}

function edgeRows({ score }) {
  const rows = [];
  if (score.hierarchy) {
    rows.push(share(score.hierarchy.F1, { section: "", what: "class hierarchy, F1 of edges", target: ["≥", 98] }));
  }
  if (score.enclosing) {
    rows.push(share(score.enclosing.accuracy, { section: "", what: "declaration around a place, right" }));
  }
  return rows;
}
