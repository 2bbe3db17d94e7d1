/** Deletes a folder that a process may still write to. */

import { existsSync, rmSync } from "node:fs";

import { until } from "./companion.mjs";

const WAIT_MS = 20_000;
/** A file came into it, or another process has it open (Windows). */
const TRY_AGAIN = new Set(["ENOTEMPTY", "EBUSY", "EPERM"]);

/**
 * Deletes the folder with all that is in it. What comes into it meanwhile is deleted too: `maxRetries` of `rmSync` would
 * only try to remove the folder itself again.
 *
 * @throws {Error} if it keeps coming back
 */
export async function deleteFolder(folder) {
  await until(`${folder} is deleted`, () => isDeleted(folder), WAIT_MS);
}

function isDeleted(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!TRY_AGAIN.has(error.code)) {
      throw error;
    }
  }
  return !existsSync(folder);
}
