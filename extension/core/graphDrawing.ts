/** What the page and its SVG draw alike: colours by role, ends of arrows, curves. */
import type { GraphLayout } from "./graphLayout";
import type { GraphEdge, GraphNode, Point } from "./graphView";

/** Colours by what they are for, as the theme has them. */
export interface Palette {
  background: string;
  text: string;
  muted: string;
  box: string;
  border: string;
  edge: string;
  base: string;
  cycle: string;
  start: string;
  selected: string;
  font: string;
}

/** How a dependency is drawn. */
export interface EdgeLook {
  color: string;
  width: number;
  /** Strokes of a base are broken, so that they differ without colours. */
  isDashed: boolean;
}

/** The look of a dependency: cycles before bases. */
export function edgeLook({ isBase, isInCycle, count }: GraphEdge, palette: Palette): EdgeLook {
  return {
    color: isInCycle ? palette.cycle : isBase ? palette.base : palette.edge,
    width: Math.min(4, (isInCycle ? 1.6 : 1.1) + Math.log10(count)),
    isDashed: isBase,
  };
}

/** The look of a node's border: the start before cycles. */
export function nodeLook({ isStart, cycle }: GraphNode, palette: Palette): { color: string; width: number } {
  if (isStart) {
    return { color: palette.start, width: 2.5 };
  }
  return cycle === undefined ? { color: palette.border, width: 1 } : { color: palette.cycle, width: 1.6 };
}

/** The ends and bends of a dependency, from border to border. */
export function lineOf(layout: GraphLayout, place: number, { from, to }: GraphEdge): Point[] {
  const bends = layout.bends[place] ?? [];
  if (bends.length > 1) {
    return bends;
  }
  const [begin, end] = [layout.places[from], layout.places[to]];
  if (!begin || !end) {
    return [];
  }
  const length = Math.hypot(end.x - begin.x, end.y - begin.y) || 1;
  const towards = (point: Point, sign: number, width: number): Point => ({
    x: point.x + (sign * (end.x - begin.x) * width) / (2 * length),
    y: point.y + (sign * (end.y - begin.y) * width) / (2 * length),
  });
  return [towards(begin, 1, layout.widths[from] ?? 0), towards(end, -1, layout.widths[to] ?? 0)];
}

/** Controls of a curve through points: halves of the way between bends, as two numbers each. */
export function curveOf(points: readonly Point[]): { begin: Point; parts: { control: Point; end: Point }[] } {
  const [begin = { x: 0, y: 0 }, ...rest] = points;
  const parts = rest.map((point, place) => {
    const next = rest[place + 1];
    const isLast = next === undefined || place + 2 >= rest.length;
    return { control: point, end: isLast ? (next ?? point) : middle(point, next) };
  });
  return { begin, parts: parts.length > 1 ? parts.slice(0, -1) : parts };
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

const ARROW = { length: 8, half: 3.5 };

/** The three corners of an arrow's head at the end of a line. */
export function arrowOf(points: readonly Point[]): [Point, Point, Point] | undefined {
  const [before, tip] = [points.at(-2), points.at(-1)];
  if (!before || !tip) {
    return undefined;
  }
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const back = { x: tip.x - dx * ARROW.length, y: tip.y - dy * ARROW.length };
  return [
    tip,
    { x: back.x - dy * ARROW.half, y: back.y + dx * ARROW.half },
    { x: back.x + dy * ARROW.half, y: back.y - dx * ARROW.half },
  ];
}

/** A label that has room: the name, or its beginning. */
export function fitted(name: string, width: (text: string) => number, room: number): string {
  if (width(name) <= room) {
    return name;
  }
  let length = name.length;
  while (length > 1 && width(`${name.slice(0, length)}…`) > room) {
    length -= 1;
  }
  return `${name.slice(0, length)}…`;
}
