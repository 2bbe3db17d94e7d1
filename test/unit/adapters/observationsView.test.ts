/** The view "Observations", around a worker that a test plays. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import type { ToolName } from "../../../extension/generated/answers";
import { showObservations } from "../../../extension/vscode/observationsView";
import { fakeFiles, registeredCommands, shown, trees, Uri, watchers, window, workspace } from "../vscode";
import { dataWith } from "../answers";
import { READY, setUp } from "./setUp";

const USAGE = { engineBytes: 1, parserBytes: 0, parsers: 0 };
const surfaces: Disposable[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date("2026-01-02T05:04:05Z"));
  workspace.workspaceFolders = [{ name: "app", uri: Uri.from({ scheme: "file", path: "/code/app" }) }];
});
afterEach(() => {
  for (const surface of surfaces.splice(0)) {
    surface.dispose();
  }
  vi.useRealTimers();
  trees.length = 0;
  watchers.length = 0;
  fakeFiles.clear();
  Object.assign(shown, { messages: [], documents: [], executed: [], answer: undefined });
});

const observation = (id: number, verdict?: string) => ({
  id,
  ts: "2026-01-02 03:04:05",
  actor: "planner",
  phase: "plan",
  summary: `Note ${String(id)}`,
  ...(verdict === undefined ? {} : { verdict }),
});

async function withView(isVisible = true) {
  const played = setUp();
  await played.host.start();
  await played.settle();
  const worker = played.worker();
  worker.say({ kind: "ready", startMs: 1, cache: "absent" });
  surfaces.push(showObservations(played.host));
  const [tree] = trees;
  if (!tree) {
    throw new Error("no tree was made");
  }
  tree.visible = isVisible;
  const calls = () =>
    worker.posted.filter((message) => message.kind === "call").filter(({ tool }) => tool !== "codecortex_getContext");
  const answer = async (envelope: { ok: true; data: object } | { ok: false; error: object }) => {
    const { id = 0, tool } = calls().at(-1) ?? {};
    const whole = envelope.ok ? { ok: true, data: dataWith(tool as ToolName, envelope.data) } : envelope;
    worker.say({ kind: "answer", id, answer: { ok: true, json: JSON.stringify(whole) } });
    await played.settle();
  };
  const state = async (revision: number) => {
    worker.say({ kind: "state", state: { ...READY, revision }, usage: USAGE });
    await played.settle();
  };
  const rows = () => tree.provider.getChildren().map((node) => tree.provider.getTreeItem(node));
  const run = async (name: string, node?: unknown) => {
    const running = registeredCommands.get(`codecortex.observations.${name}`)?.(node);
    await played.settle();
    return { running };
  };
  const contextOf = (key: string) => shown.executed.findLast(([name, of]) => name === "setContext" && of === key)?.[2];
  return { ...played, tree, calls, answer, state, rows, run, contextOf };
}

describe("the view of observations", () => {
  it("asks and watches nothing before somebody looks", async () => {
    const { state, calls, tree, settle } = await withView(false);
    await state(1);
    expect([calls(), watchers]).toEqual([[], []]);
    tree.visible = true;
    tree.visibility.fire(undefined);
    await settle();
    expect(calls()).toMatchObject([{ tool: "codecortex_recall", args: { filter: { limit: 100 } } }]);
    expect(watchers.length).toBe(1);
  });

  it("lists what was noted, with its verdict, and what goes on", async () => {
    const { state, answer, rows, run, calls, contextOf } = await withView();
    await state(1);
    await answer({ ok: true, data: { items: [observation(2, "drifted"), observation(1)], nextCursor: "1" } });
    expect(rows()).toMatchObject([
      { label: "Note 2", description: "2 hrs ago", iconPath: { id: "warning" }, contextValue: "observation" },
      { label: "Note 1", iconPath: { id: "note" } },
      { label: "Load More", command: { command: "codecortex.observations.more" } },
    ]);
    expect(contextOf("codecortex.observationsAre")).toBe("some");
    await run("more");
    await answer({ ok: true, data: { items: [observation(2), observation(1)], nextCursor: "1" } });
    expect(calls().at(-1)).toMatchObject({ args: { cursor: "1" } });
    await answer({ ok: true, data: { items: [observation(0)] } });
    expect(rows().map(({ label }) => label)).toEqual(["Note 2", "Note 1", "Note 0"]);
  });

  it("says how to opt in where nothing is recorded, and what went wrong otherwise", async () => {
    const { state, answer, rows, tree, contextOf } = await withView();
    await state(1);
    const error = {
      code: "Unavailable",
      message: "None.",
      hint: "A person opts in: `codecortex settings observations true`.",
    };
    await answer({ ok: false, error });
    expect([rows(), tree.message, contextOf("codecortex.observationsAre")]).toEqual([[], undefined, "off"]);
    await state(2);
    await vi.advanceTimersByTimeAsync(1_000);
    await answer({ ok: false, error: { code: "Busy", message: "The log is locked." } });
    expect(tree.message).toBe("The log is locked.");
  });

  it("searches, says what for, and forgets that again", async () => {
    const { state, answer, run, calls, tree, contextOf } = await withView();
    await state(1);
    await answer({ ok: true, data: { items: [] } });
    expect(contextOf("codecortex.observationsAre")).toBe("none");
    window.inputs.push(" tax ");
    await run("search");
    expect(calls().at(-1)).toMatchObject({ args: { query: "tax" } });
    await answer({ ok: true, data: { items: [] } });
    expect([tree.description, contextOf("codecortex.observationsAre")]).toEqual(["“tax”", "unmatched"]);
    await run("clearSearch");
    expect(calls().at(-1)?.args).not.toHaveProperty("query");
    await answer({ ok: true, data: { items: [observation(1)] } });
    expect([tree.description, contextOf("codecortex.observationsSearched")]).toEqual(["", false]);
  });

  it("asks again when a file of the store was written", async () => {
    const { state, answer, calls } = await withView();
    await state(1);
    await answer({ ok: true, data: { items: [] } });
    const before = calls().length;
    watchers[0]?.changed.fire(Uri.from({ scheme: "file", path: "/code/app/.context/memory/observations.jsonl" }));
    await vi.advanceTimersByTimeAsync(2_100);
    expect(calls().length).toBe(before + 1);
  });

  it("asks again when a tool has written, of which no watcher may tell", async () => {
    const { host, state, calls, answer, settle } = await withView();
    await state(1);
    await answer({ ok: true, data: { items: [] } });
    const noted = host.call({ tool: "codecortex_remember", args: {}, caller: { kind: "lm" }, format: "json" });
    await settle();
    await answer({ ok: true, data: { id: 1 } });
    await noted;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(calls().map(({ tool }) => tool)).toEqual(["codecortex_recall", "codecortex_remember", "codecortex_recall"]);
    await answer({ ok: true, data: { items: [observation(1)] } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls().length).toBe(3);
  });

  it("opens the code that an observation is about, or all of the observation", async () => {
    const { state, answer, rows, run, calls, tree } = await withView();
    await state(1);
    await answer({ ok: true, data: { items: [observation(1)] } });
    const [node] = tree.provider.getChildren();
    await run("open", node);
    await answer({ ok: true, data: { items: [{ ...observation(1), symbols: ["Cart.total"] }] } });
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_getOutline", args: { symbol: "Cart.total" } });
    await answer({ ok: true, data: { filePath: "app/cart.ts", startLine: 3 } });
    expect(shown.documents).toMatchObject([
      { content: { path: "/code/app/cart.ts" }, options: { selection: { start: { line: 2 } } } },
    ]);
    await run("open", node);
    await answer({ ok: true, data: { items: [observation(1)] } });
    expect(shown.documents.at(-1)).toMatchObject({ content: { scheme: "codecortex", path: "/Observation 1" } });
    expect(rows().length).toBe(1);
  });

  it("forgets one after asking, and nothing when a person does not want to", async () => {
    const { state, answer, run, calls, tree } = await withView();
    await state(1);
    await answer({ ok: true, data: { items: [observation(4)] } });
    const [node] = tree.provider.getChildren();
    await run("forget", node);
    expect(calls().some(({ tool }) => tool === "codecortex_forget")).toBe(false);
    shown.answer = "Forget";
    await run("forget", node);
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_forget", args: { ids: [4], purge: false } });
    await answer({ ok: true, data: { forgotten: [4] } });
    expect(calls().at(-1)?.tool).toBe("codecortex_recall");
  });

  it("opts in by a setting of the person's own, after a yes", async () => {
    const { run, worker } = await withView();
    const keeps = { kind: "observations", root: 0, keep: true };
    await run("optIn");
    expect(worker().posted).not.toContainEqual(keeps);
    shown.answer = "Keep Observations";
    await run("optIn");
    expect(worker().posted).toContainEqual(keeps);
    expect(worker().posted).toContainEqual({ kind: "event", event: { type: "keepContext", root: 0 } });
  });
});
