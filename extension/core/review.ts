/** What an editor shows of a review: units by risk, findings, and both as Markdown (SPEC RV1, RV3). */
import type { Finding, ReviewData, ReviewSeverity, Risk, UnitEntry } from "../generated/answers";
import type { Root } from "../generated/protocol";
import { escaped } from "./markdown";
import { baseName } from "./paths";
import { simpleName } from "./symbolNames";

/** Which changes are reviewed, as arguments of `codecortex_reviewChanges`. */
export interface ReviewScope {
  /** How it is called, for people. */
  label: string;
  args: Readonly<Record<string, string>>;
  /** The folder that is reviewed. */
  root: Root;
}

/** A row below a group: a unit or a finding. */
export interface ReviewEntry {
  id: string;
  label: string;
  description: string;
  /** Markdown. */
  tooltip: string;
  icon: string;
  color?: string;
  /** Relative to the folder that is reviewed. */
  filePath: string;
  /** Where the file was before, if elsewhere. */
  oldPath?: string;
  /** From 1. */
  line: number;
  /** Whether the file is gone. */
  isDeleted: boolean;
  finding?: Finding;
}

/** The units of a risk, or the findings. */
export interface ReviewGroup {
  id: string;
  label: string;
  icon: string;
  color?: string;
  isFolded: boolean;
  entries: ReviewEntry[];
}

interface Look {
  label: string;
  icon: string;
  color?: string;
}

const RISKS: readonly [Risk, Look][] = [
  ["high", { label: "High risk", icon: "flame", color: "list.errorForeground" }],
  ["medium", { label: "Medium risk", icon: "warning", color: "list.warningForeground" }],
  ["low", { label: "Low risk", icon: "info" }],
  ["none", { label: "No risk", icon: "pass" }],
];

const SEVERITIES: Readonly<Record<ReviewSeverity, Look>> = {
  error: { label: "error", icon: "error", color: "list.errorForeground" },
  warning: { label: "warning", icon: "warning", color: "list.warningForeground" },
  info: { label: "info", icon: "info" },
};

const PATCHES: Readonly<Record<string, string>> = {
  add: "diff-added",
  delete: "diff-removed",
  rename: "diff-renamed",
  copy: "diff-renamed",
};

/** Units that a chat lists of each risk. */
const MOST_LISTED = 12;

/** Findings first, then the units, the riskiest first; groups without any are left out. */
export function reviewGroups(units: readonly UnitEntry[], findings: readonly Finding[]): ReviewGroup[] {
  const found: ReviewGroup = {
    id: "findings",
    label: "Findings",
    icon: "comment-unresolved",
    isFolded: false,
    entries: findings.map(findingEntry),
  };
  const byRisk = RISKS.map(([risk, look]): ReviewGroup => ({
    id: risk,
    ...look,
    isFolded: risk === "none",
    entries: units.filter((unit) => unit.risk === risk).map(unitEntry),
  }));
  return [found, ...byRisk].filter(({ entries }) => entries.length > 0);
}

function findingEntry(finding: Finding): ReviewEntry {
  const { id, file, line, severity, category, message } = finding;
  const { icon, color } = SEVERITIES[severity];
  return {
    id: `finding/${id}`,
    label: message,
    description: line > 0 ? `${file}:${String(line)}` : file,
    tooltip: `**${escaped(severity)} · ${escaped(category)}**\n\n${findingText(finding)}`,
    icon,
    ...(color === undefined ? {} : { color }),
    filePath: file,
    line: Math.max(line, 1),
    isDeleted: false,
    finding,
  };
}

