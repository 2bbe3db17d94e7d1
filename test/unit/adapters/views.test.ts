/** The view "Changes" and the export of graphs, around a worker that a test plays. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import type { ToWorker } from "../../../extension/core/messages";
import type { ToolName } from "../../../extension/generated/answers";
import { showChanges } from "../../../extension/vscode/changesView";
import { exportGraph } from "../../../extension/vscode/graphExport";
import { registeredCommands, shown, trees, Uri, window, workspace } from "../vscode";
import { dataWith } from "../answers";
import { READY, setUp } from "./setUp";

const USAGE = { engineBytes: 1, parserBytes: 0, parsers: 0 };
const surfaces: Disposable[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  workspace.workspaceFolders = [{ name: "app", uri: Uri.from({ scheme: "file", path: "/code/app" }) }];
});
afterEach(() => {
  for (const surface of surfaces.splice(0)) {
    surface.dispose();
  }
  vi.useRealTimers();
  trees.length = 0;
  window.activeTextEditor = undefined;
  Object.assign(shown, { messages: [], documents: [], clipboard: "" });
});

const change = (path: string, changeClass: string) => ({
  path,
  kind: "class",
  typeId: `T_${path}`,
  changeClass,
  filePath: "app/src/a.cs",
  revision: 3,
});

/** A running engine whose calls the test answers. */
async function running() {
  const played = setUp();
  await played.host.start();
  await played.settle();
  const worker = played.worker();
  worker.say({ kind: "ready", startMs: 1, cache: "absent" });
  // The status bar asks for the prompt window by itself.
  const isAsked = (message: ToWorker) => message.kind === "call" && message.tool !== "codecortex_getContext";
  const calls = () => worker.posted.filter((message) => message.kind === "call").filter(isAsked);
  const answer = async (envelope: { ok: true; data: object } | { ok: false; error: object }) => {
    const { id = 0, tool } = calls().at(-1) ?? {};
    const whole = envelope.ok ? { ok: true, data: dataWith(tool as ToolName, envelope.data) } : envelope;
    worker.say({ kind: "answer", id, answer: { ok: true, json: JSON.stringify(whole) } });
    await played.settle();
  };
  const state = async (revision: number, phase: "ready" | "indexing" = "ready") => {
    worker.say({ kind: "state", state: { ...READY, phase, revision }, usage: USAGE });
    await played.settle();
  };
  return { ...played, calls, answer, state };
}

async function withView() {
  const engine = await running();
  surfaces.push(showChanges(engine.host));
  const [tree] = trees;
  if (!tree) {
    throw new Error("no tree was made");
  }
  const labels = () =>
    tree.provider.getChildren().map((group) => {
      const { label, description } = tree.provider.getTreeItem(group) as { label: string; description?: string };
      const below = tree.provider.getChildren(group).map((node) => tree.provider.getTreeItem(node).label);
      return `${label} (${description ?? ""}): ${below.join(" ")}`;
    });
  return { ...engine, tree, labels };
}

