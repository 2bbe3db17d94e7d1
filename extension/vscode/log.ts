/** The output channel. Its level is the user's: "Developer: Set Log Level…". */
import { window, type LogOutputChannel } from "vscode";

/** Opens the channel. */
export function openLog(): LogOutputChannel {
  return window.createOutputChannel("CodeCortex", { log: true });
}
