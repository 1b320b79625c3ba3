import type { LoginWays } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { and, eq, inArray } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/** Whether one of these ways to log in is the user's. The caller holds their row, so that none of them goes meanwhile. */
export async function canLogIn({ context, db }: Write, userId: UserId, ways: LoginWays): Promise<boolean> {
  const { users, credentials, oidcIdentities: identities } = context.database.tables;
  const [user] = await db
    .select({ emailKey: users.emailKey, codehostId: users.codehostId, passwordOf: credentials.userId })
    .from(users)
    .leftJoin(credentials, eq(credentials.userId, users.id))
    .where(eq(users.id, userId));
  if (user === undefined) return false;
  // A password is useless without its e-mail address.
  if (ways.passwords && user.passwordOf !== null && user.emailKey !== null) return true;
  if (ways.codehost && user.codehostId !== null) return true;
  if (ways.issuers.length === 0) return false;
  const linked = await db
    .select({ issuer: identities.issuer })
    .from(identities)
    .where(and(eq(identities.userId, userId), inArray(identities.issuer, [...ways.issuers])))
    .limit(1);
  return linked.length > 0;
}
