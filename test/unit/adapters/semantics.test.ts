/** The hover of roles and investigations, around a worker that a test plays. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Disposable } from "../../../extension/core/disposable";
import type { ToolName } from "../../../extension/generated/answers";
import { investigate } from "../../../extension/vscode/investigate";
import { showRoles } from "../../../extension/vscode/roleHover";
import { editor, registeredProviders, shown, Uri, window, workspace } from "../vscode";
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
  workspace.settings.clear();
  Object.assign(shown, { messages: [], details: [], executed: [], progress: [], answer: undefined });
});

async function running() {
  const played = setUp();
  await played.host.start();
  await played.settle();
  const worker = played.worker();
  worker.say({ kind: "ready", startMs: 1, cache: "absent" });
  worker.say({ kind: "state", state: READY, usage: USAGE });
  await played.settle();
  // The worker of this moment: an engine whose calls nobody answers is started anew.
  const calls = () => {
    const { posted } = played.worker();
    return posted.filter((message) => message.kind === "call").filter(({ tool }) => tool !== "codecortex_getContext");
  };
  const answer = async (data: object) => {
    const { id = 0, tool } = calls().at(-1) ?? {};
    const json = JSON.stringify({ ok: true, data: dataWith(tool as ToolName, data) });
    worker.say({ kind: "answer", id, answer: { ok: true, json } });
    await played.settle();
  };
  return { ...played, calls, answer };
}

const turn = (name: string, value: unknown) => {
  workspace.settings.set(name, value);
  editor.configured.fire({ affectsConfiguration: (section) => section === name });
};

describe("the hover of roles", () => {
  const document = { uri: Uri.from({ scheme: "file", path: "/code/app/cart.ts" }) };
  const at = { line: 2, character: 4 };
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
  const hover = (): unknown => {
    const provider = registeredProviders.get("hover") as
      { provideHover(...args: unknown[]): Promise<unknown> } | undefined;
    return provider?.provideHover(document, at, token);
  };

  it("is there while the setting is on", async () => {
    const { host } = await running();
    surfaces.push(showRoles(host));
    expect(registeredProviders.has("hover")).toBe(false);
    turn("codecortex.hover.role", true);
    expect(registeredProviders.has("hover")).toBe(true);
    turn("codecortex.hover.role", false);
    expect(registeredProviders.has("hover")).toBe(false);
  });

  it("tells the role of a type as text that nothing trusts, and is silent at members", async () => {
    workspace.settings.set("codecortex.hover.role", true);
    const { host, answer, calls, settle } = await running();
    surfaces.push(showRoles(host));
    const told = hover();
    await settle();
    await answer({ resolved: { path: "Cart", typeId: "T_1" } });
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_getSemantic", args: { symbol: "T_1", prompt: "never" } });
    await answer({ semanticState: "cached", sections: [{ name: "ROLE", text: "<b>[x](command:y)</b>" }] });
    const { contents } = (await told) as { contents: { value: string; isTrusted?: unknown; supportHtml?: unknown } };
    expect(contents.value).toContain("\\<b\\>\\[x\\]\\(command\\:y\\)");
    expect([contents.isTrusted, contents.supportHtml]).toEqual([undefined, undefined]);
    const silent = hover();
    await settle();
    await answer({ resolved: { path: "Cart.total", typeId: "T_1", memberId: "M_1" } });
    expect(await silent).toBeUndefined();
  });
});

describe("an investigation", () => {
  const operation = (state: string, fields: object = {}) => ({
    operation: { opId: "op1", question: "Why?", scopePaths: [], state, steps: [], tokens: 0, ...fields },
  });

  it("asks, says how far it is, and opens what was concluded", async () => {
    const { host, answer, calls, settle } = await running();
    window.inputs.push("Why / how?");
    shown.answer = "Investigate";
    const running_ = investigate(host, "Some Model");
    await settle();
    await answer({ context: [] });
    expect(shown.messages).toEqual(["Have Some Model investigate “Why / how?”?"]);
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_investigate", args: { question: "Why / how?" } });
    await answer(operation("running"));
    await vi.advanceTimersByTimeAsync(1_100);
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_op", args: { opId: "op1" } });
    await answer(operation("done"));
    await running_;
    expect(shown.progress[0]?.reports).toEqual([{ message: "thinking" }]);
    const [name, address] = shown.executed.at(-1) ?? [];
    expect([name, (address as Uri).path]).toEqual(["markdown.showPreview", "/Investigation: Why   how.md"]);
  });

  it("is given up when the person cancels, and nothing is opened", async () => {
    const { host, answer, calls, settle } = await running();
    window.inputs.push("Why?");
    shown.answer = "Investigate";
    const running_ = investigate(host, "Some Model");
    await settle();
    await answer({ context: [] });
    await answer(operation("running"));
    shown.progress[0]?.cancel();
    await settle();
    expect(calls().at(-1)).toMatchObject({ tool: "codecortex_op", args: { opId: "op1", cancel: true } });
    await answer(operation("cancelled"));
    await running_;
    expect(shown.executed.some(([name]) => name === "markdown.showPreview")).toBe(false);
  });

  it("sends nothing where the person says no", async () => {
    const { host, answer, calls, settle } = await running();
    window.inputs.push("Why?");
    const asked = investigate(host, "Some Model");
    await settle();
    await answer({ context: [] });
    await asked;
    expect(calls().map(({ tool }) => tool)).toEqual(["codecortex_status"]);
  });
});
