/** Type hierarchy and call hierarchy from the index. */
import {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  TypeHierarchyItem,
  type CallHierarchyProvider,
  type CancellationToken,
  type Range,
  type TextDocument,
  type TypeHierarchyProvider,
} from "vscode";

import { related, relatives, symbolAt, type Declared, type Related } from "../../core/answers";
import type { Position } from "../../generated/protocol";
import type { Host } from "../../core/host";
import { addressOf, ask, at, isOwn, PAGE } from "./engine";
import { rangeOf } from "../spans";
import { symbolKind } from "./kinds";

const TYPES: ReadonlySet<string> = new Set(["class", "record", "struct", "union", "interface", "trait", "enum"]);

/** Types of which a hierarchy shows the direct relatives. */
export function typeHierarchyProvider(host: Host): TypeHierarchyProvider {
  const item = (found: Declared): TypeHierarchyItem => {
    const uri = addressOf(host, found.filePath);
    const own = rangeOf(found.nameRange);
    return new TypeHierarchyItem(symbolKind(found.kind), found.name, found.path, uri, rangeOf(found.range), own);
  };
  const direct = async (of: TypeHierarchyItem, up: boolean, token: CancellationToken) => {
    // An item comes back as it was made: it is named by its place.
    const symbol = await symbolOf(host, of, token);
    const data = symbol && (await ask(host, "codecortex_getClassHierarchy", hierarchyArgs(symbol.id, up), token));
    return data ? relatives(data, up ? "basesByClass" : "derivedByParent").map(item) : [];
  };
  return {
    prepareTypeHierarchy: async (document, position, token) => {
      const found = await prepared(host, "typeHierarchy", document, position, token);
      return found && TYPES.has(found.kind) ? item(found) : undefined;
    },
    provideTypeHierarchySupertypes: (of, token) => direct(of, true, token),
    provideTypeHierarchySubtypes: (of, token) => direct(of, false, token),
  };
}

function hierarchyArgs(name: string, up: boolean): Record<string, unknown> {
  return {
    name,
    maxSuperDepth: up ? 1 : 0,
    maxSubDepth: up ? 0 : 1,
    maxSubBreadth: PAGE,
    includePreview: false,
  };
}

/** Callers and callees. */
export function callHierarchyProvider(host: Host): CallHierarchyProvider {
  const item = (found: Declared): CallHierarchyItem => {
    const uri = addressOf(host, found.filePath);
    const own = rangeOf(found.nameRange);
    return new CallHierarchyItem(symbolKind(found.kind), found.name, found.path, uri, rangeOf(found.range), own);
  };
  const calls = async (of: CallHierarchyItem, relation: string, token: CancellationToken): Promise<Related[]> => {
    const { line, character } = of.selectionRange.start;
    const place = { filePath: host.path(of.uri), position: { line: line + 1, character: character + 1 } };
    const data = await ask(host, "codecortex_findReferences", { ...place, relation, limit: PAGE }, token);
    return data ? related(data) : [];
  };
  /** The places of calls in one file, which is where the editor shows them. */
  const sites = (found: Related, uri: CallHierarchyItem["uri"]): Range[] =>
    found.sites
      .filter(({ filePath }) => addressOf(host, filePath).toString() === uri.toString())
      .map(({ range }) => rangeOf(range));
  return {
    prepareCallHierarchy: async (document, position, token) => {
      const found = await prepared(host, "callHierarchy", document, position, token);
      return found && item(found);
    },
    provideCallHierarchyIncomingCalls: async (of, token) =>
      (await calls(of, "callers", token)).map((found) => {
        const from = item(found);
        return new CallHierarchyIncomingCall(from, sites(found, from.uri));
      }),
    provideCallHierarchyOutgoingCalls: async (of, token) =>
      (await calls(of, "callees", token)).map(
        (found) => new CallHierarchyOutgoingCall(item(found), sites(found, of.uri)),
      ),
  };
}

async function prepared(
  host: Host,
  kind: string,
  document: TextDocument,
  position: Position,
  token: CancellationToken,
): Promise<Declared | undefined> {
  if (isOwn(host, kind, document, position)) {
    return undefined;
  }
  const args = { ...at(host, document, position), includeDocumentation: false };
  const data = await ask(host, "codecortex_resolveSymbolAtPosition", args, token);
  return data && symbolAt(data);
}

async function symbolOf(host: Host, { uri, selectionRange }: TypeHierarchyItem, token: CancellationToken) {
  const { line, character } = selectionRange.start;
  const args = { filePath: host.path(uri), position: { line: line + 1, character: character + 1 } };
  const data = await ask(host, "codecortex_resolveSymbolAtPosition", args, token);
  return data && symbolAt(data);
}
