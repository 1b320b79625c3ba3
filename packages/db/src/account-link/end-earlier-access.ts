import type { EncryptedToken } from '@sluice/core/account';
import type { ApiTokenId, UserId } from '@sluice/core/id';
import type { GroupGrants } from '@sluice/core/oidc';
import { and, asc, eq, isNull } from 'drizzle-orm';
import { clearGrant } from '../code-host/grants.ts';
import { markMirrored } from '../member/mark-mirrored.ts';
import { applyGrants } from '../oidc/apply-grants.ts';
import type { Write } from '../store/store-context.ts';

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
export async function endEarlierAccess(write: Write, userId: UserId): Promise<EarlierAccess> {
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
