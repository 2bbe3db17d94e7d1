/** Draws a graph on a canvas: what is in sight, in as few strokes as there are looks. */
import {
  arrowOf,
  curveOf,
  edgeLook,
  fitted,
  lineOf,
  nodeLook,
  type EdgeLook,
  type Palette,
} from "../core/graphDrawing";
import { BOX, type GraphLayout } from "../core/graphLayout";
import type { GraphEdge, GraphNode, GraphView, Neighbours, Point } from "../core/graphView";

/** Where the drawing lies: screen = world · scale + offset, in px. */
export interface Camera {
  scale: number;
  x: number;
  y: number;
}

/** What is drawn. */
export interface Scene {
  view: Pick<GraphView, "nodes" | "edges">;
  neighbours: readonly Neighbours[];
  layout: GraphLayout;
  palette: Palette;
  camera: Camera;
  selected: number | undefined;
  /** Nodes that a search has found. */
  found: ReadonlySet<number>;
  hasFocus: boolean;
}

const FONT_SIZE = 12;
/** Below this scale boxes have no names, and arrows no heads. */
const READABLE = 0.55;
const HEADS = 0.3;
/** What is not about the selected node. */
const FADED = 0.18;
/** Names of a drawing by forces: at most so many, each with room of its own, in px. */
const NAMES = { most: 140, wide: 110, high: 18, size: 11 };
/** A path of more lines takes longer than several. */
const LINES_A_STROKE = 400;
const DASHES = [5, 3];

interface Sight {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Draws the scene onto a canvas of `width` by `height` px. */
export function paint(on: CanvasRenderingContext2D, scene: Scene, width: number, height: number): void {
  const { camera, palette, selected } = scene;
  const ratio = window.devicePixelRatio;
  on.setTransform(ratio, 0, 0, ratio, 0, 0);
  on.fillStyle = palette.background;
  on.fillRect(0, 0, width, height);
  on.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, ratio * camera.x, ratio * camera.y);
  const sight: Sight = {
    left: -camera.x / camera.scale,
    top: -camera.y / camera.scale,
    right: (width - camera.x) / camera.scale,
    bottom: (height - camera.y) / camera.scale,
  };
  const near = nearOf(scene);
  paintEdges(on, scene, sight, selected);
  paintNodes(on, scene, sight, near);
  if (scene.layout.isLayered) {
    paintBoxNames(on, scene, sight, near);
  } else {
    on.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintFreeNames(on, scene, sight, near);
  }
}

/** The selected node and its neighbours; undefined where none is selected. */
function nearOf({ selected, neighbours }: Scene): ReadonlySet<number> | undefined {
  const { needs = [], neededBy = [] } = (selected === undefined ? undefined : neighbours[selected]) ?? {};
  return selected === undefined ? undefined : new Set([selected, ...needs, ...neededBy]);
}

