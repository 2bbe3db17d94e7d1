/** Review: units by risk in a view, findings as comments that stay dismissed, `@codecortex /review` with a scripted model. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "../lib/companion.mjs";
import { callOk, isReady } from "../lib/tools.mjs";
import { ask, newChat, runCommand, waitForAnswer } from "../lib/window.mjs";

const CHANGED = "web/src/orderClient.ts";
const FINDING = "`formatPrice` is gone";

export const reviewScripts = [
  {
    prompt: /look at the prices/,
    isPlain: true,
    answer: () =>
      JSON.stringify({
        findings: [
          { file: CHANGED, line: 38, severity: "info", category: "naming", message: "priceText hides the format" },
          { file: CHANGED, line: 38, severity: "error", category: "unused", message: "`OrderRefused` is never used" },
        ],
      }),
  },
];

/** A repository whose last commit is the workspace as it was, and a function that lost its name since. */
function change(workspace) {
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], { cwd: workspace });
  git("init", "-q", ".");
  git("add", "-A");
  git("commit", "-q", "-m", "as it was");
  const file = join(workspace, CHANGED);
  const before = readFileSync(file, "utf8");
  writeFileSync(file, before.replace("function formatPrice(", "function priceText("));
  return () => {
    writeFileSync(file, before);
    rmSync(join(workspace, ".git"), { recursive: true, force: true });
  };
}

const pane = (page) => page.locator(".pane", { has: page.locator(".pane-header", { hasText: /^Review/i }) });
const row = (page, text) => pane(page).locator(".monaco-list-row", { hasText: text }).first();

let restore = () => undefined;

export const reviewTests = {
  "a change is shown by risk, with what is found in it": async ({ host, workspace, window: { page, screenshot } }) => {
    await until("the index is ready", () => isReady(host), 60_000);
    await host("execute", { id: "codecortex.review.focus" });
    await pane(page).locator(".welcome-view", { hasText: "Review a change" }).waitFor();
    await screenshot("review-none");
    restore = change(workspace);
    await until("the change is known", async () => {
      const { data } = await callOk(host, "codecortex_searchApi", { labelQuery: "priceText" });
      return data.total > 0;
    });
    await runCommand(page, "CodeCortex: Review Uncommitted Changes");
    await row(page, FINDING).waitFor();
    await row(page, "High risk").waitFor();
    await screenshot("review-view");
  },

  "a unit opens its difference, a finding its comment": async ({ window: { page, screenshot } }) => {
    await row(page, "priceText").click();
    await page.locator(".tab", { hasText: "orderClient.ts (Uncommitted changes)" }).waitFor();
    await row(page, FINDING).click();
    const comment = page.locator(".review-widget", { hasText: "is gone" }).first();
    await comment.waitFor();
    await screenshot("review-comment");
    assert.match(await comment.innerText(), /CodeCortex/);
  },

  "what is dismissed stays dismissed": async ({ window: { page, screenshot } }) => {
    await row(page, FINDING).hover();
    await row(page, FINDING).locator(".action-label").first().click();
    await page.locator(".notification-toast", { hasText: "Dismissed" }).waitFor();
    await screenshot("review-dismissed");
    await row(page, FINDING).waitFor({ state: "detached" });
    await runCommand(page, "CodeCortex: Review Again");
    await row(page, "High risk").waitFor();
    assert.equal(await row(page, FINDING).count(), 0);
  },

  "/review has the picked model review it, and says where the index says otherwise": async ({ window }) => {
    const { page, screenshot } = window;
    try {
      await newChat(page);
      await ask(page, "@codecortex /review look at the prices");
      await waitForAnswer(page, "priceText hides the format");
      await screenshot("review-chat");
      const said = await page.locator(".interactive-session").innerText();
      assert.match(said, /Uncommitted changes: 1 file/);
      assert.match(said, /`OrderRefused` is never used[^]*The index says: `OrderRefused` is used in/);
      await row(page, "priceText hides the format").waitFor();
    } finally {
      await runCommand(page, "CodeCortex: Clear Review");
      restore();
    }
  },
};
