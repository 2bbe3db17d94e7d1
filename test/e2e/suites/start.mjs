/** `npm start` as a person uses it: the server route with a browser, the user's own VS Code, and mistakes. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { createContext, root } from "../../../xtask/lib/context.mjs";
import { browserBinary, packageFile } from "../../../xtask/vscode.mjs";
import { until } from "../lib/companion.mjs";
import { deleteFolder } from "../lib/folder.mjs";
import { openBrowser, openWindow } from "../lib/window.mjs";

const BUILD_MS = 10 * 60_000;
const FIXTURE = join(root, "test", "fixtures", "workspace");

export const startTests = {
  "npm start --browser serves VS Code with the extension, and Ctrl-C leaves nothing behind": ({ results }) =>
    inFolder(async (folder, start) => {
      const run = start([FIXTURE, "--browser"]);
      const address = await until(
        "the address is printed",
        () => /http:\/\/127\.0\.0\.1:\d+\/enter\/\w+/.exec(run.output)?.[0],
        BUILD_MS,
      );
      await refusesStrangers(address);
      const browser = await openBrowser(browserBinary(createContext("test").which));
      try {
        const { page, screenshot } = await openWindow(browser, address, join(results, "screenshots"));
        await page.locator(".monaco-dialog-box .monaco-button", { hasText: "Yes, I trust the authors" }).click();
        await page.locator(".statusbar-item", { hasText: "CodeCortex" }).waitFor();
        await page.locator(".interactive-input-part", { hasText: "Agent" }).first().waitFor();
        await screenshot("npm-start");
      } finally {
        await browser.close();
        run.child.kill("SIGINT");
      }
      assert.equal(await run.exitCode, 0, run.output);
      assert.deepEqual(readdirSync(join(folder, "tmp")), [], "temporary files are left");
      assert.deepEqual(processesWith(join(folder, "tmp")), [], "processes are left");
      return /set-up done in .*/.exec(run.output)?.[0];
    }),

  "npm start uses the `code` on the PATH": () =>
    inFolder(async (folder, start) => {
      const calls = join(folder, "calls");
      const code = join(folder, "bin", "code");
      mkdirSync(join(folder, "bin"));
      writeFileSync(code, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${calls}'\n`);
      chmodSync(code, 0o755);
      const run = start([FIXTURE], { PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}` });
      assert.equal(await run.exitCode, 0, run.output);
      assert.equal(readFileSync(calls, "utf8"), `--install-extension ${packageFile()} --force\n${FIXTURE}\n`);
    }),

  "npm start names the mistake in a wrong call": () =>
    inFolder(async (folder, start) => {
      const mistakes = [
        [[], /which repository/],
        [[join(folder, "nowhere")], /not a folder/],
        [[FIXTURE, "--port", "many"], /--port takes a number/],
        [[FIXTURE, "--colour"], /--colour/],
      ];
      for (const [args, message] of mistakes) {
        const run = start(args);
        assert.equal(await run.exitCode, 2, run.output);
        assert.match(run.output, message);
        assert.match(run.output, /usage: npm start/);
      }
    }),
};

/** Without the key there is no workbench, neither through the front door nor through the server's port. */
async function refusesStrangers(address) {
  const guess = address.replace(/\w{8}$/, "00000000");
  assert.equal((await fetch(guess, { redirect: "manual" })).status, 404);
  const entered = await fetch(address, { redirect: "manual" });
  const server = new URL(entered.headers.get("location")).origin;
  const stranger = await fetch(`${server}/`, { redirect: "manual" });
  assert.equal(stranger.status, 302);
  assert.match(stranger.headers.get("location"), /login/);
}

function startScript(folder, args, env = {}) {
  const child = spawn(process.execPath, [join(root, "xtask", "start.mjs"), ...args], {
    cwd: root,
    env: { ...process.env, ...displayless, TMPDIR: join(folder, "tmp"), XDG_CACHE_HOME: join(folder, "cache"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const run = { child, output: "" };
  child.stdout.on("data", (text) => (run.output += text));
  child.stderr.on("data", (text) => (run.output += text));
  run.exitCode = new Promise((done) => child.once("close", done));
  return run;
}

/** No desktop that an address could be opened in. */
const displayless = { DISPLAY: "", WAYLAND_DISPLAY: "" };

/** Calls `work` with a folder of its own and how to run `npm start`; ends what a failed test left running. */
async function inFolder(work) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cc-start-")));
  mkdirSync(join(folder, "tmp"));
  const runs = [];
  const start = (args, env) => {
    runs.push(startScript(folder, args, env));
    return runs.at(-1);
  };
  try {
    return await work(folder, start);
  } finally {
    for (const { child, exitCode } of runs) {
      child.kill("SIGTERM");
      await exitCode;
    }
    await deleteFolder(folder);
  }
}

/** Command lines of the processes whose environment has the text, where the system tells. */
function processesWith(text) {
  if (!existsSync("/proc/self/environ")) {
    return [];
  }
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => readOrNothing(`/proc/${pid}/environ`).includes(text))
    .map((pid) => readOrNothing(`/proc/${pid}/cmdline`).replaceAll("\0", " "));
}

/** Processes come and go, and some belong to others. */
function readOrNothing(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
