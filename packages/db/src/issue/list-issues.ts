import { setImmediate } from 'node:timers/promises';
import { callerOf } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import type { CountedQuery, FieldFilter, IssueQuery, IssueStatus, ListedIssue } from '@sluice/core/issue';
import { domainName, filteredFields, MAX_COUNTED_ISSUES } from '@sluice/core/issue';
import type { Page } from '@sluice/core/request';
import { storableText } from '@sluice/core/text';
import {
  and,
  asc,
  type Column,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  like,
  lt,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type Readable, type ReadableShape, readableBy, readableRepos } from '../access/readable-repos.ts';
import { isVisible, removedRepos } from '../removal/is-visible.ts';
import type { Tables } from '../schema/schema.ts';
import { cursorAt, parseCursor } from '../store/page-cursor.ts';
import { type Given, type Handle, preparedShapes } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';
import { queuePosition } from './queue-order.ts';
import { isHeldPlace } from './queue-place.ts';
import { OUTSIDE, shownColumns, toListed } from './read-issue.ts';

// An index answers each list: those of a user or of repositories, all or in one status, newest first. Several statuses
// are several such lists, merged by one statement. What no index knows, a text, is looked for in a limited number of
// issues per call.

/** The issues whose text one statement compares: SQLite does that in the event loop, other work goes between them. */
const STEP = 50;
/** Searched in one call. The page is then short, and its cursor goes on below the last one that was searched. */
const EXAMINED_PER_CALL = 500;
const ABOVE_ALL = Number.MAX_SAFE_INTEGER;
const BELOW_ALL = 0;

interface Range extends Readable {
  readonly repoId: RepoId;
  readonly requester: UserId;
  /** The ordinal that the last range ended with: this one is below it, or above it where the oldest come first. */
  readonly past: number;
  readonly limit: number;
}

/** The conditions that no index answers, which are checked by reading. */
interface Sought extends Required<FieldFilter> {
  readonly pattern: string;
  readonly label: string;
  readonly from: Date;
  readonly until: Date;
}
/** The fields of which one value is looked for. */
const filters = filteredFields.map(domainName);

type InStatus = Record<`status${number}`, IssueStatus>;

/** Whose issues are listed, see `IssueAudience`. */
interface Audience extends ReadableShape {
  readonly isRead: boolean;
  readonly isRequested: boolean;
  readonly ofRepo: boolean;
}

function audienceOf({ readableBy: caller, requestedBy, repoId }: CountedQuery) {
  if (caller === undefined && requestedBy === undefined) throw new Error('A list of issues is of somebody.');
  const { values, shape } = readableBy(caller ?? callerOf(requestedBy as UserId));
  return {
    // What the shape leaves out is never read.
    values: { ...values, requester: requestedBy as UserId, repoId: repoId as RepoId },
    shape: {
      ...shape,
      isRead: caller !== undefined,
      isRequested: requestedBy !== undefined,
      ofRepo: repoId !== undefined,
    },
  };
}

interface Shape extends Audience {
  /** How many statuses are asked for; null: any. */
  readonly statuses: number | null;
  readonly oldestFirst: boolean;
  readonly sought: Readonly<Record<keyof Sought, boolean>>;
  readonly hasPlaces: boolean;
}

/**
 * The ordinals of the newest issues in the range, each with its issue where that may be seen and has the text. One statement,
 * so that an issue that moves from one of the statuses to another meanwhile is always in one.
 */
const readRange = preparedShapes(
  ({ context, db }, given: Given<Range & InStatus & Sought>, shape: Shape) => {
    const { tables } = context.database;
    const { issues, plans } = tables;
    const ordinal = sql<number>`examined.ordinal`.mapWith(issues.ordinal);
    const isSought = matches(tables, given, shape.sought);
    return db
      .select({
        ordinal,
        row: shownColumns(tables),
        plan: plans.document,
        queuePosition: shape.hasPlaces ? queuePosition(tables, context.slotRules) : OUTSIDE,
      })
      .from(sql`${newestOf({ context, db }, given, shape)} as examined`)
      .leftJoin(issues, and(eq(issues.ordinal, ordinal), isVisible(context.database, db), isSought))
      .leftJoin(plans, and(eq(plans.issueId, issues.id), eq(plans.revision, issues.planRevision)))
      .orderBy(shape.oldestFirst ? asc(ordinal) : desc(ordinal));
  },
  { planned: 'each time' },
);

