#!/usr/bin/env node
/**
 * Replays commits of clones and counts what keeping texts about types true costs.
 *
 *     node bench/replay.mjs --binary target/release/codecortex --checkouts DIR --repos NLog,axum,gin --commits 40
 *
 * `npm run bench -- --only replay --checkouts DIR` is the same over every clone in the folder. The work trees are moved.
 */

import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

import { clonesIn, replay } from "./lib/replay.mjs";
import { markdown } from "./lib/report.mjs";

const { values } = parseArgs({
  options: {
    binary: { type: "string", default: "target/release/codecortex" },
    checkouts: { type: "string" },
    repos: { type: "string" },
    commits: { type: "string", default: "40" },
  },
});
if (!values.checkouts) {
  throw new Error("--checkouts names the folder with the clones");
}
const names = clonesIn(values.checkouts, values.repos?.split(",") ?? readdirSync(values.checkouts).sort());
const { rows, raw } = await replay({
  binary: values.binary,
  checkouts: values.checkouts,
  names,
  commits: Number(values.commits),
  environment: process.env,
  say: (text) => process.stderr.write(`${text}\n`),
});
console.log(markdown(rows));
console.log(JSON.stringify(raw));
