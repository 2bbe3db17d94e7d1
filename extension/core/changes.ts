/** What the view "Changes" shows, made of the data of the tool `codecortex_changes`. */
import type { ChangeData, ChangesData, StaleData } from "../generated/answers";
import { escaped } from "./markdown";
import { baseName } from "./paths";
import { KIND_ICONS, simpleName } from "./symbolNames";

/** A line below a group. */
export interface ChangeEntry {
  /** The same as long as it is about the same thing. */
  id: string;
  label: string;
  description: string;
  /** Markdown. */
  tooltip: string;
  icon: string;
  /** Full path of the symbol. */
  symbol: string;
  /** Id by which its declaration is found; absent where there is none any more. */
  typeId?: string;
  /** `rootName/relative/path`, where it is known. */
  filePath?: string;
  /** A module is a file: it has no declaration to go to but its beginning. */
  isModule: boolean;
}

/** All changes of a class, or all types whose description is out of date. */
export interface ChangeGroup {
  id: string;
  label: string;
  /** How many there are, also those that are not among the entries. */
  count: number;
  icon: string;
  /** Whether it asks for attention. */
  isWarning: boolean;
  entries: ChangeEntry[];
}

/** The groups in their order, the gravest first: the tool's word, what people read, and its codicon. */
const CLASSES: readonly [word: string, label: string, icon: string][] = [
  ["Structure", "Structure", "symbol-structure"],
  ["PublicBehavior", "Public behaviour", "symbol-event"],
  ["Structure-Dependency", "Structure of a dependency", "type-hierarchy"],
  ["added", "Added", "diff-added"],
  ["removed", "Removed", "diff-removed"],
  ["Internal", "Internal", "lock"],
  ["Docs", "Docs", "book"],
  ["Cosmetic", "Cosmetic", "whitespace"],
];

const OTHER_KIND = "symbol-misc";

/** Pages of `codecortex_changes` as groups, empty ones left out. */
export function changeGroups(pages: readonly ChangesData[]): ChangeGroup[] {
  const [first] = pages;
  const changes = pages.flatMap((page) => page.changes.map(change));
  const groups = CLASSES.map(([word, label, icon]): ChangeGroup => {
    const entries = changes.filter((entry) => entry.word === word).map(({ entry }) => entry);
    const count = Math.max(entries.length, first?.totalByClass[word] ?? 0);
    return { id: word, label, count, icon, isWarning: false, entries };
  });
  const stale = (first?.stale ?? []).map(staleEntry);
  groups.unshift({
    id: "stale",
    label: "Stale",
    count: Math.max(stale.length, first?.staleTotal ?? 0),
    icon: "history",
    isWarning: true,
    entries: stale,
  });
  return groups.filter(({ count }) => count > 0);
}

function change(from: ChangeData): { word: string; entry: ChangeEntry } {
  const { path: symbol, kind, typeId, changeClass: word, classes = [], filePath, revision } = from;
  const isModule = kind === "module";
  const tooltip = [
    `**${escaped(symbol)}** · ${escaped(kind)}`,
    (classes.length > 0 ? classes : [word]).map(labelOf).join(" · "),
    escaped(filePath),
    `Revision ${revision}`,
  ];
  const entry: ChangeEntry = {
    id: `${word}/${typeId}/${filePath}`,
    label: isModule ? baseName(filePath) : simpleName(symbol),
    description: filePath,
    tooltip: tooltip.join("  \n"),
    icon: KIND_ICONS.get(kind) ?? OTHER_KIND,
    symbol,
    filePath,
    isModule,
  };
  return { word, entry: word === "removed" ? entry : { ...entry, typeId } };
}

function staleEntry({ symbol, typeId, semanticState, classes = [] }: StaleData): ChangeEntry {
  const why = classes.map(labelOf);
  const lines = [`**${escaped(symbol)}**`, `Description ${escaped(semanticState)}`, why.join(" · ")];
  return {
    id: `stale/${typeId}`,
    label: simpleName(symbol),
    description: symbol,
    tooltip: lines.filter((line) => line !== "").join("  \n"),
    icon: "warning",
    symbol,
    typeId,
    isModule: false,
  };
}

function labelOf(word: string): string {
  return CLASSES.find(([known]) => known === word)?.[1] ?? escaped(word);
}
