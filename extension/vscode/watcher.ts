/** Tells the engine what changes on the disk, gathered so that a checkout is one message. */
import { RelativePattern, Uri, workspace, type WorkspaceFolder } from "vscode";

import { Batcher } from "../core/batch";
import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";
import { topmost } from "../core/paths";

/** SPEC I1: batches of at most 800 ms. */
const BATCH = { quietMs: 120, maxMs: 800 };

/**
 * When what was made is looked at once more: a watcher begins with a folder after it was made, and nobody is told of what
 * is written into it before.
 */
const AGAIN = { quietMs: 1_000, maxMs: 5_000 };

/** Git's own files change with every command and are never indexed. */
const GIT = /\/\.git(\/|$)/;

/** Watches every folder of the workspace. */
export function watchFiles(host: Host): Disposable {
  const changes = new Batcher<string>(BATCH, Date.now, (paths) => {
    host.meter.measure("watcher: batch", () => {
      host.changed(paths);
    });
  });
  const made = new Batcher<string>(AGAIN, Date.now, (paths) => {
    host.meter.measure("watcher: again", () => {
      host.changed(topmost(paths));
    });
  });
  const watchers = new Map<string, Disposable>();
  const seen = (uri: Uri, isMade = false): void => {
    host.meter.measure("watcher: event", () => {
      if (!GIT.test(uri.path)) {
        const path = host.path(uri);
        changes.add(path);
        if (isMade) {
          made.add(path);
        }
      }
    });
  };
  const watch = (folders: readonly WorkspaceFolder[]): void => {
    for (const folder of folders) {
      watchers.set(folder.uri.toString(), watchFolder(folder, seen));
    }
  };
  watch(workspace.workspaceFolders ?? []);
  const folders = workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
    for (const folder of removed) {
      const key = folder.uri.toString();
      watchers.get(key)?.dispose();
      watchers.delete(key);
    }
    watch(added);
  });
  // Whoever calls a tool right after changing a file gets an answer that knows of it.
  host.onBeforeCall(() => {
    changes.handOver();
  });
  return {
    dispose: () => {
      disposeAll([changes, made, folders, ...watchers.values()]);
    },
  };
}

function watchFolder(folder: WorkspaceFolder, seen: (uri: Uri, isMade?: boolean) => void): Disposable {
  const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, "**/*"));
  const told = (uri: Uri): void => {
    seen(uri);
  };
  const listening = [
    watcher.onDidCreate((uri) => {
      seen(uri, true);
    }),
    watcher.onDidChange(told),
    watcher.onDidDelete(told),
  ];
  return {
    dispose: () => {
      disposeAll([watcher, ...listening]);
    },
  };
}
