/** The engine worker in VS Code on the web. */
import type { ToWorker } from "../core/messages";
import { NO_CACHE } from "./cache";
import { DatabaseCache } from "./cache.web";
import { catchLastWords } from "./console";
import { EngineWorker } from "./engineWorker";
import { instantiate } from "./glue";
import { HostFiles } from "./hostFiles";
import type { FromParser } from "./jobs";
import type { ParserProcess } from "./pool";

declare const self: DedicatedWorkerGlobalScope;

/**
 * The parse workers' script under an address of our own origin: the extension's files come from
 * another one, and a worker may only be started from its own.
 */
let parserScript = "";

async function compile(assets: string): Promise<WebAssembly.Module> {
  const [script, module] = await Promise.all([
    fetched(`${assets}/web/parse.worker.js`),
    fetched(`${assets}/wasm/codecortex_bg.wasm`),
  ]);
  parserScript = URL.createObjectURL(new Blob([await script.text()], { type: "text/javascript" }));
  // Compiling while the bytes still come works only where the server says that they are WASM.
  return module.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(module)
    : WebAssembly.compile(await module.arrayBuffer());
}

async function fetched(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address.slice(address.lastIndexOf("/") + 1)} could not be fetched (${response.status})`);
  }
  return response;
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
