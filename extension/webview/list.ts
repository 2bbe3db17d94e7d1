/**
 * The pieces as a tree of two levels: parts of the window and what is in them. One row has the focus at a time;
 * arrows, Home and End move it, Enter opens, Space pins or unpins, Delete takes out, the menu key has the rest.
 */
import { ACTION_LABELS, type GroupView, type PieceAction, type PieceView } from "../core/windowView";
import { element, icon, KeyedChildren, setAttributes, setText, type Keyed } from "./dom";

/** What the list tells whoever made it. */
export interface ListEvents {
  act(action: PieceAction, piece: PieceView): void;
  /** The row that has the focus, or is pointed at, is another one. */
  lit(key: string | undefined): void;
  /** What is folded or selected has changed. */
  changed(): void;
}

type Row =
  | { kind: "group"; group: GroupView; isFolded: boolean }
  | { kind: "piece"; group: GroupView; piece: PieceView; place: number };

/** What the icons stand for; `open` is a click on the row. */
const BUTTONS: readonly Exclude<PieceAction, "open">[] = ["pin", "unpin", "add", "dismiss"];

/** The list. */
export class PieceList {
  readonly node = element("div", "list");
  readonly folded: Set<string>;
  selected: string | undefined;
  private readonly rows: KeyedChildren<Row>;
  private groups: readonly GroupView[] = [];
  private shown: Keyed<Row>[] = [];

  constructor(
    private readonly events: ListEvents,
    restored: { folded: readonly string[]; selected?: string | undefined },
  ) {
    this.folded = new Set(restored.folded);
    this.selected = restored.selected;
    setAttributes(this.node, {
      role: "tree",
      "aria-label": "Pieces of the prompt window. Enter opens, Space pins or unpins, Delete takes out.",
    });
    this.rows = new KeyedChildren<Row>(this.node, makeRow, updateRow);
    this.node.addEventListener("click", (event) => {
      this.clicked(event);
    });
    this.node.addEventListener("keydown", (event) => {
      this.pressed(event);
    });
    this.node.addEventListener("focusin", ({ target }) => {
      const key = rowKey(target);
      if (key !== undefined) {
        this.select(key);
      }
    });
    this.node.addEventListener("pointerover", ({ target }) => {
      events.lit(rowKey(target));
    });
    this.node.addEventListener("pointerleave", () => {
      events.lit(this.node.contains(document.activeElement) ? this.selected : undefined);
    });
  }

  /** Shows these groups; who had the focus keeps it, or the row that stands there now gets it. */
  show(groups: readonly GroupView[]): void {
    const hadFocus = this.node.contains(document.activeElement);
    const before = this.shown.findIndex(({ key }) => key === this.selected);
    this.groups = groups;
    this.shown = groups.flatMap((group) => this.rowsOf(group));
    if (!this.shown.some(({ key }) => key === this.selected)) {
      this.selected = this.shown[Math.min(Math.max(before, 0), this.shown.length - 1)]?.key;
    }
    this.rows.show(this.shown);
    this.mark();
    if (hadFocus && !this.node.contains(document.activeElement)) {
      this.focus();
    }
  }

  /** Gives the focus to the selected row. */
  focus(): void {
    const row = this.selected === undefined ? undefined : this.rows.get(this.selected);
    row?.focus({ preventScroll: false });
  }

  /** Unfolds and focuses the row of a piece. */
  reveal(key: string): void {
    const group = this.groups.find(({ pieces }) => pieces.some((piece) => piece.key === key));
    if (group && this.folded.delete(group.id)) {
      this.show(this.groups);
    }
    this.select(key);
    this.focus();
  }

  /** The piece with that key. */
  piece(key: string): PieceView | undefined {
    return this.groups.flatMap(({ pieces }) => pieces).find((piece) => piece.key === key);
  }

