/** Answers of the chat participant that need no model: the prompt window and the changes, as Markdown. */
import { changeGroups } from "./changes";
import { escaped } from "./markdown";
import { simpleName } from "./symbolNames";

/** Pieces that are listed; a chat is no place for hundreds of lines. */
const MOST_ROWS = 40;

/** The prompt window: what it has, why, what it costs, and what had no room. `data` is of `codecortex_getContext`. */
export function windowAnswer(data: Record<string, unknown>): string {
  const pieces = rows(data.pieces);
  const lines = [`The prompt window has **${number(data.usedTokens)}** of ${number(data.budgetTokens)} tokens.`];
  if (pieces.length === 0) {
    lines.push(
      "Nothing is in it yet: ask about a type, or pin what should always be there (`Pin to CodeCortex` in the editor's menu).",
    );
  } else {
    // A chat is narrow: a table would break every word.
    const shown = pieces.slice(0, MOST_ROWS).map(({ tier, symbol, reason, form, tokens }) => {
      const name = typeof symbol === "string" ? cell(simpleName(symbol)) : "";
      return `- **${name}** · ${number(tokens)} tokens · ${cell(form)}  \n  ${cell(tier)}: ${cell(reason)}`;
    });
    lines.push(shown.join("\n"));
    if (pieces.length > MOST_ROWS) {
      lines.push(`… and ${number(pieces.length - MOST_ROWS)} more.`);
    }
  }
  const cut = typeof data.cutTotal === "number" ? data.cutTotal : 0;
  if (cut > 0) {
    const names = rows(data.cut).slice(0, 10);
    const told = names.map(({ symbol, tokens }) => `${cell(symbol)} (${number(tokens)})`).join(", ");
    lines.push(`Without room: ${number(cut)}${told === "" ? "" : `, first ${told}`}.`);
  }
  const notices = Array.isArray(data.notices) ? data.notices : [];
  lines.push(...notices.filter((notice) => typeof notice === "string").map((notice) => `> ${escaped(notice)}`));
  return lines.join("\n\n");
}

/** What changed, by the kind of change. `data` is of `codecortex_changes`. */
export function changesAnswer(data: Record<string, unknown>): string {
  const groups = changeGroups([data]);
  if (groups.length === 0) {
    return "No type has changed since the index was complete.";
  }
  const parts = groups.map(({ label, count, entries }) => {
    const shown = entries.slice(0, MOST_ROWS).map(({ symbol, filePath }) => {
      return `- ${cell(symbol)}${filePath === undefined ? "" : ` — ${cell(filePath)}`}`;
    });
    const more = count - shown.length;
    return [`**${label}** (${number(count)})`, ...shown, ...(more > 0 ? [`- … and ${number(more)} more`] : [])].join(
      "\n",
    );
  });
  return parts.join("\n\n");
}

function rows(value: unknown): Record<string, unknown>[] {
  const all: unknown[] = Array.isArray(value) ? value : [];
  return all.flatMap((row) => (typeof row === "object" && row !== null ? [{ ...row }] : []));
}

/** A word in a table: Markdown shows it as it is. */
function cell(value: unknown): string {
  return typeof value === "string" ? escaped(value) : "";
}

function number(value: unknown): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : "?";
}
