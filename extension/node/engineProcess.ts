/** The engine worker as a thread of Node: for VS Code on the desktop, and for the command line. */
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import type { FromWorker } from "../core/messages";
import type { EngineProcess } from "../core/supervisor";

/** Starts the engine worker of `folder`, which has the scripts and the module; `env` is its environment. */
export function launchEngine(folder: string, env: Record<string, string>): EngineProcess {
  const worker = new Worker(join(folder, "engine.worker.js"), {
    env,
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
