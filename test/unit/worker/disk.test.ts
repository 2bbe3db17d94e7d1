import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { truncateSync, utimesSync, writeFileSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Listing } from "../../../extension/generated/protocol";
import { FileCache } from "../../../extension/worker/cache.node";
import { sentence } from "../../../extension/worker/files";
import { listFolder } from "../../../extension/worker/listing.node";
import { FileReader } from "../../../extension/worker/reading.node";
import { decode, encode } from "./fakes";

const WINDOWS = process.platform === "win32";
const ROOT = process.getuid?.() === 0;

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "codecortex-")));
  // what the user of this machine leaves out everywhere is none of the tests'
  for (const home of ["HOME", "USERPROFILE"]) {
    vi.stubEnv(home, join(folder, "home"));
  }
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const at = (path: string) => join(folder, path);
const write = (path: string, text: string) => {
  writeFileSync(at(path), text);
};
const list = (dir = ""): Listing => listFolder({ root: 2, rootPath: folder.replaceAll("\\", "/"), dir });
const entry = (listing: Listing, name: string) => listing.entries.find((found) => found.name === name);

describe("listFolder", () => {
  it("tells files with size and time, and folders", () => {
    write("a.ts", "12345");
    utimesSync(at("a.ts"), 1_000, 1_234.5);
    mkdirSync(at("sub"));
    const listing = list();
    expect(listing).toMatchObject({ root: 2, dir: "", ignoreFiles: [] });
    expect(listing.error).toBeUndefined();
    const changedMs = lstatSync(at("a.ts"))[process.platform === "win32" ? "birthtimeMs" : "ctimeMs"];
    expect(entry(listing, "a.ts")).toEqual({ name: "a.ts", kind: "file", size: 5, mtimeMs: 1_234_500, changedMs });
    expect(entry(listing, "sub")).toEqual({ name: "sub", kind: "dir" });
  });

  it("tells a file in another's place from it, whatever its size and time are", () => {
    const put = (path: string, text: string) => {
      write(path, text);
      utimesSync(at(path), 1_000, 1_234.5);
    };
    put("a.ts", "12345");
    const before = entry(list(), "a.ts");
    put("b.ts", "54321");
    // Times on a disk go on in steps.
    while (entry(list(), "b.ts")?.changedMs === before?.changedMs) {
      rmSync(at("b.ts"));
      put("b.ts", "54321");
    }
    renameSync(at("b.ts"), at("a.ts"));
    const after = entry(list(), "a.ts");
    expect(after).toEqual({ ...before, changedMs: after?.changedMs });
    expect(after?.changedMs).not.toBe(before?.changedMs);
  });

  it("brings the ignore files along, those of git only at the top", () => {
    mkdirSync(at(".git/info"), { recursive: true });
    mkdirSync(at("sub/.git/info"), { recursive: true });
    write(".git/info/exclude", "secret");
    write("sub/.git/info/exclude", "other");
    write(".gitignore", "out/");
    write(".ignore", "!out/");
    write("sub/.gitignore", "deep");
    mkdirSync(at("sub/.ignore"));
    expect(list().ignoreFiles).toEqual([
      { name: ".gitignore", text: "out/" },
      { name: ".ignore", text: "!out/" },
      { name: ".git/info/exclude", text: "secret" },
    ]);
    expect(list("sub").ignoreFiles).toEqual([{ name: ".gitignore", text: "deep" }]);
  });

  it("finds the exclude file of a linked worktree in the main one", () => {
    mkdirSync(at("main/.git/worktrees/linked"), { recursive: true });
    mkdirSync(at("main/.git/info"), { recursive: true });
    mkdirSync(at("linked"));
    write("main/.git/info/exclude", "secret");
    write("main/.git/worktrees/linked/commondir", "../..\n");
    write("linked/.git", `gitdir: ${at("main/.git/worktrees/linked")}\n`);
    const listing = listFolder({ root: 0, rootPath: at("linked").replaceAll("\\", "/"), dir: "" });
    expect(listing.ignoreFiles).toEqual([{ name: ".git/info/exclude", text: "secret" }]);
  });

  it("brings the rules of the folders above along, up to the top of the repository, and the user's own", () => {
    mkdirSync(at("repo/.git/info"), { recursive: true });
    mkdirSync(at("repo/pkg/app"), { recursive: true });
    mkdirSync(at("home/.config/git"), { recursive: true });
    write(".gitignore", "of no repository");
    write("repo/.gitignore", "dist/");
    write("repo/pkg/.ignore", "*.out.ts");
    write("repo/.git/info/exclude", "own/");
    write("home/.config/git/ignore", "*.swp");
    const root = at("repo/pkg/app").replaceAll("\\", "/");
    const above = [
      { name: ".ignore", text: "*.out.ts", above: "app" },
      { name: ".gitignore", text: "dist/", above: "pkg/app" },
      { name: ".git/info/exclude", text: "own/", above: "pkg/app" },
    ];
    const listed = () => listFolder({ root: 0, rootPath: root, dir: "" }).ignoreFiles;
    expect(listed()).toEqual([...above, { name: "core.excludesFile", text: "*.swp", above: "pkg/app" }]);
    write("home/.gitconfig", '[core]\n\texcludesFile = "~/mine"\n');
    write("home/mine", "kept.ts");
    expect(listed()).toEqual([...above, { name: "core.excludesFile", text: "kept.ts", above: "pkg/app" }]);
    rmSync(at("repo/.git"), { recursive: true });
    expect(listed()).toEqual([]);
  });

  it.skipIf(WINDOWS)("says where links finally lead, and does not follow them", () => {
    mkdirSync(at("real"));
    write("real/a.ts", "x");
    symlinkSync(at("real"), at("one"));
    symlinkSync(at("one"), at("two"));
    symlinkSync("real/a.ts", at("a.ts"));
    symlinkSync(at("nowhere"), at("broken"));
    symlinkSync(at("loop"), at("loop"));
    const listing = list();
    expect(entry(listing, "two")).toEqual({ name: "two", kind: "symlink", target: at("real") });
    expect(entry(listing, "a.ts")).toEqual({ name: "a.ts", kind: "symlink", target: at("real/a.ts") });
    for (const name of ["broken", "loop"]) {
      expect(entry(listing, name)).toMatchObject({ kind: "symlink", target: undefined });
    }
  });

  it.skipIf(WINDOWS)("tells pipes apart from files", () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(entry(list(), "pipe")).toEqual({ name: "pipe", kind: "other" });
  });

  it.runIf(process.platform === "linux")("mentions files whose names are no UTF-8", () => {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff]), Buffer.from(".ts")]), "x");
    expect(list().entries).toEqual([{ name: "bad\uFFFD.ts", kind: "other" }]);
  });

  it("says why a folder cannot be listed, without its path", () => {
    write("file", "x");
    expect(list("gone")).toMatchObject({ entries: [], error: "it is gone" });
    expect(list("file").error).toBe("it is not a folder");
    expect(sentence("EACCES")).toBe("there is no permission to read it");
    expect(sentence("EIO")).toBe("reading failed (EIO)");
  });

  it.skipIf(WINDOWS || ROOT)("says when there is no permission", () => {
    mkdirSync(at("closed"));
    chmodSync(at("closed"), 0o000);
    expect(list("closed").error).toBe("there is no permission to read it");
    chmodSync(at("closed"), 0o700);
  });
});

