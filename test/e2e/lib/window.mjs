/** One VS Code window in a headless browser, driven as a person would: clicks, keys, and looking. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { chromium } from "playwright-core";

import { until } from "./companion.mjs";

export const WAIT_MS = 90_000;

/** Foreign names fail at once, so nothing waits for a network that tests must not need. */
const BROWSER_FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
];

export async function openBrowser(executablePath) {
  return chromium.launch({ executablePath, headless: true, args: BROWSER_FLAGS });
}

export async function openWindow(browser, address, screenshots) {
  mkdirSync(screenshots, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const foreign = [];
  const console = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.hostname !== "127.0.0.1") {
      foreign.push(request.url());
    }
  });
  // A webview asks VS Code for its files under a name of the web; what its service worker answers never left the page.
  page.on("response", (response) => {
    const index = response.fromServiceWorker() ? foreign.indexOf(response.url()) : -1;
    if (index >= 0) {
      foreign.splice(index, 1);
    }
  });
  page.on("console", (message) => console.push(`${message.type()}: ${message.text()}`));
  page.setDefaultTimeout(WAIT_MS);
  await page.goto(address);
  await page.waitForSelector(".monaco-workbench .part.statusbar");
  return { page, foreign, console, screenshot: (name) => page.screenshot({ path: join(screenshots, `${name}.png`) }) };
}

/** Runs a command by its title, from the palette. */
export async function runCommand(page, title) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input.input");
  await input.waitFor();
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

/**
 * Runs a command until what it shows is there: an editor that has just opened may take the focus from the palette, which closes it.
 * The promise that is given is settled when the command is.
 */
export async function untilShown(page, title, shown) {
  for (let tries = 3; ; tries--) {
    const running = runCommand(page, title).catch(() => undefined);
    const isThere = await shown.waitFor({ timeout: tries > 1 ? 20_000 : WAIT_MS }).then(
      () => true,
      (error) => (tries > 1 ? false : Promise.reject(error)),
    );
    if (isThere) {
      return { running };
    }
  }
}

/** An entry of the context menu that is open. */
export function menuItem(page, title) {
  return page.locator(".monaco-menu .action-item", { hasText: title }).first();
}

/** Chooses from the context menu that is open or about to be. */
export async function chooseFromMenu(page, title) {
  await menuItem(page, title).waitFor();
  // A menu takes no click in its first 100 ms, so that the click which opened it chooses nothing.
  await until(`the menu with ${title} is gone`, async () => {
    await menuItem(page, title)
      .click({ timeout: 1_000 })
      .catch(() => undefined);
    return (await menuItem(page, title).count()) === 0;
  });
}

/** Waits until the model of that name is the one the chat will ask. */
export async function waitForModel(page, name) {
  await page.locator(".interactive-input-part", { hasText: name }).first().waitFor();
}

/** Types the words into the chat and sends them. */
export async function ask(page, prompt) {
  await clearInput(page);
  await page.keyboard.insertText(prompt);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
}

/** Puts the cursor into the empty input: a participant that was asked stays in it, in new conversations too. */
export async function clearInput(page) {
  await page.locator(".interactive-input-part .monaco-editor").first().click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
}

/** Waits for the answer's text in the conversation. */
export async function waitForAnswer(page, text) {
  await page.locator(".interactive-session .interactive-item-container", { hasText: text }).last().waitFor();
}

/** Starts a conversation anew. */
export async function newChat(page) {
  // One that is new already would be made anew behind what is typed next.
  if ((await page.locator(".interactive-session .interactive-item-container").count()) === 0) {
    return;
  }
  await page.locator(".interactive-input-part .monaco-editor").first().click();
  await page.keyboard.press("Control+n");
  await page.locator(".interactive-session .interactive-item-container").first().waitFor({ state: "detached" });
}

/** Unfolds what the last answer did on its way. */
export async function openSteps(page) {
  await page
    .locator(".interactive-session")
    .getByText(/^Completed \d+ steps?/)
    .last()
    .click();
}
