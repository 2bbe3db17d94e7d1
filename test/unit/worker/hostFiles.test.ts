import { describe, expect, it } from "vitest";

import type { FilesReply, HostRequest, HostEntry } from "../../../extension/core/messages";
import type { FileSource } from "../../../extension/worker/files";
import { HostFiles, RoutedFiles } from "../../../extension/worker/hostFiles";
import { ParserPool } from "../../../extension/worker/pool";
import { decode, EMPTY_MODULE, encode, FakeParser, settle } from "./fakes";

const ROOT = { name: "app", path: "/memfs:/-/app" };
const OPTIONS = { maxFileSize: 10, excludeGenerated: true };
const file = (name: string): HostEntry => ({ name, kind: "file", size: 3, mtimeMs: 4 });
const dir = (name: string): HostEntry => ({ name, kind: "dir", size: 0, mtimeMs: 0 });

function setUp(folders: Record<string, HostEntry[]>, texts: Record<string, string>) {
  const asked: HostRequest[] = [];
  const ask = (request: HostRequest): Promise<FilesReply> => {
    asked.push(request);
    if (!("path" in request)) {
      return Promise.resolve({ op: "failed", code: "Unknown" });
    }
    const entries = folders[request.path];
    const text = texts[request.path];
    if (request.op === "list" && entries) {
      return Promise.resolve({ op: "list", entries });
    }
    if (request.op === "read" && text !== undefined) {
      return Promise.resolve({ op: "read", size: text.length, mtimeMs: 4, bytes: encode(text) });
    }
    return Promise.resolve({ op: "failed", code: "FileNotFound" });
  };
  const parsers: FakeParser[] = [];
  const pool = new ParserPool({
    spawn: () => {
      const parser = new FakeParser();
      parsers.push(parser);
      return parser;
    },
    module: EMPTY_MODULE,
    size: 1,
    idleMs: 1,
    timeoutMs: 60_000,
    warn: () => undefined,
    rested: () => undefined,
  });
  return { files: new HostFiles(ask, pool), asked, parsers, pool };
}

describe("HostFiles", () => {
  it("lists with the ignore files, git's only at the top", async () => {
    const { files } = setUp(
      {
        "/memfs:/-/app": [file("a.ts"), file(".gitignore"), dir(".git"), dir(".ignore")],
        "/memfs:/-/app/src": [dir(".git")],
      },
      { "/memfs:/-/app/.gitignore": "out/", "/memfs:/-/app/.git/info/exclude": "secret" },
    );
    const listings = await files.list([
      { root: 0, rootPath: ROOT.path, dir: "" },
      { root: 0, rootPath: ROOT.path, dir: "src" },
      { root: 0, rootPath: ROOT.path, dir: "gone" },
    ]);
    expect(listings).toMatchObject([
      {
        dir: "",
        ignoreFiles: [
          { name: ".gitignore", text: "out/" },
          { name: ".git/info/exclude", text: "secret" },
        ],
      },
      { dir: "src", ignoreFiles: [] },
      { dir: "gone", entries: [], error: "it is gone" },
    ]);
  });

  it("has bytes of the editor analysed in a parse worker", async () => {
    const { files, asked, parsers, pool } = setUp({}, { "/memfs:/-/app/a.ts": "text" });
    const outcome = files.outcome(ROOT, { root: 0, path: "a.ts" }, OPTIONS);
    await settle();
    expect(asked).toEqual([{ op: "read", path: "/memfs:/-/app/a.ts", maxBytes: 10 }]);
    expect(parsers[0]?.jobs[0]?.job).toMatchObject({ kind: "bytes", path: "a.ts", size: 4, options: OPTIONS });
    parsers[0]?.done("facts");
    expect(decode((await outcome).outcome)).toBe("facts");
    pool.dispose();
  });

  it("says why the editor could not read a file", async () => {
    const { files } = setUp({}, {});
    await expect(files.outcome(ROOT, { root: 0, path: "gone.ts" }, OPTIONS)).rejects.toThrow("it is gone");
  });
});

describe("RoutedFiles", () => {
  it("sends each root to the source that can read it", async () => {
    const source = (name: string): FileSource => ({
      width: 3,
      list: (folders) =>
        Promise.resolve(
          folders.map(({ root, dir: path }) => ({ root, dir: `${name}:${path}`, entries: [], ignoreFiles: [] })),
        ),
      outcome: () => Promise.resolve({ size: 0, mtimeMs: 0, outcome: encode(name) }),
    });
    const routed = new RoutedFiles(source("disk"), source("host"), (path) => path.startsWith("/memfs:"));
    const listings = await routed.list([
      { root: 0, rootPath: ROOT.path, dir: "a" },
      { root: 1, rootPath: "/disk", dir: "b" },
    ]);
    expect(listings.map((listing) => listing.dir).sort()).toEqual(["disk:b", "host:a"]);
    expect(decode((await routed.outcome(ROOT, { root: 0, path: "x" }, OPTIONS)).outcome)).toBe("host");
    expect(decode((await routed.outcome({ name: "d", path: "/disk" }, { root: 1, path: "x" }, OPTIONS)).outcome)).toBe(
      "disk",
    );
    expect(routed.width).toBe(3);
  });
});
