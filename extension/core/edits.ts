/** What an edit makes of a text, and what a person is told of it: the editor's part of an edit without the editor. */
import type { Position, TextChange } from "../generated/protocol";
import { list, record, text } from "./json";
import { baseName } from "./paths";

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

/** Whether two texts are the same to an editor, which gives all lines of a document the same end. */
export function sameText(a: string, b: string): boolean {
  return a === b || oneEnd(a) === oneEnd(b);
}

function oneEnd(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** {@link editTitle} of a call of `codecortex_applyEdit`, whatever its arguments are. */
export function titleOfCall(input: unknown): string {
  const { summary, edits } = record(input);
  const paths = list(edits).map((edit) => text(record(edit).filePath));
  return editTitle(
    text(summary),
    paths.map((path) => baseName(path.replaceAll("\\", "/"))),
  );
}

/** The longest purpose that a tab's title has room for. */
const LONGEST_PURPOSE = 60;

/** What an edit is called where a person sees it: its purpose on one line, without what Markdown would read. */
export function editTitle(summary: string | null, names: readonly string[]): string {
  const purpose = (summary ?? "").replace(/[\s[\]()`*_<>\\]+/g, " ").trim();
  if (purpose !== "") {
    const cut = purpose.slice(0, LONGEST_PURPOSE - 1).replace(/[\uD800-\uDBFF]$/, "");
    return purpose.length > LONGEST_PURPOSE ? `${cut}…` : purpose;
  }
  const [only] = names;
  return names.length === 1 && only !== undefined ? `Edit of ${only}` : `Edit of ${names.length} files`;
}