function paintEdges(
  on: CanvasRenderingContext2D,
  { view, layout, palette, camera }: Scene,
  sight: Sight,
  selected: number | undefined,
): void {
  const groups = new Map<string, { look: EdgeLook; isFaded: boolean; isBase: boolean; lines: Point[][] }>();
  view.edges.forEach((edge, place) => {
    const line = lineOf(layout, place, edge);
    if (!crosses(line, sight)) {
      return;
    }
    const look = edgeLook(edge, palette);
    const isFaded = selected !== undefined && !touches(edge, selected);
    const key = `${isFaded ? 0 : 1} ${look.isDashed ? 1 : 0} ${look.color} ${look.width.toFixed(1)}`;
    const group = groups.get(key) ?? { look, isFaded, isBase: edge.isBase, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  });
  const inOrder = [...groups.values()].sort((a, b) => Number(b.isFaded) - Number(a.isFaded));
  for (const { look, isFaded, isBase, lines } of inOrder) {
    on.globalAlpha = isFaded ? FADED : 1;
    on.strokeStyle = look.color;
    on.lineWidth = Math.max(look.width, 0.7 / camera.scale);
    on.setLineDash(look.isDashed && camera.scale > HEADS ? DASHES : []);
    strokeLines(on, lines);
    on.setLineDash([]);
    if (camera.scale > HEADS) {
      on.fillStyle = isBase ? palette.background : look.color;
      paintHeads(on, lines, isBase);
    }
  }
  on.globalAlpha = 1;
}

function touches({ from, to }: GraphEdge, node: number): boolean {
  return from === node || to === node;
}

function crosses(line: readonly Point[], sight: Sight): boolean {
  const [begin, end] = [line[0], line.at(-1)];
  return (
    begin !== undefined &&
    end !== undefined &&
    Math.max(begin.x, end.x) >= sight.left &&
    Math.min(begin.x, end.x) <= sight.right &&
    (line.length > 2 || (Math.max(begin.y, end.y) >= sight.top && Math.min(begin.y, end.y) <= sight.bottom))
  );
}

function strokeLines(on: CanvasRenderingContext2D, lines: readonly Point[][]): void {
  for (let first = 0; first < lines.length; first += LINES_A_STROKE) {
    on.beginPath();
    for (const line of lines.slice(first, first + LINES_A_STROKE)) {
      const [begin, end] = line;
      if (line.length === 2 && begin && end) {
        on.moveTo(begin.x, begin.y);
        on.lineTo(end.x, end.y);
        continue;
      }
      const curve = curveOf(line);
      on.moveTo(curve.begin.x, curve.begin.y);
      for (const { control, end } of curve.parts) {
        on.quadraticCurveTo(control.x, control.y, end.x, end.y);
      }
    }
    on.stroke();
  }
}

function paintHeads(on: CanvasRenderingContext2D, lines: readonly Point[][], isHollow: boolean): void {
  on.beginPath();
  for (const line of lines) {
    const arrow = arrowOf(line);
    if (arrow) {
      const [tip, left, right] = arrow;
      on.moveTo(tip.x, tip.y);
      on.lineTo(left.x, left.y);
      on.lineTo(right.x, right.y);
      on.closePath();
    }
  }
  on.fill();
  if (isHollow) {
    on.stroke();
  }
}

function isInSight({ x, y }: Point, width: number, sight: Sight): boolean {
  return x + width >= sight.left && x - width <= sight.right && y + width >= sight.top && y - width <= sight.bottom;
}

function paintNodes(
  on: CanvasRenderingContext2D,
  scene: Scene,
  sight: Sight,
  near: ReadonlySet<number> | undefined,
): void {
  const { view, layout, palette, camera } = scene;
  const groups = new Map<string, { color: string; width: number; alpha: number; places: number[] }>();
  layout.places.forEach((point, place) => {
    const node = view.nodes[place];
    if (!node || !isInSight(point, layout.widths[place] ?? 0, sight)) {
      return;
    }
    const { color, width } = outline(scene, node, place);
    const alpha = near && !near.has(place) ? 2 * FADED : 1;
    const key = `${alpha} ${color} ${width}`;
    const group = groups.get(key) ?? { color, width, alpha, places: [] };
    group.places.push(place);
    groups.set(key, group);
  });
  for (const { color, width, alpha, places } of groups.values()) {
    on.globalAlpha = alpha;
    on.beginPath();
    for (const place of places) {
      outlineNode(on, layout, place);
    }
    on.fillStyle = layout.isLayered ? palette.box : color;
    on.fill();
    on.strokeStyle = color;
    on.lineWidth = Math.max(width, 1 / camera.scale);
    on.stroke();
  }
  on.globalAlpha = 1;
}

function outline(
  { palette, selected, found, hasFocus }: Scene,
  node: GraphNode,
  place: number,
): { color: string; width: number } {
  if (place === selected) {
    return { color: palette.selected, width: hasFocus ? 3.5 : 2.5 };
  }
  return found.has(place) ? { color: palette.selected, width: 2 } : nodeLook(node, palette);
}

function outlineNode(on: CanvasRenderingContext2D, layout: GraphLayout, place: number): void {
  const [{ x, y } = { x: 0, y: 0 }, width = 0] = [layout.places[place], layout.widths[place]];
  if (layout.isLayered) {
    on.roundRect(x - width / 2, y - BOX.height / 2, width, BOX.height, 4);
  } else {
    on.moveTo(x + width / 2, y);
    on.arc(x, y, width / 2, 0, 2 * Math.PI);
  }
}

function paintBoxNames(
  on: CanvasRenderingContext2D,
  { view, layout, palette, camera }: Scene,
  sight: Sight,
  near: ReadonlySet<number> | undefined,
): void {
  if (camera.scale < READABLE) {
    return;
  }
  on.font = `${FONT_SIZE}px ${palette.font}`;
  on.textAlign = "center";
  on.textBaseline = "middle";
  on.fillStyle = palette.text;
  const measure = (text: string) => on.measureText(text).width;
  layout.places.forEach((point, place) => {
    const [node, width = 0] = [view.nodes[place], layout.widths[place]];
    if (node && isInSight(point, width, sight)) {
      on.globalAlpha = near && !near.has(place) ? 2 * FADED : 1;
      on.fillText(fitted(node.name, measure, width - BOX.padding), point.x, point.y + 0.5);
    }
  });
  on.globalAlpha = 1;
}

/** Names beside their nodes: of the selected one and its neighbours, then of the largest that have room. */
function paintFreeNames(
  on: CanvasRenderingContext2D,
  { view, layout, palette, camera, found, selected }: Scene,
  sight: Sight,
  near: ReadonlySet<number> | undefined,
): void {
  const weight = (place: number) =>
    (place === selected ? 4e6 : found.has(place) ? 2e6 : near?.has(place) === true ? 1e6 : 0) +
    (layout.widths[place] ?? 0);
  const inSight = [...layout.places.keys()].filter(
    (place) => isInSight(layout.places[place] ?? { x: 0, y: 0 }, 0, sight) && (!near || near.has(place)),
  );
  inSight.sort((a, b) => weight(b) - weight(a));
  on.font = `${NAMES.size}px ${palette.font}`;
  on.textAlign = "left";
  on.textBaseline = "middle";
  const taken = new Set<string>();
  let drawn = 0;
  for (const place of inSight) {
    const [point, node] = [layout.places[place], view.nodes[place]];
    if (!point || !node || drawn >= NAMES.most) {
      break;
    }
    const x = point.x * camera.scale + camera.x + ((layout.widths[place] ?? 0) / 2) * camera.scale + 3;
    const y = point.y * camera.scale + camera.y;
    const [column, row] = [Math.floor(x / NAMES.wide), Math.floor(y / NAMES.high)];
    const cells = [`${column} ${row}`, `${column + 1} ${row}`];
    if (cells.some((cell) => taken.has(cell))) {
      continue;
    }
    cells.forEach((cell) => taken.add(cell));
    drawn += 1;
    on.lineWidth = 3;
    on.strokeStyle = palette.background;
    on.strokeText(node.name, x, y);
    on.fillStyle = palette.text;
    on.fillText(node.name, x, y);
  }
}
