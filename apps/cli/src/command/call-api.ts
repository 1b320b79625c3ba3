import { SluiceError } from '@sluice/client';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { chosenServer, noServer } from '../session/known-servers.ts';
import { asUser, fetchOf, type RemoteOptions } from '../session/remote.ts';
import { bodyOf, queryOf, rawField, readInput, typedField } from '../session/request-fields.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';
import { plainText } from '../terminal/plain-text.ts';

export interface ApiOptions extends RemoteOptions {
  readonly method?: string;
  readonly rawField?: string[];
  readonly field?: string[];
  readonly header?: string[];
  readonly input?: string;
  readonly paginate?: true;
  readonly include?: true;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** Sends a request, and prints its answer. @throws SluiceError when the server refuses it, after printing that answer */
export async function callApi(call: { path: string; method?: string }, options: ApiOptions): Promise<void> {
  const url = (await chosenServer(options.url)) ?? noServer();
  const { target, init } = await requestOf(call, options, url);
  const send = fetchOf(url);
  await asUser({ url }, async () => {
    for (let page: URL | null = target; page !== null; ) {
      const response = await send(page, init);
      if (options.include === true) printHead(response);
      const answer = await printAnswer(response, options);
      if (!response.ok) throw refusalOf(response, answer);
      page = options.paginate === true ? nextPage(page, answer) : null;
    }
  });
}

async function requestOf(call: { path: string; method?: string }, options: ApiOptions, url: string) {
  const fields = [
    ...(options.rawField ?? []).map(rawField),
    ...(await Promise.all((options.field ?? []).map((text) => typedField(text)))),
  ];
  const hasInput = options.input !== undefined;
  const method = (options.method ?? call.method ?? (hasInput || fields.length > 0 ? 'POST' : 'GET')).toUpperCase();
  if (!METHODS.has(method)) {
    throw new CommandError(
      exitCode.usage,
      `${JSON.stringify(method)} is none of the methods ${[...METHODS].join(', ')}.`,
    );
  }
  if (options.paginate === true && method !== 'GET') {
    throw new CommandError(exitCode.usage, '--paginate reads pages, so it needs the method GET.');
  }
  if (hasInput && (method === 'GET' || method === 'HEAD')) {
    throw new CommandError(exitCode.usage, `A request with the method ${method} has no body: leave --input out.`);
  }
  const target = endpoint(url, call.path);
  const isQuery = WITHOUT_BODY.has(method) || hasInput;
  if (isQuery) for (const [name, value] of queryOf(fields)) target.searchParams.append(name, value);
  const body =
    options.input !== undefined
      ? new Uint8Array(await readInput(options.input))
      : isQuery || fields.length === 0
        ? null
        : JSON.stringify(bodyOf(fields));
  const headers = new Headers(body === null ? {} : { 'content-type': 'application/json' });
  for (const [name, value] of (options.header ?? []).map(headerOf)) headers.set(name, value);
  return { target, init: { method, headers, ...(body === null ? {} : { body }) } };
}

function endpoint(url: string, path: string): URL {
  const given = path.startsWith(`${url}/`) ? path.slice(url.length) : path;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) {
    throw new CommandError(exitCode.usage, `${given} is not a path of ${url}. Choose the server with --url.`);
  }
  return new URL(`${url}/api/${given.replace(/^\/+/, '').replace(/^api\//, '')}`);
}

function headerOf(text: string): [string, string] {
  const [, name, value = ''] = /^([\w-]+):\s*([\t -~]*)$/.exec(text) ?? []; // fetch throws on any other character
  if (name === undefined) {
    throw new CommandError(exitCode.usage, `-H ${JSON.stringify(text)} must be name: value, in ASCII.`);
  }
  return [name, value];
}

/** Prints the status line and the headers, without the session. */
function printHead({ status, statusText, headers }: Response): void {
  const lines = [...headers].filter(([name]) => name !== 'set-cookie').map(([name, value]) => `${name}: ${value}`);
  process.stdout.write(`HTTP/1.1 ${status} ${statusText}\n${plainText(lines.join('\n'))}\n\n`);
}

/** Prints the body. @returns it when it is JSON; null for one of `HEAD`, which is empty */
async function printAnswer(response: Response, options: ApiOptions): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  const output = createOutput({ json: true, jq: response.ok ? options.jq : undefined });
  if (/^text\/event-stream\b/i.test(type) && response.body !== null) {
    for await (const event of eventsOf(response.body)) output.data(event, () => '');
    return null;
  }
  const text = await response.text().catch(connectionLost);
  if (text !== '' && /^application\/(problem\+)?json\b/i.test(type)) {
    const answer = parsed(text);
    if (options.jq !== undefined || process.stdout.isTTY !== true || options.paginate === true) {
      output.data(answer, () => '');
    } else process.stdout.write(`${plainText(JSON.stringify(answer, null, 2))}\n`);
    return answer;
  }
  if (text !== '') process.stdout.write(process.stdout.isTTY === true ? plainText(text) : text);
  return null;
}

/** The `data` of each event of a stream, parsed where it is JSON. */
async function* eventsOf(body: NonNullable<Response['body']>): AsyncGenerator<unknown> {
  const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  try {
    for await (const { data } of messages) yield parsed(data);
  } catch (error) {
    connectionLost(error);
  }
}

function connectionLost(cause: unknown): never {
  throw new CommandError(exitCode.unexpected, 'The connection was lost before the end of the answer.', { cause });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The members that name the next page, and the parameter that asks for it. */
const continuations = { next_cursor: 'cursor', next_page: 'page', next_after: 'after' } as const;

function nextPage(page: URL, answer: unknown): URL | null {
  for (const [member, parameter] of Object.entries(continuations)) {
    const next = (answer as Record<string, unknown> | null)?.[member];
    if (typeof next !== 'string' && typeof next !== 'number') continue;
    const following = new URL(page);
    following.searchParams.set(parameter, String(next));
    return following;
  }
  return null;
}

function refusalOf({ status }: Response, answer: unknown): SluiceError {
  const body = (answer ?? {}) as Record<string, unknown>;
  const { code, detail } = body;
  return new SluiceError({
    code: typeof code === 'string' ? code : 'unexpected_answer',
    status,
    detail: `${typeof detail === 'string' ? detail : 'The server refused the request.'} (HTTP ${status})`,
    errors: [],
    retryAfterMs: null,
    requestId: null,
    body,
  });
}
