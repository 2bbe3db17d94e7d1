/** Which model is asked, what it is sent, and where its key is (SPEC SE2). */
import type { ExtensionContext } from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { ModelRequest } from "../../../extension/generated/protocol";
import { askChosenModel, registerModel } from "../../../extension/vscode/languageModel";
import { LanguageModelTextPart, LanguageModelToolCallPart, models, registeredCommands, shown, window } from "../vscode";
import { setUp } from "./setUp";

const URL = "https://models.example/v1";
const REQUEST: ModelRequest = {
  purpose: "investigate",
  subject: "how?",
  messages: [
    { role: "user", content: "how?" },
    { role: "assistant", content: "", calls: [{ id: "1", name: "search", arguments: '{"q":1}' }] },
    { role: "tool", content: "found", callId: "1" },
  ],
  tools: [{ name: "search", description: "Searches.", inputSchema: { type: "object" } }],
  maxOutputTokens: 10,
  attempts: 1,
};

function memento() {
  const kept = new Map<string, unknown>();
  return {
    kept,
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
}

function started(workspaceState = memento()) {
  const [globalState, keys] = [memento(), new Map<string, string>()];
  const secrets = {
    get: (key: string) => Promise.resolve(keys.get(key)),
    store: (key: string, value: string) => Promise.resolve(void keys.set(key, value)),
    delete: (key: string) => Promise.resolve(void keys.delete(key)),
  };
  const context = { workspaceState, globalState, secrets } as unknown as ExtensionContext;
  const surface = registerModel(setUp().host, context);
  const run = (name: string) => registeredCommands.get(`codecortex.${name}`)?.();
  return { surface, run, workspaceState, globalState, keys };
}

beforeEach(() => {
  models.push({ id: "one", name: "One", vendor: "test", asked: [], parts: [] });
});
afterEach(() => {
  models.length = 0;
  window.picks.length = 0;
  window.inputs.length = 0;
  shown.messages.length = 0;
  vi.unstubAllGlobals();
});

describe("a model of the editor", () => {
  it("is remembered, is given the tools and may call them", async () => {
    const first = started();
    window.picks.push("One");
    await first.run("chooseModel");
    first.surface.dispose();
    const second = started(first.workspaceState);
    await vi.waitFor(async () => {
      expect(await askChosenModel(1, REQUEST)).toMatchObject({ type: "answered" });
    });
    const [one] = models;
    one?.parts.push(new LanguageModelTextPart("so"), new LanguageModelToolCallPart("2", "search", { q: 2 }));
    expect(await askChosenModel(2, REQUEST)).toMatchObject({
      text: "so",
      calls: [{ id: "2", name: "search", arguments: '{"q":2}' }],
    });
    expect(one?.asked.at(-1)).toMatchObject({
      messages: [
        { role: "user", content: "how?" },
        { role: "assistant", content: [{ callId: "1", name: "search", input: { q: 1 } }] },
        { role: "user", content: [{ callId: "1", content: [{ value: "found" }] }] },
      ],
      options: { tools: [{ name: "search", inputSchema: { type: "object" } }] },
    });
    second.surface.dispose();
  });
});

describe("a model by its address", () => {
  it("is remembered with its address; its key is the editor's secret and nowhere else", async () => {
    const { surface, run, workspaceState, globalState, keys } = started();
    window.picks.push("$(globe) By address…");
    window.inputs.push(URL, "m1", "key-1");
    await run("chooseModel");
    expect([...keys.values()]).toEqual(["key-1"]);
    expect(JSON.stringify([...workspaceState.kept, ...globalState.kept])).not.toContain("key-1");
    const sent: RequestInit[] = [];
    vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
      sent.push(init);
      return Promise.resolve(new Response('{"choices":[{"message":{"content":"so"}}]}'));
    });
    surface.dispose();
    const again = started(workspaceState);
    await vi.waitFor(async () => {
      expect(await askChosenModel(1, REQUEST)).toMatchObject({ type: "answered", text: "so" });
    });
    again.surface.dispose();
  });

  it("gets another key, and none after it was removed", async () => {
    const { surface, run, keys } = started();
    window.picks.push("$(globe) By address…");
    window.inputs.push(URL, "m1", "", "key-2");
    await run("chooseModel");
    expect(keys.size).toBe(0);
    await run("setModelKey");
    expect([...keys.values()]).toEqual(["key-2"]);
    await run("removeModelKey");
    expect(keys.size).toBe(0);
    expect(shown.messages.at(-1)).toBe(`The key for ${URL} was removed.`);
    surface.dispose();
  });

  it("is not chosen when a person gives up", async () => {
    const { surface, run, workspaceState } = started();
    window.picks.push("$(globe) By address…");
    window.inputs.push("no address");
    await run("chooseModel");
    expect(workspaceState.kept.size).toBe(0);
    surface.dispose();
  });
});
