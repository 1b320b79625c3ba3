import { includesRole, issueActs } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import {
  FAILURE_WANTED_MS,
  type Inbox,
  type InboxIssue,
  type InboxList,
  type InboxQuery,
  type IssueStatus,
  inboxBounds,
  isOpenForDecision,
  isPending,
  isRunnable,
  issueStatuses,
  isTerminal,
  MAX_COUNTED_ISSUES,
  nextStatus,
  type QueueReason,
  statusesWhere,
  type WantedIssue,
  wantedAtGate,
} from '@sluice/core/issue';
import { approvalRules, approvalStanding, policyAtGate, type Triage } from '@sluice/core/pipeline';
import { storableText } from '@sluice/core/text';
import { and, asc, desc, eq, gt, gte, inArray, isNull, not, notInArray, type SQL, sql } from 'drizzle-orm';
import { type Readable, type ReadableShape, readableBy, readableRepos } from '../access/readable-repos.ts';
import { removedRepos } from '../removal/is-visible.ts';
import { type Given, type Handle, preparedShapes } from '../store/prepared.ts';
import type { StoreContext } from '../store/store-context.ts';

import { asSql, containing, isLike } from './list-issues.ts';
import { isPendingInLine } from './pending-in-line.ts';
import { queuePosition } from './queue-order.ts';
import { BELOW_QUEUE, isHeld, isQueued } from './queue-place.ts';
import { shownColumns, toListed } from './read-issue.ts';

// An index answers each list, from its first issue on. One statement reads them all, so that an issue that moves from one
// list to another meanwhile is in one of them; another one counts.

/** Read of each list in order to show its first ones: others have another title, or are of a repository that was removed. */
const EXAMINED = 500;

type Section = 'gate' | 'others' | 'failure' | 'running' | 'queued' | 'held' | 'line' | 'draft' | 'done';

const most: Record<Section, number> = {
  // Some of them wait for others: see `waitsForReader`.
  gate: inboxBounds.needsYou + inboxBounds.waitsForOthers,
  others: inboxBounds.waitsForOthers,
  failure: inboxBounds.needsYou,
  running: inboxBounds.running,
  queued: inboxBounds.queued,
  held: inboxBounds.queued,
  line: inboxBounds.queued,
  draft: inboxBounds.drafts,
  done: inboxBounds.done,
};

interface Values extends Readable {
  readonly repoId: RepoId;
  readonly pattern: string;
  /** What failed since then is news. */
  readonly newsSince: Date;
}

interface Shape extends ReadableShape {
  readonly ofRepo: boolean;
  /** Whether the caller may decide at gates at all. */
  readonly mayDecide: boolean;
  readonly hasPattern: boolean;
}

/** Where an index finds the issues of a list, and in which order. */
interface List {
  readonly section: Section;
  readonly where: SQL | undefined;
  /** Left out: the table. */
  readonly from?: SQL;
  readonly order: SQL;
}

function isReadable(
  on: Handle,
  given: Given<Values>,
  shape: ReadableShape & Pick<Shape, 'ofRepo'> & { readonly byQueue?: boolean },
): SQL | undefined {
  const { issues } = on.context.database.tables;
  const repoId = shape.byQueue === true ? sql`coalesce(${issues.repoId}, '')` : issues.repoId;
  return and(
    shape.ofRepo ? sql`${repoId} = ${given('repoId', issues.repoId)}` : undefined,
    sql`${repoId} in ${readableRepos(on, given, shape)}`,
  );
}

