import { type AccountLinkPurpose, type AccountLinkStore, type EncryptedToken, mostLinks } from '@sluice/core/account';
import type { ApiTokenId, UserId } from '@sluice/core/id';
import type { GroupGrants } from '@sluice/core/oidc';
import { and, asc, count, eq, gt, isNull } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { clearGrant } from '../code-host/grants.ts';
import { markMirrored } from '../member/mark-mirrored.ts';
import { applyGrants } from '../oidc/apply-grants.ts';
import type { Tables } from '../schema/schema.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { putCredentials } from '../user/credentials.ts';
import { endSessions } from '../user/end-sessions.ts';
import { holdUser } from '../user/hold-user.ts';
import { emailKey, toUser } from '../user/user-row.ts';
import { voidLinks } from '../user/void-links.ts';

/** A link that works, and whether its user had shown before that the address is theirs. */
type Taken = Tables['accountLinks']['$inferSelect'] & { readonly wasVerified: boolean };

const NOTHING_ENDED = { endedTokens: [], unlinked: 0, codehostGrant: null };

/** Links in e-mails to the users of accounts. Rare, so that most of their SQL is built each time. */
export function createAccountLinkStore(context: StoreContext): AccountLinkStore {
  const { read, tables } = context.database;
  const { accountLinks: links, users, credentials } = tables;

  /** Takes a link that works, and holds its user. Of two that use it at once, one gets it. */
  const take = async (write: Write, tokenHash: string, purpose: AccountLinkPurpose): Promise<Taken | null> => {
    const { db, now } = write;
    const isIt = and(eq(links.tokenHash, tokenHash), eq(links.purpose, purpose));
    const [found] = await db.select({ userId: links.userId }).from(links).where(isIt);
    // Before the link, as all that changes an account does: two that wait for each other's row would never end.
    if (found === undefined || !(await holdUser(write, found.userId))?.isEnabled) return null;
    const [link] = await db.delete(links).where(isIt).returning();
    if (link === undefined || link.expiresAt <= now) return null;
    const [user] = await db
      .select({ emailKey: users.emailKey, verifiedAt: users.emailVerifiedAt })
      .from(users)
      .where(eq(users.id, link.userId));
    return user?.emailKey === link.emailKey ? { ...link, wasVerified: user.verifiedAt !== null } : null;
  };

  /** Marks the address as verified. The link is for the one that the user has: another one voids it. */
  const verify = async ({ db, now }: Write, id: UserId) => {
    const [row] = await db.update(users).set({ emailVerifiedAt: now }).where(eq(users.id, id)).returning();
    if (row === undefined) throw new Error('A user vanished in the middle of their own transaction.');
    return toUser(row);
  };

  return {
    put: ({ email, ...link }) =>
      write(context, async (write) => {
        const { db, now } = write;
        if (!(await holdUser(write, link.userId))?.isEnabled) return false;
        const [user] = await db
          .select({ emailKey: users.emailKey, passwordOf: credentials.userId })
          .from(users)
          .leftJoin(credentials, eq(credentials.userId, users.id))
          .where(eq(users.id, link.userId));
        if (user?.emailKey !== emailKey(email)) return false;
        if (link.purpose === 'password_reset' && user.passwordOf === null) return false;
        const since = new Date(now.getTime() - mostLinks.withinMs);
        const recent = and(eq(links.userId, link.userId), eq(links.purpose, link.purpose), gt(links.createdAt, since));
        const [sent] = await db.select({ total: count() }).from(links).where(recent);
        if ((sent?.total ?? 0) >= mostLinks.count) return false;
        await db.insert(links).values({ ...link, emailKey: emailKey(email), createdAt: now });
        return true;
      }),

    isLive: async (tokenHash, purpose) => {
      const isIt = and(eq(links.tokenHash, tokenHash), eq(links.purpose, purpose));
      const rows = await read
        .select({ userId: links.userId })
        .from(links)
        .where(and(isIt, gt(links.expiresAt, context.clock.now())));
      return rows.length > 0;
    },

    resetPassword: ({ tokenHash, passwordHash }, audit) =>
      write(context, async (write) => {
        await context.database.lockDispatch(write.db); // for the roles that groups of a provider gave
        const link = await take(write, tokenHash, 'password_reset');
        if (link === null) return null;
        const { userId } = link;
        await putCredentials(write, { userId, passwordHash, now: write.now });
        const endedSessions = await endSessions(write, userId, null);
        await voidLinks(write, userId, ['password_reset']);
        const earlier = link.wasVerified ? NOTHING_ENDED : await endEarlierAccess(write, userId);
        const user = await verify(write, userId);
        const { endedTokens, unlinked } = earlier;
        await appendAudit(
          write,
          audit?.(userId, { sessions: endedSessions.length, tokens: endedTokens.length, unlinked }),
        );
        return { user, endedSessions, ...earlier };
      }),

    verifyEmail: (tokenHash, audit) =>
      write(context, async (write) => {
        const link = await take(write, tokenHash, 'email_verification');
        if (link === null) return null;
        await voidLinks(write, link.userId, ['email_verification']);
        const user = await verify(write, link.userId);
        await appendAudit(write, audit?.(link.userId));
        return user;
      }),
  };
}