/** How many of the newest issues may be seen. Postgres would read the whole table to join so many of its rows. */
const countNewest = preparedShapes(
  ({ context, db }, given: Given<Range & InStatus>, shape: NewestShape) =>
    db
      .select({ total: count() })
      .from(sql`${newestOf({ context, db }, given, { ...shape, withRepo: true })} as examined`)
      .where(notInArray(sql`examined.repo_id`, removedRepos(context.database.tables, db))),
  { planned: 'each time' },
);

interface NewestShape extends Audience, Pick<Shape, 'statuses' | 'oldestFirst'> {
  /** Whether each comes with the id of its repository. */
  readonly withRepo?: boolean;
}

/**
 * An index for each kind of audience, and for each with a status: it is read from the newest down. Postgres chooses it for
 * the values at hand alone: for all values it would read the whole table from the newest down, until there are enough.
 */
function newestOf(on: Handle, given: Given<Range & InStatus>, shape: NewestShape): SQL {
  const { context, db } = on;
  const { statuses, oldestFirst, withRepo } = shape;
  const { issues } = context.database.tables;
  const isIn = and(
    shape.isRequested ? eq(issues.userId, given('requester', issues.userId)) : undefined,
    shape.ofRepo ? eq(issues.repoId, given('repoId', issues.repoId)) : undefined,
    shape.isRead ? inArray(issues.repoId, readableRepos(on, given, shape)) : undefined,
    (oldestFirst ? gt : lt)(issues.ordinal, given('past', issues.ordinal)),
  );
  const index = statuses === null ? 'issues_of_repo' : 'issues_by_repo_status';
  const isOfSeveral = !shape.isRequested && !shape.ofRepo;
  const newest = (status?: SQL) =>
    db
      .select({ ordinal: asSql(issues.ordinal), ...(withRepo === true && { repoId: asSql(issues.repoId) }) })
      .from(isOfSeveral ? context.database.readBy(issues, index) : issues)
      .where(and(isIn, status))
      .orderBy(oldestFirst ? asc(issues.ordinal) : desc(issues.ordinal))
      .limit(given('limit'));
  if (statuses === null) return sql`${newest()}`;
  const lists = Array.from({ length: statuses }, (_, index) => {
    const list = newest(eq(issues.status, given(`status${index}`, issues.status)));
    return sql`select * from ${list.as(`list${index}`)}`;
  });
  return sql`(${sql.join(lists, sql` union all `)} order by ordinal ${sql.raw(oldestFirst ? 'asc' : 'desc')} limit ${given('limit')})`;
}

/** A column of a table that is given as SQL: drizzle takes that for another table. */
export function asSql(column: Column): SQL.Aliased {
  return sql`${column}`.as(column.name);
}

function contains({ issues }: Tables, pattern: (column: typeof issues.title) => SQL): SQL | undefined {
  return or(isLike(issues.title, pattern(issues.title)), isLike(issues.body, pattern(issues.body)));
}

/** Whatever the case of its letters. Both sides by the engine's rules: a Postgres whose locale is C knows ASCII alone. */
export function isLike(text: SQLWrapper, pattern: SQL): SQL {
  return sql`${like(sql`lower(${text})`, sql`lower(${pattern})`)} escape '\\'`;
}

/** The conditions that no index answers. */
function matches(tables: Tables, given: Given<Sought>, sought: Shape['sought']): SQL | undefined {
  const { issues } = tables;
  // The label is compared in its JSON form, in which a quote inside of it is escaped. `hasLabel` drops the false hits:
  // another case, or text that stands between two labels.
  const labels = sql`cast(${issues.labels} as text)`;
  return and(
    sought.pattern ? contains(tables, (column) => given('pattern', column)) : undefined,
    sought.label ? sql`${like(labels, given('label', issues.title))} escape '\\'` : undefined,
    ...filters.map((name) => (sought[name] ? eq(issues[name], given(name, issues[name])) : undefined)),
    sought.from ? gte(issues.createdAt, given('from', issues.createdAt)) : undefined,
    sought.until ? lt(issues.createdAt, given('until', issues.createdAt)) : undefined,
  );
}

/** A page of issues, newest first; see `IssueStore.list`. */
export async function listIssues(context: StoreContext, query: IssueQuery): Promise<Page<ListedIssue>> {
  const { limit, cursor, statuses, oldestFirst = false } = query;
  const list = oldestFirst ? 'oldest_issues' : 'issues';
  const isSearch = Object.values(soughtBy(query)).some((value) => value !== undefined);
  const handle = { context, db: context.database.read };
  if (statuses?.length === 0) return EMPTY;
  const found: FoundRow[] = [];
  let past = parseCursor(list, cursor) ?? (oldestFirst ? BELOW_ALL : ABOVE_ALL);
  let size = isSearch ? STEP : Math.min(STEP, limit + 1);
  for (let examined = 0; ; ) {
    const range = await read(handle, query, { past, limit: size });
    const rows = range.filter(isFound).filter(({ row }) => hasLabel(row, query.label));
    found.push(...rows);
    examined += range.length;
    past = range.at(-1)?.ordinal ?? past;
    if (found.length > limit) return pageTo(list, found.slice(0, limit), found[limit - 1]?.ordinal);
    if (range.length < size) return pageTo(list, found, undefined);
    // Without a text only those of a removed repository are passed over. There can be many, but each is quickly passed.
    if (isSearch && examined >= EXAMINED_PER_CALL) return pageTo(list, found, past);
    size = !isSearch && rows.length > 0 ? Math.min(STEP, limit + 1 - found.length) : STEP;
    await setImmediate();
  }
}

