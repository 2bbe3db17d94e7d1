/** The panel beside the drawing: the selected node with its neighbours as lists, or the best connected nodes. */
import { sentenceOf, type GraphNode, type GraphView, type Neighbours } from "../core/graphView";
import { element, setAttributes } from "./dom";

/** Rows of a list: more are counted. */
const MOST_ROWS = 100;
/** Nodes that are listed where none is selected. */
const MOST_BEST = 40;

/** What the panel has somebody do, by the places of nodes. */
export interface DetailActions {
  select: (place: number) => void;
  open: (place: number) => void;
  expand: (place: number) => void;
  /** Shows the graph around a type, or of a module's types. */
  begin: (place: number) => void;
}

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Arrows", "to the nearest neighbour on that side"],
  ["Enter", "open the code"],
  ["Space", "add all neighbours"],
  ["+ − 0", "zoom, show all"],
  ["Shift+Arrows", "move the drawing"],
  ["/", "search"],
  ["Escape", "select nothing"],
];

/** The panel's content. */
export function details(
  view: GraphView,
  neighbours: readonly Neighbours[],
  selected: number | undefined,
  actions: DetailActions,
): HTMLElement[] {
  const node = selected === undefined ? undefined : view.nodes[selected];
  return selected === undefined || !node
    ? overview(view, neighbours, actions)
    : ofNode(view, neighbours, selected, node, actions);
}

function ofNode(
  { nodes }: GraphView,
  neighbours: readonly Neighbours[],
  place: number,
  node: GraphNode,
  actions: DetailActions,
): HTMLElement[] {
  const isModule = node.types !== undefined;
  const { needs = [], neededBy = [] } = neighbours[place] ?? {};
  const button = (label: string, does: (place: number) => void): HTMLElement => {
    const made = element("button", "action", label);
    made.addEventListener("click", () => {
      does(place);
    });
    return made;
  };
  const facts = [
    isModule ? `module of ${node.types} types` : node.kind,
    ...(node.isStart ? ["start"] : []),
    ...(node.cycle === undefined ? [] : [`in cycle ${node.cycle}`]),
  ];
  return [
    element("h2", "name", node.name),
    element("p", "path", node.path),
    element("p", "facts", facts.join(" · ")),
    ...(isModule ? [] : [element("p", "file", node.file)]),
    element(
      "div",
      "actions",
      button(isModule ? "Show Types" : "Open Code", actions.open),
      ...(isModule ? [] : [button("Expand", actions.expand), button("Begin Here", actions.begin)]),
    ),
    ...list(`Needs ${needs.length}`, needs, nodes, neighbours, actions),
    ...list(`Needed by ${neededBy.length}`, neededBy, nodes, neighbours, actions),
  ];
}

function overview(view: GraphView, neighbours: readonly Neighbours[], actions: DetailActions): HTMLElement[] {
  const degree = (place: number) => {
    const { needs = [], neededBy = [] } = neighbours[place] ?? {};
    return needs.length + neededBy.length;
  };
  const best = [...view.nodes.keys()].sort((a, b) => degree(b) - degree(a)).slice(0, MOST_BEST);
  const starts = [...view.nodes.keys()].filter((place) => view.nodes[place]?.isStart === true);
  const rows = KEYS.flatMap(([keys, does]) => [element("dt", "", keys), element("dd", "", does)]);
  return [
    ...(view.request.start.kind === "changes"
      ? list(`Changed ${starts.length}`, starts, view.nodes, neighbours, actions)
      : list("Best connected", best, view.nodes, neighbours, actions)),
    element("h3", "", "Signs"),
    element(
      "ul",
      "legend",
      element("li", "start", view.request.start.kind === "changes" ? "changed" : "start"),
      element("li", "base", "dashed, hollow head: base"),
      element("li", "cycle", "cycle"),
    ),
    element("h3", "", "Keys in the drawing"),
    element("dl", "keys", ...rows),
  ];
}

function list(
  title: string,
  places: readonly number[],
  nodes: readonly GraphNode[],
  neighbours: readonly Neighbours[],
  actions: DetailActions,
): HTMLElement[] {
  const rows = places.slice(0, MOST_ROWS).flatMap((place) => {
    const [node, near] = [nodes[place], neighbours[place]];
    if (!node || !near) {
      return [];
    }
    const row = element("button", "row", element("span", "name", node.name), element("span", "kind", node.kind));
    row.classList.toggle("cycle", node.cycle !== undefined);
    row.classList.toggle("start", node.isStart);
    setAttributes(row, { title: node.path, "aria-label": sentenceOf(node, near) });
    row.addEventListener("click", () => {
      actions.select(place);
    });
    row.addEventListener("dblclick", () => {
      actions.open(place);
    });
    return [element("li", "", row)];
  });
  const more = places.length - rows.length;
  const rest = more > 0 ? [element("p", "more", `${more} more`)] : [];
  return places.length === 0 ? [] : [element("h3", "", title), element("ul", "rows", ...rows), ...rest];
}
