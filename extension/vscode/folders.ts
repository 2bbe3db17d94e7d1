/** The workspace's folders, one or several. */
import { workspace } from "vscode";

import type { Disposable } from "../core/disposable";
import { toPath } from "../core/paths";
import { uniqueRoots } from "../core/roots";
import type { Root } from "../generated/protocol";
import type { Host } from "../core/host";

/** The folders of this moment as the engine's roots. */
export function currentRoots(windows: boolean): Root[] {
  const folders = workspace.workspaceFolders ?? [];
  return uniqueRoots(folders.map(({ name, uri }) => ({ name, path: toPath(uri, windows) })));
}

/** The folder of a path as answers name it, where there are several: ids and symbol paths do not tell them apart. */
export function folderOf(host: Host, filePath: string): string | undefined {
  const roots = currentRoots(host.platform.windows);
  return roots.length > 1 ? roots.find(({ name }) => filePath.startsWith(`${name}/`))?.name : undefined;
}

/** Configures the engine again when folders come or go. */
export function followFolders(host: Host): Disposable {
  return workspace.onDidChangeWorkspaceFolders(() => {
    host.meter.measure("folders", () => {
      host.configure();
    });
  });
}
