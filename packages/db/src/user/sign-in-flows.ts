import type { SignInFlowStore } from '@sluice/core/account';
import { eq, lte } from 'drizzle-orm';
import { type StoreContext, write } from '../store/store-context.ts';

/**
 * Sign-ins under way: tokens for one use within minutes. Using one deletes it, so of several concurrent uses one succeeds. Expired ones are
 * deleted when the next is created.
 */
export function createSignInFlowStore(context: StoreContext): SignInFlowStore {
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

    putLoginGrant: ({ provider, ...grant }) =>
      write(context, async ({ db, now }) => {
        await db.delete(loginGrants).where(lte(loginGrants.expiresAt, now));
        await db
          .insert(loginGrants)
          .values({ ...grant, oidcIssuer: provider?.issuer ?? null, oidcSid: provider?.sid ?? null });
      }),

    takeLoginGrant: (grantHash) =>
      write(context, async ({ db, now }) => {
        const [grant] = await db.delete(loginGrants).where(eq(loginGrants.grantHash, grantHash)).returning();
        if (grant === undefined || grant.expiresAt <= now) return null;
        const { oidcIssuer: issuer, oidcSid: sid, ...rest } = grant;
        return { ...rest, provider: issuer === null ? null : { issuer, sid } };
      }),
  };
}
