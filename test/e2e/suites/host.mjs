/** What the extension does in a real extension host: tools, freshness, bad input, commands, status bar. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { call, callOk, isReady, outlineNames, searchNames } from "../lib/tools.mjs";
import { runCommand } from "../lib/window.mjs";

/** A Language Model tool's answer stays below this, because Copilot Chat gives the model no longer one. */
const LARGEST_ANSWER = 8000;

export const hostTests = {
  "the language model tools are those that package.json declares": async ({ host, manifest }) => {
    const declared = manifest.contributes.languageModelTools;
    const ours = async () => {
      const tools = await host("tools");
      return new Map(tools.map((tool) => [tool.name, tool]));
    };
    const byDefault = declared.filter((tool) => !tool.when);
    assert.ok(byDefault.length >= 4, `only ${byDefault.length} tools are declared`);
    const areThere = (known, tools) => {
      for (const { name, modelDescription, inputSchema } of tools) {
        const tool = known.get(name);
        assert.ok(tool, `${name} is not there for the model`);
        assert.equal(tool.description, modelDescription);
        assert.deepEqual(tool.inputSchema, inputSchema);
      }
    };
    areThere(await ours(), byDefault);
    await host("setting", { key: "codecortex.tools.profile", value: "full" });
    try {
      await until("the full profile shows every tool", async () => {
        const known = await ours();
        return declared.every(({ name }) => known.has(name));
      });
      areThere(await ours(), declared);
    } finally {
      await host("setting", { key: "codecortex.tools.profile", value: undefined });
    }
  },

  "what kind of change an edit was is told": async ({ host, workspace }) => {
    await until("every file is in the index", () => isReady(host));
    const file = join(workspace, "src", "Orders", "OrderService.cs");
    const before = readFileSync(file, "utf8");
    const { since } = (await callOk(host, "codecortex_changes", {})).data;
    try {
      writeFileSync(file, `${before}\n// a remark\n`);
      await until("a comment is a matter of looks", async () => {
        const { data } = await callOk(host, "codecortex_changes", { since, folder: "workspace/src/Orders" });
        return data.changes.some(
          ({ path, changeClass }) => path.endsWith("OrderService") && changeClass === "Cosmetic",
        );
      });
    } finally {
      writeFileSync(file, before);
    }
  },

  "the index is ready and says what was left out": async ({ host }) => {
    await until("every file is in the index", () => isReady(host));
    const { data } = await callOk(host, "codecortex_status", {});
    for (const language of ["csharp", "typescript", "python"]) {
      assert.ok(data.languages[language]?.symbols > 0, JSON.stringify(data.languages));
    }
    return `${data.files} files, ${data.lines} lines, ${data.symbols} symbols`;
  },

  "getOutline knows a C# class": async ({ host }) => {
    const names = await outlineNames(host, { symbol: "OrderService" });
    for (const name of ["MaxLines", "Placed", "PlaceAsync", "CancelAsync"]) {
      assert.ok(names.includes(name), `${name} is missing in ${names}`);
    }
    assert.ok(!names.includes("PaperCarrier"), "another file is mixed in");
  },

  "getOutline knows a TypeScript file": async ({ host }) => {
    const names = await outlineNames(host, { filePath: "web/src/orderClient.ts" });
    for (const name of ["Tracking", "Fetch", "OrderClient", "place", "OrderRefused", "formatPrice"]) {
      assert.ok(names.includes(name), `${name} is missing in ${names}`);
    }
  },

  "getOutline knows a TSX file": async ({ host }) => {
    const names = await outlineNames(host, { filePath: "web/src/CartView.tsx" });
    assert.ok(names.includes("CartView") && names.includes("CartViewProps"), String(names));
  },

  "getOutline knows a Python file, by absolute path too": async ({ host, workspace }) => {
    for (const filePath of ["tools/import_orders.py", join(workspace, "tools", "import_orders.py")]) {
      const names = await outlineNames(host, { filePath });
      for (const name of ["ImportedLine", "ImportReport", "reject", "OrderImporter", "files", "read", "run", "total"]) {
        assert.ok(names.includes(name), `${name} is missing in ${names}`);
      }
    }
  },

  "searchApi finds symbols of every language by word and by camel hump": async ({ host }) => {
    const order = await searchNames(host, "order");
    for (const name of ["OrderService", "OrderClient", "OrderImporter"]) {
      assert.ok(order.includes(name), `${name} is missing in ${order}`);
    }
    assert.ok((await searchNames(host, "OrSer")).includes("OrderService"));
  },

  "resolveSymbol goes from a suffix to the one symbol": async ({ host }) => {
    const { text } = await callOk(host, "codecortex_resolveSymbol", { symbol: "OrderService.PlaceAsync" });
    assert.match(text, /src\/Orders\/OrderService\.cs/);
    assert.match(text, /PlaceAsync/);
  },

  "what .gitignore names is not in the index": async ({ host, workspace }) => {
    mkdirSync(join(workspace, "bin"), { recursive: true });
    writeFileSync(join(workspace, "bin", "Hidden.cs"), "public class HiddenFromTheIndex { }\n");
    writeFileSync(join(workspace, "src", "Seen.cs"), "public class SeenByTheIndex { }\n");
    await until(
      "the new file is in the index",
      async () => (await searchNames(host, "SeenByTheIndex")).includes("SeenByTheIndex"),
      20_000,
    );
    assert.deepEqual(await searchNames(host, "HiddenFromTheIndex"), []);
  },

  "a deleted file leaves the index": async ({ host, workspace }) => {
    rmSync(join(workspace, "src", "Seen.cs"));
    await until(
      "the file is gone from the index",
      async () => !(await searchNames(host, "SeenByTheIndex")).includes("SeenByTheIndex"),
      20_000,
    );
  },

  "unsaved text counts, and reverting takes it back": async ({ host }) => {
    const path = "src/Orders/OrderService.cs";
    await host("open", { path });
    const find = "public const int MaxLines = 200;";
    const { isDirty } = await host("edit", { path, find, replace: `${find}\n    public void TypedJustNow() { }` });
    assert.ok(isDirty);
    const started = Date.now();
    const sees = async () => (await outlineNames(host, { symbol: "OrderService" })).includes("TypedJustNow");
    assert.ok(await sees(), "the first call after the edit did not know it");
    const seenMs = Date.now() - started;
    await host("execute", { id: "workbench.action.files.revert" });
    await until("the outline has lost it", async () => !(await sees()), 5_000);
    return `the next call knew it, and took ${seenMs} ms`;
  },

  "bad arguments are answered with a code and a hint, and the next call works": async ({ host }) => {
    const bad = [
      ["codecortex_getOutline", {}],
      ["codecortex_getOutline", { filePath: 17 }],
      ["codecortex_getOutline", { filePath: "../../etc/passwd" }],
      ["codecortex_getOutline", { filePath: "src/NoSuchFile.cs" }],
      ["codecortex_getOutline", { symbol: "OrderService", maxTokens: -1 }],
      ["codecortex_searchApi", { labelQuery: ["order"] }],
      ["codecortex_searchApi", { labelQuery: "order", searchIndex: -5 }],
      ["codecortex_resolveSymbol", { symbol: "NoSuchSymbolAnywhere" }],
    ];
    for (const [name, input] of bad) {
      const { envelope } = await call(host, name, input);
      const shown = `${name} ${JSON.stringify(input)} -> ${JSON.stringify(envelope)}`;
      assert.equal(envelope.ok, false, shown);
      assert.match(envelope.error.code, /^(InvalidParams|NotFound|SymbolNotFound|AccessDenied)$/, shown);
      assert.ok(envelope.error.message.length > 0 && envelope.error.hint?.length > 0, shown);
    }
    assert.ok((await outlineNames(host, { symbol: "Order" })).includes("Total"));
  },

  "an answer too long for Copilot is cut, says so, and the cursor brings all of it": async ({ host }) => {
    const seen = new Set();
    let cursor;
    let pages = 0;
    do {
      const { data, text } = await callOk(host, "codecortex_searchApi", {
        labelQuery: "WideMethod",
        ...(cursor === undefined ? {} : { cursor }),
      });
      assert.ok(Buffer.byteLength(text) <= LARGEST_ANSWER, `an answer of ${Buffer.byteLength(text)} bytes`);
      for (const [name] of text.matchAll(/WideMethod\d{3}/g)) {
        seen.add(name);
      }
      cursor = data.nextCursor;
      pages += 1;
    } while (cursor && pages < 200);
    assert.equal(seen.size, 600);
    assert.ok(pages > 1, "all on one page");
    return `${pages} pages`;
  },

  "the outline of a very wide class stays below the limit": async ({ host }) => {
    const { text } = await callOk(host, "codecortex_getOutline", { symbol: "Wide" });
    assert.ok(Buffer.byteLength(text) <= LARGEST_ANSWER, `${Buffer.byteLength(text)} bytes`);
    assert.match(text, /WideMethod000/);
    return `${Buffer.byteLength(text)} bytes`;
  },

  "tools answer in well under a second": async ({ host }) => {
    const times = [];
    for (let round = 0; round < 20; round += 1) {
      for (const [name, input] of [
        ["codecortex_getOutline", { symbol: "OrderService" }],
        ["codecortex_searchApi", { labelQuery: "place" }],
      ]) {
        times.push((await callOk(host, name, input)).ms);
      }
    }
    times.sort((a, b) => a - b);
    const p95 = times[Math.floor(times.length * 0.95)];
    assert.ok(p95 < 250, `p95 ${p95.toFixed(0)} ms through VS Code`);
    return `p50 ${times[times.length >> 1].toFixed(1)} ms, p95 ${p95.toFixed(1)} ms through VS Code`;
  },

  "the status bar shows the state and its tooltip the figures": async ({ window: { page, screenshot } }) => {
    const item = page.locator(".statusbar-item", { hasText: "CodeCortex" });
    await item.waitFor();
    await item.hover();
    const tooltip = page.locator(".monaco-hover:visible", { hasText: "Symbols" });
    await tooltip.waitFor();
    const shown = await tooltip.innerText();
    assert.match(shown, /CodeCortex — ready/);
    assert.match(shown, /Files\s+\d/);
    await screenshot("status-bar");
    await page.mouse.move(640, 200);
  },

  "every declared command exists": async ({ host, manifest }) => {
    const known = await host("commands", { prefix: "codecortex." });
    for (const { command } of manifest.contributes.commands) {
      assert.ok(known.includes(command), `${command} is not registered`);
    }
  },

  "Show Outline of This File opens the outline of the open file": async ({ host, window: { page, screenshot } }) => {
    await host("open", { path: "web/src/cart.ts" });
    await runCommand(page, "CodeCortex: Show Outline of This File");
    const text = await until(
      "the outline is open",
      async () => {
        const { text } = await host("activeText");
        return text?.includes("CartLine") && !text.includes("#lines.push") ? text : undefined;
      },
      20_000,
    );
    for (const name of ["Cart", "total", "add", "of"]) {
      assert.ok(text.includes(name), `${name} is missing in the outline`);
    }
    await screenshot("outline");
  },

  "Show Status and Show Log open something to read": async ({ host, window: { page, screenshot } }) => {
    await runCommand(page, "CodeCortex: Show Status");
    await until("the status is shown", async () => /files/i.test((await host("activeText")).text ?? ""), 20_000);
    await runCommand(page, "CodeCortex: Show Log");
    await page.locator(".part.panel", { hasText: "Output" }).waitFor();
    await screenshot("log");
    await host("execute", { id: "workbench.action.closePanel" });
    await host("execute", { id: "workbench.action.closeAllEditors" });
  },

  "Reindex reads everything again and ends ready": async ({ host, window: { page } }) => {
    await runCommand(page, "CodeCortex: Reindex Workspace");
    await until("the index is ready again", () => isReady(host), 60_000);
    assert.ok((await searchNames(host, "OrderService")).includes("OrderService"));
  },

  "files no compiler would take neither stop the index nor the engine": async ({ host, workspace }) => {
    const folder = join(workspace, "src", "Odd");
    const { workerRestarts } = await host("execute", { id: "codecortex.internal.diagnostics" });
    mkdirSync(folder);
    const odd = {
      "Deep.cs": `class Deep { int X = ${"(\n".repeat(10_000)}1${")\n".repeat(10_000)}; }\n`,
      "deep.ts": `export const deep = ${"[\n".repeat(10_000)}${"]\n".repeat(10_000)};\n`,
      "deep.py": `deep = ${"(\n".repeat(10_000)}1${")\n".repeat(10_000)}\n`,
      "Half.cs": "public class Whole { }\npublic class Half { public void Typed(int a, ",
      "Nul.cs": Buffer.from("public class Nul { }\0\0\0\0", "latin1"),
      "latin1.py": Buffer.from("# caf\xe9\nclass Latin:\n    pass\n", "latin1"),
      "Wide16.cs": Buffer.from("\ufeffpublic class Sixteen { }\n", "utf16le"),
      "empty.py": "",
      "oneline.js": `const x = [${"1,".repeat(25_000_000)}];\n`,
      "Last.cs": "public class LastOfTheOdd { }\n",
    };
    for (const [name, text] of Object.entries(odd)) {
      writeFileSync(join(folder, name), text);
    }
    await until("the last file is in the index", async () =>
      (await searchNames(host, "LastOfTheOdd")).includes("LastOfTheOdd"),
    );
    await until("every file was looked at", () => isReady(host));
    const { data } = await callOk(host, "codecortex_status", { list: "skipped", folder: "workspace/src/Odd" });
    assert.ok(
      data.list.some(({ filePath }) => filePath.endsWith("oneline.js")),
      `the file of 50 MB is not listed as left out: ${JSON.stringify(data.list)}`,
    );
    const half = (await callOk(host, "codecortex_getOutline", { filePath: "src/Odd/Half.cs" })).data;
    assert.equal(half.declarations[0].name, "Whole");
    assert.ok(half.syntaxErrors > 0);
    const now = await host("execute", { id: "codecortex.internal.diagnostics" });
    assert.equal(now.workerRestarts, workerRestarts, "the engine died");
    rmSync(folder, { recursive: true });
    return data.list.map(({ filePath, reason }) => `${filePath.split("/").at(-1)} ${reason}`).join(", ");
  },

  "the form of the answers follows the setting": async ({ host }) => {
    const ask = async () =>
      (await host("invokeTool", { name: "codecortex_getOutline", input: { symbol: "Cart" } })).parts;
    await host("setting", { key: "codecortex.answers.format", value: "text" });
    await until("the answer is text", async () => /^export class Cart|^.*: export class Cart/m.test((await ask())[0]));
    await host("setting", { key: "codecortex.answers.format", value: undefined });
    await until("the answer is JSON again", async () => (await ask())[0].startsWith('{"ok":true'));
  },

  "a call that is cancelled at once ends at once, and the next one works": async ({ host }) => {
    const started = Date.now();
    const input = { labelQuery: "Step" };
    const outcome = await host("invokeTool", { name: "codecortex_searchApi", input, cancelAfterMs: 0 }).catch(String);
    assert.ok(Date.now() - started < 5_000, "the cancelled call went on");
    assert.match(JSON.stringify(outcome), /cancel|parts/i);
    assert.ok((await searchNames(host, "OrderService")).includes("OrderService"));
  },

  "an engine that dies is restarted, the user is told once, and nothing is lost": async ({ host, window }) => {
    const diagnose = () => host("execute", { id: "codecortex.internal.diagnostics" });
    const before = await diagnose();
    await host("execute", { id: "codecortex.internal.crashWorker" });
    const after = await until("the engine runs again", async () => {
      const now = await diagnose();
      return (
        now.workerRestarts > before.workerRestarts && now.life === "running" && now.state?.phase === "ready" && now
      );
    });
    assert.equal(after.workerRestarts, before.workerRestarts + 1);
    assert.ok((await outlineNames(host, { symbol: "OrderService" })).includes("PlaceAsync"));
    const told = window.page.locator(".notification-toast", { hasText: "crashed and is being restarted" });
    await told.waitFor();
    assert.equal(await told.count(), 1);
    await window.screenshot("crash");
    await host("execute", { id: "notifications.clearAll" });
  },
};
