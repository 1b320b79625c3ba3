import type { User } from '@sluice/core/account';
import type { SessionId, UserId } from '@sluice/core/id';
import type { NewOidcUser, OidcAccount, OidcIdentityStore, OidcLogout } from '@sluice/core/oidc';
import { and, asc, eq, lte, type SQL } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { isLive } from '../user/end-sessions.ts';
import { hasUsers } from '../user/has-users.ts';
import { holdUser } from '../user/hold-user.ts';
import { canLogIn } from '../user/login-ways.ts';
import { emailKey, toUser } from '../user/user-row.ts';
import { applyGrants } from './apply-grants.ts';

/**
 * Users' accounts at OpenID providers. Every write takes the dispatch lock: for a new account there is no row yet on which two
 * could wait, and of two operators one must remain. Sign-ins are rare enough for that.
 */
export function createOidcIdentityStore(context: StoreContext): OidcIdentityStore {
  const { database } = context;
  const { oidcIdentities: identities, users } = database.tables;
  const isOf = ({ issuer, subject }: Pick<OidcAccount, 'issuer' | 'subject'>) =>
    and(eq(identities.issuer, issuer), eq(identities.subject, subject));
  const readUser = async ({ db }: Write, id: UserId): Promise<User> => {
    const [row] = await db.select().from(users).where(eq(users.id, id));
    if (row === undefined) throw new Error('A user vanished in the middle of their own transaction.');
    return toUser(row);
  };

  return {
    signIn: (account, grants, newUser) =>
      write(context, async (write) => {
        const { db, now } = write;
        await database.lockDispatch(db);
        const { issuer } = account;
        const [known] = await db.select({ userId: identities.userId }).from(identities).where(isOf(account));
        if (known === undefined && newUser === null) return { kind: 'closed' };
        if (known !== undefined && !(await holdUser(write, known.userId))?.isEnabled) return { kind: 'disabled' };
        const userId = known?.userId ?? (await insertUser(write, account, newUser));
        if (userId === null) return { kind: 'closed' };
        if (known === undefined) await db.insert(identities).values(newIdentity(account, userId, now));
        else await db.update(identities).set({ lastSignInAt: now }).where(isOf(account));
        const applied = await applyGrants(write, { userId, issuer }, grants);
        const user = await readUser(write, userId);
        return { kind: known === undefined ? 'created' : 'matched', user, ...applied };
      }),

    link: (userId, account, { grants, audit }) =>
      write(context, async (write) => {
        const { db, now } = write;
        await database.lockDispatch(db);
        const { issuer, subject } = account;
        if ((await holdUser(write, userId)) === null) return { kind: 'absent' };
        const [owner] = await db.select({ userId: identities.userId }).from(identities).where(isOf(account));
        if (owner !== undefined && owner.userId !== userId) return { kind: 'taken' };
        const [own] = await db
          .select({ subject: identities.subject })
          .from(identities)
          .where(and(eq(identities.userId, userId), eq(identities.issuer, issuer)));
        if (own !== undefined && own.subject !== subject) return { kind: 'linked_to_another' };
        if (own === undefined) {
          await db.insert(identities).values(newIdentity(account, userId, now));
          await appendAudit(write, audit);
        }
        const applied = await applyGrants(write, { userId, issuer }, grants);
        return { kind: 'linked', user: await readUser(write, userId), ...applied };
      }),

    unlink: ({ userId, issuer }, { others, grants }, audit) =>
      write(context, async (write) => {
        const { db } = write;
        await database.lockDispatch(db);
        await holdUser(write, userId);
        const isIt = and(eq(identities.userId, userId), eq(identities.issuer, issuer));
        const [own] = await db.select({ issuer: identities.issuer }).from(identities).where(isIt);
        if (own === undefined) return 'not_linked';
        const issuers = others.issuers.filter((other) => other !== issuer);
        if (!(await canLogIn(write, userId, { ...others, issuers }))) return 'only_login';
        await appendAudit(write, audit);
        await applyGrants(write, { userId, issuer }, grants);
        await db.delete(identities).where(isIt);
        return 'unlinked';
      }),

    list: async (userId) =>
      await database.read
        .select({ issuer: identities.issuer, linkedAt: identities.createdAt, lastSignInAt: identities.lastSignInAt })
        .from(identities)
        .where(eq(identities.userId, userId))
        .orderBy(asc(identities.createdAt)),

    endSessions: (logout) => write(context, (write) => endProviderSessions(write, logout)),
  };
}

function newIdentity({ issuer, subject }: OidcAccount, userId: UserId, now: Date) {
  return { issuer, subject, userId, madeOperator: false, createdAt: now, lastSignInAt: now };
}

/** @returns null where only the first user may be created, and this is not the first */
async function insertUser(write: Write, account: OidcAccount, newUser: NewOidcUser | null): Promise<UserId | null> {
  if (newUser === null) return null;
  const { context, db, now } = write;
  const { users } = context.database.tables;
  const isFirst = !(await hasUsers(write));
  if (newUser.onlyIfFirst && !isFirst) return null;
  const { email, name } = account;
  const values = { id: newUser.id, name, isOperator: isFirst && newUser.firstIsOperator, createdAt: now };
  const insert = (address: string | null) =>
    db
      .insert(users)
      .values({
        ...values,
        email: address,
        emailKey: address === null ? null : emailKey(address),
        emailVerifiedAt: address === null ? null : now, // the provider has verified it, see `OidcAccount`
      })
      .onConflictDoNothing({ target: users.emailKey })
      .returning({ id: users.id });
  // An e-mail that is taken proves nothing: its user can link this account after logging in.
  if ((await insert(email)).length === 0) await insert(null);
  await appendAudit(write, newUser.audit);
  return newUser.id;
}

/** `OidcIdentityStore.endSessions`. */
async function endProviderSessions(write: Write, logout: OidcLogout): Promise<readonly SessionId[] | null> {
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
