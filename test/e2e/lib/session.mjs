/**
 * Everything one run of the tests needs, started once: a fixture workspace of its own, the scripted
 * model, the server with the .vsix installed as a user installs it, a browser window, and the way into
 * the extension host. One window serves all tests, because a window takes 15 to 40 s to be ready.
 */

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createContext } from "../../../xtask/lib/context.mjs";
import { browserBinary, createProfile, freePort, installExtension, startVsCode } from "../../../xtask/vscode.mjs";
import { connectCompanion, placeCompanion, until } from "./companion.mjs";
import { deleteFolder } from "./folder.mjs";
import { startModel } from "./model.mjs";
import { openBrowser, openWindow, waitForModel } from "./window.mjs";

export const MODEL_NAME = "Scripted One";

const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "update.mode": "none",
  // the default of a VS Code in the browser saves what tests want unsaved
  "files.autoSave": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "chat.tools.riskAssessment.enabled": false,
};

/**
 * `fixture` is the folder that is copied as `name` and opened, `vsix` the package, `extension` its id, `settings` are
 * the user's beside those every run has. `inBrowser` tells where the extension runs, `secondRoot` has a
 * workspace of two folders opened, and `mcpServer` is a program that the second one names as an MCP server.
 */
export async function openSession(options) {
  const closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) {
      await closer();
    }
  };
  try {
    const session = await open(options, closers);
    return { ...session, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(options, closers) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "codecortex-e2e-")));
  closers.push(() => deleteFolder(base));
  const workspace = join(base, options.name ?? "workspace");
  cpSync(options.fixture, workspace, { recursive: true });
  addBulk(workspace);
  const model = await startModel(options.scripts);
  closers.push(model.close);
  const server = await launch(base, workspace, model, options, closers);
  options.say(`VS Code server on port ${server.port}`);
  const view = await enter(base, server, options, closers);
  options.say("Copilot Chat is active and has the scripted model");
  return { workspace, home: join(base, "home"), model, server, ...view };
}

/** Installs the package into a fresh profile and starts the server on the workspace. */
async function launch(base, workspace, model, { vsix, say, settings = {}, secondRoot = false, mcpServer }, closers) {
  const folders = createProfile(join(base, "profile"), {
    settings: { ...SETTINGS, ...settings },
    models: modelsFile(model.url),
  });
  closers.push(() => deleteFolder(folders.temporary));
  const home = join(base, "home");
  mkdirSync(home);
  const env = { HOME: home, CODECORTEX_E2E_FOLDER: base, CODECORTEX_TEST: "1", EXTENSIONS_GALLERY: "{}" };
  placeCompanion(folders.extensions);
  say((await installExtension(folders, vsix, env)).trim().split("\n").at(-1));
  const server = await startVsCode(folders, {
    open: {
      ...(secondRoot ? { workspace: twoRoots(base, workspace, mcpServer) } : { folder: workspace }),
      payload: JSON.stringify([
        ["skipWelcome", "true"],
        ["skipReleaseNotes", "true"],
      ]),
    },
    port: await freePort(),
    env,
    args: ["--disable-workspace-trust"],
  });
  closers.push(server.stop);
  return server;
}

/** Opens the window and waits until a question can be asked. */
async function enter(base, server, { extension, results, say, inBrowser = false }, closers) {
  const browser = await openBrowser(browserBinary(createContext("test").which));
  closers.push(() => browser.close());
  const window = await openWindow(browser, server.address, join(results, "screenshots"));
  const host = await connectCompanion(base);
  say("window and extension host are there");
  const state = () => host("state", { extension });
  const ready = async () => {
    if (inBrowser) {
      await window.page.locator(".statusbar-item", { hasText: "CodeCortex" }).waitFor();
    } else {
      await until("the extension is active", async () => (await state()).ours?.isActive);
    }
    await until("Copilot Chat is active", async () => (await state()).copilot?.isActive);
    await waitForModel(window.page, MODEL_NAME);
  };
  // Until the extension host is there again; ours may still be asleep.
  const restart = async () => {
    rmSync(join(base, "companion-port"));
    await window.page.reload();
    await connectCompanion(base);
  };
  const reload = async () => {
    await restart();
    await ready();
  };
  await ready();
  return { window, host, state, restart, reload };
}

function modelsFile(url) {
  const model = {
    id: "scripted-1",
    name: MODEL_NAME,
    url,
    toolCalling: true,
    vision: false,
    maxInputTokens: 60_000,
    maxOutputTokens: 4_000,
  };
  return [{ vendor: "customendpoint", name: "Scripted", apiType: "chat-completions", models: [model] }];
}

/** One class wider than an answer may be long, and enough files for indexing to take a while. */
function addBulk(workspace) {
  const folder = join(workspace, "src", "Bulk");
  mkdirSync(folder, { recursive: true });
  const method = (prefix, number) =>
    `    /// <summary>Step ${number} of many.</summary>\n    public int ${prefix}${String(number).padStart(3, "0")}(int first, string second) => first + ${number};\n`;
  const file = (type, prefix, methods) =>
    `namespace Harbour.Bulk;\n\npublic class ${type}\n{\n${Array.from({ length: methods }, (_, number) => method(prefix, number)).join("\n")}}\n`;
  writeFileSync(join(folder, "Wide.cs"), file("Wide", "WideMethod", 600));
  for (let number = 0; number < 400; number += 1) {
    writeFileSync(join(folder, `Bulk${number}.cs`), file(`Bulk${number}`, `Step${number}x`, 60));
  }
}

/** A workspace file with a second folder that has one path in common with the first. */
function twoRoots(base, workspace, mcpServer) {
  const second = join(base, "second");
  mkdirSync(join(second, "web", "src"), { recursive: true });
  writeFileSync(join(second, "web", "src", "cart.ts"), "export class SecondCart {\n  wheels = 4;\n}\n");
  if (mcpServer) {
    mkdirSync(join(second, ".vscode"));
    const servers = { codecortex: { command: mcpServer, args: ["mcp", "--root", second] } };
    writeFileSync(join(second, ".vscode", "mcp.json"), JSON.stringify({ servers }));
  }
  const file = join(base, "two.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: [{ path: workspace }, { path: second }] }));
  return file;
}
