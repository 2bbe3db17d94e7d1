/**
 * Catches what the module prints: its panic hook writes the message to `console.error` before it
 * traps, and that message is the only thing that tells what went wrong.
 */

/** Replaces `console.error` of this thread; gives back what was printed last. */
export function catchLastWords(): () => string | undefined {
  let last: string | undefined;
  // eslint-disable-next-line no-console -- the module prints there and nowhere else
  console.error = (...parts: unknown[]) => {
    const [line = ""] = parts.map(String).join(" ").split("\n\nStack:");
    last = line.trim();
  };
  return () => last;
}
