/** The command line's MCP server, named in a folder's `.vscode/mcp.json`, asked by Copilot Chat. */

import assert from "node:assert/strict";

import { until } from "../lib/companion.mjs";
import { currentTurn } from "../lib/model.mjs";
import { ask, newChat, waitForAnswer } from "../lib/window.mjs";

const OUTLINE = /^mcp_.*getOutline$/;

export const mcpScripts = [
  {
    prompt: /what is in the class SecondCart, over MCP\?/,
    calls: [
      (_, offered) => ({ name: offered.find((name) => OUTLINE.test(name)) ?? "none", input: { symbol: "SecondCart" } }),
    ],
    answer: ([outline]) => (outline.includes("wheels") ? "SecondCart has wheels" : `Not seen: ${outline}`),
  },
];

export const mcpTests = {
  "VS Code starts the server and offers its tools": async ({ host, window }) => {
    // servers start with the first question
    await newChat(window.page);
    await ask(window.page, "hello");
    const names = () =>
      host("tools").then((tools) => tools.map(({ name }) => name).filter((name) => name.startsWith("mcp_")));
    const seen = await until("the server's tools are there", async () => {
      const found = await names();
      return found.some((name) => OUTLINE.test(name)) && found;
    });
    return seen.join(", ");
  },

  "Copilot Chat answers through it": async ({ window, model }) => {
    await newChat(window.page);
    await ask(window.page, "what is in the class SecondCart, over MCP?");
    await waitForAnswer(window.page, "SecondCart has wheels");
    const { toolResults } = model.requests.map(currentTurn).findLast(({ prompt }) => prompt.includes("over MCP?"));
    assert.match(toolResults[0], /SecondCart/);
    await window.screenshot("mcp");
  },
};
