/** What an edit makes of a text, and what the bytes of a file say: how the editor's part of an edit is checked. */
import type { Position, TextChange } from "../generated/protocol";

/** The text with all changes, each in terms of the text before, from the start to the end. */
export function changedText(
  text: string,
  changes: readonly TextChange[],
  offsetAt: (position: Position) => number,
): string {
  const parts: string[] = [];
  let next = 0;
  for (const change of changes) {
    parts.push(text.slice(next, offsetAt(change.start)), change.text);
    next = offsetAt(change.end);
  }
  parts.push(text.slice(next));
  return parts.join("");
}

/** Bytes as an editor shows them; without a byte order mark they are UTF-8. */
export function decodedText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) {
    return new TextDecoder("utf-16le").decode(bytes);
  }
  if (first === 0xfe && second === 0xff) {
    return new TextDecoder("utf-16be").decode(bytes);
  }
  return new TextDecoder().decode(bytes);
}
