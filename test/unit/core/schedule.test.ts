import { describe, expect, it } from "vitest";

import { HoldMeter, Slices } from "../../../extension/core/schedule";

/** A clock that only moves when a test says so, and a queue of deferred slices. */
function setUp() {
  const clock = { ms: 0 };
  const deferred: (() => void)[] = [];
  const failures: string[] = [];
  const meter = new HoldMeter(() => clock.ms);
  const slices = new Slices(
    meter,
    () => clock.ms,
    (run) => deferred.push(run),
    (name, error) => failures.push(`${name}: ${String(error)}`),
  );
  const work = (ms: number) => () => {
    clock.ms += ms;
  };
  const runAll = () => {
    let count = 0;
    for (let run = deferred.shift(); run; run = deferred.shift()) {
      run();
      count += 1;
    }
    return count;
  };
  return { clock, deferred, failures, meter, slices, work, runAll };
}

describe("Slices", () => {
  it("holds the thread for at most the budget and one piece", () => {
    const { slices, meter, work, runAll } = setUp();
    for (let piece = 0; piece < 20; piece += 1) {
      slices.add(`piece ${piece}`, work(1));
    }
    expect(runAll()).toBe(10);
    expect(meter.longest.ms).toBeLessThanOrEqual(2.5);
    expect(meter.activationMs).toBe(20);
  });

  it("runs pieces in order, those added by a piece last", () => {
    const { slices, runAll } = setUp();
    const order: string[] = [];
    slices.add("a", () => {
      order.push("a");
      slices.add("c", () => order.push("c"));
    });
    slices.add("b", () => order.push("b"));
    runAll();
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("goes on after a piece that throws", () => {
    const { slices, failures, runAll } = setUp();
    let after = false;
    slices.add("bad", () => {
      throw new Error("no");
    });
    slices.add("good", () => {
      after = true;
    });
    runAll();
    expect(failures).toEqual(["bad: Error: no"]);
    expect(after).toBe(true);
  });

  it("says when it is drained, also after being disposed", async () => {
    const { slices, work, runAll } = setUp();
    await slices.drained();
    slices.add("piece", work(1));
    const drained = slices.drained();
    runAll();
    await drained;
    slices.add("never", () => {
      throw new Error("ran after dispose");
    });
    const second = slices.drained();
    slices.dispose();
    await second;
    slices.add("later", work(1));
    await slices.drained();
  });
});

describe("HoldMeter", () => {
  it("counts nested work once, under the outer name", () => {
    const { clock, meter } = setUp();
    meter.measure("outer", () => {
      clock.ms += 2;
      meter.measure("inner", () => (clock.ms += 3));
    });
    expect(meter.holds()).toEqual([{ name: "outer", ms: 5 }]);
  });

  it("forgets the longest holds, not the cost of activation", () => {
    const { clock, meter } = setUp();
    meter.measure("old", () => (clock.ms += 9));
    meter.restart();
    meter.measure("new", () => (clock.ms += 2));
    expect(meter.longest).toEqual({ name: "new", ms: 2 });
    expect(meter.activationMs).toBe(11);
  });

  it("keeps the worst of each name and freezes the cost of activation", () => {
    const { clock, meter } = setUp();
    for (const ms of [1, 4, 2]) {
      meter.measure("edit", () => (clock.ms += ms));
    }
    meter.activated();
    meter.measure("late", () => (clock.ms += 9));
    meter.activated();
    expect(meter.activationMs).toBe(7);
    expect(meter.holds()).toEqual([
      { name: "late", ms: 9 },
      { name: "edit", ms: 4 },
    ]);
  });

  it("measures work that throws", () => {
    const { clock, meter } = setUp();
    expect(() =>
      meter.measure("bad", () => {
        clock.ms += 3;
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(meter.longest).toEqual({ name: "bad", ms: 3 });
  });
});
