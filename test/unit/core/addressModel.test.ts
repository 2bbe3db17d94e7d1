/** A model by its address: what is sent, what an answer means, and where a key may go (SPEC SE2). */
import { describe, expect, it } from "vitest";

import { addressIn, addressModel, addressProblem, mayHaveKey } from "../../../extension/core/addressModel";
import { askModel } from "../../../extension/core/languageModel";
import type { ModelRequest } from "../../../extension/generated/protocol";

const REQUEST: ModelRequest = {
  purpose: "investigate",
  subject: "how?",
  messages: [
    { role: "system", content: "Be short." },
    { role: "user", content: "how?" },
    { role: "assistant", content: "", calls: [{ id: "1", name: "search", arguments: '{"q":1}' }] },
    { role: "tool", content: "found", callId: "1" },
  ],
  tools: [{ name: "search", description: "Searches.", inputSchema: { type: "object" } }],
  maxOutputTokens: 100,
  attempts: 1,
};
const LIMITS = { timeoutMs: 5_000, mostCharacters: 10_000 };

/** Asks a server that answers so; gives what it was sent, too. */
async function asked(response: () => Response, url = "https://models.example/v1/", key: string | undefined = "secret") {
  const sent: { url: string; init: RequestInit; body: string }[] = [];
  const send: typeof fetch = (where, init = {}) => {
    sent.push({ url: where as string, init, body: init.body as string });
    return Promise.resolve().then(response);
  };
  const model = addressModel({ url, model: "m1" }, () => Promise.resolve(key), send);
  const outcome = await askModel(model, REQUEST, LIMITS, new AbortController().signal);
  return { outcome, sent };
}

const json = (body: unknown, init?: ResponseInit) => () => new Response(JSON.stringify(body), init);
const says = (message: object, usage?: object) => json({ choices: [{ message }], usage });

describe("a model by its address", () => {
  it("is sent the conversation with its tools, and the key in one header", async () => {
    const { outcome, sent } = await asked(says({ content: "so" }, { prompt_tokens: 7, completion_tokens: 2 }));
    expect(outcome).toEqual({
      type: "answered",
      text: "so",
      calls: [],
      usage: { inputTokens: 7, outputTokens: 2 },
    });
    const [{ url, init, body: text } = { url: "", init: {}, body: "" }] = sent;
    expect(url).toBe("https://models.example/v1/chat/completions");
    expect(init).toMatchObject({ method: "POST", redirect: "error", headers: { authorization: "Bearer secret" } });
    const body = JSON.parse(text) as object;
    expect(body).toMatchObject({
      model: "m1",
      max_tokens: 100,
      messages: [
        { role: "system", content: "Be short." },
        { role: "user" },
        { role: "assistant", tool_calls: [{ id: "1", function: { name: "search", arguments: '{"q":1}' } }] },
        { role: "tool", content: "found", tool_call_id: "1" },
      ],
      tools: [{ type: "function", function: { name: "search", parameters: { type: "object" } } }],
    });
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  it("may call tools", async () => {
    const call = { id: "2", type: "function", function: { name: "search", arguments: '{"q":2}' } };
    const { outcome } = await asked(says({ content: null, tool_calls: [call] }));
    expect(outcome).toMatchObject({ text: "", calls: [{ id: "2", name: "search", arguments: '{"q":2}' }] });
  });

  it("gets no key where somebody on the way could read it", async () => {
    for (const url of ["http://models.example/v1", "http://localhost.example/v1"]) {
      const { sent } = await asked(says({ content: "so" }), url);
      expect(sent[0]?.init.headers, url).not.toHaveProperty("authorization");
    }
    expect(["https://a.example/v1", "http://localhost:11434/v1", "http://127.0.0.1:1/v1"].every(mayHaveKey)).toBe(true);
  });

  it("fails in a way that says whether to ask again", async () => {
    const failure = async (response: () => Response) => (await asked(response)).outcome;
    expect(await failure(json({}, { status: 401 }))).toMatchObject({ failure: "refused" });
    const busy = await failure(json({}, { status: 429, headers: { "retry-after": "3" } }));
    expect(busy).toMatchObject({ failure: "limited", retryAfterMs: 3_000 });
    expect(await failure(json({}, { status: 503 }))).toMatchObject({ failure: "unreachable", retryAfterMs: null });
    expect(await failure(json({}, { status: 404 }))).toMatchObject({ failure: "malformed" });
    expect(await failure(() => new Response("<html>"))).toMatchObject({ failure: "malformed" });
    expect(await failure(json({ choices: [] }))).toMatchObject({ failure: "malformed" });
    expect(await failure(() => new Response("x".repeat(2 ** 21)))).toMatchObject({ failure: "malformed" });
    const unreachable = () => {
      throw new TypeError("fetch failed");
    };
    expect(await failure(unreachable)).toMatchObject({ failure: "unreachable", message: "fetch failed" });
  });

  it("is chosen by an address that serves", () => {
    expect(addressProblem("https://a.example/v1")).toBeUndefined();
    for (const url of ["", "a.example/v1", "file:///etc/passwd", "https://user:secret@a.example"]) {
      expect(addressProblem(url), url).toBeTypeOf("string");
    }
    expect(addressIn({ url: "https://a.example/v1", model: "m" })).toEqual({ url: "https://a.example/v1", model: "m" });
    expect(
      [undefined, "gpt", { url: "x", model: "m" }, { url: "https://a.example", model: "" }].map(addressIn),
    ).toEqual([undefined, undefined, undefined, undefined]);
  });
});
