/** Language providers: how others are asked, and what the editor is offered. */
import type * as vscode from "vscode";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { OwnQuestions, questionKey } from "../../../extension/core/consult";
import { LOOKS_AFTER_MS } from "../../../extension/core/offer";
import { Addresses } from "../../../extension/core/addresses";
import { HoldMeter } from "../../../extension/core/schedule";
import type { ToolName } from "../../../extension/generated/answers";
import { askProviders } from "../../../extension/vscode/providers/ask";
import { offerProviders } from "../../../extension/vscode/providers/offer";
import {
  CodeActionKind,
  commandResults,
  editor,
  Location,
  Position,
  Range,
  registeredProviders,
  Uri,
  workspace,
} from "../vscode";
import { dataWith } from "../answers";
import { setUp } from "./setUp";

const file = (path: string) => Uri.from({ scheme: "file", path });
const SYMBOLS = "vscode.executeDocumentSymbolProvider";
const range = { start: { line: 3, character: 4 }, end: { line: 3, character: 7 } };
const document = { uri: file("/code/app/a.rs"), languageId: "rust", version: 1, isDirty: false, lineCount: 5 };
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
const KINDS = [
  "callHierarchy",
  "codeActions",
  "definition",
  "documentSymbol",
  "hover",
  "implementation",
  "references",
  "rename",
  "typeHierarchy",
  "workspaceSymbol",
];

beforeEach(() => {
  vi.useFakeTimers();
  workspace.workspaceFolders = [{ name: "app", uri: file("/code/app") }];
  workspace.textDocuments = [document];
});
afterEach(() => {
  vi.useRealTimers();
  commandResults.clear();
  workspace.settings.clear();
  registeredProviders.clear();
});

describe("asking others", () => {
  const asking = () => {
    const own = new OwnQuestions();
    const addresses = new Addresses<vscode.Uri>();
    const meter = new HoldMeter(() => 0);
    const ask = askProviders({ windows: false, meter, own, addresses, timeoutMs: () => 1_500 });
    return { own, addresses, ask };
  };

  it("remembers addresses of which a path is only a part", async () => {
    const { addresses, ask } = asking();
    const whole = Uri.from({ scheme: "jdt", authority: "contents", path: "/rt.jar/List.class", query: "=shop" });
    commandResults.set("vscode.executeDefinitionProvider", () => [
      new Location(whole, new Range(3, 4, 3, 7)),
      new Location(file("/lib/c.rs"), new Range(1, 0, 1, 2)),
    ]);
    await ask({ about: "definition", path: "/code/app/a.rs", position: { line: 1, character: 2 } });
    expect(addresses.of("/jdt:/contents/rt.jar/List.class")).toBe(whole);
    expect(addresses.of("/lib/c.rs")).toBeUndefined();
  });

  it("hands on places of both forms, and is known as our own question meanwhile", async () => {
    const { own, ask } = asking();
    const at = { line: 1, character: 2 };
    const shape = new Range(3, 4, 3, 7);
    let wasOwn = false;
    commandResults.set("vscode.executeDefinitionProvider", (uri) => {
      wasOwn = own.has(questionKey("definition", String(uri), at));
      return [
        new Location(file("/code/app/b.rs"), shape),
        { targetUri: file("/lib/c.rs"), targetRange: range, targetSelectionRange: range },
      ];
    });
    const reply = await ask({ about: "definition", path: "/code/app/a.rs", position: at });
    expect(reply.places).toEqual([
      { path: "/code/app/b.rs", ranges: [range] },
      { path: "/lib/c.rs", ranges: [range] },
    ]);
    expect([wasOwn, own.has(questionKey("definition", document.uri.toString(), at))]).toEqual([true, false]);
  });

  it("asks for both directions of a hierarchy and for implementations", async () => {
    const { ask } = asking();
    const item = (path: string) => [{ uri: file(path), selectionRange: range }];
    commandResults.set("vscode.prepareTypeHierarchy", () => item("/code/app/a.rs"));
    commandResults.set("vscode.provideSupertypes", () => item("/code/app/up.rs"));
    commandResults.set("vscode.provideSubtypes", () => item("/code/app/down.rs"));
    commandResults.set("vscode.executeImplementationProvider", () => [
      new Location(file("/code/app/i.rs"), range as never),
    ]);
    const reply = await ask({ about: "hierarchy", path: "/code/app/a.rs", position: range.start });
    expect(reply.above?.map(({ path }) => path)).toEqual(["/code/app/up.rs"]);
    expect(reply.below?.map(({ path }) => path)).toEqual(["/code/app/down.rs", "/code/app/i.rs"]);
  });
});

