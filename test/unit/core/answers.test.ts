import { describe, expect, it } from "vitest";

import {
  definitions,
  described,
  nested,
  outline,
  related,
  relatives,
  searched,
  symbolAt,
  type Outlined,
} from "../../../extension/core/answers";
import { dataWith } from "../answers";

const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 4 } });
const declared = (name: string, line: number) => ({
  name,
  kind: "method",
  path: `N.${name}`,
  filePath: "app/a.cs",
  range: range(line),
  nameRange: range(line),
});

describe("answers", () => {
  it("give related declarations with their sites, where there are any", () => {
    const references = (fields: object) => dataWith("codecortex_findReferences", fields);
    const site = { filePath: "app/a.cs", range: range(3) };
    const [called, implemented] = [{ ...declared("Add", 1), sites: [site] }, declared("Sum", 2)];
    expect(related(references({ declarations: [called, implemented] }))).toEqual([
      called,
      { ...implemented, sites: [] },
    ]);
    expect(related(references({}))).toEqual([]);
  });

  it("give the symbol at a place with all its declarations", () => {
    const definition = { filePath: "app/a.cs", range: range(1), nameRange: range(2) };
    const symbol = {
      kind: "method",
      name: "Add",
      path: "N.Add",
      signature: "int Add()",
      definition,
      definitions: [definition],
    };
    const position = (fields: object) => dataWith("codecortex_resolveSymbolAtPosition", fields);
    const data = position({ resolved: { path: "N.Add", typeId: "T_1", memberId: "M_1" }, symbol });
    expect(definitions(data)).toHaveLength(2);
    expect(definitions(data)[0]).toEqual({ filePath: "app/a.cs", range: range(2), whole: range(1) });
    expect(symbolAt(data)).toMatchObject({ name: "Add", kind: "method", id: "M_1", nameRange: range(2) });
    expect(described(data)).toEqual({ signature: "int Add()", doc: "" });
    // By the name alone, one declaration is worth showing, one of several is a guess.
    const named = { ...definition, tier: "name" };
    expect(described(position({ symbol: { ...symbol, definition: named } }))).toBeUndefined();
    expect(described(position({ symbol: { ...symbol, definition: named, definitions: [] } }))).toBeDefined();
    const local = position({ symbol: { ...symbol, signature: undefined } });
    expect([symbolAt(local), described(local)]).toEqual([undefined, undefined]);
  });

  it("give search results and relatives of a type", () => {
    const item = { name: "A", kind: "class", path: "N.A", filePath: "app/a.cs", nameRange: range(5) };
    expect(searched(dataWith("codecortex_searchApi", { items: [item, { ...item, nameRange: undefined }] }))).toEqual([
      item,
    ]);
    const data = dataWith("codecortex_getClassHierarchy", {
      root: "N.A",
      basesByClass: { "N.A": ["N.Base", "External"], "N.Base": ["N.Top"] },
      sourceByClass: { "N.Base": { source: "csharp", filePath: "app/b.cs", nameRange: range(1) } },
    });
    expect(relatives(data, "basesByClass").map(({ name, filePath }) => [name, filePath])).toEqual([
      ["Base", "app/b.cs"],
    ]);
    expect(relatives(data, "derivedByParent")).toEqual([]);
  });

  it("make a tree of declarations by depth, also where a depth is missing", () => {
    const entry = (name: string, depth: number) => ({
      name,
      kind: "class",
      depth,
      range: range(0),
      nameRange: range(0),
    });
    const declarations = [entry("a", 0), entry("b", 1), entry("c", 3), entry("d", 1), entry("e", 0)];
    const flat = outline(dataWith("codecortex_getOutline", { declarations }));
    const make = ({ name }: Outlined, children: string[]) =>
      children.length === 0 ? name : `${name}(${children.join(" ")})`;
    expect(nested(flat, make)).toEqual(["a(b(c) d)", "e"]);
    expect(nested([], make)).toEqual([]);
  });
});
