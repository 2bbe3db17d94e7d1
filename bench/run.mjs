#!/usr/bin/env node
/**
 * `npm run bench`: every figure beside something it can be compared with in the same run.
 *
 *     npm run bench                     everything, a quarter of an hour
 *     npm run bench -- --quick          fewer rounds and calls
 *     npm run bench -- --only latency   one part; several by commas (names: below)
 *     npm run bench -- --only truth --truth DIR --corpora DIR
 *                                       the answers of compilers beside ours (bench/truth.mjs)
 *     npm run bench -- --only context --context-bench DIR --checkouts DIR
 *                                       what real changes edited, in the context for their messages
 *     npm run bench -- --only replay --checkouts DIR
 *                                       what texts about types cost over commits of the clones there
 *     npm run bench -- --no-build       the binaries as they are
 *
 * Corpora are fetched once into `.cache/bench` (bench/corpora.json names them). The table goes to
 * stdout, everything to `test-results/bench.json`. What each figure is limited by: docs/benchmarks.md.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import * as binary from "./lib/binary.mjs";
import { corpus, readCorpora, sizeOf } from "./lib/fetch.mjs";
import { hub, hubWasm } from "./lib/hub.mjs";
import * as native from "./lib/native.mjs";
import { clonesIn, replay } from "./lib/replay.mjs";
import { machine, markdown } from "./lib/report.mjs";
import { retrieval } from "./lib/retrieval.mjs";
import { coldReview, warmReview } from "./lib/review.mjs";
import { save } from "./lib/save.mjs";
import { scripts } from "./lib/script.mjs";
import { prompts, queue } from "./lib/texts.mjs";
import { truth } from "./lib/truth.mjs";
import { vscode } from "./lib/vscode.mjs";
import * as wasm from "./lib/wasm.mjs";
import { tables } from "./lib/wasm-tables.mjs";

/** The parts: what `--only` names, the corpora needed, the measurements; those that are long run when they are named. */
const PARTS = {
  cold: { corpora: ["default"], measure: [native.cold, binary.threads] },
  wasm: { corpora: ["default"], needsWasm: true, measure: [wasm.analysis] },
  "wasm-memory": { corpora: [], needsWasm: true, measure: [tables] },
  warm: { corpora: ["default"], measure: [native.warm, binary.warm] },
  oneshot: { corpora: ["medium", "million"], measure: [binary.oneShot] },
  save: { corpora: ["million"], measure: [save] },
  keystroke: { corpora: ["million"], measure: [native.keystroke] },
  "keystroke-wasm": { corpora: ["million"], needsWasm: true, measure: [wasm.keystroke] },
  live: { corpora: ["million"], measure: [native.live] },
  "live-wasm": { corpora: ["default"], needsWasm: true, measure: [wasm.live] },
  latency: { corpora: ["million"], measure: [native.latency] },
  batch: { corpora: ["million"], measure: [binary.batch] },
  hub: { corpora: [], measure: [hub] },
  "hub-wasm": { corpora: [], needsWasm: true, measure: [hubWasm] },
  script: { corpora: [], measure: [scripts] },
  review: { corpora: ["million", "medium"], measure: [warmReview, coldReview] },
  texts: { corpora: ["million"], measure: [prompts, queue] },
  memory: { corpora: ["million"], measure: [binary.memory] },
  truth: { corpora: [], needsTruth: true, measure: [truth] },
  context: { corpora: [], needsTasks: true, measure: [retrieval] },
  replay: { corpora: [], isLong: true, measure: [replayed] },
  vscode: { corpora: ["million"], isLong: true, measure: [vscode] },
  "million-wasm": { corpora: ["million"], needsWasm: true, measure: [wasm.million] },
};

/** Commits of each clone that are replayed. */
const COMMITS = { quick: 10, usual: 200 };

const bench = dirname(fileURLToPath(import.meta.url));
const repository = dirname(bench);
const truthResults = join(repository, "test-results", "truth");
const say = (text) => process.stderr.write(`${text}\n`);

function replayed({ checkouts, quick, ...shared }) {
  if (!checkouts) {
    throw new Error("replay needs --checkouts");
  }
  const names = clonesIn(checkouts, readdirSync(checkouts).sort());
  return replay({ ...shared, checkouts, names, commits: quick ? COMMITS.quick : COMMITS.usual });
}

