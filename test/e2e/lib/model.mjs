/**
 * A scripted language model behind an OpenAI-compatible address on loopback, streamed as Copilot Chat
 * wants it, whole for whoever asks for no stream. A script says what the model does when the user's words match; everything that was asked of
 * the model is kept, so that a test can see what a real model would have seen.
 *
 *   { prompt: /regular expression/,
 *     calls: [(toolResults, offered, prompt) => ({ name, input })],   one tool call a turn; `offered`: the tools' names
 *     answer: (toolResults, prompt) => text,         after the last one
 *     refuses: true,                                 in place of both: the address answers with an error
 *     isPlain: true }                                also where no tools are offered
 */

import { createServer } from "node:http";

export async function startModel(scripts) {
  const requests = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) {
      body += chunk;
    }
    if (request.method !== "POST") {
      response.writeHead(404).end();
      return;
    }
    const asked = { ...JSON.parse(body), authorization: request.headers.authorization };
    requests.push(asked);
    const said = turn(scripts, asked);
    if (said.refused) {
      response.writeHead(400, { "Content-Type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: "This model is out of order.", type: "invalid_request_error" } }),
      );
      return;
    }
    if (asked.stream) {
      stream(response, asked.model, said);
    } else {
      whole(response, said);
    }
  });
  await new Promise((done, failed) => server.once("error", failed).listen(0, "127.0.0.1", done));
  return {
    requests,
    url: `http://127.0.0.1:${server.address().port}/v1/chat/completions`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

/** The conversation since the user's last words: those words and the tool results after them. */
export function currentTurn({ messages }) {
  const last = messages.findLastIndex((message) => message.role === "user");
  return {
    prompt: last < 0 ? "" : textOf(messages[last]),
    toolResults: messages
      .slice(last + 1)
      .filter((message) => message.role === "tool")
      .map(textOf),
  };
}

function textOf({ content }) {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

function turn(scripts, asked) {
  const { prompt, toolResults } = currentTurn(asked);
  const script = scripts.find((candidate) => candidate.prompt.test(prompt));
  // Titles, summaries and the like come without tools; any short text does.
  if (!script || !(script.isPlain || asked.tools?.length)) {
    return { content: "Scripted" };
  }
  if (script.refuses) {
    return { refused: true };
  }
  const call = script.calls?.[toolResults.length];
  const offered = (asked.tools ?? []).map((tool) => tool.function.name);
  return call ? { call: call(toolResults, offered, prompt) } : { content: script.answer(toolResults, prompt) };
}

/** As servers answer who does not ask for a stream. */
function whole(response, { content = "", call }) {
  const called = call && {
    id: "call_1",
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  };
  const message = { role: "assistant", content, ...(called ? { tool_calls: [called] } : {}) };
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 1, completion_tokens: 1 } }));
}

function stream(response, model, { content, call }) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  const chunk = (delta, finish = null) => ({
    id: "scripted",
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const send = (value) => response.write(`data: ${JSON.stringify(value)}\n\n`);
  send(chunk({ role: "assistant", content: "" }));
  if (call) {
    const id = `call_${Date.now().toString(36)}`;
    const start = { index: 0, id, type: "function", function: { name: call.name, arguments: "" } };
    send(chunk({ tool_calls: [start] }));
    send(chunk({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(call.input) } }] }));
    send(chunk({}, "tool_calls"));
  } else {
    for (const part of content.match(/[\s\S]{1,40}/g) ?? []) {
      send(chunk({ content: part }));
    }
    send(chunk({}, "stop"));
  }
  send({ ...chunk({}), choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  response.end("data: [DONE]\n\n");
}
