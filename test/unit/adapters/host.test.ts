/** The extension's whole side of the engine with its tools, around a worker that a test plays. */
import type { ExtensionContext, LanguageModelTool } from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { ToWorker } from "../../../extension/core/messages";
import type { Host } from "../../../extension/core/host";
import { registerTools } from "../../../extension/vscode/tools";
import {
  fakeFiles,
  FileType,
  LanguageModelTextPart,
  LanguageModelToolResult,
  MarkdownString,
  registeredTools,
  Uri,
} from "../vscode";
import { MANIFEST, READY, settings, setUp } from "./setUp";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  registeredTools.clear();
});

const NEVER = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

/** Registers the tools and invokes one the way the editor does. */
function invoke(host: Host, input: object, options: { cancelled?: boolean; tokenBudget?: number } = {}) {
  registerTools(host, { extension: { packageJSON: MANIFEST } } as unknown as ExtensionContext);
  const tool = registeredTools.get("codecortex_searchApi") as LanguageModelTool<object>;
  const token = { ...NEVER, isCancellationRequested: options.cancelled ?? false };
  const result = tool.invoke(
    {
      input,
      toolInvocationToken: undefined,
      ...(options.tokenBudget === undefined
        ? {}
        : { tokenizationOptions: { tokenBudget: options.tokenBudget, countTokens: () => Promise.resolve(0) } }),
    },
    token,
  );
  return Promise.resolve(result).then((found) => {
    expect(found).toBeInstanceOf(LanguageModelToolResult);
    return (found as unknown as LanguageModelToolResult).content.map((part) => {
      expect(part).toBeInstanceOf(LanguageModelTextPart);
      return part.value;
    });
  });
}

const lastCall = (posted: ToWorker[]) => {
  const call = posted.filter((message) => message.kind === "call").at(-1);
  if (!call) {
    throw new Error("nothing was called");
  }
  return call;
};

describe("tools", () => {
  it("are registered as the manifest declares them", () => {
    const { host } = setUp();
    const registration = registerTools(host, { extension: { packageJSON: MANIFEST } } as unknown as ExtensionContext);
    expect([...registeredTools.keys()]).toEqual(["codecortex_searchApi", "other"]);
    registration.dispose();
    expect(registeredTools.size).toBe(0);
  });

  it("have AngelScript's names once there is a script", async () => {
    const { host } = setUp();
    const languageModelTools = [{ name: "codecortex_searchApi" }, { name: "angelscript_searchApi" }];
    const manifest = { contributes: { languageModelTools } };
    const context = { extension: { packageJSON: manifest } } as unknown as ExtensionContext;
    const without = registerTools(host, context);
    await Promise.resolve();
    expect([...registeredTools.keys()]).toEqual(["codecortex_searchApi"]);
    without.dispose();
    const script = Uri.from({ scheme: "file", path: "/w/app/Lamp.As" });
    fakeFiles.set(script.toString(), { type: FileType.File, mtime: 0, bytes: new Uint8Array() });
    const registration = registerTools(host, context);
    await vi.waitFor(() => {
      expect([...registeredTools.keys()]).toEqual(["codecortex_searchApi", "angelscript_searchApi"]);
    });
    registration.dispose();
    fakeFiles.delete(script.toString());
    expect(registeredTools.size).toBe(0);
  });

  it("say what they are doing", async () => {
    const { host } = setUp();
    registerTools(host, { extension: { packageJSON: MANIFEST } } as unknown as ExtensionContext);
    const tool = registeredTools.get("codecortex_searchApi") as LanguageModelTool<object>;
    const prepared = await tool.prepareInvocation?.({ input: { labelQuery: "open" } }, NEVER);
    expect(prepared?.invocationMessage).toEqual(new MarkdownString("Searching symbols for `open`"));
  });

  it("pass input and budget on untouched and the answer back untouched", async () => {
    const { host, worker, settle } = setUp();
    await host.start();
    const parts = invoke(host, { labelQuery: 17, odd: [null] }, { tokenBudget: 20_000 });
    await settle();
    const call = lastCall(worker().posted);
    expect(call).toMatchObject({
      tool: "codecortex_searchApi",
      args: { labelQuery: 17, odd: [null] },
      caller: { kind: "lm", maxBytes: 8_000, maxTokens: 20_000 },
    });
    worker().say({ kind: "answer", id: call.id, answer: { ok: true, json: '{"ok":true,\n"data":{}}' } });
    expect(await parts).toEqual(['{"ok":true,\n"data":{}}']);
    expect(host.view().spends).toMatchObject([{ tool: "codecortex_searchApi", calls: 1, tokens: 6 }]);
  });

  it("leave half of the room to each of two forms", async () => {
    const { host, worker, settle } = setUp(settings({ format: "both" }));
    await host.start();
    const parts = invoke(host, {});
    await settle();
    const call = lastCall(worker().posted);
    expect(call.caller.maxBytes).toBe(4_000);
    worker().say({ kind: "answer", id: call.id, answer: { ok: true, json: "{}", text: "// text" } });
    expect(await parts).toEqual(["{}", "// text"]);
  });

  it("answer Cancelled without asking the engine", async () => {
    const { host, worker, settle } = setUp();
    await host.start();
    const parts = invoke(host, {}, { cancelled: true });
    await settle();
    expect(JSON.parse((await parts).join(""))).toMatchObject({ ok: false, error: { code: "Cancelled" } });
    expect(worker().posted.some((message) => message.kind === "call")).toBe(false);
  });
});

