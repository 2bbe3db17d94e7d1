/**
 * What differs between two states of a repository, read with the `git` program; `crates/host/src/git_diff.rs` is its twin
 * (SPEC RV1). No program of the repository is run, and nothing is fetched.
 */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { DiffOf, DiffOutcome, FileVersions } from "../generated/protocol";
import { type Answer, Git, GitError } from "./git.node";

/** How much of a diff is read; the twin has the same, and both hold the cases of `test/contract/cut-diffs`. */
export interface Bounds {
  /** Bytes of a diff; what is longer is cut. */
  patch: number;
  /** Files of which both versions are read. */
  files: number;
  /** Bytes of a file; larger ones are not read, and left out of a diff that would be cut. */
  file: number;
  /** Bytes of all versions together that are kept. */
  bytes: number;
}

const BOUNDS: Bounds = { patch: 48 * 1024 * 1024, files: 2000, file: 1024 * 1024, bytes: 96 * 1024 * 1024 };
const MOST_LIST = 1024 * 1024 * 1024;
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
export async function gitDiff(folder: string, of: DiffOf, bounds = BOUNDS): Promise<DiffOutcome> {
  try {
    return await diff(new Repository(await Git.open(folder), bounds), of);
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
  const raw = await git.compared(asked(states, ["--raw", "-z", "--no-abbrev"]), MOST_LIST);
  const entries = entriesOf(raw.bytes.toString("utf8"));
  const patch = await patchOf(git, states, entries);
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
      isCut: patch.isCut || entries.length > git.bounds.files,
      versions: await versions(git, entries.slice(0, git.bounds.files), states.isDisk),
      untracked: states.isDisk ? await untracked(git) : [],
      log: log?.bytes.toString("utf8") ?? "",
    },
  };
}

function asked(states: States, how: string[]): string[] {
  return [
    ...["diff", "--find-renames", "--relative", "--unified=3", "--submodule=short", ...how],
    ...["--src-prefix=a/", "--dst-prefix=b/", ...states.words, "--"],
  ];
}