  private rowsOf(group: GroupView): Keyed<Row>[] {
    const isFolded = this.folded.has(group.id);
    const head: Keyed<Row> = { key: `group ${group.id}`, value: { kind: "group", group, isFolded } };
    const pieces = isFolded ? [] : group.pieces;
    return [
      head,
      ...pieces.map((piece, place): Keyed<Row> => ({
        key: `piece ${piece.key}`,
        value: { kind: "piece", group, piece, place },
      })),
    ];
  }

  private select(key: string): void {
    const row = key.startsWith("group ") || key.startsWith("piece ") ? key : `piece ${key}`;
    if (row !== this.selected) {
      this.selected = row;
      this.mark();
      this.events.changed();
    }
    this.events.lit(row);
  }

  /** Exactly one row can be reached by Tab. */
  private mark(): void {
    for (const { key } of this.shown) {
      const isSelected = key === this.selected;
      const row = this.rows.get(key);
      if (row) {
        setAttributes(row, { tabindex: isSelected ? "0" : "-1", "aria-selected": String(isSelected) });
      }
    }
  }

  private clicked(event: MouseEvent): void {
    const { target } = event;
    const row = this.rowAt(target);
    if (!row) {
      return;
    }
    if (row.kind === "group") {
      this.fold(row.group.id, !this.folded.has(row.group.id));
      return;
    }
    const button = target instanceof Element ? target.closest("button") : null;
    const action = BUTTONS.find((known) => known === button?.dataset.action) ?? "open";
    this.act(action, row.piece);
  }

  private pressed(event: KeyboardEvent): void {
    const row = this.rowAt(event.target);
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    if (this.move(event.key) || this.turn(event.key, row) || this.doTo(event.key, row)) {
      event.preventDefault();
    }
  }

  private move(key: string): boolean {
    const at = this.shown.findIndex((row) => row.key === this.selected);
    const last = this.shown.length - 1;
    const places: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last };
    const place = places[key];
    if (place === undefined) {
      return false;
    }
    this.selectPlace(Math.min(Math.max(place, 0), last));
    return true;
  }

  private selectPlace(place: number): void {
    const row = this.shown[place];
    if (row) {
      this.select(row.key);
      this.focus();
    }
  }

  /** Left folds, or goes to what the row is in; Right unfolds, or goes into it. */
  private turn(key: string, row: Row): boolean {
    if (key !== "ArrowLeft" && key !== "ArrowRight") {
      return false;
    }
    const at = this.shown.findIndex((known) => known.key === this.selected);
    if (row.kind === "piece") {
      if (key === "ArrowLeft") {
        this.selectPlace(this.shown.findIndex((known) => known.key === `group ${row.group.id}`));
      }
    } else if (row.isFolded === (key === "ArrowRight")) {
      this.fold(row.group.id, !row.isFolded);
    } else if (key === "ArrowRight") {
      this.selectPlace(at + 1);
    }
    return true;
  }

  private doTo(key: string, row: Row): boolean {
    if (row.kind === "group") {
      if (key === "Enter" || key === " ") {
        this.fold(row.group.id, !row.isFolded);
        return true;
      }
      return false;
    }
    const { actions } = row.piece;
    const keys: Record<string, PieceAction | undefined> = {
      Enter: "open",
      " ": actions[0],
      Delete: actions.at(-1),
      Backspace: actions.at(-1),
    };
    const action = keys[key];
    if (action) {
      this.act(action, row.piece);
    }
    return action !== undefined;
  }

  private act(action: PieceAction, piece: PieceView): void {
    if (action !== "open" || piece.isThere) {
      this.events.act(action, piece);
    }
  }

  private fold(id: string, isFolded: boolean): void {
    if (isFolded) {
      this.folded.add(id);
    } else {
      this.folded.delete(id);
    }
    this.show(this.groups);
    this.events.changed();
  }

  private rowAt(target: EventTarget | null): Row | undefined {
    const key = rowKey(target);
    return this.shown.find((row) => row.key === key)?.value;
  }
}

function rowKey(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest(".row") : null;
  return row?.getAttribute("data-key") ?? undefined;
}

