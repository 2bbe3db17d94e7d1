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
  /** By old id. */
  aliases: AliasData[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Answer of `codecortex_applyEdit`. */
export interface ApplyData {
  /** Whether the files are changed; false for a dry run. */
  applied: boolean;
  /** The number of the edit, as `plan_hints` has it. */
  editId: number;
  /** What became of each file. */
  files: FileData[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** A place, as an editor shows it. */
export interface At {
  /** Line from 1. */
  line: number;
  /** Character from 1, in UTF-16 units. */
  character: number;
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

/** Files by what happened to them; moved and copied ones are modified. */
export interface ByType {
  add: number;
  modify: number;
  delete: number;
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
  /** For editors: of the name; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` where it is not of the workspace: the file describes it. */
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

/** What was done to. */
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
  /** Revision of the index that changes are told from. */
  since: number;
  /** Exact number of entries on all pages. */
  total: number;
  /** Entries by what became of them. */
  totalByClass: Record<string, number>;
  /** The page, the latest first. */
  changes: ChangeData[];
  /** Types whose semantic text is out of date, by path, at most a hundred. */
  stale?: StaleData[];
  /** How many there are. */
  staleTotal?: number;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
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
  /** Tokens that the window may have. */
  budgetTokens?: number;
  /** Tokens that it has. */
  usedTokens?: number;
  /** Tokens of it by `pinned`, `focus` and `recent`. */
  bySource?: Record<string, number>;
  /** What is in it, in its order. */
  pieces?: PieceData[];
  /** What has no room, the most important first; at most fifty. */
  cut?: CutData[];
  /** How many have none. */
  cutTotal?: number;
  /** Pieces of which less is said than there is. */
  downgrades?: string[];
  /** What a person should know. */
  notices?: string[];
  /** What answers have cost since the start. */
  spent?: SpentData;
  /** `context_payload.v2`. */
  version?: string;
  /** When it was made, UTC: `YYYY-MM-DD HH:mm:ss`. */
  generated_at?: string;
  /** Who it is for. */
  subagent_type?: SubagentType;
  /** What is told. */
  mode?: Mode;
  /** The task. */
  task?: Task;
  /** What was noted before. */
  observations?: Observations;
  /** The code that the question is about. */
  repo_map?: Map;
  /** What the reader should know of the payload. */
  notes?: string[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
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

/** What was decided of a unit. */
export interface Decision {
  /** How much of it is shown. */
  context_level: Level;
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
  sites?: Site[];
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
  /** Exact number of texts: a group of types that need one another has one. */
  total: number;
  /** The first of them. */
  units: UnitData[];
  /** Of a dry run, tokens of all prompts, answers not counted. */
  promptTokens?: number;
  /** Of a dry run, how many prompts were measured; the others are taken to be of their average size. */
  measured?: number;
  /** The model that is asked; absent where there is none. */
  model?: string;
  /** Why nothing is sent for now. */
  why?: string;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
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
  from: Level;
  /** What is shown. */
  to: Level;
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
  /** Id of the type that needs the other. */
  from: string;
  /** Id of the type that is needed. */
  to: string;
  /** Whether the other is its base. */
  base?: boolean;
}

/** What the editor shows. */
export interface EditorData {
  /** The document that has the focus. */
  activeFile?: string;
  /** Where its cursors are, the primary one first. */
  cursors?: At[];
  /** What is selected in it. */
  selections?: Range[];
  /** First and last line on the screen, from 1. */
  visibleRanges?: ([number, number])[];
  /** Documents that differ from the disk, at most ten. */
  dirtyFiles?: string[];
  /** How many there are. */
  dirtyTotal?: number;
  /** Problems of the document that is shown, the gravest first. */
  diagnostics?: Problem[];
  /** Problems of all documents. */
  problemsTotal?: number;
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

/** Files from outside. */
export interface ExternalData {
  /** How many were read. */
  files: number;
  /** Types that they declare. */
  types: number;
  /** The first of them. */
  filePaths: string[];
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

/** What became of a file. */
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

/** A workspace folder. */
export interface Folder {
  /** The name that paths begin with. */
  name: string;
  /** Where it is. */
  path: string;
}

/** Answer of `codecortex_forget`. */
export interface ForgetData {
  /** The ids that are forgotten. */
  forgotten: number[];
  /** Whether they are out of the files. */
  purged: boolean;
  /** Id of the record that says so. */
  tombstone: number;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** How fresh and complete the index was (SPEC X2). */
export interface Freshness {
  /** Revision of the index. */
  revision: number;
  /** What keeps the index from being complete: `scanning`, `indexing` or `cancelled`. */
  phase?: Phase;
  /** Files still to be read. */
  pending?: number;
  /** Whether unsaved text of an editor was used. */
  unsaved?: boolean;
  /** Workspace folders that cannot be read now: nothing of them is in the answer. */
  unreadableRoots?: string[];
}

/** Answer of `codecortex_getSemantic`. */
export interface GetSemanticData {
  /** The symbol that was asked about. */
  resolved: ResolvedSymbol;
  /**
   * Where the text stands: `none`, `pending`, `generating`, `cached` (true of the code as it is) or `stale` (of the
   * code as it was).
   */
  semanticState: string;
  /** The group that the type is described with, where types need one another. */
  groupId?: string;
  /** The types of the group. */
  typeIds?: string[];
  /** What the text says, section by section; data from whoever wrote it. */
  sections?: SectionData[];
  /** Why there is no text, or none that is up to date, and what leads on. */
  why?: string;
  /** What went wrong at the last attempt to make one. */
  lastError?: string;
  /** Classes of change since the text was made, the gravest first. */
  classes?: string[];
  /** Answer this prompt and hand the answer in with `codecortex_submitSemantic`. */
  prompt?: string;
  /** What the prompt costs, as characters / 4; also where it had no room in this answer. */
  promptTokens?: number;
  /** What the answer has to come with; it holds after restarts and in other processes. */
  ticket?: string;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Answer of `codecortex_exportGraph`. */
export interface GraphData {
  /** The symbol that it begins at. */
  resolved?: ResolvedSymbol;
  /** How the graph is written. */
  notation: Notation;
  /** Exact number of types within reach, shown or not. */
  total: number;
  /** Exact number of dependencies between them. */
  dependencies: number;
  /** Number of cycles: groups of types each of which needs each other, directly or not. */
  cycles: number;
  /** Types that are not shown. */
  leftOut: number;
  /** The drawing; absent in `json`. */
  graph?: string;
  /** The types, in the order of their paths; only in `json`. */
  types?: NodeData[];
  /** The dependencies between them; only in `json`. */
  edges?: EdgeData[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Answer of `codecortex_hashes`. */
export interface HashesData {
  /** The symbol that was asked about. */
  resolved: ResolvedSymbol;
  /** Path of the type or module that the hashes are of. */
  path: string;
  /** What it is: `class`, `module` … */
  kind: string;
  /** Its id. */
  typeId: string;
  /** The files it is written in. */
  files: string[];
  /** Of what others see. */
  structureHash: string;
  /** Of what it does for others. */
  publicImplHash: string;
  /** Of what only it knows of. */
  internalImplHash: string;
  /** Of both implementations. */
  implHash: string;
  /** Of documentation. */
  xmlDocHash: string;
  /** Of comments, white space and order. */
  cosmeticHash: string;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Answer of `codecortex_getClassHierarchy`. */
export interface HierarchyData {
  resolved: ResolvedSymbol;
  /** The type's path. */
  root: string;
  /** Everything above it, nearest first. */
  supers: string[];
  /** The direct bases of it and of those above it. */
  basesByClass: Record<string, string[]>;
  /** What derives directly from each; of the root what follows `cursor`. */
  derivedByParent: Record<string, string[]>;
  /** Where each is written. */
  sourceByClass: Record<string, Source>;
  limits: Limits;
  truncated: Truncated;
  /** Direct subtypes of the type: all that are known, and what its name alone speaks for. */
  totalByTier: TierCounts;
  /** Types with a base of its name that provably comes from outside the workspace. */
  totalOutside: number;
  /** About the type's direct bases and what derives from it; where they said anything. */
  agreement?: Agreement;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
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
  /** Exact number of files that are read again. */
  total: number;
  /** The first of them. */
  files: string[];
  /** Types with a semantic text, which counts as stale now. */
  types: number;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** A unit with what it is understood by. */
export interface Item {
  /** The unit's id. */
  unit_id: string;
  /** Where it is and what it is. */
  meta: Meta;
  /** How much of it is shown. */
  final_context_level?: Level;
  /** What was looked up for it. */
  extra_requests?: Request[];
  /** Its hunks. */
  diff: string;
  /** Further lines of its file; the first of each run has its number. Lines of the diff are not repeated. */
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

/** What is indexed in one language. */
export interface LanguageData {
  files: number;
  lines: number;
  symbols: number;
}

/** How much of a unit is shown (`004` §2), least first. */
export type Level =
  /** The diff. */
  | "diff_only"
  /** The functions that changed, whole. */
  | "function"
  /** What is around them in the file. */
  | "file_context"
  /** The file. */
  | "full_file";

/** How far it was looked. */
export interface Limits {
  maxSuperDepth: number;
  maxSubDepth: number;
  maxSubBreadth: number;
}

/** Changed lines as `L20-L35,L40`. */
export interface LineNumbers {
  /** Of the version after. */
  new_compact: string;
  /** Of the version before. */
  old_compact: string;
}

/** Lines in all. */
export interface Lines {
  added: number;
  removed: number;
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
  /** The text as it is now: the truth. */
  current_document?: CurrentDocument;
  /** What changed since the version of `since`, in place of the text. */
  delta?: Delta;
  /** The version or lines that were asked for. */
  requested?: Requested;
  /** The last steps, the latest first. */
  recent_diffs?: DiffSummary[];
  /** What changed since about an hour ago. */
  anchor_diff?: DiffSummary;
  /** What the editor shows. */
  editor_state?: EditorData;
  /** What became of the edits that were asked for, the latest first. */
  plan_hints?: HintData[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
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
  /** For editors: of the name; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` where it is not of the workspace: the file describes it. */
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
  /** Why it is here. */
  why?: string[];
  /** Its code, each run of lines after its first line's number. */
  text?: string;
}

/** Answer of `codecortex_getTypeMembers`. */
export interface MembersData {
  resolved: ResolvedSymbol;
  /** The type. */
  type: TypeData;
  /** On all pages. */
  total: number;
  /** Its own first, then those of each base. */
  members: MembersMemberData[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** One member. */
export interface MembersMemberData {
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

/** What is told (SPEC CP1). */
export type Mode =
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

/** When models are asked, and how often. */
export interface ModelSettings {
  /** Whether texts that are stale or missing are made anew when somebody asks for them. */
  mode: ModelMode;
  /** The most requests in an hour. */
  callsPerHour?: number;
  /** The most requests in a day. */
  callsPerDay?: number;
  /** The most tokens, in and out, in an hour. */
  tokensPerHour?: number;
  /** The most tokens, in and out, in a day. */
  tokensPerDay?: number;
}

/** A type of the graph. */
export interface NodeData {
  /** Its id. */
  id: string;
  /** Full path. */
  path: string;
  /** `class`, `interface` … */
  kind: string;
  /** A file that it is in. */
  filePath?: string;
  /** The number of the cycle that it is in, from 1. */
  cycle?: number;
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

/** What was noted before. */
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
  /** The operation, as `.context/ops/<opId>.json` has it. */
  operation: Operation;
  /** The conclusion was there already, and nothing that it rests on has changed. */
  isCached?: boolean;
  /** The code that it rests on has changed since. */
  isOutdated?: boolean;
  /** Where nobody is at it: answer this with other tools' help, and hand the conclusion in with `codecortex_op`. */
  prompt?: string;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
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
  /** How many secrets were taken out of it before it was written. */
  redacted?: number;
}

/** Answer of `codecortex_getOutline`. */
export interface OutlineData {
  /** The symbol that was meant; absent for a whole file. */
  resolved?: ResolvedSymbol;
  /** `rootName/relative/path`. */
  filePath: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line, from 1. */
  endLine: number;
  /** For editors: of the name; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` where it is not of the workspace: the file describes it. */
  source?: string;
  /** Language id. */
  language: string;
  /** What the file is encoded in, where that is not UTF-8. */
  encoding?: string;
  /** The file's package or namespace, where it declares one for all of it. */
  package?: string;
  /** Documentation of the file itself. */
  doc?: string;
  /** Other places where the type is written. */
  parts?: Location[];
  /** Places in the file that do not parse. */
  syntaxErrors?: number;
  /** Number of declarations, shown or not; of an `outline`, of signatures; of `source`, of lines. */
  total: number;
  /** The declarations, each before what is in it; absent where there is `outlineText`. */
  declarations?: Declaration[];
  /** The outline as text, in the form that was asked for. */
  outlineText?: string;
  /** Of the form `source`: the code of each declaration. */
  sources?: SourceData[];
  /** Of the form `source`: what of a list was not found. */
  missing?: string[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Answer of `codecortex_pack`. */
export interface PackData {
  /** The packs that the answer is about; all of them for `list`. */
  packs: PackInfo[];
  /** Whether the text is the one that was there already. */
  reused?: boolean;
  /** Types in the pack, what is needed before what needs it. */
  types?: PackMemberData[];
  /** Types that the filter fits, or that those depend on, and that have no room. */
  cut?: string[];
  /** The text, for `show`. */
  text?: string;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
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
  /** What of it is said: `outline`, `names` … */
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
  /** What was done to. */
  changed: Changed[];
  /** What was so already. */
  unchanged?: string[];
  /** How many are pinned. */
  pinned: number;
  /** How many are in focus because somebody put them there. */
  inFocus: number;
  /** Tokens that the window has now. */
  usedTokens: number;
  /** Tokens that it may have. */
  budgetTokens: number;
  /** What a person should know. */
  notices?: string[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** What was decided of a unit (`004` §3). */
export interface PlanEntry {
  unit_id: string;
  rule_context_level: Level;
  rule_confidence: number;
  llm_context_level?: Level;
  final_context_level: Level;
  extra_requests?: Request[];
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
  rule_context_level: Level;
  rule_confidence: number;
  line_numbers: LineNumbers;
  rule_extra_requests?: Request[];
}

/** Answer of `codecortex_resolveSymbolAtPosition`. */
export interface PositionData {
  /** The symbol's path and ids; absent for locals. */
  resolved?: ResolvedSymbol;
  /** What the name means. */
  symbol: SymbolData;
  /** The innermost declaration around the place. */
  enclosing?: Enclosing;
  /** Where they said anything. */
  agreement?: Agreement;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** A problem. */
export interface Problem {
  /** Line from 1. */
  line: number;
  /** How grave it is. */
  severity: LiveSeverity;
  /** What it says. */
  message: string;
  /** Who says it. */
  source?: string;
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

/** A range, as an editor shows it. */
export interface Range {
  /** Its start. */
  start: At;
  /** Its end, exclusive. */
  end: At;
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
  /** How many meet the conditions, on all pages. */
  total: number;
  /** Where that is false, there are more. */
  isExact?: boolean;
  /** Where no observation has all words: how many have each. */
  wordHits?: WordCount[];
  /** Ids asked for that were forgotten. */
  forgotten?: number[];
  /** Ids asked for that no observation ever had. */
  unknown?: number[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
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
  /** What is unusual about the tier. */
  why?: Why;
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
  /** The symbol that was meant; absent for locals. */
  resolved?: ResolvedSymbol;
  /** All that fit the filters, on every page. */
  total: number;
  /** Before the filters; of `relation`, what fits them. */
  totalByTier: TierCounts;
  /** Occurrences of the name that provably mean something outside the workspace. */
  totalOutside: number;
  /** Of what has more uses than a page holds, on the first page: by what is done, of all that fit. */
  totalByRole?: Record<string, number>;
  /** The same by folder; the smaller folders together as `…`. */
  totalByFolder?: Record<string, number>;
  /** Best first, then by file and place. */
  references: ReferenceData[];
  /** Where they said anything. */
  agreement?: Agreement;
  /** With `relation`, in place of `references`: nearest first, then best. */
  declarations?: DeclarationData[];
  /** Whether there are more of `relation` than were looked for. */
  truncated?: boolean;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Answer of `codecortex_remember`. */
export interface RememberData {
  /** Its id. */
  id: number;
  /** What an index says of it. */
  summary: string;
  /** The symbols that it is about, as they are called in full. */
  symbols?: string[];
  /** How many secrets were taken out of it before it was recorded. */
  redacted?: number;
  /** What did not work beside it. */
  warnings?: string[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Something that is to be looked up for a unit (`004` §2). */
export interface Request {
  /** What is looked up. */
  type: RequestKind;
  /** Of what: a name or path of a symbol, or words; in rules also `$symbol`, `$container`, `$old_name` … */
  details?: string;
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
  /** The symbol, where there is no doubt. */
  resolved?: ResolvedSymbol;
  /** Exact number of candidates on all pages. */
  total: number;
  /** What the path can mean, best first. */
  candidates: CandidateData[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Which symbol an answer is about. */
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
  /** What is reviewed. */
  review_metadata?: Metadata;
  /** It in numbers. */
  summary?: Summary;
  /** With `index`: the units, by file. */
  review_index?: UnitEntry[];
  /** With `plan`: the units as a planner needs them. */
  units?: PlannerUnit[];
  /** With `index`: what was decided of them, and why. */
  plan?: PlanEntry[];
  /** With `bundle`: the units with what they are understood by, the riskiest first. */
  bundle?: Item[];
  /** With `bundle`: of what less is shown than was wanted. */
  downgrades?: Downgrade[];
  /** With `bundle`: what has no room, and its cost. */
  left_out?: Missing[];
  /** With `findings`: what was found. */
  findings?: Finding[];
  /** With `findings`: what was found and a person dismissed. */
  dismissed?: Finding[];
  /** With `findings`: what does not stand, and why. */
  dropped?: Dropped[];
  /** With `prompt`: what a model is told. */
  prompt?: Prompt;
  /** How many secrets were taken out of the prompt. */
  redacted?: number;
  /** With `plan`: what a planner is told. */
  instructions?: string;
  /** What a reader should know. */
  notes?: string[];
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
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
  /** Where nothing was found, what is not looked at. */
  note?: string;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
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
  /** For editors: of the name; from 0, UTF-16. */
  nameRange?: LspRange;
  /** `cpp` or `external` where it is not of the workspace: the file describes it. */
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

/** Where one calls the other. */
export interface Site {
  filePath: string;
  /** Of the name; from 0, UTF-16. */
  range: LspRange;
  tier: TierWord;
}

/** Lines of another file. */
export interface Snippet {
  /** Its path. */
  file_path: string;
  /** Lines; the first of each run has its number. */
  snippet: string;
}

/** Where a type is written. */
export interface Source {
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
  /** For editors: of the name; from 0, UTF-16. */
  nameRange?: LspRange;
  /**
   * Its lines, each after its number, with the heads of what it is in and the fields there that it names; `…` where
   * lines are left out.
   */
  source: string;
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

/** What is kept in a folder's `.context/`. */
export interface StatusContextData {
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

/** Answer of `codecortex_status`. */
export interface StatusData {
  /** What the engine is doing: `empty`, `scanning`, `indexing`, `ready` or `cancelled`. */
  phase: Phase;
  /** Version of the product. */
  version: string;
  /** The workspace's folders. */
  folders: Folder[];
  /** Files in the index. */
  files: number;
  /** Lines of these files. */
  lines: number;
  /** Declarations in the index. */
  symbols: number;
  /** Files still to be read. */
  pending: number;
  /** The same by language. */
  languages: Record<string, LanguageData>;
  /** Files and folders left out, by reason. */
  skipped: Record<string, number>;
  /** Files with places that do not parse. */
  filesWithSyntaxErrors: number;
  /** Open documents with text that is not saved. */
  unsavedDocuments: number;
  /** Memory of the index in bytes, roughly. */
  memoryBytes: number;
  /** Why all folders are listed for every answer, where the disk is not relied on to tell of changes. */
  unwatched?: string;
  /** What the index may hold at most, in bytes, where there is a ceiling. */
  memoryCeilingBytes?: number;
  /** What was given up to stay below it: `trees`, `caches`, `bodies`. */
  givenUp?: string[];
  /** The `.context/` of each folder that has one and was read. */
  context?: StatusContextData[];
  /** Files that declare what the workspace uses and does not have, where there are any. */
  external?: ExternalData;
  /** What came of asking VS Code's language providers, once they were asked. */
  providers?: ProvidersData;
  /** What is left out, or refused, because the engine failed at it twice. */
  faults?: string[];
  /** The list asked for. */
  list?: ListEntry[];
  /** Exact length of the list. */
  listTotal?: number;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** Who the payload is for. */
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
  /** The type or group that the text is of. */
  id: string;
  /** Where the text stands with that: `cached`, or `stale` where the code has changed since the prompt was made. */
  semanticState: string;
  /** Whether it was said that the text holds as it is. */
  isUnchanged: boolean;
  /** The file that holds it, relative to the root. */
  file: string;
  /** How many secrets were taken out of it before it was written. */
  redacted?: number;
  /** Give it as `cursor` for what follows; absent at the end. */
  nextCursor?: string;
  /** What the budget left out of this answer. */
  omitted?: Omitted;
  /** How fresh and complete the index was. */
  index: Freshness;
  /** What this answer costs. */
  budget: Budget;
}

/** A change in numbers. */
export interface Summary {
  /** Files by what happened to them. */
  changes_by_type: ByType;
  /** Lines in all. */
  total_lines: Lines;
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

/** A task's file: its path, and of what it says what is short. */
export interface TaskJson {
  /** Relative to its root. */
  path: string;
  /** Its fields that are words, numbers or sentences, as far as there is room. */
  fields?: Record<string, unknown>;
}

/** Texts about types. */
export interface TextsData {
  /** The model that is asked; absent where there is none. */
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
  /** Why nothing is sent for now. */
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

/** What the limits left out. */
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
  rule_context_level: Level;
  /** How sure they are, 0 to 1. */
  rule_confidence: number;
  /** Which rules match. */
  rule_notes: string[];
  /** What they would look up. */
  rule_extra_requests?: Request[];
  /** Its changed lines. */
  line_numbers: LineNumbers;
  /** What was decided. */
  agent_decision: Decision;
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
