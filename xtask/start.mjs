#!/usr/bin/env node
/**
 * npm start -- /some/repository [--browser] [--port N]
 *
 * Sets up what is missing, builds, packages and installs the extension, and opens VS Code on the
 * repository: the `code` on the PATH, or with --browser, or where there is none, the real VS Code server
 * from the package registry on a loopback address, until Ctrl-C.
 */

import { spawn, spawnSync } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { createContext } from "./lib/context.mjs";
import { setUp } from "./setup.mjs";
import { createProfile, freePort, installExtension, packageFile, startVsCode } from "./vscode.mjs";

/** Always the same where it is free: what VS Code keeps in the browser belongs to the port. */
const DEFAULT_PORT = 7391;
const USAGE = "usage: npm start -- /some/repository [--browser] [--port N]";

const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "update.mode": "none",
  // Chat works in trusted folders only; asking at once is better than a banner and a refusal later.
  "security.workspace.trust.startupPrompt": "always",
};

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  let wanted;
  try {
    wanted = parse(args);
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    return 2;
  }
  const { which } = createContext("build");
  const code = wanted.browser ? undefined : which("code");
  if (!(await setUp(code ? "code" : "browser"))) {
    return 1;
  }
  try {
    return code ? openDesktop(code, wanted.folder) : await openServer(wanted, which);
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

function parse(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { browser: { type: "boolean", default: false }, port: { type: "string" } },
  });
  if (positionals.length !== 1) {
    throw new Error(positionals.length ? "one repository at a time, please" : "which repository shall be opened?");
  }
  // npm runs the script in the project's folder; a relative path is meant from where it was typed.
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), positionals[0]);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`${folder} is not a folder`);
  }
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) {
    throw new Error(`--port takes a number from 1 to 65535, not ${values.port}`);
  }
  return { folder, browser: values.browser, port };
}

/** The user's own VS Code, with the user's own profile. */
function openDesktop(code, folder) {
  const shell = process.platform === "win32";
  for (const args of [["--install-extension", packageFile(), "--force"], [folder]]) {
    const { status, error } = spawnSync(code, args, { stdio: "inherit", shell });
    if (status !== 0) {
      throw new Error(`${code} ${args.join(" ")} failed${error ? `: ${error.message}` : ` with exit code ${status}`}`);
    }
  }
  console.log(`\nVS Code opens ${folder}. Ask Copilot Chat in agent mode: what is in the class …?`);
  return 0;
}

async function openServer({ folder, port }, which) {
  const chosen = await freePort(port ?? DEFAULT_PORT);
  if (port !== undefined && chosen !== port) {
    throw new Error(`port ${port} is taken`);
  }
  const folders = createProfile(profileFolder(), { settings: SETTINGS });
  try {
    await installExtension(folders, packageFile());
  } catch (error) {
    rmSync(folders.temporary, { recursive: true, force: true });
    throw error;
  }
  const server = await startVsCode(folders, { open: { folder }, port: chosen });
  const stopped = new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      // not `once`: a terminal's Ctrl-C comes twice, from the terminal and from npm, and must not cut the end short
      process.on(signal, () => done("asked"));
    }
    void server.ended.then(() => done("died"));
  });
  const opener = displayOpener(which);
  if (opener) {
    spawn(opener, [server.address], { stdio: "ignore", detached: true })
      .once("error", () => undefined)
      .unref();
  }
  console.log(greeting(server.address, folder, Boolean(opener)));
  const why = await stopped;
  console.log(why === "asked" ? "\nending VS Code …" : `\nthe VS Code server ended by itself; see ${folders.log}`);
  await server.stop();
  return why === "asked" ? 0 : 1;
}

/** Settings, sign-in and chat models survive here; the project's own folder stays clean. */
function profileFolder() {
  const cache =
    process.env.XDG_CACHE_HOME ||
    (process.platform === "darwin" ? join(homedir(), "Library", "Caches") : process.env.LOCALAPPDATA) ||
    join(homedir(), ".cache");
  return join(cache, "codecortex", "vscode");
}

/** How this desktop opens an address, or undefined where nobody would see it. */
function displayOpener(which) {
  if (process.platform === "darwin") {
    return "open";
  }
  if (process.platform === "win32") {
    return "explorer";
  }
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? which("xdg-open") : undefined;
}

function greeting(address, folder, opened) {
  return `
VS Code with CodeCortex runs on ${folder}
${opened ? "It opens in your browser; otherwise open" : "Open"}

  ${address}

The chat needs a model. Run "Chat: Manage Language Models", then "Add Models": sign in to GitHub Copilot, or bring
your own (a key of a provider, or any OpenAI-compatible address). Then ask in agent mode: what is in the class …?

Ctrl-C ends it.`;
}
