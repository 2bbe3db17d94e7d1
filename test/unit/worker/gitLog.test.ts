/** Commits as the worker reads them; crates/host/src/git_log.rs has the same cases. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { gitLog } from "../../../extension/worker/gitLog.node";

describe("the commits of a repository", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "git-log-"));
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  const git = (...args: string[]): void => {
    const settings = ["user.name=a", "user.email=a@example.com", "commit.gpgSign=false", "init.defaultBranch=main"];
    execFileSync("git", [...settings.flatMap((setting) => ["-c", setting]), "-C", root, ...args], { stdio: "ignore" });
  };

  it("are none where there is no repository", async () => {
    expect(await gitLog(root, 10)).toBeNull();
  });

  it("come with messages and files below the folder, the newest first", async () => {
    git("init", "-q");
    mkdirSync(join(root, "app"));
    writeFileSync(join(root, "app", "cart.py"), "x = 1\n");
    writeFileSync(join(root, "other.py"), "y = 1\n");
    git("add", ".");
    git("commit", "-qm", "Begin the cart");
    writeFileSync(join(root, "app", "cart.py"), "x = 2\n");
    git("commit", "-qam", "Change it");
    const log = await gitLog(join(root, "app"), 10);
    expect(log?.split("\u0001").map((commit) => commit.split("\u0002")[0]?.trim())).toEqual([
      "",
      "Change it",
      "Begin the cart",
    ]);
    expect(log).toContain("A\tcart.py");
    expect(log).not.toContain("other.py");
    expect((await gitLog(root, 1))?.split("\u0001")).toHaveLength(2);
  });
});
