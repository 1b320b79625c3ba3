import { AppError } from '@sluice/core/error';
import type { IdempotencyStore } from '@sluice/core/request';
import { untilFound } from '@sluice/testing';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppRouter } from '../src/transport/trpc/app-router.ts';
import {
  aHostedIssue,
  aHostedRepo,
  linkAccount,
  type ScriptedCodeHost,
  scriptedCodeHost,
} from './scripted-code-host.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let there: ScriptedCodeHost;
let ada: Login;
beforeEach(async () => {
  there = scriptedCodeHost();
  there.repos.push(aHostedRepo('acme/anvil'));
  there.issues.push(aHostedIssue(7), aHostedIssue(8));
  api = await startApi({ ports: { codehost: there.port } });
  ada = await api.login();
  await linkAccount(api, ada);
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const send = (path: string, json: unknown, { key = 'k-1', as = ada } = {}) =>
  api.call('POST', path, { as, json, headers: { 'idempotency-key': key } });
const register = (json: unknown, options = {}) => send('/api/repos', json, options);
const anvil = { codehost_repo: 'acme/anvil' };
const replayed = (answer: { headers: Headers }) => answer.headers.get('idempotency-replayed');
const countOf = async (path: string) => ((await api.call('GET', path, { as: ada })).body.items as unknown[]).length;

describe('a request with an Idempotency-Key', () => {
  it('is carried out once on each of its routes, and answered alike when it is sent again', async () => {
    const repo = await register(anvil);
    const { id } = repo.body;
    const requests = [
      ['/api/repos', anvil, '/api/repos'],
      ['/api/issues/import', { repo_id: id, number: 7 }, `/api/issues?repo_id=${id}`],
      ['/api/issues', { repo_id: id, title: 'A', body: '' }, `/api/issues?repo_id=${id}`],
    ] as const;
    for (const [path, json, list] of requests) {
      const first = path === '/api/repos' ? repo : await send(path, json);
      expect([first.status, replayed(first)]).toEqual([201, null]);
      const before = await countOf(list);
      const again = await send(path, json);
      expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true']);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(await countOf(list)).toBe(before);
    }
  });

  it('gives the first answer again, whatever has become of the issue since', async () => {
    const { id } = (await register(anvil)).body;
    const json = { repo_id: id, title: 'A', body: '' };
    const first = await send('/api/issues', json);
    await api.call('DELETE', `/api/issues/${first.body.id}`, { as: ada });
    expect((await send('/api/issues', json)).text).toBe(first.text);
    expect((await send('/api/issues', json, { key: 'k-2' })).body.id).not.toBe(first.body.id);
  });

  it('is the same over tRPC, and with its members in another order', async () => {
    const { body } = await register({ ...anvil, test_command: 'make', settings: { auto_run: true } });
    const turned = await register({ settings: { auto_run: true }, test_command: 'make', ...anvil });
    expect([turned.body.id, replayed(turned)]).toEqual([body.id, 'true']);
    const headers = { cookie: ada.cookie, 'idempotency-key': 'k-1' };
    const seen: (string | null)[] = [];
    const link = httpBatchLink({
      url: `${api.url}/api/trpc`,
      headers,
      fetch: async (url, init) => {
        const response = await fetch(url, init as RequestInit);
        seen.push(response.headers.get('idempotency-replayed'));
        return response;
      },
    });
    const client = createTRPCClient<AppRouter>({ links: [link] });
    const created = await client.repos.create.mutate({ ...anvil, test_command: 'make', settings: { auto_run: true } });
    expect([created.id, seen]).toEqual([body.id, ['true']]);
  });

  it('is refused with 409 when it says something else, and with 400 when its key is none', async () => {
    await register(anvil);
    const other = await register({ ...anvil, test_command: 'make' });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    for (const key of ['x'.repeat(256), 'ä']) {
      const refused = await register(anvil, { key });
      expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: 'Idempotency-Key' }]]);
    }
  });

  it('is another user’s own', async () => {
    const eve = await api.login();
    await linkAccount(api, eve);
    const [one, other] = [await register(anvil), await register(anvil, { as: eve })];
    expect([one.status, other.status, replayed(other)]).toEqual([201, 201, null]);
    expect(other.body.id).not.toBe(one.body.id);
  });

  it('can be sent again after a refusal, which is not kept', async () => {
    there.interfere(async () => {
      throw new AppError('codehost_unavailable');
    });
    expect((await register(anvil)).status).toBe(502);
    there.interfere(null);
    const again = await register({ ...anvil, test_command: 'make' });
    expect([again.status, replayed(again)]).toEqual([201, null]);
  });

  it('gets the refusal also where its key cannot be released, and the claim expires by itself', async () => {
    there.interfere(async () => {
      throw new AppError('codehost_unavailable');
    });
    const release = vi.spyOn(api.stores.idempotency as IdempotencyStore, 'release');
    release.mockRejectedValueOnce(new Error('The store is away.'));
    expect((await register(anvil)).status).toBe(502);
    expect(release).toHaveBeenCalledOnce();
  });

  it('counts every time', async () => {
    for (let count = 0; count < 5; count += 1) expect((await register(anvil)).status).toBe(201);
    expect((await register(anvil)).status).toBe(429);
  });
});

