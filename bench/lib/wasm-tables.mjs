/** What memory a worker's instance of the WASM module takes before it has read much: parse tables, for the most part. */

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { Instance } from "./wasm.mjs";
import { row } from "./report.mjs";

/** So many at a time: what one takes is lost in what Node itself takes and gives back. */
const WORKERS = 8;

/** Workers that have read one file of one language, and of every language. */
export async function tables({ repository, wasm }) {
  const fixtures = join(repository, "crates", "syntax", "tests", "fixtures");
  const first = (language) => join(language, readdirSync(join(fixtures, language)).sort()[0]);
  const every = readdirSync(fixtures).map(first);
  const raw = {};
  for (const [what, files] of [
    ["no file", []],
    ["one file of Go", [first("go")]],
    ["a file of each language", every],
  ]) {
    raw[what] = await measure(wasm, fixtures, files);
  }
  const mb = (values) => values.map((bytes) => bytes / 1e6);
  const rows = Object.entries(raw).flatMap(([what, { linear, resident }], index) => [
    row({
      section: index === 0 ? "a worker's memory" : "",
      what: `linear, after ${what}`,
      values: mb(linear),
      unit: "MB",
    }),
    row({ section: "", what: `resident, after ${what}`, values: mb(resident), unit: "MB", beside: "all of a worker" }),
  ]);
  return { rows, raw };
}

async function measure(wasm, root, files) {
  const resident = [];
  let linear = [];
  // the first round has V8 compile functions, for all workers together
  for (let round = 0; round < 4; round++) {
    const before = process.memoryUsage.rss();
    const instances = Array.from({ length: WORKERS }, () => new Instance(wasm, root));
    try {
      const answers = [];
      for (const instance of instances) {
        answers.push(await instance.ask("analyse", { root, files, keep: false }));
      }
      linear = answers.map(({ memory }) => memory);
      if (round > 0) {
        resident.push((process.memoryUsage.rss() - before) / WORKERS);
      }
    } finally {
      await Promise.all(instances.map((instance) => instance.end()));
    }
  }
  return { linear, resident };
}
