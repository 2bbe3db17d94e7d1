/** The dependency graph as a page shows it: what is asked of the core, and what becomes of its answer (SPEC UX1). */
import type { GraphData } from "../generated/answers";
import { grouped } from "./status";
import { simpleName } from "./symbolNames";

/** Types or modules that a page draws at most; the tool's own limit. */
export const MOST_NODES = 2_000;
/** Steps that a page offers. */
export const MOST_STEPS = 5;

/** Where a graph begins. */
export type GraphStart =
  | { kind: "all" }
  | { kind: "changes" }
  | { kind: "symbol"; symbol: string; label: string }
  | { kind: "folder"; folder: string };

/** What a node stands for. */
export type GraphLevel = "type" | "module";
/** Which dependencies are followed: what is needed, who needs it, both. */
export type GraphDirection = "out" | "in" | "both";

/** What a page shows, as a person chose it. */
export interface GraphRequest {
  start: GraphStart;
  level: GraphLevel;
  direction: GraphDirection;
  /** Steps from the start. */
  depth: number;
}

/** A type or module. */
export interface GraphNode {
  id: string;
  name: string;
  path: string;
  kind: string;
  /** A file that declares it; of a module, its folder. */
  file: string;
  /** The number of its cycle, from 1. */
  cycle?: number;
  isStart: boolean;
  /** Number of types of a module. */
  types?: number;
}

/** A dependency, by the places of its nodes. */
export interface GraphEdge {
  from: number;
  to: number;
  isBase: boolean;
  /** Whether both ends are in one cycle. */
  isInCycle: boolean;
  /** Dependencies that it stands for. */
  count: number;
}

/** A graph to draw. */
export interface GraphView {
  title: string;
  request: GraphRequest;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** How many there are, and how many are not shown, as a sentence. */
  summary: string;
}

/** From the extension to the page. */
export type ToGraphPage =
  { kind: "graph"; view: GraphView; isMore: boolean } | { kind: "problem"; text: string } | { kind: "save" };

/** From the page to the extension. */
export type FromGraphPage =
  | { kind: "ready" }
  | { kind: "show"; request: GraphRequest }
  | { kind: "expand"; id: string }
  | { kind: "open"; id: string }
  | { kind: "save"; svg: string };

/** The request for a start, with what fits it: a start of its own shows what is near, others what is in them. */
export function requestFor(start: GraphStart, before?: GraphRequest): GraphRequest {
  switch (start.kind) {
    case "symbol":
      return { start, level: "type", direction: "both", depth: 1 };
    case "changes":
      return { start, level: "type", direction: "in", depth: 1 };
    case "folder":
      return { start, level: "type", direction: "both", depth: 0 };
    case "all":
      return { start, level: before?.level ?? "type", direction: "both", depth: 0 };
  }
}

/**
 * The arguments of `codecortex_exportGraph`; `changed` are places of uncommitted changes. Undefined where there is
 * nothing to begin at.
 */
export function graphArguments(
  { start, level, direction, depth }: GraphRequest,
  changed: readonly string[] = [],
): Record<string, unknown> | undefined {
  const common = { notation: "json", level, direction, depth, limit: MOST_NODES };
  switch (start.kind) {
    case "all":
      return { ...common, depth: 0 };
    case "symbol":
      return { ...common, symbol: start.symbol };
    case "folder":
      return { ...common, folder: start.folder };
    case "changes":
      return changed.length > 0 ? { ...common, symbols: changed } : undefined;
  }
}

/** What a graph is called. */
export function titleOf({ start }: GraphRequest): string {
  switch (start.kind) {
    case "all":
      return "Whole workspace";
    case "changes":
      return "Uncommitted changes";
    case "symbol":
      return start.label;
    case "folder":
      return start.folder;
  }
}

/** The graph of an answer's `data`. `starts` are ids of the start, where the answer itself does not tell. */
export function graphView(data: GraphData, request: GraphRequest, starts?: ReadonlySet<string>): GraphView {
  const { types = [], edges = [] } = data;
  const places = new Map(types.map(({ id }, place) => [id, place]));
  const hasStart = request.start.kind === "symbol" || request.start.kind === "changes" || request.depth > 0;
  const nodes = types.map((type): GraphNode => ({
    id: type.id,
    name: type.kind === "module" ? shortFolder(type.path) : simpleName(type.path),
    path: type.path,
    kind: type.kind,
    file: type.filePath ?? type.path,
    isStart: starts?.has(type.id) ?? (hasStart && type.distance === undefined),
    ...(type.cycle === undefined ? {} : { cycle: type.cycle }),
    ...(type.types === undefined ? {} : { types: type.types }),
  }));
  const shown = edges.flatMap((edge): GraphEdge[] => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    if (from === undefined || to === undefined) {
      return [];
    }
    const cycle = nodes[from]?.cycle;
    const isInCycle = cycle !== undefined && cycle === nodes[to]?.cycle;
    return [{ from, to, isBase: edge.base === true, isInCycle, count: edge.count ?? 1 }];
  });
  return { title: titleOf(request), request, nodes, edges: shown, summary: summaryOf(data, request) };
}

function summaryOf({ total, dependencies, cycles, leftOut }: GraphData, { level }: GraphRequest): string {
  const counted = (count: number, one: string, more: string) => `${grouped(count)} ${count === 1 ? one : more}`;
  const [one, more] = level === "module" ? ["module", "modules"] : ["type", "types"];
  const parts = [
    counted(total, one, more),
    counted(dependencies, "dependency", "dependencies"),
    counted(cycles, "cycle", "cycles"),
    ...(leftOut > 0 ? [`${grouped(leftOut)} not shown`] : []),
  ];
  return `${parts.join(", ")}.`;
}

