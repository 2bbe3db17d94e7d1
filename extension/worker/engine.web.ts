/** The engine worker in VS Code on the web. */
import type { Assets, ToWorker } from "../core/messages";
import { NO_CACHE } from "./cache";
import { DatabaseCache } from "./cache.web";
import { catchLastWords } from "./console";
import { HostContext } from "./context";
import { EngineWorker } from "./engineWorker";
import { instantiate } from "./glue";
import { HostFiles } from "./hostFiles";
import type { FromParser } from "./jobs";
import { NO_PERSONAL_SETTINGS } from "./personalSettings";
import { NO_TELEMETRY_LOG } from "./telemetryLog";
import type { ParserProcess } from "./pool";

declare const self: DedicatedWorkerGlobalScope;

/** The address of the parse workers' script, made from its content. */
let parserScript = "";

async function compile(assets: Assets): Promise<WebAssembly.Module> {
  if (assets.kind !== "blobs") {
    throw new Error("this worker starts from contents");
  }
  parserScript = URL.createObjectURL(assets.parser);
  return WebAssembly.compile(await assets.module.arrayBuffer());
}

function spawnParser(): ParserProcess {
  const worker = new Worker(parserScript);
  return {
    post: (message, hand) => {
      worker.postMessage(message, hand);
    },
    onMessage: (listener) => {
      worker.onmessage = (event: MessageEvent<FromParser>) => {
        listener(event.data);
      };
    },
    onExit: (listener) => {
      worker.onerror = (event) => {
        event.preventDefault();
        listener(event.message);
      };
    },
    terminate: () => {
      worker.terminate();
    },
  };
}

const engine = new EngineWorker({
  compile,
  instantiate,
  spawnParser,
  cores: self.navigator.hardwareConcurrency,
  cache: (location) => (location === undefined ? NO_CACHE : new DatabaseCache(location)),
  files: (pool, ask) => new HostFiles(ask, pool),
  personal: NO_PERSONAL_SETTINGS,
  telemetry: NO_TELEMETRY_LOG,
  context: (ask) => new HostContext(ask),
  lastWords: catchLastWords(),
  post: (message) => {
    self.postMessage(message);
  },
  // The message `failed` came before; a web worker that closes itself tells nobody.
  exit: () => {
    self.close();
  },
  crashable: false,
});
self.onmessage = (event: MessageEvent<ToWorker>) => {
  engine.receive(event.data);
};
