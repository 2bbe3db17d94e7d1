/** What the worker starts git with; crates/host/src/git/tests.rs and crates/cli/tests/program/hostile_git.rs have the same cases. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { DiffOf, DiffOutcome } from "../../../extension/generated/protocol";
import { Git, turnedOff } from "../../../extension/worker/git.node";
import { gitDiff } from "../../../extension/worker/gitDiff.node";
import { gitLog } from "../../../extension/worker/gitLog.node";

const isUnix = process.platform !== "win32";
const UNCOMMITTED: DiffOf = { type: "uncommitted" };

let root: string;
let beside: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "git-"));
  beside = mkdtempSync(join(tmpdir(), "git-beside-"));
  vi.stubEnv("GIT_CONFIG_GLOBAL", join(beside, "person"));
  writeFileSync(
    join(beside, "person"),
    "[user]\n\tname = a\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n",
  );
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of [root, beside]) {
    rmSync(folder, { recursive: true, force: true });
  }
});

const git = (folder: string, ...args: string[]): string =>
  execFileSync("git", ["-C", folder, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** A repository with a commit, and these files changed since. */
const repository = (folder: string, ...files: string[]): void => {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q");
  for (const file of files) {
    write(join(folder, file), "x = 1\n");
  }
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "Begin a part");
  for (const file of files) {
    write(join(folder, file), "x = 12345\n");
  }
};

const reason = (outcome: DiffOutcome): string => (outcome.type === "failed" ? outcome.reason : "");

