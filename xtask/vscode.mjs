/**
 * Starts and stops the VS Code server (the npm package code-server) that the end-to-end tests and
 * `npm start -- --browser` use. Where its parts are is known here; getting them is test/e2e/setup.mjs.
 *
 * The server listens on 127.0.0.1 only, is the leader of its own process group, and is ended by that
 * group's id, so nothing of it outlives the program that started it.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startEntryPage } from "./entry-page.mjs";
import { root } from "./lib/context.mjs";

export const e2eRoot = join(root, "test", "e2e");
export const codeServerRoot = join(e2eRoot, "node_modules", "code-server");

const READY_TIMEOUT_MS = 60_000;
const LONGEST_SOCKET_PATH = 103;
const STOP_TIMEOUT_MS = 5_000;
const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

/** The folder of the Node that VS Code's server needs (its `bin/node` and `include/node`). */
export function nodeFolder() {
  const folder = join(e2eRoot, "node_modules", `node-${process.platform.replace("win32", "win")}-${process.arch}`);
  return existsSync(folder) ? folder : undefined;
}

/** The Node 24 from npm, or the running one where npm has none for this platform. */
export function nodeBinary() {
  const folder = nodeFolder();
  if (!folder) {
    return process.version.startsWith("v24.") ? process.execPath : undefined;
  }
  const file = join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(file) ? file : undefined;
}

/** A Chromium-like browser of this system, or undefined. */
export function browserBinary(which) {
  const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  return BROWSERS.map(which).find(Boolean) ?? (existsSync(mac) ? mac : undefined);
}

/** The .vsix that the set-up makes: the one of this version. */
export function packageFile() {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return join(root, "dist", `${name}-${version}.vsix`);
}

/** A port that is free on the loopback interface; `wanted` if that one is. */
export async function freePort(wanted = 0) {
  const probe = (port) =>
    new Promise((done) => {
      const server = createServer();
      server.once("error", () => done(undefined));
      server.listen(port, "127.0.0.1", () => {
        const { port: given } = server.address();
        server.close(() => done(given));
      });
    });
  return (await probe(wanted)) ?? (await probe(0));
}

/**
 * The folders one server works in: `profile` holds what shall survive, `temporary` what must not.
 * `settings` and `models` become the user's settings.json and chatLanguageModels.json where there is
 * none yet; what a person changed later stays.
 */
export function createProfile(profile, { settings, models } = {}) {
  const temporary = mkdtempSync(join(tmpdir(), "codecortex-"));
  const folders = {
    temporary,
    userData: join(profile, "user-data"),
    extensions: join(profile, "extensions"),
    config: join(temporary, "config.yaml"),
    log: join(profile, "server.log"),
  };
  mkdirSync(join(folders.userData, "User"), { recursive: true });
  mkdirSync(folders.extensions, { recursive: true });
  writeFileSync(folders.config, "auth: password\ncert: false\n");
  writeOnce(join(folders.userData, "User", "settings.json"), settings);
  writeOnce(join(folders.userData, "User", "chatLanguageModels.json"), models);
  return folders;
}

function writeOnce(file, value) {
  if (value !== undefined && !existsSync(file)) {
    writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
  }
}

/** Installs a .vsix into the profile the way `code --install-extension` does; resolves to its output. */
export async function installExtension(folders, vsix, env = {}) {
  const child = spawnServer(folders, ["--install-extension", vsix, "--force"], env, ["ignore", "pipe", "pipe"]);
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const code = await new Promise((done, failed) => child.once("error", failed).once("close", done));
  if (code !== 0 || !/successfully installed/.test(output)) {
    throw new Error(`VS Code did not install ${vsix} (exit code ${code}):\n${output}`);
  }
  return output;
}

/**
 * Starts the server and resolves when it answers. `open` is what the page's address says it shall open,
 * for instance `{ folder }`. The value:
 *   address   the page to open; it carries this run's key, because whoever reaches the server has a shell
 *   pid       the process group's id
 *   ended     resolves when the server's own process is gone, however that came
 *   stop()    ends the whole group, and takes the temporary folder away
 */
export async function startVsCode(folders, { open, port, env = {}, args = [] }) {
  const key = randomBytes(32).toString("hex");
  const cookie = `code-server-session-${port}`;
  const log = createWriteStream(folders.log);
  const child = spawnServer(
    folders,
    [
      ...["--bind-addr", `127.0.0.1:${port}`, "--auth", "password", "--cookie-suffix", String(port)],
      ...["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"],
      ...["--ignore-last-opened", ...args],
    ],
    // A server whose stored password is this key takes the key itself as the session cookie.
    { ...env, HASHED_PASSWORD: key },
    ["ignore", "pipe", "pipe"],
  );
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = new Promise((done) => child.once("error", done).once("close", done)).then(() => log.end());
  const entry = await startEntryPage({ port, key, cookie, query: open });
  const stop = async () => {
    await entry.close();
    await endGroup(child);
    await ended;
    rmSync(folders.temporary, { recursive: true, force: true, maxRetries: 3, retryDelay: 200 });
  };
  try {
    await waitUntilReady(port, child);
  } catch (error) {
    await stop();
    throw new Error(`${error.message}; its output is in ${folders.log}`, { cause: error });
  }
  return { address: entry.address, pid: child.pid, port, ended, stop };
}

function spawnServer(folders, args, env, stdio) {
  const all = [
    join(codeServerRoot, "out", "node", "entry.js"),
    ...["--config", folders.config],
    ...["--user-data-dir", folders.userData, "--extensions-dir", folders.extensions],
    ...args,
  ];
  return spawn(nodeBinary(), all, {
    cwd: folders.temporary,
    env: { ...process.env, ...ownTemporary(folders.temporary), ...env },
    stdio,
    detached: process.platform !== "win32",
  });
}

/** The server's sockets lie there, and a socket's path may not be long: a Mac's own folder uses up the room. */
function ownTemporary(folder) {
  const longest = join(folder, `vscode-ipc-${"x".repeat(36)}.sock`);
  return longest.length <= LONGEST_SOCKET_PATH ? { TMPDIR: folder } : {};
}

async function waitUntilReady(port, child) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error("the VS Code server ended while it started");
    }
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (response?.ok) {
      return;
    }
    await sleep(100);
  }
  throw new Error(`the VS Code server did not answer within ${READY_TIMEOUT_MS / 1000} s`);
}

/** Asks the group to end, waits, and insists; returns when no process of it is left. */
async function endGroup(child) {
  if (child.pid === undefined) {
    return;
  }
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    signalGroup(child.pid, signal);
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (Date.now() < deadline) {
      if (!signalGroup(child.pid, 0)) {
        return;
      }
      await sleep(50);
    }
  }
}

/** Whether there was a process in the group to send the signal to. */
function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

export function sleep(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
