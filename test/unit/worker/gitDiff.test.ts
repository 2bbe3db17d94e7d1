/** The cases of test/contract/cut-diffs, which `crates/host/src/git_diff.rs` has to hold as well; conflicts and trees. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { DiffOf, GitDiff } from "../../../extension/generated/protocol";
import { type Bounds, gitDiff } from "../../../extension/worker/gitDiff.node";
import cases from "../../contract/cut-diffs/cases.json";

interface Case {
  about: string;
  bounds: Bounds;
  /** Bytes before and after, by path. */
  files: Record<string, [number, number]>;
  isCut: boolean;
  inPatch: string[];
  kept: Record<string, [boolean, boolean]>;
}

const LAST: DiffOf = { type: "range", base: "HEAD~1", head: "HEAD" };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "git-diff-"));
  git("init", "-q");
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
  }).trim();

const commit = (message: string): void => {
  git("add", ".");
  git("commit", "-qm", message);
};

const done = async (of: DiffOf, bounds?: Bounds): Promise<GitDiff> => {
  const outcome = await gitDiff(root, of, bounds);
  if (outcome.type !== "done") {
    throw new Error(outcome.reason);
  }
  return outcome.diff;
};

describe("a diff that is cut", () => {
  it.each(cases as unknown as Case[])("$about", async (one) => {
    for (const [at, letter] of ["x", "y"].entries()) {
      for (const [path, bytes] of Object.entries(one.files)) {
        writeFileSync(join(root, path), `${letter}\n`.repeat((bytes[at] ?? 0) / 2));
      }
      commit(letter);
    }
    const diff = await done(LAST, one.bounds);
    const heads = diff.patch.split("\n").filter((line) => line.startsWith("+++ b/"));
    expect(diff.isCut).toBe(one.isCut);
    expect(heads.map((line) => line.slice(6))).toEqual(one.inPatch);
    const kept = diff.versions.map((file) => [file.path, [Boolean(file.old), Boolean(file.new)]]);
    expect(Object.fromEntries(kept)).toEqual(one.kept);
  });
});

it("may have a tree as its base", async () => {
  writeFileSync(join(root, "a.py"), "x = 1\n");
  commit("Begin");
  const diff = await done({ type: "range", base: "4b825dc642cb6eb9a060e54bf8d69288fbee4904" });
  expect(diff.versions.map((file) => file.path)).toEqual(["a.py"]);
});
