import { setImmediate } from 'node:timers/promises';
import type { IssueQuery, IssueStatus, ListedIssue, Page, RepoId, UserId } from '@sluice/core';
import { storableText } from '@sluice/core';
import { and, desc, eq, like, lt, or, type SQL, sql } from 'drizzle-orm';
import { isVisible } from '../removal/is-visible.ts';
import { cursorAt, parseCursor } from '../store/page-cursor.ts';
import { type Given, type Handle, prepared, preparedShapes } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';
import { hasQueued, selectListed, toListed } from './read-issue.ts';

// An index answers each list: those of a user or of a repository, all or in one status, newest first. Several statuses
// are several such lists, merged by one statement. What no index knows, a text, is looked for in a limited number of
// issues per call.

/** Of which the text is compared in one statement: SQLite does that in the event loop, other work goes between them. */
const STEP = 50;
/** Searched in one call. The page is then short, and its cursor goes on below the last one that was searched. */
const EXAMINED_PER_CALL = 500;
const ABOVE_ALL = Number.MAX_SAFE_INTEGER;

interface Range {
  readonly owner: UserId | RepoId;
  readonly below: number;
  readonly limit: number;
}
type InStatus = Record<`status${number}`, IssueStatus>;

/** An index for each kind of owner: it is read from the newest down. */
const ordinalsOf = preparedShapes(({ context, db }, given: Given<Range>, { owner }: { owner: 'userId' | 'repoId' }) => {
  const { issues } = context.database.tables;
  return db
    .select({ ordinal: issues.ordinal })
    .from(issues)
    .where(and(eq(issues[owner], given('owner', issues[owner])), lt(issues.ordinal, given('below', issues.ordinal))))
    .orderBy(desc(issues.ordinal))
    .limit(given('limit'));
});

/** In one statement, so that an issue that moves from one of these statuses to another meanwhile is always in one. */
const ordinalsInStatuses = preparedShapes(
  (
    { context, db },
    given: Given<Range & InStatus>,
    { owner, count }: { owner: 'userId' | 'repoId'; count: number },
  ) => {
    const { issues } = context.database.tables;
    const lists = Array.from({ length: count }, (_, index) => {
      const isOne = and(
        eq(issues[owner], given('owner', issues[owner])),
        eq(issues.status, given(`status${index}`, issues.status)),
        lt(issues.ordinal, given('below', issues.ordinal)),
      );
      const newest = db.select({ ordinal: issues.ordinal }).from(issues).where(isOne);
      const list = newest.orderBy(desc(issues.ordinal)).limit(given('limit'));
      return sql`select * from ${list.as(`list${index}`)}`;
    });
    const ordinal = sql<number>`ordinal`.mapWith(issues.ordinal);
    return db
      .select({ ordinal })
      .from(sql`(${sql.join(lists, sql` union all `)}) as found`)
      .orderBy(desc(ordinal))
      .limit(given('limit'));
  },
);

type Places = Record<`at${number}`, number>;
const places = Array.from({ length: STEP }, (_, index) => `at${index}` as const);

/** The issues with up to `STEP` ordinals that may be seen. */
function readListedWith(hasPlaces: boolean) {
  return prepared(({ context, db }, given: Given<Places>) => {
    const { issues } = context.database.tables;
    const ordinals = places.map((place) => given(place, issues.ordinal));
    return listed({ context, db }, { ordinals, hasPlaces });
  });
}
const readListed = readListedWith(false);
const readQueued = readListedWith(true);

/** Those of them whose title or body contains a text, whatever its case. */
const searchListed = prepared(({ context, db }, given: Given<Places & { pattern: string }>) => {
  const { issues } = context.database.tables;
  // Both by the engine's own rules: a Postgres whose locale is C knows no letter outside ASCII.
  const contains = (column: typeof issues.title) =>
    sql`${like(sql`lower(${column})`, sql`lower(${given('pattern', column)})`)} escape '\\'`;
  const ordinals = places.map((place) => given(place, issues.ordinal));
  const condition = or(contains(issues.title), contains(issues.body));
  return listed({ context, db }, { ordinals, condition, hasPlaces: true });
});

