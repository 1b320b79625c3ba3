import { randomUUID } from 'node:crypto';
import { setImmediate as aTurn } from 'node:timers/promises';
import type { IssueEvent, IssueWire, LiveEvent } from '@sluice/core/issue';
import { createParser } from 'eventsource-parser';

interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A person's HTTP client with a cookie jar. */
export interface HttpSession {
  readonly url: string;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
  issue(id: string): Promise<IssueWire>;
  /** The issue's events after `after` from the stream, until it ends or `until` holds. */
  events(
    id: string,
    until?: (event: IssueEvent | LiveEvent) => boolean,
    after?: number,
  ): Promise<(IssueEvent | LiveEvent)[]>;
  /**
   * Follows the issue, and returns when its stream has reported this status: every later event
   * is then live. `all` resolves to the events of the whole stream.
   */
  following(id: string, status: IssueWire['status']): Promise<{ readonly all: Promise<(IssueEvent | LiveEvent)[]> }>;
  /** Waits on the stream until the issue has been in this status. */
  reaches(id: string, status: IssueWire['status']): Promise<IssueWire>;
  /** The cookies in the jar, by name. */
  cookies(): ReadonlyMap<string, string>;
  /** The same person, with the same cookies, at another process. */
  at(url: string): HttpSession;
  /** The same person, who sends each request again when its connection breaks; what creates something carries a key. */
  repeating(): HttpSession;
}

let people = 0;

/** Registers a new user and returns their session. */
export async function signUp(
  url: string,
  email = `person${process.pid}-${++people}@example.com`,
): Promise<HttpSession> {
  const session = openSession(url);
  const answer = await session.call('POST', '/api/auth/register', { email, password: 'a long enough passphrase' });
  if (answer.status !== 201) throw new Error(`register answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return session;
}

/** Goes on with a session that began elsewhere, in a browser say. @param jar its cookies by name */
export function continueSession(url: string, jar: Map<string, string>): HttpSession {
  return openSession(url, jar);
}

function openSession(url: string, jar = new Map<string, string>(), repeats = false): HttpSession {
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    await hearAll();
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    if (repeats && init.method === 'POST') headers.set('idempotency-key', randomUUID());
    const mayRepeat = repeats || init.method === undefined || init.method === 'GET';
    const ask = () => fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' });
    const response = await (mayRepeat ? untilAnswered(ask, init.signal) : ask());
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    return response;
  };
  const session: HttpSession = {
    url,
    cookies: () => new Map(jar),
    at: (other) => openSession(other, jar, repeats),
    repeating: () => openSession(url, jar, true),
    async call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
      const init =
        body === undefined
          ? { method }
          : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
      const response = await send(path, init);
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as T };
    },
    async issue(id) {
      return (await session.call<IssueWire>('GET', `/api/issues/${id}`)).body;
    },
    async events(id, until = () => false, after = 0) {
      const controller = new AbortController();
      const response = await send(`/api/issues/${id}/events?after=${after}`, { signal: controller.signal });
      if (response.status === 204) return []; // all of it was seen
      if (response.status !== 200 || response.body === null) throw new Error(`events answered ${response.status}`);
      return await readEvents(response.body, { until, controller });
    },
    async following(id, status) {
      const told = Promise.withResolvers<void>();
      const all = session.events(id, (event) => {
        if (event.type === 'issue.status' && event.data.to === status) told.resolve();
        return false;
      });
      await Promise.race([told.promise, all]);
      return { all };
    },
    async reaches(id, status) {
      const seen = await session.events(id, (event) => event.type === 'issue.status' && event.data.to === status);
      const last = seen.at(-1);
      if (last?.type === 'issue.status' && last.data.to === status) return await session.issue(id);
      throw new Error(`the issue never became ${status}: ${JSON.stringify(await session.issue(id))}`);
    },
  };
  return session;
}

/**
 * Lets this process hear which kept connections the service has ended while it was busy, or the next request is sent on
 * one of them. A turn may come to its end before the loop has looked at its connections: two look at least once.
 */
async function hearAll(): Promise<void> {
  await aTurn();
  await aTurn();
}

const TRIES = 4;

/** A request that finds its kept connection closed is sent again, as any HTTP client may where that does no harm. */
async function untilAnswered(
  ask: () => Promise<Response>,
  signal: RequestInit['signal'],
  tried = 1,
): Promise<Response> {
  try {
    return await ask();
  } catch (error) {
    if (tried === TRIES || signal?.aborted === true) throw error;
    return await untilAnswered(ask, signal, tried + 1);
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  end: { until: (event: IssueEvent | LiveEvent) => boolean; controller: AbortController },
): Promise<(IssueEvent | LiveEvent)[]> {
  const events: (IssueEvent | LiveEvent)[] = [];
  let done = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (done) return;
      const event = JSON.parse(data) as IssueEvent | LiveEvent;
      events.push(event);
      done = end.until(event);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (done) break;
  }
  end.controller.abort();
  return events;
}
