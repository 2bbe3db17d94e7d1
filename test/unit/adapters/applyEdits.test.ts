/** Edits of tools in a stand-in for the editor: asked about, checked again, all files or none. */
import type * as vscode from "vscode";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FileEdit } from "../../../extension/generated/protocol";
import { titleOfCall } from "../../../extension/core/edits";
import { AppliedEdits } from "../../../extension/vscode/appliedEdits";
import { applyEdits } from "../../../extension/vscode/applyEdits";
import { registerEditReview, withdrawEdits } from "../../../extension/vscode/editReview";
import type { Disposable } from "../../../extension/core/disposable";
import {
  fakeFiles,
  FakeDocument,
  FileType,
  registeredCommands,
  shown,
  TabInputText,
  TabInputTextDiff,
  Uri,
  window,
  workspace,
} from "../vscode";

const EDIT = { start: { line: 0, character: 4 }, end: { line: 0, character: 5 }, text: "2" };

let registered: Disposable;

beforeEach(() => {
  registered = registerEditReview();
  shown.executed.length = 0;
});
afterEach(() => {
  registered.dispose();
  Object.assign(workspace, { isTrusted: true, refuseEdits: 0, textDocuments: [] });
  window.tabGroups.all = [];
  workspace.settings.clear();
  fakeFiles.clear();
});

const address = (path: string) => Uri.from({ scheme: "file", path });

/** A document that a tab shows, at version 3, and the edit of its first line. */
function held(path: string, isDirty = false): { document: FakeDocument; edit: FileEdit } {
  window.tabGroups.all.push({ tabs: [{ label: path, input: new TabInputText(address(path)) }] });
  return unseen(path, isDirty);
}

/** The same without a tab: for a while the editor holds what it has closed. */
function unseen(path: string, isDirty = false): { document: FakeDocument; edit: FileEdit } {
  const document = new FakeDocument(address(path), "x = 1\n", isDirty, 3);
  workspace.textDocuments.push(document);
  return { document, edit: fileEdit({ path, version: 3, changes: [EDIT] }) };
}

/** A file that only the disk has, and the edit of its first line. */
function onDisk(path: string): FileEdit {
  const bytes = new TextEncoder().encode("x = 1\n");
  fakeFiles.set(address(path).toString(), { type: FileType.File, mtime: 1, bytes });
  return fileEdit({ path, stamp: "1-6", changes: [EDIT], bytes: new TextEncoder().encode("x = 2\n") });
}

/** What undo would find. */
const kept = () => new AppliedEdits(address("/storage") as unknown as vscode.Uri, () => 7);

function fileEdit(parts: Partial<FileEdit> & { path: string }): FileEdit {
  return { root: 0, version: null, stamp: null, changes: [], bytes: null, diff: "", ...parts };
}

const disk = (path: string) => {
  const file = fakeFiles.get(address(path).toString());
  return file && new TextDecoder().decode(file.bytes);
};

/** Decides as soon as somebody is asked. */
async function decide(command: string): Promise<void> {
  await expect.poll(() => shown.executed.some(([id]) => id === "vscode.diff" || id === "vscode.changes")).toBe(true);
  await registeredCommands.get(`codecortex.edits.${command}`)?.();
}

describe("an edit", () => {
  it("is made when a person agrees, and leaves unsaved text unsaved", async () => {
    const { document, edit } = held("/code/a.py", true);
    const [outcome] = await Promise.all([applyEdits([edit], { summary: "two" }, false), decide("apply")]);
    expect(outcome).toEqual({ type: "done" });
    expect([document.getText(), document.isDirty]).toEqual(["x = 2\n", true]);
    const diff = shown.executed.find(([id]) => id === "vscode.diff");
    expect(diff?.[3]).toBe("two (proposed)");
  });

  it("is not made when the person does not want it, or nobody waits any more", async () => {
    const { document, edit } = held("/code/a.py");
    const [refused] = await Promise.all([applyEdits([edit], { summary: null }, false), decide("discard")]);
    expect(refused).toEqual({ type: "rejected" });
    shown.executed.length = 0;
    const answer = applyEdits([edit], { summary: null }, false);
    await expect.poll(() => shown.executed.some(([id]) => id === "vscode.diff")).toBe(true);
    withdrawEdits();
    expect(await answer).toEqual({ type: "rejected" });
    expect(document.getText()).toBe("x = 1\n");
  });

  it("of another call stays when one is given up", async () => {
    const first = held("/code/a.py");
    const second = held("/code/b.py");
    const answers = [
      applyEdits([first.edit], { summary: "one" }, false),
      applyEdits([second.edit], { summary: "two" }, false),
    ];
    await expect.poll(() => shown.executed.some(([id]) => id === "vscode.diff")).toBe(true);
    withdrawEdits(titleOfCall({ summary: "two", edits: [{ filePath: "code/b.py" }] }));
    await registeredCommands.get("codecortex.edits.apply")?.();
    expect(await Promise.all(answers)).toEqual([{ type: "done" }, { type: "rejected" }]);
  });

  it("waits for its turn while another one is looked at", async () => {
    const first = held("/code/a.py");
    const second = held("/code/b.py");
    const answers = [
      applyEdits([first.edit], { summary: "one" }, false),
      applyEdits([second.edit], { summary: "two" }, false),
    ];
    await decide("discard");
    await expect.poll(() => shown.executed.some(([, , , title]) => title === "two (proposed)")).toBe(true);
    await registeredCommands.get("codecortex.edits.apply")?.();
    expect(await Promise.all(answers)).toEqual([{ type: "rejected" }, { type: "done" }]);
  });

  it("is a conflict when the text changed while a person looked at it", async () => {
    const { document, edit } = held("/code/a.py");
    const answer = applyEdits([edit], { summary: null }, false);
    await expect.poll(() => shown.executed.some(([id]) => id === "vscode.diff")).toBe(true);
    document.type("typed\n");
    await registeredCommands.get("codecortex.edits.apply")?.();
    expect(await answer).toEqual({ type: "conflict", path: "/code/a.py" });
    expect(document.getText()).toBe("typed\nx = 1\n");
  });

  it("is not made in a workspace that nobody trusts", async () => {
    const { document, edit } = held("/code/a.py");
    workspace.isTrusted = false;
    expect(await applyEdits([edit], { summary: null }, false)).toMatchObject({ type: "failed" });
    expect(document.getText()).toBe("x = 1\n");
  });
});