function makeRow(key: string): HTMLElement {
  const row = key.startsWith("group ") ? makeGroup() : makePiece();
  setAttributes(row, { role: "treeitem", tabindex: "-1", "data-key": key });
  return row;
}

function makeGroup(): HTMLElement {
  const parts = [element("span", "swatch"), element("span", "label"), element("span", "count"), element("span", "sum")];
  return element("div", "row group", icon("chevron"), ...parts);
}

function makePiece(): HTMLElement {
  const name = element("div", "naming", element("span", "name"), element("span", "container"));
  const buttons = element("div", "actions", ...BUTTONS.map(makeButton));
  const first = element("div", "line", name, buttons, element("span", "tokens"));
  const second = element("div", "line", element("span", "facts"), element("span", "price"));
  return element("div", "row piece", element("span", "swatch"), element("div", "text", first, second));
}

function makeButton(action: Exclude<PieceAction, "open">): HTMLElement {
  const button = element("button", "action", icon(action));
  button.dataset.action = action;
  // The keys of the row do the same; the list stays one stop for Tab.
  setAttributes(button, { tabindex: "-1", type: "button", "aria-label": ACTION_LABELS[action] });
  return button;
}

function updateRow(node: HTMLElement, row: Row): void {
  if (row.kind === "group") {
    updateGroup(node, row.group, row.isFolded);
  } else {
    updatePiece(node, row);
  }
}

function updateGroup(node: HTMLElement, { id, label, count, tokens, hint }: GroupView, isFolded: boolean): void {
  setTier(node, id);
  const sum = tokens === "" ? "" : `, ${tokens} tokens`;
  setAttributes(node, {
    "aria-level": "1",
    "aria-expanded": String(!isFolded),
    "aria-label": `${label}, ${count}${sum}. ${hint}.`,
    title: hint,
  });
  fill(node, { label, count, sum: tokens });
}

function updatePiece(node: HTMLElement, { group, piece, place }: Extract<Row, { kind: "piece" }>): void {
  setTier(node, group.id);
  setAttributes(node, {
    "aria-level": "2",
    "aria-setsize": String(group.pieces.length),
    "aria-posinset": String(place + 1),
    "aria-label": piece.label,
    title: piece.title,
    "data-vscode-context": menuContext(piece),
  });
  const { name, container, facts, tokensText, price } = piece;
  fill(node, { name, container, facts: facts.join(" · "), tokens: tokensText, price });
  for (const button of node.querySelectorAll<HTMLElement>(".action")) {
    const action = BUTTONS.find((known) => known === button.dataset.action);
    const isOffered = action !== undefined && piece.actions.includes(action);
    button.hidden = !isOffered;
    if (action) {
      const cost = action === "pin" && price !== "" ? ` (${price.replace("pin ", "")} tokens)` : "";
      setAttributes(button, { title: `${ACTION_LABELS[action]}${cost}` });
    }
  }
}

/** What VS Code's own menu of the row (menu `webview/context`) decides by, and hands to its commands. */
function menuContext({ id, folder, symbol, actions, isThere }: PieceView): string {
  return JSON.stringify({
    webviewSection: "piece",
    preventDefaultContextMenuItems: true,
    codecortexId: id,
    codecortexFolder: folder,
    codecortexSymbol: symbol,
    codecortexOpen: isThere,
    ...Object.fromEntries(
      actions.map((action) => [`codecortex${action[0]?.toUpperCase() ?? ""}${action.slice(1)}`, true]),
    ),
  });
}

function setTier(node: HTMLElement, tier: GroupView["id"]): void {
  if (!node.classList.contains(tier)) {
    node.classList.remove("pinned", "focus", "recent", "cut");
    node.classList.add(tier);
  }
}

/** Texts by the class of the element they are for. */
function fill(node: HTMLElement, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    const part = node.querySelector(`.${name}`);
    if (part) {
      setText(part, text);
    }
  }
}
