/** The views: recent changes by class, and the graph of dependencies as a document. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { isReady } from "../lib/tools.mjs";
import { runCommand } from "../lib/window.mjs";

const THEMES = { light: "Default Light Modern", dark: "Default Dark Modern" };

export const viewsTests = {
  "the view of changes says so where there are none": async ({ host, window: { page, screenshot } }) => {
    await host("execute", { id: "codecortex.reindex" });
    await until("the index is ready", () => isReady(host), 60_000);
    await host("execute", { id: "codecortex.changes.focus" });
    const welcome = page.locator(".pane-body .welcome-view", { hasText: "No type has changed" });
    await welcome.waitFor();
    await screenshot("changes-none");
  },

  "it lists what changed by class, and a click opens the declaration": async ({ host, workspace, window }) => {
    const { page, screenshot } = window;
    await host("execute", { id: "codecortex.changes.focus" });
    const service = join(workspace, "src", "Orders", "OrderService.cs");
    const cart = join(workspace, "web", "src", "cart.ts");
    const before = new Map([service, cart].map((file) => [file, readFileSync(file, "utf8")]));
    try {
      const member = "public const int MaxLines = 200;";
      writeFileSync(service, before.get(service).replace(member, `${member}\n    public void Seen() { }`));
      writeFileSync(cart, `${before.get(cart)}\n// a remark\n`);
      const tree = page.locator(".pane-body .monaco-list", { has: page.getByText("OrderService.cs") });
      await tree.locator(".monaco-list-row", { hasText: "Structure" }).first().waitFor();
      const row = tree.locator(".monaco-list-row", { hasText: "OrderService" }).first();
      await row.waitFor();
      await tree.locator(".monaco-list-row", { hasText: "Cosmetic" }).first().waitFor();
      for (const [name, theme] of Object.entries(THEMES)) {
        await host("setting", { key: "workbench.colorTheme", value: theme });
        await page.waitForTimeout(1_500); // the theme arrives
        await screenshot(`changes-${name}`);
      }
      await row.click();
      await until(
        "the declaration is open",
        async () => (await host("activeText")).text?.includes("public void Seen()"),
        20_000,
      );
      // The pointer is there already; coming back is what shows the tooltip.
      await page.mouse.move(640, 300);
      await row.hover();
      const hover = page.locator(".monaco-hover:visible", { hasText: "Revision" });
      await hover.waitFor();
      assert.match(await hover.innerText(), /OrderService · class\s+Structure/);
      await screenshot("changes-hover");
    } finally {
      await host("setting", { key: "workbench.colorTheme", value: undefined });
      for (const [file, text] of before) {
        writeFileSync(file, text);
      }
      await host("execute", { id: "workbench.action.closeAllEditors" });
    }
  },

  "Export Dependency Graph opens a drawing": async ({ host, window: { page, screenshot } }) => {
    await runPicks(page, "CodeCortex: Export Dependency Graph", ["The whole workspace", "Mermaid"]);
    const text = await until("the graph is open", async () => {
      const { text } = await host("activeText");
      return text?.includes("flowchart LR") ? text : undefined;
    });
    assert.match(text, /^```mermaid\nflowchart LR$/m);
    assert.match(text, /\["Harbour\.Orders\.OrderService"\]/);
    await host("execute", { id: "markdown.showPreview" });
    await page.waitForTimeout(3_000); // a drawing has no sign of being finished
    await screenshot("graph");
    await host("execute", { id: "workbench.action.closeActiveEditor" });
    await host("execute", { id: "workbench.action.revertAndCloseActiveEditor" });
  },
};

/** Runs a command by its title and takes one entry after the other of what it asks. */
async function runPicks(page, title, picks) {
  const running = runCommand(page, title).catch(() => undefined);
  for (const pick of picks) {
    const row = page.locator(".quick-input-list .monaco-list-row", { hasText: pick }).first();
    await row.waitFor();
    await row.click();
  }
  await running;
}
