import { randomBytes } from 'node:crypto';
import { createSingleFlight } from '@sluice/core/async';
import type { IssueId, RepoId } from '@sluice/core/id';
import type { ChangedIssue, EventLog } from '@sluice/core/issue';
import { and, asc, gt, lte, sql } from 'drizzle-orm';
import { type Readable, type ReadableShape, readableBy, readableRepos } from '../access/readable-repos.ts';
import { excluded } from '../store/excluded.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';

// Streams read it at each poll; a value of a quarter of a second ago is fresh enough.
const READ_AGAIN_AFTER_MS = 250;
const ONLY = 1;
const EXAMINED_AT_ONCE = 2_000; // some 5 ms on SQLite, in which all else waits
const EPOCH_BYTES = 4; // two restores in a row must not have the same by chance

const selectEpoch = prepared(({ context, db }) => {
  const { installation } = context.database.tables;
  return db.select({ epoch: installation.epoch }).from(installation);
});

const putEpoch = prepared(({ context, db }, given: Given<{ epoch: string }>) => {
  const { installation } = context.database.tables;
  const { id, epoch } = installation;
  return db
    .insert(installation)
    .values({ id: ONLY, epoch: given('epoch', epoch) })
    .onConflictDoUpdate({ target: id, set: excluded({ epoch }) });
});

interface Range extends Readable {
  readonly after: number;
  readonly upTo: number | null;
  readonly limit: number | null;
}

/** With and without an end, and with and without a limit. */
const selectChanged = preparedShapes(
  (on, given: Given<Range>, shape: ReadableShape & { hasEnd: boolean; isPage: boolean }) => {
    const { events, issues } = on.context.database.tables;
    const { ordinal, issueId, seq } = events;
    const { hasEnd, isPage } = shape;
    // Not a join, which would begin with the issues and sort all of their events.
    const repoId = sql`(select ${sql.identifier(issues.repoId.name)} from ${issues} where ${issues.id} = ${issueId})`;
    const query = on.db
      .select({ ordinal, issueId, seq, repoId: sql<RepoId>`${repoId}` })
      .from(events)
      .where(
        and(
          sql`${repoId} in ${readableRepos(on, given, shape)}`,
          gt(ordinal, given('after', ordinal)),
          hasEnd ? lte(ordinal, given('upTo', ordinal)) : undefined,
        ),
      )
      .orderBy(asc(ordinal))
      .$dynamic();
    return isPage ? query.limit(given('limit')) : query;
  },
);

/** Finds events of all issues that a caller may read by their ordinal. */
export function createEventLog(context: StoreContext): EventLog {
  const reading = { context, db: context.database.read };
  const elapsedMs = context.elapsedMs ?? (() => performance.now());
  let epoch: string | null | undefined;
  let settled = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const reads = createSingleFlight<'settled', void>();
  const readSettled = async () => {
    const now = await context.database.settledEvents();
    settled = Math.max(settled, now);
    readAt = elapsedMs();
  };
  return {
    settledUpTo: async () => {
      if (elapsedMs() - readAt < READ_AGAIN_AFTER_MS) return settled; // what was settled stays so
      await reads.run('settled', readSettled);
      return settled;
    },

    epoch: async () => {
      if (epoch === undefined) {
        const [row] = await selectEpoch(reading, {});
        epoch = row?.epoch ?? null;
      }
      return epoch;
    },

    beginEpoch: () =>
      write(context, async (write) => {
        const next = randomBytes(EPOCH_BYTES).toString('hex');
        await putEpoch(write, { epoch: next });
        epoch = next;
      }),

    lastOrdinal: () => context.database.lastEventOrdinal(),

    changed: async (caller, { after, upTo, limit }) => {
      const { values, shape } = readableBy(caller);
      // Most events can be of issues that the caller may not read, and each of them is examined.
      const end = upTo === null ? null : Math.min(upTo, after + EXAMINED_AT_ONCE);
      const shapes = { ...shape, hasEnd: end !== null, isPage: limit !== null };
      const rows = await selectChanged(reading, shapes, { ...values, after, upTo: end, limit });
      const last = rows.at(-1);
      return {
        issues: byIssue(rows),
        upTo: limit !== null && rows.length === limit && last !== undefined ? last.ordinal : end,
      };
    },
  };
}

function byIssue(
  rows: readonly {
    readonly ordinal: number;
    readonly issueId: IssueId;
    readonly seq: number;
    readonly repoId: RepoId;
  }[],
): ChangedIssue[] {
  const found = new Map<IssueId, ChangedIssue>();
  for (const { ordinal, issueId, seq, repoId } of rows) {
    const firstSeq = found.get(issueId)?.firstSeq ?? seq;
    found.set(issueId, { issueId, repoId, firstSeq, lastSeq: seq, lastOrdinal: ordinal });
  }
  return [...found.values()];
}
