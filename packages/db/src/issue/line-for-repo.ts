import type { IssueId, RepoId, UserId } from '@sluice/core/id';
import { and, eq, gt, inArray, isNull, max, type SQL, sql } from 'drizzle-orm';
import { appendEvents } from '../event/append-events.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';
import { admit } from './admission.ts';
import { isPendingInLine } from './pending-in-line.ts';
import { nextQueueOrdinal } from './queue-place.ts';
import { issueReturned, mustReadIssue } from './read-issue.ts';

// The line of a remote: issues that wait for the one that holds it, over all registrations, first in, first out. The write
// that frees the remote queues the first of them, so a process that dies in between leaves either both or neither, and
// nobody else can take the remote first. Whoever waits holds neither the remote nor a slot.

const lastInLine = prepared(({ context, db }, given: Given<{ remote: string }>) => {
  const { issues, repos } = context.database.tables;
  return db
    .select({ ordinal: max(issues.waitingOrdinal) })
    .from(repos)
    .innerJoin(issues, and(eq(issues.repoId, repos.id), gt(issues.waitingOrdinal, 0)))
    .where(eq(repos.canonicalRemote, given('remote', repos.canonicalRemote)));
});

/** The place at the end of the line of that remote. The caller holds the dispatch lock. */
export async function nextInLine(write: Write, remote: string): Promise<number> {
  const [last] = await lastInLine(write, { remote });
  return (last?.ordinal ?? 0) + 1;
}

/** The first in line of each registration of a remote that no issue holds. */
const firstsInLine = prepared(({ context, db }, given: Given<{ repoId: RepoId }>) => {
  const { tables } = context.database;
  const { issues, repos, users } = tables;
  const remote = db
    .select({ remote: repos.canonicalRemote })
    .from(repos)
    .where(eq(repos.id, given('repoId', repos.id)));
  return db
    .select({
      id: issues.id,
      userId: issues.userId,
      place: sql<number>`${issues.waitingOrdinal}`.mapWith(Number),
      ordinal: issues.ordinal,
      remote: repos.canonicalRemote,
    })
    .from(repos)
    .innerJoin(issues, eq(issues.ordinal, firstOf(tables)))
    .innerJoin(users, eq(users.id, repos.userId))
    .where(
      and(
        eq(repos.canonicalRemote, sql`(${remote})`),
        isNull(repos.removedAt),
        isNull(users.disabledAt),
        isFree(tables),
      ),
    );
});

/**
 * The ordinal of the first issue of a row of `repos` that waits, of a user who is not disabled. A process of the release before
 * leaves the place behind when it queues or ends an issue, so the status is looked at too.
 */
function firstOf({ issues, repos, users }: Tables): SQL {
  const of = (column: { readonly name: string }) => sql`lined.${sql.identifier(column.name)}`;
  const requester = (column: { readonly name: string }) => sql`requester.${sql.identifier(column.name)}`;
  return sql`(select ${of(issues.ordinal)} from ${issues} as lined
    where ${of(issues.repoId)} = ${repos}.${sql.identifier(repos.id.name)} and ${of(issues.waitingOrdinal)} > 0
      and ${isPendingInLine(of(issues.status))} and ${of(issues.queuedAt)} is null
      and exists (select 1 from ${users} as requester
        where ${requester(users.id)} = ${of(issues.userId)} and ${requester(users.disabledAt)} is null)
    order by ${of(issues.waitingOrdinal)} limit 1)`;
}

/** Whether nobody holds the remote of a row of `repos`. */
function isFree({ issues, repos }: Tables): SQL {
  const held = sql`holder.${sql.identifier(issues.activeRemote.name)}`;
  const remote = sql`${repos}.${sql.identifier(repos.canonicalRemote.name)}`;
  return sql`not exists (select 1 from ${issues} as holder where ${held} = ${remote})`;
}

/** The first issue in line, by its place; issues that came into one line when a repository moved may have the same. */
async function firstInLine(on: Handle, repoId: RepoId) {
  const firsts = await firstsInLine(on, { repoId });
  return [...firsts].sort((a, b) => a.place - b.place || a.ordinal - b.ordinal)[0];
}

interface Queued {
  readonly id: IssueId;
  readonly remote: string;
  readonly queueOrdinal: number;
  readonly now: Date;
}

const setQueued = prepared(({ context, db }, given: Given<Queued>) => {
  const { tables } = context.database;
  const { issues } = tables;
  return db
    .update(issues)
    .set({
      activeRemote: given('remote', issues.activeRemote),
      queueOrdinal: given('queueOrdinal', issues.queueOrdinal),
      waitingOrdinal: null,
      queuedAt: given('now', issues.queuedAt),
      updatedAt: given('now', issues.updatedAt),
      lastSeq: sql`${issues.lastSeq} + 1`,
    })
    .where(eq(issues.id, given('id', issues.id)))
    .returning(issueReturned(tables));
});

/**
 * Queues the first issue that waits for the remote of that repository, if nobody holds it. The caller holds the dispatch lock
 * and admits afterwards.
 *
 * @returns whether it queued one
 */
export async function queueNext(write: Write, repoId: RepoId): Promise<boolean> {
  for (;;) {
    const first = await firstInLine(write, repoId);
    if (first === undefined) return false;
    // Another one is first if the user was disabled at this moment.
    if ((await isEnabled(write, first.userId)) === false) continue;
    const { id, remote } = first;
    await setQueued(write, { id, remote, queueOrdinal: await nextQueueOrdinal(write, 'new'), now: write.now });
    const issue = await mustReadIssue(write, id);
    const { status, stage, queuePosition } = issue;
    const detail = 'Its repository is free.';
    appendEvents(write, issue, [
      { type: 'issue.status', data: { from: status, to: status, stage, queue_position: queuePosition, detail } },
    ]);
    return true;
  }
}

async function isEnabled(write: Write, userId: UserId): Promise<boolean> {
  return (await holdUser(write, userId))?.isEnabled === true;
}

/** The registrations that have a line, and whose remote nobody holds. */
const findFree = prepared(({ context, db }) => {
  const { tables } = context.database;
  const { issues, repos } = tables;
  const lined = db.select({ repoId: issues.repoId }).from(issues).where(gt(issues.waitingOrdinal, 0));
  return db
    .select({ repoId: repos.id })
    .from(repos)
    .where(and(inArray(repos.id, lined), isNull(repos.removedAt), isFree(tables)));
});

/** `IssueStore.queueWaiting`. Nearly always it finds none, and then waits for no lock. */
export async function queueWaiting(context: StoreContext): Promise<number> {
  const { database } = context;
  const reading = { context, db: database.read };
  let queued = 0;
  for (const { repoId } of await findFree(reading, {})) {
    if ((await firstInLine(reading, repoId)) === undefined) continue;
    const isQueued = await write(context, async (write) => {
      await database.lockDispatch(write.db);
      if (!(await queueNext(write, repoId))) return false;
      await admit(write);
      return true;
    });
    if (isQueued) queued += 1;
  }
  return queued;
}
