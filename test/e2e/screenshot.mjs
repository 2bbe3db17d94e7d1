#!/usr/bin/env node
/**
 * Takes media/screenshot.png anew: VS Code on the fixture workspace, Copilot Chat answering through our tool; and
 * media/walkthrough/edit.png: an edit that
 * waits for a decision; and media/prompt-window.png: the prompt window after that; and media/graph.png: the graph
 * around a type.
 * The model is the tests' scripted one; what it says is made of the outline that our tool gave it.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../xtask/lib/context.mjs";
import { packageFile } from "../../xtask/vscode.mjs";
import { openSession } from "./lib/session.mjs";
import { call, callOk } from "./lib/tools.mjs";
import { ask, openSteps, waitForAnswer } from "./lib/window.mjs";

const QUESTION = "what is in the class OrderService?";
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const session = await openSession({
  fixture: join(root, "test", "fixtures", "workspace"),
  name: "harbour",
  vsix: packageFile(),
  extension: `${manifest.publisher}.${manifest.name}`,
  results: join(root, "test-results"),
  say: console.log,
  settings: {
    "workbench.colorTheme": "Default Dark Modern",
    "window.commandCenter": false,
    "editor.minimap.enabled": false,
    "editor.fontSize": 12,
    "editor.occurrencesHighlight": "off",
    "editor.stickyScroll.enabled": false,
    "window.title": "harbour",
    "breadcrumbs.enabled": false,
    "files.exclude": { "**/Bulk": true },
  },
  scripts: [
    {
      prompt: /what is in the class/,
      calls: [() => ({ name: "codecortex_getOutline", input: { symbol: "OrderService" } })],
      answer: ([outline]) => describe(JSON.parse(outline).data),
    },
  ],
});
try {
  await take(session);
  await takeWindow(session);
  await takeEdit(session);
  await takeGraph(session);
} finally {
  await session.close();
}

async function take({ host, window: { page } }) {
  await host("open", { path: "src/Orders/OrderService.cs", line: 37 });
  await page.locator(".chat-input-notification-dismiss").click();
  await widenChat(page);
  await ask(page, QUESTION);
  await waitForAnswer(page, "CancelAsync");
  await openSteps(page);
  await page.mouse.move(640, 300);
  await page.waitForTimeout(500); // the arrow turns
  await page.screenshot({ path: join(root, "media", "screenshot.png") });
}

/** The editor and the notification of an edit that a model asked for. */
async function takeEdit({ host, window: { page } }) {
  const filePath = "src/Orders/OrderService.cs";
  const { data } = await callOk(host, "codecortex_getLiveContext", { filePath });
  const changes = [{ oldText: "MaxLines = 200", newText: "MaxLines = 500" }];
  const edits = [{ filePath, baseVersion: data.current_document.versionId, changes }];
  const answer = call(host, "codecortex_applyEdit", { edits, summary: "raise the limit" });
  const notification = page.locator(".notification-list-item", { hasText: "raise the limit: change" });
  await notification.waitFor();
  await page.locator(".monaco-diff-editor .view-line", { hasText: "MaxLines = 500" }).first().waitFor();
  await page.waitForTimeout(1_000); // the diff is coloured a moment later
  const editor = await page.locator(".part.editor").boundingBox();
  const clip = { ...editor, width: 1280 - editor.x };
  await page.screenshot({ path: join(root, "media", "walkthrough", "edit.png"), clip });
  await notification.getByText("Discard", { exact: true }).click();
  await answer;
}

/** The side bar with the prompt window, and the status bar below it. */
async function takeWindow({ host, window: { page } }) {
  for (const symbol of ["OrderService.PlaceAsync", "Cart", "OrderState", "ICarrier", "OrderService"]) {
    await host("invokeTool", { name: "codecortex_getOutline", input: { symbol } });
  }
  await host("invokeTool", { name: "codecortex_pin", input: { action: "pin", symbols: ["IOrderStore", "Order"] } });
  await host("execute", { id: "codecortex.openWindow" });
  const view = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  await view.locator(".row.piece.recent").first().waitFor();
  await view.locator(".row.piece.focus").first().hover();
  await page.waitForTimeout(1_000); // blocks move
  const bar = await page.locator(".part.sidebar").boundingBox();
  const clip = { x: 0, y: bar.y, width: bar.x + bar.width, height: bar.height };
  await page.screenshot({ path: join(root, "media", "prompt-window.png"), clip });
}

/** The tab with the dependency graph around a type. */
async function takeGraph({ host, window: { page } }) {
  await host("execute", { id: "workbench.action.closeAllEditors" });
  await host("execute", { id: "workbench.action.closeAuxiliaryBar" });
  const item = { symbol: "OrderService", filePath: "src/Orders/OrderService.cs", line: 20, label: "OrderService" };
  await host("execute", { id: "codecortex.showGraphOf", args: [item] });
  const view = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  await view.locator('.surface[data-state="resting"]').waitFor();
  await view.locator('select[aria-label="Steps"]').selectOption("2");
  await page.waitForTimeout(2_000); // the graph of two steps is drawn
  const editor = await page.locator(".part.editor").boundingBox();
  await page.screenshot({ path: join(root, "media", "graph.png"), clip: editor });
}

/** Drags the border between editor and chat to the left. */
async function widenChat(page) {
  const chat = await page.locator(".part.auxiliarybar").boundingBox();
  const [x, y] = [chat.x - 1, chat.y + chat.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 150, y, { steps: 5 });
  await page.mouse.up();
}

function describe({ declarations }) {
  const members = declarations.filter(({ depth }) => depth === 1);
  const lines = members.map(({ name, kind, doc }) => `- \`${name}\` (${kind})${doc ? `: ${doc}` : ""}`);
  return `**OrderService** has ${members.length} members:\n\n${lines.join("\n")}`;
}
