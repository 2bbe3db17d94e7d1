/** The canvas of a graph: its camera, and what pointer and keys do to it. */
import { beginLayout, boundsOf, BOX, type GrowingLayout } from "../core/graphLayout";
import { neighboursOf, nodeTowards, type GraphView, type Neighbours, type Point, type Side } from "../core/graphView";
import { GraphPainter, type Camera } from "./graphPainter";
import { followTheme, readPalette } from "./graphPalette";

/** What happens on the canvas, by the places of nodes. */
export interface CanvasEvents {
  selected: (place: number | undefined) => void;
  /** The pointer is at a node, at that point of the page. */
  pointed: (place: number | undefined, at: Point) => void;
  open: (place: number) => void;
  expand: (place: number) => void;
  /** Somebody wants to search. */
  search: () => void;
}

const SCALE = { least: 0.02, most: 4, key: 1.25, wheel: 0.0015, fit: 1.25 };
const MARGIN = 40;
/** A pointer that moves less than this was held still, in px. */
const STILL = 4;
/** How long a frame moves nodes, in ms: what is left of a sixtieth of a second draws. */
const STEP_MS = 8;
/** After so long without a move all is drawn, in ms. */
const REST_MS = 120;
const PAN = 60;

const SIDES: Readonly<Record<string, Side>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

const EMPTY: Pick<GraphView, "nodes" | "edges"> = { nodes: [], edges: [] };

