/** Makes an {@link EngineModule} of the generated glue. One instance per thread: the glue keeps it in a global. */
import { analyse, Engine, initSync, leaveOutParse, unreadable, watchParses } from "codecortex-wasm";

import type { EngineModule } from "./module";

/** Instantiates the compiled module in this thread. */
export function instantiate(module: WebAssembly.Module): EngineModule {
  const { memory } = initSync({ module });
  return {
    analyse,
    unreadable,
    watchParses,
    leaveOutParse,
    createEngine: () => new Engine(),
    memoryBytes: () => memory.buffer.byteLength,
  };
}
