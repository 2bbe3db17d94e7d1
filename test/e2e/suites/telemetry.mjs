/** The telemetry page: figures, charts and receipts of the window's own answers, in every kind of theme. */

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { callOk, isReady } from "../lib/tools.mjs";

const THEMES = { light: "Default Light Modern", dark: "Default Dark Modern", contrast: "Default High Contrast" };

/** The page inside the two frames that VS Code puts around it; an editor's, not that of a view. */
const content = (page) =>
  page
    .frameLocator(".webview.ready:not([style*='hidden'])")
    .last()
    .frameLocator("#active-frame")
    .locator("main.content");

export const telemetryTests = {
  "the telemetry page shows what answers cost, and follows them": async ({ host, window: { page, screenshot } }) => {
    await until("the index is ready", () => isReady(host), 60_000);
    await callOk(host, "codecortex_getOutline", { symbol: "OrderService" });
    await callOk(host, "codecortex_searchApi", { query: "OrderService" });
    await host("execute", { id: "codecortex.showTelemetry" });
    const shown = content(page);
    await shown.getByText("Nothing is sent").waitFor();
    const row = shown.locator(".tools tr", { hasText: "getOutline" });
    await row.waitFor();
    const calls = async () => Number(await row.locator("td").nth(1).innerText());
    const before = await calls();
    assert.ok(before >= 1);
    await shown.locator(".receipts tr", { hasText: "OrderService" }).first().waitFor();
    assert.equal(await shown.locator(".chart").count(), 3);
    for (const [name, theme] of Object.entries(THEMES)) {
      await host("setting", { key: "workbench.colorTheme", value: theme });
      await page.waitForTimeout(1_500); // the theme arrives
      await screenshot(`telemetry-${name}`);
    }
    await host("setting", { key: "workbench.colorTheme", value: undefined });
    await callOk(host, "codecortex_getOutline", { symbol: "OrderService" });
    await until("the page has the next answer", async () => (await calls()) > before, 30_000);
    await host("execute", { id: "workbench.action.closeActiveEditor" });
  },
};
