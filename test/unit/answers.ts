/** Answers of tools as a test wants them. */
import { promptWindow, type PromptWindow } from "../../extension/core/promptWindow";
import type { ToolAnswers, ToolName } from "../../extension/generated/answers";

const RANGE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** What an answer holds at least, besides its costs. */
const LEAST = {
  codecortex_getContext: { budgetTokens: 0, usedTokens: 0, bySource: {}, pieces: [], spent: {} },
  codecortex_pin: { changed: [], pinned: 0, inFocus: 0, usedTokens: 0, budgetTokens: 0 },
  codecortex_changes: { since: 0, total: 0, totalByClass: {}, changes: [] },
  codecortex_pack: { packs: [] },
  codecortex_searchApi: { total: 0, searchIndex: 0, items: [] },
  codecortex_resolveSymbol: { total: 0, candidates: [] },
  codecortex_findReferences: { total: 0, references: [] },
  codecortex_getClassHierarchy: { root: "", supers: [], basesByClass: {}, derivedByParent: {}, sourceByClass: {} },
  codecortex_getOutline: { filePath: "", startLine: 1, endLine: 1, language: "", total: 0 },
  codecortex_resolveSymbolAtPosition: {
    symbol: { kind: "", name: "", path: "", definition: { filePath: "", range: RANGE, nameRange: RANGE } },
  },
} as const satisfies Partial<Record<ToolName, object>>;

/** The `data` of a tool's answer with these fields; what a test says nothing of is empty. */
export function dataWith<Name extends ToolName>(tool: Name, fields: object): ToolAnswers[Name] {
  const least: Partial<Record<ToolName, object>> = LEAST;
  return { ...least[tool], ...fields } as unknown as ToolAnswers[Name];
}

/** A prompt window of an answer with these fields. */
export function windowWith(fields: object): PromptWindow {
  return promptWindow(dataWith("codecortex_getContext", fields));
}
