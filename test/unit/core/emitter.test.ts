import { describe, expect, it } from "vitest";

import { Emitter } from "../../../extension/core/emitter";

function setUp() {
  const failures: unknown[] = [];
  const emitter = new Emitter<number>((error) => failures.push(error));
  const heard: string[] = [];
  const listen = (name: string) => emitter.event((value) => heard.push(`${name} ${value}`));
  return { emitter, failures, heard, listen };
}

describe("an emitter", () => {
  it("tells everybody who listens, in their order, until they do no more", () => {
    const { emitter, heard, listen } = setUp();
    const first = listen("a");
    listen("b");
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    emitter.dispose();
    emitter.fire(3);
    expect(heard).toEqual(["a 1", "b 1", "b 2"]);
  });

  it("takes a function twice as two listeners", () => {
    const { emitter } = setUp();
    let count = 0;
    const add = () => {
      count += 1;
    };
    const [one] = [emitter.event(add), emitter.event(add)];
    emitter.fire(1);
    one.dispose();
    emitter.fire(2);
    expect(count).toBe(3);
  });

  it("goes on where a listener fails, and where one comes or goes meanwhile", () => {
    const { emitter, failures, heard, listen } = setUp();
    emitter.event(() => {
      throw new Error("broken");
    });
    const passing = emitter.event(() => {
      passing.dispose();
      listen("late");
    });
    listen("b");
    emitter.fire(1);
    emitter.fire(2);
    expect(heard).toEqual(["b 1", "b 2", "late 2"]);
    expect(failures.length).toBe(2);
  });
});
