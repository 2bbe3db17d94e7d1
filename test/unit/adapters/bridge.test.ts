import { beforeEach, describe, expect, it } from "vitest";

import { HoldMeter } from "../../../extension/core/schedule";
import { bridge } from "../../../extension/vscode/bridge";
import { encode } from "../worker/fakes";
import { fakeFiles, FileType } from "../vscode";

const serve = bridge(false, new HoldMeter(() => 0));
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
