/** Where the log of telemetry is kept (SPEC T1). */
import type { Response, Root } from "../generated/protocol";

/** Keeps lines by days. Nothing of it rejects. */
export interface TelemetryLogs {
  /** Appends a line to today's file of these roots' log. */
  append(roots: readonly Root[], line: string, nowMs: number): Promise<void>;
  /** The lines of the last 30 days, as the response `telemetry` has them. */
  read(roots: readonly Root[]): Promise<Response>;
}

/** A browser has no folder for it. */
export const NO_TELEMETRY_LOG: TelemetryLogs = {
  append: () => Promise.resolve(),
  read: () => Promise.resolve({ type: "telemetry", files: [], error: null }),
};
