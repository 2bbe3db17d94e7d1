/** The commits of a repository, read with the `git` program; `crates/host/src/git_log.rs` is its twin (SPEC RM1). */
import { Git } from "./git.node";

/** A log that is longer says no more. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The commits that lead to the present state of the repository that a folder is in, the newest first; null where there
 * is no repository or no git. No program of the repository is run, and nothing is fetched.
 */
export async function gitLog(folder: string, most: number): Promise<string | null> {
  try {
    const git = await Git.open(folder);
    const { bytes, isCut } = await git.bytes(
      [
        ...["log", "--find-renames", "--name-status", "--relative", "--format=%x01%B%x02"],
        ...[`--max-count=${most}`, "HEAD", "--"],
      ],
      { most: MOST_BYTES },
    );
    return isCut ? null : bytes.toString("utf8");
  } catch {
    return null;
  }
}
