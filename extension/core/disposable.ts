/** Something that has to be let go of; what `vscode.Disposable` looks like from here. */
export interface Disposable {
  dispose(): void;
}

/** Lets go of several things, the last one first, even where one of them throws. */
export function disposeAll(things: Disposable[]): void {
  for (const thing of things.splice(0).reverse()) {
    try {
      thing.dispose();
    } catch {
      // One broken part must not keep the others alive; there is nobody left to tell.
    }
  }
}
