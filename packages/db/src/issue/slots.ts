import type { IssueId } from '@sluice/core/id';
import { asc, eq } from 'drizzle-orm';
import { prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

interface Slot {
  readonly number: number;
  readonly retired: boolean;
  readonly holder: IssueId | null;
}

/**
 * The numbers of the free slots, smallest first. The caller has just freed or added a slot or queued an issue, and
 * holds the dispatch lock.
 */
export async function freeSlots(write: Write): Promise<readonly number[]> {
  let slots = await readSlots(write);
  if (slots.some(({ retired }) => retired)) {
    // More issues run than slots allow: a freed slot is removed instead of being reused.
    await arrange(write, { slots, cap: capOf(slots) });
    slots = await readSlots(write);
  }
  return slots.filter(({ holder, retired }) => holder === null && !retired).map(({ number }) => number);
}

/**
 * Sets the number of slots to `cap`. Running issues are not stopped: surplus occupied slots are retired and deleted as
 * their issues end. The caller holds the dispatch lock.
 *
 * @returns the previous number, 0 on a new database
 */
export async function setSlotCount(write: Write, cap: number): Promise<number> {
  const slots = await readSlots(write);
  await arrange(write, { slots, cap });
  return capOf(slots);
}

const selectSlots = prepared(({ context, db }) => {
  const { issues, slots } = context.database.tables;
  return db
    .select({ number: slots.number, retired: slots.retired, holder: issues.id })
    .from(slots)
    .leftJoin(issues, eq(issues.slot, slots.number))
    .orderBy(asc(slots.number));
});

async function readSlots(write: Write): Promise<readonly Slot[]> {
  return await selectSlots(write, {});
}

/** Rows that are not retired are as many as may run: that is where the cap is kept. */
function capOf(slots: readonly Slot[]): number {
  return slots.filter(({ retired }) => !retired).length;
}

/** Keeps `cap` slots, occupied ones first; retires the other occupied ones, removes the other free ones, adds what lacks. */
async function arrange(write: Write, act: { slots: readonly Slot[]; cap: number }): Promise<void> {
  const { slots } = write.context.database.tables;
  const occupied = act.slots.filter(({ holder }) => holder !== null);
  const free = act.slots.filter(({ holder }) => holder === null);
  const kept = [...occupied, ...free].slice(0, act.cap);
  for (const slot of act.slots) {
    const here = eq(slots.number, slot.number);
    const retired = !kept.includes(slot);
    if (retired && slot.holder === null) await write.db.delete(slots).where(here);
    else if (retired !== slot.retired) await write.db.update(slots).set({ retired }).where(here);
  }
  const taken = new Set(act.slots.map(({ number }) => number));
  for (let number = 1, count = kept.length; count < act.cap; number += 1) {
    if (taken.has(number)) continue;
    await write.db.insert(slots).values({ number, retired: false });
    count += 1;
  }
}
