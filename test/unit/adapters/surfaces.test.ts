/** The surfaces, each around a host whose worker a test plays, in a stand-in for the editor. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import type { Phase } from "../../../extension/generated/protocol";
import { feedDocuments } from "../../../extension/vscode/documents";
import type { Host } from "../../../extension/core/host";
import { tellOfCrashes } from "../../../extension/vscode/notices";
import { showProgress } from "../../../extension/vscode/progress";
import { showStatusBar } from "../../../extension/vscode/statusBar";
import { watchFiles } from "../../../extension/vscode/watcher";
import { editor, shown, Uri, watchers, workspace } from "../vscode";
import { READY, setUp } from "./setUp";

const file = (path: string) => Uri.from({ scheme: "file", path });
const USAGE = { engineBytes: 1, parserBytes: 0, parsers: 0 };
const surfaces: Disposable[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  workspace.workspaceFolders = [{ name: "app", uri: file("/code/app") }];
  workspace.textDocuments = [];
});
afterEach(() => {
  for (const surface of surfaces.splice(0)) {
    surface.dispose();
  }
  vi.useRealTimers();
  watchers.length = 0;
  Object.assign(shown, { messages: [], executed: [], progress: [], items: [], answer: undefined });
});

/** A started host with one surface. */
async function withSurface(start: (host: Host) => Disposable) {
  const played = setUp();
  surfaces.push(start(played.host));
  await played.host.start();
  await played.settle();
  played.worker().say({ kind: "ready", startMs: 1, cache: "absent" });
  const phase = (name: Phase, files = 3, pending = 0) => {
    played.worker().say({ kind: "state", state: { ...READY, phase: name, files, pending }, usage: USAGE });
  };
  return { ...played, phase };
}

