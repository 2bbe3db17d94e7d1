/** The engine as the editor's features ask it. */
import { Location, Uri, type CancellationToken, type TextDocument } from "vscode";

import type { Located } from "../../core/answers";
import { dataOf, type AnswerOf } from "../../core/envelope";
import { absolutePath } from "../../core/roots";
import { questionKey } from "../../core/consult";
import type { ToolAnswers, ToolName } from "../../generated/answers";
import type { Position } from "../../generated/protocol";
import { currentRoots } from "../folders";
import type { Host } from "../../core/host";
import { rangeOf } from "../spans";

/** A person's editor: nothing is booked, and ranges are exact. */
export const EDITOR = { kind: "editor" } as const;
/** Entries on a page, the most there are. */
export const PAGE = 200;

/** `data` of an answer; nothing where the call failed, such as for a name that is not known. */
export async function ask<Name extends ToolName>(
  host: Host,
  tool: Name,
  args: Record<string, unknown>,
  token: CancellationToken,
): Promise<ToolAnswers[Name] | undefined> {
  const call = { tool, args: { ...args, format: "json" }, caller: EDITOR, format: "json" as const };
  const answer: AnswerOf<Name> = await host.call(call, token);
  if (token.isCancellationRequested) {
    return undefined;
  }
  const read = host.meter.measure("providers: answer", () => dataOf(answer));
  return "data" in read ? read.data : undefined;
}

/** The arguments for a place in a document. */
export function at(host: Host, { uri }: TextDocument, { line, character }: Position): Record<string, unknown> {
  return { filePath: host.path(uri), position: { line: line + 1, character: character + 1 } };
}

/** Whether we ask this ourselves: others are to answer it. */
export function isOwn(host: Host, kind: string, { uri }: TextDocument, position?: Position): boolean {
  return host.own.has(questionKey(kind, uri.toString(), position));
}

/** The address of a file as answers name it. */
export function addressOf(host: Host, filePath: string): Uri {
  const path = absolutePath(filePath, currentRoots(host.platform.windows)) ?? filePath;
  return host.uri(path);
}

/** A place in the editor's terms. */
export function locationOf(host: Host, { filePath, range }: Located): Location {
  return new Location(addressOf(host, filePath), rangeOf(range));
}
