import { describe, expect, it } from "vitest";

import {
  effectiveFormat,
  readSettings,
  sameConfig,
  withFormat,
  type RawSettings,
} from "../../../extension/core/config";
import { expandBraces, ignorePatterns } from "../../../extension/core/globs";
import { uniqueRoots } from "../../../extension/core/roots";

const NOTHING: RawSettings = {
  maxFileSize: undefined,
  exclude: undefined,
  excludeGenerated: undefined,
  format: undefined,
  workers: undefined,
  profile: undefined,
  anchorMinutes: undefined,
  record: undefined,
  telemetry: undefined,
  keepContext: undefined,
  memoryCeiling: undefined,
  mergeProviders: undefined,
  providerTimeout: undefined,
  externalTypes: undefined,
  automaticImports: undefined,
  generatedMembers: undefined,
  filesExclude: [],
};

describe("readSettings", () => {
  it("has the defaults of the core", () => {
    expect(readSettings(NOTHING)).toEqual({
      config: {
        maxFileSize: 4 * 1024 * 1024,
        exclude: [],
        excludeGenerated: true,
        format: "json",
        keepContext: true,
        untrustedContexts: [],
        personal: {},
        memoryCeilingMb: 1024,
        tokenizer: "approx",
        anchorMinutes: 30,
        record: false,
        telemetry: true,
        externalTypes: null,
        angelscript: { automaticImports: "auto", generatedMembers: [] },
      },
      format: "json",
      workers: 0,
      providerTimeoutMs: 1_500,
      profile: "default",
    });
  });

  it.each([
    [undefined, 0, 0],
    [false, 900, 0],
    [true, 900, 900],
    ["yes", -4, 0],
    [null, 1e9, 30_000],
  ])("asks providers where merging is %s with a time of %s ms: for %s ms", (mergeProviders, providerTimeout, ms) => {
    expect(readSettings({ ...NOTHING, mergeProviders, providerTimeout }).providerTimeoutMs).toBe(ms);
  });

  it.each([
    [["a.json", " ", 3], ["a.json"]],
    [[], []],
    [null, null],
    ["a.json", null],
  ])("takes %j for files with external types", (externalTypes, expected) => {
    expect(readSettings({ ...NOTHING, externalTypes }).config.externalTypes).toEqual(expected);
  });

  it.each([
    [true, "true"],
    ["false", "false"],
    ["auto", "auto"],
    ["sometimes", "auto"],
    [3, "auto"],
  ])("makes sense of automatic imports of %s", (automaticImports, expected) => {
    expect(readSettings({ ...NOTHING, automaticImports }).config.angelscript.automaticImports).toBe(expected);
  });

  it("takes templates of generated members that have one name to fill in", () => {
    const generatedMembers = [
      { name: "Trigger_<Event>" },
      "Set<Prop>",
      { name: "Both<Event><Prop>" },
      { name: "None" },
      3,
    ];
    expect(readSettings({ ...NOTHING, generatedMembers }).config.angelscript.generatedMembers).toEqual([
      { name: "Trigger_<Event>" },
      { name: "Set<Prop>" },
    ]);
  });

  it.each([
    [-5, 1],
    [0, 1],
    [1e300, 64 * 1024 * 1024],
    [Number.NaN, 4 * 1024 * 1024],
    ["many", 4 * 1024 * 1024],
    [null, 4 * 1024 * 1024],
    [1000.6, 1001],
  ])("makes sense of a maximum size of %s", (maxFileSize, expected) => {
    expect(readSettings({ ...NOTHING, maxFileSize }).config.maxFileSize).toBe(expected);
  });

  it.each([
    [-1, 0],
    [3, 3],
    [99, 16],
    ["4", 0],
  ])("makes sense of %s workers", (workers, expected) => {
    expect(readSettings({ ...NOTHING, workers }).workers).toBe(expected);
  });

  it("joins the editor's patterns with ours, each once", () => {
    const { exclude } = readSettings({
      ...NOTHING,
      exclude: ["/vendored/", "", 7, "**/.git"],
      filesExclude: [{ "**/.git": true, "**/.svn": false }, { out: true, "**/.git": true }, null, "junk"],
    }).config;
    expect(exclude).toEqual(["**/.git", "/out", "/vendored/"]);
  });

  it("takes an unknown form as json", () => {
    const settings = readSettings({ ...NOTHING, format: "xml", excludeGenerated: "no" });
    expect(settings.format).toBe("json");
    expect(settings.config.excludeGenerated).toBe(true);
  });
});

describe("effectiveFormat", () => {
  it("lets a call's own argument win", () => {
    expect(effectiveFormat({ format: "both" }, "json")).toBe("both");
    expect(effectiveFormat({}, "text")).toBe("text");
    expect(effectiveFormat(null, "text")).toBe("text");
    expect(effectiveFormat({ format: null }, "text")).toBe("text");
    expect(effectiveFormat({ format: 5 }, "text")).toBe("json");
  });
});

describe("withFormat", () => {
  it("asks for the form of the setting where the call does not say", () => {
    expect(withFormat({ a: 1 }, "text")).toEqual({ a: 1, format: "text" });
    expect(withFormat({ a: 1, format: null }, "both")).toEqual({ a: 1, format: "both" });
  });

  it("leaves everything else as it is, also what is wrong", () => {
    for (const args of [{ format: "json" }, { format: "both" }, { format: 7 }, [1], "x", null, undefined]) {
      expect(withFormat(args, "text")).toBe(args);
    }
    const args = { a: 1 };
    expect(withFormat(args, "json")).toBe(args);
  });

  it("does not ask for another index when only the form changes", () => {
    const text = readSettings({ ...NOTHING, format: "text" });
    expect(sameConfig(text.config, readSettings(NOTHING).config)).toBe(true);
  });
});

describe("ignorePatterns", () => {
  it("counts globs without ** from the top, as the editor does", () => {
    expect(ignorePatterns({ "*.js": true, "src/**": true, "**/x": true, "/y": true })).toEqual([
      "/*.js",
      "/src/**",
      "**/x",
      "/y",
    ]);
  });

  it("leaves out what is off or hangs on a sibling", () => {
    expect(ignorePatterns({ a: false, "**/*.js": { when: "$(basename).ts" }, "  ": true })).toEqual([]);
  });

  it("spells out braces", () => {
    expect(ignorePatterns({ "**/*.{js,map}": true })).toEqual(["**/*.js", "**/*.map"]);
    expect(expandBraces("a{b,c{d,e}}f{g,}")).toEqual(["abfg", "abf", "acdfg", "acdf", "acefg", "acef"]);
    expect(expandBraces("a{b")).toEqual(["a{b"]);
    expect(expandBraces("{a,b}".repeat(20)).length).toBe(256);
  });
});

describe("uniqueRoots", () => {
  it("gives each root a name of its own without slashes", () => {
    const roots = uniqueRoots([
      { name: "src", path: "/a/src" },
      { name: "src", path: "/b/src" },
      { name: "src-2", path: "/c" },
      { name: "a/b", path: "/d" },
      { name: "", path: "" },
    ]);
    expect(roots.map((root) => root.name)).toEqual(["src", "src-2", "src-2-2", "a-b", "root"]);
    expect(roots.map((root) => root.path)).toEqual(["/a/src", "/b/src", "/c", "/d", ""]);
  });
});
