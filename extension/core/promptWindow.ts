/** The prompt window as the tool `codecortex_getContext` lists it (SPEC PW1, PW2, D16). */
import type { ContextData, CutData, PieceData, SymbolSpend } from "../generated/answers";

/** Where a piece comes from, the most important first. */
export const TIERS = ["pinned", "focus", "recent"] as const;
export type Tier = (typeof TIERS)[number];

/** A piece of the window. */
export interface WindowPiece extends Omit<PieceData, "tier"> {
  tier: Tier;
  /** `outline→names`, where less is said than there is. */
  downgrade?: string;
}

/** What has no room. */
export interface CutPiece extends Omit<CutData, "tier"> {
  tier: Tier;
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

/** How full a window is: from 80 % on, and when nothing more fits (SPEC PW2). */
export type Fill = "calm" | "high" | "full";

/** The share from which on a window is `high`. */
const HIGH = 80;

/** Reason of the core for a piece whose code is gone. */
const GONE = "it is not there any more";

/** The data of `codecortex_getContext` as a window. */
export function promptWindow(data: ContextData): PromptWindow {
  const { usedTokens = 0, budgetTokens = 0, bySource = {}, pieces = [], notices = [], spent } = data;
  const steps = new Map(
    (data.downgrades ?? []).map((line) => {
      const end = line.lastIndexOf(": ");
      return [line.slice(0, end), line.slice(end + 2)];
    }),
  );
  const cut = (data.cut ?? []).map((piece) => ({ ...piece, tier: tierOf(piece) }));
  return {
    usedTokens,
    budgetTokens,
    bySource: { pinned: bySource.pinned ?? 0, focus: bySource.focus ?? 0, recent: bySource.recent ?? 0 },
    pieces: pieces.map((piece) => {
      const downgrade = steps.get(piece.symbol);
      return { ...piece, tier: tierOf(piece), ...(downgrade === undefined ? {} : { downgrade }) };
    }),
    cut,
    cutTotal: Math.max(cut.length, data.cutTotal ?? 0),
    notices,
    dearest: spent?.bySymbol ?? [],
  };
}

function tierOf({ tier }: PieceData | CutData): Tier {
  return TIERS.find((known) => known === tier) ?? "recent";
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