describe("Host", () => {
  it("tells a new engine settings and folders, then documents, then what was called meanwhile", async () => {
    const { host, kinds, settle } = setUp();
    const document = {
      path: "/code/app/a.ts",
      version: 1,
      isDirty: true,
      isClosed: false,
      lineCount: 1,
      lines: () => "unsaved",
    };
    host.onLaunch(() => {
      host.documents.replay([document]);
    });
    void host.call({ tool: "t", args: {}, caller: {}, format: "json" });
    await host.start();
    await settle();
    expect(kinds()).toEqual(["start", "configure", "opened", "call"]);
  });

  it("replays everything after a crash and answers what the crash took along", async () => {
    const { host, workers, worker, kinds, settle } = setUp();
    const crashes: string[] = [];
    host.onDidCrash((reason) => crashes.push(reason));
    await host.start();
    worker().say({ kind: "ready", startMs: 1, cache: "used" });
    worker().say({ kind: "state", state: READY, usage: { engineBytes: 1, parserBytes: 0, parsers: 0 } });
    const taken = host.call({ tool: "t", args: {}, caller: {}, format: "json" });
    await settle();
    worker().say({ kind: "failed", reason: "panicked" });
    worker().die();
    expect(JSON.parse((await taken).json ?? "")).toMatchObject({ ok: false, error: { code: "Unavailable" } });
    expect(crashes).toEqual(["panicked"]);
    expect(host.view()).toMatchObject({ life: { kind: "restarting" }, state: undefined, crashes: 1 });
    const waiting = host.call({ tool: "t", args: {}, caller: {}, format: "json" });
    await vi.advanceTimersByTimeAsync(300);
    expect(workers.length).toBe(2);
    expect(kinds()).toEqual(["start", "configure", "call"]);
    worker().say({ kind: "answer", id: lastCall(worker().posted).id, answer: { ok: true, json: "{}" } });
    expect((await waiting).ok).toBe(true);
  });

  it("keeps a call that comes while one crash follows the other", async () => {
    const { host, workers, worker, kinds, settle } = setUp();
    await host.start();
    worker().die();
    const waiting = host.call({ tool: "t", args: {}, caller: {}, format: "json" });
    await vi.advanceTimersByTimeAsync(249);
    expect(workers.length).toBe(1);
    vi.advanceTimersByTime(1);
    worker().die();
    await vi.advanceTimersByTimeAsync(600);
    expect(workers.length).toBe(3);
    await settle();
    expect(kinds()).toEqual(["start", "configure", "call"]);
    worker().say({ kind: "answer", id: lastCall(worker().posted).id, answer: { ok: true, json: "{}" } });
    expect((await waiting).ok).toBe(true);
  });

  it("lets the watcher's batch go before a call, so that the answer knows of it", async () => {
    const { host, kinds, settle } = setUp();
    await host.start();
    await settle();
    host.onBeforeCall(() => {
      host.changed(["/code/app/a.ts", "/code/app/b.ts"]);
    });
    void host.call({ tool: "t", args: {}, caller: {}, format: "json" });
    await settle();
    expect(kinds()).toEqual(["start", "configure", "changed", "call"]);
  });

  it("configures again only when something changed, and restarts for another number of workers", async () => {
    const { host, workers, kinds, become, settle } = setUp();
    await host.start();
    await settle();
    host.configure();
    expect(kinds()).toEqual(["start", "configure"]);
    become(settings({ exclude: ["out/"] }));
    host.configure();
    become(settings({ exclude: ["out/"] }), [{ name: "lib", path: "/code/lib" }]);
    host.configure();
    expect(kinds()).toEqual(["start", "configure", "configure", "configure"]);
    const taken = host.call({ tool: "t", args: {}, caller: {}, format: "json" });
    await settle();
    become(settings({ exclude: ["out/"], workers: 3 }));
    host.configure();
    expect(JSON.parse((await taken).json ?? "")).toMatchObject({ error: { code: "Unavailable", retryable: true } });
    expect(workers.length).toBe(2);
    expect(host.view().crashes).toBe(0);
  });

  it("answers file requests of the engine", async () => {
    const { host, worker, settle } = setUp();
    await host.start();
    worker().say({ kind: "files", id: 4, request: { op: "read", path: "/memfs:/-/a", maxBytes: 1 } });
    await settle();
    expect(worker().posted).toContainEqual({ kind: "files", id: 4, reply: { op: "failed", code: "FileNotFound" } });
  });

  it("writes what happens to the log", async () => {
    const { host, worker, log } = setUp();
    await host.start();
    worker().say({ kind: "ready", startMs: 12.3, cache: "absent" });
    worker().say({ kind: "state", state: READY, usage: { engineBytes: 1, parserBytes: 0, parsers: 0 } });
    const usage = { engineBytes: 1, parserBytes: 0, parsers: 0 };
    worker().say({ kind: "state", state: { ...READY, phase: "indexing" }, usage });
    worker().say({ kind: "state", state: { ...READY, files: 4 }, usage });
    worker().say({ kind: "log", level: "warn", message: "A parse worker was replaced." });
    expect(log).toEqual([
      "The engine started in 12 ms; cache: absent.",
      "ready: 3 files, 9 symbols, 0 pending, 0 left out.",
      "A parse worker was replaced.",
    ]);
  });
});
