#!/usr/bin/env node
/**
 * Whether two binaries answer alike: calls of tools drawn by a seed from the symbols of folders, the same to both, and
 * the answers compared byte by byte.
 *
 *     node bench/same-answers.mjs --one BINARY --other BINARY --folders DIR,DIR --calls 1000 --seed 1
 *
 * Each folder is copied first, so that what calls write goes nowhere. What differs in any two runs is taken out before:
 * the milliseconds of a call and times of day. The exit code is 1 where an answer differs; `--times` prints how long the
 * calls took by each binary and tool, with the two in turn for each folder.
 */

import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    one: { type: "string" },
    other: { type: "string" },
    folders: { type: "string" },
    calls: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "1" },
    only: { type: "string" },
    times: { type: "boolean", default: false },
  },
});
if (!values.one || !values.other || !values.folders) {
  throw new Error("--one, --other and --folders are needed");
}

/** Numbers that follow from a seed (mulberry32). */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What may differ in any two runs. */
const TIMES = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g, "TIME"],
  [/"(ageMinutes|memoryBytes|uptimeMs)":\d+/g, '"$1":0'],
];

function comparable(line) {
  const text = JSON.stringify({ ...JSON.parse(line), ms: 0 });
  return TIMES.reduce((text, [pattern, word]) => text.replace(pattern, word), text);
}

