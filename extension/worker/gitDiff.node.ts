/**
 * What differs between two states of a repository, read with the `git` program; `crates/host/src/git_diff.rs` is its twin
 * (SPEC RV1). No program of the repository is run, and nothing is fetched.
 */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { DiffOf, DiffOutcome, FileVersions } from "../generated/protocol";
import { type Answer, Git, GitError } from "./git.node";

/** Bytes of an answer that are read; what is longer is cut. */
const MOST_PATCH = 48 * 1024 * 1024;
const MOST_LIST = 1024 * 1024 * 1024;
/** Files of which both versions are read, bytes of one, bytes of all. */
const MOST_FILES = 2000;
const MOST_FILE = 1024 * 1024;
const MOST_BYTES = 96 * 1024 * 1024;
const MOST_COMMITS = "500";
const SUBMODULE = "160000";
/** What helps where git does not. */
const INSTEAD = "Give the change as `patch`, a unified diff";

class Refusal extends Error {
  constructor(
    reason: string,
    readonly hint: string,
  ) {
    super(reason);
  }
}

/** Reads the difference between two states of the repository that a folder is in. */
export async function gitDiff(folder: string, of: DiffOf): Promise<DiffOutcome> {
  try {
    return await diff(new Repository(await Git.open(folder)), of);
  } catch (error) {
    if (error instanceof Refusal) {
      return { type: "failed", reason: error.message, hint: error.hint };
    }
    const known = error instanceof GitError ? error : new GitError("io", "git could not be run.");
    return { type: "failed", reason: known.message, hint: known.hint(INSTEAD) };
  }
}

async function diff(git: Repository, of: DiffOf): Promise<DiffOutcome> {
  const states = await statesOf(git, of);
  const asked = (how: string[]): string[] => [
    ...["diff", "--find-renames", "--relative", "--unified=3", "--submodule=short", ...how],
    ...["--src-prefix=a/", "--dst-prefix=b/", ...states.words, "--"],
  ];
  const raw = await git.compared(asked(["--raw", "-z", "--no-abbrev"]), MOST_LIST);
  const entries = entriesOf(raw.bytes.toString("utf8"));
  const patch = await git.compared(asked(["--patch", "--full-index"]));
  const log = await git.asked([
    ...["log", "--no-merges", "--no-renames", "--name-status"],
    ...["--relative", "--format=%x01%B%x02", "-n", MOST_COMMITS, states.base ?? "HEAD", "--"],
  ]);
  return {
    type: "done",
    diff: {
      base: states.base ?? null,
      head: states.head ?? null,
      patch: patch.bytes.toString("utf8"),
      isCut: patch.isCut || entries.length > MOST_FILES,
      versions: await versions(git, entries.slice(0, MOST_FILES), states.isDisk),
      untracked: states.isDisk ? await untracked(git) : [],
      log: log?.bytes.toString("utf8") ?? "",
    },
  };
}

interface States {
  words: string[];
  base?: string | undefined;
  head?: string | undefined;
  isDisk: boolean;
}

async function statesOf(git: Repository, of: DiffOf): Promise<States> {
  const last = async (): Promise<string | undefined> =>
    (await git.line(["rev-parse", "--verify", "-q", "HEAD^{commit}"])) ??
    (await git.line(["hash-object", "-t", "tree", "--stdin"]));
  switch (of.type) {
    case "staged":
      return { words: ["--cached"], base: await last(), isDisk: false };
    case "unstaged":
      return { words: [], isDisk: true };
    case "uncommitted": {
      const base = await last();
      return { words: base === undefined ? [] : [base], base, isDisk: true };
    }
    case "range": {
      const to = await commit(git, of.head ?? "HEAD");
      let from = await commit(git, of.base);
      if (of.head === undefined || of.head === null) {
        const common = await git.line(["merge-base", from, to]);
        if (common === undefined) {
          const why = (await git.isShallow()) ? "the clone is shallow" : "their histories are unrelated";
          throw new Refusal(
            `\`${of.base}\` and the present commit have no commit in common: ${why}.`,
            "Give `base` and `head`, which are compared as they are.",
          );
        }
        from = common;
      }
      return { words: [from, to], base: from, head: to, isDisk: false };
    }
  }
}

/** The commit that somebody names. */
async function commit(git: Repository, name: string): Promise<string> {
  const isOption = name.startsWith("-") || name === "";
  const found = isOption
    ? undefined
    : await git.line(["rev-parse", "--verify", "-q", "--end-of-options", `${name}^{commit}`]);
  if (found !== undefined) {
    return found;
  }
  throw (await git.isShallow())
    ? new Refusal(
        `There is no commit \`${name}\` here: the clone is shallow.`,
        "Fetch more of the history, as with `git fetch --unshallow`.",
      )
    : new Refusal(
        `There is no commit \`${name}\`.`,
        "Name a commit, branch or tag that `git rev-parse` knows; fetch it first if it is new.",
      );
}

