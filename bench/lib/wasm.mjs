/** What the WASM module takes in workers of Node, against the native figures of the same run. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import { assertAnswered, json, quantile, summary } from "./measure.mjs";
import { latencyTarget, withAllReferences } from "./native.mjs";
import { digits, row } from "./report.mjs";

const LANGUAGES = {
  ".cs": "csharp",
  ".ts": "typescript",
  ".tsx": "typescript",
  ".py": "python",
  ".rs": "rust",
  ".go": "go",
};

/** The module, compiled once for all workers; `undefined` where it is not built. */
export async function compile(repository, cache) {
  const folder = join(repository, "dist", "wasm");
  if (!existsSync(join(folder, "codecortex_bg.wasm"))) {
    return undefined;
  }
  // The glue is an ES module, which Node knows by its ending.
  mkdirSync(join(cache, "wasm"), { recursive: true });
  const glue = join(cache, "wasm", "codecortex.mjs");
  copyFileSync(join(folder, "codecortex.js"), glue);
  const module = await WebAssembly.compile(readFileSync(join(folder, "codecortex_bg.wasm")));
  return { module, glue: pathToFileURL(glue).href };
}

/** A worker with an instance of its own; `ask` calls a function in it. */
export class Instance {
  #worker;

  constructor(wasm, root) {
    const file = new URL("./wasm-worker.mjs", import.meta.url);
    this.#worker = new Worker(file, { workerData: { ...wasm, root } });
  }

  ask(name, message) {
    return new Promise((resolve, reject) => {
      this.#worker.once("error", reject);
      this.#worker.once("message", ({ value, error }) => {
        this.#worker.off("error", reject);
        if (error === undefined) {
          resolve(value);
        } else {
          reject(new Error(error));
        }
      });
      this.#worker.postMessage({ name, message });
    });
  }

  end() {
    return this.#worker.terminate();
  }
}

function sources(root) {
  const files = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll("\\", "/"));
  return files.filter((file) => !file.startsWith(".git/") && languageOf(file)).sort();
}

function languageOf(file) {
  return LANGUAGES[/\.\w+$/.exec(file)?.[0]];
}

/** Analysing the same files: each round native first, then WASM, so that both meet the same machine. */
export async function analysis({ bench, tree, rounds, wasm }) {
  const root = tree("default");
  const byLanguage = Object.groupBy ? Object.groupBy(sources(root), languageOf) : group(sources(root));
  const runs = [];
  const instance = new Instance(wasm, root);
  try {
    for (let round = 0; round < rounds; round++) {
      const native = json(bench, ["cold", root, "--rounds", "1"]);
      const own = {};
      for (const [language, files] of Object.entries(byLanguage)) {
        own[language] = (await instance.ask("analyse", { root, files, keep: false })).cpu;
      }
      runs.push({ native: native.languages, own });
    }
  } finally {
    await instance.end();
  }
  const nativeMs = ({ native }, language) => native[language].analysisMs.p50;
  const total = (values) => values.reduce((sum, value) => sum + value, 0);
  const ratio = (run) =>
    (100 * total(Object.keys(run.own).map((language) => nativeMs(run, language)))) / total(Object.values(run.own));
  const rows = [
    row({
      section: "WASM",
      what: "analyse, native cpu / WASM cpu",
      values: runs.map(ratio),
      unit: "%",
      target: ["≥", 55],
      beside: "native analyse of the same files",
      note: "outcomes are also encoded; the first round compiles",
    }),
  ];
  for (const language of Object.keys(byLanguage)) {
    rows.push(
      row({
        section: "",
        what: language,
        values: runs.map((run) => (100 * nativeMs(run, language)) / run.own[language]),
        unit: "%",
        beside: `WASM ${digits(summary(runs.map((run) => run.own[language])).median)} ms cpu`,
      }),
    );
  }
  return { rows, raw: runs };
}

function group(files) {
  const groups = {};
  for (const file of files) {
    (groups[languageOf(file)] ??= []).push(file);
  }
  return groups;
}

/** The big corpus in one engine worker, filled by two parse workers: memory, warm start, calls. */
export async function million({ tree, wasm, queries }) {
  const root = tree("million");
  const { outcomes, parsers, ms } = await analyseAll(wasm, root);
  const engine = new Instance(wasm, root);
  const known = outcomes.map(({ path, size }) => ({ path, size }));
  try {
    const cold = await engine.ask("open", { outcomes });
    // V8 compiles a function well when it has run for a while, which is no property of an index: the calls that
    // count are made of another engine in the same instance, which has read nothing of what they ask about.
    const first = await callAll(engine, queries().lines);
    await engine.ask("open", { outcomes });
    const calls = await callAll(engine, queries().lines);
    const { bytes, cpu, memory } = await engine.ask("exportCache", {});
    const next = new Instance(wasm, root);
    const warm = await next.ask("openWarm", { cache: bytes, outcomes: known }).finally(() => next.end());
    const mb = (bytes) => bytes / 1e6;
    const peak = cold.memory + parsers.reduce((sum, bytes) => sum + bytes, 0);
    const rows = [
      row({
        section: "memory",
        what: "WASM linear memory while indexing: engine + 2 parse workers",
        values: [mb(peak)],
        unit: "MB",
        target: ["≤", 600],
        beside: `engine ${digits(mb(cold.memory))} MB, parse workers ${parsers.map((bytes) => digits(mb(bytes))).join(" + ")} MB, given back afterwards`,
        note: `engine after calls and an export ${digits(mb(memory))} MB, after a warm start ${digits(mb(warm.memory))} MB`,
      }),
      row({
        section: "warm start",
        what: "WASM, the big corpus: cold / warm",
        values: [(ms + cold.cpu) / warm.cpu],
        unit: "×",
        beside: `cold ${digits(ms + cold.cpu)} ms, warm ${digits(warm.cpu)} ms cpu`,
        note: `export ${digits(cpu)} ms, ${digits(mb(bytes.length))} MB, ${warm.missing} files read again`,
      }),
      ...latencyRows(calls, first),
    ];
    return { rows, raw: { cold, warm, parsers, first, calls } };
  } finally {
    await engine.end();
  }
}

