import { describe, expect, it } from "vitest";

import { quotaLeft, textGroups, textList, type TextState } from "../../../extension/core/semantics";
import { dataWith } from "../answers";

const type = (typeId: string, path: string, detail?: string) => ({
  filePath: "app/",
  resolved: { path, typeId, kind: "class" },
  ...(detail === undefined ? {} : { detail }),
});
const listOf = (state: TextState, list: object[], listTotal = list.length) =>
  textList(state, dataWith("codecortex_status", { list, listTotal }));

const LISTS = [
  listOf("cached", [type("T_1", "Shop.Cart")]),
  listOf("pending", [type("T_2", "Shop.Order")]),
  listOf("none", [type("T_4", "Shop.Tax")]),
  listOf("failed", [type("T_3", "Shop.Price", "the <model> said nothing")]),
  listOf("generating", []),
  listOf("stale", [type("T_5", "Shop.Line", "Late."), { filePath: "app/no-type.cs" }]),
];

describe("types by where their texts stand", () => {
  it("are in groups, what asks for attention first", () => {
    const groups = textGroups(LISTS);
    expect(groups.map(({ label, entries }) => [label, ...entries.map((entry) => entry.label)])).toEqual([
      ["Failed", "Price"],
      ["Waiting", "Order"],
      ["Stale", "Line"],
      ["Fresh", "Cart"],
      ["Not Described", "Tax"],
    ]);
    expect(groups.filter(({ isFolded }) => isFolded).map(({ state }) => state)).toEqual(["cached", "none"]);
  });

  it("say why the last attempt failed, as text", () => {
    const [failed] = textGroups(LISTS);
    expect(failed?.entries).toEqual([
      {
        key: "app/T_3",
        id: "T_3",
        symbol: "Shop.Price",
        kind: "class",
        state: "failed",
        lastError: "the <model> said nothing",
        label: "Price",
        description: "The <model> said nothing",
        tooltip: "**Shop.Price** · class  \nThe \\<model\\> said nothing",
        icon: "symbol-class",
      },
    ]);
  });

  it("are counted beyond what is listed", () => {
    const [group] = textGroups([listOf("none", [type("T_1", "A.B")], 1_000)]);
    expect([group?.count, group?.entries.length]).toEqual([1_000, 1]);
  });

  it("are none where nothing is listed", () => {
    expect(textGroups([textList("cached", dataWith("codecortex_status", {}))])).toEqual([]);
  });
});

describe("what quotas leave", () => {
  const now = 100 * 60 * 60_000 + 1;
  const hour = 60 * 60_000;
  const state = JSON.stringify({
    modelUsage: {
      hours: [
        [99 * hour, { calls: 5, tokens: 7_000 }],
        [100 * hour, { calls: 2, tokens: 1_500 }],
      ],
    },
  });

  it("is said by hour and day, in requests and tokens", () => {
    expect(quotaLeft({ callsPerHour: 10, tokensPerDay: 10000 }, state, now)).toEqual([
      "Left this hour: 8 of 10 requests.",
      "Left this day: 1,500 of 10,000 tokens.",
    ]);
    expect(quotaLeft({ callsPerDay: 3 }, state, now)).toEqual(["Left this day: 0 of 3 requests."]);
  });

  it("is nothing to say where there are none, or no file to read", () => {
    expect(quotaLeft({}, state, now)).toEqual([]);
    expect(quotaLeft({ callsPerDay: "3" }, "", now)).toEqual([]);
  });
});
