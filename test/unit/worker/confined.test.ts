/** Files below one folder, no link followed; crates/confined holds the same rules. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  constants,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { DiskChange } from "../../../extension/generated/protocol";
import { ConfinedFolder, RefusedError } from "../../../extension/worker/confined.node";
import { DiskContext } from "../../../extension/worker/context.node";
import { halfName } from "../../../extension/worker/half.node";
import { listFolder } from "../../../extension/worker/listing.node";
import { hasDatabases } from "../../../extension/worker/memoryDatabase.node";
import { answerMemory } from "../../../extension/worker/observations.node";

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT } = constants;

let root = "";
let outside = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "confined-"));
  outside = mkdtempSync(join(tmpdir(), "outside-"));
});
afterEach(() => {
  rmSync(root, { recursive: true });
  rmSync(outside, { recursive: true });
});

/** All files below a folder with what they hold. */
function all(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  return Object.fromEntries(
    paths.map(({ entry, path }) => [path, entry.isFile() ? readFileSync(path, "utf8") : "no file"]),
  );
}

const ways = process.platform === "linux" ? [true, false] : [false];

describe.skipIf(process.platform === "win32").each(ways)("a folder (handles have names: %s)", (hasHandles) => {
  let folder: ConfinedFolder;
  beforeEach(() => {
    folder = ConfinedFolder.open(root, hasHandles);
  });
  afterEach(() => {
    folder.close();
  });

  it("has its files made, appended to, replaced, moved and deleted", () => {
    folder.made("a").close();
    expect(() => folder.made("b/c")).toThrow("ENOENT");
    folder.append("a/log", "1");
    folder.append("a/log", (isEmpty) => (isEmpty ? "first" : "2"));
    folder.replace("a/whole", "all");
    folder.rename("a/whole", "whole");
    expect(Buffer.from(folder.bytes("a/log") ?? []).toString()).toBe("12");
    expect([folder.bytes("absent"), folder.has("whole"), folder.has("b")]).toEqual([null, true, false]);
    folder.remove("a/log");
    folder.remove("a/log");
    folder.removeFolder("a");
    expect(all(root)).toEqual({ [join(root, "whole")]: "all" });
  });

  it("leads nowhere else", () => {
    for (const path of ["", ".", "..", "../a", "a/../b", "/a", "a//b", "a\\b", "a:b", "a/", "a\0b"]) {
      expect(() => {
        folder.append(path, "x");
      }).toThrow(RefusedError);
      expect(() => {
        folder.rename("x", path);
      }).toThrow(RefusedError);
    }
    expect(all(root)).toEqual({});
  });

  it("follows no link", () => {
    writeFileSync(join(outside, "file"), "theirs");
    symlinkSync(outside, join(root, "out"));
    symlinkSync(join(outside, "file"), join(root, "file"));
    symlinkSync(join(outside, "absent"), join(root, "dangling"));
    symlinkSync("loop", join(root, "loop"));
    const before = all(outside);
    for (const path of ["out/file", "out/new", "out/a/b"]) {
      for (const work of [
        () => folder.openFile(path, O_RDONLY),
        () => folder.find(path),
        () => folder.bytes(path),
        () => {
          folder.append(path, "x");
        },
        () => {
          folder.replace(path, "x");
        },
        () => {
          folder.remove(path);
        },
        () => {
          folder.rename("file", path);
        },
        () => {
          folder.rename(path, "x");
        },
        () => folder.made(path),
      ]) {
        expect(work, path).toThrow("it is not a folder but a link");
      }
    }
    expect(() => folder.below("out")).toThrow("it is not a folder but a link");
    for (const path of ["file", "dangling", "loop", "out"]) {
      for (const flags of [O_RDONLY, O_WRONLY | O_APPEND | O_CREAT]) {
        expect(() => folder.openFile(path, flags), path).toThrow("it is not a file but a link");
      }
    }
    // The link itself may be moved, replaced and deleted.
    folder.rename("file", "moved");
    folder.replace("moved", "mine");
    folder.remove("out");
    expect(all(outside)).toEqual(before);
    expect(readFileSync(join(root, "moved"), "utf8")).toBe("mine");
  });

  it("opens what is a file alone", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
    mkdirSync(join(root, "folder"));
    for (const [path, why] of [
      ["pipe", "not a file but a pipe"],
      ["socket", "not a file but a socket"],
      ["folder", "it is a folder"],
    ] as const) {
      expect(() => folder.openFile(path, O_RDONLY)).toThrow(why);
      expect(() => {
        folder.append(path, "x");
      }).toThrow(why);
    }
    server.close();
    expect(() => folder.bytes("pipe/x")).toThrow("it is not a folder but a pipe");
    folder.replace("pipe", "mine");
    linkSync(join(root, "pipe"), join(root, "hard"));
    folder.replace("pipe", "other");
    expect(readFileSync(join(root, "hard"), "utf8")).toBe("mine");
  });

  it("is left where it is when another one takes its place", () => {
    const inner = folder.made("a");
    renameSync(join(root, "a"), join(root, "b"));
    symlinkSync(outside, join(root, "a"));
    const write = () => {
      inner.replace("x", "mine");
    };
    if (hasHandles) {
      write();
      expect(readFileSync(join(root, "b/x"), "utf8")).toBe("mine");
    } else {
      expect(write).toThrow("it is not a folder but a link");
    }
    inner.close();
    expect(all(outside)).toEqual({});
  });

  it("loses half files of the dead on all levels and no others", () => {
    const own = halfName();
    const gone = own.replace(`.${process.pid}.`, `.${spawnSync(process.execPath, ["-e", ""]).pid}.`);
    mkdirSync(join(root, "a/b"), { recursive: true });
    symlinkSync(outside, join(root, "a/out"));
    for (const place of [root, join(root, "a/b"), outside]) {
      for (const name of [own, gone, ".writing-Ab1", "whole"]) {
        writeFileSync(join(place, name), "x");
      }
    }
    const left = (place: string) => readdirSync(place).filter((name) => name !== "a");
    folder.sweep(false);
    expect(left(root).sort()).toEqual([".writing-Ab1", own, "whole"].sort());
    folder.sweep(true);
    expect([left(root), left(join(root, "a/b"))]).toEqual([
      [own, "whole"],
      [own, "whole"],
    ]);
    expect(left(outside)).toHaveLength(4);
  });
});