/** A host, and what answers its calls. */
async function offering(answers: Record<string, object>) {
  const played = setUp();
  const offer = offerProviders(played.host);
  await played.host.start();
  await played.settle();
  played.worker().say({ kind: "ready", startMs: 1, cache: "absent" });
  await played.settle();
  const answer = async <T>(asked: Promise<T>): Promise<T> => {
    for (let round = 0; round < 10; round += 1) {
      await played.settle();
      for (const message of played.worker().posted.splice(0)) {
        if (message.kind === "call") {
          expect(message.caller).toEqual({ kind: "editor" });
          const json = JSON.stringify({
            ok: true,
            data: dataWith(message.tool as ToolName, answers[message.tool] ?? {}),
          });
          played.worker().say({ kind: "answer", id: message.id, answer: { ok: true, json } });
        }
      }
    }
    return asked;
  };
  return { ...played, offer, answer };
}

/** A provider that was registered. */
const provider = (kind: string) =>
  registeredProviders.get(kind) as Record<string, (...args: unknown[]) => Promise<unknown>>;

describe("offering", () => {
  it("registers everything for a language that nobody else serves, and ends with the extension", async () => {
    const { offer } = await offering({});
    await vi.advanceTimersByTimeAsync(LOOKS_AFTER_MS[0]);
    expect([...registeredProviders.keys()].sort()).toEqual(KINDS);
    offer.dispose();
    expect([...registeredProviders.keys()]).toEqual([]);
  });

  it("leaves languages alone that others serve, documents that are no files, and what the setting says", async () => {
    commandResults.set(SYMBOLS, () => [{ name: "served" }]);
    await offering({});
    await vi.advanceTimersByTimeAsync(LOOKS_AFTER_MS[0]);
    expect(registeredProviders.size).toBe(0);
    commandResults.clear();
    editor.opened.fire({ ...document, uri: file("/elsewhere/b.go"), languageId: "go" });
    editor.opened.fire({ ...document, uri: file("/code/app/b.txt"), languageId: "plaintext" });
    await vi.advanceTimersByTimeAsync(200_000);
    expect(registeredProviders.size).toBe(0);
    workspace.settings.set("codecortex.languageProviders", "on");
    editor.configured.fire({ affectsConfiguration: () => true });
    expect(registeredProviders.has("definition")).toBe(true);
    workspace.settings.set("codecortex.languageProviders", "off");
    editor.configured.fire({ affectsConfiguration: () => true });
    await vi.advanceTimersByTimeAsync(1);
    expect(registeredProviders.size).toBe(0);
  });

  it("answers from the index, but says nothing to a question of our own", async () => {
    const found = { name: "add", kind: "method", path: "a::add", filePath: "app/b.rs", range, nameRange: range };
    const { host, answer } = await offering({
      codecortex_resolveSymbolAtPosition: { symbol: { ...found, definition: found } },
      codecortex_findReferences: {
        references: [
          { filePath: "app/b.rs", range },
          { filePath: "/lib/c.rs", range },
        ],
      },
      codecortex_getOutline: {
        declarations: [
          { ...found, depth: 0 },
          { ...found, depth: 1, nameRange: { start: { line: 9, character: 0 }, end: { line: 9, character: 1 } } },
        ],
      },
    });
    await vi.advanceTimersByTimeAsync(LOOKS_AFTER_MS[0]);
    const at = { line: 1, character: 2 };
    const addresses = (places: unknown) =>
      (places as { uri?: Uri; targetUri?: Uri }[]).map((place) => (place.uri ?? place.targetUri)?.path);
    const definition = await answer(
      provider("definition").provideDefinition?.(document, at, token) ?? Promise.reject(new Error()),
    );
    expect(addresses(definition)).toEqual(["/code/app/b.rs"]);
    const ask = (includeDeclaration: boolean) =>
      answer(
        provider("references").provideReferences?.(document, at, { includeDeclaration }, token) ??
          Promise.reject(new Error()),
      );
    expect(addresses(await ask(false))).toEqual(["/code/app/b.rs", "/lib/c.rs"]);
    expect(addresses(await ask(true))).toHaveLength(3);
    const outline = await answer(
      provider("documentSymbol").provideDocumentSymbols?.(document, token) ?? Promise.reject(new Error()),
    );
    const [root] = outline as { children: { range: unknown; selectionRange: unknown }[] }[];
    // A name outside of what it names would make the editor refuse the outline.
    expect(root?.children[0]?.selectionRange).toEqual(root?.children[0]?.range);
    const key = questionKey("references", document.uri.toString(), at);
    await host.own.during(key, async () => {
      expect(await ask(true)).toBeUndefined();
    });
  });
});

