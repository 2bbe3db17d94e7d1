import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { LOOK_AGAIN_MS, LOOKS_AFTER_MS, Offers, type OfferMode } from "../../../extension/core/offer";

const [FIRST, SECOND] = LOOKS_AFTER_MS;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const modes = new Map<string, OfferMode>();
  const served = new Set<string>();
  const asked: string[] = [];
  const disposed: string[] = [];
  const offers = new Offers(
    {
      mode: (language) => modes.get(language) ?? "auto",
      isServed: (language) => {
        asked.push(language);
        return served.has("broken") ? Promise.reject(new Error("no")) : Promise.resolve(served.has(language));
      },
      register: (language) => ({
        dispose: () => {
          disposed.push(language);
        },
      }),
    },
    Date.now,
  );
  return { modes, served, asked, disposed, offers, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

describe("offers", () => {
  it("come where nobody else serves a language, after a moment", async () => {
    const { offers, served, pass } = setUp();
    served.add("typescript");
    offers.seen("rust");
    offers.seen("typescript");
    expect(offers.offered()).toEqual([]);
    await pass(FIRST);
    expect(offers.offered()).toEqual(["rust"]);
    await pass(200_000);
    expect(offers.offered()).toEqual(["rust"]);
  });

  it("step back when a server was only slow, and do not come again by themselves", async () => {
    const { offers, served, asked, disposed, pass } = setUp();
    offers.seen("rust");
    await pass(FIRST);
    expect(offers.offered()).toEqual(["rust"]);
    served.add("rust");
    await pass(SECOND);
    expect([offers.offered(), disposed]).toEqual([[], ["rust"]]);
    const looks = asked.length;
    await pass(300_000);
    expect(asked.length).toBe(looks);
    served.clear();
    // The extension was taken away.
    offers.again();
    await pass(FIRST);
    expect(offers.offered()).toEqual(["rust"]);
  });

  it("look once more when documents come later, but not with each", async () => {
    const { offers, served, asked, pass } = setUp();
    offers.seen("go");
    await pass(300_000);
    const looks = asked.length;
    expect(looks).toBe(LOOKS_AFTER_MS.length);
    served.add("go");
    offers.seen("go");
    offers.seen("go");
    await pass(FIRST);
    expect([asked.length, offers.offered()]).toEqual([looks + 1, []]);
    offers.seen("go");
    await pass(LOOK_AGAIN_MS - FIRST - 1);
    expect(asked.length).toBe(looks + 1);
  });

  it("follow the setting at once", async () => {
    const { offers, modes, served, asked, pass } = setUp();
    modes.set("rust", "on").set("go", "off");
    served.add("rust");
    offers.seen("rust");
    offers.seen("go");
    await pass(200_000);
    expect([offers.offered(), asked]).toEqual([["rust"], []]);
    modes.set("rust", "off").set("go", "on");
    offers.again();
    expect(offers.offered()).toEqual(["go"]);
    modes.set("go", "auto");
    served.add("go");
    offers.again();
    await pass(FIRST);
    expect(offers.offered()).toEqual([]);
  });

  it("do not take a look for one that another setting has overtaken", async () => {
    const { offers, modes, pass } = setUp();
    offers.seen("rust");
    const looking = pass(FIRST);
    modes.set("rust", "off");
    await looking;
    expect(offers.offered()).toEqual([]);
  });

  it("take a failure for nobody, and end with the extension", async () => {
    const { offers, served, disposed, pass } = setUp();
    served.add("broken");
    offers.seen("rust");
    await pass(FIRST);
    expect(offers.offered()).toEqual(["rust"]);
    offers.dispose();
    expect(disposed).toEqual(["rust"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