/** Outcomes of all files of a tree, made by two instances one after the other; their memory in bytes, ms of processor time. */
export async function analyseAll(wasm, root) {
  const files = sources(root);
  const workers = [new Instance(wasm, root), new Instance(wasm, root)];
  const outcomes = [];
  const memory = [];
  let ms = 0;
  // One after the other: where Node cannot tell threads apart, times would be counted twice.
  for (const [half, worker] of workers.entries()) {
    const own = files.filter((_, index) => index % 2 === half);
    const done = await worker.ask("analyse", { root, files: own, keep: true }).finally(() => worker.end());
    outcomes.push(...done.outcomes);
    memory.push(done.memory);
    ms += done.cpu;
  }
  return { outcomes, parsers: memory, ms };
}

async function callAll(engine, lines) {
  const classes = {};
  // The first question about uses reads what all files offer.
  for (const { tool, args } of lines.filter((_, index) => index % 10 === 0)) {
    await engine.ask("call", { tool, args });
  }
  for (const { tool, args, class: name } of lines) {
    (classes[name] ??= []).push(await engine.ask("call", { tool, args }));
  }
  const times = ([name, calls]) => {
    assertAnswered(name, calls.filter(({ ok }) => !ok).length, calls.length);
    return [name, calls.map(({ cpu }) => cpu)];
  };
  return Object.fromEntries(Object.entries(classes).map(times));
}

function latencyRows(calls, first) {
  const whole = withAllReferences(first);
  return Object.entries(withAllReferences(calls)).map(([name, times]) =>
    row({
      section: "latency, WASM",
      what: `${name}, p95`,
      values: times,
      shown: quantile(times, 0.95),
      unit: "ms",
      target: latencyTarget(name, true),
      beside: `p50 ${digits(quantile(times, 0.5))} ms cpu`,
      note: `while V8 compiles ${digits(quantile(whole[name], 0.5))}, p95 ${digits(quantile(whole[name], 0.95))} ms`,
    }),
  );
}

/** Following an editor: an edit of a long document, live context of it, the window with many pins. */
export async function live({ tree, wasm }) {
  const root = tree("default");
  const document = new Instance(wasm, root);
  const { editMs, liveContextMs } = await document.ask("follow", { lines: 100_000 }).finally(() => document.end());
  const { outcomes } = await analyseAll(wasm, root);
  const engine = new Instance(wasm, root);
  await engine.ask("open", { outcomes });
  const { pinned, times } = await engine.ask("pin", { pins: 10_000 }).finally(() => engine.end());
  const timed = (section, what, values, target) =>
    row({
      section,
      what: `${what}, p95`,
      values,
      shown: quantile(values, 0.95),
      unit: "ms",
      target: ["≤", target],
      beside: `p50 ${digits(quantile(values, 0.5))} ms`,
    });
  const rows = [
    timed("live, WASM", "edit of 100,000 lines to snapshot", editMs, 1),
    timed("", "live context of 100,000 lines", liveContextMs, 10),
    timed("", `prompt window with ${pinned} pins`, times, 15),
  ];
  return { rows, raw: { editMs, liveContextMs, pinned, times } };
}

/** The keystrokes of the native run once more. */
export async function keystroke({ tree, wasm, bench, quick }) {
  const root = tree("million");
  const raw = json(bench, ["keystroke", root, "--edits", quick ? "10" : "40", "--strokes"]);
  const { outlines: native, facts } = raw;
  const rows = await factsTyped({ root, wasm, facts });
  for (const { language, path, bytes, strokes, wholeMs, parseMs } of native) {
    const instance = new Instance(wasm, root);
    const times = await instance.ask("keystrokes", { path, strokes }).finally(() => instance.end());
    const p50 = quantile(times, 0.5);
    rows.push(
      row({
        section: "keystroke, WASM",
        what: `${language} ${digits(bytes / 1e3)} kB: edit + outline, p50`,
        values: times,
        shown: p50,
        unit: "ms",
        beside: `native ${digits(wholeMs.p50)} ms; tree-sitter's incremental parse, native ${digits(parseMs.p50)} ms: ${digits(p50 / parseMs.p50)} ×`,
        note: `p95 ${digits(quantile(times, 0.95))} ms`,
      }),
    );
  }
  return { rows, raw: rows };
}

/** From an edit to facts and hashes, in one instance for all files of a language. */
async function factsTyped({ root, wasm, facts }) {
  const rows = [];
  for (const { language, what, typed, wholeMs } of facts.filter(({ typed }) => typed.length > 0)) {
    const instance = new Instance(wasm, root);
    const times = [];
    for (const file of typed) {
      times.push(...(await instance.ask("facts", file)));
    }
    instance.end();
    rows.push(
      row({
        section: "keystroke, WASM",
        what: `${language}, ${what}: edit to facts and hashes, p95`,
        values: times,
        shown: quantile(times, 0.95),
        unit: "ms",
        target: ["≤", 5],
        beside: `native p50 ${digits(wholeMs.p50)}, p95 ${digits(wholeMs.p95)} ms`,
        note: `p50 ${digits(quantile(times, 0.5))} ms, ${typed.length} files`,
      }),
    );
  }
  return rows;
}
