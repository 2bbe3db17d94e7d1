/** A tool whose schema is another than in the last release stands in CHANGELOG.md (SPEC TC6). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Of each tool its arguments, of each argument its type in words. */
type Schemas = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The tools of docs/tools.md, which is generated from the schemas, arguments that are only taken and not listed included. */
function schemasOf(page: string): Schemas {
  const sections = page.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const [name = ""] = section.split("\n");
      const table = /^\| argument \|.*\n\| --- .*\n((?:\|.*\n)*)/m.exec(section)?.[1] ?? "";
      const rows = table.split("\n").filter((row) => row !== "");
      const cells = rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
      return [
        name,
        Object.fromEntries(cells.map(([, argument = "", type = ""]) => [argument.replaceAll("`", ""), type])),
      ];
    }),
  );
}

/** What differs, as tools and, where both have the tool, arguments. */
function differences(before: Schemas, now: Schemas): [tool: string, argument?: string][] {
  const tools = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return tools.flatMap((tool): [string, string?][] => {
    const [old, young] = [before[tool], now[tool]];
    if (!old || !young) {
      return [[tool]];
    }
    const names = [...new Set([...Object.keys(old), ...Object.keys(young)])];
    return names
      .filter((name) => old[name] !== young[name])
      .map((name): [string, string] => [tool, name.replace(/ \(required\)$/, "")]);
  });
}

/** The entries of what is not released yet, each on one line. */
function unreleased(changelog: string): string[] {
  const section = /^## Unreleased\n([\s\S]*?)(?=^## )/m.exec(changelog)?.[1] ?? "";
  return section.split(/^- /m).map((entry) => entry.replaceAll(/\s+/g, " "));
}

/** The differences that no entry names: an argument in one that names the tool, or speaks of all tools. */
function unnamed(before: Schemas, now: Schemas, changelog: string): string[] {
  const entries = unreleased(changelog);
  const names = (entry: string, name: string): boolean => new RegExp(`\`${name}(?:\`|:)`).test(entry);
  return differences(before, now)
    .filter(
      ([tool, argument]) =>
        !entries.some((entry) =>
          argument === undefined
            ? names(entry, tool)
            : names(entry, argument) && (names(entry, tool) || entry.startsWith("All tools ")),
        ),
    )
    .map((difference) => difference.join(" "));
}

describe("CHANGELOG.md", () => {
  const released = JSON.parse(read("test/fixtures/released-tools.json")) as Schemas;
  const today = schemasOf(read("docs/tools.md"));

  it("names each tool and argument that the last release has otherwise", () => {
    expect(unnamed(released, today, read("CHANGELOG.md"))).toEqual([]);
  });

  it("is compared with every tool of the package", () => {
    const manifest = JSON.parse(read("package.json")) as {
      contributes: { languageModelTools: { name: string; inputSchema: { properties?: object } }[] };
    };
    // AngelScript's are others of the same tools
    const tools = manifest.contributes.languageModelTools.filter(({ name }) => !name.startsWith("angelscript_"));
    expect(Object.keys(today).sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, inputSchema } of tools) {
      const taken = Object.keys(today[name] ?? {}).map((argument) => argument.replace(/ \(required\)$/, ""));
      expect(taken).toEqual(expect.arrayContaining(Object.keys(inputSchema.properties ?? {})));
    }
  });
});

describe("the check", () => {
  const before: Schemas = { look: { path: "string", kind: "`a` `b`" } };
  const log = (entries: string): string =>
    `# Changelog\n\n## Unreleased\n\n${entries}\n## 0.1.0\n\n- \`other\` \`kind\`\n`;

  it("finds tools and arguments that are new, other or gone", () => {
    const now: Schemas = { look: { "path (required)": "string", kind: "`a`", depth: "number" }, other: {} };
    expect(unnamed(before, now, log("- Nothing.\n"))).toEqual([
      "look path",
      "look kind",
      "look path",
      "look depth",
      "other",
    ]);
    expect(unnamed(before, {}, log(""))).toEqual(["look"]);
    expect(unnamed(before, before, log(""))).toEqual([]);
  });

  it("takes what one entry says of the tool or of all tools", () => {
    const now: Schemas = { look: { path: "string", kind: "`a`" } };
    expect(unnamed(before, now, log("- `look` has a `path`.\n- `kind` is `a`.\n"))).toEqual(["look kind"]);
    expect(unnamed(before, now, log('- `look` with\n  `kind: "a"`.\n'))).toEqual([]);
    expect(unnamed(before, now, log("- All tools do without `kind`.\n"))).toEqual([]);
  });
});