const NOTHING: GroupGrants = { isOperator: false, roles: new Map(), others: new Set() };

interface EarlierAccess {
  /** The API tokens that it revoked. */
  readonly endedTokens: readonly ApiTokenId[];
  /** How many accounts at the code host and at OpenID providers it unlinked. */
  readonly unlinked: number;
  readonly codehostGrant: EncryptedToken | null;
}

/**
 * Ends every way into an account but its sessions, its password and its second factors. Somebody else may have made them before the
 * address was shown to be its user's. The caller holds the dispatch lock and the user, and has set a password.
 */
async function endEarlierAccess(write: Write, userId: UserId): Promise<EarlierAccess> {
  const { context, db, now } = write;
  const { apiTokens: tokens, loginGrants, oidcIdentities: identities } = context.database.tables;
  const revoked = await db
    .update(tokens)
    .set({ revokedAt: now })
    .where(and(eq(tokens.userId, userId), isNull(tokens.revokedAt)))
    .returning({ id: tokens.id });
  await db.delete(loginGrants).where(eq(loginGrants.userId, userId));
  const linked = await db
    .select({ issuer: identities.issuer })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.issuer));
  for (const { issuer } of linked) await applyGrants(write, { userId, issuer }, NOTHING);
  await db.delete(identities).where(eq(identities.userId, userId));
  const { wasLinked, codehostGrant } = await unlinkCodeHost(write, userId);
  return { endedTokens: revoked.map(({ id }) => id), unlinked: linked.length + (wasLinked ? 1 : 0), codehostGrant };
}

async function unlinkCodeHost(
  write: Write,
  userId: UserId,
): Promise<{ wasLinked: boolean; codehostGrant: EncryptedToken | null }> {
  const { context, db } = write;
  const { users, codehostGrants: grants } = context.database.tables;
  const [user] = await db.select({ codehostId: users.codehostId }).from(users).where(eq(users.id, userId));
  if (user === undefined || user.codehostId === null) return { wasLinked: false, codehostGrant: null };
  const [grant] = await db
    .select({ encrypted: grants.tokenEncrypted, nonce: grants.tokenNonce })
    .from(grants)
    .where(eq(grants.userId, userId));
  const { encrypted = null, nonce = null } = grant ?? {};
  await db.update(users).set({ codehostId: null, codehostLogin: null }).where(eq(users.id, userId));
  await clearGrant(write, userId);
  await markMirrored(write, null);
  return { wasLinked: true, codehostGrant: encrypted === null || nonce === null ? null : { encrypted, nonce } };
}
