/**
 * Everything one run of the tests needs, started once: a fixture workspace of its own, the scripted
 * model, the server with the .vsix installed as a user installs it, a browser window, and the way into
 * the extension host. One window serves all tests, because a window takes 15 to 40 s to be ready.
 */

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createContext } from "../../../xtask/lib/context.mjs";
import { browserBinary, createProfile, freePort, installExtension, startVsCode } from "../../../xtask/vscode.mjs";
import { connectCompanion, placeCompanion, until } from "./companion.mjs";
import { startModel } from "./model.mjs";
import { openBrowser, openWindow, waitForModel } from "./window.mjs";

export const MODEL_NAME = "Scripted One";

const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "chat.tools.riskAssessment.enabled": false,
};

/** `fixture` is the folder that is copied and opened, `vsix` the package, `extension` its id. */
export async function openSession({ fixture, vsix, extension, scripts, results, say }) {
  const closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) {
      await closer();
    }
  };
  try {
    const session = await open({ fixture, vsix, extension, scripts, results, say, closers });
    return { ...session, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open({ fixture, vsix, extension, scripts, results, say, closers }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "codecortex-e2e-")));
  closers.push(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  const workspace = join(base, "workspace");
  cpSync(fixture, workspace, { recursive: true });
  const model = await startModel(scripts);
  closers.push(model.close);

  const folders = createProfile(join(base, "profile"), { settings: SETTINGS, models: modelsFile(model.url) });
  const home = join(base, "home");
  mkdirSync(home);
  const env = { HOME: home, CODECORTEX_E2E_FOLDER: base, EXTENSIONS_GALLERY: "{}" };
  placeCompanion(folders.extensions);
  say(await installExtension(folders, vsix, env).then((text) => text.trim().split("\n").at(-1)));
  const server = await startVsCode(folders, {
    folder: workspace,
    port: await freePort(),
    env,
    args: ["--disable-workspace-trust"],
    query: {
      payload: JSON.stringify([
        ["skipWelcome", "true"],
        ["skipReleaseNotes", "true"],
      ]),
    },
  });
  closers.push(server.stop);
  say(`VS Code server on port ${server.port}`);

  const browser = await openBrowser(browserBinary(createContext("test").which));
  closers.push(() => browser.close());
  const window = await openWindow(browser, server.address, join(results, "screenshots"));
  closers.push(() => window.screenshot("last").catch(() => undefined));
  const host = await connectCompanion(base);
  say("window and extension host are there");
  const state = () => host("state", { extension });
  await until("the extension is active", async () => (await state()).ours?.isActive);
  await until("Copilot Chat is active", async () => (await state()).copilot?.isActive);
  await waitForModel(window.page, MODEL_NAME);
  say("Copilot Chat is active and has the scripted model");
  return { workspace, model, server, browser, window, host, state };
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
