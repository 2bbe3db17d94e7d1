/** Source text that is on every machine after the set-up: what cargo and npm brought, and our fixtures. */

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { extname, join } from "node:path";

/** By the file's ending; a header counts as C. */
const LANGUAGES = {
  ".as": "angelscript",
  ".bash": "shellscript",
  ".c": "c",
  ".h": "c",
  ".cc": "cpp",
  ".cpp": "cpp",
  ".hpp": "cpp",
  ".cs": "csharp",
  ".dart": "dart",
  ".ex": "elixir",
  ".exs": "elixir",
  ".go": "go",
  ".java": "java",
  ".js": "javascript",
  ".kt": "kotlin",
  ".kts": "kotlin",
  ".lua": "lua",
  ".mjs": "javascript",
  ".php": "php",
  ".py": "python",
  ".rb": "ruby",
  ".rs": "rust",
  ".scala": "scala",
  ".sh": "shellscript",
  ".swift": "swift",
  ".ts": "typescript",
  ".tsx": "typescriptreact",
  ".zig": "zig",
};

const SKIPPED = new Set([".git", ".cache", ".bin"]);

/** Larger files are left out: a parser's tables are no source text, and a tree takes 30 times the bytes. */
const LARGEST = 1_500_000;

/** @returns {Map<string, {path: string, bytes: Buffer}[]>} for each language files of at most `most` bytes together */
export function gather(root, most) {
  const cargo = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
  const found = new Map();
  const sizes = new Map();
  const fixtures = join(root, "crates", "syntax", "tests", "fixtures");
  const folders = [
    fixtures,
    join(root, "test", "fixtures"),
    join(root, "node_modules"),
    join(cargo, "registry", "src"),
  ];
  for (const path of folders.flatMap((folder) => [...files(folder)])) {
    const language = LANGUAGES[extname(path).toLowerCase()];
    if (!language || (sizes.get(language) ?? 0) > most) {
      continue;
    }
    const bytes = readFileSync(path);
    if (bytes.length > 0 && bytes.length < LARGEST) {
      found.set(language, [...(found.get(language) ?? []), { path, bytes }]);
      sizes.set(language, (sizes.get(language) ?? 0) + bytes.length);
    }
  }
  return found;
}

function* files(folder) {
  // not every machine has every folder
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) {
      yield* files(join(folder, entry.name));
    } else if (entry.isFile()) {
      yield join(folder, entry.name);
    }
  }
}
