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
import type { GraphNode, GraphView, Neighbours, Point } from "../core/graphView";

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
  /** Whether it moves: then a large drawing leaves out what nobody sees in passing. */
  isMoving: boolean;
}

const FONT_SIZE = 12;
/** Below this scale boxes have no names, and arrows no heads. */
const READABLE = 0.55;
const HEADS = 0.3;
/** A drawing of more dependencies is large: its lines are thin, so that nodes are seen behind them. */
const LARGE = { edges: 600, alpha: 0.4 };
/** What is not about the selected node; in high contrast it stays readable. */
const FADED = { usual: 0.18, contrast: 0.4 };
/** Names of a drawing by forces: at most so many, each with room of its own, in px. */
const NAMES = { most: 140, moving: 40, wide: 110, high: 18, size: 11 };
/** A path of more lines takes longer than several. */
const LINES_A_STROKE = 400;
const DASHES = [5, 3];

interface Sight {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Lines of one look, as paths that stay as long as nothing moves. */
interface LineGroup {
  look: EdgeLook;
  isFaded: boolean;
  isBase: boolean;
  lines: Path2D[];
  heads: Path2D[];
}

/** Nodes of one look. */
interface NodeGroup {
  color: string;
  width: number;
  isFaded: boolean;
  path: Path2D;
}

/** Draws scenes. What was drawn is kept until {@link GraphPainter.forget}: a camera that moves makes nothing anew. */
export class GraphPainter {
  private lines: LineGroup[] | undefined;
  private nodes: NodeGroup[] | undefined;

  /** Nodes have moved, or look different. */
  forget(): void {
    this.lines = undefined;
    this.nodes = undefined;
  }

