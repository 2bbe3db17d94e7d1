/** `@codecortex`, the shipped agent and skill, and `#cortexWindow`, with the real Copilot Chat and a scripted model. */

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { currentTurn } from "../lib/model.mjs";
import { ask, clearInput, newChat, waitForAnswer } from "../lib/window.mjs";

const SERVICE = "src/Orders/OrderService.cs";

/** The version that the live context in a prompt tells of a file. */
const versionIn = (prompt) => /OrderService\.cs (v\w+) \(/.exec(prompt)?.[1];

/** How the model behaves. */
export const participantScripts = [
  {
    prompt: /how many lines may an order have\?\s*$/,
    calls: [() => ({ name: "codecortex_getOutline", input: { symbol: "OrderService" } })],
    answer: ([outline], prompt) =>
      outline.includes("PlaceAsync") && prompt.includes("MaxLines = 123")
        ? "At most 123, which `PlaceAsync` checks; `MaxLines` says so."
        : `I was not told: ${outline} ${prompt}`,
  },
  {
    prompt: /make that 124\s*$/,
    calls: [
      (_, offered, prompt) => ({
        name: "codecortex_applyEdit",
        input: {
          summary: "one line more",
          edits: [
            {
              filePath: SERVICE,
              baseVersion: versionIn(prompt),
              changes: [{ oldText: "MaxLines = 123", newText: "MaxLines = 124" }],
            },
          ],
        },
      }),
    ],
    answer: ([edited], prompt) =>
      JSON.parse(edited).ok && /done: one line more/.test(prompt) && prompt.includes("MaxLines = 124")
        ? "Now 124 lines are allowed"
        : `I was not told: ${edited} ${prompt}`,
  },
  { prompt: /are you in order\?\s*$/, refuses: true },
  {
    prompt: /what does the window say\?/,
    calls: [() => ({ name: "codecortex_getContext", input: {} })],
    answer: ([window]) =>
      JSON.parse(window).data.budgetTokens > 0 ? "The window has a budget" : `Not seen: ${window}`,
  },
  {
    prompt: /who is the agent\?/,
    calls: [
      (_, offered) => ({
        name: offered.find((name) => name === "codecortex_searchApi") ?? "none",
        input: { labelQuery: "Carrier" },
      }),
    ],
    answer: ([found]) => (found.includes("Carrier") ? "The agent searched" : `Not found: ${found}`),
  },
];

export const participantTests = {
  "the participant answers from the text as it is, unsaved": async ({ host, window, model }) => {
    const { page } = window;
    await host("open", { path: SERVICE, line: 20 });
    await host("edit", { path: SERVICE, find: "MaxLines = 200", replace: "MaxLines = 123" });
    await newChat(page);
    await ask(page, "@codecortex how many lines may an order have?");
    await waitForAnswer(page, "At most 123");
    const asked = requestsOf(model, "how many lines may an order have?");
    const { prompt } = currentTurn(asked[0]);
    assert.match(prompt, /^# Live Context\n## Current Document\n/);
    assert.match(prompt, /- Cursor: 20:1/);
    assert.match(prompt, /# Question\nhow many lines may an order have\?$/);
    const offered = asked[0].tools.map((tool) => tool.function.name);
    assert.ok(offered.length > 5 && offered.every((name) => name.startsWith("codecortex_")), offered.join(", "));
    // The declaration that the answer names is a link behind it, to where it is after all that other tests did.
    const { text } = await host("text", { path: SERVICE });
    const line = text.split("\n").findIndex((row) => row.includes(" PlaceAsync(")) + 1;
    await page
      .locator(".interactive-session .chat-inline-anchor-widget", { hasText: `OrderService.cs:${line}` })
      .first()
      .waitFor();
    await page.mouse.move(640, 300);
    await window.screenshot("participant");
  },

  "the next turn has the context anew, and the past has none": async ({ host, window, model }) => {
    const { page } = window;
    await ask(page, "@codecortex make that 124");
    const notification = page.locator(".notification-list-item", { hasText: "one line more: change" });
    await notification.waitFor();
    await notification.getByText("Apply", { exact: true }).click();
    await waitForAnswer(page, "Now 124 lines are allowed");
    assert.match((await host("text", { path: SERVICE })).text, /MaxLines = 124/);
    for (const { messages } of requestsOf(model, "make that 124")) {
      const texts = messages.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content));
      const live = texts.filter((text) => text.includes("# Live Context"));
      assert.equal(live.length, 1, "live context is in one message alone");
      assert.ok(
        texts.some((text) => text.includes("how many lines may an order have?")),
        "the past is there",
      );
    }
    await page.locator(".interactive-session", { hasText: "Check the uses" }).waitFor();
    await window.screenshot("participant-edit");
  },

  "its commands answer without a model": async ({ window, model }) => {
    const { page } = window;
    const before = model.requests.length;
    await newChat(page);
    await ask(page, "@codecortex /window");
    await waitForAnswer(page, "The prompt window has");
    await page.locator(".interactive-session li", { hasText: "OrderService" }).first().waitFor();
    await window.screenshot("participant-window");
    await ask(page, "@codecortex /changes");
    await waitForAnswer(page, "OrderService");
    await newChat(page);
    await ask(page, "@codecortex /live");
    await waitForAnswer(page, "Your next question contains this context");
    await window.screenshot("participant-live");
    const asked = model.requests.slice(before).filter(({ tools }) => tools?.length);
    assert.equal(asked.length, 0);
  },

  "what goes wrong is said in a sentence": async ({ window }) => {
    const { page } = window;
    await newChat(page);
    await ask(page, "@codecortex are you in order?");
    const error = page.locator(".interactive-session .interactive-item-container", {
      hasText: /model failed|could not answer|refused/,
    });
    await error.last().waitFor();
    await window.screenshot("participant-error");
    return (await error.last().innerText()).split("\n").at(-1);
  },

  "#cortexWindow names the tool of the prompt window": async ({ window, model }) => {
    const { page } = window;
    await newChat(page);
    await clearInput(page);
    await page.keyboard.type("#cortexWindow", { delay: 60 });
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "cortexWindow" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.insertText(" what does the window say?");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    await waitForAnswer(page, "The window has a budget");
    await page.locator(".interactive-request", { hasText: "#cortexWindow" }).first().waitFor();
    const [{ tools }] = requestsOf(model, "what does the window say?");
    assert.ok(tools.some((tool) => tool.function.name === "codecortex_getContext"));
  },

  "the agent is offered, with our tools, and so is the skill": async ({ host, window, model }) => {
    const { page } = window;
    await newChat(page);
    await host("execute", { id: "workbench.action.chat.open", args: [{ mode: "CodeCortex" }] });
    await page
      .locator(".interactive-input-part .chat-input-picker-item, .interactive-input-part .chat-modes", {
        hasText: "CodeCortex",
      })
      .first()
      .waitFor();
    await ask(page, "who is the agent?");
    await waitForAnswer(page, "The agent searched");
    const [{ messages, tools }] = requestsOf(model, "who is the agent?");
    const told = JSON.stringify(messages);
    assert.match(told, /which know every declaration/, "the agent's instructions are there");
    const names = tools.map((tool) => tool.function.name);
    assert.ok(names.includes("codecortex_applyEdit"), names.join(", "));
    assert.ok(!names.includes("replace_string_in_file"), "edits are structured");
    assert.match(told, /instead of reading and grepping files/, "the skill is listed");
    await window.screenshot("agent");
    await host("execute", { id: "workbench.action.chat.open", args: [{ mode: "agent" }] });
  },

  "what the tests typed is taken back": async ({ host }) => {
    await host("open", { path: SERVICE });
    await host("execute", { id: "workbench.action.files.revert" });
    await host("execute", { id: "workbench.action.closeAllEditors" });
    await until("the text is the disk's", async () => !(await host("text", { path: SERVICE })).isDirty);
  },
};

/** What the model was asked with a prompt that has the words, in their order. */
function requestsOf(model, words) {
  const found = model.requests.filter(
    (request) => request.tools?.length && currentTurn(request).prompt.includes(words),
  );
  assert.ok(found.length > 0, `the model was never asked ${words}`);
  return found;
}
