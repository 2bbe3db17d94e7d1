/**
 * The `git` program. Nothing else starts it, so that it runs no program that a repository names; `crates/host/src/git.rs` is
 * its twin and reads the same list of what is turned off (SPEC RV1, RM1).
 */
import { spawn } from "node:child_process";
import { constants, type Stats } from "node:fs";
import { access, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve, sep } from "node:path";

import safe from "../../crates/host/src/git/safe.json";

/** How long a command of git may take, in milliseconds. */
const LIMIT = 60_000;
/** Bytes of an answer and of a configuration that are read, characters of git's own words, settings that are turned off. */
const MOST_BYTES = 48 * 1024 * 1024;
const MOST_CONFIGURATION = 16 * 1024 * 1024;
const MOST_SAID = 300;
const MOST_HEARD = 16 * 1024;
const MOST_SETTINGS = 4000;
/** Bytes of a `.git` file that are read: a path. */
const MOST_POINTER = 64 * 1024;
const OTHER_OWNER = "belongs to another user";

export type GitProblem =
  | "noProgram"
  | "tooOld"
  | "tooSlow"
  | "noRepository"
  | "closed"
  | "unsafe"
  /** It ended with an error. */
  | "failed"
  | "io";

/** Why git gave no answer; a sentence. */
export class GitError extends Error {
  constructor(
    readonly problem: GitProblem,
    message: string,
  ) {
    super(message);
  }

  /** What somebody can do. `instead` is what helps in any case, a clause with a capital letter. */
  hint(instead: string): string {
    const first = this.first();
    return first === undefined ? `${instead}.` : `${first}, or ${instead.charAt(0).toLowerCase()}${instead.slice(1)}.`;
  }

  private first(): string | undefined {
    switch (this.problem) {
      case "noProgram":
        return "Install git";
      case "tooOld":
        return "Install a newer git";
      case "tooSlow":
        return "Look for files of the repository or its configuration that are pipes or on a slow disk";
      case "closed":
        return this.message.includes(OTHER_OWNER)
          ? "If you trust its owner, add it with `git config --global --add safe.directory`, the folder behind it"
          : "Look at the repository's `.git` and its configuration";
      case "unsafe":
        return "Look at the repository's `.git` and its configuration";
      case "failed":
        return "Run git in the folder to see why";
      case "noRepository":
      case "io":
        return undefined;
    }
  }
}

export interface Answer {
  bytes: Buffer;
  /** Whether it is longer than what was asked for. */
  isCut: boolean;
}

interface Options {
  /** What is written to its stdin. */
  input?: string;
  /** Bytes that are read at most. */
  most?: number;
}

type Settings = ReadonlyMap<string, string>;
type Version = readonly [major: number, minor: number];

/** `git` in a folder. */
export class Git {
  private turnedOff: Promise<Settings> | undefined;

  private constructor(
    readonly folder: string,
    private readonly program: string,
    private readonly version: string,
    private readonly limit: number,
  ) {}

  /** `git` in a folder that is in a repository, which is the folder's own. `limit` is for each command, in milliseconds. */
  static async open(folder: string, limit = LIMIT): Promise<Git> {
    const program = await findProgram(process.env.PATH ?? process.env.Path ?? "");
    if (program === undefined) {
      throw new GitError("noProgram", "There is no `git` program in a folder that `PATH` names in full.");
    }
    const told = await new Git(folder, program, "", limit).text(["version"]);
    const git = new Git(folder, program, told.replace(/^git version /, "").trim(), limit);
    git.least(safe.versions.least);
    await git.check();
    return git;
  }

  /** What a command prints. The first argument is its name, one of those in `safe.json`. */
  async text(args: readonly string[]): Promise<string> {
    return (await this.bytes(args, { most: Number.MAX_SAFE_INTEGER })).bytes.toString("utf8");
  }

  /** The same as bytes, up to so many. */
  async bytes(args: readonly string[], options: Options = {}): Promise<Answer> {
    const [name = "", ...rest] = args;
    const row = safe.commands.find((command) => command.name === name);
    if (!row) {
      throw new GitError(
        "unsafe",
        `git is not run in this repository: \`git ${name}\` is not among its safe commands.`,
      );
    }
    const settings: Settings = row.families ? await (this.turnedOff ??= this.lookAtConfiguration()) : new Map();
    return this.run([name, ...row.options, ...rest], settings, options);
  }

  private least(row: { version: string; why: string }): void {
    if (isOlder(versionOf(this.version), versionOf(row.version))) {
      throw new GitError("tooOld", `The installed git ${plain(this.version)} is too old: ${row.why}.`);
    }
  }

