/** What memory a worker's instance of the WASM module takes before it has read much: parse tables, for the most part. */

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { Instance } from "./wasm.mjs";
import { row } from "./report.mjs";

/** So many at a time: what one takes is lost in what Node itself takes and gives back. */
const WORKERS = 4;
const ROUNDS = 4;

/** Workers that have read no file, one of one language, and one of every language. */
export async function tables({ repository, wasm }) {
  const fixtures = join(repository, "crates", "syntax", "tests", "fixtures");
  const first = (language) => join(language, readdirSync(join(fixtures, language)).sort()[0]);
  const cases = {
    "no file": [],
    "one file of Go": [first("go")],
    "a file of each language": readdirSync(fixtures).map(first),
  };
  // all stay until the end: memory that one gave back would be counted for none
  const instances = [];
  const raw = {};
  try {
    for (const [what, files] of Object.entries(cases)) {
      raw[what] = { linear: [], resident: [] };
      for (let round = 0; round < ROUNDS; round++) {
        const { linear, resident } = await started(instances, wasm, fixtures, files);
        // in the first round V8 compiles functions, for all workers together
        if (round > 0) {
          raw[what].linear.push(...linear);
          raw[what].resident.push(resident);
        }
      }
    }
  } finally {
    await Promise.all(instances.map((instance) => instance.end()));
  }
  const mb = (values) => values.map((bytes) => bytes / 1e6);
  const rows = Object.entries(raw).flatMap(([what, { linear, resident }], index) => [
    row({
      section: index === 0 ? "a parse worker" : "",
      what: `linear memory after ${what}`,
      values: mb(linear),
      unit: "MB",
    }),
    row({ section: "", what: `resident memory after ${what}`, values: mb(resident), unit: "MB", beside: "all of it" }),
  ]);
  return { rows, raw };
}

/** Starts workers and has each read the files; what memory they say they have, and what the process took for each. */
async function started(instances, wasm, root, files) {
  const before = process.memoryUsage.rss();
  const linear = [];
  for (let count = 0; count < WORKERS; count++) {
    const instance = new Instance(wasm, root);
    instances.push(instance);
    linear.push((await instance.ask("analyse", { root, files, keep: false })).memory);
  }
  return { linear, resident: (process.memoryUsage.rss() - before) / WORKERS };
}
