/** Where nodes stand, and the drawing as an SVG document. */
import { describe, expect, it } from "vitest";

import { arrowOf, curveOf, edgeLook, fitted, lineOf, nodeLook } from "../../../extension/core/graphDrawing";
import { beginLayout, boundsOf, layersOf, type GraphLayout } from "../../../extension/core/graphLayout";
import { graphSvg } from "../../../extension/core/graphSvg";
import { requestFor, type GraphEdge, type GraphNode, type GraphView } from "../../../extension/core/graphView";

const PALETTE = {
  background: "#000",
  text: "#fff",
  muted: "#999",
  box: "#111",
  border: "#222",
  edge: "#333",
  base: "#00f",
  cycle: "#f00",
  start: "#fa0",
  selected: "#0ff",
  font: "sans-serif",
};

function node(name: string, more: Partial<GraphNode> = {}): GraphNode {
  return { id: `T_${name}`, name, path: `Shop.${name}`, kind: "class", file: "app/a.cs", isStart: false, ...more };
}

function edge(from: number, to: number, more: Partial<GraphEdge> = {}): GraphEdge {
  return { from, to, isBase: false, isInCycle: false, count: 1, ...more };
}

function viewOf(nodes: GraphNode[], edges: GraphEdge[]): GraphView {
  return { title: "All", request: requestFor({ kind: "all" }), nodes, edges, summary: "1 type." };
}

/** A graph too large for layers: every node needs the one before it, some the first. */
function large(count: number) {
  const nodes = Array.from({ length: count }, (_, place) => node(`N${place}`));
  const edges = nodes.flatMap((_, place) => (place === 0 ? [] : [edge(place, place - 1), edge(place, place >> 2)]));
  return viewOf(
    nodes,
    edges.filter(({ from, to }) => from !== to),
  );
}

const width = ({ name }: GraphNode) => 7 * name.length;

