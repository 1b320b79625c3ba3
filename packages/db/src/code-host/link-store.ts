import type { CodeHostLinkStore } from '@sluice/core/code-host';
import { eq } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { markMirrored } from '../member/mark-mirrored.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';
import { canLogIn } from '../user/login-ways.ts';
import { toUser } from '../user/user-row.ts';
import { clearGrant, createGrants, putGrant } from './grants.ts';
import { createSignIn, profileOf } from './sign-in.ts';

/** Users' accounts at the code host. */
export function createCodeHostLinkStore(context: StoreContext): CodeHostLinkStore {
  const { database } = context;
  const { users } = database.tables;
  return {
    signIn: createSignIn(context),

    link: (userId, account, grant) =>
      write(context, async (write) => {
        const { db } = write;
        await database.lockDispatch(db);
        if ((await holdUser(write, userId)) === null) return { kind: 'absent' };
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

    unlink: (userId, others, audit) =>
      write(context, async (write) => {
        const { db } = write;
        await holdUser(write, userId);
        const [user] = await db.select({ codehostId: users.codehostId }).from(users).where(eq(users.id, userId));
        if (user === undefined || user.codehostId === null) return 'not_linked';
        if (!(await canLogIn(write, userId, { ...others, codehost: false }))) return 'only_login';
        await db.update(users).set({ codehostId: null, codehostLogin: null }).where(eq(users.id, userId));
        await clearGrant(write, userId);
        await appendAudit(write, audit);
        await markMirrored(write, null);
        return 'unlinked';
      }),

    ...createGrants(context),
  };
}
