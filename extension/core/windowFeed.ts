/**
 * Keeps one list of the prompt window up to date for everybody who shows it.
 *
 * It asks when it was told of a change and the index is complete, one question at a time. What ages or
 * ends by itself is looked at once a minute.
 */
import type { Phase } from "../generated/protocol";
import { dataOf, type AnswerOf } from "./envelope";
import type { Disposable } from "./disposable";
import { promptWindow, type PromptWindow } from "./promptWindow";

/** Ages are told in minutes. */
const AGE_MS = 60_000;

/** The list of the prompt window. */
type WindowAnswer = AnswerOf<"codecortex_getContext">;

/** Phases in which the window is worth asking for: while files come in it would be another one each moment. */
const SETTLED: readonly (Phase | undefined)[] = ["ready", "cancelled"];

/** What a feed works with. */
export interface FeedParts {
  /** Asks the engine for the list. */
  ask(): Promise<WindowAnswer>;
  /** The window, or why there is none, is other than it was. */
  changed(): void;
  /** Runs what reads an answer, measured. */
  measure(work: () => void): void;
}

/** The window as it was told last. */
export class WindowFeed implements Disposable {
  private shown: PromptWindow | undefined;
  private why: string | undefined;
  private phase: Phase | undefined;
  private isWanted = true;
  private isAsking = false;
  /** Counts engines: the answer of one that is gone is not shown. */
  private engine = 0;
  private ageing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: FeedParts) {}

  /** The window; absent until it is known. */
  get window(): PromptWindow | undefined {
    return this.shown;
  }

  /** Why the engine could not tell it, as a sentence. */
  get problem(): string | undefined {
    return this.why;
  }

  /** It may be another one. */
  invalidate(): void {
    this.isWanted = true;
    void this.look();
  }

  /** The engine is in this phase now; none where there is no engine. */
  follow(phase: Phase | undefined): void {
    this.phase = phase;
    if (phase === undefined || phase === "empty") {
      this.forget();
    }
    void this.look();
  }

  dispose(): void {
    this.engine += 1;
    this.phase = undefined;
    clearTimeout(this.ageing);
  }

  private forget(): void {
    this.engine += 1;
    this.isWanted = true;
    clearTimeout(this.ageing);
    if (this.shown !== undefined || this.why !== undefined) {
      this.shown = undefined;
      this.why = undefined;
      this.parts.changed();
    }
  }

  private async look(): Promise<void> {
    while (this.isWanted && !this.isAsking && SETTLED.includes(this.phase)) {
      this.isWanted = false;
      this.isAsking = true;
      const { engine } = this;
      const answer = await this.parts.ask();
      this.isAsking = false;
      if (engine === this.engine) {
        this.parts.measure(() => {
          this.take(answer);
        });
      }
    }
  }

  private take(answer: WindowAnswer): void {
    const read = dataOf(answer);
    if ("problem" in read) {
      this.why = read.problem;
    } else {
      this.shown = promptWindow(read.data);
      this.why = undefined;
    }
    clearTimeout(this.ageing);
    if (this.shown?.pieces.some(({ ageMinutes }) => ageMinutes !== undefined)) {
      this.ageing = setTimeout(() => {
        this.invalidate();
      }, AGE_MS);
    }
    this.parts.changed();
  }
}
