/** A parse worker: takes jobs, one after the other, and answers each. The same on desktop and web. */
import type { FromParser, Job, JobResults, ToParser } from "./jobs";
import type { AnalyseOptions, Outcome } from "./files";
import { describe, isTrap, type Analyser } from "./module";

/** What differs between the platforms. */
export interface ParserParts {
  /** Instantiates the module; called when the first file is to be analysed, listing needs none. */
  instantiate(module: WebAssembly.Module): Analyser & { memoryBytes(): number };
  /** Does what needs the disk: listing and reading. Throws a sentence where that fails. */
  disk: Disk | undefined;
  /** What the module printed last before it trapped, which is the panic's message. */
  lastWords(): string | undefined;
  post(message: FromParser, hand: ArrayBuffer[]): void;
}

/** Access to the disk. */
export interface Disk {
  list(job: Extract<Job, { kind: "list" }>): JobResults["list"];
  /** The bytes are used before the next call. */
  read(file: string, maxBytes: number): { size: number; mtimeMs: number; bytes: Uint8Array };
}

/** Works jobs off. */
export class Parser {
  private compiled: WebAssembly.Module | undefined;
  private module: (Analyser & { memoryBytes(): number }) | undefined;

  constructor(private readonly parts: ParserParts) {}

  /** A message of the engine worker. */
  receive(message: ToParser): void {
    if (message.kind === "module") {
      this.compiled = message.module;
      return;
    }
    const { id, job } = message;
    try {
      const result = this.run(job);
      const hand = "outcome" in result ? [result.outcome.buffer as ArrayBuffer] : [];
      this.parts.post({ id, ok: true, result, memoryBytes: this.memoryBytes() }, hand);
    } catch (error) {
      const broken = isTrap(error);
      const reason = broken
        ? `the parser gave up on it: ${this.parts.lastWords() ?? describe(error)}`
        : describe(error);
      this.parts.post({ id, ok: false, reason, broken, memoryBytes: this.memoryBytes() }, []);
    }
  }

  private run(job: Job): JobResults[Job["kind"]] {
    switch (job.kind) {
      case "list":
        return this.disk().list(job);
      case "file": {
        const { bytes, size, mtimeMs } = this.disk().read(job.file, job.options.maxFileSize);
        return this.analysed(job.path, bytes, size, mtimeMs, job.options);
      }
      case "bytes":
        return this.analysed(job.path, job.bytes, job.size, job.mtimeMs, job.options);
    }
  }

  private analysed(path: string, bytes: Uint8Array, size: number, mtimeMs: number, options: AnalyseOptions): Outcome {
    const module = this.instance();
    const outcome = module.analyse(path, bytes, options.maxFileSize, options.excludeGenerated);
    return { size, mtimeMs, outcome };
  }

  private instance(): Analyser {
    if (!this.module) {
      if (!this.compiled) {
        throw new Error("the parser has no module");
      }
      this.module = this.parts.instantiate(this.compiled);
    }
    return this.module;
  }

  private disk(): Disk {
    if (!this.parts.disk) {
      throw new Error("there is no disk here");
    }
    return this.parts.disk;
  }

  private memoryBytes(): number {
    return this.module?.memoryBytes() ?? 0;
  }
}
