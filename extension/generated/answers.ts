// Generated from the tool table by `cargo xtask codegen`; do not edit.
import type { Disagreement, ModelMode, Phase } from "./protocol";

/** What VS Code's language providers say to this answer. */
export interface Agreement {
  /** What both have. */
  both: number;
  /** What only they have; it is in the answer. */
  providerOnly: number;
  /** What only the index has. */
  oursOnly: number;
  /** Of these, what they should have found too: `filePath:line` or a type's path. */
  disputed?: string[];
}

/** An id that a type had before. */
export interface AliasData {
  /** The id that is no more. */
  oldTypeId: string;
  /** The id that stands for it. */
  newTypeId: string;
  /** The path of the type now. */
  path: string;
  /** When that was seen. */
  detectedAt: string;
  /** `rename`, `namespaceMove` or `nesting`. */
  reason: string;
  /** The folder it was seen in. */
  rootName: string;
}

/** Answer of `codecortex_aliases`. */
export interface AliasesData {
  /** Exact number on all pages. */
  total: number;
  /** Entries, by old id. */
  aliases: AliasData[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** An edit that can be taken back. */
export interface AppliedEditData {
  /** What it was for. */
  summary?: string;
  /** When it was applied, in milliseconds since 1970. */
  atMs: number;
  /** `rootName/relative/path` of its files, the first ones of many. */
  files: string[];
  /** How many files it changed. */
  totalFiles: number;
}

/** Answer of `codecortex_applyEdit`. */
export interface ApplyData {
  /** Whether the files are changed; false for a dry run. */
  applied: boolean;
  /** Of a dry run: the argument that applies it. */
  planId?: string;
  /** Number of the edit, as in `plan_hints`. */
  editId: number;
  /** Outcome for each file. */
  files: FileData[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** The account of an answer. */
export interface Budget {
  /** Tokens that were granted; null without a limit. */
  budget_tokens: number | null;
  /** Tokens of this whole answer, `ceil(chars/4)`. */
  tokens_approx: number;
  /** Tokens of this whole answer by the tokenizer of the settings, where that is an exact one. */
  tokens_exact?: number;
  /** Whether anything was left out or shortened. */
  truncated: boolean;
  /** What was shortened to fit. */
  downgrade_applied?: string[];
}

/** A unit with what it is understood by. */
export interface BundleUnit {
  /** The unit's id. */
  unit_id: string;
  /** Where it is and what it is. */
  meta: Meta;
  /** How much of it is shown. */
  final_context_level?: EvidenceLevel;
  /** What was looked up for it. */
  extra_requests?: EvidenceRequest[];
  /** Its hunks. */
  diff: string;
  /**
   * Further lines of its file, each with its number; `… 12 lines` stands for those left out. Lines of the diff are not
   * repeated.
   */
  function_context?: string;
  /** The same, where more than its functions is shown. */
  file_context?: string;
  /** The same, where all of the file is shown. */
  full_file?: string;
  /** What it was, where that is looked at. */
  previous_version?: string;
  /** Code that uses what changed. */
  callers?: Snippet[];
  /** What names on added lines mean. */
  definitions?: Snippet[];
  /** Tests that name what changed. */
  tests?: Snippet[];
  /** What implements or overrides it. */
  implementations?: Snippet[];
  /** Uses of words that a plan asks for. */
  search?: Snippet[];
  /** Code like it that did not change. */
  similar?: Snippet[];
  /** Lines with the name of what changed that are no uses of it: imports, exports, prototypes. */
  mentions?: Snippet[];
  /** Declarations of names on changed lines that the names are not known to mean. */
  namesakes?: Snippet[];
  /** What tools report of it. */
  scanner_issues?: string[];
  /** What was looked for and is not there, or not all shown. */
  notes?: string[];
}

/** Files by what happened to them; moved and copied ones are modified. */
export interface ByType {
  add: number;
  modify: number;
  delete: number;
}

/** Where one calls the other. */
export interface CallSite {
  filePath: string;
  /** Of the name; from 0, UTF-16. */
  range: LspRange;
  tier: TierWord;
}

/** A meaning of a name. */
export interface Candidate {
  /** Full path. */
  path: string;
  /** Id of the type, or of the type or module that the member is in. */
  typeId: string;
  /** Id of the member, if it is one. */
  memberId?: string;
  /** What it was asked for as, where that is what it was called before. */
  redirectedFrom?: string;
  /** How what was asked for leads here, where it is not the symbol's own path. */
  foundBy?: Detour;
  /** What is declared: `class`, `method`, `field` … */
  kind: string;
  /** Number of uses, without those by name alone; absent where they are not counted. */
  uses?: number;
  /** `rootName/relative/path`. */
  filePath: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** Range of the name, for editors; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` for a declaration outside the workspace, which the file describes. */
  source?: string;
}

/** One meaning of a path. */
export interface CandidateData {
  /** Full path. */
  path: string;
  /** Id of the type, or of the type or module that the member is in. */
  typeId: string;
  /** Id of the member, if it is one. */
  memberId?: string;
  /** What it was asked for as, where that is what it was called before. */
  redirectedFrom?: string;
  /** How what was asked for leads here, where it is not the symbol's own path. */
  foundBy?: Detour;
  /** What is declared: `class`, `method`, `field` … */
  kind: string;
  /** How it was found: `exact`, `suffix` or `wildcard`. */
  match: string;
  /** Every place that declares it: parts of a type, overloads, prototypes. */
  declarations: CandidateDeclaration[];
}

/** One declaration of a candidate. */
export interface CandidateDeclaration {
  /** The declaration as the language writes it. */
  signature?: string;
  /** `rootName/relative/path`. */
  filePath: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** Range of the name, for editors; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` for a declaration outside the workspace, which the file describes. */
  source?: string;
}

/** What became of a type or module. */
export interface ChangeData {
  /** Full path. */
  path: string;
  /** `class`, `module` … */
  kind: string;
  /** Its id. */
  typeId: string;
  /** `added`, `removed` or the gravest class of its changes. */
  changeClass: string;
  /** Every class of them, the gravest first, where there are several. */
  classes?: string[];
  /** A file that it is or was in. */
  filePath: string;
  /** Revision of the index at which it was seen to have changed last. */
  revision: number;
}

/** The changed symbols or files. */
export interface Changed {
  /** Its path. */
  symbol: string;
  /** Its id, or `file:` and a path. */
  id: string;
  /** Tokens that it takes with all there is to say. */
  tokens: number;
}

/** Answer of `codecortex_changes`. */
export interface ChangesData {
  /** Revision of the index before the first reported change. */
  since: number;
  /** Exact number of entries on all pages. */
  total: number;
  /** Entries by class of change. */
  totalByClass: Record<string, number>;
  /** The page, the latest first. */
  changes: ChangeData[];
  /** Types with a stale semantic text, by path, at most a hundred. */
  stale?: StaleData[];
  /** Number of such types. */
  staleTotal?: number;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What an operation found. */
export interface Conclusion {
  /** The answer to the question. */
  conclusion: string;
  /** What shows it. */
  evidence: Evidence[];
  /** What is still open. */
  open: string[];
}

/** Answer of `codecortex_getContext`: the window, or with `query`, `focus` or `mode` the payload. */
export interface ContextData {
  /** Token limit of the window. */
  budgetTokens?: number;
  /** Tokens of the window. */
  usedTokens?: number;
  /** Tokens by `pinned`, `focus` and `recent`. */
  bySource?: Record<string, number>;
  /** Pieces of the window, in order. */
  pieces?: PieceData[];
  /** Pieces without room, the most important first; at most fifty. */
  cut?: CutData[];
  /** Number of pieces without room. */
  cutTotal?: number;
  /** Pieces in a shorter form. */
  downgrades?: string[];
  /** Notices for a person. */
  notices?: string[];
  /** Cost of answers since the start. */
  spent?: SpentData;
  /** `context_payload.v2`. */
  version?: string;
  /** Time of creation, UTC: `YYYY-MM-DD HH:mm:ss`. */
  generated_at?: string;
  /** The reader of the payload. */
  subagent_type?: SubagentType;
  /** The mode of the payload. */
  mode?: PayloadMode;
  /** The task. */
  task?: Task;
  /** Earlier observations. */
  observations?: Observations;
  /** The code for the question. */
  repo_map?: Map;
  /** Notes about the payload. */
  notes?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What is kept in a folder's `.context/`. */
export interface ContextFolderData {
  rootName: string;
  /** Types in `index.json`. */
  types: number;
  /** Semantic texts that are out of date. */
  stale: number;
  /** Semantic texts that wait to be made. */
  waiting: number;
  /** Semantic texts, the model that makes them, and what it cost. */
  texts?: TextsData;
  /** What was wrong with its files; they were made anew. */
  problems?: string[];
  /** Why it cannot be written. */
  failure?: string;
}

/** A document as it is now. */
export interface CurrentDocument {
  /** `rootName/relative/path`. */
  filePath: string;
  /** Give it as `since` later, and as `baseVersion` with an edit. */
  versionId: string;
  /** How many lines there are. */
  totalLines: number;
  /** Whether it differs from the disk. */
  dirty?: boolean;
  /** The whole text. */
  text?: string;
  /** Of a long text, what is around cursors and changes. */
  windows?: Window[];
  /** What is declared elsewhere in it, with lines. */
  outline?: string[];
  /** Why nothing of its text is told. */
  withheld?: string;
}

/** What has no room. */
export interface CutData {
  /** `pinned`, `focus` or `recent`. */
  tier: string;
  /** Its path. */
  symbol: string;
  /** Its id. */
  id: string;
  /** The workspace folder that it is in, where there are several. */
  folder?: string;
  /** Why it has none. */
  reason: string;
  /** Tokens that it would take. */
  tokens?: number;
}

/** Calls of a day. */
export interface DayData {
  /** `2026-11-29`. */
  day: string;
  calls: number;
  failures: number;
  tokens: number;
  p95Ms?: number;
}

/** What was decided of a unit. */
export interface Decision {
  /** How much of it is shown. */
  context_level: EvidenceLevel;
  /** `high`, `medium`, `low`, or `skip`. */
  priority: string;
}

/** One line of an outline. */
export interface Declaration {
  /** Simple name. */
  name: string;
  /** What is declared: `class`, `method`, `field` … */
  kind: string;
  /** How deep it is nested, from 0. */
  depth?: number;
  /** The declaration as the language writes it. */
  signature?: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** Where it is, if elsewhere than the answer's `filePath`. */
  filePath?: string;
  /** Of the whole declaration. */
  range?: LspRange;
  /** Of its name. */
  nameRange?: LspRange;
  /** Documentation. */
  doc?: string;
  /** Names of attributes, decorators and specifiers; `editorOnly` in an arm of `#if EDITOR`. */
  tags?: string[];
}

/** A declaration that is related to the symbol. */
export interface DeclarationData {
  /** `method`, `class` …; `file` for code outside of any declaration. */
  kind: string;
  name: string;
  /** Full path; of a local its name. */
  path: string;
  filePath: string;
  /** From 1. */
  startLine: number;
  /** From 1. */
  endLine: number;
  /** Of the whole declaration; from 0, UTF-16. */
  range: LspRange;
  /** Of its name. */
  nameRange: LspRange;
  tier: TierWord;
  /** What is unusual about the tier. */
  why?: Why;
  /** Steps from the symbol. */
  depth: number;
  /** The declaration one step nearer, where it is not the symbol. */
  via?: string;
  /** How many calls or uses make it a caller or callee. */
  uses?: number;
  /** Where the first of them are. */
  sites?: CallSite[];
}

/** One declaration. */
export interface Definition {
  filePath: string;
  /** From 1. */
  startLine: number;
  /** From 1. */
  endLine: number;
  /** Of the whole declaration; from 0, UTF-16. */
  range: LspRange;
  /** Of its name. */
  nameRange: LspRange;
  /** Its source. */
  preview?: string;
  /** `provider` where a language server says the same. */
  tier?: TierWord;
  /** What is unusual about it. */
  why?: Why;
}

/** What changed since a version. */
export interface Delta {
  /** The version that the caller knows. */
  from: string;
  /** The current one. */
  to: string;
  /** A unified diff; empty where nothing changed. */
  patch: string;
}

/** Answer of `codecortex_describe`. */
export interface DescribeData {
  /** Exact number of texts; types that depend on each other share one. */
  total: number;
  /** The first of them. */
  units: UnitData[];
  /** For a dry run: tokens of all prompts, without answers. */
  promptTokens?: number;
  /** For a dry run: number of measured prompts; the others count as average. */
  measured?: number;
  /** The model in use; absent if there is none. */
  model?: string;
  /** Why nothing is sent at present. */
  why?: string;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** A way to a symbol that is not its own path (SPEC D20). */
export type Detour =
  /** It was called so before. */
  | "formerName"
  /** A module gives another one's declaration this name. */
  | "reExport"
  /** The type inherits it. */
  | "inherited"
  /** The case of its letters is another. */
  | "otherCase";

/** A step. */
export interface DiffSummary {
  /** The version after it; of an anchor, the version it compares with. */
  versionId: string;
  /** UTC. */
  timestamp: string;
  /** A unified diff, long ones cut. */
  patchSnippet: string;
  /** First line concerned, from 1. */
  affectedLineStart?: number;
  /** Last line concerned. */
  affectedLineEnd?: number;
  /** Who did it: `editor`, `tool` or `disk`; `anchor` for a comparison with an older text. */
  origin: string;
  /** An edit that failed: the text did not change. */
  is_error?: boolean;
  /** Why. */
  error?: string;
}

/** Of what less is shown than was wanted. */
export interface Downgrade {
  /** The unit. */
  unit_id: string;
  /** What was wanted. */
  from: EvidenceLevel;
  /** What is shown. */
  to: EvidenceLevel;
}

/** A finding that does not stand. */
export interface Dropped {
  /** What it said. */
  message: string;
  /** Why not. */
  reason: string;
}

/** A dependency. */
export interface EdgeData {
  /** Id of the type or module that needs the other. */
  from: string;
  /** Id of the type or module that is needed. */
  to: string;
  /** Whether the other is its base; of modules, whether it has a base. */
  base?: boolean;
  /** Number of dependencies between the types of two modules. */
  count?: number;
}

/** State of the editor: files, cursors, selections, problems. */
export interface EditorData {
  /** The document that has the focus. */
  activeFile?: string;
  /** Where its cursors are, the primary one first. */
  cursors?: LivePosition[];
  /** What is selected in it. */
  selections?: EditorRange[];
  /** First and last line on the screen, from 1. */
  visibleRanges?: ([number, number])[];
  /** Documents that differ from the disk, at most ten. */
  dirtyFiles?: string[];
  /** Number of unsaved files. */
  dirtyTotal?: number;
  /** Problems of the document that is shown, the gravest first. */
  diagnostics?: EditorProblem[];
  /** Problems of all documents. */
  problemsTotal?: number;
}

/** A problem. */
export interface EditorProblem {
  /** Line from 1. */
  line: number;
  /** How grave it is. */
  severity: LiveSeverity;
  /** What it says. */
  message: string;
  /** Who says it. */
  source?: string;
}

/** A range, as an editor shows it. */
export interface EditorRange {
  /** Its start. */
  start: LivePosition;
  /** Its end, exclusive. */
  end: LivePosition;
}

/** A declaration around a place. */
export interface Enclosing {
  kind: string;
  name: string;
  path: string;
  /** From 1. */
  startLine: number;
  /** From 1. */
  endLine: number;
  /** Of its name; from 0, UTF-16. */
  nameRange: LspRange;
}

/** The one list of error codes. */
export type ErrorCode =
  /** An argument is missing, of the wrong type, out of range or ambiguous. */
  | "InvalidParams"
  /** Inside the workspace, and not there. */
  | "NotFound"
  /** No symbol of that path; `details.suggestions`. */
  | "SymbolNotFound"
  /** Several symbols of that path; `details.candidates`. */
  | "AmbiguousSymbol"
  /** Outside the workspace; `details.publicAlternatives` for members that are not accessible. */
  | "AccessDenied"
  /** The index is not far enough to answer rightly; `details.progress`. */
  | "Busy"
  /** A filter does not parse; `details.position`. */
  | "InvalidFilter"
  /** The document changed since the version that the call is based on. */
  | "VersionConflict"
  /** No answer is small enough; `details.minimumTokens`. */
  | "BudgetExceeded"
  /** The caller gave up. */
  | "Cancelled"
  /** This cannot be answered here, though the call is right. */
  | "Unavailable"
  /** Our fault; `details.traceId` finds it in the log. */
  | "InternalError";

/** A place in the sources that says what the conclusion says. */
export interface Evidence {
  /** The file, as answers show it. */
  path: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line. */
  endLine: number;
  /** Words that stand there; empty where none were given. */
  quote: string;
  /** What it is evidence of. */
  why: string;
  /** The lines exist and the quote stands in them. */
  verified: boolean;
}

/** How much of a unit is shown (`004` §2), least first. */
export type EvidenceLevel =
  /** The diff. */
  | "diff_only"
  /** The functions that changed, whole. */
  | "function"
  /** What is around them in the file. */
  | "file_context"
  /** The file. */
  | "full_file";

/** Something that is to be looked up for a unit (`004` §2). */
export interface EvidenceRequest {
  /** What is looked up. */
  type: RequestKind;
  /** Of what: a name or path of a symbol, or words; in rules also `$symbol`, `$container`, `$old_name` … */
  details?: string;
}

/** Files from outside. */
export interface ExternalData {
  /** How many were read. */
  files: number;
  /** Types that they declare. */
  types: number;
  /** The first of them. */
  filePaths: string[];
  /** Installed packages that questions have read. */
  packages?: PackageData[];
  /** Packages that questions looked for and that are not installed. */
  missing: number;
  /** The first of them. */
  missingPackages?: MissingPackageData[];
  /** Files and parts of files that could not be read. */
  skipped: number;
  /** The first of them. */
  problems?: ExternalProblem[];
}

/** What could not be read. */
export interface ExternalProblem {
  filePath: string;
  /** Why, as the end of a sentence. */
  problem: string;
}

/** Outcome for a file. */
export interface FileData {
  /** `rootName/relative/path`. */
  filePath: string;
  /** Its version afterwards: the `baseVersion` of the next edit. */
  versionId: string;
  /** Lines that came. */
  added: number;
  /** Lines that went. */
  removed: number;
  /** First line concerned, from 1. */
  startLine?: number;
  /** Last line concerned. */
  endLine?: number;
  /** A unified diff, of a dry run. */
  diff?: string;
}

/** A finding. */
export interface Finding {
  /** Tells it from others by its file, the text of its line and what it says: it stays where lines move. */
  id: string;
  /** Its file. */
  file: string;
  /** Its line of the new version, from 1; 0 for the whole file. */
  line: number;
  /** How grave it is. */
  severity: ReviewSeverity;
  /** What kind of problem: the id of a rule, or a word. */
  category: string;
  /** What is wrong, as a sentence. */
  message: string;
  /** Places and facts that show it. */
  evidence?: string[];
  /** What to do about it. */
  suggestion?: string;
  /** What the index says to it, where that is another thing. */
  checked?: string;
}

/** Answer of `codecortex_forget`. */
export interface ForgetData {
  /** The forgotten ids. */
  forgotten: number[];
  /** Whether they were deleted from the files. */
  purged: boolean;
  /** Id of the tombstone record. */
  tombstone: number;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** How fresh and complete the index was (SPEC X2). */
export interface Freshness {
  /** Revision of the index. */
  revision: number;
  /** What keeps the index from being complete: `scanning`, `indexing` or `cancelled`. */
  phase?: Phase;
  /** Files that are not read yet. */
  pending?: number;
  /** Whether unsaved text of an editor was used. */
  unsaved?: boolean;
  /** Workspace folders that cannot be read now: nothing of them is in the answer. */
  unreadableRoots?: string[];
}

/** Answer of `codecortex_getSemantic`. */
export interface GetSemanticData {
  /** The resolved symbol. */
  resolved: ResolvedSymbol;
  /**
   * State of the text: `none`, `pending`, `generating`, `cached` (matches the code) or `stale` (matches earlier
   * code).
   */
  semanticState: string;
  /** The type's group, if types that depend on each other share a text. */
  groupId?: string;
  /** The types of the group. */
  typeIds?: string[];
  /** Sections of the text, as data from its author. */
  sections?: SectionData[];
  /** Why the text is missing or stale, and the next step. */
  why?: string;
  /** Error of the last attempt. */
  lastError?: string;
  /** Classes of change since the text was made, the gravest first. */
  classes?: string[];
  /** Prompt to answer with `codecortex_submitSemantic`. */
  prompt?: string;
  /** Cost of the prompt, as characters / 4, even if the prompt has no room in this answer. */
  promptTokens?: number;
  /** Ticket for `codecortex_submitSemantic`; valid after restarts and in other processes. */
  ticket?: string;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** Answer of `codecortex_exportGraph`. */
export interface GraphData {
  /** The start symbol. */
  resolved?: ResolvedSymbol;
  /** Names of `symbols` that were not found. */
  missing?: string[];
  /** Format of the graph. */
  notation: Notation;
  /** Exact number of types (or modules) within reach, shown or not. */
  total: number;
  /** Exact number of dependencies between them. */
  dependencies: number;
  /** Number of cycles: groups of types (or modules) that depend on each other, directly or not. */
  cycles: number;
  /** Number of types (or modules) that are not shown. */
  leftOut: number;
  /** The drawing; absent in `json`. */
  graph?: string;
  /** The types or modules, in the order of their paths; only in `json`. */
  types?: NodeData[];
  /** The dependencies between them; only in `json`. */
  edges?: EdgeData[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** Answer of `codecortex_hashes`. */
export interface HashesData {
  /** The resolved symbol. */
  resolved: ResolvedSymbol;
  /** Path of the hashed type or module. */
  path: string;
  /** Its kind: `class`, `module` … */
  kind: string;
  /** Its id. */
  typeId: string;
  /** The files with its parts. */
  files: string[];
  /** Hash of the visible declarations. */
  structureHash: string;
  /** Hash of the public behaviour. */
  publicImplHash: string;
  /** Hash of the internals. */
  internalImplHash: string;
  /** Hash of both implementations. */
  implHash: string;
  /** Hash of the documentation. */
  xmlDocHash: string;
  /** Hash of comments, white space and order. */
  cosmeticHash: string;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** Answer of `codecortex_getClassHierarchy`. */
export interface HierarchyData {
  resolved: ResolvedSymbol;
  /** The type's path. */
  root: string;
  /** All bases, nearest first. */
  supers: string[];
  /** Direct bases of the type and of each base. */
  basesByClass: Record<string, string[]>;
  /** Direct subtypes of each type; for the root, those after `cursor`. */
  derivedByParent: Record<string, string[]>;
  /** Place of each declaration. */
  sourceByClass: Record<string, TypeSource>;
  limits: Limits;
  truncated: Truncated;
  /** Counts of direct subtypes: known ones, and candidates by name. */
  totalByTier: TierCounts;
  /** Types whose base of this name is provably outside the workspace. */
  totalOutside: number;
  /** Agreement with language providers about direct bases and subtypes, if they returned results. */
  agreement?: Agreement;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What became of an edit. */
export interface HintData {
  /** The number of the edit. */
  editId: number;
  /** UTC. */
  timestamp: string;
  /** What it was for. */
  summary?: string;
  /** The files. */
  files: string[];
  /** `done` or `failed`. */
  status: string;
  /** Why it failed. */
  reason?: string;
  /** The versions of the files afterwards. */
  versionIds?: string[];
}

/** First line and number of lines of both versions. */
export interface HunkRange {
  old_start: number;
  old_lines: number;
  new_start: number;
  new_lines: number;
}

/** Answer of `codecortex_invalidate`. */
export interface InvalidateData {
  /** Exact number of files to read again. */
  total: number;
  /** The first of them. */
  files: string[];
  /** Number of types whose semantic text became stale. */
  types: number;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What is indexed in one language. */
export interface LanguageData {
  files: number;
  lines: number;
  symbols: number;
  /** The version of the language's own library whose declarations answers use: `JDK 25`. */
  library?: string;
}

/** Limits of the search. */
export interface Limits {
  maxSuperDepth: number;
  maxSubDepth: number;
  maxSubBreadth: number;
}

/** Lines in all. */
export interface LineCounts {
  added: number;
  removed: number;
}

/** Changed lines as `L20-L35,L40`. */
export interface LineNumbers {
  /** Of the version after. */
  new_compact: string;
  /** Of the version before. */
  old_compact: string;
}

/** One entry of the list. */
export interface ListEntry {
  /** `rootName/relative/path`; folders end with `/`. Of a type, its workspace folder. */
  filePath: string;
  /** Of `texts`: the type. */
  resolved?: ResolvedType;
  /** Why it is left out; of `texts`, where the text stands: `failed`, `generating`, `pending`, `stale`, `cached`, `none`. */
  reason?: string;
  /** More about it. */
  detail?: string;
}

/** Answer of `codecortex_getLiveContext`. */
export interface LiveData {
  /** The current text. */
  current_document?: CurrentDocument;
  /** Changes since the version `since`, instead of the text. */
  delta?: Delta;
  /** The requested version or lines. */
  requested?: Requested;
  /** The last steps, the latest first. */
  recent_diffs?: DiffSummary[];
  /** Changes since about an hour ago. */
  anchor_diff?: DiffSummary;
  /** State of the editor: files, cursors, selections, problems. */
  editor_state?: EditorData;
  /** Outcomes of requested edits, the latest first. */
  plan_hints?: HintData[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** A place, as an editor shows it. */
export interface LivePosition {
  /** Line from 1. */
  line: number;
  /** Character from 1, in UTF-16 units. */
  character: number;
}

/** How grave a problem is. */
export type LiveSeverity =
  /** It does not work. */
  | "error"
  /** It may not work. */
  | "warning"
  /** Something to know. */
  | "information"
  /** Something that could be better. */
  | "hint";

/** Where something is declared. */
export interface Location {
  /** `rootName/relative/path`. */
  filePath: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** Range of the name, for editors; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` for a declaration outside the workspace, which the file describes. */
  source?: string;
}

/** A place as the Language Server Protocol has it: from 0, in UTF-16 units (SPEC TC7). */
export interface LspPosition {
  /** Line, from 0. */
  line: number;
  /** UTF-16 units, from 0. */
  character: number;
}

/** A range as the Language Server Protocol has it. */
export interface LspRange {
  /** Where it begins. */
  start: LspPosition;
  /** Where it ends. */
  end: LspPosition;
}

/** The repository map. */
export interface Map {
  /** Who made it: `codecortex`. */
  source: string;
  /** Files, the best first. */
  items: MapItem[];
}

/** A file of the map (`003` §4.3). */
export interface MapItem {
  /** `repomap.v1`. */
  schema_version: string;
  /** Relative to its root; after the root's name where there are several. */
  path: string;
  /** Of the file's content. */
  hash: string;
  /** What of it is told, in its order. */
  symbols: MapSymbol[];
}

/** A declaration of the map. */
export interface MapSymbol {
  /** `class`, `function`, `method`, `const`, `var`, `module` or `other`. */
  kind: string;
  /** Its name; empty for what is outside of declarations. */
  name: string;
  /** First line, from 1. */
  line_start: number;
  /** Last line. */
  line_end: number;
  /** How much of it is told: `name`, `signature`, `lines` or `body`. */
  tier: string;
  /** Why it is here, where that is asked for. */
  why?: string[];
  /** Its code, each line as in the file and after its number; one line says how many are left out. */
  text?: string;
}

/** One member. */
export interface MemberData {
  kind: string;
  name: string;
  signature: string;
  visibility: string;
  static?: boolean;
  /** The base that it comes from. */
  inheritedFrom?: string;
  doc?: string;
  /** Names of attributes, decorators and specifiers; `editorOnly` in an arm of `#if EDITOR`. */
  tags?: string[];
}

/** Answer of `codecortex_getTypeMembers`. */
export interface MembersData {
  resolved: ResolvedSymbol;
  /** The type. */
  type: TypeData;
  /** Number on all pages. */
  total: number;
  /** Its own first, then those of each base. */
  members: MemberData[];
  /** The meanings of a name that has several; the answer is for the first. */
  candidates?: Candidate[];
  /** The answers for the other candidates, or the other symbols of the list, with the same fields. */
  more?: (Record<string, unknown>)[];
  /** Symbols of the list that were not found. */
  missing?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** Where a unit is and what it is. */
export interface Meta {
  /** Its file. */
  file_path: string;
  /** What the rules call it. */
  tags?: string[];
  /** The lines it spans. */
  hunk_range?: HunkRange;
  /** Its changed lines. */
  line_numbers?: LineNumbers;
  /** Path and lines. */
  location?: string;
}

/** What a review is of. */
export interface Metadata {
  /** `staged`, `working`, `pr`, `patch`. */
  mode: string;
  /** What it is compared with. */
  base_branch: string;
  /** Files that differ. */
  total_files: number;
  /** Lines that are added or removed. */
  total_changes: number;
  /** When it was made, ISO 8601. */
  timestamp?: string;
}

/** How large a unit is. */
export interface Metrics {
  added_lines: number;
  removed_lines: number;
  hunk_count: number;
}

/** What is not shown. */
export interface Missing {
  /** `diff`, `callers`, `definitions`, `noise` … */
  type: string;
  /** How many of how many. */
  details: string;
  /** What it would cost. */
  tokens: number;
}

/** A package that is not installed. */
export interface MissingPackageData {
  language: string;
  /** As imports begin with it. */
  name: string;
  /** What makes it known. */
  hint: string;
}

/** Conditions and quotas for requests to models. */
export interface ModelSettings {
  /** Whether a request for a stale or missing text starts a new one. */
  mode: ModelMode;
  /** Limit of requests in an hour. */
  callsPerHour?: number;
  /** Limit of requests in a day. */
  callsPerDay?: number;
  /** Limit of tokens, in and out, in an hour. */
  tokensPerHour?: number;
  /** Limit of tokens, in and out, in a day. */
  tokensPerDay?: number;
}

/** A type or module of the graph. */
export interface NodeData {
  /** Its id. */
  id: string;
  /** Full path; of a module, its folder. */
  path: string;
  /** `class`, `interface` …, or `module`. */
  kind: string;
  /** A file that it is in; absent of a module. */
  filePath?: string;
  /** The number of the cycle that it is in, from 1. */
  cycle?: number;
  /** Steps from the start; absent at the start. */
  distance?: number;
  /** Number of types that a module stands for. */
  types?: number;
}

/** How a graph is written. */
export type Notation =
  /** A Mermaid flow chart. */
  | "mermaid"
  /** Graphviz. */
  | "dot"
  /** Lists of types and dependencies. */
  | "json";

/** An observation: of an index or timeline one line, of details everything. */
export interface ObservationItem {
  /** Its id. */
  id: number;
  /** When, UTC: `YYYY-MM-DD HH:mm:ss`. */
  ts: string;
  /** The task, if any. */
  task_id?: string;
  /** `orchestrator`, `planner`, `implementers`, `verifier`, `skill` or `system`. */
  actor: string;
  /** `plan`, `implement`, `verify`, `fix`, `other` or `task`. */
  phase: string;
  /** One line. */
  summary: string;
  /** Its kind, such as `decision`. */
  type?: string;
  /** Whether it still holds for the symbols that it is about: `fresh`, `drifted` or `orphaned`. */
  verdict?: string;
  /** The rest of it, in details. */
  detail?: string;
  /** What it refers to, in details. */
  refs?: References;
  /** The symbols that it is about, in details. */
  symbols?: string[];
  /** The branch it was made on, in details. */
  branch?: string;
}

/** Earlier observations. */
export interface Observations {
  /** Where they are kept: `jsonl`, `sqlite` or `markdown_fallback`. */
  source: string;
  /** The observations. */
  items: ObservationItem[];
}

/** What was left out. */
export interface Omitted {
  /** How many entries. */
  count: number;
  /** What they would cost in tokens. */
  tokensApprox: number;
}

/** Answer of both. */
export interface OpData {
  /** The operation, as in `.context/ops/<opId>.json`. */
  operation: Operation;
  /** Whether the stored conclusion is still valid. */
  isCached?: boolean;
  /** Whether the code has changed since the conclusion. */
  isOutdated?: boolean;
  /**
   * If no model works on it: a prompt to answer with the other tools; submit the conclusion with
   * `codecortex_op`.
   */
  prompt?: string;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** Where an operation stands. */
export type OpState =
  /** Somebody has to answer its prompt. */
  | "waiting"
  /** A model is at it. */
  | "running"
  /** There is a conclusion. */
  | "done"
  /** There is none; `error` says why. */
  | "failed"
  /** Nobody wants it any more. */
  | "cancelled";

/** One step: a tool that was called. */
export interface OpStep {
  /** The tool. */
  tool: string;
  /** Its arguments. */
  args: unknown;
  /** Whether it succeeded. */
  ok: boolean;
  /** What its answer cost, as characters / 4. */
  tokens: number;
}

/** An operation, as `ops/<opId>.json` has it. */
export interface Operation {
  /** Version of the file's form. */
  schemaVersion: string;
  /** Its id. */
  opId: string;
  /** What was asked. */
  question: string;
  /** Files and folders that it is about; all, where there are none. */
  scopePaths: string[];
  /** Where it stands. */
  state: OpState;
  /** What was done. */
  steps: OpStep[];
  /** What models were sent and said, in tokens. */
  tokens: number;
  /** What was found. */
  result: Conclusion | null;
  /** What it rests on. */
  read: ReadFile[];
  /** Why it failed. */
  error: string | null;
  /** Number of secrets removed before writing. */
  redacted?: number;
}

/** Answer of `codecortex_getOutline`. */
export interface OutlineData {
  /** The resolved symbol; absent for a whole file. */
  resolved?: ResolvedSymbol;
  /** `rootName/relative/path`. */
  filePath: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** Range of the name, for editors; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` for a declaration outside the workspace, which the file describes. */
  source?: string;
  /** Language id. */
  language: string;
  /** Encoding of the file, if it is not UTF-8. */
  encoding?: string;
  /** Package or namespace of the whole file, if it declares one. */
  package?: string;
  /** Documentation of the file itself. */
  doc?: string;
  /** Other parts of the type. */
  parts?: Location[];
  /** Number of syntax errors in the file. */
  syntaxErrors?: number;
  /** Number of declarations, shown or not; for `outline` of signatures, for `source` of lines. */
  total: number;
  /** The declarations, each before its contents; absent with `outlineText`. */
  declarations?: Declaration[];
  /** The outline as text, in the requested form. */
  outlineText?: string;
  /** With `source`: the code of each declaration. */
  sources?: SourceData[];
  /** The meanings of a name that has several; the answer is for the first. */
  candidates?: Candidate[];
  /** The answers for the other candidates, or the other symbols of the list, with the same fields. */
  more?: (Record<string, unknown>)[];
  /** Symbols of the list that were not found. */
  missing?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** Answer of `codecortex_pack`. */
export interface PackData {
  /** The affected packs; for `list`, all packs. */
  packs: PackInfo[];
  /** Whether the text is unchanged. */
  reused?: boolean;
  /** Types in the pack, dependencies before dependents. */
  types?: PackMemberData[];
  /** Matching types and their dependencies without room. */
  cut?: string[];
  /** The text, for `show`. */
  text?: string;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** A pack. */
export interface PackInfo {
  /** Its name. */
  name: string;
  /** Its file. */
  filePath: string;
  /** Its filter. */
  filter: string;
  /** Whether its types weigh more. */
  active: boolean;
  /** What it costs. */
  tokenEstimate: number;
  /** How many types are in it. */
  types: number;
  /** When its text became what it is; UTC. */
  lastBuild?: string;
}

/** A type of a pack. */
export interface PackMemberData {
  /** Its path. */
  symbol: string;
  /** Its id. */
  typeId: string;
  /** Whether the filter fits it; others are what those depend on. */
  chosen: boolean;
  /** What of it is said. */
  form: string;
  /** What that costs. */
  tokens: number;
}

/** An installed package. */
export interface PackageData {
  language: string;
  /** As imports begin with it. */
  name: string;
  /** As its manifest says. */
  version?: string;
  /** Files that questions have read. */
  files: number;
}

/** `map`: code; `mixed`: code and observations; others: observations. */
export type PayloadMode =
  /** Summaries of observations. */
  | "index"
  /** Observations of a task, in their order. */
  | "timeline"
  /** Observations whole. */
  | "detail"
  /** The repository map. */
  | "map"
  /** The map, and summaries of observations. */
  | "mixed";

/** A piece of the window. */
export interface PieceData {
  /** `pinned`, `focus` or `recent`. */
  tier: string;
  /** Its path. */
  symbol: string;
  /** Its id, or `file:` and a path. */
  id: string;
  /** The workspace folder that it is in, where there are several. */
  folder?: string;
  /** Why it is in. */
  reason: string;
  /** What of it is said: `source`, `outline`, `names` … */
  form: string;
  /** Tokens that it takes. */
  tokens: number;
  /** Tokens that it would take as a pin, with all there is to say. */
  pinTokens: number;
  /** What it weighs; absent for a pin, which weighs more than all. */
  score?: number;
  /** Minutes since somebody put it in. */
  ageMinutes?: number;
  /** What is said. */
  text?: string;
}

/** Answer of `codecortex_pin`. */
export interface PinData {
  /** The changed symbols or files. */
  changed: Changed[];
  /** Symbols or files that needed no change. */
  unchanged?: string[];
  /** Number of pinned symbols and files. */
  pinned: number;
  /** Number of explicit additions to the focus. */
  inFocus: number;
  /** Tokens of the window after the call. */
  usedTokens: number;
  /** Token limit of the window. */
  budgetTokens: number;
  /** Notices for a person. */
  notices?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What was decided of a unit (`004` §3). */
export interface PlanEntry {
  unit_id: string;
  rule_context_level: EvidenceLevel;
  rule_confidence: number;
  llm_context_level?: EvidenceLevel;
  final_context_level: EvidenceLevel;
  extra_requests?: EvidenceRequest[];
  skip_review: boolean;
  reason: string;
}

/** A unit as a planner sees it: without what was decided, and why (`004` §6). */
export interface PlannerUnit {
  unit_id: string;
  file_path: string;
  patch_type: string;
  submodule?: string;
  change_class?: string;
  risk: Risk;
  tags: string[];
  metrics: Metrics;
  symbols?: SymbolEntry[];
  rule_context_level: EvidenceLevel;
  rule_confidence: number;
  line_numbers: LineNumbers;
  rule_extra_requests?: EvidenceRequest[];
}

/** Answer of `codecortex_resolveSymbolAtPosition`. */
export interface PositionData {
  /** The symbol's path and ids; absent for locals. */
  resolved?: ResolvedSymbol;
  /** The declaration of the name. */
  symbol: SymbolData;
  /** The innermost declaration around the place. */
  enclosing?: Enclosing;
  /** Agreement with language providers, if they returned results. */
  agreement?: Agreement;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** A problem in the result of an edit. */
export interface ProblemData {
  /** `rootName/relative/path:line:character` in the text afterwards, from 1, UTF-16. */
  place: string;
  /** `syntaxError`, `unresolved` or `otherMeaning`. */
  kind: string;
  /** The name. */
  name?: string;
}

/** A prompt. */
export interface Prompt {
  /** What the model is to do. */
  system: string;
  /** What it is about. */
  user: string;
}

/** What came of asking language providers since the engine started. */
export interface ProvidersData {
  /** Questions. */
  asked: number;
  /** Questions without an answer in time. */
  timedOut: number;
  /** Questions that could not be asked. */
  failed: number;
  /** Places that both have. */
  both: number;
  /** Places that only they have. */
  providerOnly: number;
  /** Places that only the index has. */
  oursOnly: number;
  /** Where they disagree most often: language, kind of symbol, what stands before the name, our tier. */
  disagreements?: Disagreement[];
}

/** A file that was read, in the state that it had. */
export interface ReadFile {
  /** The file, as answers show it. */
  path: string;
  /** A hash of its code: comments and white space do not count. */
  hash: string;
}

/** Answer of `codecortex_recall`. */
export interface RecallData {
  /** `jsonl`, `sqlite` or `markdown_fallback`. */
  source: string;
  /** `index`, `timeline` or `detail`. */
  mode: string;
  /** The observations. */
  items: ObservationItem[];
  /** Number of matching observations, on all pages. */
  total: number;
  /** False if there are more than `total`. */
  isExact?: boolean;
  /** If no observation has all words: the count for each word. */
  wordHits?: WordCount[];
  /** Requested ids that were forgotten. */
  forgotten?: number[];
  /** Requested ids that never existed. */
  unknown?: number[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What an answer cost, and what it replaced. */
export interface ReceiptData {
  at: string;
  tool: string;
  /** The symbol that the call named first. */
  symbol?: string;
  tokens: number;
  tookMs?: number;
  /** Files of the workspace that the answer names. */
  files: number;
  /** Their tokens, as wholes. */
  fileTokens: number;
}

/** Answer of `codecortex_refactor`. */
export interface RefactorData {
  /** Whether the files are changed; false for a plan. */
  applied: boolean;
  /** Of a plan: the argument that applies it. */
  planId?: string;
  /** Of an edit that was applied: its number, as in `plan_hints`. */
  editId?: number;
  /** What it does, as a title. */
  summary: string;
  /** The name before, of an edit that changes one. */
  oldName?: string;
  /** The name afterwards. */
  newName?: string;
  /** Replacements in all files. */
  totalEdits: number;
  /** Changed files. */
  totalFiles: number;
  /** Changed files, by path, the first with their diffs; `nextCursor` goes on with those of the others. */
  files: RefactoredFile[];
  /** Places with the old name that stay, in files that have it in code. */
  totalNotTouched: number;
  /** The first of them. */
  notTouched: UntouchedData[];
  /** Words in comments, strings and documents that change because `texts` asks for it. */
  totalWords?: number;
  /** The first of them. */
  words?: WordData[];
  /** Of a batch: its steps. Places are in the texts that the steps before leave. */
  steps?: StepData[];
  /**
   * What the index finds in the result that was not there before: places that do not parse, names that are not
   * resolved or mean something else.
   */
  problems?: ProblemData[];
  /** Of `undo` with `list`: edits that can be taken back, the newest first. */
  history?: AppliedEditData[];
  /** What the edit changes beside its purpose: visibility that is widened. */
  notes?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What becomes of a file. */
export interface RefactoredFile {
  /** `rootName/relative/path`. */
  filePath: string;
  /** Its version afterwards: the `baseVersion` of the next edit. */
  versionId: string;
  /** Replacements. */
  edits: number;
  /** What is done to the file itself: `created`, `deleted` or `moved`. */
  operation?: string;
  /** Of a file that is moved: its path afterwards. */
  movedTo?: string;
  /** A unified diff, of a plan. */
  diff?: string;
}

/** One use. */
export interface ReferenceData {
  filePath: string;
  /** From 1; 0 where the file cannot be read any more. */
  startLine: number;
  /** From 1; 0 where the file cannot be read any more. */
  endLine: number;
  /** Of the name; from 0, UTF-16. */
  range: LspRange;
  /** Its source line. */
  preview?: string;
  tier: TierWord;
  /** What is unusual about the tier: a word, or in tier `name` why the receiver's type is unknown. */
  why?: string;
  role: RoleWord;
  /** The declaration it is in. */
  in?: string;
}

/** What an observation refers to. */
export interface References {
  /** Paths relative to the root. */
  files?: string[];
  /** Command lines. */
  commands?: string[];
  /** Addresses. */
  urls?: string[];
}

/** Answer of `codecortex_findReferences`. */
export interface ReferencesData {
  /** The resolved symbol; absent for locals. */
  resolved?: ResolvedSymbol;
  /** Number of results within the filters, on all pages. */
  total: number;
  /** Counts before the filters; with `relation`, within them. */
  totalByTier: TierCounts;
  /** Occurrences of the name that provably refer to a symbol outside the workspace. */
  totalOutside: number;
  /** On the first of several pages: counts by role, within the filters. */
  totalByRole?: Record<string, number>;
  /** The same by folder; smaller folders are combined as `…`. */
  totalByFolder?: Record<string, number>;
  /** Best first, then by file and place. */
  references: ReferenceData[];
  /** Agreement with language providers, if they returned results. */
  agreement?: Agreement;
  /** With `relation`, instead of `references`: nearest first, then best. */
  declarations?: DeclarationData[];
  /** Whether the search for `relation` reached its limit. */
  truncated?: boolean;
  /** The meanings of a name that has several; the answer is for the first. */
  candidates?: Candidate[];
  /** The answers for the other candidates, or the other symbols of the list, with the same fields. */
  more?: (Record<string, unknown>)[];
  /** Symbols of the list that were not found. */
  missing?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** Answer of `codecortex_remember`. */
export interface RememberData {
  /** Its id. */
  id: number;
  /** Its line in an index. */
  summary: string;
  /** Full paths of its symbols. */
  symbols?: string[];
  /** Number of secrets removed before recording. */
  redacted?: number;
  /** Problems that did not prevent the recording. */
  warnings?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** What can be looked up. */
export type RequestKind =
  /** The file as it was. */
  | "previous_version"
  /** Code that calls a symbol. */
  | "callers"
  /** Uses of a name. */
  | "search"
  /** The same as `callers`. */
  | "search_callers"
  /** Code that names a key of a configuration. */
  | "search_config_usage"
  /** What implements, overrides or derives from a symbol. */
  | "search_implementations"
  /** Uses of a type. */
  | "search_model_usage"
  /** Members of a type. */
  | "search_class_methods"
  /** What tools report of the file. */
  | "scanner_issues";

/** A version or lines of one. */
export interface Requested {
  /** `rootName/relative/path`. */
  filePath: string;
  /** The version. */
  versionId: string;
  /** Whether it is the current one. */
  isCurrent: boolean;
  /** First line, from 1. */
  startLine: number;
  /** Last line. */
  endLine: number;
  /** How many lines the version has. */
  totalLines: number;
  /** The lines. */
  text: string;
}

/** Answer of `codecortex_resolveSymbol`. */
export interface ResolveData {
  /** The symbol, if it is unambiguous. */
  resolved?: ResolvedSymbol;
  /** Exact number of candidates on all pages. */
  total: number;
  /** Candidates for the path, best first. */
  candidates: CandidateData[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** The resolved symbol. */
export interface ResolvedSymbol {
  /** Full path. */
  path: string;
  /** Id of the type, or of the type or module that the member is in. */
  typeId: string;
  /** Id of the member, if it is one. */
  memberId?: string;
  /** What it was asked for as, where that is what it was called before. */
  redirectedFrom?: string;
  /** How what was asked for leads here, where it is not the symbol's own path. */
  foundBy?: Detour;
}

/** A type that a text is about. */
export interface ResolvedType {
  /** Its path. */
  path: string;
  /** Its id. */
  typeId: string;
  /** What it is, such as `class`. */
  kind: string;
}

/** The same with what every answer has. */
export interface ReviewData {
  /** The reviewed change. */
  review_metadata?: Metadata;
  /** Counts of the change. */
  summary?: Summary;
  /** With `index`: the units, by file. */
  review_index?: UnitEntry[];
  /** With `plan`: the units for a planner. */
  units?: PlannerUnit[];
  /** With `index`: the decision about each unit, with its reason. */
  plan?: PlanEntry[];
  /** With `bundle`: the units with their context, the riskiest first. */
  bundle?: BundleUnit[];
  /** With `bundle`: parts in a shorter form. */
  downgrades?: Downgrade[];
  /** With `bundle`: parts without room, and their cost. */
  left_out?: Missing[];
  /** With `findings`: the findings. */
  findings?: Finding[];
  /** With `findings`: findings that a person dismissed. */
  dismissed?: Finding[];
  /** With `findings`: rejected findings, with the reason. */
  dropped?: Dropped[];
  /** With `prompt`: the prompt for a reviewing model. */
  prompt?: Prompt;
  /** Number of secrets removed from the prompt. */
  redacted?: number;
  /** With `plan`: the instructions for a planner. */
  instructions?: string;
  /** Notes for the reader. */
  notes?: string[];
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** How grave a finding is, gravest first. */
export type ReviewSeverity =
  /** It does not work. */
  | "error"
  /** It may not work. */
  | "warning"
  /** Something to know. */
  | "info";

/** How much may go wrong, least first. */
export type Risk =
  /** Nothing. */
  | "none"
  /** Little. */
  | "low"
  /** Something. */
  | "medium"
  /** Much. */
  | "high";

/** What is done with a symbol. */
export type RoleWord =
  /** Its value is used. */
  | "read"
  /** It is assigned. */
  | "write"
  /** It is called or constructed. */
  | "call"
  /** It is used as a type. */
  | "type"
  /** It is imported or exported. */
  | "import"
  /** An attribute or decorator. */
  | "attribute"
  /** Named in documentation. */
  | "doc";

/** Answer of `codecortex_searchApi`. */
export interface SearchData {
  /** Exact number of results on all pages. */
  total: number;
  /** Number of results before this page. */
  searchIndex: number;
  /** The page, best first. */
  items: SearchItem[];
  /** Limits of the search, if it found nothing. */
  note?: string;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** A symbol that was found. */
export interface SearchItem {
  /** Simple name. */
  name: string;
  /** What is declared: `class`, `method`, `field` … */
  kind: string;
  /** Full path. */
  path: string;
  /**
   * How it was found: `exact`, `words`, `prefix`, `camelHump`, `substring`, `fuzzy`, `form` (`auth` for
   * `authentication`), `someWords` or `documentation`.
   */
  match: string;
  /** The declaration as the language writes it. */
  signature?: string;
  /** `rootName/relative/path`. */
  filePath: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** Range of the name, for editors; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` for a declaration outside the workspace, which the file describes. */
  source?: string;
  /** First line of the documentation. */
  doc?: string;
}

/** One section of a text. */
export interface SectionData {
  /** `ROLE`, `LIFECYCLE`, `EDGE_CASES`, `LIMITATIONS` or `RECOMMENDATIONS`. */
  name: string;
  /** What it says. */
  text: string;
}

/** Lines of another file. */
export interface Snippet {
  /** Its path. */
  file_path: string;
  /** Lines as they stand in the file, each with its number; `… 12 lines` stands for those left out. */
  snippet: string;
}

/** The code of a declaration. */
export interface SourceData {
  /** The symbol; absent for a whole file. */
  resolved?: ResolvedSymbol;
  /** `rootName/relative/path`. */
  filePath: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** Range of the name, for editors; from 0, UTF-16. */
  nameRange?: LspRange;
  /**
   * Its lines, each after its number, with the heads of what it is in and the fields there that it names; `… 12
   * lines` stands for those left out.
   */
  source: string;
  /** Of the declaration with its documentation: `hash` of codecortex_refactor. */
  hash?: string;
}

/** What answers have cost. */
export interface SpentData {
  /** Tokens of all answers. */
  tokens: number;
  /** Tokens of the answer before this one. */
  last: number;
  /** Tokens by tool. */
  byTool: Record<string, number>;
  /** In a list: the symbols about which most was said, the dearest first. */
  bySymbol?: SymbolSpend[];
}

/** A type whose semantic text is out of date. */
export interface StaleData {
  /** Full path. */
  symbol: string;
  /** Its id. */
  typeId: string;
  /** `stale`, or `pending` where it is about to be made anew. */
  semanticState: string;
  /** Every class of the last change, the gravest first. */
  classes?: string[];
}

/** Answer of `codecortex_status`. */
export interface StatusData {
  /** State of the engine: `empty`, `scanning`, `indexing`, `ready` or `cancelled`. */
  phase: Phase;
  /** Version of the product. */
  version: string;
  /** The workspace's folders. */
  folders: StatusFolder[];
  /** Files in the index. */
  files: number;
  /** Lines of these files. */
  lines: number;
  /** Declarations in the index. */
  symbols: number;
  /** Files that are not read yet. */
  pending: number;
  /** Files, lines and symbols by language. */
  languages: Record<string, LanguageData>;
  /** Skipped files and folders, by reason. */
  skipped: Record<string, number>;
  /** Files with syntax errors. */
  filesWithSyntaxErrors: number;
  /** Open documents with unsaved text. */
  unsavedDocuments: number;
  /** Approximate memory of the index in bytes. */
  memoryBytes: number;
  /** Why every answer lists all folders, if file watching is unreliable. */
  unwatched?: string;
  /** Memory limit of the index in bytes, if there is one. */
  memoryCeilingBytes?: number;
  /** Data dropped to stay below the limit: `trees`, `caches`, `bodies`. */
  givenUp?: string[];
  /** The `.context/` of each folder that has one. */
  context?: ContextFolderData[];
  /** Files that declare types from outside the workspace, if any. */
  external?: ExternalData;
  /** Results of VS Code's language providers, after their first use. */
  providers?: ProvidersData;
  /** Files and calls that are excluded because the engine failed on them twice. */
  faults?: string[];
  /** The requested list. */
  list?: ListEntry[];
  /** Exact length of the list. */
  listTotal?: number;
  /** Figures of the last 30 days, if asked for. */
  telemetry?: TelemetryData;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** A workspace folder. */
export interface StatusFolder {
  /** The name that paths begin with. */
  name: string;
  /** Where it is. */
  path: string;
}

/** A step of a batch. */
export interface StepData {
  /** What it does, as a title. */
  summary: string;
  /** Replacements. */
  edits: number;
  /** Files that it changes; of a step that finds nothing to do, none. */
  files: number;
}

/** The reader of the payload; selects a budget rule. */
export type SubagentType =
  /** Whoever starts the others. */
  | "orchestrator"
  /** Who plans. */
  | "planner"
  /** Who writes code. */
  | "implementers"
  /** Who checks it. */
  | "verifier"
  /** Who is asked for advice. */
  | "consultant";

/** Answer of `codecortex_submitSemantic`. */
export interface SubmitSemanticData {
  /** The type or group of the text. */
  id: string;
  /** State of the text: `cached`, or `stale` if the code changed after the prompt. */
  semanticState: string;
  /** Whether the answer confirmed the present text. */
  isUnchanged: boolean;
  /** The file of the text, relative to the root. */
  file: string;
  /** Number of secrets removed before writing. */
  redacted?: number;
  /** The `cursor` of the next page; absent at the end. */
  nextCursor?: string;
  /** Parts that the budget omitted. */
  omitted?: Omitted;
  /** Freshness and completeness of the index. */
  index: Freshness;
  /** Cost of this answer. */
  budget: Budget;
}

/** A change in numbers. */
export interface Summary {
  /** Files by what happened to them. */
  changes_by_type: ByType;
  /** Lines in all. */
  total_lines: LineCounts;
  /** Paths, at most a hundred. */
  files_changed: string[];
}

/** A symbol and its declarations. */
export interface SymbolData {
  /** `class`, `method`, `variable` … */
  kind: string;
  name: string;
  /** Full path; of a local, its name. */
  path: string;
  /** As the language writes it. */
  signature?: string;
  /** Where it is declared. */
  definition: Definition;
  /** Its other declarations: overloads, parts, prototypes, other candidates. */
  definitions?: Definition[];
  /** Its documentation. */
  doc?: string;
}

/** A declaration that a unit touches. */
export interface SymbolEntry {
  /** Its path in the file. */
  path: string;
  /** What it is. */
  kind: string;
  /** What of it changed. */
  changes?: string[];
  /** What it was called. */
  old_name?: string;
}

/** What answers about a symbol have cost. */
export interface SymbolSpend {
  /** Its path. */
  symbol: string;
  calls: number;
  tokens: number;
}

/** The task that the payload is for. */
export interface Task {
  /** Its id. */
  task_id?: string;
  /** Where the task is written, and its short fields. */
  task_json?: TaskJson;
}

/** What the answers of a task cost, and what they replaced. */
export interface TaskData {
  /** When its first answer came. */
  from: string;
  /** When its last answer came. */
  to: string;
  calls: number;
  /** Tokens of its answers. */
  tokens: number;
  /** Tokens of the files that its answers name, as wholes, once for each answer. */
  fileTokens: number;
  /** The newest of its answers, if asked for, the oldest first. */
  receipts?: ReceiptData[];
}

/** A task's file: its path, and of what it says what is short. */
export interface TaskJson {
  /** Relative to its root. */
  path: string;
  /** Its fields that are words, numbers or sentences, as far as there is room. */
  fields?: Record<string, unknown>;
}

/** Figures of the last 30 days of this workspace, on this machine. */
export interface TelemetryData {
  /** Whether a log is kept; otherwise the figures are those of this process since its last minute. */
  isKept: boolean;
  /** Why the log could not be read. */
  error?: string;
  /** Lines of the log that could not be read. */
  damagedLines?: number;
  /** Seconds since this process began. */
  uptimeSec: number;
  /** Projects of the workspace. */
  projects: number;
  /** Types in `.context/`. */
  typesIndexed: number;
  /** Semantic texts that wait. */
  semanticQueueLength: number;
  /** Requests for semantic texts that failed. */
  recentSemanticFailures: number;
  /** Tokens of models that unchanged meaning saved. */
  semanticTokensSaved: number;
  /** Time to resolve a symbol in ms: half of the calls take at most this. */
  p50ResolveMs?: number;
  /** 95 in 100 calls take at most this. */
  p95ResolveMs?: number;
  /** Memory of the index in MB. */
  memoryMB: number;
  /** The part of the token limits that answers used, from 0 to 1. */
  budgetUsageRatio?: number;
  /** Answers above their limit. */
  budgetExceeded: number;
  /** The part of the files that starts took from the cache, from 0 to 1. */
  fileCacheHitRatio?: number;
  /** Edits that were made. */
  editsApplied: number;
  /** Edits that were refused or failed; they changed nothing. */
  editsFailed: number;
  /** Edits that were taken back. */
  editsUndone: number;
  /** Figures above their level, as sentences. */
  alarms?: string[];
  /** By tool, the most called first. */
  tools: ToolData[];
  /** By day in UTC, the oldest first. */
  days: DayData[];
  /** The newest task: calls without a pause of 15 minutes. */
  task?: TaskData;
}

/** Texts that nothing resolves. */
export type TextKind =
  /** Comments of code. */
  | "comment"
  /** Strings of code. */
  | "string"
  /** Files of prose. */
  | "document";

/** Texts about types. */
export interface TextsData {
  /** The model in use; absent if there is none. */
  model?: string;
  /** Types whose text is true of the code as it is. */
  cached: number;
  /** Types that a model is at. */
  generating: number;
  /** Types whose last attempt failed. */
  failed: number;
  /** More wait than is usual. */
  isQueueLong?: boolean;
  /** Requests that were sent. */
  calls: number;
  /** Tokens that they cost, in and out. */
  tokens: number;
  /** Requests in the last hour. */
  callsLastHour: number;
  /** Requests in the last day. */
  callsLastDay: number;
  /** Answers that said that the text holds as it is. */
  unchanged: number;
  /** Requests that brought nothing: no answer, or a text that is not taken. */
  failures: number;
  /** Secrets that were taken out of what was sent and answered. */
  redacted?: number;
  /** How long the last 200 answers took, in ms: half of them at most this. */
  tookP50Ms?: number;
  /** 95 in 100 of them at most this. */
  tookP95Ms?: number;
  /** Changes of described types after which nobody had to be asked. */
  callsSaved: number;
  /** What these would have cost on the average, and what prompts about changes cost less than prompts for whole texts. */
  tokensSaved: number;
  /** When a model is asked, and how often, where the person set that. */
  modelSettings?: ModelSettings;
  /** Why nothing is sent at present. */
  held?: string;
}

/** Counts by tier. */
export interface TierCounts {
  provider?: number;
  exact: number;
  inferred: number;
  related: number;
  name: number;
}

/** How sure a reference is (SPEC R2). */
export type TierWord =
  /** A language server agrees. */
  | "provider"
  /** Every step to it is declared. */
  | "exact"
  /** Some step was inferred. */
  | "inferred"
  /** An override or implementation. */
  | "related"
  /** Same name, receiver unknown. */
  | "name";

/** Calls of a tool. */
export interface ToolData {
  tool: string;
  calls: number;
  failures: number;
  tokens: number;
  p50Ms?: number;
  p95Ms?: number;
}

/** A failed call. */
export interface ToolError {
  /** What kind of failure. */
  code: ErrorCode;
  /** What is wrong, as a sentence. */
  message: string;
  /** Whether the same call may succeed later. */
  retryable?: boolean;
  /** What to do next. */
  hint?: string;
  /** Data for the code. */
  details?: Record<string, unknown>;
}

/** Results beyond the limits. */
export interface Truncated {
  supers: boolean;
  derivedDepth: boolean;
  /** How many more each has. */
  derivedBreadthByClass: Record<string, number>;
}

/** The type. */
export interface TypeData {
  kind: string;
  name: string;
  path: string;
  signature: string;
  doc?: string;
  /** Bases outside of the workspace: their members are not known. */
  externalBases?: string[];
}

/** Where a type is written. */
export interface TypeSource {
  /** Language id; `cpp` of an engine's type, `external` of another that is not of the workspace. */
  source: string;
  /** Where the engine declares it. */
  header?: string;
  filePath?: string;
  startLine?: number;
  endLine?: number;
  /** Of its name; from 0, UTF-16. */
  nameRange?: LspRange;
  preview?: string;
  /** `provider` where a language server says the same of it. */
  tier?: TierWord;
  why?: Why;
}

/** A text that is to be made. */
export interface UnitData {
  /** The id of the type or group. */
  id: string;
  /** Paths of its types. */
  symbols: string[];
  /** Where its text stands now. */
  semanticState: string;
  /** What its prompt costs. */
  promptTokens?: number;
  /** Whether the prompt asks for the whole text. */
  isFull?: boolean;
  /** Members that changed, where the prompt is about these. */
  affected?: number;
}

/** A unit as the index has it (`004` §1). */
export interface UnitEntry {
  /** Its id; plans name it. */
  unit_id: string;
  /** Its file. */
  file_path: string;
  /** Where the file was before, if elsewhere. */
  old_path?: string;
  /** Its language. */
  language?: string;
  /** `add`, `modify`, `delete`, `rename`, `copy`, `mode`. */
  patch_type: string;
  /** Of another repository, which commit of it was meant and which is: `old..new`; `none` where there was or is none. */
  submodule?: string;
  /** The gravest class of change in it: `Structure` … `Cosmetic`. */
  change_class?: string;
  /** What the rules call it. */
  tags: string[];
  /** How large it is. */
  metrics: Metrics;
  /** The declarations it touches; at most twelve. */
  symbols?: SymbolEntry[];
  /** How much may go wrong. */
  risk: Risk;
  /** How much of it the rules would show. */
  rule_context_level: EvidenceLevel;
  /** How sure they are, 0 to 1. */
  rule_confidence: number;
  /** Which rules match. */
  rule_notes: string[];
  /** What they would look up. */
  rule_extra_requests?: EvidenceRequest[];
  /** Its changed lines. */
  line_numbers: LineNumbers;
  /** What was decided. */
  agent_decision: Decision;
}

/** A place with the old name that stays. */
export interface UntouchedData {
  /** `rootName/relative/path:line:character`, from 1, UTF-16. */
  place: string;
  /** `comment`, `string`, or `name`: a use whose receiver cannot be typed. */
  reason: string;
}

/** Why something is in an answer as it is. */
export type Why =
  /** Only a language provider has it. */
  | "provider-only"
  /** The language provider should have it too. */
  | "disputed"
  /** A provider agreed with what was inferred. */
  | "inferred"
  /** A provider agreed with what is related. */
  | "related"
  /** A provider agreed with what has the same name. */
  | "name"
  /** A use under the name that an import gives it (SPEC D34). */
  | "renamed";

/** Some lines of a text. */
export interface Window {
  /** First line, from 1. */
  startLine: number;
  /** Last line. */
  endLine: number;
  /** The lines. */
  text: string;
}

/** How many observations have a word. */
export interface WordCount {
  word: string;
  count: number;
}

/** A word that changes on request. */
export interface WordData {
  /** `rootName/relative/path:line:character`, from 1, UTF-16. */
  place: string;
  /** What holds it: `comment`, `string` or `document`. */
  kind: TextKind;
}

/** What the answer of each tool holds as `data`, by the tool's name. */
export interface ToolAnswers {
  codecortex_getOutline: OutlineData;
  codecortex_searchApi: SearchData;
  codecortex_resolveSymbol: ResolveData;
  codecortex_findReferences: ReferencesData;
  codecortex_resolveSymbolAtPosition: PositionData;
  codecortex_getTypeMembers: MembersData;
  codecortex_getClassHierarchy: HierarchyData;
  codecortex_status: StatusData;
  codecortex_getLiveContext: LiveData;
  codecortex_applyEdit: ApplyData;
  codecortex_refactor: RefactorData;
  codecortex_getContext: ContextData;
  codecortex_reviewChanges: ReviewData;
  codecortex_remember: RememberData;
  codecortex_recall: RecallData;
  codecortex_forget: ForgetData;
  codecortex_pin: PinData;
  codecortex_pack: PackData;
  codecortex_changes: ChangesData;
  codecortex_hashes: HashesData;
  codecortex_exportGraph: GraphData;
  codecortex_aliases: AliasesData;
  codecortex_invalidate: InvalidateData;
  codecortex_getSemantic: GetSemanticData;
  codecortex_submitSemantic: SubmitSemanticData;
  codecortex_describe: DescribeData;
  codecortex_investigate: OpData;
  codecortex_op: OpData;
}

/** The name of a tool. */
export type ToolName = keyof ToolAnswers;

/** A tool's answer in JSON. */
export type Envelope<Name extends ToolName = ToolName> =
  | { ok: true; data: ToolAnswers[Name] }
  | { ok: false; error: ToolError; budget?: Budget };
