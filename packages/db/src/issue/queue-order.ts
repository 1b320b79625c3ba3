import { eq, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { prepared } from '../store/prepared.ts';
import type { SlotRules, Write } from '../store/store-context.ts';
import { BELOW_QUEUE } from './queue-place.ts';

// Who starts next. Users take turns: an issue's turn is the number of slots that its user holds plus its rank among
// those of its user that wait, so one user's fifty issues do not hold up another's first. The order is
//   1. those whose turn is within the limit per user: the others wait for one of their own user's to end;
//   2. decided issues, which gave their slot away at the gate, before new ones;
//   3. the lower turn; at the same turn, the lower rank, because the other issue's user starts another one first;
//   4. the user whose last start is longest ago;
//   5. the place in the queue. Within one user it is first come, first served.
// Admission, which is called often, needs the first issue of each user alone; a position needs them all.

/** The issue that starts next, or undefined when none may. The caller holds the dispatch lock. */
export async function nextToStart(write: Write) {
  const [next] = await selectNext(write, {});
  return next;
}

const selectNext = prepared(({ context, db }) => {
  const { tables } = context.database;
  const { issues } = tables;
  const { perUser } = context.slotRules;
  return db
    .select({
      id: issues.id,
      userId: issues.userId,
      repoId: issues.repoId,
      status: issues.status,
      stage: issues.stage,
    })
    .from(sql`${usersWaiting(tables)} as waiting`)
    .innerJoin(issues, eq(issues.queueOrdinal, sql`waiting.first_place`))
    .where(perUser === null ? undefined : sql`waiting.slots < ${perUser}`)
    .orderBy(
      sql`waiting.first_place > 0, waiting.slots, waiting.served is not null, waiting.served, waiting.first_place`,
    )
    .limit(1);
});

/**
 * The position of a row of `issues` in that order, from 1; null unless it is queued. Computed at each read, so no write
 * has to renumber those that wait; once for all rows of a statement, and not at all where none of them is queued.
 */
export function queuePosition(tables: Tables, { perUser }: SlotRules): SQL<number | null> {
  const { issues } = tables;
  const { user, place } = namesOf(tables);
  const own = sql`${issues}.${place}`;
  const isOverLimit = perUser === null ? sql`` : sql`slots + nth > ${perUser}, `;
  return sql<number | null>`case when ${own} is null then null else (
    with line as materialized (
      select place, row_number() over (
        order by ${isOverLimit}place > 0, slots + nth, nth, served is not null, served, first_place, place
      ) as position_in_line from (
        select queued.${place} as place, row_number() over (partition by queued.${user} order by queued.${place}) as nth,
          waiting.slots, waiting.served, waiting.first_place
        from ${issues} as queued
        inner join ${usersWaiting(tables)} as waiting on waiting.user_id = queued.${user}
        where queued.${place} > ${below}
      ) as ranked
    ) select position_in_line from line where line.place = ${own}
  ) end`.mapWith(Number);
}

/** Users who have queued issues: the place of the first one, the slots that they hold, and when one of theirs was last started. */
function usersWaiting(tables: Tables): SQL {
  const { issues } = tables;
  const { user, place, slot, startedAt } = namesOf(tables);
  return sql`(
    select queued.${user} as user_id, min(queued.${place}) as first_place,
      (select count(*) from ${issues} as own where own.${user} = queued.${user} and own.${slot} > 0) as slots,
      (select max(own.${startedAt}) from ${issues} as own where own.${user} = queued.${user}) as served
    from ${issues} as queued where queued.${place} > ${below} group by queued.${user}
  )`;
}

/** Places below it are outside the queue. Written into the SQL, so that the index of the queue alone is known to answer. */
const below = sql.raw(`${BELOW_QUEUE}`);

/** Written out, as drizzle drops the table's name where it thinks there is one table only. */
function namesOf({ issues }: Tables) {
  return {
    user: sql.identifier(issues.userId.name),
    place: sql.identifier(issues.queueOrdinal.name),
    slot: sql.identifier(issues.slot.name),
    startedAt: sql.identifier(issues.startedAt.name),
  };
}
