/**
 * Addresses of which a path keeps less than the whole: that of a class in an archive goes on with a query.
 * Of those that language providers named lately the whole is remembered, for who reads them later.
 */

/** So many are remembered, those that were named last. */
const MOST = 1_024;

/** Whole addresses by the engine's path. */
export class Addresses<Address> {
  private readonly known = new Map<string, Address>();

  /** Remembers the address behind a path. */
  note(path: string, address: Address): void {
    this.known.delete(path);
    this.known.set(path, address);
    if (this.known.size > MOST) {
      const [oldest] = this.known.keys();
      this.known.delete(oldest ?? path);
    }
  }

  /** The address behind a path, if one was named. */
  of(path: string): Address | undefined {
    return this.known.get(path);
  }
}
