/** The view of the prompt window and its commands, around a worker and a page that a test plays. */
import type { ExtensionContext } from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import type { ToWorker } from "../../../extension/core/messages";
import type { ToolName } from "../../../extension/generated/answers";
import type { ShownView, WindowView } from "../../../extension/core/windowView";
import { showWindow, WINDOW_VIEW } from "../../../extension/vscode/windowPage";
import {
  fakeFiles,
  FileType,
  openPage,
  pageProviders,
  registeredCommands,
  shown,
  Uri,
  window,
  workspace,
} from "../vscode";
import { dataWith } from "../answers";
import { READY, settings, setUp } from "./setUp";

const USAGE = { engineBytes: 1, parserBytes: 0, parsers: 0 };
const HOME = Uri.from({ scheme: "file", path: "/ext" });
const PIECE = { tier: "pinned", symbol: "A.B", id: "T_ab", reason: "pinned", form: "outline", tokens: 9, pinTokens: 9 };
const UNKEPT = { ...settings().config, keepContext: false };
const surfaces: Disposable[] = [];

type Called = Extract<ToWorker, { kind: "call" }>;

beforeEach(() => {
  vi.useFakeTimers();
  workspace.workspaceFolders = [{ name: "app", uri: Uri.from({ scheme: "file", path: "/code/app" }) }];
});
afterEach(() => {
  for (const surface of surfaces.splice(0)) {
    surface.dispose();
  }
  vi.useRealTimers();
  window.activeTextEditor = undefined;
  window.picks = [];
  Object.assign(shown, { messages: [], documents: [], executed: [], clipboard: "", said: [], answer: undefined });
});

/** A running engine with the view; tools are answered by `answers`, by their name. */
async function withWindow(answers: Record<string, object> = {}, inForce = settings()) {
  const played = setUp(inForce);
  surfaces.push(showWindow(played.host, { extensionUri: HOME } as unknown as ExtensionContext));
  await played.host.start();
  await played.settle();
  const worker = played.worker();
  worker.say({ kind: "ready", startMs: 1, cache: "absent" });
  let answered = 0;
  const settle = async () => {
    for (let round = 0; round < 5; round += 1) {
      await played.settle();
      const calls = worker.posted.filter((message) => message.kind === "call");
      for (const { id, tool } of calls.slice(answered)) {
        const found = answers[tool];
        const envelope =
          found === undefined
            ? { ok: false, error: { message: `No ${tool}.` } }
            : { ok: true, data: dataWith(tool as ToolName, found) };
        worker.say({ kind: "answer", id, answer: { ok: found !== undefined, json: JSON.stringify(envelope) } });
      }
      answered = calls.length;
    }
  };
  worker.say({ kind: "state", state: READY, usage: USAGE });
  await settle();
  const calls = (tool: string): Called[] =>
    worker.posted.filter((message): message is Called => message.kind === "call" && message.tool === tool);
  const run = async (name: string, ...args: unknown[]) => {
    const running = registeredCommands.get(`codecortex.${name}`)?.(...args);
    await settle();
    await running;
  };
  return { ...played, worker, settle, calls, run, answers };
}

const WINDOW = { usedTokens: 9, budgetTokens: 100, bySource: { pinned: 9 }, pieces: [PIECE] };
const lastView = (sent: unknown[]) => (sent.at(-1) as { view: WindowView }).view as ShownView;

