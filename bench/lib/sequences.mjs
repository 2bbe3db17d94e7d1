/** Past commits that only refactor, made again by the program's own verbs at their parents (SPEC ED1). */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { withoutLayout } from "./layout.mjs";

/** A batch on a large repository takes some seconds in a debug build; ten minutes say that it hangs. */
const LONGEST_MS = 600_000;

/**
 * Makes the steps of a sequence at the commit's parent and compares the code with the commit's:
 * `{ outcome, why, files }`. The outcome is `same`, `other` with the files that differ, `refused` with the reason, or
 * `skipped` where the repository or the commit is not at hand.
 */
export function made({ sequence, folder, binary, environment = process.env }) {
  const { repository, commit, steps } = sequence;
  const bare = folderOf(folder, repository);
  if (!bare) {
    return { outcome: "skipped", why: `${repository} is not below ${folder}.` };
  }
  const place = mkdtempSync(join(tmpdir(), "sequences-"));
  try {
    const root = join(place, "tree");
    git("clone", "--quiet", "--shared", "--no-checkout", bare, root);
    if (!hasCommit(root, commit)) {
      return { outcome: "skipped", why: `${repository} has no commit ${commit}.` };
    }
    git("-C", root, "checkout", "--quiet", "--force", "--detach", `${commit}~1`);
    return applied({ root, commit, steps, binary, env: { ...environment, ...ownFolders(place) } });
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The repository, bare or with a work tree, as `owner+name/repo`, `owner+name` or `name`. */
function folderOf(folder, repository) {
  const flat = repository.replace("/", "+");
  const names = [join(flat, "repo"), flat, repository.split("/").at(-1)];
  return names.map((name) => join(folder, name)).find(existsSync);
}

function ownFolders(place) {
  return { XDG_CACHE_HOME: join(place, "cache"), XDG_STATE_HOME: join(place, "state") };
}

function applied({ root, commit, steps, binary, env }) {
  const input = steps.map((step) => JSON.stringify(located(root, step))).join("\n");
  const options = { encoding: "utf8", maxBuffer: 1 << 28, timeout: LONGEST_MS, env, input };
  try {
    execFileSync(binary, ["batch-edit", "--apply", "--json", "--root", root], { ...options, stdio: "pipe" });
  } catch (error) {
    return { outcome: "refused", why: refusal(error) };
  }
  git("-C", root, "add", "--all");
  const differing = git("-C", root, "diff", "--cached", "--no-renames", "--name-only", commit)
    .split("\n")
    .filter(Boolean);
  const files = differing.filter((path) => !isSame(root, commit, path));
  return files.length === 0 ? { outcome: "same" } : { outcome: "other", files };
}

function refusal(error) {
  try {
    const { message, details } = JSON.parse(error.stdout).error;
    return [message, ...(details?.places ?? []).slice(0, 3)].join(" ");
  } catch {
    return String(error.message).split("\n")[0];
  }
}

/** A step whose place is written as the text around it, with `|` before the name, at that text's place in the file. */
function located(root, { at, ...step }) {
  if (at === undefined) {
    return step;
  }
  const text = readFileSync(join(root, step.filePath), "utf8");
  const [before, behind] = at.split("|");
  const start = text.indexOf(before + behind);
  if (start < 0) {
    throw new Error(`${step.filePath} has no \`${at}\`.`);
  }
  const lines = text.slice(0, start + before.length).split("\n");
  return { ...step, position: { line: lines.length, character: lines.at(-1).length + 1 } };
}

/** Whether a file is as the commit has it but for comments, layout and, where it is no code, words. */
function isSame(root, commit, path) {
  const [here, there] = [":", `${commit}:`].map((at) => shown(root, `${at}${path}`));
  const [own, theirs] = [here, there].map((text) => (text === undefined ? undefined : withoutLayout(path, text)));
  return own === theirs;
}

function shown(root, what) {
  try {
    return git("-C", root, "show", what);
  } catch {
    return undefined;
  }
}

function hasCommit(root, commit) {
  try {
    git("-C", root, "cat-file", "-e", `${commit}~1^{tree}`);
    return true;
  } catch {
    return false;
  }
}

function git(...args) {
  const options = { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] };
  return execFileSync("git", ["-c", "core.hooksPath=/dev/null", ...args], options);
}
