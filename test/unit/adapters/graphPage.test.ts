/** The page of the dependency graph, around a worker and a page that a test plays. */
import type { ExtensionContext } from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import { requestFor, type FromGraphPage, type ToGraphPage } from "../../../extension/core/graphView";
import type { ToWorker } from "../../../extension/core/messages";
import type { ToolName } from "../../../extension/generated/answers";
import { registerGraph } from "../../../extension/vscode/graphPage";
import { dataWith } from "../answers";
import { fakeFiles, panels, registeredCommands, shown, Uri, window, workspace } from "../vscode";
import { READY, setUp } from "./setUp";

const USAGE = { engineBytes: 1, parserBytes: 0, parsers: 0 };
const HOME = Uri.from({ scheme: "file", path: "/ext" });
const ORDER = { id: "T_a", path: "Shop.Order", kind: "class", filePath: "app/src/Order.cs" };
const LINE = { id: "T_b", path: "Shop.Line", kind: "class", filePath: "app/src/Line.cs", distance: 1 };
const MODULE = { id: "M_a", path: "app/src", kind: "module", types: 2 };
const surfaces: Disposable[] = [];

type Called = Extract<ToWorker, { kind: "call" }>;
type Answers = Partial<Record<ToolName, (args: Record<string, unknown>) => object | undefined>>;

beforeEach(() => {
  vi.useFakeTimers();
  workspace.workspaceFolders = [{ name: "app", uri: Uri.from({ scheme: "file", path: "/code/app" }) }];
});
afterEach(() => {
  for (const surface of surfaces.splice(0)) {
    surface.dispose();
  }
  vi.useRealTimers();
  window.saveTo = undefined;
  fakeFiles.clear();
  Object.assign(shown, { messages: [], documents: [], executed: [], answer: undefined });
});

function graph(types: object[], edges: object[] = []) {
  return { total: types.length, dependencies: edges.length, cycles: 0, leftOut: 0, types, edges };
}

/** A running engine with the commands; tools are answered by `answers`. */
async function withGraph(answers: Answers) {
  const played = setUp();
  surfaces.push(registerGraph(played.host, { extensionUri: HOME } as unknown as ExtensionContext));
  await played.host.start();
  await played.settle();
  const worker = played.worker();
  worker.say({ kind: "ready", startMs: 1, cache: "absent" });
  let answered = 0;
  const calls = (): Called[] => worker.posted.filter((message): message is Called => message.kind === "call");
  const argumentsOf = ({ args }: Called) => args as Record<string, unknown>;
  const settle = async () => {
    for (let round = 0; round < 6; round += 1) {
      await played.settle();
      const waiting = calls().slice(answered);
      answered += waiting.length;
      for (const call of waiting) {
        const tool = call.tool as ToolName;
        const data = answers[tool]?.(argumentsOf(call));
        const envelope = data
          ? { ok: true, data: dataWith(tool, data) }
          : { ok: false, error: { message: `No ${tool}.`, hint: "Try again." } };
        worker.say({ kind: "answer", id: call.id, answer: { ok: data !== undefined, json: JSON.stringify(envelope) } });
      }
    }
  };
  worker.say({ kind: "state", state: READY, usage: USAGE });
  await settle();
  const page = () => {
    const panel = panels.get("codecortex.graph");
    if (!panel) {
      throw new Error("no page is open");
    }
    return panel;
  };
  const run = async (name: string, ...args: unknown[]) => {
    const running = registeredCommands.get(`codecortex.${name}`)?.(...args);
    await settle();
    await running;
  };
  const says = async (message: FromGraphPage) => {
    page().says.fire(message);
    await settle();
  };
  const sent = () => page().sent as ToGraphPage[];
  const asked = (tool: string) =>
    calls()
      .filter((call) => call.tool === tool)
      .map(argumentsOf);
  return { ...played, worker, settle, run, says, sent, asked, page };
}

const lastView = (sent: readonly ToGraphPage[]) => {
  const last = sent.findLast((message) => message.kind === "graph");
  if (!last) {
    throw new Error("no graph was sent");
  }
  return last.view;
};

