/** Offers the index to the editor in languages that nobody else serves. */
import {
  CancellationTokenSource,
  commands,
  extensions,
  languages,
  workspace,
  type Disposable as Registered,
  type TextDocument,
} from "vscode";

import { disposeAll, type Disposable } from "../../core/disposable";
import { Offers, type OfferMode } from "../../core/offer";
import { endingOf } from "../../core/paths";
import { NAMED_ENDINGS, RESOLVED_ENDINGS } from "../../generated/languages";
import type { Host } from "../../core/host";
import {
  definitionProvider,
  documentSymbolProvider,
  hoverProvider,
  implementationProvider,
  referenceProvider,
  workspaceSymbolProvider,
} from "./features";
import { callHierarchyProvider, typeHierarchyProvider } from "./hierarchies";
import { REFACTORING_KINDS, refactoringProvider, renameProvider } from "./refactorings";

const SYMBOLS = "vscode.executeDocumentSymbolProvider";

/** Follows open documents, settings and extensions. */
export function offerProviders(host: Host): Disposable {
  /** Endings of the files that are offered, by language. */
  const endings = new Map<string, Set<string>>();
  let symbols: Registered | undefined;
  const followSymbols = (): void => {
    const offered = offers.offered();
    if (offered.length === 0) {
      symbols?.dispose();
      symbols = undefined;
    }
    // There is one for all languages.
    symbols ??=
      offered.length === 0
        ? undefined
        : languages.registerWorkspaceSymbolProvider(workspaceSymbolProvider(host, inOffer));
  };
  const inOffer = (filePath: string): boolean =>
    offers.offered().some((language) => endings.get(language)?.has(endingOf(filePath)));
  const offers: Offers = new Offers(
    {
      mode,
      isServed: (language) => isServed(host, language, offers.offered().includes(language)),
      register: (language) => {
        host.log.info(`The editor is offered definitions, references and symbols in ${language}.`);
        const isResolved = [...(endings.get(language) ?? [])].some((ending) => RESOLVED_ENDINGS.has(ending));
        const registered = register(host, language, isResolved);
        setTimeout(followSymbols, 0);
        return {
          dispose: () => {
            host.log.info(`The editor is not offered anything in ${language} any more.`);
            disposeAll(registered);
            setTimeout(followSymbols, 0);
          },
        };
      },
    },
    Date.now,
  );
  const seen = (document: TextDocument): void => {
    const ending = endingOf(document.uri.path);
    if (!isIndexed(document)) {
      return;
    }
    const known = endings.get(document.languageId) ?? new Set();
    endings.set(document.languageId, known.add(ending));
    offers.seen(document.languageId);
  };
  workspace.textDocuments.forEach(seen);
  const listening = [
    workspace.onDidOpenTextDocument(seen),
    extensions.onDidChange(() => {
      offers.again();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("codecortex.languageProviders")) {
        offers.again();
      }
    }),
  ];
  return {
    dispose: () => {
      disposeAll([...listening, offers]);
      symbols?.dispose();
    },
  };
}

function mode(languageId: string): OfferMode {
  const value: unknown = workspace.getConfiguration("codecortex", { languageId }).get("languageProviders");
  return value === "on" || value === "off" ? value : "auto";
}

/**
 * Whether somebody else knows the outline of an open document of this language. The editor remembers outlines,
 * so ours cannot be silent meanwhile: it would be remembered that there is none. It joins all providers' lists.
 */
async function isServed(host: Host, language: string, isOffered: boolean): Promise<boolean> {
  const documents = workspace.textDocuments.filter(
    (document) => document.languageId === language && isIndexed(document),
  );
  // The longest one has most to say.
  const longest = documents.sort((a, b) => b.lineCount - a.lineCount)[0];
  if (!longest) {
    return false;
  }
  const found = (await commands.executeCommand<unknown[] | undefined>(SYMBOLS, longest.uri)) ?? [];
  if (!isOffered || found.length === 0) {
    return found.length > 0;
  }
  const source = new CancellationTokenSource();
  const ours = await documentSymbolProvider(host).provideDocumentSymbols(longest, source.token);
  source.dispose();
  return found.length > (ours?.length ?? 0);
}

/** Where names are found by their text alone, nothing is known of types and of what calls what, and nothing is renamed. */
function register(host: Host, language: string, isResolved: boolean): Registered[] {
  const selector = { language };
  const named = [
    languages.registerDefinitionProvider(selector, definitionProvider(host)),
    languages.registerReferenceProvider(selector, referenceProvider(host)),
    languages.registerDocumentSymbolProvider(selector, documentSymbolProvider(host), { label: "CodeCortex" }),
    languages.registerHoverProvider(selector, hoverProvider(host)),
  ];
  if (!isResolved) {
    return named;
  }
  return [
    ...named,
    languages.registerImplementationProvider(selector, implementationProvider(host)),
    languages.registerTypeHierarchyProvider(selector, typeHierarchyProvider(host)),
    languages.registerCallHierarchyProvider(selector, callHierarchyProvider(host)),
    languages.registerRenameProvider(selector, renameProvider(host)),
    languages.registerCodeActionsProvider(selector, refactoringProvider(host), {
      providedCodeActionKinds: REFACTORING_KINDS,
    }),
  ];
}

/** Whether a document is a file of a language that the index knows. */
function isIndexed({ uri }: TextDocument): boolean {
  const ending = endingOf(uri.path);
  return (RESOLVED_ENDINGS.has(ending) || NAMED_ENDINGS.has(ending)) && workspace.getWorkspaceFolder(uri) !== undefined;
}
