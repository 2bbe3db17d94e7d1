import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { FromWorker, ToWorker } from "../../../extension/core/messages";
import { Supervisor, type EngineProcess, type Life } from "../../../extension/core/supervisor";
import type { State } from "../../../extension/generated/protocol";

const READY: State = { phase: "ready", files: 1, pending: 0, skipped: 0, symbols: 1, lines: 1, revision: 1 };
const USAGE = { engineBytes: 0, parserBytes: 0, parsers: 0 };

/** A worker that a test lets speak and die. */
class FakeProcess implements EngineProcess {
  posted: ToWorker[] = [];
  terminated = false;
  private say: ((message: FromWorker) => void) | undefined;
  private exit: ((reason: string) => void) | undefined;

  post(message: ToWorker) {
    this.posted.push(message);
  }
  onMessage(listener: (message: FromWorker) => void) {
    this.say = listener;
  }
  onExit(listener: (reason: string) => void) {
    this.exit = listener;
  }
  terminate() {
    this.terminated = true;
    this.exit?.("terminated");
  }
  says(message: FromWorker) {
    this.say?.(message);
  }
  dies(reason = "exit code 1") {
    this.exit?.(reason);
  }
}

function setUp() {
  const processes: FakeProcess[] = [];
  const lives: Life[] = [];
  const crashes: string[] = [];
  const messages: FromWorker[] = [];
  let refuse = false;
  const supervisor = new Supervisor(
    {
      launch: () => {
        if (refuse) {
          throw new Error("no thread left");
        }
        const process = new FakeProcess();
        processes.push(process);
        return process;
      },
      startOptions: (useCache) => ({ assets: { kind: "folder", path: "dist" }, useCache, workers: 0 }),
      launched: () => {
        supervisor.post({ kind: "event", event: { type: "reindex" } });
      },
      message: (message) => messages.push(message),
      lifeChanged: (life) => lives.push(life),
      crashed: (reason) => crashes.push(reason),
    },
    Date.now,
  );
  const last = () => {
    const process = processes.at(-1);
    if (!process) {
      throw new Error("no process was launched");
    }
    return process;
  };
  return {
    supervisor,
    processes,
    lives,
    crashes,
    messages,
    last,
    refuse: (yes: boolean) => {
      refuse = yes;
    },
  };
}