describe("an edit of what has a special name", () => {
  beforeEach(() => {
    workspace.settings.set("codecortex.edits.confirm", false);
    workspace.workspaceFolders.push({ name: "code", uri: address("/home/.me/code") });
  });
  afterEach(() => workspace.workspaceFolders.pop());

  it("is shown to a person in any case where other programs run it", async () => {
    const edit = onDisk("/home/.me/code/.vscode/tasks.json");
    const [outcome] = await Promise.all([applyEdits([edit], { summary: "tasks" }, false), decide("discard")]);
    expect(outcome).toEqual({ type: "rejected" });
    const [agreed] = await Promise.all([applyEdits([edit], { summary: "tasks" }, false), decide("apply")]);
    expect(agreed).toEqual({ type: "done" });
    // The folder's own place is nothing that the edit chose.
    shown.executed.length = 0;
    expect(await applyEdits([onDisk("/home/.me/code/a.py")], { summary: null }, false)).toEqual({ type: "done" });
    expect(shown.executed).toEqual([]);
  });

  it.each([".git/config", ".GIT/config", "git~1/hooks/x", ".conte\u200bxt/config.json"])(
    "is refused: %s",
    async (name) => {
      const edit = onDisk(`/home/.me/code/${name}`);
      expect(await applyEdits([edit], { summary: null }, false)).toMatchObject({ type: "failed" });
      expect(disk(edit.path)).toBe("x = 1\n");
    },
  );

  it("is refused where it would be made and is a device elsewhere", async () => {
    const bytes = new TextEncoder().encode("x\n");
    const made = fileEdit({ path: "/home/.me/code/src/aux.c", bytes });
    expect(await applyEdits([made], { summary: null }, false)).toMatchObject({ type: "failed" });
    const there = onDisk("/home/.me/code/src/aux.c");
    expect(await applyEdits([there], { summary: null }, false)).toEqual({ type: "done" });
  });
});

