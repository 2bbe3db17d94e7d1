/** README says what the package has, and gives only figures that docs/benchmarks.md has in a table (SPEC TC6, D6). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Manifest {
  contributes: {
    languageModelTools: { name: string; when?: string }[];
    configuration: { properties: Record<string, { default: unknown }> }[];
  };
}

interface Row {
  cells: string[];
  /** The cells of its table's first row. */
  head: string[];
}

const readme = read("README.md");
const manifest = JSON.parse(read("package.json")) as Manifest;

/** The rows of all tables of a text, the first row of each among them. */
function tableRows(text: string): Row[] {
  const rows: Row[] = [];
  let head: string[] | undefined;
  for (const line of text.split("\n")) {
    if (!line.startsWith("|")) {
      head = undefined;
    } else if (!/^[|\s:-]+$/.test(line)) {
      const cells = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      head ??= cells;
      rows.push({ cells, head });
    }
  }
  return rows;
}

/** The rows of README whose first cell is a name with this beginning. */
const named = (start: string): [name: string, second: string][] =>
  tableRows(readme).flatMap(({ cells: [first = "", second = ""] }) => {
    const name = /^`([^`]+)`$/.exec(first)?.[1];
    return name?.startsWith(start) ? [[name, second]] : [];
  });

describe("the table of tools", () => {
  const shown = named("codecortex_").map(([name]) => name);
  // AngelScript's names are others of the same tools (SPEC D16): docs/angelscript.md has them
  const tools = manifest.contributes.languageModelTools.filter(({ name }) => !name.startsWith("angelscript_"));

  it("has every tool of the package once", () => {
    expect([...shown].sort()).toEqual(tools.map(({ name }) => name).sort());
  });

  it("has those of the full profile behind the one that the sentence below it names", () => {
    const first = /^The tools from `(\w+)` on are listed only in the `full` profile/m.exec(readme)?.[1] ?? "";
    const full = tools.filter(({ when }) => when !== undefined).map(({ name }) => name);
    expect(shown.slice(shown.indexOf(first)).sort()).toEqual(full.sort());
  });
});

describe("the table of settings", () => {
  it("has every setting of the package with its default", () => {
    const properties = manifest.contributes.configuration.flatMap((group) => Object.entries(group.properties));
    const wanted = properties.map(([name, { default: value }]) => [name, printed(value)]);
    const shown = named("codecortex.").map(([name, value]) => [name, value.replaceAll("`", "")]);
    expect(shown.sort()).toEqual(wanted.sort());
  });
});

const printed = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** One number, or several of one unit: `34–42, 46–56 ms`. */
const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
const UNIT = String.raw`MB \/ M lines|[kM] lines|million lines|MB|GB|kB|ms|s|×|%|uses`;
const FIGURE = new RegExp(String.raw`(?<![\w.])(${NUMBER}(?:(?:–|, | \/ )${NUMBER})*) ?(${UNIT})(?![\w])`, "g");
/** A share of one; no version has three digits behind its only point. */
const F1 = /(?<![\w.])[01]\.\d{2,3}(?![\w.])/g;

interface Figure {
  number: string;
  /** What the row of the number, or the first row of its table, has to say too. */
  unit: string;
}

/** What of a text is a measurement: numbers with a unit, and in lines about F1 all shares. */
function figures(text: string): Figure[] {
  const lines = text.split("\n");
  const measured = lines.flatMap((line) =>
    [...line.matchAll(FIGURE)].flatMap(([, numbers = "", unit = ""]) =>
      (numbers.match(new RegExp(NUMBER, "g")) ?? []).map((number) => ({ number: number.replace(/,$/, ""), unit })),
    ),
  );
  const shares = lines
    .filter((line) => /\bF1\b/.test(line))
    .flatMap((line) => (line.match(F1) ?? []).map((number) => ({ number, unit: "F1" })));
  return [...measured, ...shares];
}

describe("figures", () => {
  const rows = tableRows(read("docs/benchmarks.md"));
  const has = (text: string, word: string): boolean =>
    new RegExp(String.raw`(?<![\w.,])${word.replace(/[.*+?^$()/\\]/g, "\\$&")}(?![\w]|[.,]\d)`).test(text);
  const isMeasured = ({ number, unit }: Figure): boolean =>
    rows.some(({ cells, head }) => {
      const row = cells.join(" | ");
      return has(row, number) && (has(row, unit) || has(head.join(" | "), unit));
    });

  for (const path of ["README.md", "CHANGELOG.md"]) {
    it(`of ${path} stand in a table of docs/benchmarks.md`, () => {
      expect(figures(read(path)).filter((figure) => !isMeasured(figure))).toEqual([]);
    });
  }

  it("are found where README has them", () => {
    const found = figures(readme);
    expect(found).toContainEqual({ number: "1.2", unit: "M lines" });
    expect(found.filter(({ unit }) => unit === "ms").length).toBeGreaterThan(8);
    expect(found.filter(({ unit }) => unit === "F1").length).toBeGreaterThan(2);
  });
});
