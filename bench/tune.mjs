#!/usr/bin/env node
/**
 * Finds the weights of signals from what commits edited, with a nested split: the strength of the penalty is chosen on
 * repositories that the weights were not fitted on, and what is reported is of a repository that neither has seen.
 *
 *     cargo run --release -p codecortex-context --example context_bench -- features \
 *       --tasks TASKS.jsonl --checkouts DIR --out features.bin
 *     node bench/tune.mjs --features features.bin [--focus] [--params crates/retrieval/params.toml]
 *
 * It prints the held-out figures with the weights that are in use beside those it found, what each signal is worth there
 * (the loss without it), and the table for `params.toml`. Weights of files, prices of lines and the temperature are not touched.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({
  options: {
    features: { type: "string" },
    params: { type: "string", default: "crates/retrieval/params.toml" },
    focus: { type: "boolean", default: false },
    rounds: { type: "string", default: "150" },
  },
});
if (!given.features) {
  throw new Error("--features names what `context_bench features` wrote");
}

/** Penalties that are tried. */
const PENALTIES = [1e-4, 1e-3, 1e-2, 1e-1];
/** Declarations that an answer of some thousand tokens names. */
const SHOWN = [10, 40];
const STEP = 0.3;

const table = given.focus ? "focus_weights" : "weights";
const params = weightsOf(readFileSync(given.params, "utf8"), table);
const names = namesOf(readFileSync(new URL("../crates/retrieval/src/features.rs", import.meta.url), "utf8"));
const groups = read(given.features, names.length).filter(({ hasFocus }) => hasFocus === given.focus);
const repositories = [...new Set(groups.map(({ key }) => key))];
if (repositories.length < 3) {
  throw new Error(`a nested split needs three repositories; there are ${repositories.join(", ")}`);
}

const now = names.map((name) => params.get(name) ?? 0);
const rounds = Number(given.rounds);
const sums = { now: [0, 0], found: [0, 0], tasks: 0 };
for (const out of repositories) {
  const held = groups.filter(({ key }) => key === out);
  const rest = groups.filter(({ key }) => key !== out);
  const penalty = penaltyFor(rest);
  const weights = fit(rest, penalty);
  const [before, after] = [recall(held, now), recall(held, weights)];
  console.log(`${out}: ${held.length} tasks, penalty ${penalty}, in use ${shown(before)}, found ${shown(after)}`);
  before.forEach((value, at) => (sums.now[at] += value * held.length));
  after.forEach((value, at) => (sums.found[at] += value * held.length));
  sums.tasks += held.length;
}
const mean = (all) => all.map((value) => value / sums.tasks);
console.log(`held out, all: in use ${shown(mean(sums.now))}, found ${shown(mean(sums.found))}\n`);

const weights = fit(groups, penaltyFor(groups));
const whole = recall(groups, now);
console.log("what is lost without a signal, in use, in points at 10 and 40 declarations:");
for (const [at, name] of names.entries()) {
  const without = recall(
    groups,
    now.map((weight, other) => (other === at ? 0 : weight)),
  );
  const lost = whole.map((value, which) => value - without[which]);
  if (lost.some((value) => Math.abs(value) >= 0.05)) {
    console.log(`  ${name}: ${lost.map((value) => value.toFixed(1)).join(" ")}`);
  }
}
console.log(`\n[${table}]`);
for (const [at, name] of names.entries()) {
  if (Math.abs(weights[at]) >= 0.0005) {
    console.log(`${name} = ${weights[at].toFixed(3)}`);
  }
}

/** The penalty that is best on repositories which the weights were not fitted on. */
function penaltyFor(tasks) {
  const keys = [...new Set(tasks.map(({ key }) => key))];
  const scores = PENALTIES.map((penalty) => {
    const scored = keys.map((key) => {
      const weights = fit(
        tasks.filter((task) => task.key !== key),
        penalty,
      );
      return recall(
        tasks.filter((task) => task.key === key),
        weights,
      )[0];
    });
    return scored.reduce((sum, score) => sum + score, 0) / scored.length;
  });
  return PENALTIES[scores.indexOf(Math.max(...scores))];
}

