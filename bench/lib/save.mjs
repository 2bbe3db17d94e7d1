/** From a saved file to answers that know it: of a server that runs, and of a process that is started then. */

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { Server } from "./mcp.mjs";
import { digits, row } from "./report.mjs";

/** Files of about so many bytes are the usual ones. */
const USUAL = 8_000;
/** Where a method of a class in a namespace begins, with its indentation. */
const METHOD = /\n( {8}|\t\t)public \w+ \w+\([^()]*\)\s*\{/;
/** An answer that takes longer never comes. */
const PATIENCE = 10_000;

/** Saves in the big corpus, one file of it; it is put back. */
export async function save({ rounds, tree, binary, environment }) {
  const root = tree("million");
  const file = new Saved(root);
  const server = new Server(binary, root, environment);
  const times = { body: [], signature: [], fresh: [] };
  try {
    await server.initialize();
    await server.call("codecortex_status", {}); // the index is built now
    for (let round = 0; round < rounds * 4; round++) {
      times.signature.push(await knows(server, file.write(round, 1), round, 1));
      times.body.push(await knows(server, file.write(round, 2), round, 2));
    }
    await server.end();
    for (let round = 0; round < rounds * 2; round++) {
      file.write(`Fresh${round}`, 1);
      times.fresh.push(fresh(binary, root, environment, `Fresh${round}`));
    }
  } finally {
    file.restore();
    await server.end();
  }
  const beside = `${file.path}, ${digits(file.bytes / 1e3)} kB of 1.2 M lines`;
  const figure = (what, values, most) =>
    row({ section: "save", what, values, unit: "ms", target: ["≤", most], beside, note: "wall, the call included" });
  return {
    rows: [
      figure("a body that changed, until the uses in it are answered", times.body, 50),
      figure("a method that came and one that went, until it is answered", times.signature, 300),
      figure("a new `codecortex call` after one changed file", times.fresh, 200),
    ],
    raw: times,
  };
}

/** A usual file of C# with a method of the benchmark's own in it. */
class Saved {
  constructor(root) {
    const found = sources(root).sort((a, b) => Math.abs(a.size - USUAL) - Math.abs(b.size - USUAL));
    for (const { path } of found) {
      this.text = readFileSync(path, "utf8");
      const method = METHOD.exec(this.text);
      if (method) {
        this.place = path;
        this.path = relative(root, path);
        this.bytes = Buffer.byteLength(this.text);
        [this.at, this.indent] = [method.index, method[1]];
        return;
      }
    }
    throw new Error(`no file below ${root} has a method`);
  }

  /** Saves it with a method of that name that calls itself so many times; says when it was on the disk. */
  write(name, calls) {
    const method = `\n${this.indent}public void Bench${name}() { ${`Bench${name}(); `.repeat(calls)}}\n`;
    writeFileSync(this.place, this.text.slice(0, this.at) + method + this.text.slice(this.at));
    return performance.now();
  }

  restore() {
    writeFileSync(this.place, this.text);
  }
}

function sources(root) {
  const paths = readdirSync(root, { recursive: true }).filter((path) => path.endsWith(".cs"));
  return paths.map((path) => ({ path: join(root, path), size: statSync(join(root, path)).size }));
}

const question = (name) => ({ symbol: `Bench${name}`, limit: 5, format: "json" });

/** How long it takes until a server knows so many uses of the method. */
async function knows(server, since, name, uses) {
  while (performance.now() - since < PATIENCE) {
    const { structuredContent } = await server.call("codecortex_findReferences", question(name));
    if (isKnown(structuredContent, uses)) {
      return performance.now() - since;
    }
  }
  throw new Error(`no answer knows of the save after ${PATIENCE} ms`);
}

/** How long a new process takes that has to notice the save by itself. */
function fresh(binary, root, environment, name) {
  const begun = performance.now();
  const args = ["call", "codecortex_findReferences", "--root", root, "--args", JSON.stringify(question(name))];
  const answer = execFileSync(binary, args, { env: environment, encoding: "utf8" });
  const spent = performance.now() - begun;
  if (!isKnown(JSON.parse(answer), 1)) {
    throw new Error(`the new process does not know of the save: ${answer.slice(0, 300)}`);
  }
  return spent;
}

function isKnown({ ok, data }, uses) {
  return ok && data.total === uses;
}
