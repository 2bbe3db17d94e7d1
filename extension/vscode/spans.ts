/** Ranges of the editor and of the engine. */
import { Range } from "vscode";

import type { DocumentSpan } from "../generated/protocol";

/** A range in the editor's terms. */
export function rangeOf({ start, end }: DocumentSpan): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

/** A range in the engine's terms. */
export function spanOf({ start, end }: Range): DocumentSpan {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
