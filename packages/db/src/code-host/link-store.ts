import type { CodeHostLinkStore } from '@sluice/core';
import { and, eq, exists, isNotNull } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { markMirrored } from '../member/mark-mirrored.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { toUser } from '../user/user-row.ts';
import { clearGrant, createGrants, putGrant } from './grants.ts';
import { createSignIn, profileOf } from './sign-in.ts';
import { createSignInFlows } from './sign-in-flows.ts';

/** Users' accounts at the code host. */
export function createCodeHostLinkStore(context: StoreContext): CodeHostLinkStore {
  const { database } = context;
  const { users, credentials } = database.tables;
  return {
    signIn: createSignIn(context),

    link: (userId, account, grant) =>
      write(context, async (write) => {
        const { db } = write;
        await database.lockDispatch(db);
        const [user] = await db.select().from(users).where(eq(users.id, userId));
        if (user === undefined) return { kind: 'absent' };
        const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.codehostId, account.id));
        if (owner !== undefined && owner.id !== userId) return { kind: 'taken' };
        if (user.codehostId !== null && user.codehostId !== account.id) return { kind: 'linked_to_another' };
        const [linked] = await db
          .update(users)
          .set({ codehostId: account.id, ...profileOf(database.tables, account) })
          .where(eq(users.id, userId))
          .returning();
        if (linked === undefined) return { kind: 'absent' };
        const replaced = await putGrant(write, userId, () => grant);
        if (user.codehostId === null) {
          await appendAudit(write, grant.audit);
          await markMirrored(write, null);
        }
        return { kind: 'linked', user: toUser(linked), replaced };
      }),

    unlink: (userId, audit) =>
      write(context, async (write) => {
        const { db } = write;
        const password = db.select().from(credentials).where(eq(credentials.userId, userId));
        const [unlinked] = await db
          .update(users)
          .set({ codehostId: null, codehostLogin: null })
          // A password is useless without its e-mail address.
          .where(and(eq(users.id, userId), isNotNull(users.codehostId), isNotNull(users.emailKey), exists(password)))
          .returning({ id: users.id });
        if (unlinked !== undefined) {
          await clearGrant(write, userId);
          await appendAudit(write, audit);
          await markMirrored(write, null);
          return 'unlinked';
        }
        const [user] = await db.select({ codehostId: users.codehostId }).from(users).where(eq(users.id, userId));
        return user?.codehostId == null ? 'not_linked' : 'only_login';
      }),

    ...createGrants(context),
    ...createSignInFlows(context),
  };
}
