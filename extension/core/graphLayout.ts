/**
 * Where the nodes of a graph stand. A small graph is drawn in layers, so that arrows lead to the right (dagre); a
 * large one by forces, its layers only a pull to the right, because layers of a thousand nodes take seconds (d3-force).
 */
import dagre from "@dagrejs/dagre";
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationNodeDatum,
} from "d3-force";

import type { GraphEdge, GraphNode, GraphView, Point } from "./graphView";

/** A graph of more nodes or dependencies than these is drawn by forces. */
const MOST_LAYERED = { nodes: 160, edges: 400 };

/** The box of a node, in px at scale 1. */
export const BOX = { height: 24, padding: 10, most: 260 };
const BETWEEN = { nodes: 14, layers: 70 };

/** More nodes without any dependency stand in rows of their own: wider than high, apart from the others. */
const MOST_ALONE = 12;
const GRID = { gap: 10, below: 60, shape: 2 };

/** Steps of the simulation until it rests. */
const STEPS = 160;
/** Forces of the large drawing, found by looking at graphs of 200 to 2,000 nodes. */
const FORCES = { link: 46, charge: -90, reach: 900, layer: 130, pullX: 0.12, pullY: 0.05, gap: 7 };

/** A drawing: the middle of each node and its size, and the bends of each dependency. */
export interface GraphLayout {
  isLayered: boolean;
  places: Point[];
  widths: number[];
  /** Points that a dependency goes by, both ends included; by forces a dependency is straight and has none. */
  bends: Point[][];
}

/** A layout that may go on: each call of `step` moves the nodes a little; false where they rest. */
export interface GrowingLayout {
  layout: GraphLayout;
  step: () => boolean;
}

type Placed = SimulationNodeDatum & { radius: number };

/** Begins a layout. `width` measures a label; `known` are places of nodes that stay near where they were. */
export function beginLayout(
  view: Pick<GraphView, "nodes" | "edges">,
  width: (node: GraphNode) => number,
  known: ReadonlyMap<string, Point> = new Map(),
): GrowingLayout {
  const { nodes, edges } = view;
  const linked = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const inner = [...nodes.keys()].filter((place) => linked.has(place));
  const alone = [...nodes.keys()].filter((place) => !linked.has(place));
  if (alone.length <= MOST_ALONE) {
    return connected(nodes, edges, width, known);
  }
  const turns = new Map(inner.map((place, turn) => [place, turn]));
  const grown = connected(
    nodes.filter((_, place) => linked.has(place)),
    edges.map((edge) => ({ ...edge, from: turns.get(edge.from) ?? 0, to: turns.get(edge.to) ?? 0 })),
    width,
    known,
  );
  return withGrid(nodes, inner, alone, grown, width);
}

/** A layout with the nodes that have no dependency in rows below it. */
function withGrid(
  nodes: readonly GraphNode[],
  inner: readonly number[],
  alone: readonly number[],
  grown: GrowingLayout,
  width: (node: GraphNode) => number,
): GrowingLayout {
  const { isLayered, bends } = grown.layout;
  const layout: GraphLayout = {
    isLayered,
    bends,
    places: nodes.map(() => ({ x: 0, y: 0 })),
    widths: nodes.map((node) => (isLayered ? boxWidth(node, width) : 2 * radiusOf(0))),
  };
  const widest = alone.reduce((most, place) => Math.max(most, layout.widths[place] ?? 0), 0);
  const cell = { width: widest + GRID.gap, height: BOX.height + GRID.gap };
  const arrange = () => {
    inner.forEach((place, turn) => {
      layout.places[place] = grown.layout.places[turn] ?? { x: 0, y: 0 };
      layout.widths[place] = grown.layout.widths[turn] ?? 0;
    });
    const bounds = boundsOf(grown.layout);
    const wide = Math.max(bounds.width, Math.sqrt(GRID.shape * alone.length * cell.width * cell.height));
    const columns = Math.max(1, Math.floor(wide / cell.width));
    const [left, top] = [bounds.x + widest / 2, bounds.y + bounds.height + GRID.below];
    alone.forEach((place, turn) => {
      const row = Math.floor(turn / columns);
      layout.places[place] = { x: left + (turn % columns) * cell.width, y: top + row * cell.height };
    });
  };
  arrange();
  const step = () => {
    const isGrowing = grown.step();
    arrange();
    return isGrowing;
  };
  return { layout, step };
}

function connected(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  width: (node: GraphNode) => number,
  known: ReadonlyMap<string, Point>,
): GrowingLayout {
  const isLayered = nodes.length <= MOST_LAYERED.nodes && edges.length <= MOST_LAYERED.edges;
  const widths = nodes.map((node) => boxWidth(node, width));
  return isLayered ? { layout: layered(nodes, edges, widths), step: () => false } : byForces(nodes, edges, known);
}

function boxWidth(node: GraphNode, width: (node: GraphNode) => number): number {
  return Math.min(BOX.most, width(node) + 2 * BOX.padding);
}

