/**
 * From what the user wrote into the settings to what the engine is told.
 *
 * Settings come from a JSON file, so any of them may hold anything; a value that makes no sense is
 * replaced by the default rather than passed on.
 */
import type { AutomaticImports, Config, AnswerFormat, GeneratedMember } from "../generated/protocol";
import { ignorePatterns } from "./globs";

/** The settings as the editor hands them over, unchecked. */
export interface RawSettings {
  maxFileSize: unknown;
  exclude: unknown;
  excludeGenerated: unknown;
  format: unknown;
  workers: unknown;
  profile: unknown;
  anchorMinutes: unknown;
  record: unknown;
  telemetry: unknown;
  keepContext: unknown;
  memoryCeiling: unknown;
  mergeProviders: unknown;
  providerTimeout: unknown;
  externalTypes: unknown;
  automaticImports: unknown;
  generatedMembers: unknown;
  /** `files.exclude` of the workspace and each of its folders. */
  filesExclude: unknown[];
}

/** The settings, checked. */
export interface Settings {
  config: Required<Config>;
  /** The form answers take where a call does not say; see {@link withFormat}. */
  format: AnswerFormat;
  /** Parse workers; 0 lets the machine decide. */
  workers: number;
  /** How many milliseconds language providers have to answer; 0 where they are not asked. */
  providerTimeoutMs: number;
  /** Which tools models are offered. */
  profile: "default" | "full";
}

/** The form the engine is told once and for all. */
const ENGINE_FORMAT: AnswerFormat = "json";

const DEFAULT_MAX_FILE_SIZE = 4 * 1024 * 1024;
/** Files come through one address space of 4 GiB together with their trees; more is never useful. */
const LARGEST_MAX_FILE_SIZE = 64 * 1024 * 1024;
const MOST_WORKERS = 16;
/** Linear memory ends at 4 GiB. */
const LARGEST_CEILING_MB = 4096;
const DEFAULT_CEILING_MB = 1024;
/** Longer than this no model waits for a few more references. */
const LONGEST_PROVIDER_TIMEOUT_MS = 30_000;
const DEFAULT_PROVIDER_TIMEOUT_MS = 1_500;
/** How often a document is sampled, to be compared with what it becomes (SPEC D27). */
const ANCHOR_MINUTES = 30;
const MOST_ANCHOR_MINUTES = 240;

/** What a generated member is called (SPEC AS1). */
const TEMPLATE = /^[^<>]*<(Event|Prop|Method|Member)>[^<>]*$/;

/** Checks the settings. */
export function readSettings(raw: RawSettings): Settings {
  return {
    config: {
      maxFileSize: integer(raw.maxFileSize, 1, LARGEST_MAX_FILE_SIZE, DEFAULT_MAX_FILE_SIZE),
      exclude: excludes(raw),
      excludeGenerated: raw.excludeGenerated !== false,
      format: ENGINE_FORMAT,
      keepContext: raw.keepContext !== false,
      // Trust is the workspace's: what is not trusted is not kept.
      untrustedContexts: [],
      // The worker reads them, where there is a disk.
      personal: {},
      memoryCeilingMb: integer(raw.memoryCeiling, 0, LARGEST_CEILING_MB, DEFAULT_CEILING_MB),
      // The module has no exact tokenizer; the chat's model counts its own tokens.
      tokenizer: "approx",
      anchorMinutes: integer(raw.anchorMinutes, 1, MOST_ANCHOR_MINUTES, ANCHOR_MINUTES),
      record: raw.record === true,
      telemetry: raw.telemetry !== false,
      externalTypes: externalTypes(raw.externalTypes),
      angelscript: {
        automaticImports: automaticImports(raw.automaticImports),
        generatedMembers: generatedMembers(raw.generatedMembers),
      },
    },
    format: format(raw.format),
    workers: integer(raw.workers, 0, MOST_WORKERS, 0),
    providerTimeoutMs:
      raw.mergeProviders === false
        ? 0
        : integer(raw.providerTimeout, 0, LONGEST_PROVIDER_TIMEOUT_MS, DEFAULT_PROVIDER_TIMEOUT_MS),
    profile: raw.profile === "full" ? "full" : "default",
  };
}

/** Whether two configurations are the same. */
export function sameConfig(a: Config, b: Config): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The form asked for by a call's own argument or else by the setting. */
export function effectiveFormat(args: unknown, setting: AnswerFormat): AnswerFormat {
  const own = ownFormat(args);
  return own === undefined || own === null ? setting : format(own);
}

/**
 * The arguments with the form that the setting asks for. The engine is not told the setting itself:
 * configuring it again would have it build its index again.
 */
export function withFormat(args: unknown, setting: AnswerFormat): unknown {
  const says = (ownFormat(args) ?? undefined) !== undefined;
  return says || setting === ENGINE_FORMAT || !isRecord(args) ? args : { ...args, format: setting };
}

/** What a call says itself; models write null for what they leave out. */
function ownFormat(args: unknown): unknown {
  return isRecord(args) ? args.format : undefined;
}

function excludes(raw: RawSettings): string[] {
  const own = Array.isArray(raw.exclude) ? raw.exclude.filter((entry) => typeof entry === "string") : [];
  const editor = raw.filesExclude.flatMap((value) => (isRecord(value) ? ignorePatterns(value) : []));
  return [...new Set([...editor, ...own].filter((pattern) => pattern.trim() !== ""))];
}

/** The files that are named; null where they are to be looked for. */
function externalTypes(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string" && entry.trim() !== "") : null;
}

function automaticImports(value: unknown): AutomaticImports {
  const word = String(value);
  return word === "true" || word === "false" ? word : "auto";
}

/** Names with one `<Event>`, `<Prop>`, `<Method>` or `<Member>`. */
function generatedMembers(value: unknown): GeneratedMember[] {
  const entries: unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    const name = isRecord(entry) ? entry.name : entry;
    return typeof name === "string" && TEMPLATE.test(name) ? [{ name }] : [];
  });
}

function format(value: unknown): AnswerFormat {
  return value === "text" || value === "both" ? value : "json";
}

function integer(value: unknown, least: number, most: number, otherwise: number): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    return otherwise;
  }
  return Math.min(most, Math.max(least, Math.round(value)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