describe("refactorings", () => {
  const files = [
    { filePath: "app/a.rs", edits: 1, change: { version: 1, edits: [{ ...range, text: "sum" }] } },
    { filePath: "app/new.rs", operation: "created", edits: 1, change: { edits: [{ ...range, text: "// new\n" }] } },
    { filePath: "app/old.rs", operation: "deleted", edits: 0 },
    { filePath: "app/B.rs", operation: "moved", movedTo: "app/Sum.rs", edits: 0, change: { edits: [] } },
  ];
  const open = { ...document, getWordRangeAtPosition: () => new Range(1, 2, 1, 5) };
  const at = new Position(1, 2);
  const name = new Range(1, 2, 1, 2);
  const selection = new Range(1, 2, 1, 5);
  const started = async (found: object[]) => {
    const played = await offering({ codecortex_refactor: { summary: "Rename `add` to `sum`", files: found } });
    await vi.advanceTimersByTimeAsync(LOOKS_AFTER_MS[0]);
    return played;
  };
  const rename = () => provider("rename").provideRenameEdits?.(open, at, "sum", token) ?? Promise.reject(new Error());
  const actions = (where: Range, context: object) =>
    provider("codeActions").provideCodeActions?.(open, where, { triggerKind: 1, ...context }) as unknown as {
      title: string;
      args: Record<string, unknown>;
      edit?: { size: number };
    }[];

  it("renames by the plan, with what becomes of files", async () => {
    const { answer } = await started(files);
    const edit = (await answer(rename())) as { size: number };
    expect(edit.size).toBe(4);
  });

  it("refuses a plan of another text with the reason", async () => {
    const { answer } = await started([{ ...files[0], change: { version: 7, edits: [] } }]);
    const asked = rename();
    const refused = expect(asked).rejects.toThrow("app/a.rs was changed meanwhile");
    await answer(asked.catch(() => undefined));
    await refused;
  });

  it("offers actions where somebody asks, of the kind that they ask for, and plans the chosen one", async () => {
    const { answer } = await started(files);
    workspace.textDocuments.push({ ...document, uri: file("/code/app/b.rs") });
    expect(actions(selection, { triggerKind: 2 })).toEqual([]);
    expect(actions(selection, {}).map(({ title }) => title)).toEqual([
      "Extract into variable",
      "Extract into function",
    ]);
    expect(actions(name, {}).map(({ title }) => title)).toEqual(["Inline", "Move to b.rs"]);
    expect(actions(name, { only: CodeActionKind.RefactorExtract })).toEqual([]);
    const [variable] = actions(selection, { only: CodeActionKind.RefactorExtract });
    expect(variable?.args).toEqual({
      action: "extractVariable",
      filePath: "/code/app/a.rs",
      position: { line: 2, character: 3 },
      end: { line: 2, character: 6 },
      newName: "extracted",
    });
    const chosen = provider("codeActions").resolveCodeAction?.(variable, token) ?? Promise.reject(new Error());
    expect(((await answer(chosen)) as typeof variable)?.edit?.size).toBe(4);
  });

  it("is offered where names are resolved alone", async () => {
    workspace.textDocuments = [{ ...document, uri: file("/code/app/a.rb"), languageId: "ruby" }];
    await started(files);
    expect(registeredProviders.has("definition")).toBe(true);
    expect(registeredProviders.has("rename")).toBe(false);
  });
});
