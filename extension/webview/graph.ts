/** The page of the dependency graph: a drawing, controls above it, and the selected node's neighbours beside it. */
import { graphSvg } from "../core/graphSvg";
import {
  matching,
  neighboursOf,
  requestFor,
  sentenceOf,
  type FromGraphPage,
  type GraphView,
  type Neighbours,
  type Point,
  type ToGraphPage,
} from "../core/graphView";
import { element, setAttributes, setText } from "./dom";
import { GraphCanvas } from "./graphCanvas";
import { details } from "./graphDetails";
import { Toolbar } from "./graphToolbar";

interface VsCodeApi {
  postMessage(message: FromGraphPage): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const vscode = acquireVsCodeApi();
let view: GraphView | undefined;
let neighbours: readonly Neighbours[] = [];
let found: { places: readonly number[]; at: number } = { places: [], at: 0 };

const heading = element("h1", "title", "Dependency Graph");
const summary = element("p", "summary");
const problem = element("p", "problem");
const said = element("div", "said");
const tip = element("div", "tip");
const panel = element("aside", "panel");
const surface = element("canvas", "surface");
setAttributes(surface, { tabindex: "0", role: "application", "aria-label": "Dependency graph", "data-state": "empty" });
setAttributes(said, { "aria-live": "polite" });
setAttributes(problem, { role: "alert" });
setAttributes(panel, { "aria-label": "Selected node" });
tip.hidden = true;

const idOf = (place: number) => view?.nodes[place]?.id ?? "";
const open = (place: number) => {
  vscode.postMessage({ kind: "open", id: idOf(place) });
};
const expand = (place: number) => {
  vscode.postMessage({ kind: "expand", id: idOf(place) });
};

const drawing = new GraphCanvas(surface, {
  selected: showDetails,
  pointed: showTip,
  open,
  expand,
  search: () => {
    toolbar.search.focus();
  },
});

const toolbar = new Toolbar({
  show: (request) => {
    vscode.postMessage({ kind: "show", request });
  },
  search: (text) => {
    found = { places: matching(view?.nodes ?? [], text), at: 0 };
    drawing.mark(found.places);
    goToFound();
  },
  next: (step) => {
    const { places, at } = found;
    found = { places, at: places.length === 0 ? 0 : (at + step + places.length) % places.length };
    goToFound();
  },
  zoom: (factor) => {
    drawing.zoom(factor);
  },
  fit: () => {
    drawing.fit();
  },
  save,
});

document.body.append(
  toolbar.bar,
  element("div", "head", heading, summary),
  problem,
  element("main", "content", element("div", "drawing", surface, tip), panel),
  said,
);

window.addEventListener("message", ({ data }: MessageEvent<ToGraphPage>) => {
  switch (data.kind) {
    case "graph":
      show(data.view, data.isMore);
      break;
    case "problem":
      setText(problem, data.text);
      break;
    case "save":
      save();
      break;
  }
});
vscode.postMessage({ kind: "ready" });

function show(next: GraphView, isMore: boolean): void {
  view = next;
  neighbours = neighboursOf(next);
  found = { places: [], at: 0 };
  toolbar.show(next);
  setText(problem, "");
  setText(heading, next.title);
  setText(summary, next.summary);
  drawing.show(next, isMore);
  showDetails(drawing.selected);
  toolbar.found(0, 0);
}

function goToFound(): void {
  const place = found.places[found.at];
  toolbar.found(found.at, found.places.length);
  if (place !== undefined) {
    drawing.select(place, true);
  }
}

function showDetails(place: number | undefined): void {
  if (!view) {
    return;
  }
  const current = view;
  const [node, near] = place === undefined ? [] : [current.nodes[place], neighbours[place]];
  surface.dataset.selected = node?.path ?? "";
  setText(said, node && near ? sentenceOf(node, near) : "");
  const actions = {
    select: (place: number) => {
      drawing.select(place);
      surface.focus();
    },
    open,
    expand,
    begin: (place: number) => {
      const node = current.nodes[place];
      if (node) {
        const start = { kind: "symbol", symbol: node.id, label: node.name } as const;
        vscode.postMessage({ kind: "show", request: requestFor(start) });
      }
    },
  };
  panel.replaceChildren(...details(current, neighbours, place, actions));
}

function showTip(place: number | undefined, at: Point): void {
  const [node, near] = place === undefined ? [] : [view?.nodes[place], neighbours[place]];
  tip.hidden = !node;
  if (node && near) {
    tip.replaceChildren(
      element("div", "path", node.path),
      element("div", "facts", sentenceOf(node, near)),
      ...(node.types === undefined ? [element("div", "file", node.file)] : []),
    );
    const [box, area] = [tip.getBoundingClientRect(), surface.getBoundingClientRect()];
    tip.style.left = `${Math.max(0, Math.min(at.x - area.left + 12, area.width - box.width - 4))}px`;
    tip.style.top = `${Math.max(0, Math.min(at.y - area.top + 16, area.height - box.height - 4))}px`;
  }
}

function save(): void {
  if (view) {
    vscode.postMessage({ kind: "save", svg: graphSvg(view, drawing.layout, drawing.colors, drawing.measure) });
  }
}
