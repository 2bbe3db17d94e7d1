/** The dependency graph of the page: what is asked, what becomes of an answer, search, keys, starts of menus. */
import { describe, expect, it } from "vitest";

import { dataWith } from "../answers";
import {
  changedPlaces,
  graphArguments,
  graphView,
  matching,
  neighboursOf,
  nodeTowards,
  requestFor,
  sentenceOf,
  startOfItem,
  titleOf,
} from "../../../extension/core/graphView";

const ANSWER = dataWith("codecortex_exportGraph", {
  total: 5,
  dependencies: 4,
  cycles: 1,
  leftOut: 1,
  types: [
    { id: "T_a", path: "Shop.Order", kind: "class", filePath: "app/src/Order.cs", cycle: 1 },
    { id: "T_b", path: "Shop.Line", kind: "class", filePath: "app/src/Line.cs", cycle: 1, distance: 1 },
    { id: "T_c", path: "Shop.OrderPage", kind: "class", filePath: "app/web/Page.cs", distance: 1 },
    { id: "T_d", path: "Web.Base", kind: "interface", filePath: "app/web/Base.cs", distance: 2 },
  ],
  edges: [
    { from: "T_a", to: "T_b" },
    { from: "T_b", to: "T_a" },
    { from: "T_c", to: "T_a" },
    { from: "T_c", to: "T_d", base: true },
    { from: "T_c", to: "T_gone" },
  ],
});
const SYMBOL = { kind: "symbol", symbol: "T_a", label: "Order" } as const;

describe("a graph's view", () => {
  it("has nodes by place, marks start, bases and cycles, and says what is not shown", () => {
    const view = graphView(ANSWER, requestFor(SYMBOL));
    expect(view.title).toBe("Order");
    expect(view.summary).toBe("5 types, 4 dependencies, 1 cycle, 1 not shown.");
    expect(view.nodes.map(({ name, isStart }) => [name, isStart])).toEqual([
      ["Order", true],
      ["Line", false],
      ["OrderPage", false],
      ["Base", false],
    ]);
    expect(view.edges).toEqual([
      { from: 0, to: 1, isBase: false, isInCycle: true, count: 1 },
      { from: 1, to: 0, isBase: false, isInCycle: true, count: 1 },
      { from: 2, to: 0, isBase: false, isInCycle: false, count: 1 },
      { from: 2, to: 3, isBase: true, isInCycle: false, count: 1 },
    ]);
  });

  it("of a whole workspace has no start; of modules it has their folders and counts", () => {
    expect(graphView(ANSWER, requestFor({ kind: "all" })).nodes.some(({ isStart }) => isStart)).toBe(false);
    const data = dataWith("codecortex_exportGraph", {
      total: 1,
      dependencies: 0,
      cycles: 0,
      leftOut: 0,
      types: [{ id: "M_a", path: "app/src/Orders", kind: "module", types: 3 }],
      edges: [],
    });
    const view = graphView(data, { ...requestFor({ kind: "all" }), level: "module" });
    expect(view.summary).toBe("1 module, 0 dependencies, 0 cycles.");
    expect(view.nodes[0]).toMatchObject({ name: "src/Orders", file: "app/src/Orders", types: 3 });
    const [node] = view.nodes;
    expect(node && sentenceOf(node, { needs: [], neededBy: [] })).toBe(
      "src/Orders, module of 3 types, needs 0, needed by 0",
    );
  });

  it("takes starts that the answer does not tell", () => {
    const view = graphView(ANSWER, requestFor({ kind: "changes" }), new Set(["T_d"]));
    expect(view.nodes.filter(({ isStart }) => isStart).map(({ id }) => id)).toEqual(["T_d"]);
  });

  it("knows neighbours, and says them", () => {
    const view = graphView(ANSWER, requestFor(SYMBOL));
    const neighbours = neighboursOf(view);
    expect(neighbours[0]).toEqual({ needs: [1], neededBy: [1, 2] });
    const [node, near] = [view.nodes[0], neighbours[0]];
    expect(node && near && sentenceOf(node, near)).toBe("Order, class, needs 1, needed by 2, in cycle 1, start");
  });
});

