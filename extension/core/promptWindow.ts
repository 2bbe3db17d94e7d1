/** The prompt window as the tool `codecortex_getContext` lists it (SPEC PW1, PW2, D16). */
import { count, list, record, text } from "./json";

/** Where a piece comes from, the most important first. */
export const TIERS = ["pinned", "focus", "recent"] as const;
export type Tier = (typeof TIERS)[number];

/** A piece of the window. */
export interface WindowPiece {
  tier: Tier;
  /** Its path, or a file's. */
  symbol: string;
  /** What tools find it by; `file:` and a path for a file. */
  id: string;
  /** The workspace folder that it is in, where there are several: ids say nothing of it. */
  folder?: string;
  reason: string;
  /** What of it is said: `outline`, `names` … */
  form: string;
  tokens: number;
  /** Tokens with all there is to say. */
  pinTokens: number;
  /** Since somebody put it in; absent where nobody did. */
  ageMinutes?: number;
  /** `outline→names`, where less is said than there is. */
  downgrade?: string;
}

/** What has no room. */
export interface CutPiece {
  tier: Tier;
  symbol: string;
  id: string;
  folder?: string;
  reason: string;
  /** What it would take; absent where that was not looked at. */
  tokens?: number;
}

/** The whole window, without its texts. */
export interface PromptWindow {
  usedTokens: number;
  budgetTokens: number;
  /** Tokens of the pieces by where they come from. */
  bySource: Readonly<Record<Tier, number>>;
  pieces: WindowPiece[];
  /** The first of those without room. */
  cut: CutPiece[];
  cutTotal: number;
  notices: string[];
  /** The symbols about which answers said most, the dearest first (SPEC X8). */
  dearest: SymbolSpend[];
}

/** What answers about a symbol have cost since the start. */
export interface SymbolSpend {
  symbol: string;
  calls: number;
  tokens: number;
}

/** How full a window is: from 80 % on, and when nothing more fits (SPEC PW2). */
export type Fill = "calm" | "high" | "full";

/** The share from which on a window is `high`. */
const HIGH = 80;

/** Reason of the core for a piece whose code is gone. */
const GONE = "it is not there any more";

/** An answer's `data` as a window. Whatever it holds, there is a result. */
export function promptWindow(data: unknown): PromptWindow {
  const from = record(data);
  const bySource = record(from.bySource);
  const steps = new Map(
    list(from.downgrades).map((step) => {
      const line = text(step);
      const end = line.lastIndexOf(": ");
      return [line.slice(0, end), line.slice(end + 2)];
    }),
  );
  const cut = list(from.cut).map(cutPiece);
  return {
    usedTokens: count(from.usedTokens),
    budgetTokens: count(from.budgetTokens),
    bySource: { pinned: count(bySource.pinned), focus: count(bySource.focus), recent: count(bySource.recent) },
    pieces: list(from.pieces).map((value) => piece(value, steps)),
    cut,
    cutTotal: Math.max(cut.length, count(from.cutTotal)),
    notices: list(from.notices).map(text),
    dearest: list(record(from.spent).bySymbol).map(symbolSpend),
  };
}

function symbolSpend(value: unknown): SymbolSpend {
  const from = record(value);
  return { symbol: text(from.symbol), calls: count(from.calls), tokens: count(from.tokens) };
}

function piece(value: unknown, steps: ReadonlyMap<string, string>): WindowPiece {
  const from = record(value);
  const symbol = text(from.symbol);
  const downgrade = steps.get(symbol);
  return {
    tier: tier(from.tier),
    symbol,
    id: text(from.id),
    ...(typeof from.folder === "string" ? { folder: from.folder } : {}),
    reason: text(from.reason),
    form: text(from.form),
    tokens: count(from.tokens),
    pinTokens: count(from.pinTokens),
    ...(typeof from.ageMinutes === "number" ? { ageMinutes: from.ageMinutes } : {}),
    ...(downgrade === undefined ? {} : { downgrade }),
  };
}

function cutPiece(value: unknown): CutPiece {
  const from = record(value);
  return {
    tier: tier(from.tier),
    symbol: text(from.symbol),
    id: text(from.id),
    ...(typeof from.folder === "string" ? { folder: from.folder } : {}),
    reason: text(from.reason),
    ...(typeof from.tokens === "number" ? { tokens: from.tokens } : {}),
  };
}

function tier(value: unknown): Tier {
  return TIERS.find((known) => known === value) ?? "recent";
}

/** Whether the code of a piece without room is gone. */
export function isGone({ reason }: CutPiece): boolean {
  return reason === GONE;
}

/** What of the budget is used, in whole percent. */
export function usedPercent({ usedTokens, budgetTokens }: PromptWindow): number {
  return budgetTokens === 0 ? 100 : Math.round((100 * usedTokens) / budgetTokens);
}

/** How full it is. A pin without room says the same as the last token taken: nothing more can be pinned. */
export function fillOf(window: PromptWindow): Fill {
  const percent = usedPercent(window);
  if (percent >= 100 || window.cut.some((piece) => piece.tier === "pinned" && !isGone(piece))) {
    return "full";
  }
  return percent >= HIGH ? "high" : "calm";
}

/** `840`, `1.2k`, `16k`, `1.3M`: short enough for a status bar. */
export function shortTokens(tokens: number): string {
  for (const [unit, letter] of [
    [1_000_000, "M"],
    [1_000, "k"],
  ] as const) {
    // What would be rounded up to a thousand of the smaller unit is one of the larger.
    if (tokens >= unit * 0.9995) {
      const value = tokens / unit;
      return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value))}${letter}`;
    }
  }
  return String(Math.round(tokens));
}
