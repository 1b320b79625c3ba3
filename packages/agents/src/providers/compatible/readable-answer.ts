import { APICallError } from '@ai-sdk/provider';
import { readableEvents, wholeAsEvents } from './readable-events.ts';
import { UnreadableAnswer } from './unreadable-answer.ts';

/** The most of an answer that is read whole, in bytes: the longest there is, many times over. */
const MAX_WHOLE_BYTES = 16_777_216;

const START_CHARACTERS = 2_000; // enough to find a secret in, before it is cut to what is shown

type AnswerForm = 'chat completions' | 'events' | 'events of Amazon';

const expectations: Readonly<Record<AnswerForm, string>> = {
  'chat completions': 'a stream of chat completions (server-sent events), or one in JSON',
  events: 'a stream of server-sent events',
  'events of Amazon': 'a stream of events in the binary form of Amazon (application/vnd.amazon.eventstream)',
};

/**
 * A `fetch` whose answers are streams of events that the SDK reads, where a stream was asked for. A server may also send
 * a chat completion whole, or say with status 200 that it failed. Anything else is an `UnreadableAnswer`, and no outage.
 */
export function readableFetch(ask: typeof fetch, form: AnswerForm): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    if (!response.ok || response.body === null || !asksForStream(input, init)) return response;
    const reader = response.body.getReader();
    const begun = await begin(reader, form === 'events of Amazon' ? MESSAGE : FIELD);
    const headers = streamHeaders(response.headers, form);
    if (begun.isEvents) {
      const bytes = rest(begun.chunks, reader);
      return new Response(form === 'chat completions' ? bytes.pipeThrough(readableEvents()) : bytes, { headers });
    }
    const text = await readWhole(begun.chunks, reader);
    const value = text === null ? null : parsed(text);
    if (text !== null && isFailure(value)) throw failureOf(text, { input, init, response });
    const events = form === 'chat completions' && value !== null ? wholeAsEvents(value) : null;
    if (events !== null) return new Response(events, { headers });
    const facts = {
      contentType: response.headers.get('content-type') || null,
      start: (text ?? Buffer.concat(begun.chunks).toString('utf8')).slice(0, START_CHARACTERS),
      expected: expectations[form],
    };
    throw new UnreadableAnswer(facts, typeof init?.body === 'string' ? init.body : '');
  };
}

/** Whether a request asks for a stream, by its path or by a member. In a text of the request, the quotes would be escaped. */
function asksForStream(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  return /stream/i.test(pathname) || (typeof init?.body === 'string' && /"stream"\s*:\s*true/.test(init.body));
}

/** The same headers, for a body that is decoded and may be longer. */
function streamHeaders(given: Headers, form: AnswerForm): Headers {
  const headers = new Headers(given);
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  headers.set('content-type', form === 'events of Amazon' ? AMAZON : 'text/event-stream');
  return headers;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const AMAZON = 'application/vnd.amazon.eventstream';

const FIELD = /^(?:data|event|id|retry)?:/;
/** The length of a message of Amazon's, which is below 16 MiB. */
const MESSAGE = /^\0/;
const FIELD_CHARACTERS = 6; // `event:` and `retry:`

/** Reads as much of an answer as tells whether it is a stream of events, whatever it is called. */
async function begin(
  reader: Reader,
  event: RegExp,
): Promise<{ readonly isEvents: boolean; readonly chunks: Uint8Array[] }> {
  const chunks: Uint8Array[] = [];
  let start = '';
  let bytes = 0;
  while (!event.test(start) && start.length < FIELD_CHARACTERS && bytes < MAX_WHOLE_BYTES) {
    const { done, value } = await reader.read();
    // Nothing at all is a stream that broke off.
    if (done) return { isEvents: start === '' || event.test(start), chunks };
    chunks.push(value);
    bytes += value.length;
    start = `${start}${Buffer.from(value).toString('latin1')}`.replace(/^(?:\s|\u00ef\u00bb\u00bf)+/, '').slice(0, 64);
  }
  return { isEvents: event.test(start), chunks };
}

/** The answer from its beginning. */
function rest(chunks: readonly Uint8Array[], reader: Reader): ReadableStream<Uint8Array> {
  const read = [...chunks];
  return new ReadableStream({
    async pull(controller) {
      const first = read.shift();
      if (first !== undefined) return controller.enqueue(first);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** The whole answer as text; null where it is longer than any answer is. */
async function readWhole(chunks: readonly Uint8Array[], reader: Reader): Promise<string | null> {
  const all = [...chunks];
  let bytes = all.reduce((sum, { length }) => sum + length, 0);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.length;
    if (bytes > MAX_WHOLE_BYTES) {
      await reader.cancel();
      return null;
    }
    all.push(next.value);
  }
  return Buffer.concat(all).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return null;
  }
}

/** Whether a value is a failure in a server's words, which Google wraps in a list. */
function isFailure(value: unknown): boolean {
  const [first] = Array.isArray(value) ? value : [value];
  if (typeof first !== 'object' || first === null) return false;
  const { error = null, object, type } = first as Record<string, unknown>;
  return error !== null || object === 'error' || type === 'error';
}

function failureOf(
  responseBody: string,
  {
    input,
    init,
    response,
  }: {
    readonly input: Parameters<typeof fetch>[0];
    readonly init: RequestInit | undefined;
    readonly response: Response;
  },
): APICallError {
  return new APICallError({
    message: response.statusText,
    url: String(input instanceof Request ? input.url : input),
    requestBodyValues: typeof init?.body === 'string' ? JSON.parse(init.body) : {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
    isRetryable: false,
  });
}
