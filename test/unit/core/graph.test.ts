/** An exported graph as a document. */
import { describe, expect, it } from "vitest";

import { dataWith } from "../answers";
import { graphDocument, NOTATIONS } from "../../../extension/core/graph";

const drawn = (fields: object) => dataWith("codecortex_exportGraph", fields);

describe("a graph's document", () => {
  it("holds Mermaid in a fence, so that the Markdown preview draws it", () => {
    const { language, content } = graphDocument("mermaid", drawn({ graph: "flowchart LR\n  T_1\n" }));
    expect(language).toBe("markdown");
    expect(content).toBe("# Dependencies\n\n```mermaid\nflowchart LR\n  T_1\n```\n");
  });

  it("is the drawing itself for Graphviz, and the lists as JSON", () => {
    expect(graphDocument("dot", drawn({ graph: "digraph {}\n" }))).toEqual({
      language: "dot",
      content: "digraph {}\n",
    });
    const { content } = graphDocument(
      "json",
      drawn({ total: 1, types: [{ id: "T_1" }], edges: [], budget: {}, index: {} }),
    );
    expect(JSON.parse(content)).toEqual({ total: 1, types: [{ id: "T_1" }], edges: [] });
  });

  it("can be had in every notation of the tool", () => {
    expect(NOTATIONS.map(({ notation }) => notation)).toEqual(["mermaid", "dot", "json"]);
  });
});
