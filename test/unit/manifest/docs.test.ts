/** Documentation names files that are there (SPEC TC6). */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Files of CONTRIBUTING's example, which nobody has added. */
const EXAMPLE = ["crates/engine/src/tools/count_members.rs", "test/contract/members.json"];

/** A page without its code, in which brackets are no links. */
function withoutCode(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```$/gm, "").replace(/`[^`\n]+`/g, "");
}

/** What stands between backticks outside of blocks of code. */
function spans(text: string): string[] {
  const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...prose.matchAll(/`([^`]+)`/g)].flatMap(([, span]) => span ?? []);
}

describe("documentation", () => {
  const path = /^(?:crates|extension|media|test|xtask|bench|wasm)\/[\w./-]+$/;

  for (const page of pages) {
    it(`names files that are there: ${page}`, () => {
      const named = spans(read(page)).filter((span) => path.test(span) && !EXAMPLE.includes(span));
      expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
    });

    it(`links to files that are there: ${page}`, () => {
      const links = [...withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)#\s]+)/g)].flatMap(
        ([, link]) => link ?? [],
      );
      expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
    });
  }
});

describe("docs/resolution.md", () => {
  /** `resolve/x` is short for `crates/resolve/src/x`. */
  const whole = (short: string): string =>
    join(root, short.replace(/^(analysis|bind|external|resolve|syntax)\//, "crates/$1/src/"));

  it("names files of the crates by a short path, or by their names where a section has their folders", () => {
    const dead = read("docs/resolution.md")
      .split(/^## /m)
      .flatMap((section) => {
        const all = spans(section);
        const folders = all.filter((span) => /^(?:bind|resolve|syntax)\/[\w/]*\/$/.test(span));
        const isThere = (name: string): boolean =>
          name.includes("/")
            ? existsSync(whole(name))
            : folders.some((folder) => existsSync(join(whole(folder), name)));
        return all
          .filter((span) => /^(?:(?:analysis|bind|external|resolve|syntax)\/)?[\w/]+\.rs$/.test(span))
          .filter((n) => !isThere(n));
      });
    expect(dead).toEqual([]);
  });
});
