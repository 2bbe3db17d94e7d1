/** Definition, references, implementations, outline, workspace symbols and hovers from the index. */
import {
  DocumentSymbol,
  Hover,
  Location,
  MarkdownString,
  SymbolInformation,
  type CancellationToken,
  type DefinitionProvider,
  type DocumentSymbolProvider,
  type HoverProvider,
  type ImplementationProvider,
  type ReferenceProvider,
  type WorkspaceSymbolProvider,
} from "vscode";

import { definitions, described, nested, outline, related, searched, type Outlined } from "../../core/answers";
import { containerOf } from "../../core/symbolNames";
import type { Host } from "../../core/host";
import { addressOf, ask, at, isOwn, locationOf, PAGE } from "./engine";
import { rangeOf } from "../spans";
import { symbolKind } from "./kinds";

/** More references than a person looks at. */
const MOST_REFERENCES = 20_000;

/** Go to Definition. */
export function definitionProvider(host: Host): DefinitionProvider {
  return {
    provideDefinition: async (document, position, token) => {
      if (isOwn(host, "definition", document, position)) {
        return undefined;
      }
      const args = { ...at(host, document, position), includeDocumentation: false };
      const data = await ask(host, "codecortex_resolveSymbolAtPosition", args, token);
      return (data ? definitions(data) : []).map(({ filePath, range, whole }) => ({
        targetUri: addressOf(host, filePath),
        targetRange: rangeOf(whole),
        targetSelectionRange: rangeOf(range),
      }));
    },
  };
}

/** Find All References. */
export function referenceProvider(host: Host): ReferenceProvider {
  return {
    provideReferences: async (document, position, { includeDeclaration }, token) => {
      if (isOwn(host, "references", document, position)) {
        return undefined;
      }
      const place = at(host, document, position);
      const found = await allReferences(host, place, token);
      if (includeDeclaration) {
        const args = { ...place, includeDocumentation: false };
        const data = await ask(host, "codecortex_resolveSymbolAtPosition", args, token);
        found.unshift(...(data ? definitions(data) : []).map((declared) => locationOf(host, declared)));
      }
      return found;
    },
  };
}

/** Every page, each a piece of work of its own: the thread belongs to all extensions. */
async function allReferences(
  host: Host,
  place: Record<string, unknown>,
  token: CancellationToken,
): Promise<Location[]> {
  const found: Location[] = [];
  let cursor: string | undefined;
  do {
    const args = { ...place, includePreview: false, limit: PAGE, cursor: cursor ?? null };
    const data = await ask(host, "codecortex_findReferences", args, token);
    if (!data) {
      break;
    }
    host.meter.measure("providers: references", () => {
      found.push(...data.references.map((reference) => locationOf(host, reference)));
    });
    cursor = data.nextCursor;
  } while (cursor !== undefined && found.length < MOST_REFERENCES);
  return found;
}

/** Go to Implementations. */
export function implementationProvider(host: Host): ImplementationProvider {
  return {
    provideImplementation: async (document, position, token) => {
      if (isOwn(host, "implementation", document, position)) {
        return undefined;
      }
      const args = { ...at(host, document, position), relation: "implementations", limit: PAGE };
      const data = await ask(host, "codecortex_findReferences", args, token);
      return (data ? related(data) : []).map(({ filePath, range, nameRange }) => ({
        targetUri: addressOf(host, filePath),
        targetRange: rangeOf(range),
        targetSelectionRange: rangeOf(nameRange),
      }));
    },
  };
}

/** Outline, breadcrumbs and Go to Symbol in Editor. */
export function documentSymbolProvider(host: Host): DocumentSymbolProvider {
  return {
    provideDocumentSymbols: async (document, token) => {
      const declarations: Outlined[] = [];
      let cursor: string | undefined;
      do {
        const args = { filePath: host.path(document.uri), cursor: cursor ?? null };
        const data = await ask(host, "codecortex_getOutline", args, token);
        if (!data) {
          break;
        }
        declarations.push(...outline(data));
        cursor = data.nextCursor;
      } while (cursor !== undefined);
      return host.meter.measure("providers: outline", () => nested(declarations, documentSymbol));
    },
  };
}

function documentSymbol(
  { name, kind, detail, range, nameRange }: Outlined,
  children: DocumentSymbol[],
): DocumentSymbol {
  const whole = rangeOf(range);
  const own = rangeOf(nameRange);
  // The editor refuses a name outside of what it names.
  const selection = whole.contains(own) ? own : whole;
  const symbol = new DocumentSymbol(name === "" ? kind : name, detail, symbolKind(kind), whole, selection);
  symbol.children = children;
  return symbol;
}

/** Go to Symbol in Workspace, in the languages that `isOffered` says of a file's path. */
export function workspaceSymbolProvider(host: Host, isOffered: (filePath: string) => boolean): WorkspaceSymbolProvider {
  return {
    provideWorkspaceSymbols: async (query, token) => {
      if (query.trim() === "") {
        return [];
      }
      const data = await ask(host, "codecortex_searchApi", { labelQuery: query, limit: PAGE }, token);
      const found = (data ? searched(data) : []).filter(({ filePath }) => isOffered(filePath));
      return found.map(({ name, kind, path, filePath, nameRange }) => {
        return new SymbolInformation(
          name,
          symbolKind(kind),
          containerOf(path, name),
          new Location(addressOf(host, filePath), rangeOf(nameRange)),
        );
      });
    },
  };
}

/** Signature and documentation. */
export function hoverProvider(host: Host): HoverProvider {
  return {
    provideHover: async (document, position, token) => {
      if (isOwn(host, "hover", document, position)) {
        return undefined;
      }
      const data = await ask(host, "codecortex_resolveSymbolAtPosition", at(host, document, position), token);
      const found = data && described(data);
      if (!found) {
        return undefined;
      }
      const text = new MarkdownString().appendCodeblock(found.signature, document.languageId);
      // What somebody wrote into a comment is text, not markup with commands in it.
      return new Hover(found.doc === "" ? text : [text, new MarkdownString(found.doc)]);
    },
  };
}