describe("the view of changes", () => {
  it("asks when the index is ready and shows what it is told", async () => {
    const { state, calls, answer, labels } = await withView();
    await state(1, "indexing");
    expect(calls()).toEqual([]);
    await state(1);
    expect(calls()).toMatchObject([{ tool: "codecortex_changes", args: { limit: 200 } }]);
    await answer({
      ok: true,
      data: { totalByClass: { Structure: 1 }, changes: [change("A.B", "Structure")], stale: [] },
    });
    expect(labels()).toEqual(["Structure (1): B"]);
  });

  it("asks again for another revision, not more than once a second, and not for the same one", async () => {
    const { state, calls, answer } = await withView();
    await state(1);
    await answer({ ok: true, data: { changes: [] } });
    await state(1);
    await state(2);
    await state(3);
    await state(4);
    expect(calls().length).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls().length).toBe(2);
    await answer({ ok: true, data: { changes: [] } });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls().length).toBe(2);
  });

  it("asks nothing while nobody looks, and at once when somebody does", async () => {
    const { state, calls, tree } = await withView();
    tree.visible = false;
    await state(5);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls()).toEqual([]);
    tree.visible = true;
    tree.visibility.fire(undefined);
    await vi.advanceTimersByTimeAsync(10);
    expect(calls().length).toBe(1);
  });

  it("fetches further pages, up to a bound, and says how many there are", async () => {
    const { state, calls, answer, labels } = await withView();
    await state(1);
    for (let page = 0; page < 9; page += 1) {
      await answer({
        ok: true,
        data: { totalByClass: { Docs: 1_204 }, changes: [change(`A.B${String(page)}`, "Docs")], nextCursor: "200@1" },
      });
    }
    expect(calls().length).toBe(5);
    expect(labels()).toEqual(["Docs (5 of 1,204): B0 B1 B2 B3 B4"]);
  });

  it("keeps what it shows and says why where the engine gives no answer", async () => {
    const { state, answer, labels, tree } = await withView();
    await state(1);
    await answer({ ok: true, data: { changes: [change("A", "Docs")] } });
    await state(2);
    await vi.advanceTimersByTimeAsync(1_000);
    await answer({ ok: false, error: { code: "Busy", message: "Indexing." } });
    expect([labels(), tree.message]).toEqual([["Docs (1): A"], "Indexing."]);
    await state(3);
    await vi.advanceTimersByTimeAsync(1_000);
    await answer({ ok: true, data: { changes: [] } });
    expect([labels(), tree.message]).toEqual([[], undefined]);
  });

  it("opens the declaration of a type where it is now", async () => {
    const { state, answer, tree, settle, calls } = await withView();
    await state(1);
    await answer({ ok: true, data: { changes: [change("A.B", "Docs"), change("A.C", "removed")] } });
    const [removed, docs] = tree.provider.getChildren();
    const [entry] = tree.provider.getChildren(docs);
    const { command } = tree.provider.getTreeItem(entry) as { command?: { command: string; arguments: unknown[] } };
    expect(command?.command).toBe("codecortex.changes.open");
    void registeredCommands.get("codecortex.changes.open")?.(...(command?.arguments ?? []));
    await settle();
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_getOutline", args: { symbol: "T_A.B" } });
    await answer({ ok: true, data: { filePath: "app/src/moved.cs", startLine: 12 } });
    expect(shown.documents).toMatchObject([
      { content: { path: "/code/app/src/moved.cs" }, options: { selection: { startLine: 11 } } },
    ]);
    const [gone] = tree.provider.getChildren(removed);
    expect(tree.provider.getTreeItem(gone)).not.toHaveProperty("command");
    await registeredCommands.get("codecortex.changes.copyPath")?.(entry);
    expect(shown.clipboard).toBe("A.B");
  });

  it("lets go of everything", async () => {
    const { state, calls } = await withView();
    surfaces.pop()?.dispose();
    await state(9);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(calls()).toEqual([]);
    expect([...registeredCommands.keys()].filter((name) => name.startsWith("codecortex.changes"))).toEqual([]);
  });
});

describe("the export of a graph", () => {
  it("asks for types and notation, and opens a document", async () => {
    const { host, state, answer, calls, settle } = await running();
    await state(1);
    window.activeTextEditor = { document: { uri: Uri.from({ scheme: "file", path: "/code/app/src/a.cs" }) } };
    window.picks = ["Types in a.cs and their dependencies", "Mermaid"];
    const exported = exportGraph(host);
    await settle();
    expect(calls().at(-1)).toMatchObject({
      tool: "codecortex_exportGraph",
      args: { folder: "/code/app/src/a.cs", depth: 1, notation: "mermaid" },
    });
    await answer({ ok: true, data: { graph: "flowchart LR\n" } });
    await exported;
    expect(shown.documents).toMatchObject([
      { content: { language: "markdown", content: "# Dependencies\n\n```mermaid\nflowchart LR\n```\n" } },
    ]);
  });

  it("opens DOT as plain text where no extension knows it, and shows why there is none", async () => {
    const { host, state, answer, settle } = await running();
    await state(1);
    window.picks = ["The whole workspace", "DOT"];
    const exported = exportGraph(host);
    await settle();
    await answer({ ok: true, data: { graph: "digraph {}\n" } });
    await exported;
    expect(shown.documents).toMatchObject([{ content: { language: "plaintext" } }]);
    window.picks = ["The whole workspace", "DOT"];
    const failing = exportGraph(host);
    await settle();
    await answer({ ok: false, error: { code: "Busy", message: "Indexing." } });
    await failing;
    expect(shown.messages).toEqual(["CodeCortex: Indexing."]);
  });

  it("does nothing when somebody thinks better of it", async () => {
    const { host, calls } = await running();
    window.picks = [];
    await exportGraph(host);
    expect([calls(), shown.documents]).toEqual([[], []]);
  });
});