/** What is put in the place of a file or folder of `.context/`. */
const TRAPS = ["link", "dangling", "loop", "pipe", "folder"] as const;

const PLACES = [
  "",
  "cache",
  "cache/lock",
  "types",
  "packs",
  "memory",
  "memory/lock",
  "index.json",
  "alias_conflicts.log",
  "config.json",
  "types/a.semantic.md",
  "packs/p.md",
  "memory/observations.jsonl",
  "memory/observations.md",
  "memory/mem.db",
  "memory/mem.db-wal",
] as const;

const DRAFT = { ts: "2026-01-01 00:00:00", task_id: null, actor: "system", phase: "other", summary: "it works" };

describe.skipIf(process.platform === "win32")("what leads out of .context/", () => {
  for (const trap of TRAPS) {
    for (const place of PLACES) {
      it(`is not followed: a ${trap} in the place of .context/${place}`, async () => {
        lay(trap, join(root, ".context", place));
        const before = all(outside);
        const said = await writeAll();
        expect(all(outside)).toEqual(before);
        const isReplaced = ["index.json", "types/a.semantic.md", "packs/p.md"].includes(place);
        const isUnused = place === "config.json" || (place.startsWith("memory/mem.db") && !hasDatabases());
        const isFine = trap === "folder" && !/\.\w+$/.test(place);
        if (!isReplaced && !isUnused && !isFine) {
          expect(said).toMatch(/it is not a (file|folder) but a (link|pipe)|it is a folder|are in sqlite/);
        }
      });
    }
  }

  function lay(trap: (typeof TRAPS)[number], path: string): void {
    mkdirSync(join(path, ".."), { recursive: true });
    const target = join(outside, "target");
    const isFile = /\.[\w-]+$/.test(path) && !path.endsWith(".context");
    if (isFile) {
      writeFileSync(target, "theirs\n");
    } else {
      mkdirSync(target);
    }
    switch (trap) {
      case "link":
        symlinkSync(target, path);
        break;
      case "dangling":
        symlinkSync(join(outside, "absent"), path);
        break;
      case "loop":
        symlinkSync(path, path);
        break;
      case "pipe":
        execFileSync("mkfifo", [path]);
        break;
      case "folder":
        mkdirSync(path);
        break;
    }
  }

  /** Everything that the worker writes, and all that it says of it. */
  async function writeAll(): Promise<string> {
    const store = new DiskContext(Date.now, 0);
    const at = { name: "app", path: root };
    const bytes = new TextEncoder().encode("mine\n");
    const commits: DiskChange[][] = [
      [{ type: "write", path: ".context/.gitignore", bytes }],
      [{ type: "write", path: ".context/index.json", bytes }],
      [{ type: "append", path: ".context/alias_conflicts.log", text: "mine\n" }],
      [{ type: "write", path: ".context/types/a.semantic.md", bytes }],
      [{ type: "write", path: ".context/packs/p.md", bytes }],
      [{ type: "move", from: ".context/types/a.semantic.md", to: ".context/types/b.semantic.md" }],
      [{ type: "delete", path: ".context/packs/p.md" }],
    ];
    const said: unknown[] = [];
    for (const changes of commits) {
      said.push(await store.commit(at, { expect: [], changes }));
    }
    for (const path of [".context/index.json", ".context/config.json", ".context/types/a.semantic.md"]) {
      said.push((await store.fetch(at, path)).error);
    }
    said.push(listFolder({ root: 0, rootPath: root, dir: "" }).error);
    for (const backend of hasDatabases() ? ["jsonl", "markdown", "sqlite"] : ["jsonl", "markdown"]) {
      said.push(answerMemory(root, { type: "append", backend, records: [DRAFT] }));
      said.push(answerMemory(root, { type: "recall", backend, question: {} }));
      const tombstone = { ...DRAFT, ext: { tombstone: { ids: [1], purged: true } } };
      said.push(answerMemory(root, { type: "purge", backend, ids: [1], tombstone, ts: DRAFT.ts }));
    }
    return JSON.stringify(said);
  }
});
