import { roundsMarker } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import {
  createFollowUp,
  exceedsRounds,
  type FollowUpTrigger,
  followUpTriggers,
  roundsSoFar,
} from '@sluice/core/follow-up';
import type { FollowUpCause } from '@sluice/core/pipeline';
import { hostedName } from '@sluice/core/repo';
import { renderRoundsComment } from '../publication/render-change-request.ts';
import { answerRemarks } from './answer-remarks.ts';
import { NO_PLACE } from './host-error.ts';
import type { ReviewedChange, ReviewSync } from './review-sync.ts';
import { runWhenFree, waitsToRun } from './run-when-free.ts';
import type { SyncContext, SyncEnd } from './sync-context.ts';

/**
 * Turns each comment or review that requests more into one follow-up issue, and answers the remarks of the follow-ups that
 * have ended. The new ones are known first, so that no thread is resolved in which somebody has just asked for more.
 */
export async function syncReviews(work: SyncContext, reviewed: ReviewedChange, signal: AbortSignal): Promise<SyncEnd> {
  const { first, repo, comments } = reviewed;
  const rules = { since: first.createdAt, reviewBots: repo.settings.review_bots };
  const sync = { work, reviewed, signal };
  const end = await followUpAll(sync, followUpTriggers(comments, rules));
  await answerRemarks(sync);
  return end;
}

/** In the order of the comments: once one follow-up has to wait, those after it wait too. */
async function followUpAll(sync: ReviewSync, asks: readonly FollowUpTrigger[]): Promise<SyncEnd> {
  const { work, reviewed } = sync;
  if (asks.length === 0) return 'done';
  const { codehostIndex } = work.deps;
  const { first } = reviewed;
  const causes = (await codehostIndex.followUpsOf(first.id)).map(({ pipeline }) => pipeline.follow_up);
  let end: SyncEnd = 'done';
  for (const ask of asks) {
    const known = await codehostIndex.followUpOf(first.repoId, ask.key);
    if (known !== null) {
      const asksFirst = waitsToRun(known) && exceedsRounds(known.pipeline.follow_up, work.followUpRounds);
      if (asksFirst) await askPerson(sync, ask);
      else if (end === 'done') end = await runWhenFree(work, known);
      continue;
    }
    if (await codehostIndex.wasRemoved(first.repoId, { commentId: ask.key })) continue;
    const made = await followUp(sync, { ask, causes, queue: end === 'done' });
    if (made === 'waits') end = 'blocked';
  }
  return end;
}

/**
 * Makes the follow-up of one comment or review. Beyond the allowed rounds, one of people waits for a person, and one of a bot
 * is not made: nothing that talks to itself fills the list of issues.
 *
 * @param of.causes of the follow-ups so far; the new one is added
 */
async function followUp(
  sync: ReviewSync,
  { ask, causes, queue }: { ask: FollowUpTrigger; causes: (FollowUpCause | null)[]; queue: boolean },
): Promise<'waits' | null> {
  const { work, reviewed } = sync;
  const { first, change } = reviewed;
  const [{ byBot }] = ask.comments;
  const round = roundsSoFar(causes, byBot) + 1;
  const isBeyond = round > work.followUpRounds;
  if (!isBeyond || !byBot) {
    const made = await createFollowUp(work.deps, {
      ...{ first, change, ask, round, queue: queue && !isBeyond },
      warnings: isBeyond ? [waitsBecause(work.followUpRounds)] : [],
    });
    causes.push({ kind: 'review', review_id: ask.key, round, by_bot: byBot, remarks: [] });
    if (!isBeyond) return made === 'waits' ? made : null;
  }
  await askPerson(sync, ask);
  return null;
}

function waitsBecause(rounds: number): string {
  const many = rounds === 1 ? '1 follow-up' : `${rounds} follow-ups`;
  return `Comments and reviews may lead to ${many} of this pull request by themselves. This one waits until a person runs it.`;
}

/** Asks once, in the pull request and in the events of the first issue. */
async function askPerson(
  { work, reviewed, signal }: ReviewSync,
  { key, comments: [remark] }: FollowUpTrigger,
): Promise<void> {
  const { repo, first, change } = reviewed;
  const { codehostIndex, publicUrl, log } = work.deps;
  if ((await codehostIndex.waitingReviews(first.id)).has(key)) return;
  const by = remark.byBot ? 'bots' : 'people';
  const { followUpRounds: rounds } = work;
  const comment = {
    number: change.number,
    marker: roundsMarker(first.id, by),
    body: renderRoundsComment({ issue: first, publicUrl }, { by, rounds }),
  };
  try {
    await work.tokens.callAsUser(repo.userId, signal, (call) =>
      work.host.putComment({ ...call, beforeWrite: work.confirmClaim }, hostedName(work.host, repo), comment),
    );
  } catch (error) {
    if (!(error instanceof AppError) || !NO_PLACE.has(error.code)) throw error;
    log.warn({ issueId: first.id, reason: error.message }, 'could not ask a person in a pull request');
  }
  await codehostIndex.noteWaitingReview(first.id, {
    number: change.number,
    review: key,
    by_bot: remark.byBot,
    rounds,
    url: remark.url,
  });
}
