/**
 * Observations in `mem.db`, where this Node has a SQLite with a full-text index; `crates/memory/src/native/sqlite.rs` is its
 * twin, and docs/memory.md has the tables. What is written here waits for the index: a native writer fills it, and whoever
 * asks looks through what waits. The core looks into the records itself.
 */
import { realpathSync } from "node:fs";
import { join } from "node:path";

import { ConfinedFolder, kindOf, refusedFile, RefusedError } from "./confined.node";
import {
  claim,
  DATABASE,
  ElsewhereError,
  forgotten,
  lastShownId,
  lineOf,
  purgeShown,
  type Draft,
  type MemoryFolder,
  type ObservationStore,
} from "./memoryFolder.node";

/** What is used of `node:sqlite`. */
interface Sqlite {
  DatabaseSync: new (path: string) => Database;
}
interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    all(...values: (number | string)[]): Record<string, unknown>[];
    get(...values: (number | string)[]): Record<string, unknown> | undefined;
    run(...values: (number | string)[]): { changes: number | bigint };
  };
  close(): void;
}

/** The version of the tables (`user_version`). */
const VERSION = 1;
/** Says that a database is one of these (`application_id`): `CCob`. */
const APPLICATION = 0x43436f62;

/** The same as in `crates/memory/src/native/sqlite.rs`: a test compares them. */
export const TABLES = `
CREATE TABLE observation(id INTEGER PRIMARY KEY, ts TEXT NOT NULL, line TEXT NOT NULL);
CREATE TABLE hidden(id INTEGER PRIMARY KEY);
CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('next_id', 1), ('visible', 0), ('indexed', 0);
CREATE VIRTUAL TABLE word USING fts5(
  text, content='', contentless_delete=1, detail='none', tokenize='ascii', prefix='1 2 3 4 5 6 7 8 9 10'
);`;

/** The SQLite of this Node; none before 22.13, and on the web. */
function sqlite(): Sqlite | undefined {
  // Looked up by name: a bundler must not, and an older Node has no such module.
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  return getBuiltinModule?.("node:sqlite") as Sqlite | undefined;
}

/** Whether this Node can keep observations in a database. */
export function hasDatabases(): boolean {
  return sqlite() !== undefined;
}

/** Observations in `mem.db`. */
export class DatabaseLog implements ObservationStore {
  constructor(private readonly folder: MemoryFolder) {}

  read(): Uint8Array | null {
    const bytes = this.folder.read((folder) => {
      claim(folder, "sqlite");
      return folder.has(DATABASE) ? opened(folder, recordsOf) : undefined;
    });
    return bytes ?? null;
  }

  append(drafts: readonly Draft[]): number[] {
    return this.folder.write("sqlite", (folder, check) => {
      const ids = opened(folder, (database) =>
        within(database, check, () => append(database, lastShownId(folder), drafts)),
      );
      this.folder.show(folder, drafts, ids);
      return ids;
    });
  }

  purge(ids: readonly number[], tombstone: Draft): number {
    return this.folder.write("sqlite", (folder, check) => {
      const [id = 0] = opened(folder, (database) => {
        const made = within(database, check, () => {
          const own = append(database, lastShownId(folder), [tombstone]);
          for (const of of ids.filter((one) => !isTombstone(database, one))) {
            database.prepare("DELETE FROM observation WHERE id = ?").run(of);
          }
          // Without this the words stay in the index until it is merged some day.
          database.exec("INSERT INTO word(word) VALUES ('optimize')");
          return own;
        });
        // And the pages in the journal until somebody writes over them.
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        return made;
      });
      purgeShown(folder, new Set(ids));
      this.folder.show(folder, [tombstone], [id]);
      return id;
    });
  }
}

/** All records, a line each. */
function recordsOf(database: Database): Uint8Array {
  const rows = database.prepare("SELECT line FROM observation ORDER BY id").all();
  return new Uint8Array(Buffer.from(rows.map(({ line }) => `${String(line)}\n`).join("")));
}

