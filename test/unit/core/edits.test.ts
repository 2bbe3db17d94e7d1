import { describe, expect, it } from "vitest";

import { changedText, decodedText, editTitle, sameText } from "../../../extension/core/edits";
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

describe("sameText", () => {
  it("is how an editor sees it, with one kind of line end", () => {
    expect(sameText("a\r\nb\nc\rd", "a\nb\nc\nd")).toBe(true);
    expect(sameText("a\n", "a")).toBe(false);
  });
});

describe("editTitle", () => {
  it("is the purpose on a line, without links and other Markdown", () => {
    expect(editTitle("rename\n  [x](command:evil) `now`", ["a.ts"])).toBe("rename x command:evil now");
    expect(editTitle("long ".repeat(40), ["a.ts"]).length).toBeLessThanOrEqual(60);
  });

  it("names the files where nobody said what it is for", () => {
    expect(editTitle(null, ["a.ts"])).toBe("Edit of a.ts");
    expect(editTitle("  ", ["a.ts", "b.ts"])).toBe("Edit of 2 files");
  });
});
