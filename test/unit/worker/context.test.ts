import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { DiskChange, Root, Stamped } from "../../../extension/generated/protocol";
import type { FilesReply, HostRequest } from "../../../extension/core/messages";
import { HostContext, isInContext, RoutedContext } from "../../../extension/worker/context";
import { DiskContext } from "../../../extension/worker/context.node";
import { ownOwner, shownOwner } from "../../../extension/worker/owner.node";
import { decode, encode } from "./fakes";

let folder = "";
let root: Root;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "context-"));
  root = { name: "app", path: folder };
  await mkdir(join(folder, ".context"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const write = (path: string, text: string): DiskChange => ({ type: "write", path, bytes: encode(text) });

async function expected(store: DiskContext, path: string): Promise<Stamped> {
  const { stamp } = await store.fetch(root, path);
  return stamp === undefined ? { path } : { path, stamp };
}

describe("paths", () => {
  it("are below the folder and nowhere else", () => {
    expect(isInContext(".context/index.json")).toBe(true);
    for (const path of [
      "a",
      ".context",
      ".context/",
      ".context/../a",
      "/.context/a",
      "x/.context/a",
      ".context/a\\..\\b",
    ]) {
      expect(isInContext(path), path).toBe(false);
    }
  });
});

describe("DiskContext", () => {
  it("makes the folder only for who wants it: one that was deleted stays away", async () => {
    const store = new DiskContext();
    await rm(join(folder, ".context"), { recursive: true });
    const late = await store.commit(root, { expect: [], changes: [write(".context/index.json", "{}")] });
    expect(late).toEqual({ type: "conflict" });
    expect(existsSync(join(folder, ".context"))).toBe(false);
    const first = await store.commit(root, { expect: [], changes: [write(".context/.gitignore", "cache/")] });
    expect(first).toEqual({ type: "done", stamps: [] });
  });

  it("writes, appends, moves and deletes", async () => {
    const store = new DiskContext();
    const first = await store.commit(root, {
      expect: [{ path: ".context/index.json" }],
      changes: [
        write(".context/index.json", "one"),
        write(".context/types/A.outline.md", "outline"),
        { type: "append", path: ".context/log", text: "a\n" },
      ],
    });
    expect(first).toEqual({ type: "done", stamps: [(await expected(store, ".context/index.json")).stamp] });
    const second = await store.commit(root, {
      expect: [],
      changes: [
        { type: "append", path: ".context/log", text: "b\n" },
        { type: "move", from: ".context/types/A.outline.md", to: ".context/types/B.outline.md" },
        { type: "move", from: ".context/absent", to: ".context/other" },
        { type: "delete", path: ".context/absent" },
      ],
    });
    expect(second).toEqual({ type: "done", stamps: [] });
    expect(await readFile(join(folder, ".context/log"), "utf8")).toBe("a\nb\n");
    expect(await readFile(join(folder, ".context/types/B.outline.md"), "utf8")).toBe("outline");
    expect(existsSync(join(folder, ".context/types/A.outline.md"))).toBe(false);
    expect(await readdir(join(folder, ".context/cache/lock"))).toEqual(["free.4"]);
  });

  it("does not overwrite what somebody else wrote", async () => {
    const store = new DiskContext();
    const absent = await expected(store, ".context/index.json");
    await store.commit(root, { expect: [absent], changes: [write(".context/index.json", "theirs")] });
    const late = await store.commit(root, { expect: [absent], changes: [write(".context/index.json", "mine")] });
    expect(late).toEqual({ type: "conflict" });
    expect(await readFile(join(folder, ".context/index.json"), "utf8")).toBe("theirs");
  });

  it("respects the lock of an earlier version, and takes it over when it is old", async () => {
    const lock = join(folder, ".context/cache/lock");
    await mkdir(join(folder, ".context/cache"), { recursive: true });
    await writeFile(lock, "");
    const store = new DiskContext(Date.now, 0);
    const commit = { expect: [], changes: [write(".context/a", "x")] };
    expect(await store.commit(root, commit)).toEqual({ type: "busy" });
    for (const seconds of [-11, 3600]) {
      await rm(lock, { recursive: true });
      await writeFile(lock, "");
      const at = new Date(Date.now() + seconds * 1000);
      await utimes(lock, at, at);
      expect(await store.commit(root, commit)).toEqual({ type: "done", stamps: [] });
    }
  });

  it("takes over the lock of a process that ended, and of a worker of its own that did", async () => {
    const store = new DiskContext(Date.now, 0);
    const commit = { expect: [], changes: [write(".context/a", "x")] };
    const lock = join(folder, ".context/cache/lock");
    const child = spawnSync(process.execPath, ["-e", ""]);
    const own = shownOwner(ownOwner());
    const leave = async (owner: string, millis: number) => {
      const [name = ""] = await readdir(lock);
      await rename(join(lock, name), join(lock, `held.90.${owner}.${millis}`));
    };
    await store.commit(root, commit);
    await leave(own.replace(`.${process.pid}.`, `.${child.pid}.`), Date.now());
    const done = { type: "done", stamps: [] };
    expect(await new DiskContext(Date.now, 0).commit(root, commit)).toEqual(done);
    await leave(own, Date.now() - 1000);
    expect(await new DiskContext(Date.now, 0).commit(root, commit)).toEqual({ type: "busy" });
    await leave(own, Date.now() - 11_000);
    expect(await new DiskContext(Date.now, 0).commit(root, commit)).toEqual(done);
  });

  it("writes nothing outside of the folder", async () => {
    const store = new DiskContext();
    await rm(join(folder, ".context"), { recursive: true });
    const outside = await store.commit(root, { expect: [], changes: [write(".context/../a", "x")] });
    expect(outside).toMatchObject({ type: "failed" });
    await symlink(tmpdir(), join(folder, ".context"));
    const link = await store.commit(root, { expect: [], changes: [write(".context/a", "x")] });
    expect(link).toMatchObject({ type: "failed" });
  });

  it("reads what is there as it is", async () => {
    const store = new DiskContext();
    expect(await store.fetch(root, "package.json")).toEqual({});
    expect(await store.fetch(root, "no/package.json")).toEqual({});
    await writeFile(join(folder, "package.json"), "{}");
    const found = await store.fetch(root, "package.json");
    expect(found.bytes && decode(found.bytes)).toBe("{}");
    expect(found.stamp).toBeTruthy();
    await mkdir(join(folder, "go.mod"));
    expect((await store.fetch(root, "go.mod")).error).toBeTruthy();
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real", "types.xml"), "<doc/>");
    expect((await store.fetch(root, "real/types.xml", true)).bytes).toBeTruthy();
    if (process.platform !== "win32") {
      await symlink(join(folder, "real"), join(folder, "linked"));
      expect((await store.fetch(root, "linked/types.xml")).bytes).toBeTruthy();
      expect((await store.fetch(root, "linked/types.xml", true)).bytes).toBeUndefined();
    }
  });
});

describe("HostContext", () => {
  it("asks the editor", async () => {
    const asked: HostRequest[] = [];
    const store = new HostContext((request): Promise<FilesReply> => {
      asked.push(request);
      return Promise.resolve(
        request.op === "commit"
          ? { op: "commit", outcome: { type: "busy" } }
          : {
              op: "failed",
              code: request.op === "read" && request.path.endsWith("gone") ? "FileNotFound" : "NoPermissions",
            },
      );
    });
    expect(await store.fetch(root, "gone")).toEqual({});
    expect((await store.fetch(root, "secret")).error).toBe("there is no permission to read it");
    const effect = { type: "commit", id: 1, root: 0, expect: [], changes: [] };
    expect(await store.commit(root, effect)).toEqual({ type: "busy" });
    expect(asked[2]).toEqual({ op: "commit", root: folder, expect: [], changes: [] });
  });

  it("is asked for the roots that only the editor reaches", async () => {
    const hosted = new HostContext(() => Promise.resolve({ op: "failed", code: "FileNotFound" }));
    const store = new RoutedContext(new DiskContext(), hosted, (path) => path === "/virtual");
    await writeFile(join(folder, "go.mod"), "module a");
    expect((await store.fetch(root, "go.mod")).bytes).toBeTruthy();
    expect(await store.fetch({ name: "v", path: "/virtual" }, "go.mod")).toEqual({});
  });
});
