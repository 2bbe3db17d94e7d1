/**
 * Edits that were applied in this workspace, with the texts before and afterwards, so that `undo` can take them back
 * also after a restart (SPEC ED1). They lie where the editor keeps the extension's data of a workspace; the last ones
 * are kept, a file each. Texts are enough: what the editor writes has the encoding that the file has.
 */
import { Uri, workspace } from "vscode";

import { list, record, text } from "../core/json";
import type { AppliedEdit } from "../generated/protocol";

/** The most edits that can be taken back. */
const MOST = 10;
const FOLDER = "undo";
const ENDING = ".json";

/** A file of an edit: texts, null where the file was not there. */
export interface AppliedText {
  path: string;
  movedFrom?: string;
  before: string | null;
  after: string | null;
}

interface Kept {
  summary: string | null;
  atMs: number;
  files: AppliedText[];
}

/** The edits of a workspace that can be taken back; none where no folder is open. */
export class AppliedEdits {
  private readonly folder: Uri | undefined;

  constructor(
    storage: Uri | undefined,
    private readonly now: () => number = Date.now,
  ) {
    this.folder = storage && Uri.joinPath(storage, FOLDER);
  }

  /** Keeps an edit, and forgets those before the last ten. */
  async keep(summary: string | null, files: AppliedText[]): Promise<void> {
    if (!this.folder) {
      return;
    }
    const kept: Kept = { summary, atMs: this.now(), files };
    const names = await this.names();
    const next = (names.map(numberOf).at(-1) ?? 0) + 1;
    const name = `${String(next).padStart(12, "0")}${ENDING}`;
    await workspace.fs.createDirectory(this.folder);
    await workspace.fs.writeFile(Uri.joinPath(this.folder, name), new TextEncoder().encode(JSON.stringify(kept)));
    for (const old of names.slice(0, Math.max(0, names.length + 1 - MOST))) {
      await this.forget(old);
    }
  }

  /** The edits, the newest first; the newest alone has its texts, where they are asked for. */
  async list(lastWithContents: boolean): Promise<AppliedEdit[]> {
    const edits: AppliedEdit[] = [];
    for (const name of (await this.names()).reverse()) {
      const kept = await this.read(name);
      if (kept) {
        edits.push(appliedEdit(name, kept, lastWithContents));
      }
      if (lastWithContents && edits.length > 0) {
        break;
      }
    }
    return edits;
  }

  /** Forgets an edit that was taken back. */
  async forget(id: string): Promise<void> {
    if (this.folder && Number.isFinite(numberOf(id))) {
      await workspace.fs.delete(Uri.joinPath(this.folder, id));
    }
  }

  /** Names of the files, the oldest first. */
  private async names(): Promise<string[]> {
    if (!this.folder) {
      return [];
    }
    try {
      const entries = await workspace.fs.readDirectory(this.folder);
      const names = entries.map(([name]) => name).filter((name) => Number.isFinite(numberOf(name)));
      return names.sort((a, b) => numberOf(a) - numberOf(b));
    } catch {
      return []; // nothing was kept yet
    }
  }

  /** An edit as it was kept; none where its file is damaged. */
  private async read(name: string): Promise<Kept | undefined> {
    if (!this.folder) {
      return undefined;
    }
    try {
      const bytes = await workspace.fs.readFile(Uri.joinPath(this.folder, name));
      const kept = record(JSON.parse(new TextDecoder().decode(bytes)));
      const files = list(kept.files).map((file) => appliedText(record(file)));
      const whole = typeof kept.atMs === "number" && files.every((file) => file.path !== "");
      return whole ? { summary: nullable(kept.summary), atMs: Number(kept.atMs), files } : undefined;
    } catch {
      return undefined;
    }
  }
}

function appliedText({ path, movedFrom, before, after }: Record<string, unknown>): AppliedText {
  const moved = typeof movedFrom === "string" ? { movedFrom } : {};
  return { path: text(path), ...moved, before: nullable(before), after: nullable(after) };
}

function nullable(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function appliedEdit(id: string, { summary, atMs, files }: Kept, withContents: boolean): AppliedEdit {
  const bytes = (held: string | null) => (withContents && held !== null ? new TextEncoder().encode(held) : null);
  return {
    id,
    summary,
    atMs,
    files: files.map(({ path, movedFrom, before, after }) => ({
      path,
      ...(movedFrom === undefined ? {} : { movedFrom }),
      before: bytes(before),
      after: bytes(after),
    })),
  };
}

function numberOf(name: string): number {
  const digits = name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : "";
  return /^\d{12}$/.test(digits) ? Number(digits) : NaN;
}
