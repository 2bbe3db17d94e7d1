/** The extension's side of the engine around a worker that a test plays. */
import type { ExtensionContext, LogOutputChannel } from "vscode";
import { vi } from "vitest";

import { readSettings } from "../../../extension/core/config";
import { OwnQuestions } from "../../../extension/core/consult";
import type { FromWorker, ToWorker } from "../../../extension/core/messages";
import { HoldMeter, Slices } from "../../../extension/core/schedule";
import type { State } from "../../../extension/generated/protocol";
import { Host } from "../../../extension/core/host";
import { Uri, window } from "../vscode";

export const READY: State = { phase: "ready", files: 3, pending: 0, skipped: 0, symbols: 9, lines: 30, revision: 1 };
export const MANIFEST = {
  contributes: { languageModelTools: [{ name: "codecortex_searchApi", displayName: "Search API" }, { name: "other" }] },
};

/** Settings as a test wants them; everything else has its default. */
export function settings(changes: { format?: string; workers?: number; exclude?: string[] } = {}) {
  return readSettings({
    maxFileSize: undefined,
    excludeGenerated: undefined,
    exclude: changes.exclude,
    format: changes.format,
    workers: changes.workers,
    profile: undefined,
    anchorMinutes: undefined,
    record: undefined,
    telemetry: undefined,
    keepContext: undefined,
    memoryCeiling: undefined,
    mergeProviders: undefined,
    providerTimeout: undefined,
    externalTypes: undefined,
    automaticImports: undefined,
    generatedMembers: undefined,
    filesExclude: [],
  });
}

/** A host that is not started yet, and the workers it will launch. Needs fake timers. */
export function setUp(first = settings()) {
  const workers: { posted: ToWorker[]; say(message: FromWorker): void; die(): void }[] = [];
  const log: string[] = [];
  let current = first;
  let roots = [{ name: "app", path: "/code/app" }];
  const write = (line: string) => {
    log.push(line);
  };
  const meter = new HoldMeter(() => 0);
  const slices = new Slices(
    meter,
    () => 0,
    (run) => setTimeout(run, 0),
    (name, error) => {
      throw new Error(name, { cause: error });
    },
  );
  const host = new Host({
    // Only these members are used by what is tested here.
    context: { extension: { packageJSON: MANIFEST } } as unknown as ExtensionContext,
    log: { info: write, warn: write, error: write, debug: () => undefined } as unknown as LogOutputChannel,
    platform: {
      launch: () => {
        const posted: ToWorker[] = [];
        let say: ((message: FromWorker) => void) | undefined;
        let exit: ((reason: string) => void) | undefined;
        workers.push({ posted, say: (message) => say?.(message), die: () => exit?.("exit code 1") });
        return {
          post: (message) => posted.push(structuredClone(message)),
          onMessage: (listener) => {
            say = listener;
          },
          onExit: (listener) => {
            exit = listener;
          },
          terminate: () => exit?.("terminated"),
        };
      },
      assets: () => Promise.resolve({ kind: "folder", path: "dist" }),
      cache: () => "/storage/index.cache",
      windows: false,
      testing: false,
      clock: () => performance.now(),
    },
    meter,
    slices,
    settings: () => current,
    roots: () => roots,
    serveFiles: () => Promise.resolve({ op: "failed", code: "FileNotFound" }),
    own: new OwnQuestions(),
    uri: (parts) => Uri.from(parts) as never,
    warn: (sentence) => void window.showWarningMessage(`CodeCortex: ${sentence}`),
    askProviders: () => Promise.resolve({ outcome: "failed" }),
    askModel: () => Promise.resolve({ type: "failed", failure: "absent", message: "none", retryAfterMs: null }),
    cancelModel: () => undefined,
  });
  const worker = () => {
    const last = workers.at(-1);
    if (!last) {
      throw new Error("no worker was launched");
    }
    return last;
  };
  const kinds = () => worker().posted.map((message) => (message.kind === "event" ? message.event.type : message.kind));
  return {
    host,
    workers,
    worker,
    kinds,
    log,
    settle: () => vi.advanceTimersByTimeAsync(10),
    become: (next: typeof current, folders = roots) => {
      current = next;
      roots = folders;
    },
  };
}
