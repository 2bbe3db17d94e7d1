import { describe, expect, it } from "vitest";

import { workerEnvironment } from "../../../extension/core/workerEnvironment";

describe("the worker's environment", () => {
  it("says where programs and a person's own files are, and nothing else", () => {
    const env = { PATH: "/usr/bin", HOME: "/home", GITHUB_TOKEN: "made-up", GIT_DIR: "/elsewhere", APPDATA: undefined };
    expect(workerEnvironment(env, false)).toEqual({ PATH: "/usr/bin", HOME: "/home" });
    expect(workerEnvironment({}, true)).toEqual({ CODECORTEX_TEST: "1" });
  });
});
