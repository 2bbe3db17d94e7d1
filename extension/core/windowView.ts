/**
 * What the view of the prompt window shows, as plain data: the page in `extension/webview` only draws it.
 * What the two say to each other is here too.
 */
import { containerOf, simpleName } from "./symbolNames";
import { baseName } from "./paths";
import {
  fillOf,
  isGone,
  TIERS,
  usedPercent,
  type CutPiece,
  type Fill,
  type PromptWindow,
  type Tier,
  type WindowPiece,
} from "./promptWindow";
import { grouped, percent as indexedPercent, type EngineView } from "./status";

/** What a person does to a piece; the tool's words, and `open` for its declaration. */
export type PieceAction = "open" | "pin" | "unpin" | "add" | "dismiss";

/** A piece as a line of the list, and as a block. */
export interface PieceView {
  /** The same as long as it is about the same thing, whatever its part. */
  key: string;
  id: string;
  /** The workspace folder that it is in, where there are several. */
  folder?: string;
  symbol: string;
  name: string;
  /** Where it stands in; empty where it stands alone. */
  container: string;
  tokens: number;
  /** The same for people; empty where it is not known. */
  tokensText: string;
  /** What it costs to pin it, or to say all of it; empty where that is what it takes now. */
  price: string;
  /** The second line, the most important first. */
  facts: string[];
  /** Everything, one fact a line. */
  title: string;
  /** What a screen reader says. */
  label: string;
  /** Whether it has a declaration to go to. */
  isThere: boolean;
  /** What can be done; the first one by Space, the last one by Delete. */
  actions: PieceAction[];
}

/** A part of the list. */
export interface GroupView {
  id: Tier | "cut";
  label: string;
  /** `3`, or `50 of 1,204` where not all are in the list. */
  count: string;
  tokens: string;
  /** What gets a piece here. */
  hint: string;
  pieces: PieceView[];
}

/** A window that is shown. */
export interface ShownView {
  kind: "window";
  used: string;
  budget: string;
  percent: string;
  fill: Fill;
  /** The shares of the budget that the tiers have, from 0 to 1. */
  shares: Readonly<Record<Tier, number>>;
  /** The meter in words. */
  label: string;
  notices: string[];
  groups: GroupView[];
}

/** A command behind a button. */
export interface OfferView {
  label: string;
  command: OfferedCommand;
}

/** Commands that the page may ask for. */
export const OFFERED = [
  "codecortex.pinSymbol",
  "codecortex.addTypeToFocus",
  "codecortex.reindex",
  "codecortex.showLog",
  "workbench.action.files.openFolder",
] as const;
export type OfferedCommand = (typeof OFFERED)[number];

/** Nothing to show, why, and what to do. */
export interface EmptyView {
  kind: "empty";
  title: string;
  text: string[];
  offers: OfferView[];
  isBusy: boolean;
}

export type WindowView = ShownView | EmptyView;

/** From the extension to the page. */
export type ToPage =
  | { kind: "view"; view: WindowView }
  /** Something that a screen reader says. */
  | { kind: "said"; text: string };

/** From the page to the extension. */
export type FromPage =
  | { kind: "ready" }
  | { kind: "piece"; action: PieceAction; id: string; symbol: string; folder?: string }
  | { kind: "command"; command: OfferedCommand };

const LABELS: Readonly<Record<Tier | "cut", string>> = {
  pinned: "Pinned",
  focus: "Focus",
  recent: "Recent",
  cut: "No Room",
};

const HINTS: Readonly<Record<Tier | "cut", string>> = {
  pinned: "Stays until it is unpinned",
  focus: "Added for half an hour, or the subject of the last query",
  recent: "Types that a model asked for, by score",
  cut: "What would be in the window if it were larger",
};

/** Words for what is done to a piece. */
export const ACTION_LABELS: Readonly<Record<PieceAction, string>> = {
  open: "Open Declaration",
  pin: "Pin",
  unpin: "Unpin",
  add: "Add to Focus",
  dismiss: "Dismiss",
};