describe.skipIf(!isUnix)("a repository that names programs", { timeout: 60_000 }, () => {
  const FILTERS = ["evil", "a=b", "", "a.b.c", "ü", "included", "worktree", "private"];
  const SETTINGS = [
    ["core", "fsmonitor"],
    ["core", "pager"],
    ["core", "editor"],
    ["core", "sshCommand"],
    ["core", "askPass"],
    ["pager", "diff"],
    ["pager", "log"],
    ["credential", "helper"],
    ["gpg", "program"],
    ["diff", "external"],
    ['diff "text"', "textconv"],
    ['diff "driver"', "command"],
    ['merge "evil"', "driver"],
    ['filter "process"', "process"],
    ['filter "evil"', "smudge"],
    ['remote "origin"', "uploadpack"],
    ['hook "evil"', "command"],
    ["alias", "diff"],
  ] as const;
  const HOOKS = ["post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-commit"];
  const VARIABLES = ["GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS"];

  const trap = (name: string): string => `${join(beside, "trap")} ${name}`;
  const ran = (): string[] => {
    const found = readdirSync(join(beside, "traces")).sort();
    for (const name of found) {
      rmSync(join(beside, "traces", name));
    }
    return found;
  };

  beforeEach(() => {
    const traces = join(beside, "traces");
    mkdirSync(traces);
    const script = `#!/bin/sh\n: > '${traces}'/"$1"\ncase $1 in filter*) cat;; *textconv) cat "$2";; esac\n`;
    writeFileSync(join(beside, "trap"), script, { mode: 0o755 });
    for (const folder of ["sub", "nested"]) {
      repository(join(root, folder), "part.py");
    }
    const files = [...FILTERS.map((_, at) => `f${at}.py`), "driver.py", "text.py", "process.py"];
    const attributes = FILTERS.map((name, at) => `f${at}.py filter=${name}\n`).slice(0, -1);
    writeFileSync(
      join(root, ".gitattributes"),
      attributes.join("") + "driver.py diff=driver\ntext.py diff=text\nprocess.py filter=process\n",
    );
    git(root, "init", "-q");
    for (const file of files) {
      write(join(root, file), "x = 1\n");
    }
    write(join(root, ".gitmodules"), '[submodule "sub"]\n\tpath = sub\n\turl = ./nowhere\n\tignore = none\n');
    git(root, "add", "sub", ".gitmodules", ".gitattributes", ...files);
    git(root, "commit", "-qm", "Begin the shop");
    const config = (path: string, text: string): void => {
      appendFileSync(join(root, path), text);
    };
    const filter = (name: string, at: number | string): string =>
      `[filter "${name}"]\n\tclean = ${trap(`filter-${at}`)}\n`;
    for (const [at, name] of FILTERS.entries()) {
      config(
        name === "included" ? "included" : name === "worktree" ? ".git/config.worktree" : ".git/config",
        filter(name, at),
      );
    }
    for (const [section, variable] of SETTINGS) {
      const name = `${section.replace(/ "(.*)"/, "-$1")}-${variable}`;
      config(".git/config", `[${section}]\n\t${variable} = "${section === "alias" ? "!" : ""}${trap(name)}"\n`);
    }
    config(
      ".git/config",
      '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n[filter "evil"]\n\trequired = true\n' +
        "[log]\n\tshowSignature = true\n[diff]\n\tignoreSubmodules = none\n[submodule]\n\trecurse = true\n" +
        '[hook "evil"]\n\tevent = post-index-change\n[include]\n\tpath = ../included\n',
    );
    config(".git/info/attributes", `f${FILTERS.length - 1}.py filter=private\n`);
    for (const folder of ["sub", "nested"]) {
      config(`${folder}/.git/config`, filter(folder, folder));
      config(`${folder}/.git/info/attributes`, `*.py filter=${folder}\n`);
    }
    for (const hook of HOOKS) {
      writeFileSync(join(root, ".git/hooks", hook), `#!/bin/sh\n${trap(`hook-${hook}`)}\n`, { mode: 0o755 });
    }
    for (const file of files) {
      write(join(root, file), "x = 12345\n");
    }
    // Of the same length, so that git has to look into it.
    write(join(root, "sub/part.py"), "x = 2\n");
  });

  it("runs none of them for a diff or the commits", async () => {
    for (const name of VARIABLES) {
      vi.stubEnv(name, trap(name));
    }
    vi.stubEnv("GIT_TRACE", join(beside, "traces", "GIT_TRACE"));
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "core.fsmonitor");
    vi.stubEnv("GIT_CONFIG_VALUE_0", trap("GIT_CONFIG_COUNT"));
    const states: DiffOf[] = [
      { type: "staged" },
      { type: "unstaged" },
      UNCOMMITTED,
      { type: "range", base: "HEAD", head: "HEAD" },
      { type: "range", base: "HEAD", head: null },
    ];
    for (const state of states) {
      const outcome = await gitDiff(root, state);
      expect(ran(), state.type).toEqual([]);
      const isDisk = state.type === "unstaged" || state.type === "uncommitted";
      const changed = outcome.type === "done" ? outcome.diff.versions : undefined;
      expect(changed?.length, reason(outcome)).toBe(isDisk ? FILTERS.length + 3 : 0);
    }
    expect(await gitLog(root, 10)).toContain("Begin the shop");
    expect(ran()).toEqual([]);
    for (const folder of ["sub", "nested"]) {
      expect((await gitDiff(join(root, folder), UNCOMMITTED)).type).toBe("done");
      expect(ran()).toEqual([]);
    }

    // None of them is a blank.
    spawnSync("git", ["-C", root, "diff"]);
    const surrounded = ran();
    vi.unstubAllEnvs();
    for (const args of [
      ["diff"],
      ["-c", "diff.external=", "diff"],
      ["diff", "--no-ext-diff"],
      ["status"],
      ["add", "f0.py"],
    ]) {
      spawnSync("git", ["-C", root, ...args]);
    }
    expect([...surrounded, ...ran()]).toEqual(
      expect.arrayContaining([
        ...["GIT_CONFIG_COUNT", "GIT_EXTERNAL_DIFF", "GIT_TRACE", "core-fsmonitor", "diff-external"],
        ...["diff-driver-command", "diff-text-textconv", "filter-process-process", "filter-sub"],
        ...["hook-post-index-change", ...FILTERS.map((_, at) => `filter-${at}`)],
      ]),
    );
  });

  it("is refused where a name cannot be carried", async () => {
    appendFileSync(join(root, ".git/config"), Buffer.from('[filter "\xff"]\n\tclean = x\n', "latin1"));
    expect(reason(await gitDiff(root, UNCOMMITTED))).toContain("no UTF-8");
    expect(ran()).toEqual([]);
  });

  it("is not compared by a version of git that lacks a protection", async () => {
    const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
    const old = (version: string): void => {
      const script = `#!/bin/sh\nfor last; do :; done\n[ "$last" = version ] && echo 'git version ${version}' || exec ${real} "$@"\n`;
      writeFileSync(join(beside, "git"), script);
      chmodSync(join(beside, "git"), 0o755);
    };
    vi.stubEnv("PATH", `${beside}:${process.env.PATH}`);
    old("2.17.1");
    expect(reason(await gitDiff(root, UNCOMMITTED))).toContain("git 2.17.1 is too old");
    old("2.25.1");
    expect(reason(await gitDiff(root, UNCOMMITTED))).toContain("git 2.25.1 is too old");
    expect(await gitLog(root, 10)).toBeNull();
    old("2.47.3");
    expect((await gitDiff(root, UNCOMMITTED)).type).toBe("done");
    expect(ran()).toEqual([]);
  });
});

