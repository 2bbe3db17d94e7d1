/** The page of the prompt window: draws what the extension sends, and says what a person does. */
import type { EmptyView, FromPage, PieceAction, PieceView, ShownView, ToPage, WindowView } from "../core/windowView";
import { element, icon, KeyedChildren, setAttributes, setText } from "./dom";
import { PieceList } from "./list";
import { BlockMap } from "./map";

/** What VS Code gives a webview, once. */
interface VsCodeApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: PageState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** What the page was when it was hidden; it is shown again as that until news comes. */
interface PageState {
  view?: WindowView | undefined;
  selected?: string | undefined;
  folded: string[];
  scroll: number;
}

const vscode = acquireVsCodeApi();
const state = restored(vscode.getState());

const used = element("span", "used");
const budget = element("span", "budget");
const unit = element("span", "unit", "tokens");
const percent = element("span", "percent");
const bars = { pinned: element("i", "pinned"), focus: element("i", "focus"), recent: element("i", "recent") };
const meter = element("div", "meter", ...Object.values(bars));
const notices = element("ul", "notices");
const noticeRows = new KeyedChildren<string>(
  notices,
  () => element("li", "", icon("warning"), element("span", "")),
  (node, text) => {
    if (node.lastElementChild) {
      setText(node.lastElementChild, text);
    }
  },
);

/** Says what a person wants of a piece. */
function ask(action: PieceAction, { id, symbol, folder }: PieceView): void {
  vscode.postMessage({ kind: "piece", action, id, symbol, ...(folder === undefined ? {} : { folder }) });
}

const map = new BlockMap(
  (key) => {
    list.reveal(key);
    const piece = list.piece(key);
    if (piece) {
      ask("open", piece);
    }
  },
  (key) => {
    list.node.querySelector(".row.lit")?.classList.remove("lit");
    if (key !== undefined) {
      list.node.querySelector(`.row[data-key="${CSS.escape(`piece ${key}`)}"]`)?.classList.add("lit");
    }
    map.light(key);
  },
);
const list = new PieceList(
  {
    act: ask,
    lit: (row) => {
      map.light(row?.startsWith("piece ") === true ? row.slice("piece ".length) : undefined);
    },
    changed: keep,
  },
  state,
);
const figures = element("div", "figures", used, budget, unit, percent);
const shown = element("div", "shown", element("header", "", figures, meter, notices), map.node, list.node);
const empty = element("div", "empty");
const said = element("div", "said");
setAttributes(said, { role: "status", "aria-live": "polite" });
setAttributes(meter, { role: "meter", "aria-valuemin": "0", "aria-valuemax": "100" });
document.body.append(shown, empty, said);

if (state.view) {
  show(state.view);
  window.scrollTo(0, state.scroll);
} else {
  shown.hidden = true;
}
window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "view") {
    state.view = data.view;
    show(data.view);
    keep();
  } else {
    setText(said, data.text);
  }
});
window.addEventListener("scroll", keep, { passive: true });
vscode.postMessage({ kind: "ready" });

function show(view: WindowView): void {
  shown.hidden = view.kind !== "window";
  empty.hidden = view.kind !== "empty";
  if (view.kind === "window") {
    showWindow(view);
  } else {
    showEmpty(view);
  }
}

function showWindow(view: ShownView): void {
  setText(used, view.used);
  setText(budget, `/ ${view.budget}`);
  setText(percent, view.percent);
  shown.classList.remove("calm", "high", "full");
  shown.classList.add(view.fill);
  setAttributes(meter, {
    "aria-label": "Used of the budget",
    "aria-valuenow": String(Math.min(100, parseInt(view.percent, 10))),
    "aria-valuetext": view.label,
    title: view.label,
  });
  for (const tier of ["pinned", "focus", "recent"] as const) {
    bars[tier].style.width = `${100 * view.shares[tier]}%`;
  }
  noticeRows.show(view.notices.map((text) => ({ key: text, value: text })));
  map.show(view.groups);
  list.show(view.groups);
}

function showEmpty({ title, text, offers, isBusy }: EmptyView): void {
  const buttons = offers.map(({ label, command }) => {
    const button = element("button", "offer", label);
    button.type = "button";
    button.addEventListener("click", () => {
      vscode.postMessage({ kind: "command", command });
    });
    return button;
  });
  const busy = element("div", "busy");
  busy.hidden = !isBusy;
  const signature = JSON.stringify([title, text, offers, isBusy]);
  if (empty.dataset.shown !== signature) {
    empty.dataset.shown = signature;
    empty.replaceChildren(busy, element("h2", "", title), ...text.map((line) => element("p", "", line)), ...buttons);
  }
}

/** Remembers what there is to see, for when the page is made anew. */
function keep(): void {
  state.selected = list.selected;
  state.folded = [...list.folded];
  state.scroll = window.scrollY;
  vscode.setState(state);
}

function restored(value: unknown): PageState {
  const fresh: PageState = { folded: ["cut"], scroll: 0 };
  // Only this page writes it.
  return typeof value === "object" && value !== null ? { ...fresh, ...(value as Partial<PageState>) } : fresh;
}
