/**
 * What texts about types ask of the program: a prompt in a big workspace, and a queue of all the types of one (SPEC SE1, SE3).
 */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { inBatch } from "./binary.mjs";
import { quantile } from "./measure.mjs";
import { digits, row } from "./report.mjs";

const PROMPTS = { quick: 100, usual: 400 };
const PROMPT_TOKENS = 100_000;
const FILES = 5_000;
const TYPES_IN_FILE = 10;
const PATIENCE_MS = 30_000;

/** A prompt for types all over the big corpus, the whole text each. */
export async function prompts({ tree, cache, quick, ...context }) {
  const root = join(cache, "texts");
  rmSync(root, { recursive: true, force: true });
  cpSync(tree("million"), root, { recursive: true, dereference: true });
  init(context, root);
  const types = typesOf(root);
  const many = quick ? PROMPTS.quick : PROMPTS.usual;
  const chosen = Array.from({ length: many }, (_, at) => types[Math.floor((at * types.length) / many)]);
  const [times, tokens] = [[], []];
  await inBatch(context, root, async (ask) => {
    const question = async ({ id }) => {
      const args = { symbol: id, prompt: "always", maxTokens: PROMPT_TOKENS };
      const given = await ask(1, "codecortex_getSemantic", args);
      const { ok, data, error } = given.answer.result;
      if (!ok || !data.prompt) {
        throw new Error(`${id}: ${JSON.stringify(error ?? data)}`);
      }
      tokens.push(data.promptTokens);
      return given;
    };
    // The first reads what every other needs, too.
    await question(types[0]);
    tokens.pop();
    for (const type of chosen) {
      times.push(await question(type));
    }
  });
  rmSync(root, { recursive: true });
  const spent = times.map(({ wall, cpu }) => cpu || wall);
  return {
    rows: [
      row({
        section: "texts",
        what: "a prompt for the whole text of a type, p95, processor time of the main thread",
        values: spent,
        shown: quantile(spent, 0.95),
        unit: "ms",
        target: ["≤", 5],
        beside: `p50 ${digits(quantile(spent, 0.5))} ms, the slowest ${digits(Math.max(...spent))} ms, one of ${types.length} types`,
        note: `${digits(quantile(tokens, 0.5))} tokens at the median, ${digits(quantile(tokens, 0.95))} at p95`,
      }),
    ],
    raw: times.map(({ wall, own, cpu }, at) => ({ wall, own, cpu, tokens: tokens[at] })),
  };
}

/** Every type of a workspace with 50,000 waits for its text, also for the next process, and is taken out again. */
export async function queue({ cache, ...context }) {
  const root = join(cache, "texts-queue");
  const all = FILES * TYPES_IN_FILE;
  makeTypes(root);
  init(context, root);
  const steps = {};
  const want = async (ask, what, args, expected) => {
    const started = performance.now();
    const { answer } = await ask(1, "codecortex_describe", { all: true, ...args });
    if (answer.result.data?.total !== all) {
      throw new Error(`${what}: ${JSON.stringify(answer.result)}`);
    }
    await waiting(ask, what, expected);
    steps[what] = performance.now() - started;
  };
  await inBatch(context, root, (ask) => want(ask, "all are queued", {}, all));
  await inBatch(context, root, async (ask) => {
    const started = performance.now();
    await waiting(ask, "the next process", all);
    steps["the next process knows that they are"] = performance.now() - started;
    await want(ask, "all are taken out again", { cancel: true }, 0);
  });
  rmSync(root, { recursive: true });
  const rows = Object.entries(steps).map(([what, wall], at) =>
    row({ section: at === 0 ? "queue" : "", what: `of ${all} texts, ${what}, wall`, values: [wall], unit: "ms" }),
  );
  return { rows, raw: steps };
}

/** Waits until `codecortex_status` says that so many texts wait. */
async function waiting(ask, what, expected) {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { answer } = await ask(1, "codecortex_status", {});
    const found = answer.result.data?.context[0]?.waiting;
    if (found === expected) {
      return;
    }
    if (performance.now() > until) {
      throw new Error(`${what}: ${found} wait, not ${expected}`);
    }
    await sleep(20);
  }
}

function init({ binary, environment }, root) {
  execFileSync(binary, ["init", "--root", root], { env: environment, stdio: ["ignore", "ignore", "inherit"] });
}

function typesOf(root) {
  return JSON.parse(readFileSync(join(root, ".context", "index.json"), "utf8")).types;
}

function makeTypes(root) {
  rmSync(root, { recursive: true, force: true });
  for (let file = 0; file < FILES; file += 1) {
    const folder = join(root, `Area${Math.floor(file / 100)}`);
    mkdirSync(folder, { recursive: true });
    const types = Array.from({ length: TYPES_IN_FILE }, (_, at) => {
      const name = `Part${file}x${at}`;
      return `/// <summary>Counts ${name}.</summary>\npublic class ${name} {\n    public int Count(int by) => by + ${at};\n}\n`;
    });
    writeFileSync(join(folder, `Parts${file}.cs`), `namespace Area;\n${types.join("")}`);
  }
}
