/** The entry in VS Code on the web. */
import { Uri, type ExtensionContext } from "vscode";

import type { Assets, FromWorker } from "../core/messages";
import type { EngineProcess } from "../core/supervisor";
import { activateExtension } from "./activate";
import type { Platform } from "../core/platform";

const web: Platform = {
  assets,
  launch,
  cache: ({ storageUri }) => storageUri?.toString(),
  windows: false,
  testing: false,
  clock: () => performance.now(),
};

/**
 * Fetches what the workers need here, where the editor knows how to reach the extension's files
 * whatever their scheme. The contents stay in the browser: this thread only passes handles on.
 */
async function assets(context: ExtensionContext): Promise<Assets> {
  const dist = Uri.joinPath(context.extensionUri, "dist");
  const [engine, parser, module] = await Promise.all([
    content(dist, "web/engine.worker.js"),
    content(dist, "web/parse.worker.js"),
    content(dist, "wasm/codecortex_bg.wasm"),
  ]);
  return { kind: "blobs", engine, parser, module };
}

async function content(dist: Uri, name: string): Promise<Blob> {
  const response = await fetch(Uri.joinPath(dist, name).toString(true));
  if (!response.ok) {
    throw new Error(`${name} could not be fetched (${response.status})`);
  }
  return response.blob();
}

function launch(given: Assets): EngineProcess {
  if (given.kind !== "blobs") {
    throw new Error("a worker of this platform starts from contents");
  }
  const address = URL.createObjectURL(given.engine);
  const worker = new Worker(address);
  let exited: ((reason: string) => void) | undefined;
  worker.onerror = (event) => {
    event.preventDefault();
    exited?.(event.message);
  };
  return {
    post: (message, hand) => {
      worker.postMessage(message, hand ?? []);
    },
    onMessage: (listener) => {
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        listener(data);
        if (data.kind === "failed") {
          // The worker closes itself after this, and closing raises no event.
          worker.terminate();
          exited?.(data.reason);
        }
      };
    },
    onExit: (listener) => {
      exited = (reason) => {
        URL.revokeObjectURL(address);
        listener(reason);
      };
    },
    terminate: () => {
      worker.terminate();
      // Unlike a thread of Node, a terminated web worker raises no event either.
      queueMicrotask(() => exited?.("the engine's worker was ended"));
    },
  };
}

/** Called by VS Code once it has started. */
export function activate(context: ExtensionContext): Promise<void> {
  return activateExtension(context, web);
}