function listsOf(on: Handle, given: Given<Values>, shape: Shape): readonly List[] {
  const { tables } = on.context.database;
  const { issues } = tables;
  const readable = isReadable(on, given, shape);
  const isDecidable = shape.mayDecide
    ? inArray(issues.repoId, readableRepos(on, given, { ...shape, needed: 'approver' }))
    : sql`1 = 0`;
  const inStatus = (section: Section, status: IssueStatus, also?: SQL): List => ({
    section,
    where: and(readable, eq(issues.status, status), also),
    from: on.context.database.readBy(issues, 'issues_by_repo_status'),
    order: section === 'draft' ? desc(issues.ordinal) : asc(issues.ordinal),
  });
  /** A failure is for the person who asked for the work. */
  const isNews = and(
    eq(issues.userId, given('reader', issues.userId)),
    inArray(
      issues.status,
      statusesWhere((status) => nextStatus(status, 'retried') !== null),
    ),
    gte(issues.finishedAt, given('newsSince', issues.finishedAt)),
  ) as SQL;
  return [
    ...statusesWhere(isOpenForDecision).map((status) => inStatus('gate', status, isDecidable)),
    ...statusesWhere(isOpenForDecision).map((status) => inStatus('others', status, not(isDecidable))),
    { section: 'failure', where: and(readable, isNews), order: asc(issues.finishedAt) },
    ...statusesWhere(isRunnable).map((status) => inStatus('running', status)),
    {
      section: 'queued',
      // By the index of the queue, which is short: the history of the repositories is not.
      where: and(isReadable(on, given, { ...shape, byQueue: true }), isQueued(tables)),
      order: asc(issues.queueOrdinal),
    },
    {
      section: 'held',
      where: and(isReadable(on, given, { ...shape, byQueue: true }), isHeld(tables)),
      order: asc(issues.queueOrdinal),
    },
    {
      section: 'line',
      where: and(readable, gt(issues.waitingOrdinal, 0), isPendingInLine(issues.status), isNull(issues.queuedAt)),
      order: asc(issues.waitingOrdinal),
    },
    ...statusesWhere(isPending).map((status) =>
      inStatus('draft', status, and(isNull(issues.queuedAt), isNull(issues.waitingOrdinal))),
    ),
    {
      section: 'done',
      where: and(
        readable,
        inArray(issues.status, statusesWhere(isTerminal)),
        gt(issues.finishedAt, new Date(0)),
        not(isNews),
      ),
      order: desc(issues.finishedAt),
    },
  ];
}

/** The first ones of a list that may be seen, and one more. */
function firstOf({ context, db }: Handle, given: Given<Values>, { list, hasPattern }: { list: List } & Shape): SQL {
  const { tables } = context.database;
  const { issues } = tables;
  const examined = db
    .select({
      ordinal: asSql(issues.ordinal),
      repoId: asSql(issues.repoId),
      ...(hasPattern && { title: asSql(issues.title) }),
    })
    .from(list.from ?? issues)
    .where(list.where)
    .orderBy(list.order)
    .limit(EXAMINED);
  const isSeen = notInArray(sql`examined.repo_id`, removedRepos(tables, db));
  const isSought = hasPattern ? isLike(sql`examined.title`, given('pattern', issues.title)) : undefined;
  return sql`select ${sql.raw(`'${list.section}'`)} as section, ordinal from ${examined.as('examined')} where ${and(isSeen, isSought)} limit ${sql.raw(`${most[list.section] + 1}`)}`;
}

const readLists = preparedShapes(
  (handle, given: Given<Values>, shape: Shape) => {
    const { context, db } = handle;
    const { tables } = context.database;
    const { issues, repos } = tables;
    const lists = listsOf(handle, given, shape).map(
      (list) => sql`select * from (${firstOf(handle, given, { ...shape, list })}) as list`,
    );
    const section = sql<Section>`shown.section`;
    return db
      .select({
        section,
        // Without its text, which can be 64 KiB.
        row: { ...shownColumns(tables), body: sql<string>`''` },
        repoName: repos.name,
        settings: repos.settings,
        triage: sql<Triage | null>`case when ${section} = 'gate' then ${issues.pipeline} -> 'triage' end`.mapWith(
          (stored: Triage | string) => (typeof stored === 'string' ? (JSON.parse(stored) as Triage | null) : stored),
        ),
        queuePosition: queuePosition(tables, context.slotRules),
        isOverLimit: isOverLimit(context),
        heldForRepo: ofGate(section, behindInLine(handle, given, shape)),
        heldForSlot: ofGate(section, behindItsSlot(handle, given, shape)),
      })
      .from(sql`(${sql.join(lists, sql` union all `)}) as shown`)
      .innerJoin(issues, eq(issues.ordinal, sql`shown.ordinal`))
      .innerJoin(repos, eq(repos.id, issues.repoId));
  },
  { planned: 'each time' },
);

