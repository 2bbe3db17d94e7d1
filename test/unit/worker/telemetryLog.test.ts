import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Root } from "../../../extension/generated/protocol";
import { NO_TELEMETRY_LOG } from "../../../extension/worker/telemetryLog";
import { stateFolder, TelemetryFolder } from "../../../extension/worker/telemetryLog.node";

const DAY_MS = 86_400_000;
const ROOTS: Root[] = [{ name: "w", path: "/w" }];

let state: string;
let warned: string[];

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "codecortex-telemetry-"));
  warned = [];
});

afterEach(() => {
  rmSync(state, { recursive: true, force: true });
});

const log = (): TelemetryFolder => new TelemetryFolder(state, (message) => warned.push(message));

/** The folder of the one log that there is. */
function folder(): string {
  const [only] = readdirSync(join(state, "telemetry"));
  return join(state, "telemetry", only ?? "");
}

describe("the log of telemetry", () => {
  it("keeps thirty days, and what is not its own", async () => {
    for (let day = 0; day < 40; day += 1) {
      await log().append(ROOTS, `{"day":${day}}`, day * DAY_MS);
      if (day === 0) {
        writeFileSync(join(folder(), "notes.txt"), "mine");
      }
    }
    await log().append(ROOTS, "{}", 39.5 * DAY_MS);
    const read = await log().read(ROOTS);
    expect(read).toMatchObject({ type: "telemetry", error: null });
    const files = read.type === "telemetry" ? read.files : [];
    expect([files.length, files[0], files[29]]).toEqual([30, '{"day":10}\n', '{"day":39}\n{}\n']);
    expect(readdirSync(folder())).toContain("notes.txt");
    expect(warned).toEqual([]);
  });

  it("is where the binary has it", async () => {
    await log().append(ROOTS, "{}", 0);
    // The same in crates/host/src/telemetry_log.rs
    expect(folder().split("/").at(-1)).toBe("56116008ce491b9ee8ab42f4");
    expect(stateFolder({ XDG_STATE_HOME: "/s" })).toBe(join("/s", "codecortex"));
  });

  it("takes no more than a day may have", async () => {
    const line = "x".repeat(1024 * 1024);
    for (let count = 0; count < 6; count += 1) {
      await log().append(ROOTS, line, 0);
    }
    expect(readFileSync(join(folder(), "1970-01-01.jsonl")).length).toBe(3 * (line.length + 1));
  });

  it("follows no link", async () => {
    await log().append(ROOTS, "{}", DAY_MS);
    const target = join(state, "target");
    writeFileSync(target, "mine");
    symlinkSync(target, join(folder(), "1970-01-01.jsonl"));
    await log().append(ROOTS, "{}", 0);
    expect(readFileSync(target, "utf8")).toBe("mine");
    expect(warned).toHaveLength(1);
    expect(await log().read(ROOTS)).toMatchObject({ files: [], error: expect.stringContaining(state) as string });
  });

  it("is empty in a browser", async () => {
    await NO_TELEMETRY_LOG.append(ROOTS, "{}", 0);
    expect(await NO_TELEMETRY_LOG.read(ROOTS)).toEqual({ type: "telemetry", files: [], error: null });
  });
});