function listed(
  { context, db }: Handle,
  { ordinals, condition, hasPlaces }: { ordinals: SQL[]; condition?: SQL | undefined; hasPlaces: boolean },
) {
  const { issues } = context.database.tables;
  const isOne = sql`${issues.ordinal} in (${sql.join(ordinals, sql`, `)})`;
  return selectListed(context, db, hasPlaces)
    .where(and(isOne, isVisible(context.database, db), condition))
    .orderBy(desc(issues.ordinal));
}

/** A page of a user's issues, newest first; see `IssueStore.list`. */
export async function listIssues(context: StoreContext, query: IssueQuery): Promise<Page<ListedIssue>> {
  const { limit, cursor, statuses, q } = query;
  const start = parseCursor('issues', cursor) ?? ABOVE_ALL;
  const handle = { context, db: context.database.read };
  if (query.repoId !== undefined && !(await isOwn(handle, query.repoId, query.userId))) return EMPTY;
  const found: ListedRow[] = [];
  let below = start;
  let size = q === undefined ? Math.min(STEP, limit + 1) : STEP;
  for (let examined = 0; ; ) {
    const ordinals = await newestBelow(handle, query, { below, limit: size });
    const rows = await read(handle, ordinals, q);
    // One that has left the status since is not listed in it.
    found.push(...rows.filter(({ row }) => statuses?.includes(row.status) ?? true));
    examined += ordinals.length;
    below = ordinals.at(-1) ?? below;
    if (found.length > limit) return pageTo(found.slice(0, limit), found[limit - 1]?.row.ordinal);
    if (ordinals.length < size) return pageTo(found, undefined);
    // Without a text only those of a removed repository are passed over. There can be many, but each is quickly passed.
    if (q !== undefined && examined >= EXAMINED_PER_CALL) return pageTo(found, below);
    size = q === undefined && rows.length > 0 ? Math.min(STEP, limit + 1 - found.length) : STEP;
    await setImmediate();
  }
}

type ListedRow = Awaited<ReturnType<typeof readListed>>[number];

const EMPTY: Page<ListedIssue> = { items: [], nextCursor: null };

function pageTo(rows: readonly ListedRow[], next: number | undefined): Page<ListedIssue> {
  return { items: rows.map(toListed), nextCursor: next === undefined ? null : cursorAt('issues', next) };
}

/** The ordinals of the newest issues below an ordinal, over all statuses that are asked for. */
async function newestBelow(
  handle: Handle,
  { userId, repoId, statuses }: IssueQuery,
  range: Pick<Range, 'below' | 'limit'>,
): Promise<readonly number[]> {
  const values = { ...range, owner: repoId ?? userId };
  const owner = repoId === undefined ? 'userId' : 'repoId';
  const named = [...new Set(statuses)].map((status, index) => [`status${index}`, status] as const);
  if (statuses !== undefined && named.length === 0) return [];
  const rows =
    statuses === undefined
      ? await ordinalsOf(handle, { owner }, values)
      : await ordinalsInStatuses(
          handle,
          { owner, count: named.length },
          { ...values, ...(Object.fromEntries(named) as InStatus) },
        );
  return rows.map(({ ordinal }) => ordinal);
}

/** The issues with these ordinals that may be seen and contain `q`. */
async function read(handle: Handle, ordinals: readonly number[], q: string | undefined): Promise<ListedRow[]> {
  if (ordinals.length === 0) return [];
  // No issue has the ordinal 0: it stands for none.
  const given = Object.fromEntries(places.map((place, index) => [place, ordinals[index] ?? 0])) as Places;
  if (q === undefined) {
    const rows = await readListed(handle, given);
    return hasQueued(rows) ? await readQueued(handle, given) : rows;
  }
  // `%` and `_` are wildcards.
  return await searchListed(handle, { ...given, pattern: `%${storableText(q).replace(/[\\%_]/g, '\\$&')}%` });
}

const findOwn = prepared(({ context, db }, given: Given<{ repoId: RepoId; userId: UserId }>) => {
  const { repos } = context.database.tables;
  return db
    .select({ removedAt: repos.removedAt })
    .from(repos)
    .where(and(eq(repos.id, given('repoId', repos.id)), eq(repos.userId, given('userId', repos.userId))));
});

/** The index of a repository's issues does not know their user. */
async function isOwn(handle: Handle, repoId: RepoId, userId: UserId): Promise<boolean> {
  return (await findOwn(handle, { repoId, userId })).some(({ removedAt }) => removedAt === null);
}
