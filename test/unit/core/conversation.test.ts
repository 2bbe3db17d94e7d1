import { describe, expect, it } from "vitest";

import {
  converse,
  lastMessage,
  mentioned,
  MOST_ROUNDS,
  newestThatFit,
  placesIn,
  sharesOf,
  type Piece,
  type Talk,
  type Turn,
} from "../../../extension/core/conversation";

/** A model that says what it is told to, and tools that give what they are told to; a token is a character. */
function talk(script: Piece[][], result: (tokens: number) => string = () => "fine") {
  const seen = { said: "", granted: [] as number[], mayCall: [] as boolean[], results: [] as string[][] };
  const parts: Talk = {
    async *request(rounds, mayCall) {
      await Promise.resolve();
      seen.mayCall.push(mayCall);
      seen.results.push(rounds.flatMap((round) => round.results));
      yield* script[Math.min(rounds.length, script.length - 1)] ?? [];
    },
    invoke: (_, tokens) => {
      seen.granted.push(tokens);
      return Promise.resolve(result(tokens));
    },
    count: (text) => Promise.resolve(text.length),
    say: (text) => {
      seen.said += text;
    },
    isCancelled: () => false,
  };
  return { parts, seen };
}

const say = (text: string): Piece => ({ kind: "text", text });
const call = (name: string): Piece => ({ kind: "call", call: { id: name, name, input: {} } });

describe("converse", () => {
  it("hands results back until the model answers", async () => {
    const { parts, seen } = talk([[say("Let me look. "), call("a"), call("b")], [call("c")], [say("Done.")]]);
    const { rounds, stopped } = await converse(parts, 10_000);
    expect(seen.said).toBe("Let me look. Done.");
    expect(seen.results).toEqual([[], ["fine", "fine"], ["fine", "fine", "fine"]]);
    expect([rounds.length, stopped]).toEqual([3, undefined]);
  });

  it("never has more results than there is room for", async () => {
    const room = 5_000;
    const { parts, seen } = talk([[call("a"), call("b")]], (tokens) => "x".repeat(tokens * 3));
    const { rounds, stopped } = await converse(parts, room);
    const total = rounds.flatMap((round) => round.results).join("").length;
    expect(total).toBeLessThanOrEqual(room);
    expect(stopped).toBe("room");
    expect(seen.mayCall.at(-1)).toBe(false);
    expect(seen.granted[0]).toBeLessThanOrEqual(room / 2);
  });

  it("ends with a model that calls tools for ever", async () => {
    const { parts, seen } = talk([[call("a")]], () => "");
    const { stopped } = await converse(parts, 1_000_000);
    expect([stopped, seen.mayCall.length]).toEqual(["rounds", MOST_ROUNDS + 1]);
  });

  it("stops when the person does", async () => {
    const { parts, seen } = talk([[call("a")]]);
    await converse({ ...parts, isCancelled: () => true }, 10_000);
    expect(seen.granted).toEqual([]);
  });
});

describe("newestThatFit", () => {
  const turns: Turn[] = ["q1", "a1", "q2", "a2"].map((text, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    text,
  }));

  it("keeps whole questions with their answers, the newest", () => {
    const texts = (room: number) => newestThatFit(turns, [10, 10, 10, 10], room).map(({ text }) => text);
    expect(texts(100)).toEqual(["q1", "a1", "q2", "a2"]);
    expect(texts(30)).toEqual(["q2", "a2"]);
    expect(texts(10)).toEqual([]);
    expect(texts(0)).toEqual([]);
  });
});

describe("the last message", () => {
  it("has the context first and the question last, and nothing that is empty", () => {
    const text = lastMessage({ live: "# Live Context\nx", window: "", attached: [" ", "file"], question: "why?" });
    expect(text).toBe("# Live Context\nx\n\nfile\n\n# Question\nwhy?");
  });

  it("leaves most of a model to the tools, whatever its size", () => {
    for (const size of [0, 1_000, 16_000, 60_000, 1_000_000]) {
      const { live, window, history } = sharesOf(size);
      expect(live + window + history).toBeLessThanOrEqual(size * 0.65);
    }
  });
});

describe("places", () => {
  const answer = JSON.stringify({
    ok: true,
    data: {
      filePath: "app/a.ts",
      declarations: [
        { name: "Cart", startLine: 3, children: [{ name: "total", startLine: 5 }] },
        { name: "other", startLine: 9, filePath: "app/b.ts" },
      ],
    },
  });

  it("are where declarations say, or what they are in", () => {
    expect(placesIn(answer)).toEqual([
      { name: "Cart", filePath: "app/a.ts", line: 3 },
      { name: "total", filePath: "app/a.ts", line: 5 },
      { name: "other", filePath: "app/b.ts", line: 9 },
    ]);
    expect(placesIn("// no JSON")).toEqual([]);
  });

  it("are offered where the answer names them", () => {
    const names = (text: string) => mentioned(text, placesIn(answer), 8).map(({ name }) => name);
    expect(names("`Cart` has `Cart.total(x)` and `Cart`; total alone is no name, `unknown` neither.")).toEqual([
      "Cart",
      "total",
    ]);
    expect(mentioned("`Cart` `total` `other`", placesIn(answer), 2).length).toBe(2);
  });
});