  /** What is turned off in the configuration as git reads it for the folder. */
  private async lookAtConfiguration(): Promise<Settings> {
    const { bytes, isCut } = await this.bytes(["config", "--list", "-z"], { most: MOST_CONFIGURATION });
    if (isCut) {
      throw unsafe("its configuration is too long to be looked at");
    }
    const settings = await turnedOff(bytes, this.folder);
    if ([...settings.keys()].some((key) => key.includes("="))) {
      this.least(safe.versions.values);
    }
    return settings;
  }

  private run(args: readonly string[], settings: Settings, options: Options): Promise<Answer> {
    const { input = "", most = MOST_BYTES } = options;
    const inVariables = [...settings].filter(([key]) => key.includes("="));
    const inArguments = [...safe.settings.map(({ key, value }): [string, string] => [key, value]), ...settings];
    const before = [
      ...safe.options.map((row) => row.option),
      ...inArguments.filter(([key]) => !key.includes("=")).flatMap(([key, value]) => ["-c", `${key}=${value}`]),
    ];
    const isGrouped = process.platform !== "win32";
    return new Promise((resolve, reject) => {
      const child = spawn(this.program, [...before, "-C", this.folder, ...args], {
        stdio: ["pipe", "pipe", "pipe"],
        env: environment(inVariables),
        // A process group of its own, so that its children can be ended with it.
        detached: isGrouped,
        windowsHide: true,
      });
      const end = (): void => {
        try {
          // Before "close" somebody has its pipes, and a group that has members keeps its id.
          if (isGrouped && child.pid !== undefined) {
            process.kill(-child.pid, "SIGKILL");
          }
        } catch {
          // The group has ended meanwhile.
        }
        child.kill("SIGKILL");
        // Who left the group may hold the other ends.
        child.stdout.destroy();
        child.stderr.destroy();
      };
      const timer = setTimeout(() => {
        end();
        const limit = this.limit < 1000 ? `${this.limit} ms` : `${Math.floor(this.limit / 1000)} s`;
        const message = `git did not end within ${limit} and was ended, with what it had started.`;
        reject(new GitError("tooSlow", message));
      }, this.limit);
      const parts: Buffer[] = [];
      let length = 0;
      let said = "";
      child.stdout.on("data", (part: Buffer) => {
        parts.push(part);
        length += part.length;
        if (length >= most) {
          end();
        }
      });
      child.stderr.on("data", (part: Buffer) => {
        said += said.length < MOST_HEARD ? part.toString("utf8") : "";
      });
      child.on("error", (error) => {
        clearTimeout(timer);
        reject(new GitError("io", `git could not be run: ${error.message}.`));
      });
      child.on("close", (code) => {
        clearTimeout(timer);
        const isCut = length >= most;
        if (isCut || code === 0) {
          resolve({ bytes: Buffer.concat(parts).subarray(0, most), isCut });
        } else {
          reject(new GitError("failed", plain(said)));
        }
      });
      // A program that ends early does not read to the end.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
    });
  }

  /**
   * Fails where git takes a repository for the folder's that is not: git's top level has to hold the folder and, as its
   * `.git`, the repository.
   */
  private async check(): Promise<void> {
    let told: string;
    try {
      told = await this.text(["rev-parse", "--absolute-git-dir", "--show-toplevel"]);
    } catch (error) {
      throw closed(error);
    }
    const [repository = "", top = ""] = told.split(/\r?\n/);
    const [folder, whole, owned, found] = await Promise.all([
      real(this.folder),
      real(top),
      ownedBy(top).then(real),
      real(repository),
    ]);
    const holds = folder !== undefined && whole !== undefined && `${folder}${sep}`.startsWith(withEnd(whole));
    if (!holds || owned === undefined || owned !== found) {
      throw refused("the files that it is about are not those of the folder (`core.worktree`, or a bare repository)");
    }
  }
}

/** Settings that are turned off on top of a configuration, which is as `git config --list -z` prints it. */
export async function turnedOff(listing: Buffer, folder: string): Promise<Settings> {
  const found = new Map<string, string>();
  for (const entry of listing.toString("latin1").split("\0")) {
    const end = entry.indexOf("\n");
    const raw = Buffer.from(end < 0 ? entry : entry.slice(0, end), "latin1");
    const key = raw.toString("utf8");
    for (const family of safe.families) {
      const subsection = subsectionOf(family.match, key);
      if (subsection === undefined) {
        continue;
      }
      if (!Buffer.from(key, "utf8").equals(raw)) {
        throw unsafe("a name in its configuration is no UTF-8");
      }
      for (const [pattern = "", value = ""] of family.set) {
        found.set(
          pattern.replace("*", () => subsection),
          value,
        );
      }
    }
    const row = safe.files.find((file) => file.key.toLowerCase() === key.toLowerCase());
    if (row) {
      const value = Buffer.from(end < 0 ? "" : entry.slice(end + 1), "latin1").toString("utf8");
      // The last one counts.
      if (await isFile(value, folder)) {
        found.delete(row.key);
      } else {
        found.set(row.key, "/dev/null");
      }
    }
  }
  if (found.size > MOST_SETTINGS) {
    throw unsafe(`its configuration names ${found.size} programs, too many to turn off`);
  }
  return found;
}

