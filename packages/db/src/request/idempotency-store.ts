import type { IdempotencyStore, IdempotentRequest } from '@sluice/core';
import { and, eq, isNotNull, lt, lte, or } from 'drizzle-orm';
import { type StoreContext, write } from '../store/store-context.ts';

/**
 * Idempotency keys and stored responses. Claims use the database's clock, so that the claim of a dead process expires
 * at the same time for all.
 */
export function createIdempotencyStore(context: StoreContext): IdempotencyStore {
  const { database } = context;
  const { requestAnswers: answers } = database.tables;
  const named = ({ userId, route, key }: IdempotentRequest) =>
    and(eq(answers.userId, userId), eq(answers.route, route), eq(answers.key, key));
  return {
    claim: (request, { hash, owner, ttlMs, keptMs }) =>
      write(context, async ({ db, now }) => {
        const { userId, route, key } = request;
        // The user's expired keys. These routes are rate limited, so there are few, and no separate job is needed.
        const tooOld = lt(answers.createdAt, new Date(now.getTime() - keptMs));
        const isOver = or(isNotNull(answers.answer), lte(answers.heldUntil, database.at(0)));
        await db.delete(answers).where(and(eq(answers.userId, userId), tooOld, isOver));
        const hold = { owner, heldUntil: database.at(ttlMs) };
        const [taken] = await db
          .insert(answers)
          .values({ userId, route, key, hash, ...hold, createdAt: now })
          .onConflictDoNothing()
          .returning({ key: answers.key });
        if (taken !== undefined) return { kind: 'taken' };
        const [there] = await db.select().from(answers).where(named(request));
        if (there === undefined) return { kind: 'under_way' }; // released just now: the next claim succeeds
        if (there.hash !== hash) return { kind: 'other_request' };
        if (there.answer !== null) return { kind: 'answered', response: there.answer };
        const [takenOver] = await db
          .update(answers)
          .set({ ...hold, createdAt: now })
          .where(and(named(request), lte(answers.heldUntil, database.at(0))))
          .returning({ key: answers.key });
        return { kind: takenOver === undefined ? 'under_way' : 'taken' };
      }),

    extend: (request, owner, ttlMs) =>
      write(context, async ({ db }) => {
        await db
          .update(answers)
          .set({ heldUntil: database.at(ttlMs) })
          .where(and(named(request), eq(answers.owner, owner)));
      }),

    release: (request, owner) =>
      write(context, async ({ db }) => {
        await db.delete(answers).where(and(named(request), eq(answers.owner, owner)));
      }),
  };
}