export class GraphCanvas {
  private readonly on: CanvasRenderingContext2D;
  private view = EMPTY;
  private neighbours: readonly Neighbours[] = [];
  private growing: GrowingLayout = beginLayout(EMPTY, () => 0);
  private isGrowing = false;
  /** Whether a person has moved the drawing: then it stays where it is. */
  private isMoved = false;
  private camera: Camera = { scale: 1, x: 0, y: 0 };
  private palette = readPalette();
  private readonly painter = new GraphPainter();
  private selection: number | undefined;
  private found: ReadonlySet<number> = new Set();
  private size = { width: 0, height: 0 };
  private isDirty = false;
  /** Whether the drawing has just moved, and the timer that ends it. */
  private isMoving = false;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly events: CanvasEvents,
  ) {
    const on = canvas.getContext("2d");
    if (!on) {
      throw new Error("There is no canvas.");
    }
    this.on = on;
    new ResizeObserver(() => {
      this.resize();
    }).observe(canvas);
    followTheme(() => {
      this.palette = readPalette();
      this.renew();
    });
    this.listenToPointer();
    canvas.addEventListener("keydown", (event) => {
      if (this.key(event.key, event.shiftKey)) {
        event.preventDefault();
      }
    });
    for (const kind of ["focus", "blur"]) {
      canvas.addEventListener(kind, () => {
        this.renew();
      });
    }
  }

  get layout(): GrowingLayout["layout"] {
    return this.growing.layout;
  }

  get colors(): ReturnType<typeof readPalette> {
    return this.palette;
  }

  /** The width of a label, in px at scale 1. */
  readonly measure = (text: string): number => {
    this.on.font = `12px ${this.palette.font}`;
    return this.on.measureText(text).width;
  };

  /** Shows a graph; with `isMore`, nodes that were there stay about where they were. */
  show(view: Pick<GraphView, "nodes" | "edges">, isMore: boolean): void {
    const before = this.view.nodes;
    const selected = this.selection === undefined ? undefined : before[this.selection];
    const at = this.selection === undefined ? undefined : this.screen(this.selection);
    const { places } = this.layout;
    const known = new Map(before.map(({ id }, place) => [id, { ...(places[place] ?? { x: 0, y: 0 }) }]));
    this.view = view;
    this.neighbours = neighboursOf(view);
    this.found = new Set();
    const isLayered = this.layout.isLayered;
    this.growing = beginLayout(view, ({ name }) => this.measure(name), isMore && !isLayered ? known : undefined);
    this.isGrowing = true;
    this.canvas.dataset.state = "moving";
    const kept = selected && isMore ? view.nodes.findIndex(({ id }) => id === selected.id) : -1;
    this.selection = kept >= 0 ? kept : undefined;
    this.isMoved = isMore && this.isMoved && kept >= 0;
    if (this.isMoved && at && kept >= 0) {
      // What a person looks at stays under their eyes.
      this.placeAt(kept, at);
    } else {
      this.fit();
      this.isMoved = false;
    }
    this.renew();
  }

  get selected(): number | undefined {
    return this.selection;
  }

  /** Selects a node, or none; `isShown` brings it into the middle. */
  select(place: number | undefined, isShown = false): void {
    this.selection = place;
    if (place !== undefined && (isShown || !this.isOnScreen(place))) {
      this.camera.scale = Math.max(this.camera.scale, this.layout.isLayered ? 0.8 : 0.6);
      this.placeAt(place, { x: this.size.width / 2, y: this.size.height / 2 });
      this.isMoved = true;
    }
    this.events.selected(place);
    this.renew();
  }

  /** Marks what a search has found. */
  mark(places: readonly number[]): void {
    this.found = new Set(places);
    this.renew();
  }

  /** Brings all into sight. */
  fit(): void {
    const bounds = boundsOf(this.layout);
    const [width, height] = [this.size.width - 2 * MARGIN, this.size.height - 2 * MARGIN];
    const scale = Math.min(width / bounds.width, height / bounds.height, SCALE.fit);
    this.camera.scale = Math.max(SCALE.least, scale);
    this.camera.x = this.size.width / 2 - (bounds.x + bounds.width / 2) * this.camera.scale;
    this.camera.y = this.size.height / 2 - (bounds.y + bounds.height / 2) * this.camera.scale;
    this.isMoved = false;
    this.redraw();
  }

  /** Zooms around a point of the canvas; its middle unless given. */
  zoom(factor: number, around: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    const { camera } = this;
    const scale = Math.min(SCALE.most, Math.max(SCALE.least, camera.scale * factor));
    camera.x = around.x - ((around.x - camera.x) * scale) / camera.scale;
    camera.y = around.y - ((around.y - camera.y) * scale) / camera.scale;
    camera.scale = scale;
    this.isMoved = true;
    this.moved();
  }

  /** What a key does; false where it is not ours. */
  key(key: string, hasShift: boolean): boolean {
    const side = SIDES[key];
    if (side !== undefined) {
      this.step(side, hasShift);
      return true;
    }
    const { selection } = this;
    const of = (does: (place: number) => void) => () => {
      if (selection !== undefined) {
        does(selection);
      }
    };
    const keys: Readonly<Record<string, () => void>> = {
      Enter: of(this.events.open),
      " ": of(this.events.expand),
      "+": () => {
        this.zoom(SCALE.key);
      },
      "=": () => {
        this.zoom(SCALE.key);
      },
      "-": () => {
        this.zoom(1 / SCALE.key);
      },
      "0": () => {
        this.fit();
      },
      Home: () => {
        this.select(this.first(), true);
      },
      Escape: () => {
        this.select(undefined);
      },
      "/": this.events.search,
    };
    keys[key]?.();
    return key in keys;
  }

  /** Where a key begins: the start, else the node with the most neighbours. */
  private first(): number | undefined {
    const degree = (place: number) => {
      const { needs = [], neededBy = [] } = this.neighbours[place] ?? {};
      return needs.length + neededBy.length;
    };
    const start = this.view.nodes.findIndex(({ isStart }) => isStart);
    const places = [...this.view.nodes.keys()];
    return start >= 0 ? start : places.sort((a, b) => degree(b) - degree(a) || a - b)[0];
  }

  private step(side: Side, isPanning: boolean): void {
    if (isPanning) {
      this.camera.x += side === "left" ? PAN : side === "right" ? -PAN : 0;
      this.camera.y += side === "up" ? PAN : side === "down" ? -PAN : 0;
      this.isMoved = true;
      this.moved();
      return;
    }
    const next =
      this.selection === undefined
        ? this.first()
        : nodeTowards(side, this.selection, this.layout.places, this.neighbours);
    if (next !== undefined) {
      this.select(next);
    }
  }

  private listenToPointer(): void {
    const { canvas } = this;
    let held: { at: Point; last: Point; isMoving: boolean } | undefined;
    const point = ({ offsetX, offsetY }: MouseEvent): Point => ({ x: offsetX, y: offsetY });
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button === 0) {
        held = { at: point(event), last: point(event), isMoving: false };
        canvas.setPointerCapture(event.pointerId);
      }
    });
    canvas.addEventListener("pointermove", (event) => {
      const at = point(event);
      if (!held) {
        const place = this.nodeAt(at);
        canvas.classList.toggle("pointing", place !== undefined);
        this.events.pointed(place, { x: event.clientX, y: event.clientY });
        return;
      }
      held.isMoving ||= Math.hypot(at.x - held.at.x, at.y - held.at.y) > STILL;
      if (held.isMoving) {
        this.camera.x += at.x - held.last.x;
        this.camera.y += at.y - held.last.y;
        this.isMoved = true;
        this.events.pointed(undefined, at);
        this.moved();
      }
      held.last = at;
    });
    canvas.addEventListener("pointerup", (event) => {
      if (held && !held.isMoving) {
        this.select(this.nodeAt(point(event)));
      }
      held = undefined;
    });
    canvas.addEventListener("pointercancel", () => {
      held = undefined;
    });
    canvas.addEventListener("pointerleave", (event) => {
      this.events.pointed(undefined, point(event));
    });
    canvas.addEventListener("dblclick", (event) => {
      const place = this.nodeAt(point(event));
      if (place !== undefined) {
        this.events.open(place);
      }
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * SCALE.wheel), point(event));
      },
      { passive: false },
    );
  }

  private nodeAt({ x, y }: Point): number | undefined {
    const { places, widths, isLayered } = this.layout;
    const at = { x: (x - this.camera.x) / this.camera.scale, y: (y - this.camera.y) / this.camera.scale };
    // A finger's breadth of slack where nodes are small on the screen.
    const slack = isLayered ? 0 : 3 / this.camera.scale;
    const found = places.findLastIndex((point, place) => {
      const half = (widths[place] ?? 0) / 2 + slack;
      const high = isLayered ? BOX.height / 2 : half;
      return Math.abs(point.x - at.x) <= half && Math.abs(point.y - at.y) <= high;
    });
    return found < 0 ? undefined : found;
  }

  private screen(place: number): Point {
    const { x, y } = this.layout.places[place] ?? { x: 0, y: 0 };
    return { x: x * this.camera.scale + this.camera.x, y: y * this.camera.scale + this.camera.y };
  }

  private isOnScreen(place: number): boolean {
    const { x, y } = this.screen(place);
    return x > MARGIN && y > MARGIN && x < this.size.width - MARGIN && y < this.size.height - MARGIN;
  }

  private placeAt(place: number, at: Point): void {
    const { x, y } = this.screen(place);
    this.camera.x += at.x - x;
    this.camera.y += at.y - y;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.size = { width, height };
    this.canvas.width = Math.round(width * window.devicePixelRatio);
    this.canvas.height = Math.round(height * window.devicePixelRatio);
    if (!this.isMoved) {
      this.fit();
    }
    this.redraw();
  }

  /** Draws what looks different now. */
  private renew(): void {
    this.painter.forget();
    this.redraw();
  }

  /** Draws while it moves, and all of it when it rests. */
  private moved(): void {
    this.isMoving = true;
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.isMoving = false;
      this.redraw();
    }, REST_MS);
    this.redraw();
  }

  /** Draws in the next frame, once. */
  private redraw(): void {
    if (!this.isDirty) {
      this.isDirty = true;
      requestAnimationFrame(() => {
        this.isDirty = false;
        this.frame();
      });
    }
  }

  private frame(): void {
    if (this.isGrowing) {
      this.grow();
    }
    const { view, neighbours, layout, palette, camera, selection: selected, found } = this;
    const hasFocus = document.activeElement === this.canvas;
    const isMoving = this.isMoving || this.isGrowing;
    const scene = { view, neighbours, layout, palette, camera, selected, found, hasFocus, isMoving };
    this.painter.paint(this.on, scene, this.size.width, this.size.height);
  }

  private grow(): void {
    this.painter.forget();
    const begin = performance.now();
    do {
      this.isGrowing = this.growing.step();
    } while (this.isGrowing && performance.now() - begin < STEP_MS);
    if (!this.isMoved) {
      this.fit();
    }
    if (this.isGrowing) {
      this.redraw();
    } else {
      this.canvas.dataset.state = "resting";
    }
  }
}