describe("a layout", () => {
  it("of a small graph has layers: arrows lead to the right, boxes do not overlap", () => {
    const view = viewOf([node("A"), node("B"), node("C"), node("D")], [edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3)]);
    const { layout, step } = beginLayout(view, width);
    expect(step()).toBe(false);
    const x = layout.places.map((point) => point.x);
    expect(x[0]).toBeLessThan(x[1] ?? NaN);
    expect(x[1]).toBeCloseTo(x[2] ?? NaN);
    expect(x[2]).toBeLessThan(x[3] ?? NaN);
    const [one, two] = [layout.places[1], layout.places[2]];
    expect(Math.abs((one?.y ?? 0) - (two?.y ?? 0))).toBeGreaterThanOrEqual(24);
    expect(layout.bends.every((points) => points.length >= 2)).toBe(true);
  });

  it("of a cycle, of nothing and of a node alone ends", () => {
    for (const view of [
      viewOf([node("A"), node("B")], [edge(0, 1), edge(1, 0)]),
      viewOf([], []),
      viewOf([node("A")], []),
    ]) {
      const { layout } = beginLayout(view, width);
      expect(layout.places.length).toBe(view.nodes.length);
      expect(layout.places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
    }
  });

  it("of a large graph grows step by step, comes to rest, and is the same each time", () => {
    const run = () => {
      const { layout, step } = beginLayout(large(300), width);
      let steps = 1;
      while (step() && steps < 1_000) {
        steps += 1;
      }
      return { layout, steps };
    };
    const { layout, steps } = run();
    expect(layout.isLayered).toBe(false);
    expect(steps).toBeLessThan(1_000);
    expect(layout.places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
    expect(new Set(layout.places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size).toBe(300);
    expect(run().layout.places).toEqual(layout.places);
  });

  it("puts many nodes without a dependency into rows below the others", () => {
    const alone = Array.from({ length: 200 }, (_, place) => node(`Alone${place}`));
    const { layout } = beginLayout(viewOf([...alone, node("A"), node("B")], [edge(200, 201)]), width);
    expect(layout.isLayered).toBe(true);
    const [a, b] = [layout.places[200], layout.places[201]];
    expect(a?.x).toBeLessThan(b?.x ?? NaN);
    expect(layout.places.slice(0, 200).every(({ y }) => y > (a?.y ?? NaN))).toBe(true);
    expect(new Set(layout.places.map(({ x, y }) => `${x} ${y}`)).size).toBe(202);
    const rows = new Set(layout.places.slice(0, 200).map(({ y }) => y)).size;
    expect(rows).toBeGreaterThan(5);
    expect(rows).toBeLessThan(100);
  });

  it("begins where nodes were", () => {
    const known = new Map([["T_N7", { x: 5_000, y: 4_000 }]]);
    const { layout } = beginLayout(large(300), width, known);
    expect(layout.places[7]).toEqual({ x: 5_000, y: 4_000 });
  });

  it("puts who needs others left of them, whatever circles there are and however long a chain is", () => {
    expect(layersOf(4, [edge(0, 1), edge(1, 2), edge(0, 2), edge(3, 2)])).toEqual([0, 1, 2, 0]);
    expect(layersOf(2, [edge(0, 1), edge(1, 0)])).toEqual([0, 1]);
    const chain = Array.from({ length: 50_000 }, (_, place) => edge(place, place + 1));
    expect(layersOf(50_001, chain).at(-1)).toBe(50_000);
  });
});

describe("a drawing", () => {
  const layout: GraphLayout = {
    isLayered: false,
    places: [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
    ],
    widths: [20, 40],
    bends: [[], []],
  };

  it("has lines from border to border, and heads at their ends", () => {
    const line = lineOf(layout, 0, edge(0, 1));
    expect(line).toEqual([
      { x: 10, y: 0 },
      { x: 80, y: 0 },
    ]);
    expect(arrowOf(line)).toEqual([
      { x: 80, y: 0 },
      { x: 72, y: 3.5 },
      { x: 72, y: -3.5 },
    ]);
    expect(arrowOf([])).toBeUndefined();
    expect(boundsOf(layout)).toEqual({ x: -10, y: -20, width: 130, height: 40 });
  });

  it("has curves that end at the last point", () => {
    const points = [0, 10, 20, 30].map((x) => ({ x, y: x }));
    for (const count of [2, 3, 4]) {
      const { begin, parts } = curveOf(points.slice(0, count));
      expect(begin).toEqual({ x: 0, y: 0 });
      expect(parts.at(-1)?.end).toEqual(points[count - 1]);
    }
  });

  it("tells bases, cycles and starts apart, also without colours", () => {
    expect(edgeLook(edge(0, 1, { isBase: true }), PALETTE)).toMatchObject({ color: "#00f", isDashed: true });
    expect(edgeLook(edge(0, 1, { isInCycle: true }), PALETTE)).toMatchObject({ color: "#f00", isDashed: false });
    expect(nodeLook(node("A", { isStart: true, cycle: 1 }), PALETTE)).toEqual({ color: "#fa0", width: 2.5 });
    expect(nodeLook(node("A", { cycle: 1 }), PALETTE)).toEqual({ color: "#f00", width: 1.6 });
  });

  it("shortens a name to its room", () => {
    const measure = (text: string) => text.length * 10;
    expect(fitted("Order", measure, 50)).toBe("Order");
    expect(fitted("OrderService", measure, 60)).toBe("Order…");
    expect(fitted("OrderService", measure, 0)).toBe("O…");
  });
});

describe("the SVG document", () => {
  const measure = (text: string) => text.length * 7;

  it("has every node and dependency, and nothing that runs or loads", () => {
    const view = viewOf([node("A"), node("B", { isStart: true })], [edge(0, 1, { isBase: true })]);
    const { layout } = beginLayout(view, width);
    const svg = graphSvg(view, layout, PALETTE, measure);
    expect(svg.match(/<text /g)?.length).toBe(2);
    expect(svg).toContain("<title>Shop.A</title>");
    expect(svg).toContain('stroke-dasharray="5 3"');
    expect(svg).toContain('stroke="#fa0"');
    expect(svg).not.toMatch(/<script|<style|href|NaN|undefined/);
  });

  it("stays XML whatever a name has", () => {
    const view = viewOf([node('<b a="1">&\u0000', { path: '</title><script>"' })], []);
    const { layout } = beginLayout(view, width);
    const svg = graphSvg(view, layout, { ...PALETTE, font: '"Segoe UI", sans-serif' }, measure);
    expect(svg).toContain("&lt;/title&gt;&lt;script&gt;&quot;");
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("\u0000");
    expect(svg).toContain('font-family="&quot;Segoe UI&quot;, sans-serif"');
  });
});