/** What there is to show now. */
export function windowView({ life, state, window, windowProblem }: EngineView): WindowView {
  if (life.kind === "failed") {
    return empty(
      "CodeCortex stopped",
      [life.reason],
      [
        { label: "Start Again", command: "codecortex.reindex" },
        { label: "Show Log", command: "codecortex.showLog" },
      ],
    );
  }
  if (window) {
    return window.pieces.length + window.cutTotal > 0 ? shownView(window) : nothingYet();
  }
  if (state?.phase === "empty") {
    const offer: OfferView = { label: "Open Folder", command: "workbench.action.files.openFolder" };
    return empty("No folder is open", ["The prompt window is about the code of a folder."], [offer]);
  }
  if (windowProblem !== undefined) {
    return empty(
      "The prompt window cannot be shown",
      [windowProblem],
      [
        { label: "Reindex", command: "codecortex.reindex" },
        { label: "Show Log", command: "codecortex.showLog" },
      ],
    );
  }
  const isIndexing = state?.phase === "indexing" && state.pending > 0;
  const title = isIndexing ? `Indexing, ${indexedPercent(state)}% done` : "Starting";
  return { ...empty(title, ["The prompt window is shown when the index is complete."], []), isBusy: true };
}

function nothingYet(): EmptyView {
  return empty(
    "Nothing is in the prompt window yet",
    [
      "This view shows the code that a model would receive, with cost and reasons: pinned code, code in focus, and types that a model asked for.",
      "Pin code for every answer. Add the code you work on to the focus for half an hour.",
    ],
    [
      { label: "Pin Symbol at Cursor…", command: "codecortex.pinSymbol" },
      { label: "Add Type to Focus…", command: "codecortex.addTypeToFocus" },
    ],
  );
}

function empty(title: string, text: string[], offers: OfferView[]): EmptyView {
  return { kind: "empty", title, text, offers, isBusy: false };
}

/** The view of a window. */
export function shownView(window: PromptWindow): ShownView {
  const { usedTokens, budgetTokens, bySource } = window;
  const percent = usedPercent(window);
  const share = (tier: Tier): number => (budgetTokens === 0 ? 0 : Math.min(1, bySource[tier] / budgetTokens));
  const parts = TIERS.map((tier) => `${LABELS[tier].toLowerCase()} ${grouped(bySource[tier])}`);
  const keys = new Keys();
  const groups = TIERS.map((tier): GroupView => {
    const pieces = window.pieces.filter((piece) => piece.tier === tier);
    return {
      id: tier,
      label: LABELS[tier],
      count: grouped(pieces.length),
      tokens: grouped(bySource[tier]),
      hint: HINTS[tier],
      pieces: pieces.map((piece) => pieceView(piece, keys)),
    };
  });
  const { cut, cutTotal } = window;
  groups.push({
    id: "cut",
    label: LABELS.cut,
    count: cut.length < cutTotal ? `${grouped(cut.length)} of ${grouped(cutTotal)}` : grouped(cutTotal),
    tokens: "",
    hint: HINTS.cut,
    pieces: cut.map((piece) => cutView(piece, keys)),
  });
  return {
    kind: "window",
    used: grouped(usedTokens),
    budget: grouped(budgetTokens),
    percent: `${percent}%`,
    fill: fillOf(window),
    shares: { pinned: share("pinned"), focus: share("focus"), recent: share("recent") },
    label: `${grouped(usedTokens)} of ${grouped(budgetTokens)} tokens used, ${percent}%: ${parts.join(", ")}`,
    notices: window.notices,
    groups: groups.filter(({ pieces }) => pieces.length > 0),
  };
}

/** Gives each piece a key of its own. */
class Keys {
  private readonly seen = new Map<string, number>();

  of({ id: own, folder }: { id: string; folder?: string }): string {
    const id = folder === undefined ? own : `${folder} ${own}`;
    const before = this.seen.get(id) ?? 0;
    this.seen.set(id, before + 1);
    return before === 0 ? id : `${id} ${before}`;
  }
}

