#!/usr/bin/env node
/**
 * Uses that are nowhere (SPEC X3, D35): members of a folder at random, each beside a search of words.
 *
 *     node bench/nowhere.mjs --folder DIR --language LANG [--count 60] [--seed 1] [--binary PATH]
 *
 * A miss is a place in code where the member's name is written that is in no tier of its references, means no other
 * symbol and is not counted in `totalOutside`. Misses are printed with their places; then the exit code is 1.
 */

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { ENDINGS } from "./lib/baselines.mjs";
import { nowhere } from "./lib/nowhere.mjs";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    language: { type: "string" },
    count: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    binary: { type: "string", default: join(repository, "target/release/codecortex") },
  },
});
if (!values.folder || !(values.language in ENDINGS)) {
  process.stderr.write(`Give --folder and --language, one of ${Object.keys(ENDINGS).join(", ")}.\n`);
  process.exit(2);
}
const { checked, passedOver, misses } = await nowhere({
  ...values,
  folder: resolve(values.folder),
  count: Number(values.count),
  seed: Number(values.seed),
  tell: (text) => console.log(text),
});
console.log(
  `${checked} members, ${misses.length} with uses that are nowhere, ${passedOver} passed over (name too frequent)`,
);
process.exitCode = misses.length > 0 || checked === 0 ? 1 : 0;
