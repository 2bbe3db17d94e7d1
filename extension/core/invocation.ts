/** The sentence a person reads in the chat's step list while a tool runs, as Markdown. */

const LONGEST_SUBJECT = 60;

/** What a tool does, as a verb, and the arguments that say to what; the first one given is named. */
const SENTENCES: Readonly<Record<string, { verb: string; plain: string; subjects: readonly string[] }>> = {
  codecortex_getOutline: {
    verb: "Outlining",
    plain: "Outlining code",
    subjects: ["symbol", "filePath"],
  },
  codecortex_searchApi: {
    verb: "Searching symbols for",
    plain: "Searching symbols",
    subjects: ["labelQuery"],
  },
  codecortex_resolveSymbol: {
    verb: "Resolving",
    plain: "Resolving a symbol",
    subjects: ["symbol"],
  },
  codecortex_findReferences: {
    verb: "Finding uses of",
    plain: "Finding references",
    subjects: ["symbol"],
  },
  codecortex_resolveSymbolAtPosition: {
    verb: "Looking up a name in",
    plain: "Looking up a name",
    subjects: ["filePath"],
  },
  codecortex_getTypeMembers: {
    verb: "Listing members of",
    plain: "Listing members",
    subjects: ["name", "symbol"],
  },
  codecortex_getClassHierarchy: {
    verb: "Tracing bases and subtypes of",
    plain: "Tracing a hierarchy",
    subjects: ["name", "symbol"],
  },
  codecortex_getLiveContext: {
    verb: "Reviewing the changes in",
    plain: "Looking at the live context",
    subjects: ["filePath"],
  },
  codecortex_applyEdit: { verb: "Editing:", plain: "Editing files", subjects: ["summary"] },
  codecortex_getContext: {
    verb: "Finding the code for",
    plain: "Reading the prompt window",
    subjects: ["query", "focus"],
  },
  codecortex_status: { verb: "Reading", plain: "Reading the index status", subjects: [] },
};

/** The sentence for a call; `displayName` serves tools that have none of their own. */
export function invocationMessage(tool: string, displayName: string, input: unknown): string {
  const sentence = SENTENCES[tool];
  if (!sentence) {
    return `Running ${displayName}`;
  }
  const subject = firstSubject(input, sentence.subjects);
  return subject === undefined ? sentence.plain : `${sentence.verb} \`${subject}\``;
}

function firstSubject(input: unknown, names: readonly string[]): string | undefined {
  if (typeof input !== "object" || input === null) {
    return undefined;
  }
  const values = new Map(Object.entries(input));
  for (const name of names) {
    const value: unknown = values.get(name);
    if (typeof value === "string" && value.trim() !== "") {
      return shorten(value);
    }
  }
  return undefined;
}

/** One line without backquotes, since it is shown as Markdown; cut between characters. */
function shorten(text: string): string {
  const line = text.replace(/[\s`]+/g, " ").trim();
  const cut = line.slice(0, LONGEST_SUBJECT - 1).replace(/[\uD800-\uDBFF]$/, "");
  return line.length > LONGEST_SUBJECT ? `${cut}…` : line;
}
