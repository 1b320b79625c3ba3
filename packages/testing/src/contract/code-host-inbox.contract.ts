import type { ChangedSubject, ChangeRequestState, ClaimedSubject } from '@sluice/core/code-host';
import type { NewIssue } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { untilFound } from '../wait/until.ts';
import { codeHostPollContract } from './code-host-poll.contract.ts';
import { aSubject, followUpOn, hostedRepo, importOf, published } from './code-host-samples.ts';
import { applied } from './pipeline-moves.ts';
import { LONG_MS, SHORT_MS } from './run-samples.ts';
import { atOnce, type OpenStores, type StoreHarness } from './store-harness.ts';

const MANY = { limit: 100, ttlMs: LONG_MS };
const HOUR_MS = 3_600_000;

/** What a `CodeHostInbox` promises, on any database. */
export function codeHostInboxContract(name: string, open: OpenStores): void {
  describe(`the inbox of the code host on ${name}`, () => {
    describe('a delivery', () => {
      it('marks its subject when it is noted first, however often it comes at once', async () => {
        await using stores = await open();
        const subject = aSubject();
        const noted = await atOnce(6, () => stores.codehostInbox.deliver('d-1', subject));
        expect(noted.filter(Boolean)).toHaveLength(1);
        expect(await stores.codehostInbox.claim('w', MANY)).toEqual([{ ...subject, mark: 1, failures: 0 }]);
      });

      it('is recorded even when it concerns no registration', async () => {
        await using stores = await open();
        expect(await stores.codehostInbox.deliver('ping', null)).toBe(true);
        expect(await stores.codehostInbox.deliver('ping', aSubject())).toBe(false);
        expect(await stores.codehostInbox.claim('w', MANY)).toEqual([]);
      });

      it('of branches marks the open pull requests from or into them, each once', async () => {
        await using stores = await open();
        const { codehostInbox: inbox } = stores;
        const repo = await hostedRepo(stores);
        const codehostRepoId = repo.codehostRepoId ?? '';
        const publish = async (issue: NewIssue, state: ChangeRequestState) =>
          published(stores, applied(await stores.issues.create(issue, { queue: true })), state);
        await publish(importOf(repo, 7), 'draft');
        await publish(followUpOn(repo, 'issue-1', { baseBranch: 'sluice/7' }), 'draft');
        const other = await hostedRepo(stores);
        await publish(importOf(other, 7), 'merged');
        const marks = async (id: string, branches: readonly string[]) => {
          expect(await inbox.deliver(id, { codehostRepoId, branches })).toBe(true);
          return (await inbox.claim('w', MANY)).map(({ kind, number }) => ({ kind, number }));
        };
        expect(await marks('elsewhere', ['sluice/8', 'develop'])).toEqual([]);
        expect(await marks('head', ['sluice/7'])).toEqual([{ kind: 'change_request', number: 9 }]);
        await inbox.expireHolds();
        expect(await marks('base', ['develop', 'main'])).toEqual([{ kind: 'change_request', number: 9 }]);
        expect(await inbox.deliver('base', { codehostRepoId, branches: ['main'] })).toBe(false);
        expect(await inbox.deliver('ended', { codehostRepoId: other.codehostRepoId ?? '', branches: ['main'] })).toBe(
          true,
        );
        expect(await inbox.claim('w', MANY)).toEqual([]);
      });

      it('of branches with a revert also marks those that were merged into them in the last thirty days', async () => {
        await using stores = await open();
        const { codehostInbox: inbox, outcomes, clock } = stores;
        const repo = await hostedRepo(stores);
        await published(stores, applied(await stores.issues.create(importOf(repo, 7), { queue: true })), 'merged');
        await outcomes.note({ repoId: repo.id, number: 9 }, { state: 'merged', mergedAt: clock.now() });
        const codehostRepoId = repo.codehostRepoId ?? '';
        const marks = async (id: string, branch: string, reverts: boolean) => {
          await inbox.deliver(id, { codehostRepoId, branches: [branch], reverts });
          const found = await inbox.claim('w', MANY);
          await inbox.expireHolds();
          for (const subject of found) await inbox.settle('w', subject);
          return found.map(({ number }) => number);
        };
        clock.advance(29 * 86_400_000);
        expect(await marks('without', 'main', false)).toEqual([]);
        expect(await marks('elsewhere', 'develop', true)).toEqual([]);
        expect(await marks('with', 'main', true)).toEqual([9]);
        clock.advance(2 * 86_400_000);
        expect(await marks('late', 'main', true)).toEqual([]);
      });

      it('is deleted after its retention, with old settled marks', async () => {
        await using stores = await open();
        const { codehostInbox: inbox, clock } = stores;
        const [settled, waiting] = [aSubject(), aSubject()];
        await inbox.deliver('old', settled);
        await inbox.settle('w', one(await inbox.claim('w', MANY)));
        await inbox.deliver('waiting', waiting);
        clock.advance(1_000);
        await inbox.deliver('new', null);
        await inbox.forgetDeliveries(clock.now());
        expect(await inbox.deliver('new', null)).toBe(false);
        expect(await inbox.deliver('old', settled)).toBe(true);
        expect(await inbox.claim('w', MANY)).toEqual([
          { ...waiting, mark: 1, failures: 0 },
          { ...settled, mark: 1, failures: 0 },
        ]);
      });
    });

    describe('a mark', () => {
      it('is one with every other mark of its subject', async () => {
        await using stores = await open();
        const subject = aSubject();
        const others = [aSubject({ ...subject, kind: 'change_request' }), aSubject({ ...subject, number: 8 })];
        await stores.codehostInbox.mark([]);
        await stores.codehostInbox.mark([subject, ...others, subject]);
        await atOnce(20, async () => {
          for (let count = 0; count < 10; count += 1) await stores.codehostInbox.mark([subject]);
        });
        const claimed = await stores.codehostInbox.claim('w', MANY);
        expect(claimed).toHaveLength(3);
        expect(claimed).toContainEqual({ ...subject, mark: 201, failures: 0 });
      });

      it('may be one of ten thousand in one call', async () => {
        await using stores = await open();
        const codehostRepoId = newId();
        const same = Array.from({ length: 10_000 }, () => aSubject({ codehostRepoId }));
        await stores.codehostInbox.mark(same);
        expect(await stores.codehostInbox.claim('w', MANY)).toHaveLength(1);
        const different = Array.from({ length: 2_500 }, (_, number) => aSubject({ codehostRepoId, number }));
        await stores.codehostInbox.mark(different);
        expect(await stores.codehostInbox.claim('w', { limit: 5_000, ttlMs: LONG_MS })).toHaveLength(2_499);
      });

      it('survives concurrent marking of many subjects in different orders', async () => {
        await using stores = await open();
        const codehostRepoId = newId();
        const subjects = Array.from({ length: 50 }, (_, number) => aSubject({ codehostRepoId, number }));
        await atOnce(6, (index) => stores.codehostInbox.mark(index % 2 === 0 ? subjects : subjects.toReversed()));
        const claimed = await stores.codehostInbox.claim('w', MANY);
        expect(claimed.map(({ mark }) => mark)).toEqual(subjects.map(() => 6));
      });
    });

    describe('a claim', () => {
      it('gives each subject to one of those who ask at once', async () => {
        await using stores = await open();
        const subjects = Array.from({ length: 40 }, (_, number) => aSubject({ number }));
        await stores.codehostInbox.mark(subjects);
        const claims = await atOnce(8, (index) => stores.codehostInbox.claim(`w-${index}`, { ...MANY, limit: 7 }));
        for (const claim of claims) expect(claim.length).toBeLessThanOrEqual(7);
        const rest = await stores.codehostInbox.claim('w-rest', MANY);
        const all = [...claims, rest].flat().map(({ number }) => number);
        expect(all.toSorted((a, b) => a - b)).toEqual(subjects.map(({ number }) => number));
      });

      it('claims the oldest first, up to the limit', async () => {
        await using stores = await open();
        const subjects = [aSubject(), aSubject(), aSubject()];
        for (const subject of subjects) await stores.codehostInbox.mark([subject]);
        await stores.codehostInbox.mark([subjects[0] as ChangedSubject]);
        const seen: string[] = [];
        for (let count = 0; count < 4; count += 1) {
          const claimed = await stores.codehostInbox.claim('w', { limit: 1, ttlMs: LONG_MS });
          seen.push(...claimed.map(({ codehostRepoId }) => codehostRepoId));
        }
        expect(seen).toEqual(subjects.map(({ codehostRepoId }) => codehostRepoId));
      });

      it('that expired can be claimed again, counts as a failure, and settles nothing', async () => {
        await using stores = await open();
        const { codehostInbox: inbox } = stores;
        const subject = aSubject();
        await inbox.mark([subject]);
        const lost = one(await inbox.claim('w-1', { limit: 1, ttlMs: SHORT_MS }));
        const taken = await claimedBy(stores, 'w-2');
        expect(taken).toEqual({ ...subject, mark: 1, failures: 1 });
        await inbox.settle('w-1', lost);
        await inbox.defer('w-1', lost, { retryInMs: 0, failed: true });
        expect(await inbox.claim('w-3', MANY)).toEqual([]);
        await inbox.settle('w-2', taken);
        await inbox.mark([subject]);
        expect(await inbox.claim('w-3', MANY)).toEqual([{ ...subject, mark: 2, failures: 0 }]);
      });
    });

    it('ends all claims on request, as a single process does at start', async () => {
      await using stores = await open();
      const { codehostInbox: inbox } = stores;
      const [held, waiting, seen] = [aSubject(), aSubject(), aSubject()];
      await inbox.mark([seen]);
      await inbox.settle('dead', one(await inbox.claim('dead', MANY)));
      await inbox.mark([waiting]);
      await inbox.defer('dead', one(await inbox.claim('dead', MANY)), { retryInMs: HOUR_MS, failed: true });
      await inbox.mark([held]);
      const lost = one(await inbox.claim('dead', MANY));
      expect(await inbox.claim('w', MANY)).toEqual([]);
      expect(await inbox.expireHolds()).toBe(1);
      const taken = one(await inbox.claim('w', MANY));
      expect(taken).toEqual({ ...held, mark: 1, failures: 1 });
      await inbox.settle('dead', lost);
      await inbox.settle('w', taken);
      expect(await inbox.expireHolds()).toBe(0);
      expect(await inbox.claim('w', MANY)).toEqual([]);
    });

    describe('a synced subject', () => {
      it('is not synced again, unless it was marked meanwhile: then at once', async () => {
        await using stores = await open();
        const { codehostInbox: inbox } = stores;
        const subject = aSubject();
        await inbox.mark([subject]);
        const first = one(await inbox.claim('w', MANY));
        await inbox.mark([subject]);
        expect(await inbox.claim('w', MANY)).toEqual([]);
        await inbox.settle('w', first);
        const second = one(await inbox.claim('w', MANY));
        expect(second).toEqual({ ...subject, mark: 2, failures: 0 });
        await inbox.settle('w', second);
        expect(await inbox.claim('w', MANY)).toEqual([]);
      });

      it('is never left unmarked by a settling that comes at the same moment as a mark', async () => {
        await using stores = await open();
        const { codehostInbox: inbox } = stores;
        const subject = aSubject();
        await inbox.mark([subject]);
        for (let round = 1; round <= 20; round += 1) {
          const claimed = one(await inbox.claim('w', MANY));
          expect(claimed.mark).toBe(round);
          await Promise.all([inbox.settle('w', claimed), inbox.mark([subject])]);
        }
        expect(await inbox.claim('w', MANY)).toHaveLength(1);
      });

      it('processes the newest mark of every subject under concurrent marks, claims and settlements', async () => {
        await using stores = await open();
        const { codehostInbox: inbox } = stores;
        const codehostRepoId = newId();
        const subjects = Array.from({ length: 20 }, (_, number) => aSubject({ codehostRepoId, number }));
        const seen = new Map<number, number>();
        let marking = true;
        const look = async (owner: string) => {
          const claimed = await inbox.claim(owner, { limit: 7, ttlMs: LONG_MS });
          for (const subject of claimed) {
            seen.set(subject.number, Math.max(seen.get(subject.number) ?? 0, subject.mark));
            await inbox.settle(owner, subject);
          }
          return claimed.length;
        };
        const looking = atOnce(4, async (index) => {
          while (marking) await look(`w-${index}`);
        });
        await atOnce(3, async (index) => {
          for (let round = 0; round < 10; round += 1) {
            await inbox.mark(index % 2 === 0 ? subjects : subjects.toReversed());
          }
        });
        marking = false;
        await looking;
        while ((await look('w-last')) > 0);
        expect([...seen.values()]).toEqual(subjects.map(() => 30));
      });

      it('can be put off, and is due after its time or when it is marked again', async () => {
        await using stores = await open();
        const { codehostInbox: inbox } = stores;
        const subject = aSubject();
        await inbox.mark([subject]);
        await inbox.defer('w', one(await inbox.claim('w', MANY)), { retryInMs: SHORT_MS, failed: false });
        const again = await claimedBy(stores, 'w');
        expect(again).toEqual({ ...subject, mark: 1, failures: 0 });
        await inbox.defer('w', again, { retryInMs: HOUR_MS, failed: false });
        expect(await inbox.claim('w', MANY)).toEqual([]);
        await inbox.mark([subject]);
        const marked = one(await inbox.claim('w', MANY));
        await inbox.mark([subject]);
        await inbox.defer('w', marked, { retryInMs: HOUR_MS, failed: false });
        expect(await inbox.claim('w', MANY)).toEqual([{ ...subject, mark: 3, failures: 0 }]);
      });

      it('waits after a failure for the given backoff, even when it is marked again', async () => {
        await using stores = await open();
        const { codehostInbox: inbox } = stores;
        const subject = aSubject();
        await inbox.mark([subject]);
        await inbox.defer('w', one(await inbox.claim('w', MANY)), { retryInMs: SHORT_MS, failed: true });
        const again = await claimedBy(stores, 'w');
        expect(again).toEqual({ ...subject, mark: 1, failures: 1 });
        await inbox.mark([subject]);
        await inbox.defer('w', again, { retryInMs: HOUR_MS, failed: true });
        await inbox.mark([subject]);
        expect(await inbox.claim('w', MANY)).toEqual([]);
      });
    });

    codeHostPollContract(open);
  });
}

function one(claimed: readonly ClaimedSubject[]): ClaimedSubject {
  const [only] = claimed;
  if (only === undefined || claimed.length > 1) throw new Error(`${claimed.length} subjects were claimed, not one`);
  return only;
}

async function claimedBy({ codehostInbox }: StoreHarness, owner: string): Promise<ClaimedSubject> {
  return await untilFound(async () => (await codehostInbox.claim(owner, MANY))[0]);
}
