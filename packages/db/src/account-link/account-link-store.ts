import { type AccountLinkPurpose, type AccountLinkStore, mostLinks } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { and, count, eq, gt } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { putCredentials } from '../user/credentials.ts';
import { endSessions } from '../user/end-sessions.ts';
import { holdUser } from '../user/hold-user.ts';
import { emailKey, toUser } from '../user/user-row.ts';
import { voidLinks } from '../user/void-links.ts';
import { endEarlierAccess } from './end-earlier-access.ts';

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
