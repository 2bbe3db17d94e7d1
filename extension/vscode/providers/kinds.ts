/** The editor's words for what is declared. */
import { SymbolKind } from "vscode";

const KINDS: Readonly<Record<string, SymbolKind>> = {
  namespace: SymbolKind.Namespace,
  module: SymbolKind.Module,
  class: SymbolKind.Class,
  record: SymbolKind.Class,
  struct: SymbolKind.Struct,
  union: SymbolKind.Struct,
  interface: SymbolKind.Interface,
  trait: SymbolKind.Interface,
  enum: SymbolKind.Enum,
  enumMember: SymbolKind.EnumMember,
  delegate: SymbolKind.Function,
  typeAlias: SymbolKind.Class,
  typeParameter: SymbolKind.TypeParameter,
  extension: SymbolKind.Object,
  function: SymbolKind.Function,
  macro: SymbolKind.Function,
  method: SymbolKind.Method,
  constructor: SymbolKind.Constructor,
  property: SymbolKind.Property,
  field: SymbolKind.Field,
  constant: SymbolKind.Constant,
  event: SymbolKind.Event,
  file: SymbolKind.File,
};

/** The editor's kind for a word of ours; a variable for what it has no word for. */
export function symbolKind(kind: string): SymbolKind {
  return Object.hasOwn(KINDS, kind) ? (KINDS[kind] ?? SymbolKind.Variable) : SymbolKind.Variable;
}
