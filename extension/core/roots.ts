/** The workspace's folders as the engine's roots. */
import type { Root } from "../generated/protocol";

/**
 * Gives each root a name of its own: two folders may carry the same one, and a path
 * `name/relative/path` has to say which is meant. `/` would be read as part of the path.
 */
export function uniqueRoots(folders: readonly Root[]): Root[] {
  const taken = new Set<string>();
  return folders.map(({ name, path }) => {
    const plain = name.replace(/[/\\]/g, "-") || "root";
    let unique = plain;
    for (let number = 2; taken.has(unique); number += 1) {
      unique = `${plain}-${number}`;
    }
    taken.add(unique);
    return { name: unique, path };
  });
}
