/** The walkthrough and the settings, as a person finds them. */

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { isReady } from "../lib/tools.mjs";

const THEMES = { light: "Default Light Modern", dark: "Default Dark Modern", contrast: "Default High Contrast" };

export const walkthroughTests = {
  "the walkthrough opens, and what is done already is done": async ({
    host,
    manifest,
    window: { page, screenshot },
  }) => {
    await until("the index is ready", () => isReady(host));
    await host("execute", { id: "codecortex.openWalkthrough" });
    const steps = page.locator(".getting-started-step");
    await steps.first().waitFor();
    const titles = manifest.contributes.walkthroughs[0].steps.map(({ title }) => title);
    for (const title of titles) {
      await page.locator(".getting-started-step .step-title", { hasText: title }).first().waitFor();
    }
    await page.locator(".getting-started-step .codicon-getting-started-step-checked.complete").first().waitFor();
    // Pictures stand beside the steps where there is room.
    await host("execute", { id: "workbench.action.closeSidebar" });
    await host("execute", { id: "workbench.action.closeAuxiliaryBar" });
    try {
      for (const [name, theme] of Object.entries(THEMES)) {
        await host("setting", { key: "workbench.colorTheme", value: theme });
        await page.waitForTimeout(1_500); // the theme arrives
        await screenshot(`walkthrough-${name}`);
      }
      await host("setting", { key: "workbench.colorTheme", value: undefined });
      for (const [index, title] of titles.entries()) {
        await page.locator(".getting-started-step .step-title", { hasText: title }).first().click();
        await page.waitForTimeout(700);
        await screenshot(`walkthrough-step-${index + 1}`);
      }
    } finally {
      await host("setting", { key: "workbench.colorTheme", value: undefined });
    }
  },

  "opening a view completes its step": async ({ host, window: { page } }) => {
    await host("execute", { id: "codecortex.openWalkthrough" });
    const step = page.locator(".getting-started-step", { hasText: "Watch what changes" });
    await step.waitFor();
    await host("execute", { id: "codecortex.changes.focus" });
    await step.locator(".codicon-getting-started-step-checked.complete").first().waitFor();
    await host("execute", { id: "workbench.action.closeAllEditors" });
  },

  "the settings are in groups": async ({ host, manifest, window: { page, screenshot } }) => {
    await host("execute", { id: "workbench.action.openSettings", args: ["@ext:codecortex.codecortex"] });
    await page.locator(".settings-editor .setting-item").first().waitFor();
    const toc = page.locator(".settings-toc-container");
    for (const { title } of manifest.contributes.configuration) {
      await toc.getByText(title, { exact: true }).first().waitFor();
    }
    await screenshot("settings");
    assert.ok((await page.locator(".settings-editor .setting-item").count()) > 3);
    await host("execute", { id: "workbench.action.closeAllEditors" });
  },
};