/** The subsection of a key that belongs to `section.*.variable`. It may be empty, and have dots. */
function subsectionOf(pattern: string, key: string): string | undefined {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  if (first === last) {
    return undefined;
  }
  const section = pattern.slice(0, pattern.indexOf("."));
  const variable = pattern.slice(pattern.lastIndexOf(".") + 1);
  const isOne =
    key.slice(0, first).toLowerCase() === section.toLowerCase() &&
    (variable === "*" || key.slice(last + 1).toLowerCase() === variable.toLowerCase());
  return isOne ? key.slice(first + 1, last) : undefined;
}

/** Whether a path of the configuration is a plain file. Spellings that git alone understands are not. */
async function isFile(value: string, folder: string): Promise<boolean> {
  const path = value.startsWith("~/") ? join(homedir(), value.slice(2)) : resolve(folder, value);
  return (await look(path))?.isFile() ?? false;
}

/** The environment without what redirects git; settings whose names are no arguments are in it. */
function environment(settings: readonly (readonly [string, string])[]): NodeJS.ProcessEnv {
  const { removed, kept, set } = safe.environment;
  // Windows does not tell `git_dir` from `GIT_DIR`.
  const isRemoved = (name: string): boolean => {
    const upper = name.toUpperCase();
    return upper.startsWith(removed) && !kept.some((row) => row.name === upper);
  };
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!isRemoved(name)) {
      env[name] = value;
    }
  }
  for (const { name, value } of set) {
    env[name] = value;
  }
  if (settings.length > 0) {
    env.GIT_CONFIG_COUNT = settings.length.toString();
  }
  for (const [at, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key;
    env[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return env;
}

/** Git in the folders of `PATH`. Relative ones lead into the folder that a program works in, so they do not count. */
async function findProgram(path: string): Promise<string | undefined> {
  const name = process.platform === "win32" ? "git.exe" : "git";
  for (const folder of path.split(delimiter).filter((folder) => isAbsolute(folder))) {
    const program = join(folder, name);
    const isProgram = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram && (await look(program))?.isFile()) {
      return program;
    }
  }
  return undefined;
}

/** The repository of a top level: its `.git`, or what that says. */
async function ownedBy(top: string): Promise<string> {
  const git = join(top, ".git");
  const found = await look(git);
  // A FIFO is not waited for.
  if (!found?.isFile() || found.size > MOST_POINTER) {
    return git;
  }
  const text = await readFile(git, "utf8").catch(() => "");
  return text.startsWith("gitdir: ") ? resolve(top, text.slice("gitdir: ".length).replace(/[\r\n]+$/, "")) : git;
}

async function look(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** A path without links. */
async function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

function withEnd(folder: string): string {
  return folder.endsWith(sep) ? folder : `${folder}${sep}`;
}

/** What git says where it opens nothing, in our words. */
function closed(error: unknown): unknown {
  if (!(error instanceof GitError) || error.problem !== "failed") {
    return error;
  }
  const said = error.message;
  if (/dubious ownership|unsafe repository/.test(said)) {
    return refused(`it ${OTHER_OWNER}, and git has no exception for it`);
  }
  if (said.includes("cannot use bare repository")) {
    return refused("it is a bare one, whose configuration may have come with its files");
  }
  if (said.includes("not a git repository")) {
    return new GitError("noRepository", "The folder is in no git repository.");
  }
  return refused(said.replace(/\.+$/, ""));
}

function refused(reason: string): GitError {
  return new GitError("closed", `The folder's git repository is not opened: ${reason}.`);
}

function unsafe(reason: string): GitError {
  return new GitError("unsafe", `git is not run in this repository: ${reason}.`);
}

/** The first two numbers of a version, as in `2.39.5 (Apple Git-154)`. */
function versionOf(text: string): Version {
  const [, major = "0", minor = "0"] = /(?:^|\s)(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major), Number(minor)];
}

function isOlder(one: Version, than: Version): boolean {
  return one[0] < than[0] || (one[0] === than[0] && one[1] < than[1]);
}

/** The line that says why git failed, which may have names of the repository in it. */
function plain(said: string): string {
  const lines = said.split(/\r?\n/);
  const found = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? "";
  const line = found.trim().replace(/^(?:fatal|error): /, "");
  // eslint-disable-next-line no-control-regex -- the terminal's own
  return line.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?").slice(0, MOST_SAID) || "it did not say why";
}
