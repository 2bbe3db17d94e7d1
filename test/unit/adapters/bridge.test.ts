import type * as vscode from "vscode";
import { beforeEach, describe, expect, it } from "vitest";

import { Addresses } from "../../../extension/core/addresses";
import { HoldMeter } from "../../../extension/core/schedule";
import { AppliedEdits } from "../../../extension/vscode/appliedEdits";
import { bridge } from "../../../extension/vscode/bridge";
import { encode } from "../worker/fakes";
import { fakeFiles, FileType, Uri } from "../vscode";

const addresses = new Addresses<vscode.Uri>();
const serve = bridge({
  windows: false,
  meter: new HoldMeter(() => 0),
  addresses,
  applied: new AppliedEdits(undefined),
});
const add = (address: string, type: FileType, bytes = encode("")) => {
  fakeFiles.set(`memfs://${address}`, { type, mtime: 5, bytes });
};

beforeEach(() => {
  fakeFiles.clear();
  add("/app", FileType.Directory);
  add("/app/a.ts", FileType.File, encode("text"));
});

describe("the bridge to the editor's files", () => {
  it("lists with sizes and times, links as links", async () => {
    add("/app/src", FileType.Directory);
    add("/app/link", FileType.SymbolicLink | FileType.Directory);
    add("/app/odd", FileType.Unknown);
    expect(await serve({ op: "list", path: "/memfs:/-/app" })).toEqual({
      op: "list",
      entries: [
        { name: "a.ts", kind: "file", size: 4, mtimeMs: 5 },
        { name: "src", kind: "dir", size: 0, mtimeMs: 0 },
        { name: "link", kind: "symlink", size: 0, mtimeMs: 0 },
        { name: "odd", kind: "other", size: 0, mtimeMs: 0 },
      ],
    });
  });

  it("lists folders of many files whole", async () => {
    for (let file = 0; file < 100; file += 1) {
      add(`/app/${file}.ts`, FileType.File);
    }
    const reply = await serve({ op: "list", path: "/memfs:/-/app" });
    expect(reply.op === "list" && reply.entries.length).toBe(101);
  });

  it("reads bytes that can be handed over, also out of a buffer that others use", async () => {
    const shared = encode("before text after");
    add("/app/part.ts", FileType.File, shared.subarray(7, 11));
    const reply = await serve({ op: "read", path: "/memfs:/-/app/part.ts", maxBytes: 10 });
    expect(reply).toEqual({ op: "read", size: 4, mtimeMs: 5, bytes: encode("text") });
    expect(reply.op === "read" && reply.bytes.buffer).not.toBe(shared.buffer);
    expect(reply.op === "read" && reply.bytes.buffer.byteLength).toBe(4);
  });

  it("reads outside of the roots what has a file system, and what only has a text", async () => {
    const outside = (path: string, maxBytes = 20) => serve({ op: "readOutside", path, maxBytes });
    expect(await outside("/memfs:/-/app/a.ts")).toEqual({ op: "read", size: 4, mtimeMs: 5, bytes: encode("text") });
    expect(await outside("/memfs:/-/app/gone.ts")).toEqual({ op: "failed", code: "FileNotFound" });
    // A class in an archive: the editor needs the whole address, of which the path is a part.
    const whole = Uri.from({ scheme: "jdt", authority: "contents", path: "/rt.jar/List.class", query: "=shop" });
    fakeFiles.set(whole.toString(), { type: FileType.File, mtime: 5, bytes: encode("interface List") });
    addresses.note("/jdt:/contents/rt.jar/List.class", whole as unknown as vscode.Uri);
    const read = { op: "read", size: 14, mtimeMs: 0, bytes: encode("interface List") };
    expect(await outside("/jdt:/contents/rt.jar/List.class")).toEqual(read);
    expect(await outside("/jdt:/contents/rt.jar/List.class", 10)).toEqual({ op: "failed", code: "FileTooLarge" });
  });

  it("answers what cannot be read with the editor's code", async () => {
    expect(await serve({ op: "read", path: "/memfs:/-/app/gone.ts", maxBytes: 10 })).toEqual({
      op: "failed",
      code: "FileNotFound",
    });
    expect(await serve({ op: "list", path: "/memfs:/-/gone" })).toEqual({ op: "failed", code: "FileNotFound" });
    expect(await serve({ op: "read", path: "/memfs:/-/app", maxBytes: 10 })).toEqual({
      op: "failed",
      code: "FileIsADirectory",
    });
    expect(await serve({ op: "read", path: "/memfs:/-/app/a.ts", maxBytes: 3 })).toEqual({
      op: "failed",
      code: "FileTooLarge",
    });
  });
});