/** Names the columns of a table under its alias in a subquery. */
const columnsOf = (alias: string) => (column: { readonly name: string }) =>
  sql`${sql.raw(alias)}.${sql.identifier(column.name)}`;

/** Whether the running issues of its user and those before it in the queue are already as many as one user may run. */
function isOverLimit({ database: { tables }, slotRules: { perUser } }: StoreContext): SQL<boolean> {
  const { issues } = tables;
  const own = columnsOf('own');
  const ofUser = sql`from ${issues} as own where ${own(issues.userId)} = ${issues}.${sql.identifier(issues.userId.name)}`;
  const held = sql`(select count(*) ${ofUser} and ${own(issues.slot)} > 0)`;
  const ahead = sql`(select count(*) ${ofUser} and ${own(issues.queueOrdinal)} > ${sql.raw(`${BELOW_QUEUE}`)}
    and ${own(issues.queueOrdinal)} <= ${issues}.${sql.identifier(issues.queueOrdinal.name)})`;
  const is = perUser === null ? sql`0` : sql`case when ${held} + ${ahead} > ${sql.raw(`${perUser}`)} then 1 else 0 end`;
  return sql<boolean>`${is}`.mapWith((stored: unknown) => Number(stored) === 1);
}

const ofGate = (section: SQL<Section>, total: SQL): SQL<number> =>
  sql<number>`case when ${section} = 'gate' then ${total} else 0 end`.mapWith(Number);

/** How many issues that the reader sees wait for the remote that the issue occupies, in any of its registrations. */
function behindInLine(on: Handle, given: Given<Values>, shape: Shape): SQL {
  const { issues, repos } = on.context.database.tables;
  const [lined, registered] = [columnsOf('lined'), columnsOf('registered')];
  return sql`(select count(*) from ${repos} as registered
    inner join ${issues} as lined on ${lined(issues.repoId)} = ${registered(repos.id)}
    where ${registered(repos.id)} in ${readableRepos(on, given, shape)}
      and ${registered(repos.canonicalRemote)} = ${repos}.${sql.identifier(repos.canonicalRemote.name)}
      and ${registered(repos.removedAt)} is null and ${lined(issues.waitingOrdinal)} > 0
      and ${lined(issues.queuedAt)} is null and ${isPendingInLine(lined(issues.status))})`;
}

/** How many issues that the reader sees wait for a slot, while the issue keeps one. */
function behindItsSlot(on: Handle, given: Given<Values>, shape: Shape): SQL {
  const { issues } = on.context.database.tables;
  const queued = columnsOf('queued');
  return sql`case when ${issues}.${sql.identifier(issues.slot.name)} is null then 0 else
    (select count(*) from ${issues} as queued
      where coalesce(${queued(issues.repoId)}, '') in ${readableRepos(on, given, shape)}
        and ${queued(issues.queueOrdinal)} > ${sql.raw(`${BELOW_QUEUE}`)}) end`;
}

/** How many issues of each status may be seen. */
const countStatuses = preparedShapes(
  (on, given: Given<Values>, shape: ReadableShape & Pick<Shape, 'ofRepo'>) => {
    const { context, db } = on;
    const { tables } = context.database;
    const { issues } = tables;
    const isRead = isReadable(on, given, shape);
    const counted = issueStatuses.map((status) => {
      const examined = db
        .select({ repoId: issues.repoId })
        .from(issues)
        .where(and(isRead, eq(issues.status, status)))
        .limit(MAX_COUNTED_ISSUES)
        .as('examined');
      const isSeen = notInArray(sql`examined.repo_id`, removedRepos(tables, db));
      return sql`select ${sql.raw(`'${status}'`)} as status, count(*) as total from ${examined} where ${isSeen}`;
    });
    return db
      .select({ status: sql<IssueStatus>`counted.status`, total: sql<number>`counted.total`.mapWith(Number) })
      .from(sql`(${sql.join(counted, sql` union all `)}) as counted`);
  },
  { planned: 'each time' },
);

const NO_COUNTS = Object.fromEntries(issueStatuses.map((status) => [status, 0])) as Record<IssueStatus, number>;

type Row = Awaited<ReturnType<typeof readLists>>[number];

