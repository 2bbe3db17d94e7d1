/** What differs between VS Code on the desktop and on the web. */
import type { ExtensionContext } from "vscode";

import type { EngineProcess } from "../core/supervisor";

/** One of the two. */
export interface Platform {
  /** Starts the engine worker from the extension's `dist` folder. */
  launch(assets: string): EngineProcess;
  /** The extension's `dist` folder as the workers reach it. */
  assets(context: ExtensionContext): string;
  /** Where the cache lies, as the engine worker reaches it; undefined where no folder is open. */
  cache(context: ExtensionContext): string | undefined;
  /** Whether paths of the disk have drive letters. */
  windows: boolean;
  /** Whether commands that only tests need are there. */
  testing: boolean;
}
