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

/** The absolute path, in the engine's form, of a path in an answer; `undefined` where no root has it. */
export function absolutePath(filePath: string, roots: readonly { name: string; path: string }[]): string | undefined {
  const root = roots.find(({ name }) => filePath.startsWith(`${name}/`));
  return root && `${root.path}${filePath.slice(root.name.length)}`;
}

/** A path in an answer without the name of the only root, which says nothing then. */
export function withoutOnlyRoot(filePath: string, roots: readonly { name: string }[]): string {
  const [only] = roots;
  return only && roots.length === 1 && filePath.startsWith(`${only.name}/`)
    ? filePath.slice(only.name.length + 1)
    : filePath;
}
