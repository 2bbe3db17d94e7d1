/** A type and a method with 20,000 uses each: what the first page of them takes, natively and in WASM. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { inBatch } from "./binary.mjs";
import { digits, row } from "./report.mjs";
import { analyseAll, Instance } from "./wasm.mjs";

const FILES = 2_000;
const USES = 10;
const PAGE = 50;
/** So often everything is asked until V8 has compiled what it will. */
const ROUNDS = 4;

const page = (symbol) => ({ symbol, limit: PAGE, format: "json" });
const lines = (line) => Array.from({ length: USES }, (_, use) => line(use)).join("\n");

/** What declares the two, what uses them in a file, and how they are called. */
const LANGUAGES = {
  "C#": {
    ending: "cs",
    type: "Hub.Node",
    method: "Hub.Node.Touch",
    other: "User7.User.M7",
    declares: "namespace Hub { public class Node { public Node Next; public void Touch() { } } }",
    uses: (file) =>
      `using Hub;\nnamespace User${file} {\n  public class User {\n${lines(
        (use) => `    public void M${use}(Node node) { var next = node.Next; next.Touch(); }`,
      )}\n  }\n}\n`,
  },
  TypeScript: {
    ending: "ts",
    type: "Node",
    method: "Node.touch",
    other: "User7.m7",
    declares: "export class Node { next: Node; touch() {} }",
    uses: (file) =>
      `import { Node } from "./declares";\nexport class User${file} {\n${lines(
        (use) => `  m${use}(node: Node) { const next = node.next; next.touch(); }`,
      )}\n}\n`,
  },
};

/**
 * The first page of each, from an index that has answered another question before, and the same again: what the
 * first question finds the second one has.
 */
export async function hub({ cache, ...context }) {
  const rows = [];
  const raw = {};
  for (const [language, table] of Object.entries(LANGUAGES)) {
    const root = makeTree(join(cache, "hub"), table);
    await inBatch(context, root, async (ask) => {
      await ask(0, "codecortex_findReferences", page(table.other));
      for (const kind of ["type", "method"]) {
        const args = page(table[kind]);
        const first = await ask(1, "codecortex_findReferences", args);
        const second = await ask(2, "codecortex_findReferences", args);
        const { total } = second.answer.result.data;
        raw[`${language} ${kind}`] = { first: first.wall, second: second.wall, total };
        rows.push(
          row({
            section: "hub",
            what: `${language}: a ${kind} with ${total} uses in ${FILES} files, the first ${PAGE}, pipe included, wall`,
            values: [first.wall],
            unit: "ms",
            target: ["≤", 20],
            beside: `asked for again ${digits(second.wall)} ms; \`ms\` of the first answer ${digits(first.own)}`,
          }),
        );
      }
    });
    rmSync(root, { recursive: true });
  }
  return { rows, raw };
}

/** The same in the module, whose functions V8 has compiled for an engine before; ms of processor time. */
export async function hubWasm({ cache, wasm }) {
  const rows = [];
  const raw = {};
  for (const [language, table] of Object.entries(LANGUAGES)) {
    const root = makeTree(join(cache, "hub"), table);
    const { outcomes } = await analyseAll(wasm, root);
    const engine = new Instance(wasm, root);
    const ask = (symbol) => engine.ask("call", { tool: "codecortex_findReferences", args: page(symbol) });
    const firstPages = async () => {
      await engine.ask("open", { outcomes });
      await ask(table.other);
      return { type: (await ask(table.type)).cpu, method: (await ask(table.method)).cpu };
    };
    try {
      const compiling = await firstPages();
      for (let round = 0; round < ROUNDS; round += 1) {
        await firstPages();
      }
      const compiled = await firstPages();
      raw[language] = { compiling, compiled };
      for (const kind of ["type", "method"]) {
        rows.push(
          row({
            section: "hub, WASM",
            what: `${language}: a ${kind} with ${FILES * USES} uses in ${FILES} files, the first ${PAGE}`,
            values: [compiled[kind]],
            unit: "ms",
            target: ["≤", 40],
            beside: `while V8 compiles ${digits(compiling[kind])} ms`,
          }),
        );
      }
    } finally {
      await engine.end();
      rmSync(root, { recursive: true });
    }
  }
  return { rows, raw };
}

function makeTree(root, { ending, declares, uses }) {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, `declares.${ending}`), `${declares}\n`);
  for (let file = 0; file < FILES; file += 1) {
    writeFileSync(join(root, `uses${file}.${ending}`), uses(file));
  }
  return root;
}
