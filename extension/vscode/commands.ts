/** The palette's commands. */
import { commands, window } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { baseName } from "../core/paths";
import type { Host } from "./host";
import { showAnswer } from "./textViews";

/** A command's handler. */
type Handler = (host: Host) => unknown;

const COMMANDS: Readonly<Record<string, Handler>> = {
  showStatus: () => showAnswer("CodeCortex Status", { tool: "codecortex_status", args: {} }),
  showOutline,
  showLog: (host) => {
    host.log.show();
  },
  reindex,
  cancelIndexing: (host) => {
    host.send({ type: "cancelIndexing" });
  },
};

/** Registers them. */
export function registerCommands(host: Host): Disposable {
  const registered = Object.entries(COMMANDS).map(([name, handler]) =>
    commands.registerCommand(`codecortex.${name}`, () => handler(host)),
  );
  return {
    dispose: () => {
      disposeAll(registered);
    },
  };
}

/** Also the way out after the engine was given up. */
function reindex(host: Host): void {
  if (host.supervisor.life.kind === "failed") {
    void host.start();
  } else {
    host.send({ type: "reindex" });
  }
}

async function showOutline(host: Host): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (!document || document.uri.scheme === "codecortex") {
    void window.showInformationMessage("Open a file to see its outline.");
    return;
  }
  const filePath = host.path(document.uri);
  await showAnswer(`Outline: ${baseName(filePath)}`, { tool: "codecortex_getOutline", args: { filePath } });
}