describe("the page of the dependency graph", () => {
  it("runs one script and shows the workspace; it is sent again when the page was made anew", async () => {
    const { run, says, sent, page } = await withGraph({ codecortex_exportGraph: () => graph([ORDER]) });
    await run("showGraph");
    const { html } = page().view.webview;
    expect(html).toMatch(/script-src 'nonce-[0-9a-f]{32}'"/);
    expect(html).toContain('src="file:///ext/dist/webview/graph.js"');
    expect(lastView(sent()).nodes.map(({ name }) => name)).toEqual(["Order"]);
    expect(page().title).toBe("Graph: Whole workspace");
    await says({ kind: "ready" });
    expect(sent().length).toBe(2);
  });

  it("begins at what a menu is about, in the tab that is there", async () => {
    const { run, asked, page } = await withGraph({ codecortex_exportGraph: () => graph([ORDER, LINE]) });
    await run("showGraph");
    await run("showGraphOf", { codecortexId: "T_a", codecortexSymbol: "Shop.Order" });
    expect(asked("codecortex_exportGraph").at(-1)).toMatchObject({ symbol: "T_a", direction: "both", depth: 1 });
    expect(page().title).toBe("Graph: Order");
    expect(panels.size).toBe(1);
  });

  it("begins at uncommitted changes, and says where there are none", async () => {
    const units = [{ file_path: "src/Order.cs", patch_type: "modify", line_numbers: { new_compact: "L3" } }];
    const index: { review_index: object[] } = { review_index: units };
    const { run, asked, sent } = await withGraph({
      codecortex_reviewChanges: () => index,
      codecortex_exportGraph: () => graph([ORDER, LINE]),
    });
    await run("showGraphOfChanges");
    expect(asked("codecortex_exportGraph").at(-1)).toMatchObject({ symbols: ["app/src/Order.cs:3"], direction: "in" });
    expect(lastView(sent()).nodes.map(({ isStart }) => isStart)).toEqual([true, false]);
    index.review_index = [];
    await run("showGraphOfChanges");
    expect(sent().at(-1)).toEqual({ kind: "problem", text: "No uncommitted change touches a type." });
  });

  it("adds a node's neighbours, with what is between them and the others", async () => {
    const { run, says, sent, asked } = await withGraph({
      codecortex_exportGraph: ({ symbols, symbol }) =>
        symbols === undefined && symbol === undefined
          ? graph([ORDER])
          : graph([ORDER, LINE], [{ from: "T_a", to: "T_b" }]),
    });
    await run("showGraph");
    await says({ kind: "expand", id: "T_a" });
    expect(asked("codecortex_exportGraph").at(-1)).toMatchObject({ symbols: ["T_a", "T_b"], depth: 0 });
    expect(lastView(sent()).edges.length).toBe(1);
  });

  it("opens the code of a type, and the types of a module", async () => {
    const { run, says, asked } = await withGraph({
      codecortex_exportGraph: ({ folder }) => (folder === undefined ? graph([ORDER, MODULE]) : graph([LINE])),
      codecortex_getOutline: () => ({ filePath: "app/src/Order.cs", startLine: 12 }),
    });
    await run("showGraph");
    await says({ kind: "open", id: "T_a" });
    expect(shown.documents.at(-1)?.options).toMatchObject({ selection: { startLine: 11 } });
    await says({ kind: "open", id: "M_a" });
    expect(asked("codecortex_exportGraph").at(-1)).toMatchObject({ folder: "app/src", level: "type" });
  });

  it("saves where a person says, and nothing where they do not", async () => {
    const { run, says, sent } = await withGraph({ codecortex_exportGraph: () => graph([ORDER]) });
    await run("showGraph");
    await run("saveGraph");
    expect(sent().at(-1)).toEqual({ kind: "save" });
    await says({ kind: "save", svg: "<svg/>" });
    expect(fakeFiles.size).toBe(0);
    window.saveTo = Uri.from({ scheme: "file", path: "/code/app/graph.svg" });
    await says({ kind: "save", svg: "<svg/>" });
    const written = fakeFiles.get("file:///code/app/graph.svg");
    expect(new TextDecoder().decode(written?.bytes)).toBe("<svg/>");
    expect(shown.messages.at(-1)).toBe("The graph is in graph.svg.");
  });

  it("follows the index, and sends nothing where nothing differs", async () => {
    const types: object[] = [ORDER];
    const { run, sent, worker, settle } = await withGraph({ codecortex_exportGraph: () => graph(types) });
    await run("showGraph");
    worker.say({ kind: "state", state: { ...READY, revision: 2 }, usage: USAGE });
    await settle();
    expect(sent().length).toBe(1);
    types.push(LINE);
    worker.say({ kind: "state", state: { ...READY, revision: 3 }, usage: USAGE });
    await vi.advanceTimersByTimeAsync(2_000);
    await settle();
    expect(lastView(sent()).nodes.length).toBe(2);
  });

  it("says why there is no graph", async () => {
    const { run, says, sent } = await withGraph({});
    await run("showGraph");
    expect(sent().at(-1)).toEqual({ kind: "problem", text: "No codecortex_exportGraph. Try again." });
    await says({ kind: "show", request: requestFor({ kind: "all" }) });
    expect(sent().length).toBe(2);
  });
});
