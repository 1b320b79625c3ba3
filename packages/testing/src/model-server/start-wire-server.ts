import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from '../service/serve-on-loopback.ts';
import {
  type Conversation,
  type Json,
  type Memory,
  type Refusal,
  type Turn,
  tokensOf,
  type WireServer,
} from './wire-server.ts';

interface WireRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
  /** What the server refused it with; null where it answered. */
  refusal: Refusal | null;
}

/** What became of the thoughts that the server sent with tool calls. */
interface ThoughtCount {
  /** Answers in which the model thought. */
  given: number;
  sent: number;
  /** Came back byte-equal in one request; the most of all requests. */
  returned: number;
  altered: number;
  /** Messages, of all requests, that came back without the thought that was sent with them. */
  lost: number;
  /** Thoughts of another maker's model. */
  foreign: number;
}

export interface WireScript {
  /** The next answer, from what the request brings back. */
  answer(conversation: Conversation, number: number): Turn | Promise<Turn>;
  /** A refusal instead, tried before the rules. */
  refuse?(number: number): Refusal | 'busy' | null;
  /** The window, where it is not the vendor's. */
  window?: number;
  /** The only key that is let in. */
  key?: string;
}

export interface RunningWireServer extends AsyncDisposable {
  readonly origin: string;
  readonly requests: readonly WireRequest[];
  readonly thoughts: Readonly<ThoughtCount>;
  /** What the rules know of the server's answers. */
  readonly memory: Memory;
}

/** Starts a server that is as strict as its description and answers by the script. */
export async function startWireServer(server: WireServer, script: WireScript): Promise<RunningWireServer> {
  const requests: WireRequest[] = [];
  const thoughts: ThoughtCount = { given: 0, sent: 0, returned: 0, altered: 0, lost: 0, foreign: 0 };
  const kept = new Map<string, string | null>();
  const signatures = new Set<string>();
  const memory: Memory = { thoughtOf: (id) => kept.get(id), issued: (signature) => signatures.has(signature) };
  let answered = 0;

  function count(body: Json): void {
    let returned = 0;
    for (const message of server.dialect.replayed(body)) {
      const own = message.callIds.find((id) => kept.has(id));
      if (own === undefined) {
        if (message.callIds.length > 0 && (message.thought ?? '').trim() !== '') thoughts.foreign += 1;
        continue;
      }
      const sent = kept.get(own) ?? null;
      if (sent === null) continue;
      if (message.thought === sent) returned += 1;
      else if (message.thought === null || message.thought === '') thoughts.lost += 1;
      else thoughts.altered += 1;
    }
    thoughts.returned = Math.max(thoughts.returned, returned);
  }

  function refusalOf(request: WireRequest, url: URL, text: string): Refusal | null {
    const { body } = request;
    const key = server.keyOf(request.headers, url);
    if (script.key !== undefined && key !== script.key) return server.badKey;
    const scripted = script.refuse?.(requests.length);
    if (scripted) return scripted === 'busy' ? server.busy : scripted;
    for (const rule of server.rules) {
      const refusal = rule.refuse(body, memory);
      if (refusal !== null) return refusal;
    }
    const window = script.window ?? server.window.tokens;
    const answer = answerLimit(body);
    const tokens = tokensOf(text);
    const needed = server.window.holdsAnswer ? tokens + answer : tokens;
    return needed > window ? server.window.refuse(tokens, window, answer) : null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://server');
    const text = await textOf(request);
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method !== 'POST' || !server.path.test(url.pathname)) {
      send(404, server.errorBody({ status: 404, message: `Not found: ${request.method} ${url.pathname}` }));
      return;
    }
    const wire: WireRequest = { path: url.pathname, headers: request.headers, body: JSON.parse(text), refusal: null };
    requests.push(wire);
    wire.refusal = refusalOf(wire, url, text);
    if (wire.refusal !== null) {
      send(wire.refusal.status, server.errorBody(wire.refusal));
      return;
    }
    count(wire.body);
    const scripted = await script.answer(server.dialect.conversation(wire.body), answered);
    const { thought, ...plain } = scripted;
    const turn: Turn = thought !== undefined && server.thinks.when(wire.body) ? scripted : plain;
    const tokens = {
      input: tokensOf(text),
      thinking: tokensOf(turn.thought ?? ''),
      output: tokensOf(`${turn.text ?? ''}${JSON.stringify(turn.calls ?? '')}`),
    };
    const written = server.dialect.write(turn, { body: wire.body, number: answered, tokens });
    answered += 1;
    if (turn.thought !== undefined) thoughts.given += 1;
    for (const id of written.callIds) kept.set(id, written.kept);
    for (const signature of written.signatures) signatures.add(signature);
    if (written.kept !== null && written.callIds.length > 0) thoughts.sent += 1;
    if (!server.dialect.isStreamed(wire.body, url.pathname)) {
      send(200, written.whole);
      return;
    }
    response.writeHead(200, { 'content-type': server.dialect.contentType });
    for (const frame of written.frames) response.write(frame);
    response.end();
  }

  const loopback = await serveOnLoopback((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return { ...loopback, requests, thoughts, memory };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** The longest answer that a request asks for, whatever its dialect calls it. */
function answerLimit(body: Json): number {
  return Number(
    body.max_tokens ??
      body.max_completion_tokens ??
      body.max_output_tokens ??
      body.generationConfig?.maxOutputTokens ??
      body.inferenceConfig?.maxTokens ??
      0,
  );
}
