import type { SessionId, UserId } from '@sluice/core/id';
import type { OidcLogout } from '@sluice/core/oidc';
import { and, eq, lte, type SQL } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Write } from '../store/store-context.ts';
import { isLive } from '../user/end-sessions.ts';

/** `OidcIdentityStore.endSessions`. */
export async function endProviderSessions(write: Write, logout: OidcLogout): Promise<readonly SessionId[] | null> {
  const { context, db, now } = write;
  const { sessions } = context.database.tables;
  if (!(await countsNow(write, logout))) return null;
  const meant = await sessionsOf(write, logout);
  if (meant === null) return [];
  const ended = await db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(meant, isLive(context.database.tables, now)))
    .returning({ id: sessions.id, userId: sessions.userId });
  const byUser = Map.groupBy(ended, ({ userId }) => userId);
  for (const [userId, { length }] of byUser) {
    const act = { action: 'account.sessions_ended', subjectId: null, detail: { sessions_ended: length } } as const;
    await appendAudit(write, { userId, actor: { kind: 'service' }, act });
  }
  return ended.map(({ id }) => id);
}

/** Whether this request is the first with its token. Expired tokens are deleted on the way. */
async function countsNow({ context, db, now }: Write, logout: OidcLogout): Promise<boolean> {
  const { oidcLogoutTokens: used } = context.database.tables;
  const { issuer, tokenId, expiresAt } = logout;
  await db.delete(used).where(lte(used.expiresAt, now));
  const isNew = await db
    .insert(used)
    .values({ issuer, tokenId, expiresAt })
    .onConflictDoNothing()
    .returning({ tokenId: used.tokenId });
  return isNew.length > 0;
}

/** With both a session and an account, both must fit. Null where no user has the account. */
async function sessionsOf(write: Write, { issuer, sid, subject }: OidcLogout): Promise<SQL | undefined | null> {
  const { sessions } = write.context.database.tables;
  const userId = subject === null ? null : await userOf(write, issuer, subject);
  if (subject !== null && userId === null) return null;
  return and(
    eq(sessions.oidcIssuer, issuer),
    sid === null ? undefined : eq(sessions.oidcSid, sid),
    userId === null ? undefined : eq(sessions.userId, userId),
  );
}

async function userOf({ context, db }: Write, issuer: string, subject: string): Promise<UserId | null> {
  const { oidcIdentities: identities } = context.database.tables;
  const [row] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row?.userId ?? null;
}
