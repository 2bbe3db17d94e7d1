/** Asks VS Code's language providers on behalf of the engine. */
import { commands, Position, Uri, workspace, type Location, type LocationLink, type TypeHierarchyItem } from "vscode";

import type { Addresses } from "../../core/addresses";
import { consult, questionKey, type Editor, type OwnQuestions, type Place } from "../../core/consult";
import { endingOf, toPath, toUri } from "../../core/paths";
import type { HoldMeter } from "../../core/schedule";
import { spanOf } from "../spans";
import type { Position as At, ProviderQuestion, ProviderReply } from "../../generated/protocol";

/** More places than anybody reads; making sense of them takes the engine time. */
const MOST_PLACES = 2_000;
/** Direct bases and derived types are asked of so many types that are at one place. */
const MOST_ITEMS = 4;

/** The kinds of provider that are asked, by the command that asks them. */
export const ASKED = {
  references: "vscode.executeReferenceProvider",
  definition: "vscode.executeDefinitionProvider",
  implementation: "vscode.executeImplementationProvider",
  typeHierarchy: "vscode.prepareTypeHierarchy",
} as const;

/** What asking needs. */
export interface AskParts {
  windows: boolean;
  meter: HoldMeter;
  own: OwnQuestions;
  /** Where places are remembered of which a path says less than the whole. */
  addresses: Addresses<Uri>;
  /** How long providers have. */
  timeoutMs(): number;
}

/** Answers questions of the engine to language providers. Never rejects. */
export function askProviders(parts: AskParts): (question: ProviderQuestion) => Promise<ProviderReply> {
  const editor = editorOf(parts);
  return (question) => consult(question, editor, { timeoutMs: parts.timeoutMs(), mostPlaces: MOST_PLACES });
}

function editorOf({ windows, meter, own, addresses }: AskParts): Editor {
  const pathOf = (uri: Uri): string => {
    const path = toPath(uri, windows);
    if (uri.scheme !== "file") {
      addresses.note(path, uri);
    }
    return path;
  };
  const ask = <T>(kind: keyof typeof ASKED, path: string, at: At): Promise<T[]> => {
    const uri = Uri.from(toUri(path, windows));
    const position = new Position(at.line, at.character);
    if (!isAwake(path)) {
      return Promise.resolve([]);
    }
    return own.during(questionKey(kind, uri.toString(), at), async () => {
      const found = await commands.executeCommand<T[] | undefined>(ASKED[kind], uri, position);
      return found ?? [];
    });
  };
  const places = (found: readonly (Location | LocationLink)[]): Place[] =>
    meter.measure("providers: places", () =>
      found.map((place) =>
        "targetUri" in place
          ? { path: pathOf(place.targetUri), range: spanOf(place.targetSelectionRange ?? place.targetRange) }
          : { path: pathOf(place.uri), range: spanOf(place.range) },
      ),
    );
  const items = (found: readonly TypeHierarchyItem[]): Place[] =>
    found.map(({ uri, selectionRange }) => ({ path: toPath(uri, windows), range: spanOf(selectionRange) }));
  const related = async (command: string, of: readonly TypeHierarchyItem[]): Promise<Place[]> => {
    const lists = of
      .slice(0, MOST_ITEMS)
      .map((item) => commands.executeCommand<TypeHierarchyItem[] | undefined>(command, item));
    return (await Promise.all(lists)).flatMap((list) => items(list ?? []));
  };
  return {
    references: async (path, at) => places(await ask<Location>("references", path, at)),
    definitions: async (path, at) => places(await ask<Location | LocationLink>("definition", path, at)),
    implementations: async (path, at) => places(await ask<Location | LocationLink>("implementation", path, at)),
    hierarchy: async (path, at) => {
      const [roots, implementations] = await Promise.all([
        ask<TypeHierarchyItem>("typeHierarchy", path, at),
        ask<Location | LocationLink>("implementation", path, at),
      ]);
      const [above, below] = await Promise.all([
        related("vscode.provideSupertypes", roots),
        related("vscode.provideSubtypes", roots),
      ]);
      return { above, below: [...below, ...places(implementations)] };
    },
    documents: () =>
      new Map(workspace.textDocuments.map(({ uri, version, isDirty }) => [toPath(uri, windows), { version, isDirty }])),
  };
}

/**
 * Whether a file of this kind is open. Asking about any other would open one, which starts the extensions
 * that wait for its language.
 */
function isAwake(path: string): boolean {
  const ending = endingOf(path);
  return workspace.textDocuments.some(({ uri }) => endingOf(uri.path) === ending);
}
