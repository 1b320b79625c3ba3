import {
  type ChangeRequest,
  canBeFollowedUp,
  createFollowUp,
  type FollowUpTrigger,
  followUpTriggers,
  hostedName,
  type Issue,
} from '@sluice/core';
import { runWhenFree } from './run-when-free.ts';
import { currentRegistration, type RegisteredSubject, type SyncContext, type SyncEnd } from './sync-context.ts';

/**
 * A pull request that issues of this registration were published to: its state is written on them, and each comment or review
 * that asks for more becomes one issue that goes on with it. Nothing is asked of the host about anybody else's.
 */
export async function syncChangeRequest(
  work: SyncContext,
  { repo, number }: RegisteredSubject,
  signal: AbortSignal,
): Promise<SyncEnd> {
  const { codehostIndex } = work.deps;
  const issues = await codehostIndex.byChangeRequest(repo.id, number);
  const [first] = issues;
  if (first === undefined) return 'seen';
  const name = hostedName(await currentRegistration(work, repo, signal));
  const { change, comments } = await work.tokens.callAsUser(repo.userId, signal, async (call) => {
    const change = await work.host.changeRequest(call, name, number);
    if (!canBeFollowedUp(change.state)) return { change, comments: [] };
    return { change, comments: await work.host.comments(call, name, { kind: 'change_request', number }) };
  });
  for (const { id } of issues) await codehostIndex.setChangeRequestState(id, change.state);
  return await followUpAll(work, { first, change }, followUpTriggers(comments, first.createdAt));
}

/** In the order in which it was said: once one has to wait, those after it do. */
async function followUpAll(
  work: SyncContext,
  published: { first: Issue; change: ChangeRequest },
  asks: readonly FollowUpTrigger[],
): Promise<SyncEnd> {
  let end: SyncEnd = 'seen';
  for (const ask of asks) {
    const known = await work.deps.codehostIndex.followUpOf(published.first.repoId, ask.key);
    if (known !== null) {
      if (end === 'seen') end = await runWhenFree(work, known);
      continue;
    }
    if (await work.deps.codehostIndex.wasRemoved(published.first.repoId, { commentId: ask.key })) continue;
    const made = await createFollowUp(work.deps, { ...published, ask, queue: end === 'seen' });
    if (made === 'waits') end = 'held';
  }
  return end;
}
