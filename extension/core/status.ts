/** What the status bar says: one short text, and a tooltip in Markdown with everything behind it. */
import type { State } from "../generated/protocol";
import type { Spend } from "./ledger";
import type { Usage } from "./messages";
import { fillOf, shortTokens, TIERS, usedPercent, type PromptWindow } from "./promptWindow";
import type { Life } from "./supervisor";

/** Everything the status bar knows. */
export interface EngineView {
  life: Life;
  state: State | undefined;
  usage: Usage | undefined;
  spends: Spend[];
  crashes: number;
  /** The prompt window; absent until it is known. */
  window?: PromptWindow | undefined;
  /** Why it is not known, as a sentence. */
  windowProblem?: string | undefined;
}

/** How loud the item is. */
export type Severity = "normal" | "warning" | "error";

/** The item as it is shown. */
export interface StatusItem {
  text: string;
  /** What a screen reader says; icons do not speak. */
  label: string;
  tooltip: string;
  severity: Severity;
}

/** Columns of a tooltip's table stand close together without it. */
const GAP = "&emsp;";

/** Codicons of the window's parts. */
const TIER_ICONS = { pinned: "pinned", focus: "target", recent: "history" } as const;

/** Tools, and symbols, named in the tooltip; more would not fit on a screen. */
const MOST_SPENDS = 6;
const MOST_SYMBOLS = 4;
/** Letters of a symbol's path in it. */
const SYMBOL_LETTERS = 48;

/** Commands that the tooltip links to. */
export const TOOLTIP_COMMANDS = [
  "codecortex.openWindow",
  "codecortex.showStatus",
  "codecortex.reindex",
  "codecortex.cancelIndexing",
  "codecortex.showLog",
] as const;

/** The item for what is known. */
export function statusItem(view: EngineView): StatusItem {
  const { icon, phase, severity } = headline(view);
  const told = progressOf(view) ?? usedOf(view.window);
  const tokens = view.window ? `, prompt window ${windowText(view.window)}` : "";
  return {
    text: told === undefined ? `$(${icon}) CodeCortex` : `$(${icon}) CodeCortex ${told}`,
    label: `CodeCortex: ${phase}${tokens}`,
    tooltip: tooltip(view, phase),
    severity: severity === "normal" ? severityOf(view.window) : severity,
  };
}

/** What is used of the window, short: `1.2k / 4k`. */
function usedOf(window: PromptWindow | undefined): string | undefined {
  return window && `${shortTokens(window.usedTokens)} / ${shortTokens(window.budgetTokens)}`;
}

function windowText(window: PromptWindow): string {
  return `${grouped(window.usedTokens)} of ${grouped(window.budgetTokens)} tokens (${usedPercent(window)}%)`;
}

/** Colours come at 80 % and when nothing more fits (SPEC PW2). */
function severityOf(window: PromptWindow | undefined): Severity {
  switch (window && fillOf(window)) {
    case "full":
      return "error";
    case "high":
      return "warning";
    case "calm":
    case undefined:
      return "normal";
  }
}

/** What the engine is doing, in words. */
export function phaseText(view: EngineView): string {
  return headline(view).phase;
}

/** Whether the engine is on its way to a complete index. */
export function isIndexing({ life, state }: EngineView): boolean {
  return life.kind === "running" && (state?.phase === "scanning" || state?.phase === "indexing");
}

/** The share of files that are in the index, in whole percent; 100 only when none is pending. */
export function percent(state: State): number {
  const all = state.files + state.pending;
  return all === 0 ? 0 : Math.floor((100 * state.files) / all);
}

/** `1234567` → `1,234,567`. Not by `toLocaleString`: its first call alone holds the extension host for 18 ms. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Bytes as people read them. */
export function bytes(value: number): string {
  const mebi = value / (1024 * 1024);
  return mebi < 1 ? `${Math.ceil(value / 1024)} KB` : `${mebi < 10 ? mebi.toFixed(1) : Math.round(mebi)} MB`;
}

interface Headline {
  icon: string;
  phase: string;
  severity: Severity;
}

function headline(view: EngineView): Headline {
  const { life } = view;
  switch (life.kind) {
    case "stopped":
      return { icon: "circle-slash", phase: "stopped", severity: "normal" };
    case "failed":
      return { icon: "error", phase: "the engine stopped", severity: "error" };
    case "restarting":
      return { icon: "sync~spin", phase: "restarting the engine", severity: "warning" };
    case "starting":
      return { icon: "sync~spin", phase: "starting", severity: "normal" };
    case "running":
      return phaseHeadline(view.state);
  }
}

function phaseHeadline(state: State | undefined): Headline {
  switch (state?.phase) {
    case "scanning":
      return { icon: "sync~spin", phase: "looking for files", severity: "normal" };
    case "indexing":
      return { icon: "sync~spin", phase: `indexing, ${percent(state)}% done`, severity: "normal" };
    case "cancelled":
      return { icon: "debug-pause", phase: "indexing was cancelled, the index is partial", severity: "warning" };
    case "ready":
      return { icon: "symbol-structure", phase: "ready", severity: "normal" };
    case "empty":
      return { icon: "symbol-structure", phase: "no folder is open", severity: "normal" };
    case undefined:
      return { icon: "sync~spin", phase: "starting", severity: "normal" };
  }
}

