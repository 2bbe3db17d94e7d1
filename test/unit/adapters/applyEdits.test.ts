/** Edits of tools in a stand-in for the editor: asked about, checked again, all files or none. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FileEdit } from "../../../extension/generated/protocol";
import { titleOfCall } from "../../../extension/core/edits";
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
    const [outcome] = await Promise.all([applyEdits([edit], "two", false), decide("apply")]);
    expect(outcome).toEqual({ type: "done" });
    expect([document.getText(), document.isDirty]).toEqual(["x = 2\n", true]);
    const diff = shown.executed.find(([id]) => id === "vscode.diff");
    expect(diff?.[3]).toBe("two (proposed)");
  });

  it("is not made when the person does not want it, or nobody waits any more", async () => {
    const { document, edit } = held("/code/a.py");
    const [refused] = await Promise.all([applyEdits([edit], null, false), decide("discard")]);
    expect(refused).toEqual({ type: "rejected" });
    shown.executed.length = 0;
    const answer = applyEdits([edit], null, false);
    await expect.poll(() => shown.executed.some(([id]) => id === "vscode.diff")).toBe(true);
    withdrawEdits();
    expect(await answer).toEqual({ type: "rejected" });
    expect(document.getText()).toBe("x = 1\n");
  });

  it("of another call stays when one is given up", async () => {
    const first = held("/code/a.py");
    const second = held("/code/b.py");
    const answers = [applyEdits([first.edit], "one", false), applyEdits([second.edit], "two", false)];
    await expect.poll(() => shown.executed.some(([id]) => id === "vscode.diff")).toBe(true);
    withdrawEdits(titleOfCall({ summary: "two", edits: [{ filePath: "code/b.py" }] }));
    await registeredCommands.get("codecortex.edits.apply")?.();
    expect(await Promise.all(answers)).toEqual([{ type: "done" }, { type: "rejected" }]);
  });

  it("waits for its turn while another one is looked at", async () => {
    const first = held("/code/a.py");
    const second = held("/code/b.py");
    const answers = [applyEdits([first.edit], "one", false), applyEdits([second.edit], "two", false)];
    await decide("discard");
    await expect.poll(() => shown.executed.some(([, , , title]) => title === "two (proposed)")).toBe(true);
    await registeredCommands.get("codecortex.edits.apply")?.();
    expect(await Promise.all(answers)).toEqual([{ type: "rejected" }, { type: "done" }]);
  });

  it("is a conflict when the text changed while a person looked at it", async () => {
    const { document, edit } = held("/code/a.py");
    const answer = applyEdits([edit], null, false);
    await expect.poll(() => shown.executed.some(([id]) => id === "vscode.diff")).toBe(true);
    document.type("typed\n");
    await registeredCommands.get("codecortex.edits.apply")?.();
    expect(await answer).toEqual({ type: "conflict", path: "/code/a.py" });
    expect(document.getText()).toBe("typed\nx = 1\n");
  });

  it("is not made in a workspace that nobody trusts", async () => {
    const { document, edit } = held("/code/a.py");
    workspace.isTrusted = false;
    expect(await applyEdits([edit], null, false)).toMatchObject({ type: "failed" });
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
    const [outcome] = await Promise.all([applyEdits([edit], "tasks", false), decide("discard")]);
    expect(outcome).toEqual({ type: "rejected" });
    const [agreed] = await Promise.all([applyEdits([edit], "tasks", false), decide("apply")]);
    expect(agreed).toEqual({ type: "done" });
    // The folder's own place is nothing that the edit chose.
    shown.executed.length = 0;
    expect(await applyEdits([onDisk("/home/.me/code/a.py")], null, false)).toEqual({ type: "done" });
    expect(shown.executed).toEqual([]);
  });

  it.each([".git/config", ".GIT/config", "git~1/hooks/x", ".conte\u200bxt/config.json"])(
    "is refused: %s",
    async (name) => {
      const edit = onDisk(`/home/.me/code/${name}`);
      expect(await applyEdits([edit], null, false)).toMatchObject({ type: "failed" });
      expect(disk(edit.path)).toBe("x = 1\n");
    },
  );

  it("is refused where it would be made and is a device elsewhere", async () => {
    const bytes = new TextEncoder().encode("x\n");
    const made = fileEdit({ path: "/home/.me/code/src/aux.c", bytes });
    expect(await applyEdits([made], null, false)).toMatchObject({ type: "failed" });
    const there = onDisk("/home/.me/code/src/aux.c");
    expect(await applyEdits([there], null, false)).toEqual({ type: "done" });
  });
});

describe("an edit of several files", () => {
  beforeEach(() => workspace.settings.set("codecortex.edits.confirm", false));

  it("saves what no editor held, and makes new files", async () => {
    const { document, edit } = held("/code/a.py");
    const bytes = new TextEncoder().encode("new\n");
    const start = { line: 0, character: 0 };
    const fresh = fileEdit({ path: "/code/c.py", changes: [{ start, end: start, text: "new\n" }], bytes });
    const outcome = await applyEdits([edit, onDisk("/code/b.py"), fresh], null, false);
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
    expect(await applyEdits(edits, null, false)).toEqual({ type: "done" });
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
    expect(await applyEdits([edit, other], null, false)).toEqual({ type: "conflict", path: "/code/b.py" });
    expect(document.getText()).toBe("x = 1\n");
  });

  it("takes all back where one cannot be saved", async () => {
    const { document, edit } = held("/code/a.py");
    const first = onDisk("/code/b.py");
    const second = onDisk("/code/d.py");
    workspace.unsavable = "/code/d.py";
    const outcome = await applyEdits([edit, first, second], null, false);
    workspace.unsavable = "";
    expect(outcome).toEqual({ type: "failed", reason: "d.py could not be saved." });
    expect([document.getText(), disk("/code/b.py"), disk("/code/d.py")]).toEqual(["x = 1\n", "x = 1\n", "x = 1\n"]);
  });

  it("leaves everything as it was where the editor refuses", async () => {
    const { document, edit } = held("/code/a.py");
    workspace.refuseEdits = 1;
    expect(await applyEdits([edit, onDisk("/code/b.py")], null, false)).toMatchObject({ type: "failed" });
    expect([document.getText(), disk("/code/b.py")]).toEqual(["x = 1\n", "x = 1\n"]);
  });
});
