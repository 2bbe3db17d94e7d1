/** What every step of the set-up is handed; described in ../setup.mjs. */

import { spawnSync } from "node:child_process";
import { accessSync, closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { start } from "./children.mjs";
import { createStamps } from "./stamp.mjs";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** A failure a person can act on: the message says what, `log` where to read more. */
export class SetupError extends Error {
  constructor(message, tail = "") {
    super(message);
    this.tail = tail;
  }
}

export function createContext(goal) {
  const cache = join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const context = {
    root,
    cache,
    goal,
    stamp: createStamps(cache, root),
    which,
    progress: () => undefined,
    exec: (command, args, options) => exec(context, command, args, options),
  };
  return context;
}

/** The context of one step: its programs write to a log file of its own and report to `progress`. */
export function forStep(context, name, progress) {
  const file = join(context.cache, "logs", `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.log`);
  let opened;
  const own = {
    ...context,
    log(text) {
      opened ??= openLog(file);
      writeSync(opened, text);
    },
    logFile: () => opened && relative(root, file),
    closeLog: () => opened && closeSync(opened),
    progress: (text) => text.trim() && progress(text.trim()),
    exec: (command, args, options) => exec(own, command, args, options),
    debian: (packages) => oneAtATime(() => installDebian(own, packages)),
  };
  return own;
}

function openLog(file) {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, "w");
}

let installing = Promise.resolve();

/** apt-get does not wait for another one. */
function oneAtATime(install) {
  const installed = installing.then(install);
  installing = installed.catch(() => undefined);
  return installed;
}

function which(command) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(folder, process.platform === "win32" ? `${command}.exe` : command);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

function exec(context, command, args = [], { cwd = root, env } = {}) {
  return new Promise((done, failed) => {
    context.log?.(`$ ${command} ${args.join(" ")}\n`);
    const child = start(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // npm and its like are .cmd files there, which only a shell starts
      shell: process.platform === "win32",
    });
    let stdout = "";
    let tail = "";
    const seen = (text) => {
      context.log?.(text);
      tail = (tail + text).slice(-4000);
      context.progress(
        text
          .trimEnd()
          .split(/[\r\n]/)
          .at(-1),
      );
    };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      seen(text);
    });
    child.stderr.setEncoding("utf8").on("data", seen);
    child.on("error", (error) => failed(new SetupError(`${command}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) {
        done(stdout);
      } else {
        const how = signal ? `was ended by ${signal}` : `ended with ${code}`;
        failed(new SetupError(`${command} ${args.join(" ")} ${how}`, tail));
      }
    });
  });
}

/** How to become root without asking, or undefined. */
function rootPrefix() {
  if (process.getuid?.() === 0) {
    return [];
  }
  const sudo = which("sudo");
  return sudo && spawnSync(sudo, ["-n", "true"]).status === 0 ? [sudo, "-n"] : undefined;
}

async function installDebian(context, wanted) {
  if (!which("apt-get")) {
    throw new SetupError(
      "these come as Debian packages, and this system has no apt-get",
      `install what corresponds to: ${wanted.flat().join(" ")}`,
    );
  }
  const prefix = rootPrefix();
  if (!prefix) {
    const install = `sudo apt-get install -y --no-install-recommends ${available(wanted).join(" ")}`;
    throw new SetupError(
      "packages of the system are missing and sudo wants a password",
      `sudo apt-get update && ${install}`,
    );
  }
  const apt = (...args) => {
    const [command, ...rest] = [...prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args];
    return context.exec(command, rest);
  };
  await apt("update");
  await apt("install", "-y", "--no-install-recommends", ...available(wanted));
}

/** Of each choice the first that this system's lists know. */
function available(wanted) {
  const known = (name) => spawnSync("apt-cache", ["show", name], { stdio: "ignore" }).status === 0;
  return wanted.map((choice) => [choice].flat().find((name) => !Array.isArray(choice) || known(name)) ?? choice.at(-1));
}
