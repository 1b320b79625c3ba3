import type { WrittenWith } from '@sluice/core/audit';
import type { IssueId, UserId } from '@sluice/core/id';
import { type CreateIssueOutcome, type Issue, type IssueStatus, type NewIssue, toIssueWire } from '@sluice/core/issue';
import { NEW_PIPELINE, NO_USAGE } from '@sluice/core/pipeline';
import { and, eq, or } from 'drizzle-orm';
import { holdRepo } from '../access/hold-repo.ts';
import { readRole } from '../access/role-of.ts';
import { attach } from '../attachment/attach.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { appendEvents } from '../event/append-events.ts';
import { countRound } from '../outcome/record-publication.ts';
import { storeResponse } from '../request/store-response.ts';
import type { Tables } from '../schema/schema.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { holdUser, refuseDisabled, refuseDisabledRegistrant } from '../user/hold-user.ts';
import { canonicalRemote, holderOf } from './active-remote.ts';
import { admit } from './admission.ts';
import { nextInLine } from './line-for-repo.ts';
import { nextQueueOrdinal } from './queue-place.ts';
import { afterAdmission, mustReadIssue, toIssue } from './read-issue.ts';

// Waits for a concurrent insert of the same issue, and yields to it.
const insertUnlessThere = preparedInsert(
  ({ issues }) => issues,
  ({ context, db }, rows: Tables['issues']['$inferInsert'][]) =>
    db.insert(context.database.tables.issues).values(rows).onConflictDoNothing().returning(),
);

/** The remote that it holds in the queue, or the one that it waits for; neither: somebody runs it later. */
interface Place {
  readonly queueFor: string | null;
  readonly waitsFor: string | null;
}

const FIRST_STATUS: IssueStatus = 'pending';

/**
 * `IssueStore.create`. The `issue.created` event shows the issue as it was written, queued or not. Its start is an event of
 * its own.
 */
export async function insertIssue(
  context: StoreContext,
  issue: NewIssue,
  { queue, orWait = false, ...also }: { queue: boolean; orWait?: boolean } & WrittenWith<Issue>,
): Promise<CreateIssueOutcome> {
  return await write(context, async (write) => {
    if (!queue) return await insert(write, issue, { queueFor: null, waitsFor: null, ...also });
    await context.database.lockDispatch(write.db);
    // First: an issue that exists is reported as such, even where it keeps its own repository busy.
    const existing = await findByOrigin(write, issue);
    if (existing !== null) return { kind: 'exists', issueId: existing };
    const remote = await canonicalRemote(write, issue.repoId);
    const holder = await holderOf(write, remote);
    if (holder !== null && !orWait) return { kind: 'repo_busy', holder };
    const place = holder === null ? { queueFor: remote, waitsFor: null } : { queueFor: null, waitsFor: remote };
    return await insert(write, issue, { ...place, ...also });
  });
}

async function insert(
  write: Write,
  issue: NewIssue,
  { queueFor, waitsFor, audit, response }: Place & WrittenWith<Issue>,
): Promise<CreateIssueOutcome> {
  const { now } = write;
  const queued = queueFor !== null;
  const { codehost, branch, followUp, warnings, userId, attachments, ...given } = issue;
  // A follow-up of one who has deleted their account goes to the registrant.
  const hasLeft = issue.origin === 'follow_up' && (await holdUser(write, userId)) === null;
  if (!hasLeft) await refuseDisabled(write, userId);
  // The removal of a repository takes this lock too: either it sees this issue, or this statement sees the removal.
  const registrant = await holdRepo(write, given.repoId);
  await refuseDisabledRegistrant(write, registrant);
  const requester = await requesterOf(write, issue, registrant);
  const [row] = await insertUnlessThere(write, [
    {
      ...given,
      userId: requester,
      codehostNumber: codehost?.number ?? null,
      codehostCommentId: codehost?.commentId ?? null,
      codehostUrl: codehost?.url ?? null,
      status: FIRST_STATUS,
      pipeline: {
        ...NEW_PIPELINE,
        ...(branch !== undefined && { branch }),
        ...(followUp !== undefined && { follow_up: followUp }),
        ...(warnings !== undefined && { warnings: [...warnings] }),
      },
      inputTokens: NO_USAGE.input_tokens,
      outputTokens: NO_USAGE.output_tokens,
      costUsd: NO_USAGE.cost_usd,
      activeRemote: queueFor,
      queueOrdinal: queued ? await nextQueueOrdinal(write, 'new') : null,
      queuedAt: queued ? now : null,
      waitingOrdinal: waitsFor === null ? null : await nextInLine(write, waitsFor),
      leaseEpoch: 0,
      createdAt: now,
      updatedAt: now,
      lastSeq: 1,
    },
  ]);
  if (row === undefined) {
    const existing = await findByOrigin(write, issue);
    if (existing === null) throw new Error('A new issue conflicts with an unrelated one.');
    return { kind: 'exists', issueId: existing };
  }
  if (attachments !== undefined) await attach(write, issue.id, { by: userId, ids: attachments });
  // Only a queued issue is read back: its position depends on the other rows of the queue.
  const inserted = queued ? await mustReadIssue(write, issue.id) : toIssue({ row, plan: null, queuePosition: null });
  appendEvents(write, inserted, [{ type: 'issue.created', data: { issue: toIssueWire(inserted) } }]);
  await appendAudit(write, audit);
  await countRound(write, issue);
  const created = queued ? await afterAdmission(write, inserted, await admit(write)) : inserted;
  await storeResponse(write, created, response);
  return { kind: 'applied', issue: created };
}

/**
 * A follow-up belongs to the person who asked for the first issue. Once they have left the repository, to the user who registered
 * it: it would be in no one's list otherwise.
 */
async function requesterOf(write: Write, { userId, repoId, origin }: NewIssue, registrant: UserId): Promise<UserId> {
  if (origin !== 'follow_up' || (await readRole(write, repoId, userId)) !== null) return userId;
  await refuseDisabled(write, registrant);
  return registrant;
}

/** The id of the issue with the same number or comment in the same repository. */
async function findByOrigin(write: Write, { repoId, codehost }: NewIssue): Promise<IssueId | null> {
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
