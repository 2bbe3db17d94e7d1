/** What every package says of itself, and where packages are made. */

import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { root } from "../lib/context.mjs";

/** The time in every archive, seconds since 1970: npm's own, so that the same contents give the same bytes. */
export const EPOCH = 499_162_500;

/** Who publishes where no repository is named: the publisher of the extension. */
const NAMESPACE = "io.github";

/** Name, version, licence and addresses; `repository` is an address or undefined. */
export function product(repository) {
  const { name, version, license, publisher, displayName } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return {
    name,
    displayName,
    version,
    license,
    publisher,
    description: "Outlines, symbols and context of your code for LLM coders, within a budget of tokens.",
    keywords: ["mcp", "mcp-server", "code-search", "outline", "symbols", "agent"],
    mcpName: `${NAMESPACE}.${owner(repository) ?? publisher}/${name}`,
    ...(repository === undefined ? {} : { repository: { type: "git", url: repository } }),
  };
}

/** The owner in a repository's address, `https://HOST/OWNER/NAME`. */
function owner(repository) {
  return repository === undefined ? undefined : new URL(repository).pathname.split("/").find((part) => part !== "");
}

/** An empty folder for the contents of a package, below the cache. */
export function emptyFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The file, or a sentence that says how to make it. */
export function required(file, made) {
  if (!existsSync(file)) {
    throw new Error(`${file} is missing: ${made}`);
  }
  return file;
}
