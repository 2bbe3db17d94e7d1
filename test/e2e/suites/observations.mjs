/** Observations: recorded after a person opts in, found again with whether they still hold, forgotten. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { callOk } from "../lib/tools.mjs";
import { runCommand } from "../lib/window.mjs";

const NOTE = "Cancelled orders keep their number: $(trash) auditors ask for it";

/** Runs a command that waits for a person; what becomes of it is seen in the window. */
function start(page, title) {
  return runCommand(page, title).catch(() => undefined);
}

const input = (page) => page.locator(".quick-input-widget input.input");
const titled = (page, title) => page.locator(".quick-input-title", { hasText: title });
const viewRow = (page, text) => page.locator(".pane-body .monaco-list-row", { hasText: text }).first();
const entry = (page, text) => page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();

async function remember(page, text) {
  const running = start(page, "CodeCortex: Remember Selection");
  await titled(page, "Remember").waitFor();
  await input(page).fill(text);
  await page.keyboard.press("Enter");
  await running;
}

/** Waits until the window says so; a toast is gone before a slow machine has looked. */
async function told(host, page, text) {
  await host("execute", { id: "notifications.showList" });
  await page.locator(".notifications-center .notification-list-item", { hasText: text }).first().waitFor();
}

export const observationTests = {
  "nothing is recorded before a person opts in, and it is said how": async ({ host, workspace, window }) => {
    const { page, screenshot } = window;
    await host("execute", { id: "codecortex.keepContext" });
    const config = join(workspace, ".context", "config.json");
    await until("the folder is there", () => existsSync(config));
    await host("open", { path: "src/Orders/OrderService.cs", line: 37 });
    await remember(page, NOTE);
    await told(host, page, "codecortex settings observations");
    await screenshot("observations-opt-in");
    await host("execute", { id: "notifications.hideList" });
    await host("execute", { id: "codecortex.observations.focus" });
    const welcome = page.locator(".welcome-view", { hasText: "This workspace records no observations" });
    await welcome.waitFor();
    await screenshot("observations-off");
    assert.ok(!existsSync(join(workspace, ".context", "memory")));
    await welcome.getByText("Keep Observations").click();
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    await screenshot("observations-keep");
    await dialog.getByRole("button", { name: "Keep Observations", exact: true }).click();
    await until("it is taken in", async () => {
      const { data } = await callOk(host, "codecortex_recall", {}).catch(() => ({}));
      return data?.items.length === 0;
    });
    await page.locator(".welcome-view", { hasText: "No observations yet" }).waitFor();
    await screenshot("observations-none");
  },

  "what is remembered is found again, with whether it still holds": async ({ host, workspace, window }) => {
    const { page, screenshot } = window;
    await remember(page, NOTE);
    await told(host, page, "Recorded as #1");
    await host("execute", { id: "notifications.hideList" });
    const log = readFileSync(join(workspace, ".context", "memory", "observations.jsonl"), "utf8");
    assert.ok(log.includes("auditors ask for it"));
    const running = start(page, "CodeCortex: Recall Observations");
    await titled(page, "Recall").waitFor();
    await input(page).fill("auditors");
    await page.keyboard.press("Enter");
    const row = entry(page, "auditors ask for it");
    await row.waitFor();
    await screenshot("observations-recall");
    assert.match(await row.innerText(), /\$\(trash\)/, "a text is no icon");
    assert.match(await row.innerText(), /still holds/);
    await page.keyboard.press("Enter");
    await running;
    await page.locator(".view-line", { hasText: "auditors" }).first().waitFor();
    await screenshot("observations-whole");
  },

  "the view lists it with its verdict, and a click opens the code": async ({ host, window }) => {
    const { page, screenshot } = window;
    await host("execute", { id: "codecortex.observations.focus" });
    const row = viewRow(page, "auditors ask for it");
    await row.waitFor();
    await screenshot("observations-view");
    await row.click();
    await until("its code is open", async () => (await host("activeText")).text?.includes("class OrderService"));
    const path = "src/Orders/OrderService.cs";
    const [find, gone] = ["order.MoveTo(OrderState.Placed);", "/* moved */"];
    try {
      await host("edit", { path, find, replace: gone, save: true });
      await page.locator(".pane-body .monaco-list-row .codicon-warning").first().waitFor();
      await screenshot("observations-drifted");
    } finally {
      await host("edit", { path, find: gone, replace: find, save: true });
    }
    const running = start(page, "CodeCortex: Search Observations");
    await titled(page, "Search Observations").waitFor();
    await input(page).fill("nobodysaidthis");
    await page.keyboard.press("Enter");
    await running;
    await page.locator(".welcome-view", { hasText: "No observation contains these words" }).waitFor();
    await screenshot("observations-unmatched");
    await host("execute", { id: "codecortex.observations.clearSearch" });
    await row.waitFor();
  },

  "what is forgotten is told to nobody": async ({ host, window: { page, screenshot } }) => {
    const running = start(page, "CodeCortex: Forget Observations");
    await titled(page, "Forget").waitFor();
    await entry(page, "auditors ask for it").click();
    await page.keyboard.press("Enter");
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    await screenshot("observations-forget");
    await dialog.getByRole("button", { name: "Forget", exact: true }).click();
    await running;
    await until("it is gone", async () => {
      const { data } = await callOk(host, "codecortex_recall", {});
      return data.items.length === 0;
    });
  },
};
