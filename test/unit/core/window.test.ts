/** What commands of the prompt window offer: targets of a cursor, found types, packs. */
import { describe, expect, it } from "vitest";

import { dataWith } from "../answers";
import { targetsAt } from "../../../extension/core/cursor";
import { isPackName, packs, packSummary } from "../../../extension/core/packs";
import { foundTypes } from "../../../extension/core/typeSearch";

const resolved = (path: string, typeId: string, memberId?: string) => ({ resolved: { path, typeId, memberId } });
const meant = (fields: object) => dataWith("codecortex_resolveSymbolAtPosition", fields);
const outlined = (fields: object) => dataWith("codecortex_getOutline", fields);

describe("targetsAt", () => {
  it("offers the name at the cursor, the member around it, its type, and the file", () => {
    const targets = targetsAt(
      "/code/app/src/a.cs",
      meant(resolved("App.Order.MoveTo", "T_1", "T_1_a")),
      outlined(resolved("App.Service.Place(int, App.Order)", "T_2", "T_2_b")),
    );
    expect(targets.map(({ name, label, description }) => [name, label, description])).toEqual([
      ["T_1_a", "MoveTo", "the name at the cursor · App.Order.MoveTo"],
      ["T_2_b", "Place(int, App.Order)", "around the cursor · App.Service.Place(int, App.Order)"],
      ["T_2", "Service", "around the cursor · App.Service"],
      ["/code/app/src/a.cs", "a.cs", "this file"],
    ]);
  });

  it("says where it is declared, which may be in another folder", () => {
    const symbol = { definition: { filePath: "lib/src/order.cs" } };
    const meaning = meant({ ...resolved("App.Order", "T_1"), symbol });
    const around = outlined({ ...resolved("App.Service", "T_2"), filePath: "app/src/a.cs" });
    expect(targetsAt("/code/app/src/a.cs", meaning, around).map(({ filePath }) => filePath)).toEqual([
      "lib/src/order.cs",
      "app/src/a.cs",
      "",
    ]);
  });

  it("offers nothing twice, and the file where the tools found nothing", () => {
    const type = resolved("App.Order", "T_1");
    expect(targetsAt("/a.cs", meant(type), outlined(type)).map(({ name }) => name)).toEqual(["T_1", "/a.cs"]);
    expect(targetsAt("/a.cs", undefined, outlined({ declarations: [] })).map(({ name }) => name)).toEqual(["/a.cs"]);
  });
});

describe("foundTypes", () => {
  it("has each type once, and no members", () => {
    const items = [
      { path: "App.Order", name: "Order", kind: "class", filePath: "app/a.cs", doc: "An order." },
      { path: "App.Order", name: "Order", kind: "class", filePath: "app/b.cs" },
      { path: "App.Order.Order", name: "Order", kind: "constructor", filePath: "app/a.cs" },
      { path: "OrderState", name: "OrderState", kind: "enum", filePath: "app/c.cs" },
    ];
    const [a, c] = ["app/a.cs", "app/c.cs"];
    expect(foundTypes(dataWith("codecortex_searchApi", { items }))).toEqual([
      {
        symbol: "App.Order",
        filePath: a,
        label: "Order",
        icon: "symbol-class",
        description: "App",
        detail: "An order.",
      },
      { symbol: "OrderState", filePath: c, label: "OrderState", icon: "symbol-enum", description: "", detail: c },
    ]);
    expect(foundTypes(dataWith("codecortex_searchApi", {}))).toEqual([]);
  });
});

describe("packs", () => {
  it("reads them, with the folder they are of", () => {
    const data = dataWith("codecortex_pack", {
      packs: [
        {
          name: "core",
          filePath: "my app/.context/packs/core.md",
          filter: "type:*",
          active: true,
          types: 1_200,
          tokenEstimate: 8_000,
        },
      ],
    });
    const [pack] = packs(data);
    expect(pack).toMatchObject({ name: "core", root: "my app", active: true, types: "1,200", tokens: "8,000" });
    expect(pack && packSummary(pack)).toBe("The pack core has 1,200 types in 8,000 tokens.");
    expect([packs(dataWith("codecortex_pack", {})), packs(undefined)]).toEqual([[], []]);
  });

  it("knows what a pack may be called", () => {
    expect(["core", "a-b_9", "x".repeat(64)].every(isPackName)).toBe(true);
    expect(["", "a b", "ä", "x".repeat(65), "../x"].some(isPackName)).toBe(false);
  });
});
