import {
  CHALLENGE_ATTEMPTS,
  type ChallengeAttempt,
  CODE_ATTEMPTS,
  CODE_WINDOW_MS,
  type FactorChange,
  MAX_SECOND_FACTORS,
  MAX_TOTP_FACTORS,
  type NewSecondFactor,
  type SecondFactor,
  type SecondFactorStore,
} from '@sluice/core/account';
import type { SessionId, UserId } from '@sluice/core/id';
import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { findCredentials } from './credentials.ts';
import { endSessions } from './end-sessions.ts';
import { holdUser } from './hold-user.ts';

/** Second factors, recovery codes and challenges. `consume-factor.ts` uses them up. */
export function createSecondFactorStore(context: StoreContext): SecondFactorStore {
  const { read, tables } = context.database;
  const { secondFactors, recoveryCodes, loginChallenges, sessions } = tables;
  const ofUser = (db: Write['db'], userId: UserId) =>
    db
      .select()
      .from(secondFactors)
      .where(eq(secondFactors.userId, userId))
      .orderBy(asc(secondFactors.createdAt), asc(secondFactors.id));
  const putCodes = async ({ db, now }: Write, userId: UserId, hashes: readonly string[]) => {
    await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
    if (hashes.length === 0) return;
    await db.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })));
  };
  const dropChallenges = async ({ db }: Write, userId: UserId) => {
    await db.delete(loginChallenges).where(eq(loginChallenges.userId, userId));
  };

  return {
    list: async (userId) => (await ofUser(read, userId)).map(toSecondFactor),

    recoveryCodesLeft: async (userId) => await read.$count(recoveryCodes, eq(recoveryCodes.userId, userId)),

    hasRecoveryCode: async (userId, codeHash) =>
      (await read.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash)))) >
      0,

    begin: (challenge) =>
      write(context, async ({ db, now }) => {
        await db.insert(loginChallenges).values({ ...challenge, attempts: 0, codes: 0, createdAt: now });
      }),

    attempt: (hash, isCode) =>
      write(context, async (write): Promise<ChallengeAttempt> => {
        const { db, now } = write;
        const [found] = await db
          .select({ userId: loginChallenges.userId })
          .from(loginChallenges)
          .where(eq(loginChallenges.hash, hash));
        // The lock makes attempts with two challenges of one user count one after the other.
        if (found === undefined || !(await holdUser(write, found.userId))?.isEnabled) return { kind: 'void' };
        if (isCode) {
          const until = await pausedUntil(write, found.userId);
          if (until !== null) return { kind: 'paused', until };
        }
        const [counted] = await db
          .update(loginChallenges)
          .set({
            attempts: sql`${loginChallenges.attempts} + 1`,
            codes: sql`${loginChallenges.codes} + ${sql.raw(isCode ? '1' : '0')}`,
          })
          .where(
            and(
              eq(loginChallenges.hash, hash),
              lt(loginChallenges.attempts, CHALLENGE_ATTEMPTS),
              gt(loginChallenges.expiresAt, now),
            ),
          )
          .returning();
        if (counted === undefined) return { kind: 'void' };
        const { attempts: _, codes: __, createdAt: ___, ...challenge } = counted;
        return { kind: 'counted', challenge };
      }),

    add: (factor, { challengeHash, codeHashes, ...change }, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        const { userId, keep } = change;
        if (!(await isUnchanged(write, change))) return { kind: 'stale' };
        const own = await ofUser(db, userId);
        const alike = own.filter(({ kind }) => kind === 'totp').length;
        const isFull = own.length >= MAX_SECOND_FACTORS || (factor.kind === 'totp' && alike >= MAX_TOTP_FACTORS);
        if (isFull) return { kind: 'full' };
        const [challenge] = await db
          .delete(loginChallenges)
          .where(
            and(
              eq(loginChallenges.hash, challengeHash),
              eq(loginChallenges.userId, userId),
              eq(loginChallenges.purpose, factor.kind),
              gt(loginChallenges.expiresAt, now),
            ),
          )
          .returning();
        if (challenge === undefined || challenge.sessionId !== keep) return { kind: 'stale' };
        const [row] = await db
          .insert(secondFactors)
          .values(factorColumns(factor, now))
          .onConflictDoNothing({ target: secondFactors.credentialId })
          .returning();
        if (row === undefined) return { kind: 'taken' };
        const hasNewCodes = own.length === 0;
        if (hasNewCodes) await putCodes(write, userId, codeHashes);
        await db.update(sessions).set({ mustEnroll: false }).where(eq(sessions.id, keep));
        const endedSessions = await endSessions(write, userId, keep);
        await appendAudit(write, audit?.(endedSessions.length));
        return { kind: 'added', factor: toSecondFactor(row), hasNewCodes, endedSessions };
      }),

    rename: (userId, { id, name }, audit) =>
      write(context, async (write) => {
        const [row] = await write.db
          .update(secondFactors)
          .set({ name })
          .where(and(eq(secondFactors.id, id), eq(secondFactors.userId, userId)))
          .returning();
        if (row === undefined) return null;
        await appendAudit(write, audit);
        return toSecondFactor(row);
      }),

    remove: (id, { keepLast, ...change }, audit) =>
      write(context, async (write) => {
        const { userId, keep } = change;
        if (!(await isUnchanged(write, change))) return { kind: 'stale' };
        const own = await ofUser(write.db, userId);
        if (own.every((one) => one.id !== id)) return { kind: 'absent' };
        const isLast = own.length === 1;
        if (isLast && keepLast) return { kind: 'last' };
        await write.db.delete(secondFactors).where(eq(secondFactors.id, id));
        if (isLast) await putCodes(write, userId, []);
        const endedSessions = await endSessions(write, userId, keep);
        await appendAudit(write, audit?.(endedSessions.length));
        return { kind: 'removed', endedSessions };
      }),

    replaceRecoveryCodes: (codeHashes, change, audit) =>
      write(context, async (write) => {
        const { userId, keep } = change;
        if (!(await isUnchanged(write, change))) return { kind: 'stale' };
        if ((await ofUser(write.db, userId)).length === 0) return { kind: 'absent' };
        await putCodes(write, userId, codeHashes);
        const endedSessions = await endSessions(write, userId, keep);
        await appendAudit(write, audit?.(endedSessions.length));
        return { kind: 'replaced', endedSessions };
      }),

    removeAll: (userId, audit) =>
      write(context, async (write): Promise<readonly SessionId[]> => {
        if ((await holdUser(write, userId)) === null) return [];
        await write.db.delete(secondFactors).where(eq(secondFactors.userId, userId));
        await putCodes(write, userId, []);
        await dropChallenges(write, userId);
        const endedSessions = await endSessions(write, userId, null);
        await appendAudit(write, audit?.(endedSessions.length));
        return endedSessions;
      }),
  };

  /** When codes are taken again, while the account had as many wrong ones as it may have; otherwise null. */
  async function pausedUntil({ db, now }: Write, userId: UserId): Promise<Date | null> {
    const recent = await db
      .select({ codes: loginChallenges.codes, createdAt: loginChallenges.createdAt })
      .from(loginChallenges)
      .where(
        and(
          eq(loginChallenges.userId, userId),
          gt(loginChallenges.createdAt, new Date(now.getTime() - CODE_WINDOW_MS)),
          gt(loginChallenges.codes, 0),
        ),
      )
      .orderBy(asc(loginChallenges.createdAt));
    let left = recent.reduce((sum, { codes }) => sum + codes, 0);
    if (left < CODE_ATTEMPTS) return null;
    const freeing = recent.find(({ codes }) => {
      left -= codes;
      return left < CODE_ATTEMPTS;
    });
    return new Date((freeing?.createdAt ?? now).getTime() + CODE_WINDOW_MS);
  }
}