/** The last two folders of a path: the last alone is `src` too often. */
function shortFolder(path: string): string {
  return path.split("/").slice(-2).join("/");
}

/** Neighbours of a node by place. */
export interface Neighbours {
  needs: number[];
  neededBy: number[];
}

/** The neighbours of every node, each in the order of their paths. */
export function neighboursOf({ nodes, edges }: Pick<GraphView, "nodes" | "edges">): Neighbours[] {
  const all = nodes.map((): Neighbours => ({ needs: [], neededBy: [] }));
  for (const { from, to } of edges) {
    all[from]?.needs.push(to);
    all[to]?.neededBy.push(from);
  }
  return all;
}

/** What is said of a node: its name, what it is, and its neighbours in numbers. */
export function sentenceOf(node: GraphNode, { needs, neededBy }: Neighbours): string {
  const parts = [
    node.types === undefined ? node.kind : `module of ${grouped(node.types)} ${node.types === 1 ? "type" : "types"}`,
    `needs ${grouped(needs.length)}`,
    `needed by ${grouped(neededBy.length)}`,
    ...(node.cycle === undefined ? [] : [`in cycle ${node.cycle}`]),
    ...(node.isStart ? ["start"] : []),
  ];
  return `${node.name}, ${parts.join(", ")}`;
}

/** The places of nodes that a text fits, the best first: names that begin with it, names and paths that have it. */
export function matching(nodes: readonly GraphNode[], text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") {
    return [];
  }
  const rank = ({ name, path }: GraphNode): number => {
    const low = name.toLowerCase();
    const ranks = [low === wanted, low.startsWith(wanted), low.includes(wanted), path.toLowerCase().includes(wanted)];
    return ranks.indexOf(true);
  };
  return nodes
    .map((node, place) => ({ place, rank: rank(node) }))
    .filter((found) => found.rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ place }) => place);
}

/** A point of the drawing. */
export interface Point {
  x: number;
  y: number;
}

/** A direction of an arrow key. */
export type Side = "left" | "right" | "up" | "down";

const AHEAD: Readonly<Record<Side, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
};
/** What lies aside counts so many times. */
const ASIDE = 2;

/**
 * Where an arrow key leads: the nearest neighbour on that side, up and down the nearest node where no neighbour is
 * there. Undefined where nothing is on that side.
 */
export function nodeTowards(
  side: Side,
  from: number,
  places: readonly Point[],
  neighbours: readonly Neighbours[],
): number | undefined {
  const { needs = [], neededBy = [] } = neighbours[from] ?? {};
  const near = nearestOn(side, from, places, [...needs, ...neededBy]);
  const isAlong = side === "left" || side === "right";
  return (
    near ??
    (isAlong && neighbours[from] !== undefined && needs.length + neededBy.length > 0
      ? undefined
      : nearestOn(side, from, places, places.keys()))
  );
}

function nearestOn(side: Side, from: number, places: readonly Point[], among: Iterable<number>): number | undefined {
  const [begin, { x, y }] = [places[from], AHEAD[side]];
  let best: { place: number; cost: number } | undefined;
  for (const place of among) {
    const point = places[place];
    if (!begin || !point || place === from) {
      continue;
    }
    const [dx, dy] = [point.x - begin.x, point.y - begin.y];
    const [ahead, aside] = [dx * x + dy * y, Math.abs(dx * y) + Math.abs(dy * x)];
    const cost = ahead + aside * ASIDE;
    if (ahead > 0 && cost < (best?.cost ?? Infinity)) {
      best = { place, cost };
    }
  }
  return best?.place;
}

/** The start that a menu's item stands for; undefined where it names nothing. */
export function startOfItem(item: Readonly<Record<string, unknown>>): GraphStart | undefined {
  const text = (name: string) => (typeof item[name] === "string" && item[name] !== "" ? item[name] : undefined);
  const id = text("codecortexId");
  const symbol = text("codecortexSymbol") ?? text("symbol");
  if (id?.startsWith("file:") === true) {
    const [folder, path] = [text("codecortexFolder"), symbol ?? id.slice("file:".length)];
    return { kind: "folder", folder: folder === undefined ? path : `${folder}/${path}` };
  }
  const file = text("filePath");
  if (item.isModule === true && file !== undefined) {
    return { kind: "folder", folder: file };
  }
  const found = id ?? text("typeId");
  if (found !== undefined) {
    return { kind: "symbol", symbol: found, label: simpleName(symbol ?? found) };
  }
  if (file === undefined) {
    return undefined;
  }
  const line = typeof item.line === "number" ? item.line : 1;
  return { kind: "symbol", symbol: `${file}:${line}`, label: text("label") ?? file };
}

/** Places of a review's units, as `file:line`: the first line of each part that is there now. */
export function changedPlaces(
  units: readonly { file_path: string; patch_type: string; line_numbers: { new_compact: string } }[],
): string[] {
  const places = units
    .filter(({ patch_type: type }) => type !== "delete")
    .flatMap(({ file_path: file, line_numbers: { new_compact: lines } }) =>
      [...lines.matchAll(/L(\d+)(?:-L?(\d+))?/g)].flatMap(([, first, last]) =>
        [first, last].filter((line) => line !== undefined).map((line) => `${file}:${line}`),
      ),
    );
  return [...new Set(places)].slice(0, MOST_NODES);
}
