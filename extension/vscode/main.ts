/** The entry on the desktop and in remote extension hosts. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import type { ExtensionContext } from "vscode";

import type { Assets, FromWorker } from "../core/messages";
import type { EngineProcess } from "../core/supervisor";
import { workerEnvironment } from "../core/workerEnvironment";
import { activateExtension } from "./activate";
import type { Platform } from "../core/platform";

const TESTING = process.env.CODECORTEX_TEST === "1";

const desktop: Platform = {
  assets: (context) => Promise.resolve({ kind: "folder", path: context.asAbsolutePath("dist") }),
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
  const worker = new Worker(join(assets.path, "engine.worker.js"), {
    env: workerEnvironment(process.env, TESTING),
    execArgv: [],
    name: "codecortex",
    // Streams that are not tied to ours halve the time that starting a thread holds this one.
    stdout: true,
    stderr: true,
    trackUnmanagedFds: false,
  });
  let cause: string | undefined;
  worker.on("error", (error) => {
    cause = error.message;
  });
  return {
    post: (message, hand) => {
      worker.postMessage(message, hand);
    },
    onMessage: (listener) => {
      worker.on("message", (message: FromWorker) => {
        listener(message);
      });
    },
    onExit: (listener) => {
      worker.on("exit", (code) => {
        listener(cause ?? `the engine's worker ended with code ${code}`);
      });
    },
    terminate: () => {
      void worker.terminate();
    },
  };
}

/** Called by VS Code once it has started. */
export function activate(context: ExtensionContext): Promise<void> {
  return activateExtension(context, desktop);
}
