/**
 * Whether a use is nowhere (SPEC X3, D35): every place in code where the name of a symbol is written is in some tier
 * of its references, means another symbol, or is counted in `totalOutside`. The places come from a search of words
 * that knows nothing of the index: it skips comments and texts and takes what is left for code.
 */

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { ENDINGS } from "./baselines.mjs";
import { Batch } from "./truth.mjs";

const TIERS = ["exact", "inferred", "related", "name"];
const MEMBERS = ["method", "function", "constructor", "field", "property", "constant", "enumMember", "event"];
/** A name that is written more often is passed over, and counted: each of its places costs a call. */
const MOST_PLACES = 300;

const SKIPPED = {
  // after a text with a hole (`$"{name}"`) the hole is skipped too: what is not looked at is no miss
  braces: String.raw`//[^\n]*|/\*[\s\S]*?\*/|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'`,
  // a lone ' begins a lifetime
  rust: String.raw`//[^\n]*|/\*[\s\S]*?\*/|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\\n])'`,
  hash: String.raw`#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`,
  backticks:
    String.raw`//[^\n]*|/\*[\s\S]*?\*/|` +
    "`(?:\\\\[\\s\\S]|[^`\\\\])*`" +
    String.raw`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`,
};
const FAMILY = { python: "hash", rust: "rust", go: "backticks", javascript: "backticks", typescript: "backticks" };

/** Where the names of namespaces and packages stand: no tool tells of these, so no use of a member is sought there. */
const NAMESPACES = {
  csharp:
    /^\uFEFF?[ \t]*(?:global[ \t]+)?(?:using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?(?=[\w.]+;)|namespace[ \t]+)[\w.]+/gm,
  java: /^\uFEFF?[ \t]*(?:package[ \t]+[\w.]+|import[ \t]+(?:static[ \t]+)?(?:\w+\.)+)/gm,
  python: /^\uFEFF?[ \t]*from[ \t]+[\w.]+(?=[ \t]+import\b)/gm,
};

const key = ({ file, line, character }) => `${file}:${line}:${character}`;

/** The identifiers of a text outside of comments and texts, with lines and characters from 0. */
export function codeWords(text, language) {
  const skipped = SKIPPED[FAMILY[language] ?? "braces"];
  const verbatim = language === "csharp" ? String.raw`^[ \t]*#(?:end)?region[^\n]*|[@$]{0,2}@"(?:""|[^"])*"|` : "";
  const pattern = new RegExp(
    `(?:${verbatim}${skipped})|(?<word>[\\p{L}_][\\p{L}\\p{N}_]*)|(?<line>\\r\\n?|\\n)`,
    "gmu",
  );
  const found = [];
  const named = NAMESPACES[language];
  const namespaces = named ? [...text.matchAll(named)].map(({ 0: all, index }) => [index, index + all.length]) : [];
  const isNamespace = (at) => namespaces.some(([from, to]) => from <= at && at < to);
  let [line, start] = [0, 0];
  for (const { 0: all, index, groups } of text.matchAll(pattern)) {
    if (groups.word && !isNamespace(index)) {
      found.push({ word: groups.word, line, character: index - start });
    }
    for (const end of all.matchAll(/\r\n?|\n/g)) {
      line += 1;
      start = index + end.index + end[0].length;
    }
  }
  return found;
}

/** Every identifier in the code below a folder, by its text. */
function wordsBelow(folder, language) {
  const words = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && ENDINGS[language].test(entry.name)) {
      const file = path.slice(folder.length + 1).replaceAll("\\", "/");
      for (const { word, ...place } of codeWords(readFileSync(path, "utf8"), language)) {
        words.set(word, [...(words.get(word) ?? []), { file, ...place }]);
      }
    }
  }
  return words;
}

/** Numbers from 0 up to 1, the same for the same seed. */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const asked = ({ file, line, character }) => ({
  filePath: file,
  position: { line: line + 1, character: character + 1 },
});
const inside = (path) => path.slice(path.indexOf("/") + 1);
const placeOf = ({ filePath }, range) => ({ file: inside(filePath), ...range.start });

