import { describe, expect, it } from "vitest";

import {
  baseName,
  fromNative,
  isVirtual,
  joinPath,
  toPath,
  toUri,
  type UriParts,
  topmost,
} from "../../../extension/core/paths";

const file = (path: string, authority = ""): UriParts => ({ scheme: "file", authority, path });

describe("addresses and paths", () => {
  const cases: [what: string, uri: UriParts, windows: boolean, path: string][] = [
    ["a file", file("/code/a b/ü.ts"), false, "/code/a b/ü.ts"],
    ["a file on a drive", file("/c:/code/a.ts"), true, "c:/code/a.ts"],
    ["a share", file("/share/a.ts", "server"), true, "//server/share/a.ts"],
    ["a folder that looks like a drive, elsewhere", file("/c:/work"), false, "/c:/work"],
    [
      "a GitHub repository",
      { scheme: "vscode-vfs", authority: "github", path: "/owner/name/a.ts" },
      false,
      "/vscode-vfs:/github/owner/name/a.ts",
    ],
    [
      "a remote folder seen from the web",
      { scheme: "vscode-remote", authority: "wsl+ubuntu", path: "/home/me" },
      false,
      "/vscode-remote:/wsl%2Bubuntu/home/me",
    ],
    ["a file in memory", { scheme: "memfs", authority: "", path: "/a.ts" }, false, "/memfs:/-/a.ts"],
    ["an authority that is a dash", { scheme: "memfs", authority: "-", path: "/a.ts" }, false, "/memfs:/%2D/a.ts"],
  ];

  it.each(cases)("%s goes both ways", (_, uri, windows, path) => {
    expect(toPath(uri, windows)).toBe(path);
    expect(toUri(path, windows)).toEqual(uri);
  });

  it("writes drive letters in lower case, however they come", () => {
    expect(toPath(file("/C:/Work/A.ts"), true)).toBe("c:/Work/A.ts");
    expect(fromNative("C:\\Work\\A.ts", true)).toBe("c:/Work/A.ts");
    expect(fromNative("\\\\?\\C:\\long", true)).toBe("c:/long");
    expect(fromNative("\\\\?\\UNC\\server\\share", true)).toBe("//server/share");
    expect(fromNative("/a\\b", false)).toBe("/a\\b");
  });

  it("ends no folder with a slash, and still reaches the top", () => {
    expect(toPath(file("/code/"), false)).toBe("/code");
    expect(toPath(file("/"), false)).toBe("");
    expect(joinPath("", "")).toBe("/");
    expect(joinPath("", "etc")).toBe("/etc");
    expect(toPath(file("/c:/"), true)).toBe("c:");
    expect(joinPath("c:", "")).toBe("c:/");
    expect(joinPath("c:", "work")).toBe("c:/work");
    expect(joinPath("/code", "")).toBe("/code");
    expect(toUri("c:", true).path).toBe("/c:/");
    expect(toUri("", false).path).toBe("/");
    expect(toUri("//server", true)).toEqual(file("/", "server"));
    expect(toUri("/memfs:/-", false)).toEqual({ scheme: "memfs", authority: "", path: "/" });
  });

  it("knows which paths only the editor can read", () => {
    expect(isVirtual("/vscode-vfs:/github/owner/name")).toBe(true);
    expect(isVirtual("/home/me")).toBe(false);
    expect(isVirtual("c:/work")).toBe(false);
    expect(isVirtual("//server/share")).toBe(false);
  });

  it("names the last part", () => {
    expect(baseName("/code/a.ts")).toBe("a.ts");
    expect(baseName("a.ts")).toBe("a.ts");
  });

  it("leaves out what is below another", () => {
    const paths = ["/a/b/c.ts", "/a/b", "/a/bc", "/d/e/f.ts", "/a/b/d/e.ts", "/a/b"];
    expect(topmost(paths)).toEqual(["/a/b", "/a/bc", "/d/e/f.ts"]);
    expect(topmost([])).toEqual([]);
    expect(topmost(["", "/a", "a"])).toEqual(["", "/a", "a"]);
  });
});
