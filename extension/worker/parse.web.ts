/** A parse worker in VS Code on the web: its bytes come from the editor. */
import { catchLastWords } from "./console";
import { instantiate } from "./glue";
import type { ToParser } from "./jobs";
import { Parser } from "./parser";

declare const self: DedicatedWorkerGlobalScope;

const parser = new Parser({
  instantiate,
  disk: undefined,
  lastWords: catchLastWords(),
  post: (message, hand) => {
    self.postMessage(message, hand);
  },
});
self.onmessage = (event: MessageEvent<ToParser>) => {
  parser.receive(event.data);
};
