/** The page of the dependency graph: opened, searched, by keys and clicks to the code, expanded, saved, in three themes. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { isReady } from "../lib/tools.mjs";
import { chooseFromMenu, runCommand } from "../lib/window.mjs";

const THEMES = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  contrast: "Default High Contrast",
};
const SERVICE = "src/Orders/OrderService.cs";

/** The page inside the two frames that VS Code puts around it; the newest, where another editor's page is there too. */
const view = (page) => page.locator("iframe.webview.ready").last().contentFrame().frameLocator("#active-frame");
const surface = (page) => view(page).locator(".surface");
const title = (page) => view(page).locator(".title");
const panel = (page) => view(page).locator(".panel");

/** Waits until the drawing of that name rests. */
async function resting(page, name) {
  await title(page).getByText(name, { exact: true }).waitFor();
  await view(page).locator('.surface[data-state="resting"]').waitFor();
}

async function selected(page) {
  return surface(page).getAttribute("data-selected");
}

/** Searches for a node, which brings it into the middle. */
async function search(page, text) {
  await view(page).locator(".search").fill(text);
  await until(`${text} is selected`, async () => (await selected(page))?.includes(text));
}

export const graphTests = {
  "the command shows types and dependencies of the workspace": async ({ host, window: { page, screenshot } }) => {
    await until("the index is ready", () => isReady(host), 60_000);
    await host("execute", { id: "workbench.action.closeAllEditors" });
    await runCommand(page, "CodeCortex: Show Dependency Graph");
    await resting(page, "Whole workspace");
    assert.match(await view(page).locator(".summary").innerText(), /^[\d,]+ types, [\d,]+ dependencies, \d+ cycles?/);
    await screenshot("graph-workspace");
  },

  "modules are folders, and a click shows the types of one": async ({ window: { page, screenshot } }) => {
    await view(page).locator('select[aria-label="Nodes"]').selectOption("module");
    await until("modules are shown", async () => /modules/.test(await view(page).locator(".summary").innerText()));
    await resting(page, "Whole workspace");
    await screenshot("graph-modules");
    await search(page, "src/Orders");
    await panel(page).getByRole("button", { name: "Show Types" }).click();
    await title(page).getByText("workspace/src/Orders", { exact: true }).waitFor();
  },

  "the editor's menu shows what a type needs and who needs it, in three themes": async ({ host, window }) => {
    const { page, screenshot } = window;
    await host("open", { path: SERVICE, line: 20 });
    const line = page.locator(".view-line", { hasText: "class OrderService" }).first();
    await line.getByText("OrderService").first().click({ button: "right" });
    await chooseFromMenu(page, "Show Dependency Graph Here");
    await resting(page, "OrderService");
    await search(page, "OrderService");
    assert.ok((await panel(page).locator(".row").count()) > 2);
    try {
      for (const [name, theme] of Object.entries(THEMES)) {
        await host("setting", { key: "workbench.colorTheme", value: theme });
        await page.waitForTimeout(1_500); // the theme arrives
        await screenshot(`graph-${name}`);
      }
    } finally {
      await host("setting", { key: "workbench.colorTheme", value: undefined });
    }
  },

  "arrows go to neighbours, Enter opens the code, Space adds neighbours": async ({ host, window: { page } }) => {
    await surface(page).focus();
    await page.keyboard.press("Home");
    await until("the start is selected", async () => (await selected(page))?.endsWith("OrderService"));
    await page.keyboard.press("ArrowRight");
    await until("what it needs is selected", async () => !(await selected(page))?.endsWith("OrderService"));
    const name = (await selected(page)).split(".").at(-1);
    await page.keyboard.press("Enter");
    await until("its code is open", async () =>
      new RegExp(`\\b${name}\\b`).test((await host("activeText")).text ?? ""),
    );
    await host("execute", { id: "workbench.action.closeActiveEditor" });
    await view(page).locator(".search").fill("Order");
    await until("Order is selected", async () => (await selected(page)) === "Harbour.Orders.Order");
    const before = await view(page).locator(".summary").innerText();
    await surface(page).focus();
    await page.keyboard.press("Space");
    await until("more is shown", async () => (await view(page).locator(".summary").innerText()) !== before);
    assert.equal(await selected(page), "Harbour.Orders.Order");
  },

  "a double click opens the code": async ({ host, window: { page } }) => {
    await search(page, "OrderService");
    const box = await surface(page).boundingBox();
    await surface(page).dblclick({ position: { x: box.width / 2, y: box.height / 2 } });
    await until("the code is open", async () => (await host("activeText")).text?.includes("class OrderService"));
    await host("execute", { id: "workbench.action.closeActiveEditor" });
  },

  "the drawing is saved as SVG where a person says": async ({ workspace, window: { page } }) => {
    const file = join(workspace, "dependencies.svg");
    await view(page).getByRole("button", { name: "Save as SVG" }).click();
    const input = page.locator(".quick-input-widget input.input");
    await input.waitFor();
    await until("the dialog has a name", async () => (await input.inputValue()).endsWith("dependencies.svg"));
    await page.keyboard.press("Enter");
    try {
      await until("the file is there", () => existsSync(file));
      const svg = readFileSync(file, "utf8");
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      assert.match(svg, /<title>Harbour\.Orders\.OrderService<\/title>/);
    } finally {
      rmSync(file, { force: true });
    }
  },

  "nothing was loaded from elsewhere": async ({ host, window: { foreign } }) => {
    assert.deepEqual(foreign, []);
    await host("execute", { id: "workbench.action.closeAllEditors" });
  },
};
