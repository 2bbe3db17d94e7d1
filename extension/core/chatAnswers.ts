/** Answers of the chat participant that need no model: the prompt window and the changes, as Markdown. */
import type { ChangesData, ContextData, RecallData } from "../generated/answers";
import { changeGroups } from "./changes";
import { escaped } from "./markdown";
import { meaningOf } from "./observations";
import { simpleName } from "./symbolNames";

/** Pieces that are listed; a chat is no place for hundreds of lines. */
const MOST_ROWS = 40;

/** The prompt window: what it has, why, what it costs, and what had no room. */
export function windowAnswer(data: ContextData): string {
  const { pieces = [], cut = [], cutTotal = 0, notices = [], usedTokens = 0, budgetTokens = 0 } = data;
  const lines = [`The prompt window has **${number(usedTokens)}** of ${number(budgetTokens)} tokens.`];
  if (pieces.length === 0) {
    lines.push("It is empty: ask about a type, or pin code (`Pin to CodeCortex` in the editor's menu).");
  } else {
    // A chat is narrow: a table would break every word.
    const shown = pieces.slice(0, MOST_ROWS).map(({ tier, symbol, reason, form, tokens }) => {
      const name = escaped(simpleName(symbol));
      return `- **${name}** · ${number(tokens)} tokens · ${escaped(form)}  \n  ${escaped(tier)}: ${escaped(reason)}`;
    });
    lines.push(shown.join("\n"));
    if (pieces.length > MOST_ROWS) {
      lines.push(`… and ${number(pieces.length - MOST_ROWS)} more.`);
    }
  }
  if (cutTotal > 0) {
    const names = cut.slice(0, 10);
    const told = names.map(({ symbol, tokens }) => `${escaped(symbol)} (${number(tokens)})`).join(", ");
    lines.push(`Without room: ${number(cutTotal)}${told === "" ? "" : `, first ${told}`}.`);
  }
  lines.push(...notices.map((notice) => `> ${escaped(notice)}`));
  return lines.join("\n\n");
}

/** What changed, by the kind of change. */
export function changesAnswer(data: ChangesData): string {
  const groups = changeGroups([data]);
  if (groups.length === 0) {
    return "No type has changed since the index was complete.";
  }
  const parts = groups.map(({ label, count, entries }) => {
    const shown = entries.slice(0, MOST_ROWS).map(({ symbol, filePath }) => {
      return `- ${escaped(symbol)}${filePath === undefined ? "" : ` — ${escaped(filePath)}`}`;
    });
    const more = count - shown.length;
    return [`**${label}** (${number(count)})`, ...shown, ...(more > 0 ? [`- … and ${number(more)} more`] : [])].join(
      "\n",
    );
  });
  return parts.join("\n\n");
}

/** What was noted, and whether it still holds. */
export function recallAnswer({ items, total, wordHits = [] }: RecallData, query: string): string {
  if (items.length === 0) {
    const hits = wordHits.map(({ word, count }) => `${escaped(word)} (${number(count)})`).join(", ");
    const near = hits === "" ? "" : ` Its words alone: ${hits}.`;
    return query === "" ? "There are no observations yet." : `No observation has all of “${escaped(query)}”.${near}`;
  }
  const rows = items.map(({ id, ts, summary, verdict, task_id: task, type }) => {
    const told = [`#${String(id)}`, `${ts.slice(0, 16)} UTC`, type, task, meaningOf(verdict)];
    const second = told.filter((part) => part !== undefined).map((part) => escaped(part));
    return `- **${escaped(summary)}**  \n  ${second.join(" · ")}`;
  });
  const more = total - items.length;
  return [...rows, ...(more > 0 ? [`- … and ${number(more)} more`] : [])].join("\n");
}

/** A number for people; `?` where it was not looked at. */
function number(value: number | undefined): string {
  return value?.toLocaleString("en-US") ?? "?";
}