function pieceView(piece: WindowPiece, keys: Keys): PieceView {
  const { symbol, tokens, pinTokens, reason, form, downgrade, tier, ageMinutes } = piece;
  const { name, container } = naming(piece);
  const isPinned = tier === "pinned";
  const why = isPinned ? "" : shortReason(reason);
  const age = ageMinutes === undefined ? "" : ageText(ageMinutes);
  const ago = age === "" || age === "now" ? age : `${age} ago`;
  const full = grouped(pinTokens);
  const price = isPinned ? (tokens < pinTokens ? `of ${full}` : "") : `pin ${full}`;
  const said = isPinned ? price && `${full} tokens in full` : `a pin takes ${full} tokens`;
  return {
    key: keys.of(piece),
    id: piece.id,
    ...inFolder(piece),
    symbol,
    name,
    container,
    tokens,
    tokensText: grouped(tokens),
    price,
    facts: present([why, downgrade === undefined ? form : `${form} ↓`, age]),
    title: present([
      symbol,
      piece.folder === undefined ? "" : `In the folder ${piece.folder}`,
      LABELS[tier] + (isPinned ? "" : `: ${reason}`),
      `${grouped(tokens)} tokens as ${form}${downgrade === undefined ? "" : ` (${downgrade})`}`,
      said && `${said[0]?.toUpperCase() ?? ""}${said.slice(1)}`,
      ago && `Put in ${ago}`,
    ]).join("\n"),
    label: present([
      name,
      piece.folder === undefined ? "" : `in ${piece.folder}`,
      isPinned ? "pinned" : reason,
      `${grouped(tokens)} tokens`,
      downgrade === undefined ? form : `${form}, less than there is`,
      ago,
      said,
    ]).join(", "),
    isThere: true,
    actions: isPinned ? ["unpin"] : tier === "focus" ? ["pin", "dismiss"] : ["pin", "add", "dismiss"],
  };
}

function cutView(piece: CutPiece, keys: Keys): PieceView {
  const { symbol, tier, reason, tokens } = piece;
  const { name, container } = naming(piece);
  const price = tokens === undefined ? "" : grouped(tokens);
  const isPinned = tier === "pinned";
  return {
    key: keys.of(piece),
    id: piece.id,
    ...inFolder(piece),
    symbol,
    name,
    container,
    tokens: tokens ?? 0,
    tokensText: price,
    price: "",
    facts: present([LABELS[tier], reason]),
    title: present([symbol, `${LABELS[tier]}: ${reason}`, price && `Would take ${price} tokens`]).join("\n"),
    label: present([
      name,
      LABELS[tier].toLowerCase(),
      `no room: ${reason}`,
      price && `would take ${price} tokens`,
    ]).join(", "),
    isThere: !isGone(piece),
    actions: isPinned ? ["unpin"] : isGone(piece) ? ["dismiss"] : ["pin", "dismiss"],
  };
}

function inFolder({ folder }: { folder?: string }): { folder?: string } {
  return folder === undefined ? {} : { folder };
}

/** The name that is read first, and where it stands in. */
function naming({ id, symbol, folder = "" }: { id: string; symbol: string; folder?: string }): {
  name: string;
  container: string;
} {
  const name = id.startsWith("file:") ? baseName(symbol) : (/[^.:+/#$(]+(\(.*\))?$/.exec(symbol)?.[0] ?? symbol);
  // As VS Code writes it behind names of files where there are several folders.
  return { name, container: present([folder, containerOf(symbol, name)]).join(" • ") };
}

/** `used by A.B.OrderService` → `used by OrderService`. */
function shortReason(reason: string): string {
  const [, words, path] = /^(used by|base of) (.+)$/.exec(reason) ?? [];
  return words === undefined || path === undefined ? reason : `${words} ${simpleName(path)}`;
}

/** `now`, `5 min`, `2 h`, `3 d`. */
export function ageText(minutes: number): string {
  if (minutes < 1) {
    return "now";
  }
  if (minutes < 60) {
    return `${Math.floor(minutes)} min`;
  }
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}

function present(facts: string[]): string[] {
  return facts.filter((fact) => fact !== "");
}