/** `IssueStore.inbox`. */
export async function readInbox(context: StoreContext, { caller, repoId, q }: InboxQuery): Promise<Inbox> {
  const handle = { context, db: context.database.read };
  const readable = readableBy(caller);
  const mayDecide = caller.limits === null || includesRole(caller.limits.role, issueActs.decide.any);
  const shape = { ...readable.shape, ofRepo: repoId !== undefined, hasPattern: q !== undefined, mayDecide };
  const values: Values = {
    ...readable.values,
    repoId: repoId as RepoId, // where the shape leaves it out it is never read, nor is the pattern
    pattern: q === undefined ? '' : containing(storableText(q)),
    newsSince: new Date(context.clock.now().getTime() - FAILURE_WANTED_MS),
  };
  const rows = await readLists(handle, shape, values);
  const counts = await countStatuses(handle, { ...readable.shape, ofRepo: shape.ofRepo }, values);
  const waits = (row: Row) => waitsForReader(row, caller.userId, context);
  const of = (...sections: Section[]) => rows.filter(({ section }) => sections.includes(section));
  const byTime = (time: (row: Row['row']) => Date | null) => (one: Row, other: Row) =>
    (time(one.row)?.getTime() ?? 0) - (time(other.row)?.getTime() ?? 0) || one.row.id.localeCompare(other.row.id);
  const ended = byTime(({ finishedAt }) => finishedAt);
  const inLine = byTime(({ createdAt }) => createdAt);
  const queued = [
    ...of('queued').sort((one, other) => (one.queuePosition ?? 0) - (other.queuePosition ?? 0)),
    ...of('line').sort(inLine),
    ...of('held').sort(byTime(({ queuedAt }) => queuedAt)),
  ];
  return {
    needsYou: cut([...of('gate').filter(waits), ...of('failure')].map(toWanted).sort(bySince), inboxBounds.needsYou),
    waitsForOthers: cut(
      [...of('gate').filter((row) => !waits(row)), ...of('others')].map(toWanted).sort(bySince),
      inboxBounds.waitsForOthers,
    ),
    running: cut(
      of('running')
        .sort(byTime(({ startedAt }) => startedAt))
        .map(toInboxIssue),
      inboxBounds.running,
    ),
    queued: cut(
      queued.map((row) => ({ ...toInboxIssue(row), waitsFor: reasonOf(row) })),
      inboxBounds.queued,
    ),
    drafts: cut(of('draft').sort(inLine).reverse().map(toInboxIssue), inboxBounds.drafts),
    done: cut(of('done').sort(ended).reverse().map(toInboxIssue), inboxBounds.done),
    counts: { ...NO_COUNTS, ...Object.fromEntries(counts.map(({ status, total }) => [status, total])) },
  };
}

/**
 * Whether an approval by the reader, whose role lets them decide, would count. Where it would not, they can still reject or
 * instruct, but the gate waits for somebody else.
 */
function waitsForReader(found: Row, reader: UserId, { leastApproval }: StoreContext): boolean {
  const { gate, userId: requesterId } = toListed({ ...found, plan: null });
  if (gate === null) return true;
  const policy = policyAtGate(gate, approvalRules(found.settings, leastApproval));
  return approvalStanding(reader, { gate, policy, requesterId }) === 'counts';
}

function cut<T>(items: readonly T[], most: number): InboxList<T> {
  return { items: items.slice(0, most), more: items.length > most };
}

function toInboxIssue({ row, repoName, queuePosition }: Row): InboxIssue {
  const { body, plan, ...issue } = toListed({ row, plan: null, queuePosition });
  return { issue, repoName };
}

function toWanted(found: Row): WantedIssue {
  const { gate, finishedAt, createdAt } = found.row;
  const { heldForRepo: repo, heldForSlot: slot } = found;
  return {
    ...toInboxIssue(found),
    wants: gate === null ? 'failure' : wantedAtGate(gate, found.triage),
    since: gate === null ? (finishedAt ?? createdAt) : new Date(gate.requested_at),
    holdsUp: { repo, slot },
  };
}

const bySince = (one: WantedIssue, other: WantedIssue) => one.since.getTime() - other.since.getTime();

function reasonOf({ section, isOverLimit }: Row): QueueReason {
  if (section === 'line') return 'repo';
  if (section === 'held') return 'budget';
  return isOverLimit ? 'own_limit' : 'slot';
}
