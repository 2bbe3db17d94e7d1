import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { NO_PERSONAL_SETTINGS } from "../../../extension/worker/personalSettings";
import { PersonalFile, personalFile } from "../../../extension/worker/personalSettings.node";

let place: string;
let warned: string[];

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "codecortex-personal-"));
  warned = [];
});

afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

const path = (): string => join(place, "a", "config.json");
const file = (): PersonalFile => new PersonalFile(path(), (message) => warned.push(message));

function write(text: string): void {
  mkdirSync(join(place, "a"), { recursive: true });
  writeFileSync(path(), text);
}

describe("a person's own settings", () => {
  it("are of one folder or of all", () => {
    write(
      '{"record": true, "model": {"mode": "automatic", "callsPerHour": 3}, "folders": {"/w/a": {"record": false}}}',
    );
    const read = file().read(["/w/a", "/w/b"]);
    expect(read["/w/a"]?.record).toBe(false);
    expect(read["/w/b"]).toEqual({ record: true, model: { mode: "automatic", callsPerHour: 3 } });
  });

  it("keep what others wrote when a person opts in", () => {
    write('{"record": true, "folders": {"/w/a": {"record": false}}}');
    expect(file().keepObservations("/w/a", true)).toBeUndefined();
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual({
      record: true,
      folders: { "/w/a": { record: false, observations: true } },
    });
    expect(file().read(["/w/a"])["/w/a"]).toEqual({ record: false, observations: true });
  });

  it("are made where there are none", () => {
    expect(file().read(["/w"])).toEqual({ "/w": {} });
    expect(file().keepObservations("/w", true)).toBeUndefined();
    expect(file().read(["/w"])["/w"]?.observations).toBe(true);
  });

  it("say nothing where they cannot be read, and are not written over", () => {
    for (const wrong of ["{", "[]", "3", '<<<<<<< ours\n{"record": true}']) {
      write(wrong);
      expect(file().read(["/w"])).toEqual({ "/w": {} });
      expect(file().keepObservations("/w", true)).toContain("config.json");
      expect(readFileSync(path(), "utf8")).toBe(wrong);
    }
    expect(warned.length).toBe(4);
    write('{"record": "yes", "observations": 1, "model": {"callsPerHour": -1}, "externalTypes": [3, "a.xml"]}');
    expect(file().read(["/w"])["/w"]).toEqual({ model: { mode: "manual" }, externalTypes: ["a.xml"] });
  });

  it("lie where the binary has them, and nowhere on the web", () => {
    if (process.platform !== "win32") {
      expect(personalFile({ XDG_CONFIG_HOME: "/c" })).toBe(join("/c", "codecortex", "config.json"));
    }
    expect(NO_PERSONAL_SETTINGS.read(["/w"])).toEqual({});
    expect(NO_PERSONAL_SETTINGS.keepObservations("/w", true)).toBeDefined();
  });
});
