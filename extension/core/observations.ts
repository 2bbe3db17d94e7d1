/** Observations as an editor shows them (SPEC X7). */
import type { ToolAnswers } from "../generated/answers";
import { escaped } from "./markdown";

/** An observation as a list tells it. */
export type Observation = ToolAnswers["codecortex_recall"]["items"][number];

const ICONS: Readonly<Record<string, string>> = {
  fresh: "$(pass)",
  drifted: "$(warning)",
  orphaned: "$(circle-slash)",
};
const MEANINGS: Readonly<Record<string, string>> = {
  fresh: "still holds",
  drifted: "its code has changed",
  orphaned: "its code is gone",
};

/** What a list says of a verdict: a codicon, and the colour of the theme where it has one. */
const VERDICT_ICONS: Readonly<Record<string, { icon: string; color: string }>> = {
  fresh: { icon: "pass", color: "testing.iconPassed" },
  drifted: { icon: "warning", color: "list.warningForeground" },
  orphaned: { icon: "circle-slash", color: "disabledForeground" },
};

/** A line of the timeline. */
export interface ObservationEntry {
  id: number;
  label: string;
  description: string;
  /** Markdown. */
  tooltip: string;
  icon: string;
  color?: string;
  /** What a screen reader says. */
  spoken: string;
}

/** A line of the timeline: what it says, when it was said, and whether it still holds. */
export function observationEntry(item: Observation, now: number): ObservationEntry {
  const { id, summary, ts, verdict = "", type, task_id: task } = item;
  const told = [type, task].filter((part) => part !== undefined);
  const meaning = MEANINGS[verdict];
  const when = agoOf(ts, now);
  const lines = [
    `**${escaped(summary)}**`,
    [`#${id}`, `${ts} UTC`, `${item.actor}/${item.phase}`, ...told].map((part) => escaped(part)).join(" · "),
    meaning === undefined ? "" : sentence(meaning),
  ];
  return {
    id,
    label: summary,
    description: [when, ...told].join(" · "),
    tooltip: lines.filter((line) => line !== "").join("  \n"),
    ...(VERDICT_ICONS[verdict] ?? { icon: "note" }),
    spoken: [summary, when, ...(meaning === undefined ? [] : [meaning])].join(", "),
  };
}

const UNITS: readonly [ms: number, unit: string][] = [
  [24 * 60 * 60_000, "day"],
  [60 * 60_000, "hr"],
  [60_000, "min"],
];
/** Longer ago than this, the date says more. */
const MOST_DAYS = 30;

/** How long ago a time of the store was, as the editor's own timeline says it. */
export function agoOf(ts: string, now: number): string {
  const ms = now - Date.parse(`${ts.replace(" ", "T")}Z`);
  if (Number.isNaN(ms) || ms > MOST_DAYS * 24 * 60 * 60_000) {
    return ts.slice(0, 10);
  }
  const [length, unit] = UNITS.find(([length]) => ms >= length) ?? [0, ""];
  const count = length === 0 ? 0 : Math.floor(ms / length);
  return count === 0 ? "now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

/** Whether an answer says that nobody opted in: its hint names the setting that does. */
export function isOptedOut(hint: string | undefined): boolean {
  return hint?.includes("codecortex settings observations") ?? false;
}

/** What a verdict means for what was noted; nothing where there is none. */
export function meaningOf(verdict: string | undefined): string | undefined {
  return MEANINGS[verdict ?? ""];
}

/** A row of a list: whether it still holds, what it says, where it belongs. What a text has like an icon is none. */
export function shownObservation(item: Observation): { label: string; description: string; detail: string } {
  const verdict = item.verdict ?? "";
  const parts = [item.task_id, item.type, MEANINGS[verdict]].filter((part) => part !== undefined);
  return {
    label: `${ICONS[verdict] ?? "$(note)"} ${item.summary.replaceAll("$(", "\\$(")}`,
    description: `#${item.id}`,
    detail: [`${item.ts} UTC`, `${item.actor}/${item.phase}`, ...parts].join(" · "),
  };
}

/** All of it, for a page of text. */
export function observationText(item: Observation): string {
  const { description, detail } = shownObservation(item);
  const lists = [
    ["About", item.symbols ?? []],
    ["Files", item.refs?.files ?? []],
    ["Commands", item.refs?.commands ?? []],
    ["Addresses", item.refs?.urls ?? []],
  ] as const;
  const told = lists
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries]) => `${name}: ${entries.join(", ")}`);
  const head = [`${description} ${item.summary}`, detail, ...told];
  return [...head, ...(item.detail ? ["", item.detail] : [])].join("\n") + "\n";
}

/** A path relative to the folder that it is in; `undefined` outside of it. */
export function relativeIn(folder: string, path: string): string | undefined {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}
