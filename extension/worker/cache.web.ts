/** The cache in the browser's own database: the worker reaches it without going through the extension host. */
import type { CacheStore } from "./cache";

const DATABASE = "codecortex";
const STORE = "cache";

/** A cache under one key of an IndexedDB store. */
export class DatabaseCache implements CacheStore {
  constructor(private readonly key: string) {}

  async read(): Promise<Uint8Array | undefined> {
    const value: unknown = await this.run("readonly", (store) => store.get(this.key));
    return value instanceof Uint8Array ? value : undefined;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.run("readwrite", (store) => store.put(bytes, this.key));
  }

  private async run(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(STORE);
    };
    const database = await settled(opening);
    try {
      return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error("the browser's database refused"));
    };
  });
}
