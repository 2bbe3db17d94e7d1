/**
 * What a search by name and what a tags file answer to the questions that compilers answered, as predictions
 * for the same scorer: every identifier of the name; the same with ctags' declarations to tell them apart.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ENDINGS = {
  angelscript: /\.as$/i,
  cpp: /\.(c|cc|cpp|cxx|h|hh|hpp|inl)$/,
  c: /\.[ch]$/,
  csharp: /\.cs$/,
  go: /\.go$/,
  java: /\.java$/,
  javascript: /\.[cm]?jsx?$/,
  python: /\.pyi?$/,
  rust: /\.rs$/,
  typescript: /\.[cm]?tsx?$/,
};
const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

const key = ({ file, line, character }) => `${file}:${line}:${character}`;

/** Every identifier of the sources below a folder, by its text. */
export function identifiers(root, language) {
  const words = new Map();
  const files = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ENDINGS[language].test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  for (const path of files) {
    const file = path.slice(root.length + 1).replaceAll("\\", "/");
    for (const [line, text] of readFileSync(path, "utf8").split("\n").entries()) {
      for (const { 0: word, index } of text.matchAll(IDENTIFIER)) {
        const places = words.get(word) ?? [];
        places.push({ file, line, character: index });
        words.set(word, places);
      }
    }
  }
  return words;
}

/** The declarations that ctags sees by their name: place, and the last line of what they hold. */
export function tags(root, words) {
  if (spawnSync("ctags", ["--version"]).status !== 0) {
    return undefined;
  }
  const args = ["--output-format=json", "--fields=+ne", "--extras=-F", "-R", "-f", "-", "."];
  const out = execFileSync("ctags", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28, stdio: "pipe" });
  const byName = new Map();
  for (const line of out.split("\n").filter((line) => line.startsWith("{"))) {
    const tag = JSON.parse(line);
    const file = tag.path.replace(/^\.\//, "");
    const onLine = words.get(tag.name)?.find((place) => place.file === file && place.line === tag.line - 1);
    if (onLine) {
      const found = byName.get(tag.name) ?? [];
      found.push({ ...onLine, end: (tag.end ?? tag.line) - 1 });
      byName.set(tag.name, found);
    }
  }
  return byName;
}

/** Every place where the name is written is a use, and its first declaration by ctags' or by place is meant. */
export function byName(symbols, words) {
  return predictions(symbols, {
    references: ({ name, definition }) => others(words.get(name), definition),
    definitions: ({ name }) => (words.get(name) ?? []).slice(0, 1),
  });
}

/**
 * What tags add: a declaration of the name is no use of another; what has no tag is a local, and used in the
 * declaration around it alone.
 */
export function byTags(symbols, words, tagged) {
  const isTag = (place) => (tagged.get(place.name) ?? []).some((tag) => key(tag) === key(place));
  const around = ({ file, line }) => {
    const holds = (tag) => tag.file === file && tag.line <= line && line <= tag.end && tag.end > tag.line;
    const all = [...tagged.values()].flat().filter(holds);
    return all.sort((a, b) => a.end - a.line - (b.end - b.line))[0];
  };
  return predictions(symbols, {
    references: ({ name, definition }) => {
      const places = others(words.get(name), definition).filter((place) => !isTag({ name, ...place }));
      const scope = isTag({ name, ...definition }) ? undefined : around(definition);
      const isInside = ({ file, line }) => file === scope.file && scope.line <= line && line <= scope.end;
      return scope ? places.filter(isInside) : places;
    },
    definitions: ({ name }, place) => {
      const found = tagged.get(name) ?? [];
      const near = found.filter(({ file }) => file === place.file);
      return [...near, ...found.filter(({ file }) => file !== place.file)].slice(0, 8);
    },
  });
}

function others(places = [], definition) {
  return places.filter((place) => key(place) !== key(definition));
}

function predictions(symbols, { references, definitions }) {
  const asked = new Map();
  const lines = symbols.map((symbol) => {
    for (const place of symbol.references) {
      const query = { file: place.file, line: place.line, character: place.character };
      asked.set(key(place), { query, definitions: definitions(symbol, place).map(bare) });
    }
    return { definition: symbol.definition, references: references(symbol).map(bare) };
  });
  return [...lines, ...asked.values()];
}

const bare = ({ file, line, character }) => ({ file, line, character });
