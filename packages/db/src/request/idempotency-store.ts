import type { IdempotencyStore, IdempotentRequest } from '@sluice/core';
import { and, eq, isNotNull, lt, lte, or } from 'drizzle-orm';
import { type StoreContext, write } from '../store/store-context.ts';

/**
 * Named requests and their answers, on whatever database `context` holds. Claims go by the database's clock, so that
 * one that its process has died over runs out for all alike.
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
        // The user's own: few, as all these routes have a limit, so that no job of its own has to clear them away.
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
        if (there === undefined) return { kind: 'under_way' }; // given back in this moment: the next claim finds out
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