interface Entry {
  path: string;
  old?: string | undefined;
  new?: string | undefined;
  isDeleted: boolean;
}

function entriesOf(raw: string): Entry[] {
  const parts = raw.split("\0");
  const found: Entry[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const [oldMode, newMode, old, now, status] = parts[at]?.replace(/^:/, "").split(" ") ?? [];
    if (!parts[at]?.startsWith(":") || status === undefined) {
      continue;
    }
    at += /^[RC]/.test(status) ? 2 : 1;
    const path = parts[at];
    if (path === undefined) {
      break;
    }
    const id = (mode?: string, id?: string): string | undefined =>
      mode === SUBMODULE || id === undefined || /^0+$/.test(id) ? undefined : id;
    const isDeleted = status.startsWith("D") || newMode === SUBMODULE;
    found.push({ path, old: id(oldMode, old), new: id(newMode, now), isDeleted });
  }
  return found;
}

async function versions(git: Repository, entries: Entry[], isDisk: boolean): Promise<FileVersions[]> {
  const ids = entries.flatMap((entry) => [entry.old, entry.new]).filter((id) => id !== undefined);
  const blobs = (await git.blobs(ids)).values();
  const next = (id: string | undefined): Uint8Array | undefined => (id === undefined ? undefined : blobs.next().value);
  const found: FileVersions[] = [];
  for (const entry of entries) {
    const old = next(entry.old);
    let now = next(entry.new);
    if (isDisk && now === undefined && !entry.isDeleted) {
      now = await git.file(entry.path);
    }
    found.push({ path: entry.path, old: old ?? null, new: now ?? null });
  }
  return found;
}

async function untracked(git: Repository): Promise<FileVersions[]> {
  const list = await git.compared(["ls-files", "--others", "--exclude-standard", "-z", "--", "."]);
  const paths = list.bytes.toString("utf8").split("\0");
  const wanted = paths.filter((path) => path !== "" && !path.startsWith(".context/")).slice(0, MOST_FILES);
  const read = async (path: string): Promise<FileVersions> => ({
    path,
    old: null,
    new: (await git.file(path)) ?? null,
  });
  return Promise.all(wanted.map(read));
}

/** A repository as it is asked here. */
class Repository {
  constructor(private readonly git: Git) {}

  /** The first line of an answer; undefined where git fails. */
  async line(args: string[]): Promise<string | undefined> {
    const answer = await this.asked(args);
    return answer?.bytes.toString("utf8").split("\n")[0];
  }

  async isShallow(): Promise<boolean> {
    return (await this.line(["rev-parse", "--is-shallow-repository"])) === "true";
  }

  /** An answer; undefined where git fails. */
  async asked(args: string[]): Promise<Answer | undefined> {
    try {
      return await this.git.bytes(args, { most: MOST_PATCH });
    } catch (error) {
      if (error instanceof GitError && error.problem === "failed") {
        return undefined;
      }
      throw error;
    }
  }

  /** An answer without which there is no diff. */
  async compared(args: string[], most = MOST_PATCH): Promise<Answer> {
    try {
      return await this.git.bytes(args, { most });
    } catch (error) {
      if (error instanceof GitError && error.problem === "failed") {
        const reason = `git could not compare the two states: ${error.message}.`;
        throw new Refusal(reason, "Run `git diff` for the same states to see why.");
      }
      throw error;
    }
  }

  /** A file on the disk, links not followed. */
  async file(path: string): Promise<Uint8Array | undefined> {
    try {
      const whole = join(this.git.folder, path);
      const found = await lstat(whole);
      return found.isFile() && found.size <= MOST_FILE ? await readFile(whole) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Objects by their ids, in their order; undefined where one is missing or too large. */
  async blobs(ids: string[]): Promise<(Uint8Array | undefined)[]> {
    const input = ids.map((id) => `${id}\n`).join("");
    const { bytes } = await this.git.bytes(["cat-file", "--batch"], { input, most: MOST_BYTES });
    const found: (Uint8Array | undefined)[] = [];
    let at = 0;
    while (found.length < ids.length) {
      const end = bytes.indexOf(10, at);
      if (end < 0) {
        break;
      }
      const size = Number(bytes.subarray(at, end).toString("utf8").split(" ")[2]);
      at = end + 1;
      if (!Number.isInteger(size)) {
        found.push(undefined); // `<id> missing`
        continue;
      }
      const isWhole = at + size <= bytes.length;
      found.push(isWhole && size <= MOST_FILE ? bytes.subarray(at, at + size) : undefined);
      at += size + 1;
    }
    return found;
  }
}
