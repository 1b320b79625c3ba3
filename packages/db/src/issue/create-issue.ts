import type { ApplyOutcome, NewIssue } from '@sluice/core';
import { type IssueStatus, NEW_PIPELINE, NO_USAGE, toIssueWire } from '@sluice/core';
import { type StoreContext, type Write, write } from '../store-context.ts';
import { canonicalRemote, holderOf } from './active-remote.ts';
import { admit, nextQueueOrdinal } from './admission.ts';
import { appendEvents } from './append-events.ts';
import { mustReadIssue } from './read-issue.ts';

type Created = Exclude<ApplyOutcome, { kind: 'stale' }>;

const FIRST_STATUS: IssueStatus = 'pending';

/** `IssueStore.create`. Queued or not, the issue's first event shows it as it was written; its start is an event of its own. */
export async function createIssue(context: StoreContext, issue: NewIssue, queue: boolean): Promise<Created> {
  return await write(context, async (write) => {
    if (!queue) return await insert(write, issue, null);
    await context.database.lockDispatch(write.db);
    const remote = await canonicalRemote(write, issue.repoId);
    const holder = await holderOf(write, remote);
    if (holder !== null) return { kind: 'repo_busy', holder };
    return await insert(write, issue, remote);
  });
}

async function insert(write: Write, issue: NewIssue, queueFor: string | null): Promise<Created> {
  const { database } = write.context;
  const { db, now } = write;
  const queued = queueFor !== null;
  await db.insert(database.tables.issues).values({
    ...issue,
    status: FIRST_STATUS,
    pipeline: NEW_PIPELINE,
    inputTokens: NO_USAGE.input_tokens,
    outputTokens: NO_USAGE.output_tokens,
    costUsd: NO_USAGE.cost_usd,
    activeRemote: queueFor,
    queueOrdinal: queued ? await nextQueueOrdinal(write) : null,
    queuedAt: queued ? now : null,
    leaseEpoch: 0,
    createdAt: now,
    updatedAt: now,
    lastSeq: 1,
  });
  const written = await mustReadIssue(write, issue.id);
  await appendEvents(write, written, [{ type: 'issue.created', data: { issue: toIssueWire(written) } }]);
  if (!queued) return { kind: 'applied', issue: written };
  await admit(write);
  return { kind: 'applied', issue: await mustReadIssue(write, issue.id) };
}
