/** The cache as a file on the disk. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import type { CacheStore } from "./cache";
import { errorCode } from "./errorCode.node";

/** A half-written file older than this belongs to nobody who is still alive. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** A cache in one file, replaced by renaming a complete one over it. */
export class FileCache implements CacheStore {
  constructor(private readonly path: string) {}

  async read(): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.path);
    } catch (error) {
      if (errorCode(error) === "ENOENT") {
        return undefined;
      }
      throw error;
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    const folder = dirname(this.path);
    await mkdir(folder, { recursive: true });
    await this.sweep(folder);
    const half = `${this.path}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      const file = await open(half, "wx");
      try {
        await file.writeFile(bytes);
        // Without this a power cut can leave the new name on an empty file.
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(half, this.path);
    } catch (error) {
      await rm(half, { force: true });
      throw error;
    }
  }

  /** Removes what an earlier process left behind when it died while writing. */
  private async sweep(folder: string): Promise<void> {
    const start = `${basename(this.path)}.`;
    const names = (await readdir(folder)).filter((name) => name.startsWith(start) && name.endsWith(".tmp"));
    for (const name of names) {
      const path = join(folder, name);
      const age = await stat(path).then(
        (found) => Date.now() - found.mtimeMs,
        () => 0,
      );
      if (age > ABANDONED_AFTER_MS) {
        await rm(path, { force: true });
      }
    }
  }
}
