import {
  buildEnds,
  closeReasons,
  countsOf,
  type GroupTally,
  type OutcomeGrouping,
  type OutcomeQuery,
  type OutcomeStore,
  type RepoId,
  toPicoUsd,
} from '@sluice/core';
import { and, asc, type Column, desc, eq, gte, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import { type Readable, type ReadableShape, readableBy, readableRepos } from '../access/readable-repos.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, preparedShapes } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';

interface Values extends Readable {
  readonly repoId: RepoId;
  readonly from: Date;
  readonly to: Date;
}

interface Shape extends ReadableShape {
  readonly isOfOne: boolean;
  readonly groupBy: OutcomeGrouping | null;
}

const ALL = 2 ** 31 - 2;

/** The counts of pull requests. Each statement reads one period of the index by repository and opening. */
export function outcomeCounts(context: StoreContext): Pick<OutcomeStore, 'span' | 'tally' | 'mergeTimes'> {
  const reading = { context, db: context.database.read };
  return {
    span: async (query) => {
      const { shape, values } = asked(query, null);
      const [{ first, last } = { first: null, last: null }] = await selectSpan(reading, shape, values);
      return first === null || last === null ? null : { first, last };
    },
    tally: async (query, { groupBy, isDivisible }) => {
      const { shape, values } = asked(query, groupBy);
      const atMost = isDivisible ? context.database.rowsAtOnce : ALL;
      const rows = await selectTallies(reading, shape, { ...values, rows: atMost + 1 });
      return rows.reduce((sum, { opened }) => sum + opened, 0) > atMost ? null : rows.map(toGroupTally);
    },
    mergeTimes: async (query, groupBy) => {
      const { shape, values } = asked(query, groupBy);
      const rows = await selectMergeTimes(reading, shape, values);
      return rows.map(({ key, openedAt, mergedAt }) => ({ group: groupOf(key), openedAt, mergedAt: mergedAt as Date }));
    },
  };
}

function asked({ caller, repoId, from, to }: OutcomeQuery, groupBy: OutcomeGrouping | null) {
  const { values, shape } = readableBy(caller);
  // Where the shape leaves them out they are never read.
  return {
    values: { ...values, repoId: repoId as RepoId, from, to },
    shape: { isLimited: repoId === null && shape.isLimited, isOfOne: repoId !== null, groupBy },
  };
}

function isCounted(on: Handle, given: Given<Values>, shape: Shape): SQL | undefined {
  const { changeRequests: of } = on.context.database.tables;
  return and(
    shape.isOfOne ? eq(of.repoId, given('repoId', of.repoId)) : inArray(of.repoId, readableRepos(on, given, shape)),
    isOpenedThen(of, given),
  );
}

function isOpenedThen({ openedAt }: Tables['changeRequests'], given: Given<Values>): SQL | undefined {
  return and(gte(openedAt, given('from', openedAt)), lt(openedAt, given('to', openedAt)));
}

const selectSpan = preparedShapes((on, given: Given<Values>, shape: Shape) => {
  const { repos, changeRequests: of } = on.context.database.tables;
  const end = (order: SQL) =>
    on.db
      .select({ at: of.openedAt })
      .from(of)
      .where(and(eq(of.repoId, repos.id), isOpenedThen(of, given)))
      .orderBy(order)
      .limit(1);
  return on.db
    .select({
      first: sql<Date | null>`min((${end(asc(of.openedAt))}))`.mapWith(of.openedAt),
      last: sql<Date | null>`max((${end(desc(of.openedAt))}))`.mapWith(of.openedAt),
    })
    .from(repos)
    .where(
      shape.isOfOne ? eq(repos.id, given('repoId', repos.id)) : inArray(repos.id, readableRepos(on, given, shape)),
    );
});

const selectTallies = preparedShapes((on, given: Given<Values & { rows: number }>, shape: Shape) => {
  const { repos, changeRequests: of } = on.context.database.tables;
  // The limit also keeps SQLite from reading the cost again for each count that it is part of.
  const slice = on.db
    .select({
      key: sql`${keyOf(of, shape)}`.as('key'),
      openedAt: of.openedAt,
      state: of.state,
      revertedAt: of.revertedAt,
      peopleCommits: of.peopleCommits,
      reviewRounds: of.reviewRounds,
      firstBuild: of.firstBuild,
      closeReason: of.closeReason,
      atFirstSight: of.atFirstSight,
      cost: costOf(on).as('cost'),
    })
    .from(of)
    .where(isCounted(on, given, shape))
    .limit(given('rows'))
    .as('counted');
  const { key, cost, state } = slice;
  const isMerged = eq(state, 'merged');
  const id = sql.identifier(repos.id.name);
  const name = sql.identifier(repos.name.name);
  return on.db
    .select({
      key: decodedKey(of, shape, sql`${key}`),
      repoName:
        shape.groupBy === 'repo'
          ? sql<string | null>`(select r.${name} from ${repos} as r where r.${id} = ${key})`
          : sql<null>`null`,
      firstOpenedAt: sql<Date>`min(${slice.openedAt})`.mapWith(of.openedAt),
      opened: counted(),
      merged: counted(isMerged),
      closed: counted(eq(state, 'closed')),
      reverted: counted(and(isMerged, isNotNull(slice.revertedAt))),
      peopleCommits: summed(slice.peopleCommits),
      mergedUntouched: counted(and(isMerged, eq(slice.peopleCommits, 0))),
      reviewRounds: summed(slice.reviewRounds),
      costUsd: sql<number | null>`sum(${cost})`.mapWith(Number),
      priced: counted(isNotNull(cost)),
      pricedMerged: counted(and(isMerged, isNotNull(cost))),
      planned: counted(isNotNull(slice.atFirstSight)),
      atFirstSight: counted(eq(slice.atFirstSight, true)),
      firstBuilds: countsOf(buildEnds, (end) => counted(eq(slice.firstBuild, end))),
      closeReasons: countsOf(closeReasons, (reason) =>
        counted(and(eq(state, 'closed'), eq(slice.closeReason, reason))),
      ),
    })
    .from(slice)
    .groupBy(key);
});

const selectMergeTimes = preparedShapes((on, given: Given<Values>, shape: Shape) => {
  const { changeRequests: of } = on.context.database.tables;
  return on.db
    .select({ key: decodedKey(of, shape, keyOf(of, shape)), openedAt: of.openedAt, mergedAt: of.mergedAt })
    .from(of)
    .where(and(isCounted(on, given, shape), eq(of.state, 'merged'), isNotNull(of.mergedAt)));
});

function keyOf(of: Tables['changeRequests'], { groupBy }: Shape): SQL {
  const column = groupBy === null ? null : keyColumns[groupBy](of);
  return column === null ? sql`null` : sql`${column}`;
}

function decodedKey(of: Tables['changeRequests'], { groupBy }: Shape, key: SQL): SQL<unknown> {
  return groupBy === null ? key : key.mapWith(keyColumns[groupBy](of));
}

const keyColumns: Readonly<Record<OutcomeGrouping, (of: Tables['changeRequests']) => Column>> = {
  repo: ({ repoId }) => repoId,
  model: ({ models }) => models,
  prompt_revision: ({ promptRevision }) => promptRevision,
};

/** A change that two models made is in a group of its own: each is in one group, and the groups add up. */
function groupOf(key: unknown): string | null {
  if (!Array.isArray(key)) return key as string | null;
  // Rows that the migration took over are in the order in which they worked.
  return key.length === 0 ? null : key.toSorted().join(', ');
}

/**
 * The cost of its first issue and of its follow-ups, also of those that ended before they pushed anything; null where the price
 * of one is unknown. As a decimal number: the sum of many floating-point numbers would show their error.
 */
function costOf({ context }: Handle): SQL<number | null> {
  const { issues, changeRequests: of } = context.database.tables;
  const name = (column: { name: string }) => sql.identifier(column.name);
  const [price, number, first] = [name(issues.costUsd), sql`${of}.${name(of.number)}`, sql`${of}.${name(of.issueId)}`];
  // Each part finds its rows by an index of its own. With one `or`, either engine takes twice as long, or reads all issues.
  return sql`(select case when count(*) = count(price) then sum(cast(price as numeric)) end from (
    select ${price} as price from ${issues} where ${name(issues.id)} = ${first} union all
    select ${price} as price from ${issues} where ${name(issues.parentIssueId)} = ${first}
    and coalesce(${name(issues.changeRequestNumber)}, ${number}) = ${number}) as prices)`;
}

function counted(condition?: SQL): SQL<number> {
  return (condition === undefined ? sql`count(*)` : sql`count(case when ${condition} then 1 end)`).mapWith(Number);
}

function summed(column: Column): SQL<number> {
  return sql`sum(${column})`.mapWith(Number);
}

function toGroupTally({
  key,
  repoName,
  costUsd,
  ...counts
}: Awaited<ReturnType<typeof selectTallies>>[number]): GroupTally {
  return { group: groupOf(key), repoName, tally: { ...counts, cost: toPicoUsd(costUsd ?? 0) } };
}
