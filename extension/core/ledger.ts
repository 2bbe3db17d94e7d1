/** What the tools' answers cost a model (SPEC X8), by the contract's measure of four characters a token (SPEC D7). */

/** What one tool has cost in this session. */
export interface Spend {
  tool: string;
  calls: number;
  tokens: number;
  lastTokens: number;
  lastMs: number;
}

/** `ceil(chars / 4)`, summed over the parts a model is given. */
export function tokensOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + Math.ceil(part.length / 4), 0);
}

/** Keeps account of every tool's answers. */
export class Ledger {
  private readonly spends = new Map<string, Spend>();
  private lastTool: string | undefined;

  /** Books one answer. */
  book(tool: string, parts: readonly string[], ms: number): void {
    const tokens = tokensOf(parts);
    const before = this.spends.get(tool);
    this.spends.set(tool, {
      tool,
      calls: (before?.calls ?? 0) + 1,
      tokens: (before?.tokens ?? 0) + tokens,
      lastTokens: tokens,
      lastMs: ms,
    });
    this.lastTool = tool;
  }

  /** The tools called so far, the dearest first. */
  byCost(): Spend[] {
    return [...this.spends.values()].sort((a, b) => b.tokens - a.tokens || a.tool.localeCompare(b.tool));
  }

  /** The tool called last. */
  get last(): Spend | undefined {
    return this.lastTool === undefined ? undefined : this.spends.get(this.lastTool);
  }
}