/** The rectangle around all nodes, with their labels. */
export function boundsOf({ places, widths, isLayered }: GraphLayout): {
  x: number;
  y: number;
  width: number;
  height: number;
} {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  places.forEach(({ x, y }, place) => {
    const half = (widths[place] ?? 0) / 2;
    const high = isLayered ? BOX.height / 2 : half;
    [left, right] = [Math.min(left, x - half), Math.max(right, x + half)];
    [top, bottom] = [Math.min(top, y - high), Math.max(bottom, y + high)];
  });
  return places.length === 0
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

function layered(nodes: readonly GraphNode[], edges: readonly GraphEdge[], widths: number[]): GraphLayout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: BETWEEN.nodes, ranksep: BETWEEN.layers });
  nodes.forEach((_, place) => {
    graph.setNode(String(place), { width: widths[place] ?? 0, height: BOX.height });
  });
  edges.forEach(({ from, to }, number) => {
    graph.setEdge(String(from), String(to), { weight: 1 }, String(number));
  });
  dagre.layout(graph);
  const point = ({ x = 0, y = 0 }: Partial<Point>): Point => ({ x, y });
  return {
    isLayered: true,
    widths,
    places: nodes.map((_, place) => point(graph.node(String(place)) as Partial<Point>)),
    bends: edges.map(({ from, to }, number) => {
      const { points = [] } = graph.edge(String(from), String(to), String(number)) as { points?: Point[] };
      return points.map(point);
    }),
  };
}

function byForces(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
  known: ReadonlyMap<string, Point>,
): GrowingLayout {
  const layers = layersOf(nodes.length, edges);
  const degrees = new Array<number>(nodes.length).fill(0);
  for (const { from, to } of edges) {
    degrees[from] = (degrees[from] ?? 0) + 1;
    degrees[to] = (degrees[to] ?? 0) + 1;
  }
  const placed = nodes.map((node, place): Placed => {
    const before = known.get(node.id);
    const radius = radiusOf(degrees[place] ?? 0);
    const x = (layers[place] ?? 0) * FORCES.layer;
    return before ? { radius, ...before } : { radius, x, y: spread(place, nodes.length) };
  });
  const links = edges.map(({ from, to }) => ({ source: from, target: to }));
  const simulation: Simulation<Placed, undefined> = forceSimulation(placed)
    .stop()
    .force("link", forceLink<Placed, (typeof links)[number]>(links).distance(FORCES.link))
    .force("charge", forceManyBody<Placed>().strength(FORCES.charge).distanceMax(FORCES.reach))
    .force(
      "collide",
      forceCollide<Placed>(({ radius }) => radius + FORCES.gap),
    )
    .force("x", forceX<Placed>((_, place) => (layers[place] ?? 0) * FORCES.layer).strength(FORCES.pullX))
    .force("y", forceY<Placed>(0).strength(FORCES.pullY))
    .alphaDecay(1 - 0.001 ** (1 / STEPS));
  const layout: GraphLayout = {
    isLayered: false,
    widths: placed.map(({ radius }) => 2 * radius),
    places: placed.map(({ x = 0, y = 0 }) => ({ x, y })),
    bends: edges.map(() => []),
  };
  let left = STEPS;
  return {
    layout,
    step: () => {
      simulation.tick();
      placed.forEach(({ x = 0, y = 0 }, place) => {
        const point = layout.places[place];
        if (point) {
          Object.assign(point, { x, y });
        }
      });
      left -= 1;
      return left > 0;
    },
  };
}

/** The radius of a node by its number of dependencies. */
export function radiusOf(degree: number): number {
  return 4 + Math.min(10, Math.sqrt(degree));
}

/** Evenly, in an order that no neighbour has: the golden ratio's. */
function spread(place: number, count: number): number {
  return (((place * 0.618_033_988_75) % 1) - 0.5) * 40 * Math.sqrt(count);
}

/**
 * The layer of each node: who needs others stands left of them. A dependency that leads back, as one of each cycle
 * does, is not counted.
 */
export function layersOf(count: number, edges: readonly Pick<GraphEdge, "from" | "to">[]): number[] {
  const needs: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    needs[from]?.push(to);
  }
  const order: number[] = [];
  const state = new Uint8Array(count);
  for (let begin = 0; begin < count; begin += 1) {
    visit(begin, needs, state, order);
  }
  // The order is of those whose needs were all seen: backwards, each comes before what it needs.
  const turn = new Array<number>(count).fill(0);
  order.reverse().forEach((node, place) => {
    turn[node] = place;
  });
  const layers = new Array<number>(count).fill(0);
  for (const node of order) {
    for (const to of needs[node] ?? []) {
      if ((turn[to] ?? 0) > (turn[node] ?? 0)) {
        layers[to] = Math.max(layers[to] ?? 0, (layers[node] ?? 0) + 1);
      }
    }
  }
  return layers;
}

/** Goes through what a node needs, without recursion: a chain may have as many nodes as the graph. */
function visit(begin: number, needs: readonly number[][], state: Uint8Array, order: number[]): void {
  if (state[begin] !== 0) {
    return;
  }
  const path = [{ node: begin, next: 0 }];
  state[begin] = 1;
  for (let top = path.at(-1); top; top = path.at(-1)) {
    const to = needs[top.node]?.[top.next];
    top.next += 1;
    if (to === undefined) {
      order.push(top.node);
      path.pop();
    } else if (state[to] === 0) {
      state[to] = 1;
      path.push({ node: to, next: 0 });
    }
  }
}
