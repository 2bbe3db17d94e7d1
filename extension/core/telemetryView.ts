/** What the telemetry page shows: figures, charts and rows, made of an answer of `codecortex_status` (SPEC T1). */
import type { StatusData } from "../generated/answers";
import { grouped } from "./status";

/** A figure with its name. */
export interface Figure {
  name: string;
  value: string;
  /** More about it, for who points at it. */
  title?: string;
}

/** A bar of a chart: its part of the largest, from 0 to 1. */
export interface Bar {
  label: string;
  share: number;
  title: string;
}

/** A chart of the days. */
export interface Chart {
  name: string;
  /** The largest value, as text. */
  most: string;
  bars: Bar[];
}

/** A tool's row. */
export interface ToolRow {
  tool: string;
  calls: string;
  failures: string;
  tokens: string;
  half: string;
  most: string;
  /** Its part of the most tokens, from 0 to 1. */
  share: number;
}

/** An answer's row. */
export interface ReceiptRow {
  time: string;
  tool: string;
  symbol: string;
  tokens: string;
  replaced: string;
}

/** The page. */
export interface TelemetryView {
  /** Where the figures come from, as a sentence. */
  source: string;
  alarms: string[];
  figures: Figure[];
  charts: Chart[];
  tools: ToolRow[];
  /** The newest task as a sentence; empty where there is none. */
  task: string;
  receipts: ReceiptRow[];
}

/** From the extension to the page. */
export interface ToTelemetryPage {
  kind: "view";
  view: TelemetryView;
}

/** From the page to the extension. */
export interface FromTelemetryPage {
  kind: "ready" | "refresh";
}

type Telemetry = NonNullable<StatusData["telemetry"]>;
type Day = Telemetry["days"][number];

/** The days that a chart has room for. */
const CHART_DAYS = 30;
const DAY_MS = 86_400_000;

/** The page for an answer; undefined where it has no figures. */
export function telemetryView({ telemetry }: StatusData): TelemetryView | undefined {
  if (!telemetry) {
    return undefined;
  }
  return {
    source: sourceOf(telemetry),
    alarms: telemetry.alarms ?? [],
    figures: figuresOf(telemetry),
    charts: chartsOf(telemetry.days),
    tools: toolsOf(telemetry),
    task: taskOf(telemetry),
    receipts: receiptsOf(telemetry),
  };
}

function sourceOf({ isKept, error, damagedLines }: Telemetry): string {
  if (error !== undefined) {
    return `The log cannot be read: ${error}`;
  }
  if (!isKept) {
    return "No log is kept (codecortex.telemetry.enabled); these are the last minutes of this window.";
  }
  const damaged = damagedLines ? ` ${grouped(damagedLines)} lines of it cannot be read.` : "";
  return `The last 30 days of this workspace, from a log on this machine. Nothing is sent.${damaged}`;
}

function figuresOf(of: Telemetry): Figure[] {
  const percent = (ratio: number | undefined) => (ratio === undefined ? "–" : `${Math.round(100 * ratio)} %`);
  const figures: Figure[] = [
    { name: "Answers", value: grouped(sum(of.tools.map(({ calls }) => calls))) },
    { name: "Tokens", value: grouped(sum(of.tools.map(({ tokens }) => tokens))) },
    {
      name: "Resolve, p50 / p95",
      value: `${duration(of.p50ResolveMs)} / ${duration(of.p95ResolveMs)}`,
      title: "From the call to the answer of the tools that resolve a symbol",
    },
    {
      name: "Budget used",
      value: percent(of.budgetUsageRatio),
      title: "Tokens of answers, of the tokens that they might have",
    },
    { name: "Files from cache", value: percent(of.fileCacheHitRatio), title: "At the start of a window or a process" },
    {
      name: "Edits made / refused / undone",
      value: [of.editsApplied, of.editsFailed, of.editsUndone].map(grouped).join(" / "),
    },
    { name: "Index memory", value: `${grouped(Math.round(of.memoryMB))} MB` },
    { name: "Up", value: uptime(of.uptimeSec) },
  ];
  if (of.typesIndexed > 0) {
    figures.push(
      {
        name: "Texts waiting / failed",
        value: `${grouped(of.semanticQueueLength)} / ${grouped(of.recentSemanticFailures)}`,
      },
      {
        name: "Model tokens saved",
        value: grouped(of.semanticTokensSaved),
        title: "By changes that do not change the meaning",
      },
    );
  }
  return figures;
}

/** Calls, tokens and times of the last days; days without calls are empty. */
function chartsOf(days: readonly Day[]): Chart[] {
  const last = days.at(-1);
  if (!last) {
    return [];
  }
  const end = Date.parse(last.day);
  const known = new Map(days.map((day) => [day.day, day]));
  const shown = Array.from({ length: CHART_DAYS }, (_, place) => {
    const day = new Date(end - (CHART_DAYS - 1 - place) * DAY_MS).toISOString().slice(0, 10);
    return { day, of: known.get(day) };
  });
  const chart = (name: string, value: (of: Day) => number, text: (value: number) => string): Chart => {
    const values = shown.map(({ day, of }) => ({ day, value: of ? value(of) : 0 }));
    const most = Math.max(...values.map((of) => of.value));
    return {
      name,
      most: text(most),
      bars: values.map((of) => ({
        label: of.day,
        share: most > 0 ? of.value / most : 0,
        title: `${of.day}: ${text(of.value)}`,
      })),
    };
  };
  return [
    chart("Answers a day", ({ calls }) => calls, grouped),
    chart("Tokens a day", ({ tokens }) => tokens, grouped),
    chart("95 % of answers in", ({ p95Ms }) => p95Ms ?? 0, duration),
  ];
}

function toolsOf({ tools }: Telemetry): ToolRow[] {
  const most = Math.max(1, ...tools.map(({ tokens }) => tokens));
  return tools.map((of) => ({
    tool: of.tool.replace(/^codecortex_/, ""),
    calls: grouped(of.calls),
    failures: grouped(of.failures),
    tokens: grouped(of.tokens),
    half: duration(of.p50Ms),
    most: duration(of.p95Ms),
    share: of.tokens / most,
  }));
}

function taskOf({ task }: Telemetry): string {
  if (!task) {
    return "";
  }
  const [answers, tokens, files] = [task.calls, task.tokens, task.fileTokens].map(grouped);
  return `${answers} ${task.calls === 1 ? "answer" : "answers"} of ${tokens} tokens. The files that they name have ${files} tokens.`;
}

function receiptsOf({ task }: Telemetry): ReceiptRow[] {
  // The newest first: that is what somebody has just asked.
  return [...(task?.receipts ?? [])].reverse().map((of) => ({
    time: of.at.slice(11, 19),
    tool: of.tool.replace(/^codecortex_/, ""),
    symbol: of.symbol ?? "",
    tokens: grouped(of.tokens),
    replaced:
      of.files === 0 ? "" : `${grouped(of.files)} ${of.files === 1 ? "file" : "files"}, ${grouped(of.fileTokens)}`,
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

function duration(ms: number | undefined): string {
  if (ms === undefined) {
    return "–";
  }
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${ms >= 10 ? Math.round(ms) : ms} ms`;
}

function uptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min`;
  }
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
