/** What the package tells Copilot Chat: files that are there, and tools that exist (SPEC X6, TC6). */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { offeredTools } from "../../../extension/core/manifest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Manifest {
  name: string;
  publisher: string;
  contributes: {
    languageModelTools: { name: string; toolReferenceName: string; when?: string }[];
    chatAgents: { path: string }[];
    chatSkills: { path: string }[];
    chatParticipants: { commands: { name: string }[] }[];
  };
}

const manifest = JSON.parse(read("package.json")) as Manifest;
const { languageModelTools: tools, chatAgents, chatSkills, chatParticipants } = manifest.contributes;
const byDefault = tools.filter(({ when }) => when === undefined);
const paths = [...chatAgents, ...chatSkills].map(({ path }) => path);

describe("the agent and the skill", () => {
  it("are in the package", () => {
    expect(paths.length).toBeGreaterThanOrEqual(2);
    for (const path of paths) {
      expect(path.startsWith("./media/"), `${path} is packaged`).toBe(true);
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  it("name tools that every user is offered, and no others", () => {
    const offered = offeredTools(manifest, "default");
    for (const path of paths) {
      const named = [...read(path).matchAll(/\bcodecortex_\w+/g)].map(([name]) => name);
      expect(named.length, path).toBeGreaterThan(0);
      expect(named.filter((name) => !offered.includes(name))).toEqual([]);
    }
  });

  it("list all of our tools by their reference names", () => {
    const prefix = `${manifest.publisher}.${manifest.name}/`;
    const wanted = byDefault.map(({ toolReferenceName }) => prefix + toolReferenceName);
    for (const { path } of chatAgents) {
      const listed = [...read(path).matchAll(/^ {2}- (\S+)$/gm)].flatMap(([, name]) => name ?? []);
      expect(listed.filter((name) => name.startsWith(prefix)).sort()).toEqual(wanted.sort());
    }
  });

  it("name every tool in the skill, whose folder has its name", () => {
    for (const { path } of chatSkills) {
      const text = read(path);
      expect(byDefault.filter(({ name }) => !text.includes(name))).toEqual([]);
      expect(/^name: (.+)$/m.exec(text)?.[1]).toBe(basename(dirname(path)));
      expect(basename(path)).toBe("SKILL.md");
    }
  });
});

describe("the participant", () => {
  it("has an answer for each of its commands", () => {
    const source = read("extension/vscode/chat.ts");
    for (const { name } of chatParticipants.flatMap(({ commands }) => commands)) {
      expect(source).toContain(`case "${name}":`);
    }
  });
});
