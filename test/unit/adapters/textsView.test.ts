/** The view "Texts" and what describing costs, around a worker that a test plays. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import type { ToolName } from "../../../extension/generated/answers";
import { describeWith, fileAt, typeOf } from "../../../extension/vscode/describe";
import { showTexts } from "../../../extension/vscode/textsView";
import { fakeFiles, registeredCommands, shown, trees, Uri, watchers, workspace } from "../vscode";
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
  watchers.length = 0;
  fakeFiles.clear();
  Object.assign(shown, { messages: [], details: [], documents: [], executed: [], answer: undefined });
});

const type = (typeId: string) => ({ filePath: "app/", resolved: { path: `Shop.${typeId}`, typeId, kind: "class" } });

async function running() {
  const played = setUp();
  await played.host.start();
  await played.settle();
  const worker = played.worker();
  worker.say({ kind: "ready", startMs: 1, cache: "absent" });
  await played.settle();
  const calls = () =>
    worker.posted.filter((message) => message.kind === "call").filter(({ tool }) => tool !== "codecortex_getContext");
  const say = (id: number, tool: string | undefined, data: object) => {
    const json = JSON.stringify({ ok: true, data: dataWith(tool as ToolName, data) });
    worker.say({ kind: "answer", id, answer: { ok: true, json } });
  };
  const answer = async (data: object) => {
    const { id = 0, tool } = calls().at(-1) ?? {};
    say(id, tool, data);
    await played.settle();
  };
  let answered = 0;
  /** Answers what the view has asked since: the status, and which types are in each state. */
  const answerStatus = async (data: object, lists: Readonly<Record<string, readonly string[]>> = {}) => {
    const asked = calls().slice(answered);
    answered = calls().length;
    for (const { id, tool, args } of asked) {
      const { reason: only } = args as { reason?: string };
      const all = Object.entries(lists).flatMap(([reason, ids]) => ids.map((id) => ({ ...type(id), reason })));
      const listed = all.filter(({ reason }) => only === undefined || reason === only);
      say(id, tool, { ...data, list: listed.slice(0, 200), listTotal: listed.length });
    }
    await played.settle();
  };
  const state = async (revision: number) => {
    worker.say({ kind: "state", state: { ...READY, revision }, usage: USAGE });
    await played.settle();
  };
  return { ...played, calls, answer, answerStatus, state };
}

async function withView() {
  const engine = await running();
  surfaces.push(showTexts(engine.host));
  const [tree] = trees;
  if (!tree) {
    throw new Error("no tree was made");
  }
  const rows = () =>
    tree.provider.getChildren().map((group) => {
      const { label, description } = tree.provider.getTreeItem(group) as { label: string; description?: string };
      const below = tree.provider.getChildren(group).map((node) => tree.provider.getTreeItem(node).label);
      return `${label} (${description ?? ""}): ${below.join(" ")}`;
    });
  return { ...engine, tree, rows };
}

const STATUS = {
  context: [{ rootName: "app", types: 2, stale: 0, waiting: 1, texts: { cached: 1, calls: 12, tokens: 34_567 } }],
};

