/** What differs between VS Code on the desktop and on the web. */
import type { ExtensionContext } from "vscode";

import type { Assets } from "./messages";
import type { EngineProcess } from "./supervisor";

/** One of the two. */
export interface Platform {
  /** Gets the workers' scripts and the module. */
  assets(context: ExtensionContext): Promise<Assets>;
  /** The script of the command line, and the program that runs it; absent where there is no disk. */
  commandLine?(context: ExtensionContext): { program: string; script: string };
  /** Starts the engine worker. */
  launch(assets: Assets): EngineProcess;
  /** Where the cache lies, as the engine worker reaches it; undefined where no folder is open. */
  cache(context: ExtensionContext): string | undefined;
  /** Whether paths of the disk have drive letters. */
  windows: boolean;
  /** Whether commands that only tests need are there. */
  testing: boolean;
  /** The clock that our holds of the extension host are measured by, in milliseconds with fractions. */
  clock(): number;
}
