/**
 * Reads the answers that the editor's features are made from. Answers are data of another side, so every
 * field is looked at; whatever is not as expected is left out.
 */
import type { Span } from "../generated/protocol";
import { dataOf as dataOrProblem } from "./envelope";

/** A place in a file, as answers name files. */
export interface Located {
  filePath: string;
  range: Span;
}

/** A declaration with its name. */
export interface Declared {
  name: string;
  kind: string;
  /** Full path in the language's notation. */
  path: string;
  filePath: string;
  range: Span;
  nameRange: Span;
}

/** A declaration with the places where it calls or is called. */
export interface Related extends Declared {
  sites: Located[];
}

/** A declaration in the outline of a file, each before what is in it. */
export interface Outlined extends Omit<Declared, "path" | "filePath"> {
  depth: number;
  detail: string;
}

/** `data` of an envelope, where the call succeeded. */
export function dataOf(json: string | null | undefined): Record<string, unknown> | undefined {
  const read = dataOrProblem(json);
  return "data" in read ? read.data : undefined;
}

/** The places of `codecortex_findReferences`. */
export function references(data: Record<string, unknown>): Located[] {
  return list(data.references).flatMap((entry) => located(entry, "range"));
}

/** The declarations of `codecortex_findReferences` with a `relation`. */
export function related(data: Record<string, unknown>): Related[] {
  return list(data.declarations).flatMap((entry) => {
    const sites = list(entry.sites).flatMap((site) => located(site, "range"));
    return declared(entry).map((found) => ({ ...found, sites }));
  });
}

/** The declarations of `codecortex_resolveSymbolAtPosition`, by their names. */
export function definitions(data: Record<string, unknown>): (Located & { whole: Span })[] {
  const symbol = record(data.symbol);
  return [record(symbol?.definition), ...list(symbol?.definitions)].flatMap((entry) => {
    const whole = entry && span(entry.range);
    return entry && whole ? located(entry, "nameRange").map((place) => ({ ...place, whole })) : [];
  });
}

/** The symbol of `codecortex_resolveSymbolAtPosition`, with an id to ask on by; nothing for locals. */
export function symbolAt(data: Record<string, unknown>): (Declared & { id: string }) | undefined {
  const [symbol, resolved] = [record(data.symbol), record(data.resolved)];
  const definition = record(symbol?.definition);
  const [found] = declared({ ...definition, ...symbol, path: resolved?.path });
  const id = text(resolved?.memberId) ?? text(resolved?.typeId);
  return found && id !== undefined ? { ...found, id } : undefined;
}

/**
 * What a hover shows: the signature as the language writes it, and the documentation; nothing where several
 * declarations have no more in common with the place than their name.
 */
export function described(data: Record<string, unknown>): { signature: string; doc: string } | undefined {
  const symbol = record(data.symbol);
  const signature = text(symbol?.signature);
  const isGuess = record(symbol?.definition)?.tier === "name" && list(symbol?.definitions).length > 0;
  return signature === undefined || isGuess ? undefined : { signature, doc: text(symbol?.doc) ?? "" };
}

/** The declarations of `codecortex_getOutline`. */
export function outline(data: Record<string, unknown>): Outlined[] {
  return list(data.declarations).flatMap((entry) => {
    const [name, kind] = [text(entry.name), text(entry.kind)];
    const [range, nameRange] = [span(entry.range), span(entry.nameRange)];
    if (name === undefined || kind === undefined || !range || !nameRange) {
      return [];
    }
    return [{ name, kind, range, nameRange, depth: count(entry.depth) ?? 0, detail: text(entry.signature) ?? "" }];
  });
}

/** The results of `codecortex_searchApi`. */
export function searched(data: Record<string, unknown>): Omit<Declared, "range">[] {
  return list(data.items).flatMap((entry) => {
    const [name, kind, path] = [text(entry.name), text(entry.kind), text(entry.path)];
    if (name === undefined || kind === undefined || path === undefined) {
      return [];
    }
    return located(entry, "nameRange").map(({ filePath, range }) => ({ name, kind, path, filePath, nameRange: range }));
  });
}

/** The direct bases (`basesByClass`) or derived types (`derivedByParent`) of the root of a hierarchy. */
export function relatives(data: Record<string, unknown>, which: "basesByClass" | "derivedByParent"): Declared[] {
  const names = record(data[which])?.[text(data.root) ?? ""];
  const sources = record(data.sourceByClass);
  const paths = Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  return paths.flatMap((path) => {
    const source = record(sources?.[path]);
    const [place] = source ? located(source, "nameRange") : [];
    // The last part of its path, in whatever notation.
    const name = /[^.:+/\\#]+$/.exec(path)?.[0] ?? path;
    return place
      ? [{ name, kind: "class", path, filePath: place.filePath, range: place.range, nameRange: place.range }]
      : [];
  });
}

/** Where a list goes on. */
export function nextCursor(data: Record<string, unknown>): string | undefined {
  return text(data.nextCursor);
}

/** Declarations by depth as a tree. */
export function nested<T>(declarations: readonly Outlined[], make: (declaration: Outlined, children: T[]) => T): T[] {
  const roots: T[] = [];
  const open: { depth: number; declaration: Outlined; children: T[] }[] = [];
  const closeTo = (depth: number): void => {
    for (let last = open.at(-1); last && last.depth >= depth; last = open.at(-1)) {
      open.pop();
      (open.at(-1)?.children ?? roots).push(make(last.declaration, last.children));
    }
  };
  for (const declaration of declarations) {
    closeTo(declaration.depth);
    open.push({ depth: declaration.depth, declaration, children: [] });
  }
  closeTo(0);
  return roots;
}

function declared(entry: Record<string, unknown>): Declared[] {
  const [name, kind, filePath] = [text(entry.name), text(entry.kind), text(entry.filePath)];
  const [range, nameRange] = [span(entry.range), span(entry.nameRange)];
  if (name === undefined || kind === undefined || filePath === undefined || !range || !nameRange) {
    return [];
  }
  return [{ name, kind, path: text(entry.path) ?? name, filePath, range, nameRange }];
}

function located(entry: Record<string, unknown>, key: "range" | "nameRange"): Located[] {
  const [filePath, range] = [text(entry.filePath), span(entry[key])];
  return filePath !== undefined && range ? [{ filePath, range }] : [];
}

function span(value: unknown): Span | undefined {
  const [start, end] = [record(record(value)?.start), record(record(value)?.end)];
  const at = [count(start?.line), count(start?.character), count(end?.line), count(end?.character)];
  const [startLine, startCharacter, endLine, endCharacter] = at;
  if (startLine === undefined || startCharacter === undefined || endLine === undefined || endCharacter === undefined) {
    return undefined;
  }
  return {
    start: { line: startLine, character: startCharacter },
    end: { line: endLine, character: endCharacter },
  };
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(record).filter((entry) => entry !== undefined) : [];
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
