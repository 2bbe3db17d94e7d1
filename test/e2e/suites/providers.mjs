/**
 * Language providers: what VS Code's own TypeScript extension says is merged into our answers, and C#, which
 * nobody serves in this VS Code, gets its features from us.
 */

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { until } from "../lib/companion.mjs";
import { call, callOk, isReady } from "../lib/tools.mjs";
import { bestOf, LONGEST_HOLD_MS } from "./responsiveness.mjs";

const CART = "web/src/cart.ts";
const CLIENT = "web/src/orderClient.ts";
const VIEW = "web/src/CartView.tsx";
const SERVICE = "src/Orders/OrderService.cs";
const ORDER = "src/Orders/Order.cs";
const REFERENCES = "vscode.executeReferenceProvider";
const SYMBOLS = "vscode.executeDocumentSymbolProvider";
const CART_CLASS = { path: CART, line: 8, character: 14 };
/** `order.MoveTo(…)` in `PlaceAsync`. */
const MOVE_TO = { path: SERVICE, line: 40, character: 16 };

/** Waits for a C# file (test/e2e/sleeper). */
const SLEEPER = "codecortex-tests.e2e-sleeper";

/** In a window in which no file was opened yet. */
export const sleepingTests = {
  "no extension that sleeps is started by a question": async ({ host }) => {
    await until("every file is in the index", () => isReady(host), 60_000);
    const isAwake = () => host("isActive", { id: SLEEPER });
    assert.equal(await isAwake(), false, "nobody has opened a C# file");
    for (const [tool, input] of [
      ["codecortex_findReferences", { symbol: "OrderService", limit: 50 }],
      ["codecortex_getClassHierarchy", { name: "PaperCarrier" }],
      ["codecortex_resolveSymbolAtPosition", { filePath: ORDER, position: { line: 41, character: 20 } }],
    ]) {
      const { envelope, text } = await call(host, tool, input);
      assert.equal(envelope.ok, true, text);
    }
    assert.equal(await isAwake(), false, "a question opens no file");
    await host("open", { path: SERVICE });
    await until("it wakes up with the first C# file", isAwake);
  },
};

