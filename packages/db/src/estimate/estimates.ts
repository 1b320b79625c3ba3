import {
  actualOf,
  type Estimate,
  estimateRest,
  estimateSchema,
  MAX_RUNS,
  type PastRun,
  planSize,
} from '@sluice/core/estimate';
import type { IssueId } from '@sluice/core/id';
import { activeMs, type Issue } from '@sluice/core/issue';
import { exactUsd } from '@sluice/core/pipeline';
import { and, desc, eq, gt } from 'drizzle-orm';
import { attemptsOf } from '../attempt/attempts.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import type { Write } from '../store/store-context.ts';

type Row = Tables['estimates']['$inferSelect'];

interface Key {
  readonly issueId: IssueId;
  readonly revision: number;
}

const findRow = prepared(({ context, db }, given: Given<Key>) => {
  const { estimates } = context.database.tables;
  return db.select().from(estimates).where(isIt(estimates, given));
});

function isIt(estimates: Tables['estimates'], given: Given<Key>) {
  const { issueId, revision } = estimates;
  return and(eq(issueId, given('issueId', issueId)), eq(revision, given('revision', revision)));
}

/** `IssueStore.estimate`, as `on` sees it. */
export async function readEstimate(on: Handle, key: Key): Promise<Estimate | null> {
  const [row] = await findRow(on, key);
  // With its members in the order of the schema: Postgres keeps another.
  return row === undefined ? null : estimateSchema.parse(row.estimate);
}

/** Before any end. A comparison, because `is not null` would not use the index. */
const EVER = new Date(0);

const selectLatest = prepared(({ context, db }, given: Given<{ limit: number }>) => {
  const { estimates } = context.database.tables;
  const { size, estimate, costUsd, activeMs, endedAt } = estimates;
  return db
    .select({ size, estimate, costUsd, activeMs })
    .from(estimates)
    .where(gt(endedAt, EVER))
    .orderBy(desc(endedAt))
    .limit(given('limit'));
});

/** Estimates what is left of the run of an issue whose plan has come to its gate, and stores it. Once for each revision. */
export async function recordEstimate(write: Write, { id, plan, usage }: Issue): Promise<void> {
  if (plan === null) return;
  const latest = await selectLatest(write, { limit: MAX_RUNS });
  const past = latest.map(({ costUsd, activeMs, ...run }): PastRun => ({ ...run, actual: { costUsd, activeMs } }));
  const size = planSize(plan);
  const row: Tables['estimates']['$inferInsert'] = {
    issueId: id,
    revision: plan.revision,
    madeAt: write.now,
    size,
    estimate: estimateRest(size, past),
    costBefore: usage.cost_usd,
    activeMsBefore: activeMs(await attemptsOf(write, id)),
  };
  await insertRow(write, [row]);
}

const insertRow = preparedInsert(
  ({ estimates }) => estimates,
  ({ context, db }, rows: Tables['estimates']['$inferInsert'][]) =>
    db.insert(context.database.tables.estimates).values(rows).onConflictDoNothing(),
);

const setActual = prepared(({ context, db }, given: Given<Key & Pick<Row, 'endedAt' | 'costUsd' | 'activeMs'>>) => {
  const { estimates } = context.database.tables;
  return db
    .update(estimates)
    .set({
      endedAt: given('endedAt', estimates.endedAt),
      costUsd: given('costUsd', estimates.costUsd),
      activeMs: given('activeMs', estimates.activeMs),
    })
    .where(isIt(estimates, given));
});

/**
 * Stores what the rest of the run of an issue took that has ended. One that failed and ends again after a retry has taken more
 * by then.
 */
export async function recordActual(write: Write, { id, plan, usage, pipeline }: Issue): Promise<void> {
  if (plan === null) return;
  const key = { issueId: id, revision: plan.revision };
  const [row] = await findRow(write, key);
  if (row === undefined) return;
  const { costBefore, activeMsBefore, estimate } = row;
  const spent = {
    costUsd: usage.cost_usd === null || costBefore === null ? null : exactUsd(usage.cost_usd - costBefore),
    activeMs: activeMs(await attemptsOf(write, id)) - activeMsBefore,
  };
  const actual = actualOf(spent, { hasResult: pipeline.implementation !== null, estimate });
  if (actual.costUsd === null && actual.activeMs === null) return;
  await setActual(write, { ...key, ...actual, endedAt: write.now });
}