describe("the watcher", () => {
  it("gathers changes of every folder into one message, git's own left out", async () => {
    const { worker } = await withSurface(watchFiles);
    const [watcher] = watchers;
    watcher?.created.fire(file("/code/app/a.ts"));
    watcher?.changed.fire(file("/code/app/a.ts"));
    watcher?.deleted.fire(file("/code/app/b.ts"));
    watcher?.changed.fire(file("/code/app/.git/index"));
    watcher?.changed.fire(file("/code/app/.gitignore"));
    await vi.advanceTimersByTimeAsync(119);
    expect(worker().posted.at(-1)).not.toMatchObject({ kind: "changed" });
    await vi.advanceTimersByTimeAsync(1);
    expect(worker().posted.at(-1)).toEqual({
      kind: "changed",
      paths: "/code/app/a.ts\0/code/app/b.ts\0/code/app/.gitignore",
    });
  });

  it("looks again at what was made, since nobody tells what is written before it is watched", async () => {
    const { worker } = await withSurface(watchFiles);
    const told = () => worker().posted.flatMap((message) => (message.kind === "changed" ? [message.paths] : []));
    const [watcher] = watchers;
    watcher?.created.fire(file("/code/app/new"));
    watcher?.created.fire(file("/code/app/new/a.ts"));
    watcher?.changed.fire(file("/code/app/b.ts"));
    await vi.advanceTimersByTimeAsync(999);
    expect(told()).toEqual(["/code/app/new\0/code/app/new/a.ts\0/code/app/b.ts"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told().slice(1)).toEqual(["/code/app/new"]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told().length).toBe(2);
  });

  it("follows folders that come and go, and ends with the extension", async () => {
    await withSurface(watchFiles);
    const other = { name: "lib", uri: file("/code/lib") };
    editor.folders.fire({ added: [other], removed: [] });
    expect(watchers.length).toBe(2);
    editor.folders.fire({ added: [], removed: [other] });
    expect(watchers.map((watcher) => watcher.disposed)).toEqual([false, true]);
    surfaces.pop()?.dispose();
    expect(watchers.map((watcher) => watcher.disposed)).toEqual([true, true]);
  });
});

describe("the document feed", () => {
  const document = (uri: Uri) => ({
    uri,
    version: 1,
    isDirty: false,
    isClosed: false,
    lineCount: 1,
    getText: () => "text",
  });

  it("sends what is open, edited, saved and closed", async () => {
    const open = document(file("/code/app/a.ts"));
    workspace.textDocuments = [open];
    const { kinds, worker, settle } = await withSurface(feedDocuments);
    const start = { line: 0, character: 1 };
    Object.assign(open, { version: 2, isDirty: true });
    editor.changed.fire({ document: open, contentChanges: [{ range: { start, end: start }, text: "x" }] });
    editor.saved.fire(open);
    editor.closed.fire(open);
    await settle();
    expect(kinds()).toEqual(["start", "configure", "opened", "edited", "saved", "closed"]);
    expect(worker().posted[3]).toEqual({
      kind: "event",
      event: {
        type: "edited",
        path: "/code/app/a.ts",
        version: 2,
        changes: [{ start, end: start, text: "x" }],
        dirty: true,
      },
    });
  });

  it("leaves out what is no file: drafts, output, views", async () => {
    const { kinds, settle } = await withSurface(feedDocuments);
    for (const scheme of ["untitled", "output", "git", "codecortex"]) {
      editor.opened.fire(document(Uri.from({ scheme, path: "/a" })));
    }
    editor.opened.fire(document(file("/elsewhere/b.ts")));
    await settle();
    expect(kinds()).toEqual(["start", "configure", "opened"]);
  });
});

describe("the notices", () => {
  it("tell of crashes once, with a way to the log, and again when the engine is given up", async () => {
    const { host, worker } = await withSurface(tellOfCrashes);
    shown.answer = "Show Log";
    while (host.supervisor.life.kind !== "failed") {
      worker().die();
      await vi.advanceTimersByTimeAsync(8_000);
    }
    expect(shown.messages.length).toBe(2);
    expect(shown.messages[0]).toContain("is being restarted");
    expect(shown.messages[1]).toContain("stopped");
    expect(shown.executed).toContainEqual(["codecortex.showLog"]);
  });
});

describe("the progress notification", () => {
  it("comes when indexing takes long, counts, and cancels", async () => {
    const { phase, kinds, settle } = await withSurface(showProgress);
    phase("indexing", 100, 900);
    await vi.advanceTimersByTimeAsync(1_499);
    expect(shown.progress).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    phase("indexing", 500, 500);
    const [run] = shown.progress;
    expect(run?.reports).toEqual([
      { message: "100 of 1,000 files", increment: 10 },
      { message: "500 of 1,000 files", increment: 40 },
    ]);
    run?.cancel();
    expect(kinds().at(-1)).toBe("cancelIndexing");
    phase("cancelled", 500, 500);
    await settle();
    expect(run?.over).toBe(true);
    expect(shown.executed).toEqual([
      ["setContext", "codecortex.indexing", true],
      ["setContext", "codecortex.indexing", false],
    ]);
  });

  it("stays away when it would be gone at once, or for a handful of files", async () => {
    const { phase } = await withSurface(showProgress);
    phase("indexing", 100, 900);
    await vi.advanceTimersByTimeAsync(1_000);
    phase("ready");
    phase("indexing", 900, 5);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(shown.progress).toEqual([]);
  });

  it("goes away when the engine dies", async () => {
    const { phase, worker, settle } = await withSurface(showProgress);
    phase("indexing", 100, 900);
    await vi.advanceTimersByTimeAsync(1_500);
    worker().die();
    await settle();
    expect(shown.progress[0]?.over).toBe(true);
  });
});

describe("the status bar item", () => {
  it("does not blink for a moment of indexing, but shows a longer one", async () => {
    const { phase } = await withSurface(showStatusBar);
    const [item] = shown.items;
    phase("ready");
    phase("indexing", 3, 1);
    await vi.advanceTimersByTimeAsync(299);
    expect(item?.text).toBe("$(symbol-structure) CodeCortex");
    phase("ready");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(item?.text).toBe("$(symbol-structure) CodeCortex");
    phase("indexing", 50, 50);
    await vi.advanceTimersByTimeAsync(300);
    expect(item?.text).toBe("$(sync~spin) CodeCortex 50%");
  });

  it("lets the tooltip run our commands only, and warns by colour", async () => {
    const { worker } = await withSurface(showStatusBar);
    const [item] = shown.items;
    expect(item?.tooltip?.isTrusted).toEqual({
      enabledCommands: [
        "codecortex.openWindow",
        "codecortex.showStatus",
        "codecortex.reindex",
        "codecortex.cancelIndexing",
        "codecortex.showLog",
      ],
    });
    expect(item?.backgroundColor).toBeUndefined();
    worker().die();
    expect(item?.backgroundColor?.id).toBe("statusBarItem.warningBackground");
  });
});