describe("FileReader", () => {
  it("reads bytes with the state they had, into one buffer", () => {
    write("a", "first");
    write("b", "x".repeat(400_000));
    write("empty", "");
    const reader = new FileReader();
    const first = reader.read(at("a"), 1_000_000);
    expect({ ...first, bytes: decode(first.bytes) }).toMatchObject({ size: 5, bytes: "first" });
    expect(reader.read(at("b"), 1_000_000).bytes.length).toBe(400_000);
    expect(reader.read(at("empty"), 10).bytes.length).toBe(0);
  });

  it("reads again what changes meanwhile, so that bytes and state belong together", () => {
    write("a", "old");
    let stats = 0;
    const reader = new FileReader((descriptor) => {
      stats += 1;
      if (stats === 2) {
        write("a", "new text");
      }
      return fstatSync(descriptor);
    });
    const { size, bytes } = reader.read(at("a"), 100);
    expect(decode(bytes)).toBe("new text");
    expect(size).toBe(8);
    expect(stats).toBe(4);
  });

  it("copes with a file that is cut off while it is read", () => {
    write("a", "long text");
    let stats = 0;
    const reader = new FileReader((descriptor) => {
      const stat = fstatSync(descriptor);
      stats += 1;
      if (stats === 1) {
        truncateSync(at("a"), 4);
      }
      return stat;
    });
    const { size, bytes } = reader.read(at("a"), 100);
    expect(decode(bytes)).toBe("long");
    expect(size).toBe(4);
  });

  it("takes a file that never stops growing as it is", () => {
    write("log", "");
    const reader = new FileReader((descriptor) => {
      appendFileSync(at("log"), "line\n");
      return fstatSync(descriptor);
    });
    expect(decode(reader.read(at("log"), 1_000).bytes)).toMatch(/^(line\n)+$/);
  });

  it("reads no more than is needed to see that a file is too large", () => {
    write("big", "x".repeat(10_000));
    const { size, bytes } = new FileReader().read(at("big"), 100);
    expect(bytes.length).toBe(101);
    expect(size).toBe(10_000);
  });

  it("says why a file cannot be read", () => {
    const reader = new FileReader();
    mkdirSync(at("folder"));
    expect(() => reader.read(at("gone"), 10)).toThrow("it is gone");
    expect(() => reader.read(at("folder"), 10)).toThrow("it is not a regular file");
  });

  it.skipIf(WINDOWS)("does not wait for a pipe that took a file's place", () => {
    execFileSync("mkfifo", [at("pipe")]);
    expect(() => new FileReader().read(at("pipe"), 10)).toThrow("it is not a regular file");
  });
});

describe("FileCache", () => {
  it("has nothing at first and later what was written last", async () => {
    const cache = new FileCache(at("storage/deep/index.cache"));
    expect(await cache.read()).toBeUndefined();
    await cache.write(encode("one"));
    await cache.write(encode("two"));
    expect(decode((await cache.read()) ?? encode(""))).toBe("two");
    expect(readdirSync(at("storage/deep"))).toEqual(["index.cache"]);
  });

  it("leaves the old bytes where writing fails", async () => {
    mkdirSync(at("index.cache"));
    write("index.cache/in the way", "");
    await expect(new FileCache(at("index.cache")).write(encode("x"))).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["index.cache"]);
  });

  it("clears away what a process left that died while writing, but not what another is writing", async () => {
    write("index.cache.dead.tmp", "half");
    write("index.cache.live.tmp", "half");
    write("other.tmp", "half");
    utimesSync(at("index.cache.dead.tmp"), 1_000, 1_000);
    await new FileCache(at("index.cache")).write(encode("x"));
    expect(readdirSync(folder).sort()).toEqual(["index.cache", "index.cache.live.tmp", "other.tmp"]);
  });
});
