import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { EngineClient, SILENCE_MS, type Call, type Cancellation } from "../../../extension/core/client";
import type { ToWorker } from "../../../extension/core/messages";
import type { Answer } from "../../../extension/generated/protocol";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const CALL: Call = { tool: "codecortex_status", args: { a: 1 }, caller: { kind: "lm" }, format: "json" };
const ANSWER: Answer = { ok: true, json: '{"ok":true}' };

function setUp() {
  const posted: ToWorker[] = [];
  const link = { connected: true, givenUp: undefined as string | undefined, silences: 0, refuse: false };
  const client = new EngineClient(
    {
      post: (message) => {
        if (link.refuse) {
          throw new Error("could not be cloned");
        }
        posted.push(message);
      },
      connected: () => link.connected,
      givenUp: () => link.givenUp,
      silent: () => {
        link.silences += 1;
      },
    },
    Date.now,
  );
  return { posted, link, client };
}

/** What a failed answer's envelope says. */
function errorOf(answer: Answer): unknown {
  expect(answer.ok).toBe(false);
  const envelope = JSON.parse(answer.json ?? "") as { ok: boolean; error: unknown };
  expect(envelope.ok).toBe(false);
  return envelope.error;
}

/** A token that a test cancels. */
class Token implements Cancellation {
  isCancellationRequested = false;
  private listeners = new Set<() => void>();

  onCancellationRequested(listener: () => void) {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }
  cancel() {
    this.isCancellationRequested = true;
    for (const listener of this.listeners) {
      listener();
    }
  }
  get heard() {
    return this.listeners.size;
  }
}

describe("EngineClient", () => {
  it("passes a call on as it is and brings the answer back to it", async () => {
    const { posted, client } = setUp();
    const first = client.call(CALL);
    const second = client.call({ ...CALL, tool: "other" });
    expect(posted).toEqual([
      { kind: "call", id: 1, tool: "codecortex_status", args: { a: 1 }, caller: { kind: "lm" } },
      { kind: "call", id: 2, tool: "other", args: { a: 1 }, caller: { kind: "lm" } },
    ]);
    client.answered(2, { ok: true, json: "second" });
    client.answered(1, ANSWER);
    expect(await first).toBe(ANSWER);
    expect((await second).json).toBe("second");
  });

  it("lets a call wait until there is an engine", async () => {
    const { posted, link, client } = setUp();
    link.connected = false;
    const answer = client.call(CALL);
    expect(posted).toEqual([]);
    link.connected = true;
    client.send();
    client.send();
    expect(posted.length).toBe(1);
    client.answered(1, ANSWER);
    expect(await answer).toBe(ANSWER);
  });

  it("answers Unavailable for what a crash took along, and keeps what still waits", async () => {
    const { posted, link, client } = setUp();
    const taken = client.call(CALL);
    link.connected = false;
    const waiting = client.call(CALL);
    client.lost("it panicked");
    expect(errorOf(await taken)).toMatchObject({ code: "Unavailable", message: "it panicked", retryable: true });
    link.connected = true;
    client.send();
    expect(posted.length).toBe(2);
    client.answered(2, ANSWER);
    expect(await waiting).toBe(ANSWER);
  });

  it("answers at once when the engine was given up", async () => {
    const { posted, link, client } = setUp();
    const before = client.call(CALL);
    client.abandoned("it crashed too often");
    link.givenUp = "it crashed too often";
    const after = client.call({ ...CALL, format: "both" });
    for (const answer of [await before, await after]) {
      expect(errorOf(answer)).toMatchObject({ code: "Unavailable", retryable: false });
    }
    expect((await after).text).toContain("Unavailable");
    expect(posted.length).toBe(1);
  });

  it("answers Cancelled at once and tells the worker", async () => {
    const { posted, client } = setUp();
    const token = new Token();
    const answer = client.call(CALL, token);
    token.cancel();
    expect(errorOf(await answer)).toMatchObject({ code: "Cancelled" });
    expect(posted.at(-1)).toEqual({ kind: "cancel", id: 1 });
    client.answered(1, ANSWER);
    expect(errorOf(await client.call(CALL, token))).toMatchObject({ code: "Cancelled" });
    expect(posted.length).toBe(2);
  });

  it("cancels a waiting call without any message, and lets go of the token", async () => {
    const { posted, link, client } = setUp();
    link.connected = false;
    const token = new Token();
    const answer = client.call(CALL, token);
    expect(token.heard).toBe(1);
    token.cancel();
    expect(errorOf(await answer)).toMatchObject({ code: "Cancelled" });
    expect(token.heard).toBe(0);
    link.connected = true;
    client.send();
    expect(posted).toEqual([]);
  });

  it("answers for arguments that cannot be passed on", async () => {
    const { link, client } = setUp();
    link.refuse = true;
    expect(errorOf(await client.call(CALL))).toMatchObject({ code: "InternalError", retryable: false });
  });

  it("notices an engine that holds a call in silence", () => {
    const { link, client } = setUp();
    void client.call(CALL);
    vi.advanceTimersByTime(SILENCE_MS - 1_000);
    client.heard();
    vi.advanceTimersByTime(SILENCE_MS - 1_000);
    expect(link.silences).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(link.silences).toBe(1);
  });

  it("waits with an engine that waits for a person", async () => {
    const { link, client } = setUp();
    void client.call(CALL);
    let decide: (() => void) | undefined;
    const decision = client.patiently(() => new Promise<void>((resolve) => (decide = resolve)));
    vi.advanceTimersByTime(20 * SILENCE_MS);
    expect(link.silences).toBe(0);
    decide?.();
    await decision;
    vi.advanceTimersByTime(2 * SILENCE_MS);
    expect(link.silences).toBe(1);
  });

  it("does not mind silence when there is nothing to answer", async () => {
    const { link, client } = setUp();
    const answer = client.call(CALL);
    client.answered(1, ANSWER);
    await answer;
    vi.advanceTimersByTime(10 * SILENCE_MS);
    expect(link.silences).toBe(0);
  });

  it("leaves nobody waiting when it is disposed", async () => {
    const { client } = setUp();
    const answer = client.call(CALL);
    client.dispose();
    expect(errorOf(await answer)).toMatchObject({ code: "Unavailable" });
  });
});
