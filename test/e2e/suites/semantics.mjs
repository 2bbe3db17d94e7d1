/** Texts about types: what they cost is said, a model writes them, and the view says where each stands. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { callOk } from "../lib/tools.mjs";
import { ask, newChat, runCommand, untilShown, waitForAnswer } from "../lib/window.mjs";

const ROLE = "Books parcels and hands out their numbers <b>once</b>.";
const THEMES = { light: "Default Light Modern", dark: "Default Dark Modern" };

const QUESTION = "Who books parcels?";

/** A model that describes every type but one. */
export const semanticsScripts = [
  {
    prompt: /Who books parcels\?/,
    isPlain: true,
    answer: () =>
      JSON.stringify({
        conclusion: "The carrier does: see [it](command:x).",
        evidence: [
          { path: "src/Shipping/Carrier.cs", startLine: 8, endLine: 8, quote: "ICarrier", why: "its interface" },
        ],
        open: ["Who pays?"],
      }),
  },
  {
    prompt: /=== TASK ===[\s\S]*RECOMMENDATIONS:/,
    isPlain: true,
    answer: (_, prompt) =>
      /\.PaperCarrier \(T_/.test(prompt)
        ? "I would rather not say."
        : `ROLE:\n${ROLE}\n\nLIFECYCLE:\nNone.\n\nEDGE_CASES:\nNone.\n\nLIMITATIONS:\nNone.\n\nRECOMMENDATIONS:\nNone.\n`,
  },
];

const start = (page, title) => runCommand(page, title).catch(() => undefined);
/** A row of the view; other views name types too. */
const row = (page, text) =>
  page
    .locator(".pane", { has: page.locator('.pane-header[aria-label^="Texts"]') })
    .locator(".monaco-list-row", { hasText: text })
    .first();
const dialog = (page, text) => page.locator(".monaco-dialog-box", { hasText: text });

async function inThemes({ host, page, screenshot }, name) {
  for (const [theme, value] of Object.entries(THEMES)) {
    await host("setting", { key: "workbench.colorTheme", value });
    await page.waitForTimeout(1_500); // the theme arrives
    await screenshot(`${name}-${theme}`);
  }
  await host("setting", { key: "workbench.colorTheme", value: undefined });
}

export const semanticsTests = {
  "the view lists types that nobody described": async ({ host, workspace, window: { page, screenshot } }) => {
    await host("execute", { id: "codecortex.keepContext" });
    await until("the folder is there", () => existsSync(join(workspace, ".context", "index.json")));
    await host("execute", { id: "codecortex.texts.focus" });
    await row(page, "Not Described").waitFor();
    await screenshot("texts-none");
  },

  "a model is asked after its cost was told": async ({ host, home, window: { page, screenshot } }) => {
    // Quotas are the person's: a repository cannot lift them.
    const config = join(home, ".config", "codecortex", "config.json");
    const read = existsSync(config) ? JSON.parse(readFileSync(config, "utf8")) : {};
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, JSON.stringify({ ...read, model: { callsPerHour: 40 } }));
    const choosing = start(page, "CodeCortex: Choose Model");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Scripted One" }).first().click();
    await choosing;
    await host("open", { path: "src/Shipping/Carrier.cs", line: 3 });
    const { running: describing } = await untilShown(
      page,
      "CodeCortex: Describe the Types of This File",
      dialog(page, "Scripted One"),
    );
    await screenshot("texts-cost");
    assert.match(await dialog(page, "Scripted One").innerText(), /Left this hour: \d+ of 40 requests\./);
    await dialog(page, "Scripted One").getByRole("button", { name: "Describe", exact: true }).click();
    await describing;
    const consent = dialog(page, "language model").getByRole("button", { name: "Allow" });
    await consent.waitFor({ timeout: 10_000 }).then(
      () => consent.click(),
      () => undefined,
    );
    await until(
      "a text is there",
      async () => {
        const { data } = await callOk(host, "codecortex_getSemantic", { symbol: "ICarrier", prompt: "never" });
        return data.semanticState === "cached";
      },
      60_000,
    );
  },

  "the view says what is fresh, what failed and why, and what it cost": async ({ host, window }) => {
    const { page, screenshot } = window;
    await host("execute", { id: "codecortex.texts.focus" });
    await row(page, "Failed").waitFor();
    const failed = row(page, "PaperCarrier");
    await failed.waitFor();
    const fresh = row(page, "Fresh");
    await fresh.waitFor();
    await fresh.click();
    await row(page, "ICarrier").waitFor();
    await page.locator(".pane-header", { hasText: /requests?, .* tokens/ }).waitFor();
    await failed.hover();
    await failed.locator('.action-label[aria-label^="Try Again"]').waitFor();
    await inThemes({ host, page, screenshot }, "texts");
    // A row that the view draws anew between the button's down and up takes no click.
    await until("the failed text is cancelled", async () => {
      const short = { timeout: 3_000 };
      await failed.hover(short).catch(() => undefined);
      const cancel = failed.locator('.action-label[aria-label^="Cancel"]');
      await cancel.click(short).catch(() => undefined);
      await row(page, "Failed")
        .waitFor({ state: "detached", ...short })
        .catch(() => undefined);
      return (await row(page, "Failed").count()) === 0;
    });
    await row(page, "ICarrier").hover();
    await row(page, "ICarrier").locator('.action-label[aria-label^="Show Text"]').click();
    await until("the text is open", async () => (await host("activeText")).text?.includes("Books parcels"));
    await screenshot("texts-text");
  },

  "the hover says what a type is for, where the user wants that": async ({ host, window: { page, screenshot } }) => {
    const hovered = () =>
      host("provide", {
        command: "vscode.executeHoverProvider",
        path: "src/Shipping/Carrier.cs",
        line: 8,
        character: 20,
      });
    const told = async () => (await hovered()).flatMap(({ text }) => text ?? []).join("\n");
    assert.ok(!(await told()).includes("Books parcels"));
    await host("setting", { key: "codecortex.hover.role", value: true });
    try {
      await until("the role is told", async () => (await told()).includes("Books parcels"));
      await host("open", { path: "src/Shipping/Carrier.cs", line: 8 });
      const name = page
        .locator(".view-line", { hasText: /interface.ICarrier/ })
        .first()
        .getByText("ICarrier");
      const hover = page.locator(".monaco-hover:visible", { hasText: "Books parcels" }).first();
      // A pointer that rests before the document is known to the editor's extensions is not asked about again, and one whose
      // button went down in a document that is gone counts as pressed until the next click.
      await until("the hover is shown", async () => {
        await page.mouse.move(640, 5);
        await name.click();
        await host("execute", { id: "editor.action.showHover" });
        await hover.waitFor({ timeout: 3_000 }).catch(() => undefined);
        return hover.isVisible();
      });
      assert.match(await hover.innerText(), /<b>once<\/b>/, "what a model writes is text");
      await screenshot("texts-hover");
    } finally {
      await host("setting", { key: "codecortex.hover.role", value: undefined });
    }
  },

  "/describe shows what a type is for, and offers to describe another": async ({ window }) => {
    const { page, screenshot } = window;
    const answer = (text) => page.locator(".interactive-session .interactive-item-container", { hasText: text }).last();
    await newChat(page);
    await ask(page, "@codecortex /describe ICarrier");
    await waitForAnswer(page, "Books parcels");
    assert.match(await answer("Books parcels").innerText(), /<b>once<\/b>/, "what a model writes is text");
    assert.equal(await answer("Books parcels").getByText("Describe…").count(), 0, "it is fresh");
    await ask(page, "@codecortex /describe PaperCarrier");
    const offer = answer("PaperCarrier").locator("a.monaco-button", { hasText: "Describe…" });
    await offer.waitFor();
    assert.doesNotMatch(await answer("PaperCarrier").innerText(), /yourself/, "agents are told that");
    await screenshot("texts-chat");
    await offer.click();
    await dialog(page, "Scripted One").waitFor();
    await dialog(page, "Scripted One").getByRole("button", { name: "Cancel", exact: true }).click();
    await ask(page, "@codecortex /describe");
    await waitForAnswer(page, "Say which type");
  },

  "an investigation ends in a page that can be read": async ({ host, window: { page, screenshot } }) => {
    const running = start(page, "CodeCortex: Investigate");
    await page.locator(".quick-input-title", { hasText: "Investigate" }).waitFor();
    await page.locator(".quick-input-widget input.input").fill(QUESTION);
    await page.keyboard.press("Enter");
    await running;
    await dialog(page, "Scripted One").getByRole("button", { name: "Investigate", exact: true }).click();
    await until("the page is there", async () => (await host("tabs")).some((label) => label.includes("Investigation")));
    await page.waitForTimeout(3_000); // a preview has no sign of being finished
    await screenshot("investigation");
    await host("execute", { id: "workbench.action.closeActiveEditor" });
  },
};