describe("the view of the prompt window", () => {
  it("may load two folders and run one script", async () => {
    await withWindow();
    const { view } = openPage(WINDOW_VIEW);
    expect(view.webview.options).toMatchObject({
      enableScripts: true,
      localResourceRoots: [{ path: "/ext/dist/webview" }, { path: "/ext/media" }],
    });
    expect(view.webview.html).toMatch(/script-src 'nonce-[0-9a-f]{32}'"/);
    expect(view.webview.html).toContain('src="file:///ext/dist/webview/window.js"');
  });

  it("is sent the window when it is ready, again when it differs, and not otherwise", async () => {
    const { answers, worker, settle } = await withWindow({ codecortex_getContext: WINDOW });
    const { view, sent, says } = openPage(WINDOW_VIEW);
    expect(sent).toEqual([]);
    says.fire({ kind: "ready" });
    expect(lastView(sent).groups.map(({ label }) => label)).toEqual(["Pinned"]);
    expect(view.description).toBe("9%");
    worker.say({ kind: "window" });
    await settle();
    expect(sent.length).toBe(1);
    answers.codecortex_getContext = { ...WINDOW, usedTokens: 50 };
    worker.say({ kind: "window" });
    await settle();
    expect([sent.length, lastView(sent).used]).toEqual([2, "50"]);
    // Out of hiding it is made anew, and knows nothing.
    says.fire({ kind: "ready" });
    expect(sent.length).toBe(3);
    view.visible = false;
    answers.codecortex_getContext = WINDOW;
    worker.say({ kind: "window" });
    await settle();
    expect(sent.length).toBe(3);
  });

  it("does what a person wants of a piece, says so, and shows what became of it", async () => {
    const { answers, calls, settle } = await withWindow({ codecortex_getContext: WINDOW });
    const { sent, says } = openPage(WINDOW_VIEW);
    says.fire({ kind: "ready" });
    answers.codecortex_pin = { changed: [{ symbol: "A.B", tokens: 9 }], usedTokens: 4, budgetTokens: 100 };
    answers.codecortex_getContext = { usedTokens: 4, budgetTokens: 100 };
    says.fire({ kind: "piece", action: "unpin", id: "T_ab", symbol: "A.B" });
    await settle();
    expect(calls("codecortex_pin").map(({ args, caller }) => [args, caller])).toEqual([
      [{ action: "unpin", symbols: ["T_ab"], format: "json" }, { kind: "editor" }],
    ]);
    const sentence = "Unpinned B. The prompt window has 4 of 100 tokens.";
    expect(shown.said).toEqual([sentence]);
    expect(sent).toContainEqual({ kind: "said", text: sentence });
    expect(lastView(sent).kind).toBe("empty");
  });

  it("puts a file in by its path and takes it out by its id", async () => {
    const { calls, settle } = await withWindow({ codecortex_pin: {} });
    const { says } = openPage(WINDOW_VIEW);
    for (const action of ["pin", "dismiss"]) {
      says.fire({ kind: "piece", action, id: "file:src/a.cs", symbol: "src/a.cs" });
    }
    await settle();
    expect(calls("codecortex_pin").map(({ args }) => args)).toMatchObject([
      { action: "pin", symbols: ["src/a.cs"] },
      { action: "dismiss", symbols: ["file:src/a.cs"] },
    ]);
  });

  it("names the folder of a piece where several folders have such", async () => {
    const declarations = ["lib", "app"].map((folder) => ({ filePath: `${folder}/src/a.cs`, startLine: 7 }));
    const { calls, settle } = await withWindow({
      codecortex_pin: {},
      codecortex_resolveSymbol: { candidates: [{ declarations }] },
    });
    const { says } = openPage(WINDOW_VIEW);
    says.fire({ kind: "piece", action: "unpin", id: "T_ab", symbol: "A.B", folder: "app" });
    says.fire({ kind: "piece", action: "open", id: "T_ab", symbol: "A.B", folder: "app" });
    await settle();
    expect(calls("codecortex_pin").map(({ args }) => args)).toMatchObject([
      { action: "unpin", symbols: ["T_ab"], folder: "app" },
    ]);
    expect(shown.documents).toMatchObject([
      { content: { path: "/code/app/src/a.cs" }, options: { selection: { startLine: 6 } } },
    ]);
  });

  it("opens the declaration, and says where there is none any more", async () => {
    const { answers, settle } = await withWindow({ codecortex_getOutline: { filePath: "app/src/a.cs", startLine: 7 } });
    const { says } = openPage(WINDOW_VIEW);
    says.fire({ kind: "piece", action: "open", id: "T_ab", symbol: "A.B" });
    await settle();
    expect(shown.documents).toMatchObject([
      { content: { path: "/code/app/src/a.cs" }, options: { selection: { startLine: 6 } } },
    ]);
    delete answers.codecortex_getOutline;
    says.fire({ kind: "piece", action: "open", id: "T_ab", symbol: "A.B" });
    await settle();
    expect(shown.messages).toEqual(["CodeCortex does not know any more where A.B is declared."]);
  });

  it("runs the commands it offers, and no others", async () => {
    await withWindow();
    const { says } = openPage(WINDOW_VIEW);
    says.fire({ kind: "command", command: "codecortex.pinSymbol" });
    says.fire({ kind: "command", command: "workbench.action.terminal.new" });
    expect(shown.executed.map(([name]) => name)).toEqual(["codecortex.pinSymbol"]);
  });

  it("lets go of everything", async () => {
    await withWindow();
    surfaces.pop()?.dispose();
    expect(pageProviders.size).toBe(0);
    expect([...registeredCommands.keys()]).toEqual([]);
  });
});

describe("the commands of the prompt window", () => {
  const file = (path: string) => Uri.from({ scheme: "file", path });

  it("put in the selection of the explorer, else the one file", async () => {
    const { run, calls } = await withWindow({ codecortex_pin: {} });
    await run("pinFile", file("/code/app/a.cs"), [file("/code/app/a.cs"), file("/code/app/b.cs")]);
    await run("focusFile", file("/code/app/c.cs"));
    expect(calls("codecortex_pin").map(({ args }) => args)).toMatchObject([
      { action: "pin", symbols: ["/code/app/a.cs", "/code/app/b.cs"] },
      { action: "add", symbols: ["/code/app/c.cs"] },
    ]);
  });

  it("name the first few of many", async () => {
    const changed = ["A.B", "src/c.cs", "D", "E", "F"].map((symbol) => ({ symbol, tokens: 500 }));
    const { run } = await withWindow({ codecortex_pin: { changed, unchanged: ["G"], budgetTokens: 4_000 } });
    await run("focusFile", file("/code/app/a.cs"));
    expect(shown.said).toEqual([
      "Added to focus: B, c.cs, D and 2 more (2,500 tokens). G is in focus already. The prompt window has 0 of 4,000 tokens.",
    ]);
  });

  it("put in what is nearest to the cursor", async () => {
    window.activeTextEditor = {
      document: { uri: file("/code/app/a.cs"), lineAt: () => ({ firstNonWhitespaceCharacterIndex: 4 }) },
      selection: { active: { line: 4, character: 2 } },
    };
    const { run, calls, answers } = await withWindow({
      codecortex_pin: {},
      codecortex_resolveSymbolAtPosition: { resolved: { path: "A.B.C", typeId: "T_b", memberId: "T_b_c" } },
    });
    await run("pinHere");
    expect(calls("codecortex_resolveSymbolAtPosition")[0]?.args).toMatchObject({
      filePath: "/code/app/a.cs",
      position: { line: 5, character: 5 },
    });
    delete answers.codecortex_resolveSymbolAtPosition;
    await run("focusHere");
    expect(calls("codecortex_pin").map(({ args }) => args)).toMatchObject([
      { action: "pin", symbols: ["T_b_c"] },
      { action: "add", symbols: ["/code/app/a.cs"] },
    ]);
  });

  it("say which folder declares what is at the cursor, where there are several", async () => {
    const folder = (name: string) => ({ name, uri: Uri.from({ scheme: "file", path: `/code/${name}` }) });
    workspace.workspaceFolders = [folder("app"), folder("lib")];
    window.activeTextEditor = {
      document: { uri: file("/code/app/a.cs"), lineAt: () => ({ firstNonWhitespaceCharacterIndex: 0 }) },
      selection: { active: { line: 0, character: 0 } },
    };
    const { run, calls } = await withWindow({
      codecortex_pin: {},
      codecortex_resolveSymbolAtPosition: {
        resolved: { path: "A.B", typeId: "T_b" },
        symbol: { definition: { filePath: "lib/src/b.cs" } },
      },
    });
    await run("pinHere");
    expect(calls("codecortex_pin").map(({ args }) => args)).toMatchObject([
      { action: "pin", symbols: ["T_b"], folder: "lib" },
    ]);
  });

  it("offer all that is at the cursor, and say so where no file is open", async () => {
    const { run, calls } = await withWindow({ codecortex_pin: {} });
    await run("pinSymbol");
    expect(shown.messages).toEqual(["Open a file and put the cursor on a symbol."]);
    window.activeTextEditor = {
      document: { uri: file("/code/app/a.cs"), lineAt: () => ({ firstNonWhitespaceCharacterIndex: 4 }) },
      selection: { active: { line: 0, character: 0 } },
    };
    window.picks = ["$(symbol-file) a.cs"];
    await run("pinSymbol");
    expect(calls("codecortex_pin").map(({ args }) => args)).toMatchObject([{ symbols: ["/code/app/a.cs"] }]);
  });

  it("take their piece from the row whose menu it was", async () => {
    const { run, calls } = await withWindow({ codecortex_pin: {} });
    const context = { webview: WINDOW_VIEW, codecortexId: "T_ab", codecortexSymbol: "A.B" };
    await run("window.dismiss", context);
    await run("window.dismiss", undefined);
    await run("window.copyPath", context);
    expect(calls("codecortex_pin").map(({ args }) => args)).toMatchObject([{ symbols: ["T_ab"] }]);
    expect(shown.clipboard).toBe("A.B");
  });

  it("tell once that pins are not kept, where no folder keeps them", async () => {
    const { run } = await withWindow({ codecortex_pin: {} });
    shown.answer = "Keep a .context Folder";
    await run("pinFile", file("/code/app/a.cs"));
    await run("pinFile", file("/code/app/a.cs"));
    expect(shown.messages).toEqual([
      "Pins last until this window is closed. A folder .context in the workspace keeps them.",
    ]);
    expect(shown.executed).toContainEqual(["codecortex.keepContext"]);
  });

  it("tell nothing of that where a folder keeps them, or may not", async () => {
    const folder = file("/code/app/.context").toString();
    fakeFiles.set(folder, { type: FileType.Directory, mtime: 0, bytes: new Uint8Array() });
    const kept = await withWindow({ codecortex_pin: {} });
    await kept.run("pinFile", file("/code/app/a.cs"));
    fakeFiles.delete(folder);
    surfaces.pop()?.dispose();
    const untrusted = await withWindow({ codecortex_pin: {} }, { ...settings(), config: UNKEPT });
    await untrusted.run("pinFile", file("/code/app/a.cs"));
    expect(shown.messages).toEqual([]);
  });

  it("clear the focus, and warn where the engine does not do it", async () => {
    const { run, calls, answers } = await withWindow({ codecortex_pin: {} });
    await run("clearFocus");
    expect(calls("codecortex_pin")[0]?.args).toEqual({ action: "clear", format: "json" });
    expect(shown.said).toEqual(["Nothing is in focus. The prompt window has 0 of 0 tokens."]);
    delete answers.codecortex_pin;
    await run("clearFocus");
    expect(shown.messages).toEqual(["CodeCortex: No codecortex_pin."]);
  });
});
