/** The controls above the drawing: where the graph begins, what is followed, a search, zoom and saving. */
import { MOST_STEPS, requestFor, type GraphRequest, type GraphView } from "../core/graphView";
import { element, setAttributes } from "./dom";

/** What the controls do. */
export interface ToolbarActions {
  show(request: GraphRequest): void;
  search(text: string): void;
  /** To the next node that was found, or the one before. */
  next(step: 1 | -1): void;
  zoom(factor: number): void;
  fit(): void;
  save(): void;
}

const LEVELS = [
  ["type", "Types"],
  ["module", "Modules"],
] as const;
const DIRECTIONS = [
  ["out", "What it needs"],
  ["in", "Who needs it"],
  ["both", "Both"],
] as const;
const ZOOM = 1.25;

export class Toolbar {
  readonly bar: HTMLElement;
  readonly search = element("input", "search");
  private readonly count = element("span", "count");
  private readonly level = select("Nodes", LEVELS);
  private readonly direction = select("Dependencies", DIRECTIONS);
  private readonly depth = select(
    "Steps",
    Array.from(
      { length: MOST_STEPS + 1 },
      (_, steps) => [String(steps), steps === 1 ? "1 step" : `${steps} steps`] as const,
    ),
  );
  private request: GraphRequest = requestFor({ kind: "all" });

  constructor(actions: ToolbarActions) {
    setAttributes(this.search, { type: "search", placeholder: "Search", "aria-label": "Search the graph" });
    this.search.addEventListener("input", () => {
      actions.search(this.search.value);
    });
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        actions.next(event.shiftKey ? -1 : 1);
      }
    });
    for (const control of [this.level, this.direction, this.depth]) {
      control.addEventListener("change", () => {
        actions.show({
          ...this.request,
          level: this.level.value === "module" ? "module" : "type",
          direction: DIRECTIONS.find(([value]) => value === this.direction.value)?.[0] ?? "both",
          depth: Number(this.depth.value),
        });
      });
    }
    const begin = (label: string, kind: "all" | "changes") =>
      button(label, () => {
        actions.show(requestFor({ kind }, this.request));
      });
    this.bar = element(
      "header",
      "bar",
      element("div", "group", begin("Workspace", "all"), begin("Changes", "changes")),
      element("div", "group", this.level, this.direction, this.depth),
      element("div", "group grow", this.search, this.count),
      element(
        "div",
        "group",
        button(
          "−",
          () => {
            actions.zoom(1 / ZOOM);
          },
          "Zoom out",
        ),
        button(
          "+",
          () => {
            actions.zoom(ZOOM);
          },
          "Zoom in",
        ),
        button(
          "Fit",
          () => {
            actions.fit();
          },
          "Show all",
        ),
        button(
          "Save SVG",
          () => {
            actions.save();
          },
          "Save as SVG",
        ),
      ),
    );
    setAttributes(this.bar, { role: "toolbar", "aria-label": "Graph" });
    setAttributes(this.count, { "aria-live": "polite" });
  }

  /** Shows what the graph was asked with. */
  show({ request }: GraphView): void {
    this.request = request;
    this.level.value = request.level;
    this.direction.value = request.direction;
    this.depth.value = String(request.depth);
    // All of a workspace is there already: no step leads out of it.
    this.depth.disabled = request.start.kind === "all";
    this.direction.disabled = this.depth.disabled || request.depth === 0;
  }

  /** Says how many nodes were found. */
  found(place: number, count: number): void {
    const isEmpty = this.search.value.trim() === "";
    this.count.textContent = isEmpty ? "" : count === 0 ? "none" : `${place + 1} of ${count}`;
  }
}

function select(label: string, options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement {
  const made = element("select", "");
  made.append(
    ...options.map(([value, text]) => {
      const option = element("option", "", text);
      option.value = value;
      return option;
    }),
  );
  setAttributes(made, { "aria-label": label, title: label });
  return made;
}

function button(label: string, does: () => void, title?: string): HTMLButtonElement {
  const made = element("button", "", label);
  setAttributes(made, { title, "aria-label": title });
  made.addEventListener("click", does);
  return made;
}
