/** What the view "Changes" shows, made of answers of the engine. */
import { describe, expect, it } from "vitest";

import { changeGroups } from "../../../extension/core/changes";
import { dataOf } from "../../../extension/core/envelope";
import { absolutePath, withoutOnlyRoot } from "../../../extension/core/roots";
import { simpleName } from "../../../extension/core/symbolNames";
import { dataWith } from "../answers";

const change = (path: string, changeClass: string, more: object = {}) => ({
  path,
  kind: "class",
  typeId: `T_${path}`,
  changeClass,
  filePath: "app/src/Store.cs",
  revision: 7,
  ...more,
});

const page = (fields: object) => dataWith("codecortex_changes", fields);

describe("groups of changes", () => {
  it("come with the gravest first, what is stale before all, and none that is empty", () => {
    const groups = changeGroups([
      page({
        totalByClass: { Cosmetic: 1, Structure: 2, added: 1 },
        changes: [
          change("A.Looks", "Cosmetic"),
          change("A.Other", "Structure"),
          change("A.New", "added"),
          change("A.Store", "Structure", { classes: ["Structure", "Docs"] }),
        ],
        stale: [{ symbol: "A.Old", typeId: "T_old", semanticState: "stale", classes: ["PublicBehavior"] }],
      }),
    ]);
    expect(groups.map(({ id, count, entries }) => [id, count, entries.map(({ label }) => label)])).toEqual([
      ["stale", 1, ["Old"]],
      ["Structure", 2, ["Other", "Store"]],
      ["added", 1, ["New"]],
      ["Cosmetic", 1, ["Looks"]],
    ]);
    expect(groups[0]?.isWarning).toBe(true);
    expect(groups[0]?.entries[0]).toMatchObject({ description: "A.Old", typeId: "T_old" });
    expect(groups[0]?.entries[0]?.tooltip).toBe("**A.Old**  \nDescription stale  \nPublic behaviour");
    const [, store] = groups[1]?.entries ?? [];
    expect(store).toMatchObject({ description: "app/src/Store.cs", symbol: "A.Store", icon: "symbol-class" });
    expect(store?.tooltip).toBe("**A.Store** · class  \nStructure · Docs  \napp/src/Store.cs  \nRevision 7");
  });

  it("count what is on pages that were not fetched", () => {
    const [group] = changeGroups([
      page({ totalByClass: { Internal: 900 }, changes: [change("A", "Internal")] }),
      page({ totalByClass: { Internal: 900 }, changes: [change("B", "Internal")] }),
    ]);
    expect([group?.count, group?.entries.length]).toEqual([900, 2]);
    const [stale] = changeGroups([
      page({ stale: [{ symbol: "A", typeId: "T_1", semanticState: "stale" }], staleTotal: 300 }),
    ]);
    expect([stale?.id, stale?.count, stale?.entries.length]).toEqual(["stale", 300, 1]);
  });

  it("show a module as its file, and lead nowhere from what is gone", () => {
    const groups = changeGroups([
      page({
        changes: [
          change("tools.import_orders", "Docs", { kind: "module", filePath: "app/tools/import_orders.py" }),
          change("A.Gone", "removed"),
        ],
      }),
    ]);
    const [gone, module] = groups.map(({ entries }) => entries[0]);
    expect(module).toMatchObject({ label: "import_orders.py", isModule: true, icon: "symbol-file" });
    expect(gone).not.toHaveProperty("typeId");
  });

  it("survive answers that say nothing, and Markdown in names", () => {
    expect(changeGroups([])).toEqual([]);
    expect(changeGroups([page({})])).toEqual([]);
    const [group] = changeGroups([page({ changes: [change("A._b_<script>[x](y)`", "Docs")] })]);
    expect(group?.entries[0]?.tooltip).toContain("A.\\_b\\_\\<script\\>\\[x\\]\\(y\\)\\`");
  });

  it("have lines that stay the same while they are about the same", () => {
    const ids = (revision: number) =>
      changeGroups([page({ changes: [change("A", "Docs", { revision }), change("B", "Docs", { revision })] })]).flatMap(
        ({ entries }) => entries.map(({ id }) => id),
      );
    expect(ids(1)).toEqual(ids(2));
    expect(new Set(ids(1)).size).toBe(2);
  });
});

describe("names and places", () => {
  it("are the last name of any language's path", () => {
    for (const [path, name] of [
      ["Shop.Orders.Order", "Order"],
      ["lib::Store", "Store"],
      ["A.B+C", "C"],
      ["web/src/cart.Cart", "Cart"],
      ["Order", "Order"],
      ["", ""],
    ]) {
      expect(simpleName(path ?? "")).toBe(name);
    }
  });

  it("are absolute where a root has them", () => {
    const roots = [
      { name: "app", path: "/code/app" },
      { name: "app-2", path: "/other/app" },
    ];
    expect(absolutePath("app/src/a.ts", roots)).toBe("/code/app/src/a.ts");
    expect(absolutePath("app-2/a.ts", roots)).toBe("/other/app/a.ts");
    expect(absolutePath("lib/a.ts", roots)).toBeUndefined();
    expect(absolutePath("", roots)).toBeUndefined();
  });

  it("are shown without the root where there is only one", () => {
    expect(withoutOnlyRoot("app/a.ts", [{ name: "app" }])).toBe("a.ts");
    expect(withoutOnlyRoot("apps/a.ts", [{ name: "app" }])).toBe("apps/a.ts");
    expect(withoutOnlyRoot("app/a.ts", [{ name: "app" }, { name: "lib" }])).toBe("app/a.ts");
    expect(withoutOnlyRoot("app/a.ts", [])).toBe("app/a.ts");
  });

  it("come out of an envelope, or the reason why not", () => {
    const read = (json: string | null | undefined) => dataOf({ ok: true, json });
    expect(read('{"ok":true,"data":{"total":1}}')).toEqual({ data: { total: 1 } });
    expect(read('{"ok":false,"error":{"message":"Gone."}}')).toEqual({ problem: "Gone." });
    for (const none of [undefined, null, "", "{", "7", "null", '{"ok":false,"error":{}}']) {
      expect(read(none)).toHaveProperty("problem");
      expect(read(none)).not.toHaveProperty("data");
    }
  });
});
