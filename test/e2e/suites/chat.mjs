/** Copilot Chat in agent mode, a scripted model, and our tools between the two. */

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { currentTurn } from "../lib/model.mjs";
import { callOk, isReady } from "../lib/tools.mjs";
import { ask, newChat, openSteps, waitForAnswer } from "../lib/window.mjs";

/** What Copilot Chat puts in place of a result that is too long for it. */
const SPILLED = /Large tool result|written to file/;

const outlineOf = (symbol) => () => ({ name: "codecortex_getOutline", input: { symbol } });

/** How the model behaves; each prompt is used by one test below. */
export const chatScripts = [
  {
    prompt: /what is in the class OrderService\?/,
    calls: [outlineOf("OrderService")],
    answer: ([outline]) =>
      outline.includes("PlaceAsync") && outline.includes("CancelAsync")
        ? "OrderService places and cancels orders: `PlaceAsync` stores an order and books a carrier, `CancelAsync` takes it back."
        : "The outline of OrderService did not reach me.",
  },
  {
    prompt: /what is in the class Wide\?/,
    calls: [outlineOf("Wide")],
    answer: ([outline]) => (SPILLED.test(outline) ? "Wide was spilled" : "Wide arrived"),
  },
  {
    prompt: /which classes import orders\?/,
    calls: [
      () => ({ name: "codecortex_searchApi", input: { labelQuery: "importer" } }),
      ([found]) => ({
        name: "codecortex_getOutline",
        input: { symbol: /OrderImporter/.exec(found)?.[0] ?? "nothing found" },
      }),
    ],
    answer: ([, outline]) => (outline.includes("delimiter") ? "OrderImporter imports them" : "No importer seen"),
  },
  {
    prompt: /what is at the wrong place\?/,
    calls: [
      () => ({ name: "codecortex_getOutline", input: { filePath: "web/src/cart.ts", position: "here" } }),
      outlineOf("Carrt"),
      outlineOf("Cart"),
    ],
    answer: ([refused, missed, outline]) =>
      /ERROR.*invalid/i.test(refused) && JSON.parse(missed).error.hint && outline.includes("total")
        ? "Corrected myself twice"
        : `Was not told: ${refused} ${missed}`,
  },
];

export const chatTests = {
  "the model is offered our tools by their own names": async ({ window, host, model, manifest }) => {
    // An answer says that the index is still being made: two answers are only equal when neither says so.
    await until("the index is ready", () => isReady(host));
    await ask(window.page, "what is in the class OrderService?");
    await waitForAnswer(window.page, "places and cancels orders");
    const offered = model.requests.find((request) => request.tools?.length).tools.map((tool) => tool.function.name);
    for (const { name } of manifest.contributes.languageModelTools.filter((tool) => !tool.when)) {
      assert.ok(offered.includes(name), `${name} is not offered`);
    }
  },

  "the outline reaches the model whole, byte for byte": async ({ window, host, model }) => {
    const [seen] = toolResultsOf(model, "OrderService?");
    await until("the index is ready", () => isReady(host));
    const granted = JSON.parse(seen).data.budget.budget_tokens;
    const { text } = await callOk(host, "codecortex_getOutline", { symbol: "OrderService" }, granted ?? undefined);
    assert.equal(seen, text);
    assert.ok(Buffer.byteLength(seen) < 8192);
    await openSteps(window.page);
    await window.page.locator(".interactive-session", { hasText: "Outlining OrderService" }).waitFor();
    await window.screenshot("chat");
    return `${Buffer.byteLength(seen)} bytes`;
  },

  "a class of 600 methods is not spilled into a file": async ({ window, model }) => {
    await newChat(window.page);
    await ask(window.page, "what is in the class Wide?");
    await waitForAnswer(window.page, "Wide arrived");
    const [seen] = toolResultsOf(model, "Wide?");
    assert.ok(Buffer.byteLength(seen) < 8192 && JSON.parse(seen).ok);
  },

  "search and outline work one after the other": async ({ window }) => {
    await newChat(window.page);
    await ask(window.page, "which classes import orders?");
    await waitForAnswer(window.page, "OrderImporter imports them");
  },

  "wrong arguments come back to the model, and it goes on": async ({ window, model }) => {
    await newChat(window.page);
    await ask(window.page, "what is at the wrong place?");
    await waitForAnswer(window.page, "Corrected myself twice");
    const [, missed] = toolResultsOf(model, "wrong place?").map((text) =>
      text.startsWith("{") ? JSON.parse(text) : text,
    );
    assert.equal(missed.error.code, "SymbolNotFound");
    return missed.error.hint;
  },

  "nothing asked for an address outside this machine": async ({ window }) => {
    await until("the chat is at rest", async () => (await window.page.locator(".chat-response-loading").count()) === 0);
    assert.deepEqual(window.foreign, []);
  },
};

/** The tool results of the last request whose prompt ends with the words. */
function toolResultsOf(model, words) {
  const turns = model.requests.map(currentTurn).filter(({ prompt }) => prompt.includes(words));
  assert.ok(turns.length > 0, `the model was never asked about ${words}`);
  return turns.reduce((most, { toolResults }) => (toolResults.length > most.length ? toolResults : most), []);
}
