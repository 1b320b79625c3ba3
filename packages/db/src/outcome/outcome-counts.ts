import { closeReasons } from '@sluice/core/code-host';
import type { RepoId } from '@sluice/core/id';
import {
  buildEnds,
  countsOf,
  type GroupTally,
  type OutcomeGrouping,
  type OutcomeQuery,
  type OutcomeStore,
  toPicoUsd,
} from '@sluice/core/outcome';
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
/** Into so many slices a period is divided at once; a longer one is divided again. */
const SLICES_SEEN = 16;

/** The counts of pull requests. Each statement reads one period of the index by repository and opening. */
export function outcomeCounts(context: StoreContext): Pick<OutcomeStore, 'span' | 'tally'> {
  const reading = { context, db: context.database.read };
  const atOnce = context.database.rowsAtOnce;
  return {
    span: async (query) => {
      const { shape, values } = queryOf(query, null);
      const [{ first, last } = { first: null, last: null }] = await selectSpan(reading, shape, values);
      if (first === null || last === null) return null;
      const [row] = await countUpTo(reading, shape, { ...values, rows: SLICES_SEEN * atOnce });
      return { first, last, opened: row?.opened ?? 0, atOnce };
    },
    tally: async (query, { groupBy, isDivisible }) => {
      const { shape, values } = queryOf(query, groupBy);
      const atMost = isDivisible ? atOnce : ALL;
      const rows = await selectTallies(reading, shape, { ...values, rows: atMost + 1 });
      const found = rows.filter(({ opened }) => opened > 0);
      return found.reduce((sum, { opened }) => sum + opened, 0) > atMost ? null : found.map(toGroupTally);
    },
  };
}

function queryOf({ caller, repoId, from, to }: OutcomeQuery, groupBy: OutcomeGrouping | null) {
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

/** Counts them in the index alone, which takes a tenth of what a tally does. */
const countUpTo = preparedShapes((on, given: Given<Values & { rows: number }>, shape: Shape) => {
  const { changeRequests: of } = on.context.database.tables;
  const some = on.db
    .select({ openedAt: of.openedAt })
    .from(of)
    .where(isCounted(on, given, shape))
    .limit(given('rows'))
    .as('counted');
  return on.db.select({ opened: counted() }).from(some);
});

const selectTallies = preparedShapes((on, given: Given<Values & { rows: number }>, shape: Shape) => {
  const { repos, changeRequests: of } = on.context.database.tables;
  // The limit keeps SQLite from reading the cost again for each count that it is part of.
  const slice = on.db
    .select({
      key: sql`${keyOf(of, shape)}`.as('key'),
      openedAt: of.openedAt,
      isMerged: sql`${of.state} = 'merged'`.as('is_merged'),
      isClosed: sql`${of.state} = 'closed'`.as('is_closed'),
      mergeTime: on.context.database.msBetween(of.openedAt, of.mergedAt).as('merge_time'),
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
  const { key, cost, isMerged, isClosed } = slice;
  const id = sql.identifier(repos.id.name);
  const name = sql.identifier(repos.name.name);
  const tallies = on.db
    .select({
      key: decodedKey(of, shape, key),
      repoName:
        shape.groupBy === 'repo'
          ? sql<string | null>`(select r.${name} from ${repos} as r where r.${id} = ${key})`
          : sql<null>`null`,
      firstOpenedAt: sql<Date>`min(${slice.openedAt})`.mapWith(of.openedAt),
      opened: counted(),
      merged: counted(isMerged),
      closed: counted(isClosed),
      reverted: counted(and(sql`${isMerged}`, isNotNull(slice.revertedAt))),
      peopleCommits: summed(slice.peopleCommits),
      mergedUntouched: counted(and(sql`${isMerged}`, eq(slice.peopleCommits, 0))),
      reviewRounds: summed(slice.reviewRounds),
      costUsd: sql<number | null>`sum(${cost})`.mapWith(Number),
      priced: counted(isNotNull(cost)),
      pricedMerged: counted(and(sql`${isMerged}`, isNotNull(cost))),
      planned: counted(isNotNull(slice.atFirstSight)),
      atFirstSight: counted(eq(slice.atFirstSight, true)),
      firstBuilds: countsOf(buildEnds, (end) => counted(eq(slice.firstBuild, end))),
      closeReasons: listed(sql`case when ${isClosed} then ${slice.closeReason} end`),
      mergeTimes: listed(sql`case when ${isMerged} then ${slice.mergeTime} end`),
    })
    .from(slice);
  return shape.groupBy === null ? tallies : tallies.groupBy(key);
});

function keyOf(of: Tables['changeRequests'], { groupBy }: Shape): SQL {
  const column = groupBy === null ? null : keyColumns[groupBy](of);
  return column === null ? sql`null` : sql`${column}`;
}

function decodedKey(of: Tables['changeRequests'], { groupBy }: Shape, key: SQL.Aliased): SQL<unknown> {
  return groupBy === null ? sql`null` : sql`${key}`.mapWith(keyColumns[groupBy](of));
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
  const [number, first] = [sql`${of}.${name(of.number)}`, sql`${of}.${name(of.issueId)}`];
  const [price, parent] = [name(issues.costUsd), name(issues.parentIssueId)];
  const published = name(issues.changeRequestNumber);
  // Most have no follow-up. Of these SQLite finds the price in the index by pull request, without a look at the issue.
  const alone = sql`select ${price} as price from ${issues}
    where ${name(issues.repoId)} = ${of}.${name(of.repoId)} and ${published} = ${number}
    order by ${name(issues.ordinal)} limit 1`;
  // Each part finds its rows by an index of its own. With one `or`, either engine takes twice as long, or reads all issues.
  const together = sql`select ${price} as price from ${issues} where ${name(issues.id)} = ${first} union all
    select ${price} as price from ${issues} where ${parent} = ${first} and coalesce(${published}, ${number}) = ${number}`;
  return sql`case when exists (select 1 from ${issues} where ${parent} = ${first})
    then (select case when count(*) = count(price) then sum(cast(price as numeric)) end from (${together}) as prices)
    else (select cast(price as numeric) from (${alone}) as prices) end`;
}

function counted(condition?: SQL | SQL.Aliased): SQL<number> {
  return (condition === undefined ? sql`count(*)` : sql`count(case when ${condition} then 1 end)`).mapWith(Number);
}

function summed(column: Column): SQL<number> {
  return sql`sum(${column})`.mapWith(Number);
}

/** The values that are not null, as one text: rows of their own take several times as long. */
function listed(value: SQL): SQL<string | null> {
  return sql`string_agg(cast(${value} as text), ',')`;
}

function toGroupTally({
  key,
  repoName,
  costUsd,
  closeReasons: reasons,
  mergeTimes,
  ...counts
}: Awaited<ReturnType<typeof selectTallies>>[number]): GroupTally {
  const given = Map.groupBy(reasons?.split(',') ?? [], (reason) => reason);
  return {
    group: groupOf(key),
    repoName,
    tally: {
      ...counts,
      cost: toPicoUsd(costUsd ?? 0),
      closeReasons: countsOf(closeReasons, (reason) => given.get(reason)?.length ?? 0),
    },
    mergeTimes: mergeTimes?.split(',').map(Number) ?? [],
  };
}