function options() {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean" },
      only: { type: "string" },
      "no-build": { type: "boolean" },
      truth: { type: "string" },
      corpora: { type: "string" },
      "context-bench": { type: "string" },
      checkouts: { type: "string" },
    },
  });
  const hasTruth = values.truth !== undefined && values.corpora !== undefined;
  const { "context-bench": contextBench, checkouts } = values;
  const hasTasks = contextBench !== undefined && checkouts !== undefined;
  const isUsual = ({ needsTruth, needsTasks, isLong }) =>
    !isLong && (hasTruth || !needsTruth) && (hasTasks || !needsTasks);
  const only = values.only?.split(",") ?? Object.keys(PARTS).filter((name) => isUsual(PARTS[name]));
  const unknown = only.filter((name) => !PARTS[name]);
  if (unknown.length > 0) {
    throw new Error(`--only knows ${Object.keys(PARTS).join(", ")}; not ${unknown.join(", ")}`);
  }
  if (!hasTruth && only.some((name) => PARTS[name].needsTruth)) {
    throw new Error("this part needs --truth and --corpora");
  }
  if (!hasTasks && only.some((name) => PARTS[name].needsTasks)) {
    throw new Error("this part needs --context-bench and --checkouts");
  }
  const { quick = false, "no-build": noBuild = false } = values;
  return { only, quick, noBuild, truth: values.truth, corpora: values.corpora, contextBench, checkouts };
}

/** Both binaries, optimised. */
function binaries(noBuild) {
  if (!noBuild) {
    const args = ["build", "--release", "--quiet", "-p", "codecortex", "-p", "codecortex-bench"];
    execFileSync("cargo", args, { cwd: repository, stdio: ["ignore", "inherit", "inherit"] });
  }
  const ending = process.platform === "win32" ? ".exe" : "";
  const at = (name) => join(repository, "target", "release", name + ending);
  return { binary: at("codecortex"), bench: at("codecortex-bench") };
}

/** What the measurements share. */
async function context({ quick, noBuild }) {
  const cache = join(repository, ".cache", "bench");
  mkdirSync(cache, { recursive: true });
  const table = readCorpora(bench);
  const trees = new Map();
  const tree = (name) => {
    if (!trees.has(name)) {
      trees.set(name, corpus(table, cache, name, say));
    }
    return trees.get(name);
  };
  let queries;
  const linesOf = (name) => Object.values(sizeOf(table, name)).reduce((sum, { lines }) => sum + lines, 0);
  const shared = {
    ...binaries(noBuild),
    repository,
    say,
    cache,
    tree,
    table,
    quick,
    rounds: quick ? 2 : 5,
    wasm: await wasm.compile(repository, cache),
    // Caches of ours are measured, not those of the user.
    environment: { ...process.env, XDG_CACHE_HOME: join(cache, "home") },
    medium: linesOf("medium"),
    million: linesOf("million"),
  };
  shared.queries = () => (queries ??= native.queries(shared));
  return shared;
}

async function main() {
  const chosen = options();
  const { truth, corpora, contextBench, checkouts } = chosen;
  const shared = { ...(await context(chosen)), truth, corpora, contextBench, checkouts, out: truthResults };
  const [rows, raw, failed] = [[], {}, []];
  for (const name of chosen.only) {
    const { corpora, needsWasm, measure } = PARTS[name];
    if (needsWasm && !shared.wasm) {
      failed.push(`${name}: dist/wasm is not built; type npm run build`);
      continue;
    }
    if (corpora.some((corpus) => !shared.tree(corpus))) {
      failed.push(`${name}: its corpus cannot be had here`);
      continue;
    }
    for (const part of measure) {
      say(`measuring ${name}`);
      try {
        const result = await part(shared);
        rows.push(...result.rows);
        raw[`${name} ${part.name}`] = result.raw;
      } catch (error) {
        failed.push(`${name}: ${error.message.split("\n")[0]}`);
      }
    }
  }
  report(rows, raw, failed, chosen, shared.table);
}

function report(rows, raw, failed, chosen, table) {
  const corpora = Object.fromEntries(Object.keys(table.corpora).map((name) => [name, sizeOf(table, name)]));
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: repository, encoding: "utf8" }).trim();
  const about = { date: new Date().toISOString(), commit, machine: machine(), quick: chosen.quick };
  const results = join(repository, "test-results");
  mkdirSync(results, { recursive: true });
  const whole = { ...about, corpora, rows, failed, raw };
  writeFileSync(join(results, "bench.json"), `${JSON.stringify(whole, undefined, 1)}\n`);
  const { processor, processors, node, loadAverage } = about.machine;
  console.log(`${processors} × ${processor}, Node ${node}, load ${loadAverage.join(" ")}, commit ${commit}\n`);
  console.log(markdown(rows));
  for (const problem of failed) {
    console.log(`\nnot measured: ${problem}`);
  }
  process.exitCode = failed.length > 0 ? 1 : 0;
}

await main();
