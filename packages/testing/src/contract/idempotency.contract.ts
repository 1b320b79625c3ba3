import { callerOf } from '@sluice/core/access';
import type { Issue } from '@sluice/core/issue';
import type { IdempotentRequest, StoredResponse } from '@sluice/core/request';
import { describe, expect, it } from 'vitest';
import { aNewRepo } from '../builder/a-repo.ts';
import { newId } from '../builder/ids.ts';
import { untilFound } from '../wait/until.ts';
import { LONG_MS, SHORT_MS } from './run-samples.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
  tally,
} from './store-harness.ts';

const DAY_MS = 86_400_000;
const response: StoredResponse = { body: { id: '7', text: 'ä', none: null }, location: '/api/issues/7' };

/** What a store promises of requests that their clients have named. */
export function idempotencyContract(name: string, open: OpenStores): void {
  describe(`requests with a key, on ${name}`, () => {
    const claims = async (stores: StoreHarness, overrides: Partial<IdempotentRequest> = {}) => {
      const request = { userId: (await registeredUser(stores)).id, route: 'POST /issues', key: 'k 1', ...overrides };
      const claim = (owner = newId(), { hash = 'h', ttlMs = LONG_MS } = {}) =>
        stores.idempotency.claim(request, { hash, owner, ttlMs, keptMs: DAY_MS });
      return { request, claim };
    };

    /** Makes what the request asks for, with its answer. */
    const make = (stores: StoreHarness, { request, owner }: { request: IdempotentRequest; owner: string }) =>
      stores.repos.create(aNewRepo({ userId: request.userId }), {
        response: { request, owner, toResponse: () => response },
      });

    it('are taken once, and answered to all who ask later', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      expect(await claim('one')).toEqual({ kind: 'taken' });
      expect(await claim('two')).toEqual({ kind: 'under_way' });
      await make(stores, { request, owner: 'one' });
      expect(await claim('two')).toEqual({ kind: 'answered', response });
      expect(await claim('one')).toEqual({ kind: 'answered', response });
    });

    it('are claimed by one of many concurrent callers', async () => {
      await using stores = await open();
      const { claim } = await claims(stores);
      expect(tally(await atOnce(12, () => claim()))).toEqual({ taken: 1, under_way: 11 });
    });

    it('are distinct from requests with other content, before and after the response', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('one');
      expect(await claim('two', { hash: 'other' })).toEqual({ kind: 'other_request' });
      await make(stores, { request, owner: 'one' });
      expect(await claim('two', { hash: 'other' })).toEqual({ kind: 'other_request' });
    });

    it('are apart from those of other users, routes and keys', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim();
      for (const other of [
        {},
        { userId: request.userId, route: 'POST /repos' },
        { userId: request.userId, key: 'K 1' },
      ]) {
        expect(await (await claims(stores, other)).claim()).toEqual({ kind: 'taken' });
      }
    });

    it('can be claimed again after a release', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('one');
      await stores.idempotency.release(request, 'one');
      expect(await claim('two', { hash: 'other' })).toEqual({ kind: 'taken' });
    });

    it('are taken over by one caller when their claim has expired; the first can then neither answer nor release them', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('dead', { ttlMs: SHORT_MS });
      const over = await untilFound(async () => {
        const outcomes = await atOnce(6, () => claim());
        return outcomes.some(({ kind }) => kind === 'taken') ? outcomes : null;
      });
      expect(tally(over)).toEqual({ taken: 1, under_way: 5 });
      await expect(make(stores, { request, owner: 'dead' })).rejects.toMatchObject({ code: 'idempotency_key_busy' });
      expect((await stores.repos.list(callerOf(request.userId), { limit: 10, cursor: null })).items).toEqual([]);
      await stores.idempotency.release(request, 'dead');
      expect(await claim()).toEqual({ kind: 'under_way' });
    });

    it('are answered by the write that makes an issue, with what it has made', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      const repo = await registeredRepo(stores, { userId: request.userId });
      const toResponse = ({ id, status }: Issue) => ({ body: { id, status }, location: id });
      for (const queue of [false, true]) {
        const owner = newId();
        const named = { ...request, key: `queue ${queue}` };
        await stores.idempotency.claim(named, { hash: 'h', owner, ttlMs: LONG_MS, keptMs: DAY_MS });
        const issue = newIssueOn(repo);
        await stores.issues.create(issue, { queue, response: { request: named, owner, toResponse } });
        const body = { id: issue.id, status: queue ? 'running' : 'pending' };
        const again = await stores.idempotency.claim(named, { hash: 'h', owner: newId(), ttlMs: 1, keptMs: DAY_MS });
        expect(again).toEqual({ kind: 'answered', response: { body, location: issue.id } });
        await stores.idempotency.release(named, owner);
        expect((await stores.idempotency.claim(named, { hash: 'h', owner, ttlMs: 1, keptMs: DAY_MS })).kind).toBe(
          'answered',
        );
      }
      expect(await claim()).toEqual({ kind: 'taken' });
    });

    it.each([true, false])('whose claim was lost make no issue (queued: %s)', async (queue) => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      const repo = await registeredRepo(stores, { userId: request.userId });
      await claim('other');
      const created = stores.issues.create(newIssueOn(repo), {
        queue,
        response: { request, owner: 'dead', toResponse: () => response },
      });
      await expect(created).rejects.toMatchObject({ code: 'idempotency_key_busy' });
      expect(
        (await stores.issues.list({ readableBy: callerOf(request.userId), limit: 10, cursor: null })).items,
      ).toEqual([]);
      expect(stores.heard.runnable).toEqual([]);
      expect((await stores.issues.create(newIssueOn(repo), { queue: true })).kind).toBe('applied');
    });

    it('are renewed only by their claimant', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('one', { ttlMs: LONG_MS });
      await stores.idempotency.extend(request, 'other', SHORT_MS);
      expect(await claim()).toEqual({ kind: 'under_way' });
      await stores.idempotency.extend(request, 'one', SHORT_MS);
      await untilFound(async () => (await claim('two')).kind === 'taken');
      await stores.idempotency.extend(request, 'one', SHORT_MS);
      expect(await claim()).toEqual({ kind: 'under_way' });
      await make(stores, { request, owner: 'two' });
      await stores.idempotency.extend(request, 'two', LONG_MS);
      expect(await claim()).toEqual({ kind: 'answered', response });
    });

    it('are forgotten after their time, and not before', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('one');
      await make(stores, { request, owner: 'one' });
      stores.clock.advance(DAY_MS);
      expect(await claim()).toEqual({ kind: 'answered', response });
      stores.clock.advance(1);
      expect(await claim()).toEqual({ kind: 'taken' });
    });
  });
}
