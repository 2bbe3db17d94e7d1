/** Folders, the cache and text for a terminal, of the npm package's command line. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { cacheFile } from "../../../extension/node/cachePlace";
import { shown } from "../../../extension/node/output";
import { resolveRoots } from "../../../extension/node/roots";

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "codecortex-")));
});
afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

describe("folders", () => {
  it("have names of their own, and are taken once", () => {
    mkdirSync(join(place, "a/src"), { recursive: true });
    mkdirSync(join(place, "b/src"), { recursive: true });
    symlinkSync(join(place, "a/src"), join(place, "link"), "junction");
    const roots = resolveRoots(["a/src", "b/src", "a/../a/src", "link"].map((path) => join(place, path)));
    expect(roots.map(({ name }) => name)).toEqual(["src", "src-2"]);
    expect(roots[0]?.path.endsWith("/a/src")).toBe(true);
  });

  it("that are none are named", () => {
    writeFileSync(join(place, "file"), "");
    expect(() => resolveRoots([join(place, "none")])).toThrow(/none does not exist$/);
    expect(() => resolveRoots([join(place, "file")])).toThrow(/file is not a folder$/);
  });
});

describe("the cache", () => {
  const root = (path: string) => ({ name: "x", path });
  it("is of the folders in their order, below the user's folder", () => {
    const env = { XDG_CACHE_HOME: place, LOCALAPPDATA: place };
    const file = cacheFile([root("/a"), root("/b")], env);
    expect(file.startsWith(join(place, "codecortex"))).toBe(true);
    expect(cacheFile([root("/a"), root("/b")], env)).toBe(file);
    expect(cacheFile([root("/b"), root("/a")], env)).not.toBe(file);
    expect(cacheFile([root("/a/b")], env)).not.toBe(cacheFile([root("/a"), root("b")], env));
  });

  it("is in no folder that a relative path names", () => {
    const file = cacheFile([root("/a")], { XDG_CACHE_HOME: "here", LOCALAPPDATA: "here" });
    expect(file.startsWith(homedir())).toBe(true);
  });
});

describe("text for people", () => {
  it("shows control characters and changes nothing else", () => {
    for (const [text, expected] of [
      ["class A // \tx\r\nnext\n", "class A // \tx\r\nnext\n"],
      ["größer 検索 👍🏽 a\u{200d}b", "größer 検索 👍🏽 a\u{200d}b"],
      ["\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"],
      ["over\rwritten", "over\\u{d}written"],
      ["a\u{202e}b\u{2066}c\u{200f}", "a\\u{202e}b\\u{2066}c\\u{200f}"],
      ["a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"],
    ] as const) {
      expect(shown(text)).toBe(expected);
    }
  });
});
