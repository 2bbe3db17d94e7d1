/** Findings of a review as comments in the editor, made when there are some (SPEC RV3). */
import {
  CommentMode,
  comments,
  CommentThreadCollapsibleState,
  CommentThreadState,
  MarkdownString,
  Range,
  type Comment,
  type CommentController,
  type CommentThread,
  type Uri,
} from "vscode";

import type { Disposable } from "../core/disposable";
import { findingText } from "../core/review";
import type { Finding } from "../generated/answers";

/** The id that menus know. */
const CONTROLLER = "codecortex.review";
const OPEN = "finding";
const RESOLVED = "resolvedFinding";

/** A thread a finding. */
export class ReviewComments implements Disposable {
  private controller: CommentController | undefined;
  private readonly threads = new Map<string, CommentThread>();
  private readonly findings = new Map<CommentThread, Finding>();
  /** What a person has resolved; a review that finds it again does not open it again. */
  private readonly resolved = new Set<string>();

  /** Shows these and no others. */
  show(findings: readonly Finding[], uri: (file: string) => Uri): void {
    const wanted = new Set(findings.map(({ id }) => id));
    for (const id of [...this.threads.keys()]) {
      if (!wanted.has(id)) {
        this.remove(id);
      }
    }
    for (const finding of findings) {
      this.remove(finding.id);
      this.add(finding, uri(finding.file));
    }
  }

  /** The finding that a thread is about. */
  of(thread: CommentThread): Finding | undefined {
    return this.findings.get(thread);
  }

  /** Marks a finding as done with, or as open again. */
  resolve(thread: CommentThread, isResolved: boolean): void {
    const finding = this.of(thread);
    if (finding) {
      this.resolved[isResolved ? "add" : "delete"](finding.id);
      mark(thread, isResolved);
    }
  }

  /** Opens the comment of a finding. */
  expand(id: string): void {
    const thread = this.threads.get(id);
    if (thread) {
      thread.collapsibleState = CommentThreadCollapsibleState.Expanded;
    }
  }

  dispose(): void {
    this.controller?.dispose();
    this.controller = undefined;
    this.threads.clear();
    this.findings.clear();
  }

  private add(finding: Finding, uri: Uri): void {
    this.controller ??= comments.createCommentController(CONTROLLER, "CodeCortex Review");
    const line = Math.max(finding.line - 1, 0);
    const thread = this.controller.createCommentThread(uri, new Range(line, 0, line, 0), [commentOf(finding)]);
    thread.canReply = false;
    thread.label = `${finding.severity}: ${finding.category}`;
    thread.collapsibleState = CommentThreadCollapsibleState.Collapsed;
    mark(thread, this.resolved.has(finding.id));
    this.threads.set(finding.id, thread);
    this.findings.set(thread, finding);
  }

  private remove(id: string): void {
    const thread = this.threads.get(id);
    if (thread) {
      this.findings.delete(thread);
      this.threads.delete(id);
      thread.dispose();
    }
  }
}

function mark(thread: CommentThread, isResolved: boolean): void {
  thread.state = isResolved ? CommentThreadState.Resolved : CommentThreadState.Unresolved;
  thread.contextValue = isResolved ? RESOLVED : OPEN;
  if (isResolved) {
    thread.collapsibleState = CommentThreadCollapsibleState.Collapsed;
  }
}

/** What a model or a rule says is text: it has no links, no HTML, no commands. */
function commentOf(finding: Finding): Comment {
  return { body: new MarkdownString(findingText(finding)), mode: CommentMode.Preview, author: { name: "CodeCortex" } };
}
