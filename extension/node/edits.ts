/**
 * Tools that change files: their plans can be had here, the changes are the native program's.
 * `crates/cli/src/edit_gate.rs` has the same two forms of a plan.
 */
import type { ToolRow } from "./toolTable";
import { NATIVE_HINT, type CommandProblem } from "./failure";

/** What a call is for: a plan, the change, or what its arguments say. */
export type Purpose = "plan" | "apply" | "asGiven";

/** How a call of a tool goes on. */
export type Gate = { kind: "call"; args: unknown; isPlan: boolean } | { kind: "refused"; problem: CommandProblem };

/** The call's arguments by which nothing is written, or why there are none. */
export function gate(row: ToolRow | undefined, args: unknown, purpose: Purpose): Gate {
  const form = row === undefined ? undefined : planForm(row);
  if (row === undefined || form === undefined || !isObject(args)) {
    return { kind: "call", args, isPlan: false };
  }
  if (form === "dryRun") {
    if (args.dryRun === true) {
      return { kind: "call", args, isPlan: false };
    }
    const planning = { ...args, dryRun: true };
    return purpose === "plan" ? { kind: "call", args: planning, isPlan: true } : refused(row, "`dryRun: true`");
  }
  // Without the number of a plan, the call only makes one.
  const applies = purpose === "apply" || (args.planId ?? undefined) !== undefined;
  return applies ? refused(row, "no `planId`") : { kind: "call", args, isPlan: false };
}

/** How a tool that edits is asked for a plan; undefined for the other tools. */
function planForm({ needsConfirmation, inputSchema, fullArguments }: ToolRow): "dryRun" | "planId" | undefined {
  const has = (name: string) => name in (inputSchema.properties ?? {}) || name in fullArguments;
  return needsConfirmation ? (["dryRun", "planId"] as const).find(has) : undefined;
}

function refused(row: ToolRow, plan: string): Gate {
  return {
    kind: "refused",
    problem: {
      code: "Unavailable",
      message: `${row.name} writes files, which the WebAssembly program does not`,
      hint: `call it with ${plan} for the plan, and ${NATIVE_HINT}`,
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
