/** The prompt window: the number in the status bar, the view with its blocks and rows, menus, keys, live changes. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { callOk, isReady } from "../lib/tools.mjs";
import { chooseFromMenu, menuItem, runCommand } from "../lib/window.mjs";

const SERVICE = "src/Orders/OrderService.cs";

const THEMES = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  contrast: "Default High Contrast",
  "contrast-light": "Default High Contrast Light",
};

/** The page inside the two frames that VS Code puts around it. */
const view = (page) => page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
const row = (page, name) => view(page).locator(".row.piece", { has: page.locator(`.name:text-is("${name}")`) });
const group = (page, label) => view(page).locator(".row.group", { hasText: label });
const statusItem = (page) => page.locator(".statusbar-item", { hasText: "CodeCortex" });

async function statusText(page) {
  return (await statusItem(page).innerText()).trim();
}

/** Waits until the status bar says something else than `before`; resolves to what. */
async function nextStatus(page, before) {
  return until("the status bar says something else", async () => {
    const text = await statusText(page);
    return text !== before && /\d \/ /.test(text) ? text : undefined;
  });
}

/** Runs a command that asks something: it ends when that is answered. */
function start(page, title) {
  return runCommand(page, title).catch(() => undefined);
}

export const windowTests = {
  "the status bar has the budget, and the empty window says what to do": async ({ host, window }) => {
    const { page, screenshot } = window;
    await until("the index is ready", () => isReady(host), 60_000);
    await until("the budget is in the status bar", async () => / \/ 4k$/.test(await statusText(page)));
    await statusItem(page).click();
    await view(page).getByText("Nothing is in the prompt window yet").waitFor();
    await view(page).getByRole("button", { name: "Add Type to Focus…" }).waitFor();
    await screenshot("window-empty");
  },

  "the explorer's menu pins a file: a block, a row, another number": async ({ host, window: { page } }) => {
    await host("execute", { id: "workbench.view.explorer" });
    await host("open", { path: SERVICE, line: 1 });
    const before = await statusText(page);
    const file = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "OrderService.cs" }).first();
    await file.waitFor();
    await file.click({ button: "right" });
    await chooseFromMenu(page, "Pin to CodeCortex");
    await nextStatus(page, before);
    await host("execute", { id: "codecortex.openWindow" });
    await row(page, "OrderService.cs").waitFor();
    await view(page).locator(".block.pinned", { hasText: "OrderService.cs" }).waitFor();
    assert.match(
      await row(page, "OrderService.cs").getAttribute("aria-label"),
      /^OrderService\.cs, pinned, \d+ tokens/,
    );
  },

  "the editor's menu pins what the name at the cursor means": async ({ host, window: { page } }) => {
    await host("open", { path: SERVICE, line: 37 });
    const name = page.locator(".view-line span", { hasText: /^IOrderStore$/ }).first();
    if ((await name.count()) === 0) {
      await host("open", { path: SERVICE, line: 20 });
    }
    await page
      .locator(".view-line", { hasText: "IOrderStore" })
      .getByText("IOrderStore")
      .first()
      .click({ button: "right" });
    await chooseFromMenu(page, "Pin to CodeCortex");
    await row(page, "IOrderStore").waitFor();
  },

  "what a model asks for comes in while one looks, without a blink": async ({ host, window: { page, screenshot } }) => {
    await view(page)
      .locator(".shown")
      .evaluate((node) => {
        node.ownerDocument.defaultView.seenRow = node.querySelector(".row.piece");
      });
    // What was asked for last is in focus with what it needs; what came before is recent.
    for (const symbol of ["Wide", "Cart", "OrderService"]) {
      await callOk(host, "codecortex_getOutline", { symbol });
    }
    await group(page, "Focus").waitFor();
    await group(page, "Recent").waitFor();
    const isSame = await view(page)
      .locator(".shown")
      .evaluate((node) => node.ownerDocument.defaultView.seenRow.isConnected);
    assert.ok(isSame, "the row was made anew");
    await screenshot("window");
  },

  "keys go through the rows, pin, unpin and dismiss; the focus stays in the list": async ({ window: { page } }) => {
    const list = view(page).locator(".list");
    const focused = () => list.evaluate((node) => node.ownerDocument.activeElement?.getAttribute("aria-label") ?? "");
    await row(page, "IOrderStore").focus();
    assert.match(await focused(), /^IOrderStore, pinned/);
    assert.equal(await list.locator('[tabindex="0"]').count(), 1);
    await page.keyboard.press("Home");
    assert.match(await focused(), /^Pinned, 2/);
    await page.keyboard.press("ArrowLeft");
    await until("the group is folded", async () => (await row(page, "IOrderStore").count()) === 0);
    await page.keyboard.press("ArrowRight");
    await row(page, "IOrderStore").focus();
    await page.keyboard.press("Space");
    await until(
      "it is unpinned",
      async () => !(await row(page, "IOrderStore").getAttribute("class")).includes("pinned"),
    );
    await until("a row has the focus", async () => (await focused()) !== "");
    const said = view(page).locator(".said");
    await until("it was said", async () =>
      /^Unpinned IOrderStore\. The prompt window has/.test(await said.innerText()),
    );
    await row(page, "Wide").focus();
    await page.keyboard.press("Delete");
    await until("it is dismissed", async () => (await row(page, "Wide").count()) === 0);
    await row(page, "IOrderStore").focus();
    await page.keyboard.press("Space");
    await until("it is pinned", async () => (await row(page, "IOrderStore").getAttribute("class")).includes("pinned"));
  },

  "Enter and a click open the declaration": async ({ host, window: { page } }) => {
    await host("execute", { id: "workbench.action.closeAllEditors" });
    await row(page, "IOrderStore").focus();
    await page.keyboard.press("Enter");
    await until("the file is open", async () => (await host("activeText")).text?.includes("interface IOrderStore"));
    await host("execute", { id: "workbench.action.closeAllEditors" });
    await row(page, "OrderService.cs").locator(".name").click();
    await until("the file is open again", async () => (await host("activeText")).text?.includes("class OrderService"));
  },

  "a row has the menu of the editor": async ({ window: { page, screenshot } }) => {
    await row(page, "IOrderStore").click({ button: "right" });
    await menuItem(page, "Unpin").waitFor();
    await menuItem(page, "Copy Symbol Path").waitFor();
    assert.equal(await menuItem(page, "Dismiss").count(), 0);
    await screenshot("window-menu");
    await page.keyboard.press("Escape");
  },

  "unsaved text changes the number at once": async ({ host, window: { page } }) => {
    const tokens = row(page, "OrderService").locator(".tokens");
    const before = await tokens.innerText();
    const member = "public const int MaxLines = 200;";
    const more = `${member}\n    public void Fresh(int count, string reason) { }`;
    await host("edit", { path: SERVICE, find: member, replace: more });
    try {
      await until("the piece takes other tokens", async () => (await tokens.innerText()) !== before, 10_000);
    } finally {
      await host("edit", { path: SERVICE, find: more, replace: member, save: true });
    }
    await until("the piece takes what it took", async () => (await tokens.innerText()) === before, 10_000);
  },

  "a type is searched for and put into focus, focus is cleared": async ({ host, window: { page, screenshot } }) => {
    const running = start(page, "CodeCortex: Add Type to Focus");
    await page.locator(".quick-input-title", { hasText: "Add Type to Focus" }).waitFor();
    await page.keyboard.type("ICarr");
    const found = page.locator(".quick-input-list .monaco-list-row", { hasText: "ICarrier" }).first();
    await found.waitFor();
    await screenshot("window-search");
    await found.click();
    await running;
    await row(page, "ICarrier").waitFor();
    await until("it is in focus", async () => (await row(page, "ICarrier").innerText()).includes("added to focus"));
    await host("execute", { id: "codecortex.clearFocus" });
    await until("nobody's focus is left", async () => {
      const all = await view(page).locator(".row.piece .facts").allInnerTexts();
      return all.every((facts) => !facts.includes("added to focus"));
    });
  },

  "the symbol at the cursor is picked from what is around it": async ({ host, window: { page } }) => {
    // In the white space in front of the method.
    await host("open", { path: SERVICE, line: 47 });
    const running = start(page, "CodeCortex: Pin Symbol at Cursor");
    const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "CancelAsync" }).first();
    await choice.waitFor();
    await choice.click();
    await running;
    await until("the member is pinned", async () => {
      const names = await view(page).locator(".row.piece.pinned .name").allInnerTexts();
      return names.some((name) => name.startsWith("CancelAsync"));
    });
  },

  "the colours come at 80 % and when it is full": async ({ host, workspace, window: { page, screenshot } }) => {
    await host("execute", { id: "codecortex.keepContext" });
    await until("the folder is there", () => existsSync(join(workspace, ".context", "state.json")));
    const used = async () => {
      const { data } = await callOk(host, "codecortex_getContext", { list: true });
      return data.usedTokens;
    };
    const config = join(workspace, ".context", "config.json");
    const budget = (maxChars) => writeFileSync(config, JSON.stringify({ promptWindow: { maxChars } }));
    const kind = (name) => page.locator(`.statusbar-item.${name}-kind`, { hasText: "CodeCortex" });
    // A window that just holds what is in it is full; a quarter more room, and it is high.
    const whole = await used();
    budget(Math.ceil(whole * 4 * 1.2));
    await kind("warning").waitFor();
    await screenshot("window-high");
    budget(60);
    await kind("error").waitFor();
    await group(page, "No Room").waitFor();
    await statusItem(page).hover();
    const hover = page.locator(".monaco-hover:visible", { hasText: "Prompt window" });
    await hover.waitFor();
    await screenshot("window-full");
    await page.mouse.move(640, 300);
    writeFileSync(config, "{}");
    await until(
      "the colour is gone",
      async () => (await kind("error").count()) + (await kind("warning").count()) === 0,
    );
  },

  "the file of the window is kept": async ({ workspace }) => {
    const file = join(workspace, ".context", "prompt_window.md");
    await until("it is written", () => existsSync(file) && readFileSync(file, "utf8").includes("IOrderStore"));
  },

  "a pack is built by a filter that says what is wrong with it, and activated": async ({
    window: { page, screenshot },
  }) => {
    const running = start(page, "CodeCortex: Build Pack");
    const input = page.locator(".quick-input-widget input.input");
    await page.locator(".quick-input-title", { hasText: "Build Pack (1/2)" }).waitFor();
    await input.fill("orders");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-title", { hasText: "Build Pack (2/2)" }).waitFor();
    await input.fill("namespace: AND");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-message", { hasText: "has no name" }).waitFor();
    await screenshot("pack-filter");
    await input.fill("namespace:Harbour.Orders");
    await page.keyboard.press("Enter");
    await running;
    const told = page.locator(".notification-toast", { hasText: "The pack orders has" });
    await told.getByRole("button", { name: "Activate" }).click();
    const packs = start(page, "CodeCortex: Activate Packs");
    const entry = page.locator(".quick-input-list .monaco-list-row", { hasText: "orders" }).first();
    await entry.waitFor();
    assert.equal(
      await entry.locator("input[type=checkbox], .monaco-checkbox").first().getAttribute("aria-checked"),
      "true",
    );
    await page.keyboard.press("Escape");
    await packs;
  },

  "what is folded stays folded when the view was hidden": async ({ host, window: { page } }) => {
    await group(page, "Pinned").click();
    await until("it is folded", async () => (await row(page, "IOrderStore").count()) === 0);
    await host("execute", { id: "workbench.view.explorer" });
    await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
    await host("execute", { id: "codecortex.openWindow" });
    await group(page, "Pinned").waitFor();
    assert.equal(await group(page, "Pinned").getAttribute("aria-expanded"), "false");
    await group(page, "Pinned").click();
    await row(page, "IOrderStore").waitFor();
  },

  "it follows the theme, and fits 200 pixels": async ({ host, window: { page, screenshot } }) => {
    for (const symbol of ["Cart", "Order", "Bulk7", "Bulk8", "Wide", "OrderService"]) {
      await callOk(host, "codecortex_getOutline", { symbol });
    }
    try {
      for (const [name, theme] of Object.entries(THEMES)) {
        await host("setting", { key: "workbench.colorTheme", value: theme });
        await page.waitForTimeout(1_500); // the theme arrives
        await row(page, "IOrderStore").hover();
        await screenshot(`window-${name}`);
      }
      await narrow(page, 205);
      await page.mouse.move(640, 300);
      await page.waitForTimeout(500); // blocks move
      const wide = await view(page)
        .locator("body")
        .evaluate((body) => body.scrollWidth - body.clientWidth);
      await screenshot("window-narrow");
      assert.ok(wide <= 0, `${wide} px too wide`);
    } finally {
      await host("setting", { key: "workbench.colorTheme", value: undefined });
    }
  },
};

/** Drags the side bar's border until it has that width. */
async function narrow(page, width) {
  const bar = await page.locator(".part.sidebar").boundingBox();
  const [x, y] = [bar.x + bar.width, bar.y + bar.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(bar.x + width, y, { steps: 8 });
  await page.mouse.up();
}
