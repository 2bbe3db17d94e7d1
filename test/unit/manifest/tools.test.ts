/** The tools that package.json offers to a model in the default profile (SPEC X5, D16). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

interface Argument {
  description?: string;
}

interface Tool {
  name: string;
  when?: string;
  modelDescription: string;
  inputSchema: { properties: Record<string, Argument> };
}

const path = fileURLToPath(new URL("../../../package.json", import.meta.url));
const manifest = JSON.parse(readFileSync(path, "utf8")) as { contributes: { languageModelTools: Tool[] } };
const tools = manifest.contributes.languageModelTools.filter(({ when }) => when === undefined);

/** Tokens of what a model reads of a tool, as a quarter of its characters. */
const tokens = ({ name, modelDescription: description, inputSchema }: Tool): number =>
  JSON.stringify({ name, description, inputSchema }).length / 4;

describe("the default profile", () => {
  it("has at most 12 tools and 2,800 tokens", () => {
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.length).toBeLessThanOrEqual(12);
    expect(tools.map(tokens).reduce((sum, of) => sum + of, 0)).toBeLessThanOrEqual(2800);
  });

  it("describes each argument in a sentence", () => {
    const silent = tools.flatMap(({ name, inputSchema: { properties } }) =>
      Object.entries(properties)
        .filter(([, { description = "" }]) => !/[.…]$/.test(description))
        .map(([argument]) => `${name} ${argument}`),
    );
    expect(silent).toEqual([]);
  });
});

describe("descriptions", () => {
  it("name no point of the specification", () => {
    const all = manifest.contributes.languageModelTools;
    expect(all.filter((tool) => JSON.stringify(tool).includes("SPEC")).map(({ name }) => name)).toEqual([]);
  });
});