/** The diff. Where it is too long, that of all but the large files, which may hide the others. */
async function patchOf(git: Repository, states: States, entries: Entry[]): Promise<Answer> {
  const words = asked(states, ["--patch", "--full-index"]);
  const all = await git.compared(words);
  const large = all.isCut ? await git.large(entries, states.isDisk) : [];
  if (large.length === 0) {
    return all;
  }
  const leftOut = large.slice(0, git.bounds.files).map((path) => `:(exclude,literal)${path}`);
  try {
    return await git.compared([...words, ":(top)", ...leftOut]);
  } catch {
    return all;
  }
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
      // A tree that is no commit's, such as the empty one, has no history to share.
      const tree = await treeOf(git, of.base);
      let from = tree ?? (await commit(git, of.base));
      if ((of.head === undefined || of.head === null) && tree === undefined) {
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

/** The tree that somebody names by itself, not by a commit. */
async function treeOf(git: Repository, name: string): Promise<string | undefined> {
  if (name.startsWith("-") || name === "") {
    return undefined;
  }
  const find = (kind: string): Promise<string | undefined> =>
    git.line(["rev-parse", "--verify", "-q", "--end-of-options", `${name}^{${kind}}`]);
  return (await find("commit")) === undefined ? find("tree") : undefined;
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
  const wanted = paths.filter((path) => path !== "" && !path.startsWith(".context/")).slice(0, git.bounds.files);
  const read = async (path: string): Promise<FileVersions> => ({
    path,
    old: null,
    new: (await git.file(path)) ?? null,
  });
  return Promise.all(wanted.map(read));
}

/** A repository as it is asked here. */
class Repository {
  constructor(
    private readonly git: Git,
    readonly bounds: Bounds,
  ) {}

  /** The first line of an answer; undefined where git fails. */
  async line(args: string[]): Promise<string | undefined> {
    const answer = await this.asked(args);
    return answer?.bytes.toString("utf8").split("\n")[0];
  }

  async isShallow(): Promise<boolean> {
    return (await this.line(["rev-parse", "--is-shallow-repository"])) === "true";
  }

  /** Whether objects may be missing, which git would fetch when they are needed. */
  private async isPartial(): Promise<boolean> {
    const asked = String.raw`^remote\..*\.(promisor|partialclonefilter)$`;
    return (await this.line(["config", "--get-regexp", asked])) !== undefined;
  }

  /** The paths of files of which a version is too large to be read. */
  async large(entries: Entry[], isDisk: boolean): Promise<string[]> {
    const ids = entries.flatMap((entry) => [entry.old, entry.new]).filter((id) => id !== undefined);
    const sizes = (await this.sizes(ids)).values();
    const next = (id: string | undefined): number | undefined => (id === undefined ? undefined : sizes.next().value);
    const found: string[] = [];
    for (const entry of entries) {
      const old = next(entry.old) ?? 0;
      const now = next(entry.new) ?? (isDisk ? await this.length(entry.path) : 0);
      if (Math.max(old, now) > this.bounds.file) {
        found.push(entry.path);
      }
    }
    return found;
  }

  /** Lengths of objects by their ids, in their order; 0 where one is missing. */
  private async sizes(ids: string[]): Promise<number[]> {
    const input = ids.map((id) => `${id}\n`).join("");
    const asked = ["cat-file", "--batch-check=%(objectsize)"];
    const { bytes } = await this.git.bytes(asked, { input, most: MOST_LIST });
    const told = bytes.toString("utf8").split("\n");
    return ids.map((_, at) => (/^\d+$/.test(told[at] ?? "") ? Number(told[at]) : 0));
  }

  private async length(path: string): Promise<number> {
    try {
      return (await lstat(join(this.git.folder, path))).size;
    } catch {
      return 0;
    }
  }

  /** An answer; undefined where git fails. */
  async asked(args: string[]): Promise<Answer | undefined> {
    try {
      return await this.git.bytes(args, { most: this.bounds.patch });
    } catch (error) {
      if (error instanceof GitError && error.problem === "failed") {
        return undefined;
      }
      throw error;
    }
  }

  /** An answer without which there is no diff. */
  async compared(args: string[], most = this.bounds.patch): Promise<Answer> {
    try {
      return await this.git.bytes(args, { most });
    } catch (error) {
      if (error instanceof GitError && error.problem === "failed") {
        if (await this.isPartial()) {
          throw new Refusal(
            "Objects of the two states are not here: the clone is partial, and nothing is fetched.",
            "Run `git diff` for the same states, which fetches what is missing, or fetch all with " +
              "`git fetch --refetch --no-filter`.",
          );
        }
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
      return found.isFile() && found.size <= this.bounds.file ? await readFile(whole) : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Objects by their ids, in their order; undefined where one is missing, too large, or more than may be kept of all. What
   * is not kept is not asked for, so it takes nothing from the others.
   */
  async blobs(ids: string[]): Promise<(Uint8Array | undefined)[]> {
    let left = this.bounds.bytes;
    const isKept = (await this.sizes(ids)).map((size) => {
      const fits = size <= this.bounds.file && size <= left;
      left -= fits ? size : 0;
      return fits;
    });
    const input = ids
      .filter((_, at) => isKept[at])
      .map((id) => `${id}\n`)
      .join("");
    const { bytes } = await this.git.bytes(["cat-file", "--batch"], { input, most: MOST_LIST });
    let at = 0;
    const next = (): Uint8Array | undefined => {
      const end = bytes.indexOf(10, at);
      if (end < 0) {
        return undefined;
      }
      const size = Number(bytes.subarray(at, end).toString("utf8").split(" ")[2]);
      at = end + 1;
      if (!Number.isInteger(size)) {
        return undefined; // `<id> missing`
      }
      const object = bytes.subarray(at, at + size);
      at += size + 1;
      return object;
    };
    return isKept.map((kept) => (kept ? next() : undefined));
  }
}
