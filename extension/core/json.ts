/** Reads data whose shape nobody vouches for: whatever it holds, there is a value. */

/** An object's members; none where it is not an object. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** A list's entries; none where it is no list. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text; empty where it is none. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
