/** Where the cache of a set of roots is kept: in the user's cache folder, by the roots' paths. */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

import type { Root } from "../generated/protocol";

/** Names differ from those of the native program, whose caches have what the module has not. */
const KIND = "module";
const NAME_BYTES = 12;

/** The cache file of these roots. */
export function cacheFile(roots: readonly Root[], env: NodeJS.ProcessEnv): string {
  const hash = createHash("sha256").update(KIND).update("\0");
  for (const { path } of roots) {
    hash.update(path).update("\0");
  }
  const name = hash.digest("hex").slice(0, 2 * NAME_BYTES);
  return join(cacheFolder(env), "codecortex", `${name}.index`);
}

/** The user's folder for what can be made anew; a relative path in the environment counts for nothing. */
function cacheFolder(env: NodeJS.ProcessEnv): string {
  const named = process.platform === "win32" ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  if (named !== undefined && isAbsolute(named)) {
    return named;
  }
  return process.platform === "win32" ? join(homedir(), "AppData", "Local") : join(homedir(), ".cache");
}