/** Every use of the symbol at a place, of all tiers, and how many occurrences lead outside. */
async function usesOf(batch, place) {
  const places = new Set();
  let outside;
  let cursor;
  do {
    const args = { ...asked(place), tiers: TIERS, limit: 200, includePreview: false, ...(cursor && { cursor }) };
    const answer = await batch.call("codecortex_findReferences", args);
    if (!answer.ok) {
      return undefined;
    }
    outside = answer.data.totalOutside ?? 0;
    for (const use of answer.data.references) {
      places.add(key(placeOf(use, use.range)));
    }
    cursor = answer.data.nextCursor;
  } while (cursor);
  return { places, outside };
}

/** The symbol that is meant at a place: its kind, path and declarations. */
async function meantAt(batch, place) {
  const answer = await batch.call("codecortex_resolveSymbolAtPosition", {
    ...asked(place),
    includeDocumentation: false,
  });
  if (!answer.ok) {
    return undefined;
  }
  const { symbol } = answer.data;
  const declared = [symbol.definition, ...(symbol.definitions ?? [])].filter(Boolean);
  return { ...symbol, declared: declared.map((of) => key(placeOf(of, of.nameRange))) };
}

/** Whether a symbol cannot be meant outside of its own files: a private member, or a function in a function. */
function isConfined(symbol) {
  return /\bprivate\b/.test(symbol.signature ?? "") || symbol.isLocal;
}

/** The places of a name that are in no tier of a symbol, mean no other one and are not counted as outside. */
export async function missesOf(batch, symbol, places) {
  const uses = await usesOf(batch, symbol.at);
  if (!uses) {
    return undefined;
  }
  const own = new Set(symbol.declared);
  const left = [];
  for (const place of places) {
    const isElsewhere = isConfined(symbol) && ![...own].some((of) => of.startsWith(`${place.file}:`));
    if (isElsewhere || uses.places.has(key(place)) || own.has(key(place))) {
      continue;
    }
    const other = await meantAt(batch, place);
    if (!other || other.declared.some((of) => own.has(of))) {
      left.push(place);
    }
  }
  // which of them lead outside is not told, only how many
  return left.length > uses.outside ? { left, outside: uses.outside } : { left: [], outside: uses.outside };
}

/** `count` members of a folder at random, each with its misses: `{ checked, passedOver, misses }`. */
export async function nowhere({ binary, folder, language, count, seed, tell = () => {} }) {
  const words = wordsBelow(folder, language);
  const all = [...words].flatMap(([word, places]) => places.map((place) => ({ word, place })));
  const random = randomOf(seed);
  const batch = new Batch(binary, folder);
  const seen = new Set();
  const found = { checked: 0, passedOver: 0, misses: [] };
  for (let tries = 0; found.checked < count && tries < 40 * count && all.length > 0; tries += 1) {
    const { word, place } = all[Math.floor(random() * all.length)];
    const symbol = await meantAt(batch, place);
    if (!symbol || !MEMBERS.includes(symbol.kind) || symbol.name !== word || seen.has(symbol.declared[0])) {
      continue;
    }
    seen.add(symbol.declared[0]);
    const places = words.get(word);
    if (places.length > MOST_PLACES) {
      found.passedOver += 1;
      continue;
    }
    const misses = await missesOf(batch, { ...symbol, at: place }, places);
    found.checked += 1;
    if (!misses || misses.left.length > 0) {
      found.misses.push({ name: symbol.path ?? word, ...misses });
      tell(
        `${symbol.path ?? word}: ${misses ? `${misses.left.length} places, ${misses.outside} outside: ${misses.left.map(told).join(", ")}` : "no answer"}`,
      );
    }
  }
  await batch.end();
  return found;
}

const told = ({ file, line, character }) => `${file}:${line + 1}:${character + 1}`;
