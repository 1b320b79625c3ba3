import type { NewIssue } from '@sluice/core/issue';
import type { FollowUpCause } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { anAnsweredRemark, aRemark, followUpOn, hostedRepo, importOf, published } from './code-host-samples.ts';
import { applied, eventsOf, replayStatus } from './pipeline-moves.ts';
import type { OpenStores, StoreHarness } from './store-harness.ts';

const cause: FollowUpCause = { kind: 'review', review_id: 'review-5', round: 1, by_bot: false, remarks: [aRemark()] };
const MANY = { limit: 100, ttlMs: 60_000 };

/** The contract of remarks on pull requests and of their answers, on any database. */
export function remarkContract(name: string, open: OpenStores): void {
  describe(`remarks on ${name}`, () => {
    it('are kept on their follow-up, which is found by the first issue', async () => {
      await using stores = await open();
      const { first, followUp } = await followedUp(stores);
      expect(followUp.pipeline.follow_up).toEqual(cause);
      expect(await stores.codehostIndex.followUpsOf(first.id)).toEqual([followUp]);
      expect(await stores.codehostIndex.followUpsOf(followUp.id)).toEqual([]);
    });

    it.each<FollowUpCause>([cause, { kind: 'base', head_commit: 'c', base_branch: 'b', base_commit: 'd' }])(
      'mark their pull request in the write that ends their follow-up, and not before, as any cause does',
      async (of) => {
        await using stores = await open();
        const { repo, followUp } = await followedUp(stores, of);
        expect(await stores.codehostInbox.claim('w', MANY)).toEqual([]);
        const from = { status: followUp.status };
        applied(await stores.issues.apply({ issueId: followUp.id, from, trigger: 'cancelled', events: [] }));
        expect(await stores.codehostInbox.claim('w', MANY)).toEqual([
          { codehostRepoId: repo.codehostRepoId, kind: 'change_request', number: 9, mark: 1, failures: 0 },
        ]);
      },
    );

    it('are answered in events, of which the last one about a remark counts', async () => {
      await using stores = await open();
      const { codehostIndex: index } = stores;
      const { first, followUp } = await followedUp(stores);
      const failed = anAnsweredRemark({ outcome: 'failed', commit: null });
      await index.noteAnsweredRemark(followUp.id, failed);
      await index.noteAnsweredRemark(followUp.id, anAnsweredRemark({ remark: 'line-8' }));
      await index.noteAnsweredRemark(followUp.id, anAnsweredRemark());
      expect(Object.fromEntries(await index.answeredRemarks(followUp.id))).toEqual({
        'line-7': anAnsweredRemark(),
        'line-8': anAnsweredRemark({ remark: 'line-8' }),
      });
      expect((await index.answeredRemarks(first.id)).size).toBe(0);
      const events = await eventsOf(stores, followUp.id);
      expect(replayStatus(events)).toBe(followUp.status);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
      expect(stores.heard.events.at(-1)).toMatchObject({ issueId: followUp.id, seq: events.length });
    });

    it('beyond the rounds wait, as an event of the first issue says', async () => {
      await using stores = await open();
      const { codehostIndex: index } = stores;
      const { first, followUp } = await followedUp(stores);
      const waiting = { number: 9, review: 'review-6', by_bot: true, rounds: 5, url: 'https://host.test/9#6' };
      await index.noteWaitingReview(first.id, waiting);
      expect(await index.waitingReviews(first.id)).toEqual(new Set(['review-6']));
      expect(await index.waitingReviews(followUp.id)).toEqual(new Set());
    });
  });
}

/** A pull request, and the running follow-up of a review of it. */
async function followedUp(stores: StoreHarness, followUpCause: FollowUpCause = cause) {
  const repo = await hostedRepo(stores);
  const create = async (issue: NewIssue) => applied(await stores.issues.create(issue, { queue: true }));
  const first = await published(stores, await create(importOf(repo, 7)), 'draft');
  const followUp = await create(followUpOn(repo, 'review-5', { parentIssueId: first.id, followUp: followUpCause }));
  return { repo, first, followUp };
}
