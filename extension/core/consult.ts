/**
 * Asking the editor's language providers for the engine: in parallel, within a time, and never our own.
 *
 * What they said is handed on as it is; what it means is decided in the core.
 */
import type { Position, ProviderQuestion, ProviderReply, ProviderResult, DocumentSpan } from "../generated/protocol";

/** A place that a provider names. */
export interface Place {
  /** The engine's path of the file. */
  path: string;
  range: DocumentSpan;
}

/** The editor, as far as it is asked here. Every answer may be empty. */
export interface Editor {
  references(path: string, at: Position): Promise<Place[]>;
  definitions(path: string, at: Position): Promise<Place[]>;
  implementations(path: string, at: Position): Promise<Place[]>;
  /** Bases and derived types; of the latter also what implements an interface. */
  hierarchy(path: string, at: Position): Promise<{ above: Place[]; below: Place[] }>;
  /** Open documents of now, by path. */
  documents(): Map<string, { version: number; isDirty: boolean }>;
}

/** How long providers have, and how many of their places are handed on. */
export interface ConsultLimits {
  timeoutMs: number;
  mostPlaces: number;
}

/** What is handed on where nothing was said. */
const NOTHING: Required<ProviderReply> = { outcome: "failed", complete: false, places: [], above: [], below: [] };

/** Asks, and answers in any case: at the latest when the time is over. */
export async function consult(
  question: ProviderQuestion,
  editor: Editor,
  { timeoutMs, mostPlaces }: ConsultLimits,
): Promise<Required<ProviderReply>> {
  const before = editor.documents();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => {
      resolve("late");
    }, timeoutMs);
  });
  try {
    const said = await Promise.race([ask(question, editor), late]);
    if (said === "late") {
      return { ...NOTHING, outcome: "timedOut" };
    }
    const results = (places: Place[]) => resultsOf(places, before, editor.documents(), mostPlaces);
    const [places, above, below] = [results(said.places), results(said.above), results(said.below)];
    return {
      outcome: "answered",
      complete: places.complete && above.complete && below.complete,
      places: places.results,
      above: above.results,
      below: below.results,
    };
  } catch {
    // An extension's failure is no answer of ours.
    return NOTHING;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(
  { about, path, position }: ProviderQuestion,
  editor: Editor,
): Promise<{ places: Place[]; above: Place[]; below: Place[] }> {
  switch (about) {
    case "references":
      return { places: await editor.references(path, position), above: [], below: [] };
    case "definition":
      return { places: await editor.definitions(path, position), above: [], below: [] };
    case "implementations":
      return { places: await editor.implementations(path, position), above: [], below: [] };
    case "hierarchy":
      return { places: [], ...(await editor.hierarchy(path, position)) };
  }
}

/**
 * Places by file. A document that changed meanwhile is left out: nobody knows which text was spoken of.
 * A list that is too long loses whole files, so that what is said of a file is all that was said.
 */
function resultsOf(
  places: Place[],
  before: ReturnType<Editor["documents"]>,
  after: ReturnType<Editor["documents"]>,
  most: number,
): { results: ProviderResult[]; complete: boolean } {
  const byPath = new Map<string, DocumentSpan[]>();
  for (const { path, range } of places) {
    const ranges = byPath.get(path);
    if (ranges) {
      ranges.push(range);
    } else {
      byPath.set(path, [range]);
    }
  }
  const results: ProviderResult[] = [];
  let taken = 0;
  let complete = true;
  for (const path of [...byPath.keys()].sort()) {
    const ranges = byPath.get(path) ?? [];
    const version = versionOf(before.get(path), after.get(path));
    if (version === "changed" || taken + ranges.length > most) {
      complete = false;
      continue;
    }
    taken += ranges.length;
    results.push(version === undefined ? { path, ranges } : { path, version, ranges });
  }
  return { results, complete };
}

type Held = { version: number; isDirty: boolean } | undefined;

/** The version that was spoken of. A file that asking alone has opened is as the disk has it. */
function versionOf(before: Held, after: Held): number | "changed" | undefined {
  if (before === undefined) {
    return after?.isDirty === true ? "changed" : after?.version;
  }
  return after === undefined || after.version === before.version ? before.version : "changed";
}

/**
 * What we are asking others about at this moment. The editor asks all providers, ours among them: those
 * say nothing to a question of our own.
 */
export class OwnQuestions {
  private readonly asked = new Map<string, number>();

  /** Asks others; ours are silent about this key until they have all answered, however long that takes. */
  async during<T>(key: string, work: () => PromiseLike<T>): Promise<T> {
    this.asked.set(key, (this.asked.get(key) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const left = (this.asked.get(key) ?? 1) - 1;
      if (left > 0) {
        this.asked.set(key, left);
      } else {
        this.asked.delete(key);
      }
    }
  }

  /** Whether this is a question of our own. */
  has(key: string): boolean {
    return this.asked.has(key);
  }
}

/** The key of a question. `kind` is the kind of provider; whatever asks for a whole file gives no place. */
export function questionKey(kind: string, address: string, at?: Position): string {
  return at ? `${kind} ${at.line}:${at.character} ${address}` : `${kind} ${address}`;
}
