import type { KeptAnswer, NamedRequest } from '@sluice/core';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '../builder/ids.ts';
import { LONG_MS, SHORT_MS } from './run-samples.ts';
import { atOnce, type OpenStores, registeredUser, type StoreHarness, tally } from './store-harness.ts';

const DAY_MS = 86_400_000;
const answer: KeptAnswer = { body: { id: '7', text: 'ä', none: null }, location: '/api/issues/7' };

/** What a store promises of requests that their clients have named. */
export function idempotencyContract(name: string, open: OpenStores): void {
  describe(`requests with a key, on ${name}`, () => {
    const claims = async (stores: StoreHarness, overrides: Partial<NamedRequest> = {}) => {
      const request = { userId: (await registeredUser(stores)).id, route: 'POST /issues', key: 'k 1', ...overrides };
      const claim = (owner = newId(), { hash = 'h', ttlMs = LONG_MS } = {}) =>
        stores.idempotency.claim(request, { hash, owner, ttlMs, keptMs: DAY_MS });
      return { request, claim };
    };

    it('are taken once, and answered to all who ask later', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      expect(await claim('one')).toEqual({ kind: 'taken' });
      expect(await claim('two')).toEqual({ kind: 'under_way' });
      await stores.idempotency.keep(request, 'one', answer);
      expect(await claim('two')).toEqual({ kind: 'answered', answer });
      expect(await claim('one')).toEqual({ kind: 'answered', answer });
    });

    it('are taken by one of many who come at the same moment', async () => {
      await using stores = await open();
      const { claim } = await claims(stores);
      expect(tally(await atOnce(12, () => claim()))).toEqual({ taken: 1, under_way: 11 });
    });

    it('are others when they say something else, before and after the answer', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('one');
      expect(await claim('two', { hash: 'other' })).toEqual({ kind: 'other_request' });
      await stores.idempotency.keep(request, 'one', answer);
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

    it('are anybody’s again once they were given back', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('one');
      await stores.idempotency.release(request, 'one');
      expect(await claim('two', { hash: 'other' })).toEqual({ kind: 'taken' });
    });

    it('are taken over, by one, when whoever took them is gone; he can neither answer nor give back then', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('dead', { ttlMs: SHORT_MS });
      const over = await vi.waitUntil(async () => {
        const outcomes = await atOnce(6, () => claim());
        return outcomes.some(({ kind }) => kind === 'taken') ? outcomes : null;
      });
      expect(tally(over)).toEqual({ taken: 1, under_way: 5 });
      await stores.idempotency.keep(request, 'dead', answer);
      await stores.idempotency.release(request, 'dead');
      expect(await claim()).toEqual({ kind: 'under_way' });
    });

    it('are forgotten after their time, and not before', async () => {
      await using stores = await open();
      const { request, claim } = await claims(stores);
      await claim('one');
      await stores.idempotency.keep(request, 'one', answer);
      stores.clock.advance(DAY_MS);
      expect(await claim()).toEqual({ kind: 'answered', answer });
      stores.clock.advance(1);
      expect(await claim()).toEqual({ kind: 'taken' });
    });
  });
}
