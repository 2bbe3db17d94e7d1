/** The commits of a repository, read with the `git` program; `crates/host/src/git_log.rs` is its twin (SPEC RM1). */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A log that is longer says no more. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The commits that lead to the present state of the repository that a folder is in, the newest first; null where there
 * is no repository or no git. Nothing of the repository's own settings is run, and nothing is fetched.
 */
export async function gitLog(folder: string, most: number): Promise<string | null> {
  try {
    const { stdout } = await run(
      "git",
      [
        "--no-pager",
        ...["-c", "core.quotePath=off", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false"],
        ...["-C", folder, "log", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color"],
        ...["--find-renames", "--name-status", "--relative", "--format=%x01%B%x02"],
        ...[`--max-count=${most}`, "HEAD", "--"],
      ],
      {
        maxBuffer: MOST_BYTES,
        env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1" },
      },
    );
    return stdout;
  } catch {
    return null;
  }
}
