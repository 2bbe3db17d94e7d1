import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { observationsOf, Recorder, type Deed, type Remembered } from "../../../extension/core/recorder";

const folderOf = (path: string) => (path.startsWith("/code/app/") ? "/code/app" : undefined);
const command = (commandLine: string, exitCode?: number): Deed => ({ kind: "command", commandLine, exitCode });
const edit = (path: string): Deed => ({ kind: "edit", path });
const told = (...deeds: Deed[]) => observationsOf(deeds, folderOf);

describe("what a burst is told as", () => {
  it("is the edits as one, each file once, and none of what is not of the workspace or ours", () => {
    const paths = ["src/a.ts", "src/b.ts", "src/a.ts", "c.ts", "d.ts", ".context/config.json"];
    const deeds = [...paths.map((path) => edit(`/code/app/${path}`)), edit("/etc/hosts")];
    expect(told(...deeds)).toEqual([
      {
        text: "Edited a.ts, b.ts, c.ts and 1 more",
        more: { actor: "system", phase: "implement", type: "edit", files: ["src/a.ts", "src/b.ts", "c.ts", "d.ts"] },
      },
    ]);
  });

  it("is each command with how it ended, repeated ones counted", () => {
    const found = told(command("npm test", 1), command("npm test", 1), command("npm test", 0), command(" "));
    expect(found.map(({ text }) => text)).toEqual([
      "Ran npm test: failed with exit code 1 (2 times)",
      "Ran npm test: succeeded",
    ]);
    expect(found[0]?.more).toMatchObject({ type: "command", commands: ["npm test"] });
    expect(told(command("cat <<E\nx\nE"))[0]).toMatchObject({
      text: "Ran cat <<E …: ended",
      more: { commands: ["cat <<E\nx\nE"] },
    });
  });

  it("tells test runs from other tasks", () => {
    const task = { kind: "task", name: "npm: test", exitCode: 0 } as const;
    expect(told({ ...task, isTest: true }, { ...task, isTest: false })).toMatchObject([
      { text: "Test run npm: test succeeded", more: { type: "test", phase: "verify" } },
      { text: "Task npm: test succeeded", more: { type: "task", phase: "other" } },
    ]);
  });

  it("has an end", () => {
    const many = Array.from({ length: 500 }, (_, index) => command(`echo ${String(index)}`, 0));
    expect(told(...many).length).toBe(20);
    expect(told(command("x".repeat(5_000), 0))[0]?.more.commands?.[0]?.length).toBe(1_000);
  });
});

describe("recording", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function recording() {
    const recorded: Remembered[] = [];
    const state = { isOn: true, isKept: true };
    const recorder = new Recorder({
      isOn: () => state.isOn,
      folderOf,
      remember: (observation) => {
        recorded.push(observation);
        return Promise.resolve(state.isKept);
      },
      now: Date.now,
    });
    return { recorder, recorded, state };
  }

  it("waits until a burst is over", async () => {
    const { recorder, recorded } = recording();
    recorder.add(edit("/code/app/a.ts"));
    await vi.advanceTimersByTimeAsync(15_000);
    recorder.add(edit("/code/app/b.ts"));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(recorded).toEqual([]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(recorded.map(({ text }) => text)).toEqual(["Edited a.ts, b.ts"]);
    recorder.dispose();
  });

  it("takes nothing while it is off, and gives up what it had when it is switched off", async () => {
    const { recorder, recorded, state } = recording();
    state.isOn = false;
    recorder.add(command("one", 0));
    state.isOn = true;
    recorder.add(command("two", 0));
    state.isOn = false;
    recorder.handOver();
    await vi.advanceTimersByTimeAsync(1);
    expect(recorded).toEqual([]);
  });

  it("asks no further where nothing is kept", async () => {
    const { recorder, recorded, state } = recording();
    state.isKept = false;
    recorder.add(command("one", 0));
    recorder.add(command("two", 0));
    recorder.handOver();
    await vi.advanceTimersByTimeAsync(1);
    expect(recorded.length).toBe(1);
  });
});