describe("an edit of several files", () => {
  beforeEach(() => workspace.settings.set("codecortex.edits.confirm", false));

  it("saves what no editor held, and makes new files", async () => {
    const { document, edit } = held("/code/a.py");
    const bytes = new TextEncoder().encode("new\n");
    const start = { line: 0, character: 0 };
    const fresh = fileEdit({ path: "/code/c.py", changes: [{ start, end: start, text: "new\n" }], bytes });
    const outcome = await applyEdits([edit, onDisk("/code/b.py"), fresh], { summary: null }, false);
    expect(outcome).toEqual({ type: "done" });
    expect([document.getText(), disk("/code/b.py"), disk("/code/c.py")]).toEqual(["x = 2\n", "x = 2\n", "new\n"]);
  });

  it("saves what the editor holds and no tab shows, but nothing that was unsaved or is looked at", async () => {
    const closed = unseen("/code/a.py");
    const dirty = unseen("/code/b.py", true);
    const compared = unseen("/code/c.py");
    const input = new TabInputTextDiff(address("/elsewhere/c.py"), address("/code/c.py"));
    window.tabGroups.all.push({ tabs: [{ label: "c.py", input }] });
    const all = [closed, dirty, compared];
    const edits = all.map(({ edit }) => edit);
    expect(await applyEdits(edits, { summary: null }, false)).toEqual({ type: "done" });
    expect(all.map(({ document }) => document.getText())).toEqual(["x = 2\n", "x = 2\n", "x = 2\n"]);
    expect(all.map(({ document }) => document.isDirty)).toEqual([false, true, true]);
  });

  it("changes none where one is another by now", async () => {
    const { document, edit } = held("/code/a.py");
    const other = onDisk("/code/b.py");
    fakeFiles.set(address("/code/b.py").toString(), {
      type: FileType.File,
      mtime: 2,
      bytes: new TextEncoder().encode("somebody else's\n"),
    });
    expect(await applyEdits([edit, other], { summary: null }, false)).toEqual({ type: "conflict", path: "/code/b.py" });
    expect(document.getText()).toBe("x = 1\n");
  });

  it("takes all back where one cannot be saved", async () => {
    const { document, edit } = held("/code/a.py");
    const first = onDisk("/code/b.py");
    const second = onDisk("/code/d.py");
    workspace.unsavable = "/code/d.py";
    const outcome = await applyEdits([edit, first, second], { summary: null }, false);
    workspace.unsavable = "";
    expect(outcome).toEqual({ type: "failed", reason: "d.py could not be saved." });
    expect([document.getText(), disk("/code/b.py"), disk("/code/d.py")]).toEqual(["x = 1\n", "x = 1\n", "x = 1\n"]);
  });

  it("leaves everything as it was where the editor refuses", async () => {
    const { document, edit } = held("/code/a.py");
    workspace.refuseEdits = 1;
    expect(await applyEdits([edit, onDisk("/code/b.py")], { summary: null }, false)).toMatchObject({ type: "failed" });
    expect([document.getText(), disk("/code/b.py")]).toEqual(["x = 1\n", "x = 1\n"]);
  });
});

describe("an edit of files themselves", () => {
  beforeEach(() => {
    workspace.settings.set("codecortex.edits.confirm", false);
  });

  it("moves one with its text and deletes another, and is kept for undo", async () => {
    const moved = { ...onDisk("/code/a.py"), movedTo: "/code/b.py" };
    const gone = fileEdit({
      path: (onDisk("/code/c.py"), "/code/c.py"),
      stamp: "1-6",
      deleted: true,
      changes: [{ start: { line: 0, character: 0 }, end: { line: 1, character: 0 }, text: "" }],
    });
    const applied = kept();
    expect(await applyEdits([moved, gone], { summary: "both", applied }, false)).toEqual({ type: "done" });
    expect([disk("/code/a.py"), disk("/code/b.py"), disk("/code/c.py")]).toEqual([undefined, "x = 2\n", undefined]);
    const [edit] = await kept().list(true);
    const text = (bytes: Uint8Array | null | undefined) => bytes && new TextDecoder().decode(bytes);
    expect(
      edit?.files.map(({ path, movedFrom, before, after }) => [path, movedFrom, text(before), text(after)]),
    ).toEqual([
      ["/code/b.py", "/code/a.py", "x = 1\n", "x = 2\n"],
      ["/code/c.py", undefined, "x = 1\n", null],
    ]);
    expect(await applyEdits([], { summary: null, undoes: edit?.id ?? null, applied }, false)).toEqual({ type: "done" });
    expect(await kept().list(false)).toEqual([]);
  });

  it("is a conflict where something is at the new place, or the deleted file has another text", async () => {
    const moved = { ...onDisk("/code/a.py"), movedTo: "/code/b.py" };
    onDisk("/code/b.py");
    const conflict = { type: "conflict", path: "/code/a.py" };
    expect(await applyEdits([moved], { summary: null }, false)).toEqual(conflict);
    const gone = fileEdit({
      path: "/code/a.py",
      stamp: "1-6",
      deleted: true,
      changes: [{ start: { line: 0, character: 0 }, end: { line: 0, character: 3 }, text: "" }],
    });
    expect(await applyEdits([gone], { summary: null }, false)).toEqual(conflict);
    expect(disk("/code/a.py")).toBe("x = 1\n");
  });

  it("keeps the last ten edits, and none in a workspace that is not trusted", async () => {
    for (let round = 1; round <= 12; round += 1) {
      const edit = { ...onDisk(`/code/${round}.py`) };
      await applyEdits([edit], { summary: String(round), applied: kept() }, false);
    }
    const summaries = async () => (await kept().list(false)).map(({ summary }) => summary);
    expect(await summaries()).toEqual(["12", "11", "10", "9", "8", "7", "6", "5", "4", "3"]);
    workspace.isTrusted = false;
    await applyEdits([onDisk("/code/z.py")], { summary: "z", applied: kept() }, false);
    expect((await summaries())[0]).toBe("12");
    fakeFiles.set(address("/storage/undo/000000000013.json").toString(), {
      type: FileType.File,
      mtime: 1,
      bytes: new TextEncoder().encode("{"),
    });
    expect((await summaries())[0]).toBe("12");
  });
});