function unitEntry(unit: UnitEntry): ReviewEntry {
  const { unit_id, file_path, old_path, patch_type, change_class, tags, metrics, symbols = [], line_numbers } = unit;
  const isDeleted = patch_type === "delete";
  const lines = isDeleted ? line_numbers.old_compact : line_numbers.new_compact;
  const names = symbols.map(({ path }) => simpleName(path));
  const told = [
    `**${escaped(file_path)}**${old_path === undefined ? "" : ` ← ${escaped(old_path)}`} ${escaped(lines)}`,
    [patch_type, change_class, `+${String(metrics.added_lines)} −${String(metrics.removed_lines)}`]
      .filter((word) => word !== undefined)
      .map(escaped)
      .join(" · "),
    tags.length > 0 ? `Tags: ${tags.map(escaped).join(", ")}` : "",
    symbols.length > 0 ? `Touches: ${symbols.map(({ path }) => escaped(path)).join(", ")}` : "",
  ];
  return {
    id: unit_id,
    label: names.length > 0 ? names.slice(0, 3).join(", ") + (names.length > 3 ? " …" : "") : baseName(file_path),
    description: [file_path, change_class].filter((word) => word !== undefined).join(" · "),
    tooltip: told.filter((line) => line !== "").join("  \n"),
    icon: PATCHES[patch_type] ?? "diff-modified",
    filePath: file_path,
    ...(old_path === undefined ? {} : { oldPath: old_path }),
    line: firstLine(lines),
    isDeleted,
  };
}

/** The first line of `L109-L112,L114`; 1 where there is none. */
export function firstLine(compact: string): number {
  return Number(/^L(\d+)/.exec(compact)?.[1] ?? 1);
}

/** A finding as Markdown in which nothing that a model or a file wrote means anything. */
export function findingText({ message, evidence = [], suggestion, checked }: Finding): string {
  return [
    escaped(message),
    ...(evidence.length > 0 ? [evidence.map((line) => `- ${escaped(line)}`).join("\n")] : []),
    ...(suggestion === undefined ? [] : [`Suggestion: ${escaped(suggestion)}`]),
    ...(checked === undefined ? [] : [`The index says: ${escaped(checked)}`]),
  ].join("\n\n");
}

/** A review as a chat tells it: the change in numbers, findings, units by risk. */
export function reviewAnswer(label: string, index: ReviewData, findings: readonly Finding[]): string {
  const { review_metadata: about, review_index: units = [], summary } = index;
  if (units.length === 0) {
    return `There is nothing to review: ${escaped(label)} has no change.`;
  }
  const { added, removed } = summary?.total_lines ?? { added: 0, removed: 0 };
  const head = `**${escaped(label)}**: ${counted(about?.total_files ?? 0, "file")}, +${String(added)} −${String(removed)}`;
  const parts = reviewGroups(units, findings).map(({ label: group, entries }) => {
    const rows = entries
      .slice(0, MOST_LISTED)
      .map(({ label: name, description, finding }) =>
        finding === undefined ? `- **${escaped(name)}** — ${escaped(description)}` : findingRow(finding),
      );
    const more = entries.length - rows.length;
    return [
      `**${group}** (${String(entries.length)})`,
      ...rows,
      ...(more > 0 ? [`- … and ${String(more)} more`] : []),
    ].join("\n");
  });
  return [head, ...parts].join("\n\n");
}

/** A finding as a row of a list in Markdown, with what the index says to it. */
export function findingRow({ severity, message, file, line, checked }: Finding): string {
  const row = `- ${escaped(severity)}: ${escaped(message)} — ${escaped(line > 0 ? `${file}:${String(line)}` : file)}`;
  return checked === undefined ? row : `${row}  \n  The index says: ${escaped(checked)}`;
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** The JSON object or list in what a model wrote, with or without words and fences around it. */
export function jsonIn(text: string): Record<string, unknown> | undefined {
  const brackets = [
    ["{", "}"],
    ["[", "]"],
  ] as const;
  // A list of objects begins before its first object.
  const spans = brackets
    .map(([open, close]) => [text.indexOf(open), text.lastIndexOf(close) + 1] as const)
    .filter(([start, end]) => start >= 0 && end > start)
    .sort(([a], [b]) => a - b);
  for (const [start, end] of spans) {
    try {
      const read = JSON.parse(text.slice(start, end)) as unknown;
      return Array.isArray(read) ? { findings: read } : (read as Record<string, unknown>);
    } catch {
      // what stands between these is no JSON
    }
  }
  return undefined;
}
