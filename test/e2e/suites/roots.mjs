/** A workspace of two folders that both have the file `web/src/cart.ts`. */

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { call, callOk, isReady, outlineNames, searchNames } from "../lib/tools.mjs";

/** The page inside the two frames that VS Code puts around it. */
const view = (page) => page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
/** The rows of the prompt window about a file of both folders. */
const rows = (page) => view(page).locator(".row.piece:visible", { hasText: "cart.ts" });

export const rootsTests = {
  "both folders are in the index": async ({ host }) => {
    await until("the index is ready", () => isReady(host));
    const names = await searchNames(host, "Cart");
    assert.ok(names.includes("Cart") && names.includes("SecondCart"), String(names));
  },

  "a path that both have is never guessed": async ({ host }) => {
    const { envelope, text } = await call(host, "codecortex_getOutline", { filePath: "web/src/cart.ts" });
    assert.equal(envelope.ok, false, text);
    assert.equal(envelope.error.code, "InvalidParams", text);
    assert.match(text, /workspace\/web\/src\/cart\.ts/);
    assert.match(text, /second\/web\/src\/cart\.ts/);
  },

  "the folder's name in front makes it clear": async ({ host }) => {
    assert.ok((await outlineNames(host, { filePath: "second/web/src/cart.ts" })).includes("SecondCart"));
    assert.ok((await outlineNames(host, { filePath: "workspace/web/src/cart.ts" })).includes("Cart"));
  },

  "what both have is pinned apart, and the view says which is which": async ({
    host,
    window: { page, screenshot },
  }) => {
    for (const folder of ["workspace", "second"]) {
      await callOk(host, "codecortex_pin", { action: "pin", symbols: ["web/src/cart.ts"], folder });
    }
    await host("execute", { id: "codecortex.openWindow" });
    await until("both are in the view", async () => (await rows(page).count()) === 2);
    await screenshot("window-folders");
    const unclear = await call(host, "codecortex_pin", { action: "unpin", symbols: ["web/src/cart.ts"] });
    assert.match(unclear.text, /Give `folder`: workspace or second/);
    await rows(page).filter({ hasText: "second" }).focus();
    await page.keyboard.press("Space");
    await until("one is left", async () => (await rows(page).count()) === 1);
    assert.match(await rows(page).innerText(), /workspace/);
    await rows(page).press("Space"); // other suites share the window
    await until("none is left", async () => (await rows(page).count()) === 0);
  },
};
