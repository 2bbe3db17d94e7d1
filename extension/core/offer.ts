/**
 * Which languages our own answers are offered for in the editor: in `auto`, those that nobody else serves.
 *
 * VS Code does not tell who serves a language, so we look: a document whose outline others know is
 * served. Language servers take their time, so we look again and step back when somebody has come.
 */
import type { Disposable } from "./disposable";

/** The setting, for one language. */
export type OfferMode = "auto" | "on" | "off";

/** What offers need of the editor. */
export interface OfferParts {
  mode(language: string): OfferMode;
  /** Whether another extension serves a language, as far as can be seen in its open documents. */
  isServed(language: string): Promise<boolean>;
  /** Registers our providers for a language. */
  register(language: string): Disposable;
}

/** When we look, in ms after a document of the language was seen first. */
export const LOOKS_AFTER_MS = [1_500, 10_000, 30_000, 120_000] as const;
/** Later documents have us look once more, but not more often than this. */
export const LOOK_AGAIN_MS = 60_000;

/** What is known of one language. */
interface Language {
  offered: Disposable | undefined;
  /** Looks that are still to come. */
  timers: Set<ReturnType<typeof setTimeout>>;
  lookedAt: number;
  /** Grows when what was seen does not count any more. */
  round: number;
}

/** Keeps our offers as the settings and the other extensions have it. */
export class Offers implements Disposable {
  private readonly languages = new Map<string, Language>();

  constructor(
    private readonly parts: OfferParts,
    private readonly now: () => number,
  ) {}

  /** A document of this language is open. */
  seen(id: string): void {
    const known = this.languages.get(id);
    if (!known) {
      const language = { offered: undefined, timers: new Set<never>(), lookedAt: this.now(), round: 0 };
      this.languages.set(id, language);
      this.begin(id, language);
    } else if (known.timers.size === 0 && this.now() - known.lookedAt >= LOOK_AGAIN_MS) {
      this.lookIn(id, known, LOOKS_AFTER_MS[0]);
    }
  }

  /** Settings changed, or extensions came or went. */
  again(): void {
    for (const [id, language] of this.languages) {
      this.begin(id, language);
    }
  }

  /** The languages for which we are registered. */
  offered(): string[] {
    return [...this.languages].filter(([, { offered }]) => offered).map(([id]) => id);
  }

  dispose(): void {
    for (const language of this.languages.values()) {
      this.stop(language);
      this.withdraw(language);
    }
    this.languages.clear();
  }

  private begin(id: string, language: Language): void {
    this.stop(language);
    switch (this.parts.mode(id)) {
      case "on":
        this.offer(id, language);
        break;
      case "off":
        this.withdraw(language);
        break;
      case "auto":
        for (const after of LOOKS_AFTER_MS) {
          this.lookIn(id, language, after);
        }
    }
  }

  private stop(language: Language): void {
    language.round += 1;
    for (const timer of language.timers) {
      clearTimeout(timer);
    }
    language.timers.clear();
  }

  private lookIn(id: string, language: Language, afterMs: number): void {
    const timer = setTimeout(() => {
      language.timers.delete(timer);
      void this.look(id, language);
    }, afterMs);
    language.timers.add(timer);
  }

  private async look(id: string, language: Language): Promise<void> {
    language.lookedAt = this.now();
    const { round } = language;
    // Whoever fails to say anything does not serve.
    const isServed = await this.parts.isServed(id).catch(() => false);
    if (round !== language.round || this.parts.mode(id) !== "auto") {
      return;
    }
    if (isServed) {
      // It will not go away without a change of extensions.
      this.stop(language);
      this.withdraw(language);
    } else {
      this.offer(id, language);
    }
  }

  private offer(id: string, language: Language): void {
    language.offered ??= this.parts.register(id);
  }

  private withdraw(language: Language): void {
    language.offered?.dispose();
    language.offered = undefined;
  }
}
