/** The palette's commands. */
import { commands, window, workspace } from "vscode";

import { disposeAll, type Disposable } from "../core/disposable";
import { baseName } from "../core/paths";
import { exportGraph } from "./graphExport";
import { readAgain } from "./readAgain";
import type { Host } from "../core/host";
import { showAnswer } from "./textViews";

/** A command's handler. */
type Handler = (host: Host) => unknown;

const COMMANDS: Readonly<Record<string, Handler>> = {
  showStatus: () => showAnswer("CodeCortex Status", { tool: "codecortex_status", args: {} }),
  showOutline,
  exportGraph,
  showLog: (host) => {
    host.log.show();
  },
  reindex,
  readAgain,
  keepContext,
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

/** Makes `.context/` in a folder, or finds it. */
async function keepContext(host: Host): Promise<void> {
  const folders = workspace.workspaceFolders ?? [];
  const [only] = folders;
  const folder = folders.length > 1 ? await window.showWorkspaceFolderPick() : only;
  if (!folder) {
    return;
  }
  if (!host.settings.config.keepContext) {
    void window.showInformationMessage(
      "CodeCortex writes no .context folder here: the workspace is not trusted, or the setting codecortex.context.keep is off.",
    );
    return;
  }
  host.send({ type: "keepContext", root: folders.indexOf(folder) });
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
