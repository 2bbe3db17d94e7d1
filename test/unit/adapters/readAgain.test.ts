/** The command that reads something again (SPEC D30). */
import { describe, expect, it } from "vitest";

import { readAgainArguments } from "../../../extension/vscode/readAgain";

describe("what is to be read again", () => {
  it("is a file or folder where it has a separator of paths, else a symbol", () => {
    for (const filePath of ["app/src/store.ts", "app/", "src\\store.cs", "/code/app/a.py"]) {
      expect(readAgainArguments(filePath)).toEqual({ filePath });
    }
    for (const symbol of [
      "NodeStore",
      "Core.NodeStore.Add(int)",
      "crate::deep::Store",
      "T_9xx14grs",
      "pkg/cart::Cart.add()",
    ]) {
      expect(readAgainArguments(symbol)).toEqual({ symbol });
    }
  });
});
