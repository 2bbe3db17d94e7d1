/** The web build: the same .vsix, its `browser` entry, in VS Code's web extension host inside the browser. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { deleteFolder } from "../lib/folder.mjs";
import { isReady, outlineNames, searchNames } from "../lib/tools.mjs";

export const webTests = {
  "the extension runs in the browser, not in the extension host of the server": async ({ state, window: { page } }) => {
    assert.equal((await state()).ours, undefined, "the server has it too");
    await page.locator(".statusbar-item", { hasText: "CodeCortex" }).waitFor();
    const workers = page
      .context()
      .pages()
      .flatMap((each) => each.workers().map((worker) => worker.url()));
    assert.ok(workers.length > 0);
    return `${workers.length} web workers`;
  },

  "its engine worker indexes the workspace through the editor": async ({ host }) => {
    await until("the index is ready", () => isReady(host));
    assert.ok((await searchNames(host, "OrderService")).includes("OrderService"));
  },

  "its tools answer": async ({ host, window }) => {
    const names = await outlineNames(host, { symbol: "OrderService" });
    assert.ok(names.includes("PlaceAsync") && names.includes("CancelAsync"), String(names));
    await window.screenshot("web");
  },

  "its view of changes is there": async ({ host, window: { page, screenshot } }) => {
    await host("execute", { id: "codecortex.changes.focus" });
    await page.locator(".pane-body .welcome-view", { hasText: "No type has changed" }).waitFor();
    await screenshot("web-changes");
  },

  "its prompt window is there, and a row opens its declaration": async ({ host, window: { page, screenshot } }) => {
    await host("execute", { id: "codecortex.openWindow" });
    const view = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
    const row = view.locator(".row.piece", { has: page.locator('.name:text-is("OrderService")') });
    await row.waitFor();
    await screenshot("web-window");
    await row.focus();
    await page.keyboard.press("Enter");
    await until("the file is open", async () => (await host("activeText")).text?.includes("class OrderService"));
  },

  "it keeps .context through the editor's file system": async ({ host, workspace }) => {
    const folder = join(workspace, ".context");
    await host("execute", { id: "codecortex.keepContext" });
    const index = () => JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
    try {
      await until("index.json is there", () => existsSync(join(folder, "index.json")));
      const found = index().types.find(({ fqn }) => fqn.endsWith(".OrderService"));
      assert.match(found.projectId, /^P_/);
      assert.match(readFileSync(join(folder, ".gitignore"), "utf8"), /^cache\/$/m);
    } finally {
      await deleteFolder(folder);
    }
  },
};