describe("a request", () => {
  it("becomes the tool's arguments", () => {
    const common = { notation: "json", limit: 2_000, level: "type" };
    expect(graphArguments(requestFor(SYMBOL))).toEqual({ ...common, symbol: "T_a", direction: "both", depth: 1 });
    expect(graphArguments({ ...requestFor({ kind: "all" }), depth: 3 })).toMatchObject({ ...common, depth: 0 });
    expect(graphArguments(requestFor({ kind: "folder", folder: "app/src" }))).toMatchObject({ folder: "app/src" });
    const changes = requestFor({ kind: "changes" });
    expect(graphArguments(changes, ["app/a.cs:3"])).toMatchObject({ symbols: ["app/a.cs:3"], direction: "in" });
    expect(graphArguments(changes)).toBeUndefined();
  });

  it("keeps whether modules are shown when all are, and has a title", () => {
    const modules = { ...requestFor({ kind: "all" }), level: "module" as const };
    expect(requestFor({ kind: "all" }, modules).level).toBe("module");
    expect(requestFor(SYMBOL, modules).level).toBe("type");
    expect(titleOf(requestFor({ kind: "changes" }))).toBe("Uncommitted changes");
    expect(titleOf(requestFor({ kind: "folder", folder: "app/src" }))).toBe("app/src");
  });
});

describe("a search", () => {
  const { nodes } = graphView(ANSWER, requestFor(SYMBOL));

  it("finds names and paths, the best first", () => {
    expect(matching(nodes, " order ")).toEqual([0, 2]);
    expect(matching(nodes, "page")).toEqual([2]);
    expect(matching(nodes, "web.")).toEqual([3]);
    expect(matching(nodes, "  ")).toEqual([]);
    expect(matching(nodes, "nothing")).toEqual([]);
  });
});

describe("an arrow key", () => {
  //  1       3
  //      0       (4 alone, below)
  //  2
  const places = [
    { x: 0, y: 0 },
    { x: -100, y: -40 },
    { x: -100, y: 60 },
    { x: 100, y: -40 },
    { x: 10, y: 200 },
  ];
  const none = { needs: [], neededBy: [] };
  const neighbours = [
    { needs: [3], neededBy: [1, 2] },
    { needs: [0], neededBy: [] },
    { needs: [0], neededBy: [] },
    { needs: [], neededBy: [0] },
    none,
  ];

  it("leads to the nearest neighbour on its side, and nowhere where none is", () => {
    expect(nodeTowards("left", 0, places, neighbours)).toBe(1);
    expect(nodeTowards("right", 0, places, neighbours)).toBe(3);
    expect(nodeTowards("right", 3, places, neighbours)).toBeUndefined();
  });

  it("leads up and down to the nearest node, as no dependency may", () => {
    expect(nodeTowards("down", 1, places, neighbours)).toBe(0);
    expect(nodeTowards("down", 2, places, neighbours)).toBe(4);
    expect(nodeTowards("up", 4, places, neighbours)).toBe(0);
    expect(nodeTowards("up", 1, [], [])).toBeUndefined();
  });
});

describe("the start of a menu's item", () => {
  it("is a piece of the prompt window, a change, or a unit of a review", () => {
    expect(startOfItem({ codecortexId: "T_a", codecortexSymbol: "Shop.Order" })).toEqual(SYMBOL);
    expect(startOfItem({ codecortexId: "file:src/a.cs", codecortexSymbol: "src/a.cs" })).toEqual({
      kind: "folder",
      folder: "src/a.cs",
    });
    expect(startOfItem({ codecortexId: "file:a.cs", codecortexSymbol: "a.cs", codecortexFolder: "lib" })).toEqual({
      kind: "folder",
      folder: "lib/a.cs",
    });
    expect(startOfItem({ typeId: "T_a", symbol: "Shop.Order" })).toEqual(SYMBOL);
    expect(startOfItem({ typeId: "T_m", symbol: "src/a", filePath: "app/src/a.ts", isModule: true })).toEqual({
      kind: "folder",
      folder: "app/src/a.ts",
    });
    expect(startOfItem({ filePath: "src/a.cs", line: 7, label: "Order.Add" })).toEqual({
      kind: "symbol",
      symbol: "src/a.cs:7",
      label: "Order.Add",
    });
    expect(startOfItem({})).toBeUndefined();
    expect(startOfItem({ codecortexId: 3 })).toBeUndefined();
  });

  it("of a change is each place of its units that is there now", () => {
    const unit = (file_path: string, patch_type: string, new_compact: string) => ({
      file_path,
      patch_type,
      line_numbers: { new_compact },
    });
    const units = [unit("a.cs", "modify", "L3-L9,L20"), unit("b.cs", "delete", ""), unit("a.cs", "modify", "L20")];
    expect(changedPlaces(units)).toEqual(["a.cs:3", "a.cs:9", "a.cs:20"]);
  });
});
