/** What becomes of an answer of the editor's model on its way to the engine (SPEC SE2). */
import { describe, expect, it } from "vitest";

import { askModel, type ChatModel } from "../../../extension/core/languageModel";
import type { ModelRequest } from "../../../extension/generated/protocol";

const REQUEST: ModelRequest = {
  purpose: "describe",
  subject: "N.Store",
  messages: [{ role: "user", content: "what is it?", calls: [], callId: null }],
  tools: [],
  maxOutputTokens: 100,
  attempts: 1,
};
const LIMITS = { timeoutMs: 1_000, mostCharacters: 20 };

function saying(pieces: Iterable<string>): ChatModel {
  return {
    async *send() {
      for (const piece of pieces) {
        yield await Promise.resolve(piece);
      }
    },
  };
}

function failing(error: unknown): ChatModel {
  return {
    // eslint-disable-next-line require-yield
    async *send() {
      await Promise.resolve();
      throw error;
    },
  };
}

const ask = (model: ChatModel | undefined, limits = LIMITS, signal = new AbortController().signal) =>
  askModel(model, REQUEST, limits, signal);

describe("the editor's model", () => {
  it("gives the text of all pieces", async () => {
    expect(await ask(saying(["ROLE: ", "x"]))).toMatchObject({ type: "answered", text: "ROLE: x" });
  });

  it("is absent until somebody chose one", async () => {
    expect(await ask(undefined)).toMatchObject({ type: "failed", failure: "absent" });
  });

  it("may say no more than anybody reads", async () => {
    function* endless(): Generator<string> {
      for (;;) {
        yield "word ";
      }
    }
    expect(await ask(saying(endless()))).toMatchObject({ type: "failed", failure: "malformed" });
  });

  it("is not asked again where a person did not agree", async () => {
    const error = Object.assign(new Error("no"), { code: "NoPermissions" });
    expect(await ask(failing(error))).toMatchObject({ failure: "refused", message: "no" });
    expect(await ask(failing(new Error("gone")))).toMatchObject({ failure: "unreachable" });
    expect(await ask(failing(undefined))).toMatchObject({ failure: "unreachable" });
  });

  it("ends when the time is over or nobody waits", async () => {
    const silent: ChatModel = {
      // eslint-disable-next-line require-yield
      async *send(_, isCancelled) {
        await new Promise((_, reject) => {
          isCancelled.addEventListener("abort", () => {
            reject(new Error("aborted"));
          });
        });
      },
    };
    expect(await ask(silent, { ...LIMITS, timeoutMs: 5 })).toMatchObject({ failure: "timedOut" });
    const controller = new AbortController();
    const asked = ask(silent, LIMITS, controller.signal);
    controller.abort();
    expect(await asked).toMatchObject({ failure: "cancelled" });
  });
});
