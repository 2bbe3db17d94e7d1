/** How files are opened that may be pipes by now. */
import { constants } from "node:fs";

/** Opens for reading without waiting for a pipe's other end. Windows has no such flag; its types say otherwise. */
export const READ_WITHOUT_WAITING = constants.O_RDONLY | (process.platform === "win32" ? 0 : constants.O_NONBLOCK);