  /** Draws onto a canvas of `width` by `height` px. */
  paint(on: CanvasRenderingContext2D, scene: Scene, width: number, height: number): void {
    const { camera, palette } = scene;
    const ratio = window.devicePixelRatio;
    on.setTransform(ratio, 0, 0, ratio, 0, 0);
    on.fillStyle = palette.background;
    on.fillRect(0, 0, width, height);
    on.setTransform(ratio * camera.scale, 0, 0, ratio * camera.scale, ratio * camera.x, ratio * camera.y);
    const near = nearOf(scene);
    this.lines ??= lineGroups(scene);
    this.nodes ??= nodeGroups(scene, near);
    paintLines(on, scene, this.lines);
    paintNodes(on, scene, this.nodes);
    const sight: Sight = {
      left: -camera.x / camera.scale,
      top: -camera.y / camera.scale,
      right: (width - camera.x) / camera.scale,
      bottom: (height - camera.y) / camera.scale,
    };
    if (scene.layout.isLayered && camera.scale >= READABLE) {
      paintBoxNames(on, scene, sight, near);
    } else {
      on.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintFreeNames(on, scene, sight, near);
    }
  }
}

/** How strong a line is that is not about the selected node. */
function fading(): number {
  return document.body.classList.contains("vscode-high-contrast") ? FADED.contrast : FADED.usual;
}

/** The selected node and its neighbours; undefined where none is selected. */
function nearOf({ selected, neighbours }: Scene): ReadonlySet<number> | undefined {
  const { needs = [], neededBy = [] } = (selected === undefined ? undefined : neighbours[selected]) ?? {};
  return selected === undefined ? undefined : new Set([selected, ...needs, ...neededBy]);
}

/** The lines by look; those that are faded are drawn first. */
function lineGroups({ view, layout, palette, selected }: Scene): LineGroup[] {
  const groups = new Map<string, LineGroup & { count: number }>();
  view.edges.forEach((edge, place) => {
    const look = edgeLook(edge, palette);
    const isFaded = selected !== undefined && edge.from !== selected && edge.to !== selected;
    const key = `${isFaded} ${edge.isBase} ${look.color} ${look.width.toFixed(1)}`;
    const group = groups.get(key) ?? { look, isFaded, isBase: edge.isBase, lines: [], heads: [], count: 0 };
    groups.set(key, group);
    if (group.count % LINES_A_STROKE === 0) {
      group.lines.push(new Path2D());
      group.heads.push(new Path2D());
    }
    group.count += 1;
    const line = lineOf(layout, place, edge);
    addLine(group.lines.at(-1), line);
    addHead(group.heads.at(-1), line);
  });
  return [...groups.values()].sort((a, b) => Number(b.isFaded) - Number(a.isFaded));
}

function addLine(path: Path2D | undefined, line: readonly Point[]): void {
  const { begin, parts } = curveOf(line);
  path?.moveTo(begin.x, begin.y);
  for (const { control, end } of parts) {
    if (line.length === 2) {
      path?.lineTo(end.x, end.y);
    } else {
      path?.quadraticCurveTo(control.x, control.y, end.x, end.y);
    }
  }
}

function addHead(path: Path2D | undefined, line: readonly Point[]): void {
  const [tip, left, right] = arrowOf(line) ?? [];
  if (path && tip && left && right) {
    path.moveTo(tip.x, tip.y);
    path.lineTo(left.x, left.y);
    path.lineTo(right.x, right.y);
    path.closePath();
  }
}

function paintLines(
  on: CanvasRenderingContext2D,
  { view, palette, camera, isMoving, selected }: Scene,
  groups: readonly LineGroup[],
): void {
  const isLarge = view.edges.length > LARGE.edges;
  const isFine = camera.scale > HEADS && !(isLarge && isMoving);
  const usual = isLarge && selected === undefined ? LARGE.alpha : 1;
  const faded = fading();
  for (const { look, isFaded, isBase, lines, heads } of groups) {
    on.globalAlpha = isFaded ? faded : usual;
    on.strokeStyle = look.color;
    on.lineWidth = Math.max(look.width, 0.7 / camera.scale);
    on.setLineDash(look.isDashed && isFine ? DASHES : []);
    lines.forEach((path) => {
      on.stroke(path);
    });
    on.setLineDash([]);
    for (const path of isFine ? heads : []) {
      on.fillStyle = isBase ? palette.background : look.color;
      on.fill(path);
      if (isBase) {
        on.stroke(path);
      }
    }
  }
  on.globalAlpha = 1;
}

function isInSight({ x, y }: Point, width: number, sight: Sight): boolean {
  return x + width >= sight.left && x - width <= sight.right && y + width >= sight.top && y - width <= sight.bottom;
}

function nodeGroups(scene: Scene, near: ReadonlySet<number> | undefined): NodeGroup[] {
  const { view, layout } = scene;
  const groups = new Map<string, NodeGroup>();
  view.nodes.forEach((node, place) => {
    const { color, width } = outline(scene, node, place);
    const isFaded = near?.has(place) === false;
    const key = `${isFaded} ${color} ${width}`;
    const group = groups.get(key) ?? { color, width, isFaded, path: new Path2D() };
    addNode(group.path, layout, place);
    groups.set(key, group);
  });
  return [...groups.values()].sort((a, b) => Number(b.isFaded) - Number(a.isFaded));
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

function addNode(path: Path2D, layout: GraphLayout, place: number): void {
  const [{ x, y } = { x: 0, y: 0 }, width = 0] = [layout.places[place], layout.widths[place]];
  if (layout.isLayered) {
    path.roundRect(x - width / 2, y - BOX.height / 2, width, BOX.height, 4);
  } else {
    path.moveTo(x + width / 2, y);
    path.arc(x, y, width / 2, 0, 2 * Math.PI);
  }
}

function paintNodes(
  on: CanvasRenderingContext2D,
  { layout, palette, camera }: Scene,
  groups: readonly NodeGroup[],
): void {
  const faded = 2 * fading();
  for (const { color, width, isFaded, path } of groups) {
    on.globalAlpha = isFaded ? faded : 1;
    on.fillStyle = layout.isLayered ? palette.box : color;
    on.fill(path);
    on.strokeStyle = color;
    on.lineWidth = Math.max(width, 1 / camera.scale);
    on.stroke(path);
  }
  on.globalAlpha = 1;
}

function paintBoxNames(
  on: CanvasRenderingContext2D,
  { view, layout, palette }: Scene,
  sight: Sight,
  near: ReadonlySet<number> | undefined,
): void {
  on.font = `${FONT_SIZE}px ${palette.font}`;
  on.textAlign = "center";
  on.textBaseline = "middle";
  on.fillStyle = palette.text;
  const faded = 2 * fading();
  const measure = (text: string) => on.measureText(text).width;
  layout.places.forEach((point, place) => {
    const [node, width = 0] = [view.nodes[place], layout.widths[place]];
    if (node && isInSight(point, width, sight)) {
      on.globalAlpha = near && !near.has(place) ? faded : 1;
      on.fillText(fitted(node.name, measure, width - BOX.padding), point.x, point.y + 0.5);
    }
  });
  on.globalAlpha = 1;
}

/** Names beside their nodes: of the selected one and its neighbours, then of the largest that have room. */
function paintFreeNames(
  on: CanvasRenderingContext2D,
  { view, layout, palette, camera, found, selected, isMoving }: Scene,
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
  const most = isMoving ? NAMES.moving : NAMES.most;
  let drawn = 0;
  for (const place of inSight) {
    const [point, node] = [layout.places[place], view.nodes[place]];
    if (!point || !node || drawn >= most) {
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
