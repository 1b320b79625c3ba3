import { AppError } from '@sluice/core/error';
import type { IssueId } from '@sluice/core/id';
import { type Issue, isEditable, type ListedIssue } from '@sluice/core/issue';
import { exactUsd, type Plan } from '@sluice/core/pipeline';
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { isVisible } from '../removal/is-visible.ts';
import { toGate } from '../schema/gate-document.ts';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { StoreContext, Write } from '../store/store-context.ts';
import { queuePosition } from './queue-order.ts';
import { isHeldPlace } from './queue-place.ts';

/** Rows of issues, each with its current plan and its place in the queue; not yet filtered or ordered. */
export function selectIssues({ database: { tables }, slotRules }: StoreContext, db: Db) {
  const { issues, plans } = tables;
  return db
    .select({ row: issues, plan: plans.document, queuePosition: queuePosition(tables, slotRules) })
    .from(issues)
    .leftJoin(plans, and(eq(plans.issueId, issues.id), eq(plans.revision, issues.planRevision)));
}

/** The same without the places in the queue: finding out that there is none takes SQLite half of the read of an issue. */
function selectIssuesOutsideQueue({ database: { tables } }: StoreContext, db: Db) {
  const { issues, plans } = tables;
  return db
    .select({ row: issues, plan: plans.document, queuePosition: OUTSIDE })
    .from(issues)
    .leftJoin(plans, and(eq(plans.issueId, issues.id), eq(plans.revision, issues.planRevision)));
}

/** The place of an issue that is known not to be queued. */
export const OUTSIDE = sql<number | null>`null`;

/** Whether rows that were read without places in the queue have to be read again with them. */
function hasQueued(rows: readonly { readonly row: { readonly queueOrdinal: number | null } }[]): boolean {
  return rows.some(({ row }) => row.queueOrdinal !== null && !isHeldPlace(row.queueOrdinal));
}

/**
 * The columns that `toListed` reads. Without the state of the pipeline, which can be larger than all the rest, and
 * without the columns of the queue and the lease: each column takes its time.
 */
export function shownColumns({ issues }: Pick<Tables, 'issues'>) {
  const { pipeline, planRevision, codehostCommentId, gateExpiresAt, notesSeq, notesReadSeq, ...others } =
    getTableColumns(issues);
  const { ordinal, activeRemote, leaseOwner, leaseEpoch, leaseExpiresAt, runAfter, ...shown } = others;
  return shown;
}

/**
 * The columns that a statement on issues returns for `returnedIssue`, so that no second statement reads what the first
 * has written. The plan is the one that existed when the statement began.
 */
export function issueReturned({ issues, plans }: Tables) {
  // Written out, see `queuePosition`.
  const revision = sql`${issues}.${sql.identifier(issues.planRevision.name)}`;
  const plan = sql<Plan | null>`(select ${sql.identifier(plans.document.name)} from ${plans}
    where ${plans}.${sql.identifier(plans.issueId.name)} = ${issues}.${sql.identifier(issues.id.name)}
    and ${plans}.${sql.identifier(plans.revision.name)} = ${revision})`;
  return { ...getTableColumns(issues), plan: plan.mapWith(plans.document) };
}

export type IssueRow = Awaited<ReturnType<typeof selectIssues>>[number];
type ShownRow = Pick<IssueRow['row'], keyof ReturnType<typeof shownColumns>>;

export function toIssue(found: IssueRow): Issue {
  return { ...toListed(found), pipeline: found.row.pipeline };
}

export function toListed({
  row,
  plan,
  queuePosition,
}: Omit<IssueRow, 'row'> & { readonly row: ShownRow }): ListedIssue {
  return {
    id: row.id,
    userId: row.userId,
    repoId: row.repoId,
    title: row.title,
    body: row.body,
    status: row.status,
    stage: row.stage,
    origin: row.origin,
    labels: row.labels,
    parentIssueId: row.parentIssueId,
    codehostNumber: row.codehostNumber,
    codehostUrl: row.codehostUrl,
    changeRequest: changeRequestOf(row),
    baseBranch: row.baseBranch,
    plan,
    gate: toGate(row.gate),
    result: row.result,
    error: row.error,
    usage: {
      input_tokens: row.inputTokens,
      output_tokens: row.outputTokens,
      cost_usd: row.costUsd === null ? null : exactUsd(row.costUsd),
    },
    queuePosition,
    waitsForRepo: row.waitingOrdinal !== null && isEditable(row),
    heldByBudget: isHeldPlace(row.queueOrdinal) ? row.heldByBudget : null,
    holdsSlot: row.slot !== null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    queuedAt: row.queuedAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    lastSeq: row.lastSeq,
  };
}

function changeRequestOf({
  changeRequestNumber: number,
  changeRequestState: state,
}: Pick<IssueRow['row'], 'changeRequestNumber' | 'changeRequestState'>) {
  return number === null || state === null ? null : { number, state };
}

const findIssue = prepared(({ context, db }, given: Given<{ id: IssueId }>) => {
  const { issues } = context.database.tables;
  const isIt = and(eq(issues.id, given('id', issues.id)), isVisible(context.database, db));
  return selectIssuesOutsideQueue(context, db).where(isIt);
});

const findQueued = prepared(({ context, db }, given: Given<{ id: IssueId }>) => {
  const { issues } = context.database.tables;
  return selectIssues(context, db).where(and(eq(issues.id, given('id', issues.id)), isVisible(context.database, db)));
});

/** The issue as `db` sees it: inside a transaction with that transaction's own changes. */
export async function readIssue(context: StoreContext, db: Db, id: IssueId): Promise<Issue | null> {
  const found = await findIssue({ context, db }, { id });
  const [row] = hasQueued(found) ? await findQueued({ context, db }, { id }) : found;
  return row === undefined ? null : toIssue(row);
}

/**
 * The issue that this write has just changed.
 *
 * @throws AppError `issue_not_found` when its repository was removed since the write began, which only Postgres shows
 */
export async function mustReadIssue(write: Write, id: IssueId): Promise<Issue> {
  const issue = await readIssue(write.context, write.db, id);
  if (issue === null) throw new AppError('issue_not_found');
  return issue;
}

/** What `issueReturned` selects. */
export type ReturnedRow = IssueRow['row'] & { plan: Plan | null };

/**
 * The issue once this write has admitted others or the issue itself, which changes its place in the queue.
 *
 * @param admitted the issues that the admission has started or taken out of the queue
 */
export async function afterAdmission(write: Write, issue: Issue, admitted: readonly ReturnedRow[]): Promise<Issue> {
  if (admitted.length === 0) return issue;
  const own = admitted.find(({ id }) => id === issue.id);
  return own === undefined ? await mustReadIssue(write, issue.id) : await returnedIssue(write, own);
}

/**
 * An unqueued issue as a statement has returned it. Read again where the plan was written after the statement began: by
 * this transaction, or on Postgres by the one that the statement waited for.
 */
export async function returnedIssue(write: Write, returned: ReturnedRow): Promise<Issue> {
  const { plan, ...row } = returned;
  if (plan === null && row.planRevision !== null) return await mustReadIssue(write, row.id);
  return toIssue({ row, plan, queuePosition: null });
}
