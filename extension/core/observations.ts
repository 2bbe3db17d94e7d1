/** Observations as an editor shows them (SPEC X7). */
import type { ToolAnswers } from "../generated/answers";

/** An observation as a list tells it. */
export type Observation = ToolAnswers["codecortex_recall"]["items"][number];

const ICONS: Readonly<Record<string, string>> = {
  fresh: "$(pass)",
  drifted: "$(warning)",
  orphaned: "$(circle-slash)",
};
const MEANINGS: Readonly<Record<string, string>> = {
  fresh: "still holds",
  drifted: "its code means something else now",
  orphaned: "its code is gone",
};

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
