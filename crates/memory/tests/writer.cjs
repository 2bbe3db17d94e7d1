// Appends observations by the extension's writer as fast as it can, as programs/writer.rs does by the native one:
// `node writer.cjs <root> <count> <name>`. TypeScript is compiled while it is loaded.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const typescript = require("typescript");

const { ModuleKind, ScriptTarget } = typescript;
const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
require.extensions[".ts"] = (module, file) => {
  const { outputText } = typescript.transpileModule(readFileSync(file, "utf8"), { compilerOptions });
  module._compile(outputText, file);
};
const { MemoryLog } = require(join(__dirname, "../../../extension/worker/memory.node.ts"));

const [root, count, name] = process.argv.slice(2);
const log = new MemoryLog(root);
for (let number = 0; number < Number(count); number += 1) {
  const draft = {
    ts: "2026-01-01 00:00:00",
    task_id: null,
    actor: "system",
    phase: "other",
    summary: `${name} ${number}`,
    detail: `what ${name} saw in step ${number}: ${"words ".repeat(20)}`,
  };
  const start = process.hrtime.bigint();
  const ids = log.append([draft]);
  const micros = (process.hrtime.bigint() - start) / 1000n;
  require("node:fs").writeSync(1, ids.map((id) => `${id} ${micros}\n`).join(""));
}
