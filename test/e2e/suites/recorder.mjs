/** What a person does, recorded once they switch it on; shown in the chat by `/recall`. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { callOk } from "../lib/tools.mjs";
import { ask, newChat, waitForAnswer } from "../lib/window.mjs";

const SETTING = "codecortex.observations.record";
/** The recorder waits for a burst to be over. */
const BURST_MS = 60_000;
const CART = "web/src/cart.ts";

/** Opts in as a person would, by the command and its question. */
async function optIn(host, page) {
  const asked = host("execute", { id: "codecortex.observations.optIn" }).catch(() => undefined);
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Keep Observations", exact: true }).click();
  await asked;
  await until("it is taken in", async () => {
    const { data } = await callOk(host, "codecortex_recall", {}).catch(() => ({}));
    return data !== undefined;
  });
}

const recalled = async (host) => (await callOk(host, "codecortex_recall", {})).data.items;

export const recorderTests = {
  "what is done is recorded once somebody switches it on": async ({ host, workspace, window }) => {
    await optIn(host, window.page);
    const before = readFileSync(join(workspace, CART), "utf8");
    const save = () => host("edit", { path: CART, find: "export", replace: "/* seen */ export", save: true });
    await save();
    await host("setting", { key: SETTING, value: true });
    try {
      await host("execute", { id: "workbench.action.terminal.new" });
      const typed = { text: "echo recorder-was-here; false\r" };
      await until("the command ran", async () => {
        await host("execute", { id: "workbench.action.terminal.sendSequence", args: [typed] });
        await save();
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return true;
      });
      const items = await until(
        "both are recorded",
        async () => {
          const found = await recalled(host);
          const types = found.map(({ type }) => type);
          return types.includes("edit") && types.includes("command") ? found : undefined;
        },
        BURST_MS,
      );
      const edits = items.filter(({ type }) => type === "edit");
      assert.equal(edits.length, 1, "what was saved before is not recorded");
      assert.equal(edits[0].summary, "Edited cart.ts");
      const command = items.find(({ type }) => type === "command");
      assert.match(command.summary, /^Ran echo recorder-was-here; false: failed with exit code 1/);
    } finally {
      await host("setting", { key: SETTING, value: undefined });
      await host("execute", { id: "workbench.action.terminal.kill" });
      writeFileSync(join(workspace, CART), before);
    }
  },

  "/recall shows it in the chat, without a model": async ({ model, window: { page, screenshot } }) => {
    const before = model.requests.length;
    await newChat(page);
    await ask(page, "@codecortex /recall cart");
    await waitForAnswer(page, "Edited cart.ts");
    await screenshot("recall-chat");
    await newChat(page);
    await ask(page, "@codecortex /recall zeppelin");
    await waitForAnswer(page, "No observation has all of");
    assert.equal(model.requests.slice(before).filter(({ tools }) => tools?.length).length, 0);
  },
};
