/**
 * Observations in `mem.db`, where this Node has a SQLite with a full-text index; `crates/memory/src/native/sqlite.rs` is its
 * twin, and docs/memory.md has the tables. What is written here waits for the index: a native writer fills it, and whoever
 * asks looks through what waits. The core looks into the records itself.
 */
import { existsSync } from "node:fs";

import { DATABASE, forgotten, lineOf, type Draft, type MemoryFolder, type ObservationStore } from "./memoryFolder.node";
import { MemoryError } from "./memoryLock.node";

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
    this.folder.claim("sqlite");
    if (!existsSync(this.folder.file(DATABASE))) {
      return null;
    }
    return this.open((database) => {
      const rows = database.prepare("SELECT line FROM observation ORDER BY id").all();
      return new Uint8Array(Buffer.from(rows.map(({ line }) => `${String(line)}\n`).join("")));
    });
  }

  append(drafts: readonly Draft[]): number[] {
    return this.folder.write("sqlite", (check) => {
      const ids = this.open((database) => within(database, check, () => append(database, drafts)));
      this.folder.show(drafts, ids);
      return ids;
    });
  }

  purge(ids: readonly number[], tombstone: Draft): number {
    return this.folder.write("sqlite", (check) => {
      const [id = 0] = this.open((database) => {
        const made = within(database, check, () => {
          const own = append(database, [tombstone]);
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
      this.folder.purgeShown(new Set(ids));
      this.folder.show([tombstone], [id]);
      return id;
    });
  }

  private open<T>(work: (database: Database) => T): T {
    const module = sqlite();
    if (!module) {
      throw new MemoryError("Elsewhere", "The observations are in sqlite, which this Node has not.");
    }
    const database = new module.DatabaseSync(this.folder.file(DATABASE));
    try {
      database.exec("PRAGMA busy_timeout=5000");
      setUp(database);
      database.exec("PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; PRAGMA wal_autocheckpoint=4000;");
      return work(database);
    } finally {
      database.close();
    }
  }
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
    throw new MemoryError("Elsewhere", `mem.db is of version ${version} or of something else; this knows ${VERSION}.`);
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

function append(database: Database, drafts: readonly Draft[]): number[] {
  const next = Math.max(1, meta(database, "next_id"));
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
