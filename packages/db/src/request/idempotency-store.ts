import type { UserId } from '@sluice/core/id';
import type { IdempotencyStore, IdempotentRequest } from '@sluice/core/request';
import { and, eq, isNotNull, lt, lte, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';

interface Claim extends IdempotentRequest {
  readonly hash: string;
  readonly owner: string;
  readonly ttlMs: number;
  readonly now: Date;
}

function isNamed({ requestAnswers: answers }: Tables, given: Given<IdempotentRequest>): SQL | undefined {
  const { userId, route, key } = answers;
  return and(eq(userId, given('userId', userId)), eq(route, given('route', route)), eq(key, given('key', key)));
}

function isOwned(tables: Tables, given: Given<IdempotentRequest & { owner: string }>): SQL | undefined {
  const { owner } = tables.requestAnswers;
  return and(isNamed(tables, given as Given<IdempotentRequest>), eq(owner, given('owner', owner)));
}

const forgetOld = prepared(({ context, db }, given: Given<{ userId: UserId; createdBefore: Date }>) => {
  const { requestAnswers: answers } = context.database.tables;
  const isTooOld = lt(answers.createdAt, given('createdBefore', answers.createdAt));
  const isOver = or(isNotNull(answers.answer), lte(answers.heldUntil, context.database.at(0)));
  return db.delete(answers).where(and(eq(answers.userId, given('userId', answers.userId)), isTooOld, isOver));
});

const insertClaim = prepared(({ context, db }, given: Given<Claim>) => {
  const { requestAnswers: answers } = context.database.tables;
  return db
    .insert(answers)
    .values({
      userId: given('userId', answers.userId),
      route: given('route', answers.route),
      key: given('key', answers.key),
      hash: given('hash', answers.hash),
      owner: given('owner', answers.owner),
      heldUntil: context.database.at(given('ttlMs')),
      createdAt: given('now', answers.createdAt),
    })
    .onConflictDoNothing()
    .returning({ key: answers.key });
});

const findClaim = prepared(({ context, db }, given: Given<IdempotentRequest>) => {
  const { tables } = context.database;
  return db.select().from(tables.requestAnswers).where(isNamed(tables, given));
});

const takeOver = prepared(({ context, db }, given: Given<Claim>) => {
  const { tables, at } = context.database;
  const { requestAnswers: answers } = tables;
  return db
    .update(answers)
    .set({
      owner: given('owner', answers.owner),
      heldUntil: at(given('ttlMs')),
      createdAt: given('now', answers.createdAt),
    })
    .where(and(isNamed(tables, given as Given<IdempotentRequest>), lte(answers.heldUntil, at(0))))
    .returning({ key: answers.key });
});

const setHeld = prepared(({ context, db }, given: Given<IdempotentRequest & { owner: string; ttlMs: number }>) => {
  const { tables, at } = context.database;
  const isOwn = isOwned(tables, given as Given<IdempotentRequest & { owner: string }>);
  return db
    .update(tables.requestAnswers)
    .set({ heldUntil: at(given('ttlMs')) })
    .where(isOwn);
});

const deleteClaim = prepared(({ context, db }, given: Given<IdempotentRequest & { owner: string }>) => {
  const { tables } = context.database;
  return db.delete(tables.requestAnswers).where(isOwned(tables, given));
});

/**
 * Idempotency keys and stored responses. Claims use the database's clock, so that the claim of a dead process expires
 * at the same time for all.
 */
export function createIdempotencyStore(context: StoreContext): IdempotencyStore {
  return {
    claim: (request, { hash, owner, ttlMs, keptMs }) =>
      write(context, async (write) => {
        const { now } = write;
        const { userId, route, key } = request;
        // The user's expired keys. These routes are rate limited, so there are few, and no separate job is needed.
        await forgetOld(write, { userId, createdBefore: new Date(now.getTime() - keptMs) });
        const claim = { userId, route, key, hash, owner, ttlMs, now };
        const [taken] = await insertClaim(write, claim);
        if (taken !== undefined) return { kind: 'taken' };
        const [there] = await findClaim(write, request);
        if (there === undefined) return { kind: 'under_way' }; // released just now: the next claim succeeds
        if (there.hash !== hash) return { kind: 'other_request' };
        if (there.answer !== null) return { kind: 'answered', response: there.answer };
        const [takenOver] = await takeOver(write, claim);
        return { kind: takenOver === undefined ? 'under_way' : 'taken' };
      }),

    extend: (request, owner, ttlMs) =>
      write(context, async (write) => {
        await setHeld(write, { ...request, owner, ttlMs });
      }),

    release: (request, owner) =>
      write(context, async (write) => {
        await deleteClaim(write, { ...request, owner });
      }),
  };
}
