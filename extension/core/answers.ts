/** What the editor's features are made from, in the answers of the tools. */
import type {
  DeclarationData,
  HierarchyData,
  LspRange,
  OutlineData,
  PositionData,
  ReferenceData,
  ReferencesData,
  SearchData,
} from "../generated/answers";

/** A place in a file, as answers name files. */
export type Located = Pick<ReferenceData, "filePath" | "range">;

/** A declaration with its name. */
export type Declared = Pick<DeclarationData, "name" | "kind" | "path" | "filePath" | "range" | "nameRange">;

/** A declaration with the places where it calls or is called. */
export interface Related extends Declared {
  sites: Located[];
}

/** A declaration in the outline of a file, each before what is in it. */
export interface Outlined extends Omit<Declared, "path" | "filePath"> {
  depth: number;
  detail: string;
}

/** The declarations of `codecortex_findReferences` with a `relation`. */
export function related({ declarations = [] }: ReferencesData): Related[] {
  return declarations.map(({ sites = [], ...declared }) => ({ ...declared, sites }));
}

/** The declarations of `codecortex_resolveSymbolAtPosition`, by their names. */
export function definitions({ symbol }: PositionData): (Located & { whole: LspRange })[] {
  return [symbol.definition, ...(symbol.definitions ?? [])].map(({ filePath, range, nameRange }) => ({
    filePath,
    range: nameRange,
    whole: range,
  }));
}

/** The symbol of `codecortex_resolveSymbolAtPosition`, with an id to ask on by; nothing for locals. */
export function symbolAt({ symbol, resolved }: PositionData): (Declared & { id: string }) | undefined {
  if (!resolved) {
    return undefined;
  }
  const { name, kind, definition } = symbol;
  const { filePath, range, nameRange } = definition;
  const { path, typeId, memberId = typeId } = resolved;
  return { name, kind, path, filePath, range, nameRange, id: memberId };
}

/**
 * What a hover shows: the signature as the language writes it, and the documentation; nothing where several
 * declarations have no more in common with the place than their name.
 */
export function described({ symbol }: PositionData): { signature: string; doc: string } | undefined {
  const { signature, doc = "", definition, definitions = [] } = symbol;
  const isGuess = definition.tier === "name" && definitions.length > 0;
  return signature === undefined || isGuess ? undefined : { signature, doc };
}

/** The declarations of `codecortex_getOutline`, which tells editors their ranges. */
export function outline({ declarations = [] }: OutlineData): Outlined[] {
  return declarations.flatMap(({ name, kind, range, nameRange, depth = 0, signature: detail = "" }) =>
    range && nameRange ? [{ name, kind, range, nameRange, depth, detail }] : [],
  );
}

/** The results of `codecortex_searchApi`, which tells editors their ranges. */
export function searched({ items }: SearchData): Omit<Declared, "range">[] {
  return items.flatMap(({ name, kind, path, filePath, nameRange }) =>
    nameRange ? [{ name, kind, path, filePath, nameRange }] : [],
  );
}

/** The direct bases (`basesByClass`) or derived types (`derivedByParent`) of the root of a hierarchy. */
export function relatives(data: HierarchyData, which: "basesByClass" | "derivedByParent"): Declared[] {
  const paths = data[which][data.root] ?? [];
  return paths.flatMap((path) => {
    const { filePath, nameRange } = data.sourceByClass[path] ?? {};
    // The last part of its path, in whatever notation.
    const name = /[^.:+/\\#]+$/.exec(path)?.[0] ?? path;
    return filePath !== undefined && nameRange
      ? [{ name, kind: "class", path, filePath, range: nameRange, nameRange }]
      : [];
  });
}

/** Declarations by depth as a tree. */
export function nested<T>(declarations: readonly Outlined[], make: (declaration: Outlined, children: T[]) => T): T[] {
  const roots: T[] = [];
  const open: { depth: number; declaration: Outlined; children: T[] }[] = [];
  const closeTo = (depth: number): void => {
    for (let last = open.at(-1); last && last.depth >= depth; last = open.at(-1)) {
      open.pop();
      (open.at(-1)?.children ?? roots).push(make(last.declaration, last.children));
    }
  };
  for (const declaration of declarations) {
    closeTo(declaration.depth);
    open.push({ depth: declaration.depth, declaration, children: [] });
  }
  closeTo(0);
  return roots;
}