function opened<T>(folder: ConfinedFolder, work: (database: Database) => T): T {
  const module = sqlite();
  if (!module) {
    throw new ElsewhereError("The observations are in sqlite, which this Node has not.");
  }
  const before = lookAt(folder);
  const database = new module.DatabaseSync(join(pathOf(folder), DATABASE));
  try {
    const after = lookAt(folder);
    if (before !== undefined && after !== before) {
      throw refusedFile("file");
    }
    database.exec("PRAGMA busy_timeout=5000");
    setUp(database);
    database.exec("PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=4000;");
    return work(database);
  } finally {
    database.close();
  }
}

/** Fails where SQLite would go through a link or open what is no file; else which file the database is, if there is one. */
function lookAt(folder: ConfinedFolder): bigint | undefined {
  for (const ending of ["", "-wal", "-shm", "-journal"]) {
    const found = folder.find(DATABASE + ending);
    if (found && !found.isFile()) {
      throw new RefusedError(`${DATABASE}${ending}: ${refusedFile(kindOf(found)).message}`);
    }
  }
  return folder.find(DATABASE)?.ino;
}

/** Where a folder is, without links: SQLite takes no handles. */
function pathOf(folder: ConfinedFolder): string {
  const path = realpathSync(folder.path);
  if (ConfinedFolder.with(path, (found) => found.id()) !== folder.id()) {
    throw new RefusedError("it is not a folder but a link"); // another one is in its place
  }
  return path;
}

/** Makes the tables where there are none. */
function setUp(database: Database): void {
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  if (number("SELECT count(*) FROM sqlite_schema") === 0) {
    database.exec("PRAGMA journal_mode=WAL");
    within(
      database,
      () => undefined,
      () => {
        if (number("SELECT count(*) FROM sqlite_schema") === 0) {
          database.exec(`${TABLES}PRAGMA application_id=${APPLICATION}; PRAGMA user_version=${VERSION};`);
        }
      },
    );
  }
  const version = number("PRAGMA user_version");
  if (number("PRAGMA application_id") !== APPLICATION || version !== VERSION) {
    throw new ElsewhereError(`mem.db is of version ${version} or of something else; this knows ${VERSION}.`);
  }
}

/** Does all of something or nothing. */
function within<T>(database: Database, check: () => void, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const done = work();
    check();
    database.exec("COMMIT");
    return done;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Records drafts under ids above those of the log for people, which has what another back end was told. */
function append(database: Database, shown: number, drafts: readonly Draft[]): number[] {
  const next = Math.max(1, meta(database, "next_id"), shown + 1);
  // A database of before has all in its index.
  database.prepare("INSERT OR IGNORE INTO meta VALUES ('indexed', ?)").run(next - 1);
  drafts.forEach((draft, at) => {
    insert(database, draft, next + at);
  });
  return drafts.map((_, at) => next + at);
}

function insert(database: Database, draft: Draft, id: number): void {
  const ts = typeof draft.ts === "string" ? draft.ts : "";
  database.prepare("INSERT INTO observation VALUES (?, ?, ?)").run(id, ts, lineOf(draft, id));
  const gone = forgotten(draft);
  if (gone === undefined) {
    count(database, 1);
  } else {
    database.prepare("INSERT OR IGNORE INTO hidden VALUES (?)").run(id);
    gone.forEach((of) => {
      hide(database, of);
    });
  }
  database.prepare("UPDATE meta SET value = max(value, ?) WHERE key = 'next_id'").run(id + 1);
}

function hide(database: Database, id: number): void {
  const isNew = Number(database.prepare("INSERT OR IGNORE INTO hidden VALUES (?)").run(id).changes) > 0;
  if (isNew && database.prepare("SELECT 1 FROM observation WHERE id = ?").get(id) !== undefined) {
    if (id <= meta(database, "indexed")) {
      database.prepare("DELETE FROM word WHERE rowid = ?").run(id);
    }
    count(database, -1);
  }
}

function count(database: Database, by: number): void {
  database.prepare("UPDATE meta SET value = value + ? WHERE key = 'visible'").run(by);
}

function meta(database: Database, key: string): number {
  return Number(database.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.value ?? 0);
}

/** Tombstones stay: what they name would come back. */
function isTombstone(database: Database, id: number): boolean {
  const line = database.prepare("SELECT line FROM observation WHERE id = ?").get(id)?.line;
  return typeof line === "string" && forgotten(JSON.parse(line) as Draft) !== undefined;
}
