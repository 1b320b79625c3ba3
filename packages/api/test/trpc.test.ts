import { eventually, newId } from '@sluice/testing';
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import { EventSource } from 'eventsource';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppRouter } from '../src/transport/trpc/app-router.ts';
import { openStream } from './feed/open-stream.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

function clientOf(as: Login | null) {
  const url = `${api.url}/api/trpc`;
  const headers = as === null ? {} : { cookie: as.cookie };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: () => ({
            fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
          }),
        }),
        false: httpBatchLink({ url, headers }),
      }),
    ],
  });
}

describe('tRPC', () => {
  it.each([
    ['httpLink', httpLink],
    ['httpBatchLink', httpBatchLink],
  ])('sets the session cookie by %s', async (_name, link) => {
    const cookies: string[] = [];
    const client = createTRPCClient<AppRouter>({
      links: [
        link({
          url: `${api.url}/api/trpc`,
          fetch: async (input, init) => {
            const response = await fetch(input as string, init as RequestInit);
            cookies.push(...response.headers.getSetCookie());
            return response;
          },
        }),
      ],
    });
    const profile = await client.auth.register.mutate({ email: `${newId()}@example.com`, password: 'correct horse' });
    expect(profile).not.toHaveProperty('password');
    expect(cookies).toEqual([expect.stringMatching(/^access_token=.+HttpOnly/)]);
  });

  it('says in its error what REST says, with the true status and no stack', async () => {
    const error = await clientOf(ada)
      .issues.get.query({ id: newId() })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof TRPCClientError)) throw error;
    expect(error.message).toBe('There is no such issue.');
    expect(error.data).toEqual({
      code: 'NOT_FOUND',
      httpStatus: 404,
      error: { detail: 'There is no such issue.', code: 'issue_not_found', request_id: expect.any(String) },
    });
  });

  it.each([
    ['GET', '/api/trpc/nothing.there', 404, 'route_not_found'],
    ['GET', '/api/trpc/auth.logout', 405, 'method_not_allowed'],
    ['GET', '/api/trpc/%zz', 400, 'validation_failed'],
    ['GET', '/api/trpc/issues.get?input=%7B', 400, 'malformed_json'],
  ])('%s %s is refused in JSON with %i', async (...[method, path, status, code]) => {
    const answer = await api.call(method, path, { as: ada });
    expect(answer.status).toBe(status);
    expect((answer.body as { error: { data: { error: object } } }).error.data.error).toMatchObject({
      code,
      detail: expect.any(String),
    });
  });

  it('refuses a body of more than 1 MiB and one that is no JSON', async () => {
    const post = (raw: string, type: string) =>
      api.call('POST', '/api/trpc/auth.logout', { as: ada, raw, headers: { 'content-type': type } });
    expect((await post(`{"a":"${'a'.repeat(1_100_000)}"}`, 'application/json')).status).toBe(413);
    expect((await post('a=1', 'application/x-www-form-urlencoded')).status).toBe(415);
  });

  it('resumes a subscription after every dropped connection with no gap and no repeat, and ends with the issue', async () => {
    const { id } = await api.issue(ada);
    const seen: number[] = [];
    const ended = Promise.withResolvers<void>();
    const subscription = clientOf(ada).issues.events.subscribe(
      { id },
      {
        onData: ({ data: event }) => {
          if ('seq' in event) seen.push(event.seq);
        },
        onError: (error) => ended.reject(error),
        onComplete: () => ended.resolve(),
      },
    );
    await eventually(() => expect(seen.length).toBeGreaterThan(0));
    const before = seen.length;
    api.server.closeAllConnections();
    await api.toGate(id); // written while no stream is connected
    await eventually(() => expect(seen.length).toBeGreaterThan(before));
    api.server.closeAllConnections();
    expect((await api.call('DELETE', `/api/issues/${id}`, { as: ada })).status).toBe(204);
    await ended.promise;
    subscription.unsubscribe();
    const { lastSeq } = (await api.stores.issues.get(id as never)) ?? { lastSeq: 0 };
    expect(seen).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
    await eventually(() => expect(api.signals.listenerCount()).toBe(0));
  });

  it('gives live text between the events, in the same envelope', async () => {
    const { id } = await api.issue(ada);
    const texts: string[] = [];
    const subscription = clientOf(ada).issues.events.subscribe(
      { id },
      {
        onData: ({ data: event }) => {
          if (event.type === 'agent.delta') texts.push(event.data.text);
        },
      },
    );
    await eventually(() => {
      api.signals.live({
        type: 'agent.delta',
        issue_id: id,
        at: new Date().toISOString(),
        data: { agent: 'coder', text: 'a' },
      });
      expect(texts.length).toBeGreaterThan(0);
    });
    subscription.unsubscribe();
    await eventually(() => expect(api.signals.listenerCount()).toBe(0));
  });

  it.each([
    ['without a session', null, (id: string) => id, 'UNAUTHORIZED'],
    ['for what is not there', 'ada', () => newId(), 'NOT_FOUND'],
    ['for another user', 'eve', (id: string) => id, 'FORBIDDEN'],
  ])('refuses a subscription %s, once', async (...[, who, idOf, code]) => {
    const { id } = await api.issue(ada);
    const as = who === null ? null : who === 'ada' ? ada : await api.login();
    const error = await new Promise<unknown>((resolve) => {
      clientOf(as).issues.events.subscribe({ id: idOf(id) }, { onError: resolve });
    });
    expect(error).toMatchObject({ data: { code } });
    expect(api.signals.listenerCount()).toBe(0);
  });

  it.each([
    ['its session is logged out', 'UNAUTHORIZED', () => api.call('POST', '/api/auth/logout', { as: ada })],
    ['the server shuts down', 'SERVICE_UNAVAILABLE', () => api.closeStreams()],
    [
      'a row cannot be read',
      'INTERNAL_SERVER_ERROR',
      async (id: string) => {
        await api.stores.close();
        api.signals.eventsWritten({ issueId: id, userId: ada.user.id, seq: 1_000 });
      },
    ],
  ])('ends the stream of a subscription with its reason when %s', async (...[, code, happen]) => {
    const { id } = await api.issue(ada);
    const input = encodeURIComponent(JSON.stringify({ id }));
    await using stream = await openStream(`${api.url}/api/trpc/issues.events?input=${input}`, { cookie: ada.cookie });
    await eventually(() => expect(stream.raw()).toContain('issue.status'));
    await happen(id);
    expect(await stream.ended).toBe('closed');
    const [, reason = ''] = stream.raw().split('event: serialized-error\ndata: ');
    expect(JSON.parse(reason.split('\n', 1)[0] ?? '')).toMatchObject({
      data: { code, error: { detail: expect.any(String) } },
    });
    expect(reason).not.toContain('stack');
    await eventually(() => expect(api.signals.listenerCount()).toBe(0));
  });
});
