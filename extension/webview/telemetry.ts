/** The telemetry page: draws what the extension sends. It is drawn anew as a whole; it changes a few times a minute. */
import type { Chart, FromTelemetryPage, TelemetryView, ToTelemetryPage } from "../core/telemetryView";
import { element, setAttributes } from "./dom";

interface VsCodeApi {
  postMessage(message: FromTelemetryPage): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const SVG = "http://www.w3.org/2000/svg";
/** A chart in its own units. */
const CHART = { width: 240, height: 48, gap: 2 };
/** What a day with a little has in any case. */
const LEAST_HEIGHT = 1.5;

const vscode = acquireVsCodeApi();
const refresh = element("button", "refresh", "Refresh");
const content = element("main", "content");
refresh.addEventListener("click", () => {
  vscode.postMessage({ kind: "refresh" });
});
document.body.append(element("header", "head", element("h1", "", "Telemetry"), refresh), content);
window.addEventListener("message", ({ data }: MessageEvent<ToTelemetryPage>) => {
  content.replaceChildren(...drawn(data.view));
});
vscode.postMessage({ kind: "ready" });

function drawn(view: TelemetryView): HTMLElement[] {
  const parts: HTMLElement[] = [
    element("p", "source", view.source),
    element("ul", "alarms", ...view.alarms.map((alarm) => element("li", "", alarm))),
    element("dl", "figures", ...view.figures.map(figure)),
    element("div", "charts", ...view.charts.map(chart)),
  ];
  if (view.tools.length > 0) {
    parts.push(element("h2", "", "Tools"), toolTable(view));
  }
  if (view.task !== "") {
    parts.push(element("h2", "", "Last task"), element("p", "", view.task), receiptTable(view));
  }
  return parts;
}

function figure({ name, value, title }: TelemetryView["figures"][number]): HTMLElement {
  const made = element("div", "figure", element("dt", "", name), element("dd", "", value));
  setAttributes(made, { title });
  return made;
}

function chart({ name, most, bars }: Chart): HTMLElement {
  const picture = document.createElementNS(SVG, "svg");
  setAttributes(picture, {
    viewBox: `0 0 ${CHART.width} ${CHART.height}`,
    role: "img",
    "aria-label": `${name}, at most ${most}`,
  });
  const step = CHART.width / bars.length;
  bars.forEach(({ share, title }, place) => {
    const height = share > 0 ? Math.max(LEAST_HEIGHT, share * CHART.height) : 0;
    const bar = document.createElementNS(SVG, "rect");
    setAttributes(bar, {
      x: String(place * step),
      y: String(CHART.height - height),
      width: String(step - CHART.gap),
      height: String(height),
    });
    const said = document.createElementNS(SVG, "title");
    said.textContent = title;
    bar.append(said);
    picture.append(bar);
  });
  const [first, last] = [bars[0]?.label ?? "", bars.at(-1)?.label ?? ""];
  return element(
    "figure",
    "chart",
    element("figcaption", "", element("span", "", name), element("span", "most", most)),
    picture,
    element("div", "axis", element("span", "", first), element("span", "", last)),
  );
}

function toolTable({ tools }: TelemetryView): HTMLElement {
  const rows = tools.map((of) => {
    const share = element("i", "");
    share.style.width = `${Math.round(100 * of.share)}%`;
    return row("td", [of.tool, of.calls, of.failures, of.tokens, of.half, of.most], element("div", "share", share));
  });
  const head = row("th", ["Tool", "Calls", "Failed", "Tokens", "p50", "p95"], "");
  return element("table", "tools", element("thead", "", head), element("tbody", "", ...rows));
}

function receiptTable({ receipts }: TelemetryView): HTMLElement {
  const rows = receipts.map((of) => row("td", [of.time, of.tool, of.symbol, of.tokens], of.replaced));
  const head = row("th", ["Time", "Tool", "Symbol", "Tokens"], "Files it names, tokens");
  return element("table", "receipts", element("thead", "", head), element("tbody", "", ...rows));
}

function row(kind: "td" | "th", cells: readonly string[], last: Node | string): HTMLElement {
  return element("tr", "", ...cells.map((cell) => element(kind, "", cell)), element(kind, "", last));
}
