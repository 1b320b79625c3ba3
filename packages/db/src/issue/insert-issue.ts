import {
  type CreateIssueOutcome,
  type Issue,
  type IssueId,
  type IssueStatus,
  NEW_PIPELINE,
  type NewAuditEntry,
  type NewIssue,
  NO_USAGE,
  type ResponseToStore,
  toIssueWire,
} from '@sluice/core';
import { and, eq, or } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../event/append-events.ts';
import { keepAnswer } from '../request/store-response.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { refuseDisabled } from '../user/hold-user.ts';
import { canonicalRemote, holderOf } from './active-remote.ts';
import { admit, nextQueueOrdinal } from './admission.ts';
import { mustReadIssue } from './read-issue.ts';

const FIRST_STATUS: IssueStatus = 'pending';

/** What is written with an issue, where there is such. */
interface Further {
  readonly audit?: NewAuditEntry | undefined;
  readonly answer?: ResponseToStore<Issue> | undefined;
}

/** `IssueStore.create`. Queued or not, the issue's first event shows it as it was written; its start is an event of its own. */
export async function createIssue(
  context: StoreContext,
  issue: NewIssue,
  { queue, ...further }: { queue: boolean } & Further,
): Promise<CreateIssueOutcome> {
  return await write(context, async (write) => {
    if (!queue) return await insert(write, issue, { queueFor: null, ...further });
    await context.database.lockDispatch(write.db);
    // First: of an issue that is there, and active itself, it is not the point that its repository is busy.
    const there = await broughtBefore(write, issue);
    if (there !== null) return { kind: 'exists', issueId: there };
    const remote = await canonicalRemote(write, issue.repoId);
    const holder = await holderOf(write, remote);
    if (holder !== null) return { kind: 'repo_busy', holder };
    return await insert(write, issue, { queueFor: remote, ...further });
  });
}

async function insert(
  write: Write,
  issue: NewIssue,
  { queueFor, audit, answer }: { queueFor: string | null } & Further,
): Promise<CreateIssueOutcome> {
  const { database } = write.context;
  const { db, now } = write;
  const queued = queueFor !== null;
  const { codehost, branch, warnings, ...row } = issue;
  await refuseDisabled(write, row.userId);
  const written = await db
    .insert(database.tables.issues)
    .values({
      ...row,
      codehostNumber: codehost?.number ?? null,
      codehostCommentId: codehost?.commentId ?? null,
      codehostUrl: codehost?.url ?? null,
      status: FIRST_STATUS,
      pipeline: {
        ...NEW_PIPELINE,
        ...(branch !== undefined && { branch }),
        ...(warnings !== undefined && { warnings: [...warnings] }),
      },
      inputTokens: NO_USAGE.input_tokens,
      outputTokens: NO_USAGE.output_tokens,
      costUsd: NO_USAGE.cost_usd,
      activeRemote: queueFor,
      queueOrdinal: queued ? await nextQueueOrdinal(write, 'new') : null,
      queuedAt: queued ? now : null,
      leaseEpoch: 0,
      createdAt: now,
      updatedAt: now,
      lastSeq: 1,
    })
    // Waits for whoever is bringing the same one, and lets him have it.
    .onConflictDoNothing()
    .returning({ id: database.tables.issues.id });
  if (written.length === 0) {
    const there = await broughtBefore(write, issue);
    if (there === null) throw new Error('A new issue is in the way of one that has nothing to do with it.');
    return { kind: 'exists', issueId: there };
  }
  const created = await mustReadIssue(write, issue.id);
  await appendEvents(write, created, [{ type: 'issue.created', data: { issue: toIssueWire(created) } }]);
  await appendAudit(write, audit);
  if (queued) await admit(write);
  const made = queued ? await mustReadIssue(write, issue.id) : created;
  await keepAnswer(write, made, answer);
  return { kind: 'applied', issue: made };
}

/** The issue of that number, or of that comment, in the same repository. */
async function broughtBefore(write: Write, { repoId, codehost }: NewIssue): Promise<IssueId | null> {
  if (codehost === undefined) return null;
  const { issues } = write.context.database.tables;
  const { number, commentId } = codehost;
  const same = or(
    number === null ? undefined : eq(issues.codehostNumber, number),
    commentId === null ? undefined : eq(issues.codehostCommentId, commentId),
  );
  if (same === undefined) return null;
  const [found] = await write.db
    .select({ id: issues.id })
    .from(issues)
    .where(and(eq(issues.repoId, repoId), same));
  return found?.id ?? null;
}
