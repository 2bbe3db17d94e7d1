/** The walkthrough, the settings and what the package says of trust (SPEC UX1). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Manifest {
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string }[];
    views: Record<string, { id: string }[]>;
    configuration: { id: string; title: string; order: number; properties: Record<string, Setting> }[];
    walkthroughs: { steps: Step[] }[];
  };
}

interface Setting {
  order?: number;
  markdownDescription?: string;
  default?: unknown;
}

interface Step {
  id: string;
  description: string;
  media: { svg?: string; image?: string; altText: string };
  completionEvents: string[];
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
const { commands, configuration, views, walkthroughs } = manifest.contributes;
const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
const commandIds = new Set(commands.map(({ command }) => command));
const viewIds = new Set(Object.values(views).flatMap((list) => list.map(({ id }) => id)));
const settings = new Map(configuration.flatMap(({ properties }) => Object.entries(properties)));

/** Commands of VS Code itself, and those that it makes for views. */
const isKnown = (command: string): boolean =>
  commandIds.has(command) || command.startsWith("workbench.") || viewIds.has(command.replace(/\.focus$/, ""));

describe("the walkthrough", () => {
  it("shows pictures that are there and described", () => {
    for (const { id, media } of steps) {
      const picture = media.svg ?? media.image ?? "";
      expect(existsSync(join(root, picture)), `${id}: ${picture}`).toBe(true);
      expect(media.altText.length, id).toBeGreaterThan(20);
    }
  });

  it("marks code as VS Code reads it here: by two backticks", () => {
    for (const { id, description } of steps) {
      expect(description.replace(/``[^`]+``/g, ""), id).not.toContain("`");
    }
  });

  it("draws in the colours of the theme", () => {
    for (const { media } of steps.filter(({ media }) => media.svg)) {
      const text = readFileSync(join(root, media.svg ?? ""), "utf8");
      expect(text).toContain("var(--vscode-");
      expect(text).not.toMatch(/#[0-9a-fA-F]{3,8}\b|rgb\(/);
    }
  });

  it("has links and ends that exist", () => {
    for (const { id, description, completionEvents } of steps) {
      const links = [...description.matchAll(/\(command:([\w.]+)/g)].flatMap(([, command]) => command ?? []);
      expect(links.length, id).toBeGreaterThan(0);
      expect(links.filter((command) => !isKnown(command))).toEqual([]);
      expect(completionEvents.length, id).toBeGreaterThan(0);
      for (const [kind, what] of completionEvents.map((event) => event.split(":"))) {
        const exists = {
          onCommand: isKnown(what ?? ""),
          onView: viewIds.has(what ?? ""),
          onSettingChanged: settings.has(what ?? ""),
          onContext: (what ?? "").startsWith("codecortex."),
        };
        expect(exists, `${id}: ${kind}:${what}`).toHaveProperty(kind ?? "", true);
      }
    }
  });
});

describe("the settings", () => {
  it("are grouped, in an order, and described", () => {
    expect(configuration.map(({ order }) => order)).toEqual(configuration.map((_, index) => index + 1));
    for (const { title, properties } of configuration) {
      const orders = Object.values(properties).map(({ order }) => order);
      expect(new Set(orders).size, title).toBe(orders.length);
    }
    for (const [key, { markdownDescription, default: value }] of settings) {
      expect(markdownDescription?.length ?? 0, key).toBeGreaterThan(20);
      expect(value, key).toBeDefined();
    }
  });

  it("that write are not taken from a workspace that nobody trusts", () => {
    const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
    expect(restricted.filter((key) => !settings.has(key))).toEqual([]);
    expect(restricted).toEqual(
      expect.arrayContaining(["codecortex.edits.confirm", "codecortex.context.keep", "codecortex.live.record"]),
    );
  });
});
