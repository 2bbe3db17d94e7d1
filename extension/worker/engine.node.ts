/** The engine worker on the desktop. */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parentPort, Worker } from "node:worker_threads";

import type { Assets, FromWorker, ToWorker } from "../core/messages";
import { isVirtual } from "../core/paths";
import { NO_CACHE } from "./cache";
import { FileCache } from "./cache.node";
import { catchLastWords } from "./console";
import { HostContext, RoutedContext } from "./context";
import { DiskContext } from "./context.node";
import { DiskFiles } from "./diskFiles";
import { EngineWorker } from "./engineWorker";
import { instantiate } from "./glue";
import { HostFiles, RoutedFiles } from "./hostFiles";
import type { FromParser } from "./jobs";
import { PersonalFile } from "./personalSettings.node";
import { TelemetryFolder } from "./telemetryLog.node";
import type { ParserProcess } from "./pool";

/** The extension's `dist` folder. */
function folder(assets: Assets): string {
  if (assets.kind !== "folder") {
    throw new Error("this worker starts from a folder");
  }
  return assets.path;
}

function spawnParser(assets: Assets): ParserProcess {
  const worker = new Worker(join(folder(assets), "parse.worker.js"), {
    env: {},
    execArgv: [],
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
      worker.on("message", (message: FromParser) => {
        listener(message);
      });
    },
    onExit: (listener) => {
      worker.on("exit", (code) => {
        listener(cause ?? `it ended with code ${code}`);
      });
    },
    terminate: () => {
      void worker.terminate();
    },
  };
}

if (parentPort) {
  const port = parentPort;
  const post = (message: FromWorker): void => {
    port.postMessage(message);
  };
  const engine = new EngineWorker({
    compile: async (assets) => WebAssembly.compile(await readFile(join(folder(assets), "wasm", "codecortex_bg.wasm"))),
    instantiate,
    spawnParser,
    cores: availableParallelism(),
    cache: (location) => (location === undefined ? NO_CACHE : new FileCache(location)),
    files: (pool, ask) => new RoutedFiles(new DiskFiles(pool), new HostFiles(ask, pool), isVirtual),
    context: (ask) => new RoutedContext(new DiskContext(), new HostContext(ask), isVirtual),
    personal: new PersonalFile(undefined, (message) => {
      post({ kind: "log", level: "error", message });
    }),
    telemetry: new TelemetryFolder(undefined, (message) => {
      post({ kind: "log", level: "warn", message });
    }),
    lastWords: catchLastWords(),
    post,
    // Not at once: what was posted last has to leave first.
    exit: () => {
      setImmediate(() => process.exit(1));
    },
    crashable: process.env.CODECORTEX_TEST === "1",
  });
  port.on("message", (message: ToWorker) => {
    engine.receive(message);
  });
}
