/** A graph as an SVG document: drawn as the page draws it, with colours of the theme, and nothing that runs or loads. */
import { arrowOf, curveOf, edgeLook, fitted, lineOf, nodeLook, type Palette } from "./graphDrawing";
import { BOX, boundsOf, type GraphLayout } from "./graphLayout";
import type { GraphEdge, GraphNode, GraphView, Point } from "./graphView";

const MARGIN = 24;
const FONT_SIZE = 12;

/** The document. `width` measures a label. */
export function graphSvg(
  view: GraphView,
  layout: GraphLayout,
  palette: Palette,
  width: (text: string) => number,
): string {
  const { x, y, width: wide, height: high } = boundsOf(layout);
  const box = [x - MARGIN, y - MARGIN, wide + 2 * MARGIN, high + 2 * MARGIN].map(number);
  const [left = "", top = "", right = "", bottom = ""] = box;
  const label = `Dependencies: ${view.title}. ${view.summary}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(" ")}" width="${right}" height="${bottom}" role="img" aria-label="${escaped(label)}">`,
    `<title>${escaped(label)}</title>`,
    `<rect x="${left}" y="${top}" width="${right}" height="${bottom}" fill="${escaped(palette.background)}"/>`,
    ...view.edges.map((edge, place) => edgeSvg(edge, lineOf(layout, place, edge), palette)),
    ...view.nodes.map((node, place) => nodeSvg(node, place, layout, palette, width)),
    "</svg>\n",
  ].join("\n");
}

function edgeSvg(edge: GraphEdge, points: readonly Point[], palette: Palette): string {
  const { color, width, isDashed } = edgeLook(edge, palette);
  const { begin, parts } = curveOf(points);
  const path = parts.map(({ control, end }) => `Q${pair(control)} ${pair(end)}`).join("");
  const dashes = isDashed ? ' stroke-dasharray="5 3"' : "";
  const arrow = arrowOf(points);
  const fill = edge.isBase ? palette.background : color;
  const head = arrow
    ? `<path d="M${arrow.map(pair).join("L")}Z" fill="${escaped(fill)}" stroke="${escaped(color)}"/>`
    : "";
  const line = `<path d="M${pair(begin)}${path}" fill="none" stroke="${escaped(color)}" stroke-width="${number(width)}"${dashes}/>`;
  return line + head;
}

function nodeSvg(
  node: GraphNode,
  place: number,
  layout: GraphLayout,
  palette: Palette,
  measure: (text: string) => number,
): string {
  const { color, width: stroke } = nodeLook(node, palette);
  const [{ x, y } = { x: 0, y: 0 }, width = 0] = [layout.places[place], layout.widths[place]];
  const border = `fill="${escaped(palette.box)}" stroke="${escaped(color)}" stroke-width="${number(stroke)}"`;
  const shape = layout.isLayered
    ? `<rect x="${number(x - width / 2)}" y="${number(y - BOX.height / 2)}" width="${number(width)}" height="${BOX.height}" rx="4" ${border}/>`
    : `<circle cx="${number(x)}" cy="${number(y)}" r="${number(width / 2)}" ${border}/>`;
  const name = layout.isLayered ? fitted(node.name, measure, width - BOX.padding) : node.name;
  const anchor = layout.isLayered ? `x="${number(x)}" text-anchor="middle"` : `x="${number(x + width / 2 + 4)}"`;
  const text = `<text ${anchor} y="${number(y)}" dominant-baseline="central" font-family="${escaped(palette.font)}" font-size="${FONT_SIZE}" fill="${escaped(palette.text)}">${escaped(name)}</text>`;
  return `<g><title>${escaped(node.path)}</title>${shape}${text}</g>`;
}

function pair({ x, y }: Point): string {
  return `${number(x)} ${number(y)}`;
}

function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A text inside of the document, whatever letters a name has; those that XML does not allow are left out. */
function escaped(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- these are what is taken out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/"/g, "&quot;")
  );
}