/** The issues of all pages; see `IssueStore.count`. */
export async function countIssues(context: StoreContext, query: CountedQuery): Promise<number> {
  const { statuses } = query;
  const handle = { context, db: context.database.read };
  if (statuses?.length === 0) return 0;
  const named = namedOf(statuses);
  const audience = audienceOf(query);
  const shape = { ...audience.shape, statuses: statuses === undefined ? null : named.length, oldestFirst: false };
  const range = { ...audience.values, past: ABOVE_ALL, limit: MAX_COUNTED_ISSUES };
  const [row] = await countNewest(handle, shape, { ...range, ...(Object.fromEntries(named) as InStatus) });
  return row?.total ?? 0;
}

function namedOf(statuses: IssueQuery['statuses']) {
  return [...new Set(statuses)].map((status, index) => [`status${index}`, status] as const);
}

type ExaminedRow = Awaited<ReturnType<typeof readRange>>[number];
type FoundRow = ExaminedRow & { readonly row: NonNullable<ExaminedRow['row']> };

function isFound(examined: ExaminedRow): examined is FoundRow {
  return examined.row !== null;
}

function hasLabel({ labels }: FoundRow['row'], label: string | undefined): boolean {
  return label === undefined || labels.includes(label);
}

const EMPTY: Page<ListedIssue> = { items: [], nextCursor: null };

function pageTo(
  list: 'issues' | 'oldest_issues',
  rows: readonly FoundRow[],
  next: number | undefined,
): Page<ListedIssue> {
  return { items: rows.map(toListed), nextCursor: next === undefined ? null : cursorAt(list, next) };
}

/** The conditions of a query that are checked by reading; undefined where it has none. */
function soughtBy(query: IssueQuery): { readonly [Name in keyof Sought]: Sought[Name] | undefined } {
  const { q, label, createdFrom, createdBefore } = query;
  const values = Object.fromEntries(filters.map((name) => [name, query[name]])) as Required<FieldFilter>;
  return {
    ...values,
    pattern: q === undefined ? undefined : containing(storableText(q)),
    label: label === undefined ? undefined : containing(JSON.stringify(label)),
    from: storableTime(createdFrom),
    until: storableTime(createdBefore),
  };
}

const LAST_MS = Date.UTC(9999, 11, 31); // of the years with four digits

/** Postgres knows no year zero and not all that a `Date` can be; no issue is older than 1970. */
function storableTime(time: Date | undefined): Date | undefined {
  return time && new Date(Math.min(LAST_MS, Math.max(0, time.getTime())));
}

/** `%` and `_` are wildcards. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

async function read(handle: Handle, query: IssueQuery, range: Pick<Range, 'past' | 'limit'>): Promise<ExaminedRow[]> {
  const { statuses, oldestFirst = false } = query;
  const audience = audienceOf(query);
  const named = namedOf(statuses);
  const sought = soughtBy(query);
  const values = {
    ...range,
    ...(Object.fromEntries(named) as InStatus),
    ...(sought as Sought), // those that the shape leaves out are never read
    ...audience.values,
  };
  const shape = {
    ...audience.shape,
    statuses: statuses === undefined ? null : named.length,
    oldestFirst,
    sought: mapped(sought),
  } as const;
  if (query.q !== undefined) return await readRange(handle, { ...shape, hasPlaces: true }, values);
  const rows = await readRange(handle, { ...shape, hasPlaces: false }, values);
  const hasQueued = rows.some(({ row }) => row !== null && row.queueOrdinal !== null && !isHeldPlace(row.queueOrdinal));
  return hasQueued ? await readRange(handle, { ...shape, hasPlaces: true }, values) : rows;
}

function mapped(sought: ReturnType<typeof soughtBy>): Shape['sought'] {
  const isGiven = Object.entries(sought).map(([name, value]) => [name, value !== undefined]);
  return Object.fromEntries(isGiven) as Shape['sought'];
}
