/**
 * Results on stdout, everything else on stderr. What is for people shows the control characters of names, paths and
 * documentation instead of sending them (S7); `crates/cli/src/output.rs` is its twin.
 */
import { writeSync } from "node:fs";

import { errorCode } from "../worker/errorCode.node";
import type { Answer } from "../generated/protocol";
import { EXIT } from "./failure";

const STDOUT = 1;
const STDERR = 2;

/** Controls but line ends and tabs, line and paragraph separators, and what turns the direction of writing. */
const CONTROLS =
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  /\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text in which control characters are written as `\u{1b}`. */
export function shown(text: string): string {
  return text.replaceAll(CONTROLS, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Prints a text for programs, as it is, with a line end. A reader that closes its end early is no failure. */
export function printExact(text: string): void {
  write(STDOUT, text);
}

/** Prints a text for people. */
export function print(text: string): void {
  write(STDOUT, shown(text));
}

/** Tells a person something beside the result. */
export function warn(text: string): void {
  write(STDERR, `codecortex: ${shown(text)}`);
}

/** Prints the next step. */
export function hint(text: string): void {
  write(STDERR, `hint: ${shown(text)}`);
}

/** Prints an answer in the forms it has. The exit code. */
export function printAnswer({ ok, json, text }: Answer): number {
  if (typeof json === "string") {
    printExact(json);
  }
  if (typeof text === "string") {
    print(text);
  }
  return ok ? EXIT.success : EXIT.toolFailed;
}

/** Written at once, so that the end of the process loses nothing. */
function write(stream: number, text: string): void {
  const bytes = Buffer.from(text.endsWith("\n") ? text : `${text}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(stream, bytes, at);
    } catch (error) {
      if (errorCode(error) !== "EAGAIN") {
        return;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
}

/** A pipe that is full is tried again after so many milliseconds. */
const FULL_PIPE_MS = 5;