const usesCache = (process: FakeProcess) => {
  const [first] = process.posted;
  return first?.kind === "start" && first.options.useCache;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("Supervisor", () => {
  it("starts the worker first and replays before anything else", () => {
    const { supervisor, last, lives } = setUp();
    supervisor.start();
    supervisor.start();
    expect(last().posted.map((message) => message.kind)).toEqual(["start", "event"]);
    last().says({ kind: "ready", startMs: 1, cache: "used" });
    expect(lives.map((life) => life.kind)).toEqual(["starting", "running"]);
  });

  it("restarts after a crash, replays, and says why", () => {
    const { supervisor, processes, last, crashes } = setUp();
    supervisor.start();
    last().says({ kind: "failed", reason: "panicked at src/lib.rs" });
    last().dies();
    expect(crashes).toEqual(["panicked at src/lib.rs"]);
    expect(supervisor.life).toEqual({ kind: "restarting", inMs: 250, reason: "panicked at src/lib.rs" });
    supervisor.start();
    expect(processes.length).toBe(1);
    vi.advanceTimersByTime(250);
    expect(processes.length).toBe(2);
    expect(last().posted.map((message) => message.kind)).toEqual(["start", "event"]);
    expect(supervisor.crashes).toBe(1);
  });

  it("waits longer each time and gives up at last", () => {
    const { supervisor, processes, last } = setUp();
    supervisor.start();
    const waits: number[] = [];
    while (supervisor.life.kind !== "failed") {
      last().dies();
      if (supervisor.life.kind === "restarting") {
        waits.push(supervisor.life.inMs);
        vi.advanceTimersByTime(supervisor.life.inMs);
      }
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000]);
    expect(processes.length).toBe(6);
    vi.advanceTimersByTime(60_000);
    expect(processes.length).toBe(6);
    supervisor.start();
    expect(processes.length).toBe(7);
    expect(supervisor.life.kind).toBe("starting");
  });

  it("forgives crashes that are long ago", () => {
    const { supervisor, last } = setUp();
    supervisor.start();
    for (let crash = 0; crash < 12; crash += 1) {
      last().dies();
      vi.advanceTimersByTime(3 * 60_000);
    }
    expect(supervisor.life.kind).not.toBe("failed");
  });

  it("leaves the cache alone after two crashes in a row, until the engine ran again", () => {
    const { supervisor, last } = setUp();
    const restart = () => {
      last().dies();
      vi.advanceTimersByTime(8_000);
      return usesCache(last());
    };
    supervisor.start();
    expect(usesCache(last())).toBe(true);
    expect(restart()).toBe(true);
    expect(restart()).toBe(false);
    last().says({ kind: "state", state: READY, usage: USAGE });
    expect(restart()).toBe(true);
  });

  it("counts a worker that cannot even be launched as a crash", () => {
    const { supervisor, refuse, crashes } = setUp();
    refuse(true);
    supervisor.start();
    expect(crashes).toEqual(["no thread left"]);
    refuse(false);
    vi.advanceTimersByTime(250);
    expect(supervisor.life.kind).toBe("starting");
  });

  it("kills a worker that hangs, with its own reason", () => {
    const { supervisor, last, crashes } = setUp();
    supervisor.start();
    supervisor.kill("no answer");
    expect(last().terminated).toBe(true);
    expect(crashes).toEqual(["no answer"]);
  });

  it("leaves out the text that a worker was at when it hung or broke, and no other", () => {
    const { supervisor, last } = setUp();
    const options = () => {
      const [first] = last().posted;
      if (first?.kind !== "start") {
        throw new Error("it was not started");
      }
      return first.options;
    };
    const parses = (...keys: number[]) => {
      const cell = new Int32Array(options().parsing ?? new SharedArrayBuffer(4));
      keys.forEach((key) => Atomics.store(cell, 0, key));
    };
    supervisor.start();
    expect(options().leftOut).toEqual([]);
    parses(5, 0, 0xffff_fffe);
    supervisor.kill("the engine did not answer");
    vi.advanceTimersByTime(8_000);
    expect(options().leftOut).toEqual([0xffff_fffe]);
    parses(6, 0);
    last().dies();
    vi.advanceTimersByTime(8_000);
    expect(options().leftOut).toEqual([0xffff_fffe]);
    parses(8);
    last().dies();
    vi.advanceTimersByTime(8_000);
    expect(options().leftOut).toEqual([0xffff_fffe, 8]);
  });

  it("leaves out what a worker says it broke at where threads share no memory", () => {
    vi.stubGlobal("SharedArrayBuffer", undefined);
    const { supervisor, last } = setUp();
    supervisor.start();
    last().says({ kind: "failed", reason: "unreachable", parsing: 9 });
    last().dies();
    vi.advanceTimersByTime(8_000);
    expect(last().posted[0]).toMatchObject({ kind: "start", options: { leftOut: [9] } });
    vi.unstubAllGlobals();
  });

  it("restarts for a setting without counting a crash", () => {
    const { supervisor, processes, crashes } = setUp();
    supervisor.start();
    supervisor.restart();
    expect(processes.map((process) => process.terminated)).toEqual([true, false]);
    expect(crashes).toEqual([]);
    expect(supervisor.crashes).toBe(0);
  });

  it("hears nothing from a worker it replaced, and drops messages without one", () => {
    const { supervisor, processes, last, messages } = setUp();
    supervisor.post({ kind: "changed", paths: "/a" });
    supervisor.start();
    last().dies();
    supervisor.post({ kind: "changed", paths: "/b" });
    vi.advanceTimersByTime(250);
    processes[0]?.says({ kind: "ready", startMs: 1, cache: "used" });
    expect(messages).toEqual([]);
    expect(last().posted.map((message) => message.kind)).toEqual(["start", "event"]);
  });

  it("starts nothing once it is disposed", () => {
    const { supervisor, processes, last, crashes } = setUp();
    supervisor.start();
    last().dies();
    supervisor.dispose();
    vi.advanceTimersByTime(60_000);
    expect(processes.length).toBe(1);
    expect(supervisor.life.kind).toBe("stopped");
    expect(crashes.length).toBe(1);
  });
});
