import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Write } from '../store-context.ts';

/** The numbers of the slots that nobody occupies and that have not been retired, smallest first. */
export async function freeSlots(write: Write): Promise<readonly number[]> {
  const { issues, slots } = write.context.database.tables;
  const free = await write.db
    .select({ number: slots.number })
    .from(slots)
    .leftJoin(issues, eq(issues.slot, slots.number))
    .where(and(isNull(issues.id), eq(slots.retired, false)))
    .orderBy(asc(slots.number));
  return free.map(({ number }) => number);
}

/** Removes the retired slots that nobody occupies any more. */
export async function dropRetiredSlots(write: Write): Promise<void> {
  const { issues, slots } = write.context.database.tables;
  await write.db
    .delete(slots)
    .where(
      and(
        eq(slots.retired, true),
        sql`not exists (select 1 from ${issues} where ${issues}.${sql.identifier('slot')} = ${slots}.${sql.identifier('number')})`,
      ),
    );
}

/**
 * Makes it `cap` slots. Nobody is stopped: where more are occupied, the surplus is retired, and each of those goes when
 * its issue ends. The caller holds the dispatch lock.
 *
 * @returns the cap before, 0 on a new database
 */
export async function setSlotCount(write: Write, cap: number): Promise<number> {
  const { issues, slots } = write.context.database.tables;
  const rows = await write.db
    .select({ number: slots.number, retired: slots.retired, holder: issues.id })
    .from(slots)
    .leftJoin(issues, eq(issues.slot, slots.number))
    .orderBy(asc(slots.number));
  const occupied = rows.filter(({ holder }) => holder !== null);
  const free = rows.filter(({ holder }) => holder === null);
  const kept = [...occupied, ...free].slice(0, cap).map(({ number }) => number);
  for (const { number, holder } of rows) {
    const here = eq(slots.number, number);
    const stays = kept.includes(number);
    if (stays || holder !== null) await write.db.update(slots).set({ retired: !stays }).where(here);
    else await write.db.delete(slots).where(here);
  }
  const taken = new Set(rows.map(({ number }) => number));
  for (let number = 1, count = kept.length; count < cap; number += 1) {
    if (taken.has(number)) continue;
    await write.db.insert(slots).values({ number, retired: false });
    count += 1;
  }
  return rows.filter(({ retired }) => !retired).length;
}