/** Locks the user, whose password must be the one that was checked. */
async function isUnchanged(write: Write, { userId, ifPasswordHash }: FactorChange): Promise<boolean> {
  if (!(await holdUser(write, userId))?.isEnabled) return false;
  const [own] = await findCredentials(write, { userId });
  return own?.passwordHash === ifPasswordHash;
}

type Row = Tables['secondFactors']['$inferSelect'];

function toSecondFactor(row: Row): SecondFactor {
  const { id, userId, name, createdAt, lastUsedAt, kind, credentialId, publicKey, counter, transports } = row;
  const common = { id, userId, name, createdAt, lastUsedAt };
  if (kind === 'passkey' && credentialId !== null && publicKey !== null && counter !== null && transports !== null) {
    return { ...common, kind, credentialId, publicKey, counter, transports };
  }
  const { secretEncrypted, secretNonce, lastStep } = row;
  if (kind === 'totp' && secretEncrypted !== null && secretNonce !== null && lastStep !== null) {
    return { ...common, kind, secret: { encrypted: secretEncrypted, nonce: secretNonce }, lastStep };
  }
  throw new Error(`The second factor ${id} is not whole.`); // the database's checks refuse such a row
}

function factorColumns(factor: NewSecondFactor, createdAt: Date): Tables['secondFactors']['$inferInsert'] {
  const { id, userId, name, kind } = factor;
  const common = { id, userId, name, kind, createdAt };
  if (factor.kind === 'totp') {
    const { secret, lastStep } = factor;
    return { ...common, secretEncrypted: secret.encrypted, secretNonce: secret.nonce, lastStep };
  }
  const { credentialId, publicKey, counter, transports } = factor;
  return { ...common, credentialId, publicKey, counter, transports };
}
