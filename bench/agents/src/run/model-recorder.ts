import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from '@sluice/testing';

/** What a model took, as its provider says it. */
export interface ModelUse {
  /** Requests that were answered. */
  readonly turns: number;
  readonly inputTokens: number;
  /** The part of the input that came from the provider's cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/** The same as the fields of a record; an agent without a model has used none. */
export function usedFields(use?: ModelUse) {
  return {
    turns: use?.turns ?? 0,
    input_tokens: use?.inputTokens ?? 0,
    cached_tokens: use?.cachedTokens ?? 0,
    output_tokens: use?.outputTokens ?? 0,
  };
}

export interface ModelRecorder extends AsyncDisposable {
  /** In place of the provider's address. */
  readonly url: string;
  use(): ModelUse;
  /** Whether the last request failed for reasons of the provider or the network, and not of the request. */
  isAway(): boolean;
}

// Keys, quotas, unknown models, limits of the rate. Other refusals (400, 413, 422) are answers to what an agent has sent.
const AWAY = new Set([401, 402, 403, 404, 408, 429]);
const FAILED = 500;

const NOT_PASSED_ON = new Set([
  'host',
  'connection',
  'content-length',
  'accept-encoding',
  'content-encoding',
  'transfer-encoding',
]);

/**
 * Stands between an agent and its provider, so that all agents are measured alike: it counts what every answer says that
 * it used, and keeps requests and answers. Keys are in headers, which it passes on and never writes.
 *
 * @param target the provider's address, with its version
 * @param file where the exchanges are kept, one JSON object in each line
 */
export async function startModelRecorder(target: string, file: string): Promise<ModelRecorder> {
  let use: ModelUse = { turns: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
  let isAway = false;

  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const started = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answer = await fetch(`${target}${request.url ?? ''}`, {
      method: request.method ?? 'POST',
      headers: passedOn(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      ...(body.length > 0 && { body }),
      signal: gone.signal,
    });
    response.writeHead(answer.status, passedOn([...answer.headers]));
    const text: string[] = [];
    const decoder = new TextDecoder();
    if (answer.body !== null) {
      for await (const chunk of answer.body) {
        text.push(decoder.decode(chunk, { stream: true }));
        response.write(chunk);
      }
    }
    response.end();
    const said = text.join('');
    const exchange = { at: new Date(started).toISOString(), ms: Date.now() - started, status: answer.status };
    appendFileSync(file, `${JSON.stringify({ ...exchange, request: jsonOr(body.toString('utf8')), answer: said })}\n`);
    if (answer.ok) use = plus(use, usageIn(said));
    isAway = answer.status >= FAILED || AWAY.has(answer.status);
  };

  const server = await serveOnLoopback((request, response) => {
    pass(request, response).catch((error: unknown) => {
      isAway = true;
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'application/json' });
      const cause = error instanceof Error ? String(error.cause ?? error.message) : String(error);
      appendFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), failure: cause })}\n`);
      response.end(JSON.stringify({ error: { message: `The provider could not be reached: ${cause}` } }));
    });
  });
  return {
    url: server.origin,
    use: () => use,
    isAway: () => isAway,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/**
 * The usage in the text of an answer, streamed or not. Streams repeat growing figures, so the largest of each counts.
 * Anthropic counts the cached parts beside the input, the others within it.
 */
export function usageIn(answer: string): Omit<ModelUse, 'turns'> {
  const largest = (names: string) =>
    Math.max(
      0,
      ...[...answer.matchAll(new RegExp(`"(?:${names})"\\s*:\\s*(\\d+)`, 'g'))].map(([, figure]) => Number(figure)),
    );
  const beside = largest('cache_read_input_tokens');
  const written = largest('cache_creation_input_tokens');
  return {
    inputTokens: largest('input_tokens|prompt_tokens') + beside + written,
    cachedTokens: beside + largest('cached_tokens'),
    outputTokens: largest('output_tokens|completion_tokens'),
  };
}

function plus(use: ModelUse, answer: Omit<ModelUse, 'turns'>): ModelUse {
  return {
    turns: use.turns + 1,
    inputTokens: use.inputTokens + answer.inputTokens,
    cachedTokens: use.cachedTokens + answer.cachedTokens,
    outputTokens: use.outputTokens + answer.outputTokens,
  };
}

function passedOn(headers: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(headers.filter(([name]) => !NOT_PASSED_ON.has(name.toLowerCase())));
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
