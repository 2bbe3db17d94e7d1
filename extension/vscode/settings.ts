/** Reads the settings and follows their changes. */
import { workspace } from "vscode";

import { readSettings, type Settings } from "../core/config";
import { Batcher } from "../core/batch";
import { disposeAll, type Disposable } from "../core/disposable";
import type { Host } from "../core/host";

/** A settings file is saved key by key in some editors; the index is not rebuilt for each. */
const SETTLE = { quietMs: 300, maxMs: 1_000 };

/** The settings of this moment. */
export function currentSettings(): Settings {
  const own = workspace.getConfiguration("codecortex");
  const folders = workspace.workspaceFolders ?? [];
  return readSettings({
    maxFileSize: own.get("maxFileSize"),
    exclude: own.get("exclude"),
    excludeGenerated: own.get("excludeGenerated"),
    format: own.get("answers.format"),
    workers: own.get("index.workers"),
    profile: own.get("tools.profile"),
    anchorMinutes: own.get("live.anchorMinutes"),
    record: workspace.isTrusted && own.get("live.record"),
    telemetry: own.get("telemetry.enabled"),
    memoryCeiling: own.get("index.memoryCeiling"),
    mergeProviders: own.get("providers.merge"),
    providerTimeout: own.get("providers.timeout"),
    externalTypes: own.get("externalTypes"),
    automaticImports: own.get("angelscript.automaticImports"),
    generatedMembers: own.get("angelscript.generatedMembers"),
    // What nobody vouched for is read, but nothing is written into it.
    keepContext: workspace.isTrusted && own.get("context.keep"),
    filesExclude:
      folders.length === 0
        ? [workspace.getConfiguration("files").get("exclude")]
        : folders.map((folder) => workspace.getConfiguration("files", folder.uri).get("exclude")),
  });
}

/** Configures the engine again when a setting that matters changes. */
export function followSettings(host: Host): Disposable {
  const changes = new Batcher<string>(SETTLE, Date.now, () => {
    host.meter.measure("settings", () => {
      host.configure();
    });
  });
  const listening = workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("codecortex") || event.affectsConfiguration("files.exclude")) {
      changes.add("settings");
    }
  });
  return {
    dispose: () => {
      disposeAll([changes, listening]);
    },
  };
}
