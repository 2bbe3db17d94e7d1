/**
 * What the view "Texts" shows: types by where the text about them stands, as the core lists them, and what quotas leave.
 *
 * What was sent is read from `state.json` of `.context/` (docs/context-folder.md), which any program may have
 * written: what is not of its form counts as not there.
 */
import type { ListEntry, StatusData } from "../generated/answers";
import { list, record } from "./json";
import { escaped } from "./markdown";
import { containerOf, KIND_ICONS, simpleName } from "./symbolNames";

/** Where the text about a type stands. */
export type TextState = "failed" | "generating" | "pending" | "stale" | "cached" | "none";

/** A type and where its text stands. */
export interface TypeText {
  /** The same as long as it is about the same type. */
  key: string;
  id: string;
  /** Full path. */
  symbol: string;
  kind: string;
  state: TextState;
  lastError?: string;
}

/** A line below a group. */
export interface TextEntry extends TypeText {
  label: string;
  description: string;
  /** Markdown. */
  tooltip: string;
  icon: string;
}

/** All types whose texts stand alike. */
export interface TextGroup {
  state: TextState;
  label: string;
  icon: string;
  /** Colour of the theme. */
  color?: string;
  isFolded: boolean;
  /** How many there are, also those that are not among the entries. */
  count: number;
  entries: TextEntry[];
}

/** Lines of a group, as many as one answer has: nobody reads more, a search finds the rest. */
export const MOST_LISTED = 200;

/** The groups in their order: what asks for attention first. */
const GROUPS: readonly (readonly [state: TextState, label: string, icon: string, color?: string])[] = [
  ["failed", "Failed", "error", "list.errorForeground"],
  ["generating", "Being Written", "loading~spin"],
  ["pending", "Waiting", "clock"],
  ["stale", "Stale", "history", "list.warningForeground"],
  ["cached", "Fresh", "pass", "testing.iconPassed"],
  ["none", "Not Described", "circle-outline"],
];
const FOLDED: readonly TextState[] = ["cached", "none"];

/** The states, what asks for attention first. */
export const TEXT_STATES: readonly TextState[] = GROUPS.map(([state]) => state);

/** The types in one state, as `codecortex_status` lists them. */
export interface TextList {
  state: TextState;
  /** How many there are, also those that are not listed. */
  count: number;
  types: TypeText[];
}

/** What an answer with `list: "texts"` says of one state, for which alone it was asked. */
export function textList(state: TextState, { list: entries = [], listTotal = 0 }: StatusData): TextList {
  return { state, count: listTotal, types: entries.flatMap((entry) => typeText(state, entry)) };
}

/** What such an answer says of all states; nothing where it does not have all types. */
export function textLists({ list: entries = [], listTotal = 0 }: StatusData): TextList[] | undefined {
  if (entries.length < listTotal) {
    return undefined;
  }
  return TEXT_STATES.map((state) => {
    const types = entries.filter(({ reason }) => reason === state).flatMap((entry) => typeText(state, entry));
    return { state, count: types.length, types };
  });
}

function typeText(state: TextState, { filePath, resolved, detail }: ListEntry): TypeText[] {
  if (resolved === undefined) {
    return [];
  }
  const { typeId, path, kind } = resolved;
  const type = { key: `${filePath}${typeId}`, id: typeId, symbol: path, kind, state };
  return [detail === undefined ? type : { ...type, lastError: detail }];
}

/** Types by where their texts stand, empty groups left out. */
export function textGroups(lists: readonly TextList[]): TextGroup[] {
  const groups = GROUPS.map(([state, label, icon, color]): TextGroup => {
    const own = lists.find((of) => of.state === state);
    const entries = own?.types.map(entryOf) ?? [];
    const group = { state, label, icon, isFolded: FOLDED.includes(state), count: own?.count ?? 0, entries };
    return color === undefined ? group : { ...group, color };
  });
  return groups.filter(({ count }) => count > 0);
}

function entryOf(type: TypeText): TextEntry {
  const { symbol, kind, lastError } = type;
  const label = simpleName(symbol);
  // Errors come as parts of sentences.
  const error = lastError === undefined ? undefined : lastError.slice(0, 1).toUpperCase() + lastError.slice(1);
  const why = error === undefined ? [] : [escaped(error)];
  return {
    ...type,
    label,
    description: error ?? containerOf(symbol, label),
    tooltip: [`**${escaped(symbol)}** · ${escaped(kind)}`, ...why].join("  \n"),
    icon: KIND_ICONS.get(kind) ?? "symbol-misc",
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** What may be sent, and what was: requests and tokens. */
interface Cost {
  calls: number;
  tokens: number;
}

const HOUR_MS = 60 * 60 * 1_000;

/**
 * What the person's quotas for a folder leave for now, as sentences; none where there are no quotas. `state` is its
 * `state.json`, where what was sent is counted by hours.
 */
export function quotaLeft(quota: Record<string, unknown>, state: string, now: number): string[] {
  const spans = [
    ["hour", sent(state, HOUR_MS, now), quota.callsPerHour, quota.tokensPerHour],
    ["day", sent(state, 24 * HOUR_MS, now), quota.callsPerDay, quota.tokensPerDay],
  ] as const;
  return spans.flatMap(([span, { calls, tokens }, mostCalls, mostTokens]) => {
    const left = [...remaining(mostCalls, calls, "requests"), ...remaining(mostTokens, tokens, "tokens")];
    return left.length === 0 ? [] : [`Left this ${span}: ${left.join(", ")}.`];
  });
}

function remaining(most: unknown, used: number, what: string): string[] {
  return typeof most === "number" ? [`${grouped(Math.max(0, most - used))} of ${grouped(most)} ${what}`] : [];
}

/** What was sent in the last so many milliseconds, hours counted whole as the core does. */
function sent(state: string, span: number, now: number): Cost {
  const sum = { calls: 0, tokens: 0 };
  for (const entry of list(record(record(parsed(state)).modelUsage).hours)) {
    const [at, cost] = list(entry);
    const { calls, tokens } = record(cost);
    if (typeof at === "number" && at + span > now) {
      sum.calls += typeof calls === "number" ? calls : 0;
      sum.tokens += typeof tokens === "number" ? tokens : 0;
    }
  }
  return sum;
}

/** `1,204`, in every language of the editor alike. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
