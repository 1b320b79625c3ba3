import type { CodeHostLinkStore } from '@sluice/core';
import { eq, lte } from 'drizzle-orm';
import { type StoreContext, write } from '../store/store-context.ts';

type Flows = Pick<CodeHostLinkStore, 'beginFlow' | 'consumeFlow' | 'putLoginGrant' | 'takeLoginGrant'>;

/**
 * Tokens for one use within minutes. Using one deletes it, so of several concurrent uses one succeeds. Expired ones are
 * deleted when the next is created.
 */
export function createSignInFlows(context: StoreContext): Flows {
  const { codehostFlows, loginGrants } = context.database.tables;
  return {
    beginFlow: ({ nonce, expiresAt }) =>
      write(context, async ({ db, now }) => {
        await db.delete(codehostFlows).where(lte(codehostFlows.expiresAt, now));
        await db.insert(codehostFlows).values({ nonce, expiresAt });
      }),

    consumeFlow: (nonce) =>
      write(context, async ({ db, now }) => {
        const [flow] = await db.delete(codehostFlows).where(eq(codehostFlows.nonce, nonce)).returning();
        return flow !== undefined && flow.expiresAt > now;
      }),

    putLoginGrant: ({ grantHash, challenge, userId, expiresAt }) =>
      write(context, async ({ db, now }) => {
        await db.delete(loginGrants).where(lte(loginGrants.expiresAt, now));
        await db.insert(loginGrants).values({ grantHash, challenge, userId, expiresAt });
      }),

    takeLoginGrant: (grantHash) =>
      write(context, async ({ db, now }) => {
        const [grant] = await db.delete(loginGrants).where(eq(loginGrants.grantHash, grantHash)).returning();
        return grant !== undefined && grant.expiresAt > now ? grant : null;
      }),
  };
}
