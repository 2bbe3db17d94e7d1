/** A model by its address: chosen once, asked with its key, which no setting and no file of the workspace has. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { callOk } from "../lib/tools.mjs";
import { runCommand, untilShown } from "../lib/window.mjs";

const KEY = "key-that-a-test-made-up";
const NAME = "model-by-address";

const start = (page, title) => runCommand(page, title).catch(() => undefined);
const input = (page) => page.locator(".quick-input-widget input.input");

async function answer(page, prompt, text) {
  await page.locator(".quick-input-widget", { hasText: prompt }).waitFor();
  await input(page).fill(text);
  await page.keyboard.press("Enter");
}

/** All files of the workspace whose text has the words. */
function having(folder, words) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).filter((file) => textOf(file).includes(words));
}

/** A file's text; of one that is put in its place at this moment, nothing. */
function textOf(file) {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (error.code === "ENOENT") {
      return "";
    }
    throw error;
  }
}

export const addressTests = {
  "a model is chosen by its address and asked with its key": async ({ host, model, workspace, window }) => {
    const { page, screenshot } = window;
    await host("execute", { id: "codecortex.keepContext" });
    // Its index is written last: types that are described before it would be of a folder that is still being made.
    await until("the folder is there", () => existsSync(join(workspace, ".context", "index.json")), 60_000);
    const choosing = start(page, "CodeCortex: Choose Model");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "By address" }).first().click();
    await answer(page, "An OpenAI-compatible address", "no address");
    await page.locator(".quick-input-message", { hasText: "begins with https" }).waitFor();
    await screenshot("address-wrong");
    await answer(page, "begins with https", model.url.replace("/chat/completions", ""));
    await answer(page, "name there", NAME);
    await page.locator(".quick-input-widget", { hasText: "VS Code keeps it encrypted" }).waitFor();
    await screenshot("address-key");
    assert.equal(await input(page).getAttribute("type"), "password");
    await answer(page, "VS Code keeps it encrypted", KEY);
    await choosing;

    const before = model.requests.length;
    await host("open", { path: "src/Orders/Order.cs", line: 8 });
    const cost = page.locator(".monaco-dialog-box", { hasText: NAME });
    const { running: describing } = await untilShown(page, "CodeCortex: Describe the Types of This File", cost);
    await cost.getByRole("button", { name: "Describe", exact: true }).click();
    await describing;
    let last;
    const isThere = async () => {
      last = (await callOk(host, "codecortex_getSemantic", { symbol: "OrderLine", prompt: "never" })).data;
      return last.semanticState === "cached";
    };
    await until("a text is there", isThere, 60_000).catch((error) => {
      throw new Error(`${JSON.stringify(last)}\n${JSON.stringify(model.requests.slice(before))}`, { cause: error });
    });
    const asked = model.requests.slice(before).filter((request) => request.model === NAME);
    assert.ok(asked.length > 0);
    assert.ok(asked.every(({ authorization }) => authorization === `Bearer ${KEY}`));
    assert.deepEqual(having(workspace, KEY), []);
  },

  "its key can be taken away": async ({ host, window: { page } }) => {
    await runCommand(page, "CodeCortex: Remove Key of the Model");
    await host("execute", { id: "notifications.showList" });
    await page.locator(".notification-list-item", { hasText: "was removed" }).first().waitFor();
    await host("execute", { id: "notifications.hideList" });
    const choosing = start(page, "CodeCortex: Choose Model");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "No model" }).first().click();
    await choosing;
  },
};
