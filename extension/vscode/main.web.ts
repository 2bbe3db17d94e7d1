/** The entry in VS Code on the web. */
import { Uri, type ExtensionContext } from "vscode";

import type { FromWorker } from "../core/messages";
import type { EngineProcess } from "../core/supervisor";
import { activateExtension } from "./activate";
import type { Platform } from "./platform";

const web: Platform = {
  launch,
  assets: (context) => Uri.joinPath(context.extensionUri, "dist").toString(true),
  cache: ({ storageUri }) => storageUri?.toString(),
  windows: false,
  testing: false,
};

function launch(assets: string): EngineProcess {
  const worker = new Worker(`${assets}/web/engine.worker.js`);
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
      exited = listener;
    },
    terminate: () => {
      worker.terminate();
      // Unlike a thread of Node, a terminated web worker raises no event either.
      queueMicrotask(() => exited?.("the engine's worker was ended"));
    },
  };
}

/** Called by VS Code once it has started. */
export function activate(context: ExtensionContext): void {
  activateExtension(context, web);
}
