import { describe, expect, it } from "vitest";

import { changedText, decodedText } from "../../../extension/core/edits";
import type { Position } from "../../../extension/generated/protocol";

const at = (line: number, character: number): Position => ({ line, character });

describe("changedText", () => {
  it("makes all changes in terms of the text before", () => {
    const text = "one\ntwo\nthree\n";
    const lines = [0, 4, 8, 14];
    const offsetAt = ({ line, character }: Position): number => (lines[line] ?? 0) + character;
    const changes = [
      { start: at(0, 0), end: at(0, 3), text: "1" },
      { start: at(1, 3), end: at(1, 3), text: "!" },
      { start: at(2, 0), end: at(3, 0), text: "" },
    ];
    expect(changedText(text, changes, offsetAt)).toBe("1\ntwo!\n");
    expect(changedText(text, [], offsetAt)).toBe(text);
  });
});

describe("decodedText", () => {
  it("goes by the byte order mark", () => {
    expect(decodedText(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]))).toBe("a");
    expect(decodedText(new Uint8Array([0xff, 0xfe, 0xe4, 0x00]))).toBe("ä");
    expect(decodedText(new Uint8Array([0xfe, 0xff, 0x00, 0xe4]))).toBe("ä");
    expect(decodedText(new TextEncoder().encode("ä😀"))).toBe("ä😀");
  });
});