function progressOf(view: EngineView): string | undefined {
  const indexing = view.life.kind === "running" && view.state?.phase === "indexing";
  return indexing && view.state ? `${percent(view.state)}%` : undefined;
}

function tooltip(view: EngineView, phase: string): string {
  const sections = [
    `**CodeCortex** — ${phase}`,
    reason(view),
    promptWindow(view.window),
    spends(view.spends),
    dearest(view.window),
    figures(view),
    links(view),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function reason({ life }: EngineView): string {
  return life.kind === "failed" || life.kind === "restarting" ? escapeMarkdown(life.reason) : "";
}

/** The window by source (SPEC X8), and what of it a person should know. */
function promptWindow(window: PromptWindow | undefined): string {
  if (!window) {
    return "";
  }
  const share = (tokens: number): string =>
    window.budgetTokens === 0 ? "" : `${Math.round((100 * tokens) / window.budgetTokens)}%`;
  const rows = TIERS.map((tier) => {
    const own = window.pieces.filter((piece) => piece.tier === tier).length;
    const tokens = window.bySource[tier];
    return [
      `$(${TIER_ICONS[tier]}) ${tier[0]?.toUpperCase() ?? ""}${tier.slice(1)}`,
      grouped(own),
      grouped(tokens),
      share(tokens),
    ];
  });
  const free = Math.max(0, window.budgetTokens - window.usedTokens);
  rows.push(["$(circle-outline) Free", "", grouped(free), share(free)]);
  const notes = window.notices.map((notice) => `$(warning) ${escapeMarkdown(notice)}`);
  if (window.cutTotal > 0) {
    notes.push(`$(fold) ${grouped(window.cutTotal)} without room`);
  }
  const head = [`Prompt window: ${windowText(window)}`, `${GAP}pieces`, `${GAP}tokens`, `${GAP}share`];
  return [table(head, rows), ...notes].join("\n\n");
}

function figures({ state, usage, crashes }: EngineView): string {
  const rows: [string, string][] = [];
  if (state && state.phase !== "empty") {
    rows.push(
      ["$(files) Files", grouped(state.files)],
      ["$(symbol-class) Symbols", grouped(state.symbols)],
      ["$(list-ordered) Lines", grouped(state.lines)],
      ["$(watch) Pending", grouped(state.pending)],
      ["$(exclude) Left out", grouped(state.skipped)],
      ["$(history) Revision", grouped(state.revision)],
    );
  }
  if (usage) {
    const parsers = usage.parsers > 0 ? ` + ${bytes(usage.parserBytes)} in ${usage.parsers} parsers` : "";
    rows.push(["$(chip) Memory", `${bytes(usage.engineBytes)}${parsers}`]);
  }
  if (crashes > 0) {
    rows.push(["$(debug-restart) Restarts", grouped(crashes)]);
  }
  return rows.length === 0 ? "" : table(["Index", ""], rows);
}

function spends(all: Spend[]): string {
  const rows = all
    .slice(0, MOST_SPENDS)
    .map((spend) => [
      spend.tool.replace(/^codecortex_/, ""),
      grouped(spend.calls),
      grouped(spend.lastTokens),
      grouped(spend.tokens),
    ]);
  return rows.length === 0 ? "" : table(["Tokens of answers", `${GAP}calls`, `${GAP}last`, `${GAP}all`], rows);
}

/** The symbols about which most was said: what a pin, or a narrower question, would save. */
function dearest(window: PromptWindow | undefined): string {
  const rows = (window?.dearest ?? [])
    .slice(0, MOST_SYMBOLS)
    .map(({ symbol, calls, tokens }) => [escapeMarkdown(ending(symbol)), grouped(calls), grouped(tokens)]);
  return rows.length === 0 ? "" : table(["Given out about", `${GAP}calls`, `${GAP}all`], rows);
}

/** The end of a path, which says most of it. */
function ending(path: string): string {
  const letters = Array.from(path);
  return letters.length <= SYMBOL_LETTERS ? path : `…${letters.slice(-SYMBOL_LETTERS + 1).join("")}`;
}

function table(head: string[], rows: string[][]): string {
  const align = head.map((_, column) => (column === 0 ? ":---" : "---:"));
  return [head, align, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function links(view: EngineView): string {
  const stop = isIndexing(view) ? "[Cancel Indexing](command:codecortex.cancelIndexing) · " : "";
  return `${stop}[Prompt Window](command:codecortex.openWindow) · [Show Status](command:codecortex.showStatus) · [Reindex](command:codecortex.reindex) · [Show Log](command:codecortex.showLog)`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>$]/g, "\\$&");
}
