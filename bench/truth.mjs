#!/usr/bin/env node
/**
 * Answers of the tools beside those of real compilers, a search by name and ctags.
 *
 *     node bench/truth.mjs --truth DIR --corpora DIR [--only LANG,…] [--binary PATH] [--out DIR]
 *
 * `--truth` has `dev/<lang>-<corpus>.jsonl` files and a `score.py`; `--corpora` the sources, one folder
 * `<lang>/<corpus>` each. Every symbol is asked for through `codecortex batch`, as a script would: its
 * references by position, page by page; the definition of each reference; direct bases and derived types;
 * the declaration around a place. Predictions go to `--out`; the scorer's tables by kind and popularity and
 * a table of all languages go to stdout.
 */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { markdown } from "./lib/report.mjs";
import { truth } from "./lib/truth.mjs";

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
const tell = (text) => console.log(text);
const { rows } = await truth({ ...values, only: values.only?.split(","), tell });
console.log(markdown(rows));
