import type { IssueEvent } from '@sluice/core/issue';
import { createParser } from 'eventsource-parser';
import type { Ledger } from './ledger.ts';

const PATIENCE_MS = 90_000; // more than the ledger takes for slow
const SILENT_MS = 120_000; // a stream beats every 15 s; one that hangs never does

interface PersonAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** A person's client over several api processes, which come and go. One jar of cookies for all of them. */
export interface Person {
  /** Null when no answer came, or one that says that the service is away: it may have been done or not. */
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<PersonAnswer<T> | null>;
  /** Reads an issue's stream after `lastSeen` until it ends. @returns `over` when there is nothing more to come */
  stream(id: string, lastSeen: number, onEvent: (event: IssueEvent) => void): Promise<'over' | 'broken'>;
}

export interface PersonOptions {
  /** Any process that answers at the moment. */
  readonly anywhere: () => string | undefined;
  /** The address of their machine, so that the limits by address count this person alone. */
  readonly address: string;
  readonly ledger: Ledger;
  /** Ends their streams. */
  readonly signal: AbortSignal;
}

export function openPerson({ anywhere, address, ledger, signal: end }: PersonOptions): Person {
  const jar = new Map<string, string>();

  async function send(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const url = anywhere();
    if (url === undefined) throw new Error('no process answers');
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, 'x-forwarded-for': address, ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(`${url}${path}`, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    return response;
  }

  return {
    async call<T>(method: string, path: string, body?: unknown): Promise<PersonAnswer<T> | null> {
      const began = performance.now();
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const sent = { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      try {
        const response = await send(path, sent);
        const text = await response.text();
        const answer = { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as T };
        ledger.answered({ request: `${method} ${path}`, ...answer, ms: performance.now() - began });
        return answer.status >= 500 ? null : answer;
      } catch (error) {
        if (signal.aborted) ledger.violation(`${method} ${path} had no answer in ${PATIENCE_MS} ms`);
        else ledger.note(error instanceof SyntaxError ? 'an answer broke off' : 'a request found nobody');
        return null;
      }
    },

    async stream(id, lastSeen, onEvent) {
      const controller = new AbortController();
      const silence = setTimeout(() => {
        ledger.violation(`the stream of ${id} was silent for ${SILENT_MS} ms`);
        controller.abort();
      }, SILENT_MS);
      const began = performance.now();
      try {
        const headers: Record<string, string> = lastSeen === 0 ? {} : { 'last-event-id': String(lastSeen) };
        const signal = AbortSignal.any([controller.signal, end]);
        const response = await send(`/api/issues/${id}/events`, { headers, signal });
        if (response.status === 204) return 'over';
        if (response.status !== 200 || response.body === null) {
          const body: unknown = await response.json().catch(() => null);
          const request = `GET /api/issues/${id}/events`;
          ledger.answered({ request, status: response.status, body, ms: performance.now() - began });
          if (response.status < 500) ledger.violation(`${request} answered ${response.status}`);
          return 'broken';
        }
        const parser = createParser({
          onEvent: ({ id: seq, data }) => {
            if (seq !== undefined) onEvent(JSON.parse(data) as IssueEvent);
          },
        });
        const decoder = new TextDecoder();
        for await (const chunk of response.body) {
          silence.refresh();
          parser.feed(decoder.decode(chunk, { stream: true }));
        }
        return 'broken';
      } catch {
        ledger.note('a stream broke');
        return 'broken';
      } finally {
        clearTimeout(silence);
      }
    },
  };
}
