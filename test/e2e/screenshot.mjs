#!/usr/bin/env node
/**
 * Takes media/screenshot.png anew: VS Code on the fixture workspace, Copilot Chat answering through our tool.
 * The model is the tests' scripted one; what it says is made of the outline that our tool gave it.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../../xtask/lib/context.mjs";
import { packageFile } from "../../xtask/vscode.mjs";
import { openSession } from "./lib/session.mjs";
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
