import type { Challenge, FactorUse, NewSession } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

const findOne = prepared(({ context, db }, given: Given<{ userId: UserId }>) => {
  const { secondFactors } = context.database.tables;
  return db
    .select({ id: secondFactors.id })
    .from(secondFactors)
    .where(eq(secondFactors.userId, given('userId', secondFactors.userId)))
    .limit(1);
});

interface OfChallenge {
  readonly hash: string;
  readonly userId: UserId;
  readonly purpose: Challenge['purpose'];
  readonly now: Date;
}

const deleteChallenge = prepared(({ context, db }, given: Given<OfChallenge>) => {
  const { loginChallenges } = context.database.tables;
  const { hash, userId, purpose, expiresAt } = loginChallenges;
  return db
    .delete(loginChallenges)
    .where(
      and(
        eq(hash, given('hash', hash)),
        eq(userId, given('userId', userId)),
        eq(purpose, given('purpose', purpose)),
        gt(expiresAt, given('now', expiresAt)),
      ),
    )
    .returning({ hash });
});

interface OfFactor {
  readonly id: string;
  readonly userId: UserId;
  readonly now: Date;
}

const takeStep = prepared(({ context, db }, given: Given<OfFactor & { step: number }>) => {
  const { secondFactors } = context.database.tables;
  const { id, userId, lastStep, lastUsedAt } = secondFactors;
  return db
    .update(secondFactors)
    .set({ lastStep: given('step', lastStep), lastUsedAt: given('now', lastUsedAt) })
    .where(and(eq(id, given('id', id)), eq(userId, given('userId', userId)), lt(lastStep, given('step', lastStep))))
    .returning({ id });
});

const takeCounter = prepared(({ context, db }, given: Given<OfFactor & { counter: number }>) => {
  const { secondFactors } = context.database.tables;
  const { id, userId, counter, lastUsedAt } = secondFactors;
  const seen = given('counter', counter);
  return db
    .update(secondFactors)
    .set({ counter: seen, lastUsedAt: given('now', lastUsedAt) })
    .where(
      and(
        eq(id, given('id', id)),
        eq(userId, given('userId', userId)),
        // Many passkeys do not count, and always say 0.
        sql`(${counter} < ${seen} or (${counter} = 0 and ${seen} = 0))`,
      ),
    )
    .returning({ id });
});

const deleteCode = prepared(({ context, db }, given: Given<{ userId: UserId; codeHash: string }>) => {
  const { recoveryCodes } = context.database.tables;
  const { userId, codeHash } = recoveryCodes;
  return db
    .delete(recoveryCodes)
    .where(and(eq(userId, given('userId', userId)), eq(codeHash, given('codeHash', codeHash))))
    .returning({ codeHash });
});

/**
 * Whether a login by password may open its session, or a deletion begin: with what it used of the user's second factors, or without
 * one where they have none. Uses that up, and its challenge. The caller holds the user's row, so no factor is enrolled meanwhile.
 */
export async function consumeFactor(
  write: Write,
  { userId, purpose }: Pick<OfChallenge, 'userId' | 'purpose'>,
  used: NewSession['secondFactor'] | undefined,
): Promise<boolean> {
  if (used === undefined) return (await findOne(write, { userId })).length === 0;
  const { challengeHash, use } = used;
  const challenges = await deleteChallenge(write, { hash: challengeHash, userId, purpose, now: write.now });
  return challenges.length > 0 && (await rowsUsed(write, userId, use)).length > 0;
}

async function rowsUsed(write: Write, userId: UserId, use: FactorUse): Promise<readonly object[]> {
  const { now } = write;
  if (use.kind === 'recovery_code') return await deleteCode(write, { userId, codeHash: use.codeHash });
  if (use.kind === 'totp') return await takeStep(write, { id: use.factorId, userId, now, step: use.step });
  return await takeCounter(write, { id: use.factorId, userId, now, counter: use.counter });
}
