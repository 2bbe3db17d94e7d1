#!/usr/bin/env node
/**
 * What `review` says of past commits that changed an exported name, for reading by hand: which of it is not so.
 *
 *     node bench/alarms.mjs --folder DIR [--folder DIR ...] [--count 50] [--sample 100] [--seed 1] [--json FILE] [--binary PATH]
 *
 * Of each folder, a repository, the last commits that changed an exported name are reviewed, each against its parent. They
 * are checked out in a clone that is made for it and deleted afterwards; the folder itself is only read. Findings are printed
 * with commit and place and counted by category and severity; with `--sample` so many of them, drawn at random with
 * `--seed`, stand once more at the end. The exit code is 1 where a review gave no answer.
 */

import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { alarms, counted, drawn, told } from "./lib/alarms.mjs";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    folder: { type: "string", multiple: true, default: [] },
    count: { type: "string", default: "50" },
    sample: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
    binary: { type: "string", default: join(repository, "target/release/codecortex") },
  },
});
const [count, sample, seed] = [values.count, values.sample, values.seed].map(Number);
if (values.folder.length === 0 || !(count > 0) || !(sample >= 0) || !Number.isInteger(seed)) {
  process.stderr.write("Give --folder, a repository, once or more; --count, --sample and --seed are numbers.\n");
  process.exit(2);
}
const findings = [];
let [commits, unanswered] = [0, 0];
for (const folder of values.folder) {
  const found = alarms({ folder: resolve(folder), count, binary: resolve(values.binary) });
  found.findings.forEach((finding) => console.log(told(finding)));
  found.unanswered.forEach((of) => console.log(`${found.name} ${of.commit.slice(0, 10)}: no answer: ${of.why}`));
  console.log(`${found.name}: ${found.commits} commits, ${found.findings.length} findings`);
  findings.push(...found.findings);
  commits += found.commits;
  unanswered += found.unanswered.length;
}
console.log(`\n${commits} commits, ${findings.length} findings, ${unanswered} without an answer`);
counted(findings).forEach(([what, many]) => console.log(`${String(many).padStart(6)}  ${what}`));
if (sample > 0) {
  console.log(`\n${sample} of them at random, seed ${seed}:`);
  drawn(findings, sample, seed).forEach((finding) => console.log(told(finding)));
}
if (values.json) {
  writeFileSync(values.json, `${JSON.stringify(findings, undefined, 1)}\n`);
}
process.exitCode = unanswered > 0 || commits === 0 ? 1 : 0;
