/** The entry on the desktop and in remote extension hosts. */
import { join } from "node:path";

import type { ExtensionContext } from "vscode";

import type { Assets } from "../core/messages";
import type { EngineProcess } from "../core/supervisor";
import { workerEnvironment } from "../core/workerEnvironment";
import type { Platform } from "../core/platform";
import { launchEngine } from "../node/engineProcess";
import { activateExtension } from "./activate";

const TESTING = process.env.CODECORTEX_TEST === "1";

const desktop: Platform = {
  assets: (context) => Promise.resolve({ kind: "folder", path: context.asAbsolutePath("dist") }),
  commandLine: (context) => ({ program: process.execPath, script: context.asAbsolutePath(join("dist", "cli.js")) }),
  launch,
  cache: ({ storageUri }) => (storageUri?.scheme === "file" ? join(storageUri.fsPath, "index.cache") : undefined),
  windows: process.platform === "win32",
  testing: TESTING,
  clock: TESTING ? processorTime : () => performance.now(),
};

/** What this thread has worked: under test, other programs of the machine must not count. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function launch(assets: Assets): EngineProcess {
  if (assets.kind !== "folder") {
    throw new Error("a worker of this platform starts from a folder");
  }
  return launchEngine(assets.path, workerEnvironment(process.env, TESTING));
}

/** Called by VS Code once it has started. */
export function activate(context: ExtensionContext): Promise<void> {
  return activateExtension(context, desktop);
}
