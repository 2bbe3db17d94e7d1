/** What a model wrote, as Markdown that shows it as text: its links, pictures and HTML are letters (SPEC SE2). */
import type { Evidence, GetSemanticData, OpData, Operation } from "../generated/answers";
import { escaped, plain } from "./markdown";

/** What is asked about a type, or an investigation, is read in a chat or a page. */
const NAMES: Readonly<Record<string, string>> = {
  ROLE: "Role",
  LIFECYCLE: "Life cycle",
  EDGE_CASES: "Edge cases",
  LIMITATIONS: "Limitations",
  RECOMMENDATIONS: "Recommendations",
};

/** The ROLE of a type for a hover; nothing where there is none. */
export function roleOf({ sections = [], semanticState }: GetSemanticData): string | undefined {
  const role = sections.find(({ name }) => name === "ROLE")?.text.trim() ?? "";
  if (role === "") {
    return undefined;
  }
  const isOld = semanticState !== "cached";
  return `**Role**${isOld ? " _(of the code as it was)_" : ""}  \n${plain(role)}`;
}

/** The text about a type, for a chat. */
export function semanticAnswer(data: GetSemanticData): string {
  const { resolved, sections = [], semanticState, lastError, promptTokens } = data;
  const head = `**${escaped(resolved.path)}** · ${STATES[semanticState] ?? escaped(semanticState)}`;
  const told = sections.map(({ name, text }) => `**${NAMES[name] ?? escaped(name)}**  \n${plain(text.trim())}`);
  // `why` tells an agent what to do; a person has the state above and a button below.
  const notes = lastError === undefined ? [] : [`> ${plain(lastError)}`];
  const cost = promptTokens === undefined ? [] : [`A model would be sent ${number(promptTokens)} tokens.`];
  return [head, ...told, ...notes, ...(semanticState === "cached" ? [] : cost)].join("\n\n");
}

const STATES: Readonly<Record<string, string>> = {
  none: "not described",
  pending: "waits for a model",
  generating: "is being written",
  cached: "true of the code as it is",
  stale: "of the code as it was",
};

/** How far an investigation is, in a few words. */
export function progressOf({ steps, tokens }: Operation): string {
  const last = steps.at(-1);
  const cost = tokens > 0 ? `, ${number(tokens)} tokens` : "";
  return last === undefined
    ? `thinking${cost}`
    : `step ${steps.length}: ${last.tool.replace("codecortex_", "")}${cost}`;
}

const STAND: Readonly<Record<Operation["state"], string>> = {
  waiting: "Waits for an answer",
  running: "A model is at it",
  done: "Concluded",
  failed: "Failed",
  cancelled: "Given up",
};

/** An investigation as a page. */
export function investigationPage({ operation, isOutdated }: OpData): string {
  const { question, scopePaths, state, steps, tokens, result, error } = operation;
  const scope = scopePaths.length === 0 ? "" : ` · in ${scopePaths.map((path) => plain(path)).join(", ")}`;
  const parts = [
    `# ${plain(question)}`,
    `${STAND[state]} · ${counted(steps.length, "step")} · ${counted(tokens, "token")}${scope}`,
  ];
  if (isOutdated) {
    parts.push("> The code that this rests on has changed since.");
  }
  if (error !== null) {
    parts.push(`> ${plain(error)}`);
  }
  if (result) {
    parts.push(
      result.conclusion
        .split(/\n{2,}/)
        .map(plain)
        .join("\n\n"),
    );
    parts.push("## Evidence", result.evidence.length === 0 ? "None." : result.evidence.map(evidence).join("\n"));
    if (result.open.length > 0) {
      parts.push("## Open", result.open.map((point) => `- ${plain(point)}`).join("\n"));
    }
  }
  return `${parts.join("\n\n")}\n`;
}

function evidence({ path, startLine, endLine, quote, why, verified }: Evidence): string {
  const lines = startLine === endLine ? String(startLine) : `${startLine}–${endLine}`;
  const quoted = quote === "" ? "" : `  \n  “${plain(quote)}”`;
  return `- ${verified ? "✓" : "✗ not verified:"} **${plain(path)}** ${lines}  \n  ${plain(why)}${quoted}`;
}

function counted(count: number, what: string): string {
  return `${number(count)} ${what}${count === 1 ? "" : "s"}`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