describe('while the first is under way', () => {
  /** Delays the first answer of the code host until it is released. */
  function heldUp() {
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    there.interfere(async () => {
      there.interfere(null);
      asked.resolve();
      await goOn.promise;
    });
    return { asked: asked.promise, goOn: goOn.resolve, fail: goOn.reject };
  }
  /** Sees claims of the api. */
  const claims = () => vi.spyOn(api.stores.idempotency as IdempotencyStore, 'claim');

  it('others wait for it and get its answer', async () => {
    const claim = claims();
    const host = heldUp();
    const first = register(anvil);
    await host.asked;
    const others = Array.from({ length: 3 }, () => register(anvil));
    await untilFound(() => claim.mock.calls.length >= 4);
    host.goOn();
    const answers = await Promise.all([first, ...others]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(replayed).sort()).toEqual([null, 'true', 'true', 'true'].sort());
    expect(there.asked).toHaveLength(1);
  });

  it('lets a waiting request run when the first fails', async () => {
    const host = heldUp();
    const first = register(anvil);
    await host.asked;
    const other = register(anvil);
    host.fail(new AppError('codehost_unavailable'));
    expect((await first).status).toBe(502);
    const answer = await other;
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
  });

  it('of two that come at the very same moment one is carried out', async () => {
    for (let round = 0; round < 4; round += 1) {
      const url = `https://example.test/acme/${round}`;
      const as = await api.login();
      const answers = await Promise.all([0, 1].map(() => register({ url }, { key: `at once ${round}`, as })));
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers.map(replayed).filter((one) => one === 'true')).toHaveLength(1);
    }
  });

  it('a client that has gone away leaves the key free', async () => {
    const host = heldUp();
    const leaving = new AbortController();
    const gone = fetch(`${api.url}/api/repos`, {
      method: 'POST',
      headers: { cookie: ada.cookie, 'content-type': 'application/json', 'idempotency-key': 'k-1' },
      body: JSON.stringify(anvil),
      signal: leaving.signal,
    });
    await host.asked;
    leaving.abort();
    await expect(gone).rejects.toThrow();
    expect((await register(anvil)).status).toBe(201);
  });

  it('its claim is held for as long as it takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const extend = vi.spyOn(api.stores.idempotency as IdempotencyStore, 'extend');
    const host = heldUp();
    const first = register(anvil);
    await host.asked;
    vi.advanceTimersByTime(20_000);
    expect(extend.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(extend.mock.calls.every(([, , ttlMs]) => ttlMs >= 10_000)).toBe(true);
    host.goOn();
    expect((await first).status).toBe(201);
    const before = extend.mock.calls.length;
    vi.advanceTimersByTime(60_000);
    expect(extend.mock.calls.length).toBe(before);
  });

  it('a process that died with it holds it up for a while and not for ever', async () => {
    const claim = claims();
    await register(anvil, { key: 'to see a claim' });
    const [named, asked] = claim.mock.calls[0] ?? [];
    if (named === undefined || asked === undefined) throw new Error('No claim was seen.');
    expect(asked.ttlMs).toBeLessThanOrEqual(15_000);
    const url = 'https://example.test/acme/rocket';
    claim.mockImplementationOnce(async (request, given) => {
      claim.mockRestore();
      // A process that is killed right after this would leave the same row.
      await api.stores.idempotency.claim(request, { ...given, owner: 'dead', ttlMs: 300 });
      return { kind: 'under_way' };
    });
    const answer = await register({ url });
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
  });
});
