/** The cases of test/contract/edit-names, which `crates/protocol` has to hold as well. */
import { describe, expect, it } from "vitest";

import { isHidden, nameProblem } from "../../../extension/core/fileNames";
import cases from "../../contract/edit-names/cases.json";

describe("names of files that are edited", () => {
  it.each(cases)("$path is $problem", ({ path, problem, hidden }) => {
    expect(nameProblem(path) ?? "none").toBe(problem);
    expect(isHidden(path)).toBe(hidden);
  });

  it("are enough to show something", () => {
    expect(cases.length).toBeGreaterThan(60);
  });
});