describe("the view of texts", () => {
  it("lists types by where their texts stand, and says what they cost and what they wait for", async () => {
    const { state, answerStatus, rows, tree, calls } = await withView();
    await state(1);
    expect(calls()).toHaveLength(1);
    await answerStatus(STATUS, { pending: ["Order"], cached: ["Cart"] });
    expect(rows()).toEqual(["Waiting (1): Order", "Fresh (1): Cart"]);
    expect([tree.description, tree.message]).toEqual(["12 requests, 34,567 tokens", "Texts wait for a model."]);
    expect(shown.executed).toContainEqual(["setContext", "codecortex.textsWait", true]);
    expect(calls()).toHaveLength(1);
  });

  it("asks for each state where there are more types than a page has", async () => {
    const { state, answerStatus, rows, calls } = await withView();
    const lists = { failed: ["Order"], none: Array.from({ length: 300 }, (_, at) => `T_${String(at)}`) };
    await state(1);
    await answerStatus(STATUS, lists);
    expect(calls().map(({ args }) => (args as { reason?: string }).reason)).toEqual([
      undefined,
      "failed",
      "generating",
      "pending",
      "stale",
      "cached",
      "none",
    ]);
    await answerStatus(STATUS, lists);
    expect(rows().map((row) => row.slice(0, 28))).toEqual(["Failed (1): Order", "Not Described (200 of 300): "]);
  });

  it("says why nothing is sent", async () => {
    const { state, answerStatus, tree } = await withView();
    await state(1);
    await answerStatus({
      context: [{ waiting: 1, texts: { calls: 0, tokens: 0, model: "m", held: "the key is refused" } }],
    });
    expect(tree.message).toBe("Nothing is sent: the key is refused");
    expect(shown.executed).toContainEqual(["setContext", "codecortex.textsAre", "none"]);
  });

  it("asks again when the files are other ones", async () => {
    const { state, answerStatus, rows, calls } = await withView();
    await state(1);
    await answerStatus(STATUS, { stale: ["Cart"] });
    expect(rows()).toEqual(["Stale (1): Cart"]);
    const before = calls().length;
    watchers[0]?.changed.fire(Uri.from({ scheme: "file", path: "/code/app/.context/index.json" }));
    await vi.advanceTimersByTimeAsync(2_100);
    expect(calls().length).toBe(2 * before);
    await answerStatus(STATUS, { cached: ["Cart"] });
    expect(rows()).toEqual(["Fresh (1): Cart"]);
  });

  it("takes a type out of the queue", async () => {
    const { state, answerStatus, tree, calls, settle } = await withView();
    await state(1);
    await answerStatus(STATUS, { pending: ["T_1"] });
    const [node] = tree.provider.getChildren(tree.provider.getChildren()[0]);
    registeredCommands.get("codecortex.texts.cancel")?.(node);
    await settle();
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_describe", args: { symbol: "T_1", cancel: true } });
  });
});

describe("describing", () => {
  it("says what it costs and what the quotas leave before anything is sent", async () => {
    const status = { context: [{ rootName: "app", texts: { modelSettings: { callsPerHour: 9 } } }] };
    const { host, answer, calls, settle, state } = await running();
    await state(1);
    const describing = describeWith(host, "Some Model", { symbol: "T_1" });
    await settle();
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_describe", args: { symbol: "T_1", dryRun: true } });
    await answer({ total: 2, promptTokens: 1_234, units: [] });
    await answer(status);
    await describing;
    expect(shown.messages).toEqual(["Ask Some Model about 2 texts (1,234 tokens and the answers)?"]);
    expect(shown.details).toEqual(["Left this hour: 9 of 9 requests."]);
    const described = calls().filter(({ tool }) => tool === "codecortex_describe");
    expect(described.every(({ args }) => (args as { dryRun?: boolean }).dryRun === true)).toBe(true);
    shown.answer = "Describe";
    const again = describeWith(host, "Some Model", { symbol: "T_1" });
    await settle();
    await answer({ total: 1, promptTokens: 5, units: [] });
    await answer(status);
    expect(calls().at(-1)).toMatchObject({ args: { symbol: "T_1" } });
    expect(calls().at(-1)?.args).not.toHaveProperty("dryRun");
    await answer({ total: 1, units: [] });
    await again;
  });

  it("is about what the menu was opened on", () => {
    const { host } = setUp();
    expect(fileAt(host, Uri.from({ scheme: "file", path: "/code/app/src" }))).toEqual({ filePath: "/code/app/src" });
    expect([typeOf({ id: "T_9" }), typeOf(undefined)]).toEqual([{ symbol: "T_9" }, undefined]);
  });
});