/**
 * Weights with which the edited declarations of each task are likely among its candidates: the likelihood of a choice among
 * many, climbed by its gradient with steps that adapt to each weight.
 */
function fit(tasks, penalty) {
  const weights = [...now];
  const squares = names.map(() => 1e-6);
  for (let round = 0; round < rounds; round++) {
    const gradient = weights.map((weight) => -penalty * weight);
    for (const task of tasks) {
      climb(task, weights, gradient, 1 / tasks.length);
    }
    for (const [at, slope] of gradient.entries()) {
      squares[at] = 0.9 * squares[at] + 0.1 * slope * slope;
      weights[at] += (STEP / (1 + round / 20)) * (slope / (Math.sqrt(squares[at]) + 1e-3)) * 0.1;
    }
  }
  return weights;
}

function climb({ rows, gold }, weights, gradient, share) {
  const scores = rows.map((row) => dot(row, weights));
  const best = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - best));
  const total = odds.reduce((sum, value) => sum + value, 0);
  const each = share / gold.length;
  for (const at of gold) {
    rows[at].forEach((value, feature) => (gradient[feature] += each * value));
  }
  for (const [at, row] of rows.entries()) {
    const likely = (share * odds[at]) / total;
    if (likely > 1e-9) {
      row.forEach((value, feature) => (gradient[feature] -= likely * value));
    }
  }
}

/** Percent of the edited declarations among the first ones, for each length of [`SHOWN`]. */
function recall(tasks, weights) {
  const sums = SHOWN.map(() => 0);
  for (const { rows, gold, wanted } of tasks) {
    const scores = rows.map((row) => dot(row, weights));
    const order = scores.map((_, at) => at).sort((a, b) => scores[b] - scores[a] || a - b);
    const places = new Map(order.map((at, place) => [at, place]));
    SHOWN.forEach((most, which) => {
      sums[which] += gold.filter((at) => places.get(at) < most).length / Math.max(1, wanted);
    });
  }
  return sums.map((sum) => (100 * sum) / Math.max(1, tasks.length));
}

function dot(row, weights) {
  let sum = 0;
  for (let at = 0; at < row.length; at++) {
    sum += row[at] * weights[at];
  }
  return sum;
}

function shown(figures) {
  return figures.map((figure, at) => `${figure.toFixed(1)} % in ${SHOWN[at]}`).join(", ");
}

/** Tasks with their candidates, and which of these were edited; those without one teach nothing. */
function read(path, features) {
  const about = readFileSync(`${path}.groups`, "utf8").trim().split("\n");
  const bytes = readFileSync(path);
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const width = features + 4;
  const tasks = about.map((line) => {
    const [id, hasFocus, key, wanted] = line.split("\t");
    return { id, hasFocus: hasFocus === "true", key, wanted: Number(wanted), rows: [], gold: [] };
  });
  for (let start = 0; start < numbers.length; start += width) {
    const task = tasks[numbers[start]];
    const row = numbers.subarray(start + 2, start + 2 + features);
    if (numbers[start + 2 + features] > 0 || numbers[start + 3 + features] > 0) {
      task.gold.push(task.rows.length);
    }
    task.rows.push(row);
  }
  return tasks.filter(({ gold }) => gold.length > 0);
}

/** The words of the signals, in the order in which they are written. */
function namesOf(source) {
  return [...source.matchAll(/^ {4}\w+ = "(\w+)", "[^"]*";$/gmu)].map(([, word]) => word);
}

function weightsOf(toml, name) {
  const section = toml.split(/^\[/mu).find((part) => part.startsWith(`${name}]`)) ?? "";
  return new Map([...section.matchAll(/^(\w+) = (-?[\d.]+)$/gmu)].map(([, key, value]) => [key, Number(value)]));
}
