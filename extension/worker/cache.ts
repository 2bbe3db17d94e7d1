/** Where the engine's cache is kept between sessions. */

/** A place for one cache. */
export interface CacheStore {
  /** The bytes written last; undefined where there are none. */
  read(): Promise<Uint8Array | undefined>;
  /** Replaces them as a whole: a crash leaves the old bytes or the new ones. */
  write(bytes: Uint8Array): Promise<void>;
}

/** For where nothing may be kept. */
export const NO_CACHE: CacheStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.resolve(),
};
