import { expect, it } from "vitest";

import { Addresses } from "../../../extension/core/addresses";

it("remembers the addresses that were named last", () => {
  const addresses = new Addresses<number>();
  for (let at = 0; at < 1_024; at += 1) {
    addresses.note(`/jdt:/${at}`, at);
  }
  addresses.note("/jdt:/0", 7);
  addresses.note("/jdt:/more", 8);
  expect(addresses.of("/jdt:/0")).toBe(7);
  expect(addresses.of("/jdt:/1")).toBeUndefined();
  expect(addresses.of("/jdt:/2")).toBe(2);
});