/** Answers to calls, each a line, in their order. */
async function answers(binary, folder, calls) {
  const home = mkdtempSync(path.join(tmpdir(), "same-answers-"));
  const copy = path.join(home, path.basename(folder));
  cpSync(folder, copy, { recursive: true, filter: (from) => path.basename(from) !== ".context" });
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(binary, ["batch", "--root", copy, "--no-cache"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const got = [];
  for (const call of calls) {
    child.stdin.write(`${JSON.stringify(call)}\n`);
    const { value, done } = await lines.next();
    if (done) {
      throw new Error(`${binary} ended at ${JSON.stringify(call)}`);
    }
    got.push(value.replaceAll(home, "HOME"));
  }
  child.stdin.end();
  await new Promise((resolve) => child.once("close", resolve));
  rmSync(home, { recursive: true, force: true });
  return got;
}

/** Paths and files of declarations, by searching for letters. */
async function symbolsOf(folder) {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const calls = letters.map((labelQuery, id) => ({
    id,
    tool: "codecortex_searchApi",
    args: { labelQuery, limit: 100, includeLocals: false },
  }));
  const found = (await answers(values.one, folder, calls)).flatMap((line) => JSON.parse(line).result.data?.items ?? []);
  const known = new Map(found.map((item) => [item.path, item]));
  return [...known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isType = ({ kind }) => ["class", "struct", "interface", "enum", "trait", "typeAlias"].includes(kind);

/** A unified diff that changes a line of a file. */
function patchOf(folder, item) {
  const [, ...rest] = item.filePath.split("/");
  const lines = readFileSync(path.join(folder, ...rest), "utf8").split("\n");
  const at = Math.min(item.startLine, lines.length) - 1;
  const before = lines.slice(Math.max(0, at - 3), at);
  const after = lines.slice(at + 1, at + 4);
  const name = rest.join("/");
  return [
    `--- a/${name}`,
    `+++ b/${name}`,
    `@@ -${at - before.length + 1},${before.length + 1 + after.length} +${at - before.length + 1},${before.length + 1 + after.length} @@`,
    ...before.map((line) => ` ${line}`),
    `-${lines[at]}`,
    `+${lines[at]} `,
    ...after.map((line) => ` ${line}`),
    "",
  ].join("\n");
}

/** Calls by tool: what of a symbol they ask. `n` draws a number below another, `pick` an entry of a list. */
const CALLS = {
  getOutline: ({ item, pick }) => ({ symbol: item.path, form: pick(["tree", "compact", "outline", "source"]) }),
  searchApi: ({ item, pick }) => ({
    labelQuery: pick([item.name, item.name.slice(0, 3), `${item.name} ${item.kind}`]),
    external: pick([true, false, false]),
  }),
  resolveSymbol: ({ item, pick }) => ({ symbol: pick([item.path, item.name]) }),
  findReferences: ({ item, pick, n }) => ({
    symbol: item.path,
    relation: pick([undefined, undefined, undefined, "callers", "callees", "implementations", "overrides"]),
    tiers: pick([undefined, undefined, ["exact", "inferred", "name"]]),
    limit: 1 + n(50),
  }),
  resolveSymbolAtPosition: ({ item, n }) => ({
    filePath: item.filePath,
    position: { line: item.startLine + n(3), character: 1 + n(30) },
  }),
  getTypeMembers: ({ type, pick }) => ({
    name: type.path,
    includeInherited: pick([true, false]),
    includeDocs: pick([true, false]),
  }),
  getClassHierarchy: ({ type, n }) => ({ name: type.path, maxSuperDepth: n(4), maxSubDepth: n(4) }),
  status: ({ pick }) => ({
    list: pick(["skipped", "syntaxErrors", "pending", "projects", "projectProblems", "texts"]),
  }),
  getLiveContext: ({ item }) => ({ filePath: item.filePath }),
  applyEdit: ({ item }) => ({
    dryRun: true,
    edits: [{ filePath: item.filePath, baseVersion: "none", changes: [{ startLine: 1, endLine: 1, text: "x\n" }] }],
  }),
  getContext: ({ item, pick, n }) =>
    pick([{}, { list: true }, { query: `how does ${item.name} work`, maxTokens: 500 + n(4000) }, { focus: item.path }]),
  reviewChanges: ({ item, folder, pick }) => ({
    patch: patchOf(folder, item),
    step: pick(["index", "plan", "bundle", "findings", "prompt"]),
  }),
  remember: ({ item }) => ({ text: `About ${item.name}: it stays.`, symbols: [item.path] }),
  recall: ({ item }) => ({ query: item.name }),
  forget: ({ n }) => ({ ids: [1 + n(5)] }),
  pin: ({ item, pick }) => ({ action: pick(["pin", "unpin", "add", "dismiss", "clear"]), symbols: [item.path] }),
  pack: ({ item, pick }) => ({ action: pick(["build", "list", "show"]), name: "mine", filter: `type:*${item.name}*` }),
  changes: ({ n }) => ({ since: n(200) }),
  hashes: ({ item }) => ({ symbol: item.path }),
  exportGraph: ({ type, pick }) => pick([{}, { symbol: type.path }, { symbol: type.path, depth: 2 }]),
  aliases: () => ({}),
  invalidate: ({ type }) => ({ symbol: type.path }),
  getSemantic: ({ type, pick }) => ({ symbol: type.path, prompt: pick(["needed", "always", "never"]) }),
  describe: ({ type }) => ({ symbol: type.path, dryRun: true }),
  submitSemantic: ({ item }) => ({ ticket: item.path, text: "ROLE:\nNone." }),
  op: ({ n }) => ({ opId: `op-${n(9)}` }),
  investigate: ({ item }) => ({ question: `What is ${item.name} for?`, byHand: true }),
};

/** Names of tools as the first binary has them. */
async function toolNames() {
  const child = spawn(values.one, ["tools", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const part of child.stdout) {
    text += part;
  }
  return JSON.parse(text).map((tool) => tool.name.replace("codecortex_", ""));
}

function drawn(folder, symbols, tools, count, seed) {
  const next = random(seed);
  const n = (below) => Math.floor(next() * below);
  const pick = (list) => list[n(list.length)];
  const types = symbols.filter(isType);
  return Array.from({ length: count }, (_, id) => {
    const tool = pick(tools);
    const item = pick(symbols);
    const type = types.length > 0 ? pick(types) : item;
    const args = CALLS[tool]({ folder, item, type, pick, n });
    // Some answers are cut: the budget is part of them.
    const budget = n(5) === 0 ? { maxTokens: 60 + n(1500) } : {};
    const format = n(6) === 0 ? { format: pick(["text", "both"]) } : {};
    return { id, tool: `codecortex_${tool}`, args: { ...args, ...budget, ...format } };
  });
}

const known = await toolNames();
const wanted = values.only?.split(",") ?? known;
const tools = wanted.filter((name) => known.includes(name) && name in CALLS);
const left = known.filter((name) => !(name in CALLS));
process.stderr.write(`tools: ${tools.join(" ")}\n${left.length > 0 ? `without: ${left.join(" ")}\n` : ""}`);

const took = new Map();
function note(which, call, line) {
  const key = call.tool.replace("codecortex_", "");
  const of = took.get(key) ?? { one: [], other: [] };
  of[which].push(JSON.parse(line).ms);
  took.set(key, of);
}

let differing = 0;
let total = 0;
let failed = 0;
for (const [number, folder] of values.folders.split(",").entries()) {
  const symbols = await symbolsOf(folder);
  const calls = drawn(folder, symbols, tools, Number(values.calls), Number(values.seed) + number);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const one = await answers(values.one, folder, calls);
    const other = await answers(values.other, folder, calls);
    for (const [at, call] of calls.entries()) {
      total += 1;
      note("one", call, one[at]);
      note("other", call, other[at]);
      failed += JSON.parse(one[at]).result.ok ? 0 : 1;
      const [a, b] = [comparable(one[at]), comparable(other[at])];
      if (a !== b) {
        differing += 1;
        if (differing <= 5) {
          const from = [...a].findIndex((letter, place) => letter !== b[place]);
          const near = (text) => text.slice(Math.max(0, from - 120), from + 200);
          console.log(`${JSON.stringify(call)}\n  one:   ${near(a)}\n  other: ${near(b)}`);
        }
      }
    }
  }
}
console.log(`${total} calls, ${failed} of them failures, ${differing} answered otherwise`);

const at = (list, part) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];
if (values.times) {
  for (const [tool, { one, other }] of [...took].sort()) {
    const figures = [0.5, 0.95].map((part) => `${at(one, part).toFixed(2)} → ${at(other, part).toFixed(2)} ms`);
    console.log(`${tool}: ${one.length} calls, median ${figures[0]}, p95 ${figures[1]}`);
  }
}
process.exitCode = differing > 0 ? 1 : 0;