describe("the repository of a folder", () => {
  it("is its own", async () => {
    const other = join(beside, "other");
    repository(root, "ours.py");
    repository(other, "theirs.py");
    for (const [name, path] of [
      ["GIT_DIR", ".git"],
      ["GIT_WORK_TREE", "."],
      ["GIT_INDEX_FILE", ".git/index"],
    ] as const) {
      vi.stubEnv(name, join(other, path));
      const outcome = await gitDiff(root, UNCOMMITTED);
      expect(outcome.type === "done" && outcome.diff.patch).toContain("ours.py");
      vi.unstubAllEnvs();
    }
    git(root, "config", "core.worktree", other);
    expect(reason(await gitDiff(root, UNCOMMITTED))).toContain("core.worktree");
    expect(await gitLog(root, 10)).toBeNull();
  });

  it("is no bare one that lies there as files", async () => {
    repository(root, "ours.py");
    const inner = join(root, "inner");
    git(root, "init", "-q", "--bare", "inner");
    expect(reason(await gitDiff(inner, UNCOMMITTED))).toContain("bare");
    for (const worktree of [".", ".."]) {
      git(inner, "--git-dir=.", "config", "core.bare", "false");
      git(inner, "--git-dir=.", "config", "core.worktree", worktree);
      expect(reason(await gitDiff(inner, UNCOMMITTED))).toContain("bare");
    }
  });

  it("may be a linked worktree or the one of a folder above", async () => {
    repository(root, "app/ours.py");
    git(root, "worktree", "add", "-q", join(beside, "tree"));
    expect((await gitDiff(join(beside, "tree"), UNCOMMITTED)).type).toBe("done");
    const outcome = await gitDiff(join(root, "app"), UNCOMMITTED);
    expect(outcome.type === "done" && outcome.diff.versions.map((file) => file.path)).toEqual(["ours.py"]);
  });

  it.skipIf(!isUnix || process.getuid?.() !== 0)("may be another user's, which is said", async () => {
    repository(root, "ours.py");
    chownSync(root, 54321, 54321);
    const outcome = await gitDiff(root, UNCOMMITTED);
    expect(reason(outcome)).toContain("belongs to another user");
    expect(outcome.type === "failed" && outcome.hint).toContain("safe.directory");
  });

  it("may be none", async () => {
    expect(reason(await gitDiff(root, UNCOMMITTED))).toBe("The folder is in no git repository.");
    vi.stubEnv("PATH", "bin");
    expect(reason(await gitDiff(root, UNCOMMITTED))).toContain("There is no `git` program");
  });
});

describe("git", () => {
  it.skipIf(!isUnix)("is ended where it hangs", async () => {
    repository(root, "ours.py");
    execFileSync("mkfifo", [join(root, ".git/info/attributes")]);
    const hanging = await Git.open(root, 300);
    await expect(hanging.text(["diff"])).rejects.toThrow("git did not end within 300 ms and was ended");
  });

  it.skipIf(!isUnix)("waits for no pipe that a configuration names", async () => {
    repository(root, "ours.py");
    execFileSync("mkfifo", [join(root, ".git/pipe")]);
    for (const key of ["core.attributesFile", "core.excludesFile", "diff.orderFile", "mailmap.file"]) {
      git(root, "config", key, ".git/pipe");
    }
    expect((await gitDiff(root, UNCOMMITTED)).type).toBe("done");
  });

  it("is started with commands of the list alone", async () => {
    repository(root, "ours.py");
    const opened = await Git.open(root);
    for (const command of ["status", "mv", "fetch", "-c", ""]) {
      await expect(opened.text([command])).rejects.toThrow("not among its safe commands");
    }
  });

  it("has settings of every name turned off", async () => {
    const off = async (listing: string): Promise<string[]> => {
      const found = await turnedOff(Buffer.from(listing), root);
      return [...found].map(([key, value]) => `${key}=${value}`).sort();
    };
    for (const name of ["", "lfs", "a=b", "a.b c", 'ü"', "*", "$&"]) {
      const ends = ["clean=", "process=", "required=false", "smudge="];
      expect(await off(`filter.${name}.clean\n./evil\0`)).toEqual(ends.map((end) => `filter.${name}.${end}`));
    }
    expect(await off("filter.clean\n./evil\0diff.x.xfuncname\nb\0user.name\nd\0")).toEqual([]);
    expect(await off("hook.x.command\n./evil\0")).toEqual(["hook.x.enabled=false", "hook.x.event="]);
    expect(await off("core.excludesfile\n:(optional)x\0")).toEqual(["core.excludesFile=/dev/null"]);
    const many = Array.from({ length: 2000 }, (_, at) => `filter.${at}.clean\nx\0`).join("");
    await expect(off(many)).rejects.toThrow("too many to turn off");
  });

  it("is started in one place, and beside it only the package's launcher starts a program", () => {
    const extension = join(import.meta.dirname, "../../../extension");
    const files = readdirSync(extension, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const starts = files.filter((file) => readFileSync(join(extension, file), "utf8").includes("child_process"));
    expect(files.length).toBeGreaterThan(50);
    expect(starts.map((file) => relative(extension, join(extension, file)).replaceAll("\\", "/")).sort()).toEqual([
      "node/nativeProgram.ts",
      "worker/git.node.ts",
    ]);
  });
});