export const providersTests = {
  "references that VS Code's TypeScript confirms are of the highest tier": async ({ host }) => {
    await until("every file is in the index", () => isReady(host), 60_000);
    await host("open", { path: CART });
    await host("open", { path: CLIENT });
    // without a tsconfig it knows what is open and what that imports
    await host("open", { path: VIEW });
    await until("TypeScript knows the references", async () => {
      const found = await host("provide", { command: REFERENCES, ...CART_CLASS });
      return [CLIENT, VIEW].every((file) => found.some(({ path }) => path === file));
    });
    const { data, ms } = await callOk(host, "codecortex_findReferences", { symbol: "Cart", limit: 50 });
    const confirmed = data.references.filter(({ tier }) => tier === "provider");
    assert.ok(
      confirmed.some(({ filePath }) => filePath.endsWith(CLIENT)),
      JSON.stringify(data),
    );
    assert.ok(data.agreement.both >= 4, JSON.stringify(data.agreement));
    assert.equal(data.agreement.both, data.totalByTier.provider - data.agreement.providerOnly);
    assert.equal(data.agreement.disputed, undefined, JSON.stringify(data.agreement));
    const declared = data.references.filter(({ filePath, startLine }) => filePath.endsWith(CART) && startLine === 8);
    assert.deepEqual(declared, [], "a declaration is no reference");
    return `${data.agreement.both} agreed, ${data.agreement.providerOnly} only theirs, ${data.agreement.oursOnly} only ours, in ${ms.toFixed(0)} ms`;
  },

  "definitions are confirmed, and found where only a compiler knows them": async ({ host }) => {
    const at = { filePath: CLIENT, position: { line: 19, character: 22 } };
    const { data } = await callOk(host, "codecortex_resolveSymbolAtPosition", at);
    assert.equal(data.symbol.definition.tier, "provider", JSON.stringify(data));
    assert.ok(data.symbol.definition.filePath.endsWith(CART));
    // `JSON.stringify` is declared in a library that comes with TypeScript
    const library = { filePath: CLIENT, position: { line: 22, character: 19 } };
    const { data: outside } = await callOk(host, "codecortex_resolveSymbolAtPosition", library);
    assert.match(outside.symbol.definition.filePath, /lib\..*\.d\.ts$/);
    assert.equal(outside.symbol.definition.why, "provider-only");
    assert.match(outside.symbol.definition.preview, /stringify\(/);
  },

  "a library that an answer named may be read, and nothing beside it": async ({ host }) => {
    const library = { filePath: CLIENT, position: { line: 22, character: 19 } };
    const { data } = await callOk(host, "codecortex_resolveSymbolAtPosition", library);
    const { filePath, startLine } = data.symbol.definition;
    const lines = { filePath, startLine, endLine: startLine };
    const { data: live } = await callOk(host, "codecortex_getLiveContext", lines);
    assert.match(JSON.stringify(live), /stringify\(/);
    const { data: outline } = await callOk(host, "codecortex_getOutline", {
      filePath,
      position: { line: startLine, character: 1 },
    });
    assert.match(JSON.stringify(outline), /JSON/);
    const beside = { filePath: join(dirname(filePath), "no-such-library.d.ts") };
    const { envelope } = await call(host, "codecortex_getOutline", beside);
    assert.equal(envelope.error.code, "AccessDenied", JSON.stringify(envelope));
  },

  "what implements an interface is confirmed": async ({ host }) => {
    const { data } = await callOk(host, "codecortex_getClassHierarchy", { name: "Cart" });
    assert.equal(data.agreement?.disputed, undefined, JSON.stringify(data));
    const { providers } = (await callOk(host, "codecortex_status", {})).data;
    assert.ok(providers.both >= 4, JSON.stringify(providers));
    return `${providers.asked} asked, ${providers.timedOut} too late, ${providers.failed} failed`;
  },

  "providers are left alone where the setting says so": async ({ host }) => {
    for (const [key, value] of [
      ["codecortex.providers.merge", false],
      ["codecortex.providers.timeout", 0],
    ]) {
      await host("setting", { key, value });
      try {
        await until(`${key} counts`, async () => {
          const { data } = await callOk(host, "codecortex_findReferences", { symbol: "Cart", limit: 50 });
          return data.agreement === undefined && data.totalByTier.provider === undefined;
        });
      } finally {
        await host("setting", { key, value: undefined });
      }
    }
    await until("they are asked again", async () => {
      const { data } = await callOk(host, "codecortex_findReferences", { symbol: "Cart", limit: 50 });
      return data.agreement !== undefined;
    });
  },

  "C#, which nobody serves, has its outline from us": async ({ host }) => {
    await host("open", { path: SERVICE });
    const symbols = await outlineOf(host, SERVICE);
    const service = all(symbols).find(({ name }) => name === "OrderService");
    const members = service.children.map(({ name }) => name);
    for (const name of ["MaxLines", "Placed", "PlaceAsync", "CancelAsync"]) {
      assert.ok(members.includes(name), `${name} is missing in ${members}`);
    }
  },

  "Go to Definition, references and hover in C# are ours": async ({ host }) => {
    const definition = await host("provide", { command: "vscode.executeDefinitionProvider", ...MOVE_TO });
    assert.deepEqual(places(definition), [`${ORDER}:41`]);
    const references = await host("provide", { command: REFERENCES, ...MOVE_TO });
    assert.deepEqual(places(references), [`${ORDER}:41`, `${SERVICE}:40`, `${SERVICE}:54`]);
    const [hover] = await host("provide", { command: "vscode.executeHoverProvider", ...MOVE_TO });
    assert.match(hover.text.join("\n"), /void MoveTo\(OrderState state\)/);
    const implementations = await host("provide", {
      command: "vscode.executeImplementationProvider",
      path: "src/Shipping/Carrier.cs",
      line: 8,
      character: 19,
    });
    assert.deepEqual(places(implementations), ["src/Shipping/Carrier.cs:19"]);
  },

  "workspace symbols, type hierarchy and call hierarchy in C# are ours": async ({ host }) => {
    const found = await host("provide", { command: "vscode.executeWorkspaceSymbolProvider", query: "PaperCarrier" });
    assert.ok(places(found).includes("src/Shipping/Carrier.cs:19"), JSON.stringify(found));
    const carrier = { path: "src/Shipping/Carrier.cs", line: 8, character: 19 };
    const prepareTypes = "vscode.prepareTypeHierarchy";
    const below = await host("provide", { command: prepareTypes, ...carrier, then: "vscode.provideSubtypes" });
    assert.deepEqual(
      below.map(({ name }) => name),
      ["PaperCarrier"],
    );
    const paper = { ...carrier, line: 19, character: 23 };
    const above = await host("provide", { command: prepareTypes, ...paper, then: "vscode.provideSupertypes" });
    assert.deepEqual(
      above.map(({ name }) => name),
      ["ICarrier"],
    );
    const prepareCalls = "vscode.prepareCallHierarchy";
    const incoming = await host("provide", { command: prepareCalls, ...MOVE_TO, then: "vscode.provideIncomingCalls" });
    assert.deepEqual(incoming.map(({ name, calls }) => `${name} ${calls}`).sort(), ["CancelAsync 1", "PlaceAsync 1"]);
    const place = { path: SERVICE, line: 34, character: 34 };
    const outgoing = await host("provide", { command: prepareCalls, ...place, then: "vscode.provideOutgoingCalls" });
    assert.ok(outgoing.map(({ name }) => name).includes("BookAsync"), JSON.stringify(outgoing));
  },

  "nothing is offered where another extension serves": async ({ host }) => {
    await host("open", { path: CLIENT });
    const symbols = await host("provide", { command: SYMBOLS, path: CLIENT });
    assert.equal(symbols.filter(({ name }) => name === "OrderClient").length, 1, JSON.stringify(symbols));
    const hovers = await host("provide", { command: "vscode.executeHoverProvider", ...CART_CLASS });
    assert.equal(hovers.length, 1, JSON.stringify(hovers));
  },

  "offers end and come back with the setting, for one language or all": async ({ host }) => {
    const isOffered = async () => (await host("provide", { command: SYMBOLS, path: SERVICE })).length > 0;
    for (const [key, value] of [
      ["codecortex.languageProviders", "off"],
      ["[csharp]", { "codecortex.languageProviders": "off" }],
    ]) {
      await host("setting", { key, value });
      try {
        await until(`${key} switches them off`, async () => !(await isOffered()), 20_000);
      } finally {
        await host("setting", { key, value: undefined });
      }
      await until("they are back", isOffered, 20_000);
    }
  },

  "Lua, of which only names are known, has its outline, definitions and references from us": async (session) => {
    const { host, workspace } = session;
    const [shop, main] = ["scripts/shop.lua", "scripts/main.lua"];
    mkdirSync(join(workspace, "scripts"), { recursive: true });
    try {
      writeFileSync(join(workspace, shop), "local M = {}\n\nfunction M.restock(n)\n  return n\nend\n\nreturn M\n");
      writeFileSync(join(workspace, main), 'local shop = require("shop")\n\nshop.restock(3)\n');
      await until("both are in the index", async () => {
        const { envelope } = await call(host, "codecortex_findReferences", { symbol: "M.restock" });
        return envelope.data?.total === 1;
      });
      await host("open", { path: main });
      const outline = await outlineOf(host, shop);
      assert.ok(
        all(outline).some(({ name }) => name === "restock"),
        JSON.stringify(outline),
      );
      const use = { path: main, line: 3, character: 8 };
      assert.deepEqual(places(await host("provide", { command: "vscode.executeDefinitionProvider", ...use })), [
        `${shop}:3`,
      ]);
      assert.deepEqual(places(await host("provide", { command: REFERENCES, ...use })), [`${main}:3`, `${shop}:3`]);
      const [hover] = await host("provide", { command: "vscode.executeHoverProvider", ...use });
      assert.match(hover.text.join("\n"), /function M\.restock\(n\)/);
    } finally {
      rmSync(join(workspace, "scripts"), { recursive: true });
      await until("they are gone", async () => {
        const { envelope } = await call(host, "codecortex_findReferences", { symbol: "M.restock" });
        return !envelope.ok;
      });
    }
  },

  "the Outline view shows our declarations where nobody else does": async ({ host, window: { page, screenshot } }) => {
    await host("open", { path: SERVICE });
    await host("execute", { id: "outline.focus" });
    const row = (name) => page.locator(".outline-tree .monaco-list-row", { hasText: name }).first();
    await row("OrderService").waitFor();
    await row("MaxLines").waitFor();
    await screenshot("outline");
  },

  "asking and answering never takes more than 5 ms of the extension host's time at once": async (session) => {
    const { host } = session;
    const references = { command: REFERENCES, path: ORDER, line: 8, character: 21 };
    return bestOf(session, ({ longestMs }) => longestMs <= LONGEST_HOLD_MS, {
      before: () => host("profileStart"),
      work: async () => {
        for (let round = 0; round < 5; round += 1) {
          await callOk(host, "codecortex_findReferences", { symbol: "Cart" });
          await host("provide", { command: SYMBOLS, path: "src/Bulk/Wide.cs" });
          assert.ok((await host("provide", references)).length > 5);
        }
      },
    });
  },
};

/** The outline that the editor has of a file, once it is offered. */
function outlineOf(host, path) {
  return until(`somebody knows the outline of ${path}`, async () => {
    const symbols = await host("provide", { command: SYMBOLS, path });
    return symbols.length > 0 && symbols;
  });
}

function all(symbols) {
  return symbols.flatMap((symbol) => [symbol, ...all(symbol.children ?? [])]);
}

function places(found) {
  return found.map(({ path, line }) => `${path}:${line}`).sort();
}
