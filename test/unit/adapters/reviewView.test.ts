/** The view "Review" and its comments, around a core that a test plays. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Host } from "../../../extension/core/host";
import { showReview } from "../../../extension/vscode/reviewView";
import {
  CommentThreadCollapsibleState,
  CommentThreadState,
  registeredCommands,
  shown,
  threads,
  trees,
  Uri,
  window,
  workspace,
} from "../vscode";

const FINDING = {
  id: "f1",
  file: "src/cart.ts",
  line: 13,
  severity: "warning",
  category: "callers",
  message: "2 callers were not adapted",
};
const UNIT = {
  unit_id: "u1",
  file_path: "src/cart.ts",
  patch_type: "modify",
  tags: [],
  metrics: { added_lines: 1, removed_lines: 0, hunk_count: 1 },
  risk: "medium",
  line_numbers: { new_compact: "L12", old_compact: "L11" },
};

let asked: Record<string, unknown>[] = [];
/** What the core refuses, by argument. */
let refused = "";
let registered: { dispose(): void } | undefined;

beforeEach(() => {
  asked = [];
  workspace.workspaceFolders = [{ name: "app", uri: Uri.from({ scheme: "file", path: "/code/app" }) }];
  const look = (_tool: string, args: Record<string, unknown>) => {
    asked.push(args);
    if (refused in args) {
      const error = { code: "Unavailable", message: "The folder is read-only." };
      return Promise.resolve({ ok: false, json: JSON.stringify({ ok: false, error }) });
    }
    const data =
      args.step === "index"
        ? { review_index: [UNIT], review_metadata: { base_branch: "abc" } }
        : { findings: "dismiss" in args ? [] : [FINDING] };
    return Promise.resolve({ ok: true, json: JSON.stringify({ ok: true, data }) });
  };
  // Only these members are used by the view.
  const host = { look, platform: { windows: false }, uri: (path: string) => Uri.from({ scheme: "file", path }) };
  registered = showReview(host as unknown as Host);
});

afterEach(() => {
  registered?.dispose();
  trees.length = 0;
  threads.length = 0;
  Object.assign(shown, { messages: [], executed: [], documents: [], answer: undefined });
});

const run = (name: string, ...args: unknown[]) => registeredCommands.get(`codecortex.review.${name}`)?.(...args);
const rows = () => {
  const [tree] = trees;
  const groups = tree?.provider.getChildren() ?? [];
  return groups.map((group) => [
    tree?.provider.getTreeItem(group).label,
    ...(tree?.provider.getChildren(group) ?? []).map((entry) => tree?.provider.getTreeItem(entry).label),
  ]);
};

describe("the view of a review", () => {
  it("asks for nothing until somebody wants a review", async () => {
    expect([asked, rows(), threads]).toEqual([[], [], []]);
    await run("uncommitted");
    expect(asked.map(({ mode, step }) => [mode, step])).toEqual([
      ["uncommitted", "index"],
      ["uncommitted", "findings"],
    ]);
    expect(rows()).toEqual([
      ["Findings", "2 callers were not adapted"],
      ["Medium risk", "cart.ts"],
    ]);
    expect(shown.executed).toContainEqual(["setContext", "codecortex.reviewShown", true]);
  });

  it("shows findings as comments that can be resolved, dismissed and brought back", async () => {
    await run("uncommitted");
    const [thread] = threads;
    expect(thread?.uri.toString()).toBe("file:///code/app/src/cart.ts");
    expect(thread).toMatchObject({ contextValue: "finding", state: CommentThreadState.Unresolved });
    await run("resolve", thread);
    expect(thread).toMatchObject({ contextValue: "resolvedFinding", state: CommentThreadState.Resolved });
    // What was resolved stays so when the same is reviewed again.
    await run("refresh");
    expect(threads.at(-1)).toMatchObject({ contextValue: "resolvedFinding", isDisposed: false });
    shown.answer = "Undo";
    await run("dismiss", threads.at(-1));
    expect(asked.slice(-2)).toMatchObject([{ dismiss: ["f1"] }, { restore: ["f1"] }]);
    shown.answer = undefined;
    await run("dismiss", threads.at(-1));
    expect(rows()).toEqual([["Medium risk", "cart.ts"]]);
    expect(threads.every(({ isDisposed }) => isDisposed)).toBe(true);
  });

  it("shows a finding on where it could not be dismissed", async () => {
    await run("uncommitted");
    refused = "dismiss";
    await run("dismiss", threads[0]);
    refused = "";
    expect(shown.messages).toEqual(["CodeCortex: The folder is read-only."]);
    expect([rows()[0]?.[0], threads[0]?.isDisposed]).toEqual(["Findings", false]);
  });

  it("opens the difference of a unit and the comment of a finding", async () => {
    await run("uncommitted");
    const [tree] = trees;
    const [found, unit] = (tree?.provider.getChildren() ?? []).map((group) => tree?.provider.getChildren(group)[0]);
    await run("open", unit);
    const [, before, after, title] = shown.executed.find(([name]) => name === "vscode.diff") ?? [];
    expect(String(before)).toContain("git://");
    expect(String(after)).toBe("file:///code/app/src/cart.ts");
    expect(title).toBe("cart.ts (Uncommitted changes)");
    await run("open", found);
    expect(threads[0]?.collapsibleState).toBe(CommentThreadCollapsibleState.Expanded);
    expect(shown.documents).toHaveLength(1);
  });

  it("compares what is staged and what is not with git's index", async () => {
    const compared = async (name: string) => {
      shown.executed.length = 0;
      await run(name);
      const unit = trees[0]?.provider.getChildren().at(-1);
      await run("open", trees[0]?.provider.getChildren(unit)[0]);
      const [, ...sides] = shown.executed.find(([command]) => command === "vscode.diff") ?? [];
      return sides.slice(0, 2).map((side) => {
        const { scheme, query } = side as { scheme: string; query: string };
        return scheme === "git" ? (JSON.parse(query) as { ref: string }).ref : scheme;
      });
    };
    expect(await compared("working")).toEqual(["~", "file"]);
    expect(await compared("staged")).toEqual(["HEAD", "~"]);
    expect(await compared("uncommitted")).toEqual(["HEAD", "file"]);
  });

  it("compares with the branch that is named, and takes a review away", async () => {
    Object.assign(window, { showInputBox: () => Promise.resolve(" release ") });
    await run("branch");
    expect(asked[0]).toMatchObject({ base: "release", step: "index" });
    await run("clear");
    expect(rows()).toEqual([]);
    expect(threads.every(({ isDisposed }) => isDisposed)).toBe(true);
  });
});
