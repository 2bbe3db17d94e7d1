/** A parse worker on the desktop. */
import { parentPort } from "node:worker_threads";

import { catchLastWords } from "./console";
import { instantiate } from "./glue";
import type { ToParser } from "./jobs";
import { listFolder } from "./listing.node";
import { Parser } from "./parser";
import { FileReader } from "./reading.node";

if (parentPort) {
  const port = parentPort;
  const reader = new FileReader();
  const parser = new Parser({
    instantiate,
    disk: {
      list: ({ folders }) => folders.map(listFolder),
      read: (file, maxBytes) => reader.read(file, maxBytes),
    },
    lastWords: catchLastWords(),
    post: (message, hand) => {
      port.postMessage(message, hand);
    },
  });
  port.on("message", (message: ToParser) => {
    parser.receive(message);
  });
}
